package report

import (
	"bufio"
	"crypto/sha256"
	_ "embed" // for the page
	"encoding/base64"
	"encoding/json"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/fleet"
	"github.com/mcplumb/mcplumb/internal/look"
	"github.com/mcplumb/mcplumb/internal/terminal"
	"github.com/mcplumb/mcplumb/internal/view"
)

// The parts of the page: what is shown, how it looks, and what fills it from the data.
var (
	//go:embed fleet_page.html
	fleetPageTemplate string
	//go:embed fleet_page.css
	fleetPageStyle string
	//go:embed fleet_page.js
	fleetPageScript string
)

// fleetHTML writes one page that needs nothing else: style, script and data are in it, and
// its policy lets a browser run just that script and send no request.
func fleetHTML(w io.Writer, f *fleet.Fleet, tool view.Tool) error {
	page, err := template.New("fleet_page.html").Parse(fleetPageTemplate)
	if err != nil {
		return err
	}
	style := look.CSS() + fleetPageStyle
	parts := struct {
		Style                 template.CSS
		Script                template.JS
		StyleHash, ScriptHash string
	}{template.CSS(style), template.JS(fleetPageScript), hashOf(style), hashOf(fleetPageScript)} //nolint:gosec // nothing of a repository
	out := bufio.NewWriterSize(w, 1<<16)
	if err := page.ExecuteTemplate(out, "start", parts); err != nil {
		return err
	}
	out.WriteString("<script type=\"application/json\" id=\"data\">")
	if err := writePageData(out, f, tool); err != nil {
		return err
	}
	out.WriteString("</script>\n")
	if err := page.ExecuteTemplate(out, "end", parts); err != nil {
		return err
	}
	return out.Flush()
}

// hashOf returns a text as a policy names it (CSP 3, "hash-source").
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// pageData writes a fleet as the page reads it: every text once, in the list "texts", and rows
// of numbers, which refer to texts where the page has a text. Its fields are those that
// fleet_page.js names.
type pageData struct {
	out   *bufio.Writer
	index map[string]int
	texts []string
	rows  int // of the list
}

// Bits of a server's row.
const (
	pageDisabled = 1 << iota
	pageUnpinned
	pageNew
	pageFirst
)

func writePageData(out *bufio.Writer, f *fleet.Fleet, tool view.Tool) error {
	p := &pageData{out: out, index: map[string]int{}}
	p.text("")
	p.list(`{"repositories":`)
	at := map[string]int{}
	for i, r := range f.Repositories {
		at[r.Repository] = i
		p.row(p.text(r.Repository), p.text(strings.TrimSuffix(r.URL, "/")), p.text(r.Commit), p.text(r.Time), p.text(r.Failed), p.text(r.Read), len(r.Servers))
	}
	p.end()
	p.servers(f)
	p.findings(f)
	p.usages(f)
	p.orgFindings(f, at)
	p.problems(f, at)
	p.changes(f.Changes, at)
	p.rules(f)
	out.WriteString(`,"texts":`)
	encoder := json.NewEncoder(out) // which writes < as \u003c: nothing ends the element
	if err := encoder.Encode(p.texts); err != nil {
		return err
	}
	out.WriteString(`,"summary":`)
	summary := f.Summary()
	summary.Rules = nil // the page has their findings
	if err := encoder.Encode(summary); err != nil {
		return err
	}
	out.WriteString(`,"tool":`)
	if err := encoder.Encode(terminal.Escape(tool.Name + " " + tool.Version)); err != nil {
		return err
	}
	return out.WriteByte('}')
}

// text returns the number of a text, in which what is invisible is spelled out.
func (p *pageData) text(text string) int {
	n, known := p.index[text]
	if !known {
		n = len(p.texts)
		p.index[text] = n
		p.texts = append(p.texts, terminal.Escape(text))
	}
	return n
}

// list begins a list of rows with the text before it.
func (p *pageData) list(before string) {
	p.out.WriteString(before)
	p.out.WriteByte('[')
	p.rows = 0
}

func (p *pageData) end() { p.out.WriteByte(']') }

// row writes numbers as a row of the list.
func (p *pageData) row(numbers ...int) {
	p.between()
	var buffer [24]byte
	for i, n := range numbers {
		separator := byte(',')
		if i == 0 {
			separator = '['
		}
		p.out.WriteByte(separator)
		p.out.Write(strconv.AppendInt(buffer[:0], int64(n), 10))
	}
	p.out.WriteByte(']')
}

func (p *pageData) between() {
	if p.rows > 0 {
		p.out.WriteString(",\n")
	}
	p.rows++
}

func (p *pageData) servers(f *fleet.Fleet) {
	fresh := map[*fleet.Server]int{}
	if f.Changes != nil {
		for i := range f.Changes.New {
			c := &f.Changes.New[i]
			fresh[c.Server] = pageNew
			if c.IsFirst {
				fresh[c.Server] |= pageFirst
			}
		}
	}
	p.list(`,"servers":`)
	for i, r := range f.Repositories {
		rules := rulesOf(r)
		for j := range r.Servers {
			s := &r.Servers[j]
			bits := fresh[s]
			version := s.Pinned()
			if s.IsPackage() && version == "" {
				bits |= pageUnpinned
			}
			if version == "" {
				version = s.Version
			}
			if s.Disabled {
				bits |= pageDisabled
			}
			p.row(i, p.text(s.Name), p.text(s.Title()), p.text(s.Identity), p.text(version), p.text(strings.Join(s.Clients, " ")),
				p.text(strings.Join(rules[[2]string{s.Path, s.Name}], " ")), p.text(s.Path), s.Line, bits)
		}
	}
	p.end()
}

