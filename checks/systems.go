package checks

import (
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/systems/apm"
	"github.com/mcplumb/mcplumb/internal/systems/ccpkg"
	"github.com/mcplumb/mcplumb/internal/systems/holodeck"
	"github.com/mcplumb/mcplumb/internal/systems/mcptap"
	"github.com/mcplumb/mcplumb/internal/systems/pml"
	"github.com/mcplumb/mcplumb/internal/systems/promptregistry"
)

// system is one of the programs for which rules have more than a row in the tables of clients and
// tools: facts about this program alone. All of them are in a package of their own.
type system struct {
	// title is the name people know.
	title string
	// parts are its additions to rules.
	parts []part
}

// part is what a system adds to a rule, whose page names the system. It runs after the rule
// itself, on the same pass.
type part struct {
	rule *rule.Rule
	run  func(*rule.Pass)
}

// systems are the parts of the source systems, sorted by title.
var systems = []system{
	{"apm", []part{
		{shortNameCollision, apm.ReportManifestCollisions},
	}},
	{"Casys PML", []part{
		{insecureURL, pml.ReportPlainCloud},
		{IntegrityChanged, pml.ReportChangedAddresses},
		{IntegrityChanged, pml.ReportOtherPrograms},
		{IntegrityChanged, pml.ReportOtherTools},
		{IntegrityChanged, pml.ReportOtherWays},
		{IntegrityChanged, pml.ReportUnlockedTools},
		{invalidIntegrity, pml.ReportAddressHashes},
		{invalidIntegrity, pml.ReportNameHashes},
		{invalidIntegrity, pml.ReportTwoHashes},
		{InvalidLockfile, pml.ReportRefusals},
		{missingServer, pml.ReportMissingTools},
		{shadowedServer, pml.ReportStartedTwice},
		{staleLockEntry, pml.ReportNotPermitted},
		{staleLockEntry, pml.ReportNotValidated},
		{unknownPackage, pml.ReportUnknownTools},
	}},
	{"ccpkg", []part{
		{invalidIntegrity, ccpkg.ReportOtherChecksums},
		{InvalidLockfile, ccpkg.ReportRefusals},
		{InvalidLockfile, ccpkg.ReportDeclarers},
		{InvalidLockfile, ccpkg.ReportInstalled},
		{InvalidLockfile, ccpkg.ReportUnrecorded},
		{missingServer, ccpkg.ReportMissingMerged},
		{nameConflict, ccpkg.ReportPackageConflicts},
		{staleLockEntry, ccpkg.ReportNotDeclared},
		{unresolvedVariable, ccpkg.ReportUndeclaredSettings},
		{versionConflict, ccpkg.ReportPackageVersions},
	}},
	{"HoloDeck", []part{
		{aliasDrift, holodeck.ReportRegistryAliases},
		{invalidName, holodeck.ReportRegistryNames},
		{unknownPackage, holodeck.ReportUnregistered},
	}},
	{"mcp-tap", []part{
		{invalidIntegrity, mcptap.ReportToolsHash},
		{missingIntegrity, mcptap.ReportEmptiedTools},
		{staleLockEntry, mcptap.ReportLatest},
	}},
	{"prompt-registry", []part{
		{configChanged, promptregistry.ReportTrackedChanges},
		{duplicateServer, promptregistry.ReportTakenForDuplicates},
		{InvalidLockfile, promptregistry.ReportRefusals},
		{missingServer, promptregistry.ReportMissingTracked},
		{unlockedServer, promptregistry.ReportUntracked},
		{unresolvedVariable, promptregistry.ReportLeftVariables},
	}},
}

// RunRule runs a rule on a project, with the additions of single systems.
func RunRule(p *rule.Pass, r *rule.Rule) {
	p.Rule = r
	r.Run(p)
	for _, s := range systems {
		for _, part := range s.parts {
			if part.rule == r {
				part.run(p)
			}
		}
	}
}
