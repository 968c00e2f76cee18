// Package installed says which packages of servers a project has installed, so that their launchers
// fetch none, and which packages the repository makes itself. It reads what package managers write:
// their lockfiles and the manifests next to them.
package installed

import (
	"context"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/parallel"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Fill notes in the facts of every project which packages of its servers are installed, whether their launchers take
// them from there or not, and which packages in its manifests the repository makes. It returns the lockfiles that
// cannot be read, sorted by path, and notes what may be in them as unknown. The error is that of the context.
func Fill(ctx context.Context, tree source.Tree, repo *mcp.Repo) ([]Unread, error) {
	return NewFiller(ctx, tree).Fill(ctx, repo, func(*mcp.Project) bool { return true })
}

// Filler fills the facts of projects, and caches what it has read: the tree must stay the same.
type Filler struct {
	locator   *locator
	maker     *maker
	absentees *absentees
}

// NewFiller returns a filler of a tree. Reads that it shares end with the context.
func NewFiller(ctx context.Context, tree source.Tree) *Filler {
	return &Filler{&locator{tree: tree}, newMaker(ctx, tree), &absentees{tree: tree}}
}

// Fill is the function Fill for some of the projects of a repository.
func (f *Filler) Fill(ctx context.Context, repo *mcp.Repo, isAsked func(*mcp.Project) bool) ([]Unread, error) {
	l, m := f.locator, f.maker
	var projects []*mcp.Project
	for _, p := range repo.Projects {
		if isAsked(p) {
			projects = append(projects, p)
		}
	}
	l.quiet = false
	err := parallel.For(ctx, len(projects), func(i int) { l.project(ctx, projects[i], l.server) })
	if err == nil {
		l.quiet = true
		err = parallel.For(ctx, len(projects), func(i int) { l.project(ctx, projects[i], l.beside) })
	}
	if err == nil {
		m.published = publishedIn(repo)
		err = parallel.For(ctx, len(projects), func(i int) {
			m.project(ctx, projects[i])
			scripts(ctx, l.tree, projects[i])
			f.absentees.project(ctx, projects[i])
		})
	}
	slices.SortFunc(l.unread, func(a, b Unread) int { return strings.Compare(a.File.Path, b.File.Path) })
	return l.unread, err
}

// IsWhole reports whether all files could be read: otherwise the facts of other projects depend on
// the order of the calls.
func (f *Filler) IsWhole() bool { return len(f.locator.unread) == 0 && !f.locator.isHushed }

// Unread is a lockfile of a package manager that cannot be read.
type Unread struct {
	// File has no bytes where they could not be read, either.
	File *syntax.File
	// Err is a *syntax.Error where the file does not parse.
	Err error
}

// Files returns the names of all files that are read here: manifests of package
// managers and their lockfiles, in any directory. A README and the workflows, in which a
// manifest's name or a release may stand, change for other reasons.
func Files() []string {
	return append([]string{"package.json", "pyproject.toml", "Cargo.toml", "deno.lock", "dotnet-tools.json", "uv.lock"}, npmLocks...)
}

// locator finds the packages that launchers take from the project they are
// started in, because it has installed them. A package manager's lockfile then says which version
// that is. Every directory is read once in a run.
//
// What launchers do:
//   - npx and npm exec take a program of the project's own package, then one of
//     node_modules/.bin here or above, then a package of node_modules by its name,
//     where its version is in the range that was asked for; a tag is always looked
//     up in the registry (npm 11, libnpmexec/lib/index.js).
//   - bunx takes a program of node_modules/.bin here or above, if no version is
//     asked for (bun 1.3, bunx_command).
//   - pnpm dlx, yarn dlx, uvx and pipx run never look into the project.
//   - uv run --with takes what the project's environment has, where that satisfies
//     the requirement (uv, can_skip_ephemeral in commands/project/run.rs).
//   - dnx and dotnet tool exec take the version of the tool manifest, here or
//     above (learn.microsoft.com/dotnet/core/tools/dotnet-tool-exec).
//   - deno takes the version that deno.lock has for what was asked for.
type locator struct {
	tree      source.Tree
	dirs      cache[bool]        // whether there is one, by path
	manifests cache[*packageDir] // by directory
	pins      cache[*pins]       // by path
	packages  sync.Once
	members   memberDirs // of all workspaces

	mutex  sync.Mutex
	unread []Unread
	// quiet reports that no launcher asks: what cannot be read changes nothing. isHushed
	// reports that there was such.
	quiet, isHushed bool
}

// cannotRead notes a lockfile that cannot be read.
func (l *locator) cannotRead(file *syntax.File, err error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.quiet {
		l.isHushed = true
		return
	}
	l.unread = append(l.unread, Unread{file, err})
}

// cache makes each value once, at the first request.
type cache[T any] struct{ made sync.Map }

func (c *cache[T]) get(key string, build func() T) T {
	value, known := c.made.Load(key)
	if !known {
		value, _ = c.made.LoadOrStore(key, sync.OnceValue(build))
	}
	return value.(func() T)()
}

// looking notes what is installed of the packages of one server; here reports that it
// is started in the project.
type looking func(ctx context.Context, p *mcp.Project, s *mcp.Server, here bool)

// project notes which packages of a project's servers are installed.
func (l *locator) project(ctx context.Context, p *mcp.Project, look looking) {
	for _, d := range p.Documents {
		if d.Role == mcp.Fixture || d.Scope == mcp.ScopeRegistry {
			continue
		}
		here := startsHere(d)
		for _, s := range d.Servers {
			look(ctx, p, s, here)
		}
	}
}

// startsHere reports whether the servers of a document are started in its
// project. Those of plugins, of examples and of people's own settings are
// started wherever their user works, and there only the repository's own package
// is known.
func startsHere(d *mcp.Document) bool {
	switch d.Scope {
	case mcp.ScopeProject:
		return d.Role == mcp.InUse && !isPluginFile(d)
	case mcp.ScopeAgent, mcp.ScopeGeneric, mcp.ScopeGenerator:
		return d.Role == mcp.InUse
	}
	return false
}

// isPluginFile reports whether a file of a project belongs to a plugin, because the directory is
// also a plugin.
func isPluginFile(d *mcp.Document) bool {
	return path.Base(d.File.Path) == ".mcp.json" && slices.ContainsFunc(d.Project.Documents, func(other *mcp.Document) bool {
		return other.Scope == mcp.ScopePlugin
	})
}

// server notes the packages of one server that are taken from where they are
// installed.
func (l *locator) server(ctx context.Context, p *mcp.Project, s *mcp.Server, here bool) {
	for pkg := range s.Identity.Packages() {
		only := s.Identity.Installed && pkg.Kind == identity.NPM && pkg.Version.Kind == identity.NoVersion // it looks nowhere else
		if !only && !pkg.MayBeInstalled() {
			continue
		}
		dir, ok := s.Resolved().Project()
		if !ok {
			return
		}
		found := l.find(ctx, dir, pkg, here)
		if found == nil {
			continue
		}
		found.Asked = pkg.String()
		if p.Facts.Installed == nil {
			p.Facts.Installed = map[*mcp.Server][]mcp.InstalledPackage{}
		}
		p.Facts.Installed[s] = append(p.Facts.Installed[s], *found)
	}
}

// beside notes the packages of one server that a project has at one version and the launcher still
// fetches: it looks up a tag in the registry, and uvx and its like read no project.
func (l *locator) beside(ctx context.Context, p *mcp.Project, s *mcp.Server, here bool) {
	if !here || s.Identity.Installed {
		return
	}
	for pkg := range s.Identity.Packages() {
		if !isBeside(&pkg) {
			continue
		}
		dir, ok := s.Resolved().Project()
		if !ok {
			return
		}
		found := l.find(ctx, dir, pkg, here)
		if found == nil || found.Name != pkg.Name || identity.VersionOf(pkg.Kind, identity.Word{Text: found.Version}).Kind != identity.Exact {
			continue
		}
		found.Asked = pkg.String()
		if p.Facts.Beside == nil {
			p.Facts.Beside = map[*mcp.Server][]mcp.InstalledPackage{}
		}
		p.Facts.Beside[s] = append(p.Facts.Beside[s], *found)
	}
}

// isBeside reports whether a package is fetched although a lockfile of npm or uv may have it. Other
// launchers take a tag from their lockfile, or accept none.
func isBeside(pkg *identity.Fetched) bool {
	switch pkg.Launcher {
	case "deno", "dx":
		return false
	}
	return (pkg.Kind == identity.NPM || pkg.Kind == identity.PyPI) && pkg.Version.Kind != identity.Exact && !pkg.MayBeInstalled()
}

// find returns where a launcher that is started in dir takes a package from, or
// nil. here reports that it is started in dir for certain.
func (l *locator) find(ctx context.Context, dir string, pkg identity.Fetched, here bool) *mcp.InstalledPackage {
	dir = l.nearest(ctx, dir)
	var found *mcp.InstalledPackage
	switch {
	case pkg.Launcher == "deno" || pkg.Launcher == "dx":
		if found = l.above(ctx, dir, here, denoKey(pkg), "deno.lock"); found != nil {
			found.Name = pkg.Name
		}
		return found
	case pkg.Kind == identity.PyPI:
		found = l.above(ctx, dir, here, pkg.Name, "uv.lock")
	case pkg.Kind == identity.NuGet:
		found = l.above(ctx, dir, here, pkg.Name, ".config/dotnet-tools.json", "dotnet-tools.json")
	default:
		found = l.nodePackage(ctx, dir, pkg, here)
	}
	if found == nil || pkg.Version.Kind == identity.Range && found.Version != "" && !pkg.Takes(found.Version) {
		return nil
	}
	return found
}

// above looks for a package in the nearest lockfile of one of the names, in dir
// or a directory above it.
func (l *locator) above(ctx context.Context, dir string, here bool, name string, files ...string) *mcp.InstalledPackage {
	if !here {
		return nil
	}
	for at := range mcp.Upwards(dir) {
		for _, file := range files {
			if lock := l.lock(ctx, path.Join(at, file)); lock != nil {
				return lock.find("", name)
			}
		}
	}
	return nil
}

// nodePackage looks for an npm package as npx and bunx do.
func (l *locator) nodePackage(ctx context.Context, dir string, pkg identity.Fetched, here bool) *mcp.InstalledPackage {
	isNPM := pkg.Launcher == "npx" || pkg.Launcher == "npm"
	locked := false
	for at := range mcp.Upwards(dir) {
		d := l.packageDir(ctx, at)
		if d == nil {
			continue
		}
		if isNPM && !locked && d.owns(pkg.Name) {
			return &mcp.InstalledPackage{Name: d.name, File: path.Join(at, "package.json")}
		}
		// Launchers also find programs further up; packages only in the project.
		if here && (!locked || !strings.HasPrefix(pkg.Name, "@")) {
			if found := d.locked(relative(at, dir), pkg.Name); found != nil {
				return found
			}
		}
		if isNPM && !locked && d.hasMember(pkg.Name) {
			return &mcp.InstalledPackage{Name: pkg.Name, File: path.Join(at, "package.json")}
		}
		locked = locked || len(d.locks) > 0
	}
	return nil
}

// nearest returns a directory, or the nearest existing one above it. It searches from the top to
// the first that does not exist, so that a project that names thousands of directories costs
// little.
func (l *locator) nearest(ctx context.Context, dir string) string {
	for end := 0; end < len(dir); {
		at := dir
		if slash := strings.IndexByte(dir[end+1:], '/'); slash >= 0 {
			at = dir[:end+1+slash]
		}
		if !l.isDir(ctx, at) {
			return dir[:end]
		}
		end = len(at)
	}
	return dir
}

func (l *locator) isDir(ctx context.Context, dir string) bool {
	return l.dirs.get(dir, func() bool {
		kind, err := l.tree.Stat(ctx, dir)
		return err == nil && kind == source.Directory
	})
}

// relative returns dir seen from a directory above it.
func relative(above, dir string) string {
	return strings.TrimPrefix(strings.TrimPrefix(dir, above), "/")
}
