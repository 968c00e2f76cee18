package installed

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// packageFiles are the manifests of package managers that say which package a directory
// makes.
var packageFiles = []string{"package.json", "pyproject.toml", "Cargo.toml"}

// maxOfOneName is how many packages of one name a repository may make before it counts as not known
// which of them is meant: every manifest with the name compares them all.
const maxOfOneName = 20

// maxVersion is how long a version may be, as npm has it (semver, MAX_LENGTH), and maxNames
// how many names in the registry a README may say until none of them counts.
const maxVersion, maxNames = 256, 100

// maker knows which packages a repository makes. It reads all of them if a manifest publishes one,
// or an entry fetches one without an exact version; otherwise only those above a pinned one.
type maker struct {
	tree   source.Tree
	files  cache[*mcp.SourcePackage]              // by path
	aboves cache[map[string][]*mcp.SourcePackage] // by the path of a manifest
	names  func() map[string][]string             // directories by kind and name of their packages
	// workflows says what the workflows of the repository write.
	workflows func() written
	// hasChangesets reports whether Changesets raises versions: it collects pending releases in
	// separate files.
	hasChangesets func() bool
	// published are the packages and images that the repository's own manifests of the MCP
	// registry publish, self is what its root says of it.
	published map[string]bool
	self      func() *self
}

func newMaker(ctx context.Context, tree source.Tree) *maker {
	m := &maker{tree: tree}
	m.self = sync.OnceValue(func() *self { return m.readSelf(ctx) })
	m.names = sync.OnceValue(func() map[string][]string { return m.index(ctx) })
	m.workflows = sync.OnceValue(func() written { return readWorkflows(ctx, tree) })
	m.hasChangesets = sync.OnceValue(func() bool {
		kind, err := tree.Stat(ctx, ".changeset/config.json")
		return err == nil && kind == source.Regular
	})
	return m
}

// project notes which packages the manifests and the servers of a project speak of.
func (m *maker) project(ctx context.Context, p *mcp.Project) {
	found := &collected{seen: map[*mcp.SourcePackage]bool{}}
	for _, d := range p.Documents {
		if d.Manifest == nil || d.Role != mcp.InUse {
			continue
		}
		if len(d.Manifest.Entries) > 0 {
			m.plugins(ctx, p, d.Manifest)
			continue
		}
		found.add(m.in(ctx, p.Dir)...)
		if d.Publishes {
			m.publishedBy(ctx, p.Dir, d.Manifest, found)
		}
	}
	m.pinned(ctx, p, found)
	m.own(ctx, p)
	if p.Facts.Packages = found.packages; len(found.packages) > 0 || len(p.Facts.Plugins) > 0 {
		p.Facts.Stamped = m.workflows().files
	}
}

// pinned notes the packages of the repository that entries pin to an exact version.
func (m *maker) pinned(ctx context.Context, p *mcp.Project, found *collected) {
	above := map[identity.Kind]map[string][]*mcp.SourcePackage{}
	for _, d := range p.Documents {
		if d.Role != mcp.InUse || d.Scope == mcp.ScopeRegistry {
			continue
		}
		for _, s := range d.Servers {
			for pkg := range s.Identity.Packages() {
				if pkg.Version.Kind != identity.Exact || fileOf(pkg.Kind) == "" {
					continue
				}
				near, known := above[pkg.Kind]
				if !known {
					near = m.above(ctx, p.Dir, pkg.Kind)
					above[pkg.Kind] = near
				}
				found.add(near[pkg.Name]...)
			}
		}
	}
}

// plugins notes which versions the plugins that a marketplace lists say themselves.
func (m *maker) plugins(ctx context.Context, p *mcp.Project, manifest *mcp.Manifest) {
	if p.Facts.Plugins == nil {
		p.Facts.Plugins = map[string]mcp.PluginVersion{}
	}
	for _, entry := range manifest.Entries {
		if _, known := p.Facts.Plugins[entry.Dir]; known {
			continue
		}
		file, root := m.parse(ctx, path.Join(entry.Dir, ".claude-plugin/plugin.json"))
		version := wordOf(root.Get("version"))
		if len(version.Text) > maxVersion {
			version = identity.Word{}
		}
		p.Facts.Plugins[entry.Dir] = mcp.PluginVersion{File: file, Version: version}
	}
}

// publishedBy notes the packages of a manifest of the registry: those in its directory, in
// the one that it says the server is in, and any that bears a name it publishes.
func (m *maker) publishedBy(ctx context.Context, dir string, manifest *mcp.Manifest, found *collected) {
	if sub := path.Clean(manifest.Subfolder); sub != "." && !path.IsAbs(sub) && !strings.HasPrefix(sub, "..") {
		found.add(m.in(ctx, sub)...) // from the root of the repository
	}
	for _, p := range manifest.Packages {
		if p.Kind != identity.OCI {
			m.named(ctx, dir, p.Kind, p.Name, found)
		}
	}
}

