package cli

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/terminal"
	"github.com/mcplumb/mcplumb/internal/view"
)

func (a *app) baselineCommand() *cobra.Command {
	var config, output string
	cmd := &cobra.Command{
		Use:   "baseline [PATH…]",
		Short: "Write down today's findings, so that check reports only new ones",
		Long: `Check the files at or below PATH, by default the current directory, and write
every finding that is not ignored, whatever its severity, to a baseline, by
default .mcplumb-baseline.json in the root. mcplumb check --baseline FILE then reports only what is not in it.

A baseline knows a finding by rule, file, server and the text of its token, not
by its line. An old baseline is replaced.`,
		RunE: func(cmd *cobra.Command, paths []string) error { return a.baseline(cmd, config, output, paths) },
	}
	addConfig(cmd, &config)
	cmd.Flags().StringVar(&output, "output", "", "the `FILE` to write")
	return cmd
}

func (a *app) baseline(cmd *cobra.Command, config, output string, paths []string) error {
	w, err := a.open(cmd.Context(), request{paths: paths, config: config})
	if err != nil {
		return err
	}
	result, err := a.lint(cmd.Context(), lint.Run, w.options)
	if err != nil {
		return err
	}
	a.printProblems(view.New(a.viewed(w, result)))
	shown := output
	if output == "" {
		output = filepath.Join(w.Root, policy.BaselineName)
		shown = w.paths().Seen(output)
	}
	err = a.write(output, func(to io.Writer) error {
		_, err := to.Write(policy.NewBaseline(result.Unmerged))
		return err
	})
	if err != nil {
		return err
	}
	if len(result.Errors) > 0 {
		a.code = exitIncomplete
	}
	_, err = fmt.Fprintf(a.env.Stdout, "%d findings are now in %s: mcplumb check --baseline %[2]s reports the others\n",
		len(result.Unmerged), terminal.Escape(shown))
	return outputFailed("standard output", err)
}
