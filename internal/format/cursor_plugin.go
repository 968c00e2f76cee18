package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// cursorPlugin is the manifest of a Cursor plugin, and the files of servers
// that it names or brings along.
var cursorPlugin = &Format{
	Name: "cursor-plugin", Scope: mcp.ScopePlugin, Paths: []string{".cursor-plugin/plugin.json"}, Dedicated: true,
	Parse: (*syntax.Parser).JSON, Read: readCursorPlugin,
}

// readCursorPlugin reads a manifest. One that does not say where its servers
// are has them in mcp.json beside its directory (cursor/plugins).
func readCursorPlugin(in *Input) *mcp.Document {
	doc := readPlugin(in)
	if doc != nil && isManifest(in.File.Path) && doc.RootKey == "" {
		doc.Links = append(doc.Links, mcp.Link{Path: joinDir(in.Match.Dir, "mcp.json")})
	}
	return doc
}

func joinDir(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}
