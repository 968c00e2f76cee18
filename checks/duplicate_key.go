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
			lost := "clients keep this one and drop the one before"
			if repeat.Equal {
				lost = "both have the same value, so one can go"
			}
			p.Report(Finding{
				File: doc.File, Span: repeat.Again,
				Message: say("the key %q is written twice: %s", repeat.Name, lost),
				Related: []Related{{File: doc.File, Span: repeat.First, Message: "first written here"}},
			})
		}
	}
}
