//go:build unix

package checks

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestApproveCommand checks that a shell passes on each word of the command unchanged.
func TestApproveCommand(t *testing.T) {
	sh, err := exec.LookPath("sh")
	require.NoError(t, err)
	for server, want := range map[string]string{
		"notes": "notes", "it's $(exit 3) `x` \"y\" \\": "it's $(exit 3) `x` \"y\" \\", "@acme/notes": "@acme/notes", "a;b&c|d": "a;b&c|d",
		"-x": "npm:notes", "two\nlines": "npm:notes", "\u202e": "npm:notes", "été": "été", "": "",
	} {
		command := approveCommand("main", server, "npm:notes")
		out, err := exec.Command(sh, "-c", "mcplumb() { printf '<%s>' \"$@\"; }; "+command).CombinedOutput() //nolint:gosec // it is what is tested
		require.NoError(t, err)
		require.Equal(t, "<approve><"+want+"><--base><main><--reason><…>", string(out))
	}
}
