package shape

import (
	"bytes"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// NameIn returns a part of a string as a reference. One that is written with
// escapes has no span of its own and is left out.
func (in *Input) NameIn(written syntax.Span, text string, from, to int) []mcp.Reference {
	span := in.Unquoted(written)
	if from >= to || string(in.Bytes(span)) != text {
		return nil
	}
	return []mcp.Reference{{Name: text[from:to], Span: syntax.Span{Start: span.Start + from, End: span.Start + to}}}
}

// NamesBefore returns the servers in a list of tools that are written with a separator after the
// server's name: "github/get_issue", "files:*". split finds that separator in the text. Patterns
// name no server.
func (in *Input) NamesBefore(list *syntax.Node, split func(text string) int) []mcp.Reference {
	if list == nil || list.Kind != syntax.Array {
		return nil
	}
	var refs []mcp.Reference
	for _, n := range list.Nodes {
		end := split(n.Text)
		if end > 0 && !strings.ContainsAny(n.Text[:end], "*? ") {
			refs = append(refs, in.NameIn(n.Value, n.Text, 0, end)...)
		}
	}
	return refs
}

// MaxToolName is the longest name of a tool that is taken apart.
const MaxToolName = 256

// ToolNamedAfter returns the server, of those with the given names, whose name is the first part
// of a tool's name after a prefix: github in "github_get_issue" and "github_*". A longer name has
// precedence over a shorter one.
func (in *Input) ToolNamedAfter(servers map[string]bool, written syntax.Span, tool, prefix string) []mcp.Reference {
	rest, ok := strings.CutPrefix(tool, prefix)
	if !ok || len(rest) > MaxToolName {
		return nil
	}
	for end := len(rest) - 1; end > 0; end-- {
		if rest[end] == '_' && servers[rest[:end]] {
			return in.NameIn(written, tool, len(prefix), len(prefix)+end)
		}
	}
	return nil
}

// ServerNames returns the names of a document's servers.
func ServerNames(doc *mcp.Document) map[string]bool {
	names := map[string]bool{}
	for _, s := range doc.Servers {
		names[s.Name] = true
	}
	return names
}

// ToolPrefix begins the name of every tool of an MCP server in Claude Code:
// mcp__SERVER__TOOL, or mcp__SERVER for all of its tools.
const ToolPrefix = "mcp__"

// ToolNames returns the servers whose tools a string, or the strings of a list, name. A string is
// searched as it is written, so that every span is exact; a pattern instead of a server's name
// does not name a server.
func (in *Input) ToolNames(n *syntax.Node) []mcp.Reference {
	if n == nil {
		return nil
	}
	var refs []mcp.Reference
	if n.Kind == syntax.Array {
		for _, element := range n.Nodes {
			refs = append(refs, in.ToolNames(element)...)
		}
	}
	if n.Kind != syntax.String {
		return refs
	}
	text := in.Bytes(n.Value)
	for i := 0; ; {
		at := bytes.Index(text[i:], []byte(ToolPrefix))
		if at < 0 {
			return refs
		}
		begin := i + at
		start := begin + len(ToolPrefix)
		end := toolServerEnd(text, start)
		if (begin == 0 || !IsToolByte(text[begin-1])) && end > start && endsToolServer(text[end:]) {
			refs = append(refs, mcp.Reference{
				Name: string(text[start:end]),
				Span: syntax.Span{Start: n.Value.Start + start, End: n.Value.Start + end},
			})
		}
		i = end
	}
}

// toolServerEnd returns where the server's name that begins at i ends.
func toolServerEnd(text []byte, i int) int {
	for i < len(text) && IsToolByte(text[i]) && !bytes.HasPrefix(text[i:], []byte("__")) {
		i++
	}
	return i
}

// endsToolServer reports whether what follows a server's name ends it for sure.
func endsToolServer(rest []byte) bool {
	return len(rest) == 0 || bytes.HasPrefix(rest, []byte("__")) || bytes.IndexByte([]byte("\"'|()$, \t\r\n"), rest[0]) >= 0
}

func IsToolByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}
