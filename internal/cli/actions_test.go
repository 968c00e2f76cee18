package cli_test

import (
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/cli"
)

// TestWorkflowGetsAnnotations runs as a step of a GitHub workflow does: without
// a chosen format the findings become annotations.
func TestWorkflowGetsAnnotations(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, ".mcp.json", `{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}`)
	var out bytes.Buffer
	code := cli.Main(t.Context(), cli.Env{
		Args: []string{"check"}, Stdout: &out, Stderr: &out, Dir: dir,
		Getenv:     func(name string) string { return map[string]string{"GITHUB_ACTIONS": "true"}[name] },
		Now:        time.Now,
		IsTerminal: func(io.Writer) bool { return false },
		LookPath:   func(string) (string, error) { return "", nil },
	})
	assert.Equal(t, 1, code)
	assert.Contains(t, out.String(), "\n::error col=40,endColumn=43,endLine=1,file=.mcp.json,line=1,title=mcplumb%3A duplicate-key::")
	assert.Contains(t, out.String(), "\n1 error in 1 server of 1 file\n")
}

// runAction runs the action in a workspace with inputs and other variables.
func runAction(t *testing.T, dir string, environ map[string]string) (code int, log string) {
	t.Helper()
	var out bytes.Buffer
	code = cli.Main(t.Context(), cli.Env{
		Args: []string{"action"}, Stdout: &out, Stderr: &out, Dir: dir,
		Getenv: func(name string) string {
			if name == "GITHUB_WORKSPACE" {
				return dir
			}
			return environ[name]
		},
		Now:        time.Now,
		IsTerminal: func(io.Writer) bool { return false },
		LookPath:   exec.LookPath,
	})
	return code, out.String()
}

func TestActionPaths(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a b/.mcp.json", twice)
	write(t, dir, "c/.mcp.json", twice)
	write(t, dir, "d/.mcp.json", twice)
	_, log := runAction(t, dir, map[string]string{"INPUT_PATHS": "a b\n\n  c\r\n"})
	assert.Contains(t, log, "a b/.mcp.json:1:")
	assert.Contains(t, log, "\nc/.mcp.json:1:")
	assert.NotContains(t, log, "d/.mcp.json")
}

// TestActionAnnotatesChangesFirst has more errors than GitHub keeps, the last of
// them in a file that the event changes.
func TestActionAnnotatesChangesFirst(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	for i := range 12 {
		write(t, dir, fmt.Sprintf("%02d/.mcp.json", i), twice)
	}
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-qm", "base")
	write(t, dir, "11/.mcp.json", twice+"\n")
	git(t, dir, "commit", "-qam", "change")
	write(t, dir, "event.json", `{"commits": [{"added": ["10/.mcp.json"], "modified": ["x"]}, {"added": []}]}`)
	write(t, dir, "odd.json", `{"commits": 1}`)

	first := func(environ map[string]string) string {
		_, log := runAction(t, dir, environ)
		_, command, found := strings.Cut(log, "\n::error ")
		require.True(t, found, log)
		_, file, _ := strings.Cut(command, ",file=")
		return file[:2]
	}
	assert.Equal(t, "10", first(map[string]string{"GITHUB_EVENT_NAME": "push", "GITHUB_EVENT_PATH": dir + "/event.json"}))
	assert.Equal(t, "11", first(map[string]string{"GITHUB_EVENT_NAME": "pull_request"}))
	assert.Equal(t, "00", first(map[string]string{"GITHUB_EVENT_NAME": "push", "GITHUB_EVENT_PATH": dir + "/odd.json"}))
	assert.Equal(t, "00", first(nil))
	git(t, dir, "checkout", "-q", "--orphan", "shallow")
	git(t, dir, "commit", "-qm", "no parent")
	assert.Equal(t, "00", first(map[string]string{"GITHUB_EVENT_NAME": "pull_request"}))
}
