package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// visualStudio is Visual Studio's own file of a solution.
var visualStudio = &shape.Format{
	Name: "visual-studio", Scope: mcp.ScopeProject, Paths: []string{".vs/mcp.json"}, Dedicated: true,
	Parse: (*syntax.Parser).JSON, Read: shape.ReadWithInputs,
}
