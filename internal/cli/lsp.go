package cli

import (
	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/internal/lsp"
)

func (a *app) lspCommand() *cobra.Command {
	var online bool
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "Serve an editor over the Language Server Protocol",
		Long: `Serve an editor over the Language Server Protocol 3.17 on standard input and
output: findings while a file is written, fixes, renames of a server in all files
that name it, what an entry runs, and what may stand in it. An editor starts it:
docs/editors.md says how. Settings are those of the repository, .mcplumb.yaml.

No file of a repository can have it start a program or reach the network: only
--online asks registries.

Exit codes: 0 the editor ended it in order; 1 it did not, or is gone.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a.collectEarly()
			env := a.outside()
			env.Watch = nil
			a.code = lsp.Serve(cmd.Context(), env, online, a.env.Stdin, a.env.Stdout)
			return nil
		},
	}
	cmd.Flags().BoolVar(&online, "online", false, "ask registries about packages, images and servers, and OSV about what is known of them")
	// Editors add it to the command of every server that they talk to on these streams.
	cmd.Flags().Bool("stdio", true, "talk on standard input and output, as always")
	return cmd
}
