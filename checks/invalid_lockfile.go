package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// invalidLockfile finds lockfiles that their own tool would refuse.
func invalidLockfile() *Check {
	return &Check{
		ID:       "invalid-lockfile",
		Title:    "the lockfile cannot be used",
		Severity: Error,
		Run:      runInvalidLockfile,
	}
}

func runInvalidLockfile(p *Pass) {
	reportProblems(p, mcp.InvalidLock)
	templates := installedTemplates(p.Project)
	if len(templates) == 0 {
		return
	}
	for _, doc := range lockfiles(p.Project) {
		for _, entry := range doc.Lock.Entries {
			if !entry.DeclaredBySpan.IsZero() {
				judgeDeclarers(p, doc.Lock, entry, templates)
			}
		}
	}
}

// installedTemplates returns the servers that each installed package declares,
// as far as packages are committed unpacked.
func installedTemplates(p *mcp.Project) map[string][]*mcp.Document {
	templates := map[string][]*mcp.Document{}
	for _, doc := range p.Documents {
		if doc.Package != "" && doc.Role == mcp.InUse {
			templates[doc.Package] = append(templates[doc.Package], doc)
		}
	}
	return templates
}

// declaration returns a package's declaration of a locked server, which is the
// name and the origin, the version in it taken out: with it, the specification
// could never compare two versions. It is nil if there is none.
func declaration(docs []*mcp.Document, entry *mcp.LockEntry) (*mcp.Declaration, *mcp.Document) {
	for _, doc := range docs {
		for i := range doc.Declares {
			d := &doc.Declares[i]
			if d.Name == entry.Name && unversioned(d.Origin, d.Version) == unversioned(entry.Origin.Text, entry.Identity.Version.Text) {
				return d, doc
			}
		}
	}
	return nil, nil
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

// judgeDeclarers holds a shared server against the packages that declare it: all
// installed ones are listed, and the highest version is the active one. Where a
// listed package is not committed its version is unknown, and nothing is said
// of the highest.
func judgeDeclarers(p *Pass, lock *mcp.Lock, entry *mcp.LockEntry, templates map[string][]*mcp.Document) {
	for _, name := range lock.Packages {
		d, doc := declaration(templates[name], entry)
		if d == nil || entry.Separate || isDeclaredBy(entry, name) {
			continue
		}
		f := atEntry(entry)
		f.Span = entry.DeclaredBySpan
		f.Message = fmt.Sprintf("the package %q declares %q, too, and is not in declared_by", name, entry.Name)
		f.Related = []Related{{File: doc.File, Span: d.NameSpan, Message: "declared here"}}
		p.Report(f)
	}
	highest, version := "", ""
	var at *mcp.Document
	var span syntax.Span
	for _, by := range entry.DeclaredBy {
		d, doc := declaration(templates[by.Text], entry)
		if d == nil || d.Version != "" && !isSemver(d.Version) {
			return
		}
		if highest == "" || newer(d.Version, version) {
			highest, version, at, span = by.Text, d.Version, doc, d.NameSpan
		}
	}
	if highest == "" {
		return
	}
	f := atEntry(entry)
	f.Related = []Related{{File: at.File, Span: span, Message: "declared here"}}
	if entry.ActiveSource.Text != highest {
		f.Span = orSpan(entry.ActiveSource.Span, entry.NameSpan)
		f.Message = fmt.Sprintf("active_source of %q is %q, but %q declares the highest version first", entry.Name, entry.ActiveSource.Text, highest)
		p.Report(f)
	}
	if entry.Version.Text != version {
		f.Span = orSpan(entry.Version.Span, entry.NameSpan)
		f.Message = fmt.Sprintf("the version of %q is %s, but the highest that is declared is %s",
			entry.Name, orNull(entry.Version.Text), orNull(version))
		p.Report(f)
	}
}

// newer reports whether version a is higher than b; none is lower than any.
func newer(a, b string) bool {
	if a == "" || b == "" {
		return a != "" && b == ""
	}
	return compareSemver(a, b) > 0
}

func isDeclaredBy(entry *mcp.LockEntry, name string) bool {
	return slices.ContainsFunc(entry.DeclaredBy, func(w identity.Word) bool { return w.Text == name })
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

// reportProblems reports what the readers could not accept, of one kind. Test
// data may be wrong on purpose.
func reportProblems(p *Pass, kind mcp.ProblemKind) {
	for _, doc := range p.Project.Documents {
		if doc.Role == mcp.Fixture {
			continue
		}
		for _, problem := range doc.Problems {
			if problem.Kind != kind {
				continue
			}
			f := Finding{File: doc.File, Span: problem.Span, Server: problem.Server, Message: problem.Message}
			f.Severity = refusedSeverity(doc, problem.Refused)
			if problem.Minor && f.Severity == Error {
				f.Severity = Warning
			}
			p.Report(f)
		}
	}
}

// refusedSeverity weighs who refuses something: a client that reads another
// client's file, too, has files of its own. Which clients a plugin is meant for
// does not show in the one file.
func refusedSeverity(doc *mcp.Document, r mcp.Refused) Severity {
	switch {
	case r == mcp.ByAll:
		return Error
	case r == mcp.ByOwner && doc.Scope == mcp.ScopeProject:
		return Warning
	}
	return Note
}
