package format

import (
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// toolpinLock is the lockfile of ToolPin (proofofwork-agency/toolpin,
// lockfileVersion 2, src/plan.ts). Other tools have files of that name: one is
// ToolPin's if an entry has the target that was selected for it.
var toolpinLock = &shape.Format{
	Name: "toolpin-lock", Scope: mcp.ScopeLock, Paths: []string{"mcp-lock.json"},
	Keys: []string{"selectedTarget"}, Roots: []string{},
	Parse: (*syntax.Parser).JSON, Read: readToolpinLock,
}

// toolpinVersion is the only lockfileVersion that ToolPin reads.
const toolpinVersion = "2"

// readToolpinLock reads a lockfile. One that ToolPin would refuse locks nothing.
func readToolpinLock(in *shape.Input) *mcp.Document {
	top := in.Tree.Root
	version, servers := top.Get("lockfileVersion"), top.Get("servers")
	if version == nil || servers == nil || servers.Kind != syntax.Object || !hasTarget(servers) {
		return nil
	}
	doc := in.Document()
	for _, d := range in.Tree.Duplicates {
		if servers.Value.Contains(d.Object) || d.Object == top.Value {
			doc.Duplicates = append(doc.Duplicates, mcp.Repeat{Name: d.Again.Name, First: d.First.Key, Again: d.Again.Key})
		}
	}
	if r := shape.RefusesVersion("ToolPin", top, version, toolpinVersion); r != nil {
		doc.Refusals = append(doc.Refusals, *r)
		return doc
	}
	objects := shape.LockedObjects(doc, servers)
	for _, node := range objects {
		if r := refusesToolpin(node); r != nil {
			doc.Refusals = append(doc.Refusals, shape.InEntry(node, *r))
		}
	}
	if doc.Refusals != nil {
		return doc
	}
	doc.Lock = &mcp.Lock{EntriesSpan: servers.Key}
	for _, node := range objects {
		entry := toolpinEntry(in, node)
		entry.Document = doc
		doc.Lock.Entries = append(doc.Lock.Entries, entry)
	}
	return doc
}

// hasTarget reports whether an entry is one of ToolPin's.
func hasTarget(servers *syntax.Node) bool {
	for _, entry := range servers.Nodes {
		if target := entry.Get("selectedTarget"); target != nil && target.Kind == syntax.Object {
			return true
		}
	}
	return false
}

// refusesToolpin checks what ToolPin requires of every entry.
func refusesToolpin(entry *syntax.Node) *mcp.Refusal {
	for _, required := range []string{"name", "version", "client"} {
		switch m := entry.Get(required); {
		case m == nil:
			return &mcp.Refusal{Reason: mcp.LockEntryLacks, Span: entry.Key, Tool: "ToolPin", Name: entry.Name, Member: required}
		case m.Kind != syntax.String:
			return &mcp.Refusal{
				Reason: mcp.LockEntryMemberKind, Span: m.Value, Tool: "ToolPin", Name: entry.Name,
				Member: required, Kind: m.Kind, WantKind: syntax.String,
			}
		}
	}
	return nil
}

// toolpinEntry reads one entry: what was written for one client. It says the
// command itself, and the package in the target.
func toolpinEntry(in *shape.Input, node *syntax.Node) *mcp.LockEntry {
	target := node.Get("selectedTarget")
	artifact, others := toolpinArtifacts(node)
	entry := &mcp.LockEntry{
		Name: node.Get("name").Text, NameSpan: node.Key,
		Target: mcp.Target{Package: shape.Word(target.Get("identifier"))},
		Pin: mcp.Pin{
			Version: shape.Word(node.Get("version")), Integrity: shape.Word(node.Get("integrity")),
			Artifact: artifact, Others: others, Fetched: shape.Word(node.Get("lockedAt")).Text,
		},
	}
	format, root := toolpinClient(node.Get("client").Text)
	entry.Place.Format = format
	// A file of the repository has only what is installed for a project.
	scope := node.Get("scope")
	entry.Place.MayBeExternal = format == "" || scope.IsString() && scope.Text != "project"
	if config := node.At("config", root, entry.Name); shape.IsServer(config) {
		entry.Target.Launch = in.Entry(entry.Name, node.Key, config).Launch
	}
	entry.Target.Identity = in.LockedIdentity(entry, shape.Word(target.Get("registryType")).Text)
	if entry.Target.Identity.Kind == identity.URL {
		entry.Target.Identity.Version = identity.Version{}
	}
	return entry
}

// toolpinArtifacts returns the hashes of the files that an entry fetches: those that ToolPin has
// verified itself, then those from the registry (src/trust.ts, TRUSTED_ARTIFACT_EVIDENCE_CODES).
func toolpinArtifacts(node *syntax.Node) (first identity.Word, others []identity.Word) {
	var claims []identity.Word
	if evidence := node.At("trust", "evidence"); evidence != nil {
		for _, n := range evidence.Nodes {
			switch shape.Word(n.Get("code")).Text {
			case "npm_integrity_verified", "mcpb_sha256_verified", "oci_digest_verified":
				if claim := shape.Word(n.Get("claim")); claim.Text != "" {
					claims = append(claims, claim)
				}
			}
		}
	}
	if file := shape.Word(node.At("selectedTarget", "fileSha256")); file.Text != "" {
		claims = append(claims, file)
	}
	if len(claims) == 0 {
		return first, nil
	}
	return claims[0], claims[1:]
}

// toolpinClient returns the format of the file that ToolPin writes for one of
// its clients, and the root key in it.
func toolpinClient(client string) (format, root string) {
	switch client {
	case "claude":
		return "claude-code", "mcpServers"
	case "cursor":
		return "cursor", "mcpServers"
	case "vscode":
		return "vscode", "servers"
	case "codex":
		return "codex", "mcp_servers"
	case "opencode":
		return "opencode", "mcp"
	}
	return "", "mcpServers"
}
