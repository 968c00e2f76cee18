package cli_test

import (
	"bytes"
	"io"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

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
	assert.Contains(t, out.String(), "\n1 error in 1 server, 1 file\n")
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
