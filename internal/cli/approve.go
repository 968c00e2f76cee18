package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/internal/app/approving"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/view"
)

// approveFlags are the flags of approve.
type approveFlags struct {
	reason, base, config string
	online               bool
}

func (f *approveFlags) request() approving.Request {
	return approving.Request{Config: f.config, Base: f.base, IsOnline: f.online}
}

func (a *app) approveCommand() *cobra.Command {
	var f approveFlags
	cmd := &cobra.Command{
		Use:   "approve SERVER --reason WHY",
		Short: "Approve the changed hash of a server, in the settings",
		Long: `Approve that the lockfile has another hash for SERVER than the base has, which
integrity-changed reports. An ignore is written to .mcplumb.yaml, which is made
where there is none: with what the hash is of, the new hash and the reason.
Another hash, or the same one of something else, is reported as before.

SERVER is the server that the finding names, or what the hash is of. The base is
where HEAD left the default branch of origin, unless --base names another one.

With --online the hash is approved that its registry has today and the lockfile
has not: before it is locked again, so that it is known by then.`,
		Example: `  mcplumb approve postgres --reason "released again, says its publisher"
  mcplumb approve postgres --base main --reason "we built it from the tag"
  mcplumb approve pml.mcp.fs.read --online --reason "an update, says its author"`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || strings.TrimSpace(args[0]) == "" {
				return errors.New("approve wants the name of one server: see mcplumb check --base REV")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.approve(cmd.Context(), &f, args[0]) },
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return a.completeApprovals(cmd.Context(), &f, args), cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.Flags().Var((*filled)(&f.reason), "reason", "`WHY` the new hash is right")
	cmd.Flags().Var((*filled)(&f.base), "base", "approve what is new since HEAD left the revision `REV`, instead of "+approving.DefaultBase)
	cmd.Flags().BoolVar(&f.online, "online", false, "approve what registries have today; without --base that alone")
	addConfig(cmd, &f.config)
	return cmd
}

func (a *app) approve(ctx context.Context, f *approveFlags, name string) error {
	if strings.TrimSpace(f.reason) == "" {
		return errors.New("approve wants a reason: --reason says why the new hash is right")
	}
	a.relaxGC()
	changes, err := approving.Find(ctx, a.outside(), f.request())
	if err != nil {
		return err
	}
	a.printProblems(changes.View)
	if changes.IsIncomplete {
		a.code = exitIncomplete
	}
	meant, err := changes.Of(name)
	if err != nil {
		return err
	}
	isWritten, err := changes.Approve(ctx, meant, f.reason)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("the new hash of %q is approved in %s already\n", name, changes.Settings)
	if isWritten {
		text = fmt.Sprintf("approved in %s:\n", changes.Settings)
		for _, c := range meant {
			was := "at the base"
			if c.WithoutBase {
				was = "locked is"
			}
			text += fmt.Sprintf("  %s: %s, %s %s\n", c.Approval.Identity, c.Approval.New, was, c.Approval.Old)
		}
		text += "commit the file with the lockfile\n"
	}
	for line := range strings.Lines(text) {
		_, err := fmt.Fprintln(a.env.Stdout, view.NewText(strings.TrimSuffix(line, "\n")))
		if err != nil {
			return source.WriteFailed("standard output", err)
		}
	}
	return nil
}

// completeApprovals returns the servers whose hashes can be approved, for a shell. Where
// that is not known it says nothing.
func (a *app) completeApprovals(ctx context.Context, f *approveFlags, args []string) []string {
	if len(args) > 0 {
		return nil
	}
	env := a.outside()
	env.Watch = nil
	request := f.request()
	request.IsOnline = false
	changes, err := approving.Find(ctx, env, request)
	if err != nil {
		return nil
	}
	return changes.Servers()
}
