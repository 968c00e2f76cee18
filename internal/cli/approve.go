package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/spelling"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/internal/workspace"
)

// defaultBranch is what a hash is compared with where nobody says: the branch that a
// clone knows as the remote's own.
const defaultBranch = "origin/HEAD"

// approveFlags are the flags of approve.
type approveFlags struct{ reason, base, config string }

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
where HEAD left the default branch of origin, unless --base names another one.`,
		Example: `  mcplumb approve postgres --reason "released again, says its publisher"
  mcplumb approve postgres --base main --reason "we built it from the tag"`,
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
	cmd.Flags().Var((*filled)(&f.base), "base", "approve what is new since HEAD left the revision `REV`, instead of "+defaultBranch)
	addConfig(cmd, &f.config)
	return cmd
}

func (a *app) approve(ctx context.Context, f *approveFlags, name string) error {
	if strings.TrimSpace(f.reason) == "" {
		return errors.New("approve wants a reason: --reason says why the new hash is right")
	}
	w, changed, err := a.changedHashes(ctx, f)
	if w != nil {
		defer w.Close()
	}
	if err != nil {
		return err
	}
	meant := slices.DeleteFunc(slices.Clone(changed), func(c checks.Finding) bool { return c.Server != name && c.Approval.Identity != name })
	if len(meant) == 0 {
		return notChanged(name, changed, cmp.Or(f.base, defaultBranch))
	}
	if err := ambiguous(name, meant); err != nil {
		return err
	}
	approvals := newApprovals(meant, w.Options.Settings, f.reason, w.Options.Today)
	if len(approvals) > 0 {
		if err := a.writeApprovals(ctx, w, f.config, approvals); err != nil {
			return err
		}
	}
	return a.printApproved(w, f.config, name, meant, len(approvals))
}

// changedHashes opens the repository around the current directory and returns its
// hashes that are others than at the base, approved or not.
func (a *app) changedHashes(ctx context.Context, f *approveFlags) (*workspace.Workspace, []checks.Finding, error) {
	w, err := a.open(ctx, workspace.Request{Config: f.config, Base: cmp.Or(f.base, defaultBranch)})
	switch {
	case err != nil && f.base == "" && errors.Is(err, source.ErrUnknown):
		return w, nil, fmt.Errorf("%s is not known here: --base names what the hash is compared with, as in --base main", defaultBranch)
	case err != nil:
		return w, nil, err
	case w.Options.Base == nil:
		return w, nil, fmt.Errorf("%w: --base names what the hash is compared with", w.NoBase)
	}
	w.Options.Targets, w.Options.NoIgnore = nil, true
	w.Options.Checks = []*checks.Rule{checks.IntegrityChanged}
	result, err := w.Lint(ctx)
	if err != nil {
		return w, nil, err
	}
	a.printProblems(view.New(w.Viewed(result)))
	if len(result.Errors) > 0 {
		a.code = exitIncomplete
	}
	changed := slices.DeleteFunc(result.Unmerged, func(c checks.Finding) bool { return c.Approval == nil })
	return w, changed, nil
}

// notChanged says that there is nothing to approve of a name, and of which there is.
func notChanged(name string, changed []checks.Finding, base string) error {
	var names []string
	for _, c := range changed {
		if !slices.Contains(names, c.Server) {
			names = append(names, c.Server)
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("no hash has changed since %s, so there is none of %q to approve", base, name)
	}
	return fmt.Errorf("no hash of %q has changed since %s: %s", name, base, spelling.Hint(name, names))
}

// ambiguous says that a name is that of several servers, whose hashes are of different
// things: who approves one has not looked at the others.
func ambiguous(name string, meant []checks.Finding) error {
	var identities, places []string
	for _, c := range meant {
		if id := c.Approval.Identity; id != name && c.Identity != "" && !slices.Contains(identities, id) {
			identities = append(identities, id)
			places = append(places, fmt.Sprintf("%s in %s", id, c.File.Path))
		}
	}
	if len(identities) < 2 {
		return nil
	}
	const shown = 10
	if more := len(places) - shown; more > 0 {
		places = append(places[:shown], fmt.Sprintf("%d more", more))
	}
	return fmt.Errorf("%q are %d different servers: %s: say which, as in mcplumb approve %s", name, len(identities), strings.Join(places, ", "), identities[0])
}

// newApprovals returns what is to be written so that hashes are approved, without what
// the settings have.
func newApprovals(changed []checks.Finding, settings *policy.Settings, reason, today string) []policy.Ignore {
	var approvals []policy.Ignore
	for _, c := range changed {
		approval := policy.Ignore{Rule: c.Rule.ID, Identity: c.Approval.Identity, Integrity: c.Approval.New, Reason: reason}
		if !settings.Approves(approval.Identity, approval.Integrity, today) && !slices.Contains(approvals, approval) {
			approvals = append(approvals, approval)
		}
	}
	return approvals
}

// writeApprovals adds ignores to the settings of the repository, or to those that were
// named.
func (a *app) writeApprovals(ctx context.Context, w *workspace.Workspace, config string, approvals []policy.Ignore) error {
	if view.NewText(approvals[0].Reason).Plain() != approvals[0].Reason {
		return errors.New("the reason holds a credential: say it without")
	}
	path, shown := w.SettingsPath(config)
	content, _, err := w.Read(ctx, path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &policy.Error{Path: shown, Message: source.Explain(err)}
	}
	if content, err = policy.Approve(shown, content, approvals); err != nil {
		return err
	}
	return source.WriteFailed(shown, source.WriteFile(a.repository(), path, source.Writing(content)))
}

// printApproved says what is approved now.
func (a *app) printApproved(w *workspace.Workspace, config, name string, changed []checks.Finding, written int) error {
	_, shown := w.SettingsPath(config)
	text := fmt.Sprintf("the new hash of %q is approved in %s already\n", name, shown)
	if written > 0 {
		text = fmt.Sprintf("approved in %s:\n", shown)
		for _, c := range changed {
			text += fmt.Sprintf("  %s: %s, at the base %s\n", c.Approval.Identity, c.Approval.New, c.Approval.Old)
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
// that cannot be told it says nothing.
func (a *app) completeApprovals(ctx context.Context, f *approveFlags, args []string) []string {
	if len(args) > 0 {
		return nil
	}
	quiet := &app{env: a.env}
	quiet.env.Stderr = io.Discard
	w, changed, err := quiet.changedHashes(ctx, f)
	if w != nil {
		defer w.Close()
	}
	if err != nil {
		return nil
	}
	var names []string
	for _, c := range changed {
		if !slices.Contains(names, c.Server) {
			names = append(names, c.Server)
		}
	}
	return names
}
