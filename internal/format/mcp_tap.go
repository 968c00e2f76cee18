package format

import (
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// mcpTap is the lockfile of mcp-tap (felipestenzel/mcp-tap v0.6.9, lockfile
// specification 1). Its side files (mcp-tap.lock.lck, .cursor/mcp.lock) are
// empty and hold file locks; no pattern here matches them.
var mcpTap = &Format{
	Name:      "mcp-tap",
	Scope:     mcp.ScopeLock,
	Paths:     []string{"mcp-tap.lock"},
	Dedicated: true,
	Parse:     parseLockfile,
	Read:      readMCPTap,
}

// mcpTapVersion is the only lockfile_version that mcp-tap reads.
const mcpTapVersion = "1"

// readMCPTap reads a lockfile. One that mcp-tap itself would refuse locks
// nothing: it has a problem and no Lock.
func readMCPTap(in *Input) *mcp.Document {
	if in.Tree.Root == nil {
		return nil
	}
	doc := in.document()
	doc.Duplicates = in.repeats(nil)
	if in.Tree.Root.Kind != syntax.Object {
		doc.Problems = append(doc.Problems, invalidLock(in.Tree.Root.Value, "a lockfile is an object, this is %s", article(in.Tree.Root.Kind)))
		return doc
	}
	if problem := checkMCPTapVersion(in.Tree.Root); problem != nil {
		doc.Problems = append(doc.Problems, *problem)
		return doc
	}
	doc.Lock = &mcp.Lock{}
	servers := in.Tree.Root.Get("servers")
	switch {
	case servers == nil:
	case servers.Kind != syntax.Object:
		doc.Lock = nil
		doc.Problems = append(doc.Problems, invalidLock(servers.Value, "servers is an object of entries by name, this is %s", article(servers.Kind)))
	default:
		doc.Lock.EntriesSpan = servers.Key
		in.readMCPTapEntries(doc, servers)
	}
	return doc
}

// checkMCPTapVersion returns a problem unless the version is the one that
// mcp-tap reads; it takes an absent version for 0.
func checkMCPTapVersion(top *syntax.Node) *mcp.Problem {
	version := top.Get("lockfile_version")
	if version == nil {
		opening := syntax.Span{Start: top.Value.Start, End: top.Value.Start + 1}
		p := invalidLock(opening, "lockfile_version is missing: mcp-tap reads only version %s", mcpTapVersion)
		return &p
	}
	if version.Kind != syntax.Number || version.Text != mcpTapVersion {
		p := invalidLock(version.Value, "unsupported lockfile version: mcp-tap reads only version %s", mcpTapVersion)
		return &p
	}
	return nil
}

func (in *Input) readMCPTapEntries(doc *mcp.Document, servers *syntax.Node) {
	for _, node := range lockedObjects(doc, servers) {
		entry := in.mcpTapEntry(node)
		entry.Document = doc
		doc.Lock.Entries = append(doc.Lock.Entries, entry)
	}
}

// mcpTapEntry reads one entry. Every field may be missing; the reader's
// defaults are those of mcp-tap.
func (in *Input) mcpTapEntry(node *syntax.Node) *mcp.LockEntry {
	config := node.Get("config")
	entry := &mcp.LockEntry{
		Name: node.Name, NameSpan: node.Key,
		Target: mcp.Target{
			Launch: identity.Launch{
				Command: word(config.Get("command")),
				Args:    words(config.Get("args")),
			},
			Package:    word(node.Get("package_identifier")),
			Repository: word(node.Get("repository_url")).Text,
		},
		Pin:   mcp.Pin{Version: word(node.Get("version")), Integrity: word(node.Get("integrity"))},
		Tools: mcp.LockedTools{Names: texts(node.Get("tools")), Hash: word(node.Get("tools_hash"))},
	}
	registry := "npm"
	if n := node.Get("registry_type"); n.IsString() {
		registry = n.Text
	}
	entry.Target.Identity = in.lockedIdentity(entry, registry)
	return entry
}
