package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// iflow are the settings of iFlow CLI, which is a fork of Gemini CLI (iflow-ai/iflow-cli
// docs_en/configuration/settings.md at 4642808, March 2026).
var iflow = &shape.Format{
	Name: "iflow", Scope: mcp.ScopeProject, Paths: []string{".iflow/settings.json"},
	Keys: gemini.Keys, Roots: geminiRoots(), Parse: (*syntax.Parser).JSON, Read: readGemini,
}
