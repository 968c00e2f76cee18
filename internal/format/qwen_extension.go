package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// qwenExtension is the manifest of an extension of Qwen Code.
var qwenExtension = &Format{
	Name: "qwen-extension", Scope: mcp.ScopePlugin,
	Paths: []string{".qwen/extensions/*/qwen-extension.json", "qwen-extension.json"},
	Keys:  knownRoots(), Roots: geminiRoots(), Parse: (*syntax.Parser).JSON, Read: readGeminiExtension,
}
