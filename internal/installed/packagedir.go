package installed

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/mcplumb/mcplumb/internal/glob"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// packageDir is a directory with a package.json.
type packageDir struct {
	name     string
	programs []string
	// wants are the ranges of the packages it depends on.
	wants map[string]string
	locks []*pins
	// members returns the packages and programs of the members of its workspace;
	// nil if it is none.
	members func() map[string]bool
}

// owns reports whether a program or package is the directory's own.
func (d *packageDir) owns(name string) bool {
	return name == d.name || slices.Contains(d.programs, name)
}

// npmLocks are the lockfiles that stand beside a package.json, the one that is
// asked first before the others.
var npmLocks = []string{"npm-shrinkwrap.json", "package-lock.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb"}

// packageDir reads the package.json of a directory and the lockfiles beside it;
// nil if there is none.
func (l *locator) packageDir(ctx context.Context, dir string) *packageDir {
	return l.manifests.get(dir, func() *packageDir { return l.readPackageDir(ctx, dir) })
}

func (l *locator) readPackageDir(ctx context.Context, dir string) *packageDir {
	root := l.parse(ctx, path.Join(dir, "package.json"), syntax.ParseJSON)
	if root == nil {
		return nil
	}
	d := &packageDir{wants: map[string]string{}}
	if name := root.Get("name"); name.IsString() {
		d.name = strings.Clone(name.Text)
	}
	for _, program := range programsOf(d.name, root.Get("bin")) {
		d.programs = append(d.programs, strings.Clone(program))
	}
	for _, member := range []string{"dependencies", "devDependencies", "optionalDependencies"} {
		for _, n := range membersOf(root.Get(member)) {
			d.wants[strings.Clone(n.Name)] = strings.Clone(n.Text)
		}
	}
	if workspaces := patternsOf(root.Get("workspaces")); len(workspaces) > 0 {
		d.members = sync.OnceValue(func() map[string]bool { return l.members(ctx, dir, workspaces) })
	}
	for _, file := range npmLocks {
		if lock := l.readLock(ctx, path.Join(dir, file), d); lock != nil {
			d.locks = append(d.locks, lock)
		}
	}
	return d
}

// maxPatterns and maxPatternBytes keep a hostile manifest from costing time: every
// pattern is tried on every package.json. Workspaces that say more are as good as
// none: nothing is known of their members.
const maxPatterns, maxPatternBytes = 500, 50_000

// patternsOf reads "workspaces": a list of patterns, or an object that has it as
// "packages".
func patternsOf(n *syntax.Node) []glob.Pattern {
	if n != nil && n.Kind == syntax.Object {
		n = n.Get("packages")
	}
	if n == nil || n.Kind != syntax.Array || len(n.Nodes) > maxPatterns {
		return nil
	}
	var patterns []glob.Pattern
	size := 0
	for _, node := range n.Nodes {
		text := textOf(node)
		if text == "" {
			continue
		}
		pattern, err := glob.Parse(path.Clean(text))
		if errors.Is(err, glob.ErrMalformed) {
			continue // it matches nothing
		}
		if size += pattern.Size(); err != nil || size > maxPatternBytes {
			return nil
		}
		patterns = append(patterns, pattern)
	}
	return patterns
}

// hasMember reports whether a program or package is that of a member of the
// workspace in the directory. Npm and Yarn link members into node_modules, and
// Yarn's first lockfile does not have them.
func (d *packageDir) hasMember(name string) bool { return d.members != nil && d.members()[name] }

// members returns the packages and programs of a workspace.
func (l *locator) members(ctx context.Context, dir string, workspaces []glob.Pattern) map[string]bool {
	members := map[string]bool{}
	listing, _ := l.tree.List(ctx, []string{dir}, func(file string) bool {
		return path.Base(file) == "package.json" && matchesAny(workspaces, relative(dir, path.Dir(file)))
	})
	for _, file := range listing.Paths {
		root := l.parse(ctx, file, syntax.ParseJSON)
		member := textOf(root.Get("name"))
		for _, name := range append(programsOf(member, root.Get("bin")), member) {
			members[strings.Clone(name)] = true
		}
	}
	return members
}

func matchesAny(patterns []glob.Pattern, dir string) bool {
	return slices.ContainsFunc(patterns, func(p glob.Pattern) bool { return p.Matches(dir) })
}
