package lsp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// repository is one with a server in three files of clients, a permission, an agent, a lockfile,
// settings and a text that names it.
func repository() map[string]string {
	return map[string]string{
		".mcp.json": `{
  "mcpServers": {
    "😀 é": {"command": "true"},
    "docs": {"command": "npx", "args": ["-y", "@acme/docs"], "env": {"LEVEL": "info"}}
  }
}
`,
		".cursor/mcp.json":         `{"mcpServers": {"docs": {"command": "npx", "args": ["-y", "@acme/docs@1.2.3"], "env": {"LEVEL": "info"}}}}` + "\n",
		".vscode/mcp.json":         `{"servers": {"docs": {"type": "stdio", "command": "npx", "args": ["-y", "@acme/docs"], "env": {"LEVEL": "info"}}}}` + "\n",
		".claude/settings.json":    `{"permissions": {"allow": ["mcp__docs__search", "mcp__docs"]}, "enabledMcpjsonServers": ["docs"]}` + "\n",
		".claude/agents/reader.md": "---\nname: reader\ntools: mcp__docs__search, Read\n---\nReads.\n",
		".mcplumb.yaml":            "ignore:\n  - rule: insecure-url\n    server: docs\n    reason: it is ours\n",
		"CLAUDE.md":                "Use the `docs` server first.\n",
		"package.json":             `{"name": "x", "dependencies": {"@acme/docs": "1.2.3"}}`,
		"package-lock.json":        `{"name": "x", "lockfileVersion": 3, "packages": {"": {"name": "x", "dependencies": {"@acme/docs": "1.2.3"}}, "node_modules/@acme/docs": {"version": "1.2.3"}}}`,
	}
}

// apply makes an edit as an editor does, in its open documents and on disk, and returns all files
// that changed. It checks that versions are those of the open documents.
func (c *client) apply(e *workspaceEdit) map[string]string {
	c.t.Helper()
	require.NotNil(c.t, e)
	changed := map[string]string{}
	change := func(uri string, edits []textEdit) {
		path, ok := pathOf(uri)
		require.True(c.t, ok, uri)
		content, err := os.ReadFile(path)
		if d := c.open[uri]; d != nil {
			content = d.file.Bytes
		} else if err != nil {
			content = nil
		}
		file := syntax.NewFile("", content)
		s := &server{columns: c.columns()}
		slices.SortStableFunc(edits, func(a, b textEdit) int { return s.offset(file, b.Range.Start) - s.offset(file, a.Range.Start) })
		text, last := string(content), len(content)+1
		for _, e := range edits {
			start, end := s.offset(file, e.Range.Start), s.offset(file, e.Range.End)
			require.LessOrEqual(c.t, end, last, "edits overlap")
			text, last = text[:start]+e.NewText+text[end:], start
		}
		below, err := filepath.Rel(c.dir, path)
		require.NoError(c.t, err)
		changed[filepath.ToSlash(below)] = text
	}
	for uri, edits := range e.Changes {
		change(uri, edits)
	}
	for _, d := range e.DocumentChanges {
		if d.Kind == "create" {
			continue
		}
		if open := c.open[d.TextDocument.URI]; open != nil {
			require.NotNil(c.t, d.TextDocument.Version)
			assert.Equal(c.t, open.version, *d.TextDocument.Version)
		} else {
			assert.Nil(c.t, d.TextDocument.Version)
		}
		change(d.TextDocument.URI, d.Edits)
	}
	return changed
}

// actions returns the code actions at the first place of a text.
func (c *client) actions(name, text string, only ...string) []codeAction {
	c.t.Helper()
	at := c.at(name, text)
	p := at["position"]
	context := map[string]any{"diagnostics": []any{}}
	if len(only) > 0 {
		context["only"] = only
	}
	return call[[]codeAction](c, "textDocument/codeAction", map[string]any{"textDocument": at["textDocument"], "range": map[string]any{"start": p, "end": p}, "context": context})
}

