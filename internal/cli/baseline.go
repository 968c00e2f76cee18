package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/terminal"
	"github.com/mcplumb/mcplumb/internal/view"
)

func (a *app) baselineCommand() *cobra.Command {
	var config, output string
	cmd := &cobra.Command{
		Use:   "baseline [PATH…]",
		Short: "Write down today's findings, so check reports only new ones",
		Long: `Check the files at or below PATH, by default the current directory, and write
every finding that is not ignored, whatever its severity, to a baseline, by
default .mcplumb-baseline.json in the root, which check uses by itself. check
then reports only what is not in it.

A baseline knows a finding by rule, file, server and the text of its token, not
by its line. Of an old one the entries of files elsewhere are kept. Credentials
are not in it: they are reported until they are gone or ignored with a reason.`,
		RunE: func(cmd *cobra.Command, paths []string) error { return a.baseline(cmd, config, output, paths) },
	}
	addConfig(cmd, &config)
	cmd.Flags().StringVar(&output, "output", "", "the `FILE` to write instead")
	return cmd
}

func (a *app) baseline(cmd *cobra.Command, config, output string, paths []string) error {
	w, err := a.open(cmd.Context(), request{paths: paths, config: config})
	if err != nil {
		return err
	}
	if err := w.readApproved(cmd.Context(), false); err != nil {
		return err
	}
	result, err := a.lint(cmd.Context(), lint.Run, w.options)
	if err != nil {
		return err
	}
	a.printProblems(view.New(a.viewed(w, result)))
	usual := output == ""
	shown := output
	if usual {
		output = w.usualBaseline()
		shown = w.paths().Seen(output)
	}
	old, err := w.oldBaseline(cmd.Context(), output, shown)
	if err != nil {
		return err
	}
	content, change := policy.NewBaseline(result.Unmerged, old, result.Covers)
	err = a.write(output, func(to io.Writer) error {
		_, err := to.Write(content)
		return err
	})
	if err != nil {
		return err
	}
	if len(result.Errors) > 0 {
		a.code = exitIncomplete
	}
	_, err = io.WriteString(a.env.Stdout, baselineWritten(result.Findings, change, terminal.Escape(shown), usual))
	return outputFailed("standard output", err)
}

// oldBaseline returns the baseline that is to be replaced, nil if there is none.
// Whoever writes all of it again may have a broken one; of a part the rest would be
// lost.
func (w *workspace) oldBaseline(ctx context.Context, name, shown string) (*policy.Baseline, error) {
	if _, _, err := w.read(ctx, w.absolute(name)); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	old, err := w.readBaseline(ctx, name, shown)
	if err != nil && slices.Equal(w.options.Targets, []string{""}) {
		return nil, nil
	}
	return old, err
}

// baselineWritten says what is in a baseline now.
func baselineWritten(findings []checks.Finding, change policy.Change, file string, usual bool) string {
	credentials := 0
	for i := range findings {
		if findings[i].Secret {
			credentials++
		}
	}
	known := len(findings) - credentials
	text := fmt.Sprintf("%s %s now in %s", counted(known, "finding"), isOrAre(known), file)
	if change.Kept > 0 {
		text += fmt.Sprintf(", beside %d of files that were not looked at", change.Kept)
	}
	if change.Dropped > 0 {
		text += fmt.Sprintf("; %d that are no more were dropped", change.Dropped)
	}
	if credentials > 0 {
		text += fmt.Sprintf("; %s %s not, to be removed or ignored with a reason", counted(credentials, "credential"), isOrAre(credentials))
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
