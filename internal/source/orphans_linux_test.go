package source

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestNoGitIsLeftBehind kills a process that runs git, with a signal that it cannot catch: git
// has ended when no process holds its output open.
func TestNoGitIsLeftBehind(t *testing.T) {
	if program := os.Getenv("MCPLUMB_TEST_GIT"); program != "" {
		cmd := Git{Program: program}.command(t.Context(), ".", "ls-files")
		cmd.Stdout = os.Stdout
		_ = cmd.Run()
		return
	}
	program := filepath.Join(t.TempDir(), "git")
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\necho started\nexec tail -f /dev/null\n"), 0o700))
	parent := exec.Command(os.Args[0], "-test.run=^TestNoGitIsLeftBehind$")
	parent.Env = append(os.Environ(), "MCPLUMB_TEST_GIT="+program)
	out, err := parent.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, parent.Start())
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	require.NoError(t, err)
	assert.Equal(t, "started\n", line)
	require.NoError(t, parent.Process.Kill())
	_, err = io.Copy(io.Discard, lines)
	require.NoError(t, err)
	_ = parent.Wait()
}
