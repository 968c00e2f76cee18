package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/fix"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/internal/workspace"
	"github.com/mcplumb/mcplumb/report"
)

// fixFlags are the flags of check that make it mend what it finds.
type fixFlags struct {
	allow *choice
	diff  bool
}

// add adds --fix and --diff.
func (f *fixFlags) add(cmd *cobra.Command) {
	safe, unsafe := checks.Safe.String(), checks.Unsafe.String()
	f.allow = addChoice(cmd, "fix", "write the fixes that are safe, or with --fix=unsafe all that there are", safe, safe, unsafe)
	cmd.Flags().Lookup("fix").NoOptDefVal = safe
	cmd.Flags().BoolVar(&f.diff, "diff", false, "print what --fix would change as a patch, and write nothing")
}

// isAsked reports whether anything is to be mended, or shown as if it were.
func (f *fixFlags) isAsked() bool { return f.allow.given || f.diff }

// safety is what may be done.
func (f *fixFlags) safety() checks.Safety {
	if f.allow.value == checks.Unsafe.String() {
		return checks.Unsafe
	}
	return checks.Safe
}

// refuse says what does not go with --fix and --diff.
func (f *checkFlags) refuse(fromStdin bool) error {
	name := "--fix"
	if f.fix.diff {
		name = "--diff"
	}
	switch {
	case !f.fix.isAsked():
		return nil
	case f.noIgnore:
		return fmt.Errorf("%s leaves alone what is ignored or in the baseline: it does not go with --no-ignore", name)
	case fromStdin && !f.fix.diff:
		return errors.New("--fix writes files, and standard input is none: --diff prints what it would change")
	case f.fix.diff && slices.ContainsFunc(f.outputs.list, func(o output) bool { return o.file == "" }):
		return errors.New("--diff prints a patch to standard output: give the format a file, as in --format json=FILE")
	}
	return nil
}

// fixedResult is what came of mending.
type fixedResult struct {
	*fix.Outcome
	// result is what is found: with --diff before anything is mended.
	result *lint.Result
	// failed are the files that could not be written.
	failed []lint.FileError
}

// applyFixes makes the fixes of a repository, and writes them unless only a patch is asked
// for.
func (a *app) applyFixes(ctx context.Context, w *workspace.Workspace, f fixFlags) (*fixedResult, error) {
	selected := w.Options.Checks
	outcome, err := fix.Run(ctx, fix.Options{
		Source: w.Options.Source, Allow: f.safety(), Lint: w.LintTree, Refuses: w.Refuses(),
		Fixes: func(c *checks.Rule) bool { return selected == nil || slices.Contains(selected, c) },
	})
	if err != nil {
		return nil, err
	}
	m := &fixedResult{Outcome: outcome, result: outcome.Before.Only(selected)}
	if f.diff {
		for _, e := range outcome.After.Silent { // of what the patch writes, too
			if !slices.Contains(m.result.Errors, e) {
				m.result.Errors = append(m.result.Errors, e)
			}
		}
		return m, nil
	}
	withoutFailed(outcome, f.safety())
	m.result = outcome.After.Only(selected)
	if m.failed = a.writeFixed(ctx, w, outcome); len(m.failed) == 0 {
		return m, nil
	}
	if m.result, err = w.Lint(ctx); err != nil {
		return nil, err
	}
	m.result.Errors = append(m.result.Errors, m.failed...)
	return m, nil
}

// withoutFailed takes from the findings the fixes that were tried in vain: nobody is
// offered them again.
func withoutFailed(outcome *fix.Outcome, allowed checks.Safety) {
	for _, left := range outcome.Left {
		if left.Reason == "" {
			continue
		}
		left.Finding.Fixes = slices.DeleteFunc(slices.Clone(left.Finding.Fixes), func(f checks.Fix) bool { return f.Safety <= allowed })
	}
}

// writeFixed writes what has been mended, and returns what could not be written.
// What runs that were killed have left beside the files is removed.
func (a *app) writeFixed(ctx context.Context, w *workspace.Workspace, outcome *fix.Outcome) []lint.FileError {
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
	source.RemoveLeftovers(w.Root, slices.Sorted(maps.Keys(dirs)))
	var failed []lint.FileError
	for _, e := range source.Replace(ctx, w.Root, files) {
		failed = append(failed, lint.FileError(e))
	}
	return failed
}

