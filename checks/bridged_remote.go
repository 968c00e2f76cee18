package checks

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/refusal"
	"github.com/mcplumb/mcplumb/internal/repair"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// bridgedRemote finds a bridge process to a URL that the client can connect to
// directly.
var bridgedRemote = &rule.Rule{
	ID:       "bridged-remote",
	Title:    "a bridge to a URL that the client can connect to directly",
	Severity: rule.Note,
	Fix:      rule.Unsafe,
	Reads:    reads.InUse,
	Run:      runBridgedRemote,
}

func runBridgedRemote(p *rule.Pass) {
	var native map[string]*mcp.Server
	var written repair.Written
	for s := range p.Servers() {
		if compare.IsRunning(s) && needlessBridge(s) {
			if native == nil {
				native = natives(p.Project)
			}
			reportBridge(p, s, native[compare.ByKey(s)], &written)
		}
	}
}

// needlessBridge reports whether every client of the file supports the server's transport, and
// has settings for everything that the bridge is configured to do.
func needlessBridge(s *mcp.Server) bool {
	id := &s.Identity
	if id.Bridge == nil || id.Bridge.Options || id.Kind != identity.URL || len(s.Document.Loaders()) == 0 {
		return false
	}
	for _, client := range s.Document.Loaders() {
		for _, transport := range transports(id) {
			if !client.Speaks(transport) {
				return false
			}
		}
	}
	return !isComputed(s)
}

// isComputed reports whether a shell computes an argument of the bridge, such as a token that
// another program prints: no client does that.
func isComputed(s *mcp.Server) bool {
	for _, line := range s.Resolved().Parts().Lines {
		if slices.ContainsFunc(line.Words, func(w identity.Word) bool { return strings.Contains(w.Text, "$(") || strings.Contains(w.Text, "`") }) {
			return true
		}
	}
	return false
}

// transports returns the transports that a client must support to be sure to reach a URL. By
// default that is streamable HTTP, and for paths that end in /sse also the older transport.
func transports(id *identity.Identity) []string {
	if id.Transport != "" && id.Transport != "http" {
		return []string{id.Transport}
	}
	if strings.HasSuffix(id.Name, "/sse") {
		return []string{"http", "sse"}
	}
	return []string{"http"}
}

// reportBridge reports a bridge, and the entry that reaches the same URL without one, nil if
// there is none.
func reportBridge(p *rule.Pass, s, twin *mcp.Server, written *repair.Written) {
	f := rule.At(s)
	f.Span = s.Identity.Bridge.Span
	f.Help = "replace the command with the URL"
	f.Message = wording.Say("%q reaches %s through %s, but %s can connect to it directly",
		s.Name, s.Identity.Name, s.Identity.Bridge.Name, wording.ClientTitles(s.Document.Loaders()))
	if twin != nil {
		f.Related = []rule.Related{rule.SeeAlso(twin, "configured without a bridge here")}
	}
	f.Fixes, f.NoFixReason = repair.FixBridge(s, written)
	p.Report(f)
}

// natives returns the entries of the project that reach their servers without a
// bridge, the first of each key.
func natives(project *mcp.Project) map[string]*mcp.Server {
	byIdentity := map[string]*mcp.Server{}
	for _, s := range compare.Running(project.Documents) {
		if key := compare.ByKey(s); s.Identity.Bridge == nil && byIdentity[key] == nil && !refusal.CannotStart(s) {
			byIdentity[key] = s
		}
	}
	return byIdentity
}
