package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// qwen are the settings of Qwen Code, which is a fork of Gemini CLI.
var qwen = &shape.Format{
	Name: "qwen", Scope: mcp.ScopeProject, Paths: []string{".qwen/settings.json"},
	Keys: gemini.Keys, Roots: geminiRoots(), Parse: (*syntax.Parser).JSON, Read: readGemini,
}
