package format

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// serverJSON is the manifest with which a server is published in the MCP registry
// (modelcontextprotocol/registry docs/server-json). Every package and remote of
// it is a way to run one server.
var serverJSON = &shape.Format{
	Name: "server-json", Scope: mcp.ScopeRegistry, Paths: []string{"server.json", ".mcp/server.json"},
	Keys:  []string{"registryType", "registry_type", "registry_name", "remotes"},
	Marks: []string{"static.modelcontextprotocol.io"},
	Roots: []string{},
	Parse: (*syntax.Parser).JSON, Read: readServerJSON,
}

// readServerJSON reads the packages and remotes of a manifest, each as the server that it
// publishes. One that occurs twice (two transports of one address) is one server.
func readServerJSON(in *shape.Input) *mcp.Document {
	name := in.Tree.Root.Get("name")
	if !name.IsString() || !strings.Contains(name.Text, "/") && !followsSchema(in.Tree.Root) {
		return nil // the names of the registry have a namespace
	}
	doc := in.Document()
	doc.Publishes, doc.Manifest = true, publication(in)
	seen := map[string]bool{}
	for _, key := range []string{"packages", "remotes"} {
		list := in.Tree.Root.Get(key)
		if list == nil || list.Kind != syntax.Array {
			continue
		}
		for _, n := range list.Nodes {
			doc.Refusals = append(doc.Refusals, refusesPublished(in.Tree.Root, key, n)...)
			launch, id := publishedLaunch(n)
			if key == "remotes" {
				launch, id = remoteLaunch(n)
			}
			if id == "" || seen[id] {
				continue
			}
			seen[id] = true
			s := &mcp.Server{Name: name.Text, NameSpan: name.Value, Span: n.Value, Launch: launch}
			s.EnsureExtra().Requires = requiredOf(n)
			s.EnsureExtra().Repository = shape.Word(in.Tree.Root.At("repository", "url")).Text
			s.EnsureExtra().Description = shape.Word(in.Tree.Root.Get("description")).Text
			doc.Servers = append(doc.Servers, s)
			if doc.RootKey == "" {
				doc.RootKey, doc.Root = key, list.Key
			}
		}
	}
	doc.Hashed = publishedHashes(in.Tree.Root.Get("packages"))
	if len(doc.Servers) == 0 && len(doc.Manifest.Packages) == 0 && len(doc.Hashed) == 0 {
		return nil
	}
	return doc
}

// transports are those that the MCP registry accepts (pkg/model/constants.go, 2025-12).
var transports = []string{"stdio", "streamable-http", "sse"}

// refusesPublished checks a package or remote of a manifest by what the registry accepts. Other
// schemas than its own have other words, and the registry adds types of packages.
func refusesPublished(top *syntax.Node, list string, n *syntax.Node) []mcp.Refusal {
	if !followsSchema(top) {
		return nil
	}
	var refusals []mcp.Refusal
	refuse := func(reason mcp.Reason, m *syntax.Node, want ...string) {
		refusals = append(refusals, mcp.Refusal{
			Reason: reason, Span: m.Value, Server: top.Get("name").Text, Tool: "the MCP registry", Member: m.Name, Got: m.Text, Want: want, GoesOn: true,
		})
	}
	if kind := n.Get("registryType"); kind.IsString() && kind.Text == "docker" {
		refuse(mcp.NotOneOf, kind, "oci")
	}
	transport, takes := n.At("transport", "type"), transports
	if list == "remotes" {
		transport, takes = n.Get("type"), transports[1:]
	}
	if shape.IsFilled(transport) && !slices.Contains(takes, transport.Text) {
		refuse(mcp.UnknownType, transport, takes...)
	}
	return refusals
}

// requiredOf returns the variables and headers of a package or remote for which every user must
// give a value: those that are required and have neither a value nor a default.
func requiredOf(n *syntax.Node) []mcp.Required {
	var required []mcp.Required
	for _, list := range []struct {
		names    []string
		isHeader bool
	}{{[]string{"environmentVariables", "environment_variables"}, false}, {[]string{"headers"}, true}} {
		of := shape.Member(n, list.names)
		if of == nil || of.Kind != syntax.Array {
			continue
		}
		for _, input := range of.Nodes {
			is := shape.Member(input, []string{"isRequired", "is_required"})
			isRequired := is != nil && is.Kind == syntax.Bool && is.Text == "true"
			if isRequired && shape.IsFilled(input.Get("name")) && !shape.IsGiven(input.Get("value")) && !shape.IsGiven(input.Get("default")) {
				required = append(required, mcp.Required{Name: shape.Word(input.Get("name")), IsHeader: list.isHeader})
			}
		}
	}
	return required
}

