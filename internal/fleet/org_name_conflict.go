package fleet

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/host"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/sameness"
)

// orgNameConflict finds one name that means different servers in different repositories: a
// developer who moves between them, or copies a text for agents, gets another server by the
// name that they know.
func orgNameConflict() *Rule {
	return &Rule{ID: "org-name-conflict", Title: "one name stands for different servers", Severity: "warning", Run: runOrgNameConflict}
}

func runOrgNameConflict(f *Fleet) []OrgFinding {
	var found []OrgFinding
	named := f.places(func(s *Server) bool { return isNamedByPeople(s) && isKnownAnywhere(s) && !identity.IsGeneric(s.Name) })
	// "Search" and "search" are one name to a reader.
	for _, g := range groupBy(named, func(p Place) string { return strings.ToLower(p.Server.Name) }) {
		name := groupBy(g.places, func(p Place) string { return p.Server.Name })[0].text
		servers := groupBy(g.places, func(p Place) string { return p.Server.Identity })
		worst, apart := conflicts(servers)
		var odd []Place
		var runs []string
		usual := -1
		for i := range servers {
			switch {
			case len(apart[i]) == 0:
			case usual < 0:
				usual = i
			default:
				odd = append(odd, apart[i]...)
				runs = append(runs, fmt.Sprintf("%s in %d", servers[i].text, repositoriesOf(apart[i])))
			}
		}
		if len(odd) == 0 {
			continue
		}
		finding := OrgFinding{Rule: "org-name-conflict", Severity: "warning", Name: name}
		finding.Message = fmt.Sprintf("%q is %s in %s, but %s", name, servers[usual].text, inRepositories(servers[usual].repositories), enumerated(runs))
		if worst == doubtful {
			finding.Severity = "note"
			finding.Message += ": nothing says whether they are one owner's"
		}
		finding.at(odd)
		finding.compareWith(servers[usual].places)
		found = append(found, finding)
	}
	return found
}

// maxReferences is how many of the most frequent servers of a name others are compared with.
const maxReferences = 16

// conflicts compares the servers of one name, the most frequent first, each with those before
// it. It returns the most severe difference, and for each server that has one its places, the
// others' being empty. Another address of an owner, and an image of a mirror, are compared
// with the first server.
func conflicts(servers []group) (worst difference, apart [][]Place) {
	apart = make([][]Place, len(servers))
	against := make([]int, len(servers)) // -1 for none
	against[0] = -1
	for j := 1; j < len(servers); j++ {
		most := same
		against[j] = -1
		for i := 0; i < min(j, maxReferences) && most < different; i++ {
			d := differenceOf(&servers[i], &servers[j])
			with := i
			if d == same && servers[i].places[0].Server.Kind == servers[j].places[0].Server.Kind {
				if with = against[i]; with < 0 {
					break
				}
				d = differenceOf(&servers[with], &servers[j])
			}
			if left := unreported(servers[j].places, servers[with].places); d > most && len(left) > 0 {
				most, against[j], apart[j] = d, with, left
			}
		}
		if with := against[j]; with >= 0 && len(apart[with]) == 0 {
			apart[with] = servers[with].places
		}
		worst = max(worst, most)
	}
	return worst, apart
}

// maxEnumerated is how many things a message names.
const maxEnumerated = 4

// enumerated joins texts, those behind the first counted.
func enumerated(texts []string) string {
	if more := len(texts) - maxEnumerated; more > 0 {
		texts = append(texts[:maxEnumerated:maxEnumerated], fmt.Sprintf("%d more", more))
	}
	return strings.Join(texts, ", ")
}

// unreported returns places without those in repositories that have one of the others, too, and
// where name-conflict tells it. It does not of entries in two projects of one repository, and
// nor does this where there is no other repository.
func unreported(places, others []Place) []Place {
	has := map[*Record]bool{}
	for _, p := range others {
		has[p.Record] = true
	}
	if first := others[0].Record; len(has) == 1 && !slices.ContainsFunc(places, func(p Place) bool { return p.Record != first }) {
		return nil
	}
	var left []Place
	for _, p := range places {
		isReported := func(f Finding) bool { return f.Rule == "name-conflict" && f.Server == p.Server.Name }
		if !has[p.Record] || !slices.ContainsFunc(p.Record.Findings, isReported) {
			left = append(left, p)
		}
	}
	return left
}

// isKnownAnywhere reports whether an identity means one thing in every repository: a package
// or a public address. A file, a program or a port is the own one of each repository.
func isKnownAnywhere(s *Server) bool {
	if s.Kind == "url" {
		return host.DistanceOf(identityOf(s).Host()) == host.Public
	}
	return s.IsPackage() && s.Identity != ""
}

// identityOf returns a server's identity, as far as the record has it.
func identityOf(s *Server) *identity.Identity {
	return &identity.Identity{Kind: identity.Kind(s.Kind), Name: strings.TrimPrefix(s.Identity, s.Kind+":"), Selector: s.Selector}
}

