// Package rule says what a rule is, what it sees and what it reports.
//
// A rule is data and one pure function over a project. It sees one Pass and can do
// nothing but report findings, each at the smallest token that shows it.
package rule

import (
	"fmt"
	"io/fs"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// Severity is how much a finding matters. The zero value is "off".
type Severity uint8

// The severities, lowest first.
const (
	Off Severity = iota
	Note
	Warning
	Error
)

// severityNames are the words of the command line, the settings and JSON.
var severityNames = [...]string{"off", "note", "warning", "error"}

func (s Severity) String() string { return severityNames[s] }

// ParseSeverity returns the severity called name.
func ParseSeverity(name string) (Severity, error) {
	for i, known := range severityNames {
		if name == known {
			return Severity(i), nil
		}
	}
	return Off, fmt.Errorf("unknown severity %q: use off, note, warning or error", name)
}

// Safety says whether a fix keeps the meaning of the file for every client.
type Safety uint8

// The safeties of fixes.
const (
	NoFix  Safety = iota
	Safe          // keeps meaning for every client that reads the file
	Unsafe        // anything else: asked for by name
)

func (s Safety) String() string { return [...]string{"none", "safe", "unsafe"}[s] }

// Rule is one kind of finding: its name, how bad it is, and what finds it.
type Rule struct {
	// ID is the rule's stable name, in kebab case; it never contains data.
	ID string
	// Title says in one line what the rule finds.
	Title string
	// Severity is the default; a finding may carry another.
	Severity Severity
	// Fix is the best fix the rule can offer.
	Fix Safety
	// Online rules run only with --online.
	Online bool
	// NeedsBase rules say what a change brings, and run only where there is a base to
	// compare with.
	NeedsBase bool
	// UsesRegistry rules find more if registries were asked: otherwise it is not known which of
	// their ignores are used.
	UsesRegistry bool
	// Blocking rules find what keeps clients from loading the servers of a file: other problems of
	// those servers come after it.
	Blocking bool
	// Asked rules compare files with what the settings ask for. So their fixes are safe even if
	// they remove other content, and their findings may be about a file that git ignores, or about
	// a server that is missing in a file.
	Asked bool
	// Reads says which documents the rule reads: Pass.Documents and Pass.Servers give it no others.
	Reads reads.Selection
	// Pages hold the rule's page, as a file named like the rule.
	Pages fs.FS
	// Run reports the rule's findings in one project. It is nil for rules that
	// the linter itself reports (syntax-error).
	Run func(*Pass)
}

// Finding is one thing a maintainer should know, at the smallest token that
// shows it. Its texts never contain a secret and may contain hostile text: outputs
// escape them.
type Finding struct {
	Rule     *Rule
	Severity Severity // zero: the check's
	File     *syntax.File
	Span     syntax.Span
	// Server is the name of the entry it is about, if any; Identity is what
	// the entry runs, as shown.
	Server, Identity string
	// Message is one clause without a final period: what is wrong, and why it matters here.
	Message string
	// Help is what to do about it, as one imperative; "" where the message says it all.
	Help string
	// See is the URL of a page with more about it, "" if there is none.
	See     string
	Related []Related
	// MoreRelated counts the places that belong to it in addition to Related.
	MoreRelated int
	Fixes       []Fix
	// NoFixReason says in a clause why there is no fix, where the rule has one for others
	// like it; "" where there is nothing to say.
	NoFixReason string
	// Secret reports that the token is a credential, which no output shows.
	Secret bool
	// WithoutBase reports that a rule of what a change brings (Rule.NeedsBase) found it without
	// a base: it is new only where the base has it not.
	WithoutBase bool
	// Duplicate says which entry this one repeats, for programs; nil where it
	// repeats none.
	Duplicate *Duplicate
	// Approval says, for programs, what a person must approve; nil if nothing.
	Approval *Approval

	Group Group
	// places are the findings that were joined where each of them is fixed by itself.
	places []Finding
}

// Text returns the message and the help in one line.
func (f *Finding) Text() string {
	if f.Help == "" {
		return f.Message
	}
	return f.Message + ": " + f.Help
}

// Places are the findings that are each fixed separately: those at every place of one problem, or
// the finding alone.
func (f *Finding) Places() []*Finding {
	if len(f.places) == 0 {
		return []*Finding{f}
	}
	places := make([]*Finding, len(f.places))
	for i := range f.places {
		places[i] = &f.places[i]
	}
	return places
}

// Leader returns the finding that causes this one, nil if it is independent: an ignored finding
// causes no others.
func (f *Finding) Leader() *Finding { return f.Group.Leader }

// Duplicate is an entry that repeats another one, and the bundles or packages
// that brought the two; those are empty for entries that people wrote.
type Duplicate struct {
	Of, Bundle, OriginalBundle string
}

// Approval is a hash that a person must approve.
type Approval struct {
	// Required is false where a new version explains the new hash.
	Required bool
	// Identity is what the hash is of, independent of its name: a package, a remote server, the
	// full name of a tool. It contains no credential.
	Identity string
	// Old and New are the hashes as written, OldShort and NewShort their first four
	// hexadecimal digits.
	Old, New, OldShort, NewShort string
	// OldFetched is when the old one was fetched, as the lockfile says it; "" where it
	// does not.
	OldFetched string
}

// Related is another place that belongs to a finding.
type Related struct {
	File    *syntax.File
	Span    syntax.Span
	Message string
	// Secret reports that the place is a credential, which no output shows.
	Secret bool
	// Aside reports that the place is no part of what was found, but something that the
	// repository's policy says of it.
	Aside bool
}

// Fix is one way to resolve a finding: applied whole or not at all. The fixes of
// one finding are alternatives.
type Fix struct {
	Title  string
	Safety Safety
	Edits  []edit.Change
	// Gone is the server that is no longer found under its name, nil if there is none. A rule that
	// knows of texts that name it calls NamedIn.
	Gone *mcp.Server
	// IsAsked reports that the settings ask for it, even if texts name the server.
	IsAsked bool
}

// NamedIn returns the fix with a note that a text at a place names its server and must be changed
// by hand. The fix is then unsafe, unless the settings ask for it. Without a path, the note says
// that this is not known: not all texts were searched.
func (f Fix) NamedIn(path string, line int) Fix {
	if !f.IsAsked {
		f.Safety = Unsafe
	}
	if path == "" {
		f.Title = wording.Say("%s (there are too many texts for agents to search all of them for %q)", f.Title, f.Gone.Name)
	} else {
		f.Title = wording.Say("%s (%s:%d names %q)", f.Title, path, line, f.Gone.Name)
	}
	return f
}