// directory returns the directory of a path from the root, "" for the root.
func directory(name string) string {
	if dir := path.Dir(name); dir != "." {
		return dir
	}
	return ""
}

// printFixed says what was mended and what was not, or prints the patch.
func (a *app) printFixed(f *checkFlags, w *workspace.Workspace, v *view.View, m *fixedResult) error {
	if m == nil {
		return nil
	}
	var patches []view.Patch
	if f.fix.diff {
		patches = a.patches(w, v, m)
	}
	fixes := m.shown(v, m.withhold(patches), f.fix.diff)
	var err error
	switch isText := !slices.ContainsFunc(a.outputs(f, w), func(o output) bool { return o.file == "" && o.format != "text" }); {
	case f.fix.diff:
		fixes.IsPatch = true
		if err := a.printPatch(patches, f.fix.safety()); err != nil || f.quiet {
			return err
		}
		err = report.WriteFixes(a.env.Stderr, fixes)
	case f.quiet:
	case !isText:
		err = report.WriteFixes(a.env.Stderr, fixes)
	default:
		fixes.NeedUnsafe = 0 // the summary says it
		err = report.WriteFixes(a.env.Stdout, fixes)
		if len(fixes.Made)+len(fixes.Left) > 0 {
			fmt.Fprintln(a.env.Stdout)
		}
	}
	return source.WriteFailed("standard output", err)
}

// shown returns what was mended for people to see. What could not be written was
// not, nor are those that the patch leaves out. Beside a patch, which people hold against
// the files as they are, lines are those of these.
func (m *fixedResult) shown(v *view.View, leftOut map[int]bool, isPatch bool) report.Fixes {
	var fixes report.Fixes
	isOfFailed := func(c edit.Change) bool {
		return slices.ContainsFunc(m.failed, func(e lint.FileError) bool { return e.Path == c.File.Path })
	}
	for i, made := range m.Made {
		if leftOut[i] {
			fixes.Left = append(fixes.Left, v.Left(&made.Finding, made.Fix.Title, "a credential would stand in it"))
			continue
		}
		if !slices.ContainsFunc(made.Fix.Edits, isOfFailed) {
			fixes.Made = append(fixes.Made, v.FixResult(&made.Finding, &made.Fix, made.Brings))
		}
	}
	lines := linesOnDisk{fixedResult: m, hunks: map[string][]view.Hunk{}}
	for _, left := range m.Left {
		if left.NeedsUnsafe() {
			fixes.NeedUnsafe++
			continue
		}
		shown := v.Left(left.At, left.Fix.Title, left.Reason)
		if isPatch {
			shown.Line = lines.of(left.At.File.Path, shown.Line)
		}
		fixes.Left = append(fixes.Left, shown)
	}
	return fixes
}

// linesOnDisk finds the lines of files with all fixes made in the files as they are.
type linesOnDisk struct {
	*fixedResult
	hunks map[string][]view.Hunk
}

// of returns the line of a file that a line with all fixes made was, 0 if there is none.
func (x *linesOnDisk) of(path string, line int) int {
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

// patches returns what fixes change.
func (a *app) patches(w *workspace.Workspace, v *view.View, m *fixedResult) []view.Patch {
	after := view.New(w.Viewed(m.After))
	var patches []view.Patch
	for _, f := range m.Files {
		patches = append(patches, v.Patch(after, f.Path, f.Old, f.New))
	}
	return patches
}

// printPatch prints what fixes change as a patch.
func (a *app) printPatch(patches []view.Patch, allowed checks.Safety) error {
	o := report.PatchOptions{ForTerminal: a.env.IsTerminal(a.env.Stdout), InWorkflow: a.env.Getenv("GITHUB_ACTIONS") == "true", Command: "--fix"}
	if allowed == checks.Unsafe {
		o.Command = "--fix=" + allowed.String()
	}
	withheld, err := report.WritePatch(a.env.Stdout, patches, o)
	for _, line := range withheld {
		fmt.Fprintf(a.env.Stderr, "mcplumb: %s\n", line)
	}
	if err == nil {
		err = report.WriteWithheld(a.env.Stderr, patches, o)
	}
	return source.WriteFailed("standard output", err)
}
