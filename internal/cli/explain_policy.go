package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/internal/app/describe"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/internal/workspace"
)

func (a *app) explainPolicyCommand() *cobra.Command {
	var r workspace.Request
	cmd := &cobra.Command{
		Use:   "explain-policy SERVER",
		Short: "Explain which clients load a server under managed lists",
		Long: `Show why each client loads or blocks SERVER (the name of an entry), in every
file that defines it. It lists the allow and deny lists that apply, in the order
in which the client checks them. The lists come from --policy, from policy in
the settings, and from Claude Code's settings in the repository.

Exit codes:
  0  explained
  2  wrong usage, settings, or policies, or no entry has that name
  3  a file could not be read, or the run was stopped`,
		Example: `  mcplumb explain-policy notes --policy /etc/claude-code/managed-settings.json
  mcplumb explain-policy notes --policy copilot=.github/managed-settings.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("explain-policy needs the name of one server: mcplumb list shows them")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.explainPolicy(cmd.Context(), r, args[0]) },
	}
	addPolicies(cmd, &r.Policies)
	addConfig(cmd, &r.Config)
	addFetch(cmd, &r.Online)
	return cmd
}

func (a *app) explainPolicy(ctx context.Context, r workspace.Request, name string) error {
	w, err := a.open(ctx, r)
	if err != nil {
		return err
	}
	defer w.Close()
	// What the rule calls a credential is one here, too, even if the settings ignore it.
	w.Options.NoIgnore = true
	if w.Options.Checks, err = selectChecks([]string{"hardcoded-secret"}); err != nil {
		return err
	}
	result, err := w.List(ctx)
	if err != nil {
		return err
	}
	v := view.New(w.Viewed(result))
	a.printProblems(v)
	for _, notice := range v.Notices() {
		fmt.Fprintf(a.env.Stderr, "mcplumb: %s\n", notice)
	}
	text, err := describe.Policies(w, v, result.Repo, name)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(a.env.Stdout, text); err != nil {
		return source.WriteFailed("standard output", err)
	}
	if len(result.Errors) > 0 || result.HasUnread() {
		a.code = exitIncomplete
	}
	return nil
}
