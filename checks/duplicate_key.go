package checks

import (
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// duplicateKey finds a key that is written twice in one object.
var duplicateKey = &Check{
	ID:       "duplicate-key",
	Title:    "a key is written twice in one object",
	Severity: Error,
	Fix:      Safe,
	Reads:    Reads{Examples: true, Unread: true},
	Run:      runDuplicateKey,
}

func runDuplicateKey(p *Pass) {
	for doc := range p.Documents() {
		differs := differentKeys(doc)
		for _, repeat := range doc.Duplicates {
			message := say("the key %q is written twice, and most clients read only this one: remove one of them, or rename it", repeat.Name)
			if repeat.Equal {
				message = say("the key %q is written twice with the same value: remove one of them", repeat.Name)
			}
			p.Report(Finding{
				File: doc.File, Span: repeat.Again,
				Message: message,
				Related: []Related{{File: doc.File, Span: repeat.First, Message: "first written here"}},
				Fixes:   fixDuplicateKey(doc, repeat, differs),
			})
		}
	}
}

// differentKeys returns where keys stand first that are written again with another
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

// fixDuplicateKey removes a repeat where all of them say the same. Which of several
// values is meant, nobody but their author knows: clients take the last.
func fixDuplicateKey(doc *mcp.Document, repeat mcp.Repeat, differs map[int]bool) []Fix {
	if differs[repeat.First.Start] {
		return nil
	}
	return []Fix{{
		Title: say("remove the repeated %q", repeat.Name), Safety: Safe,
		Edits: []edit.Change{edit.Remove(doc.File, repeat.Again)},
	}}
}
