package installed

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// pins are the versions that a package manager has installed, as its lockfile
// says them and as far as launchers find them.
type pins struct {
	path string
	// versions are those of packages by place: the name where the whole project
	// has it, "directory:name" where one member has. A version is "" if the lockfile does not give
	// one: for members themselves, and for packages in several versions.
	versions map[string]string
	// programs are packages by a program that they bring.
	programs map[string]string
	// likely are the programs that scoped packages may bring, where the lockfile
	// names none.
	likely map[string]bool
	// isUnread reports that the file is there and cannot be read: any package may
	// be in it.
	isUnread bool
}

// find returns the package that a program or package of that name is in, seen
// from a directory of the project, or nil.
func (p *pins) find(dir, name string) *mcp.InstalledPackage {
	if p.isUnread {
		return &mcp.InstalledPackage{Name: name, File: p.path, IsUnknown: true}
	}
	if owner, ok := p.programs[name]; ok {
		name = owner
	}
	for at := range mcp.Upwards(dir) {
		if version, ok := p.versions[place(at, name)]; ok {
			return &mcp.InstalledPackage{Name: name, Version: version, File: p.path}
		}
	}
	return p.maybe(name)
}

// place is the key of pins.versions.
func place(dir, name string) string {
	if dir == "" || dir == "." {
		return name
	}
	return dir + ":" + name
}

// add notes a package once; what is noted first stays.
func (p *pins) add(key, version string) {
	if _, known := p.versions[key]; !known && key != "" {
		p.versions[strings.Clone(key)] = strings.Clone(version)
	}
}

// bring notes the programs of a package: an object of them, or one program of
// the package's own name.
func (p *pins) bring(name string, bin *syntax.Node) {
	for _, program := range programsOf(name, bin) {
		if _, known := p.programs[program]; !known {
			p.programs[strings.Clone(program)] = strings.Clone(name)
		}
	}
}

// programsOf reads the member "bin" of a package: an object of programs, or the
// path of the one that is named as the package is, without its scope.
func programsOf(name string, bin *syntax.Node) []string {
	switch {
	case bin.IsString():
		return []string{name[strings.LastIndexByte(name, '/')+1:]}
	case bin == nil || bin.Kind != syntax.Object:
		return nil
	}
	var programs []string
	for _, n := range bin.Nodes {
		programs = append(programs, n.Name)
	}
	return programs
}

// lock reads a lockfile that needs no manifest, once; nil if there is none.
func (l *locator) lock(ctx context.Context, file string) *pins {
	return l.pins.get(file, func() *pins { return l.readLock(ctx, file, nil) })
}

// readLock reads a lockfile; nil if there is none.
func (l *locator) readLock(ctx context.Context, file string, d *packageDir) *pins {
	lock := &pins{path: file, versions: map[string]string{}, programs: map[string]string{}, likely: map[string]bool{}}
	parse, read := syntax.ParseJSON, (func(*syntax.Node))(nil)
	switch path.Base(file) {
	case "npm-shrinkwrap.json", "package-lock.json":
		read = lock.readNPM
	case "bun.lock":
		read = lock.readBun
	case "pnpm-lock.yaml":
		parse, read = parsePNPM, lock.readPNPM
	case "uv.lock":
		parse, read = syntax.ParseTOML, lock.readUV
	case "deno.lock":
		read = lock.readDeno
	case "dotnet-tools.json":
		read = lock.readDotnet
	case "yarn.lock":
		return l.readYarn(ctx, lock, d)
	case "bun.lockb": // not text, but it has the dependencies of the project
		if kind, err := l.tree.Stat(ctx, file); err != nil || kind != source.Regular {
			return nil
		}
		for name := range d.wants {
			lock.add(name, "")
			lock.bringLikely(name)
		}
		return lock
	}
	content := l.content(ctx, lock)
	if content == nil {
		return lock.orNone()
	}
	tree, err := parse(content)
	if err != nil {
		l.cannotRead(content, err)
		var broken *syntax.Error
		lock.isUnread = !errors.As(err, &broken) || !broken.Empty
		return lock.orNone()
	}
	read(tree.Root)
	return lock
}

// content reads a lockfile; nil if there is none or it cannot be read. A link without a target in
// this clone is not a lockfile.
func (l *locator) content(ctx context.Context, lock *pins) *syntax.File {
	read, err := l.tree.Read(ctx, lock.path)
	var nowhere *source.BrokenLink
	switch {
	case err == nil:
		return syntax.NewFile(lock.path, read.Content)
	case errors.Is(err, fs.ErrNotExist), errors.As(err, &nowhere), ctx.Err() != nil:
	default:
		lock.isUnread = true
		l.cannotRead(syntax.NewFile(lock.path, nil), err)
	}
	return nil
}

// orNone returns a lockfile without any content read, nil if there is none.
func (p *pins) orNone() *pins {
	if !p.isUnread {
		return nil
	}
	return p
}

