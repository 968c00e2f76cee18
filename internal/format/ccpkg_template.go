package format

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// ccpkgTemplate is the servers that an installed package adds, where packages are unpacked and
// committed.
var ccpkgTemplate = &shape.Format{
	Name: "ccpkg-template", Scope: mcp.ScopePlugin,
	Paths:     []string{".ccpkg/plugins/*/mcp/.mcp.json", ".ccpkg/plugins/*/.mcp.json"},
	Dedicated: true, Roots: []string{"mcpServers"}, Parse: (*syntax.Parser).JSON, Read: readCCPkgTemplate,
}

// readCCPkgTemplate reads the servers of an installed package.
func readCCPkgTemplate(in *shape.Input) *mcp.Document {
	root := in.Tree.Root.Get("mcpServers")
	if root == nil || root.Kind != syntax.Object {
		return nil
	}
	doc := in.Document()
	doc.Duplicates = in.Repeats(nil)
	doc.RootKey, doc.Root = "mcpServers", root.Key
	doc.Servers = in.Servers(root)
	doc.Bundle = &mcp.Bundle{Name: packageOf(in.File.Path)}
	for _, node := range shape.Members(root) {
		if origin := originOf(node); origin.Text != "" {
			d := mcp.Declaration{Name: node.Name, NameSpan: node.Key, Origin: readOrigin(in, origin), Checksum: shape.Word(node.Get("checksum"))}
			d.Version = d.Origin.Version
			if version := shape.Word(node.Get("version")); version.Text != "" {
				d.Version = identity.Version{Kind: identity.Exact, Text: version.Text, Span: shape.Inner(version)}
			}
			doc.Bundle.Declares = append(doc.Bundle.Declares, d)
			if source := node.Get("source"); source.IsString() {
				doc.Hashed = append(doc.Hashed, mcp.Hashed{
					Name: node.Name, NameSpan: node.Key, ID: doc.Bundle.Name + "#" + node.Name, Of: doc.Bundle.Name,
					Pin: mcp.Pin{Version: identity.Word{Text: d.Version.Text, Span: d.Version.Span}, Integrity: d.Checksum},
				})
			}
		}
		if r := refusesMode(node); r != nil {
			doc.Refusals = append(doc.Refusals, *shape.OfEntry(node, r))
		}
	}
	return doc
}

// packageOf returns the directory below .ccpkg/plugins that a path leads
// through: the package's name.
func packageOf(file string) string {
	segments := strings.Split(file, "/")
	for i := len(segments) - 2; i > 0; i-- {
		if strings.EqualFold(segments[i-1], "plugins") {
			return segments[i]
		}
	}
	return ""
}

// modes are the members of which a template's entry has exactly one (specification of 2026-02-22,
// MCP Servers).
var modes = []string{"command", "bundle", "source"}

// refusesMode checks how an entry of a template starts its server. An entry with an address goes
// into client files unchanged.
func refusesMode(node *syntax.Node) *mcp.Refusal {
	if node.Kind != syntax.Object {
		return &mcp.Refusal{Reason: mcp.EntryKind, Span: node.Key, Tool: "ccpkg", Kind: node.Kind}
	}
	var has []*syntax.Node
	for _, mode := range modes {
		if m := node.Get(mode); shape.IsGiven(m) {
			has = append(has, m)
		}
	}
	switch {
	case len(has) > 1:
		return &mcp.Refusal{Reason: mcp.EitherTarget, Span: has[1].Key, Tool: "ccpkg", Member: has[1].Name, Other: has[0].Name}
	case len(has) == 0 && !shape.IsGiven(node.Get("url")):
		return &mcp.Refusal{Reason: mcp.MissingOneOf, Span: node.Key, Tool: "ccpkg", Want: modes}
	}
	return refusesSource(node)
}

// refusesSource checks a server that is fetched when its package is installed: over https, and
// with a checksum.
func refusesSource(node *syntax.Node) *mcp.Refusal {
	source, sum := node.Get("source"), node.Get("checksum")
	switch {
	case !source.IsString() || hasVariable(source.Text):
		return nil
	case !hasPrefix(source.Text, "https://"):
		return &mcp.Refusal{Reason: mcp.URLScheme, Span: source.Value, Tool: "ccpkg", Member: source.Name, Got: source.Text, Want: []string{"https://"}}
	case sum == nil || sum.Kind == syntax.Null:
		return &mcp.Refusal{Reason: mcp.MissingMember, Span: node.Key, Tool: "ccpkg", Member: "checksum"}
	case sum.IsString() && !isCCPkgChecksum(sum.Text):
		return &mcp.Refusal{Reason: mcp.ChecksumForm, Span: sum.Value, Name: node.Name, Member: sum.Name, Got: sum.Text}
	}
	return nil
}

// originOf writes the origin of a declared server, as the lockfile does. A command has no span of
// its own, because its text is composed.
func originOf(node *syntax.Node) identity.Word {
	if command := node.Get("command"); command.IsString() {
		list := []string{command.Text}
		return identity.Word{Text: "command::" + strings.Join(append(list, shape.Texts(node.Get("args"))...), " ")}
	}
	if bundle := node.Get("bundle"); bundle.IsString() {
		path := shape.Word(bundle)
		// The prefix is ccpkg's: without it the text would not fill its quotes.
		return identity.Word{Text: "bundle::" + path.Text, Span: path.Span}
	}
	return shape.Word(node.Get("source"))
}
