package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/internal/app/organization"
	"github.com/mcplumb/mcplumb/internal/fleet"
	"github.com/mcplumb/mcplumb/internal/github"
	"github.com/mcplumb/mcplumb/internal/glob"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/spelling"
	"github.com/mcplumb/mcplumb/internal/terminal"
	"github.com/mcplumb/mcplumb/internal/view"
)

// fleetReposFlags are the flags of fleet repos.
type fleetReposFlags struct {
	out, pushedSince     string
	shards, perShard     int
	include, exclude     []string
	topics, visibilities []string
	archived, forks      bool
}

func (a *app) fleetReposCommand() *cobra.Command {
	f := fleetReposFlags{shards: fleet.MaxShards, perShard: 100}
	cmd := &cobra.Command{
		Use:   "repos ORGANIZATION",
		Short: "List the repositories of an organization on GitHub",
		Long: `List the clone URLs of an organization's repositories, for fleet check. With
--out the list is split into files, one for each job of a matrix, and the matrix
is printed as JSON: {"shard": ["000", "001"]} names the files 000.txt and
001.txt. Most repositories keep their shard from day to day.

Archived repositories and forks are left out by default. The token is in
GITHUB_TOKEN or GH_TOKEN, and the list shows what it can read; --visibility
public needs none. GITHUB_API_URL sets the server, by default api.github.com.

Exit codes:
  0  listed
  2  wrong usage, or no repository is left to list
  3  GitHub does not answer or refuses, or a file could not be written`,
		Example: `  mcplumb fleet repos acme > repos.txt
  mcplumb fleet repos acme --out shards --exclude 'acme/sandbox-*'`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, names []string) error { return a.listFleet(cmd.Context(), &f, names[0]) },
	}
	cmd.Flags().VarP((*filled)(&f.out), "out", "o", "write a list for each shard to the directory `DIR`, and print a matrix")
	cmd.Flags().IntVar(&f.shards, "shards", f.shards, "make at most `N` shards")
	cmd.Flags().IntVar(&f.perShard, "per-shard", f.perShard, "make no shard for fewer than `N` repositories")
	cmd.Flags().StringArrayVar(&f.include, "include", nil, "list only repositories that the `PATTERN` of OWNER/NAME matches; repeatable")
	cmd.Flags().StringArrayVar(&f.exclude, "exclude", nil, "leave out repositories that the `PATTERN` of OWNER/NAME matches; repeatable")
	cmd.Flags().StringArrayVar(&f.topics, "topic", nil, "list only repositories with the `TOPIC`; repeatable, one of them suffices")
	cmd.Flags().StringArrayVar(&f.visibilities, "visibility", nil, "list only `public`, private, or internal repositories; repeatable")
	cmd.Flags().BoolVar(&f.archived, "archived", false, "also list archived repositories")
	cmd.Flags().BoolVar(&f.forks, "forks", false, "also list forks")
	cmd.Flags().Var((*filled)(&f.pushedSince), "pushed-since", "list only repositories with a push since the `DATE` (2026-01-31) or in so many days (90d)")
	return cmd
}

// listFleet lists the repositories of an organization.
func (a *app) listFleet(ctx context.Context, f *fleetReposFlags, name string) error {
	if name == "" || strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
		return fmt.Errorf("%q is not the name of an organization: names have letters, digits, and hyphens, like acme in https://github.com/acme", name)
	}
	choice, err := f.choice(a.env.Now())
	if err != nil {
		return err
	}
	access := a.gitHub()
	access.Wait = a.outside().Pause
	if access.Token == "" && !f.isPublic() {
		return errors.New("fleet repos needs a token in GITHUB_TOKEN or GH_TOKEN: without one GitHub shows only public repositories; to list those, pass --visibility public")
	}
	all, chosen, left, err := organization.List(ctx, access, name, choice)
	if err != nil {
		return err
	}
	if len(chosen) == 0 {
		return f.noneChosen(name, len(all), left)
	}
	a.printChosen(chosen, left)
	f.doubt(a, name, all, choice)
	if f.out == "" {
		for _, r := range chosen {
			if _, err := fmt.Fprintln(a.env.Stdout, terminal.Escape(r.Clone)); err != nil {
				return source.WriteFailed("standard output", err)
			}
		}
		return nil
	}
	return a.writeShards(f, chosen)
}

// doubt warns of what may be amiss with a list: the token or the address of another server,
// a pattern with a mistake in it.
func (f *fleetReposFlags) doubt(a *app, name string, all []fleet.Candidate, choice *fleet.Choice) {
	warn := func(format string, args ...any) {
		fmt.Fprintf(a.env.Stderr, "mcplumb: warning: %s\n", view.NewText(fmt.Sprintf(format, args...)))
	}
	for _, i := range choice.Idle(all) {
		warn("--include %s matches no repository", f.include[i])
	}
	if !f.isPublic() && !slices.ContainsFunc(all, isPrivate) {
		warn("the token sees only public repositories of %s and may be missing permissions: if you want only those, pass --visibility public", name)
	}
	if server := a.gitHubServer(); !strings.HasPrefix(strings.ToLower(all[0].Clone), server+"/") {
		warn("fleet check sends the token only to %s, and these repositories are elsewhere: set GITHUB_SERVER_URL", server)
	}
}

// gitHubToken returns the token of the environment, "" for none. A line break at the end
// came with it by mistake.
func (a *app) gitHubToken() string {
	return cmp.Or(strings.TrimSpace(a.env.Getenv("GITHUB_TOKEN")), strings.TrimSpace(a.env.Getenv("GH_TOKEN")))
}

