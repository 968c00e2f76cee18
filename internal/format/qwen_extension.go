package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// qwenExtension is the manifest of an extension of Qwen Code.
var qwenExtension = &shape.Format{
	Name: "qwen-extension", Scope: mcp.ScopePlugin,
	Paths: []string{".qwen/extensions/*/qwen-extension.json", "qwen-extension.json"},
	Keys:  shape.KnownRoots(), Roots: geminiRoots(), Parse: (*syntax.Parser).JSON, Read: readGeminiExtension,
}
