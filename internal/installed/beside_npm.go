package installed

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// manifest returns what package.json says about the packages that are run: the source that any of
// its members requires, and whether they are its own.
func (st *started) manifest(dir string) decider {
	file := path.Join(dir, "package.json")
	return decider{files: []string{file}, hasMembers: true, dir: dir, read: func(ctx context.Context, in *side) []mcp.Side {
		return in.said.get(file+"\x00"+strings.Join(st.npm, "\x00"), func() []mcp.Side { return st.manifestIn(ctx, in, dir) })
	}}
}

func (st *started) manifestIn(ctx context.Context, in *side, dir string) []mcp.Side {
	file := path.Join(dir, "package.json")
	p := in.root(ctx, file)
	if p.root == nil {
		return nil
	}
	var sides []mcp.Side
	for _, member := range []string{"dependencies", "devDependencies", "optionalDependencies", "peerDependencies"} {
		for _, n := range membersOf(p.root.Get(member)) {
			if slices.Contains(st.npm, n.Name) {
				sides = append(sides, specOf(p.file, member+"."+n.Name, n))
			}
		}
	}
	sides = append(sides, st.overrides(p, p.root, "")...)
	sides = append(sides, st.overrides(p, p.root.Get("pnpm"), "pnpm.")...)
	name := textOf(p.root.Get("name"))
	programs := programsOf(name, p.root.Get("bin"))
	members := patternsOf(p.root.Get("workspaces"))
	for _, wanted := range st.npm {
		switch {
		case wanted == name:
			sides = append(sides, setting(p.file, "name", name, keyOf(p.root.Get("name"))))
		case slices.Contains(programs, wanted):
			sides = append(sides, setting(p.file, "bin", wanted, keyOf(p.root.Get("bin"))))
		}
		if len(members) > 0 && in.membersOf(ctx, dir, p)[wanted] {
			sides = append(sides, mcp.Side{
				Kind: mcp.SideFiles, Name: "the member " + wanted + " of the workspace", Means: wanted,
				File: p.file, Span: keyOf(p.root.Get("workspaces")),
			})
		}
	}
	return sides
}

// membersOf returns the packages and programs of the members of a workspace.
func (in *side) membersOf(ctx context.Context, dir string, p parsed) map[string]bool {
	return in.members.get(dir, func() map[string]bool {
		l := &locator{tree: in.tree}
		l.packages.Do(func() { l.members = manifestsOf(in.beside) })
		return l.membersOfWorkspace(ctx, dir, patternsOf(p.root.Get("workspaces")))
	})
}

// specOf returns what a manifest wants of a package. A version, a range or a tag leaves the package
// to its registry.
func specOf(file *syntax.File, name string, n *syntax.Node) mcp.Side {
	side := setting(file, name, textWritten(file, n), keyOf(n))
	if n.Kind == syntax.String && !strings.ContainsAny(strings.TrimPrefix(n.Text, "catalog:"), ":/") {
		side.Means = ""
	}
	return side
}

// overrides returns what overrides say about the packages that are run: npm's, which may be nested,
// the resolutions of Yarn, what pnpm patches.
func (st *started) overrides(p parsed, root *syntax.Node, prefix string) []mcp.Side {
	var sides []mcp.Side
	for _, member := range []string{"overrides", "resolutions", "patchedDependencies"} {
		var visit func(n *syntax.Node, name string, isBelow bool, depth int)
		visit = func(n *syntax.Node, name string, isBelow bool, depth int) {
			for _, m := range membersOf(n) {
				at := name + "." + m.Name
				isMeant := isBelow || slices.ContainsFunc(st.npm, func(pkg string) bool { return isKeyOf(m.Name, pkg) })
				switch {
				case m.Kind == syntax.Object && depth < maxDepth:
					visit(m, at, isMeant, depth+1)
				case isMeant && len(sides) < maxSides:
					sides = append(sides, specOf(p.file, at, m))
				}
			}
		}
		visit(root.Get(member), prefix+member, false, 0)
	}
	return sides
}

