package format

import (
	"path"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// claudeMarketplace lists the plugins that people may install from a repository
// (code.claude.com/docs/en/plugin-marketplaces).
var claudeMarketplace = &shape.Format{
	Name: "claude-marketplace", Scope: mcp.ScopeRegistry, Paths: []string{".claude-plugin/marketplace.json"},
	Keys: []string{"plugins"}, Marks: []string{}, Roots: []string{}, ReadOnly: true,
	Parse: (*syntax.Parser).JSON, Read: readMarketplace,
}

// readMarketplace reads the entries of plugins that the repository holds itself, as far as
// they say a version, and the servers in any of them. One that is not strict is all that
// there is of its plugin.
func readMarketplace(in *shape.Input) *mcp.Document {
	top := in.Tree.Root
	list := top.Get("plugins")
	if list == nil || list.Kind != syntax.Array {
		return nil
	}
	root := shape.Word(top.At("metadata", "pluginRoot")).Text
	m := describe(top)
	var servers []*mcp.Server
	for _, n := range list.Nodes {
		if own := n.Get("mcpServers"); own != nil && own.Kind == syntax.Object {
			servers = append(servers, in.Servers(own)...)
		}
		source, version, strict := n.Get("source"), n.Get("version"), n.Get("strict")
		if !shape.IsFilled(source) || !shape.IsFilled(version) || strict != nil && strict.Text == "false" {
			continue
		}
		if !strings.HasPrefix(source.Text, "./") && root == "" {
			continue
		}
		dir := path.Join(in.Match.Dir, root, source.Text)
		if dir == ".." || strings.HasPrefix(dir, "../") || path.IsAbs(dir) {
			continue
		}
		m.Entries = append(m.Entries, mcp.ListedPlugin{Name: shape.Word(n.Get("name")), Version: shape.Word(version), Dir: dir})
	}
	if len(m.Entries) == 0 && len(servers) == 0 {
		return nil
	}
	doc := in.Document()
	doc.Servers = servers
	for _, s := range servers {
		s.EnsureExtra().Apart = true // each plugin has its own
	}
	if len(m.Entries) > 0 {
		doc.Manifest = m
	}
	return doc
}
