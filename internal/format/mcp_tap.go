package format

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// mcpTap is the lockfile of mcp-tap (felipestenzel/mcp-tap v0.6.9, lockfile
// specification 1). Its side files (mcp-tap.lock.lck, .cursor/mcp.lock) are
// empty and hold file locks; no pattern here matches them.
var mcpTap = &Format{
	Name:      "mcp-tap",
	Scope:     mcp.ScopeLock,
	Paths:     []string{"mcp-tap.lock"},
	Dedicated: true,
	Parse:     parseLockfile,
	Read:      readMCPTap,
}

// mcpTapVersion is the only lockfile_version that mcp-tap reads.
const mcpTapVersion = "1"

// parseLockfile parses JSON; a blank file is one that nobody has written yet
// and has no tree.
func parseLockfile(f *syntax.File) (*syntax.Tree, error) {
	if len(bytes.TrimSpace(f.Bytes)) == 0 {
		return &syntax.Tree{}, nil
	}
	return syntax.ParseJSON(f)
}

// readMCPTap reads a lockfile. One that mcp-tap itself would refuse locks
// nothing: it has a problem and no Lock.
func readMCPTap(in *Input) *mcp.Document {
	if in.Tree.Root == nil {
		return nil
	}
	doc := in.document()
	doc.Duplicates = in.repeats(nil)
	if in.Tree.Root.Kind != syntax.Object {
		doc.Problems = append(doc.Problems, invalidLock(in.Tree.Root.Value, "a lockfile is an object, this is %s", article(in.Tree.Root.Kind)))
		return doc
	}
	if problem := checkMCPTapVersion(in.Tree.Root); problem != nil {
		doc.Problems = append(doc.Problems, *problem)
		return doc
	}
	doc.Lock = &mcp.Lock{Tool: "mcp-tap"}
	servers := in.Tree.Root.Get("servers")
	switch {
	case servers == nil:
	case servers.Kind != syntax.Object:
		doc.Lock = nil
		doc.Problems = append(doc.Problems, invalidLock(servers.Value, "servers is an object of entries by name, this is %s", article(servers.Kind)))
	default:
		doc.Lock.EntriesSpan = servers.Key
		in.readMCPTapEntries(doc, servers)
	}
	return doc
}

// checkMCPTapVersion returns a problem unless the version is the one that
// mcp-tap reads; it takes an absent version for 0.
func checkMCPTapVersion(top *syntax.Node) *mcp.Problem {
	version := top.Get("lockfile_version")
	if version == nil {
		opening := syntax.Span{Start: top.Value.Start, End: top.Value.Start + 1}
		p := invalidLock(opening, "lockfile_version is missing: mcp-tap reads only version %s", mcpTapVersion)
		return &p
	}
	if version.Kind != syntax.Number || version.Text != mcpTapVersion {
		p := invalidLock(version.Value, "unsupported lockfile version: mcp-tap reads only version %s", mcpTapVersion)
		return &p
	}
	return nil
}

func invalidLock(span syntax.Span, format string, args ...any) mcp.Problem {
	return mcp.Problem{Kind: mcp.InvalidLock, Span: span, Message: fmt.Sprintf(format, args...)}
}

func (in *Input) readMCPTapEntries(doc *mcp.Document, servers *syntax.Node) {
	for _, node := range lockedObjects(doc, servers) {
		entry := in.mcpTapEntry(node)
		entry.Document = doc
		doc.Lock.Entries = append(doc.Lock.Entries, entry)
	}
}

// lockedObjects returns the entries of a map that are objects; every other is a
// problem of the document. Of a name written twice tools keep the last.
func lockedObjects(doc *mcp.Document, entries *syntax.Node) []*syntax.Node {
	last := make(map[string]*syntax.Node, len(entries.Nodes))
	for _, node := range entries.Nodes {
		last[node.Name] = node
	}
	var objects []*syntax.Node
	for _, node := range entries.Nodes {
		switch {
		case last[node.Name] != node:
		case node.Kind == syntax.Object:
			objects = append(objects, node)
		default:
			problem := invalidLock(node.Value, "the entry %q is an object, this is %s", node.Name, article(node.Kind))
			problem.Server = node.Name
			doc.Problems = append(doc.Problems, problem)
		}
	}
	return objects
}

