package catalog

import (
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/terminal"
)

// style is how the page looks.
const style = `body{font-family:system-ui,sans-serif;margin:2rem auto;max-width:75rem;padding:0 1rem;color:#1f2328;background:#fff}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.5rem;border-bottom:1px solid #d1d9e0;overflow-wrap:anywhere}
th{white-space:nowrap}td:nth-child(2){min-width:15rem}
@media(max-width:45rem){thead{display:none}tr{display:block;padding:.5rem 0;border-bottom:1px solid #d1d9e0}td{display:block;padding:.1rem 0;border:0}}
code{font-family:ui-monospace,monospace;font-size:.9em}input,button{font:inherit;padding:.25rem .5rem}.n{color:#59636e}
@media(prefers-color-scheme:dark){body{color:#f0f6fc;background:#0d1117}th,td,tr{border-color:#3d444d}.n{color:#9198a1}}`

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

// document returns the page as a whole. Without a search there is no form for one.
func (c *Catalog) document(query string, hasSearch bool) []byte {
	var p pageWriter
	p.tags("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
	p.tags(`<meta http-equiv="Content-Security-Policy" content="` + html.EscapeString(contentPolicy()) + `"><title>`)
	p.text(c.title)
	p.tags("</title><style>" + style + "</style></head>\n<body><h1>")
	p.text("MCP servers of " + c.title)
	p.tags("</h1>\n")
	if hasSearch {
		p.tags(`<form method="get" action="/" role="search"><label>Search <input type="search" name="q" maxlength="200" value="`)
		p.text(query)
		p.tags(`"></label> <button>Find</button></form>` + "\n")
	}
	found := c.found(query)
	p.tags(`<p class="n">`)
	p.text(countOf(len(found), len(c.servers)))
	p.tags("</p>\n<table><thead><tr><th>Name</th><th>What it runs</th><th>Version</th><th>Hash</th><th>Where it is used</th></tr></thead>\n<tbody>\n")
	for _, s := range found[:min(len(found), maxShown)] {
		p.row(s)
	}
	p.tags("</tbody></table>\n</body></html>\n")
	return p.out
}

// row writes a server.
func (p *pageWriter) row(s *Server) {
	p.tags("<tr><td>")
	p.text(s.Name)
	for _, name := range s.Names {
		if name != s.Name {
			p.tags(`<br><span class="n">`)
			p.text("also " + name)
			p.tags("</span>")
		}
	}
	p.tags("</td><td><code>")
	p.text(strings.TrimSpace(s.title() + " " + strings.Join(s.Selector, " ")))
	p.tags("</code>")
	for _, name := range []string{s.registered, s.toolName()} {
		if name != "" {
			p.tags(`<br><code class="n">`)
			p.text(name)
			p.tags("</code>")
		}
	}
	p.tags("</td><td>")
	p.text(s.Version)
	p.tags("</td><td><code>")
	p.text(s.seal)
	p.tags("</code></td><td>")
	p.text(strings.Join(s.Files, ", "))
	p.tags("</td></tr>\n")
}

// title is what a server runs, as people are told.
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

// pageWriter writes HTML: tags that are written here, and texts from elsewhere.
type pageWriter struct{ out []byte }

// tags writes what is HTML already. Nothing of a repository goes here.
func (p *pageWriter) tags(markup string) { p.out = append(p.out, markup...) }

// text writes a text between tags or between quotes. What would stay invisible in it, or
// turn the direction of what is around, is spelled out.
func (p *pageWriter) text(text string) {
	p.out = append(p.out, html.EscapeString(terminal.Escape(text))...)
}

// countOf says how many servers of all are shown.
func countOf(found, all int) string {
	text := strconv.Itoa(found) + " of " + strconv.Itoa(all) + " servers"
	if found > maxShown {
		text += ", of which the first " + strconv.Itoa(maxShown) + " are shown: search for others"
	}
	return text
}
