package compare

import (
	"maps"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/sameness"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// GroupBy sorts servers into groups of one key, in order of first appearance.
func GroupBy(servers []*mcp.Server, key func(*mcp.Server) string) [][]*mcp.Server {
	keys := make([]string, len(servers))
	for i, s := range servers {
		keys[i] = key(s)
	}
	return groupByKeys(servers, keys)
}

// groupByKeys is GroupBy with known keys.
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

// Sharing returns only the groups of at least two, as most rules need them, in order of first
// appearance. Nearly every file has none.
func Sharing(servers []*mcp.Server, key func(*mcp.Server) string) [][]*mcp.Server {
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

// Equivalent returns the groups of at least two servers that are at least
// equivalent. Only servers that share their identity are compared more closely.
func Equivalent(servers []*mcp.Server) [][]*mcp.Server {
	var groups [][]*mcp.Server
	for _, same := range Sharing(servers, ByKey) {
		groups = append(groups, Sharing(same, ByConfig)...)
	}
	return groups
}

func ByName(s *mcp.Server) string { return s.Name }

func ByKey(s *mcp.Server) string { return s.Identity.Key() }

// ByConfig is one key for entries that are at least equivalent.
func ByConfig(s *mcp.Server) string { return WithConfig(s, s.Resolved().Config()) }

// WithConfig is ByConfig of an entry of which the configuration is known.
func WithConfig(s *mcp.Server, config identity.Config) string {
	return s.Identity.Key() + "\x02" + config.Key()
}

// MaxSpellings is how many spellings of one program are distinguished from other programs. A person
// writes fewer; a hostile file must not cost more.
const MaxSpellings = 16

// ByProgram returns, for the keys of servers of one name, one key for each program:
// those that write it in different ways have that of the first, and so have the queries of
// one address.
func ByProgram(named []*mcp.Server) map[string]string {
	program := make(map[string]string, 1)
	var first []*mcp.Server // of each key
	for _, s := range named {
		key := ByKey(s)
		if _, known := program[key]; known {
			continue
		}
		program[key] = key
		if len(first) == MaxSpellings {
			continue
		}
		for _, other := range first {
			if isSameAddress(other, s) || sameness.Compare(other.Resolved(), s.Resolved()) == sameness.SameProgram {
				program[key] = program[ByKey(other)]
				break
			}
		}
		first = append(first, s)
	}
	return program
}

// isSameAddress reports whether two remote servers are at one URL, without regard to its query: the
// query only configures the server.
func isSameAddress(a, b *mcp.Server) bool {
	return a.Identity.Kind == identity.URL && b.Identity.Kind == identity.URL && a.Identity.Name == b.Identity.Name
}

// MostCommon returns the value that most servers have, the earliest on a tie.
// A file that others are generated from decides.
func MostCommon(servers []*mcp.Server, value func(*mcp.Server) string) string {
	for _, s := range servers {
		if s.Document.Scope == mcp.ScopeGenerator {
			return value(s)
		}
	}
	values, count := make([]string, len(servers)), map[string]int{}
	for i, s := range servers {
		values[i] = value(s)
		count[values[i]]++
	}
	best := ""
	for i, v := range values {
		if i == 0 || count[v] > count[best] {
			best = v
		}
	}
	return best
}

// NamesOf returns the names of the servers of a document for which is holds; nil
// asks for all.
func NamesOf(doc *mcp.Document, is func(*mcp.Server) bool) map[string]bool {
	names := make(map[string]bool, len(doc.Servers))
	for _, s := range doc.Servers {
		if is == nil || is(s) {
			names[s.Name] = true
		}
	}
	return names
}

func OnePerFile(servers []*mcp.Server) bool {
	seen := map[*mcp.Document]bool{}
	for _, s := range servers {
		if seen[s.Document] {
			return false
		}
		seen[s.Document] = true
	}
	return true
}

// Running returns the servers of the documents that are started and whose
// identity is known, in order.
func Running(docs []*mcp.Document) []*mcp.Server {
	count := 0
	for _, doc := range docs {
		count += len(doc.Servers)
	}
	servers := make([]*mcp.Server, 0, count)
	for _, doc := range docs {
		for _, s := range doc.Servers {
			if IsRunning(s) {
				servers = append(servers, s)
			}
		}
	}
	return servers
}

// IsRunning reports whether a server is started and its identity is known.
func IsRunning(s *mcp.Server) bool { return s.IsStarted() && s.Identity.Kind != identity.None }

// IsUnnamed reports whether a server's name, or a part of it, must still be filled in, or is the
// server's URL because it was given no name: such a name says nothing.
func IsUnnamed(s *mcp.Server) bool {
	if !s.Launch.URL.Span.IsZero() && s.NameSpan == s.Launch.URL.Span {
		return true
	}
	name := s.Name[:min(len(s.Name), maxLooked)]
	_, isReference := secret.NextReference(name, 0)
	return isReference || secret.HasBlank(name) || identity.IsPlaceholderPath(name)
}

// maxLooked is how much of a name is read, in bytes: every entry that repeats a server reads its
// name.
const maxLooked = 1000

// WithNames leaves out the servers that have no name yet.
func WithNames(servers []*mcp.Server) []*mcp.Server { return slices.DeleteFunc(servers, IsUnnamed) }

// Unlocked returns the servers that no lockfile of client files mentions.
func Unlocked(servers []*mcp.Server) []*mcp.Server {
	return slices.DeleteFunc(servers, func(s *mcp.Server) bool {
		return s.Locked != nil && s.Locked.Document.Tool.Of == ""
	})
}

// ByLaunch is one key for entries that start the same as they are written: the
// URL of a remote server, the command and arguments of any other. Variables,
// headers and names do not count.
func ByLaunch(s *mcp.Server) string {
	l := &s.Launch
	if l.URL.Text != "" && (l.Command.Text == "" || s.Type.Text == "http" || s.Type.Text == "sse") {
		return "remote:" + l.URL.Text
	}
	args := make([]string, len(l.Args))
	for i, arg := range l.Args {
		args[i] = arg.Text
	}
	return "stdio:" + l.Command.Text + ":" + strings.Join(args, "|")
}

// ConfiguredNames returns the names of the servers that documents of the project in use
// configure.
func ConfiguredNames(p *mcp.Project) map[string]bool {
	names := map[string]bool{}
	for doc := range reads.Used(p) {
		// A package's template declares a server and configures none.
		if doc.BundleName() == "" {
			maps.Copy(names, NamesOf(doc, nil))
		}
	}
	return names
}

// InEffect returns the servers that their clients load.
func InEffect(servers []*mcp.Server) []*mcp.Server {
	return slices.DeleteFunc(servers, func(s *mcp.Server) bool {
		return s.Document.ReadInstead != nil || s.Extra().Overridden != nil
	})
}
