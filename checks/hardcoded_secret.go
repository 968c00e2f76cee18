package checks

import (
	"github.com/mcplumb/mcplumb/internal/credential"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
)

// hardcodedSecret reports credentials in files.
var hardcodedSecret = &rule.Rule{
	ID:       "hardcoded-secret",
	Title:    "a file contains a credential",
	Severity: rule.Error,
	Fix:      rule.Unsafe,
	Reads:    reads.Everywhere,
	Run: func(p *rule.Pass) {
		for _, x := range credential.Search(p.Project) {
			x.Report(p)
		}
	},
}
