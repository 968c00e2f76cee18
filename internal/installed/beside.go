package installed

import (
	"bytes"
	"context"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/parallel"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Beside are the files of a tree, other than those with entries, that may decide what servers run.
// It is filled while the tree is listed, so that no search is needed.
type Beside struct {
	mutex sync.Mutex
	// files are those of package managers, by path; names are their names by directory.
	files map[string]bool
	names map[string][]string
	// modules are the packages and programs that are committed as they are installed, by the
	// path of their directory or file; moduleDirs are the directories that have such.
	modules, moduleDirs map[string]bool
}

// besideNames are the names of the files, in any directory.
var besideNames = setOf(append([]string{
	".npmrc", ".yarnrc", ".yarnrc.yml", "GNUmakefile", "Makefile", "bunfig.toml", "makefile", "package.json", "pnpm-workspace.yaml",
	"pyproject.toml", "uv.lock", "uv.toml",
}, npmLocks...))

func setOf(names []string) map[string]bool {
	set := map[string]bool{}
	for _, name := range names {
		set[name] = true
	}
	return set
}

// See notes a file of the tree. Several may be seen at once.
func (b *Beside) See(file string) {
	if b == nil {
		return
	}
	module := moduleOf(file)
	isKnown := module == "" && (besideNames[file[strings.LastIndexByte(file, '/')+1:]] || isEnvironment(file))
	if module == "" && !isKnown {
		return
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.files == nil {
		b.files, b.modules, b.moduleDirs, b.names = map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string][]string{}
	}
	if isKnown {
		file = strings.Clone(file)
		b.files[file] = true
		dir := mcp.Parent(file)
		b.names[dir] = append(b.names[dir], file[len(file)-len(path.Base(file)):])
	} else if !b.modules[module] {
		b.modules[strings.Clone(module)] = true
		b.moduleDirs[strings.Trim(strings.Clone(file[:strings.Index("/"+file, "/"+modulesDir)]), "/")] = true
	}
}

// environmentPaths are the files whose variables clients hand to their servers, by their paths in a
// project.
var environmentPaths = pathsOfEnvironments()

func pathsOfEnvironments() []string {
	var paths []string
	for _, c := range mcp.Clients() {
		for _, env := range c.Environment {
			paths = append(paths, env.Path)
		}
	}
	return paths
}

// environmentNames are their names.
var environmentNames = namesOf(environmentPaths)

func namesOf(paths []string) map[string]bool {
	names := map[string]bool{}
	for _, p := range paths {
		names[path.Base(p)] = true
	}
	return names
}

// isEnvironment reports whether a client hands the variables of a file to its servers.
func isEnvironment(file string) bool {
	return environmentNames[file[strings.LastIndexByte(file, '/')+1:]] && slices.ContainsFunc(environmentPaths, func(path string) bool {
		rest, ok := strings.CutSuffix(file, path)
		return ok && (rest == "" || rest[len(rest)-1] == '/')
	})
}

// modulesDir is where package managers install packages of npm.
const modulesDir = "node_modules"

// moduleOf returns the directory of the package, or the program, that a path is in below its first
// node_modules; that directory itself if it is a link; "" for all others.
func moduleOf(file string) string {
	if !strings.Contains(file, modulesDir) {
		return "" // as nearly every path
	}
	at := strings.Index("/"+file, "/"+modulesDir+"/")
	if at < 0 {
		if file == modulesDir || strings.HasSuffix(file, "/"+modulesDir) {
			return file
		}
		return ""
	}
	begin := at + len(modulesDir) + 1
	parts := strings.SplitN(file[begin:], "/", 3)
	count := 1
	if strings.HasPrefix(parts[0], "@") || parts[0] == ".bin" {
		count = 2
	}
	return file[:begin] + strings.Join(parts[:min(count, len(parts))], "/")
}

// Sides reads what files outside the configuration decide about servers, as far as it has changed
// since the base. Each file is checked for changes once, and an unchanged one is not read.
type Sides struct {
	trees     *source.Comparison
	now, then side
	// manifests are the directories with a package.json in either, sorted.
	manifests memberDirs
	// differs says of paths whether they do, changed of directories whether one of their files
	// does, members of workspaces whether a manifest below them does.
	differs, changed, members cache[bool]
	// above are, by directory, the ones that changed reports, from that directory upwards.
	above cache[[]string]
	// environments are the files whose variables clients hand to the servers of a document.
	environments cache[[]decider]
	// today are the places that decide what servers of today run and that have changed, or that
	// their launches name.
	today map[*mcp.Server][]decider
}

// side is one of the two trees that are compared.
type side struct {
	tree   source.Tree
	beside *Beside
	files  cache[*syntax.File]
	roots  cache[parsed]
	// said is what a file says about all servers with the same question, by its path and the question.
	said  cache[[]mcp.Side]
	locks cache[*lockIndex]
	// listed are the files of a committed package.
	listed cache[[]string]
	// members are the names that the members of a workspace have, by its directory.
	members cache[map[string]bool]
}

// NewSides compares two trees, with the files that are seen when they are listed.
func NewSides(trees *source.Comparison, now *Beside, then source.Tree, thenBeside *Beside) *Sides {
	return &Sides{trees: trees, now: side{tree: trees.Tree, beside: now}, then: side{tree: then, beside: thenBeside}}
}

// Touched returns the directories of the projects with a server that depends on such a file that
// has changed. It needs both trees to be listed, and returns none if the context ends.
func (x *Sides) Touched(ctx context.Context, repo *mcp.Repo) map[string]bool {
	x.manifests = manifestsOf(x.now.beside, x.then.beside)
	found := make([]map[*mcp.Server][]decider, len(repo.Projects))
	touched := make([]bool, len(repo.Projects))
	_ = parallel.For(ctx, len(repo.Projects), func(i int) {
		for s := range serversIn(repo.Projects[i]) {
			deciders := x.of(ctx, s)
			if len(deciders) == 0 {
				continue
			}
			if found[i] == nil {
				found[i] = map[*mcp.Server][]decider{}
			}
			found[i][s] = deciders
			touched[i] = touched[i] || slices.ContainsFunc(deciders, func(d decider) bool { return !d.isNamed || x.hasChanged(ctx, d) })
		}
	})
	dirs := map[string]bool{}
	x.today = map[*mcp.Server][]decider{}
	for i, p := range repo.Projects {
		if touched[i] {
			dirs[p.Dir] = true
		}
		maps.Copy(x.today, found[i])
	}
	return dirs
}

// Fill notes, in the facts of today and of the base, what files outside the configuration decide
// about servers. The error is that of the context.
func (x *Sides) Fill(ctx context.Context, now, then *mcp.Repo) error {
	err := x.now.fill(ctx, now, func(s *mcp.Server) []decider { return x.today[s] })
	if err != nil {
		return err
	}
	return x.then.fill(ctx, then, func(s *mcp.Server) []decider { return x.of(ctx, s) })
}

// fill notes what places of one tree decide.
func (in *side) fill(ctx context.Context, repo *mcp.Repo, of func(*mcp.Server) []decider) error {
	return parallel.For(ctx, len(repo.Projects), func(i int) {
		p := repo.Projects[i]
		for s := range serversIn(p) {
			for _, d := range of(s) {
				found := d.read(ctx, in)
				if len(found) == 0 {
					continue
				}
				if p.Facts.Sides == nil {
					p.Facts.Sides = map[*mcp.Server][]*mcp.Side{}
				}
				for i := range found { // servers share what one file says of all
					p.Facts.Sides[s] = append(p.Facts.Sides[s], &found[i])
				}
			}
		}
	})
}

// of returns the places that decide what a server runs and that have changed, or that its launch
// names.
func (x *Sides) of(ctx context.Context, s *mcp.Server) []decider {
	hasChanged := func(dir string) bool { return x.changed.get(dir, func() bool { return x.hasOther(ctx, dir) }) }
	environment := x.environments.get(s.Document.Project.Dir+"\x00"+s.Document.File.Path, func() []decider { return environmentOf(s.Document, hasChanged) })
	all := decidersOf(s, environment, func(start string) []string {
		return x.above.get(start, func() []string {
			var dirs []string
			for dir := range mcp.Upwards(start) {
				if hasChanged(dir) {
					dirs = append(dirs, dir)
				}
			}
			return dirs
		})
	})
	return slices.DeleteFunc(all, func(d decider) bool { return !d.isNamed && !x.hasChanged(ctx, d) })
}

// hasOther reports whether a file in a directory that may decide what servers run differs from the
// base; if so, its other files are not compared.
func (x *Sides) hasOther(ctx context.Context, dir string) bool {
	for _, in := range []*side{&x.now, &x.then} {
		for _, name := range in.beside.names[dir] {
			if x.isOther(ctx, path.Join(dir, name)) {
				return true
			}
		}
		if in.beside.moduleDirs[dir] {
			return true // the packages, and whether they differ, are compared for each server
		}
	}
	return x.hasOtherMember(ctx, dir)
}

// isOther reports whether a file is another one than at the base.
func (x *Sides) isOther(ctx context.Context, file string) bool {
	return x.differs.get(file, func() bool { return x.trees.Differs(ctx, file) })
}

// hasOtherMember reports whether a manifest below a directory that has a workspace is another one
// than at the base.
func (x *Sides) hasOtherMember(ctx context.Context, dir string) bool {
	return x.members.get(dir, func() bool {
		manifest, below := path.Join(dir, "package.json"), x.manifests.below(dir)
		if len(below) == 0 || !x.now.hasWorkspace(ctx, manifest) && (!x.isOther(ctx, manifest) || !x.then.hasWorkspace(ctx, manifest)) {
			return false // the base is read only where it has another manifest
		}
		return slices.ContainsFunc(below, func(at string) bool {
			file := path.Join(at, "package.json")
			return x.now.has(file) != x.then.has(file) || x.isOther(ctx, file)
		})
	})
}

// manifestsOf returns the directories below the root that have a package.json in one of the trees.
func manifestsOf(trees ...*Beside) memberDirs {
	var dirs memberDirs
	for _, b := range trees {
		for file := range b.files {
			if at := path.Dir(file); path.Base(file) == "package.json" && at != "." {
				dirs = append(dirs, at)
			}
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// hasWorkspace reports whether a manifest may have a workspace.
func (in *side) hasWorkspace(ctx context.Context, manifest string) bool {
	if !in.has(manifest) {
		return false
	}
	file := in.file(ctx, manifest)
	return file != nil && bytes.Contains(file.Bytes, []byte(`"workspaces"`))
}

// serversIn yields the servers of a project that may be started.
func serversIn(p *mcp.Project) func(yield func(*mcp.Server) bool) {
	return func(yield func(*mcp.Server) bool) {
		for _, d := range p.Documents {
			if d.Lock != nil || d.Role != mcp.InUse || d.Scope == mcp.ScopeRegistry || d.Scope == mcp.ScopeUser {
				continue
			}
			for _, s := range d.Servers {
				if !yield(s) {
					return
				}
			}
		}
	}
}

// decider is one or several files that are read together, the first that says something counts.
type decider struct {
	// files are compared by their content, modules with all files in them. isNamed reports that the
	// launch itself names the file, so that it matters though it was there before.
	files, modules []string
	isNamed        bool
	// hasMembers reports that the manifests of the workspace in dir belong to it, if there is one.
	hasMembers bool
	dir        string
	read       func(ctx context.Context, in *side) []mcp.Side
}

// hasChanged reports whether one of the files of a place is another one than at the base.
func (x *Sides) hasChanged(ctx context.Context, d decider) bool {
	return slices.ContainsFunc(d.files, func(file string) bool {
		return (d.isNamed || x.now.has(file) || x.then.has(file)) && x.isOther(ctx, file)
	}) || slices.ContainsFunc(d.modules, func(module string) bool {
		return (x.now.hasModule(module) || x.then.hasModule(module)) && x.differs.get(module+"/", func() bool { return x.moduleDiffers(ctx, module) })
	}) || d.hasMembers && x.hasOtherMember(ctx, d.dir)
}

// has reports whether a file was seen when the tree was listed.
func (in *side) has(file string) bool { return in.beside.files[file] }

// hasModule reports so of a package that is committed as it is installed, or may be behind a link.
func (in *side) hasModule(module string) bool {
	if len(in.beside.modules) == 0 {
		return false
	}
	end := strings.LastIndex("/"+module, "/"+modulesDir+"/") + len(modulesDir)
	return in.beside.modules[module] || in.beside.modules[module[:end]]
}

// moduleDiffers reports whether a package is there in one of the trees only, or with other files.
func (x *Sides) moduleDiffers(ctx context.Context, module string) bool {
	now, then := x.now.within(ctx, module), x.then.within(ctx, module)
	if !slices.Equal(now, then) {
		return true
	}
	return slices.ContainsFunc(now, func(file string) bool {
		return x.trees.Differs(ctx, file)
	})
}

// within returns the files of a directory, or the file itself.
func (in *side) within(ctx context.Context, dir string) []string {
	if !in.hasModule(dir) {
		return nil
	}
	return in.listed.get(dir, func() []string { return in.list(ctx, dir) })
}

func (in *side) list(ctx context.Context, dir string) []string {
	if kind, err := in.tree.Stat(ctx, dir); err != nil || kind != source.Directory {
		return []string{dir}
	}
	real, err := in.tree.Real(ctx, dir)
	if err != nil {
		return []string{dir}
	}
	var files []string
	var mutex sync.Mutex
	note := func(file string) bool { // the list is limited, questions about it are not
		if source.Within(real, file) {
			mutex.Lock()
			defer mutex.Unlock()
			files = append(files, strings.Clone(file))
		}
		return false
	}
	_, _ = in.tree.List(ctx, []string{real}, source.Want{File: note})
	slices.Sort(files)
	return slices.Compact(files)
}

// file reads a file once; nil if there is none, or it cannot be read.
func (in *side) file(ctx context.Context, name string) *syntax.File {
	return in.files.get(name, func() *syntax.File {
		read, err := in.tree.Read(ctx, name)
		if err != nil {
			return nil
		}
		return syntax.NewFile(name, read.Content)
	})
}

// parsed is a file with what is in it, nil where it does not parse.
type parsed struct {
	file *syntax.File
	root *syntax.Node
}

// root parses a file once; without a file if there is none. A file that does not parse is not
// reported here: its package manager does that.
func (in *side) root(ctx context.Context, name string) parsed {
	return in.roots.get(name, func() parsed {
		file := in.file(ctx, name)
		if file == nil {
			return parsed{}
		}
		parse := syntax.ParseJSON
		switch path.Ext(name) {
		case ".toml":
			parse = syntax.ParseTOML
		case ".yml", ".yaml":
			parse = syntax.ParseYAML
		case ".lock":
			if path.Base(name) == "uv.lock" {
				parse = syntax.ParseTOML
			}
		}
		tree, err := parse(file)
		if err != nil {
			return parsed{file: file}
		}
		return parsed{file, tree.Root}
	})
}
