// Package locking works out what the lockfile of a repository should be, and writes it.
package locking

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/lock"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/internal/workspace"
	"github.com/mcplumb/mcplumb/report"
)

// Result is the lockfile of a repository, as it is and as it should be.
type Result struct {
	View *view.View // of what could not be checked
	// Known is the lock that there is, nil for none, and Content its bytes.
	Known   *lock.Lock
	Content []byte
	// Now is what it should be, without Gaps.
	Now  *lock.Lock
	Gaps []lock.Gap
	// OfHomes is how many servers are in files of a home directory, as dotfiles hold them:
	// what their owner starts is not a matter of the repository.
	OfHomes int
	// IsIncomplete reports that something could not be checked, and Refused why nothing is
	// locked: the servers of an unreadable file would be removed.
	IsIncomplete bool
	Refused      string

	root string
}

// Build works out what the lockfile of a workspace should be. Registries are asked if the
// workspace asks any.
func Build(ctx context.Context, w *workspace.Workspace) (*Result, error) {
	w.Options.Targets, w.Options.Checks, w.Options.NoIgnore = nil, []*rule.Rule{checks.SyntaxError}, true
	found, err := w.Lint(ctx)
	if err != nil {
		return nil, err
	}
	r := &Result{View: view.New(w.Viewed(found)), IsIncomplete: len(found.Errors) > 0, OfHomes: ofHomes(found.Repo), root: w.Root}
	if ctx.Err() != nil {
		r.Refused = lock.Name + " was not read: stopped before the end"
		return r, nil
	}
	if unread := unreadFiles(found); unread > 0 {
		r.Refused = fmt.Sprintf("%s was not read: %s cannot be read, see mcplumb check", lock.Name, report.Count(unread, "file"))
		return r, nil
	}
	if r.Known, r.Content, err = w.ReadLock(ctx); err != nil {
		r.Refused = err.Error()
		return r, nil
	}
	r.Now, r.Gaps = lock.Build(found.Repo, r.Known, w.Contents(ctx))
	return r, nil
}

// Write writes the lockfile, unless it is as it should be.
func (r *Result) Write() (isWritten bool, err error) {
	content, err := r.Now.Bytes()
	if err != nil || bytes.Equal(r.Content, content) {
		return false, err
	}
	err = source.WriteFile(r.root, filepath.Join(r.root, lock.Name), source.Writing(content))
	return true, source.WriteFailed(lock.Name, err)
}

// ofHomes counts the servers in files of a home directory.
func ofHomes(repo *mcp.Repo) int {
	count := 0
	for _, p := range repo.Projects {
		for _, d := range p.Documents {
			if d.Scope == mcp.ScopeUser {
				count += len(d.Servers)
			}
		}
	}
	return count
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
