package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/internal/app/locking"
	"github.com/mcplumb/mcplumb/internal/lock"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/internal/workspace"
	"github.com/mcplumb/mcplumb/report"
)

// lockFlags are the flags of lock.
type lockFlags struct {
	check, online, merge bool
	config, cache        string
}

func (a *app) lockCommand() *cobra.Command {
	var f lockFlags
	cmd := &cobra.Command{
		Use:   "lock [PATH]",
		Short: "Write what every server runs to mcplumb.lock",
		Long: `Write mcplumb.lock in the root of the repository around PATH: what each server
in its clients' files runs, the names and files that use it, its version, and
its hash. A server is identified by what it runs, so renaming it does not change
its entry.

Without --online, hashes come from the existing lockfile, from the entries, and
from files in the repository. With --online, mcplumb also queries registries. If
a registry has a different hash for a locked version, mcplumb reports it and
keeps the locked one.

If the lockfile contains merge conflict markers, mcplumb rewrites it with the
entries of both sides. With --merge it is a merge driver for git: it merges OURS
and THEIRS, two changes of BASE, into OURS, entry by entry. If both sides
changed an entry differently, it writes conflict markers and exits with 1.

Exit codes:
  0  in sync, or written
  1  out of sync (--check), or a registry has another hash
  2  wrong usage or settings
  3  a file or the lockfile could not be read, or a registry did not answer;
     --check exits with 1 if it also found a difference`,
		Example: `  mcplumb lock --online    lock all servers, with the hashes of registries
  mcplumb lock --check     check that it is in sync with the configuration
  mcplumb lock --merge %O %A %B    as a merge driver of git, see docs/lock.md`,
		Args: func(cmd *cobra.Command, args []string) error {
			if f.merge {
				return cobra.ExactArgs(mergedFiles)(cmd, args)
			}
			return cobra.MaximumNArgs(1)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, paths []string) error {
			if f.merge {
				return a.mergeLocks(&f, paths)
			}
			return a.lock(cmd.Context(), &f, paths)
		},
	}
	cmd.Flags().BoolVar(&f.check, "check", false, "write nothing, and report what is out of sync")
	cmd.Flags().BoolVar(&f.online, "online", false, "query registries for versions and hashes")
	cmd.Flags().BoolVar(&f.merge, "merge", false, "merge the lockfiles BASE, OURS, and THEIRS for git (%O %A %B)")
	addCache(cmd, &f.cache)
	addConfig(cmd, &f.config)
	return cmd
}

// mergedFiles is how many files a merge driver of git gets.
const mergedFiles = 3

// mergeLocks merges the lockfiles of two branches, as git asks a merge driver to.
func (a *app) mergeLocks(f *lockFlags, files []string) error {
	if f.check || f.online || f.cache != "" || f.config != "" {
		return errors.New("--merge merges three files and reads nothing else: leave out the other flags")
	}
	conflicts, err := locking.Merge(a.absolute(files[0]), a.absolute(files[1]), a.absolute(files[2]))
	var unmerged *locking.UnmergedError
	if errors.As(err, &unmerged) {
		a.printError(err)
		a.code = exitIncomplete
		return nil
	}
	if len(conflicts) == 0 {
		return err
	}
	for _, conflict := range conflicts {
		fmt.Fprintf(a.env.Stderr, "mcplumb: %s: %s\n", lock.Name, view.NewText(conflict))
	}
	fmt.Fprintf(a.env.Stderr, "mcplumb: %s has conflict markers there: after you merged the files of clients, mcplumb lock rewrites it, or reports which hashes differ\n", lock.Name)
	a.code = exitFindings
	return nil
}

