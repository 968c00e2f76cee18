package credential_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/linttest"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/source"
)

// issued is text as an issuer's generator makes it; it was never issued.
func issued(n int) string { return strings.Repeat("q7Zx3Wv9Tj1Rb5Nd8Hg2Ym4L", 8)[:n] }

func secretFindings(t *testing.T, files map[string]string) []rule.Finding {
	t.Helper()
	var found []rule.Finding
	for _, f := range linttest.LintFiles(t, files) {
		if f.Rule.ID == "hardcoded-secret" {
			found = append(found, f)
		}
	}
	return found
}

// TestSecretOfAKnownForm finds a token in every place, in files of every kind, and shows only its
// prefix.
func TestSecretOfAKnownForm(t *testing.T) {
	token := "ghp_" + issued(36)
	for path, content := range map[string]string{
		".mcp.json":                   `{"mcpServers": {"a": {"command": "a", "env": {"X": "TOKEN"}}}}`,
		".cursor/mcp.json":            `{"mcpServers": {"a": {"command": "a", "description": "with TOKEN"}}}`,
		".vscode/mcp.json":            "{\n// was TOKEN\n\"servers\": {\"a\": {\"command\": \"a\"}}}",
		".codex/config.toml":          "[mcp_servers.a]\ncommand = \"a\" # TOKEN\n",
		"librechat.yaml":              "mcpServers:\n  a:\n    command: a\n    args: [-x, 'y=TOKEN']\n",
		".gemini/settings.json":       `{"mcpServers": {"a": {"httpUrl": "https://a.acme.dev/TOKEN/mcp"}}}`,
		"opencode.json":               `{"mcp": {"a": {"type": "local", "command": ["a", "TOKEN"]}}}`,
		".github/agents/a.agent.md":   "---\nname: a\nmcp-servers:\n  a:\n    type: local\n    command: a\n    args: ['TOKEN']\n---\n",
		"examples/.mcp.json":          `{"mcpServers": {"a": {"command": "a", "env": {"X": "TOKEN"}}}}`,
		"tests/fixtures/.mcp.json":    `{"mcpServers": {"a": {"command": "a", "env": {"X": "TOKEN"}}}}`,
		"server.json":                 `{"name": "io.github.acme/a", "description": "TOKEN", "version": "1.0.0", "packages": [{"registryType": "npm", "identifier": "a", "version": "1.0.0", "transport": {"type": "stdio"}}]}`,
		".claude/agents/a.md":         "---\nname: a\n# was TOKEN\nmcpServers:\n  a:\n    command: a\n---\nText.\n",
		".claude/agents/b.md":         "+++\nname = 'a'\n# was TOKEN\n[mcpServers.a]\ncommand = 'a'\n+++\nText.\n",
		".claude/agents/c.md":         "---\nname: a\n# was TOKEN\nmcpServers:\n  a:\n    command: a\n...\nText.\n",
		".claude/agents/d.md":         "---\nname: a\nmcpServers: [b]\n---\n```\ncurl -H 'Authorization: Bearer TOKEN'\n```\n",
		".claude/commands/a.md":       "---\nallowed-tools: mcp__a__b\n---\nLog in with TOKEN.\n",
		".github/prompts/a.prompt.md": "---\ntools: ['a/b']\n---\nLog in with TOKEN.\n",
		".goose/config.yaml":          "TOKEN: 1\nextensions:\n  a: {name: a, type: stdio, cmd: a, args: [], enabled: true}\n",
		".pml/mcp.lock":               `{"entries": {}, "note": "TOKEN"}`,
	} {
		found := secretFindings(t, map[string]string{path: strings.ReplaceAll(content, "TOKEN", token)})
		require.Len(t, found, 1, path)
		f := found[0]
		assert.Equal(t, token, string(f.File.Bytes[f.Span.Start:f.Span.End]), path)
		assert.Contains(t, f.Text(), "(ghp_***), which everyone with access to the repository can read: revoke it", path)
		assert.NotContains(t, f.Text(), issued(8), path)
	}
}

