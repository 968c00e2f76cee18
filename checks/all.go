// Package checks holds the rules: one per file, with its page next to it. Their parts are in the
// packages below: rule, compare, refusal, repair and others.
//
// The package serves the program's own commands and promises nothing to others:
// its signatures are made of internal types.
package checks

import (
	"embed"
	"slices"

	"github.com/mcplumb/mcplumb/internal/rule"
)

//go:embed *.md
var pages embed.FS

// All returns every rule, sorted by ID. A rule is one variable: equal pointers
// are equal rules.
func All() []*rule.Rule { return slices.Clone(all) }

// ByID returns the rule with an ID, or nil.
func ByID(id string) *rule.Rule {
	i := slices.IndexFunc(all, func(c *rule.Rule) bool { return c.ID == id })
	if i < 0 {
		return nil
	}
	return all[i]
}

// Join returns the rules of two lists, each once.
func Join(a, b []*rule.Rule) []*rule.Rule {
	all := slices.Clone(a)
	for _, c := range b {
		if !slices.Contains(a, c) {
			all = append(all, c)
		}
	}
	return all
}

// all are the rules, sorted by ID.
var all = withPages([]*rule.Rule{
	aliasDrift,
	autoApproval,
	blockedServer,
	bridgedRemote,
	changedServer,
	configChanged,
	configDrift,
	deprecatedServer,
	duplicateKey,
	duplicateServer,
	foreignCredential,
	hardcodedSecret,
	ignoredSwitch,
	insecureURL,
	IntegrityChanged,
	invalidIntegrity,
	InvalidLockfile,
	invalidName,
	invalidServer,
	machinePath,
	maliciousPackage,
	manifestDrift,
	missingFile,
	missingIntegrity,
	missingServer,
	nameConflict,
	newServer,
	orphanedDuplicate,
	OutOfStep,
	shadowedServer,
	shellCommand,
	shortNameCollision,
	staleLockEntry,
	strictJSON,
	SyntaxError,
	unapprovedServer,
	unknownPackage,
	unlockedServer,
	unpinnedPackage,
	unreadFile,
	unresolvedVariable,
	UnusedIgnore,
	versionConflict,
	vulnerablePackage,
	wrongRootKey,
})

// withPages tells rules where their pages are.
func withPages(rules []*rule.Rule) []*rule.Rule {
	for _, r := range rules {
		r.Pages = pages
	}
	return rules
}