// titled returns the action of a title.
func titled(t *testing.T, actions []codeAction, title string) codeAction {
	t.Helper()
	var titles []string
	for _, a := range actions {
		if strings.Contains(a.Title, title) {
			return a
		}
		titles = append(titles, a.Title)
	}
	require.Fail(t, "no such action", "%s: %s", title, strings.Join(titles, "; "))
	return codeAction{}
}

// TestRename checks that a server gets another name in all files that name it, in one edit, from
// any of them, and that check then finds what it found before.
func TestRename(t *testing.T) {
	for _, from := range [][2]string{{".mcp.json", `"docs"`}, {".cursor/mcp.json", `"docs"`}, {".claude/settings.json", "docs__search"}, {".mcplumb.yaml", "docs"}, {".claude/agents/reader.md", "docs"}} {
		t.Run(from[0], func(t *testing.T) {
			c := connect(t, all, repository())
			c.read(".mcp.json")
			c.read(from[0])
			at := c.at(from[0], from[1])
			assert.Equal(t, "docs", call[prepared](c, "textDocument/prepareRename", at).Placeholder)
			at["newName"] = "manual"
			edit := call[*workspaceEdit](c, "textDocument/rename", at)
			changed := c.apply(edit)
			for name, content := range repository() {
				want := strings.NewReplacer(`"docs"`, `"manual"`, "mcp__docs", "mcp__manual", "server: docs", "server: manual", "`docs`", "`manual`").Replace(content)
				if want == content {
					assert.NotContains(t, changed, name)
				} else {
					assert.Equal(t, want, changed[name], name)
				}
			}
			note := false
			for _, d := range edit.DocumentChanges {
				for _, e := range d.Edits {
					isText := strings.HasSuffix(d.TextDocument.URI, "CLAUDE.md")
					assert.Equal(t, isText, e.Annotation != "", d.TextDocument.URI)
					note = note || isText && edit.Annotations[e.Annotation].NeedsConfirmation
				}
			}
			assert.True(t, note, "a person is asked about the text")
		})
	}
	c := connect(t, few, repository())
	c.read(".mcp.json")
	at := c.at(".mcp.json", `"docs"`)
	at["newName"] = "manual"
	changed := c.apply(call[*workspaceEdit](c, "textDocument/rename", at))
	assert.NotContains(t, changed, "CLAUDE.md", "no one would be asked")
	assert.Len(t, changed, 6)
	at["newName"] = "😀 é"
	_, err := try[any](c, "textDocument/rename", at)
	assert.ErrorContains(t, err, "already uses the new name")
}

// TestShow checks what is shown of a server.
func TestShow(t *testing.T) {
	c := connect(t, all, repository())
	c.read(".mcp.json")
	c.read(".claude/settings.json")
	h := call[hover](c, "textDocument/hover", c.at(".mcp.json", `"docs"`))
	for _, want := range []string{"`docs` runs `npm:@acme/docs`", "no version: the newest one", "read by Claude Code", "also in `.cursor/mcp.json`: another version", "also in `.vscode/mcp.json`: the same", "installed: `1.2.3`"} {
		assert.Contains(t, h.Contents.Value, want)
	}
	assert.Equal(t, `"docs"`, c.slice(".mcp.json", h.Range))
	assert.Contains(t, call[hover](c, "textDocument/hover", c.at(".claude/settings.json", "docs__")).Contents.Value, "npm:@acme/docs")

	places := call[[]location](c, "textDocument/definition", c.at(".claude/settings.json", "docs__"))
	assert.Len(t, places, 3)
	at := c.at(".mcp.json", `"docs"`)
	at["context"] = map[string]any{"includeDeclaration": true}
	assert.Len(t, call[[]location](c, "textDocument/references", at), 3+3+1+1)

	doc := map[string]any{"textDocument": map[string]any{"uri": c.uri(".mcp.json")}}
	symbols := call[[]symbol](c, "textDocument/documentSymbol", doc)
	require.Len(t, symbols, 2)
	assert.Equal(t, "docs", symbols[1].Name)
	assert.Equal(t, "LEVEL", symbols[1].Children[0].Name)
	links := call[[]documentLink](c, "textDocument/documentLink", doc)
	require.Len(t, links, 1)
	assert.Equal(t, "https://www.npmjs.com/package/@acme/docs", links[0].Target)
	doc["range"] = span{End: position{Line: 99}}
	hints := call[[]inlayHint](c, "textDocument/inlayHint", doc)
	require.Len(t, hints, 1)
	assert.Equal(t, "1.2.3", hints[0].Label)
	lenses := call[[]codeLens](c, "textDocument/codeLens", doc)
	require.Len(t, lenses, 1)
	assert.Equal(t, "also in .cursor/mcp.json, .vscode/mcp.json: 1 differs", lenses[0].Command.Title)
}

