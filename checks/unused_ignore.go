package checks

import (
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
)

// UnusedIgnore is an ignore, in the settings or in a comment, that does nothing,
// or an entry of the baseline. The linter reports it once it knows all findings,
// so the check has no Run.
var UnusedIgnore = &rule.Rule{
	ID:       "unused-ignore",
	Title:    "an ignore hides nothing",
	Severity: rule.Note,
	Fix:      rule.Unsafe,
	Reads:    reads.Everywhere,
}
