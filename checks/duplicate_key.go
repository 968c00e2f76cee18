package checks

// duplicateKey finds a key that is written twice in one object.
var duplicateKey = &Check{
	ID:       "duplicate-key",
	Title:    "a key is written twice in one object",
	Severity: Error,
	Reads:    Reads{Examples: true, Unread: true},
	Run:      runDuplicateKey,
}

func runDuplicateKey(p *Pass) {
	for doc := range p.Documents() {
		for _, repeat := range doc.Duplicates {
			message := say("the key %q is written twice, and most clients read only this one: remove one of them, or rename it", repeat.Name)
			if repeat.Equal {
				message = say("the key %q is written twice with the same value: remove one of them", repeat.Name)
			}
			p.Report(Finding{
				File: doc.File, Span: repeat.Again,
				Message: message,
				Related: []Related{{File: doc.File, Span: repeat.First, Message: "first written here"}},
			})
		}
	}
}
