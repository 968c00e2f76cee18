package format

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// ccpkgLock is the lockfile of ccpkg (zircote/ccpkg, specification of
// 2026-02-22), at its place, the one of the first draft, and the root.
var ccpkgLock = &shape.Format{
	Name: "ccpkg-lock", Scope: mcp.ScopeLock,
	Paths:     []string{".ccpkg/ccpkg-lock.json", ".claude/ccpkg-lock.json", "ccpkg-lock.json"},
	Dedicated: true, Parse: (*syntax.Parser).JSON, Read: readCCPkgLock,
}

// readCCPkgLock reads a lockfile. One of another version locks nothing.
func readCCPkgLock(in *shape.Input) *mcp.Document {
	doc := in.Document()
	doc.Duplicates = in.Repeats(nil)
	shared := in.LockObject(doc, "shared_mcp_servers")
	packages := in.LockObject(doc, "packages")
	if doc.Refusals != nil {
		doc.Refusals = doc.Refusals[:1] // report a lockfile that is not an object only once
		return doc
	}
	if r := shape.RefusesVersion("ccpkg", in.Tree.Root, in.Tree.Root.Get("lockfile_version"), ccpkgVersion); r != nil {
		doc.Refusals = append(doc.Refusals, *r)
		return doc
	}
	doc.Lock = &mcp.Lock{}
	for _, node := range shape.Members(packages) {
		if !isPackageName(node.Name) {
			doc.Refusals = append(doc.Refusals, refusesPackageName(node.Key, node.Name))
		}
		merged := shape.Names(node.Get("merged_mcp_servers"))
		doc.Lock.Packages = append(doc.Lock.Packages, mcp.Package{
			Name: node.Name, NameSpan: node.Key, Version: shape.Word(node.Get("version")), Linked: isLinked(node), Merged: merged,
		})
		doc.References = append(doc.References, merged...)
		doc.Hashed = append(doc.Hashed, ccpkgHashes(node)...)
		doc.Refusals = append(doc.Refusals, refusesCCPkgPackage(node)...)
	}
	if shared == nil {
		return doc
	}
	doc.Lock.EntriesSpan = shared.Key
	installed := doc.Lock.Installed()
	for _, node := range shape.LockedObjects(doc, shared) {
		entry := ccpkgEntry(in, doc, node)
		doc.Lock.Entries = append(doc.Lock.Entries, entry)
		for _, r := range refusesCCPkgEntry(node, entry, installed) {
			doc.Refusals = append(doc.Refusals, shape.InEntry(node, r))
		}
	}
	return doc
}

// ccpkgHashes returns the archive of an installed package, and the further files that the package
// fetched.
func ccpkgHashes(node *syntax.Node) []mcp.Hashed {
	archive := mcp.Hashed{
		Name: node.Name, NameSpan: node.Key, ID: node.Name,
		Pin: mcp.Pin{Version: shape.Word(node.Get("version")), Integrity: shape.Word(node.Get("checksum")), Fetched: shape.Word(node.Get("installed_at")).Text},
	}
	hashed := []mcp.Hashed{archive}
	for _, n := range shape.Members(node.Get("remote_sources")) {
		hashed = append(hashed, mcp.Hashed{
			Name: n.Name, NameSpan: n.Key, ID: node.Name + "/" + n.Name, Of: node.Name,
			Pin: mcp.Pin{Version: archive.Pin.Version, Integrity: shape.Word(n.Get("checksum")), Fetched: shape.Word(n.Get("fetched_at")).Text},
		})
	}
	return hashed
}

// ccpkgVersion is the only lockfile_version that is specified.
const ccpkgVersion = "1"

// ccpkgEntry reads one shared server.
func ccpkgEntry(in *shape.Input, doc *mcp.Document, node *syntax.Node) *mcp.LockEntry {
	entry := &mcp.LockEntry{
		Name: node.Name, NameSpan: node.Key, Document: doc,
		Target: mcp.Target{Origin: readOrigin(in, shape.Word(node.Get("origin"))), Joined: true},
		Pin:    mcp.Pin{Version: shape.Word(node.Get("version"))},
		Claims: mcp.Claims{DeclaredBy: shape.Words(node.Get("declared_by")), Active: shape.Word(node.Get("active_source"))},
	}
	if list := node.Get("declared_by"); list != nil {
		entry.Claims.DeclaredBySpan = list.Value
	}
	if dedup := node.Get("dedup"); dedup != nil && dedup.Kind == syntax.Bool && dedup.Text == "false" {
		entry.Place.Apart = true
		for _, by := range entry.Claims.DeclaredBy {
			entry.Place.OtherNames = append(entry.Place.OtherNames, doc.Tool.CopyNames(by.Text, node.Name)...)
		}
	}
	entry.Target.Launch, entry.Target.Identity = fromOrigin(in, entry.Target.Origin.Word)
	if entry.Target.Origin.Version.Release() == "" { // else the command says more exactly what runs
		entry.Target.Identity = shape.WithLockedVersion(entry.Target.Identity, entry.Pin.Version)
	}
	return entry
}

