package ccpkg

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

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
					Message: wording.Say("%q was installed with a package, but no client's file has it", merged.Name),
					Help:    "install the package again, or uninstall it",
				})
			}
		}
	}
}

// ReportNotDeclared reports shared servers that no package brings any longer.
func ReportNotDeclared(p *rule.Pass) {
	for lock := range p.Lockfiles() {
		installed := lock.Lock.Installed()
		for _, entry := range lock.Lock.Entries {
			if entry.Claims.DeclaredBySpan.IsZero() {
				continue
			}
			if why := notDeclared(installed, entry); why != "" {
				f := rule.AtEntry(entry)
				f.Message, f.Help = why, wording.Say("remove %q from the lockfile", entry.Name)
				f.Fixes = fixNotDeclared(entry)
				p.Report(f)
			}
		}
	}
}

// notDeclared returns why a shared server has no package left, or "".
func notDeclared(installed map[string]bool, entry *mcp.LockEntry) string {
	if len(entry.Claims.DeclaredBy) == 0 {
		return wording.Say("%q is locked, but no package declares it", entry.Name)
	}
	var names []string
	for _, by := range entry.Claims.DeclaredBy {
		if installed[by.Text] {
			return ""
		}
		names = append(names, by.Text)
	}
	return wording.Say("%q is locked, but no package that declares it is installed (%s)", entry.Name, strings.Join(names, ", "))
}

// ReportUndeclaredSettings reports values that a template uses and that the manifest of its package
// does not declare: ccpkg has no value for them, and does not install the package.
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
				f.Message = wording.Say("%s is not declared in the manifest of %q, so ccpkg does not install the package", word.Text, doc.BundleName())
				f.Help = wording.Say("declare it in %s", manifest.File.Path)
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

// fixNotDeclared removes an entry from the lockfile that nothing declares, which is safe
// where no client file has its server.
func fixNotDeclared(entry *mcp.LockEntry) []rule.Fix {
	if len(entry.Claims.DeclaredBy) > 0 || entry.Claims.DeclaredBySpan.IsZero() {
		return nil // installing a package again may be enough
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
