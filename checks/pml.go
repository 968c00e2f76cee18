package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// pml is Casys PML, whose lockfile has an entry for every tool.
var pml = &system{
	title: "Casys PML",
	parts: []part{
		{invalidIntegrity, reportNameHashes},
		{InvalidLockfile, refusals(&pmlWordings)},
		{missingServer, reportMissingTools},
		{staleLockEntry, reportNotPermitted},
	},
}

// reportMissingTools reports every server once whose tools are locked, at the
// first of them. Only the tool's own file lists all servers that it starts;
// where that one is not committed, nothing is known.
func reportMissingTools(p *Pass) {
	for lock := range p.Lockfiles() {
		if !lock.Tool.PerTool || !slices.ContainsFunc(lock.Lock.Files, func(d *mcp.Document) bool { return d.Format == "pml" }) {
			continue
		}
		seen := map[string]bool{"": true} // code that the tool runs itself has no server
		for _, entry := range lock.Lock.Entries {
			if seen[entry.Tools.Server] || hasServer(p.Project, entry.Tools.Server) {
				continue
			}
			seen[entry.Tools.Server] = true
			f := atEntry(entry)
			f.Server = entry.Tools.Server
			f.Message = fmt.Sprintf("%q is in the lockfile, but not in client config: no file here configures the server %q",
				entry.Name, entry.Tools.Server)
			p.Report(f)
		}
	}
}

// reportNotPermitted reports locked tools that nothing permits any more.
func reportNotPermitted(p *Pass) {
	permitted := permissionsOf(p.Project)
	for lock := range p.Lockfiles() {
		if !lock.Tool.PerTool {
			continue
		}
		for _, entry := range lock.Lock.Entries {
			if why := notPermitted(permitted, entry); why != "" {
				f := atEntry(entry)
				f.Message = why
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

// reportNameHashes reports tools whose integrity does not begin with the digits at
// the end of their full name.
func reportNameHashes(p *Pass) {
	for lock := range p.Lockfiles() {
		for _, entry := range lock.Lock.Entries {
			short := shortHash(entry)
			if short == "" || strings.EqualFold(short, entry.Tools.NameHash.Text) {
				continue
			}
			f := atEntry(entry)
			f.Span = entry.Pin.Integrity.Span
			f.Message = fmt.Sprintf("the integrity of %q begins with %s, its full name ends in %s: one of the two was changed by hand",
				entry.Name, short, entry.Tools.NameHash.Text)
			p.Report(f)
		}
	}
}

// shortHash returns the first four digits of an entry's integrity, which PML
// writes at the end of the tool's full name, or "" where the two cannot be
// compared.
func shortHash(entry *mcp.LockEntry) string {
	if entry.Tools.NameHash.Text == "" || len(entry.Tools.NameHash.Text) != 4 || !isHex(entry.Tools.NameHash.Text) {
		return "" // the name itself is wrong, which invalid-lockfile says
	}
	if state, _ := judgeShortHash(entry.Pin.Integrity.Text); state != hashGood && state != hashWeak {
		return ""
	}
	return hashDigits(entry.Pin.Integrity.Text)[:4]
}

// pmlWordings are the reasons for which a locked tool cannot be used.
var pmlWordings = wordings{
	mcp.NotApproved: {Warning, func(r *mcp.Refusal) string {
		return fmt.Sprintf("%q was never approved: %s asks again before it runs", r.Name, r.Tool)
	}},
	mcp.ToolNameParts: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("%q is no name of a tool: it has %d parts, not four and a hash", r.Got, r.Count)
	}},
	mcp.ToolNamePart: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("%q is no name of a tool: the part %q is not a letter or underscore and then letters, digits, underscores and hyphens", r.Got, refusedPart(r))
	}},
	mcp.ToolNameHash: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("%q is no name of a tool: the hash %q is not four hexadecimal digits in lower case", r.Got, refusedPart(r))
	}},
	mcp.OtherTool: {Error, func(r *mcp.Refusal) string {
		return fmt.Sprintf("the entry %q holds another tool, %q", r.Name, r.Got)
	}},
	mcp.HashInKey: {Warning, func(r *mcp.Refusal) string {
		return fmt.Sprintf("the key %q has the hash in it: %s looks up %q and does not find it", r.Got, r.Tool, r.Want[0])
	}},
}

// refusedPart returns the part of a name that is refused. Part of a credential tells
// what it is and no longer looks like one, so that no output would mask it.
func refusedPart(r *mcp.Refusal) string {
	if secret.HasToken(r.Got) {
		return secret.Mask(r.Got)
	}
	return r.Other
}
