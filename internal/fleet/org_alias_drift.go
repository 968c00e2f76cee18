package fleet

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/mcplumb/mcplumb/internal/identity"
)

// orgAliasDrift finds one server that repositories call by different names. The name that
// most of them have is the right one, and where several share that place all of these are.
func orgAliasDrift() *Rule {
	return &Rule{ID: "org-alias-drift", Title: "one server has different names", Severity: "note", Run: runOrgAliasDrift}
}

func runOrgAliasDrift(f *Fleet) []OrgFinding {
	var found []OrgFinding
	named := f.places(func(s *Server) bool { return isNamedByPeople(s) && isKnownAnywhere(s) })
	for _, g := range groupBy(named, func(p Place) string { return p.Server.key() }) {
		names := groupBy(onlyNames(g.places), func(p Place) string { return p.Server.Name })
		if len(names) < 2 {
			continue
		}
		server, usual := g.places[0].Server, leading(names)
		var odd []Place
		var right, others []string
		for i, other := range names {
			switch {
			case i < usual:
				right = append(right, strconv.Quote(other.text))
			case !slices.ContainsFunc(names[:usual], func(u group) bool { return isInstance(other.text, u.text, server) }):
				odd = append(odd, other.places...)
				others = append(others, fmt.Sprintf("%q in %d", other.text, other.repositories))
			}
		}
		if len(odd) == 0 {
			continue // where all names lead, any may be right
		}
		each := ""
		if usual > 1 {
			each = " each"
		}
		finding := OrgFinding{Rule: "org-alias-drift", Severity: "note", Name: names[0].text, Identity: server.Title()}
		finding.Message = fmt.Sprintf("%s is %s in %s%s, but %s", server.Title(), enumerated(right), inRepositories(names[0].repositories), each, enumerated(others))
		finding.at(odd)
		found = append(found, finding)
	}
	return found
}

// leading returns how many groups share the first place.
func leading(groups []group) int {
	n := 1
	for n < len(groups) && groups[n].repositories == groups[0].repositories {
		n++
	}
	return n
}

// onlyNames returns the places in repositories that have one name alone for a server: of
// several the words say which account or which system each is for.
func onlyNames(places []Place) []Place {
	var only []Place
	for i := 0; i < len(places); {
		end := i + 1
		isOne := true
		for ; end < len(places) && places[end].Record == places[i].Record; end++ {
			isOne = isOne && places[end].Server.Name == places[i].Server.Name
		}
		if isOne {
			only = append(only, places[i:end]...)
		}
		i = end
	}
	return only
}

// isInstance reports whether a name is the usual one with words of its own, as
// "postgres-staging" is "postgres": such words say which one it is, and are there on purpose.
// Words from the server's identity, or that only say that it is a server, do not count.
func isInstance(name, usual string, s *Server) bool {
	known := append(wordsOf(s.Title()), "mcp", "server")
	own := func(name string) []string {
		return slices.DeleteFunc(wordsOf(name), func(word string) bool { return slices.Contains(known, word) })
	}
	words, others := own(name), own(usual)
	all := wordsOf(name)
	keepsUsual := !slices.ContainsFunc(wordsOf(usual), func(word string) bool { return !slices.Contains(all, word) })
	keepsName := !slices.ContainsFunc(all, func(word string) bool { return !slices.Contains(wordsOf(usual), word) })
	return keepsUsual && len(words) > len(others) || keepsName && len(others) > len(words)
}

// wordsOf returns the words of a name in small letters.
func wordsOf(name string) []string {
	return identity.Words(name)
}
