package format

import (
	"regexp"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// ccpkgLock is the lockfile of ccpkg (zircote/ccpkg, specification of
// 2026-02-22), at its place, the one of the first draft, and the root.
var ccpkgLock = &Format{
	Name: "ccpkg-lock", Scope: mcp.ScopeLock,
	Paths:     []string{".ccpkg/ccpkg-lock.json", ".claude/ccpkg-lock.json", "ccpkg-lock.json"},
	Dedicated: true, Parse: parseLockfile, Read: readCCPkgLock,
}

// readCCPkgLock reads a lockfile. One of another version locks nothing.
func readCCPkgLock(in *Input) *mcp.Document {
	if in.Tree.Root == nil {
		return nil
	}
	doc := in.document()
	doc.Duplicates = in.repeats(nil)
	shared := in.lockObject(doc, "shared_mcp_servers")
	packages := in.lockObject(doc, "packages")
	if doc.Problems != nil {
		doc.Problems = doc.Problems[:1] // a lockfile that is no object is told once
		return doc
	}
	if p := ccpkgVersion(in.Tree.Root); p != nil {
		doc.Problems = append(doc.Problems, *p)
		return doc
	}
	doc.Lock = &mcp.Lock{}
	for _, node := range members(packages) {
		if !isPackageName(node.Name) {
			doc.Problems = append(doc.Problems, packageName(node.Key, node.Name))
		}
		merged := names(node.Get("merged_mcp_servers"))
		doc.Lock.Packages = append(doc.Lock.Packages, mcp.Package{
			Name: node.Name, NameSpan: node.Key, Version: word(node.Get("version")), Linked: isLinked(node), Merged: merged,
		})
		doc.References = append(doc.References, merged...)
		doc.Problems = append(doc.Problems, ccpkgPackageProblems(node)...)
	}
	if shared == nil {
		return doc
	}
	doc.Lock.EntriesSpan = shared.Key
	installed := doc.Lock.Installed()
	for _, node := range members(shared) {
		if node.Kind != syntax.Object {
			doc.Problems = append(doc.Problems, inEntry(node, invalidLock(node.Value, "the entry %q is an object, this is %s", node.Name, article(node.Kind))))
			continue
		}
		entry := in.ccpkgEntry(doc, node)
		doc.Lock.Entries = append(doc.Lock.Entries, entry)
		for _, p := range ccpkgEntryProblems(node, entry, installed) {
			doc.Problems = append(doc.Problems, inEntry(node, p))
		}
	}
	return doc
}

// ccpkgVersion returns a problem unless the version is the one that is
// specified.
func ccpkgVersion(top *syntax.Node) *mcp.Problem {
	version := top.Get("lockfile_version")
	switch {
	case version == nil:
		p := invalidLock(syntax.Span{Start: top.Value.Start, End: top.Value.Start + 1}, "lockfile_version is missing: ccpkg knows only version 1")
		return &p
	case version.Kind != syntax.Number || version.Text != "1":
		p := invalidLock(version.Value, "unsupported lockfile version: ccpkg knows only version 1")
		return &p
	}
	return nil
}

// ccpkgEntry reads one shared server.
func (in *Input) ccpkgEntry(doc *mcp.Document, node *syntax.Node) *mcp.LockEntry {
	entry := &mcp.LockEntry{
		Name: node.Name, NameSpan: node.Key, Document: doc,
		Target: mcp.Target{Origin: word(node.Get("origin")), Joined: true},
		Pin:    mcp.Pin{Version: word(node.Get("version"))},
		Claims: mcp.Claims{DeclaredBy: words(node.Get("declared_by")), Active: word(node.Get("active_source"))},
	}
	if list := node.Get("declared_by"); list != nil {
		entry.Claims.DeclaredBySpan = list.Value
	}
	if dedup := node.Get("dedup"); dedup != nil && dedup.Kind == syntax.Bool && dedup.Text == "false" {
		entry.Place.Apart = true
		for _, by := range entry.Claims.DeclaredBy {
			// The second is how the design document writes it.
			entry.Place.OtherNames = append(entry.Place.OtherNames, node.Name+"#"+by.Text, by.Text+"::"+node.Name)
		}
	}
	entry.Target.Launch, entry.Target.Identity = in.fromOrigin(entry.Target.Origin)
	entry.Target.Identity = withLockedVersion(entry.Target.Identity, entry.Pin.Version)
	return entry
}

// ccpkgEntryProblems judges what the specification says of one shared server
// (K02, K03, K04, K07 of the invariants).
func ccpkgEntryProblems(node *syntax.Node, entry *mcp.LockEntry, installed map[string]bool) []mcp.Problem {
	var problems []mcp.Problem
	for _, m := range []struct {
		name string
		kind syntax.Kind
	}{{"origin", syntax.String}, {"version", syntax.String}, {"declared_by", syntax.Array}, {"active_source", syntax.String}, {"dedup", syntax.Bool}} {
		if p := wrongKind(node, m.name, m.kind); p != nil {
			problems = append(problems, *p)
		}
	}
	problems = append(problems, declaredByProblems(node, installed)...)
	if entry.Claims.Active.Text != "" && len(entry.Claims.DeclaredBy) > 0 && !hasWord(entry.Claims.DeclaredBy, entry.Claims.Active.Text) {
		problems = append(problems, invalidLock(entry.Claims.Active.Span, "active_source %q is not among the packages that declare %q", entry.Claims.Active.Text, node.Name))
	}
	if origin := node.Get("origin"); origin == nil || origin.Kind == syntax.Null {
		problems = append(problems, invalidLock(node.Key, "%q has no origin", node.Name))
	} else if origin.Kind == syntax.String && !isOrigin(origin.Text) {
		problems = append(problems, invalidLock(origin.Value, `the origin of %q is neither "command::…", "bundle::…" nor an https URL`, node.Name))
	}
	if id := &entry.Target.Identity; entry.Pin.Version.Text != "" && id.Version.Kind == identity.Exact && id.Version.Text != entry.Pin.Version.Text && id.IsPackage() {
		problems = append(problems, invalidLock(entry.Pin.Version.Span, "the version of %q is %s, its origin runs %s", node.Name, entry.Pin.Version.Text, id.Version.Text))
	}
	return problems
}

func isOrigin(text string) bool {
	for _, start := range []string{"command::", "bundle::", "https://"} {
		if rest, ok := strings.CutPrefix(text, start); ok {
			return strings.TrimSpace(rest) != ""
		}
	}
	return false
}

// declaredByProblems judges the packages that declare a server: there is at
// least one, each is installed, none is there twice.
func declaredByProblems(node *syntax.Node, installed map[string]bool) []mcp.Problem {
	list := node.Get("declared_by")
	switch {
	case list == nil || list.Kind == syntax.Null:
		return []mcp.Problem{invalidLock(node.Key, "%q does not say which package declares it", node.Name)}
	case list.Kind != syntax.Array:
		return nil // told as a wrong kind
	case len(list.Nodes) == 0:
		return []mcp.Problem{invalidLock(list.Value, "no package declares %q", node.Name)}
	}
	var problems []mcp.Problem
	seen := map[string]bool{}
	for _, item := range list.Nodes {
		again := item.IsString() && seen[item.Text]
		if item.IsString() {
			seen[item.Text] = true
		}
		switch {
		case item.Kind != syntax.String:
			problems = append(problems, invalidLock(item.Value, "declared_by of %q lists names of packages, this is %s", node.Name, article(item.Kind)))
		case again:
			problems = append(problems, invalidLock(item.Value, "declared_by of %q lists %q twice", node.Name, item.Text))
		case !installed[item.Text]:
			problems = append(problems, invalidLock(item.Value, "%q is declared by %q, which is not installed", node.Name, item.Text))
		}
	}
	return problems
}

var ccpkgChecksum = regexp.MustCompile(`^sha256:[a-f0-9]{64}$`)

// ccpkgPackageProblems judges one installed package (K08, K09, K10).
func ccpkgPackageProblems(node *syntax.Node) []mcp.Problem {
	if node.Kind != syntax.Object {
		return []mcp.Problem{invalidLock(node.Value, "the package %q is an object, this is %s", node.Name, article(node.Kind))}
	}
	var problems []mcp.Problem
	for _, m := range []struct {
		name string
		kind syntax.Kind
	}{
		{"version", syntax.String}, {"checksum", syntax.String}, {"scope", syntax.String}, {"source", syntax.String}, {"linked", syntax.Bool},
		{"config_hash", syntax.String}, {"merged_mcp_servers", syntax.Array}, {"remote_sources", syntax.Object},
	} {
		if p := wrongKind(node, m.name, m.kind); p != nil {
			problems = append(problems, *p)
		}
	}
	problems = append(problems, linkProblems(node)...)
	for _, name := range []string{"checksum", "config_hash"} {
		if sum := node.Get(name); sum.IsString() && !ccpkgChecksum.MatchString(sum.Text) {
			problems = append(problems, invalidLock(sum.Value, "%s of %q is not sha256: and 64 hex digits in lower case", name, node.Name))
		}
	}
	if scope := node.Get("scope"); scope.IsString() && scope.Text != "project" && !isLinked(node) {
		problems = append(problems, invalidLock(scope.Value, "the package %q has the scope %q in the lockfile of a project", node.Name, scope.Text))
	}
	if source := node.Get("source"); source.IsString() && strings.HasPrefix(strings.ToLower(source.Text), "http://") {
		problems = append(problems, invalidLock(source.Value, "the package %q comes over plain http", node.Name))
	}
	return append(problems, remoteProblems(node)...)
}

// linkProblems judges whether a package is linked to a directory of somebody's
// machine, and whether its fields agree about it.
func linkProblems(node *syntax.Node) []mcp.Problem {
	linked, source, checksum := isLinked(node), node.Get("source"), node.Get("checksum")
	hasLink := source.IsString() && strings.HasPrefix(source.Text, "link:")
	switch {
	case hasLink && !linked:
		return []mcp.Problem{invalidLock(source.Value, "the source of %q is a link, but linked is not true", node.Name)}
	case linked && source.IsString() && !hasLink:
		return []mcp.Problem{invalidLock(source.Value, "%q is linked, but its source is no link", node.Name)}
	case linked && checksum.IsString():
		return []mcp.Problem{invalidLock(checksum.Value, "%q is linked and cannot have a checksum", node.Name)}
	case linked:
		p := invalidLock(node.Get("linked").Value, "%q is linked to a directory of one machine: nobody else can install it", node.Name)
		p.Minor = true
		return []mcp.Problem{p}
	case checksum == nil:
		return []mcp.Problem{invalidLock(node.Key, "the package %q has no checksum", node.Name)}
	case checksum.Kind == syntax.Null:
		return []mcp.Problem{invalidLock(checksum.Value, "the package %q has no checksum, and is not linked", node.Name)}
	}
	return nil
}

// remoteProblems judges the files that a package fetched: over https, each with
// a checksum.
func remoteProblems(node *syntax.Node) []mcp.Problem {
	remote := node.Get("remote_sources")
	if remote == nil || remote.Kind != syntax.Object {
		return nil
	}
	var problems []mcp.Problem
	for _, file := range members(remote) {
		if file.Kind != syntax.Object {
			problems = append(problems, invalidLock(file.Value, "the remote source %q is an object, this is %s", file.Name, article(file.Kind)))
			continue
		}
		switch sum := file.Get("checksum"); {
		case !sum.IsString():
			problems = append(problems, invalidLock(file.Key, "the remote source %q of %q has no checksum", file.Name, node.Name))
		case !ccpkgChecksum.MatchString(sum.Text):
			problems = append(problems, invalidLock(sum.Value, "checksum of %q is not sha256: and 64 hex digits in lower case", file.Name))
		}
		if url := file.Get("url"); url.IsString() && !strings.HasPrefix(strings.ToLower(url.Text), "https://") {
			problems = append(problems, invalidLock(url.Value, "the remote source %q of %q is not fetched over https", file.Name, node.Name))
		}
	}
	return problems
}
