package checks

// All returns every rule, sorted by ID.
func All() []*Check {
	return []*Check{
		aliasDrift(),
		autoApproval(),
		bridgedRemote(),
		configChanged(),
		configDrift(),
		duplicateKey(),
		duplicateServer(),
		hardcodedSecret(),
		insecureURL(),
		invalidIntegrity(),
		invalidLockfile(),
		invalidName(),
		invalidServer(),
		machinePath(),
		maliciousPackage(),
		missingIntegrity(),
		missingServer(),
		nameConflict(),
		orphanedDuplicate(),
		shadowedServer(),
		shellCommand(),
		shortNameCollision(),
		staleLockEntry(),
		strictJSON(),
		syntaxError(),
		unlockedServer(),
		unpinnedPackage(),
		unresolvedVariable(),
		unusedIgnore(),
		versionConflict(),
		vulnerablePackage(),
		wrongRootKey(),
	}
}
