package ccpkg

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/refusal"
	"github.com/mcplumb/mcplumb/internal/repair"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/version"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// ccpkgLock returns the lockfile of ccpkg in a project, or nil.
func ccpkgLock(p *mcp.Project) *mcp.Document {
	for doc := range reads.Used(p) {
		if doc.Lock != nil && doc.Format == "ccpkg-lock" {
			return doc
		}
	}
	return nil
}

// ReportDeclarers holds every shared server against the packages that bring it.
func ReportDeclarers(p *rule.Pass) {
	lock := ccpkgLock(p.Project)
	if lock == nil {
		return
	}
	groups := declaredGroups(p.Project)
	installed := lock.Lock.Installed()
	copies := &repair.Copies{Project: p.Project}
	for _, entry := range lock.Lock.Entries {
		if entry.Claims.DeclaredBySpan.IsZero() {
			continue
		}
		group := sameOrigin(groups[entry.Name], entry.Target.Origin.Base)
		rank := rankDeclarers(installed, entry, group)
		fixes := sync.OnceValue(func() []rule.Fix { return claimsFix(entry, group, installed, copies) })
		q := *p
		q.Report = func(f rule.Finding) {
			f.Fixes = fixes()
			p.Report(f)
		}
		reportUndeclared(&q, entry, group)
		reportGoneSource(&q, entry, rank)
		reportActive(&q, entry, rank)
		reportVersion(&q, entry, rank)
	}
}

// declaredGroups returns what packages declare, by name.
func declaredGroups(p *mcp.Project) map[string][]*declaredServer {
	groups := map[string][]*declaredServer{}
	for _, group := range declaredServers(p) {
		groups[group[0].declaration.Name] = group
	}
	return groups
}

