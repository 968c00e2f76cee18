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
// prints for the repository in its picture, and the README to what a reader takes in.
func TestReadmeShowsRealOutput(t *testing.T) {
	root := moduleRoot(t)
	_, out, _ := run(t, filepath.Join(root, "testdata", "readme"), "list")
	for _, block := range blocks(t, "README.md", "text") {
		assert.Contains(t, out, block)
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	assert.LessOrEqual(t, len(strings.Fields(string(readme))), 900)
	code, _, _ := run(t, root, "check", "testdata/demo")
	assert.Equal(t, 1, code, "the first command finds something")
}

// TestLinksOfPagesLead holds every link from a page to another file of the project, and to a heading
// of it, to be there.
func TestLinksOfPagesLead(t *testing.T) {
	root := moduleRoot(t)
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	require.NoError(t, err)
	rules, err := filepath.Glob(filepath.Join(root, "docs", "rules", "*.md"))
	require.NoError(t, err)
	tops, err := filepath.Glob(filepath.Join(root, "*.md"))
	require.NoError(t, err)
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	for _, page := range slices.Concat(pages, rules, tops) {
		content, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, found := range link.FindAllStringSubmatch(string(content), -1) {
			target, heading, _ := strings.Cut(found[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			file := page
			if target != "" {
				file = filepath.Join(filepath.Dir(page), filepath.FromSlash(target))
			}
			text, err := os.ReadFile(file)
			if info, statErr := os.Stat(file); statErr == nil && info.IsDir() {
				continue
			}
			if assert.NoError(t, err, "%s: %s", filepath.Base(page), found[1]) && heading != "" {
				assert.Contains(t, anchors(string(text)), heading, "%s: %s", filepath.Base(page), found[1])
			}
		}
	}
}

// anchors returns the names by which GitHub links the headings of a page.
func anchors(page string) []string {
	var names []string
	for _, heading := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(page, -1) {
		name := strings.ReplaceAll(strings.ToLower(heading[1]), " ", "-")
		names = append(names, regexp.MustCompile(`[^\pL\d_-]`).ReplaceAllString(name, ""))
	}
	return names
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
			continue // the demo is unchanged, and no settings name a catalog for it
		}
		assert.True(t, slices.ContainsFunc(report.Findings, func(f struct{ Rule string }) bool { return f.Rule == c.ID }), "the demo has no %s", c.ID)
	}

	code, out, _ := run(t, root, "check")
	assert.Equal(t, 0, code, out)
}

// TestMarkdownKeepsCodeWhole checks that in every message of the demo, which has every rule,
// each piece of code is in a code span and is not split.
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
