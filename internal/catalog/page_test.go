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
	"github.com/mcplumb/mcplumb/internal/identity"
)

// TestPage shows what every server is, and finds some of them.
func TestPage(t *testing.T) {
	s := serena()
	s.Names = []string{"my-serena", "serena"}
	s.Integrity, s.Description, s.Repository = "sha256-xdYBI0VniavN7wEjRWeJq83vASNFZ4mrze8BI0VniatN", "Reads code", "https://github.com/acme/serena"
	c := catalogOf(t, s, tavily())
	rows := func(query string) []string {
		a := get(t, c, "/"+query, "")
		require.Equal(t, 200, a.Status)
		require.Equal(t, "text/html; charset=utf-8", header(a, "Content-Type"))
		require.Contains(t, header(a, "Content-Security-Policy"), "default-src 'none'; style-src 'sha256-")
		var all []string
		for _, row := range strings.Split(string(a.Body), "<tbody>")[1:] {
			row, _, _ = strings.Cut(row, "<tr class=\"add\">")
			all = append(all, textOf(t, row))
		}
		return all
	}
	first := "serena also my-serena Reads code uvx serena==1.2.0 --quiet pypi:serena io.github.acme/serena pml.mcp.serena.server.c5d6 PyPI · source " +
		"1.2.0 sha256-xdYBI0Vn… sha256-xdYBI0VniavN7wEjRWeJq83vASNFZ4mrze8BI0VniatN .mcp.json"
	second := "tavily https://mcp.tavily.com/mcp url:https://mcp.tavily.com/mcp io.github.acme/tavily pml.mcp.tavily.server." + httpHash[:4] + " mcp.tavily.com sha256-c5d60123… sha256-" + npmHash + " .mcp.json"
	require.Equal(t, []string{first, second}, rows(""))
	require.Equal(t, []string{first}, rows("?q=MY-ser+1.2"))
	require.Equal(t, []string{first}, rows("?q=reads"))
	require.Equal(t, []string{second}, rows("?q=tavily.com"))
	require.Empty(t, rows("?q=nobody"))
	require.Equal(t, 304, get(t, c, "/", header(get(t, c, "/", ""), "ETag")).Status)
}

// TestPageAddress says at which address clients find the registry, where that is known.
func TestPageAddress(t *testing.T) {
	c := catalogOf(t, serena())
	at := func(address string) string {
		return textOf(t, string(c.Answer(catalog.Request{Method: "GET", Path: "/", Address: address}).Body))
	}
	require.Contains(t, at("http://127.0.0.1:8787"), "The address of this registry, for clients: http://127.0.0.1:8787 Where it is written VS Code: \"chat.mcp.gallery.serviceUrl\": \"http://127.0.0.1:8787\" ")
	require.Contains(t, at("http://127.0.0.1:8787"), " http://127.0.0.1:8787/v0.1/servers ")
	require.Contains(t, at(""), "for clients: https://… (where this page is) ")
	require.Contains(t, textOf(t, string(c.Files("https://catalog.acme.dev")[2].Content)), "for clients: https://catalog.acme.dev Where")
}

// TestPageLinks leads to what is known of a package, an image, an address and a source, and nowhere
// for what is from elsewhere.
func TestPageLinks(t *testing.T) {
	packageOf := func(kind identity.Kind, name, version string) *catalog.Server {
		s := serena()
		s.Kind, s.Package, s.Version = kind, name, version
		return s
	}
	elsewhere, plain, source := serena(), tavily(), packageOf(identity.FileKind, "server.js", "")
	elsewhere.NamesSource = true
	plain.Address = "http://mcp.tavily.com/mcp"
	source.Repository = "javascript:alert(1)"
	for _, test := range []struct {
		server *catalog.Server
		want   []string
	}{
		{packageOf(identity.NPM, "@acme/notes", "1.0.0"), []string{"https://www.npmjs.com/package/@acme/notes/v/1.0.0"}},
		{packageOf(identity.PyPI, "serena", "1.2.0"), []string{"https://pypi.org/project/serena/1.2.0/"}},
		{packageOf(identity.NuGet, "Acme.Notes", "1.0.0"), []string{"https://www.nuget.org/packages/Acme.Notes/1.0.0"}},
		{packageOf(identity.OCI, "docker.io/mcp/fetch", "latest"), []string{"https://hub.docker.com/r/mcp/fetch"}},
		{packageOf(identity.OCI, "docker.io/library/node", "22"), []string{"https://hub.docker.com/_/node"}},
		{packageOf(identity.OCI, "ghcr.io/acme/notes", "1"), []string{"https://ghcr.io/acme/notes"}},
		{packageOf(identity.OCI, "registry.acme.dev/notes", "1"), nil},
		{tavily(), []string{"https://mcp.tavily.com/"}},
		{elsewhere, nil}, {plain, nil}, {source, nil},
	} {
		var found []string
		page, err := html.Parse(bytes.NewReader(get(t, catalogOf(t, test.server), "/", "").Body))
		require.NoError(t, err)
		for n := range page.Descendants() {
			if n.DataAtom == atom.A {
				found = append(found, n.Attr[0].Val)
			}
		}
		require.Equal(t, test.want, found, test.server.Package)
	}
}

