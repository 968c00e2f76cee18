package catalog

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // for the page
	"encoding/base64"
	"html/template"
	"strconv"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/terminal"
)

// The page for people, and how it looks.
var (
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	style string
)

// contentPolicy lets a browser use the style of the page and send its form, and do nothing
// else: whatever stood in a name, nothing of it would run.
func contentPolicy() string {
	hash := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'; form-action 'self'; base-uri 'none'"
}

// page answers with the page for people: all servers, or those in which every word of the
// query "q" stands.
func (c *Catalog) page(r Request) Answer {
	body := c.document(r.Query.Get("q"), true)
	return Answer{Status: statusOK, Body: body}.with("Content-Type", "text/html; charset=utf-8").tagged(r, sum(body)).
		with("Cache-Control", "no-cache").with("Content-Security-Policy", contentPolicy()+"; frame-ancestors 'none'").
		with("Referrer-Policy", "no-referrer")
}

// maxShown is how many servers a page shows.
const maxShown = 1000

// pageData is what page.html shows: texts in which what would stay invisible, or turn the
// direction of what is around, is spelled out.
type pageData struct {
	Style     template.CSS
	Policy    string
	Title     string
	Heading   string
	HasSearch bool
	Query     string
	Count     string
	Rows      []pageRow
}

// pageRow is a server.
type pageRow struct {
	Name       string
	Also       []string // its other names
	Runs       string
	Registered []string // its names in registries
	Version    string
	Hash       string
	Files      string
}

// document returns the page as a whole. Without a search there is no form for one.
func (c *Catalog) document(query string, hasSearch bool) []byte {
	found := c.found(query)
	data := pageData{
		Style: template.CSS(style), Policy: contentPolicy(), //nolint:gosec // no style of a repository
		Title: terminal.Escape(c.title), Heading: terminal.Escape("MCP servers of " + c.title), HasSearch: hasSearch, Query: terminal.Escape(query), Count: countOf(len(found), len(c.servers)),
	}
	for _, s := range found[:min(len(found), maxShown)] {
		data.Rows = append(data.Rows, s.row())
	}
	var out bytes.Buffer
	if err := c.pageTemplate().Execute(&out, data); err != nil {
		panic(err) // every field is there, and memory takes what is written
	}
	return out.Bytes()
}

// row returns the server as the page shows it.
func (s *Server) row() pageRow {
	row := pageRow{
		Name: terminal.Escape(s.Name), Runs: terminal.Escape(strings.TrimSpace(s.title() + " " + strings.Join(s.Selector, " "))),
		Version: terminal.Escape(s.Version), Hash: terminal.Escape(s.hash), Files: terminal.Escape(strings.Join(s.Files, ", ")),
	}
	for _, name := range s.Names {
		if name != s.Name {
			row.Also = append(row.Also, terminal.Escape("also "+name))
		}
	}
	for _, name := range []string{s.registered, s.toolName()} {
		if name != "" {
			row.Registered = append(row.Registered, terminal.Escape(name))
		}
	}
	return row
}

// title is what a server runs, as it is shown.
func (s *Server) title() string {
	if s.Type == Deno {
		return "code"
	}
	return s.Identity()
}

// toolName returns the full name in PML of a server that has it today, "" of others.
func (s *Server) toolName() string {
	if !s.isTool {
		return ""
	}
	return s.fullName()
}

// found returns the servers in which every word of a query stands, whatever the case.
func (c *Catalog) found(query string) []*Server {
	words := strings.Fields(ascii.Lower(query))
	if len(words) == 0 {
		return c.servers
	}
	var found []*Server
	for _, s := range c.servers {
		all := ascii.Lower(strings.Join(append(append([]string{s.title(), s.Version, s.registered, s.toolName()}, s.Names...), s.Files...), "\n"))
		isIn := true
		for _, word := range words {
			isIn = isIn && strings.Contains(all, word)
		}
		if isIn {
			found = append(found, s)
		}
	}
	return found
}

// parsePage returns the template of the page.
func parsePage() *template.Template {
	return template.Must(template.New("page.html").Parse(pageHTML))
}

// countOf says how many servers of all are shown.
func countOf(found, all int) string {
	text := strconv.Itoa(found) + " of " + strconv.Itoa(all) + " servers"
	if found > maxShown {
		text += ", of which the first " + strconv.Itoa(maxShown) + " are shown: search for others"
	}
	return text
}
