package format

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// goose are Goose's settings, as dotfiles and a few projects hold them.
var goose = &shape.Format{
	Name: "goose", Scope: mcp.ScopeUser,
	Paths: []string{".goose/config.yaml", ".config/goose/config.yaml"},
	Keys:  []string{"extensions"}, Marks: []string{"extensions"}, Roots: []string{},
	Skip:  isGooseBuiltin,
	Parse: (*syntax.Parser).YAML, Read: readGoose, Finish: finishGoose,
}

// finishGoose adds what serde demands of every extension: its name once more, and
// whether it is on (crates/goose/src/config/extensions.rs, ExtensionEntry).
func finishGoose(d *shape.Draft) {
	d.Set("name", edit.String(d.Server.Name))
	finishGooseRecipe(d)
	d.Set("enabled", edit.Bool(!d.Server.IsOff()))
}

// readGoose reads settings. Many programs have extensions: outside of Goose's own directory one
// entry must have a type that Goose knows, because Goose requires a type of each entry.
func readGoose(in *shape.Input) *mcp.Document {
	extensions := in.Tree.Root.Get("extensions")
	isOwn := strings.Contains(strings.ToLower("/"+in.File.Path), "goose/")
	if !isOwn && (extensions == nil || !shape.AnyEntry(extensions, isGooseExtension)) {
		return nil
	}
	return shape.ReadServers(in)
}

// isGooseExtension reports whether an entry is of one of Goose's types.
func isGooseExtension(entry *syntax.Node) bool {
	word := entry.Get("type")
	return isGooseBuiltin(entry) || word.IsString() && slices.Contains([]string{"stdio", "sse", "streamable_http"}, word.Text)
}

// isGooseBuiltin reports whether an extension is a part of Goose and not a server, whatever other
// members it has.
func isGooseBuiltin(entry *syntax.Node) bool {
	if word := entry.Get("type"); word.IsString() {
		switch word.Text {
		case "builtin", "platform", "frontend", "inline_python":
			return true
		}
	}
	return false
}
