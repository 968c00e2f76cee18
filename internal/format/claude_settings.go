package format

import (
	"bytes"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// claudeSettings are Claude Code's settings of a project. They switch servers
// of .mcp.json and name their tools; servers written here are not loaded
// (since 2.1.47), which makes them a document without clients.
var claudeSettings = &Format{
	Name:  "claude-settings",
	Scope: mcp.ScopeSettings,
	Paths: []string{".claude/settings.json", ".claude/settings.local.json"},
	Keys: []string{
		`"mcpServers"`, `"enabledMcpjsonServers"`, `"disabledMcpjsonServers"`, `"enableAllProjectMcpServers"`, "mcp__",
		`"bypassPermissions"`,
	},
	Roots: []string{"mcpServers"},
	Parse: syntax.ParseJSON,
	Read:  readClaudeSettings,
}

func readClaudeSettings(in *Input) *mcp.Document {
	top := in.Tree.Root
	doc := in.document()
	if r := in.findRoot(); r != nil {
		doc = in.rooted(r)
		doc.Clients = nil
	}

	client := mcp.ClientByID("claude-code")
	disabled := names(top.Get("disabledMcpjsonServers"))
	doc.Switches = switches(client, disabled, false)
	// A server that is not in the list of enabled ones is asked about, not kept
	// from starting: the list names servers and switches none.
	enabled := names(top.Get("enabledMcpjsonServers"))
	doc.References = append(disabled, enabled...)
	doc.References = append(doc.References, in.toolReferences(top)...)
	doc.Approvals = append(doc.Approvals, in.claudeApprovals(client, enabled)...)

	if len(doc.Servers) == 0 && len(doc.References) == 0 && len(doc.Approvals) == 0 {
		return nil
	}
	return doc
}

// claudeApprovals returns what the settings allow without asking: servers to
// start, and all tools of a server (mcp__NAME, mcp__NAME__*). A pattern in place
// of the name (mcp__*) allows nothing, says code.claude.com/docs/en/permissions.
func (in *Input) claudeApprovals(client *mcp.Client, enabled []mcp.Reference) []mcp.Approval {
	var approvals []mcp.Approval
	for _, ref := range enabled {
		approvals = append(approvals, mcp.Approval{Client: client, Grant: mcp.StartServer, Server: ref.Name, ByName: true, Span: ref.Span})
	}
	top := in.Tree.Root
	if all := top.Get("enableAllProjectMcpServers"); all != nil && all.Kind == syntax.Bool && all.Text == "true" {
		span := syntax.Span{Start: all.Key.Start, End: all.Value.End}
		approvals = append(approvals, mcp.Approval{Client: client, Grant: mcp.StartServer, Span: span})
	}
	if mode := top.At("permissions", "defaultMode"); mode.IsString() && mode.Text == "bypassPermissions" {
		approvals = append(approvals, mcp.Approval{Client: client, Grant: mcp.RunTools, Span: mode.Value})
	}
	for _, rule := range names(top.At("permissions", "allow")) {
		name, ok := strings.CutPrefix(rule.Name, toolPrefix)
		name = strings.TrimSuffix(name, "__*")
		if ok && name != "" && !strings.Contains(name, "__") && !strings.ContainsAny(name, "*()") {
			approvals = append(approvals, mcp.Approval{Client: client, Grant: mcp.RunTools, Server: name, ByName: true, Span: rule.Span})
		}
	}
	return approvals
}

// toolReferences returns the servers that permissions and hooks name.
func (in *Input) toolReferences(top *syntax.Node) []mcp.Reference {
	var refs []mcp.Reference
	permissions := top.Get("permissions")
	for _, list := range []string{"allow", "deny", "ask"} {
		if rules := permissions.Get(list); rules != nil {
			for _, rule := range rules.Nodes {
				refs = in.appendToolNames(refs, rule)
			}
		}
	}
	hooks := top.Get("hooks")
	if hooks == nil {
		return refs
	}
	for _, event := range hooks.Nodes {
		for _, hook := range event.Nodes {
			if matcher := hook.Get("matcher"); matcher != nil {
				refs = in.appendToolNames(refs, matcher)
			}
		}
	}
	return refs
}

// toolPrefix begins the name of every tool of an MCP server in Claude Code:
// mcp__SERVER__TOOL, or mcp__SERVER for all of its tools.
const toolPrefix = "mcp__"

// appendToolNames appends the servers whose tools a string names. The string is
// searched as it is written, so that every span is exact; a pattern in place of
// a server's name names none.
func (in *Input) appendToolNames(refs []mcp.Reference, n *syntax.Node) []mcp.Reference {
	if n.Kind != syntax.String {
		return refs
	}
	text := in.bytes(n.Value)
	for i := 0; ; {
		at := bytes.Index(text[i:], []byte(toolPrefix))
		if at < 0 {
			return refs
		}
		start := i + at + len(toolPrefix)
		end := toolServerEnd(text, start)
		// The closing quote ends the value, so there is a byte before and after.
		if !isToolByte(text[start-len(toolPrefix)-1]) && end > start && endsToolServer(text[end:]) {
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
	for i < len(text) && isToolByte(text[i]) && !bytes.HasPrefix(text[i:], []byte("__")) {
		i++
	}
	return i
}

// endsToolServer reports whether what follows a server's name ends it for sure.
func endsToolServer(rest []byte) bool {
	return bytes.HasPrefix(rest, []byte("__")) || len(rest) > 0 && bytes.IndexByte([]byte(`"|()$`), rest[0]) >= 0
}

func isToolByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}
