// Package approving writes ignores to the settings: of findings that may stay, and of hashes that
// are others than at the base, or in their registry than in the lockfile.
package approving

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/spelling"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/internal/workspace"
)

// DefaultBase is what a hash is compared with where no base is named: the branch that a clone
// knows as the remote's own.
const DefaultBase = "origin/HEAD"

// Request says which hashes are looked for.
type Request struct {
	// Config is the settings file, "" for the usual one.
	Config string
	// Base is a revision whose hashes were others, "" for the usual one.
	Base string
	// IsOnline asks registries which hashes they have today. Without a base those alone are
	// looked for.
	IsOnline bool
}

// Changes are the hashes of a repository that are others than at a base or in a registry,
// approved or not.
type Changes struct {
	View *view.View // of what could not be checked
	// IsIncomplete reports that something could not.
	IsIncomplete bool
	// Settings is the file that approvals are written to, as seen from the current directory.
	Settings string

	w            *workspace.Workspace
	list         []rule.Finding
	base         string
	settingsPath string
}

// Find finds the changed hashes of the repository around the current directory.
func Find(ctx context.Context, env *workspace.Env, r Request) (*Changes, error) {
	c := &Changes{base: r.Base}
	if !r.IsOnline {
		c.base = cmp.Or(r.Base, DefaultBase)
	}
	w, err := workspace.Open(ctx, env, workspace.Request{Config: r.Config, Base: c.base, Online: r.IsOnline})
	switch {
	case err != nil && r.Base == "" && errors.Is(err, source.ErrUnknown):
		return nil, fmt.Errorf("%s is not in this clone: name the revision to compare the hash with, such as --base main", DefaultBase)
	case err != nil:
		return nil, err
	}
	defer w.Close()
	if c.base != "" && w.Options.Base == nil {
		return nil, fmt.Errorf("%w: name the revision to compare the hash with, as in --base main", w.NoBase)
	}
	w.Options.Targets, w.Options.NoIgnore = nil, true
	w.Options.Checks = []*rule.Rule{checks.IntegrityChanged}
	if r.IsOnline {
		if err := w.AskRegistries(ctx, workspace.Asking{}); err != nil {
			return nil, err
		}
	}
	result, err := w.Lint(ctx)
	if err != nil {
		return nil, err
	}
	c.w, c.View, c.IsIncomplete = w, view.New(w.Viewed(result)), len(result.Errors) > 0
	c.settingsPath, c.Settings = w.SettingsPath(r.Config)
	c.list = slices.DeleteFunc(result.Unmerged, func(f rule.Finding) bool { return f.Approval == nil })
	return c, nil
}

// Servers returns the names of the servers whose hashes have changed.
func (c *Changes) Servers() []string {
	var names []string
	for _, f := range c.list {
		if !slices.Contains(names, f.Server) {
			names = append(names, f.Server)
		}
	}
	return names
}

// Of returns the changes of one server, or of what its hash covers. The error says that there
// are none, or that several servers have the name.
func (c *Changes) Of(name string) ([]rule.Finding, error) {
	meant := slices.DeleteFunc(slices.Clone(c.list), func(f rule.Finding) bool { return f.Server != name && f.Approval.Identity != name })
	if len(meant) == 0 {
		return nil, c.notChanged(name)
	}
	return meant, ambiguous(name, meant)
}

// notChanged says that there is nothing to approve for a name, and lists the names that have
// something.
func (c *Changes) notChanged(name string) error {
	names := c.Servers()
	switch {
	case len(names) == 0 && c.base == "":
		return fmt.Errorf("no registry has a hash other than the locked one, so %q has none to approve", name)
	case len(names) == 0:
		return fmt.Errorf("no hash has changed since %s, so %q has none to approve", c.base, name)
	case c.base == "":
		return fmt.Errorf("no registry has a hash of %q other than the locked one: %s", name, spelling.Hint(name, names))
	}
	return fmt.Errorf("no hash of %q has changed since %s: %s", name, c.base, spelling.Hint(name, names))
}

// ambiguous says that a name is that of several servers, whose hashes are of different things:
// approving one must not approve the others unseen.
func ambiguous(name string, meant []rule.Finding) error {
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
	return fmt.Errorf("%q are %d different servers: %s: choose one, as in mcplumb approve %s", name, len(identities), strings.Join(places, ", "), identities[0])
}

// Approve writes to the settings that changes are right, for a reason. It reports whether
// there was something to write.
func (c *Changes) Approve(ctx context.Context, changes []rule.Finding, reason string) (isWritten bool, err error) {
	approvals := newApprovals(changes, c.w.Options.Settings, reason, c.w.Options.Today)
	if len(approvals) == 0 {
		return false, nil
	}
	content, err := withIgnores(ctx, c.w, c.settingsPath, c.Settings, approvals)
	if err != nil {
		return false, err
	}
	return true, source.WriteFailed(c.Settings, source.WriteFile(c.w.Root, c.settingsPath, source.Writing(content)))
}

// withIgnores returns the settings of a workspace with further ignores. The file is at path, and
// called shown.
func withIgnores(ctx context.Context, w *workspace.Workspace, path, shown string, ignores []policy.Ignore) ([]byte, error) {
	for _, i := range ignores {
		if view.NewText(i.Reason).Plain() != i.Reason {
			return nil, errors.New("the reason contains a credential: remove it from the text")
		}
	}
	content, _, err := w.Read(ctx, path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, &policy.Error{Path: shown, Message: source.Explain(err)}
	}
	return policy.AddIgnores(shown, content, ignores)
}

// newApprovals returns the ignores to write to approve hashes, without those that the settings
// have.
func newApprovals(changed []rule.Finding, settings *policy.Settings, reason, today string) []policy.Ignore {
	var approvals []policy.Ignore
	for _, c := range changed {
		approval := policy.Ignore{Rule: c.Rule.ID, Identity: c.Approval.Identity, Integrity: c.Approval.New, Reason: reason}
		if !settings.Approves(approval.Identity, approval.Integrity, today) && !slices.Contains(approvals, approval) {
			approvals = append(approvals, approval)
		}
	}
	return approvals
}
