package format

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// promptRegistry are the sources of prompt-registry's bundles: collections,
// whose servers stand under mcp.items or, in old ones, mcpServers, and the
// manifests that are made of them (docs/author-guide/collection-schema.md).
func promptRegistry() *Format {
	f := yamlFile("prompt-registry", mcp.ScopeRegistry, []string{"mcpServers", "mcp:"},
		"*.collection.yml", "deployment-manifest.yml")
	f.Roots = []string{"mcp.items", "mcpServers"}
	return f
}

// promptRegistryLock is the lockfile of bundles (schema 2.0.0, its local twin in
// local-only mode). It says nothing about servers: it is read so that a file
// which the tool could not use is found.
func promptRegistryLock() *Format {
	return &Format{
		Name: "prompt-registry-lock", Scope: mcp.ScopeLock, Dedicated: true,
		Paths: []string{"prompt-registry.lock.json", "prompt-registry.local.lock.json"},
		Parse: parseLockfile, Read: readPromptRegistryLock,
	}
}

func readPromptRegistryLock(in *Input) *mcp.Document {
	top := in.Tree.Root
	if top == nil {
		return nil
	}
	doc := in.document()
	doc.Duplicates = in.repeats(nil)
	switch bundles := top.Get("bundles"); {
	case top.Kind != syntax.Object:
		doc.Problems = append(doc.Problems, invalidLock(top.Value, "a lockfile is an object, this is %s", article(top.Kind)))
	case bundles != nil && bundles.Kind != syntax.Object:
		doc.Problems = append(doc.Problems, invalidLock(bundles.Value, "bundles is an object of bundles by name, this is %s", article(bundles.Kind)))
	}
	return doc
}

// promptRegistryTracking is where prompt-registry notes which entries of
// .vscode/mcp.json it wrote, and from what (src/types/mcp.ts).
func promptRegistryTracking() *Format {
	return &Format{
		Name: "prompt-registry-tracking", Scope: mcp.ScopeLock, Dedicated: true,
		Paths: []string{".vscode/prompt-registry-mcp-tracking.json"}, State: true,
		Parse: parseLockfile, Read: readPromptRegistryTracking,
	}
}

// readPromptRegistryTracking reads the tracked entries. They lock nothing but
// what the tool itself wrote, so that the document has no Lock.
func readPromptRegistryTracking(in *Input) *mcp.Document {
	top := in.Tree.Root
	if top == nil {
		return nil
	}
	doc := in.document()
	doc.Duplicates = in.repeats(nil)
	if top.Kind != syntax.Object {
		doc.Problems = append(doc.Problems, invalidLock(top.Value, "a tracking file is an object, this is %s", article(top.Kind)))
		return doc
	}
	managed := top.Get("managedServers")
	if managed == nil {
		return doc
	}
	if managed.Kind != syntax.Object {
		doc.Problems = append(doc.Problems, invalidLock(managed.Value, "managedServers is an object of entries by name, this is %s", article(managed.Kind)))
		return doc
	}
	doc.RootKey, doc.Root = "managedServers", managed.Key
	doc.Tracked = []*mcp.LockEntry{}
	for _, node := range lockedObjects(doc, managed) {
		entry := in.trackedEntry(node)
		entry.Document = doc
		doc.Tracked = append(doc.Tracked, entry)
	}
	return doc
}

// trackedEntry reads one entry with the configuration that its bundle brought,
// before the tool filled in the variables.
func (in *Input) trackedEntry(node *syntax.Node) *mcp.LockEntry {
	entry := &mcp.LockEntry{
		Name: node.Name, NameSpan: node.Key,
		Bundle:  word(node.Get("bundleId")).Text,
		Version: word(node.Get("bundleVersion")),
	}
	if original := node.Get("originalConfig"); isServer(original) {
		entry.Launch = in.read([]named{{node.Name, node.Key, original}})[0].Launch
		entry.Identity = identity.Resolve(&entry.Launch, in.context)
	}
	return entry
}

// duplicateOf begins the description that prompt-registry gives to an entry
// which it switches off.
const duplicateOf = "Duplicate of "

// readVSCode reads VS Code's file, in which prompt-registry leaves notes.
func readVSCode(in *Input) *mcp.Document {
	doc := readWithInputs(in)
	if doc == nil || !strings.Contains(string(in.File.Bytes), duplicateOf) {
		return doc
	}
	value := in.findRoot().value()
	for _, s := range doc.Servers {
		entry := value.Get(s.Name)
		if entry == nil || entry.Value != s.Span {
			continue
		}
		if note := entry.Get("description"); note.IsString() {
			s.DuplicateOf = identity.Word{Text: duplicateName(note.Text), Span: note.Value}
		}
	}
	return doc
}

// duplicateName returns the name in the description of a duplicate, "" if it is
// about something else. A name ends at a blank or a parenthesis, as the tool
// reads it.
func duplicateName(description string) string {
	_, rest, found := strings.Cut(description, duplicateOf)
	if !found {
		return ""
	}
	if end := strings.IndexAny(rest, " \t\n\r("); end >= 0 {
		return rest[:end]
	}
	return rest
}
