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
		Long: `Keep one pull request open with all fixes for the checked-out commit. mcplumb
opens it, updates it, and closes it when nothing is left to fix. Each rule gets
its own commit. The commits are made on GitHub; local files do not change. With
PATH, those paths get their own branch and pull request.

mcplumb stops updating the branch once someone else commits to it. It never
proposes fixes again from a pull request that was closed.

The token is in GITHUB_TOKEN or GH_TOKEN; it needs contents: write and
pull-requests: write. GITHUB_REPOSITORY and GITHUB_API_URL name the repository;
without them mcplumb uses the remote origin and github.com.

Exit codes:
  0  done, or nothing to do
  2  wrong usage or settings
  3  GitHub refused or did not answer, or something could not be checked`,
		Example: `  mcplumb fix-pr --dry-run             show what it would propose
  mcplumb fix-pr --label dependencies  open it, or update it`,
		RunE: func(cmd *cobra.Command, paths []string) error {
			o.Paths, o.Allow, o.PerProject = paths, safetyNamed(safety.value), group.value == groupProject
			return a.fixPR(cmd.Context(), o)
		},
	}
	safe, unsafe := rule.Safe.String(), rule.Unsafe.String()
	cmd.Flags().BoolVar(&o.IsDryRun, "dry-run", false, "print branch, commits, title, and body, and write nothing")
	safety = addChoice(cmd, "fix-safety", "choose the fixes to make: safe ones, or all", safe, safe, unsafe)
	group = addChoice(cmd, "group", "open one pull request, or one for each project with fixes", groupOne, groupOne, groupProject)
	cmd.Flags().Var((*filled)(&o.Branch), "branch", "name the branch `NAME`; with --group project, begin its name with that")
	cmd.Flags().Var((*filled)(&o.Base), "base", "fix the `BRANCH` (default: the checked-out branch)")
	cmd.Flags().Var((*filled)(&o.Access.Repository), "repository", "use the repository `OWNER/NAME` on GitHub")
	cmd.Flags().BoolVar(&o.Draft, "draft", false, "open the pull request as a draft")
	cmd.Flags().StringArrayVar(&o.Labels, "label", nil, "add the `LABEL` to a new pull request; repeatable")
	cmd.Flags().StringArrayVar(&o.Assignees, "assignee", nil, "assign a new pull request to `USER`; repeatable")
	cmd.Flags().BoolVar(&o.IsOnline, "online", false, "query registries, like check: some fixes need that")
	cmd.Flags().BoolVar(&o.SignOff, "signoff", false, "sign off the commits as their author, the owner of the token")
	cmd.Flags().BoolVar(&o.Workflows, "workflows", false, "also fix files below .github/workflows (the token must be allowed to write them)")
	addConfig(cmd, &o.Config)
	cmd.Flags().Var((*filled)(&o.Baseline), "baseline", "skip findings that are in the baseline `FILE`")
	return cmd
}

// fixPR keeps the pull requests of a repository.
func (a *app) fixPR(ctx context.Context, o fixpr.Options) error {
	event := a.env.Getenv("GITHUB_EVENT_NAME")
	isPull := strings.HasPrefix(event, "pull_request")
	if isPull && !o.IsDryRun {
		return fmt.Errorf("fix-pr writes nothing for the event %s: it only fixes a branch of the repository", event)
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
