package checks

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// mcpTap locks with a server the names of its tools.
var mcpTap = &system{
	title: "mcp-tap",
	parts: []part{
		{invalidIntegrity, reportToolsHash},
	},
}

// reportToolsHash reports hashes that are not those of the tools beside them.
func reportToolsHash(p *Pass) {
	for lock := range p.Lockfiles() {
		for _, entry := range lock.Lock.Entries {
			if hash := entry.Tools.Hash; hash.Text != "" && hash.Text != toolsHash(entry.Tools.Names) {
				f := atEntry(entry)
				f.Span = hash.Span
				f.Message = say("tools_hash of %q is not the hash of its tools: one of the two was changed by hand", entry.Name)
				p.Report(f)
			}
		}
	}
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
