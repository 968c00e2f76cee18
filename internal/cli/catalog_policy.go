package cli

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/internal/allow"
	"github.com/mcplumb/mcplumb/internal/catalog"
	"github.com/mcplumb/mcplumb/internal/source"
)

func (a *app) catalogPolicyCommand() *cobra.Command {
	var f catalogFlags
	var client *choice
	isPinned, admit := true, catalog.Admit{}
	cmd := &cobra.Command{
		Use:   "policy --client claude-code|copilot [PATH]",
		Short: "Print managed settings that allow the catalog's servers",
		Long: `Print managed settings for a client that allow the servers in the catalog of the
repository around PATH, and no others. Each server is matched by its exact
command or exact address, under any name. Servers that such a list cannot allow,
such as commands with a variable, are reported.

A command is allowed if it names the locked versions, and runs no file of the
directory that it starts in. --pinned=false also allows ranges and tags of
images. --relative also allows such files, in every repository of the people who
get the list. A command that runs the newest version (@latest, or none) is never
allowed.

mcplumb check --policy FILE shows what a client blocks with these settings.

Exit codes:
  0  printed
  2  wrong usage or settings
  3  a file or the lockfile could not be read`,
		Example: `  mcplumb catalog policy --client claude-code >managed-settings.json`,
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, paths []string) error {
			if !client.given {
				return errors.New("--client is missing: claude-code or copilot")
			}
			v, err := a.vet(cmd.Context(), &f, paths)
			if v == nil {
				return err
			}
			admit.Floating = !isPinned
			settings, unlisted := v.Catalog.Policy(allow.Client(client.value), admit)
			a.printLeft(append(v.Left, unlisted...))
			if bytes.Contains(settings, []byte(`"allowedMcpServers": []`)) {
				fmt.Fprintf(a.env.Stderr, "mcplumb: the list is empty, so %s blocks every server\n", allow.Client(client.value).Title())
			}
			_, err = a.env.Stdout.Write(settings)
			return source.WriteFailed("standard output", err)
		},
	}
	client = addChoice(cmd, "client", "choose the client that reads them", "", string(allow.ClaudeCode), string(allow.Copilot))
	cmd.Flags().BoolVar(&isPinned, "pinned", isPinned, "allow only commands with locked versions")
	cmd.Flags().BoolVar(&admit.Relative, "relative", false, "also allow commands that run files of any repository")
	f.add(cmd)
	return cmd
}