// isKeyOf reports whether the key of an override is that of a package: "pkg", "pkg@^1", "**/pkg",
// "parent>pkg@2".
func isKeyOf(key, pkg string) bool {
	for len(key) > 0 {
		if rest, ok := strings.CutPrefix(key, pkg); ok && (rest == "" || rest[0] == '@' || rest[0] == '>' || rest[0] == '/') {
			return true
		}
		next := strings.IndexAny(key, "/>")
		if next < 0 {
			return false
		}
		key = key[next+1:]
	}
	return false
}

// committed returns the packages that are run as far as they are committed as they are installed:
// launchers take them from there.
func (st *started) committed(dir string) decider {
	var modules []string
	for _, name := range st.npm {
		at := path.Join(dir, modulesDir)
		modules = append(modules, path.Join(at, name))
		if program := name[strings.LastIndexByte(name, '/')+1:]; program != "" {
			modules = append(modules, path.Join(at, ".bin", program), path.Join(at, ".bin", program+".cmd"))
		}
	}
	return decider{modules: modules, read: func(ctx context.Context, in *side) []mcp.Side {
		var sides []mcp.Side
		for _, module := range modules {
			if files := in.within(ctx, module); len(files) > 0 && in.isThere(ctx, module) {
				sides = append(sides, in.committedIn(ctx, module, files))
			}
		}
		return sides
	}}
}

// isThere reports whether something is at a path.
func (in *side) isThere(ctx context.Context, name string) bool {
	_, err := in.tree.Stat(ctx, name)
	return err == nil
}

// committedIn returns a package that is committed, as what its files come to.
func (in *side) committedIn(ctx context.Context, module string, files []string) mcp.Side {
	side := mcp.Side{Kind: mcp.SideFiles, Name: module}
	p := in.root(ctx, path.Join(module, "package.json"))
	if side.Of = textOf(p.root.Get("version")); p.file != nil {
		side.File, side.Span = p.file, syntax.Span{End: min(len(p.file.Bytes), 1)}
	}
	sum := sha256.New()
	for _, name := range files {
		content := in.content(ctx, name)
		sum.Write([]byte(name + "\x00"))
		one := sha256.Sum256(content)
		sum.Write(one[:])
	}
	side.Means = hex.EncodeToString(sum.Sum(nil))
	if side.File == nil && len(files) > 0 {
		side.File = syntax.NewFile(files[0], in.content(ctx, files[0]))
		side.Span = syntax.Span{End: min(len(side.File.Bytes), 1)}
	}
	return side
}

// content returns the content of a file, none where it cannot be read.
func (in *side) content(ctx context.Context, name string) []byte {
	read, err := in.tree.Read(ctx, name)
	if err != nil {
		return nil
	}
	return read.Content
}

// lockedPackage is what a lockfile says of a package.
type lockedPackage struct {
	name                                string
	version, resolved, integrity, alias spot
	// link is the directory that replaces the package.
	link spot
	// span is that of the entry.
	span syntax.Span
}

// spot is a text of a lockfile with its place.
type spot struct {
	text string
	span syntax.Span
}

// npmLock returns what the lockfiles of a directory say of the packages that are run: of those that
// are there the first that has the package, as npm takes npm-shrinkwrap.json before its other one.
func (st *started) npmLock(dir string) decider {
	var files []string
	for _, name := range npmLocks {
		files = append(files, path.Join(dir, name))
	}
	return decider{files: files, read: func(ctx context.Context, in *side) []mcp.Side {
		var sides []mcp.Side
		var hosts []string
		for _, name := range st.npm {
			for _, file := range files {
				if !in.has(file) {
					continue
				}
				lock := in.locks.get(file, func() *lockIndex { return in.index(ctx, file) })
				if lock == nil {
					continue
				}
				hosts = lock.hosts
				if found := lock.find(relative(dir, st.dir), name); found != nil {
					sides = append(sides, found.sides(lock.file)...)
					break
				}
			}
		}
		for i := range sides {
			if sides[i].Kind == mcp.SideSource {
				sides[i].Hosts = hosts
			}
		}
		if len(sides) == 0 && len(hosts) > 0 {
			sides = append(sides, mcp.Side{Kind: mcp.SideSource, Hosts: hosts})
		}
		return sides
	}}
}

// maxHosts is how many hosts of a lockfile are kept.
const maxHosts = 20