// mcpTapEntry reads one entry. Every field may be missing; the reader's
// defaults are those of mcp-tap.
func (in *Input) mcpTapEntry(node *syntax.Node) *mcp.LockEntry {
	config := node.Get("config")
	entry := &mcp.LockEntry{
		Name: node.Name, NameSpan: node.Key,
		Package:    word(node.Get("package_identifier")),
		Version:    word(node.Get("version")),
		Integrity:  word(node.Get("integrity")),
		ToolsHash:  word(node.Get("tools_hash")),
		Repository: word(node.Get("repository_url")).Text,
		Launch: identity.Launch{
			Command: word(config.Get("command")),
			Args:    words(config.Get("args")),
		},
		Tools: texts(node.Get("tools")),
	}
	registry := "npm"
	if n := node.Get("registry_type"); n.IsString() {
		registry = n.Text
	}
	entry.Identity = in.lockedIdentity(entry, registry)
	return entry
}

// lockedIdentity resolves what an entry locks. The package decides; the command
// adds the sub-command and the arguments when it runs that package. A remote
// server's URL stands in the package identifier (whatever the registry type
// says), or is the first URL among the arguments, where no program has it.
func (in *Input) lockedIdentity(entry *mcp.LockEntry, registry string) identity.Identity {
	if entry.Launch.Command.Text == "" && len(entry.Launch.Args) > 0 && isURL(entry.Launch.Args[0].Text) {
		entry.Launch.URL, entry.Launch.Args = entry.Launch.Args[0], nil
	}
	byCommand := identity.Resolve(&entry.Launch, in.context)
	named := packageLaunch(entry.Package, registry)
	if named == nil {
		return withLockedVersion(byCommand, entry.Version)
	}
	byPackage := identity.Resolve(named, in.context)
	if byPackage.Kind == byCommand.Kind && byPackage.Name == byCommand.Name {
		return withLockedVersion(byCommand, entry.Version)
	}
	return withLockedVersion(byPackage, entry.Version)
}

// packageLaunch returns the launch that runs a package of a registry, so that
// its name is normalised where all names are; nil if there is no package.
func packageLaunch(name identity.Word, registry string) *identity.Launch {
	run := func(program string, args ...string) *identity.Launch {
		launch := &identity.Launch{Command: identity.Word{Text: program}}
		for _, arg := range args {
			launch.Args = append(launch.Args, identity.Word{Text: arg})
		}
		launch.Args = append(launch.Args, name)
		return launch
	}
	switch text := strings.TrimSpace(name.Text); {
	case text == "":
		return nil
	case isURL(text):
		return &identity.Launch{URL: identity.Word{Text: text, Span: name.Span}}
	}
	switch registry {
	case "npm":
		return run("npx", "-y")
	case "pypi":
		return run("uvx")
	case "oci":
		return run("docker", "run", "-i", "--rm")
	case "smithery":
		return run("npx", "-y", "@smithery/cli", "run")
	}
	return nil
}

// isURL is mcp-tap's test for a remote server.
func isURL(text string) bool {
	return strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "http://")
}

// withLockedVersion adds the version that the lockfile names, if it is one:
// mcp-tap writes "latest" for a server that was locked without.
func withLockedVersion(id identity.Identity, version identity.Word) identity.Identity {
	if id.Version.Kind != identity.Exact && version.Text != "" && version.Text != "latest" {
		id.Version = identity.Version{Kind: identity.Exact, Text: version.Text, Span: inner(version)}
	}
	return id
}

// inner returns the span of a word without its quotes.
func inner(w identity.Word) syntax.Span {
	if w.Span.End-w.Span.Start == len(w.Text)+2 {
		return syntax.Span{Start: w.Span.Start + 1, End: w.Span.End - 1}
	}
	return w.Span
}

// word returns a string value; null and other kinds have no text.
func word(n *syntax.Node) identity.Word {
	if n == nil {
		return identity.Word{}
	}
	if n.Kind != syntax.String {
		return identity.Word{Span: n.Value}
	}
	return identity.Word{Text: n.Text, Span: n.Value}
}

// words returns the strings of a list.
func words(n *syntax.Node) []identity.Word {
	if n == nil || n.Kind != syntax.Array {
		return nil
	}
	var list []identity.Word
	for _, item := range n.Nodes {
		if item.IsString() {
			list = append(list, word(item))
		}
	}
	return list
}

// texts returns the strings of a list without their places.
func texts(n *syntax.Node) []string {
	var list []string
	for _, w := range words(n) {
		list = append(list, w.Text)
	}
	return list
}
