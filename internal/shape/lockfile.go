package shape

import (
	"bytes"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// IsBlank reports whether a file has only white space.
func IsBlank(content []byte) bool {
	return len(bytes.TrimSpace(bytes.TrimPrefix(content, []byte("\ufeff")))) == 0
}

// EmptyLock returns the document of an empty lockfile. mcp-tap treats it as missing and PML as
// one without entries, both without a warning; the other tools cannot parse it.
func (in *Input) EmptyLock() *mcp.Document {
	doc := in.Document()
	doc.Refusals = []mcp.Refusal{{Reason: mcp.LockEmpty, WholeFile: true}}
	return doc
}

// LockObject returns the member of a lockfile that holds its entries, or nil. An error that makes
// the lockfile useless becomes a refusal.
func (in *Input) LockObject(doc *mcp.Document, name string) *syntax.Node {
	top := in.Tree.Root
	if top.Kind != syntax.Object {
		doc.Refusals = append(doc.Refusals, mcp.Refusal{Reason: mcp.LockKind, Span: top.Value, Kind: top.Kind})
		return nil
	}
	entries := top.Get(name)
	if entries != nil && entries.Kind != syntax.Object {
		doc.Refusals = append(doc.Refusals, mcp.Refusal{Reason: mcp.EntriesKind, Span: entries.Value, Member: name, Kind: entries.Kind})
		return nil
	}
	return entries
}

// RefusesVersion returns why a tool refuses a lockfile because of its version, a number of which
// the tool reads only one; nil if it does not.
func RefusesVersion(tool string, top, version *syntax.Node, want string) *mcp.Refusal {
	switch {
	case version == nil:
		opening := syntax.Span{Start: top.Value.Start, End: top.Value.Start + 1}
		return &mcp.Refusal{Reason: mcp.NoLockVersion, Span: opening, Tool: tool, Want: []string{want}}
	case version.Kind != syntax.Number || version.Text != want:
		return &mcp.Refusal{Reason: mcp.LockVersion, Span: version.Value, Tool: tool, Want: []string{want}}
	}
	return nil
}

// LockedObjects returns the entries of a map that are objects, and refuses every other. If a name
// is written twice, tools keep the last.
func LockedObjects(doc *mcp.Document, entries *syntax.Node) []*syntax.Node {
	var objects []*syntax.Node
	for _, node := range Members(entries) {
		if node.Kind != syntax.Object {
			doc.Refusals = append(doc.Refusals, InEntry(node, NotObject(mcp.PartEntry, node)))
			continue
		}
		objects = append(objects, node)
	}
	return objects
}

// NotObject refuses a part of a lockfile that is not an object.
func NotObject(part mcp.Part, node *syntax.Node) mcp.Refusal {
	return mcp.Refusal{Reason: mcp.PartKind, Span: node.Value, Part: part, Name: node.Name, Kind: node.Kind}
}

// LockedIdentity resolves what an entry locks. The package decides; the command adds the
// sub-command and the arguments when it runs that package. A remote server's URL is in the
// package identifier (with any registry type), or is the first URL among the arguments, if no
// program has it.
func (in *Input) LockedIdentity(entry *mcp.LockEntry, registry string) identity.Identity {
	if entry.Target.Launch.Command.Text == "" && len(entry.Target.Launch.Args) > 0 && isURL(entry.Target.Launch.Args[0].Text) {
		entry.Target.Launch.URL, entry.Target.Launch.Args = entry.Target.Launch.Args[0], nil
	}
	byCommand := identity.Resolve(&entry.Target.Launch, &in.Context)
	named := packageLaunch(entry.Target.Package, registry)
	if named == nil {
		return WithLockedVersion(byCommand, entry.Pin.Version)
	}
	byPackage := identity.Resolve(named, &in.Context)
	if byPackage.Kind == byCommand.Kind && byPackage.Name == byCommand.Name || isBridgeOf(&byPackage, &byCommand) {
		return WithLockedVersion(byCommand, entry.Pin.Version)
	}
	return WithLockedVersion(byPackage, entry.Pin.Version)
}

// isBridgeOf reports whether a package is the bridge through which a command reaches a URL: then
// the URL was locked.
func isBridgeOf(pkg, command *identity.Identity) bool {
	if command.Kind != identity.URL {
		return false
	}
	for fetched := range command.Packages() {
		if fetched.Kind == pkg.Kind && fetched.Name == pkg.Name {
			return true
		}
	}
	return false
}

// packageLaunch returns the launch that runs a package of a registry, so that its name is
// normalized where all names are; nil if there is no package.
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

// WithLockedVersion adds the version that the lockfile names, if it is one of the package:
// mcp-tap writes "latest" for a server that was locked without a version, and people write any
// text. For images the version is a tag.
func WithLockedVersion(id identity.Identity, version identity.Word) identity.Identity {
	locked := identity.VersionOf(id.Kind, identity.Word{Text: version.Text, Span: Inner(version)})
	if id.Version.Kind != identity.Exact && (locked.Kind == identity.Exact || locked.Release() != "") {
		id.Version = locked
	}
	return id
}

// MemberKind is a member and the kind that its value must have.
type MemberKind struct {
	name string
	kind syntax.Kind
}

// KindOf returns a member of a name with its kind.
func KindOf(name string, kind syntax.Kind) MemberKind { return MemberKind{name, kind} }

// WrongKinds refuses the members of a part that are present and of another kind. Null counts as
// absent.
func WrongKinds(node *syntax.Node, wanted ...MemberKind) []mcp.Refusal {
	var refusals []mcp.Refusal
	for _, want := range wanted {
		m := node.Get(want.name)
		if m == nil || m.Kind == want.kind || m.Kind == syntax.Null {
			continue
		}
		refusals = append(refusals, mcp.Refusal{
			Reason: mcp.PartMemberKind, Span: m.Value, Name: node.Name, Member: want.name, Kind: m.Kind, WantKind: want.kind,
		})
	}
	return refusals
}

// InEntry sets the entry of a lockfile that a refusal is in.
func InEntry(node *syntax.Node, r mcp.Refusal) mcp.Refusal {
	r.Server, r.Object = node.Name, node.Value
	return r
}
