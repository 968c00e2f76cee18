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
	Title:        "a pinned version has a published vulnerability",
	Severity:     rule.Error,
	UsesRegistry: true,
	Fix:          rule.Unsafe,
	Reads:        reads.Launched,
	Run:          runVulnerablePackage,
}

// runVulnerablePackage offers the version to take where it is written, but no version
// of a lockfile: its tool has to fetch and lock that.
func runVulnerablePackage(p *rule.Pass) {
	copies := &repair.Copies{Project: p.Project}
	reportPackages(p, func(s *mcp.Server, pkg identity.Fetched, within string) *rule.Finding {
		var launch *identity.Launch
		if s != nil {
			launch = &s.Launch
		}
		f := reputation.JudgeVulnerable(pkg, within, launch)
		if f == nil {
			// What is published does not reach it as it is started: that may change, and the
			// version with it.
			if f = reputation.JudgeVulnerable(pkg, within, nil); f != nil {
				f.Severity = rule.Note
				f.Message += "; as it is started here, on no port, that does not reach it"
			}
		}
		if ids := compare.AdvisoriesOf(p.Repo.Registries, pkg, false); f == nil && len(ids) > 0 {
			return reputation.Vulnerable(pkg, wording.Say("%s %s%s is vulnerable (%s): take a version that none is known of", pkg, pkg.Version.Text, within, compare.NameOSV(ids)))
		}
		if f != nil && within == "" && s != nil && s.Locked == nil {
			f.Fixes, f.NoFixReason = fixVulnerable(s, copies, pkg)
		}
		return f
	})
}

// fixVulnerable raises the version of a package in an entry and its copies, if it
// stands in all of them as it is; otherwise it says why not.
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
	return []rule.Fix{{Title: wording.Say("raise %s to %s", pkg.Name, version), Safety: rule.Unsafe, Edits: edits}}, ""
}
