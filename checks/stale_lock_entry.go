package checks

import (
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
)

// staleLockEntry finds a locked entry that nothing permits or declares any
// more.
var staleLockEntry = &rule.Rule{
	ID:       "stale-lock-entry",
	Title:    "a locked entry is no longer permitted or declared",
	Severity: rule.Note,
	Fix:      rule.Safe,
	Reads:    reads.InUse,
	Run:      func(*rule.Pass) {}, // what there is to find only systems know
}
