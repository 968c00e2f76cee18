package checks

// staleLockEntry finds a locked entry that nothing permits or declares any
// more.
var staleLockEntry = &Rule{
	ID:       "stale-lock-entry",
	Title:    "a locked entry is no longer permitted or declared",
	Severity: Note,
	Fix:      Safe,
	Reads:    inUse,
	Run:      onlySystems,
}
