package checks

import (
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/repair"
	"github.com/mcplumb/mcplumb/internal/reputation"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// vulnerablePackage finds exact versions with a published vulnerability.
var vulnerablePackage = &rule.Rule{
	ID:           "vulnerable-package",
	Title:        "a pinned version with a published vulnerability",
	Severity:     rule.Error,
	UsesRegistry: true,
	Fix:          rule.Unsafe,
	Reads:        reads.Launched,
	Run:          runVulnerablePackage,
}

// runVulnerablePackage offers the fixed version if an entry names one, but not in a lockfile: its
// tool must download and lock it.
func runVulnerablePackage(p *rule.Pass) {
	copies := &repair.Copies{Project: p.Project}
	reputation.ReportPackages(p, func(s *mcp.Server, pkg identity.Fetched, within string) *rule.Finding {
		f, isBuiltIn := reputation.Vulnerability(p.Repo.Registries, s, pkg, within)
		if isBuiltIn && within == "" && s != nil && s.Locked == nil {
			f.Fixes, f.NoFixReason = fixVulnerable(s, copies, pkg)
		}
		return f
	})
}

// fixVulnerable updates the version of a package in an entry and its copies, if all of them have it
// as it is; otherwise it returns why not.
func fixVulnerable(s *mcp.Server, copies *repair.Copies, pkg identity.Fetched) (fixes []rule.Fix, noFixReason string) {
	version := reputation.FixedVersion(pkg)
	if version == "" {
		return nil, ""
	}
	if reason := repair.KeptBecause(s); reason != "" {
		return nil, reason
	}
	edits, ok := repair.WriteVersion(copies.WithCopies(s), pkg, version)
	if !ok {
		return nil, repair.NotWrittenPlainly
	}
	return []rule.Fix{{Title: wording.Say("update %s to %s", pkg.Name, version) + reputation.NewerThanDates(pkg, version), Safety: rule.Unsafe, Edits: edits}}, ""
}
