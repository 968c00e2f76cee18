package checks

import (
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
)

// SyntaxError is a file that does not parse. The linter reports it while it reads files, with the
// parser's own message, so the rule has no Run.
var SyntaxError = &rule.Rule{
	ID:       "syntax-error",
	Title:    "a file that does not parse",
	Severity: rule.Error,
	Reads:    reads.Selection{Examples: true, Unread: true},
}