// appendHosts adds the hosts that a lockfile has packages from.
func appendHosts(hosts []string, file *syntax.File) []string {
	text := file.Text()
	for len(hosts) < maxHosts {
		_, after, found := strings.Cut(text, "https://")
		if !found {
			break
		}
		end := strings.IndexAny(after, "/\"' \n,}")
		if end < 0 {
			break
		}
		if host := after[:end]; !slices.Contains(hosts, host) {
			hosts = append(hosts, strings.Clone(host))
		}
		text = after[end:]
	}
	return hosts
}

// sides returns what a lockfile says of a package, each by itself.
func (p *lockedPackage) sides(file *syntax.File) []mcp.Side {
	said := func(kind mcp.SideKind, name string, w spot, means string) mcp.Side {
		span := w.span
		if span.IsZero() {
			span = p.span
		}
		return mcp.Side{Kind: kind, Name: name + " of " + p.name, Value: w.text, Means: means, Of: p.version.text, File: file, Span: span}
	}
	sides := []mcp.Side{said(mcp.SideHash, "integrity", p.integrity, p.integrity.text)}
	if p.link.text != "" {
		return []mcp.Side{said(mcp.SideLocked, "link", p.link, p.link.text)}
	}
	if p.alias.text != "" && p.alias.text != p.name {
		sides = append(sides, said(mcp.SideLocked, "name", p.alias, p.alias.text))
	}
	return append(sides, said(mcp.SideSource, "resolved", p.resolved, p.sourceOf()))
}

// sourceOf returns the source of a package, without its version: a host that has it under its name,
// or a URL.
func (p *lockedPackage) sourceOf() string {
	address, err := url.Parse(p.resolved.text)
	if err != nil || address.Host == "" {
		return p.resolved.text
	}
	at, _ := url.PathUnescape(address.EscapedPath())
	isCalled := func(name string) bool { return name != "" && strings.Contains(at+"/", "/"+name+"/") }
	if isCalled(p.name) || isCalled(p.alias.text) {
		return address.Scheme + "://" + address.Host
	}
	if p.version.text != "" {
		at = strings.ReplaceAll(at, p.version.text, "*")
	}
	return address.Scheme + "://" + address.Host + at
}

// lockIndex is what a lockfile of npm's family says of its packages.
type lockIndex struct {
	file  *syntax.File
	hosts []string
	// packages are by directory and name as place writes them, programs by the name of one.
	packages, programs map[string]*lockedPackage
}

// find returns what the lockfile says about a package or program, seen from a directory; nil for nothing.
func (x *lockIndex) find(dir, name string) *lockedPackage {
	for at := range mcp.Upwards(dir) {
		if p := x.packages[place(at, name)]; p != nil {
			return p
		}
	}
	if p := x.programs[name]; p != nil {
		as := *p
		as.name, as.alias = name, spot{cmp.Or(p.alias.text, p.name), p.span}
		return &as
	}
	return nil
}

// add adds a package; of one name in one directory the first counts.
func (x *lockIndex) add(dir string, p *lockedPackage) {
	if at := place(dir, p.name); x.packages[at] == nil {
		x.packages[at] = p
	}
}

// index reads a lockfile of npm's family; nil for none.
func (in *side) index(ctx context.Context, file string) *lockIndex {
	at := in.file(ctx, file)
	if at == nil {
		return nil
	}
	x := &lockIndex{file: at, hosts: appendHosts(nil, at), packages: map[string]*lockedPackage{}, programs: map[string]*lockedPackage{}}
	switch path.Base(file) {
	case "npm-shrinkwrap.json", "package-lock.json":
		x.readNPM(in.root(ctx, file).root)
	case "bun.lock":
		x.readBun(in.root(ctx, file).root)
	case "pnpm-lock.yaml":
		x.readPNPM()
	case "yarn.lock":
		x.readYarn()
	}
	return x
}

// textAt returns a string with its place.
func textAt(n *syntax.Node) spot {
	if !n.IsString() {
		return spot{}
	}
	return spot{n.Text, n.Value}
}

