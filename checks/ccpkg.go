package checks

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// ccpkg installs packages, some of which bring servers.
var ccpkg = &system{
	title: "ccpkg",
	parts: []part{
		{InvalidLockfile, refusals(&ccpkgWordings)},
		{InvalidLockfile, reportDeclarers},
		{InvalidLockfile, reportInstalled},
		{missingServer, reportMissingMerged},
		{nameConflict, reportPackageConflicts},
		{staleLockEntry, reportNotDeclared},
		{versionConflict, reportPackageVersions},
	},
}

// ccpkgLock returns the lockfile of ccpkg in a project, or nil.
func ccpkgLock(p *mcp.Project) *mcp.Document {
	for doc := range used(p) {
		if doc.Lock != nil && doc.Format == "ccpkg-lock" {
			return doc
		}
	}
	return nil
}

// unversioned takes the version of a package out of an origin.
func unversioned(origin, version string) string {
	if version == "" {
		return origin
	}
	words := strings.Split(origin, " ")
	for i, word := range words {
		for _, mark := range []string{"@", "==", ":"} {
			if name, ok := strings.CutSuffix(word, mark+version); ok && name != "" {
				words[i] = name
				return strings.Join(words, " ")
			}
		}
	}
	return origin
}

// reportDeclarers holds every shared server against the packages that bring it.
func reportDeclarers(p *Pass) {
	lock := ccpkgLock(p.Project)
	if lock == nil {
		return
	}
	groups := map[string][]*declaredServer{}
	for _, group := range declaredServers(p.Project) {
		groups[group[0].declaration.Name] = group
	}
	for _, entry := range lock.Lock.Entries {
		group := sameOrigin(groups[entry.Name], unversioned(entry.Target.Origin.Text, entry.Target.Identity.Version.Text))
		if len(group) > 0 && !entry.Claims.DeclaredBySpan.IsZero() {
			reportUndeclared(p, entry, group)
			reportActive(p, entry, group)
		}
	}
}

// reportInstalled holds what is installed against the lockfile: the version of
// an unpacked package, and the archives that ccpkg falls back to when the active
// source of a shared server goes. Where the cache is not committed, nothing is
// known of archives.
func reportInstalled(p *Pass) {
	lock := ccpkgLock(p.Project)
	if lock == nil {
		return
	}
	manifests, archives := installedFiles(p.Project)
	shares := map[string]bool{}
	for _, entry := range lock.Lock.Entries {
		for _, by := range entry.Claims.DeclaredBy {
			shares[by.Text] = true
		}
	}
	for _, pkg := range lock.Lock.Packages {
		if pkg.Version.Text == "" {
			continue
		}
		f := Finding{File: lock.File, Span: pkg.Version.Span}
		if m := manifests[pkg.Name]; m != nil && m.Bundle.Manifest.Version.Text != pkg.Version.Text {
			f.Message = fmt.Sprintf("the package %q is locked at %s, its manifest says %s", pkg.Name, pkg.Version.Text, orNull(m.Bundle.Manifest.Version.Text))
			f.Related = []Related{{File: m.File, Span: orSpan(m.Bundle.Manifest.Version.Span, m.Bundle.Manifest.NameSpan), Message: "unpacked here"}}
			p.Report(f)
		}
		archive := pkg.Name + "-" + pkg.Version.Text + ".ccpkg"
		if shares[pkg.Name] && !pkg.Linked && len(archives) > 0 && !archives[archive] {
			f.Severity, f.Related = Warning, nil
			f.Message = fmt.Sprintf("the archive %s is not in the committed cache: ccpkg cannot fall back to %q for a shared server", archive, pkg.Name)
			p.Report(f)
		}
	}
}

// installedFiles returns the manifests of installed packages by package, and the
// names of committed archives.
func installedFiles(p *mcp.Project) (manifests map[string]*mcp.Document, archives map[string]bool) {
	manifests, archives = map[string]*mcp.Document{}, map[string]bool{}
	for _, doc := range p.Documents {
		switch {
		case doc.Bundle != nil && doc.Bundle.Manifest != nil:
			manifests[doc.BundleName()] = doc
		case doc.Format == "ccpkg-archive":
			archives[path.Base(doc.File.Path)] = true // "archives" in its path makes it no example
		}
	}
	return manifests, archives
}

// sameOrigin returns the servers of a group that are from one place: a name and
// an origin are what makes a server of ccpkg.
func sameOrigin(group []*declaredServer, origin string) []*declaredServer {
	var same []*declaredServer
	for _, b := range group {
		if b.origin() == origin {
			same = append(same, b)
		}
	}
	return same
}