// nearest notes the packages of one name in the directory or above it, up to one that
// holds no others, and reports whether there is such a one.
func (m *maker) nearest(ctx context.Context, dir string, kind identity.Kind, name string, found *collected) bool {
	near := m.above(ctx, dir, kind)[name]
	found.add(near...)
	return len(near) > 0 && !near[len(near)-1].Workspace
}

// above returns the packages of a kind in a directory and above it by their names, of each
// those up to one that holds no others.
func (m *maker) above(ctx context.Context, dir string, kind identity.Kind) map[string][]*mcp.SourcePackage {
	file := fileOf(kind)
	if file == "" {
		return nil
	}
	return m.aboves.get(path.Join(dir, file), func() map[string][]*mcp.SourcePackage {
		var up map[string][]*mcp.SourcePackage
		if dir != "" {
			up = m.above(ctx, mcp.Parent(dir), kind)
		}
		p := m.at(ctx, path.Join(dir, file))
		if p == nil {
			return up
		}
		found := map[string][]*mcp.SourcePackage{}
		maps.Copy(found, up)
		found[p.Name] = []*mcp.SourcePackage{p}
		if p.Workspace {
			found[p.Name] = append(found[p.Name], up[p.Name]...)
		}
		return found
	})
}

// fileOf returns the name of the manifests of a kind of package, "" where none is read.
func fileOf(kind identity.Kind) string {
	switch kind {
	case identity.NPM:
		return "package.json"
	case identity.PyPI:
		return "pyproject.toml"
	case mcp.Cargo:
		return "Cargo.toml"
	}
	return ""
}

// named notes the packages of one name: the nearest, or all if none is near.
func (m *maker) named(ctx context.Context, dir string, kind identity.Kind, name string, found *collected) {
	if m.nearest(ctx, dir, kind, name, found) {
		return
	}
	dirs := m.names()[mcp.PackageKey(kind, name)]
	if len(dirs) > maxOfOneName {
		return
	}
	for _, at := range dirs {
		if p := m.at(ctx, path.Join(at, fileOf(kind))); p != nil && p.Name == name {
			found.add(p)
		}
	}
}

// collected are packages, each once.
type collected struct {
	packages []*mcp.SourcePackage
	seen     map[*mcp.SourcePackage]bool
}

func (c *collected) add(packages ...*mcp.SourcePackage) {
	for _, p := range packages {
		if !c.seen[p] {
			c.seen[p] = true
			c.packages = append(c.packages, p)
		}
	}
}

// index returns the directories of all packages by their kinds and names.
func (m *maker) index(ctx context.Context) map[string][]string {
	names := map[string][]string{}
	listing, _ := m.tree.List(ctx, []string{""}, source.Want{File: func(file string) bool { return slices.Contains(packageFiles, path.Base(file)) }})
	for _, file := range listing.Paths {
		if _, root := m.parse(ctx, file); root != nil {
			if p := nameIn(file, root); p.Name != "" {
				key := p.Key()
				names[key] = append(names[key], mcp.Parent(file))
			}
		}
	}
	return names
}

// in returns the packages that a directory makes.
func (m *maker) in(ctx context.Context, dir string) []*mcp.SourcePackage {
	var packages []*mcp.SourcePackage
	for _, name := range packageFiles {
		if p := m.at(ctx, path.Join(dir, name)); p != nil {
			packages = append(packages, p)
		}
	}
	return packages
}

// at returns the package that a manifest describes; nil if there is none.
func (m *maker) at(ctx context.Context, name string) *mcp.SourcePackage {
	return m.files.get(name, func() *mcp.SourcePackage {
		file, root := m.parse(ctx, name)
		if root == nil {
			return nil
		}
		return m.read(ctx, file, root)
	})
}

// parse reads a manifest; nil if there is none or it does not parse, which its package manager
// reports.
func (m *maker) parse(ctx context.Context, name string) (*syntax.File, *syntax.Node) {
	read, err := m.tree.Read(ctx, name)
	if err != nil {
		return nil, nil
	}
	parse := syntax.ParseTOML
	if path.Ext(name) == ".json" {
		parse = syntax.ParseJSON
	}
	file := syntax.NewFile(name, read.Content)
	tree, err := parse(file)
	if err != nil {
		return nil, nil
	}
	return file, tree.Root
}

// nameIn returns what a manifest says of the kind and the name of its package.
func nameIn(file string, root *syntax.Node) mcp.SourcePackage {
	switch path.Base(file) {
	case "package.json":
		name := wordOf(root.Get("name"))
		return mcp.SourcePackage{Kind: identity.NPM, Name: name.Text, Written: name}
	case "pyproject.toml":
		name := wordOf(pythonTable(root).Get("name"))
		return mcp.SourcePackage{Kind: identity.PyPI, Name: identity.PyPIName(name.Text), Written: name}
	}
	name := wordOf(root.At("package", "name"))
	return mcp.SourcePackage{Kind: mcp.Cargo, Name: name.Text, Written: name}
}

