package format

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// gitModules say which repositories git checks out within this one. Where a client looks for
// servers, another repository decides what it starts, and none of that is in this one.
var gitModules = &Format{
	Name: "git-modules", Scope: mcp.ScopeProject, Paths: []string{".gitmodules"},
	Keys: []string{"submodule"}, Marks: []string{}, Roots: []string{}, ReadOnly: true,
	Parse: parseText, Read: readGitModules,
}

// clientDirs are the directories in the root of a project in which clients look for servers,
// sorted; a test derives them from the paths of all formats.
var clientDirs = []string{
	".agent", ".agents", ".agentsmesh", ".ai", ".air", ".amazonq", ".amp", ".antigravity", ".antigravitycli", ".augment",
	".ccpkg", ".claude", ".claude-plugin", ".cline", ".codeium", ".codex", ".codex-plugin", ".config", ".continue", ".copilot",
	".cursor", ".cursor-plugin", ".deepagents", ".devcontainer", ".devin", ".factory", ".gemini", ".github", ".goose", ".grok",
	".grok-plugin", ".hermes", ".holodeck", ".idx", ".iflow", ".junie", ".kilo", ".kilocode", ".kimi", ".kimi-code", ".kiro",
	".lmstudio", ".mastracode", ".mcp", ".omp", ".opencode", ".pi", ".plugin", ".pml", ".q", ".qoder", ".qwen", ".roo", ".rovodev",
	".ruler", ".rulesync", ".trae", ".vibe", ".vs", ".vscode", ".warp", ".windsurf", ".zcode", ".zed",
}

// moduleSetting is a line of .gitmodules (gitmodules(5)).
var moduleSetting = regexp.MustCompile(`(?m)^[ \t]*(path|url)[ \t]*=[ \t]*"?([^"\r\n]*?)"?[ \t]*\r?$`)

// readGitModules returns where the submodules come from in which clients look for servers, nil if
// there are none.
func readGitModules(in *Input) *mcp.Document {
	text := in.File.Bytes
	var doc *mcp.Document
	for start := 0; start < len(text); {
		end := len(text)
		if next := bytes.Index(text[start+1:], []byte("\n[")); next >= 0 {
			end = start + 1 + next + 1
		}
		var dir string
		var url syntax.Span
		for _, m := range moduleSetting.FindAllSubmatchIndex(text[start:end], -1) {
			value := syntax.Span{Start: start + m[4], End: start + m[5]}
			if text[start+m[2]] == 'u' {
				url = value
			} else {
				dir = string(text[value.Start:value.End])
			}
		}
		if slices.Contains(clientDirs, strings.ToLower(strings.TrimRight(dir, "/"))) {
			module := in.unparsed("the repository that is checked out as "+dir, url)
			if doc == nil {
				doc = module
			} else {
				doc.Unparsed = append(doc.Unparsed, module.Unparsed...)
			}
		}
		start = end
	}
	return doc
}
