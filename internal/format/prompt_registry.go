package format

import (
	"fmt"
	"slices"
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
	f.Read = readCollection
	return f
}

// readCollection reads the servers of a collection, which has a schema
// (schemas/collection.schema.json), or of a manifest, which has none.
func readCollection(in *Input) *mcp.Document {
	r := in.findRoot()
	if r == nil {
		return nil
	}
	doc := in.rooted(r)
	doc.Package = word(r.nodes[0].Get("id")).Text
	if !strings.HasSuffix(strings.ToLower(in.File.Path), ".collection.yml") {
		return doc
	}
	if id := r.nodes[0].Get("id"); id.IsString() && !isCollectionID(id.Text) {
		doc.Problems = append(doc.Problems, collectionName(id.Value, "the id %q: it takes only lower-case letters, digits and hyphens", id.Text))
	}
	for _, entry := range members(r.value()) {
		doc.Problems = append(doc.Problems, collectionProblems(entry)...)
	}
	return doc
}

// isCollectionID reports whether a text matches ^[a-z0-9-]+$.
func isCollectionID(id string) bool {
	return (&mcp.Naming{Others: "-"}).Takes(id) && id == strings.ToLower(id)
}

// collectionProblems judges an entry as the schema does. With a field that it
// does not know a collection fails to validate, and installs all the same.
func collectionProblems(entry *syntax.Node) []mcp.Problem {
	var problems []mcp.Problem
	if names := (mcp.Naming{Others: "-_"}); !names.Takes(entry.Name) {
		problems = append(problems, inEntry(entry, collectionName(entry.Key, "the name %q: it takes only letters, digits, hyphens and underscores", entry.Name)))
	}
	if hasAlias(entry) {
		return problems
	}
	if r := refusesCollectionEntry(entry); r != nil {
		problems = append(problems, mcp.Problem{
			Kind: mcp.InvalidServer, Server: entry.Name, Span: r.span, Minor: entry.Kind == syntax.Object,
			Message: fmt.Sprintf("prompt-registry's schema refuses %q: %s", entry.Name, r.why),
		})
	}
	return problems
}

func collectionName(span syntax.Span, format string, args ...any) mcp.Problem {
	return mcp.Problem{
		Kind: mcp.InvalidName, Span: span, Minor: true,
		Message: fmt.Sprintf("prompt-registry's schema refuses "+format, args...),
	}
}

// refusesCollectionEntry returns the first thing for which the schema refuses an
// entry, or nil.
func refusesCollectionEntry(entry *syntax.Node) *refusal {
	if entry.Kind != syntax.Object {
		return &refusal{entry.Value, fmt.Sprintf("an entry is an object, this is %s", article(entry.Kind))}
	}
	for _, m := range entry.Nodes {
		switch m.Name {
		case "command", "args", "env", "envFile", "url", "headers", "disabled":
		case "type":
			if !slices.Contains([]string{"stdio", "http", "sse"}, m.Text) {
				return &refusal{whole(m), "the type is one of stdio, http and sse"}
			}
		default:
			return &refusal{m.Key, fmt.Sprintf("it knows no field %q", m.Name)}
		}
	}
	if entry.Get("command") == nil && entry.Get("url") == nil {
		return &refusal{entry.Key, "it has neither a command nor a url"}
	}
	return nil
}

// promptRegistryLock is the lockfile of bundles (schemas/lockfile.schema.json; its
// local twin in local-only mode). It says nothing about servers: it is read so
// that a file which the tool could not use is found, and a hash that is missing.
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
	bundles := in.lockObject(doc, "bundles")
	if doc.Problems != nil {
		return doc
	}
	if version := top.Get("version"); version != nil && (!version.IsString() || !isBundleLockVersion(version.Text)) {
		doc.Problems = append(doc.Problems, invalidLock(version.Value, "the version of the lockfile is no three numbers such as 2.0.0"))
	}
	var hashes []*syntax.Node // of every file, nil where there is none
	for _, bundle := range members(bundles) {
		problems, files := bundleProblems(bundle)
		doc.Problems = append(doc.Problems, problems...)
		hashes = append(hashes, files...)
	}
	doc.Problems = append(doc.Problems, hashProblems(bundles, hashes)...)
	return doc
}

// isBundleLockVersion reports whether a text is three numbers. Which of them the
// tool knows is not asked: 1.0.0 and 2.0.0 are about, and each release adds
// fields.
func isBundleLockVersion(text string) bool {
	parts := strings.Split(text, ".")
	return len(parts) == 3 && !slices.ContainsFunc(parts, func(p string) bool { return p == "" || strings.Trim(p, "0123456789") != "" })
}

// bundleProblems judges one bundle and returns the hashes of its files, each as
// the file's own node where it has none.
func bundleProblems(bundle *syntax.Node) ([]mcp.Problem, []*syntax.Node) {
	if bundle.Kind != syntax.Object {
		return []mcp.Problem{invalidLock(bundle.Value, "the bundle %q is an object, this is %s", bundle.Name, article(bundle.Kind))}, nil
	}
	var problems []mcp.Problem
	for _, m := range []struct {
		name string
		kind syntax.Kind
	}{{"version", syntax.String}, {"sourceId", syntax.String}, {"sourceType", syntax.String}, {"checksum", syntax.String}, {"files", syntax.Array}} {
		if p := wrongKind(bundle, m.name, m.kind); p != nil {
			problems = append(problems, *p)
		} else if bundle.Get(m.name) == nil && m.name != "checksum" {
			problems = append(problems, invalidLock(bundle.Key, "the bundle %q has no %s", bundle.Name, m.name))
		}
	}
	files := bundle.Get("files")
	if files == nil || files.Kind != syntax.Array {
		return problems, nil
	}
	var hashes []*syntax.Node
	for _, file := range files.Nodes {
		switch hash := file.Get("checksum"); {
		case !file.Get("path").IsString():
			problems = append(problems, invalidLock(file.Value, "a file of the bundle %q has no path", bundle.Name))
		case hash == nil:
			hashes = append(hashes, file)
		default:
			hashes = append(hashes, hash)
		}
	}
	return problems, hashes
}

// hashProblems judges the hashes of files: 64 hex digits in lower case. Where
// none has one there is one problem for all.
func hashProblems(bundles *syntax.Node, hashes []*syntax.Node) []mcp.Problem {
	var missing, broken []mcp.Problem
	for _, n := range hashes {
		switch {
		case n.Name != "checksum" || n.Kind == syntax.Null || n.IsString() && n.Text == "":
			missing = append(missing, mcp.Problem{
				Kind: mcp.MissingHash, Span: n.Value, Minor: true,
				Message: "this file has no checksum: a change goes unnoticed",
			})
		case !n.IsString() || len(n.Text) != 64 || strings.Trim(n.Text, "0123456789abcdef") != "":
			broken = append(broken, mcp.Problem{
				Kind: mcp.InvalidHash, Span: n.Value,
				Message: "the checksum of a file is 64 hex digits in lower case, without anything before them",
			})
		}
	}
	if len(missing) > 1 && len(missing) == len(hashes) {
		return []mcp.Problem{{
			Kind: mcp.MissingHash, Span: bundles.Key, Minor: true,
			Message: fmt.Sprintf("none of the %d files in this lockfile has a checksum: a change goes unnoticed", len(missing)),
		}}
	}
	return append(missing, broken...)
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
			if name := duplicateName(note.Text); name != "" {
				s.Tell().DuplicateOf = identity.Word{Text: name, Span: note.Value}
			}
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
