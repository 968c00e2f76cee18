package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/internal/app/approving"
	"github.com/mcplumb/mcplumb/internal/policy"
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
		Short: "Approve the changed hash of a server in the settings",
		Long: `Approve the new hash of SERVER that integrity-changed reports. This adds an
ignore to .mcplumb.yaml, creating the file if necessary, with the hashed item,
the new hash, and your reason. Any other hash, and this hash for anything else,
is still reported.

SERVER is the name in the finding, or the hashed item. The base is the commit
where HEAD left the default branch of origin; --base chooses another one.

With --online, approve the hash that a registry has today and the lockfile does
not have yet, so that it is known when you lock again.`,
		Example: `  mcplumb approve postgres --reason "released again, says its publisher"
  mcplumb approve postgres --base main --reason "we built it from the tag"
  mcplumb approve pml.mcp.fs.read --online --reason "an update, says its author"`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || strings.TrimSpace(args[0]) == "" {
				return errors.New("approve needs the name of one server: mcplumb check --base REV shows it")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.approve(cmd.Context(), &f, args[0]) },
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return a.completeApprovals(cmd.Context(), &f, args), cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.Flags().Var((*filled)(&f.reason), "reason", "record `WHY` the new hash is right")
	cmd.Flags().Var((*filled)(&f.base), "base", "approve what is new since HEAD left the revision `REV`, instead of "+approving.DefaultBase)
	cmd.Flags().BoolVar(&f.online, "online", false, "approve the hashes that registries have today; without --base only those")
	addConfig(cmd, &f.config)
	return cmd
}

func (a *app) approve(ctx context.Context, f *approveFlags, name string) error {
	if !policy.IsReason(f.reason) {
		return errors.New("approve needs a reason: pass --reason WHY")
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
	text := fmt.Sprintf("the new hash of %q is already approved in %s\n", name, changes.Settings)
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
