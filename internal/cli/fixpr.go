package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/internal/app/fixpr"
	"github.com/mcplumb/mcplumb/internal/github"
	"github.com/mcplumb/mcplumb/internal/rule"
)

// The words of --group.
const (
	groupOne     = "one"
	groupProject = "project"
)

func (a *app) fixPRCommand() *cobra.Command {
	o := fixpr.Options{Branch: fixpr.DefaultBranch}
	var safety, group *choice
	cmd := &cobra.Command{
		Use:   "fix-pr [PATH…]",
		Short: "Keep a pull request on GitHub with all fixes",
		Long: `Keep one pull request open that has the fixes of the commit which is checked
out: it is opened, held to what there is to fix, and closed when nothing is
left. Each rule has a commit of its own. Nothing here is changed; the commits
are made on GitHub. With paths, what is below them has a pull request and a
branch of its own.

Commits of other people on its branch stop it. What was in one that somebody
has closed is not proposed again.

The token is in GITHUB_TOKEN or GH_TOKEN; it needs contents: write and
pull-requests: write. GITHUB_REPOSITORY and GITHUB_API_URL say where, else the
remote origin and github.com.

Exit codes: 0 done, or there was nothing to do; 2 wrong usage or settings; 3
GitHub does not do it, or something could not be checked.`,
		Example: `  mcplumb fix-pr --dry-run             what would be proposed
  mcplumb fix-pr --label dependencies  open it, or bring it up to date`,
		RunE: func(cmd *cobra.Command, paths []string) error {
			o.Paths, o.Allow, o.PerProject = paths, safetyNamed(safety.value), group.value == groupProject
			return a.fixPR(cmd.Context(), o)
		},
	}
	safe, unsafe := rule.Safe.String(), rule.Unsafe.String()
	cmd.Flags().BoolVar(&o.IsDryRun, "dry-run", false, "print branch, commits, title and body, and write nothing")
	safety = addChoice(cmd, "fix-safety", "the fixes to make: those that are safe, or all", safe, safe, unsafe)
	group = addChoice(cmd, "group", "one pull request, or one for each project that has something to fix", groupOne, groupOne, groupProject)
	cmd.Flags().Var((*filled)(&o.Branch), "branch", "the `NAME` of the branch; with --group project the beginning of it")
	cmd.Flags().Var((*filled)(&o.Base), "base", "the `BRANCH` that it is for, by default the one that is checked out")
	cmd.Flags().Var((*filled)(&o.Access.Repository), "repository", "the repository on GitHub, as `OWNER/NAME`")
	cmd.Flags().BoolVar(&o.Draft, "draft", false, "open it as a draft")
	cmd.Flags().StringArrayVar(&o.Labels, "label", nil, "give a new one the `LABEL`; repeatable")
	cmd.Flags().StringArrayVar(&o.Assignees, "assignee", nil, "assign a new one to `USER`; repeatable")
	cmd.Flags().BoolVar(&o.IsOnline, "online", false, "ask registries, as check does: some fixes need to know")
	cmd.Flags().BoolVar(&o.SignOff, "signoff", false, "have the author of the commits, whose token it is, sign them off")
	cmd.Flags().BoolVar(&o.Workflows, "workflows", false, "fix files below .github/workflows, too: the token may write workflows")
	addConfig(cmd, &o.Config)
	cmd.Flags().Var((*filled)(&o.Baseline), "baseline", "leave alone what is in the baseline `FILE`")
	return cmd
}

// fixPR keeps the pull requests of a repository.
func (a *app) fixPR(ctx context.Context, o fixpr.Options) error {
	event := a.env.Getenv("GITHUB_EVENT_NAME")
	isPull := strings.HasPrefix(event, "pull_request")
	if isPull && !o.IsDryRun {
		return fmt.Errorf("fix-pr writes nothing for the event %s: what it fixes is a branch of the repository", event)
	}
	get := a.env.Getenv
	o.Access = github.Access{
		API: cmp.Or(get("GITHUB_API_URL"), "https://api.github.com"), Token: cmp.Or(get("GITHUB_TOKEN"), get("GH_TOKEN")),
		Repository: cmp.Or(o.Access.Repository, get("GITHUB_REPOSITORY")), Wait: a.outside().Pause, AnswerTime: 30 * time.Second,
	}
	if isPull {
		o.Base = cmp.Or(o.Base, get("GITHUB_BASE_REF"))
	} else if get("GITHUB_REF_TYPE") != "tag" {
		o.Base = cmp.Or(o.Base, get("GITHUB_REF_NAME"))
	}
	if a.relaxGC(); o.IsOnline {
		a.collectAnswers()
	}
	o.IsOnGitHub, o.Out, o.Log = get("GITHUB_API_URL") == "", a.env.Stdout, a.env.Stderr
	_, isIncomplete, err := fixpr.Keep(ctx, a.outside(), o)
	if isIncomplete {
		a.code = exitIncomplete
	}
	return err
}
