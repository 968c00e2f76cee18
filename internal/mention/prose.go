// Package mention knows where agents are given texts to read, and which names of servers a
// text mentions: a text goes in, names with offsets come out.
package mention

import (
	"slices"
	"strings"
	"sync"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Index returns an index of the texts that agents are given to read: instructions,
// rules, skills, and the Markdown files of other formats, whose front matter alone
// is read otherwise. Its matches say which directory a text is for.
func Index() *format.Index { return index() }

var index = sync.OnceValue(func() *format.Index {
	paths := slices.Clone(prosePaths)
	for _, f := range format.All() {
		if f.Markdown {
			paths = append(paths, f.Paths...)
		}
	}
	return format.NewIndex([]*shape.Format{{Name: "prose", Scope: mcp.ScopeSettings, Paths: paths, Markdown: true}})
})

// prosePaths are the places where clients look for instructions (each client's page on
// rules, memory or instructions), and those of the parts of a plugin.
var prosePaths = []string{
	"AGENTS.md", "AGENT.md", "CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", ".claude/rules/*.md",
	"GEMINI.md", "QWEN.md", "WARP.md", "CRUSH.md", "CONVENTIONS.md",
	".github/copilot-instructions.md", ".github/instructions/*.md", ".github/instructions/*/*.md",
	".cursorrules", ".cursor/rules/*.mdc", ".cursor/rules/*/*.mdc", ".cursor/rules/*.md", ".cursor/commands/*.md",
	".clinerules", ".clinerules/*.md", ".windsurfrules", ".windsurf/rules/*.md", ".windsurf/workflows/*.md",
	".roorules", ".roo/rules/*.md", ".roo/rules-*/*.md", ".kiro/steering/*.md", ".junie/guidelines.md", ".rules",
	".continue/rules/*.md", ".amazonq/rules/*.md", ".augment/rules/*.md", ".trae/rules/*.md", ".goosehints",
	".opencode/command/*.md", ".opencode/commands/*.md", ".gemini/commands/*.toml", ".codex/prompts/*.md",
	"SKILL.md", "skills/*/SKILL.md", ".*/skills/*/SKILL.md", "agents/*.md", "commands/*.md",
}

// Names are names of servers that texts are searched for.
type Names struct {
	all map[string]bool
	// tools are the names by their form in the names of their tools: "my.server" is my_server in
	// mcp__my_server__search.
	tools map[string][]string
}

// NewNames returns names to search for.
func NewNames(all map[string]bool) *Names {
	n := &Names{all, map[string][]string{}}
	for name := range all {
		as := mcp.InTools(name)
		n.tools[as] = append(n.tools[as], name)
	}
	return n
}

// In returns the names that a text in Markdown mentions as names of servers, each with the offset
// of its first mention. A name in backticks or quotes is a mention; so is a tool of the server
// (mcp__NAME__tool, NAME/tool), a word that is not a word of a language (with a dash, a digit, a
// capital in its middle), and one next to "MCP" or "server", or at the beginning of a line under
// a heading that says MCP. Any other word, "memory" or "fetch", is only a word. In reads each
// byte a few times at most, with any number of names.
func (n *Names) In(text string) map[string]int {
	s := &proseSearch{names: n, found: map[string]int{}}
	for at := 0; at < len(text); {
		end := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i
		}
		s.line(text[at:end], at)
		at = end + 1
	}
	return s.found
}

// proseSearch goes through a text.
type proseSearch struct {
	names *Names
	found map[string]int
	// inFence reports that the line is one of code.
	inFence bool
	// underMCP is the level of the heading above that says MCP, 0 if none does.
	underMCP int
	// before and earlier are the last word and the one before that, in lower case.
	before, earlier string
	// pending is a name that comes last, at an offset: it is a mention if the next word says that
	// it is a server.
	pending   string
	pendingAt int
}

// note notes a name at an offset.
func (s *proseSearch) note(name string, at int) {
	if first, known := s.found[name]; !known || at < first {
		s.found[name] = at
	}
}

// line searches a line that begins at an offset.
func (s *proseSearch) line(line string, at int) {
	trimmed := strings.TrimSpace(line)
	if trimmed == "" || strings.IndexByte("#-*+|>`~0123456789", trimmed[0]) >= 0 {
		s.forget() // the paragraph ends here
	}
	if strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
		s.inFence = !s.inFence
		return
	}
	if !s.inFence {
		s.heading(trimmed)
	}
	s.quoted(line, at)
	isFirst, inCode := true, s.inFence
	for i := 0; i < len(line); {
		if !isProseByte(line[i]) {
			inCode = inCode != (line[i] == '`' && !s.inFence)
			if strings.IndexByte(" \t\r`\"'", line[i]) < 0 {
				s.forget()
			}
			i++
			continue
		}
		end := i + 1
		for end < len(line) && isProseByte(line[end]) {
			end++
		}
		s.word(line, i, end, at, inCode, isFirst)
		isFirst = isFirst && strings.Trim(line[i:end], "#*-.0123456789") == "" // "1." and "-" begin items
		i = end
	}
}

