package format

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// pmlLock is the lockfile of Casys PML (Casys-AI/casys-pml, 2026-03). It holds
// one entry for every tool that was once fetched, not for every server. PML
// itself keeps it out of git, so most repositories have none.
var pmlLock = &shape.Format{
	Name: "pml-lock", Scope: mcp.ScopeLock, Paths: []string{".pml/mcp.lock"}, Dedicated: true, State: true,
	Parse: (*syntax.Parser).JSON, Read: readPMLLock,
}

// readPMLLock reads a lockfile. PML ignores its version.
func readPMLLock(in *shape.Input) *mcp.Document {
	doc := in.Document()
	doc.Duplicates = in.Repeats(nil)
	entries := in.LockObject(doc, "entries")
	if doc.Refusals != nil {
		return doc
	}
	doc.Lock = &mcp.Lock{}
	if entries == nil {
		doc.Refusals = append(doc.Refusals, mcp.Refusal{Reason: mcp.NoEntries, Span: shape.Opening(in.Tree.Root), Tool: "PML", Member: "entries"})
		return doc
	}
	doc.Lock.EntriesSpan = entries.Key
	for _, node := range shape.Members(entries) {
		for _, r := range refusesPMLEntry(node) {
			doc.Refusals = append(doc.Refusals, shape.InEntry(node, r))
		}
		if node.Kind == syntax.Object {
			doc.Lock.Entries = append(doc.Lock.Entries, pmlEntry(doc, node))
		}
	}
	return doc
}

// pmlEntry reads one entry. The lockfile does not say how a server is started, so the entry has
// neither a launch nor an identity.
func pmlEntry(doc *mcp.Document, node *syntax.Node) *mcp.LockEntry {
	entry := &mcp.LockEntry{
		Name: node.Name, NameSpan: node.Key, Document: doc,
		Pin: mcp.Pin{Integrity: shape.Word(node.Get("integrity")), Fetched: shape.Word(node.Get("fetchedAt")).Text},
	}
	full := fqdnOf(node)
	if len(secret.Find(full.Text)) > 0 {
		return entry // a part of a credential would not be recognized as one
	}
	entry.Tools.FullName = fqdnBase(full.Text)
	entry.Tools.Validated = shape.Word(node.Get("lastValidated"))
	entry.Tools.Type, entry.Tools.Routing = shape.Word(node.Get("type")), shape.Word(node.Get("routing"))
	parts := strings.Split(full.Text, ".")
	if len(parts) == 5 {
		entry.Tools.NameHash = identity.Word{Text: parts[4], Span: full.Span}
	}
	entry.Tools.KeyPermission = permissionFor(strings.Split(node.Name, "."))
	if entry.Tools.Permission = permissionFor(parts); entry.Tools.Permission != "" {
		// "pml.mcp" are the tools of servers; everything else is code that PML
		// runs itself.
		if parts[0] == "pml" && parts[1] == "mcp" {
			switch entry.Tools.Type.Text {
			case "stdio":
				entry.Tools.Server = parts[2]
			case "http":
				entry.Tools.Remote = parts[2]
			}
		}
	}
	return entry
}

// permissionFor returns what permissions call a tool of a full name in parts, or "".
func permissionFor(parts []string) string {
	if len(parts) != 4 && len(parts) != 5 {
		return ""
	}
	return parts[2] + ":" + parts[3]
}

// fqdnOf returns the full name of a locked tool. The lockfile of PML's design
// document has no field for it, there the key is the name.
func fqdnOf(node *syntax.Node) identity.Word {
	if fqdn := node.Get("fqdn"); fqdn.IsString() {
		return shape.Word(fqdn)
	}
	return identity.Word{Text: node.Name, Span: node.Key}
}

// toolTypes are the types of locked tools: code that PML runs, servers that it starts, and in
// its design document those that it reaches by their address.
var toolTypes = []string{"deno", "stdio", "http"}

// refusesPMLEntry checks the form of one entry.
func refusesPMLEntry(node *syntax.Node) []mcp.Refusal {
	if node.Kind != syntax.Object {
		return []mcp.Refusal{shape.NotObject(mcp.PartEntry, node)}
	}
	var refusals []mcp.Refusal
	if r := refusesPMLName(node); r != nil {
		refusals = append(refusals, *r)
	}
	refusals = append(refusals, shape.WrongKinds(node,
		shape.KindOf("fqdn", syntax.String), shape.KindOf("integrity", syntax.String), shape.KindOf("type", syntax.String), shape.KindOf("approved", syntax.Bool))...)
	refuseType := func(at syntax.Span, got string) {
		refusals = append(refusals, mcp.Refusal{Reason: mcp.ToolType, Span: at, Tool: "PML", Name: node.Name, Got: got, Want: toolTypes})
	}
	if at, isAbsent := absent(node, "type"); isAbsent {
		refuseType(at, "")
	} else if kind := node.Get("type"); kind.IsString() && !slices.Contains(toolTypes, kind.Text) {
		refuseType(kind.Value, kind.Text)
	}
	if approved := node.Get("approved"); approved != nil && approved.Kind == syntax.Bool && approved.Text == "false" {
		refusals = append(refusals, mcp.Refusal{Reason: mcp.NotApproved, Span: approved.Value, Tool: "PML", Name: node.Name})
	}
	return refusals
}

// refusesPMLName checks an entry's key and full name together: the key is the full name without
// its hash.
func refusesPMLName(node *syntax.Node) *mcp.Refusal {
	full := fqdnOf(node)
	for _, name := range []identity.Word{full, {Text: node.Name, Span: node.Key}} {
		if r := refusesFQDN(name); r != nil {
			return r
		}
	}
	switch {
	case fqdnBase(node.Name) != fqdnBase(full.Text):
		return &mcp.Refusal{Reason: mcp.OtherTool, Span: full.Span, Name: node.Name, Got: full.Text}
	case len(strings.Split(node.Name, ".")) == 5:
		return &mcp.Refusal{Reason: mcp.HashInKey, Span: node.Key, Tool: "PML", Got: node.Name, Want: []string{fqdnBase(node.Name)}}
	}
	return nil
}

// refusesFQDN says why a text is not a full name of a tool
// (organization.project.namespace.action, and a hash of four digits), or returns nil.
func refusesFQDN(name identity.Word) *mcp.Refusal {
	parts := strings.Split(name.Text, ".")
	r := &mcp.Refusal{Span: name.Span, Got: name.Text, Count: len(parts)}
	if len(parts) != 4 && len(parts) != 5 {
		r.Reason = mcp.ToolNameParts
		return r
	}
	for _, part := range parts[:4] {
		if !mcp.IsToolPart(part) {
			r.Reason, r.Other = mcp.ToolNamePart, shownPart(name.Text, part)
			return r
		}
	}
	if len(parts) == 5 && !mcp.IsToolHash(parts[4]) {
		r.Reason, r.Other = mcp.ToolNameHash, shownPart(name.Text, parts[4])
		return r
	}
	return nil
}

// shownPart returns the part of a name that a message may repeat: the whole name if it contains a
// credential, because a part of a credential is not recognized as one.
func shownPart(name, part string) string {
	if len(secret.Find(name)) > 0 {
		return name
	}
	return part
}

// fqdnBase returns a full name without its hash.
func fqdnBase(name string) string {
	if parts := strings.Split(name, "."); len(parts) == 5 {
		return strings.Join(parts[:4], ".")
	}
	return name
}
