package cli

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/internal/app/check"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/terminal"
	"github.com/mcplumb/mcplumb/internal/workspace"
	"github.com/mcplumb/mcplumb/report"
)

func (a *app) baselineCommand() *cobra.Command {
	var r workspace.Request
	var output string
	cmd := &cobra.Command{
		Use:   "baseline [PATH…]",
		Short: "Record today's findings, so check reports only new ones",
		Long: `Record today's findings at or below PATH, by default the current directory, in
.mcplumb-baseline.json in the root. This includes all severities and leaves out
ignored findings. From then on check uses that file by itself, and reports only
findings that are not in it. If the file is not a baseline, it stays unchanged;
a file named by --output is replaced.

The baseline matches a finding by rule, file, server, and the text of its token,
not by line. Entries for files outside PATH are kept. Credentials are never
recorded: check reports them until you remove them or ignore them with a reason.`,
		RunE: func(cmd *cobra.Command, paths []string) error {
			r.Paths = paths
			return a.baseline(cmd, r, output)
		},
	}
	addConfig(cmd, &r.Config)
	addFetch(cmd, &r.Online)
	cmd.Flags().StringVar(&output, "output", "", "write this `FILE` instead")
	return cmd
}

func (a *app) baseline(cmd *cobra.Command, request workspace.Request, output string) error {
	r, err := a.runCheck(cmd.Context(), check.Options{Request: request})
	if err != nil {
		return err
	}
	defer r.Close()
	a.printProblems(r.View)
	write := func(content []byte) error { return a.write(output, source.Writing(content)) }
	usual := output == ""
	shown := output
	if usual {
		path := r.UsualBaseline()
		output = filepath.Join(r.Root, filepath.FromSlash(path))
		shown = r.Paths().Seen(output)
		write = func(content []byte) error { return a.writeInside(path, shown, source.Writing(content)) }
	}
	old, isOther, err := r.OldBaseline(cmd.Context(), output, shown, usual)
	if err != nil {
		return err
	}
	content, change := policy.NewBaseline(r.Found.Unmerged, old, r.Found.Covers)
	if err := write(content); err != nil {
		return err
	}
	if len(r.Found.Errors) > 0 {
		a.code = exitIncomplete
	}
	where := terminal.Escape(shown)
	if isOther {
		where += ", instead of the old file, which was not a baseline"
	}
	_, err = io.WriteString(a.env.Stdout, baselineWritten(r.Found.Findings, change, terminal.Escape(shown), where, usual))
	return source.WriteFailed("standard output", err)
}

// baselineWritten says what is in a baseline now: in a file, and where that is.
func baselineWritten(findings []rule.Finding, change policy.Change, file, where string, usual bool) string {
	credentials := 0
	for i := range findings {
		if findings[i].Secret {
			credentials++
		}
	}
	known := len(findings) - credentials
	text := fmt.Sprintf("%s %s now in %s", report.Count(known, "finding"), isOrAre(known), where)
	if change.Kept > 0 {
		text += fmt.Sprintf(", and %d in files that were not read", change.Kept)
	}
	if change.Dropped > 0 {
		text += fmt.Sprintf("; %d that no longer exist were dropped", change.Dropped)
	}
	if credentials > 0 {
		text += fmt.Sprintf("; %s %s not, to remove or ignore with a reason", report.Count(credentials, "credential"), isOrAre(credentials))
	}
	if usual {
		return text + ": mcplumb check reports the others\n"
	}
	return text + fmt.Sprintf(": mcplumb check --baseline %s reports the others\n", file)
}

func isOrAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
