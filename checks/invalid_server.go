package checks

import (
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/refusal"
	"github.com/mcplumb/mcplumb/internal/repair"
	"github.com/mcplumb/mcplumb/internal/rule"
)

// invalidServer finds entries that a client does not start as they are written.
var invalidServer = &rule.Rule{
	ID:       "invalid-server",
	Title:    "an entry that a client does not start",
	Severity: rule.Error,
	Fix:      rule.Safe,
	Reads:    reads.NotTestData,
	Run: func(p *rule.Pass) {
		repair.ReportRefusals(p, &refusal.ServerWordings)
		reportNoServer(p)
		reportNoWindows(p)
	},
}
