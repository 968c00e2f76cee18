package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// crushRC is the script that Crush runs before it starts (charmbracelet/crush): "mcp add" in it makes a server.
var crushRC = &shape.Format{
	Name: "crushrc", Scope: mcp.ScopeProject, Paths: []string{".crushrc", "crushrc"},
	Keys: []string{"mcp"}, Marks: []string{}, Roots: []string{}, ReadOnly: true,
	Parse: parseText, Read: func(in *shape.Input) *mcp.Document {
		return in.Unparsed("the shell script that Crush runs before it starts", syntax.Span{})
	},
}
