package format

import (
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// openhands are OpenHands's settings. The name is one of many programs, so that
// only the lists of servers in its table mcp tell.
var openhands = &Format{
	Name: "openhands", Scope: mcp.ScopeProject, Paths: []string{"config.toml"},
	Keys:  []string{"stdio_servers", "sse_servers", "shttp_servers"},
	Marks: []string{"stdio_servers", "sse_servers", "shttp_servers"}, Roots: []string{},
	Parse: (*syntax.Parser).TOML, Read: readOpenHands,
}

// readOpenHands reads three lists. A remote server is an address or a table
// with one, and has no name of its own.
func readOpenHands(in *Input) *mcp.Document {
	table := in.Tree.Root.Get("mcp")
	doc := in.document()
	for _, list := range []struct{ key, transport string }{
		{"stdio_servers", "stdio"}, {"sse_servers", "sse"}, {"shttp_servers", "http"},
	} {
		if value := table.Get(list.key); value != nil && value.Kind == syntax.Array {
			for _, s := range in.openHandsServers(value) {
				s.Launch.Transport = list.transport
				doc.Servers = append(doc.Servers, s)
			}
		}
	}
	if len(doc.Servers) == 0 {
		return nil
	}
	doc.RootKey, doc.Root = "mcp", table.Key
	doc.Duplicates = in.repeats(&root{key: "mcp", nodes: []*syntax.Node{in.Tree.Root, table}})
	return doc
}

func (in *Input) openHandsServers(list *syntax.Node) []*mcp.Server {
	var servers []*mcp.Server
	for _, n := range list.Nodes {
		name := n.Get("name")
		if !name.IsString() {
			name = n.Get("url")
		}
		switch {
		case n.Kind == syntax.String && n.Text != "":
			servers = append(servers, &mcp.Server{
				Name: n.Text, NameSpan: n.Value, Span: n.Value, Launch: identity.Launch{URL: literal(n)},
			})
		case isServer(n) && name.IsString():
			servers = append(servers, in.read([]named{{name.Text, name.Value, n}})...)
		}
	}
	return servers
}
