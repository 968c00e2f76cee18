package checks

// system is one of the programs that rules know more of than its row in the
// tables of clients and tools: what is true of it alone. All of it stands in one
// file, and nothing else calls that.
type system struct {
	// title is the name people know.
	title string
	// parts are what it adds to rules.
	parts []part
}

// part is what a system adds to a rule, whose page names the system. It runs
// after the rule itself, and sees what that sees.
type part struct {
	rule *Rule
	run  func(*Pass)
}

// whatSystemsSay is the Run of a rule that has nothing to say of its own.
func whatSystemsSay(*Pass) {}
