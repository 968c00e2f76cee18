package format

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// TestWordsOfOtherClients reads entries in the syntax of every client from the file of one: a
// copied entry still means what its author meant.
func TestWordsOfOtherClients(t *testing.T) {
	ix := NewIndex(All())
	read := func(entry string) *mcp.Server {
		doc, err := readText(ix, ".cursor/mcp.json", fmt.Sprintf(`{"mcpServers": {"a": {%s}}}`, entry))
		require.NoError(t, err, entry)
		require.NotNil(t, doc, entry)
		require.Len(t, doc.Servers, 1, entry)
		return doc.Servers[0]
	}
	for _, word := range []string{"command", "cmd", "executable"} {
		assert.Equal(t, "acme", read(fmt.Sprintf("%q: %q", word, "acme")).Launch.Command.Text, word)
	}
	for _, word := range []string{"args", "arguments"} {
		assert.Len(t, read(fmt.Sprintf(`"command": "acme", %q: ["x"]`, word)).Launch.Args, 1, word)
	}
	for _, word := range []string{"env", "environment", "envs"} {
		assert.Len(t, read(fmt.Sprintf(`"command": "acme", %q: {"A": "1"}`, word)).Launch.Env, 1, word)
	}
	for _, word := range []string{"cwd", "working_directory", "workingDirectory", "workdir"} {
		assert.Equal(t, "x", read(fmt.Sprintf(`"command": "acme", %q: "x"`, word)).Launch.Cwd.Text, word)
	}
	for _, word := range []string{"url", "serverUrl", "httpUrl", "uri", "baseUrl", "server_url", "base_url"} {
		assert.Equal(t, "https://acme.dev/mcp", read(fmt.Sprintf(`%q: "https://acme.dev/mcp"`, word)).Launch.URL.Text, word)
	}
	remote := func(member string) *mcp.Server { return read(`"url": "https://acme.dev/mcp", ` + member) }
	for _, word := range []string{"headers", "http_headers", "httpHeaders"} {
		assert.Len(t, remote(fmt.Sprintf(`%q: {"X-Team": "docs"}`, word)).Launch.Headers, 1, word)
	}
	for _, word := range []string{"bearer_token_env_var", "bearerTokenEnv", "bearer_token_env", "bearerTokenEnvVar"} {
		headers := remote(fmt.Sprintf(`%q: "ACME"`, word)).Launch.Headers
		require.Len(t, headers, 1, word)
		assert.Equal(t, "Bearer ${ACME}", headers[0].Value.Text, word)
	}
	for _, word := range []string{"type", "transport", "transportType", "transport_type", "server_type"} {
		assert.Equal(t, "sse", remote(fmt.Sprintf(`%q: "sse"`, word)).Launch.Transport, word)
	}
	for transport, words := range map[string][]string{
		"http": {"http", "streamable-http", "streamableHttp", "streamable_http", "streamable", "http-stream", "httpStream"},
		"sse":  {"sse", "SSE"},
		"ws":   {"ws", "websocket"},
		"":     {"remote"},
	} {
		for _, word := range words {
			assert.Equal(t, transport, remote(fmt.Sprintf(`"type": %q`, word)).Launch.Transport, word)
		}
	}
	for member, isOff := range map[string]bool{
		`"disabled": true`: true, `"disabled": false`: false, `"enabled": false`: true, `"enabled": true`: false, `"enable": false`: true,
	} {
		assert.Equal(t, isOff, remote(member).IsOff(), member)
	}

	// "type" is the word of nearly all clients and has precedence over others, wherever it is;
	// among the others the last one has.
	assert.Equal(t, "sse", remote(`"type": "sse", "transport": "http"`).Type.Text)
	assert.Equal(t, "sse", remote(`"transport": "http", "type": "sse"`).Type.Text)
	assert.Equal(t, "sse", remote(`"transport": "http", "server_type": "sse"`).Type.Text)
}
