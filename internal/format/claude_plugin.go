package format

import (
	"path"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// claudePlugin is the manifest of a Claude Code plugin, and the files of servers that it names or
// contains.
var claudePlugin = &shape.Format{
	Name:      "claude-plugin",
	Scope:     mcp.ScopePlugin,
	Paths:     []string{".claude-plugin/plugin.json"},
	Dedicated: true,
	Parse:     (*syntax.Parser).JSON,
	Read:      readPlugin,
}

// readPlugin reads a manifest, or a file of servers that a manifest names.
func readPlugin(in *shape.Input) *mcp.Document {
	if !isManifest(in.File.Path) {
		return shape.ReadServers(in)
	}
	if in.Tree.Root.Kind != syntax.Object {
		return nil
	}
	// A manifest without servers still says that its directory is a plugin, and
	// with it the .mcp.json there.
	doc := in.Document()
	doc.Duplicates, doc.Manifest = in.Repeats(nil), describe(in.Tree.Root)
	for _, key := range in.Roots() {
		r := shape.FirstRoot(in.Tree.Root, []string{key}, anyValue)
		if r == nil {
			continue
		}
		doc.RootKey, doc.Root = key, r.Value().Key
		if r.Value().Kind == syntax.Object {
			doc.Servers = in.Servers(r.Value())
		} else {
			doc.Links = linksIn(in, r.Value())
		}
		break
	}
	return doc
}

// isManifest reports whether a file is the manifest of a plugin itself.
func isManifest(file string) bool { return strings.EqualFold(path.Base(file), "plugin.json") }

func anyValue(*syntax.Node) bool { return true }

// linksIn returns the files that a path or a list of paths names.
func linksIn(in *shape.Input, value *syntax.Node) []mcp.Link {
	var links []mcp.Link
	for _, n := range append([]*syntax.Node{value}, value.Nodes...) {
		if n.Kind != syntax.String {
			continue
		}
		if file, ok := pluginPath(in, n.Text); ok {
			links = append(links, mcp.Link{Path: file, Span: n.Value})
		}
	}
	return links
}

// pluginPath resolves a path in a manifest, which starts from the plugin's
// directory and stays in it. Anything else (a URL, an absolute path) is not a
// file of the repository.
func pluginPath(in *shape.Input, text string) (string, bool) {
	text = strings.TrimPrefix(text, "${CLAUDE_PLUGIN_ROOT}/")
	if text == "" || path.IsAbs(text) || strings.ContainsAny(text, `:\$`) {
		return "", false
	}
	file := path.Clean(text)
	if file == "." || file == ".." || strings.HasPrefix(file, "../") {
		return "", false
	}
	return path.Join(in.Match.Dir, file), true
}