// findings writes errors and warnings, and the notes that a table of its own is of.
func (p *pageData) findings(f *fleet.Fleet) {
	p.list(`,"findings":`)
	for i, r := range f.Repositories {
		for j := range r.Findings {
			found := &r.Findings[j]
			if found.Severity == "note" && !slices.Contains([]string{"hardcoded-secret", "malicious-package", "unapproved-server"}, found.Rule) {
				continue
			}
			bits := 0
			if f.Changes.IsNew(found) {
				bits = pageNew
			}
			p.row(i, p.text(found.Rule), p.text(found.Severity), p.text(shorten(found.Message, maxMarkdownText)), p.text(found.Server), p.text(found.Identity), p.text(found.Path),
				found.Line, 1+len(found.Related)+found.MoreRelated, bits, p.text(found.Fingerprint))
		}
	}
	p.end()
}

// usages writes what runs: an identity, the repository that it is of if it is local, entries,
// repositories, those without a version, and how many versions and names there are, with the
// most frequent ones.
func (p *pageData) usages(f *fleet.Fleet) {
	p.list(`,"usages":`)
	for _, u := range f.Usages() {
		p.row(p.text(u.Identity), p.text(u.Repository), u.Servers, u.Repositories, u.Unpinned, len(u.Versions), p.text(pageCounts(u.Versions)), len(u.Names), p.text(pageCounts(u.Names)))
	}
	p.end()
}

// maxPageCounts is how many texts of a cell are named.
const maxPageCounts = 12

// pageCounts returns texts with the numbers of repositories.
func pageCounts(counts []fleet.Count) string {
	var texts []string
	for _, c := range counts[:min(len(counts), maxPageCounts)] {
		texts = append(texts, c.Text+" ×"+strconv.Itoa(c.Repositories))
	}
	if more := len(counts) - maxPageCounts; more > 0 {
		texts = append(texts, strconv.Itoa(more)+" more")
	}
	return strings.Join(texts, ", ")
}

// orgFindings writes what the rules over the fleet have found: rule, severity, message, how
// many repositories, name and identity, and then three numbers for each place.
func (p *pageData) orgFindings(f *fleet.Fleet, at map[string]int) {
	p.list(`,"org":`)
	for _, f := range f.Findings {
		numbers := []int{p.text(f.Rule), p.text(f.Severity), p.text(f.Message), f.Repositories, p.text(f.Name), p.text(f.Identity)}
		for _, place := range f.Places {
			numbers = append(numbers, at[place.Record.Repository], p.text(place.Server.Path), place.Server.Line)
		}
		p.row(numbers...)
	}
	p.end()
}

// problems writes what could not be read: a repository or -1, a path and why.
func (p *pageData) problems(f *fleet.Fleet, at map[string]int) {
	p.list(`,"problems":`)
	for _, problem := range f.Unread {
		p.row(-1, p.text(problem.Path), p.text(problem.Message))
	}
	for _, r := range f.Repositories {
		if r.Failed != "" {
			p.row(at[r.Repository], p.text(""), p.text(r.Failed))
		}
		for _, problem := range r.Errors {
			p.row(at[r.Repository], p.text(problem.Path), p.text(problem.Message))
		}
		for _, notice := range r.Notices {
			p.row(at[r.Repository], p.text(""), p.text(notice))
		}
	}
	p.end()
}

// rules writes the rules of findings with the addresses of their pages, and their severity for
// security.
func (p *pageData) rules(f *fleet.Fleet) {
	p.list(`,"rules":`)
	seen := map[string]bool{}
	for _, r := range f.Repositories {
		for i := range r.Findings {
			id := r.Findings[i].Rule
			if rule := checks.ByID(id); !seen[id] && rule != nil {
				score, _ := strconv.ParseFloat(rule.Meta().SecuritySeverity, 64) // of 10, 0 for none
				p.row(p.text(id), p.text(rule.URL()), int(score*10), p.text(rule.WrongURL("")))
			}
			seen[id] = true
		}
	}
	p.end()
}

// changes writes servers with their changes: the name of the repository, which may no longer
// exist, and the versions before and now; and then repositories, without a server.
func (p *pageData) changes(c *fleet.Changes, at map[string]int) {
	if c == nil {
		return
	}
	p.list(`,"changes":`)
	for _, kind := range []struct {
		what string
		all  []fleet.Change
	}{{"new", c.New}, {"changed", c.Versions}, {"gone", c.Gone}} {
		for i := range kind.all {
			change := &kind.all[i]
			s, where := change.Server, -1
			if kind.what != "gone" {
				where = at[change.Record.Repository]
			}
			what := kind.what
			if change.IsFirst {
				what = "new first"
			}
			p.row(p.text(what), where, p.text(change.Record.Repository), p.text(s.Name), p.text(s.Title()), p.text(s.Identity), p.text(change.Before), p.text(s.Version), p.text(s.Path), s.Line)
		}
	}
	p.repositories("new-repository", c.NewRepositories, at)
	p.repositories("gone-repository", c.GoneRepositories, at)
	p.end()
	p.list(`,"moved":`)
	p.row(len(c.NewRepositories), len(c.GoneRepositories), c.NewFindings, c.GoneFindings, p.text(c.UpdatedFrom))
	p.end()
}

// repositories writes repositories that came or went as changes.
func (p *pageData) repositories(what string, names []string, at map[string]int) {
	none := p.text("")
	for _, name := range names {
		where, is := at[name]
		if !is {
			where = -1
		}
		p.row(p.text(what), where, p.text(name), none, none, none, none, none, none, 0)
	}
}
