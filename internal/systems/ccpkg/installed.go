package ccpkg

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// ReportInstalled compares what is installed with the lockfile: the version of
// an unpacked package, and the archives that ccpkg falls back to when the active
// source of a shared server goes. Where the cache is not committed, nothing is
// known of archives.
func ReportInstalled(p *rule.Pass) {
	lock := lockOf(p.Project)
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
			f.Message = wording.Say("the package %q is locked at %s, but its manifest says %s", pkg.Name, pkg.Version.Text, orNull(m.Bundle.Manifest.Version.Text))
			f.Help = "install it again"
			f.Related = []rule.Related{{File: m.File, Span: orSpan(m.Bundle.Manifest.Version.Span, m.Bundle.Manifest.NameSpan), Message: "unpacked here"}}
			p.Report(f)
		}
		archive := pkg.Name + "-" + pkg.Version.Text + ".ccpkg"
		if shares[pkg.Name] && !pkg.Linked && len(archives) > 0 && !archives[archive] {
			f.Severity, f.Related = rule.Warning, nil
			f.Message = wording.Say("the archive %s is not in the committed cache, so ccpkg cannot fall back to %q for a shared server", archive, pkg.Name)
			f.Help = "add the archive to the repository"
			p.Report(f)
		}
	}
}

// ReportUnrecorded reports servers that an installed package brings and that the lockfile
// does not have: they are shared, or merged by the package alone (specification of
// 2026-02-22, Install, step 10b). What conflicts with another server was never installed.
func ReportUnrecorded(p *rule.Pass) {
	lock := lockOf(p.Project)
	if lock == nil {
		return
	}
	packages := map[string]*mcp.Package{}
	for i := range lock.Lock.Packages {
		packages[lock.Lock.Packages[i].Name] = &lock.Lock.Packages[i]
	}
	entries := sharedEntries(p.Project)
	hosts := sync.OnceValue(func() map[string]*mcp.Server { return hostServers(p.Project) })
	for _, group := range declaredServers(p.Project) {
		name := group[0].declaration.Name
		if !isOneOrigin(group) {
			continue
		}
		for _, b := range group {
			pkg := packages[b.doc.BundleName()]
			if isRecorded(lock.Tool, entries, pkg, name) || isKept(hosts()[name], b) {
				continue
			}
			p.Report(rule.Finding{
				File: b.doc.File, Span: b.declaration.NameSpan, Server: name, Identity: b.identity().Shown(), Severity: rule.Warning,
				Message: wording.Say(`the package %q declares %q, but "shared_mcp_servers" and its "merged_mcp_servers" do not have it, so it stays when the package goes`, pkg.Name, name),
				Help:    "install the package again",
				Related: []rule.Related{{File: lock.File, Span: pkg.NameSpan, Message: "the package is installed"}},
			})
		}
	}
}

// isKept reports whether a client file has another server under the name of one that a
// package brings: that was kept when it was installed.
func isKept(host *mcp.Server, b *declaredServer) bool {
	return host != nil && b.server != nil && host.Identity.Key() != b.identity().Key()
}

func isOneOrigin(group []*declaredServer) bool {
	return !slices.ContainsFunc(group, func(b *declaredServer) bool {
		return b.declaration.Origin.Text != group[0].declaration.Origin.Text
	})
}

// isRecorded reports whether the lockfile has a server under its name, or under one that
// has its package's in it: both were kept. What has such a name in the template got it for
// the next installation.
func isRecorded(tool *mcp.Tool, entries map[string]*mcp.LockEntry, pkg *mcp.Package, name string) bool {
	if strings.HasPrefix(name, pkg.Name+tool.Joint) {
		return true
	}
	names := append(tool.CopyNames(pkg.Name, name), name)
	return slices.ContainsFunc(names, func(known string) bool { return entries[known] != nil }) ||
		slices.ContainsFunc(pkg.Merged, func(r mcp.Reference) bool { return slices.Contains(names, r.Name) })
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