// heading notes whether what follows is about MCP. It is until the next heading that is
// no lower one.
func (s *proseSearch) heading(line string) {
	level := len(line) - len(strings.TrimLeft(line, "#"))
	switch {
	case level == 0:
	case strings.Contains(strings.ToLower(line), "mcp"):
		s.underMCP = level
	case level <= s.underMCP:
		s.underMCP = 0
	}
}

// forget drops the previous words: a sentence or a part of one has ended.
func (s *proseSearch) forget() { s.before, s.earlier, s.pending = "", "", "" }

// quoted notes names that are alone between backticks or double quotes on a line, with any
// characters.
func (s *proseSearch) quoted(line string, at int) {
	for _, mark := range []string{"`", `"`} {
		start := -1
		for i := 0; ; {
			next := strings.Index(line[i:], mark)
			if next < 0 {
				break
			}
			i += next
			if start >= 0 && i > start && i-start <= shape.MaxToolName && s.names.all[line[start:i]] {
				s.note(line[start:i], at+start)
			}
			i++
			start = i
		}
	}
}

// isProseByte reports whether a byte may be one of a name, or of what connects it with a
// tool's.
func isProseByte(c byte) bool {
	return shape.IsToolByte(c) || c >= 0x80 || strings.IndexByte("./:@#*", c) >= 0
}

// word checks a word of a line that begins at an offset.
func (s *proseSearch) word(line string, start, end, at int, inCode, isFirst bool) {
	begin := start
	for start < end && strings.IndexByte("./:@#*-", line[start]) >= 0 {
		start++
	}
	word := line[start:end]
	plain := strings.TrimRight(word, ".:*#/")
	if plain == "" || len(word) > shape.MaxToolName {
		s.pending = ""
		return
	}
	s.tool(word, at+start, inCode)
	isMarked := isQuote(line, begin-1) && isQuote(line, start+len(plain)) && strings.Trim(line[begin:start], "@#") == ""
	switch {
	case !s.names.all[plain]:
	case isMarked, !isPlainWord(plain), s.isAfterMCP(), isFirst && s.underMCP > 0:
		s.note(plain, at+start)
	}
	s.step(plain, at+start)
	switch {
	case strings.Contains(word[len(plain):], "."):
		s.forget()
	case strings.Contains(word[len(plain):], ":"):
		s.pending = ""
	}
}

// isQuote reports whether a quote is at an offset of a line.
func isQuote(line string, at int) bool {
	return at >= 0 && at < len(line) && strings.IndexByte("`\"'", line[at]) >= 0
}

// isPlainWord reports whether a word may be one of a language: only letters, and no capital
// except the first.
func isPlainWord(word string) bool {
	for i := range len(word) {
		if c := word[i]; c < 0x80 && !ascii.IsLetter(c) || i > 0 && ascii.IsUpper(c) {
			return false
		}
	}
	return true
}

// isAfterMCP reports whether the words before say that the next one is a server's name:
// "MCP github", "MCP server github".
func (s *proseSearch) isAfterMCP() bool {
	return s.before == "mcp" || s.earlier == "mcp" && (s.before == "server" || s.before == "servers")
}

// step advances to the next word.
func (s *proseSearch) step(word string, at int) {
	lower := strings.ToLower(word)
	if s.pending != "" && (lower == "mcp" || lower == "server" || lower == "servers") {
		s.note(s.pending, s.pendingAt)
	}
	s.pending = ""
	if s.names.all[word] {
		s.pending, s.pendingAt = word, at
	}
	s.earlier, s.before = s.before, lower
}

// tool notes the servers of whose tools a word is the name: mcp__NAME__tool anywhere,
// mcp_NAME_tool as some clients have it, and in code NAME/tool and NAME:tool.
func (s *proseSearch) tool(word string, at int, inCode bool) {
	if rest, ok := strings.CutPrefix(word, shape.ToolPrefix); ok {
		name, _, _ := strings.Cut(rest, "__")
		s.noteTool(strings.TrimRight(name, ".:*#/"), at)
		return
	}
	if rest, ok := strings.CutPrefix(word, "mcp_"); ok {
		for end := 1; end < len(rest); end++ {
			if rest[end] == '_' {
				s.noteTool(rest[:end], at)
			}
		}
		return
	}
	for _, joint := range []string{"/", ":"} {
		i := strings.LastIndex(word, joint)
		if i > 0 && isToolName(word[i+1:]) && (inCode || strings.Contains(word[i+1:], "_")) && s.names.all[word[:i]] {
			s.note(word[:i], at)
		}
	}
}

// noteTool notes the servers that are called so in the names of their tools.
func (s *proseSearch) noteTool(name string, at int) {
	for _, is := range s.names.tools[name] {
		s.note(is, at)
	}
}

// isToolName reports whether a text may be the name of a tool, or a pattern for all.
func isToolName(text string) bool {
	if text == "*" {
		return true
	}
	for i := range len(text) {
		if !shape.IsToolByte(text[i]) {
			return false
		}
	}
	return text != ""
}

// BodyOf returns where the text of a Markdown file begins, after its front matter.
func BodyOf(file *syntax.File) int {
	part, _ := syntax.FrontMatter(file)
	return part.End
}
