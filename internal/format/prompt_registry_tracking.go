package format

import (
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// promptRegistryTracking is where prompt-registry notes which entries of
// .vscode/mcp.json it wrote, and from what (src/types/mcp.ts).
var promptRegistryTracking = &shape.Format{
	Name: "prompt-registry-tracking", Scope: mcp.ScopeLock, Dedicated: true,
	Paths: []string{".vscode/prompt-registry-mcp-tracking.json"}, State: true,
	Parse: (*syntax.Parser).JSON, Read: readPromptRegistryTracking,
}

// readPromptRegistryTracking reads the tracked entries. They lock only what the tool itself
// wrote, so the document has no Lock.
func readPromptRegistryTracking(in *shape.Input) *mcp.Document {
	top := in.Tree.Root
	doc := in.Document()
	doc.Duplicates = in.Repeats(nil)
	if top.Kind != syntax.Object {
		doc.Refusals = append(doc.Refusals, mcp.Refusal{Reason: mcp.TrackingKind, Span: top.Value, Kind: top.Kind})
		return doc
	}
	managed := top.Get("managedServers")
	if managed == nil {
		return doc
	}
	if managed.Kind != syntax.Object {
		doc.Refusals = append(doc.Refusals, mcp.Refusal{Reason: mcp.EntriesKind, Span: managed.Value, Member: managed.Name, Kind: managed.Kind})
		return doc
	}
	doc.RootKey, doc.Root = "managedServers", managed.Key
	doc.Tracked = []*mcp.LockEntry{}
	for _, node := range shape.LockedObjects(doc, managed) {
		entry := trackedEntry(in, node)
		entry.Document = doc
		doc.Tracked = append(doc.Tracked, entry)
	}
	return doc
}

// trackedEntry reads one entry with the configuration that its bundle had, before the tool filled
// in the variables.
func trackedEntry(in *shape.Input, node *syntax.Node) *mcp.LockEntry {
	entry := &mcp.LockEntry{
		Name: node.Name, NameSpan: node.Key,
		Pin:    mcp.Pin{Version: shape.Word(node.Get("bundleVersion"))},
		Claims: mcp.Claims{Bundle: shape.Word(node.Get("bundleId")).Text},
	}
	if original := node.Get("originalConfig"); shape.IsServer(original) {
		entry.Target.Launch = in.Entry(node.Name, node.Key, original).Launch
		entry.Target.Identity = identity.Resolve(&entry.Target.Launch, &in.Context)
	}
	return entry
}
