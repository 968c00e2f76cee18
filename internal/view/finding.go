package view

import (
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// Finding is one finding.
type Finding struct {
	view    *View
	finding *rule.Finding
}

// Rule returns the rule that was broken. Nothing of the repository is in it.
func (f Finding) Rule() *rule.Rule { return f.finding.Rule }

// Severity returns how much the finding matters.
func (f Finding) Severity() rule.Severity { return f.finding.Severity }

// Place returns the token that shows it.
func (f Finding) Place() Place { return f.view.place(f.finding.File, f.finding.Span) }

// Message returns what is wrong and what to do about it, in one line without a final period.
func (f Finding) Message() Text { return f.view.text(f.finding.Text()) }

// MessageHere is Message with the paths in it from the current directory, as Path.String
// has them.
func (f Finding) MessageHere() Text { return f.view.hereText(f.finding.Text()) }

// Problem returns what is wrong, for outputs that give the help a line of its own.
func (f Finding) Problem() Text { return f.view.text(f.finding.Message) }

// ProblemHere is Problem with the paths in it from the current directory.
func (f Finding) ProblemHere() Text { return f.view.hereText(f.finding.Message) }

// Help returns what to do about it, empty where the problem says it all.
func (f Finding) Help() Text { return f.view.text(f.finding.Help) }

// HelpHere is Help with the paths in it from the current directory.
func (f Finding) HelpHere() Text { return f.view.hereText(f.finding.Help) }

// See returns the URL of a page with more about it, empty if none.
func (f Finding) See() Text { return f.view.text(f.finding.See) }

// Server returns the name of the entry it is about, empty if there is none.
func (f Finding) Server() Text { return f.view.nameText(f.finding.Server) }

// Identity returns what that entry runs, empty if that is not known.
func (f Finding) Identity() Text { return f.view.nameText(f.finding.Identity) }

// Fingerprint returns what tells the finding from others across commits: 32
// hexadecimal digits.
func (f Finding) Fingerprint() string { return f.finding.Fingerprint(&f.view.secrets) }

// LineHash returns GitHub's primaryLocationLineHash of the line on which the
// finding begins.
func (f Finding) LineHash() string {
	file := f.finding.File
	hashes, known := f.view.hashes[file]
	if !known {
		hashes = lineHashes(file.Bytes)
		f.view.hashes[file] = hashes
	}
	if line := f.Place().Line(); line <= len(hashes) {
		return hashes[line-1]
	}
	return ""
}

// Related is another place that belongs to a finding.
type Related struct {
	Place   Place
	Message Text
	// MessageHere is the message with the paths in it from the current directory.
	MessageHere Text
}

// maxName is how much of a name an output repeats with every finding, in code
// points: it may be megabytes.
const maxName = 500

// nameText returns a name as a text, of a long one the beginning.
func (v *View) nameText(name string) Text { return v.text(wording.Beginning(name, maxName)) }

// Related returns the first related places, at most limit of them, and how many
// more there are.
func (f Finding) Related(limit int) (places []Related, more int) {
	related := f.finding.Related[:min(len(f.finding.Related), limit)]
	places = make([]Related, 0, len(related))
	for _, r := range related {
		places = append(places, Related{f.view.place(r.File, r.Span), f.view.text(r.Message), f.view.hereText(r.Message)})
	}
	return places, len(f.finding.Related) - len(related) + f.finding.MoreRelated
}

// Unlisted returns how many related places there are that no output lists.
func (f Finding) Unlisted() int { return f.finding.MoreRelated }

// Duplicate is an entry that repeats another one, and the bundles that brought
// the two; those are empty for entries that people wrote.
type Duplicate struct{ Of, Bundle, OriginalBundle Text }

// Duplicate returns which entry the finding's own repeats, false if none.
func (f Finding) Duplicate() (Duplicate, bool) {
	d := f.finding.Duplicate
	if d == nil {
		return Duplicate{}, false
	}
	return Duplicate{f.view.nameText(d.Of), f.view.nameText(d.Bundle), f.view.nameText(d.OriginalBundle)}, true
}

// Approval is a hash that needs approval: rule.Approval.
type Approval struct {
	Required bool

	Identity, Old, New, OldShort, NewShort, OldFetched Text
}

// Approval returns the hash that needs approval, false if none does.
func (f Finding) Approval() (Approval, bool) {
	a := f.finding.Approval
	if a == nil {
		return Approval{}, false
	}
	name := f.view.nameText
	return Approval{a.Required, name(a.Identity), name(a.Old), name(a.New), name(a.OldShort), name(a.NewShort), name(a.OldFetched)}, true
}

// Fixes returns the ways to fix it.
func (f Finding) Fixes() []Fix {
	var fixes []Fix
	for i := range f.finding.Fixes {
		fixes = append(fixes, Fix{f.view, &f.finding.Fixes[i]})
	}
	return fixes
}
