package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// kilo are the settings of Kilo Code, which took over opencode's shape.
var kilo = &shape.Format{
	Name: "kilo", Scope: mcp.ScopeProject,
	Paths: []string{"kilo.json", "kilo.jsonc", ".kilo/kilo.json", ".kilo/kilo.jsonc"},
	Home:  []string{".config/kilo/kilo.json", ".config/kilo/kilo.jsonc"},
	Keys:  []string{"mcp", "mcpServers"}, Roots: []string{"mcpServers"},
	Parse: (*syntax.Parser).JSON, Read: readOpencodeTools,
}
