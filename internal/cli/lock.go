package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/lock"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/internal/workspace"
	"github.com/mcplumb/mcplumb/report"
)

// lockFlags are the flags of lock.
type lockFlags struct {
	check, online bool
	config, cache string
}

func (a *app) lockCommand() *cobra.Command {
	var f lockFlags
	cmd := &cobra.Command{
		Use:   "lock [PATH]",
		Short: "Write what every server really is to mcplumb.lock",
		Long: `Write mcplumb.lock in the root of the repository around PATH: what each
server of its clients' files runs, the names and files that use it, its version
and its hash. A server is known by what it runs, so that another name for it is
no other server.

Without --online the hashes are those that are locked already, that the entries
name, or of files of the repository. With it registries are asked; another hash
than was locked for the same version is told, and not written.

A lockfile with the marks of a merge is written again with what both sides have
locked.

Exit codes: 0 it is in step, or was written; 1 with --check it is not, or a
registry has another hash; 2 wrong usage or settings; 3 a file or the lockfile
could not be read, or a registry did not answer.`,
		Example: `  mcplumb lock --online    lock all servers, with the hashes of registries
  mcplumb lock --check     is it in step with the configuration?`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, paths []string) error { return a.lock(cmd.Context(), &f, paths) },
	}
	cmd.Flags().BoolVar(&f.check, "check", false, "write nothing, and say what is not in step")
	cmd.Flags().BoolVar(&f.online, "online", false, "ask registries for versions and hashes")
	addCache(cmd, &f.cache)
	addConfig(cmd, &f.config)
	return cmd
}

func (a *app) lock(ctx context.Context, f *lockFlags, paths []string) error {
	if f.cache != "" && !f.online {
		return errCacheOffline
	}
	w, err := a.open(ctx, workspace.Request{Paths: paths, Config: f.config})
	if err != nil {
		return err
	}
	defer w.Close()
	w.Options.Targets, w.Options.Checks, w.Options.NoIgnore = nil, []*checks.Rule{checks.SyntaxError}, true
	if f.online {
		if err := w.AskRegistries(ctx, workspace.Asking{Cache: f.cache, All: true}); err != nil {
			return err
		}
	}
	result, err := w.Lint(ctx)
	if err != nil {
		return err
	}
	v := view.New(w.Viewed(result))
	a.printProblems(v)
	if ctx.Err() != nil {
		return a.refuseLock(lock.Name + " was not looked at: stopped before the end")
	}
	if len(result.Errors) > 0 {
		a.code = exitIncomplete
	}
	if unread := unreadFiles(result); unread > 0 {
		return a.refuseLock(fmt.Sprintf("%s was not looked at: %s cannot be read, see mcplumb check", lock.Name, report.Count(unread, "file")))
	}
	known, content, err := readLock(ctx, w)
	if err != nil {
		return a.refuseLock(err.Error())
	}
	now, gaps := lock.Build(result.Repo, known, func(path string) ([]byte, error) {
		file, err := w.Options.Source.Read(ctx, path)
		return file.Content, err
	})
	if f.check {
		return a.printLockCheck(v, known, now, gaps, lock.IsConflicted(content))
	}
	if known == nil && len(now.Servers) == 0 {
		a.printGaps(v, gaps)
		_, err := fmt.Fprintln(a.env.Stdout, "there is no server to lock"+ofHomes(result.Repo))
		return err
	}
	return a.writeLock(w, v, content, known, now, gaps)
}

// countedLocked counts the servers of a lock, and how many of them are not locked at all.
func countedLocked(now *lock.Lock, gaps []lock.Gap, word string) string {
	open := 0
	for _, g := range gaps {
		if g.IsOpen {
			open++
		}
	}
	text := report.Count(len(now.Servers)-open, "server") + word
	if open > 0 {
		text += fmt.Sprintf(", %d not locked", open)
	}
	return text
}