// readNPM reads package-lock.json: packages in node_modules of the project or of a member, with the
// programs that they bring, or before npm 7 "dependencies" by name.
func (x *lockIndex) readNPM(root *syntax.Node) {
	for _, n := range membersOf(root.Get("packages")) {
		at := strings.Index("/"+n.Name, "/"+modulesDir+"/")
		if at < 0 || strings.Contains(n.Name[at+len(modulesDir)+1:], modulesDir+"/") {
			continue
		}
		p := npmEntry(n.Name[at+len(modulesDir)+1:], n)
		x.add(strings.TrimSuffix(n.Name[:at], "/"), p)
		for _, program := range programsOf(p.name, n.Get("bin")) {
			if x.programs[program] == nil && at == 0 {
				x.programs[program] = p
			}
		}
	}
	for _, n := range membersOf(root.Get("dependencies")) {
		x.add("", npmEntry(n.Name, n))
	}
}

// npmEntry reads an entry of package-lock.json.
func npmEntry(name string, n *syntax.Node) *lockedPackage {
	p := &lockedPackage{
		name: name, version: textAt(n.Get("version")), resolved: textAt(n.Get("resolved")), integrity: textAt(n.Get("integrity")),
		alias: textAt(n.Get("name")), span: n.Key,
	}
	if isTrue(n.Get("link")) {
		p.link = p.resolved
		if p.link.text == "" {
			p.link = spot{"a directory", n.Key}
		}
	}
	return p
}

// readBun reads bun.lock: "packages" by name, each [name@version, address, {…}, integrity].
func (x *lockIndex) readBun(root *syntax.Node) {
	for _, n := range membersOf(root.Get("packages")) {
		if n.Kind != syntax.Array || len(n.Nodes) == 0 {
			continue
		}
		pkg, version := splitSpec(textOf(n.Nodes[0]))
		p := &lockedPackage{name: n.Name, version: spot{version, n.Nodes[0].Value}, span: n.Key}
		if pkg != n.Name {
			p.alias = spot{pkg, n.Nodes[0].Value}
		}
		if strings.Contains(version, ":") || strings.Contains(version, "/") {
			p.link = spot{version, n.Nodes[0].Value}
		}
		if len(n.Nodes) > 1 && strings.Contains(textOf(n.Nodes[1]), "://") {
			p.resolved = textAt(n.Nodes[1])
		}
		if len(n.Nodes) > 2 {
			p.integrity = textAt(n.Nodes[len(n.Nodes)-1])
		}
		x.add("", p)
	}
}

// readPNPM reads pnpm-lock.yaml line by line: "importers" has the version that a directory has, the
// top level before version 6, and "packages" has what that version is.
func (x *lockIndex) readPNPM() {
	var current *lockedPackage
	byKey := map[string][]*lockedPackage{}
	section, dir, key := "", "", ""
	for line := range linesOf(x.file) {
		text := line.value
		indent := len(text) - len(strings.TrimLeft(text, " "))
		name, value, _ := strings.Cut(strings.TrimSpace(text), ": ")
		name, value = strings.Trim(strings.TrimSuffix(name, ":"), `'"`), strings.Trim(strings.TrimSpace(value), `'"`)
		base := 0
		if section == "importers" {
			base = 4
		}
		switch {
		case indent == 0:
			section, dir, current = name, "", nil
		case section == "packages" && indent == 2:
			key = strings.Join(pairOf(splitPNPM(strings.TrimSuffix(strings.TrimSpace(text), ":"))), "@")
		case section == "packages":
			for _, p := range byKey[key] {
				p.resolution(text, line.span)
			}
		case section == "importers" && indent == 2:
			dir, current = strings.TrimPrefix(name, "."), nil
		case !isDependencies(section) && section != "importers":
		case indent == base+2:
			current = &lockedPackage{name: name, span: line.span}
			x.add(dir, current)
			if value != "" {
				current.reads(value, line.span)
				current.noted(byKey)
			}
		case indent == base+4 && name == "version" && current != nil:
			current.reads(value, line.span)
			current.noted(byKey)
		}
	}
}

// isDependencies reports whether a member of pnpm-lock.yaml holds what the project depends on.
func isDependencies(name string) bool {
	return name == "dependencies" || name == "devDependencies" || name == "optionalDependencies"
}

