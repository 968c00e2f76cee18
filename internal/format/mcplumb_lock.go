package format

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// mcplumbLock is mcplumb's own lockfile (docs/lock.md).
var mcplumbLock = &shape.Format{
	Name:      "mcplumb-lock",
	Scope:     mcp.ScopeLock,
	Paths:     []string{"mcplumb.lock"},
	Dedicated: true,
	Parse:     (*syntax.Parser).TOML,
	Read:      readMcplumbLock,
}

// mcplumbLockVersion is the only version of the file.
const mcplumbLockVersion = "1"

// readMcplumbLock reads the lockfile. One of another version locks nothing.
func readMcplumbLock(in *shape.Input) *mcp.Document {
	doc := in.Document()
	top := in.Tree.Root
	if r := shape.RefusesVersion("mcplumb", top, top.Get("version"), mcplumbLockVersion); r != nil {
		doc.Refusals = append(doc.Refusals, *r)
		return doc
	}
	doc.Lock = &mcp.Lock{}
	servers := top.Get("server")
	if servers == nil || servers.Kind != syntax.Array {
		return doc
	}
	doc.Lock.EntriesSpan = servers.Key
	first := map[string]*mcp.LockEntry{}
	for _, node := range servers.Nodes {
		if node.Kind != syntax.Object {
			doc.Refusals = append(doc.Refusals, shape.NotObject(mcp.PartEntry, node))
			continue
		}
		entry := mcplumbEntry(node)
		entry.Document = doc
		if r := refusesSecond(first, entry); r != nil {
			entry.Repeats = true
			doc.Refusals = append(doc.Refusals, *r)
		}
		doc.Lock.Entries = append(doc.Lock.Entries, entry)
	}
	return doc
}

// refusesSecond refuses an entry that locks the same as an earlier one, even with another hash:
// mcplumb writes one for each version of a server, so it cannot tell which of the two was
// approved.
func refusesSecond(first map[string]*mcp.LockEntry, entry *mcp.LockEntry) *mcp.Refusal {
	id := &entry.Target.Identity
	key := id.String() + "\x00" + strings.Join(id.Selector, "\x00") + "\x01" + entry.Pin.Version.Text
	if before := first[key]; before != nil {
		return &mcp.Refusal{Reason: mcp.LockedTwice, Span: id.Span, Server: entry.Name, Name: entry.Name, First: before.Target.Identity.Span}
	}
	first[key] = entry
	return nil
}

// mcplumbEntry reads one entry. It is found under any of its names, and by what it
// runs.
func mcplumbEntry(node *syntax.Node) *mcp.LockEntry {
	entry := &mcp.LockEntry{
		Pin: mcp.Pin{Version: shape.Word(node.Get("version")), Integrity: shape.Word(node.Get("integrity")), Files: shape.Words(node.Get("hashes"))},
	}
	entry.Place.Files = shape.Texts(node.Get("files"))
	written := shape.Word(node.Get("identity"))
	for i, name := range shape.Words(node.Get("names")) {
		if i == 0 {
			entry.Name, entry.NameSpan = name.Text, name.Span
		} else {
			entry.Place.OtherNames = append(entry.Place.OtherNames, name.Text)
		}
	}
	if entry.Name == "" {
		entry.Name, entry.NameSpan = written.Text, written.Span
	}
	kind, name, _ := strings.Cut(written.Text, ":")
	id := identity.Identity{Kind: identity.Kind(kind), Name: name, Span: written.Span, Selector: shape.Texts(node.Get("selector"))}
	id.Plain = id.Kind == identity.URL && strings.HasPrefix(name, "http:")
	if entry.Pin.Version.Text != "" {
		id.Version = identity.Version{Kind: identity.Exact, Text: entry.Pin.Version.Text, Span: entry.Pin.Version.Span}
		if id.Kind == identity.OCI && !strings.Contains(id.Version.Text, ":") {
			id.Version.Kind = identity.Tag
		}
	}
	if !id.IsPackage() {
		// It is a hash of files in the repository itself: a change of these shows in the same
		// review, and there is nothing further to approve.
		entry.Pin.Own, entry.Pin.Integrity, entry.Pin.Files = entry.Pin.Integrity, identity.Word{}, nil
	}
	entry.Target.Identity = id
	return entry
}