// snippetsOf returns what the page of one server says to write, by the names of clients.
func snippetsOf(t *testing.T, s *catalog.Server) map[string]string {
	t.Helper()
	c, _ := catalog.New("acme", at, []*catalog.Server{s}, catalog.Naming{Namespace: "io.github.acme"})
	page, err := html.Parse(bytes.NewReader(get(t, c, "/", "").Body))
	require.NoError(t, err)
	all := map[string]string{}
	for n := range page.Descendants() {
		if n.DataAtom != atom.Pre {
			continue
		}
		note := ""
		if before := n.PrevSibling.PrevSibling; before != nil && before.DataAtom == atom.P {
			note = before.FirstChild.Data + "\n"
		}
		for _, client := range strings.Split(n.Parent.FirstChild.FirstChild.Data, ", ") {
			all[client] = note + n.FirstChild.Data
		}
	}
	return all
}

// TestPageSnippets has for each client the file with the server in its syntax, the package at
// the locked version, and names of variables and headers instead of values.
func TestPageSnippets(t *testing.T) {
	program := snippetsOf(t, serena())
	require.Equal(t, `{
  "mcpServers": {
    "serena": {
      "command": "uvx",
      "args": ["serena==1.2.0", "--quiet"],
      "env": {
        "SERENA_KEY": "${SERENA_KEY}"
      }
    }
  }
}
`, program["Claude Code (.mcp.json)"])
	require.Equal(t, "[mcp_servers.serena]\ncommand = \"uvx\"\nargs = [\"serena==1.2.0\", \"--quiet\"]\nenv_vars = [\"SERENA_KEY\"]\n", program["Codex (.codex/config.toml)"])
	require.Contains(t, program["VS Code (.vscode/mcp.json)"], "{\n  \"servers\": {")
	require.Contains(t, program["Cursor (.cursor/mcp.json)"], `"SERENA_KEY": "${env:SERENA_KEY}"`)
	require.Contains(t, program["Zed (.zed/settings.json)"], "To fill in by hand, since these clients are not known to: SERENA_KEY\n{\n  \"context_servers\"")
	require.Greater(t, len(program), 30)

	remote := snippetsOf(t, tavily())
	require.Contains(t, remote["Claude Code (.mcp.json)"], "\"type\": \"http\",\n      \"url\": \"https://mcp.tavily.com/mcp\",\n      \"headers\": {\n        \"Authorization\": \"${AUTHORIZATION}\"\n")
	require.Contains(t, remote["Codex (.codex/config.toml)"], `env_http_headers = { Authorization = "AUTHORIZATION" }`)

	// An argument that means something else to another client, or contains invisible
	// characters, is not copied.
	for _, args := range [][]string{{"${HOME}/x"}, {"serena==1.2.0", "\u202egnp.exe"}, {"a\nb"}} {
		s := serena()
		s.Args = args
		require.Empty(t, snippetsOf(t, s))
	}
	odd := serena()
	odd.Environment = []string{"A KEY"}
	require.Empty(t, snippetsOf(t, odd))
}

// TestPageOfMany says of the first servers alone what to write for clients: a page of all would
// have several megabytes.
func TestPageOfMany(t *testing.T) {
	var servers []*catalog.Server
	for i := range 250 {
		s := serena()
		s.Name, s.Package = fmt.Sprintf("s%03d", i), fmt.Sprintf("serena%d", i)
		servers = append(servers, s)
	}
	page := string(get(t, catalogOf(t, servers...), "/", "").Body)
	require.Equal(t, 200, strings.Count(page, "to a client</summary>"))
	require.Contains(t, page, "250 of 250 servers, the first 200 with what to write for clients: search for others")
	require.Less(t, len(page), 3<<20)
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

// TestHostileNames checks that names, addresses and a search come out as text: the page has
// its usual tags, and no file gets a path from them.
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
	for _, f := range c.Files("") {
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
			require.Contains(t, []string{"html", "head", "meta", "title", "style", "body", "h1", "form", "label", "input", "button", "p", "table", "thead", "tbody", "tr", "th", "td", "code", "span", "br", "b", "i", "a", "ul", "li", "details", "summary", "pre"}, token.Data)
			for _, attribute := range token.Attr {
				require.Contains(t, []string{"lang", "charset", "name", "content", "http-equiv", "class", "method", "action", "role", "type", "value", "maxlength", "colspan", "rel", "href"}, attribute.Key)
				require.True(t, attribute.Key != "href" || strings.HasPrefix(attribute.Val, "https://"), attribute.Val)
			}
		}
	}
}

// BenchmarkTenThousand makes a catalog of 10,000 servers, which must take less than a second.
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
