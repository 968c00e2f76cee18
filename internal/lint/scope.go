package lint

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/installed"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
)

// scope is what is to be checked, and what is read for it. What was named narrows
// what is reported, not what is compared: a file is judged beside the others of
// its project and by the lockfile above it, whatever part of them was named.
type scope struct {
	tree    source.Tree
	index   *format.Index
	targets []target
	// around are the directories that are read for comparison, beside the targets.
	around    []string
	filter    policy.Filter
	groups    []mcp.GroupSettings // whose files are compared with one another, wherever they are
	current   string
	listed    bool
	all       bool // what was not asked for is reported, too
	manifests *installed.Beside
	kept      *Kept // of the run before, nil for nothing
}

// index returns the index of all formats.
func (o *Options) index() *format.Index {
	if o.Kept != nil {
		return o.Kept.index
	}
	return format.NewIndex(format.All())
}

// target is a file or directory that was named.
type target struct {
	path  string // from the root, "" for the root itself
	isDir bool
}

// newScope looks at what was named. What cannot be looked at is taken for a
// file: reading it says why.
func newScope(ctx context.Context, o Options) (*scope, error) {
	named := o.Targets
	if len(named) == 0 {
		named = []string{""}
	}
	s := &scope{tree: o.Source, index: o.index(), kept: o.Kept, current: o.Current, listed: o.Listed, all: o.all, groups: o.Settings.InStep, manifests: o.manifests}
	for _, path := range named {
		kind, err := o.Source.Stat(ctx, path)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		t := target{path: path, isDir: err == nil && kind == source.Directory}
		s.targets = append(s.targets, t)
		if home := s.home(t); !slices.Contains(s.around, home) {
			s.around = append(s.around, home)
		}
	}
	s.filter = policy.NewFilter(o.Settings, slices.Concat(named, s.around))
	return s, nil
}

// home returns the directory around a target whose files it is compared with:
// the root, but for somebody who works in test data or an example. What such a
// directory holds has nothing to do with the repository around it.
func (s *scope) home(t target) string {
	base := t.path
	if !t.isDir {
		base = ""
		if source.Within(s.current, t.path) {
			base = s.current
		}
	}
	if format.RoleOf(path.Join(base, "file")) != mcp.InUse {
		return base
	}
	return ""
}

// searched returns the directories to look for files in: the named ones and, where all is
// read, those around the targets.
func (s *scope) searched(withAround bool) []string {
	var dirs []string
	for _, t := range s.targets {
		if t.isDir {
			dirs = append(dirs, t.path)
		}
	}
	if withAround {
		dirs = append(dirs, s.around...)
	}
	slices.Sort(dirs)
	return slices.Compact(dirs) // the root is mostly both
}

// isWhole reports whether everything was asked for.
func (s *scope) isWhole() bool { return slices.Contains(s.targets, target{path: "", isDir: true}) }

// asks reports whether a path was named, or a directory above it.
func (s *scope) asks(path string) bool {
	return slices.ContainsFunc(s.targets, func(t target) bool {
		return path == t.path || t.isDir && source.Within(t.path, path)
	})
}

// isAbove reports whether a directory is above something that was named.
func (s *scope) isAbove(dir string) bool {
	return slices.ContainsFunc(s.targets, func(t target) bool { return source.Within(dir, t.path) })
}

// roleOf says what a file is for, seen from the directory that was named: who
// checks tests/fixtures/x means what is in it.
func (s *scope) roleOf(name string) mcp.Role {
	base, found := "", false
	for _, t := range s.targets {
		if t.isDir && source.Within(t.path, name) && (!found || len(t.path) > len(base)) {
			base, found = t.path, true
		}
	}
	if !found && source.Within(s.current, name) {
		base = s.current
	}
	return format.RoleOf(strings.TrimPrefix(strings.TrimPrefix(name, base), "/"))
}

// reported returns the findings and errors that stand in what was asked for.
// names are the files that were asked for by another name.
func (s *scope) reported(findings []rule.Finding, names map[string]bool) []rule.Finding {
	if s.isWhole() || s.all {
		return findings
	}
	return slices.DeleteFunc(findings, func(f rule.Finding) bool { return !names[f.File.Path] && !s.asks(f.File.Path) })
}

// errorsWithin returns the errors that concern what was asked for: those in it, and those
// of a directory around it.
func (s *scope) errorsWithin(errors []FileError) []FileError {
	return slices.DeleteFunc(errors, func(e FileError) bool { return !s.asks(e.Path) && !s.isAbove(e.Path) })
}

// unentered returns the repositories among those within this one that belong to
// what was asked for, and were not named themselves.
func (s *scope) unentered(nested []string) []string {
	return slices.DeleteFunc(nested, func(dir string) bool { return !s.asks(dir) || s.isAbove(dir) })
}

// narrowed returns a repository with nothing but the documents that were asked
// for. They keep what is known of them from the others.
func (s *scope) narrowed(repo *mcp.Repo, names map[string]bool) *mcp.Repo {
	if s.isWhole() {
		return repo
	}
	part := &mcp.Repo{}
	for _, p := range repo.Projects {
		only := *p
		only.Documents = slices.DeleteFunc(slices.Clone(p.Documents), func(d *mcp.Document) bool {
			return !names[d.File.Path] && !s.asks(d.File.Path)
		})
		if len(only.Documents) > 0 {
			part.Projects = append(part.Projects, &only)
		}
	}
	return part
}
