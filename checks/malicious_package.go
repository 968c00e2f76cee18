package checks

import (
	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/reputation"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// maliciousPackage finds packages that are published as malware.
var maliciousPackage = &rule.Rule{
	ID:           "malicious-package",
	Title:        "a package that is malware",
	Severity:     rule.Error,
	UsesRegistry: true,
	Reads:        reads.Selection{Examples: true, Aside: true, Unread: true, Without: []mcp.Scope{mcp.ScopeRegistry}},
	Run:          runMaliciousPackage,
}

func runMaliciousPackage(p *rule.Pass) {
	reportPackages(p, func(_ *mcp.Server, pkg identity.Fetched, within string) *rule.Finding {
		return judgeMalicious(p.Repo.Registries, pkg, within)
	})
}

// judgeMalicious reports malware that is built in, or that OSV has answered with.
func judgeMalicious(r *mcp.Registries, pkg identity.Fetched, within string) *rule.Finding {
	f := reputation.JudgeMalicious(pkg, within)
	if ids := compare.AdvisoriesOf(r, pkg, true); f == nil && len(ids) > 0 {
		which, see := compare.NameOSV(ids)
		f = &rule.Finding{Span: pkg.Span, Message: wording.Say("%s %s%s is malware (%s)", pkg, pkg.Version.Text, within, which), Help: reputation.MalwareHelp, See: see}
	}
	return f
}
