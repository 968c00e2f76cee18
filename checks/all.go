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
		unresolvedVariable(),
		unusedIgnore(),
		versionConflict(),
		wrongRootKey(),
	}
}
