package format

import (
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// librechat is LibreChat's configuration. Only the root key at the top holds
// servers; interface.mcpServers are rights of its users.
var librechat = &shape.Format{
	Name: "librechat", Scope: mcp.ScopeAgent,
	Paths: []string{"librechat.yaml", "librechat.yml", "librechat.*.yaml", "librechat.*.yml", "librechat-*.yaml", "librechat-*.yml"},
	Keys:  []string{"mcpServers"}, Marks: []string{"mcpServers"}, Roots: []string{},
	Parse: (*syntax.Parser).YAML, Read: readLibreChat, Begin: beginLibreChat,
}

// beginLibreChat returns the version of the settings, because LibreChat accepts none without one
// (packages/data-provider/src/config.ts, configSchema and CONFIG_VERSION): for an older version
// it asks for an update.
func beginLibreChat(string) []edit.Member {
	return []edit.Member{{Name: "version", Value: edit.String("1.3.17")}}
}

// readLibreChat reads the servers, and their names in the presets of models.
func readLibreChat(in *shape.Input) *mcp.Document {
	doc := shape.ReadServers(in)
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
				doc.References = append(doc.References, in.NameIn(n.Value, n.Text, 0, len(n.Text))...)
			}
		}
	}
	return doc
}