// parsePNPM parses what a pnpm-lock.yaml says of the project's own directories.
// Nearly all of the file follows. Since pnpm 11 there may be a document before it,
// of pnpm itself: the last one is that of the project (pnpm.io/lockfile).
func parsePNPM(f *syntax.File) (*syntax.Tree, error) {
	begin := bytes.LastIndex(f.Bytes, []byte("\n---\n")) + 1 // the mark also begins a document
	head, _, _ := bytes.Cut(f.Bytes[begin:], []byte("\npackages:"))
	tree, err := syntax.ParseYAML(syntax.NewFile(f.Path, head))
	var broken *syntax.Error
	if errors.As(err, &broken) {
		broken.Span = syntax.Span{Start: broken.Span.Start + begin, End: broken.Span.End + begin}
	}
	return tree, err
}

// parse reads a file; nil if there is none or it does not parse.
func (l *locator) parse(ctx context.Context, file string, parse func(*syntax.File) (*syntax.Tree, error)) *syntax.Node {
	read, err := l.tree.Read(ctx, file)
	if err != nil {
		return nil
	}
	tree, err := parse(syntax.NewFile(file, read.Content))
	if err != nil {
		return nil
	}
	return tree.Root
}

// membersOf returns the members of an object, none of anything else.
func membersOf(n *syntax.Node) []*syntax.Node {
	if n == nil || n.Kind != syntax.Object {
		return nil
	}
	return n.Nodes
}

// textOf returns a string's text, "" of anything else.
func textOf(n *syntax.Node) string {
	if !n.IsString() {
		return ""
	}
	return n.Text
}

// readNPM reads package-lock.json: "packages" by directory, or before npm 7
// "dependencies" by name.
func (p *pins) readNPM(root *syntax.Node) {
	const modules = "node_modules/"
	var nested []*syntax.Node
	for _, n := range membersOf(root.Get("packages")) {
		at := strings.LastIndex(n.Name, modules)
		switch {
		case n.Name == "":
		case at > 0:
			nested = append(nested, n)
		case at < 0: // a member of the workspace
			p.bring(cmp.Or(textOf(n.Get("name")), path.Base(n.Name)), n.Get("bin"))
		default:
			name := cmp.Or(textOf(n.Get("name")), n.Name[len(modules):])
			p.add(name, textOf(n.Get("version")))
			p.bring(name, n.Get("bin"))
		}
	}
	for _, n := range nested {
		dir, name, _ := strings.Cut(n.Name, "/"+modules)
		if !strings.Contains(name, modules) && !strings.HasPrefix(dir, modules) {
			p.add(place(dir, name), textOf(n.Get("version")))
		}
		p.add(n.Name[strings.LastIndex(n.Name, modules)+len(modules):], textOf(n.Get("version")))
	}
	for _, n := range membersOf(root.Get("dependencies")) {
		p.add(n.Name, textOf(n.Get("version")))
	}
}

// readPNPM reads pnpm-lock.yaml: pnpm links what a member depends on into its
// own node_modules, and nothing else.
func (p *pins) readPNPM(root *syntax.Node) {
	p.readImporter("", root)
	for _, importer := range membersOf(root.Get("importers")) {
		p.readImporter(importer.Name, importer)
	}
}

func (p *pins) readImporter(dir string, importer *syntax.Node) {
	for _, member := range []string{"dependencies", "devDependencies", "optionalDependencies"} {
		for _, n := range membersOf(importer.Get(member)) {
			version := textOf(n) // before version 6
			if n.Kind == syntax.Object {
				version = textOf(n.Get("version"))
			}
			version, _, _ = strings.Cut(version, "(") // of its peers
			version, _, _ = strings.Cut(version, "_")
			if strings.Contains(version, ":") || strings.Contains(version, "/") || strings.Contains(version, "@") {
				version = "" // a link, a tarball, an alias
			}
			p.add(place(dir, n.Name), version)
			p.bringLikely(n.Name)
		}
	}
}

// readBun reads bun.lock: "workspaces" by directory, and "packages" by place,
// each [name@version, …, {bin}, …].
func (p *pins) readBun(root *syntax.Node) {
	for _, n := range membersOf(root.Get("workspaces")) {
		if n.Name != "" {
			p.bring(textOf(n.Get("name")), n.Get("bin"))
		}
	}
	for _, n := range membersOf(root.Get("packages")) {
		if n.Kind != syntax.Array || len(n.Nodes) == 0 {
			continue
		}
		spec := textOf(n.Nodes[0])
		at := strings.LastIndexByte(spec, '@')
		if at <= 0 || spec[:at] != n.Name && !strings.HasPrefix(spec, n.Name+"@") {
			continue // nested, or an alias
		}
		version := spec[len(n.Name)+1:]
		if strings.Contains(version, ":") {
			version = "" // a member of the workspace, a file, a link
		}
		p.add(n.Name, version)
		for _, info := range n.Nodes {
			p.bring(n.Name, info.Get("bin"))
		}
	}
}

