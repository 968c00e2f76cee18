package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/internal/app/check"
	"github.com/mcplumb/mcplumb/internal/app/describe"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/terminal"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/internal/workspace"
	"github.com/mcplumb/mcplumb/report"
)

// never is the word that --fail-on accepts along with the severities.
const never = "never"

// checkFlags are the flags of check.
type checkFlags struct {
	check.Options
	outputs                    *outputs
	severity, failOn           *choice
	color, sort                *choice
	rules, exclude             []string
	quiet, verbose, statistics bool
	failOnNoFiles              bool
	stdinFilename              string
	fix                        fixFlags
}

func (a *app) checkCommand() *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check [PATH…]",
		Short: "Check the MCP configuration of a repository",
		Long: `Check the MCP configuration of the repository around PATH, by default the
current directory. A directory limits the report to the files below it, a file
to itself, with any name. mcplumb still compares them with the other files of
their project and with the lockfile above. Use - with --stdin-filename PATH to
check standard input as if it were that file.

--fix applies safe fixes and reports the rest. mcplumb drops a fix that would
leave its finding or cause an error, except errors that a wrong key had hidden.
A new warning is listed with the fix that causes it.

Exit codes:
  0  nothing at or above --fail-on
  1  findings
  2  wrong usage or settings
  3  incomplete: a file or rule could not be checked, a file could not be
     written, or the run was stopped`,
		Example: `  mcplumb check                                  everything below this directory
  mcplumb check --severity note .mcp.json        one file, with notes
  mcplumb check -f text -f sarif=mcplumb.sarif   for people and for GitHub
  mcplumb check --fix                            make the safe fixes
  mcplumb check --diff --fix=unsafe              all fixes, as a patch`,
		RunE: func(cmd *cobra.Command, paths []string) error { return a.check(cmd, &f, paths) },
	}
	var formats []string
	for _, format := range report.All() {
		formats = append(formats, format.Name)
	}
	f.outputs = addOutputs(cmd, formats)
	usage := &cmd.Flags().Lookup("format").Usage
	*usage = strings.Replace(*usage, "(default text)", "(default text, in a GitHub workflow github)", 1)
	f.severity = addChoice(cmd, "severity", "set the lowest severity shown", "warning", "note", "warning", "error")
	f.failOn = addChoice(cmd, "fail-on", "set the lowest severity that makes the exit code 1", "warning", "note", "warning", "error", never)
	f.sort = addChoice(cmd, "sort", "sort findings in text", "severity", "severity", "path")
	f.color = addColor(cmd)
	addConfig(cmd, &f.Config)
	cmd.Flags().Var((*filled)(&f.Baseline), "baseline", "report only findings that are not in the baseline `FILE` (see mcplumb baseline), instead of .mcplumb-baseline.json")
	cmd.Flags().BoolVar(&f.NoIgnore, "no-ignore", false, "also report findings that are ignored or in the baseline")
	cmd.Flags().StringSliceVar(&f.rules, "rule", nil, "run only the rule `ID`, or the rules of a group such as identity, even if the settings turn it off; repeatable (syntax errors are always reported)")
	addPolicies(cmd, &f.Policies)
	cmd.Flags().StringArrayVar(&f.exclude, "exclude", nil, "skip files that the `PATTERN` matches, as in the settings; repeatable")
	cmd.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "print only findings")
	addVerbose(cmd, &f.verbose)
	cmd.Flags().BoolVar(&f.statistics, "statistics", false, "print the number of findings per rule: in text instead of the findings, in json in addition")
	cmd.Flags().BoolVar(&f.failOnNoFiles, "fail-on-no-files", false, "exit with 1 if there is nothing to check")
	cmd.Flags().BoolVar(&f.Online, "online", false, "look up packages, images, and servers in registries and their vulnerabilities in OSV, and fetch files that the settings extend")
	addCache(cmd, &f.Cache)
	cmd.Flags().Var((*filled)(&f.stdinFilename), "stdin-filename", "check standard input (PATH -) as if it were the file `PATH`")
	f.fix.add(cmd)
	addRevisions(cmd, &f.Base, &f.Rev)
	completeWith(cmd, "rule", describedRules)
	return cmd
}

