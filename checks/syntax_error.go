package checks

// SyntaxError is a file that does not parse. The linter reports it while it
// reads files, with the parser's own message, so the check has no Run.
var SyntaxError = &Rule{
	ID:       "syntax-error",
	Title:    "the file does not parse",
	Severity: Error,
	Reads:    Reads{Examples: true, Unread: true},
}
