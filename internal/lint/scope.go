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

// scope is what to check, and what to read for it. The named targets narrow what is reported, not
// what is compared: a file is checked together with the others of its project and with the lockfile
// above it, even if only some of them were named.
type scope struct {
	tree    source.Tree
	index   *format.Index
	targets []target
	// around are the directories that are read for comparison, in addition to the targets.
	around    []string
	filter    policy.Filter
	groups    []mcp.GroupSettings // whose files are compared with one another, wherever they are
	current   string
	listed    bool
	all       bool // whether to report also what is outside of the targets
	manifests *installed.Beside
	kept      *Kept // of the run before, nil for nothing
}

// target is a file or directory that was named.
type target struct {
	path  string // from the root, "" for the root itself
	isDir bool
}

// newScope resolves the named targets. A target that it cannot stat counts as a file:
// reading it reports the reason.
func newScope(ctx context.Context, o Options) (*scope, error) {
	named := o.Targets
	if len(named) == 0 {
		named = []string{""}
	}
	s := &scope{tree: o.Source, index: format.Known(), kept: o.Kept, current: o.Current, listed: o.Listed, all: o.all, groups: o.Settings.InStep, manifests: o.manifests}
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

// home returns the directory around a target whose files it is compared with. That is the
// root, except in test data or an example: such a directory has nothing to do with the
// repository around it.
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

// searched returns the directories to search for files: the named ones and, if everything
// is read, those around the targets.
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

// isWhole reports whether the targets include the whole repository.
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

// roleOf returns what a file is for, seen from the named directory: a user who checks
// tests/fixtures/x means the files in it.
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

// reported returns the findings and errors within the targets. names are the files that were
// requested by another name.
func (s *scope) reported(findings []rule.Finding, names map[string]bool) []rule.Finding {
	if s.isWhole() || s.all {
		return findings
	}
	return slices.DeleteFunc(findings, func(f rule.Finding) bool { return !names[f.File.Path] && !s.asks(f.File.Path) })
}

// errorsWithin returns the errors that concern the targets: those in them, and those of a directory
// around them.
func (s *scope) errorsWithin(errors []FileError) []FileError {
	return slices.DeleteFunc(errors, func(e FileError) bool { return !s.asks(e.Path) && !s.isAbove(e.Path) })
}

// unentered returns the nested repositories that belong to the targets, and were not named
// themselves.
func (s *scope) unentered(nested []string) []string {
	return slices.DeleteFunc(nested, func(dir string) bool { return !s.asks(dir) || s.isAbove(dir) })
}

// narrowed returns a repository with only the documents among the targets. They keep the facts that
// come from the other documents.
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
