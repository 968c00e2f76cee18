package ccpkg

import (
	"path"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// ReportInstalled holds what is installed against the lockfile: the version of
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
