package checks

import (
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
)

// staleLockEntry finds locked entries that nothing permits or declares any longer, or that
// record no version.
var staleLockEntry = &rule.Rule{
	ID:       "stale-lock-entry",
	Title:    "a locked entry is no longer used, or records no version",
	Severity: rule.Note,
	Fix:      rule.Safe,
	Reads:    reads.InUse,
	Run:      func(*rule.Pass) {}, // what there is to find only systems know
}
