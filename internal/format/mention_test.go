package format

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// TestEscapedKeys reads every sample with each letter of its keys as an escape,
// which is the same file to every client.
func TestEscapedKeys(t *testing.T) {
	ix := NewIndex(All())
	for _, s := range samples() {
		want, m := readSample(t, ix, s.file, s.path)
		escaped := withEscapedKeys(t, want.File, m)
		got, err := Read(syntax.NewFile(s.path, escaped), m)
		require.NoError(t, err, "%s\n%s", s.path, escaped)
		require.NotNil(t, got, "%s\n%s", s.path, escaped)
		assert.Equal(t, want.RootKey, got.RootKey, s.path)
		assert.Equal(t, serversOf(want), serversOf(got), "%s\n%s", s.path, escaped)
		assert.Len(t, got.Approvals, len(want.Approvals), s.path)
	}
}

// withEscapedKeys returns a file with its keys in double quotes and their letters
// as escapes. A merge key has no quotes.
func withEscapedKeys(t *testing.T, file *syntax.File, m shape.Match) []byte {
	t.Helper()
	tree, err := m.Format.Parse(new(syntax.Parser), file)
	require.NoError(t, err)
	spans := keys(tree.Root, nil)
	slices.SortFunc(spans, func(a, b syntax.Span) int { return a.Start - b.Start })
	var escaped []byte
	end := 0
	for _, span := range spans {
		written := string(file.Bytes[span.Start:span.End])
		name := strings.Trim(written, `"'`)
		if span.Start < end || written == "<<" || strings.ContainsAny(name, `\?`) {
			continue
		}
		escaped = append(append(escaped, file.Bytes[end:span.Start]...), '"')
		for _, r := range name {
			if r > 0xffff {
				escaped = append(escaped, string(r)...)
				continue
			}
			escaped = fmt.Appendf(escaped, `\u%04x`, r)
		}
		escaped, end = append(escaped, '"'), span.End
	}
	return append(escaped, file.Bytes[end:]...)
}

func serversOf(doc *mcp.Document) []string {
	var list []string
	for _, s := range doc.Servers {
		list = append(list, s.Name+" "+s.Identity.String())
	}
	return list
}

// TestWideFiles reads every sample in an encoding that no client reads. mcplumb reports it for
// every file for which it would report a syntax error.
func TestWideFiles(t *testing.T) {
	ix, reported := NewIndex(All()), 0
	for _, s := range samples() {
		content, err := os.ReadFile(filepath.Join(testdata, filepath.FromSlash(s.file)))
		require.NoError(t, err)
		m, _ := ix.Lookup(s.path)
		content = bytes.TrimPrefix(content, []byte("\ufeff"))
		isReported := Owns(m.Format, syntax.NewFile(s.path, content)) && !m.Sample
		for _, encode := range []func([]byte) []byte{utf16LE, withMark, utf32BE} {
			_, err := Read(syntax.NewFile(s.path, encode(content)), m)
			if isReported {
				assert.ErrorContains(t, err, "save it as UTF-8", s.path)
				reported++
			} else {
				assert.NoError(t, err, s.path)
			}
		}
	}
	assert.Greater(t, reported, 3*60)
}

// utf16LE writes text as UTF-16 without a mark, as far as it is ASCII.
func utf16LE(content []byte) []byte {
	var wide []byte
	for _, c := range content {
		wide = append(wide, c, 0)
	}
	return wide
}

func withMark(content []byte) []byte { return append([]byte("\xff\xfe"), utf16LE(content)...) }

func utf32BE(content []byte) []byte {
	var wide []byte
	for _, c := range content {
		wide = append(wide, 0, 0, 0, c)
	}
	return wide
}

// TestBrokenFiles checks which files that do not parse are reported, in any spelling of the word
// that makes them an MCP configuration.
func TestBrokenFiles(t *testing.T) {
	ix := NewIndex(All())
	for _, test := range []struct {
		path, content string
		isReported    bool
	}{
		{".gemini/settings.json", `{mcpServers: {}}`, true},
		{".gemini/settings.json", `{'mcpServers': {}}`, true},
		{".gemini/settings.json", `{mcpServers": {}}`, true},
		{".gemini/settings.json", "{\n\t\"mcpServers : {}\n}", true},
		{".gemini/settings.json", `{"mcpServers" {}}`, true},
		{".gemini/settings.json", `{“mcpServers”: {}}`, true},
		{".gemini/settings.json", `{"theme": "x" "mcpServer\u0073": {}}`, true},
		{".gemini/settings.json", `{"theme": "x",, }`, false},
		{"mcp.json", `{mcpServers: {}}`, true},
		{"mcp.json", `{servers : {}}`, true},
		{"mcp.json", `{"a": "mcpServers: are not here"`, false},
		{"opencode.json", `{mcp: {}}`, true},
		{"opencode.json", `{'agent': {}}`, false},
		{".vscode/settings.json", `{'mcp': {}}`, true},
		{".vscode/settings.json", `{'chat.mcp.enabled': true}`, false},
		{".vscode/settings.json", "{\n  // the mcp: see there\n  \"a\": [}", false},
		{".claude/settings.json", `{enableAllProjectMcpServers: true}`, true},
		{".claude/settings.json", `{'permissions': {}}`, false},
		{".amazonq/agents/x.json", `{mcpServers: {}}`, true},
		{".codex/config.toml", "[\"mcp_server\\u0073\".a\n", true},
		{".codex/config.toml", "[model\n", false},
		{"mcp.toml", "['mcp_servers'.a\n", true},
		{".continue/config.yaml", "\"mcp\\\n  Servers\": [\n", true},
		{".continue/config.yaml", "\ufeffmodels: [\n", false},
		{"apm.yml", "\ufeffmcp: [\n", true},
		{"apm.yml", "name: my-mcp:\n", false},
		{".claude/agents/x.md", "---\n\"mcpServers\" : [\n---\n", true},
		{".claude/agents/x.md", "---\nname: [\n---\nmcpServers: in the text\n", false},
		{".holodeck/config.yaml", "mcp_servers:\n  - name: [\n", true},
		{".holodeck/config.yaml", "mcp_servers:\n<<<<<<< HEAD\n", true},
		{".holodeck/config.yaml", "providers: [\n", false},
		{"config.yaml", "mcp_servers:\n  - name: a\n    'type': \"mcp\"\n    args: [\n", true},
		{"config.yaml", "mcp_servers:\n  - type:  mcp\n    args: [\n", true},
		{"config.yaml", "mcp_servers:\n  - type: mcp-gateway\n    args: [\n", false},
		{"config.yaml", "mcp_servers:\n  - name: [\n", false},
		{"agent.yaml", "instructions: {inline: a}\ntools:\n  - type: 'mcp'\n    args: [\n", true},
		{"agent.yaml", "instructions: {inline: a}\ntools:\n  - subtype: mcp\n    args: [\n", false},
	} {
		_, err := readText(ix, test.path, test.content)
		assert.Equal(t, test.isReported, err != nil, "%s: %s: %v", test.path, test.content, err)
	}
}

// TestEscapedVariable resolves a path variable whose dollar sign is an escape.
func TestEscapedVariable(t *testing.T) {
	ix := NewIndex(All())
	for _, dollar := range []string{`$`, `\u0024`} {
		doc, err := readText(ix, "a/.cursor/mcp.json", `{"mcpServers": {"x": {"command": "node", "args": ["`+dollar+`{workspaceFolder}/x.js"]}}}`)
		require.NoError(t, err)
		assert.Equal(t, "file:a/x.js", doc.Servers[0].Identity.String())
	}
}
