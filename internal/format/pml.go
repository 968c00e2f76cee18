package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// pml is the file of Casys PML in a project: the servers that PML starts, and
// which of their tools may run. PML itself keeps it out of git.
func pml() *Format {
	return &Format{
		Name: "pml", Scope: mcp.ScopeProject, Paths: []string{".pml.json"}, Dedicated: true, State: true,
		Skip:  func(entry *syntax.Node) bool { return entry.Name == "pml" }, // PML does not start itself
		Roots: []string{"mcpServers"}, Parse: syntax.ParseJSON, Read: readPML,
	}
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
	return doc
}

// permissions reads what may run. Without them PML asks for everything; a list
// that is missing or none is empty.
func permissions(n *syntax.Node) *mcp.Permissions {
	if n == nil || n.Kind != syntax.Object {
		return nil
	}
	return &mcp.Permissions{Allow: words(n.Get("allow")), Deny: words(n.Get("deny")), Ask: words(n.Get("ask"))}
}

// pmlServers are the servers that PML's own gateway starts. They are its own:
// no client loads them when it opens the project.
func pmlServers() *Format {
	return standard("pml-servers", mcp.ScopeAgent, "config/.mcp-servers.json", "config/.mcp-servers.example.json")
}
