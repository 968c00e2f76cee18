package checks

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// reportToolsHash reports hashes that are not those of the tools beside them.
func reportToolsHash(p *Pass) {
	for lock := range p.Lockfiles() {
		for _, entry := range lock.Lock.Entries {
			if hash := entry.Tools.Hash; hash.Text != "" && hash.Text != toolsHash(entry.Tools.Names) {
				f := atEntry(entry)
				f.Span = hash.Span
				f.Message = say("tools_hash of %q is not the hash of its tools, so one of the two was changed by hand: restore it, or lock the server again", entry.Name)
				f.Fixes = fixToolsHash(entry)
				p.Report(f)
			}
		}
	}
}

// fixToolsHash writes the hash of the tools that stand there, if any do: where none is
// left, the hash is the only trace of them.
func fixToolsHash(entry *mcp.LockEntry) []Fix {
	hash := toolsHash(entry.Tools.Names)
	if hash == "" {
		return nil
	}
	return oneChange(say("recompute tools_hash of %q from its tools", entry.Name), edit.Rename(entry.Document.File, entry.Tools.Hash.Span, hash))
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

// reportEmptiedTools reports servers whose tools are no longer locked.
func reportEmptiedTools(p *Pass) {
	for lock := range p.Lockfiles() {
		for _, entry := range lock.Lock.Entries {
			if entry.Tools.Emptied.IsZero() {
				continue
			}
			f := atEntry(entry)
			f.Span = entry.Tools.Emptied
			f.Message = say("no tool of %q is locked, because its last health check failed and mcp-tap emptied the list: lock it again", entry.Name)
			p.Report(f)
		}
	}
}

// reportLatest reports the packages that are locked at "latest", which says
// nothing: once for the lockfile, as mcp-tap writes it unless it is told a
// version.
func reportLatest(p *Pass) {
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
		f := atEntry(latest[0])
		f.Span = latest[0].Pin.Version.Span
		f.Message = say(`%s locked at "latest", which does not tell the version that was installed: write an exact version and lock again`, areOrIs(latest))
		for _, entry := range latest[1:min(len(latest), 1+maxRelated)] {
			f.Related = append(f.Related, Related{File: lock.File, Span: entry.Pin.Version.Span, Message: `locked at "latest", too`})
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
		return say("%q is", entries[0].Name)
	case len(entries) > few:
		return say("%q and %d others are", entries[0].Name, len(entries)-1)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name)
	}
	return joinWords(inQuotes(names)) + " are"
}
