package checks

// UnusedIgnore is an ignore, in the settings or in a comment, that does nothing,
// or an entry of the baseline. The linter reports it once it knows all findings,
// so the check has no Run.
var UnusedIgnore = &Rule{
	ID:       "unused-ignore",
	Title:    "an ignore hides nothing",
	Severity: Note,
	Fix:      Unsafe,
	Reads:    everywhere,
}
