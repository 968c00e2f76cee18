package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// librechat is LibreChat's configuration. Only the root key at the top holds
// servers; interface.mcpServers are rights of its users.
var librechat = &Format{
	Name: "librechat", Scope: mcp.ScopeAgent,
	Paths: []string{"librechat.yaml", "librechat.yml", "librechat.*.yaml", "librechat.*.yml"},
	Keys:  []string{"mcpServers"}, Marks: []string{"mcpServers"}, Roots: []string{},
	Parse: (*syntax.Parser).YAML, Read: readLibreChat,
}

// readLibreChat reads the servers, and their names in the presets of models.
func readLibreChat(in *Input) *mcp.Document {
	doc := readServers(in)
	specs := in.Tree.Root.At("modelSpecs", "list")
	if doc == nil || specs == nil {
		return doc
	}
	for _, spec := range specs.Nodes {
		list := spec.Get("mcpServers")
		if list == nil || list.Kind != syntax.Array {
			continue
		}
		for _, n := range list.Nodes {
			if n.IsString() {
				doc.References = append(doc.References, in.nameIn(n.Value, n.Text, 0, len(n.Text))...)
			}
		}
	}
	return doc
}