// ofHomes says how many servers are in files of a home directory, as dotfiles hold them, ""
// where there is none: what their owner starts is not a matter of the repository.
func ofHomes(repo *mcp.Repo) string {
	count := 0
	for _, p := range repo.Projects {
		for _, d := range p.Documents {
			if d.Scope == mcp.ScopeUser {
				count += len(d.Servers)
			}
		}
	}
	if count == 0 {
		return ""
	}
	return fmt.Sprintf(": files of a home directory are not locked (%s)", report.Count(count, "server"))
}

// unreadFiles counts the files whose servers are not known.
func unreadFiles(r *lint.Result) int {
	count := 0
	for _, f := range r.Findings { // of syntax-error alone
		if f.File.Path != lock.Name {
			count++
		}
	}
	for _, e := range r.Errors {
		if e.Path != "" {
			count++
		}
	}
	return count
}

// refuseLock says why nothing was locked: of a file that cannot be read, the servers would
// be taken out.
func (a *app) refuseLock(why string) error {
	a.code = exitIncomplete
	_, err := fmt.Fprintf(a.env.Stderr, "mcplumb: %s\n", view.NewText(why))
	return err
}

// readLock returns the lock that there is and its bytes, nil for none.
func readLock(ctx context.Context, w *workspace.Workspace) (*lock.Lock, []byte, error) {
	file, err := w.Options.Source.Read(ctx, lock.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %s", lock.Name, source.Explain(err))
	}
	parse := lock.Parse
	if lock.IsConflicted(file.Content) {
		parse = lock.ParseConflicted
	}
	known, err := parse(file.Content)
	return known, file.Content, err
}

// printLockCheck says what is not in step, and sets the exit code.
func (a *app) printLockCheck(v *view.View, known, now *lock.Lock, gaps []lock.Gap, isConflicted bool) error {
	differences := lock.Differences(known, now)
	switch {
	case isConflicted:
		differences = append([]string{lock.Name + " has the marks of a merge: mcplumb lock writes it again, with what both sides have locked"}, differences...)
	case known == nil && len(now.Servers) > 0:
		differences = append([]string{"there is no " + lock.Name + ": mcplumb lock writes one"}, differences...)
	}
	for _, sentence := range differences {
		fmt.Fprintln(a.env.Stdout, v.Text(sentence))
	}
	open := slices.DeleteFunc(gaps, func(g lock.Gap) bool { return !g.IsChanged && !g.IsUnread })
	a.printGaps(v, open)
	a.judgeGaps(open)
	if len(differences) > 0 && a.code == exitOK {
		a.code = exitFindings
	}
	if len(differences)+len(open) > 0 {
		return nil
	}
	_, err := fmt.Fprintf(a.env.Stdout, "%s is in step: %s\n", lock.Name, countedLocked(now, gaps, ""))
	return err
}

// judgeGaps sets the exit code for what may be an attack, and for what nobody knows.
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
func (a *app) printGaps(v *view.View, gaps []lock.Gap) {
	for _, g := range gaps {
		fmt.Fprintln(a.env.Stdout, v.Text(fmt.Sprintf("%s: %s: %s", g.Path, g.Server, g.Why)))
	}
}

// writeLock writes the lockfile where it is another one than before.
func (a *app) writeLock(w *workspace.Workspace, v *view.View, before []byte, known, now *lock.Lock, gaps []lock.Gap) error {
	a.printGaps(v, gaps)
	a.judgeGaps(gaps)
	content, err := now.Bytes()
	if err != nil {
		return err
	}
	if bytes.Equal(before, content) {
		_, err := fmt.Fprintf(a.env.Stdout, "%s is in step: %s\n", lock.Name, countedLocked(now, gaps, ""))
		return err
	}
	target := filepath.Join(w.Root, lock.Name)
	if err := source.WriteFailed(lock.Name, source.WriteFile(a.repository(), target, source.Writing(content))); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.env.Stdout, "%s: %s, %s\n", lock.Name, countedLocked(now, gaps, " locked"), report.Count(len(lock.Differences(known, now)), "change"))
	return err
}