// TestShowAdvisories checks that advisories about a version are shown without a network, even if
// the settings have no rule report them: about the version that is named, installed or locked.
func TestShowAdvisories(t *testing.T) {
	files := map[string]string{
		".mcplumb.yaml":     "rules:\n  vulnerable-package: off\n",
		".mcp.json":         `{"mcpServers": {"named": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem@0.6.0"]}, "fixed": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem@2.4.0"]}, "remote": {"command": "npx", "args": ["mcp-remote", "https://a.acme.dev/mcp"]}, "git": {"command": "uvx", "args": ["mcp-server-git"]}}}`,
		"mcp-tap.lock":      `{"lockfile_version": 1, "generated_by": "mcp-tap@0.6.9", "generated_at": "2026-02-25T13:35:28.123456Z", "servers": {"git": {"package_identifier": "mcp-server-git", "registry_type": "pypi", "version": "2025.9.1", "integrity": null, "repository_url": "", "config": {"command": "uvx", "args": ["mcp-server-git"], "env_keys": []}, "tools": [], "tools_hash": null, "installed_at": "2026-02-25T13:35:28.123456Z", "verified_at": null, "verified_healthy": false}}}`,
		"package.json":      `{"name": "x", "dependencies": {"mcp-remote": "0.1.0"}}`,
		"package-lock.json": `{"name": "x", "lockfileVersion": 3, "packages": {"": {"name": "x", "dependencies": {"mcp-remote": "0.1.0"}}, "node_modules/mcp-remote": {"version": "0.1.0"}}}`,
	}
	c := connect(t, all, files)
	c.read(".mcp.json")
	shown := func(name string) string {
		return call[hover](c, "textDocument/hover", c.at(".mcp.json", `"`+name+`"`)).Contents.Value
	}
	assert.Regexp(t, "`npm:@modelcontextprotocol/server-filesystem 0.6.0 is vulnerable to [^`]*CVE-2025-5311?[0-9]+[^`]*: update to [^`]+ or later` <https://github.com/", shown("named"))
	assert.Regexp(t, "`npm:mcp-remote 0.1.0 in package-lock.json is vulnerable to [^`]*CVE-2025-6514[^`]*: update to 0.1.16 or later", shown("remote"))
	assert.Contains(t, shown("git"), "`pypi:mcp-server-git 2025.9.1 in mcp-tap.lock is vulnerable to ")
	assert.NotContains(t, shown("fixed"), "vulnerable")
}

// TestHostileNames checks that no name in a repository acts as Markdown in what is shown.
func TestHostileNames(t *testing.T) {
	name := "a`b ![x](https://evil.example/y) <img src=x>\u202e\n"
	text, err := json.Marshal(map[string]any{"mcpServers": map[string]any{name: map[string]any{"command": "npx", "args": []string{"`x`"}}}})
	require.NoError(t, err)
	c := connect(t, all, map[string]string{".mcp.json": string(text)})
	c.read(".mcp.json")
	value := call[hover](c, "textDocument/hover", c.at(".mcp.json", `"command"`)).Contents.Value
	assert.Contains(t, value, "``a`b ![x]")
	assert.NotContains(t, value, "\u202e")
	assert.Contains(t, value, "<img src=x>")
}

