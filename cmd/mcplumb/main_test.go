//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMain is the program itself where a test starts it.
func TestMain(m *testing.M) {
	if os.Getenv("MCPLUMB_TEST_RUN") != "" {
		main()
	}
	os.Exit(m.Run())
}

// TestInterrupt holds that Ctrl-C ends a run that waits for git at once: the run prints a
// message, reports nothing, and has the exit code of an incomplete run.
func TestInterrupt(t *testing.T) {
	dir := t.TempDir()
	ready := filepath.Join(dir, "ready")
	require.NoError(t, syscall.Mkfifo(ready, 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(dir, ".git"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".git", "HEAD"), nil, 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".mcp.json"), []byte(`{"mcpServers": {}}`), 0o644))
	script := "#!/bin/sh\necho started > '" + ready + "'\nexec sleep 600\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "git"), []byte(script), 0o755))

	for _, sent := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		var stdout, stderr bytes.Buffer
		cmd := exec.Command(os.Args[0], "check")
		cmd.Dir = dir
		cmd.Env = []string{"MCPLUMB_TEST_RUN=1", "PATH=" + dir + ":" + os.Getenv("PATH")}
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		require.NoError(t, cmd.Start())
		started, err := os.ReadFile(ready) // waits until git runs
		require.NoError(t, err)
		require.Equal(t, "started\n", string(started))
		require.NoError(t, cmd.Process.Signal(sent))
		_ = cmd.Wait()
		assert.Equal(t, 3, cmd.ProcessState.ExitCode(), sent)
		assert.Empty(t, stdout.String())
		assert.Equal(t, "mcplumb: stopped before the end: nothing is reported\n", stderr.String())
	}
}
