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
		Short: "Print managed settings that allow what the catalog holds",
		Long: `Print managed settings of a client whose list of allowed servers admits the
servers of the catalog of the repository around PATH, and no other one: each
by its exact command or its exact address, whatever it is called. What no list
can admit, such as a command with a variable in it, is said.

A command is admitted if it names the versions that are locked, and runs no file
of the directory that it is started in. --pinned=false admits ranges and tags of
images as well, --relative files, of all repositories of those who get the list.
What runs the newest version (@latest, or none) is never admitted.

mcplumb check --policy FILE shows what a client makes of them.

Exit codes: 0 printed; 2 wrong usage or settings; 3 a file or the lockfile could
not be read.`,
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
				fmt.Fprintf(a.env.Stderr, "mcplumb: the list is empty: %s blocks every server under it\n", allow.Client(client.value).Title())
			}
			_, err = a.env.Stdout.Write(settings)
			return source.WriteFailed("standard output", err)
		},
	}
	client = addChoice(cmd, "client", "the client that reads them", "", string(allow.ClaudeCode), string(allow.Copilot))
	cmd.Flags().BoolVar(&isPinned, "pinned", isPinned, "admit commands with locked versions alone")
	cmd.Flags().BoolVar(&admit.Relative, "relative", false, "admit commands that run files of any repository")
	f.add(cmd)
	return cmd
}
