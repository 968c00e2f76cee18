package checks

import (
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
)

// UnusedIgnore is an ignore, in the settings or in a comment, or an entry of the baseline, that does
// nothing. The linter reports it when it knows all findings, so the rule has no Run.
var UnusedIgnore = &rule.Rule{
	ID:       "unused-ignore",
	Title:    "an ignore that hides nothing",
	Severity: rule.Note,
	Fix:      rule.Unsafe,
	Reads:    reads.Everywhere,
}
