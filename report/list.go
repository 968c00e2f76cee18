package report

import (
	"io"
	"maps"
	"strings"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// ListFormat is one way to write the servers of a repository.
type ListFormat struct {
	Name string
	// Rules are the checks whose findings the format shows.
	Rules []string
	Write func(io.Writer, *List, Options) error
}

// ListFormats returns the formats of list; the first is the default.
func ListFormats() []*ListFormat {
	return []*ListFormat{
		{Name: "text", Write: listText},
		{Name: "json", Write: listJSON},
		{Name: "markdown", Write: listMarkdown},
		{Name: "cyclonedx", Write: listCycloneDX},
		{Name: "mermaid", Rules: MapRules(), Write: listMermaid},
	}
}

// List is what a repository configures.
type List struct {
	Tool Tool
	Repo *mcp.Repo
	// Findings are those of the format's rules.
	Findings []checks.Finding
}

// listed is a server with what the rest of the repository says of it.
type listed struct {
	*mcp.Server
	// lock is the entry that the server is locked as, nil if there is none.
	lock *mcp.LockEntry
	// repository is the URL of its source repository, "" where nobody says it.
	repository string
	// isBridge reports that it is the program between a client and a server.
	isBridge bool
}

// listedServers returns every server in the order of the repository.
func listedServers(repo *mcp.Repo) []listed {
	var servers []listed
	locked := map[*mcp.Server]*mcp.LockEntry{}
	published := map[string]string{} // repositories by identity
	for _, p := range repo.Projects {
		maps.Copy(locked, checks.Locked(p))
		for _, d := range p.Documents {
			for _, s := range d.Servers {
				servers = append(servers, listed{Server: s})
				if key := s.Identity.Key(); key != "" && published[key] == "" && s.Extra().Repository != "" {
					published[key] = s.Extra().Repository
				}
			}
		}
	}
	for i := range servers {
		s := &servers[i]
		s.lock, s.repository = locked[s.Server], s.Extra().Repository
		if s.repository == "" && s.lock != nil {
			s.repository = s.lock.Target.Repository
		}
		if s.repository == "" {
			s.repository = published[s.Identity.Key()]
		}
	}
	return servers
}

// listHeadings are the columns of a table of servers; the last is only there
// where something is locked.
func listHeadings() []string {
	return []string{"Name", "Identity", "Version", "Clients", "Place", "Lock"}
}

// listRow is a server as a row of a table: secrets are hidden, nothing is
// escaped, what is not known is empty.
type listRow struct {
	name, identity, version, place, lock string
	clients                              []*mcp.Client
	disabled                             bool
}

// listRows returns the rows of a table, and whether any server is locked.
func listRows(repo *mcp.Repo, o Options) (rows []listRow, locked bool) {
	for _, s := range listedServers(repo) {
		row := listRow{
			name:     secret.Mask(s.Name),
			identity: shownIdentity(&s.Identity),
			version:  secret.Mask(s.Identity.Version.Text),
			clients:  s.Document.Loaders(),
			place:    o.line(s.Document.File, s.NameSpan),
			disabled: s.Disabled,
		}
		if s.lock != nil {
			row.lock = o.line(s.lock.Document.File, s.lock.NameSpan)
			locked = true
		}
		rows = append(rows, row)
	}
	return rows, locked
}

// shownIdentity is the identity with what tells servers of one package apart,
// secrets hidden.
func shownIdentity(id *identity.Identity) string {
	return secret.Mask(strings.Join(append([]string{id.String()}, id.Selector...), " "))
}

// shownPurl is the package URL of an identity, "" where a part of it cannot be
// shown: then it would name another package.
func shownPurl(id *identity.Identity) string {
	for _, part := range []string{id.Name, id.Version.Text} {
		if secret.Mask(part) != part {
			return ""
		}
	}
	purl := identity.Purl(id)
	if secret.Mask(purl) != purl {
		return ""
	}
	return purl
}

// clientIDs names the clients that load a document's servers. A client that
// looks into the file for another root key does not.
func clientIDs(d *mcp.Document) []string {
	var ids []string
	for _, c := range d.Loaders() {
		ids = append(ids, c.ID)
	}
	return ids
}
