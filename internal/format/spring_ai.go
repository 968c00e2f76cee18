package format

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// springAI are the properties of a Spring Boot application that starts or calls servers through
// Spring AI's client, one map of connections for each transport
// (docs.spring.io/spring-ai/reference/api/mcp/mcp-client-boot-starter-docs.html). mcplumb does
// not read them in a .properties file.
var springAI = &shape.Format{
	Name: "spring-ai", Scope: mcp.ScopeAgent,
	Paths: []string{
		"src/main/resources/application.yml", "src/main/resources/application.yaml",
		"src/main/resources/application-*.yml", "src/main/resources/application-*.yaml",
		"application.yml", "application.yaml", "application-*.yml", "application-*.yaml",
	},
	Keys: []string{"connections"}, Marks: []string{}, Roots: []string{},
	ReadOnly: true,
	Parse:    shape.ProbedYAML, Read: readSpringAI,
}

// readSpringAI reads the connections of every transport, in every document of a file:
// each may be for a profile.
func readSpringAI(in *shape.Input) *mcp.Document {
	var doc *mcp.Document
	for _, top := range append([]*syntax.Node{in.Tree.Root}, in.Tree.Rest...) {
		for _, key := range in.Roots() {
			r := shape.FirstRoot(top, []string{key}, in.HoldsEntries)
			if r == nil {
				continue
			}
			part := in.Rooted(r)
			for _, s := range part.Servers {
				s.Launch.Transport = springTransport(key)
				if endpoint := springEndpoint(r.Value().Get(s.Name)); endpoint != "" {
					s.Launch.URL.Text = strings.TrimRight(s.Launch.URL.Text, "/") + endpoint
					part.Embedded = true
				}
			}
			if doc == nil {
				doc = part
				continue
			}
			doc.Embedded = doc.Embedded || part.Embedded
			doc.Servers = append(doc.Servers, part.Servers...)
			doc.Duplicates = append(doc.Duplicates, part.Duplicates...)
			doc.Refusals = append(doc.Refusals, part.Refusals...)
		}
	}
	return doc
}

// springTransport returns the transport of the entries under a root key.
func springTransport(key string) string {
	switch {
	case strings.Contains(key, ".sse."):
		return "sse"
	case strings.Contains(key, ".streamable-http."):
		return "http"
	}
	return "stdio"
}

// springEndpoint returns the path that an entry has next to its address, "" for none.
func springEndpoint(entry *syntax.Node) string {
	if path := shape.Member(entry, []string{"endpoint", "sse-endpoint"}); shape.IsFilled(path) && strings.HasPrefix(path.Text, "/") {
		return path.Text
	}
	return ""
}
