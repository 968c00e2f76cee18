package format

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// pml is the file of Casys PML in a project: the servers that PML starts, and
// which of their tools may run. PML itself keeps it out of git.
var pml = &Format{
	Name: "pml", Scope: mcp.ScopeProject, Paths: []string{".pml.json"}, Dedicated: true, State: true,
	Skip:  func(entry *syntax.Node) bool { return entry.Name == "pml" }, // PML does not start itself
	Roots: []string{"mcpServers"}, Parse: syntax.ParseJSON, Read: readPML,
}

// readPML reads the servers and the permissions. Other members hold addresses
// too, so that nothing but mcpServers is taken for a map of servers.
func readPML(in *Input) *mcp.Document {
	var doc *mcp.Document
	if r := firstRoot(in.Tree.Root, in.plan.roots, isContainer); r != nil {
		doc = in.rooted(r)
	} else {
		doc = in.document()
		doc.Duplicates = in.repeats(nil)
	}
	for i := range doc.Problems {
		doc.Problems[i].Minor = true // PML passes over the entry and starts the others
	}
	rules := in.Tree.Root.Get("permissions")
	doc.Permissions = permissions(rules)
	for _, list := range []string{"allow", "deny", "ask"} {
		doc.References = append(doc.References, in.namesBefore(rules.Get(list), ":")...)
	}
	doc.Problems = append(doc.Problems, pmlNameProblems(doc)...)
	return doc
}

// pmlNameProblems returns servers whose tools have no full name, for a part of
// which their name does not do, and patterns that match no tool: names of tools
// match ^[a-zA-Z0-9_:-]+$, and a star stands alone or for all of a namespace
// (permissions/loader.ts, matchesPattern). A tool's full name is let pass.
func pmlNameProblems(doc *mcp.Document) []mcp.Problem {
	var problems []mcp.Problem
	for _, s := range doc.Servers {
		if !s.Disabled && !fqdnPart.MatchString(s.Name) {
			problems = append(problems, mcp.Problem{
				Kind: mcp.InvalidName, Server: s.Name, Span: s.NameSpan, Minor: true,
				Message: fmt.Sprintf("Casys PML has no full names for the tools of %q: a server's name begins with a letter or underscore and has letters, digits, underscores and hyphens", s.Name),
			})
		}
	}
	if doc.Permissions == nil {
		return problems
	}
	for _, pattern := range slices.Concat(doc.Permissions.Allow, doc.Permissions.Deny, doc.Permissions.Ask) {
		if !matchesSomeTool(pattern.Text) {
			problems = append(problems, mcp.Problem{
				Kind: mcp.InvalidName, Span: pattern.Span, Minor: true,
				Message: fmt.Sprintf(`the pattern %q matches no tool: names of tools have letters, digits, underscores, hyphens and colons, and a star is all there is or follows a last colon`, pattern.Text),
			})
		}
	}
	return problems
}

// matchesSomeTool reports whether there can be a tool that a pattern of PML's
// permissions matches.
func matchesSomeTool(pattern string) bool {
	if pattern == "*" {
		return true
	}
	return (&mcp.Naming{Others: "_:-."}).Takes(strings.TrimSuffix(pattern, ":*"))
}

// permissions reads what may run. Without them PML asks for everything; a list
// that is missing or none is empty.
func permissions(n *syntax.Node) *mcp.Permissions {
	if n == nil || n.Kind != syntax.Object {
		return nil
	}
	return &mcp.Permissions{Allow: words(n.Get("allow")), Deny: words(n.Get("deny")), Ask: words(n.Get("ask"))}
}
