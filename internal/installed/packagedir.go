package installed

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/mcplumb/mcplumb/internal/glob"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// packageDir is a directory with a package.json.
type packageDir struct {
	name     string
	programs []string
	// wants are the ranges of the packages it depends on.
	wants map[string]string
	locks []*pins
	// members returns the packages and programs of the members of its workspace; nil if it is not a
	// workspace.
	members func() map[string]bool
}

// owns reports whether a program or package is the directory's own.
func (d *packageDir) owns(name string) bool {
	return name == d.name || slices.Contains(d.programs, name)
}

// locked returns the package that a program or package of that name is in, as the
// first of the lockfiles says that has it; nil if none has. What cannot be read
// may have it.
func (d *packageDir) locked(dir, name string) *mcp.InstalledPackage {
	var unknown *mcp.InstalledPackage
	for _, lock := range d.locks {
		switch found := lock.find(dir, name); {
		case found == nil:
		case !found.IsUnknown:
			return found
		case unknown == nil:
			unknown = found
		}
	}
	return unknown
}

// npmLocks are the lockfiles next to a package.json, in order of precedence.
var npmLocks = []string{"npm-shrinkwrap.json", "package-lock.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb"}

// packageDir reads the package.json of a directory and the lockfiles next to it; nil if there is
// none.
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
		d.members = sync.OnceValue(func() map[string]bool { return l.membersOfWorkspace(ctx, dir, workspaces) })
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

// memberDirs are the directories with a package.json, sorted, that can be members
// of workspaces.
type memberDirs []string

// below returns those below a directory.
func (all memberDirs) below(dir string) memberDirs {
	if dir == "" {
		return all
	}
	begin, _ := slices.BinarySearch(all, dir+"/")
	end, _ := slices.BinarySearch(all, dir+"0") // what follows the slash
	return all[begin:end]
}

// memberDirs lists the directories that can be members of any workspace: once, as
// workspaces may be nested.
func (l *locator) memberDirs(ctx context.Context) memberDirs {
	l.packages.Do(func() {
		listing, _ := l.tree.List(ctx, []string{""}, source.Want{File: func(file string) bool { return path.Base(file) == "package.json" }})
		for _, file := range listing.Paths {
			if dir := path.Dir(file); dir != "." {
				l.members = append(l.members, dir)
			}
		}
		slices.Sort(l.members)
	})
	return l.members
}

// membersOfWorkspace returns the packages and programs of a workspace.
func (l *locator) membersOfWorkspace(ctx context.Context, dir string, patterns []glob.Pattern) map[string]bool {
	var index glob.Index
	for i, pattern := range patterns {
		index.Add(pattern, i)
	}
	members := map[string]bool{}
	for _, at := range l.memberDirs(ctx).below(dir) {
		isMember := false
		index.Covering(relative(dir, at), func(i int) bool {
			isMember = patterns[i].Matches(relative(dir, at))
			return !isMember
		})
		if !isMember {
			continue
		}
		root := l.parse(ctx, path.Join(at, "package.json"), syntax.ParseJSON)
		member := textOf(root.Get("name"))
		for _, name := range append(programsOf(member, root.Get("bin")), member) {
			members[strings.Clone(name)] = true
		}
	}
	return members
}