// read returns what a manifest says of its package; nil of one without a name.
func (m *maker) read(ctx context.Context, file *syntax.File, root *syntax.Node) *mcp.SourcePackage {
	p := nameIn(file.Path, root)
	if p.Name == "" {
		return nil
	}
	p.Dir, p.File = mcp.Parent(file.Path), file
	p.Lags = m.workflows().raises[p.Kind] || p.Kind == identity.NPM && m.hasChangesets()
	switch p.Kind {
	case identity.NPM:
		p.Version, p.Private, p.Workspace = nodeVersion(root), isTrue(root.Get("private")), root.Get("workspaces") != nil
		if name := wordOf(root.Get("mcpName")); name.Text != "" {
			p.MCPNames, p.NamesFile = []identity.Word{name}, file
		}
	case identity.PyPI:
		p.Version = pythonVersion(root)
		p.NamesFile, p.MCPNames = m.readme(ctx, p.Dir, pythonTable(root).Get("readme"))
	default:
		p.Version = wordOf(root.At("package", "version"))
		p.Private = isFalse(root.At("package", "publish"))
	}
	if len(p.Version.Text) > maxVersion || isPlaceholder(p.Version.Text) {
		p.Version = identity.Word{}
	}
	return &p
}

// isPlaceholder reports whether a version is one that a release replaces.
func isPlaceholder(version string) bool {
	core, _, _ := strings.Cut(version, "-")
	return strings.Trim(core, "0.") == "" || !strings.ContainsAny(version, "0123456789")
}

// nodeVersion returns the version in a package.json. Semantic-release publishes the one that it
// computes, and writes it to the file only with a plugin (@semantic-release/git).
func nodeVersion(root *syntax.Node) identity.Word {
	needs := func(name string) bool {
		return root.At("devDependencies", name) != nil || root.At("dependencies", name) != nil
	}
	if needs("semantic-release") && !needs("@semantic-release/git") {
		return identity.Word{}
	}
	return wordOf(root.Get("version"))
}

// pythonTable returns the table of a pyproject.toml that describes the package: the
// standard's (PEP 621), else Poetry's.
func pythonTable(root *syntax.Node) *syntax.Node {
	if project := root.Get("project"); project.Get("name") != nil {
		return project
	}
	return root.At("tool", "poetry")
}

// pythonVersion returns the version in a pyproject.toml. One that is dynamic is in the
// code or in git, and Poetry has a plugin for that which leaves a placeholder.
func pythonVersion(root *syntax.Node) identity.Word {
	if root.At("tool", "poetry-dynamic-versioning") != nil {
		return identity.Word{}
	}
	if version := wordOf(root.At("project", "version")); version.Text != "" {
		return version
	}
	for _, name := range nodesOf(root.At("project", "dynamic")) {
		if textOf(name) == "version" && root.At("tool", "poetry", "version") == nil {
			return identity.Word{}
		}
	}
	return wordOf(root.At("tool", "poetry", "version"))
}

// nodesOf returns the elements of a list, none of anything else.
func nodesOf(n *syntax.Node) []*syntax.Node {
	if n == nil || n.Kind != syntax.Array {
		return nil
	}
	return n.Nodes
}

func isTrue(n *syntax.Node) bool  { return n != nil && n.Kind == syntax.Bool && n.Text == "true" }
func isFalse(n *syntax.Node) bool { return n != nil && n.Kind == syntax.Bool && n.Text == "false" }

// wordOf returns a string with its place, no text of anything else.
func wordOf(n *syntax.Node) identity.Word {
	if !n.IsString() {
		return identity.Word{}
	}
	return identity.Word{Text: n.Text, Span: n.Value}
}

// nameMark precedes the name in the MCP registry in a README (modelcontextprotocol/ registry
// internal/validators/registries/mcpname.go).
const nameMark = "mcp-name: "

// readme returns the names that the README of a Python package says, and the README: the
// one that PyPI shows.
func (m *maker) readme(ctx context.Context, dir string, named *syntax.Node) (*syntax.File, []identity.Word) {
	name := textOf(named)
	if name == "" {
		name = textOf(named.Get("file"))
	}
	if name == "" || path.IsAbs(name) {
		return nil, nil
	}
	at := path.Join(dir, name)
	if source.IsOutside(at) {
		return nil, nil
	}
	read, err := m.tree.Read(ctx, at)
	if err != nil {
		return nil, nil
	}
	names := namesIn(string(read.Content))
	if len(names) > maxNames {
		return nil, nil
	}
	return syntax.NewFile(at, read.Content), names
}

// namesIn returns the names behind the marks in a text, with their places.
func namesIn(text string) []identity.Word {
	var names []identity.Word
	for at := 0; ; {
		next := strings.Index(text[at:], nameMark)
		if next < 0 || len(names) > maxNames {
			return names
		}
		start := at + next + len(nameMark)
		end := start
		for end < len(text) && isNameByte(text[end]) {
			end++
		}
		if at = end; strings.Contains(text[start:end], "/") {
			names = append(names, identity.Word{Text: text[start:end], Span: syntax.Span{Start: start, End: end}})
		}
	}
}

// isNameByte reports whether a name of the registry may have a byte.
func isNameByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || strings.IndexByte("._-/", b) >= 0
}
