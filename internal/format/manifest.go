package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// manifest returns a format of plugin manifests.
func manifest(name string, paths ...string) *Format {
	return &Format{
		Name: name, Scope: mcp.ScopePlugin, Paths: paths, Dedicated: true,
		Parse: syntax.ParseJSON, Read: readPlugin,
	}
}

// cursorPlugin is the manifest of a Cursor plugin, and the files of servers
// that it names or brings along.
func cursorPlugin() *Format {
	f := manifest("cursor-plugin", ".cursor-plugin/plugin.json")
	f.Read = readCursorPlugin
	return f
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

// codexPlugin is the manifest of a Codex plugin, and the files of servers that
// it names.
func codexPlugin() *Format { return manifest("codex-plugin", ".codex-plugin/plugin.json") }

// grokPlugin is the manifest of a Grok Build plugin, and the files of servers
// that it names.
func grokPlugin() *Format { return manifest("grok-plugin", ".grok-plugin/plugin.json") }