// TestSecretThatIsNone stays silent where a token is public, made up or part of
// something else.
func TestSecretThatIsNone(t *testing.T) {
	jwt := func(claims string) string {
		encode := base64.RawURLEncoding.EncodeToString
		return encode([]byte(`{"alg":"HS256"}`)) + "." + encode([]byte(claims)) + "." + issued(43)
	}
	entry := func(value string) map[string]string {
		return map[string]string{".mcp.json": `{"mcpServers": {"a": {"command": "a", "env": {"A_KEY": "` + value + `"}}}}`}
	}
	require.Len(t, secretFindings(t, entry(jwt(`{"iss":"supabase","role":"service_role","exp":2000000000}`))), 1)
	require.Len(t, secretFindings(t, entry("AK"+"IA"+"Q7ZX3WV2TJ4RB5ND")), 1)
	require.Len(t, secretFindings(t, entry("h"+"f_"+"qZxWvTjRbNdHgYmLkPsUcXeAfQoDkVtByJz")), 1)
	for _, value := range []string{
		jwt(`{"iss":"supabase","role":"anon","exp":2000000000}`),
		jwt(`{"iss":"supabase-demo","role":"service_role","exp":1983812996}`),
		"pk." + jwt(`{"u":"acme"}`),
		"AK" + "IA" + "IOSFODNN7EXAMPLE",
		"ghp_" + strings.Repeat("abcdefghij1234567890", 2)[:36],
		"ghp_test" + issued(32),
		"sk-your-openai-key-goes-in-here-2024",
		"sk-ant-REDACTED" + "-0000000000000000000000",
		"sha512-ab/BSA" + issued(40),
		"sk-learn-pipeline-v2-for-tabular-data",
	} {
		assert.Empty(t, secretFindings(t, entry(value)), value)
	}
}

// TestSecretInTheTextOfAnAgent checks that a text is not looked through for what only a
// name tells, nor for what people write to show what a token looks like.
func TestSecretInTheTextOfAnAgent(t *testing.T) {
	for _, line := range []string{
		"export API_KEY=" + issued(32), "password: " + issued(20), "a token begins with ghp_", "ghp_" + strings.Repeat("x", 36),
		"grep -E 'AKIA[0-9A-Z]{16}|ghp_[A-Za-z0-9]{36}'", "sk-ant-api03-...", "sk-1234567890" + "abcdef1234567890abcdef",
		"-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----", "sk_" + "test_" + "4eC39HqLyjWDarjtT1zdp7dc",
	} {
		assert.Empty(t, secretFindings(t, map[string]string{".claude/commands/a.md": "---\nallowed-tools: mcp__a__b\n---\n" + line + "\n"}), line)
	}
}

// TestSecretIsReportedOnce reports one credential once, and credentials that differ apart, also by
// their fingerprints.
func TestSecretIsReportedOnce(t *testing.T) {
	one, other := "ghp_"+issued(36), "ghp_"+issued(37)[1:]
	files := map[string]string{}
	for _, dir := range []string{"", "a/", "b/"} {
		files[dir+".mcp.json"] = `{"mcpServers": {"a": {"command": "a", "env": {"ONE": "` + one + `", "AGAIN": "` + one + `"}}}}`
	}
	files["a/.cursor/mcp.json"] = `{"mcpServers": {"a": {"command": "a", "env": {"ONE": "` + one + `", "OTHER": "` + other + `"}}}}`
	found := secretFindings(t, files)
	require.Len(t, found, 2)
	assert.Len(t, found[0].Related, 6)
	assert.Empty(t, found[1].Related)
	assert.NotEqual(t, found[0].Fingerprint(&secret.Spans{}), found[1].Fingerprint(&secret.Spans{}))
}

// TestSecretAgainAlone checks that, if only one file is requested, a credential that is evident
// only from another file says so.
func TestSecretAgainAlone(t *testing.T) {
	key := "6f1b2c3d-4e5f-4a6b" + "-8c7d-9e0f1a2b3c4d"
	result, err := lint.Run(t.Context(), lint.Options{Targets: []string{".cursor/mcp.json"}, Source: source.Memory(map[string]string{
		".mcp.json":        `{"mcpServers": {"a": {"command": "a-mcp", "env": {"A_TOKEN": "` + key + `"}}}}`,
		".cursor/mcp.json": `{"mcpServers": {"b": {"command": "b-mcp", "args": ["` + key + `"]}}}`,
	})})
	require.NoError(t, err)
	require.Len(t, result.Findings, 1)
	f := result.Findings[0]
	assert.Equal(t, `an argument of "b" contains the credential of the variable A_TOKEN of "a", which everyone with access to the repository can read: revoke it, then write ${env:A_TOKEN} in its place`, f.Text())
	require.Len(t, f.Related, 1)
	assert.Equal(t, ".mcp.json", f.Related[0].File.Path)
}
