package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/internal/app/syncing"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/terminal"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/report"
)

// syncFlags are the flags of sync.
type syncFlags struct {
	from, config string
	to, servers  []string
	check, diff  bool
	online       bool
	color        *choice
}

func (a *app) syncCommand() *cobra.Command {
	var f syncFlags
	cmd := &cobra.Command{
		Use:   "sync",
		Short: "Write the same servers to the files of several clients",
		Long: `Write the same servers to all files listed under in-step in the settings, each
in its client's syntax. Missing servers are added; in the others only the
differences change. Comments and fields that only one client has are kept.
Credentials are never copied.

Without settings, --from FILE --to CLIENT copies every server of FILE once to
the file of that client in the same project, and creates the file if it does not
exist.

Exit codes:
  0  in sync
  1  out of sync, also after a run that could not fix it
  2  wrong usage or settings
  3  a file could not be checked or written, or the run was stopped`,
		Example: `  mcplumb sync                               sync the files in the settings
  mcplumb sync --check                       report what differs, write nothing
  mcplumb sync --from .mcp.json --to vscode,codex
  mcplumb sync --from .mcp.json --to all     to every client with a file here`,
		Args: noPaths,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.sync(cmd.Context(), &f) },
	}
	cmd.Flags().BoolVar(&f.check, "check", false, "write nothing, and report what is out of sync")
	cmd.Flags().BoolVar(&f.diff, "diff", false, "print the changes as a patch, and write nothing")
	cmd.Flags().Var((*filled)(&f.from), "from", "copy the servers of `FILE`")
	cmd.Flags().StringSliceVar(&f.to, "to", nil, "write them for the `CLIENT`, named as in mcplumb list, or for all that have a file next to FILE (all); repeatable")
	cmd.Flags().StringSliceVar(&f.servers, "server", nil, "copy only the server `NAME` of FILE, or those of a pattern such as internal-*; repeatable")
	f.color = addColor(cmd)
	addConfig(cmd, &f.config)
	addFetch(cmd, &f.online)
	completeWith(cmd, "to", func() []string { return append(syncing.Writable(), syncing.All) })
	return cmd
}

// noPaths explains how to name a file, if the user passes it as for check.
func noPaths(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("sync accepts no PATH: name the files in the settings, or use --from %s --to CLIENT", args[0])
}

// refuse says which flags do not go together.
func (f *syncFlags) refuse() error {
	switch {
	case f.from != "" && len(f.to) == 0:
		return errors.New("--from needs --to CLIENT, or --to all for every client with a file next to it")
	case f.from == "" && len(f.to) > 0:
		return errors.New("--to needs --from FILE, which has the servers to write")
	case f.from == "" && len(f.servers) > 0:
		return errors.New("--server needs --from FILE: in the settings, a group lists its servers")
	}
	return nil
}

// options returns what the flags ask for.
func (f *syncFlags) options() *syncing.Options {
	o := &syncing.Options{Config: f.config, Online: f.online, From: f.from, To: f.to, Servers: f.servers, Does: syncing.Write}
	switch {
	case f.diff:
		o.Does = syncing.Plan
	case f.check:
		o.Does = syncing.Compare
	}
	return o
}

func (a *app) sync(ctx context.Context, f *syncFlags) error {
	if err := f.refuse(); err != nil {
		return err
	}
	o := f.options()
	w, err := a.open(ctx, o.Request())
	if err != nil {
		return err
	}
	defer w.Close()
	r, err := syncing.Run(ctx, w, o)
	if err != nil {
		return err
	}
	for _, sentence := range r.NotWritten {
		fmt.Fprintf(a.env.Stderr, "mcplumb: %s\n", view.NewText(sentence))
	}
	if r.Alone != "" {
		_, err := fmt.Fprintf(a.env.Stdout, "in sync: no other client has a file with servers next to %s\n", view.NewText(r.Alone))
		return source.WriteFailed("standard output", err)
	}
	a.code = exitCode(r.Found, rule.Warning.String())
	return a.printSync(ctx, r, f)
}

