package ccpkg

import (
	"slices"
	"sync"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/repair"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/version"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// ReportDeclarers compares every shared server with the packages that bring it.
func ReportDeclarers(p *rule.Pass) {
	lock := lockOf(p.Project)
	if lock == nil {
		return
	}
	groups := declaredGroups(p.Project)
	installed := lock.Lock.Installed()
	copies := &repair.Copies{Project: p.Project}
	templates := templatesOf(p.Project)
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
		reportNotBrought(&q, entry, installed, templates)
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
		f.Message = wording.Say(`the package %q also declares %q, but is not in "declared_by"`, b.doc.BundleName(), entry.Name)
		f.Help = wording.Say(`add %q to "declared_by"`, b.doc.BundleName())
		f.Related = []rule.Related{b.see("declared here")}
		p.Report(f)
	}
}

// reportNotBrought reports packages that are listed and whose templates do not have the
// server. Under dedup: false it may be there under another name.
func reportNotBrought(p *rule.Pass, entry *mcp.LockEntry, installed map[string]bool, templates map[string]template) {
	if entry.Place.Apart {
		return
	}
	for _, by := range entry.Claims.DeclaredBy {
		t, isUnpacked := templates[by.Text]
		if !isUnpacked || !installed[by.Text] || t.names[entry.Name] {
			continue
		}
		f := rule.AtEntry(entry)
		f.Span = by.Span
		f.Message = wording.Say(`"declared_by" of %q lists %q, whose template does not have it`, entry.Name, by.Text)
		f.Help = wording.Say(`remove %q from "declared_by", or install the package again`, by.Text)
		f.Related = []rule.Related{{File: t.doc.File, Span: t.doc.Root, Message: "the template is here"}}
		p.Report(f)
	}
}

// template is what the templates of one package have.
type template struct {
	doc   *mcp.Document // the first
	names map[string]bool
}

// templatesOf returns the unpacked templates of a project, by package.
func templatesOf(p *mcp.Project) map[string]template {
	templates := map[string]template{}
	for _, doc := range p.Documents {
		if doc.Format != "ccpkg-template" {
			continue
		}
		t, isKnown := templates[doc.BundleName()]
		if !isKnown {
			t = template{doc, map[string]bool{}}
			templates[doc.BundleName()] = t
		}
		for _, s := range doc.Servers {
			t.names[s.Name] = true
		}
		for i := range doc.Bundle.Declares {
			t.names[doc.Bundle.Declares[i].Name] = true
		}
		for i := range doc.Refusals {
			t.names[doc.Refusals[i].Server] = true
		}
	}
	return templates
}

// ranking is what is known of the packages that an entry lists: which of them are
// installed, and which of those has the highest version.
type ranking struct {
	installed []string
	// highest is the first of the highest version among those with a known version, nil if
	// there is none; known reports that all versions are.
	highest *declaredServer
	known   bool
	// versions are the known ones, by package.
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
// which is not known.
func (r *ranking) next() string {
	switch {
	case len(r.installed) == 1:
		return r.installed[0]
	case r.highest != nil && len(r.versions) == len(r.installed):
		return r.highest.doc.BundleName()
	}
	return ""
}

// reportGoneSource reports an active source that is not installed, and which package must replace
// it.
func reportGoneSource(p *rule.Pass, entry *mcp.LockEntry, r ranking) {
	active := entry.Claims.Active
	if active.Text == "" || !isDeclaredBy(entry, active.Text) || len(r.installed) == 0 || slices.Contains(r.installed, active.Text) {
		return
	}
	f := rule.AtEntry(entry)
	f.Span = active.Span
	f.Message = wording.Say(`"active_source" of %q is %q, which is not installed`, entry.Name, active.Text)
	switch next := r.next(); {
	case next == "":
		f.Help = wording.Say("set it to the one of %s with the highest version", wording.JoinWords(wording.InQuotes(r.installed)))
	case r.versions[next] != "":
		f.Help = wording.Say(`set it to %q, and "version" to %s`, next, r.versions[next])
	default:
		f.Help = wording.Say("set it to %q", next)
	}
	p.Report(f)
}

// reportActive reports an active source that has not the highest version, or not
// as the first.
func reportActive(p *rule.Pass, entry *mcp.LockEntry, r ranking) {
	active := entry.Claims.Active
	if r.highest == nil || active.Text == r.highest.doc.BundleName() || !isDeclaredBy(entry, active.Text) ||
		!r.known && r.versions[active.Text] == "" {
		return
	}
	f := rule.AtEntry(entry)
	f.Span = orSpan(active.Span, entry.NameSpan)
	f.Message = wording.Say(`"active_source" of %q is %q, but %q is the first that declares the highest version`, entry.Name, active.Text, r.highest.doc.BundleName())
	f.Help = wording.Say("set it to %q", r.highest.doc.BundleName())
	f.Related = []rule.Related{r.highest.see("declared here")}
	p.Report(f)
}

// reportVersion reports a version that is not the highest that packages declare.
// While a declared version is unknown, a higher one proves nothing. What contradicts the entry's
// own origin is already reported, and so is a missing version where the origin must have the
// highest.
func reportVersion(p *rule.Pass, entry *mcp.LockEntry, r ranking) {
	if r.highest == nil {
		return
	}
	locked, highest := entry.Pin.Release(), r.highest.version()
	own := entry.Target.Origin.Version.Release()
	switch {
	case locked == highest, own != "" && own != locked && (entry.Pin.Version.Text != "" || own == highest):
		return
	case !r.known && entry.Pin.Version.Text != "" && (!version.IsSemantic(locked) || !newer(highest, locked)):
		return
	}
	f := rule.AtEntry(entry)
	f.Span = orSpan(entry.Pin.Version.Span, entry.NameSpan)
	f.Message = wording.Say("the version of %q is %s, but the highest that a package declares is %s", entry.Name, orNull(entry.Pin.Version.Text), highest)
	f.Help = wording.Say("write %s", highest)
	f.Related = []rule.Related{r.highest.see("declared here")}
	p.Report(f)
}

func isDeclaredBy(entry *mcp.LockEntry, name string) bool {
	return slices.ContainsFunc(entry.Claims.DeclaredBy, func(w identity.Word) bool { return w.Text == name })
}