// reportUndeclared reports installed packages that bring a shared server and are
// not listed.
func reportUndeclared(p *Pass, entry *mcp.LockEntry, group []*declaredServer) {
	for _, b := range group {
		if entry.Place.Apart || isDeclaredBy(entry, b.doc.BundleName()) {
			continue
		}
		f := atEntry(entry)
		f.Span = entry.Claims.DeclaredBySpan
		f.Message = fmt.Sprintf("the package %q declares %q, too, and is not in declared_by", b.doc.BundleName(), entry.Name)
		f.Related = []Related{b.see("declared here")}
		p.Report(f)
	}
}

// reportActive reports an active source or a version that is not the highest of
// the packages that are listed. Where a listed package is not committed its
// version is unknown, and nothing is said.
func reportActive(p *Pass, entry *mcp.LockEntry, group []*declaredServer) {
	highest := highestDeclared(entry, group)
	if highest == nil {
		return
	}
	name, version := highest.doc.BundleName(), highest.declaration.Version
	f := atEntry(entry)
	f.Related = []Related{highest.see("declared here")}
	if entry.Claims.Active.Text != name {
		f.Span = orSpan(entry.Claims.Active.Span, entry.NameSpan)
		f.Message = fmt.Sprintf("active_source of %q is %q, but %q declares the highest version first", entry.Name, entry.Claims.Active.Text, name)
		p.Report(f)
	}
	if entry.Pin.Version.Text != version {
		f.Span = orSpan(entry.Pin.Version.Span, entry.NameSpan)
		f.Message = fmt.Sprintf("the version of %q is %s, but the highest that is declared is %s",
			entry.Name, orNull(entry.Pin.Version.Text), orNull(version))
		p.Report(f)
	}
}

// highestDeclared returns the first of the highest version among the packages
// that an entry lists, or nil if not all of them can be compared.
func highestDeclared(entry *mcp.LockEntry, group []*declaredServer) *declaredServer {
	byPackage := map[string]*declaredServer{}
	for _, b := range group {
		if byPackage[b.doc.BundleName()] == nil {
			byPackage[b.doc.BundleName()] = b
		}
	}
	var highest *declaredServer
	for _, by := range entry.Claims.DeclaredBy {
		b := byPackage[by.Text]
		if b == nil || b.declaration.Version != "" && !isSemver(b.declaration.Version) {
			return nil
		}
		if highest == nil || newer(b.declaration.Version, highest.declaration.Version) {
			highest = b
		}
	}
	return highest
}

func isDeclaredBy(entry *mcp.LockEntry, name string) bool {
	return slices.ContainsFunc(entry.Claims.DeclaredBy, func(w identity.Word) bool { return w.Text == name })
}

func orSpan(span, otherwise syntax.Span) syntax.Span {
	if span.IsZero() {
		return otherwise
	}
	return span
}

func orNull(text string) string {
	if text == "" {
		return "null"
	}
	return text
}

// declaredServer is a server as the template of an installed package declares it.
type declaredServer struct {
	doc         *mcp.Document
	declaration *mcp.Declaration
	server      *mcp.Server // nil where the template names a bundle
}

// origin is where the server is from, without the version of its package: with
// it no two versions would ever be one server.
func (b *declaredServer) origin() string {
	return unversioned(b.declaration.Origin, b.declaration.Version)
}

func (b *declaredServer) see(message string) Related {
	return Related{File: b.doc.File, Span: b.declaration.NameSpan, Message: message}
}

// declaredServers returns what the installed packages of a project declare, in
// groups of one name. Which packages are installed the lockfile says; without
// one all that are unpacked are, but for examples. A package called "docs" or
// "test" is none.
func declaredServers(p *mcp.Project) [][]*declaredServer {
	var installed map[string]bool
	if lock := ccpkgLock(p); lock != nil {
		installed = lock.Lock.Installed()
	}
	index := map[string]int{}
	var groups [][]*declaredServer
	for _, doc := range p.Documents {
		if doc.Format != "ccpkg-template" || installed != nil && !installed[doc.BundleName()] || installed == nil && !inUse.has(doc) {
			continue
		}
		servers := map[string]*mcp.Server{}
		for _, s := range doc.Servers {
			servers[s.Name] = s
		}
		for i := range doc.Bundle.Declares {
			d := &doc.Bundle.Declares[i]
			at, known := index[d.Name]
			if !known {
				at = len(groups)
				index[d.Name] = at
				groups = append(groups, nil)
			}
			groups[at] = append(groups[at], &declaredServer{doc, d, servers[d.Name]})
		}
	}
	return groups
}