// readUV reads uv.lock: a list of packages.
func (p *pins) readUV(root *syntax.Node) {
	list := root.Get("package")
	if list == nil || list.Kind != syntax.Array {
		return
	}
	for _, n := range list.Nodes {
		version := textOf(n.Get("version"))
		if source := n.Get("source"); source.Get("registry") == nil {
			version = "" // the project itself, or a directory
		}
		p.add(textOf(n.Get("name")), version)
	}
}

// readDotnet reads a tool manifest: the tools by the package's id.
func (p *pins) readDotnet(root *syntax.Node) {
	for _, n := range membersOf(root.Get("tools")) {
		p.add(strings.ToLower(n.Name), textOf(n.Get("version")))
	}
}

// readDeno reads deno.lock: versions by request ("npm:pkg@*"), since version 4 at the top, before
// with the specifier repeated.
func (p *pins) readDeno(root *syntax.Node) {
	for _, list := range []*syntax.Node{root.Get("specifiers"), root.At("packages", "specifiers")} {
		for _, n := range membersOf(list) {
			name := n.Name
			if at := strings.LastIndexByte(name, '@'); at > len("npm:") {
				name = name[:at]
			}
			version, _, _ := strings.Cut(strings.TrimPrefix(textOf(n), name+"@"), "_") // of its peers
			p.add(strings.TrimSuffix(n.Name, "@*"), version)
		}
	}
}

// denoKey is the name in deno.lock of a requested package.
func denoKey(pkg identity.Fetched) string {
	if pkg.Version.Text == "" {
		return pkg.String()
	}
	return pkg.String() + "@" + pkg.Version.Text
}

// readYarn reads yarn.lock, of either form:
//
//	"pkg@^1.0.0", pkg@^1.1.0:        "pkg@npm:^1.0.0, pkg@npm:^1.1.0":
//	  version "1.2.3"                  version: 1.2.3
//
// Since Yarn 2 there need not be a node_modules, unless .yarnrc.yml says so.
func (l *locator) readYarn(ctx context.Context, lock *pins, d *packageDir) *pins {
	content := l.content(ctx, lock)
	if content == nil {
		return lock.orNone()
	}
	text := string(content.Bytes)
	if strings.HasPrefix(text, "__metadata:") || strings.Contains(text, "\n__metadata:") {
		settings := l.parse(ctx, path.Join(path.Dir(lock.path), ".yarnrc.yml"), syntax.ParseYAML)
		if linker := textOf(settings.Get("nodeLinker")); linker != "node-modules" && linker != "pnpm" {
			return nil
		}
	}
	for name := range d.wants {
		lock.bringLikely(name)
	}
	entry := yarnEntry{lock: lock, wants: d.wants, first: map[string]string{}}
	for line := range strings.Lines(text) {
		entry.line(strings.TrimRight(line, "\r\n"))
	}
	return lock
}

// yarnEntry reads yarn.lock line by line.
type yarnEntry struct {
	lock  *pins
	wants map[string]string // the project's own ranges by package
	first map[string]string // the first version of every package
	specs []string          // the requests of the entry: "pkg@^1.0.0"
	added bool              // an entry has one version, the first that it says
	inBin bool              // within the entry's programs
}

func (e *yarnEntry) line(line string) {
	version, isVersion := strings.CutPrefix(line, "  version")
	program, isDeep := strings.CutPrefix(line, "    ")
	switch {
	case line == "" || line[0] == '#':
	case line[0] != ' ':
		e.specs = strings.Split(strings.ReplaceAll(strings.TrimSuffix(line, ":"), `"`, ""), ", ")
		e.added = false
	case isVersion && !e.added:
		e.added = true
		e.add(strings.Trim(version, `: "`))
	case isDeep && e.inBin:
		program, _, _ = strings.Cut(strings.Trim(program, `"`), ":")
		name, _ := splitSpec(e.specs[0])
		if _, known := e.lock.programs[program]; !known {
			e.lock.programs[strings.Clone(strings.Trim(program, `"`))] = strings.Clone(name)
		}
		return
	}
	e.inBin = line == "  bin:" && len(e.specs) > 0
}

// add notes the entry. If a package has several versions, the project's node_modules has the one
// that the project asks for.
func (e *yarnEntry) add(version string) {
	for _, spec := range e.specs {
		name, asked := splitSpec(spec)
		if strings.HasPrefix(asked, "workspace:") {
			version = ""
		}
		first, known := e.first[name]
		switch {
		case name == "":
		case e.wants[name] == asked:
			e.lock.versions[strings.Clone(name)] = strings.Clone(version)
		case !known:
			e.lock.add(name, version)
		case first != version && e.wants[name] == "":
			e.lock.versions[strings.Clone(name)] = ""
		}
		if !known {
			e.first[name] = version
		}
	}
}

// splitSpec splits the request of a package: "@scope/pkg@npm:^1.0.0" is @scope/pkg and ^1.0.0.
func splitSpec(spec string) (name, asked string) {
	at := strings.IndexByte(spec[min(1, len(spec)):], '@') + 1
	if at == 0 {
		return "", ""
	}
	return spec[:at], strings.TrimPrefix(spec[at+1:], "npm:")
}
