package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// staleLockEntry finds a locked entry that nothing permits or declares any
// more.
var staleLockEntry = &Check{
	ID:       "stale-lock-entry",
	Title:    "a locked entry is no longer permitted or declared",
	Severity: Note,
	Reads:    inUse,
	Run:      runStaleLockEntry,
}

func runStaleLockEntry(p *Pass) {
	permitted := permissionsOf(p.Project)
	for _, doc := range lockfiles(p.Project) {
		installed := doc.Lock.Installed()
		for _, entry := range doc.Lock.Entries {
			f := atEntry(entry)
			switch {
			case doc.Tool.PerTool:
				f.Message = notPermitted(permitted, entry)
			case !entry.Claims.DeclaredBySpan.IsZero():
				f.Message = notDeclared(installed, entry)
			}
			if f.Message != "" {
				p.Report(f)
			}
		}
	}
}

// permissionsOf returns what the project's files permit, nil if they say
// nothing.
func permissionsOf(p *mcp.Project) *mcp.Permissions {
	for doc := range used(p) {
		if doc.Permissions != nil {
			return doc.Permissions
		}
	}
	return nil
}

// notPermitted says why a locked tool is not run any more, or "". While nothing
// is allowed and nothing is to be asked for, PML asks for every tool: then none
// is stale.
func notPermitted(permitted *mcp.Permissions, entry *mcp.LockEntry) string {
	if permitted == nil || entry.Tools.Permission == "" || len(permitted.Allow) == 0 && len(permitted.Ask) == 0 {
		return ""
	}
	if pattern := permits(permitted.Deny, entry); pattern != "" {
		return fmt.Sprintf("%q is locked and never runs: %q denies it", entry.Name, pattern)
	}
	if permits(permitted.Allow, entry) == "" && permits(permitted.Ask, entry) == "" {
		return fmt.Sprintf("%q is locked, but no pattern allows %q or asks for it", entry.Name, entry.Tools.Permission)
	}
	return ""
}

// permits returns the first of the patterns that a locked tool matches, or "".
// People also write the tool's full name, which PML's own clean-up compares.
func permits(patterns []identity.Word, entry *mcp.LockEntry) string {
	i := slices.IndexFunc(patterns, func(w identity.Word) bool {
		return matchesTool(w.Text, entry.Tools.Permission) || w.Text == entry.Name
	})
	if i < 0 {
		return ""
	}
	return patterns[i].Text
}

// matchesTool reports whether a pattern of PML's permissions means a tool
// ("filesystem:read_file"): everything, all of one namespace ("filesystem:*" or
// "filesystem"), or the tool itself.
func matchesTool(pattern, tool string) bool {
	if pattern == "*" || pattern == tool {
		return true
	}
	if prefix, ok := strings.CutSuffix(pattern, ":*"); ok {
		return strings.HasPrefix(tool, prefix+":")
	}
	namespace, _, found := strings.Cut(tool, ":")
	return found && pattern == namespace
}

// notDeclared says why a shared server has no package left, or "".
func notDeclared(installed map[string]bool, entry *mcp.LockEntry) string {
	if len(entry.Claims.DeclaredBy) == 0 {
		return fmt.Sprintf("%q is locked, but no package declares it", entry.Name)
	}
	var names []string
	for _, by := range entry.Claims.DeclaredBy {
		if installed[by.Text] {
			return ""
		}
		names = append(names, by.Text)
	}
	return fmt.Sprintf("%q is locked, but no package that declares it is installed (%s)", entry.Name, strings.Join(names, ", "))
}