func (a *app) lock(ctx context.Context, f *lockFlags, paths []string) error {
	if f.cache != "" && !f.online {
		return errCacheOffline
	}
	w, err := a.open(ctx, workspace.Request{Paths: paths, Config: f.config, Online: f.online, Cache: f.cache})
	if err != nil {
		return err
	}
	defer w.Close()
	if f.online {
		a.collectAnswers()
		if err := w.AskRegistries(ctx, workspace.Asking{Cache: f.cache, All: true}); err != nil {
			return err
		}
	}
	r, err := locking.Build(ctx, w)
	if err != nil {
		return err
	}
	a.printProblems(r.View)
	if r.IsIncomplete {
		a.code = exitIncomplete
	}
	switch {
	case r.Refused != "":
		a.code = exitIncomplete
		_, err = fmt.Fprintf(a.env.Stderr, "mcplumb: %s\n", view.NewText(r.Refused))
		return err
	case f.check:
		return a.printLockCheck(r)
	case r.Known == nil && len(r.Now.Servers) == 0:
		a.printGaps(r, r.Gaps)
		more := ""
		if r.OfHomes > 0 {
			more = fmt.Sprintf(": files of a home directory are not locked (%s)", report.Count(r.OfHomes, "server"))
		}
		_, err := fmt.Fprintln(a.env.Stdout, "no server to lock"+more)
		return err
	}
	return a.writeLock(r)
}

// countedLocked counts the servers of a lock, and separately those without a hash.
func countedLocked(r *locking.Result, word string) string {
	open := r.Now.Unlocked()
	text := report.Count(len(r.Now.Servers)-open, "server") + word
	if open > 0 {
		text += fmt.Sprintf(", %d not locked", open)
	}
	return text
}

// printLockCheck prints what is out of sync, and sets the exit code.
func (a *app) printLockCheck(r *locking.Result) error {
	differences := lock.Differences(r.Known, r.Now)
	switch {
	case lock.IsConflicted(r.Content):
		differences = append([]string{lock.Name + " has conflict markers: mcplumb lock rewrites it with the locked entries of both sides"}, differences...)
	case r.Known == nil && len(r.Now.Servers) > 0:
		differences = append([]string{lock.Name + " is missing: mcplumb lock writes it"}, differences...)
	}
	for _, sentence := range differences {
		fmt.Fprintln(a.env.Stdout, r.View.Text(sentence))
	}
	open := slices.DeleteFunc(slices.Clone(r.Gaps), func(g lock.Gap) bool { return !g.IsChanged && !g.IsUnread })
	a.printGaps(r, open)
	a.judgeGaps(open)
	isOpened := func(g lock.Gap) bool { return g.IsChanged }
	if len(differences) > 0 || slices.ContainsFunc(open, isOpened) {
		a.code = exitFindings // even if a registry did not answer: no answer could bring the lock in sync
	}
	switch {
	case len(differences)+len(open) > 0:
		return nil
	case a.code == exitIncomplete:
		_, err := fmt.Fprintf(a.env.Stdout, "%s is in sync as far as mcplumb can tell: %s\n", lock.Name, countedLocked(r, ""))
		return err
	}
	_, err := fmt.Fprintf(a.env.Stdout, "%s is in sync: %s\n", lock.Name, countedLocked(r, ""))
	return err
}

// judgeGaps sets the exit code for what may be an attack, and for what is not known.
func (a *app) judgeGaps(gaps []lock.Gap) {
	for _, g := range gaps {
		switch {
		case g.IsUnread:
			a.code = exitIncomplete
		case g.IsChanged && a.code == exitOK:
			a.code = exitFindings
		}
	}
}

// printGaps says what is not locked, and why.
func (a *app) printGaps(r *locking.Result, gaps []lock.Gap) {
	for _, g := range gaps {
		fmt.Fprintln(a.env.Stdout, r.View.Text(fmt.Sprintf("%s: %s: %s", g.Path, g.Server, g.Why)))
	}
}

// writeLock writes the lockfile where it is another one than before.
func (a *app) writeLock(r *locking.Result) error {
	a.printGaps(r, r.Gaps)
	a.judgeGaps(r.Gaps)
	isWritten, err := r.Write()
	switch {
	case err != nil:
		return err
	case !isWritten:
		_, err = fmt.Fprintf(a.env.Stdout, "%s is in sync: %s\n", lock.Name, countedLocked(r, ""))
	default:
		_, err = fmt.Fprintf(a.env.Stdout, "%s: %s, %s\n", lock.Name, countedLocked(r, " locked"), report.Count(len(lock.Differences(r.Known, r.Now)), "change"))
	}
	return err
}
