package workspace

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/source"
)

// baseline reads the file named with --baseline, else the one that the settings
// name, else the one at its usual place, if there is one.
func (w *Workspace) baseline(ctx context.Context) (*policy.Baseline, error) {
	name := w.request.Baseline
	if name != "" || !w.request.Known {
		return w.readBaseline(ctx, name, name)
	}
	path := filepath.Join(w.Root, filepath.FromSlash(w.UsualBaseline()))
	if w.Options.Settings.Preferences.Baseline == "" {
		if _, _, err := w.Read(ctx, path); errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
	}
	return w.readBaseline(ctx, path, w.Paths().Seen(path))
}

// UsualBaseline returns where the repository keeps its baseline, from the root.
func (w *Workspace) UsualBaseline() string {
	return cmp.Or(w.Options.Settings.Preferences.Baseline, policy.BaselineName)
}

// readBaseline reads a baseline, which messages call shown; nil without a name.
func (w *Workspace) readBaseline(ctx context.Context, name, shown string) (*policy.Baseline, error) {
	if name == "" {
		return nil, nil
	}
	content, fromRoot, err := w.Read(ctx, w.Absolute(name))
	if err != nil {
		return nil, &policy.Error{Path: shown, Message: source.Explain(err) + ": mcplumb baseline writes one"}
	}
	w.BaselineFile = shown
	return policy.ParseBaseline(shown, fromRoot, content)
}

// OldBaseline returns the baseline to replace, nil without one, and whether the file is
// something else. Another file is replaced only if the command line names it and the run
// writes the whole baseline: settings may name any file of the repository, and a partial run
// would lose the rest.
func (w *Workspace) OldBaseline(ctx context.Context, name, shown string, usual bool) (old *policy.Baseline, isOther bool, err error) {
	content, _, err := w.Read(ctx, w.Absolute(name))
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && len(bytes.TrimSpace(content)) == 0:
		return nil, false, nil
	case err == nil:
		if old, err = policy.ParseBaseline(shown, "", content); err == nil {
			return old, false, nil
		}
	}
	switch {
	case usual && content != nil:
		return nil, true, source.WriteFailed(shown, errNoBaseline)
	case usual:
		return nil, true, source.WriteFailed(shown, err)
	case slices.Equal(w.Options.Targets, []string{""}):
		return nil, true, nil
	}
	return nil, true, err
}

// errNoBaseline says why a file is not replaced.
var errNoBaseline = errors.New("the file exists and is not a baseline: delete it, or name it with --output to replace it")
