package cli

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/app/describe"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/internal/workspace"
	"github.com/mcplumb/mcplumb/report"
)

func (a *app) listCommand() *cobra.Command {
	var outputs *outputs
	var r workspace.Request
	var verbose bool
	cmd := &cobra.Command{
		Use:   "list [PATH…]",
		Short: "List every MCP server of a repository",
		Long: `List every MCP server that is configured at or below PATH, by default the
current directory: its name, what it really runs (its identity), its version,
the clients that read it, and its file and line.

Exit codes:
  0  everything is listed
  1  a file does not parse
  2  wrong usage or settings
  3  a file could not be read, or the run was stopped`,
		RunE: func(cmd *cobra.Command, paths []string) error {
			r.Paths = paths
			return a.list(cmd, outputs, r, verbose)
		},
	}
	var formats []string
	for _, format := range report.ListFormats() {
		formats = append(formats, format.Name)
	}
	outputs = addOutputs(cmd, formats)
	addConfig(cmd, &r.Config)
	addFetch(cmd, &r.Online)
	addVerbose(cmd, &verbose)
	return cmd
}

func (a *app) list(cmd *cobra.Command, chosen *outputs, r workspace.Request, verbose bool) error {
	outs := chosen.chosen("text")
	var rules []*rule.Rule
	compares := false
	for _, out := range outs {
		format := listFormatNamed(out.format)
		selected, err := selectChecks(format.Rules)
		if err != nil {
			return err
		}
		rules = append(rules, selected...)
		compares = compares || format.Compares
	}
	w, err := a.open(cmd.Context(), r)
	if err != nil {
		return err
	}
	w.Options.Checks, w.Options.Compares = rules, compares
	result, err := w.List(cmd.Context())
	if err != nil {
		return err
	}
	found, incomplete := result.Findings, len(result.Errors) > 0
	result.Findings = nil
	for _, f := range found {
		if f.Rule != checks.SyntaxError {
			result.Findings = append(result.Findings, f)
			continue
		}
		if f.Severity == rule.Note {
			continue // an empty file, a link to nowhere: no server is missing
		}
		// A file that does not parse is missing from the list, so the output must report it.
		result.Errors = append(result.Errors, lint.FileError{Path: f.File.Path, Message: "does not parse: " + f.Message})
	}
	v := view.New(w.Viewed(result))
	if verbose {
		fmt.Fprint(a.env.Stderr, describe.Run(cmd.Context(), w, result))
	}
	a.printProblems(v)
	for _, notice := range v.Notices() { // no format has a place for them
		fmt.Fprintf(a.env.Stderr, "mcplumb: %s\n", notice)
	}
	a.printNested(result)
	for _, out := range outs {
		write := listFormatNamed(out.format).Write
		o := report.Options{}
		if out.file == "" {
			o.Width = a.env.columns()
		}
		if err := a.write(out.file, func(to io.Writer) error { return write(to, v, o) }); err != nil {
			return err
		}
	}
	switch {
	case incomplete:
		a.code = exitIncomplete
	case len(result.Errors) > 0: // files that do not parse, as check has it
		a.code = exitFindings
	}
	return nil
}

// listFormatNamed returns a format that the flag has accepted.
func listFormatNamed(name string) *report.ListFormat {
	formats := report.ListFormats()
	return formats[slices.IndexFunc(formats, func(f *report.ListFormat) bool { return f.Name == name })]
}
