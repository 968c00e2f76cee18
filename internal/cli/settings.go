package cli

import (
	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/workspace"
)

func (a *app) settingsCommand() *cobra.Command {
	var r workspace.Request
	format := &choice{value: "yaml", words: []string{"yaml", "json"}}
	cmd := &cobra.Command{
		Use:   "settings [PATH]",
		Short: "Print the effective settings, and where each is from",
		Long: `Print the settings of the repository around PATH, by default the current
directory, with those of all files that they extend. The output is YAML that you
can use as .mcplumb.yaml, with the file of each value in a comment. With
--format json, "from" maps JSON Pointers to these files.

Flags, the environment, and defaults are not included. Credentials are masked.

Exit codes: 0 printed; 2 wrong usage or settings; 3 a file that the settings
extend could not be fetched, which --online does.`,
		Example: `  mcplumb settings
  mcplumb settings --online -f json services/api`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, paths []string) error {
			r.Paths = paths
			w, err := a.open(cmd.Context(), r)
			if err != nil {
				return err
			}
			defer w.Close()
			effective := w.Options.Settings.Effective()
			text := effective.YAML()
			if format.value == "json" {
				if text, err = effective.JSON(); err != nil {
					return err
				}
				text = append(text, '\n')
			}
			_, err = a.env.Stdout.Write(text)
			return source.WriteFailed("standard output", err)
		},
	}
	cmd.Flags().VarP(format, "format", "f", "choose the output format: yaml or json (default yaml)")
	completeWords(cmd, "format", format.words)
	addConfig(cmd, &r.Config)
	addFetch(cmd, &r.Online)
	return cmd
}
