package checks_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/internal/linttest"
)

// TestToolPinLock checks how a lockfile of ToolPin relates to client files: each entry was
// written for one client, into the project's file or a person's own.
func TestToolPinLock(t *testing.T) {
	entry := func(client, scope, version string) string {
		return fmt.Sprintf(`{"name": "notes", "version": %q, "client": %q, "scope": %q, "integrity": "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
			"selectedTarget": {"kind": "package", "registryType": "npm", "identifier": "notes-mcp", "version": %[1]q},
			"config": {"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp@%[1]s"]}}}}`, version, client, scope)
	}
	lock := func(version, entries string) string {
		return `{"lockfileVersion": ` + version + `, "servers": {` + entries + `}}`
	}
	claude := `"notes:claude": ` + entry("claude", "project", "1.0.0")
	has := linttest.Files{".mcp.json": `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes-mcp@1.0.0"]}}}`}
	without := linttest.Files{".mcp.json": `{"mcpServers": {}}`}
	for _, test := range []struct {
		id, lock string
		files    linttest.Files
		want     []string
	}{
		{"in step", lock("2", claude), has, nil},
		{"gone", lock("2", claude), without, []string{"missing-server warning notes"}},
		{"no file of that client", lock("2", claude), linttest.Files{".cursor/mcp.json": `{"mcpServers": {}}`}, nil},
		{"in a person's own file", lock("2", `"notes:claude": `+entry("claude", "global", "1.0.0")), without, nil},
		{"for no client in particular", lock("2", `"notes:generic": `+entry("generic", "project", "1.0.0")), without, nil},
		{"another version for another client", lock("2", claude+`, "notes:cursor": `+entry("cursor", "project", "2.0.0")), has, nil},
		{"another version", lock("2", `"notes:claude": `+entry("claude", "project", "2.0.0")), has, []string{"version-conflict warning notes"}},
		{"a server of one's own", lock("2", `"notes:cursor": `+entry("cursor", "project", "1.0.0")), has, nil},
		{"an old version", lock("1", claude), without, []string{"invalid-lockfile error "}},
		{"no object", lock("2", claude+`, "x:claude": []`), without, []string{"invalid-lockfile error x:claude"}},
		{"no name", lock("2", claude+`, "x:claude": {"version": "1", "client": "claude"}`), without, []string{"invalid-lockfile error x:claude"}},
		{"a number for a version", lock("2", claude+`, "x:claude": {"name": "x", "version": 1, "client": "claude"}`), without, []string{"invalid-lockfile error x:claude"}},
		{"another tool's file", `{"lockfileVersion": 1, "servers": {"notes": {"selectedTarget": "x"}}}`, without, nil},
		{"not a lockfile at all", `{"owner": null}`, without, nil},
		{"not even JSON", `{`, without, nil},
		{"cut off", lock("2", claude)[:400], without, []string{"syntax-error error "}},
	} {
		t.Run(test.id, func(t *testing.T) {
			files := linttest.Files{"mcp-lock.json": test.lock}
			for name, content := range test.files {
				files[name] = content
			}
			assert.Equal(t, test.want, linttest.Graded(linttest.LintFiles(t, files)))
		})
	}
}
