// Package fixing makes the fixes of a repository, writes them, and cuts them into patches and
// suggestions.
package fixing

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/fix"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/internal/workspace"
	"github.com/mcplumb/mcplumb/report"
)

// Result is the result of making fixes.
type Result struct {
	*fix.Outcome
	// Found is what is found: before anything is fixed where nothing is written.
	Found *lint.Result

	w *workspace.Workspace
	// failed are the files that could not be written.
	failed []lint.FileError
}

// Try makes the fixes of a workspace, and writes nothing.
func Try(ctx context.Context, w *workspace.Workspace, allowed rule.Safety) (*Result, error) {
	r, err := run(ctx, w, allowed)
	if err != nil {
		return nil, err
	}
	r.Found = r.Before.Only(w.Options.Checks)
	for _, e := range r.After.Silent { // of what a patch writes, too
		if !slices.Contains(r.Found.Errors, e) {
			r.Found.Errors = append(r.Found.Errors, e)
		}
	}
	return r, nil
}

// Apply makes the fixes of a workspace, and writes them.
func Apply(ctx context.Context, w *workspace.Workspace, allowed rule.Safety) (*Result, error) {
	r, err := run(ctx, w, allowed)
	if err != nil {
		return nil, err
	}
	withoutFailed(r.Outcome, allowed)
	r.Found = r.After.Only(w.Options.Checks)
	if r.failed = write(ctx, w.Root, r.Outcome); len(r.failed) == 0 {
		return r, nil
	}
	if r.Found, err = w.Lint(ctx); err != nil {
		return nil, err
	}
	r.Found.Errors = append(r.Found.Errors, r.failed...)
	return r, nil
}

// run chooses fixes of the rules that were selected.
func run(ctx context.Context, w *workspace.Workspace, allowed rule.Safety) (*Result, error) {
	selected := w.Options.Checks
	outcome, err := fix.Run(ctx, fix.Options{
		Source: w.Options.Source, Allow: allowed, Lint: w.LintTree, Refuses: w.Refuses(),
		Fixes: func(c *rule.Rule) bool { return selected == nil || slices.Contains(selected, c) },
	})
	return &Result{Outcome: outcome, w: w}, err
}

// withoutFailed takes from the findings the fixes that were tried in vain: they are not
// offered again.
func withoutFailed(outcome *fix.Outcome, allowed rule.Safety) {
	for _, left := range outcome.Left {
		if left.Reason == "" {
			continue
		}
		left.Finding.Fixes = slices.DeleteFunc(slices.Clone(left.Finding.Fixes), func(f rule.Fix) bool { return f.Safety <= allowed })
	}
}

// write writes what has been fixed, and returns what could not be written. Temporary files of
// killed runs next to the files are removed.
func write(ctx context.Context, root string, outcome *fix.Outcome) []lint.FileError {
	dirs := map[string]bool{}
	for _, p := range outcome.Before.Repo.Projects {
		for _, d := range p.Documents {
			dirs[directory(d.File.Path)] = true
		}
	}
	var files []source.Replacement
	for _, f := range outcome.Files {
		dirs[directory(f.Path)] = true
		files = append(files, source.Replacement(f))
	}
	source.RemoveLeftovers(root, slices.Sorted(maps.Keys(dirs)))
	var failed []lint.FileError
	for _, e := range source.Replace(ctx, root, files) {
		failed = append(failed, lint.FileError(e))
	}
	return failed
}

// directory returns the directory of a path from the root, "" for the root.
func directory(name string) string {
	dir, _ := path.Split(name)
	return strings.TrimSuffix(dir, "/")
}

// Patches returns what fixes change, and which fixes that contains. v is the view of the
// findings. No patch contains a credential or half of a fix.
func (m *Result) Patches(v *view.View) ([]view.Patch, report.Fixes) {
	after := view.New(m.w.Viewed(m.After))
	var patches []view.Patch
	for _, f := range m.Files {
		patches = append(patches, v.Patch(after, f.Path, f.Old, f.New))
	}
	fixes := m.shown(v, m.withhold(patches), true)
	fixes.IsPatch = true
	return patches, fixes
}

// Written returns which fixes were made in files that could be written.
func (m *Result) Written(v *view.View) report.Fixes { return m.shown(v, nil, false) }

// Proposed returns the fixes of an outcome that will be written elsewhere.
func Proposed(v *view.View, outcome *fix.Outcome) report.Fixes {
	return (&Result{Outcome: outcome}).shown(v, nil, true)
}

// shown returns which fixes were made, for people to see: without those of files that could
// not be written, and those that the patch leaves out. Along with a patch, which people
// compare with the files on disk, lines are those of the files on disk.
func (m *Result) shown(v *view.View, leftOut map[int]bool, isPatch bool) report.Fixes {
	var fixes report.Fixes
	isOfFailed := func(c edit.Change) bool {
		return slices.ContainsFunc(m.failed, func(e lint.FileError) bool { return e.Path == c.File.Path })
	}
	for i, made := range m.Made {
		if leftOut[i] {
			fixes.Left = append(fixes.Left, v.Left(&made.Finding, made.Fix.Title, "it would show a credential"))
			continue
		}
		if !slices.ContainsFunc(made.Fix.Edits, isOfFailed) {
			fixes.Made = append(fixes.Made, v.FixResult(&made.Finding, &made.Fix, made.Brings))
		}
	}
	lines := linesOnDisk{Result: m, hunks: map[string][]view.Hunk{}}
	for _, left := range m.Left {
		if left.NeedsUnsafe() {
			fixes.NeedUnsafe++
			continue
		}
		shown := v.Left(left.At, left.Fix.Title, left.Reason)
		if isPatch {
			shown.Line = lines.oldLine(left.At.File.Path, shown.Line)
		}
		fixes.Left = append(fixes.Left, shown)
	}
	return fixes
}

// linesOnDisk finds the lines of files with all fixes made in the files as they are.
type linesOnDisk struct {
	*Result
	hunks map[string][]view.Hunk
}

// oldLine returns the line of a file that a line with all fixes made was, 0 if there is none.
func (x *linesOnDisk) oldLine(path string, line int) int {
	hunks, known := x.hunks[path]
	if i := slices.IndexFunc(x.Files, func(f fix.File) bool { return f.Path == path }); !known && i >= 0 {
		hunks = view.Hunks(string(x.Files[i].Old), string(x.Files[i].New))
		x.hunks[path] = hunks
	}
	more := 0 // lines that have come before, less those that have gone
	for i := range hunks {
		if line < hunks[i].NewStart {
			break
		}
		if line < hunks[i].NewStart+hunks[i].NewCount {
			return hunks[i].OldLine(line)
		}
		more += hunks[i].NewCount - hunks[i].OldCount
	}
	return line - more
}
