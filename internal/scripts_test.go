package internal_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSkip holds that what a script cannot check fails, unless its name is
// allowed; then it is said and counted, and the script goes on.
func TestSkip(t *testing.T) {
	bash := systemBash(t)
	for allowed, goesOn := range map[string]bool{"": false, "image": false, "sboms": false, "sbom": true, "image sbom": true, "all": true} {
		counted := filepath.Join(t.TempDir(), "skipped")
		cmd := exec.Command(bash, "-c", `set -euo pipefail; source ../scripts/skip.sh; skip sbom "it cannot be had"; echo went on`)
		cmd.Env = append(os.Environ(), "MCPLUMB_SKIP="+allowed, "MCPLUMB_SKIPPED="+counted)
		out, err := cmd.CombinedOutput()
		if !goesOn {
			assert.Error(t, err, allowed)
			assert.Equal(t, "FAILED sbom: it cannot be had; MCPLUMB_SKIP=sbom would leave it out\n", string(out), allowed)
			assert.NoFileExists(t, counted)
			continue
		}
		assert.NoError(t, err, allowed)
		assert.Equal(t, "SKIPPED sbom: it cannot be had\nwent on\n", string(out), allowed)
		names, err := os.ReadFile(counted)
		require.NoError(t, err)
		assert.Equal(t, "sbom\n", string(names))
	}
}

// TestDebianLooksForPrograms: a function of the name does not stand for a program
// that is missing.
func TestDebianLooksForPrograms(t *testing.T) {
	cmd := exec.Command(systemBash(t), "-c", `source ../scripts/programs.sh; buildah() { :; }; PATH=/nowhere; debian buildah`)
	out, err := cmd.CombinedOutput()
	assert.Error(t, err)
	assert.Empty(t, string(out))
}

// systemBash returns the bash that is installed.
func systemBash(t *testing.T) string {
	t.Helper()
	bash, err := exec.LookPath("bash")
	require.NoError(t, err)
	return bash
}

// TestSkipsAreCounted: no script leaves something out in another way, and .ci/run
// allows only what a script may ask for.
func TestSkipsAreCounted(t *testing.T) {
	scripts, err := filepath.Glob("../scripts/*")
	require.NoError(t, err)
	var all strings.Builder
	for _, script := range scripts {
		content, err := os.ReadFile(script)
		require.NoError(t, err)
		all.Write(content)
		if filepath.Base(script) != "skip.sh" {
			assert.NotContains(t, string(content), "SKIPPED", script)
		}
	}
	run, err := os.ReadFile("../.ci/run")
	require.NoError(t, err)
	list := regexp.MustCompile(`(?s)allowed=\(\n(.*?)\n\)`).FindStringSubmatch(string(run))
	require.NotNil(t, list)
	for line := range strings.Lines(list[1]) {
		name, reason, _ := strings.Cut(strings.TrimSpace(line), " # ")
		assert.Contains(t, all.String(), "skip "+name+` "`, name)
		assert.NotEmpty(t, reason, "%s has no reason", name)
	}
}
