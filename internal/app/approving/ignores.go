package approving

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/glob"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/spelling"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/internal/workspace"
)

// Ignoring says which findings may stay, and why.
type Ignoring struct {
	Rule *rule.Rule
	// Server is the name of an entry and Path a pattern of paths from the root, "" for any.
	Server, Path string
	Reason       string
	// Until is the last day on which the ignores count, as 2006-01-02, "" forever.
	Until string
	// Config is the settings file, "" for the one in the root.
	Config string
	// Online fetches what the settings extend.
	Online bool

	pattern glob.Pattern // of Path
}

// Ignored is what was ignored.
type Ignored struct {
	View *view.View // of what could not be checked
	// IsIncomplete reports that something could not.
	IsIncomplete bool
	// Settings is the file that ignores were written to, as seen from the current directory.
	Settings string
	Ignores  []policy.Ignore
	// Hidden is how many findings they hide.
	Hidden int
}

// maxIgnores is how many ignores are written at once: one for each server in each file.
const maxIgnores = 20

// Ignore writes ignores to the settings of the repository around the current directory: of what is
// found today, each for one server of one file. Nothing is written where they would not hide it.
func Ignore(ctx context.Context, env *workspace.Env, asked Ignoring) (*Ignored, error) {
	if asked.Rule == checks.IntegrityChanged {
		return nil, fmt.Errorf("a changed hash needs an approval, not an ignore: mcplumb approve SERVER --reason WHY")
	}
	var err error
	if asked.pattern, err = glob.Parse(asked.Path); err != nil {
		return nil, fmt.Errorf("--path %q %w", asked.Path, err)
	}
	w, err := workspace.Open(ctx, env, workspace.Request{Config: asked.Config, Online: asked.Online})
	if err != nil {
		return nil, err
	}
	defer w.Close()
	w.Options.Targets, w.Options.Checks = nil, []*rule.Rule{asked.Rule}
	found, err := w.Lint(ctx)
	if err != nil {
		return nil, err
	}
	all := slices.DeleteFunc(found.Unmerged, func(f rule.Finding) bool { return f.Rule != asked.Rule })
	meant := slices.DeleteFunc(slices.Clone(all), func(f rule.Finding) bool { return !asked.isOf(&f) })
	if len(meant) == 0 {
		return nil, asked.nothing(all)
	}
	result := &Ignored{View: view.New(w.Viewed(found)), IsIncomplete: len(found.Errors) > 0, Hidden: len(meant)}
	if result.Ignores, err = asked.ignores(meant); err != nil {
		return nil, err
	}
	path, shown := w.SettingsPath(asked.Config)
	result.Settings = shown
	content, err := withIgnores(ctx, w, path, shown, result.Ignores)
	if err != nil {
		return nil, err
	}
	if err := asked.hides(ctx, w, content); err != nil {
		return nil, err
	}
	return result, source.WriteFailed(shown, source.WriteFile(w.Root, path, source.Writing(content)))
}

// isOf reports whether a finding is one of those that are meant.
func (asked *Ignoring) isOf(f *rule.Finding) bool {
	return (asked.Server == "" || f.Server == asked.Server) && (asked.Path == "" || asked.pattern.Covers(f.File.Path))
}

// nothing says that no finding matches the ignore, and lists the findings.
func (asked *Ignoring) nothing(all []rule.Finding) error {
	switch {
	case len(all) == 0:
		return fmt.Errorf("%s finds nothing that is not already ignored", asked.Rule.ID)
	case asked.Server != "":
		var names []string
		for _, f := range all {
			if f.Server != "" && !slices.Contains(names, f.Server) {
				names = append(names, f.Server)
			}
		}
		if len(names) > 0 {
			return fmt.Errorf("%s finds nothing of %q: %s", asked.Rule.ID, asked.Server, spelling.Hint(asked.Server, names))
		}
	}
	return fmt.Errorf("%s finds nothing there: see mcplumb check --rule %[1]s", asked.Rule.ID)
}

// ignores returns one ignore for each server of each file.
func (asked *Ignoring) ignores(meant []rule.Finding) ([]policy.Ignore, error) {
	var all []policy.Ignore
	for _, f := range meant {
		one := policy.Ignore{Rule: asked.Rule.ID, Path: f.File.Path, Server: f.Server, Reason: asked.Reason, Until: asked.Until}
		if asked.Path != "" {
			one.Path = asked.Path
		} else if !glob.IsPlain(one.Path) {
			return nil, fmt.Errorf("%s has characters of a pattern in its path: use --path with * instead of them", view.NewText(one.Path))
		}
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	if len(all) > maxIgnores {
		return nil, fmt.Errorf("%s finds %d servers, more than the %d that can be ignored one by one: name a SERVER or a --path, or turn the rule off in the settings", asked.Rule.ID, len(all), maxIgnores)
	}
	return all, nil
}

// hides checks that settings with the ignores hide what they must hide.
func (asked *Ignoring) hides(ctx context.Context, w *workspace.Workspace, content []byte) error {
	path, shown := w.SettingsPath(asked.Config)
	settings, err := w.ParseSettings(ctx, shown, w.FromRoot(path), content)
	if err != nil {
		return err
	}
	w.Options.Settings = settings
	left, err := w.Lint(ctx)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(left.Unmerged, func(f rule.Finding) bool { return f.Rule == asked.Rule && asked.isOf(&f) }) {
		return errors.New("an ignore in the settings does not hide this finding: see mcplumb explain " + asked.Rule.ID)
	}
	return nil
}