// sharedEntries returns the entries of ccpkg's lockfile by name.
func sharedEntries(p *mcp.Project) map[string]*mcp.LockEntry {
	entries := map[string]*mcp.LockEntry{}
	if lock := ccpkgLock(p); lock != nil {
		for _, entry := range lock.Lock.Entries {
			entries[entry.Name] = entry
		}
	}
	return entries
}

// reportPackageConflicts reports names for which ccpkg would have to ask: two
// packages bring different servers, or a package another one than the lockfile
// shares or a client file runs. It fails where nobody answers. A lockfile whose
// entry a client file contradicts is config-changed.
func reportPackageConflicts(p *Pass) {
	groups := declaredServers(p.Project)
	if len(groups) == 0 {
		return
	}
	entries, hosts := sharedEntries(p.Project), hostServers(p.Project)
	for _, group := range groups {
		name := group[0].declaration.Name
		switch entry := entries[name]; {
		case entry != nil && entry.Place.Apart:
		case entry != nil:
			origin := unversioned(entry.Target.Origin.Text, entry.Target.Identity.Version.Text)
			odd := otherOrigin(group, origin)
			reportPackageConflict(p, odd, entry.Document.File.Path, &entry.Target.Identity, seeLock(entry, "shared here"))
		default:
			first := group[0]
			if odd := otherOrigin(group[1:], first.origin()); odd != nil {
				reportPackageConflict(p, odd, fmt.Sprintf("the package %q", first.doc.BundleName()), first.identity(), first.see("brought here"))
			} else if s := hosts[name]; s != nil && first.server != nil && conflictSeverity(s, first.server) == Warning {
				reportPackageConflict(p, first, s.Document.File.Path, &s.Identity, seeAlso(s, "configured here"))
			}
		}
	}
}

// otherOrigin returns the first server of a group that is from elsewhere, or
// nil.
func otherOrigin(group []*declaredServer, origin string) *declaredServer {
	for _, b := range group {
		if b.origin() != origin {
			return b
		}
	}
	return nil
}

func (b *declaredServer) identity() *identity.Identity {
	if b.server == nil {
		return &identity.Identity{}
	}
	return &b.server.Identity
}

// hostServers returns the servers of a project's client files that no package
// has put there, by name.
func hostServers(p *mcp.Project) map[string]*mcp.Server {
	merged := map[string]bool{}
	if lock := ccpkgLock(p); lock != nil {
		for _, pkg := range lock.Lock.Packages {
			for _, reference := range pkg.Merged {
				merged[reference.Name] = true
			}
		}
	}
	servers := map[string]*mcp.Server{}
	for _, s := range running(p.ClientFiles()) {
		if !merged[s.Name] && servers[s.Name] == nil {
			servers[s.Name] = s
		}
	}
	return servers
}

func reportPackageConflict(p *Pass, b *declaredServer, where string, other *identity.Identity, see Related) {
	if b == nil {
		return
	}
	name := b.declaration.Name
	f := Finding{
		File: b.doc.File, Span: b.declaration.NameSpan, Severity: Error,
		Server: name, Identity: b.identity().Shown(), Related: []Related{see},
	}
	f.Message = fmt.Sprintf("the package %q brings another server called %q than %s: ccpkg cannot install both, call this one %q",
		b.doc.BundleName(), name, where, b.doc.BundleName()+"::"+name)
	if key := b.identity().Key(); key != "" && key == other.Key() {
		f.Message += fmt.Sprintf(" (both run %s, but ccpkg compares commands word by word)", b.identity())
	}
	p.Report(f)
}

// reportPackageVersions reports a server that packages bring at different
// versions, at each that is not the highest. Where the lockfile shares the server
// it is settled, and invalid-lockfile says whether it is so by the rules.
func reportPackageVersions(p *Pass) {
	entries := sharedEntries(p.Project)
	for _, group := range declaredServers(p.Project) {
		if entries[group[0].declaration.Name] != nil {
			continue
		}
		highest := highestPinned(group)
		for _, b := range group {
			if highest == nil || !isPinned(b) || b.origin() != highest.origin() || b.declaration.Version == highest.declaration.Version {
				continue
			}
			version, top := b.server.Identity.Version, highest.server.Identity.Version
			f := at(b.server)
			f.Span = version.Span
			f.Message = versionMessage(b.server, top.Text, highest.doc.File.Path)
			f.Related = []Related{{File: highest.doc.File, Span: top.Span, Message: fmt.Sprintf("pinned to %s here", top.Text)}}
			p.Report(f)
		}
	}
}

// highestPinned returns the server of the highest version in a group, or nil if
// none is pinned in its command.
func highestPinned(group []*declaredServer) *declaredServer {
	var highest *declaredServer
	for _, b := range group {
		if isPinned(b) && (highest == nil || newer(b.declaration.Version, highest.declaration.Version)) {
			highest = b
		}
	}
	return highest
}