// difference is how certain it is that two servers of one name are not one product.
type difference int

const (
	same      difference = iota // they are one, or may well be
	doubtful                    // nothing says whether they are
	different                   // they are not
)

// differenceOf compares two servers of one name, the more frequent first.
func differenceOf(usual, other *group) difference {
	a, b := usual.places[0].Server, other.places[0].Server
	x, y := identityOf(a), identityOf(b)
	switch {
	case a.Kind == "url" && b.Kind == "url":
		if areOfOthers(x, y) {
			return different
		}
		return same
	case a.Kind == "url":
		return differenceOfAddress(usual, b, y, x)
	case b.Kind == "url":
		return differenceOfAddress(usual, a, x, y)
	}
	return differenceOfPackages(a.Kind == b.Kind, x, y)
}

// enough is in how many repositories a name must mean one server to be evidence.
const enough = 3

// differenceOfAddress compares a package and an address. The addresses of vendors are known.
// Any other address may be a gateway of the organization, or a server that tries to get what
// is meant for the package. That is worth a review if the name is the package's own, or means
// one server in several repositories, and the address is in no domain of that name.
func differenceOfAddress(usual *group, s *Server, pkg, address *identity.Identity) difference {
	if sameness.IsForeign(pkg, address) {
		return different
	}
	if sameness.HasVendor(address) {
		return same
	}
	subject, owner := subjectOf(pkg.Name), publisherOfPackage(pkg)
	label, _, _ := strings.Cut(ownerOf(address.Host()), ".")
	brand := strings.Join(wordsOf(label), "")
	if brand == subject || brand == owner {
		return same
	}
	if name := subjectOf(s.Name); usual.repositories < enough && name != subject && name != owner {
		return same
	}
	return doubtful
}

// differenceOfPackages compares two packages, of one registry or of two. A registry gives a
// name to the first who claims it, so that across registries only an owner is evidence. A name
// without an owner is not: most repositories with postgres-mcp of npm also have that of PyPI,
// while anyone can have a repository or an image of the name.
func differenceOfPackages(isOneRegistry bool, x, y *identity.Identity) difference {
	if x.Kind == identity.OCI && y.Kind == identity.OCI && imageOf(x.Name) == imageOf(y.Name) {
		return same
	}
	isImage := x.Kind == identity.OCI || y.Kind == identity.OCI
	if (!isOneRegistry || isImage) && sameness.AreOfOneVendor(x, y) {
		return same
	}
	a, b := subjectOf(x.Name), subjectOf(y.Name)
	ownerA, ownerB := publisherOfPackage(x), publisherOfPackage(y)
	isDockers := strings.HasPrefix(x.Name, "docker.io/mcp/") || strings.HasPrefix(y.Name, "docker.io/mcp/")
	switch {
	case isOneRegistry && !(isImage && isDockers && a == b): // Docker builds images of others' servers
		return different
	case a != b && !strings.Contains(a, b) && !strings.Contains(b, a):
		return different
	case a != b && ownerA != ownerB:
		return doubtful
	case isDockers, ownerA == ownerB:
		return same
	case ownerA == "" || ownerB == "":
		if ownerA+ownerB == reference || !isImage && x.Kind != identity.Git && y.Kind != identity.Git {
			return same
		}
		return doubtful
	case strings.Contains(ownerA, ownerB), strings.Contains(ownerB, ownerA), strings.Contains(ownerA, a), strings.Contains(ownerB, a):
		return doubtful // supabase and supabase-community, notionhq and makenotion
	}
	return different
}

// reference is who publishes the servers of MCP itself, on PyPI without a name.
const reference = "modelcontextprotocol"

// publisherOfPackage returns the owner that the name of a package begins with: an npm scope,
// the owner of an image or a repository, "" for none. It is in small letters without signs.
func publisherOfPackage(id *identity.Identity) string {
	parts := strings.Split(id.Name, "/")
	if len(parts) < 2 {
		return ""
	}
	return strings.Join(wordsOf(parts[len(parts)-2]), "")
}

// imageOf returns owner and name of an image: that of docker.io is often taken from a mirror,
// and published on ghcr.io, too.
func imageOf(name string) string {
	parts := strings.Split(name, "/")
	return strings.Join(parts[max(0, len(parts)-2):], "/")
}

// subjectOf returns what the name of a package says beyond being a server of MCP: "fetch" of
// mcp-server-fetch and docker.io/mcp/fetch, with any characters between its words, and
// "playwright" of @playwright/mcp.
func subjectOf(name string) string {
	own := func(name string) string {
		return strings.Join(slices.DeleteFunc(wordsOf(name), func(word string) bool { return word == "mcp" || word == "server" }), "")
	}
	owner, last := path.Split(strings.TrimSuffix(name, ".git"))
	return cmp.Or(own(last), own(path.Base(owner)))
}
