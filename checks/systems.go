package checks

// system is one of the programs that rules know more of than its row in the
// tables of clients and tools: what is true of it alone. All of it stands in a
// package of its own.
type system struct {
	// title is the name people know.
	title string
	// parts are what it adds to rules.
	parts []part
}

// part is what a system adds to a rule, whose page names the system. It runs
// after the rule itself, and sees what that sees.
type part struct {
	rule *Rule
	run  func(*Pass)
}

// systems are the parts of the source systems, sorted by title.
var systems = []system{
	{"apm", []part{
		{shortNameCollision, reportManifestCollisions},
	}},
	{"Casys PML", []part{
		{insecureURL, reportPlainCloud},
		{IntegrityChanged, reportOtherTools},
		{invalidIntegrity, reportNameHashes},
		{InvalidLockfile, reportPMLRefusals},
		{missingServer, reportMissingTools},
		{shadowedServer, reportStartedTwice},
		{staleLockEntry, reportNotPermitted},
		{unknownPackage, reportUnknownTools},
	}},
	{"ccpkg", []part{
		{InvalidLockfile, reportCCPkgRefusals},
		{InvalidLockfile, reportDeclarers},
		{InvalidLockfile, reportInstalled},
		{missingServer, reportMissingMerged},
		{nameConflict, reportPackageConflicts},
		{staleLockEntry, reportNotDeclared},
		{unresolvedVariable, reportUndeclaredSettings},
		{versionConflict, reportPackageVersions},
	}},
	{"HoloDeck", []part{
		{aliasDrift, reportRegistryAliases},
		{invalidName, reportRegistryNames},
		{unknownPackage, reportUnregistered},
	}},
	{"mcp-tap", []part{
		{invalidIntegrity, reportToolsHash},
		{missingIntegrity, reportEmptiedTools},
		{staleLockEntry, reportLatest},
	}},
	{"prompt-registry", []part{
		{configChanged, reportTrackedChanges},
		{duplicateServer, reportTakenForDuplicates},
		{InvalidLockfile, reportBundleRefusals},
		{missingServer, reportMissingTracked},
		{unlockedServer, reportUntracked},
		{unresolvedVariable, reportLeftVariables},
	}},
}

// Run lets a rule look at a project, with what single systems add to it.
func Run(p *Pass, r *Rule) {
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

// onlySystems is the Run of a rule that finds nothing by itself.
func onlySystems(*Pass) {}
