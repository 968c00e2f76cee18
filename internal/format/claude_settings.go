package format

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/allow"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// claudeSettings are Claude Code's settings of a project. They switch servers
// of .mcp.json and name their tools; servers written here are not loaded
// (since 2.1.47), which makes them a document without clients.
var claudeSettings = &shape.Format{
	Name:  "claude-settings",
	Scope: mcp.ScopeSettings,
	Paths: []string{".claude/settings.json", ".claude/settings.local.json"},
	Keys: []string{
		"mcpServers", "enabledMcpjsonServers", "disabledMcpjsonServers", "enableAllProjectMcpServers", shape.ToolPrefix,
		"bypassPermissions", "allowedMcpServers", "deniedMcpServers",
	},
	Roots: []string{"mcpServers"},
	Parse: (*syntax.Parser).JSON,
	Read:  readClaudeSettings,
}

func readClaudeSettings(in *shape.Input) *mcp.Document {
	top := in.Tree.Root
	doc := in.Document()
	if r := in.FindRoot(); r != nil {
		doc = in.Rooted(r)
		doc.Clients = nil
	}

	client := mcp.ClientByID("claude-code")
	disabled := shape.Names(top.Get("disabledMcpjsonServers"))
	doc.Switches = shape.Switches(client, disabled, false)
	// For a server that is not in the list of enabled ones, the client asks; it does not refuse
	// to start it. The list names servers and disables none.
	enabled := shape.Names(top.Get("enabledMcpjsonServers"))
	doc.References = append(disabled, enabled...)
	doc.References = append(doc.References, toolReferences(in, top)...)
	doc.Approvals = append(doc.Approvals, claudeApprovals(in, client, enabled)...)

	doc.Policy = claudePolicy(in, top)
	doc.SecretMembers = commandsIn(top)
	if len(doc.Servers) == 0 && len(doc.References) == 0 && len(doc.Approvals) == 0 && doc.Policy == nil {
		return nil
	}
	return doc
}

// commandsIn returns the rules for tools, which hold whole commands with all that was
// written in them when they were approved.
func commandsIn(top *syntax.Node) []identity.Pair {
	var pairs []identity.Pair
	for _, list := range []string{"allow", "deny", "ask"} {
		for _, rule := range shape.Scalars(top.At("permissions", list)) {
			pairs = append(pairs, identity.Pair{Value: rule})
		}
	}
	return pairs
}

// claudePolicy returns the lists of servers that are allowed and denied, nil if there are none.
// For lists with a mistake it returns only the mistake: which other lists count then is not
// documented.
func claudePolicy(in *shape.Input, top *syntax.Node) *allow.Policy {
	p, mistakes := allow.Read(top, allow.ClaudeCode)
	switch {
	case len(mistakes) > 0:
		p = &allow.Policy{Client: p.Client, Doubts: mistakes}
	case p.Allowed == nil && p.Denied == nil:
		return nil
	}
	p.Name, p.File = in.File.Path, in.File
	return p
}

// claudeApprovals returns what the settings allow without asking: servers to start, all tools of
// a server (mcp__NAME, mcp__NAME__*), and single ones (mcp__NAME__TOOL, mcp__NAME__get_*). A
// pattern instead of the name (mcp__*) allows nothing, according to
// code.claude.com/docs/en/permissions.
func claudeApprovals(in *shape.Input, client *mcp.Client, enabled []mcp.Reference) []mcp.Approval {
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
	for _, rule := range shape.Names(top.At("permissions", "allow")) {
		name, ok := strings.CutPrefix(rule.Name, shape.ToolPrefix)
		name, tool, _ := strings.Cut(name, "__")
		if tool == "*" {
			tool = ""
		}
		if ok && name != "" && !strings.ContainsAny(name, "*()") && !strings.ContainsAny(tool, "()") {
			approvals = append(approvals, mcp.Approval{Client: client, Grant: mcp.RunTools, Server: name, Tool: tool, ByName: true, Span: rule.Span})
		}
	}
	return approvals
}

// toolReferences returns the servers that permissions, lists of a managed
// policy and hooks name.
func toolReferences(in *shape.Input, top *syntax.Node) []mcp.Reference {
	var refs []mcp.Reference
	for _, list := range []string{"allow", "deny", "ask"} {
		for _, rule := range elements(top.At("permissions", list)) {
			named := in.ToolNames(rule)
			for i := range named {
				if named[i].Permits = list == "allow"; !named[i].Permits {
					named[i].Withholds = list + " " + rule.Text
				}
			}
			refs = append(refs, named...)
		}
	}
	for _, list := range []string{"allowedMcpServers", "deniedMcpServers"} {
		if policy := top.Get(list); policy != nil {
			for _, n := range policy.Nodes {
				if name := n.Get("serverName"); name.IsString() {
					refs = append(refs, in.NameIn(name.Value, name.Text, 0, len(name.Text))...)
				}
			}
		}
	}
	hooks := top.Get("hooks")
	if hooks == nil {
		return refs
	}
	for _, event := range hooks.Nodes {
		for _, hook := range event.Nodes {
			refs = append(refs, in.ToolNames(hook.Get("matcher"))...)
		}
	}
	return refs
}
