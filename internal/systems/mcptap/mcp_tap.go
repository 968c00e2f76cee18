// Package mcptap is what is true of mcp-tap alone: it locks with a server the names of
// its tools.
package mcptap

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/repair"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// ReportToolsHash reports hashes that do not match the tools next to them.
func ReportToolsHash(p *rule.Pass) {
	for lock := range p.Lockfiles() {
		for _, entry := range lock.Lock.Entries {
			if hash := entry.Tools.Hash; hash.Text != "" && hash.Text != toolsHash(entry.Tools.Names) {
				f := rule.AtEntry(entry)
				f.Span = hash.Span
				f.Message = wording.Say(`"tools_hash" of %q does not match its list of tools, so one of the two was edited by hand`, entry.Name)
				f.Help = "restore the old value, or lock the server again"
				f.Fixes = fixToolsHash(entry)
				p.Report(f)
			}
		}
	}
}

// fixToolsHash writes the hash of the listed tools, if there are any: of an empty list the
// hash is the only trace.
func fixToolsHash(entry *mcp.LockEntry) []rule.Fix {
	hash := toolsHash(entry.Tools.Names)
	if hash == "" {
		return nil
	}
	return repair.OneChange(wording.Say(`recompute "tools_hash" of %q from its tools`, entry.Name), edit.Rename(entry.Document.File, entry.Tools.Hash.Span, hash))
}

// toolsHash is mcp-tap's hash over the names of a server's tools, "" for none.
func toolsHash(tools []string) string {
	if len(tools) == 0 {
		return ""
	}
	sorted := slices.Sorted(slices.Values(tools))
	sum := sha256.Sum256([]byte(strings.Join(sorted, "|")))
	return "sha256-" + hex.EncodeToString(sum[:])
}

// ReportEmptiedTools reports servers whose tools are no longer locked.
func ReportEmptiedTools(p *rule.Pass) {
	for lock := range p.Lockfiles() {
		for _, entry := range lock.Lock.Entries {
			if entry.Tools.Emptied.IsZero() {
				continue
			}
			f := rule.AtEntry(entry)
			f.Span = entry.Tools.Emptied
			f.Message = wording.Say("no tool of %q is locked, because its last health check failed and mcp-tap emptied the list", entry.Name)
			f.Help = "lock the server again once it starts"
			p.Report(f)
		}
	}
}

// ReportLatest reports the packages that are locked at "latest", which names no version:
// once for the lockfile, because mcp-tap writes it wherever it gets no version.
func ReportLatest(p *rule.Pass) {
	for lock := range p.Lockfiles() {
		if !lock.Tool.LeavesHashes {
			continue
		}
		var latest []*mcp.LockEntry
		for _, entry := range lock.Lock.Entries {
			if id := &entry.Target.Identity; entry.Pin.Version.Text == "latest" && id.IsPackage() && id.Version.Kind != identity.Exact {
				latest = append(latest, entry)
			}
		}
		if len(latest) == 0 {
			continue
		}
		f := rule.AtEntry(latest[0])
		f.Span = latest[0].Pin.Version.Span
		f.Message = wording.Say(`%s locked at "latest", which does not record the installed version`, areOrIs(latest))
		f.Help = "write an exact version, and lock again"
		if len(latest) > 1 {
			f.Help = "write exact versions, and lock again"
		}
		for _, entry := range latest[1:min(len(latest), 1+rule.MaxRelated)] {
			f.Related = append(f.Related, rule.Related{File: lock.File, Span: entry.Pin.Version.Span, Message: `also locked at "latest"`})
		}
		p.Report(f)
	}
}

// areOrIs begins a sentence about a few entries by their names, about many by their
// number.
func areOrIs(entries []*mcp.LockEntry) string {
	const few = 3
	switch {
	case len(entries) == 1:
		return wording.Say("%q is", entries[0].Name)
	case len(entries) > few:
		return wording.Say("%q and %d others are", entries[0].Name, len(entries)-1)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name)
	}
	return wording.JoinWords(wording.InQuotes(names)) + " are"
}
