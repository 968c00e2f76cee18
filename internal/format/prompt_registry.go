package format

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// promptRegistry are the sources of prompt-registry's bundles: collections,
// whose servers stand under mcp.items or, in old ones, mcpServers, and the
// manifests that are made of them (docs/author-guide/collection-schema.md).
var promptRegistry = &Format{
	Name: "prompt-registry", Scope: mcp.ScopeRegistry, Paths: []string{"*.collection.yml", "deployment-manifest.yml"},
	Keys: []string{"mcpServers", "mcp:"}, Marks: []string{"mcpServers", "mcp:"}, Roots: []string{"mcp.items", "mcpServers"},
	Parse: syntax.ParseYAML, Read: readCollection,
}

// readCollection reads the servers of a collection, which has a schema
// (schemas/collection.schema.json), or of a manifest, which has none.
func readCollection(in *Input) *mcp.Document {
	r := in.findRoot()
	if r == nil {
		return nil
	}
	doc := in.rooted(r)
	doc.Bundle = &mcp.Bundle{Name: word(r.nodes[0].Get("id")).Text}
	if !strings.HasSuffix(strings.ToLower(in.File.Path), ".collection.yml") {
		return doc
	}
	if id := r.nodes[0].Get("id"); id.IsString() && !isCollectionID(id.Text) {
		doc.Problems = append(doc.Problems, collectionName(id.Value, "the id %q: it takes only lower-case letters, digits and hyphens", id.Text))
	}
	for _, entry := range members(r.value()) {
		doc.Problems = append(doc.Problems, collectionProblems(entry)...)
	}
	return doc
}

// isCollectionID reports whether a text matches ^[a-z0-9-]+$.
func isCollectionID(id string) bool {
	return (&mcp.Naming{Others: "-"}).Takes(id) && id == strings.ToLower(id)
}

// collectionProblems judges an entry as the schema does. With a field that it
// does not know a collection fails to validate, and installs all the same.
func collectionProblems(entry *syntax.Node) []mcp.Problem {
	var problems []mcp.Problem
	if names := (mcp.Naming{Others: "-_"}); !names.Takes(entry.Name) {
		problems = append(problems, inEntry(entry, collectionName(entry.Key, "the name %q: it takes only letters, digits, hyphens and underscores", entry.Name)))
	}
	if hasAlias(entry) {
		return problems
	}
	if r := refusesCollectionEntry(entry); r != nil {
		problems = append(problems, mcp.Problem{
			Kind: mcp.InvalidServer, Server: entry.Name, Span: r.span, Minor: entry.Kind == syntax.Object,
			Message: fmt.Sprintf("prompt-registry's schema refuses %q: %s", entry.Name, r.why),
		})
	}
	return problems
}

func collectionName(span syntax.Span, format string, args ...any) mcp.Problem {
	return mcp.Problem{
		Kind: mcp.InvalidName, Span: span, Minor: true,
		Message: fmt.Sprintf("prompt-registry's schema refuses "+format, args...),
	}
}

// refusesCollectionEntry returns the first thing for which the schema refuses an
// entry, or nil.
func refusesCollectionEntry(entry *syntax.Node) *refusal {
	if entry.Kind != syntax.Object {
		return &refusal{entry.Value, fmt.Sprintf("an entry is an object, this is %s", article(entry.Kind))}
	}
	for _, m := range entry.Nodes {
		switch m.Name {
		case "command", "args", "env", "envFile", "url", "headers", "disabled":
		case "type":
			if !slices.Contains([]string{"stdio", "http", "sse"}, m.Text) {
				return &refusal{whole(m), "the type is one of stdio, http and sse"}
			}
		default:
			return &refusal{m.Key, fmt.Sprintf("it knows no field %q", m.Name)}
		}
	}
	if entry.Get("command") == nil && entry.Get("url") == nil {
		return &refusal{entry.Key, "it has neither a command nor a url"}
	}
	return nil
}
