package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/mcplumb/mcplumb/internal/app/organisation"
	"github.com/spf13/cobra"
)

func (a *app) fleetCheckCommand() *cobra.Command {
	o := organisation.CheckOptions{Jobs: 4}
	cmd := &cobra.Command{
		Use:   "check --repos FILE --out DIR",
		Short: "Check a list of repositories, each into a file",
		Long: `Check the repositories that FILE names, a clone URL or the path of one on this
machine on each line, and write a record of each to DIR: commit, servers as list
has them, findings as check has them, and what could not be checked.

Of one on a server neither history nor work tree is fetched, but only its trees
and the files that are read. The token in GITHUB_TOKEN or GH_TOKEN is sent to
GITHUB_SERVER_URL, by default github.com, and nobody else.

What DIR has of a commit already is not read again, so that a run which was cut
off goes on. With --previous what another directory has is copied. Both read a
repository again after a change of mcplumb or --config.

Exit codes: 0 every repository has a record, even if some could not be read; 2
wrong usage or settings; 3 none could be read, a record could not be written, or
the run was stopped.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.checkFleet(cmd.Context(), o) },
	}
	cmd.Flags().Var((*filled)(&o.Repos), "repos", "the `FILE` with the repositories, - for standard input")
	cmd.Flags().VarP((*filled)(&o.Out), "out", "o", "write records to the directory `DIR`")
	cmd.Flags().Var((*filled)(&o.Previous), "previous", "copy what the directory `DIR` has of the same commits")
	cmd.Flags().IntVar(&o.Jobs, "jobs", o.Jobs, "read `N` repositories at once")
	addConfig(cmd, &o.Config)
	cmd.Flags().Lookup("config").Usage = "settings `FILE` to use instead of those of each repository"
	_ = cmd.MarkFlagRequired("repos")
	_ = cmd.MarkFlagRequired("out")
	return cmd
}

// checkFleet checks the repositories of a list.
func (a *app) checkFleet(ctx context.Context, o organisation.CheckOptions) error {
	if o.Jobs < 1 || o.Jobs > 64 {
		return errors.New("--jobs: is to be from 1 to 64")
	}
	o.Stdin, o.Log, o.Server, o.Token = a.env.Stdin, a.env.Stderr, a.gitHubServer(), a.gitHubToken()
	done, err := organisation.Check(ctx, a.outside(), o)
	if done == nil {
		return err
	}
	fmt.Fprintf(a.env.Stdout, "%s: %d read, %d unchanged, %d failed\n", repositories(done.Listed), done.Read, done.Unchanged, done.Failed)
	if done.Failed == done.Listed && done.Failed > 0 {
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
