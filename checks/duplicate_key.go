package checks

import (
	"bytes"
	"slices"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// duplicateKey finds a key that is written twice in one object.
var duplicateKey = &rule.Rule{
	ID:       "duplicate-key",
	Title:    "one object has the same key twice",
	Severity: rule.Error,
	Fix:      rule.Safe,
	Reads:    reads.Selection{Examples: true, Unread: true},
	Run:      runDuplicateKey,
}

func runDuplicateKey(p *rule.Pass) {
	for doc := range p.Documents() {
		differs := differentKeys(doc)
		for _, repeat := range doc.Duplicates {
			message := wording.Say("duplicate key %q: most clients use this value and ignore the first one", repeat.Name)
			help := "delete one of the two, or rename it"
			if repeat.Equal {
				message, help = wording.Say("duplicate key %q with the same value", repeat.Name), "delete one of the two"
			}
			p.Report(rule.Finding{
				File: doc.File, Span: repeat.Again,
				Message: message, Help: help,
				Related: []rule.Related{{File: doc.File, Span: repeat.First, Message: "first written here"}},
				Fixes:   fixDuplicateKey(doc, repeat, differs),
			})
		}
	}
}

// differentKeys returns the first places of keys that are written again with another
// value.
func differentKeys(doc *mcp.Document) map[int]bool {
	differs := map[int]bool{}
	for _, repeat := range doc.Duplicates {
		if !repeat.Equal {
			differs[repeat.First.Start] = true
		}
	}
	return differs
}

// fixDuplicateKey removes a repeat if all of them have the same value. Only their author knows
// which of several values is the intended one: clients and mcplumb use the last. The ignores at
// the last one must stay.
func fixDuplicateKey(doc *mcp.Document, repeat mcp.Repeat, differs map[int]bool) []rule.Fix {
	if differs[repeat.First.Start] {
		return nil
	}
	which, removed := "repeated", repeat.Again
	if hasIgnore(doc, repeat) {
		which, removed = "first", repeat.First
	}
	return []rule.Fix{{
		Title: wording.Say("remove the %s %q", which, repeat.Name), Safety: rule.Safe,
		Edits: []edit.Change{edit.Remove(doc.File, removed)},
	}}
}

// maxBeside is how many comments on either side of an entry are searched, more than
// people write.
const maxBeside = 50

// hasIgnore reports whether a comment after a repeat, or on the lines directly above it, may be
// an ignore.
func hasIgnore(doc *mcp.Document, repeat mcp.Repeat) bool {
	isIgnore := func(c syntax.Span) bool {
		return bytes.Contains(doc.File.Bytes[c.Start:c.End], []byte("mcplumb:"))
	}
	above, behind := commentsBeside(doc, repeat.Again.Start, repeat.AgainValue.End)
	last := doc.File.LineAt(repeat.AgainValue.End)
	for _, c := range behind {
		if doc.File.LineAt(c.Start) == last && isIgnore(c) {
			return true
		}
	}
	next := doc.File.LineAt(repeat.Again.Start)
	for _, c := range slices.Backward(above) {
		line := doc.File.LineAt(c.Start)
		_, start := doc.File.Line(line)
		isAlone := len(bytes.TrimSpace(doc.File.Bytes[start:c.Start])) == 0
		if !isAlone || doc.File.LineAt(c.End) < next-1 {
			return false // it belongs to what is above
		}
		if isIgnore(c) {
			return true
		}
		next = line
	}
	return false
}

// commentsBeside returns the comments nearest to an entry on both sides.
func commentsBeside(doc *mcp.Document, start, end int) (above, behind []syntax.Span) {
	all := doc.Extensions.Comments
	first := func(at int) int {
		i, _ := slices.BinarySearchFunc(all, at, func(c syntax.Span, at int) int { return c.Start - at })
		return i
	}
	a, b := first(start), first(end)
	return all[max(0, a-maxBeside):a], all[b:min(len(all), b+maxBeside)]
}
