package checks

// unusedIgnore is an ignore, in the settings or in a comment, that does nothing,
// or an entry of the baseline. The linter reports it once it knows all findings,
// so the check has no Run.
func unusedIgnore() *Check {
	return &Check{
		ID:       "unused-ignore",
		Title:    "an ignore hides nothing",
		Severity: Note,
	}
}