// refusesCCPkgEntry checks one shared server against the specification (K02, K03, K04, K07 of the
// invariants).
func refusesCCPkgEntry(node *syntax.Node, entry *mcp.LockEntry, installed map[string]bool) []mcp.Refusal {
	refusals := shape.WrongKinds(node, shape.KindOf("origin", syntax.String), shape.KindOf("version", syntax.String), shape.KindOf("declared_by", syntax.Array),
		shape.KindOf("active_source", syntax.String), shape.KindOf("dedup", syntax.Bool))
	refusals = append(refusals, refusesDeclarers(node, installed, leavesOthers(entry, installed))...)
	refuse := func(reason mcp.Reason, span syntax.Span, got string, want ...string) {
		refusals = append(refusals, mcp.Refusal{Reason: reason, Span: span, Name: node.Name, Got: got, Want: want})
	}
	if active := entry.Claims.Active; active.Text != "" && len(entry.Claims.DeclaredBy) > 0 && !shape.HasWord(entry.Claims.DeclaredBy, active.Text) {
		refuse(mcp.SourceNotDeclared, active.Span, active.Text)
	}
	if at, isAbsent := absent(node, "active_source"); isAbsent && len(entry.Claims.DeclaredBy) > 0 && !entry.Place.Apart {
		refuse(mcp.SourceMissing, at, "", shape.Texts(node.Get("declared_by"))...)
	}
	if _, isAbsent := absent(node, "origin"); isAbsent {
		refuse(mcp.NoOrigin, node.Key, "")
	} else if origin := node.Get("origin"); origin.Kind == syntax.String && !isOrigin(origin.Text) {
		refuse(mcp.OriginForm, origin.Value, "")
	}
	version, origin := entry.Pin.Version, entry.Target.Origin.Version
	at, isAbsent := absent(node, "version")
	switch other := origin.Release(); {
	case other == "" || entry.Pin.Release() == other:
	case version.Text != "":
		refuse(mcp.OriginVersion, version.Span, version.Text, origin.Text)
	case isAbsent && isVersioned(entry):
		refuse(mcp.OriginVersion, at, "", origin.Text)
	}
	return refusals
}

// absent reports whether an entry has no such member, or only null, and returns the place to
// report.
func absent(entry *syntax.Node, name string) (syntax.Span, bool) {
	switch m := entry.Get(name); {
	case m == nil:
		return entry.Key, true
	case m.Kind == syntax.Null:
		return m.Value, true
	}
	return syntax.Span{}, false
}

// isVersioned reports whether ccpkg extracts the version from an origin: from that of an npm
// package and from a segment of a URL (specification of 2026-02-22, Version Resolution). Of
// an image, a git tag or a Go module it may say null.
func isVersioned(entry *mcp.LockEntry) bool {
	return entry.Target.Identity.Kind == identity.NPM || strings.HasPrefix(entry.Target.Origin.Text, "https://")
}

func isOrigin(text string) bool {
	for _, start := range []string{"command::", "bundle::", "https://"} {
		if rest, ok := strings.CutPrefix(text, start); ok {
			return strings.TrimSpace(rest) != ""
		}
	}
	return false
}

// refusesDeclarers checks the packages that declare a server: there is at least one, each is
// installed, none is listed twice. The meaning of an active package that is not installed is for
// a rule to report, which knows the versions.
func refusesDeclarers(node *syntax.Node, installed map[string]bool, active string) []mcp.Refusal {
	list := node.Get("declared_by")
	switch {
	case list == nil || list.Kind == syntax.Null:
		return []mcp.Refusal{{Reason: mcp.DeclarersMissing, Span: node.Key, Name: node.Name}}
	case list.Kind != syntax.Array:
		return nil // refused as a wrong kind
	case len(list.Nodes) == 0:
		return []mcp.Refusal{{Reason: mcp.DeclarersEmpty, Span: list.Value, Name: node.Name}}
	}
	var refusals []mcp.Refusal
	seen := map[string]bool{}
	for _, item := range list.Nodes {
		r := mcp.Refusal{Span: item.Value, Name: node.Name, Kind: item.Kind, Got: item.Text}
		switch {
		case item.Kind != syntax.String:
			r.Reason, r.Member = mcp.DeclarerKind, list.Name
		case seen[item.Text]:
			r.Reason, r.Member = mcp.DeclarerTwice, list.Name
		case !installed[item.Text] && item.Text != active:
			r.Reason = mcp.DeclarerGone
		}
		if item.IsString() {
			seen[item.Text] = true
		}
		if r.Reason != 0 {
			refusals = append(refusals, r)
		}
	}
	return refusals
}