// ReportInstalled holds what is installed against the lockfile: the version of
// an unpacked package, and the archives that ccpkg falls back to when the active
// source of a shared server goes. Where the cache is not committed, nothing is
// known of archives.
func ReportInstalled(p *rule.Pass) {
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
		f := rule.Finding{File: lock.File, Span: pkg.Version.Span}
		if m := manifests[pkg.Name]; m != nil && m.Bundle.Manifest.Version.Text != pkg.Version.Text {
			f.Message = wording.Say("the package %q is locked at %s, but its manifest says %s: install it again", pkg.Name, pkg.Version.Text, orNull(m.Bundle.Manifest.Version.Text))
			f.Related = []rule.Related{{File: m.File, Span: orSpan(m.Bundle.Manifest.Version.Span, m.Bundle.Manifest.NameSpan), Message: "unpacked here"}}
			p.Report(f)
		}
		archive := pkg.Name + "-" + pkg.Version.Text + ".ccpkg"
		if shares[pkg.Name] && !pkg.Linked && len(archives) > 0 && !archives[archive] {
			f.Severity, f.Related = rule.Warning, nil
			f.Message = wording.Say("the archive %s is not in the committed cache, so ccpkg cannot fall back to %q for a shared server: commit it too", archive, pkg.Name)
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
func reportUndeclared(p *rule.Pass, entry *mcp.LockEntry, group []*declaredServer) {
	declared := make(map[string]bool, len(entry.Claims.DeclaredBy))
	for _, by := range entry.Claims.DeclaredBy {
		declared[by.Text] = true
	}
	for _, b := range group {
		if entry.Place.Apart || declared[b.doc.BundleName()] {
			continue
		}
		f := rule.AtEntry(entry)
		f.Span = entry.Claims.DeclaredBySpan
		f.Message = wording.Say("the package %q declares %q, too, and is not in declared_by: add it", b.doc.BundleName(), entry.Name)
		f.Related = []rule.Related{b.see("declared here")}
		p.Report(f)
	}
}

// ranking is what is known of the packages that an entry lists: which of them are
// installed, and which of those has the highest version.
type ranking struct {
	installed []string
	// highest is the first of the highest version among those whose version can be
	// told, nil if there is none; known reports that all of them can be told.
	highest *declaredServer
	known   bool
	// versions are those that can be told, by package.
	versions map[string]string
}

// rankDeclarers ranks the packages that an entry lists by the version at which
// they bring the server. A version that no template tells may be any: ccpkg finds
// it with the package's registry or in a bundle.
func rankDeclarers(installed map[string]bool, entry *mcp.LockEntry, group []*declaredServer) ranking {
	byPackage := map[string]*declaredServer{}
	for _, b := range group {
		if byPackage[b.doc.BundleName()] == nil {
			byPackage[b.doc.BundleName()] = b
		}
	}
	r := ranking{known: true, versions: map[string]string{}}
	counted := map[string]bool{}
	for _, by := range entry.Claims.DeclaredBy {
		if installed[by.Text] && !counted[by.Text] {
			counted[by.Text] = true
			r.installed = append(r.installed, by.Text)
		}
		b := byPackage[by.Text]
		if b == nil || !version.IsSemantic(b.version()) {
			r.known = false
			continue
		}
		r.versions[by.Text] = b.version()
		if r.highest == nil || newer(b.version(), r.highest.version()) {
			r.highest = b
		}
	}
	return r
}

// next returns the package that takes the place of an active source, or "" if
// nobody knows which.
func (r *ranking) next() string {
	switch {
	case len(r.installed) == 1:
		return r.installed[0]
	case r.highest != nil && len(r.versions) == len(r.installed):
		return r.highest.doc.BundleName()
	}
	return ""
}

// reportGoneSource reports an active source that is not installed, and which
// package has to take its place.
func reportGoneSource(p *rule.Pass, entry *mcp.LockEntry, r ranking) {
	active := entry.Claims.Active
	if active.Text == "" || !isDeclaredBy(entry, active.Text) || len(r.installed) == 0 || slices.Contains(r.installed, active.Text) {
		return
	}
	f := rule.AtEntry(entry)
	f.Span = active.Span
	f.Message = wording.Say("%q is taken from %q, which is not installed: write ", entry.Name, active.Text)
	switch next := r.next(); {
	case next == "":
		f.Message += wording.Say("the one of %s with the highest version as active_source", wording.JoinWords(wording.InQuotes(r.installed)))
	case r.versions[next] != "":
		f.Message += wording.Say("%q as active_source and %s as version", next, r.versions[next])
	default:
		f.Message += wording.Say("%q as active_source", next)
	}
	p.Report(f)
}

// reportActive reports an active source that has not the highest version, or not
// as the first.
func reportActive(p *rule.Pass, entry *mcp.LockEntry, r ranking) {
	active := entry.Claims.Active
	if r.highest == nil || active.Text == r.highest.doc.BundleName() || active.Text != "" && !isDeclaredBy(entry, active.Text) ||
		!r.known && r.versions[active.Text] == "" {
		return
	}
	f := rule.AtEntry(entry)
	f.Span = orSpan(active.Span, entry.NameSpan)
	f.Message = wording.Say("active_source of %q is %q, but %q is the first that declares the highest version: write %[3]q", entry.Name, active.Text, r.highest.doc.BundleName())
	f.Related = []rule.Related{r.highest.see("declared here")}
	p.Report(f)
}

// reportVersion reports a version that is not the highest that packages declare.
// As long as one of theirs is not known a higher one proves nothing. What
// contradicts the entry's own origin is told already.
func reportVersion(p *rule.Pass, entry *mcp.LockEntry, r ranking) {
	if r.highest == nil {
		return
	}
	locked, highest := entry.Pin.Release(), r.highest.version()
	own := entry.Target.Origin.Version.Release()
	switch {
	case locked == highest, own != "" && own != locked && entry.Pin.Version.Text != "":
		return
	case !r.known && entry.Pin.Version.Text != "" && (!version.IsSemantic(locked) || !newer(highest, locked)):
		return
	}
	f := rule.AtEntry(entry)
	f.Span = orSpan(entry.Pin.Version.Span, entry.NameSpan)
	f.Message = wording.Say("the version of %q is %s, but the highest that a package declares is %s: write %[3]s", entry.Name, orNull(entry.Pin.Version.Text), highest)
	f.Related = []rule.Related{r.highest.see("declared here")}
	p.Report(f)
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

// origin is where the server is from, without the version.
func (b *declaredServer) origin() string { return b.declaration.Origin.Base }

// version is the one release that the server is, "" if nobody can tell.
func (b *declaredServer) version() string { return b.declaration.Version.Release() }

func (b *declaredServer) see(message string) rule.Related {
	return rule.Related{File: b.doc.File, Span: b.declaration.NameSpan, Message: message}
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
		if doc.Format != "ccpkg-template" || installed != nil && !installed[doc.BundleName()] || installed == nil && !reads.InUse.Has(doc) {
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

// ReportPackageConflicts reports names for which ccpkg would have to ask: two
// packages bring different servers, or a package another one than the lockfile
// shares or a client file runs. It fails where nobody answers. A lockfile whose
// entry a client file contradicts is config-changed.
func ReportPackageConflicts(p *rule.Pass) {
	groups := declaredServers(p.Project)
	if len(groups) == 0 {
		return
	}
	entries, hosts, names := sharedEntries(p.Project), hostServers(p.Project), namesDeclared(groups, ccpkgLock(p.Project))
	for _, group := range groups {
		name := group[0].declaration.Name
		switch entry := entries[name]; {
		case entry != nil && entry.Place.Apart:
		case entry != nil:
			odd := otherOrigin(group, entry.Target.Origin.Base)
			reportPackageConflict(p, odd, entry.Document.File.Path, &entry.Target.Identity, rule.SeeLock(entry, "shared here"), &names)
		default:
			first := group[0]
			if odd := otherOrigin(group[1:], first.origin()); odd != nil {
				reportPackageConflict(p, odd, wording.Say("the package %q", first.doc.BundleName()), first.identity(), first.see("brought here"), &names)
			} else if s := hosts[name]; s != nil && first.server != nil && compare.AreUnrelated(s, first.server) {
				reportPackageConflict(p, first, s.Document.File.Path, &s.Identity, rule.SeeAlso(s, "configured here"), &names)
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
	for _, s := range compare.Running(p.ClientFiles()) {
		if !merged[s.Name] && servers[s.Name] == nil {
			servers[s.Name] = s
		}
	}
	return servers
}

func reportPackageConflict(p *rule.Pass, b *declaredServer, where string, other *identity.Identity, see rule.Related, names *declaredNames) {
	if b == nil {
		return
	}
	name := b.declaration.Name
	f := rule.Finding{
		File: b.doc.File, Span: b.declaration.NameSpan, Severity: rule.Error,
		Server: name, Identity: b.identity().Shown(), Related: []rule.Related{see},
	}
	f.Message = wording.Say("the package %q brings another server called %q than %s: ccpkg cannot install both, call this one %q",
		b.doc.BundleName(), name, where, b.doc.BundleName()+b.doc.Tool.Joint+name)
	if key := b.identity().Key(); key != "" && key == other.Key() {
		f.Message += wording.Say(" (both run %s, but ccpkg compares commands word by word)", b.identity())
	} else {
		f.Fixes = names.rename(b)
	}
	p.Report(f)
}

// declaredNames are the names that packages bring servers under, and those that the
// lockfile knows by them.
type declaredNames struct {
	brought map[*mcp.Document]map[string]bool
	known   map[packageServer]bool
}

// packageServer is a name under which a package brings a server.
type packageServer struct{ pkg, name string }

func namesDeclared(groups [][]*declaredServer, lock *mcp.Document) declaredNames {
	names := declaredNames{map[*mcp.Document]map[string]bool{}, map[packageServer]bool{}}
	for _, group := range groups {
		for _, b := range group {
			if names.brought[b.doc] == nil {
				names.brought[b.doc] = map[string]bool{}
			}
			names.brought[b.doc][b.declaration.Name] = true
		}
	}
	if lock == nil {
		return names
	}
	for _, pkg := range lock.Lock.Packages {
		for _, merged := range pkg.Merged {
			names.known[packageServer{pkg.Name, merged.Name}] = true
		}
	}
	for _, entry := range lock.Lock.Entries {
		for _, by := range entry.Claims.DeclaredBy {
			names.known[packageServer{by.Text, entry.Name}] = true
		}
	}
	return names
}

// rename puts the package before the name of a server that it brings, unless the
// lockfile knows it by its name already.
func (n *declaredNames) rename(b *declaredServer) []rule.Fix {
	pkg, name := b.doc.BundleName(), b.declaration.Name
	right := pkg + b.doc.Tool.Joint + name
	if b.server != nil && b.server.Shared || n.brought[b.doc][right] || n.known[packageServer{pkg, name}] {
		return nil
	}
	return []rule.Fix{{
		Title: wording.Say("rename %q to %q", name, right), Safety: rule.Unsafe, Gone: b.server,
		Edits: []edit.Change{edit.Rename(b.doc.File, b.declaration.NameSpan, right)},
	}}
}

// ReportPackageVersions reports a server that packages ask for at different
// versions, at each that is not the highest. ccpkg has the version as a part of
// the command, and takes them for different servers. Where the lockfile shares
// the server it is settled, and invalid-lockfile says whether it is so by the
// rules.
func ReportPackageVersions(p *rule.Pass) {
	entries := sharedEntries(p.Project)
	for _, group := range declaredServers(p.Project) {
		if entries[group[0].declaration.Name] != nil {
			continue
		}
		usual := highestAsked(group)
		for _, b := range group {
			if usual != nil && b.asks() && b.origin() == usual.origin() && b.declaration.Origin.Text != usual.declaration.Origin.Text {
				reportPackageVersion(p, b, usual)
			}
		}
	}
}

func reportPackageVersion(p *rule.Pass, b, usual *declaredServer) {
	version, top := b.declaration.Origin.Version, usual.declaration.Origin.Version
	f := rule.Finding{File: b.doc.File, Span: b.asked(), Server: b.declaration.Name, Identity: b.identity().Shown()}
	if isPinned(b) && isPinned(usual) {
		f.Message = wording.VersionMessage(b.server, top.Text, usual.doc.File.Path) + compare.SameVersion
		f.NoFixReason = "ccpkg would install the package again as it was published"
		f.Related = []rule.Related{{File: usual.doc.File, Span: usual.asked(), Message: wording.Say("pinned to %s here", top.Text)}}
	} else {
		f.Message = wording.Say("the package %q asks for %s of %q, but %q for %s, so ccpkg takes the two for different servers: write the same version in both",
			b.doc.BundleName(), version.Text, b.declaration.Name, usual.doc.BundleName(), top.Text)
		f.Related = []rule.Related{{File: usual.doc.File, Span: usual.asked(), Message: wording.Say("%s is asked for here", top.Text)}}
	}
	p.Report(f)
}

// asks reports whether the origin of a server has a version in it.
func (b *declaredServer) asks() bool { return b.declaration.Origin.Version.Kind != identity.NoVersion }

// asked returns the place of the version in the origin, else of the name.
func (b *declaredServer) asked() syntax.Span {
	version := b.declaration.Origin.Version
	if b.server != nil && b.server.Identity.Version.Text == version.Text {
		return orSpan(b.server.Identity.Version.Span, b.declaration.NameSpan)
	}
	return orSpan(version.Span, b.declaration.NameSpan)
}

// highestAsked returns the server of the highest version in the origins of a
// group, the first if none can be compared, and nil if there is no version.
func highestAsked(group []*declaredServer) *declaredServer {
	var highest *declaredServer
	for _, b := range group {
		if !b.asks() {
			continue
		}
		asked := b.declaration.Origin.Version.Release()
		if highest == nil || version.IsSemantic(asked) && newer(asked, semverOrNone(highest.declaration.Origin.Version.Release())) {
			highest = b
		}
	}
	return highest
}

// semverOrNone returns a version that others can be compared with, or "".
func semverOrNone(text string) string {
	if !version.IsSemantic(text) {
		return ""
	}
	return text
}

// newer reports whether version a is higher than b, in the order that ccpkg has for all
// packages; none is lower than any.
func newer(a, b string) bool { return version.Semantic.Compare(a, b) > 0 }

// isPinned reports whether the command of a server has one exact version.
func isPinned(b *declaredServer) bool {
	return b.server != nil && b.server.Identity.Version.Kind == identity.Exact
}

// ReportMissingMerged reports servers that a package has brought into client
// files and that are in none of them.
func ReportMissingMerged(p *rule.Pass) {
	for lock := range p.Lockfiles() {
		if len(lock.Lock.Files) == 0 {
			continue
		}
		known := compare.ConfiguredNames(p.Project)
		for _, entry := range lock.Lock.Entries {
			known[entry.Name] = true
			for _, name := range entry.Place.OtherNames {
				known[name] = true
			}
		}
		for _, pkg := range lock.Lock.Packages {
			for _, merged := range pkg.Merged {
				if known[merged.Name] {
					continue
				}
				p.Report(rule.Finding{
					File: lock.File, Span: merged.Span, Server: merged.Name,
					Message: wording.Say("%q was installed with a package, but is not in client config: install the package again, or uninstall it", merged.Name),
				})
			}
		}
	}
}

// ReportNotDeclared reports shared servers that no package brings any more.
func ReportNotDeclared(p *rule.Pass) {
	for lock := range p.Lockfiles() {
		installed := lock.Lock.Installed()
		for _, entry := range lock.Lock.Entries {
			if entry.Claims.DeclaredBySpan.IsZero() {
				continue
			}
			if why := notDeclared(installed, entry); why != "" {
				f := rule.AtEntry(entry)
				f.Message = why
				f.Fixes = fixNotDeclared(entry)
				p.Report(f)
			}
		}
	}
}

// notDeclared says why a shared server has no package left, or "".
func notDeclared(installed map[string]bool, entry *mcp.LockEntry) string {
	if len(entry.Claims.DeclaredBy) == 0 {
		return wording.Say("%q is locked, but no package declares it: remove it from the lockfile", entry.Name)
	}
	var names []string
	for _, by := range entry.Claims.DeclaredBy {
		if installed[by.Text] {
			return ""
		}
		names = append(names, by.Text)
	}
	return wording.Say("%q is locked, but no package that declares it is installed (%s): remove it from the lockfile", entry.Name, strings.Join(names, ", "))
}

// ReportUndeclaredSettings reports values that a template asks for and that the
// manifest of its package does not declare: ccpkg has nothing to fill them in
// with, and installs nothing of the package.
func ReportUndeclaredSettings(p *rule.Pass) {
	manifests, _ := installedFiles(p.Project)
	for doc := range p.Documents() {
		manifest := manifests[doc.BundleName()]
		if doc.Format != "ccpkg-template" || manifest == nil {
			continue
		}
		for _, s := range doc.Servers {
			mcp.EachValue(&s.Launch, func(v mcp.Value) {
				word := undeclaredSetting(v.Word, manifest.Bundle.Manifest.Settings)
				if word.Text == "" {
					return
				}
				f := rule.At(s)
				f.Span = word.Span
				f.Message = wording.Say("%s is not declared in the manifest of %q, so ccpkg does not install the package: declare it there", word.Text, doc.BundleName())
				f.Related = []rule.Related{{File: manifest.File, Span: manifest.Bundle.Manifest.NameSpan, Message: "the manifest"}}
				p.Report(f)
			})
		}
	}
}

// undeclaredSetting returns the first reference in a text to a value that is not
// among those declared, or nothing.
func undeclaredSetting(w identity.Word, declared []string) identity.Word {
	const start = "${config."
	for from := 0; ; {
		at := strings.Index(w.Text[from:], start)
		if at < 0 {
			return identity.Word{}
		}
		at += from
		name, _, closed := strings.Cut(w.Text[at+len(start):], "}")
		from = at + len(start)
		if closed && name != "" && !slices.Contains(declared, name) {
			return w.Part(at, from+len(name)+1)
		}
	}
}

// claimsFix writes into an entry what its packages say of it: all that are installed
// and bring the server are in declared_by, the first with the highest version is the
// active source, and that version is the entry's, in its origin, too, and in the client
// files that run what the lockfile had. Where the versions
// cannot be told, only what does not depend on them is written; nil where there is
// nothing, or where somebody has to decide.
func claimsFix(entry *mcp.LockEntry, group []*declaredServer, installed map[string]bool, copies *repair.Copies) []rule.Fix {
	c := claims{entry: entry, file: entry.Document.File, brings: map[string]*declaredServer{}}
	active := entry.Claims.Active.Text
	if entry.Place.Apart || !isDeclaredBy(entry, active) && installed[active] {
		return nil // one that brings the server unseen may only be missing from the list
	}
	declared := c.declare(group, installed)
	if right := c.highest(declared); right != "" {
		c.take(right, copies, installed[active])
	} else if !slices.Contains(declared, active) {
		return nil
	}
	if c.isUnclear || len(c.edits) == 0 || len(c.edits) > rule.MaxRelated {
		return nil
	}
	return []rule.Fix{{Title: wording.Say("%s, for %q", wording.JoinWords(c.parts), entry.Name), Safety: rule.Unsafe, Edits: c.edits}}
}

// claims collects what is to change in an entry, and how people are told of it.
type claims struct {
	entry *mcp.LockEntry
	file  *syntax.File
	// brings is what packages declare of the server.
	brings map[string]*declaredServer
	edits  []edit.Change
	parts  []string
	// isUnclear reports that something cannot be written.
	isUnclear bool
}

// declare adds the installed packages that are missing from declared_by, takes the
// active source out where that is gone, and returns the installed ones that are in it
// then, in their order.
func (c *claims) declare(group []*declaredServer, installed map[string]bool) []string {
	var declared []string
	isThere := map[string]bool{}
	for _, by := range c.entry.Claims.DeclaredBy {
		switch {
		case installed[by.Text] && !isThere[by.Text]:
			isThere[by.Text] = true
			declared = append(declared, by.Text)
		case !installed[by.Text] && by.Text == c.entry.Claims.Active.Text:
			c.change(edit.Remove(c.file, by.Span), "take %q out of declared_by", by.Text)
		}
	}
	for _, b := range group {
		name := b.doc.BundleName()
		if c.brings[name] == nil {
			c.brings[name] = b
		}
		if !isThere[name] {
			isThere[name] = true
			declared = append(declared, name)
			c.change(edit.Append(c.file, c.entry.Claims.DeclaredBySpan, edit.String(name), edit.Where{}), "add %q to declared_by", name)
		}
	}
	return declared
}

// highest returns the first of some packages with the highest version, the only one
// whatever its version, or "" where that of one cannot be told.
func (c *claims) highest(declared []string) string {
	if len(declared) == 1 {
		return declared[0]
	}
	best, high := "", ""
	for _, name := range declared {
		b := c.brings[name]
		if b == nil || !version.IsSemantic(b.version()) {
			return ""
		}
		if newer(b.version(), high) {
			best, high = name, b.version()
		}
	}
	return best
}

// take makes a package the active source, with its version. As long as the one before is
// installed, client files get no lower version by that.
func (c *claims) take(name string, copies *repair.Copies, isInstalled bool) {
	if c.entry.Claims.Active.Text != name {
		c.write(c.entry.Claims.Active, name, "write %q as active_source")
	}
	b := c.brings[name]
	if b == nil || !version.IsSemantic(b.version()) {
		return
	}
	if c.entry.Pin.Release() != b.version() {
		c.write(c.entry.Pin.Version, b.version(), "write %s as version")
	}
	own := c.entry.Target.Origin.Version
	if own.Release() == "" || own.Release() == b.version() {
		return
	}
	if string(c.file.Bytes[own.Span.Start:own.Span.End]) != own.Text {
		c.isUnclear = true
		return
	}
	c.edits = append(c.edits, edit.Rename(c.file, own.Span, b.declaration.Origin.Version.Text))
	c.move(b.declaration.Origin.Version, copies, !isInstalled || newer(b.version(), own.Release()))
}

// move takes the servers of client files to another version that are at the one which the
// lockfile had, if they may go there. What is at a third version somebody has put there.
func (c *claims) move(to identity.Version, copies *repair.Copies, mayMove bool) {
	var behind []*mcp.Server
	for _, s := range c.entry.Servers {
		switch {
		case !compare.IsOneVersion(s.Identity.Version), s.Identity.Version.Release() == to.Release():
		case mayMove && s.Identity.Version.Release() == c.entry.Target.Origin.Version.Release():
			behind = append(behind, s)
		default:
			c.isUnclear = true
		}
	}
	fixes, _ := repair.FixVersions(behind, copies, "", to)
	switch {
	case len(fixes) == 0:
		c.isUnclear = true
	case len(behind) == 1:
		c.parts = append(c.parts, wording.Say("write %s in %s", to.Text, behind[0].Document.File.Path))
	case len(behind) > 1:
		c.parts = append(c.parts, wording.Say("write %s in %d client files", to.Text, len(behind)))
	}
	for _, fix := range fixes {
		c.edits = append(c.edits, fix.Edits...)
	}
}

// write puts a text in the place of a member's value, which may be null.
func (c *claims) write(at identity.Word, text, what string) {
	switch {
	case at.Span.IsZero():
		c.isUnclear = true
	case at.Text == "":
		c.change(edit.Replace(c.file, at.Span, edit.String(text)), what, text)
	default:
		c.change(edit.Rename(c.file, at.Span, text), what, text)
	}
}

func (c *claims) change(e edit.Change, what string, args ...any) {
	c.edits = append(c.edits, e)
	c.parts = append(c.parts, wording.Say(what, args...))
}

// fixCCPkgRefusal returns how to write what ccpkg refuses, where there is one way.
func fixCCPkgRefusal(p *rule.Pass) repair.RefusalFix {
	lock := sync.OnceValue(func() *mcp.Document { return ccpkgLock(p.Project) })
	installed := sync.OnceValue(func() map[string]bool { return lock().Lock.Installed() })
	entries := sync.OnceValue(func() map[string]*mcp.LockEntry { return sharedEntries(p.Project) })
	groups := sync.OnceValue(func() map[string][]*declaredServer { return declaredGroups(p.Project) })
	return func(doc *mcp.Document, r *mcp.Refusal) []rule.Fix {
		switch r.Reason {
		case mcp.DeclarerTwice:
			return repair.OneChange(wording.Say("take the repeated %q out of %s of %q", r.Got, r.Member, r.Name), edit.Remove(doc.File, r.Span))
		case mcp.ChecksumForm:
			return repair.FixHashForm(doc, r, "sha256:")
		case mcp.DeclarersEmpty, mcp.SourceNotDeclared, mcp.OriginVersion:
		default:
			return nil
		}
		if doc != lock() {
			return nil
		}
		entry := entries()[r.Server]
		switch {
		case entry == nil:
			return nil
		case r.Reason == mcp.DeclarersEmpty:
			return fixNotDeclared(entry)
		}
		return claimsFix(entry, sameOrigin(groups()[entry.Name], entry.Target.Origin.Base), installed(), &repair.Copies{Project: p.Project})
	}
}

// fixNotDeclared takes an entry out of the lockfile that nothing declares, which is safe
// where no client file has its server.
func fixNotDeclared(entry *mcp.LockEntry) []rule.Fix {
	if len(entry.Claims.DeclaredBy) > 0 || entry.Claims.DeclaredBySpan.IsZero() {
		return nil // a package may only have to be installed again
	}
	safety := rule.Safe
	if len(entry.Servers) > 0 {
		safety = rule.Unsafe
	}
	return []rule.Fix{{
		Title: wording.Say("remove %q from the lockfile", entry.Name), Safety: safety,
		Edits: []edit.Change{edit.Remove(entry.Document.File, entry.NameSpan)},
	}}
}

// ReportRefusals reports what is refused of its files.
func ReportRefusals(p *rule.Pass) { repair.ReportFixedRefusals(p, &Wordings, fixCCPkgRefusal(p)) }

// Wordings are the reasons for which a shared server or a package of the
// lockfile cannot be used.
var Wordings = refusal.Wordings{
	mcp.SourceNotDeclared: {Severity: rule.Error, Message: func(r *mcp.Refusal) string {
		return wording.Say("active_source %q is not among the packages that declare %q: write one that is in declared_by", r.Got, r.Name)
	}},
	mcp.NoOrigin: {Severity: rule.Error, Message: func(r *mcp.Refusal) string {
		return wording.Say("%q has no origin: install its package again", r.Name)
	}},
	mcp.OriginForm: {Severity: rule.Error, Message: func(r *mcp.Refusal) string {
		return wording.Say(`the origin of %q must be "command::…", "bundle::…" or an https URL: install its package again`, r.Name)
	}},
	mcp.OriginVersion: {Severity: rule.Error, Message: func(r *mcp.Refusal) string {
		return wording.Say("the version of %q is %s, but its origin runs %s: write the same version in both", r.Name, r.Got, r.Want[0])
	}},
	mcp.DeclarersMissing: {Severity: rule.Error, Message: func(r *mcp.Refusal) string {
		return wording.Say("%q does not say which package declares it: add declared_by", r.Name)
	}},
	mcp.DeclarersEmpty: {Severity: rule.Error, Message: func(r *mcp.Refusal) string {
		return wording.Say("no package declares %q: remove it from the lockfile", r.Name)
	}},
	mcp.DeclarerKind: {Severity: rule.Error, Message: func(r *mcp.Refusal) string {
		return wording.Say("%s of %q must list names of packages, not %s", r.Member, r.Name, wording.AKind(r.Kind))
	}},
	mcp.DeclarerTwice: {Severity: rule.Error, Message: func(r *mcp.Refusal) string {
		return wording.Say("%s of %q lists %q twice: remove one of them", r.Member, r.Name, r.Got)
	}},
	mcp.DeclarerGone: {Severity: rule.Error, Message: func(r *mcp.Refusal) string {
		return wording.Say("%q is declared by %q, which is not installed: install it, or take it out of declared_by", r.Name, r.Got)
	}},

	// Packages.
	mcp.ChecksumForm: {Severity: rule.Error, Message: func(r *mcp.Refusal) string {
		return wording.Say("%s of %q must be sha256: and 64 hex digits in lower case, so install it again", r.Member, r.Name)
	}},
	mcp.PackageScope: {Severity: rule.Error, Message: func(r *mcp.Refusal) string {
		return wording.Say("the package %q has the scope %q in the lockfile of a project: install it for the project", r.Name, r.Got)
	}},
	mcp.PackageHTTP: {Severity: rule.Error, Message: func(r *mcp.Refusal) string {
		return wording.Say("the package %q comes over plain http: install it over https", r.Name)
	}},
	mcp.LinkNotLinked: {Severity: rule.Error, Message: func(r *mcp.Refusal) string {
		return wording.Say("the source of %q is a link, but linked is not true: link the package again", r.Name)
	}},
	mcp.LinkedNoLink: {Severity: rule.Error, Message: func(r *mcp.Refusal) string {
		return wording.Say("%q is linked, but its source is not a link: link the package again", r.Name)
	}},
	mcp.LinkedChecksum: {Severity: rule.Error, Message: func(r *mcp.Refusal) string {
		return wording.Say("%q is linked and cannot have a checksum: remove the checksum", r.Name)
	}},
	mcp.LinkedDirectory: {Severity: rule.Warning, Message: func(r *mcp.Refusal) string {
		return wording.Say("%q is linked to a directory of one machine, so nobody else can install it: install it from an archive or URL", r.Name)
	}},
	mcp.NoChecksum: {Severity: rule.Error, Message: func(r *mcp.Refusal) string {
		return wording.Say("the package %q has no checksum: install it again", r.Name)
	}},
	mcp.NoChecksumOrLink: {Severity: rule.Error, Message: func(r *mcp.Refusal) string {
		return wording.Say("the package %q has no checksum and is not linked: install it again", r.Name)
	}},
	mcp.RemoteNoChecksum: {Severity: rule.Error, Message: func(r *mcp.Refusal) string {
		return wording.Say("the remote source %q of %q has no checksum: install the package again", r.Got, r.Name)
	}},
	mcp.RemoteHTTP: {Severity: rule.Error, Message: func(r *mcp.Refusal) string {
		return wording.Say("the remote source %q of %q is not fetched over https: use an https URL", r.Got, r.Name)
	}},
}
