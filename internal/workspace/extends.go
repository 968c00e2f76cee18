package workspace

import (
	"context"
	"errors"
	"sync"

	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/source"
)

// Unfetched is the error of a file which settings extend, and which was not to be had.
type Unfetched struct{ reason string }

func (u *Unfetched) Error() string { return u.reason }

// ParseSettings parses settings with those that they extend. Messages call the file shown; its
// path is from the root.
func (w *Workspace) ParseSettings(ctx context.Context, shown, fromRoot string, content []byte) (*policy.Settings, error) {
	return w.parseIn(ctx, w.Options.Source, shown, fromRoot, content)
}

// parseIn is ParseSettings where files of the repository are those of a tree.
func (w *Workspace) parseIn(ctx context.Context, tree source.Tree, shown, fromRoot string, content []byte) (*policy.Settings, error) {
	return policy.ReadSettings(shown, fromRoot, content, func(e policy.Extension) (policy.Extended, error) {
		if e.IsRemote() {
			content, err := w.fetch(ctx, e)
			return policy.Extended{Name: e.String(), Content: content}, err
		}
		file, err := tree.Read(ctx, e.Path)
		if err != nil {
			err = errors.New(source.Explain(err))
		}
		return policy.Extended{Name: w.Shown(e.Path), Path: e.Path, Content: file.Content}, err
	})
}

// fetched are files of other repositories by what they are pinned as. A run reads its settings
// again after fixes.
type fetched struct {
	guard sync.Mutex
	files map[policy.Extension][]byte
}
