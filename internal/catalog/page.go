package catalog

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed" // for the page
	"encoding/base64"
	"html/template"
	"strconv"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/look"
	"github.com/mcplumb/mcplumb/internal/terminal"
)

// The page for people, and how it looks.
var (
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	ownStyle string
)

// style is the look of all pages, and what is of this one alone.
func style() string { return look.CSS() + ownStyle }

// contentPolicy lets a browser use the style of the page and send its form, and do nothing
// else: no script in a name would run.
func contentPolicy() string {
	hash := sha256.Sum256([]byte(style()))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'; form-action 'self'; base-uri 'none'"
}

// page answers with the page for people: all servers, or those that contain every word of the
// query "q".
func (c *Catalog) page(r Request) Answer {
	body := c.document(pageOptions{query: r.Query.Get("q"), hasSearch: true, address: r.Address, added: maxAdded})
	return Answer{Status: statusOK, Body: body}.with("Content-Type", "text/html; charset=utf-8").tagged(r, sum(body)).
		with("Cache-Control", "no-cache").with("Content-Security-Policy", contentPolicy()+"; frame-ancestors 'none'").
		with("Referrer-Policy", "no-referrer")
}

// maxShown is how many servers a page shows, and maxAdded of how many of these it says what to
// write for each client, which is several kilobytes.
const maxShown, maxAdded = 1000, 200

// pageData is what page.html shows: texts in which what would stay invisible, or turn the
// direction of what is around, is spelled out.
type pageData struct {
	Style      template.CSS
	Policy     string
	Title      string
	Heading    string
	Address    string
	HasAddress bool
	HasSearch  bool
	Query      string
	Count      string
	Rows       []pageRow
}

// pageRow is a server.
type pageRow struct {
	Name        string
	Also        []string // its other names
	Description string
	Runs        string // its command line or its address
	IsRelative  bool
	Identity    string
	Registered  []string // its names in registries
	Links       []pageLink
	Version     string
	Hash        string // as mcplumb.lock has it
	ShortHash   string // its beginning
	Files       []string
	Snippets    []*snippet
}

// noAddress is shown as the address of a page that is only a file.
const noAddress = "https://…"

// pageOptions say what a page shows.
type pageOptions struct {
	// query is what is looked for. Without hasSearch there is no form for another one.
	query     string
	hasSearch bool
	// address is where the page is, "" where that is not known.
	address string
	// added is of how many servers it says what to write for each client.
	added int
}

// document returns the page as a whole.
func (c *Catalog) document(o pageOptions) []byte {
	found := c.found(o.query)
	data := pageData{
		Style: template.CSS(style()), Policy: contentPolicy(), //nolint:gosec // no style of a repository
		Title: terminal.Escape(c.title), Heading: terminal.Escape("MCP servers of " + c.title), HasSearch: o.hasSearch, Query: terminal.Escape(o.query),
		Count: countOf(len(found), len(c.servers)), Address: terminal.Escape(cmp.Or(o.address, noAddress)), HasAddress: o.address != "",
	}
	for i, s := range found[:min(len(found), maxShown)] {
		row := s.row()
		if i < o.added {
			row.Snippets = s.written()
		}
		data.Rows = append(data.Rows, row)
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
		Name: terminal.Escape(s.Name), Description: terminal.Escape(shortened(s.Description)), Runs: terminal.Escape(s.runs()),
		Identity: terminal.Escape(strings.TrimSpace(s.title() + " " + strings.Join(s.Selector, " "))), Links: s.links(),
		IsRelative: s.IsRelative, Version: terminal.Escape(s.Version), Hash: terminal.Escape(s.shownHash()), ShortHash: terminal.Escape(beginning(s.shownHash())),
	}
	if row.Version == row.Hash {
		row.Version = "" // an image by its digest
	}
	for _, file := range s.Files {
		row.Files = append(row.Files, terminal.Escape(file))
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

// runs returns the command line of a server or its address, for people.
func (s *Server) runs() string {
	switch s.Type {
	case HTTP:
		return s.Address
	case Deno:
		return s.Name
	}
	words := []string{s.Command}
	for _, word := range s.Args {
		if word == "" || strings.ContainsAny(word, " \t\r\n\"'") {
			word = strconv.Quote(word)
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// shownHash returns the hash of a server as the lockfile has it, of code that PML gets.
func (s *Server) shownHash() string {
	if s.Type == Deno {
		return s.hash
	}
	return s.integrity()
}

// beginning returns the algorithm of a hash and its first characters.
func beginning(hash string) string {
	const shown = 8
	at := strings.IndexAny(hash, "-:") + 1
	if len(hash) <= at+shown {
		return hash
	}
	return hash[:at+shown] + "…"
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

// found returns the servers that contain every word of a query, in any case.
func (c *Catalog) found(query string) []*Server {
	words := strings.Fields(ascii.Lower(query))
	if len(words) == 0 {
		return c.servers
	}
	var found []*Server
	for _, s := range c.servers {
		all := ascii.Lower(strings.Join(append(append([]string{s.title(), s.Version, s.registered, s.toolName(), s.Description}, s.Names...), s.Files...), "\n"))
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
	switch {
	case found > maxShown:
		text += ", of which the first " + strconv.Itoa(maxShown) + " are shown, and the first " + strconv.Itoa(maxAdded) + " with what to write for clients: search for others"
	case found > maxAdded:
		text += ", the first " + strconv.Itoa(maxAdded) + " with what to write for clients: search for others"
	}
	return text
}
