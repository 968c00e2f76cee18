package format

import (
	"bytes"
	"regexp"
	"slices"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// nix are files of Nix in which Home Manager (programs.claude-code.mcpServers and the like,
// programs.mcp.servers: modules/programs/mcp.nix) or mcp-servers-nix (natsukium/mcp-servers-nix,
// lib.mkConfig) have servers. They are a program, which mcplumb does not evaluate: it reports
// only that they have servers.
var nix = &shape.Format{
	Name: "nix", Scope: mcp.ScopeUser,
	Paths: slices.Concat(
		[]string{
			"home.nix", "flake.nix", "claude.nix", "mcp.nix", "codex.nix", "opencode.nix",
			"claude/default.nix", "claude-code/default.nix", "mcp/default.nix",
			"home/*.nix", "home-manager/*.nix", "homeManagerModules/*.nix",
		},
		withWord("claude", ".nix"), withWord("mcp", ".nix"),
	),
	Keys: []string{"mcpServers", "mcp.servers", "programs.mcp", "mcp-servers-nix"}, Marks: []string{}, Roots: []string{},
	ReadOnly: true,
	Parse:    parseText, Read: readNix,
}

// parseText returns the whole text as one value, for a language that is not read.
func parseText(_ *syntax.Parser, file *syntax.File) (*syntax.Tree, error) {
	if len(file.Bytes) > shape.MaxProbed {
		return &syntax.Tree{}, nil
	}
	return &syntax.Tree{Root: &syntax.Node{Kind: syntax.String, Value: syntax.Span{End: len(file.Bytes)}}}, nil
}

var (
	// nixServers begins a set of servers, or one of them.
	nixServers = regexp.MustCompile(`(?m)^[^#"'\n]*?\b(mcpServers|mcp\.servers|programs\.mcp)(?:\.[\w"-]+)?\s*=\s*\{`)
	// nixServer matches a member that every server has.
	nixServer = regexp.MustCompile(`(?m)^[^#\n]*\b(?:command|url)\s*=\s*[^\s=]`)
	// nixModules begins the settings of mcp-servers-nix, nixModule is one that is on.
	nixModules = regexp.MustCompile(`(?m)^[^#\n]*?\b(mcp-servers-nix\.lib\.mkConfig)\b`)
	nixModule  = regexp.MustCompile(`(?m)^[^#\n]*\benable\s*=\s*true\b`)
)

// readNix returns where servers begin, nil if it is not sure that there are any.
func readNix(in *shape.Input) *mcp.Document {
	text := in.File.Bytes
	for at := 0; ; {
		m := nixServers.FindSubmatchIndex(text[at:])
		if m == nil {
			break
		}
		set := inBraces(text[at+m[1]-1:])
		if nixServer.Match(set) {
			return in.Unparsed("Nix", syntax.Span{Start: at + m[2], End: at + m[3]})
		}
		at += m[1] - 1 + len(set) // its contents have no server either
	}
	if m := nixModules.FindSubmatchIndex(text); m != nil && (nixModule.Match(text[m[1]:]) || nixServer.Match(text[m[1]:])) {
		return in.Unparsed("Nix", syntax.Span{Start: m[2], End: m[3]})
	}
	return nil
}

// inBraces returns the text from a brace to the one that closes it, or to the end.
func inBraces(text []byte) []byte {
	depth := 0
	for i, c := range text {
		switch c {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return text[:i]
			}
		}
	}
	return bytes.TrimSpace(text)
}
