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
		Short: "Check a list of repositories, with one record for each",
		Long: `Check the repositories in FILE, a clone URL or a local path on each line, and
write a record of each to DIR: the commit, its servers as in list, its findings
as in check, and what could not be checked.

For a remote repository, mcplumb fetches only the trees and the files that it
reads: no history, no work tree. The token in GITHUB_TOKEN or GH_TOKEN is sent
only to GITHUB_SERVER_URL, by default github.com, and with --online to
GITHUB_API_URL, for files that settings extend.

A commit that already has a record in DIR is skipped, so an interrupted run can
continue. --previous copies records from another directory. After an update of
mcplumb or a change of --config, every repository is read again.

A repository that could not be read is reported, and gets a record with its
earlier data. --allow-failed N permits N of them, but never all.

Exit codes:
  0  the repositories were read
  2  wrong usage or settings
  3  more repositories failed than --allow-failed permits, a record could not be
     written, or the run was stopped`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.checkFleet(cmd.Context(), o, allowed) },
	}
	cmd.Flags().Var((*filled)(&o.Repos), "repos", "read the list of repositories from `FILE`, - for standard input")
	cmd.Flags().VarP((*filled)(&o.Out), "out", "o", "write records to the directory `DIR`")
	cmd.Flags().Var((*filled)(&o.Previous), "previous", "copy records of the same commits from the directory `DIR`")
	cmd.Flags().IntVar(&o.Jobs, "jobs", o.Jobs, "read `N` repositories at once")
	cmd.Flags().IntVar(&allowed, "allow-failed", allowed, "exit with 0 if at most `N` repositories could not be read")
	addConfig(cmd, &o.Config)
	cmd.Flags().Lookup("config").Usage = "use the settings `FILE` instead of each repository's own"
	addFetch(cmd, &o.Online)
	_ = cmd.MarkFlagRequired("repos")
	_ = cmd.MarkFlagRequired("out")
	return cmd
}

// checkFleet checks the repositories of a list, some of which may fail.
func (a *app) checkFleet(ctx context.Context, o organization.CheckOptions, allowed int) error {
	if o.Jobs < 1 || o.Jobs > 64 {
		return errors.New("--jobs must be between 1 and 64")
	}
	if allowed < 0 {
		return errors.New("--allow-failed must be 0 or more repositories")
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