// noted notes under which key "packages" has a package.
func (p *lockedPackage) noted(byKey map[string][]*lockedPackage) {
	key := cmp.Or(p.alias.text, p.name) + "@" + p.version.text
	byKey[key] = append(byKey[key], p)
}

func pairOf(a, b string) []string { return []string{a, b} }

// resolution reads a line of what a package of pnpm-lock.yaml is.
func (p *lockedPackage) resolution(text string, span syntax.Span) {
	for _, member := range []string{"integrity", "tarball", "directory"} {
		_, after, found := strings.Cut(text, member+": ")
		if !found {
			continue
		}
		if end := strings.IndexAny(after, ",}"); end >= 0 {
			after = after[:end]
		}
		w := spot{strings.Trim(strings.TrimSpace(after), `'"`), span}
		switch member {
		case "integrity":
			p.integrity = w
		case "tarball":
			p.resolved = w
		default:
			p.link = w
		}
	}
}

// reads reads the version that an importer has: "1.0.0(peer@2)", "link:../e", "evil@1.0.0" of an
// alias, "/evil/1.0.0" before.
func (p *lockedPackage) reads(version string, span syntax.Span) {
	version, _, _ = strings.Cut(version, "(")
	switch {
	case strings.HasPrefix(version, "link:"), strings.HasPrefix(version, "file:"), strings.Contains(version, "://"):
		p.link = spot{version, span}
	case strings.ContainsAny(version, "/@"):
		pkg, of := splitPNPM(version)
		p.alias, p.version = spot{pkg, span}, spot{of, span}
	default:
		p.version = spot{version, span}
	}
}

// splitPNPM splits the key of a package: "/pkg/1.0.0", "/@scope/pkg@1.0.0(peer@2)",
// "'@scope/pkg@1.0.0'".
func splitPNPM(key string) (name, version string) {
	key = strings.TrimPrefix(strings.Trim(key, `'"`), "/")
	key, _, _ = strings.Cut(key, "(")
	at := strings.LastIndexByte(key, '@')
	if at <= 0 {
		at = strings.LastIndexByte(key, '/')
	}
	if at <= 0 {
		return key, ""
	}
	return key[:at], key[at+1:]
}

// readYarn reads yarn.lock of either form.
func (x *lockIndex) readYarn() {
	var current []*lockedPackage
	for line := range linesOf(x.file) {
		text := line.value
		switch {
		case text[0] == '#':
		case text[0] != ' ':
			current = nil
			for _, spec := range strings.Split(strings.ReplaceAll(strings.TrimSuffix(text, ":"), `"`, ""), ", ") {
				name, asked := splitSpec(spec)
				if name == "" || x.packages[name] != nil {
					continue
				}
				p := &lockedPackage{name: name, span: line.span}
				if other, _ := splitSpec(asked); other != "" && strings.Contains(spec, "npm:"+other+"@") {
					p.alias = spot{other, line.span}
				}
				x.add("", p)
				current = append(current, p)
			}
		case strings.HasPrefix(text, "  ") && !strings.HasPrefix(text, "   "):
			key, value, _ := strings.Cut(strings.TrimSpace(text), " ")
			for _, p := range current {
				p.yarnMember(strings.TrimSuffix(key, ":"), spot{strings.Trim(value, `"`), line.span})
			}
		}
	}
}

// yarnMember reads a member of an entry of yarn.lock.
func (p *lockedPackage) yarnMember(key string, w spot) {
	switch key {
	case "version":
		p.version = w
	case "resolved":
		w.text, _, _ = strings.Cut(w.text, "#")
		p.resolved = w
	case "integrity", "checksum":
		p.integrity = w
	case "resolution":
		p.resolvedBy(w)
	}
}

// resolvedBy reads where Yarn 2 and later have a package from: "pkg@npm:1.0.0" is its registry.
func (p *lockedPackage) resolvedBy(w spot) {
	pkg, from, _ := strings.Cut(w.text[min(1, len(w.text)):], "@")
	pkg = w.text[:min(1, len(w.text))] + pkg
	switch {
	case !strings.HasPrefix(from, "npm:"):
		p.link = spot{from, w.span}
	case pkg != p.name:
		p.alias = spot{pkg, w.span}
	}
}
