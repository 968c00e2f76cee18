package fleet

import (
	"cmp"
	"net/netip"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/host"
)

// Summary are the numbers of a fleet.
type Summary struct {
	Repositories int `json:"repositories"`
	Failed       int `json:"failed"`
	Servers      int `json:"servers"`
	// Identities are how many different ones run, as Usages counts them, Unpinned the entries
	// of packages without one version.
	Identities int `json:"identities"`
	Unpinned   int `json:"unpinned"`
	// Malicious are the findings of packages that were published as malware.
	Malicious int `json:"malicious"`
	// Errors are what could not be checked in repositories that were read.
	Errors   int        `json:"errors"`
	Findings Severities `json:"findings"`
	// Suppressed are the findings that repositories hide themselves.
	Suppressed int         `json:"suppressed,omitempty"`
	Rules      []RuleCount `json:"rules"`
}

// Severities counts findings of repositories.
type Severities struct {
	Error   int `json:"error"`
	Warning int `json:"warning"`
	Note    int `json:"note"`
}

// RuleCount is how many findings of one severity a rule has, in how many repositories.
type RuleCount struct {
	Rule         string `json:"rule"`
	Severity     string `json:"severity"`
	Count        int    `json:"count"`
	Repositories int    `json:"repositories"`
}

// Summary counts.
func (f *Fleet) Summary() Summary {
	s := Summary{Repositories: len(f.Repositories), Rules: []RuleCount{}}
	type kind struct{ rule, severity string }
	rules, seen := map[kind]int{}, map[kind]*Record{}
	identities := map[string]bool{}
	for _, r := range f.Repositories {
		if r.Failed != "" {
			s.Failed++
		}
		s.Servers += len(r.Servers)
		s.Errors += len(r.Errors)
		s.Suppressed += r.Suppressed
		for i := range r.Servers {
			server := &r.Servers[i]
			if is := isOf(Place{r, server}); is != "" && isStarted(server) {
				identities[is] = true
			}
			if server.IsPackage() && server.Pinned() == "" {
				s.Unpinned++
			}
		}
		for i := range r.Findings {
			k := kind{r.Findings[i].Rule, r.Findings[i].Severity}
			at, known := rules[k]
			if !known {
				at = len(s.Rules)
				rules[k] = at
				s.Rules = append(s.Rules, RuleCount{Rule: k.rule, Severity: k.severity})
			}
			s.Rules[at].Count++
			if seen[k] != r {
				seen[k] = r
				s.Rules[at].Repositories++
			}
			s.Findings.add(k.severity)
			if r.Findings[i].IsMalicious() {
				s.Malicious++
			}
		}
	}
	s.Identities = len(identities)
	slices.SortFunc(s.Rules, func(a, b RuleCount) int {
		return cmp.Or(rank(a.Severity)-rank(b.Severity), b.Count-a.Count, strings.Compare(a.Rule, b.Rule))
	})
	return s
}

func (s *Severities) add(severity string) {
	switch severity {
	case "error":
		s.Error++
	case "warning":
		s.Warning++
	default:
		s.Note++
	}
}

// rank orders severities, the most severe first.
func rank(severity string) int { return slices.Index([]string{"error", "warning", "note"}, severity) }

// Usage is a server with who runs it.
type Usage struct {
	Identity string `json:"identity"`
	Kind     string `json:"kind"`
	// Repository is that of a server which is its own.
	Repository   string `json:"repository,omitempty"`
	Servers      int    `json:"servers"`
	Repositories int    `json:"repositories"`
	// Names and Versions are with the number of repositories, the most first; Unpinned are
	// the repositories that have a package without a version.
	Names    []Count `json:"names"`
	Versions []Count `json:"versions,omitempty"`
	Unpinned int     `json:"unpinned,omitempty"`
}

// Count is a text with the number of repositories that have it.
type Count struct {
	Text         string `json:"text"`
	Repositories int    `json:"repositories"`
}

// Usages returns every server that is run, that of the most repositories first.
func (f *Fleet) Usages() []Usage {
	var all []Usage
	for _, g := range groupBy(f.places(isStarted), isOf) {
		first := g.places[0]
		own := ""
		if isOwn(first.Server) {
			own = first.Record.Repository
		}
		all = append(all, Usage{
			Identity: first.Server.Identity, Kind: first.Server.Kind, Repository: own, Servers: len(g.places), Repositories: g.repositories,
			Names:    counts(groupBy(g.places, func(p Place) string { return p.Server.Name })),
			Versions: counts(groupBy(g.places, func(p Place) string { return p.Server.Pinned() })),
			Unpinned: repositoriesOf(unpinned(g.places)),
		})
	}
	return all
}

// isOwn reports whether a server is local to its repository, so that the one of another with
// the same text is another: dist/server.js, a program, a container, a port of this machine,
// an address of a private network. The name of a host there (mcp.corp) means one thing to
// all who can ask for it.
func isOwn(s *Server) bool {
	switch s.Kind {
	case "exec", "container":
		return true
	case "file":
		name := strings.TrimPrefix(s.Identity, "file:")
		return !strings.HasPrefix(name, "/") && !strings.HasPrefix(name, "~") && !strings.Contains(name, ":")
	case "url":
		at := identityOf(s).Host()
		_, err := netip.ParseAddr(at)
		return host.DistanceOf(at) < host.Private || err == nil && host.DistanceOf(at) == host.Private
	}
	return false
}

// isOf returns one text for the places that run one server, "" for a placeholder.
func isOf(p Place) string {
	if p.Server.Identity != "" && isOwn(p.Server) {
		return p.Server.Identity + "\x00" + p.Record.Repository
	}
	return p.Server.Identity
}

func counts(groups []group) []Count {
	all := []Count{}
	for _, g := range groups {
		all = append(all, Count{g.text, g.repositories})
	}
	return all
}