// publishedHashes returns the packages with the hashes of their files, which clients compare with
// what they download (server.schema.json of 2025-12-11, fileSha256).
func publishedHashes(packages *syntax.Node) []mcp.Hashed {
	if packages == nil || packages.Kind != syntax.Array {
		return nil
	}
	var hashed []mcp.Hashed
	isFilledAny := false
	for _, n := range packages.Nodes {
		kind, id := packageWords(n)
		if !shape.IsFilled(kind) || !shape.IsFilled(id) {
			continue
		}
		h := mcp.Hashed{
			Name: id.Text, NameSpan: id.Value, ID: kind.Text + ":" + id.Text,
			Pin: mcp.Pin{Version: shape.Word(n.Get("version")), Integrity: shape.Word(n.Get("fileSha256"))},
		}
		hashed, isFilledAny = append(hashed, h), isFilledAny || kind.Text == "mcpb" || h.Pin.Integrity.Text != ""
	}
	if !isFilledAny {
		return nil
	}
	return hashed
}

// publication returns how a manifest describes the server as a whole. It leaves out packages of
// unknown kinds.
func publication(in *shape.Input) *mcp.Manifest {
	top := in.Tree.Root
	m := describe(top)
	m.Repository, m.Subfolder = shape.Word(top.At("repository", "url")).Text, shape.Word(top.At("repository", "subfolder")).Text
	if list := top.Get("packages"); list != nil && list.Kind == syntax.Array {
		for _, n := range list.Nodes {
			kind, id := packageWords(n)
			if p := publishedPackage(kind, id, shape.Word(n.Get("version"))); p.Kind != "" {
				m.Packages = append(m.Packages, p)
			}
		}
	}
	return m
}

// describe returns how a manifest of any kind describes itself.
func describe(top *syntax.Node) *mcp.Manifest {
	return &mcp.Manifest{Name: shape.Word(top.Get("name")), Version: shape.Word(top.Get("version"))}
}

// packageWords returns the kind and the identifier of a package, by all the names that
// schemas of the registry have had for them.
func packageWords(n *syntax.Node) (kind, id *syntax.Node) {
	return shape.Member(n, []string{"registryType", "registry_type", "registry_name"}), shape.Member(n, []string{"identifier", "name"})
}

// publishedPackage returns a package of a manifest, without a kind if the kind is unknown. The
// tag of an image is its version, in either of the two places where it may be.
func publishedPackage(kind, id *syntax.Node, version identity.Word) mcp.PublishedPackage {
	if !shape.IsFilled(kind) || !shape.IsFilled(id) {
		return mcp.PublishedPackage{}
	}
	p := mcp.PublishedPackage{Name: id.Text, Identifier: shape.Word(id), Version: version}
	switch kind.Text {
	case "npm":
		p.Kind = identity.NPM
	case "pypi":
		p.Kind, p.Name = identity.PyPI, identity.PyPIName(id.Text)
	case "cargo":
		p.Kind = mcp.Cargo
	case "oci", "docker":
		p.Kind = identity.OCI
		name, tag := cutTag(p.Identifier)
		if p.Name = name; tag.Text != "" {
			p.Version = tag
		}
	}
	return p
}

// cutTag splits the tag off the name of an image: the part after the last colon of its last
// segment. The tag of an image with a digest does not count.
func cutTag(image identity.Word) (name string, tag identity.Word) {
	at := strings.LastIndexByte(image.Text, ':')
	if strings.Contains(image.Text, "@") || at < strings.LastIndexByte(image.Text, '/') || at < 0 {
		return image.Text, identity.Word{}
	}
	span := shape.Inner(image)
	if span.End-span.Start != len(image.Text) {
		return image.Text[:at], identity.Word{Text: image.Text[at+1:], Span: image.Span} // with escapes
	}
	return image.Text[:at], identity.Word{Text: image.Text[at+1:], Span: syntax.Span{Start: span.Start + at + 1, End: span.End}}
}

// followsSchema reports whether a file says that it follows the registry's schema.
func followsSchema(top *syntax.Node) bool {
	schema := top.Get("$schema")
	return schema.IsString() && strings.HasPrefix(schema.Text, "https://static.modelcontextprotocol.io/schemas/")
}

// publishedLaunch returns how a package is run, with the implied words at the place of its
// identifier.
func publishedLaunch(n *syntax.Node) (identity.Launch, string) {
	kind, id := packageWords(n)
	if !shape.IsFilled(kind) || !shape.IsFilled(id) {
		return identity.Launch{}, ""
	}
	version := ""
	if n := n.Get("version"); shape.IsFilled(n) {
		version = n.Text
	}
	words := mcp.PublishedCommand(kind.Text, id.Text, version)
	if words == nil {
		return identity.Launch{}, ""
	}
	word := func(text string) identity.Word { return identity.Word{Text: text, Span: id.Value} }
	launch := identity.Launch{Command: word(words[0]), Transport: "stdio"}
	for _, arg := range words[1:] {
		launch.Args = append(launch.Args, word(arg))
	}
	return launch, kind.Text + " " + id.Text
}

func remoteLaunch(n *syntax.Node) (identity.Launch, string) {
	url := n.Get("url")
	if !shape.IsFilled(url) {
		return identity.Launch{}, ""
	}
	launch := identity.Launch{URL: shape.Literal(url)}
	if word := shape.Member(n, []string{"type", "transport_type"}); word.IsString() {
		launch.Transport = shape.TransportOf(word.Text)
	}
	return launch, url.Text
}
