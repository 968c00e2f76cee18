package main

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	xhtml "golang.org/x/net/html"
)

// maxComment is the longest comment that GitHub takes.
const maxComment = 65_536

// render returns GitHub Flavored Markdown as a tree of HTML. It keeps raw HTML, so that any
// that a report let through is visible.
func render(text string) (*xhtml.Node, error) {
	var out bytes.Buffer
	gfm := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	if err := gfm.Convert([]byte(text), &out); err != nil {
		return nil, err
	}
	return xhtml.Parse(&out)
}

// checkMarkdown renders the report: it has a row for every finding, and nothing
// in it is more than text.
func checkMarkdown(r *reports, content []byte) error {
	if len(content) >= maxComment {
		return fmt.Errorf("%d bytes: GitHub takes no comment of that size", len(content))
	}
	page, err := render(string(content))
	if err != nil {
		return err
	}
	links := map[string]bool{}
	for _, f := range r.Findings {
		links["https://github.com/mcplumb/mcplumb/blob/main/docs/rules/"+f.Rule+".md"] = true
		links[wrongURL(f)] = true
	}
	if err := checkPage(page, links); err != nil {
		return err
	}
	rows := map[string]int{}
	total := 0
	each(page, func(n *xhtml.Node) {
		if n.Data == "tr" && n.Parent.Data == "tbody" {
			cells := cellsOf(n)
			rows[strings.Join(cells, "\t")]++
			total++
		}
	})
	if total != len(r.Findings) && !bytes.Contains(content, []byte("left out**")) {
		return fmt.Errorf("%d rows for %d findings", total, len(r.Findings))
	}
	for _, f := range r.Findings {
		// Related places follow the message in its cell. A bar after a backslash is
		// spelled out, since no cell of a table can hold the two.
		row := strings.Join([]string{f.Severity, fmt.Sprintf("%d:%d", f.Line, f.Column), f.problem() + remedy(f), f.Rule + " (wrong?)"}, "\t")
		if len(f.Related) == 0 && isPlain(f.Message) && !strings.Contains(f.Message, `\|`) && len(f.Message) <= 500 && rows[row] == 0 && total == len(r.Findings) {
			return fmt.Errorf("no row is %q", row)
		}
	}
	return nil
}

// wrongURL is the form for a finding that is wrong, with rule and fingerprint filled in.
func wrongURL(f finding) string {
	return "https://github.com/mcplumb/mcplumb/issues/new?fingerprint=" + f.Fingerprint + "&rule=" + f.Rule + "&template=wrong-finding.yml"
}

// remedy is the text after the message of a finding: its fix, or else its help, and its
// link.
func remedy(f finding) string {
	lines := ""
	switch {
	case len(f.Fixes) > 0:
		lines = "fix: " + f.Fixes[0].Title
		if f.Fixes[0].Safety == "unsafe" {
			lines += " (unsafe)"
		}
	case f.Help != "":
		lines = "help: " + f.Help
	}
	if f.See != "" {
		lines += "see: " + f.See
	}
	return lines
}

// cellsOf returns the texts of a row's cells.
func cellsOf(row *xhtml.Node) []string {
	var cells []string
	for cell := row.FirstChild; cell != nil; cell = cell.NextSibling {
		if cell.Data == "td" {
			var text strings.Builder
			each(cell, func(n *xhtml.Node) {
				if n.Type == xhtml.TextNode {
					text.WriteString(n.Data)
				}
			})
			cells = append(cells, text.String())
		}
	}
	return cells
}

// checkPage holds that a page has only the elements of a report, only the links it may
// have, and no text that GitHub or GitLab would turn into a mention, a reference, a
// picture, or a link.
func checkPage(page *xhtml.Node, links map[string]bool) (err error) {
	allowed := regexp.MustCompile(`^(html|head|body|h3|h4|p|br|a|code|strong|sub|ul|li|table|thead|tbody|tr|th|td|details|summary)$`)
	reference := regexp.MustCompile(`@|#\d|![0-9]|://|www\.\w|:[a-z0-9_+-]+:|[A-Z]+-\d|\b[0-9a-f]{7,}\b|[*_~\\]`)
	each(page, func(n *xhtml.Node) {
		switch {
		case err != nil:
		case n.Type == xhtml.ElementNode && !allowed.MatchString(n.Data):
			err = fmt.Errorf("it has an element <%s>", n.Data)
		case n.Type == xhtml.CommentNode || n.Type == xhtml.DoctypeNode:
			err = fmt.Errorf("it has a comment %q", n.Data)
		case n.Type == xhtml.ElementNode:
			for _, a := range n.Attr {
				if n.Data != "a" || a.Key != "href" || !links[a.Val] {
					err = fmt.Errorf("<%s> has %s=%q", n.Data, a.Key, a.Val)
				}
			}
		case n.Type == xhtml.TextNode && !isWithin(n, "code") && n.Data != signature && reference.MatchString(n.Data):
			err = fmt.Errorf("the text %q is more than text", n.Data)
		}
	})
	return err
}

// signature is what reviewdog itself adds to every comment.
const signature = " :dog:"

func isWithin(n *xhtml.Node, element string) bool {
	for n = n.Parent; n != nil; n = n.Parent {
		if n.Data == element {
			return true
		}
	}
	return false
}

// each visits a tree of HTML.
func each(n *xhtml.Node, visit func(*xhtml.Node)) {
	visit(n)
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		each(child, visit)
	}
}
