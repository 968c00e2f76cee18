package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/internal/app/check"
	"github.com/mcplumb/mcplumb/internal/app/fixing"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/report"
)

// fixFlags are the flags of check that make it fix what it finds.
type fixFlags struct {
	allow *choice
	diff  bool
}

// add adds --fix and --diff.
func (f *fixFlags) add(cmd *cobra.Command) {
	safe, unsafe := rule.Safe.String(), rule.Unsafe.String()
	f.allow = addChoice(cmd, "fix", "write the safe fixes, or all fixes with --fix=unsafe", safe, safe, unsafe)
	cmd.Flags().Lookup("fix").NoOptDefVal = safe
	cmd.Flags().BoolVar(&f.diff, "diff", false, "print the changes of --fix as a patch, and write nothing")
}

// isAsked reports whether to make fixes, or to show them as a patch.
func (f *fixFlags) isAsked() bool { return f.allow.given || f.diff }

// asked returns the fixes that the flags ask for.
func (f *fixFlags) asked() check.Fix {
	return check.Fix{IsAsked: f.isAsked(), IsDryRun: f.diff, Allow: safetyNamed(f.allow.value)}
}

// safetyNamed returns the safety of a name that a flag has accepted.
func safetyNamed(name string) rule.Safety {
	if name == rule.Unsafe.String() {
		return rule.Unsafe
	}
	return rule.Safe
}

// refuse says what does not go with --rev, --fix and --diff.
func (f *checkFlags) refuse(fromStdin bool) error {
	name := "--fix"
	if f.fix.diff {
		name = "--diff"
	}
	isWritten := f.fix.isAsked() && !f.fix.diff
	switch {
	case f.Rev != "" && fromStdin:
		return errors.New("--rev checks a revision in git, so it cannot be combined with standard input")
	case f.Rev != "" && isWritten:
		return errors.New("--fix writes files, and --rev checks none: use --diff to print the changes")
	case !f.fix.isAsked():
		return nil
	case f.NoIgnore:
		return fmt.Errorf("%s skips findings that are ignored or in the baseline, so it cannot be combined with --no-ignore", name)
	case fromStdin && isWritten:
		return errors.New("--fix writes files, and standard input is not a file: use --diff to print the changes")
	case f.fix.diff && slices.ContainsFunc(f.outputs.list, func(o output) bool { return o.file == "" }):
		return errors.New("--diff prints a patch to standard output: give the format a file, as in --format json=FILE")
	}
	return nil
}

// fixPrinting says how fixes are printed: as a patch, with nothing else if quiet, or as lines,
// on standard output if that has text.
type fixPrinting struct {
	isPatch, isQuiet, isText bool
	allowed                  rule.Safety
}

// printFixed says which fixes were made and which were not, or prints the patch.
func (a *app) printFixed(v *view.View, m *fixing.Result, how fixPrinting) error {
	if m == nil {
		return nil
	}
	var err error
	switch {
	case how.isPatch:
		patches, fixes := m.Patches(v)
		if err := a.printPatch(patches, how.allowed); err != nil || how.isQuiet {
			return err
		}
		err = report.WriteFixes(a.env.Stderr, fixes)
	case how.isQuiet:
	case !how.isText:
		err = report.WriteFixes(a.env.Stderr, m.Written(v))
	default:
		fixes := m.Written(v)
		fixes.NeedUnsafe = 0 // the summary says it
		err = report.WriteFixes(a.env.Stdout, fixes)
		if len(fixes.Made)+len(fixes.Left) > 0 {
			fmt.Fprintln(a.env.Stdout)
		}
	}
	return source.WriteFailed("standard output", err)
}

// printPatch prints what fixes change as a patch.
func (a *app) printPatch(patches []view.Patch, allowed rule.Safety) error {
	o := report.PatchOptions{ForTerminal: a.env.IsTerminal(a.env.Stdout), InWorkflow: a.env.Getenv("GITHUB_ACTIONS") == "true", Command: "--fix"}
	if allowed == rule.Unsafe {
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
