package checks

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// comparedFiles returns the documents of a project that rules compare with one
// another, each group by itself: what clients load when they open the project,
// with what it was generated from, and what a plugin in that directory brings.
// Files nobody is known to read, examples and fixtures stand alone and are in no
// group.
func comparedFiles(p *mcp.Project) [][]*mcp.Document {
	var groups [][]*mcp.Document
	for _, scope := range []mcp.Scope{mcp.ScopeProject, mcp.ScopePlugin} {
		var files []*mcp.Document
		for doc := range used(p) {
			loaded := doc.Scope == scope && len(doc.Clients) > 0
			source := scope == mcp.ScopeProject && doc.Scope == mcp.ScopeGenerator
			if (loaded || source) && len(doc.Servers) > 0 {
				files = append(files, doc)
			}
		}
		if len(files) > 1 {
			groups = append(groups, files)
		}
	}
	return groups
}

// effectiveSets returns the groups of documents whose servers one client starts
// together. Every document is in exactly one group, most of them alone.
func effectiveSets(p *mcp.Project) [][]*mcp.Document {
	var sets [][]*mcp.Document
	shared := map[*mcp.Client]int{}
	for _, doc := range p.Documents {
		client := loadsTogether(doc)
		if i, ok := shared[client]; ok && client != nil {
			sets[i] = append(sets[i], doc)
			continue
		}
		if client != nil {
			shared[client] = len(sets)
		}
		sets = append(sets, []*mcp.Document{doc})
	}
	return sets
}

// loadsTogether returns the client that loads doc together with others of its
// files, or nil.
func loadsTogether(doc *mcp.Document) *mcp.Client {
	if !inUse.has(doc) {
		return nil
	}
	for _, client := range doc.Clients {
		if slices.Contains(client.Together, doc.Format) {
			return client
		}
	}
	return nil
}

// running returns the servers of the documents that are started and whose
// identity is known, in order.
func running(docs []*mcp.Document) []*mcp.Server {
	count := 0
	for _, doc := range docs {
		count += len(doc.Servers)
	}
	servers := make([]*mcp.Server, 0, count)
	for _, doc := range docs {
		for _, s := range doc.Servers {
			if isRunning(s) {
				servers = append(servers, s)
			}
		}
	}
	return servers
}

// isRunning reports whether a server is started and its identity is known.
func isRunning(s *mcp.Server) bool { return !s.Disabled && s.Identity.Kind != identity.None }
