package format

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// promptRegistry are the sources of prompt-registry's bundles: collections, whose servers are
// under mcp.items or, in old ones, mcpServers, and the manifests that are made of them
// (docs/author-guide/collection-schema.md).
var promptRegistry = &shape.Format{
	Name: "prompt-registry", Scope: mcp.ScopeRegistry, Paths: []string{"*.collection.yml", "deployment-manifest.yml"},
	Keys: []string{"mcpServers", "mcp"}, Marks: []string{"mcpServers", "mcp:"}, Roots: []string{"mcp.items", "mcpServers"},
	Parse: (*syntax.Parser).YAML, Read: readCollection,
}

// readCollection reads the servers of a collection, which has a schema
// (schemas/collection.schema.json), or of a manifest, which has none.
func readCollection(in *shape.Input) *mcp.Document {
	r := in.FindRoot()
	if r == nil { // its own file: an entry that looks little like a server is one with something missing
		r = shape.FirstRoot(in.Tree.Root, in.Match.Format.Roots, func(n *syntax.Node) bool { return shape.AnyEntry(n, shape.IsServer) })
	}
	if r == nil {
		return nil
	}
	doc := in.Rooted(r)
	doc.Bundle = &mcp.Bundle{Name: shape.Word(r.Nodes[0].Get("id")).Text}
	if !strings.HasSuffix(strings.ToLower(in.File.Path), ".collection.yml") {
		for _, entry := range shape.Members(r.Value()) {
			if r := withoutTarget(entry); r != nil {
				doc.Refusals = append(doc.Refusals, *shape.OfEntry(entry, r))
			}
		}
		return doc
	}
	if id := r.Nodes[0].Get("id"); id.IsString() && !isCollectionID(id.Text) {
		doc.Refusals = append(doc.Refusals, mcp.Refusal{Reason: mcp.SchemaID, Span: id.Value, Tool: collectionSchema, Got: id.Text, GoesOn: true})
	}
	for _, entry := range shape.Members(r.Value()) {
		doc.Refusals = append(doc.Refusals, refusesCollection(entry)...)
	}
	return doc
}

// withoutTarget refuses an entry of a manifest with nothing to start or to open: no
// schema would, and no client to which it is copied starts it.
func withoutTarget(entry *syntax.Node) *mcp.Refusal {
	isEmpty := func(m *syntax.Node) bool {
		return m == nil || m.Kind == syntax.Null || m.IsString() && strings.TrimSpace(m.Text) == ""
	}
	if entry.Kind != syntax.Object || shape.HasAlias(entry) || !isEmpty(entry.Get("command")) || !isEmpty(entry.Get("url")) {
		return nil
	}
	return &mcp.Refusal{Reason: mcp.MissingOneOf, Span: entry.Key, Tool: "the client that prompt-registry writes it for", Want: []string{"command", "url"}, GoesOn: true}
}

// isCollectionID reports whether a text matches ^[a-z0-9-]+$.
func isCollectionID(id string) bool {
	return (&mcp.Naming{Others: "-"}).Takes(id) && id == strings.ToLower(id)
}

// collectionSchema is the name of the check of a collection, for messages.
const collectionSchema = "prompt-registry's schema"

// refusesCollection checks an entry as the schema does. A collection with an unknown field fails
// to validate, but installs.
func refusesCollection(entry *syntax.Node) []mcp.Refusal {
	var refusals []mcp.Refusal
	if names := (mcp.Naming{Others: "-_"}); !names.Takes(entry.Name) {
		refusals = append(refusals, *shape.OfEntry(entry, &mcp.Refusal{
			Reason: mcp.SchemaName, Span: entry.Key, Tool: collectionSchema, Got: entry.Name, GoesOn: true,
		}))
	}
	if shape.HasAlias(entry) {
		return refusals
	}
	if r := refusesCollectionEntry(entry); r != nil {
		r.Tool, r.GoesOn = collectionSchema, entry.Kind == syntax.Object
		refusals = append(refusals, *shape.OfEntry(entry, r))
	}
	return refusals
}

// refusesCollectionEntry returns the first thing for which the schema refuses an
// entry, or nil.
func refusesCollectionEntry(entry *syntax.Node) *mcp.Refusal {
	if entry.Kind != syntax.Object {
		return &mcp.Refusal{Reason: mcp.EntryKind, Span: entry.Value, Kind: entry.Kind}
	}
	fields := []string{"command", "args", "env", "envFile", "url", "headers", "disabled", "type"}
	for _, m := range entry.Nodes {
		if !slices.Contains(fields, m.Name) {
			return &mcp.Refusal{Reason: mcp.UnknownMember, Span: m.Key, Member: m.Name, Want: fields}
		}
		if r := shape.UnlessOneOf(m, shape.Whole(m), mcp.TypeNotOneOf, "stdio", "http", "sse"); m.Name == "type" && r != nil {
			return r
		}
	}
	if entry.Get("command") == nil && entry.Get("url") == nil {
		return &mcp.Refusal{Reason: mcp.MissingOneOf, Span: entry.Key, Want: []string{"command", "url"}}
	}
	return nil
}
