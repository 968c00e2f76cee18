//go:build ecosystem

package fix

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/source"
)

// TestLawOnEcosystem holds the law on real repositories. MCPLUMB_STORE is a bare git
// repository with a ref refs/repos/OWNER/NAME for each of them: scripts/ecosystem makes it.
func TestLawOnEcosystem(t *testing.T) {
	store := os.Getenv("MCPLUMB_STORE")
	git, err := exec.LookPath("git")
	require.NoError(t, err)
	refs, err := exec.Command(git, "-C", store, "for-each-ref", "--format=%(refname)", "refs/repos").Output()
	require.NoError(t, err)
	require.NotEmpty(t, strings.Fields(string(refs)), "no repositories in %q", store)
	for _, ref := range strings.Fields(string(refs)) {
		t.Run(strings.TrimPrefix(ref, "refs/repos/"), func(t *testing.T) {
			t.Parallel()
			tree, err := source.Revision(t.Context(), store, ref, source.Git{Program: git, Environ: os.Environ()})
			require.NoError(t, err)
			defer tree.Close()
			holdLaw(t, tree)
		})
	}
}