func isPinned(b *declaredServer) bool {
	return b.server != nil && isSemver(b.declaration.Version) && b.server.Identity.Version.Kind == identity.Exact
}

// reportMissingMerged reports servers that a package has brought into client
// files and that are in none of them.
func reportMissingMerged(p *Pass) {
	for lock := range p.Lockfiles() {
		if len(lock.Lock.Files) == 0 {
			continue
		}
		for _, pkg := range lock.Lock.Packages {
			for _, merged := range pkg.Merged {
				shared := slices.ContainsFunc(lock.Lock.Entries, func(e *mcp.LockEntry) bool { return e.Named(merged.Name) })
				if shared || hasServer(p.Project, merged.Name) {
					continue
				}
				p.Report(Finding{
					File: lock.File, Span: merged.Span, Server: merged.Name,
					Message: fmt.Sprintf("%q was installed with a package, but is not in client config: no file here configures it", merged.Name),
				})
			}
		}
	}
}

// reportNotDeclared reports shared servers that no package brings any more.
func reportNotDeclared(p *Pass) {
	for lock := range p.Lockfiles() {
		installed := lock.Lock.Installed()
		for _, entry := range lock.Lock.Entries {
			if entry.Claims.DeclaredBySpan.IsZero() {
				continue
			}
			if why := notDeclared(installed, entry); why != "" {
				f := atEntry(entry)
				f.Message = why
				p.Report(f)
			}
		}
	}
}

// notDeclared says why a shared server has no package left, or "".
func notDeclared(installed map[string]bool, entry *mcp.LockEntry) string {
	if len(entry.Claims.DeclaredBy) == 0 {
		return fmt.Sprintf("%q is locked, but no package declares it", entry.Name)
	}
	var names []string
	for _, by := range entry.Claims.DeclaredBy {
		if installed[by.Text] {
			return ""
		}
		names = append(names, by.Text)
	}
	return fmt.Sprintf("%q is locked, but no package that declares it is installed (%s)", entry.Name, strings.Join(names, ", "))
}

// ccpkgWordings are the reasons for which a shared server or a package of the
// lockfile cannot be used.
var ccpkgWordings = wordings{
	mcp.SourceNotDeclared: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("active_source %q is not among the packages that declare %q", r.Got, r.Name)
	}},
	mcp.NoOrigin: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("%q has no origin", r.Name)
	}},
	mcp.OriginForm: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf(`the origin of %q is neither "command::…", "bundle::…" nor an https URL`, r.Name)
	}},
	mcp.OriginVersion: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("the version of %q is %s, its origin runs %s", r.Name, r.Got, r.Want[0])
	}},
	mcp.DeclarersMissing: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("%q does not say which package declares it", r.Name)
	}},
	mcp.DeclarersEmpty: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("no package declares %q", r.Name)
	}},
	mcp.DeclarerKind: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("%s of %q lists names of packages, this is %s", r.Member, r.Name, aKind(r.Kind))
	}},
	mcp.DeclarerTwice: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("%s of %q lists %q twice", r.Member, r.Name, r.Got)
	}},
	mcp.DeclarerGone: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("%q is declared by %q, which is not installed", r.Name, r.Got)
	}},

	// Packages.
	mcp.ChecksumForm: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("%s of %q is not sha256: and 64 hex digits in lower case", r.Member, r.Name)
	}},
	mcp.PackageScope: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("the package %q has the scope %q in the lockfile of a project", r.Name, r.Got)
	}},
	mcp.PackageHTTP: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("the package %q comes over plain http", r.Name)
	}},
	mcp.LinkNotLinked: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("the source of %q is a link, but linked is not true", r.Name)
	}},
	mcp.LinkedNoLink: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("%q is linked, but its source is no link", r.Name)
	}},
	mcp.LinkedChecksum: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("%q is linked and cannot have a checksum", r.Name)
	}},
	mcp.LinkedDirectory: {Warning, func(r *mcp.Refusal) string {
		return fmt.Sprintf("%q is linked to a directory of one machine: nobody else can install it", r.Name)
	}},
	mcp.NoChecksum: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("the package %q has no checksum", r.Name)
	}},
	mcp.NoChecksumOrLink: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("the package %q has no checksum, and is not linked", r.Name)
	}},
	mcp.RemoteNoChecksum: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("the remote source %q of %q has no checksum", r.Got, r.Name)
	}},
	mcp.RemoteHTTP: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("the remote source %q of %q is not fetched over https", r.Got, r.Name)
	}},
}
