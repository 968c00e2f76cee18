package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFleetCheckAnyName reads files whose names are no text as check does. Other systems
// have no such names.
func TestFleetCheckAnyName(t *testing.T) {
	s := newGitServer(t, "")
	work := t.TempDir()
	for _, dir := range []string{"latin\xe9", "new\nline", "tab\tx", `quote"x`, `back\x`} {
		require.NoError(t, os.Mkdir(filepath.Join(work, dir), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(work, dir, ".mcp.json"), []byte(started("npx", "-y", "notes")), 0o644))
	}
	require.NoError(t, os.WriteFile(filepath.Join(work, "unrelated\xff.json"), nil, 0o644))
	s.add(t, "acme/api.git", nil)
	git(t, work, "init", "-q", "-b", "main")
	git(t, work, "add", "-A")
	git(t, work, "commit", "-q", "-m", "x")
	git(t, work, "push", "-q", filepath.Join(s.dir, "acme/api.git"), "main")
	dir := t.TempDir()
	_, stdout, stderr := fleetCheck(t, dir, s.URL+"/acme/api.git\n", nil)
	require.Equal(t, "1 repository: 1 read, 0 unchanged, 0 failed\n", stdout, stderr)
	_, listed, _ := run(t, work, "check", "--format", "json")
	var report struct {
		Findings []struct{ Rule, Path, Server string }
	}
	require.NoError(t, json.Unmarshal([]byte(listed), &report))
	require.Len(t, report.Findings, 5)
	r := readRecord(t, dir, s.recordPath("acme/api"))
	require.Equal(t, report.Findings, r.Findings)
	require.Empty(t, r.Errors)
	code, listed, _ := run(t, work, "check", "--base", "HEAD", "--format", "json")
	require.Equal(t, 0, code)
	require.NoError(t, json.Unmarshal([]byte(listed), &report))
	require.Empty(t, report.Findings)
}
