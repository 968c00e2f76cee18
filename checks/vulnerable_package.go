package checks

import (
	"github.com/mcplumb/mcplumb/internal/compare"
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

// runVulnerablePackage offers the fixed version where an entry names one, but not in a lockfile:
// its tool must download and lock it.
func runVulnerablePackage(p *rule.Pass) {
	copies := &repair.Copies{Project: p.Project}
	reportPackages(p, func(s *mcp.Server, pkg identity.Fetched, within string) *rule.Finding {
		f, isBuiltIn := judgeVulnerable(p.Repo.Registries, s, pkg, within)
		if isBuiltIn && within == "" && s != nil && s.Locked == nil {
			f.Fixes, f.NoFixReason = fixVulnerable(s, copies, pkg)
		}
		return f
	})
}

// judgeVulnerable reports a version with a vulnerability that is built in, or that OSV has answered
// with. A locked entry has no server.
func judgeVulnerable(r *mcp.Registries, s *mcp.Server, pkg identity.Fetched, within string) (f *rule.Finding, isBuiltIn bool) {
	var launch *identity.Launch
	if s != nil {
		launch = &s.Launch
	}
	if f = reputation.JudgeVulnerable(pkg, within, launch); f != nil {
		return f, true
	}
	// The advisory may not concern it as it is started: that may change, and the version with it.
	if f = reputation.JudgeVulnerable(pkg, within, nil); f != nil {
		f.Severity = rule.Note
		f.Message += ", but this entry opens no port"
	}
	if ids := compare.AdvisoriesOf(r, pkg, false); f == nil && len(ids) > 0 {
		which, see := compare.NameOSV(ids)
		f = reputation.Vulnerable(pkg, wording.Say("%s %s%s is vulnerable (%s)", pkg, pkg.Version.Text, within, which))
		f.Help, f.See = "use a version without a known vulnerability", see
		return f, false
	}
	return f, f != nil
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