// TestActions checks that findings can be fixed and ignored, and servers written for other clients.
func TestActions(t *testing.T) {
	for _, can := range []string{all, strings.Replace(all, `"resolveSupport": {"properties": ["edit"]}`, `"resolveSupport": {}`, 1)} {
		files := map[string]string{
			".mcp.json":        `{"mcpServers": {"docs": {"command": "npx", "args": ["-y", "@acme/docs@1.2.3"]}, "far": {"url": "https://far.example.com/mcp"}}}`,
			".vscode/mcp.json": `{"mcpServers": {"docs": {"command": "npx", "args": ["-y", "@acme/docs@1.2.3"]}}}`,
			".cursor/mcp.json": `{"mcpServers": {}}`,
		}
		c := connect(t, can, files)
		found := c.read(".vscode/mcp.json")
		require.NotEmpty(t, found)
		assert.Equal(t, "wrong-root-key", found[0].Code)
		assert.NotEmpty(t, found[0].Description.Href)
		actions := c.actions(".vscode/mcp.json", `"mcpServers"`)
		fix := actions[0]
		assert.True(t, fix.IsPreferred)
		assert.Equal(t, found[0], fix.Diagnostics[0])
		assert.Equal(t, strings.Replace(files[".vscode/mcp.json"], "mcpServers", "servers", 1), c.apply(fix.Edit)[".vscode/mcp.json"])
		ignore := titled(t, actions, "Ignore wrong-root-key")
		written := c.apply(ignore.Edit)[".mcplumb.yaml"]
		assert.Contains(t, written, "rule: wrong-root-key")
		assert.Contains(t, written, "reason: WHY")
		settings := filepath.Join(c.dir, ".mcplumb.yaml")
		require.NoError(t, os.WriteFile(settings, []byte(written), 0o644))
		assert.Contains(t, strings.Join(checked(t, c.dir), "\n"), "wrong-root-key", "it hides before a reason is written")
		require.NoError(t, os.WriteFile(settings, []byte(strings.Replace(written, "reason: WHY", "reason: by design", 1)), 0o644))
		assert.NotContains(t, strings.Join(checked(t, c.dir), "\n"), "wrong-root-key", "it does not hide what it is about")

		all := c.actions(".vscode/mcp.json", `"mcpServers"`, kindFixAll)
		require.Len(t, all, 1)
		assert.Equal(t, strings.Replace(files[".vscode/mcp.json"], "mcpServers", "servers", 1), c.apply(c.resolve(all[0]).Edit)[".vscode/mcp.json"])

		c.read(".mcp.json")
		write := titled(t, c.actions(".mcp.json", `"docs"`, kindRewrite), "for Cursor")
		now := c.apply(c.resolve(write).Edit)
		require.Len(t, now, 1)
		assert.Contains(t, now[".cursor/mcp.json"], "@acme/docs@1.2.3")
	}
}

// resolve returns an action with its edit.
func (c *client) resolve(a codeAction) codeAction {
	c.t.Helper()
	if a.Edit != nil {
		return a
	}
	return call[codeAction](c, "codeAction/resolve", a)
}

// TestSecrets checks that no answer shows a credential.
func TestSecrets(t *testing.T) {
	token := "ghp_" + strings.Repeat("a1B2c3", 6)
	c := connect(t, all, map[string]string{".mcp.json": fmt.Sprintf(`{"mcpServers": {"docs": {"command": "npx", "args": ["-y", "@acme/docs@1.2.3", "--token", %q], "env": {"TOKEN": %[1]q}}}}`, token)})
	require.NotEmpty(t, c.read(".mcp.json"))
	for _, method := range []string{"hover", "codeAction", "documentSymbol", "codeLens", "documentLink", "inlayHint", "completion"} {
		for _, at := range []string{`"docs"`, `"@acme`, `"TOKEN"`, token} {
			p := c.at(".mcp.json", at)
			p["range"] = map[string]any{"start": p["position"], "end": p["position"]}
			answer, err := json.Marshal(call[any](c, "textDocument/"+method, p))
			require.NoError(t, err)
			assert.NotContains(t, string(answer), token, method)
		}
	}
	said, err := json.Marshal(c.settle())
	require.NoError(t, err)
	assert.NotContains(t, string(said), token)
}
