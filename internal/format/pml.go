package format

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// pml is the file of Casys PML in a project: the servers that PML starts, and
// which of their tools may run. PML itself keeps it out of git.
var pml = &shape.Format{
	Name: "pml", Scope: mcp.ScopeProject, Paths: []string{".pml.json"}, Dedicated: true, State: true,
	Skip:  func(entry *syntax.Node) bool { return entry.Name == "pml" }, // PML does not start itself
	Roots: []string{"mcpServers"}, Parse: (*syntax.Parser).JSON, Read: readPML, Finish: finishPML,
}

// finishPML checks the name: with some the tools have no full names, and PML does not
// start itself.
func finishPML(d *shape.Draft) {
	name := d.Server.Name
	if name == "pml" {
		d.Members = nil
	}
	if name == "pml" || !mcp.IsToolPart(name) {
		d.RecordLoss(mcp.NoName, name, d.Server.NameSpan)
	}
}

// readPML reads the servers and the permissions. Other members also have addresses, so only
// mcpServers counts as a map of servers.
func readPML(in *shape.Input) *mcp.Document {
	var doc *mcp.Document
	if r := shape.FirstRoot(in.Tree.Root, in.Roots(), shape.IsContainer); r != nil {
		doc = in.Rooted(r)
	} else {
		doc = in.Document()
		doc.Duplicates = in.Repeats(nil)
	}
	for i := range doc.Refusals {
		doc.Refusals[i].GoesOn = true // PML passes over the entry and starts the others
	}
	if url := in.Tree.Root.At("cloud", "url"); url.IsString() {
		doc.Cloud = shape.Word(url)
	}
	rules := in.Tree.Root.Get("permissions")
	doc.Permissions = permissions(rules)
	for _, list := range []string{"allow", "deny", "ask"} {
		doc.References = append(doc.References, in.NamesBefore(rules.Get(list), func(tool string) int { return strings.IndexByte(tool, ':') })...)
	}
	doc.Approvals = append(doc.Approvals, pmlApprovals(rules.Get("allow"))...)
	doc.Refusals = append(doc.Refusals, refusedPMLNames(doc)...)
	return doc
}

// pmlApprovals returns the tools that PML runs without asking: all, those of a server
// (server:*), or one (server:tool).
func pmlApprovals(allow *syntax.Node) []mcp.Approval {
	var approvals []mcp.Approval
	for _, rule := range shape.Names(allow) {
		name, tool, _ := strings.Cut(rule.Name, ":")
		if tool == "*" {
			tool = ""
		}
		one := mcp.Approval{Client: mcp.ClientByID("pml"), Grant: mcp.RunTools, Server: name, Tool: tool, ByName: true, Span: rule.Span}
		switch {
		case name == "*":
			one.Server, one.ByName = "", false
		case !matchesSomeTool(rule.Name) || !strings.Contains(rule.Name, ":"):
			continue
		}
		approvals = append(approvals, one)
	}
	return approvals
}

// refusedPMLNames returns servers whose tools have no full name, because their name is not valid
// as a part of one, and patterns that match no tool: names of tools match ^[a-zA-Z0-9_:-]+$, and
// a star is alone or matches all of a namespace (permissions/loader.ts, matchesPattern). A tool's
// full name passes.
func refusedPMLNames(doc *mcp.Document) []mcp.Refusal {
	var refusals []mcp.Refusal
	for _, s := range doc.Servers {
		if s.IsStarted() && !mcp.IsToolPart(s.Name) {
			refusals = append(refusals, mcp.Refusal{
				Reason: mcp.ToolServerName, Span: s.NameSpan, Object: s.Span, Server: s.Name, Tool: "Casys PML", Got: s.Name,
			})
		}
	}
	if doc.Permissions == nil {
		return refusals
	}
	for _, pattern := range slices.Concat(doc.Permissions.Allow, doc.Permissions.Deny, doc.Permissions.Ask) {
		if !matchesSomeTool(pattern.Text) {
			refusals = append(refusals, mcp.Refusal{Reason: mcp.ToolPattern, Span: pattern.Span, Tool: "Casys PML", Got: pattern.Text})
		}
	}
	return refusals
}

// matchesSomeTool reports whether there can be a tool that a pattern of PML's
// permissions matches.
func matchesSomeTool(pattern string) bool {
	if pattern == "*" {
		return true
	}
	return (&mcp.Naming{Others: "_:-."}).Takes(strings.TrimSuffix(pattern, ":*"))
}

// permissions reads the tools that may run. Without permissions PML asks for everything; a list
// that is missing or not a list is empty.
func permissions(n *syntax.Node) *mcp.Permissions {
	if n == nil || n.Kind != syntax.Object {
		return nil
	}
	return &mcp.Permissions{Allow: shape.Words(n.Get("allow")), Deny: shape.Words(n.Get("deny")), Ask: shape.Words(n.Get("ask"))}
}
