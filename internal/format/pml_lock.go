package format

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// pmlLock is the lockfile of Casys PML (Casys-AI/casys-pml, 2026-03). It holds
// one entry for every tool that was once fetched, not for every server. PML
// itself keeps it out of git, so most repositories have none.
var pmlLock = &Format{
	Name: "pml-lock", Scope: mcp.ScopeLock, Paths: []string{".pml/mcp.lock"}, Dedicated: true, State: true,
	Parse: parseLockfile, Read: readPMLLock,
}

// readPMLLock reads a lockfile. PML does not look at its version.
func readPMLLock(in *Input) *mcp.Document {
	if in.Tree.Root == nil {
		return nil
	}
	doc := in.document()
	doc.Duplicates = in.repeats(nil)
	entries := in.lockObject(doc, "entries")
	if doc.Problems != nil {
		return doc
	}
	doc.Lock = &mcp.Lock{}
	if entries == nil {
		return doc
	}
	doc.Lock.EntriesSpan = entries.Key
	last := make(map[string]*syntax.Node, len(entries.Nodes))
	for _, node := range entries.Nodes {
		last[node.Name] = node
	}
	for _, node := range entries.Nodes {
		if last[node.Name] != node {
			continue // written again later: PML keeps that one
		}
		doc.Problems = append(doc.Problems, pmlEntryProblems(node)...)
		if node.Kind == syntax.Object {
			doc.Lock.Entries = append(doc.Lock.Entries, pmlEntry(doc, node))
		}
	}
	return doc
}

// pmlEntry reads one entry. The lockfile does not say what a server runs, so
// there is neither a launch nor an identity.
func pmlEntry(doc *mcp.Document, node *syntax.Node) *mcp.LockEntry {
	entry := &mcp.LockEntry{
		Name: node.Name, NameSpan: node.Key, Document: doc,
		Pin: mcp.Pin{Integrity: word(node.Get("integrity"))},
	}
	full := fqdnOf(node)
	parts := strings.Split(full.Text, ".")
	if len(parts) == 5 {
		entry.Tools.NameHash = identity.Word{Text: parts[4], Span: full.Span}
	}
	if len(parts) == 4 || len(parts) == 5 {
		entry.Tools.Permission = parts[2] + ":" + parts[3]
		// "pml.mcp" are the tools of servers; everything else is code that PML
		// runs itself.
		if parts[0] == "pml" && parts[1] == "mcp" && word(node.Get("type")).Text == "stdio" {
			entry.Tools.Server = parts[2]
		}
	}
	return entry
}

// fqdnOf returns the full name of a locked tool. The lockfile of PML's design
// document has no field for it, there the key is the name.
func fqdnOf(node *syntax.Node) identity.Word {
	if fqdn := node.Get("fqdn"); fqdn.IsString() {
		return word(fqdn)
	}
	return identity.Word{Text: node.Name, Span: node.Key}
}

// pmlEntryProblems judges the form of one entry.
func pmlEntryProblems(node *syntax.Node) []mcp.Problem {
	if node.Kind != syntax.Object {
		return []mcp.Problem{inEntry(node, invalidLock(node.Value, "the entry %q is an object, this is %s", node.Name, article(node.Kind)))}
	}
	var problems []mcp.Problem
	if p := pmlNameProblem(node); p != nil {
		problems = append(problems, inEntry(node, *p))
	}
	for _, m := range []struct {
		name string
		kind syntax.Kind
	}{{"fqdn", syntax.String}, {"integrity", syntax.String}, {"type", syntax.String}, {"approved", syntax.Bool}} {
		if p := wrongKind(node, m.name, m.kind); p != nil {
			problems = append(problems, inEntry(node, *p))
		}
	}
	if approved := node.Get("approved"); approved != nil && approved.Kind == syntax.Bool && approved.Text == "false" {
		p := invalidLock(approved.Value, "%q was never approved: PML asks again before it runs", node.Name)
		p.Minor = true
		problems = append(problems, inEntry(node, p))
	}
	return problems
}

// pmlNameProblem judges an entry's key and full name together: the key is the
// full name without its hash.
func pmlNameProblem(node *syntax.Node) *mcp.Problem {
	full, key := fqdnOf(node), strings.Split(node.Name, ".")
	why := fqdnProblem(full.Text)
	keyWhy := fqdnProblem(node.Name)
	switch {
	case why != "":
		p := invalidLock(full.Span, "%q is no name of a tool: %s", full.Text, why)
		return &p
	case keyWhy != "":
		p := invalidLock(node.Key, "%q is no name of a tool: %s", node.Name, keyWhy)
		return &p
	case fqdnBase(node.Name) != fqdnBase(full.Text):
		p := invalidLock(full.Span, "the entry %q holds another tool, %q", node.Name, full.Text)
		return &p
	case len(key) == 5:
		p := invalidLock(node.Key, "the key %q has the hash in it: PML looks up %q and does not find it", node.Name, fqdnBase(node.Name))
		p.Minor = true
		return &p
	}
	return nil
}

var (
	fqdnPart = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_-]*$`)
	fqdnHash = regexp.MustCompile(`^[0-9a-f]{4}$`)
)

// fqdnProblem says why a text is no full name of a tool
// (organisation.project.namespace.action, and a hash of four digits), or "".
func fqdnProblem(name string) string {
	parts := strings.Split(name, ".")
	if len(parts) != 4 && len(parts) != 5 {
		return fmt.Sprintf("it has %d parts, not four and a hash", len(parts))
	}
	for _, part := range parts[:4] {
		if !fqdnPart.MatchString(part) {
			return fmt.Sprintf("the part %q is not a letter or underscore and then letters, digits, underscores and hyphens", part)
		}
	}
	if len(parts) == 5 && !fqdnHash.MatchString(parts[4]) {
		return fmt.Sprintf("the hash %q is not four hexadecimal digits in lower case", parts[4])
	}
	return ""
}

// fqdnBase returns a full name without its hash.
func fqdnBase(name string) string {
	if parts := strings.Split(name, "."); len(parts) == 5 {
		return strings.Join(parts[:4], ".")
	}
	return name
}
