package lint

import (
	"cmp"
	"context"
	"errors"
	"io/fs"

	"github.com/mcplumb/mcplumb/internal/instep"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// errExcluded says why a file is not compared that the settings name twice.
var errExcluded = errors.New("the settings exclude it")

// compareGroups works out how far the groups of the settings are in step. What cannot be
// compared is something that was not checked.
func (g *gathered) compareGroups(ctx context.Context, o Options) {
	if len(o.Settings.InStep) == 0 {
		return
	}
	said := map[string]bool{} // files of which it is said what is wrong with them
	for _, f := range g.files.findings {
		said[f.File.Path] = true
	}
	for _, e := range g.files.errors {
		said[e.Path] = true
	}
	problems := instep.Fill(instep.Input{
		Repo: g.repo, Index: g.scope.index, Groups: o.Settings.InStep,
		Read: func(path string) (*syntax.File, error) {
			file, err := g.scope.tree.Read(ctx, path)
			var nowhere *source.BrokenLink
			switch {
			case said[path]:
				return nil, instep.ErrSaid
			case errors.Is(err, fs.ErrNotExist):
				return nil, nil
			case errors.As(err, &nowhere):
				return nil, errors.New("is a link that leads nowhere")
			case err != nil:
				return nil, err
			case !g.scope.filter.Wants(path):
				return nil, errExcluded
			}
			return syntax.NewFile(cmp.Or(file.Real, path), file.Content), nil
		},
	})
	for _, p := range problems {
		g.files.errors = append(g.files.errors, g.scope.told([]FileError{{p.Path, p.Message}})...)
	}
}
