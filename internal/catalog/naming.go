package catalog

import (
	"cmp"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// Naming says how servers are called in lists that want longer names than files have.
type Naming struct {
	// Organization and Project are the first two parts of a full name in PML, "pml" and
	// "mcp" where they are empty.
	Organization, Project string
	// Namespace is the part before the slash of a name in the MCP registry.
	Namespace string
	// Published are names in the MCP registry that manifests of the repository say, by
	// what the server runs (identity.Identity.Key).
	Published map[string]string
}

// The lists that a server may not be in.
const (
	listOfTools   = "the list of PML"
	listOfServers = "the list of the MCP registry"
)

// nameTools gives servers their full names in PML: pml.mcp.SERVER.server and the first
// four digits of their hash. Of several versions the newest has the name.
func (c *Catalog) nameTools(naming Naming) []LeftOut {
	prefix := cmp.Or(naming.Organization, "pml") + "." + cmp.Or(naming.Project, "mcp") + "."
	groups := map[string][]*Server{}
	var left []LeftOut
	for _, s := range c.servers {
		switch {
		case s.Type == Deno:
			s.base = s.Name // which is a full name
		case mcp.IsToolPart(s.Name):
			s.base = prefix + s.Name + ".server"
		default:
			left = append(left, s.leftOut(listOfTools, "its name cannot be a part of a full name, which is a letter or _ and then letters, digits, _ and -"))
			continue
		}
		groups[s.base] = append(groups[s.base], s)
	}
	newest := newestOf(groups)
	for _, s := range c.servers {
		switch {
		case s.base == "":
		case newest[s.base] == nil:
			left = append(left, s.leftOut(listOfTools, fmt.Sprintf("%d servers are called that, and a full name has one", len(groups[s.base]))))
		case s == newest[s.base]:
			s.isTool, c.byBase[s.base] = true, s
			c.tools = append(c.tools, s)
		}
	}
	slices.SortFunc(c.tools, func(a, b *Server) int { return strings.Compare(a.fullName(), b.fullName()) })
	return left
}

// leftOut says that a server is not in a list.
func (s *Server) leftOut(from, why string) LeftOut {
	return LeftOut{Server: s.Name, Path: s.path(), From: from, Why: why}
}

// newestOf returns the newest of the servers of each name, where they are versions of one.
func newestOf(groups map[string][]*Server) map[string]*Server {
	newest := map[string]*Server{}
	for name, group := range groups {
		isOther := func(s *Server) bool { return s.program() != group[0].program() }
		if !slices.ContainsFunc(group, isOther) {
			newest[name] = slices.MaxFunc(group, compareVersions)
		}
	}
	return newest
}

// compareVersions tells which of two versions of a server is the newer one.
func compareVersions(a, b *Server) int {
	return cmp.Or(a.Kind.System().Compare(a.Version, b.Version), strings.Compare(a.Version+a.Locked, b.Version+b.Locked))
}

// fullName returns the whole name of a server in PML.
func (s *Server) fullName() string { return s.base + "." + shortHash(s.hash) }

// shortHash returns the first four digits of a hash, after its algorithm.
func shortHash(integrity string) string {
	_, digits, _ := strings.Cut(integrity, "-")
	return digits[:min(len(digits), 4)]
}

// maxRegisteredName is the longest name that a server may have in the MCP registry, in
// characters (server.schema.json, 2025-12-11).
const maxRegisteredName = 200

// nameListed gives servers their names in the MCP registry.
func (c *Catalog) nameListed(naming Naming) []LeftOut {
	groups := map[string][]*Server{}
	var left []LeftOut
	for _, s := range c.servers {
		if s.Type == Deno {
			continue // which the MCP registry has no word for
		}
		if s.registered = naming.registered(s); s.registered == "" {
			left = append(left, s.leftOut(listOfServers, fmt.Sprintf("no name of at most %d letters, digits, dots, hyphens and underscores can be made of its own", maxRegisteredName)))
			continue
		}
		groups[s.registered] = append(groups[s.registered], s)
	}
	newest := newestOf(groups)
	for _, s := range c.servers {
		switch {
		case s.registered == "":
		case newest[s.registered] == nil:
			left = append(left, s.leftOut(listOfServers, fmt.Sprintf("%d servers would be called %s", len(groups[s.registered]), s.registered)))
		default:
			c.list(s, s == newest[s.registered])
		}
	}
	c.sortListed()
	return left
}

// registered returns the name of a server in the MCP registry, "" where there can be none:
// the one that a manifest has for it, its own where that is one, else one in the namespace
// of the catalog.
func (n *Naming) registered(s *Server) string {
	if name := n.Published[s.program()]; name != "" {
		return name
	}
	if isRegistered(s.Name) {
		return s.Name
	}
	name := n.Namespace + "/" + folded(path.Base(s.Name), "._-")
	if !isRegistered(name) {
		return ""
	}
	return name
}

// isRegistered reports whether a name is in reverse-DNS form: at least two parts, a slash
// and a name (validators.go of the registry's server, v1.8.7).
func isRegistered(name string) bool {
	namespace, short, _ := strings.Cut(name, "/")
	return len(name) <= maxRegisteredName && mcp.IsNamespace(namespace) && mcp.IsRegistryName(name) &&
		ascii.IsAlphanumeric(short[0]) && ascii.IsAlphanumeric(short[len(short)-1])
}

// folded returns a text of ASCII letters, digits and some other characters: runs of any other
// characters become one hyphen, and it begins and ends with a letter or digit.
func folded(text, others string) string {
	var b strings.Builder
	isGap := false
	for i := range len(text) {
		c := text[i]
		if !ascii.IsAlphanumeric(c) && strings.IndexByte(others, c) < 0 {
			isGap = true
			continue
		}
		if isGap {
			b.WriteByte('-')
			isGap = false
		}
		b.WriteByte(c)
	}
	return strings.TrimFunc(b.String(), func(r rune) bool { return !ascii.IsAlphanumeric(byte(r)) })
}

// NamespaceOf returns the namespace of a repository that says nothing of it: the host and
// owner in the address of its origin, turned round ("io.github.acme"), else one of its
// directory's name ("local.acme").
func NamespaceOf(origin, directory string) string {
	if host, owner := originOf(origin); owner != "" {
		if host == "github.com" {
			host = "github.io" // as the MCP registry calls the owners there
		}
		parts := strings.Split(host, ".")
		slices.Reverse(parts)
		return strings.Join(append(parts, owner), ".")
	}
	return "local." + cmp.Or(folded(directory, "-"), "repository")
}

// originOf returns the host and the owner of the address of a repository, as git takes it:
// a URL, or HOST:PATH as ssh has it.
func originOf(address string) (host, owner string) {
	u, err := url.Parse(address)
	if before, after, found := strings.Cut(address, ":"); found && !strings.Contains(address, "://") {
		u, err = &url.URL{Host: before[strings.LastIndexByte(before, '@')+1:], Path: after}, nil
	}
	if err != nil {
		return "", ""
	}
	host, owner = ascii.Lower(u.Hostname()), folded(strings.SplitN(strings.Trim(u.Path, "/"), "/", 2)[0], "-")
	if folded(host, ".-") != host || !strings.Contains(host, ".") || !strings.Contains(strings.Trim(u.Path, "/"), "/") {
		return "", ""
	}
	return host, owner
}
