package format

import (
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// holodeckConfig are HoloDeck's settings next to an agent, or those of a home directory, with
// servers for every agent (models/config.py, GlobalConfig).
var holodeckConfig = &shape.Format{
	Name: "holodeck-config", Scope: mcp.ScopeAgent,
	Paths: []string{"config.yml", "config.yaml", ".holodeck/config.yml", ".holodeck/config.yaml"},
	Keys:  []string{"mcp_servers"}, Marks: []string{"registry_name", "type: mcp"}, OwnDirs: []string{holodeckDir}, Roots: []string{},
	ReadOnly: true,
	Parse:    (*syntax.Parser).YAML, Read: readHolodeckConfig,
}

// holodeckDir is the directory that only HoloDeck uses.
const holodeckDir = ".holodeck"

// readHolodeckConfig reads settings. A config.yaml with mcp_servers may belong
// to any program: outside of .holodeck one entry has to say that it is of the
// type mcp, or from the registry.
func readHolodeckConfig(in *shape.Input) *mcp.Document {
	list := in.Tree.Root.Get("mcp_servers")
	if list == nil || list.Kind != syntax.Array {
		return nil
	}
	certain := strings.EqualFold(path.Base(path.Dir(in.File.Path)), holodeckDir)
	var servers []*syntax.Node
	for _, n := range list.Nodes {
		if n.Kind != syntax.Object {
			continue
		}
		kind := n.Get("type")
		certain = certain || kind.IsString() && kind.Text == "mcp" || n.Get("registry_name").IsString()
		servers = append(servers, n)
	}
	if !certain || len(servers) == 0 {
		return nil
	}
	doc := holodeckDocument(in, "mcp_servers", list, servers)
	for _, m := range in.Tree.Root.Nodes {
		if !slices.Contains(holodeckSettings(), m.Name) && m.Name != "<<" {
			doc.Refusals = append(doc.Refusals, mcp.Refusal{
				Reason: mcp.UnknownSetting, Span: m.Key, Member: m.Name, Want: holodeckSettings(), Clients: in.Clients(), WholeFile: true,
			})
		}
	}
	return doc
}

// holodeckSettings are the members that settings may have; with any other HoloDeck
// reads none of them.
func holodeckSettings() []string {
	return []string{"providers", "vectorstores", "execution", "deployment", "mcp_servers"}
}
