package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
)

// TestLock locks, says that it is in step, says what is not after a change, and writes
// nothing where nothing changed.
func TestLock(t *testing.T) {
	r := newRegistries(t)
	dir := t.TempDir()
	write(t, dir, ".mcp.json", started("npx", "-y", "notes"))
	write(t, dir, ".mcplumb.yaml", r.settings())

	code, stdout, _ := run(t, dir, "lock", "--check")
	require.Equal(t, 1, code)
	require.Equal(t, "there is no mcplumb.lock: mcplumb lock writes one\nnpm:notes is configured and not locked\n", stdout)

	code, stdout, stderr := run(t, dir, "lock", "--online")
	require.Equal(t, 0, code, stdout+stderr)
	require.Equal(t, "mcplumb.lock: 1 server locked, 1 change\n", stdout)
	locked := read(t, dir, "mcplumb.lock")
	require.Equal(t, `# What the MCP servers of this repository are. mcplumb lock writes this file: do not edit it.
version = 1

[[server]]
identity = 'npm:notes'
names = ['notes']
files = ['.mcp.json']
version = '1.1.0'
integrity = 'sha512-of-1.1.0'
`, locked)

	for _, command := range [][]string{{"lock"}, {"lock", "--check"}, {"lock", "--online"}} {
		code, stdout, _ = run(t, dir, command...)
		require.Equal(t, 0, code)
		require.Equal(t, "mcplumb.lock is in step: 1 server\n", stdout)
		require.Equal(t, locked, read(t, dir, "mcplumb.lock"))
	}

	write(t, dir, ".cursor/mcp.json", started("npx", "-y", "notes"))
	write(t, dir, ".mcp.json", strings.Replace(started("npx", "-y", "notes"), `"notes": {`, `"my-notes": {`, 1))
	code, stdout, _ = run(t, dir, "lock", "--check")
	require.Equal(t, 1, code)
	require.Equal(t, "npm:notes 1.1.0: files is .cursor/mcp.json, .mcp.json, and was .mcp.json\nnpm:notes 1.1.0: names is my-notes, notes, and was notes\n", stdout)
}

// TestLockFindsAnotherHash holds that a hash which is locked is not written over.
func TestLockFindsAnotherHash(t *testing.T) {
	r := newRegistries(t)
	dir := t.TempDir()
	write(t, dir, ".mcp.json", started("npx", "-y", "notes@1.1.0"))
	write(t, dir, ".mcplumb.yaml", r.settings())
	run(t, dir, "lock", "--online")
	swapped := strings.Replace(read(t, dir, "mcplumb.lock"), "sha512-of-1.1.0", "sha512-of-another", 1)
	write(t, dir, "mcplumb.lock", swapped)
	for _, command := range [][]string{{"lock", "--online"}, {"lock", "--online", "--check"}} {
		code, stdout, _ := run(t, dir, command...)
		require.Equal(t, 1, code)
		require.Contains(t, stdout, ".mcp.json: notes: the registry has sha512-of-1.1.0 for 1.1.0 now, and sha512-of-another is locked: that may be an attack")
		require.Equal(t, swapped, read(t, dir, "mcplumb.lock"))
	}
}

// TestLockLosesNothing holds that a file which cannot be read takes no server out of the
// lock.
func TestLockLosesNothing(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, ".mcp.json", started("npx", "-y", "notes@1.1.0"))
	write(t, dir, ".cursor/mcp.json", started("npx", "-y", "other@1.1.0"))
	run(t, dir, "lock")
	locked := read(t, dir, "mcplumb.lock")
	write(t, dir, ".cursor/mcp.json", `{"mcpServers": `)
	code, _, stderr := run(t, dir, "lock")
	require.Equal(t, 3, code)
	require.Contains(t, stderr, "mcplumb: mcplumb.lock was not looked at: 1 file cannot be read, see mcplumb check\n")
	require.Equal(t, locked, read(t, dir, "mcplumb.lock"))
}

// TestLockOfOwnFiles holds that who changes a program of the repository, and locks it
// again, has nothing to approve: the change shows what it is.
func TestLockOfOwnFiles(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q", "-b", "main")
	write(t, dir, ".mcp.json", started("node", "server.js"))
	write(t, dir, "server.js", "one")
	run(t, dir, "lock")
	commitAll(t, dir, "base")
	write(t, dir, "server.js", "two")
	code, stdout, _ := run(t, dir, "lock", "--check")
	require.Equal(t, 1, code)
	require.Contains(t, stdout, "file:server.js: integrity is sha256:")
	run(t, dir, "lock")
	_, stdout, _ = run(t, dir, "check", "--base", "main", "--severity", "note")
	require.NotContains(t, stdout, "integrity-changed")
}

// TestLockSchema holds the published schema against what is written.
func TestLockSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join("..", "..", "docs", "lock.schema.json"))
	require.NoError(t, err)
	r := newRegistries(t)
	dir := t.TempDir()
	write(t, dir, ".mcplumb.yaml", r.settings())
	write(t, dir, ".mcp.json", `{"mcpServers": {
		"notes": {"command": "npx", "args": ["-y", "notes", "mcp"]}, "python": {"command": "uvx", "args": ["notes-mcp"]},
		"remote": {"type": "http", "url": "https://notes.acme.dev/mcp"}, "program": {"command": "notes-server"}}}`)
	run(t, dir, "lock", "--online")
	content, err := os.ReadFile(filepath.Join(dir, "mcplumb.lock"))
	require.NoError(t, err)
	var written any
	require.NoError(t, toml.Unmarshal(content, &written))
	require.NoError(t, schema.Validate(written))
	require.Error(t, schema.Validate(map[string]any{"version": int64(2)}))
}
