package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/source"
)

// compare has the findings of a workspace compared with a revision. Where a clone does
// not have it, and it cannot be had, all of them are reported.
func (w *Workspace) compare(ctx context.Context) error {
	r := &w.request
	if r.Base == "" {
		return nil
	}
	if err := oneRevision("--base", r.Base); err != nil {
		return err
	}
	git := w.Env.Git()
	from := "HEAD"
	if r.Rev != "" {
		from = r.Rev
	}
	commit, isShared, err := git.Base(ctx, w.Root, from, r.Base)
	switch {
	case errors.Is(err, source.ErrNoBase), err != nil && r.IsBaseGuessed:
		w.goWithoutBase(err)
		return nil
	case err != nil:
		return fmt.Errorf("--base: %w", err)
	}
	base, err := w.revision(ctx, commit)
	if err != nil { // a partial clone has the commit, but not its files
		w.goWithoutBase(err)
		return nil
	}
	w.Compared = Compared{commit, from, isShared}
	if !isShared && !r.IsBaseGuessed {
		w.Notices = append(w.Notices, fmt.Sprintf("cannot find the commit where %s left %s, so mcplumb compares with the current %s", from, r.Base, r.Base))
	}
	w.CompareWith(ctx, base, r.Base)
	return nil
}

// CompareWith has the findings of a workspace compared with a tree, which people call rev.
func (w *Workspace) CompareWith(ctx context.Context, base source.Tree, rev string) {
	w.Options.Base, w.Options.BaseRev = base, rev
	w.Notices = append(w.Notices, w.loosened(ctx)...)
}

// oneRevision refuses what means several revisions.
func oneRevision(flag, rev string) error {
	if strings.Contains(rev, "..") { // which no name of a revision may hold
		return fmt.Errorf("%s needs one revision, and %s are several", flag, rev)
	}
	return nil
}

// isBare reports whether files are those of a bare repository, instead of a work tree.
func (w *Workspace) isBare(ctx context.Context) bool {
	for _, dir := range []string{"objects", "refs"} {
		if kind, err := w.Options.Source.Stat(ctx, dir); err != nil || kind != source.Directory {
			return false
		}
	}
	_, err := w.Options.Source.Stat(ctx, "HEAD")
	return err == nil
}

// Compared is a commit that findings are compared with, zero for none. from left it,
// or where they parted is not known.
type Compared struct {
	commit, from string
	isShared     bool
}

// Commit returns its name, "" for none.
func (c Compared) Commit() string { return c.commit }

// String says what is compared with, "" for nothing.
func (c Compared) String() string {
	switch {
	case c.commit == "":
		return ""
	case c.isShared:
		return "the commit " + c.commit
	}
	return fmt.Sprintf("the current commit %s, since the commit where %s left it is missing", c.commit, c.from)
}

// goWithoutBase remembers and says why nothing is compared.
func (w *Workspace) goWithoutBase(why error) {
	w.NoBase = why
	w.Notices = append(w.Notices, why.Error()+": all findings are reported, but not the changes")
}

// checkOut replaces the files on disk with a revision.
func (w *Workspace) checkOut(ctx context.Context, rev string) error {
	if err := oneRevision("--rev", rev); err != nil {
		return err
	}
	tree, err := w.revision(ctx, rev)
	if err != nil {
		return fmt.Errorf("--rev: %w", err)
	}
	for _, target := range w.Targets {
		if _, err := tree.Stat(ctx, target); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("--rev: %s has no %s", rev, target)
		}
	}
	w.Options.Source, w.Options.Listed, w.Rev = tree, true, rev
	return nil
}

// revision returns the tree of a revision, which is closed with the workspace.
func (w *Workspace) revision(ctx context.Context, rev string) (*source.Objects, error) {
	tree, err := source.Revision(ctx, w.Root, rev, w.Env.Git())
	if err == nil {
		w.revisions = append(w.revisions, tree)
	}
	return tree, err
}

// Close ends what reads revisions.
func (w *Workspace) Close() {
	for _, tree := range w.revisions {
		tree.Close()
	}
}

// loosened says what the repository's settings and baseline hide that those of the base did
// not: otherwise a change that adds both a problem and its ignore would go unnoticed. It
// ignores files outside of the repository.
func (w *Workspace) loosened(ctx context.Context) []string {
	was, err := &policy.Settings{}, error(nil)
	var notices []string
	if name, inside := w.inside(w.request.Config, policy.SettingsName); inside {
		var content []byte
		if content, err = w.ofBase(ctx, name); content != nil {
			was, err = w.parseIn(ctx, w.Options.Base, name, name, content)
		}
		if err != nil {
			notices = append(notices, "cannot read the settings at the base, so mcplumb cannot tell whether the current settings hide more findings")
			was = &policy.Settings{}
		} else {
			w.Options.BaseSettings = was
			notices = append(notices, policy.Loosened(was, w.Options.Settings, w.Options.Today)...)
		}
	}
	return append(notices, w.grown(ctx, was)...)
}

// grown says what the baseline hides that that of the base did not. was are the
// settings of the base, which may have kept it elsewhere.
func (w *Workspace) grown(ctx context.Context, was *policy.Settings) []string {
	now := w.Options.Baseline
	name, inside := w.inside(w.request.Baseline, cmp.Or(was.Preferences.Baseline, policy.BaselineName))
	if now == nil || !inside {
		return nil
	}
	var before *policy.Baseline
	content, err := w.ofBase(ctx, name)
	if content != nil {
		before, err = policy.ParseBaseline(name, "", content)
	}
	if err != nil {
		return []string{"cannot read the baseline at the base, so mcplumb cannot tell whether the current baseline hides more findings"}
	}
	switch more := now.MoreThan(before); more {
	case 0:
		return nil
	case 1:
		return []string{"the baseline hides 1 more finding than it did at the base"}
	default:
		return []string{fmt.Sprintf("the baseline hides %d more findings than it did at the base", more)}
	}
}

// inside returns the path from the root of a file that a flag names, or where it is
// without one, and whether it is in the repository.
func (w *Workspace) inside(named, usual string) (path string, inside bool) {
	if named == "" {
		return usual, true
	}
	return source.Below(w.Root, filepath.Clean(w.Absolute(named)))
}

// ofBase returns the content of a file of the base, nil if the base does not have it.
func (w *Workspace) ofBase(ctx context.Context, name string) ([]byte, error) {
	file, err := w.Options.Base.Read(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return file.Content, err
}
