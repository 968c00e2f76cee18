package checks

import (
	"github.com/mcplumb/mcplumb/internal/credential"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
)

// hardcodedSecret finds credentials that are written into a file.
var hardcodedSecret = &rule.Rule{
	ID:       "hardcoded-secret",
	Title:    "a credential is written into the file",
	Severity: rule.Error,
	Fix:      rule.Unsafe,
	Reads:    reads.Everywhere,
	Run: func(p *rule.Pass) {
		for _, x := range credential.Search(p.Project) {
			x.Report(p)
		}
	},
}
