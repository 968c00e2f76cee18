package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// qwen are the settings of Qwen Code, which is a fork of Gemini CLI.
func qwen() *Format {
	return &Format{
		Name: "qwen", Scope: mcp.ScopeProject, Paths: []string{".qwen/settings.json"},
		Keys: gemini.Keys, Roots: geminiRoots(), Parse: syntax.ParseJSON, Read: readGemini,
	}
}

// qwenExtension is the manifest of an extension of Qwen Code.
func qwenExtension() *Format {
	return &Format{
		Name: "qwen-extension", Scope: mcp.ScopePlugin,
		Paths: []string{".qwen/extensions/*/qwen-extension.json", "qwen-extension.json"},
		Keys:  rootKeys(), Roots: geminiRoots(), Parse: syntax.ParseJSON, Read: readGeminiExtension,
	}
}
