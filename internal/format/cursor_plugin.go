package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// cursorPlugin is the manifest of a Cursor plugin, and the files of servers that it names or
// contains.
var cursorPlugin = &shape.Format{
	Name: "cursor-plugin", Scope: mcp.ScopePlugin, Paths: []string{".cursor-plugin/plugin.json"}, Dedicated: true,
	Parse: (*syntax.Parser).JSON, Read: readCursorPlugin,
}

// readCursorPlugin reads a manifest. If it does not name the place of its servers, they are in
// mcp.json next to its directory (cursor/plugins).
func readCursorPlugin(in *shape.Input) *mcp.Document { return pluginWith(in, "mcp.json") }

// pluginWith reads a manifest without servers as one that names the file of that
// name in the plugin's directory.
func pluginWith(in *shape.Input, name string) *mcp.Document {
	doc := readPlugin(in)
	if doc != nil && isManifest(in.File.Path) && doc.RootKey == "" {
		doc.Links = append(doc.Links, mcp.Link{Path: joinDir(in.Match.Dir, name)})
	}
	return doc
}

func joinDir(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}
