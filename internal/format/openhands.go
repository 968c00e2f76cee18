package format

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// openhands are OpenHands's settings. The name is one of many programs, so that
// only the lists of servers in its table mcp tell.
var openhands = &shape.Format{
	Name: "openhands", Scope: mcp.ScopeProject, Paths: []string{"config.toml"},
	Keys:  []string{"stdio_servers", "sse_servers", "shttp_servers"},
	Marks: []string{"stdio_servers", "sse_servers", "shttp_servers"}, Roots: []string{},
	Parse: (*syntax.Parser).TOML, Read: readOpenHands, Finish: finishOpenHands,
}

// openHandsLists are its lists, each with the transport of its servers.
var openHandsLists = []mcp.Type{{Word: "stdio_servers", Transport: "stdio"}, {Word: "sse_servers", Transport: "sse"}, {Word: "shttp_servers", Transport: "http"}}

// finishOpenHands chooses the list that an entry goes into, which decides its transport. A remote
// server has no name except its address.
func finishOpenHands(d *shape.Draft) {
	transport := "stdio"
	if d.Server.Launch.IsRemote() {
		if transport = d.Transport; transport == "" || !d.IsSaid {
			transport, _ = identity.TransportAtEnd(d.Server.Launch.URL.Text)
			d.RecordLoss(mcp.Chosen, listOf(transport), d.Server.Launch.URL.Span)
		}
		if d.Server.Name != d.Server.Launch.URL.Text {
			d.RecordLoss(mcp.NoName, d.Server.Name, d.Server.NameSpan)
		}
		d.Members = slices.DeleteFunc(d.Members, func(m edit.Member) bool { return m.Name == "name" })
		d.Losses = slices.DeleteFunc(d.Losses, func(l mcp.Loss) bool { return l.Reason == mcp.NotSaid })
	}
	if d.Below = listOf(transport); d.Below == "" { // web sockets
		d.Members = nil
	}
}

// listOf returns the key of the list of servers with a transport, "" if there is none.
func listOf(transport string) string {
	for _, list := range openHandsLists {
		if list.Transport == transport {
			return list.Word
		}
	}
	return ""
}

// readOpenHands reads three lists. A remote server is an address or a table
// with one, and has no name of its own.
func readOpenHands(in *shape.Input) *mcp.Document {
	table := in.Tree.Root.Get("mcp")
	doc := in.Document()
	for _, list := range openHandsLists {
		if value := table.Get(list.Word); value != nil && value.Kind == syntax.Array {
			for _, s := range openHandsServers(in, value) {
				s.Launch.Transport = list.Transport
				doc.Servers = append(doc.Servers, s)
			}
		}
	}
	if len(doc.Servers) == 0 {
		return nil
	}
	doc.RootKey, doc.Root = "mcp", table.Key
	return doc
}

func openHandsServers(in *shape.Input, list *syntax.Node) []*mcp.Server {
	var servers []*mcp.Server
	for _, n := range list.Nodes {
		name := n.Get("name")
		if !name.IsString() {
			name = n.Get("url")
		}
		switch {
		case n.Kind == syntax.String && n.Text != "":
			servers = append(servers, &mcp.Server{
				Name: n.Text, NameSpan: n.Value, Span: n.Value, Launch: identity.Launch{URL: shape.Literal(n)},
			})
		case shape.IsServer(n) && name.IsString():
			servers = append(servers, in.Entry(name.Text, name.Value, n))
		}
	}
	return servers
}
