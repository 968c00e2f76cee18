package catalog_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/mcplumb/mcplumb/internal/catalog"
)

// TestPage shows what every server is, and finds some of them.
func TestPage(t *testing.T) {
	s := serena()
	s.Names = []string{"my-serena", "serena"}
	c := catalogOf(t, s, tavily())
	rows := func(query string) []string {
		a := get(t, c, "/"+query, "")
		require.Equal(t, 200, a.Status)
		require.Equal(t, "text/html; charset=utf-8", header(a, "Content-Type"))
		require.Contains(t, header(a, "Content-Security-Policy"), "default-src 'none'; style-src 'sha256-")
		var all []string
		for _, row := range strings.Split(string(a.Body), "<tr><td>")[1:] {
			all = append(all, textOf(t, row))
		}
		return all
	}
	first := "serena also my-serena pypi:serena io.github.acme/serena pml.mcp.serena.server.c5d6 1.2.0 sha256-" + npmHash + " .mcp.json"
	second := "tavily url:https://mcp.tavily.com/mcp io.github.acme/tavily pml.mcp.tavily.server." + httpHash[:4] + " sha256-" + httpHash + " .mcp.json"
	require.Equal(t, []string{first, second}, rows(""))
	require.Equal(t, []string{first}, rows("?q=MY-ser+1.2"))
	require.Equal(t, []string{second}, rows("?q=tavily.com"))
	require.Empty(t, rows("?q=nobody"))
	require.Equal(t, 304, get(t, c, "/", header(get(t, c, "/", ""), "ETag")).Status)
}

// TestPagePolicy lets a browser use the style that the page has, by the header and by the
// page itself.
func TestPagePolicy(t *testing.T) {
	a := get(t, catalogOf(t, serena()), "/", "")
	page, err := html.Parse(bytes.NewReader(a.Body))
	require.NoError(t, err)
	var style, policy string
	for n := range page.Descendants() {
		switch n.DataAtom {
		case atom.Style:
			style = n.FirstChild.Data
		case atom.Meta:
			if n.Attr[0].Val == "Content-Security-Policy" {
				policy = n.Attr[1].Val
			}
		}
	}
	sum := sha256.Sum256([]byte(style))
	require.Contains(t, policy, "style-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"';")
	require.True(t, strings.HasPrefix(header(a, "Content-Security-Policy"), policy))
}

// textOf returns the text of a piece of HTML, with one space where tags are.
func textOf(t *testing.T, page string) string {
	t.Helper()
	var words []string
	z := html.NewTokenizer(strings.NewReader(page))
	for z.Next() != html.ErrorToken {
		if token := z.Token(); token.Type == html.TextToken {
			words = append(words, strings.Fields(token.Data)...)
		}
	}
	return strings.Join(words, " ")
}

// hostile are texts that would be more than texts in HTML, in a header or in a path.
var hostile = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `'><svg/onload=alert(1)>`, `</title><script>1</script>`,
	"\u202egnp.exe", "a\r\nSet-Cookie: b=c", "../../etc/passwd", "a/../../b", "%2e%2e%2f", "&lt;b&gt;", "\x00", "\xff\xfe", "javascript:alert(1)",
}

// TestHostileNames holds that what stands in names, addresses and a search comes out as
// text: the page has the tags that it always has, and no file has a path of theirs.
func TestHostileNames(t *testing.T) {
	var servers []*catalog.Server
	for i, text := range hostile {
		s := serena()
		s.Name, s.Names, s.Files, s.Package, s.Version, s.Selector = text, []string{text, "x" + text}, []string{text}, text+fmt.Sprint(i), text, []string{text}
		s.Args, s.Own, s.Environment, s.Tools, s.Repository = []string{text}, []string{text}, []string{text}, []string{text}, text
		servers = append(servers, s)
		h := tavily()
		h.Name, h.Package, h.Address, h.Headers = "x"+text, text+"h", "https://acme.dev/"+text, []string{text}
		servers = append(servers, h)
	}
	servers = append(servers, serena())
	c, _ := catalog.New(hostile[0], at, servers, catalog.Naming{Namespace: "io.github.acme"})
	pages := [][]byte{}
	for _, text := range append(hostile, "") {
		a := c.Answer(catalog.Request{Method: "GET", Path: "/", Query: map[string][]string{"q": {text}}})
		pages = append(pages, a.Body)
	}
	for _, f := range c.Files() {
		require.Regexp(t, `^(index\.html|(mcp|api/registry)/(index\.html|[a-zA-Z0-9_.-]+)|v0\.1/servers/(index\.html|[a-z0-9.]+/[a-zA-Z0-9_-]+([._-]+[a-zA-Z0-9]+)*/versions/(index\.html|[a-zA-Z0-9][a-zA-Z0-9.+_!-]*)))$`, f.Path)
		require.NotContains(t, f.Path, "..")
		pages = append(pages, f.Content)
	}
	for _, page := range pages {
		require.False(t, bytes.Contains(page, []byte("\u202e")) && bytes.HasPrefix(page, []byte("<!DOCTYPE")), "the direction of the page turns")
		z := html.NewTokenizer(bytes.NewReader(page))
		for z.Next() != html.ErrorToken {
			token := z.Token()
			if token.Type != html.StartTagToken && token.Type != html.SelfClosingTagToken {
				continue
			}
			require.Contains(t, []string{"html", "head", "meta", "title", "style", "body", "h1", "form", "label", "input", "button", "p", "table", "thead", "tbody", "tr", "th", "td", "code", "span", "br"}, token.Data)
			for _, attribute := range token.Attr {
				require.Contains(t, []string{"lang", "charset", "name", "content", "http-equiv", "class", "method", "action", "role", "type", "value", "maxlength"}, attribute.Key)
			}
		}
	}
}

// BenchmarkTenThousand makes a catalogue of 10,000 servers, which is to take less than a
// second.
func BenchmarkTenThousand(b *testing.B) {
	var servers []*catalog.Server
	for i := range 10_000 {
		s := serena()
		if i%2 == 0 {
			s = tavily()
		}
		s.Name = fmt.Sprintf("server%d", i)
		s.Package = fmt.Sprintf("%s%d", s.Package, i)
		servers = append(servers, s)
	}
	for b.Loop() {
		if c, left := catalog.New("acme", at, servers, catalog.Naming{Namespace: "io.github.acme"}); c.Len() != 10_000 || len(left) > 0 {
			b.Fatal(left)
		}
	}
}