// printSync prints what was out of sync, what became of it, and the state after that.
func (a *app) printSync(ctx context.Context, r *syncing.Result, f *syncFlags) error {
	v := view.New(r.Viewed(r.Found))
	a.printProblems(v)
	if !r.IsCompared {
		return nil
	}
	for _, notice := range v.Notices() { // findings of only one rule have no summary
		fmt.Fprintf(a.env.Stderr, "mcplumb: %s\n", notice)
	}
	format := a.standardFormat(r.Options.Settings.Preferences.Format)
	if err := a.printFixed(v, r.Fixed, fixPrinting{isPatch: f.diff, isText: f.diff || format == "text", allowed: rule.Safe}); err != nil {
		return err
	}
	if !f.diff {
		o := report.Options{Severity: rule.Note, AllNotes: true, Quiet: true, Hint: true}
		if err := a.writeReport(output{format: format}, v, o, f.color.value); err != nil {
			return err
		}
	}
	ignored, err := r.Ignored(ctx)
	if err != nil {
		fmt.Fprintf(a.env.Stderr, "mcplumb: cannot tell for all files whether git ignores them: %v\n", err)
	}
	for _, name := range ignored {
		fmt.Fprintf(a.env.Stderr, "mcplumb: git ignores %s, so other people will not get this file\n", terminal.Escape(r.Shown(name)))
	}
	return a.printStep(r.Found, f, f.diff || format != "text")
}

// printStep prints the state in a line: on standard error, along with a patch and if the
// output is for a program.
func (a *app) printStep(found *lint.Result, f *syncFlags, toStderr bool) error {
	line := ""
	switch a.code {
	case exitOK:
		line = inStepLine(found.Repo.Groups)
	case exitFindings:
		line = outOfStepLine(found.Findings, f)
	default:
		return nil // the error is already printed
	}
	to := a.env.Stdout
	if toStderr {
		to = a.env.Stderr
	}
	_, err := fmt.Fprintln(to, line)
	return source.WriteFailed("standard output", err)
}

// inStepLine says how many files are in sync.
func inStepLine(groups []*mcp.Group) string {
	servers, unsayable, files := 0, 0, map[string]bool{}
	for _, g := range groups {
		for _, row := range g.Rows {
			if slices.ContainsFunc(row.Cells, func(c *mcp.Cell) bool { return c.State == mcp.NotSayable }) {
				unsayable++
			} else {
				servers++
			}
		}
		for _, file := range g.Files {
			files[file.Path] = true
		}
	}
	line := fmt.Sprintf("in sync: %s in %s", report.Count(servers, "server"), report.Count(len(files), "file"))
	switch {
	case len(files) == 0:
		return "in sync: fewer than two files to compare"
	case unsayable == 0:
		return line
	case servers == 0:
		return "in sync: each file has what its client can express, and no server can be in all of them"
	case unsayable == 1:
		return line + "; 1 more is not in all of them, because a client cannot express it"
	}
	return line + fmt.Sprintf("; %d more are not in all of them, because a client cannot express them", unsayable)
}

// outOfStepLine says how much is not, and how to fix it.
func outOfStepLine(findings []rule.Finding, f *syncFlags) string {
	places, mendable := 0, 0
	for _, one := range findings {
		if one.Severity < rule.Warning {
			continue
		}
		places++
		if slices.ContainsFunc(one.Fixes, func(fix rule.Fix) bool { return fix.Safety == rule.Safe }) {
			mendable++
		}
	}
	line := "out of sync: " + report.Count(places, "finding")
	if mendable > 0 && (f.check || f.diff) {
		line += fmt.Sprintf(", %d fixed without --%s", mendable, f.dryRun())
	}
	return line
}

// dryRun is the flag by which nothing is written.
func (f *syncFlags) dryRun() string {
	if f.diff {
		return "diff"
	}
	return "check"
}
