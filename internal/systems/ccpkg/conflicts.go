package ccpkg

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// ReportPackageConflicts reports names for which ccpkg must ask: two packages bring different
// servers, or a package brings another one than the lockfile shares or a client file runs.
// ccpkg fails where it cannot ask. A client file that contradicts a locked entry is for
// config-changed.
func ReportPackageConflicts(p *rule.Pass) {
	groups := declaredServers(p.Project)
	if len(groups) == 0 {
		return
	}
	entries, hosts, names := sharedEntries(p.Project), hostServers(p.Project), namesDeclared(groups, lockOf(p.Project))
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
				reportPackageConflict(p, odd, wording.Say("the package %q", first.doc.BundleName()), first.identity(), first.see("declared here"), &names)
			} else if s := hosts[name]; s != nil && first.server != nil && compare.AreUnrelated(s, first.server) {
				reportPackageConflict(p, first, s.Document.File.Path, &s.Identity, rule.SeeAlso(s, "configured here"), &names)
			}
		}
	}
}

// ReportOtherChecksums reports a server that two packages fetch from one address with
// different checksums: at most one of them is right, so one of the packages cannot be
// installed.
func ReportOtherChecksums(p *rule.Pass) {
	first := map[string]*declaredServer{}
	for _, group := range declaredServers(p.Project) {
		for _, b := range group {
			source, sum := b.declaration.Origin.Text, b.declaration.Checksum
			if !strings.HasPrefix(source, "https://") || !compare.IsHash(sum.Text) {
				continue
			}
			was, isKnown := first[source]
			switch {
			case !isKnown:
				first[source] = b
			case !compare.MatchesHash(was.declaration.Checksum.Text, sum.Text):
				f := rule.Finding{File: b.doc.File, Span: sum.Span, Server: b.declaration.Name}
				f.Message = wording.Say("%q has another checksum than %q in %q, but both are downloaded from one address, so one of the two is wrong",
					b.declaration.Name, was.declaration.Name, was.doc.BundleName())
				f.Help = "install the package with the old checksum again"
				f.Related = []rule.Related{{File: was.doc.File, Span: was.declaration.Checksum.Span, Message: "the other checksum is here"}}
				p.Report(f)
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

// hostServers returns the servers of a project's client files that no package
// has put there, by name.
func hostServers(p *mcp.Project) map[string]*mcp.Server {
	merged := map[string]bool{}
	if lock := lockOf(p); lock != nil {
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
	f.Message = wording.Say("the package %q has another server called %q than %s, so ccpkg cannot install both", b.doc.BundleName(), name, where)
	f.Help = wording.Say("rename this one to %q", b.doc.BundleName()+b.doc.Tool.Joint+name)
	if key := b.identity().Key(); key != "" && key == other.Key() {
		f.Message = wording.Say("%q in the package %q and in %s runs %s, but ccpkg compares commands word by word, so it cannot install both",
			name, b.doc.BundleName(), where, b.identity().InSentence())
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
