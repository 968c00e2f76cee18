package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/cli"
)

var (
	commit = strings.Repeat("0123456789abcdef", 3)[:40]
	other  = strings.Repeat("f", 40)
)

// TestStampPins: one edit of the table changes every workflow.
func TestStampPins(t *testing.T) {
	pins, err := parsePins("# a comment\nactions/checkout " + commit + " v7.0.1\ngithub/codeql-action " + other + " v4.0.0\n")
	require.NoError(t, err)
	used := map[string]bool{}
	content, err := stampPins(`    steps:
      - uses: actions/checkout@v4
      - name: x
        uses: github/codeql-action/upload-sarif@`+commit+` # v3.1.2
      - uses: ./
      - uses: mcplumb/mcplumb@v0.1.0
      - uses: mcplumb/mcplumb/setup@v0.1.0
      - run: "uses: actions/checkout@v1"
`, pins, used)
	require.NoError(t, err)
	assert.Equal(t, `    steps:
      - uses: actions/checkout@`+commit+` # v7.0.1
      - name: x
        uses: github/codeql-action/upload-sarif@`+other+` # v4.0.0
      - uses: ./
      - uses: mcplumb/mcplumb@v0.1.0
      - uses: mcplumb/mcplumb/setup@v0.1.0
      - run: "uses: actions/checkout@v1"
`, content)
	assert.Equal(t, map[string]bool{"actions/checkout": true, "github/codeql-action": true}, used)

	_, err = stampPins("      - uses: somebody/else@v1\n", pins, used)
	assert.EqualError(t, err, ".github/actions.txt has no somebody/else")
}

func TestParsePinsRefuses(t *testing.T) {
	for table, want := range map[string]string{
		"actions/checkout v7.0.1":                                       "1: \"actions/checkout v7.0.1\" is not NAME COMMIT VERSION",
		"a/b " + commit[1:] + " v1.0.0":                                 "is not NAME COMMIT VERSION",
		"a/b " + commit + " v1":                                         "is not NAME COMMIT VERSION",
		"#\na/b " + commit + " v1.0.0\na/b " + other + " v1.0.1":        "3: a/b is there twice",
		"a/b " + commit + " v1.0.0\n\na/c " + commit + " v1.0.0":        "2: \"\" is not NAME",
		"a/b " + strings.ToUpper(commit) + " v1.0.0":                    "is not NAME COMMIT VERSION",
		"github/codeql-action/upload-sarif " + commit + " v4.0.0 extra": "is not NAME COMMIT VERSION",
	} {
		_, err := parsePins(table)
		assert.ErrorContains(t, err, want, table)
	}
}

func TestStampVersion(t *testing.T) {
	assert.Equal(t, "uses: mcplumb/mcplumb@v9.8.7\nuses: mcplumb/mcplumb/.github/workflows/fleet.yml@v9.8.7\nrev: v9.8.7\nghcr.io/mcplumb/mcplumb:9.8.7 check, ghcr.io/mcplumb/mcplumb:9.8.7-git, mcplumb/mcplumb/v9.8.7/templates, npx mcplumb@9.8.7, npm:mcp-remote@0.1.0",
		stampVersion("uses: mcplumb/mcplumb@v0.1.0\nuses: mcplumb/mcplumb/.github/workflows/fleet.yml@v0.1.0\nrev: v0.1.0-rc.1\nghcr.io/mcplumb/mcplumb:0.1.0 check, ghcr.io/mcplumb/mcplumb:0.1.0-git, mcplumb/mcplumb/v0.1.0/templates, npx mcplumb@0.1.0, npm:mcp-remote@0.1.0", "9.8.7"))
}

// TestVersionIsWrittenInOnePlace: Version in internal/built and `make generate` are
// all that a release needs; no page names the version in a way that is forgotten.
func TestVersionIsWrittenInOnePlace(t *testing.T) {
	t.Chdir("../..")
	files, err := stamped("98.76.54")
	require.NoError(t, err)
	assert.Contains(t, files["README.md"], "98.76.54")
	assert.Contains(t, files["docs/github-action.md"], "98.76.54")
	assert.Equal(t, 2, strings.Count(files["editors/vscode/package-lock.json"], "98.76.54"))
	assert.Contains(t, files["editors/vscode/package.json"], "98.76.54")
	for path, content := range files {
		for line := range strings.Lines(content) {
			ours := strings.Contains(line, "mcplumb") && strings.Contains(line, cli.Version)
			assert.False(t, ours || strings.Contains(line, "v"+cli.Version), "%s: %s", path, line)
		}
	}
	action, err := os.ReadFile("action.yml")
	require.NoError(t, err)
	assert.NotContains(t, string(action), cli.Version)
}
