package format

import (
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// mcpTap is the lockfile of mcp-tap (felipestenzel/mcp-tap v0.6.9, lockfile
// specification 1). Its side files (mcp-tap.lock.lck, .cursor/mcp.lock) are
// empty and hold file locks; no pattern here matches them.
var mcpTap = &shape.Format{
	Name:      "mcp-tap",
	Scope:     mcp.ScopeLock,
	Paths:     []string{"mcp-tap.lock"},
	Dedicated: true,
	Parse:     (*syntax.Parser).JSON,
	Read:      readMCPTap,
}

// mcpTapVersion is the only lockfile_version that mcp-tap reads.
const mcpTapVersion = "1"

// readMCPTap reads a lockfile. One that mcp-tap itself would refuse locks
// nothing: it has a refusal and no Lock.
func readMCPTap(in *shape.Input) *mcp.Document {
	doc := in.Document()
	doc.Duplicates = in.Repeats(nil)
	if top := in.Tree.Root; top.Kind == syntax.Object {
		if r := shape.RefusesVersion("mcp-tap", top, top.Get("lockfile_version"), mcpTapVersion); r != nil {
			doc.Refusals = append(doc.Refusals, *r)
			return doc
		}
	}
	servers := in.LockObject(doc, "servers")
	if doc.Refusals != nil {
		return doc
	}
	doc.Lock = &mcp.Lock{}
	if servers != nil {
		doc.Lock.EntriesSpan = servers.Key
		readMCPTapEntries(in, doc, servers)
	}
	return doc
}

func readMCPTapEntries(in *shape.Input, doc *mcp.Document, servers *syntax.Node) {
	for _, node := range shape.LockedObjects(doc, servers) {
		entry := mcpTapEntry(in, node)
		entry.Document = doc
		doc.Lock.Entries = append(doc.Lock.Entries, entry)
	}
}

// mcpTapEntry reads one entry. Every field may be missing; the defaults are mcp-tap's.
func mcpTapEntry(in *shape.Input, node *syntax.Node) *mcp.LockEntry {
	config := node.Get("config")
	entry := &mcp.LockEntry{
		Name: node.Name, NameSpan: node.Key,
		Target: mcp.Target{
			Launch: identity.Launch{
				Command: shape.Word(config.Get("command")),
				Args:    shape.Words(config.Get("args")),
			},
			Package:    shape.Word(node.Get("package_identifier")),
			Variables:  shape.Texts(config.Get("env_keys")),
			Repository: shape.Word(node.Get("repository_url")).Text,
		},
		Pin: mcp.Pin{
			Version: shape.Word(node.Get("version")), Integrity: shape.Word(node.Get("integrity")), Fetched: shape.Word(node.Get("installed_at")).Text,
		},
		Tools: mcp.LockedTools{Names: shape.Texts(node.Get("tools")), Hash: shape.Word(node.Get("tools_hash"))},
	}
	entry.Tools.Emptied = emptiedTools(node)
	registry := "npm"
	if n := node.Get("registry_type"); n.IsString() {
		registry, entry.Target.RegistryType = n.Text, n.Text
	}
	entry.Target.Identity = in.LockedIdentity(entry, registry)
	return entry
}

// emptiedTools returns the place of a list of tools that a failed health check has
// emptied: mcp-tap writes down what the server answers, and one that does not
// answer has no tools (tools/health.py). An entry that was never checked has no
// verified_at.
func emptiedTools(node *syntax.Node) syntax.Span {
	tools, verified, healthy := node.Get("tools"), node.Get("verified_at"), node.Get("verified_healthy")
	if tools == nil || tools.Kind != syntax.Array || len(tools.Nodes) > 0 || !shape.IsFilled(verified) ||
		healthy == nil || healthy.Kind != syntax.Bool || healthy.Text != "false" {
		return syntax.Span{}
	}
	return tools.Value
}
