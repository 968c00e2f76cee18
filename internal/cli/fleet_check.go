package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/mcplumb/mcplumb/internal/app/organization"
	"github.com/spf13/cobra"
)

func (a *app) fleetCheckCommand() *cobra.Command {
	o := organization.CheckOptions{Jobs: 4}
	allowed := 0
	cmd := &cobra.Command{
		Use:   "check --repos FILE --out DIR",
		Short: "Check a list of repositories, each into a file",
		Long: `Check the repositories that FILE names, a clone URL or the path of one on this
machine on each line, and write a record of each to DIR: commit, servers as list
has them, findings as check has them, and what could not be checked.

Of one on a server neither history nor work tree is fetched, but only its trees
and the files that are read. The token in GITHUB_TOKEN or GH_TOKEN is sent to
GITHUB_SERVER_URL, by default github.com, and nobody else but GITHUB_API_URL
with --online, for files that settings extend.

What DIR has of a commit already is not read again, so that a run which was cut
off goes on. With --previous what another directory has is copied. Both read a
repository again after a change of mcplumb or --config.

A repository that could not be read is said and has a record, too, with what was
known of it. --allow-failed N lets N of them pass, but never all.

Exit codes: 0 the repositories were read; 2 wrong usage or settings; 3 more could
not be read than --allow-failed permits, a record could not be written, or the
run was stopped.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.checkFleet(cmd.Context(), o, allowed) },
	}
	cmd.Flags().Var((*filled)(&o.Repos), "repos", "the `FILE` with the repositories, - for standard input")
	cmd.Flags().VarP((*filled)(&o.Out), "out", "o", "write records to the directory `DIR`")
	cmd.Flags().Var((*filled)(&o.Previous), "previous", "copy what the directory `DIR` has of the same commits")
	cmd.Flags().IntVar(&o.Jobs, "jobs", o.Jobs, "read `N` repositories at once")
	cmd.Flags().IntVar(&allowed, "allow-failed", allowed, "end well although `N` repositories could not be read")
	addConfig(cmd, &o.Config)
	cmd.Flags().Lookup("config").Usage = "settings `FILE` to use instead of those of each repository"
	addFetch(cmd, &o.Online)
	_ = cmd.MarkFlagRequired("repos")
	_ = cmd.MarkFlagRequired("out")
	return cmd
}

// checkFleet checks the repositories of a list, of which some may fail.
func (a *app) checkFleet(ctx context.Context, o organization.CheckOptions, allowed int) error {
	if o.Jobs < 1 || o.Jobs > 64 {
		return errors.New("--jobs: is to be from 1 to 64")
	}
	if allowed < 0 {
		return errors.New("--allow-failed: is to be a number of repositories")
	}
	o.Stdin, o.Log, o.Server, o.Token = a.env.Stdin, a.env.Stderr, a.gitHubServer(), a.gitHubToken()
	done, err := organization.Check(ctx, a.outside(), o)
	if done == nil {
		return err
	}
	fmt.Fprintf(a.env.Stdout, "%s: %d read, %d unchanged, %d failed\n", repositories(done.Listed), done.Read, done.Unchanged, done.Failed)
	switch {
	case done.Failed == 0:
	case done.Failed == done.Listed: // a login or an address is wrong, which no number excuses
		a.code = exitIncomplete
	case done.Failed > allowed:
		fmt.Fprintf(a.env.Stderr, "mcplumb: %s could not be read, and --allow-failed permits %d\n", repositories(done.Failed), allowed)
		a.code = exitIncomplete
	}
	return err
}

// repositories counts repositories in words.
func repositories(n int) string {
	if n == 1 {
		return "1 repository"
	}
	return fmt.Sprintf("%d repositories", n)
}