// gitHub returns where GitHub is, and who asks there.
func (a *app) gitHub() github.Access {
	return github.Access{
		API: cmp.Or(a.env.Getenv("GITHUB_API_URL"), "https://api.github.com"), Token: cmp.Or(a.token, a.gitHubToken()),
		AnswerTime: 30 * time.Second,
	}
}

// gitHubFile returns a file of a repository at a commit, for settings that extend it.
func (a *app) gitHubFile(ctx context.Context, repository, path, commit string) ([]byte, error) {
	hub := a.gitHub()
	hub.Repository, hub.Wait = repository, a.outside().Pause
	return hub.File(ctx, path, commit)
}

// gitHubServer returns where the repositories of GitHub are, in small letters.
func (a *app) gitHubServer() string {
	return strings.ToLower(strings.TrimSuffix(cmp.Or(a.env.Getenv("GITHUB_SERVER_URL"), "https://github.com"), "/"))
}

// isPublic reports whether public repositories alone are wanted.
func (f *fleetReposFlags) isPublic() bool {
	isOther := func(v string) bool { return v != "public" }
	return len(f.visibilities) > 0 && !slices.ContainsFunc(f.visibilities, isOther)
}

func isPrivate(r fleet.Candidate) bool { return r.Visibility != "public" }

// noneChosen says that no repository is left, and why. That is an error: no one asks for
// nothing, and a nightly run that checks nothing would look like one that finds nothing.
func (f *fleetReposFlags) noneChosen(name string, all int, left []fleet.LeftOut) error {
	if all == 0 {
		return fmt.Errorf("the token sees no repository of %s: give it metadata: read for its repositories, or install its app on them", name)
	}
	hint := ""
	hasOwner := func(pattern string) bool { return strings.Contains(pattern, "/") }
	if len(f.include) > 0 && !slices.ContainsFunc(f.include, hasOwner) {
		hint = "; --include needs patterns of OWNER/NAME, such as " + name + "/" + f.include[0]
	}
	return fmt.Errorf("none of the %s of %s is chosen: %s%s", repositories(all), name, leftOut(left), hint)
}

// leftOut says how many repositories were left out, by the reason.
func leftOut(left []fleet.LeftOut) string {
	var reasons []string
	for _, l := range left {
		reasons = append(reasons, fmt.Sprintf("%d %s", l.Count, l.Reason))
	}
	return strings.Join(reasons, ", ")
}

// choice reads the flags that say what is wanted.
func (f *fleetReposFlags) choice(now time.Time) (*fleet.Choice, error) {
	c := &fleet.Choice{Topics: f.topics, Visibilities: f.visibilities, Archived: f.archived, Forks: f.forks}
	if f.shards < 1 || f.shards > fleet.MaxShards {
		return nil, fmt.Errorf("--shards must be between 1 and %d, the most jobs of a matrix", fleet.MaxShards)
	}
	if f.perShard < 1 {
		return nil, errors.New("--per-shard must be 1 or more")
	}
	for _, list := range []struct {
		flag  string
		texts []string
		into  *[]glob.Pattern
	}{{"--include", f.include, &c.Include}, {"--exclude", f.exclude, &c.Exclude}} {
		for _, text := range list.texts {
			p, err := glob.Parse(strings.ToLower(text))
			if err != nil {
				return nil, fmt.Errorf("%s: %s %w", list.flag, text, err)
			}
			*list.into = append(*list.into, p)
		}
	}
	for _, v := range f.visibilities {
		if err := spelling.OneOf(v, []string{"public", "private", "internal"}); err != nil {
			return nil, fmt.Errorf("--visibility: %w", err)
		}
	}
	if f.pushedSince == "" {
		return c, nil
	}
	number, isDays := strings.CutSuffix(f.pushedSince, "d")
	if days, err := strconv.ParseUint(number, 10, 16); isDays && err == nil {
		c.PushedSince = now.AddDate(0, 0, -int(days))
		return c, nil
	}
	since, err := time.Parse(time.DateOnly, f.pushedSince)
	if err != nil {
		return nil, fmt.Errorf("--pushed-since: %q is neither a date (2026-01-31) nor a number of days (90d)", f.pushedSince)
	}
	c.PushedSince = since
	return c, nil
}

// printChosen says how many repositories there are for whom, and which were left out. The
// workflow reads from it whether there are private ones.
func (a *app) printChosen(chosen []fleet.Candidate, left []fleet.LeftOut) {
	var kinds []string
	for _, kind := range []string{"private", "internal", "public"} {
		n := 0
		for i := range chosen {
			if chosen[i].Visibility == kind {
				n++
			}
		}
		if n > 0 {
			kinds = append(kinds, fmt.Sprintf("%d %s", n, kind))
		}
	}
	more := ""
	if len(left) > 0 {
		more = "; left out: " + leftOut(left)
	}
	fmt.Fprintf(a.env.Stderr, "mcplumb: %s (%s)%s\n", repositories(len(chosen)), strings.Join(kinds, ", "), more)
}

// writeShards writes a list for each shard, and prints the matrix.
func (a *app) writeShards(f *fleetReposFlags, chosen []fleet.Candidate) error {
	names, err := organization.WriteShards(a.outside(), f.out, chosen, min(f.shards, (len(chosen)+f.perShard-1)/f.perShard))
	if err != nil {
		return err
	}
	line, err := json.Marshal(map[string][]string{"shard": names})
	if err == nil {
		_, err = fmt.Fprintf(a.env.Stdout, "%s\n", line)
	}
	return source.WriteFailed("standard output", err)
}