func (a *app) check(cmd *cobra.Command, f *checkFlags, paths []string) error {
	f.Known, f.CountsElsewhere = true, true
	f.Paths, f.Fix = paths, f.fix.asked()
	if err := a.readFlags(cmd, f); err != nil {
		return err
	}
	r, err := a.runCheck(cmd.Context(), f.Options)
	if errors.Is(err, fs.ErrNotExist) && f.fix.allow.given {
		if i := slices.IndexFunc(paths, func(path string) bool { return slices.Contains(f.fix.allow.words, path) }); i >= 0 {
			return fmt.Errorf("%w: did you mean --fix=%s?", err, paths[i])
		}
	}
	if err != nil {
		return err
	}
	defer r.Close()
	if f.verbose {
		fmt.Fprint(a.env.Stderr, describe.Run(cmd.Context(), r.Workspace, r.Found))
	}
	a.printProblems(r.View)
	if !f.quiet {
		a.printNested(r.Found)
	}
	isOther := func(o output) bool { return o.file == "" && o.format != "text" }
	how := fixPrinting{isPatch: f.fix.diff, isQuiet: f.quiet, isText: !slices.ContainsFunc(a.outputs(f, r.Workspace), isOther), allowed: safetyNamed(f.fix.allow.value)}
	if err := a.printFixed(r.View, r.Fixed, how); err != nil {
		return err
	}
	failOn := f.failOn.or(r.Options.Settings.Preferences.FailOn)
	if err := a.report(f, r.Workspace, r.View, failOn); err != nil {
		return err
	}
	if !f.quiet {
		a.printHidden(f, r.Workspace, r.View)
	}
	a.code = exitCode(r.Found, failOn)
	if f.failOnNoFiles && r.Found.Files == 0 && a.code == exitOK {
		fmt.Fprintln(a.env.Stderr, "mcplumb: there is nothing to check")
		a.code = exitFindings
	}
	return nil
}

// runCheck checks a repository. From now on, no link in it may lead an output out of it.
func (a *app) runCheck(ctx context.Context, o check.Options) (*check.Result, error) {
	if a.relaxGC(); o.Online {
		a.collectAnswers()
	}
	r, err := check.Run(ctx, a.outside(), o)
	if err == nil {
		a.root = r.Root
	}
	return r, err
}

// readFlags turns flags into options, and refuses combinations that make no sense.
func (a *app) readFlags(cmd *cobra.Command, f *checkFlags) (err error) {
	if cmd.Flags().Changed("rule") && len(f.rules) == 0 {
		return errors.New("--rule: the value is empty")
	}
	if f.Cache != "" && !f.Online {
		return errCacheOffline
	}
	if f.Rules, err = selectChecks(f.rules); err != nil {
		return err
	}
	if f.Unsaved, err = a.standardInput(f.stdinFilename, f.Paths); err != nil {
		return err
	}
	for _, pattern := range f.exclude {
		glob, err := policy.ParsePattern(pattern)
		if err != nil {
			return fmt.Errorf("--exclude: %w", err)
		}
		f.Exclude = append(f.Exclude, glob)
	}
	return f.refuse(f.Unsaved != nil)
}

// standardInput reads standard input if the only path is "-", else it returns nil.
func (a *app) standardInput(filename string, paths []string) (*workspace.Unsaved, error) {
	switch isStdin := slices.Contains(paths, standardStream); {
	case isStdin && len(paths) > 1:
		return nil, errors.New("- is standard input and cannot be combined with other paths")
	case isStdin && filename == "":
		return nil, errors.New("- is standard input: name its file with --stdin-filename PATH")
	case !isStdin && filename != "":
		return nil, errors.New("--stdin-filename is for standard input: mcplumb check - --stdin-filename PATH")
	case !isStdin:
		return nil, nil
	}
	content, err := source.ReadStream(a.env.Stdin)
	if err != nil {
		return nil, fmt.Errorf("standard input: %w", err)
	}
	return &workspace.Unsaved{Path: filename, Content: content}, nil
}

// report writes the findings in all formats that were asked for.
func (a *app) report(f *checkFlags, w *workspace.Workspace, v *view.View, failOn string) error {
	lowest, err := f.lowest(w.Options.Settings.Preferences.Severity, failOn)
	if err != nil {
		return err
	}
	o := report.Options{
		Severity: lowest, AllNotes: len(f.rules) > 0, // who names a rule wants all of it
		Quiet: f.quiet, Hint: true, Statistics: f.statistics, ByPath: f.sort.value == "path",
	}
	for _, out := range a.outputs(f, w) {
		if err := a.writeReport(out, v, o, f.color.value); err != nil {
			return err
		}
	}
	return nil
}

