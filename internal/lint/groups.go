package lint

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/mcplumb/mcplumb/internal/instep"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// errExcluded is why a file that a group lists is not compared.
var errExcluded = errors.New("the settings exclude it")

// compareGroups works out how far the groups of the settings are in sync. A file that
// cannot be compared counts as unchecked.
func (g *gathered) compareGroups(ctx context.Context, o Options) {
	if len(o.Settings.InStep) == 0 {
		return
	}
	said := map[string]bool{} // files whose problem is already reported
	for _, f := range g.files.findings {
		// A note about an empty file or a broken link only says that no server is lost.
		said[f.File.Path] = said[f.File.Path] || f.Severity > rule.Note
	}
	for _, e := range g.files.errors {
		said[e.Path] = true
	}
	problems := instep.Fill(instep.Input{
		Repo: g.repo, Index: g.scope.index, Groups: o.Settings.InStep,
		Repository: func(path string) string { return g.repositoryOf(ctx, path) },
		Read: func(path string) (*syntax.File, error) {
			file, err := g.scope.tree.Read(ctx, path)
			var nowhere *source.BrokenLink
			switch {
			case said[path]:
				return nil, instep.ErrReported
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
		if p.IsNotice {
			g.notices = append(g.notices, p.Message)
			continue
		}
		for _, e := range g.scope.errorsWithin([]FileError{{p.Path, p.Message}}) {
			if _, err := g.scope.tree.Stat(ctx, p.Path); errors.Is(err, fs.ErrNotExist) {
				// This is not a file to find, but a text of the settings.
				e = FileError{Message: p.Path + " " + p.Message}
			}
			g.files.errors = append(g.files.errors, e)
			if p.IsFull {
				g.full = append(g.full, e)
			}
		}
	}
}

// repositoryOf returns the directory of the nested repository that contains a path, "" for
// none.
func (g *gathered) repositoryOf(ctx context.Context, path string) string {
	for dir := mcp.Parent(path); dir != ""; dir = mcp.Parent(dir) {
		kind, err := g.scope.tree.Stat(ctx, dir+"/.git")
		if err == nil && kind != source.Other || slices.Contains(g.found.nested, dir) {
			return dir
		}
	}
	return ""
}

// sideBySide returns the groups of the settings. If the settings have none and the options
// ask for it, it returns the client files of each project.
func (g *gathered) sideBySide(o Options) []*mcp.Group {
	groups := g.repo.Groups
	if o.Compares && len(o.Settings.InStep) == 0 {
		groups = instep.Projects(g.repo, g.scope.index)
	}
	if g.scope.isWhole() {
		return groups
	}
	isAsked := func(f *mcp.GroupFile) bool { return g.files.asked[f.Path] || g.scope.asks(f.Path) }
	return slices.DeleteFunc(slices.Clone(groups), func(g *mcp.Group) bool { return !slices.ContainsFunc(g.Files, isAsked) })
}
