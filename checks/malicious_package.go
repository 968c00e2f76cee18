package checks

import (
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/reputation"
	"github.com/mcplumb/mcplumb/internal/rule"
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
	reputation.ReportPackages(p, func(_ *mcp.Server, pkg identity.Fetched, within string) *rule.Finding {
		return reputation.Malware(p.Repo.Registries, pkg, within)
	})
}