// leavesOthers returns the active source of an entry if others that declare it
// are installed, else "".
func leavesOthers(entry *mcp.LockEntry, installed map[string]bool) string {
	for _, by := range entry.Claims.DeclaredBy {
		if installed[by.Text] {
			return entry.Claims.Active.Text
		}
	}
	return ""
}

// isCCPkgChecksum reports whether a text matches ^sha256:[a-f0-9]{64}$.
func isCCPkgChecksum(text string) bool {
	digits, ok := strings.CutPrefix(text, "sha256:")
	return ok && len(digits) == 64 && isLowerHex(digits)
}

// refusesCCPkgPackage checks one installed package (K08, K09, K10).
func refusesCCPkgPackage(node *syntax.Node) []mcp.Refusal {
	if node.Kind != syntax.Object {
		return []mcp.Refusal{shape.NotObject(mcp.PartPackage, node)}
	}
	refusals := shape.WrongKinds(node,
		shape.KindOf("version", syntax.String), shape.KindOf("checksum", syntax.String), shape.KindOf("scope", syntax.String), shape.KindOf("source", syntax.String),
		shape.KindOf("linked", syntax.Bool), shape.KindOf("config_hash", syntax.String), shape.KindOf("merged_mcp_servers", syntax.Array),
		shape.KindOf("remote_sources", syntax.Object))
	refuse := func(reason mcp.Reason, m *syntax.Node) {
		refusals = append(refusals, mcp.Refusal{Reason: reason, Span: m.Value, Name: node.Name, Member: m.Name, Got: m.Text})
	}
	if r := refusesLink(node); r != nil {
		refusals = append(refusals, *r)
	}
	for _, name := range []string{"checksum", "config_hash"} {
		if sum := node.Get(name); sum.IsString() && !isCCPkgChecksum(sum.Text) {
			refuse(mcp.ChecksumForm, sum)
		}
	}
	if scope := node.Get("scope"); scope.IsString() && scope.Text != "project" && !isLinked(node) {
		refuse(mcp.PackageScope, scope)
	}
	if source := node.Get("source"); source.IsString() && strings.HasPrefix(strings.ToLower(source.Text), "http://") {
		refuse(mcp.PackageHTTP, source)
	}
	return append(refusals, refusesRemotes(node)...)
}

// refusesLink checks whether a package is linked to a directory of one person's machine, and
// whether its fields agree about it.
func refusesLink(node *syntax.Node) *mcp.Refusal {
	refuse := func(reason mcp.Reason, span syntax.Span) *mcp.Refusal {
		return &mcp.Refusal{Reason: reason, Span: span, Name: node.Name}
	}
	linked, source, checksum := isLinked(node), node.Get("source"), node.Get("checksum")
	hasLink := source.IsString() && strings.HasPrefix(source.Text, "link:")
	switch {
	case hasLink && !linked:
		return refuse(mcp.LinkNotLinked, source.Value)
	case linked && source.IsString() && !hasLink:
		return refuse(mcp.LinkedNoLink, source.Value)
	case linked && checksum.IsString():
		return refuse(mcp.LinkedChecksum, checksum.Value)
	case linked:
		return refuse(mcp.LinkedDirectory, node.Get("linked").Value)
	case checksum == nil:
		return refuse(mcp.NoChecksum, node.Key)
	case checksum.Kind == syntax.Null:
		return refuse(mcp.NoChecksumOrLink, checksum.Value)
	}
	return nil
}

// refusesRemotes checks the files that a package fetched: over https, each with a checksum.
func refusesRemotes(node *syntax.Node) []mcp.Refusal {
	remote := node.Get("remote_sources")
	if remote == nil || remote.Kind != syntax.Object {
		return nil
	}
	var refusals []mcp.Refusal
	for _, file := range shape.Members(remote) {
		if file.Kind != syntax.Object {
			refusals = append(refusals, shape.NotObject(mcp.PartRemote, file))
			continue
		}
		refuse := func(reason mcp.Reason, span syntax.Span) {
			refusals = append(refusals, mcp.Refusal{Reason: reason, Span: span, Name: node.Name, Got: file.Name})
		}
		switch sum := file.Get("checksum"); {
		case !sum.IsString():
			refuse(mcp.RemoteNoChecksum, file.Key)
		case !isCCPkgChecksum(sum.Text):
			refusals = append(refusals, mcp.Refusal{Reason: mcp.ChecksumForm, Span: sum.Value, Name: file.Name, Member: sum.Name, Got: sum.Text})
		}
		if url := file.Get("url"); url.IsString() && !strings.HasPrefix(strings.ToLower(url.Text), "https://") {
			refuse(mcp.RemoteHTTP, url.Value)
		}
	}
	return refusals
}
