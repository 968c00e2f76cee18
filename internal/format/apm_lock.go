package format

import (
	"cmp"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// apmLock is the lockfile of apm. It locks packages, and also records the servers of the manifest
// as they were at the last installation. "apm audit" compares these with the manifest.
var apmLock = &shape.Format{
	Name: "apm-lock", Scope: mcp.ScopeLock, Paths: []string{"apm.lock.yaml"},
	Keys: []string{"mcp_servers", "mcp_configs", "content_hash"}, Marks: []string{"mcp_servers:", "mcp_configs:"}, Roots: []string{},
	Parse: (*syntax.Parser).YAML, Read: readAPMLock,
}

// readAPMLock reads the servers: mcp_configs has them all, but older lockfiles have only their
// names, in mcp_servers. A lockfile without servers may lock packages by hashes.
func readAPMLock(in *shape.Input) *mcp.Document {
	configs, names := in.Tree.Root.Get("mcp_configs"), in.Tree.Root.Get("mcp_servers")
	if configs != nil && configs.Kind != syntax.Object {
		configs = nil
	}
	if names != nil && names.Kind != syntax.Array {
		names = nil
	}
	hashed := apmHashes(in.Tree.Root.Get("dependencies"))
	if configs == nil && names == nil && hashed == nil {
		return nil
	}
	doc := in.Document()
	doc.Hashed = hashed
	if configs == nil && names == nil {
		return doc
	}
	doc.Lock = &mcp.Lock{}
	known := map[string]bool{}
	if configs != nil {
		doc.Lock.EntriesSpan = configs.Key
		for _, n := range configs.Nodes {
			if n.Kind == syntax.Object && !known[n.Name] {
				known[n.Name] = true
				doc.Lock.Entries = append(doc.Lock.Entries, apmEntry(in, configs.Get(n.Name)))
			}
		}
		for _, d := range in.Tree.Duplicates {
			if configs.Value.Contains(d.Object) {
				doc.Duplicates = append(doc.Duplicates, mcp.Repeat{Name: d.Again.Name, First: d.First.Key, Again: d.Again.Key})
			}
		}
	}
	if names != nil {
		for _, n := range names.Nodes {
			if n.IsString() && !known[n.Text] {
				known[n.Text] = true
				doc.Lock.Entries = append(doc.Lock.Entries, &mcp.LockEntry{Name: n.Text, NameSpan: n.Value})
			}
		}
	}
	others := hasPackages(in.Tree.Root)
	for _, entry := range doc.Lock.Entries {
		entry.Document = doc
		entry.Place.MayBeExternal = others || in.Tree.Root.At("mcp_config_provenance", entry.Name) != nil
	}
	return doc
}

// apmHashes returns the packages, each of which is a directory of a repository at a
// commit (microsoft.github.io/apm/reference/lockfile-spec).
func apmHashes(packages *syntax.Node) []mcp.Hashed {
	if packages == nil || packages.Kind != syntax.Array {
		return nil
	}
	var hashed []mcp.Hashed
	for _, n := range packages.Nodes {
		repository := shape.Word(n.Get("repo_url"))
		name := apmRepository(repository.Text, shape.Word(n.Get("host")).Text)
		h := mcp.Hashed{
			Name: name, NameSpan: repository.Span, ID: name,
			Pin: mcp.Pin{Version: shape.Word(n.Get("resolved_commit")), Integrity: shape.Word(n.Get("content_hash"))},
		}
		if within := shape.Word(n.Get("virtual_path")).Text; within != "" {
			h.Name += "/" + within
			h.ID = h.Name
		}
		if h.Name != "" {
			hashed = append(hashed, h)
		}
	}
	return hashed
}

// apmRepository returns a repository in one spelling, its host before "owner/name": from a URL,
// an address of ssh, or a name whose host is given separately or is GitHub.
func apmRepository(text, host string) string {
	_, rest, isURL := strings.Cut(text, "://")
	if !isURL {
		rest = text
		if at, path, ok := strings.Cut(text, ":"); ok && strings.Contains(at, "@") {
			rest = at + "/" + path // git@host:owner/name
		}
	}
	if user, after, ok := strings.Cut(rest, "@"); ok && !strings.Contains(user, "/") {
		rest = after
	}
	rest = strings.TrimSuffix(strings.Trim(rest, "/"), ".git")
	if first, _, ok := strings.Cut(rest, "/"); ok && !strings.Contains(first, ".") {
		rest = cmp.Or(host, "github.com") + "/" + rest
	}
	return rest
}

// hasPackages reports whether a lockfile has packages, any of which may add servers that the
// manifest does not name.
func hasPackages(top *syntax.Node) bool {
	packages := top.Get("dependencies")
	return packages != nil && packages.Kind != syntax.Null && !(packages.Kind == syntax.Array && len(packages.Nodes) == 0)
}

// apmEntry reads one locked server, which is written as in the manifest.
func apmEntry(in *shape.Input, n *syntax.Node) *mcp.LockEntry {
	entry := &mcp.LockEntry{Name: n.Name, NameSpan: n.Key}
	if isSelfDefined(n) {
		entry.Target.Launch = in.Entry(n.Name, n.Key, n).Launch
		entry.Target.Identity = identity.Resolve(&entry.Target.Launch, &in.Context)
	}
	return entry
}
