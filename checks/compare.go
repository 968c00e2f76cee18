package checks

import (
	"fmt"
	"slices"
	"strings"

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
		for _, doc := range p.Documents {
			loaded := doc.Scope == scope && len(doc.Clients) > 0
			source := scope == mcp.ScopeProject && doc.Scope == mcp.ScopeGenerator
			if (loaded || source) && doc.Role == mcp.InUse && len(doc.Servers) > 0 {
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

// isLoaded reports whether somebody's client starts the servers of a document,
// of which it may then complain: not those of test data and of manifests that
// publish a server.
func isLoaded(doc *mcp.Document) bool {
	return doc.Role != mcp.Fixture && doc.Scope != mcp.ScopeRegistry
}

// loadsTogether returns the client that loads doc together with others of its
// files, or nil.
func loadsTogether(doc *mcp.Document) *mcp.Client {
	if doc.Role != mcp.InUse {
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

// groupBy sorts servers into groups of one key, in order of first appearance.
func groupBy(servers []*mcp.Server, key func(*mcp.Server) string) [][]*mcp.Server {
	keys := make([]string, len(servers))
	for i, s := range servers {
		keys[i] = key(s)
	}
	return groupByKeys(servers, keys)
}

// groupByKeys is groupBy with the keys worked out already.
func groupByKeys(servers []*mcp.Server, keys []string) [][]*mcp.Server {
	index := make(map[string]int, len(servers))
	var groups [][]*mcp.Server
	for i, s := range servers {
		at, ok := index[keys[i]]
		if !ok {
			at = len(groups)
			index[keys[i]] = at
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], s)
	}
	return groups
}

// sharing returns only the groups of at least two, as most rules want them, in
// order of first appearance. In nearly every file there are none.
func sharing(servers []*mcp.Server, key func(*mcp.Server) string) [][]*mcp.Server {
	if len(servers) < 2 {
		return nil
	}
	keys := make([]string, len(servers))
	for i, s := range servers {
		keys[i] = key(s)
	}
	if len(keys) <= maxCompared && allDiffer(keys) {
		return nil
	}
	return slices.DeleteFunc(groupByKeys(servers, keys), func(g []*mcp.Server) bool { return len(g) < 2 })
}

// maxCompared is the number of keys up to which comparing each with each is
// faster than filling a map.
const maxCompared = 32

func allDiffer(keys []string) bool {
	for i, key := range keys {
		if slices.Contains(keys[:i], key) {
			return false
		}
	}
	return true
}

// equivalent returns the groups of at least two servers that are at least
// equivalent. Only what shares its identity is compared more closely.
func equivalent(servers []*mcp.Server) [][]*mcp.Server {
	var groups [][]*mcp.Server
	for _, same := range sharing(servers, byKey) {
		groups = append(groups, sharing(same, byConfig)...)
	}
	return groups
}

func byName(s *mcp.Server) string { return s.Name }

func byKey(s *mcp.Server) string { return s.Identity.Key() }

// byConfig is one key for entries that are at least equivalent.
func byConfig(s *mcp.Server) string { return s.Identity.Key() + "\x02" + s.Identity.ConfigKey() }

// mostCommon returns the value that most servers have, the earliest on a tie.
// What others are generated from has the last word.
func mostCommon(servers []*mcp.Server, value func(*mcp.Server) string) string {
	for _, s := range servers {
		if s.Document.Scope == mcp.ScopeGenerator {
			return value(s)
		}
	}
	count := map[string]int{}
	for _, s := range servers {
		count[value(s)]++
	}
	best := ""
	for i, s := range servers {
		if v := value(s); i == 0 || count[v] > count[best] {
			best = v
		}
	}
	return best
}

// at starts a finding at a server's name.
func at(s *mcp.Server) Finding {
	return Finding{
		File: s.Document.File, Span: s.NameSpan,
		Server: s.Name, Identity: s.Identity.Shown(),
	}
}

// seeAlso returns a server's name as a related place.
func seeAlso(s *mcp.Server, format string, args ...any) Related {
	return Related{File: s.Document.File, Span: s.NameSpan, Message: fmt.Sprintf(format, args...)}
}

// runs says in words what a server runs: "npx shadcn" is no name for
// "npm:shadcn" with the sub-command "mcp".
func runs(s *mcp.Server) string {
	text := s.Identity.Shown()
	if len(s.Identity.Selector) > 0 {
		text += " (" + strings.Join(s.Identity.Selector, " ") + ")"
	}
	return text
}
