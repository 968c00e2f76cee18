package format

import (
	"bytes"
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// gitModules say which repositories git checks out within this one. Where a client looks for
// servers, another repository decides what it starts, and none of that is in this one.
var gitModules = &shape.Format{
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
	".ruler", ".rulesync", ".tabnine", ".trae", ".vibe", ".vs", ".vscode", ".warp", ".windsurf", ".zcode", ".zed",
}

// moduleSetting is a line of .gitmodules (gitmodules(5)).
var moduleSetting = regexp.MustCompile(`(?m)^[ \t]*(path|url)[ \t]*=[ \t]*"?([^"\r\n]*?)"?[ \t]*\r?$`)

// Submodule is a repository that git checks out within another one.
type Submodule struct {
	// Dir is the directory, without a slash at its end.
	Dir string
	// URL is the place of the address that it comes from.
	URL syntax.Span
}

// Submodules yields the repositories in .gitmodules, one for each of its sections that names a
// directory.
func Submodules(text []byte) iter.Seq[Submodule] {
	return func(yield func(Submodule) bool) {
		for start := 0; start < len(text); {
			end := len(text)
			if next := bytes.Index(text[start+1:], []byte("\n[")); next >= 0 {
				end = start + 1 + next + 1
			}
			var module Submodule
			for _, m := range moduleSetting.FindAllSubmatchIndex(text[start:end], -1) {
				value := syntax.Span{Start: start + m[4], End: start + m[5]}
				if text[start+m[2]] == 'u' {
					module.URL = value
				} else {
					module.Dir = strings.TrimRight(string(text[value.Start:value.End]), "/")
				}
			}
			if module.Dir != "" && !yield(module) {
				return
			}
			start = end
		}
	}
}

// readGitModules returns the URLs of the submodules whose directories clients search for servers,
// nil if there are none.
func readGitModules(in *shape.Input) *mcp.Document {
	var doc *mcp.Document
	for module := range Submodules(in.File.Bytes) {
		if !slices.Contains(clientDirs, strings.ToLower(module.Dir)) {
			continue
		}
		unread := in.Unparsed("the repository that is checked out as "+module.Dir, module.URL)
		if doc == nil {
			doc = unread
		} else {
			doc.Unparsed = append(doc.Unparsed, unread.Unparsed...)
		}
	}
	return doc
}
