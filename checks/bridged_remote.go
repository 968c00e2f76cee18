package checks

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// bridgedRemote finds a bridge process to a URL that the client could open
// itself.
var bridgedRemote = &Rule{
	ID:       "bridged-remote",
	Title:    "a bridge to a URL that the client can open itself",
	Severity: Note,
	Fix:      Unsafe,
	Reads:    notTestData,
	Run:      runBridgedRemote,
}

func runBridgedRemote(p *Pass) {
	var native map[string]*mcp.Server
	var written written
	for s := range p.Servers() {
		if isRunning(s) && needlessBridge(s) {
			if native == nil {
				native = natives(p.Project)
			}
			reportBridge(p, s, native[byKey(s)], &written)
		}
	}
}

// needlessBridge reports whether every client of the file speaks the server's
// transport, and the bridge is asked for nothing a client has no setting for.
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

// isComputed reports whether a shell works out what the bridge is told, such as a
// token that another program prints: no client does that.
func isComputed(s *mcp.Server) bool {
	for _, line := range s.Resolved().Parts().Lines {
		if slices.ContainsFunc(line.Words, func(w identity.Word) bool { return strings.Contains(w.Text, "$(") || strings.Contains(w.Text, "`") }) {
			return true
		}
	}
	return false
}

// transports returns what a client has to speak to reach a URL. Where nothing
// is said that is streamable HTTP, and for paths that end in /sse the older
// transport, too.
func transports(id *identity.Identity) []string {
	if id.Transport != "" && id.Transport != "http" {
		return []string{id.Transport}
	}
	if strings.HasSuffix(id.Name, "/sse") {
		return []string{"http", "sse"}
	}
	return []string{"http"}
}

// reportBridge reports a bridge, and the entry that reaches the same URL without
// one, nil if there is none.
func reportBridge(p *Pass, s, twin *mcp.Server, written *written) {
	f := at(s)
	f.Span = s.Identity.Bridge.Span
	f.Message = say("%q reaches %s through %s, but %s can open that URL without it: write the URL in place of the command",
		s.Name, s.Identity.Name, s.Identity.Bridge.Name, clientTitles(s.Document.Loaders()))
	if twin != nil {
		f.Related = []Related{seeAlso(twin, "written without a bridge here")}
	}
	f.Fixes, f.NoFixReason = fixBridge(s, written)
	p.Report(f)
}

// natives returns the entries of the project that reach their servers without a
// bridge, the first of each key.
func natives(project *mcp.Project) map[string]*mcp.Server {
	byIdentity := map[string]*mcp.Server{}
	for _, s := range running(project.Documents) {
		if key := byKey(s); s.Identity.Bridge == nil && byIdentity[key] == nil && !cannotStart(s) {
			byIdentity[key] = s
		}
	}
	return byIdentity
}
