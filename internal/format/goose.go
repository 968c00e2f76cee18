package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// goose are Goose's settings, as dotfiles and a few projects hold them.
var goose = &Format{
	Name: "goose", Scope: mcp.ScopeUser,
	Paths: []string{".goose/config.yaml", ".config/goose/config.yaml"},
	Keys:  []string{"extensions"}, Marks: []string{"extensions"}, Roots: []string{},
	Skip:  isGooseBuiltin,
	Parse: (*syntax.Parser).YAML, Read: readServers,
}

// isGooseBuiltin reports whether an extension is part of Goose and no server,
// whatever else it says.
func isGooseBuiltin(entry *syntax.Node) bool {
	if word := entry.Get("type"); word.IsString() {
		switch word.Text {
		case "builtin", "platform", "frontend", "inline_python":
			return true
		}
	}
	return false
}
