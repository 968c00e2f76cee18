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
output. It finds what check finds while you write, fixes it, renames a server in
all files that name it, shows what an entry runs, and completes entries. Your
editor starts it: docs/editors.md shows how. .mcplumb.yaml applies as for check.

No file of a repository can make it start a program or reach the network: only
--online asks registries.

Exit codes: 0 the editor ended it in order; 1 it did not, or is gone.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			env := a.outside()
			env.Watch = nil
			a.relaxGC() // reading all is a short run; what comes then is not
			a.code = lsp.Serve(cmd.Context(), lsp.Options{Env: env, Online: online, In: a.env.Stdin, Out: a.env.Stdout, Settled: a.collectSettled()})
			return nil
		},
	}
	cmd.Flags().BoolVar(&online, "online", false, "look up packages, images, and servers in registries, and their vulnerabilities in OSV")
	// Some editors add it to the command of every server that they talk to in this way.
	cmd.Flags().Bool("stdio", true, "use standard input and output, which is always so")
	return cmd
}
