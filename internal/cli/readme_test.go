package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/checks"
)

// TestReadmeShowsRealOutput holds the README's text blocks to what the program
// prints for the demo.
func TestReadmeShowsRealOutput(t *testing.T) {
	root := moduleRoot(t)
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	code, out, _ := run(t, root, "check", "testdata/demo")
	require.Equal(t, 1, code)

	blocks := strings.Split(string(readme), "\n```text\n")[1:]
	require.NotEmpty(t, blocks)
	for _, block := range blocks {
		shown, _, _ := strings.Cut(block, "\n```")
		assert.Contains(t, out, shown)
	}
}

// TestDemoShowsEveryRule holds the demo to having a finding of every kind, and
// this repository to being clean.
func TestDemoShowsEveryRule(t *testing.T) {
	root := moduleRoot(t)
	_, out, _ := run(t, root, "check", "testdata/demo", "--format", "json")
	var report struct{ Findings []struct{ Rule string } }
	require.NoError(t, json.Unmarshal([]byte(out), &report))
	for _, c := range checks.All() {
		if c.NeedsBase || c.ID == "unapproved-server" {
			continue // nobody has changed the demo, and no settings name a catalogue for it
		}
		assert.True(t, slices.ContainsFunc(report.Findings, func(f struct{ Rule string }) bool { return f.Rule == c.ID }), "the demo has no %s", c.ID)
	}

	code, out, _ := run(t, root, "check")
	assert.Equal(t, 0, code, out)
}

// TestMarkdownKeepsCodeWhole holds that of no message of the demo, which has every
// rule, a piece of code stands outside of a code span or is torn in two.
func TestMarkdownKeepsCodeWhole(t *testing.T) {
	_, out, _ := run(t, moduleRoot(t), "check", "testdata/demo", "--severity", "note", "--format", "markdown")
	span := regexp.MustCompile("``.+?``|`[^`]+`")
	rows := regexp.MustCompile(`(?m)^\| (?:error|warning|note) \| \d+:\d+ \| (.*) \| \[[a-z-]+\] \[\(wrong\?\)\]\(\S+\) \|$`).FindAllStringSubmatch(out, -1)
	require.Greater(t, len(rows), len(checks.All()))
	for _, row := range rows {
		for _, message := range strings.Split(row[1], "<br>") {
			rest := span.ReplaceAllString(message, "code")
			assert.NotRegexp(t, "[][{}=$@/`*_]", rest, message)
			assert.Zero(t, strings.Count(rest, `"`)%2, message)
			assert.Equal(t, strings.Count(rest, "("), strings.Count(rest, ")"), message)
		}
	}
}

func moduleRoot(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	return root
}
