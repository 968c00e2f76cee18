package report

import (
	"bufio"
	"fmt"
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
	Name  string
	Write func(io.Writer, *mcp.Repo, Options) error
}

// ListFormats returns the formats of list; the first is the default.
func ListFormats() []*ListFormat {
	return []*ListFormat{
		{Name: "text", Write: listText},
		{Name: "json", Write: listJSON},
	}
}

// servers calls visit for every server, in the order of the repository.
func servers(repo *mcp.Repo, visit func(*mcp.Server)) {
	for _, p := range repo.Projects {
		for _, d := range p.Documents {
			for _, s := range d.Servers {
				visit(s)
			}
		}
	}
}

// listText writes a table. Columns are as wide as their widest cell on screen,
// so that names in any script line up.
func listText(w io.Writer, repo *mcp.Repo, o Options) error {
	rows := [][]string{{"NAME", "IDENTITY", "VERSION", "CLIENTS", "PLACE"}}
	servers(repo, func(s *mcp.Server) {
		rows = append(rows, listRow(s, o))
	})
	out := bufio.NewWriter(w)
	if len(rows) == 1 {
		fmt.Fprintln(out, "no MCP servers found")
		return out.Flush()
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, text := range row {
			widths[i] = max(widths[i], min(Width(text), maxCell))
		}
	}
	for _, row := range rows {
		for i, text := range row {
			out.WriteString(text)
			if i < len(row)-1 {
				out.WriteString(strings.Repeat(" ", max(widths[i]-Width(text), 0)+2))
			}
		}
		out.WriteByte('\n')
	}
	return out.Flush()
}

// maxCell is the width beyond which a cell pushes its own row aside instead of
// widening the column for every other row.
const maxCell = 60

func listRow(s *mcp.Server, o Options) []string {
	name := Escape(secret.Mask(s.Name))
	if s.Disabled {
		name += " (disabled)"
	}
	id := Escape(secret.Mask(shownIdentity(&s.Identity)))
	version := Escape(secret.Mask(s.Identity.Version.Text))
	p := s.Document.File.Position(s.NameSpan.Start)
	return []string{
		name, orDash(id), orDash(version),
		orDash(strings.Join(clientIDs(s.Document), ",")),
		fmt.Sprintf("%s:%d", o.show(s.Document.File.Path), p.Line),
	}
}

// shownIdentity is the identity with what tells servers of one package apart.
func shownIdentity(id *identity.Identity) string {
	return strings.Join(append([]string{id.String()}, id.Selector...), " ")
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

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

type jsonList struct {
	Version int          `json:"version"`
	Servers []jsonServer `json:"servers"`
}

type jsonServer struct {
	Name      string   `json:"name"`
	Identity  string   `json:"identity,omitempty"`
	Kind      string   `json:"kind,omitempty"`
	Package   string   `json:"package,omitempty"`
	Selector  []string `json:"selector,omitempty"`
	Version   string   `json:"version,omitempty"`
	Purl      string   `json:"purl,omitempty"`
	Clients   []string `json:"clients,omitempty"`
	Format    string   `json:"format,omitempty"`
	Scope     string   `json:"scope,omitempty"`
	Project   string   `json:"project,omitempty"`
	Path      string   `json:"path"`
	Line      int      `json:"line"`
	Column    int      `json:"column"`
	Transport string   `json:"transport,omitempty"`
	Bridge    string   `json:"bridge,omitempty"`
	Launcher  string   `json:"launcher,omitempty"`
	Disabled  bool     `json:"disabled"`
	Env       []string `json:"env,omitempty"`
	Headers   []string `json:"headers,omitempty"`
	// Repository is the source repository that the lockfile names.
	Repository string    `json:"repository,omitempty"`
	Lock       *jsonLock `json:"lock,omitempty"`
}

// jsonLock is the entry that a server is locked as.
type jsonLock struct {
	Path      string `json:"path"`
	Name      string `json:"name"`
	Version   string `json:"version,omitempty"`
	Integrity string `json:"integrity,omitempty"`
}

// listJSON writes every server for programs: the names of variables and
// headers, never their values.
func listJSON(w io.Writer, repo *mcp.Repo, _ Options) error {
	list := jsonList{Version: jsonVersion, Servers: []jsonServer{}}
	locked := map[*mcp.Server]*mcp.LockEntry{}
	for _, p := range repo.Projects {
		maps.Copy(locked, checks.Locked(p))
	}
	servers(repo, func(s *mcp.Server) {
		out := serverJSON(s)
		if entry := locked[s]; entry != nil {
			out.Repository = secret.Mask(entry.Repository)
			out.Lock = &jsonLock{
				Path: entry.Document.File.Path, Name: secret.Mask(entry.Name),
				Version: secret.Mask(entry.Version.Text), Integrity: entry.Integrity.Text,
			}
		}
		list.Servers = append(list.Servers, out)
	})
	return encodeJSON(w, list)
}

func serverJSON(s *mcp.Server) jsonServer {
	d, id := s.Document, &s.Identity
	p := d.File.Position(s.NameSpan.Start)
	out := jsonServer{
		Name:      secret.Mask(s.Name),
		Identity:  secret.Mask(id.String()),
		Kind:      string(id.Kind),
		Version:   secret.Mask(id.Version.Text),
		Purl:      secret.Mask(identity.Purl(id)),
		Clients:   clientIDs(d),
		Format:    d.Format,
		Scope:     string(d.Scope),
		Project:   d.Project.Dir,
		Path:      d.File.Path,
		Line:      p.Line,
		Column:    p.Column,
		Transport: id.Transport,
		Bridge:    id.BridgeName(),
		Launcher:  id.Launcher,
		Disabled:  s.Disabled,
		Headers:   pairNames(s.Launch.Headers),
	}
	if id.IsPackage() {
		out.Package = secret.Mask(id.Name)
	}
	for _, word := range id.Selector {
		out.Selector = append(out.Selector, secret.Mask(word))
	}
	out.Env = pairNames(s.Launch.Env)
	for _, word := range s.Launch.PassEnv {
		out.Env = append(out.Env, secret.Mask(word.Text))
	}
	return out
}

func pairNames(pairs []identity.Pair) []string {
	var names []string
	for _, p := range pairs {
		names = append(names, secret.Mask(p.Name.Text))
	}
	return names
}