// writeReport writes the findings in one format.
func (a *app) writeReport(out output, v *view.View, o report.Options, color string) error {
	if o.Color = a.useColor(color, out.file == ""); out.file == "" {
		o.Width, o.Links = a.env.columns(), o.Color && a.env.IsTerminal(a.env.Stdout)
	}
	write := formatNamed(out.format).Write
	return a.write(out.file, func(to io.Writer) error { return write(to, v, o) })
}

// lowest returns the lowest severity that is shown: the requested one, but everything that
// fails the run is shown, and everything of a rule that was named.
func (f *checkFlags) lowest(preferred, failOn string) (rule.Severity, error) {
	severity := f.severity.or(preferred)
	if len(f.rules) > 0 && !f.severity.given {
		severity = rule.Note.String()
	}
	lowest, err := rule.ParseSeverity(severity)
	if fails, never := rule.ParseSeverity(failOn); never == nil {
		lowest = min(lowest, fails)
	}
	return lowest, err
}

// outputs returns where the findings go: with --diff standard output has the patch.
func (a *app) outputs(f *checkFlags, w *workspace.Workspace) []output {
	if f.fix.diff {
		return f.outputs.list
	}
	return f.outputs.chosen(a.standardFormat(w.Options.Settings.Preferences.Format))
}

// standardFormat is the format when none was chosen: in a GitHub workflow the one that turns
// lines of the log into annotations; elsewhere the one that the settings prefer.
func (a *app) standardFormat(preferred string) string {
	if a.env.Getenv("GITHUB_ACTIONS") == "true" {
		return "github"
	}
	return cmp.Or(preferred, "text")
}

// exitCode judges a run: what is incomplete counts more than what was found.
func exitCode(result *lint.Result, failOn string) int {
	if len(result.Errors) > 0 {
		return exitIncomplete
	}
	lowest, err := rule.ParseSeverity(failOn)
	if err != nil { // never
		return exitOK
	}
	for i := range result.Findings {
		if result.Findings[i].Severity >= lowest {
			return exitFindings
		}
	}
	return exitOK
}

// formatNamed returns a format that the flag has accepted.
func formatNamed(name string) *report.Format {
	for _, f := range report.All() {
		if f.Name == name {
			return f
		}
	}
	return report.All()[0]
}

// printProblems prints what could not be checked, a line for each.
func (a *app) printProblems(v *view.View) {
	for _, p := range v.Problems() {
		fmt.Fprintf(a.env.Stderr, "mcplumb: %s\n", p)
	}
}

// printHidden says what is not reported, where no output has a place for that.
func (a *app) printHidden(f *checkFlags, w *workspace.Workspace, v *view.View) {
	tells := func(o output) bool { return formatNamed(o.format).ShowsHidden }
	if slices.ContainsFunc(a.outputs(f, w), tells) {
		return
	}
	for _, line := range report.HiddenNotes(v) {
		fmt.Fprintf(a.env.Stderr, "mcplumb: %s\n", line)
	}
}

// printNested names the repositories in a tree, which are not read. Their names are the
// repository's, so no command to copy has one.
func (a *app) printNested(result *lint.Result) {
	switch n := len(result.Nested); n {
	case 0:
	case 1:
		fmt.Fprintf(a.env.Stderr, "mcplumb: skipped %s (a nested repository): to check it, pass its path\n", terminal.Escape(result.Nested[0]))
	default:
		fmt.Fprintf(a.env.Stderr, "mcplumb: skipped %d nested repositories, such as %s: to check one, pass its path\n", n, terminal.Escape(result.Nested[0]))
	}
}

// useColor decides about colours. A file gets them only on demand.
func (a *app) useColor(mode string, toStdout bool) bool {
	get := a.env.Getenv
	switch {
	case mode == "always":
		return true
	case mode == never, !toStdout, get("NO_COLOR") != "":
		return false
	case isForced(get("FORCE_COLOR")), isForced(get("CLICOLOR_FORCE")):
		return true
	case get("FORCE_COLOR") != "", get("CLICOLOR") == "0", get("TERM") == "dumb":
		return false
	}
	return a.env.IsTerminal(a.env.Stdout)
}

// isForced reports whether a variable that forces colours is set and does not
// say no.
func isForced(value string) bool { return value != "" && value != "0" && value != "false" }
