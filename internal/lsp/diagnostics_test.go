package lsp

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/app/check"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/workspace"
)

// fixtures calls test with the files of every fixture of the rules that needs no base.
func fixtures(t *testing.T, test func(t *testing.T, files map[string]string)) {
	paths, err := filepath.Glob(filepath.Join("..", "..", "testdata", "checks", "*", "*.txtar"))
	require.NoError(t, err)
	require.Greater(t, len(paths), 500)
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		require.NoError(t, err)
		files, isCompared := map[string]string{}, false
		for _, f := range archive.Files {
			isCompared = isCompared || strings.HasPrefix(f.Name, "base/")
			if f.Name != "want" && f.Name != "fixes" && !strings.HasPrefix(f.Name, "fixed/") {
				files[f.Name] = string(f.Data)
			}
		}
		if isCompared || !areFiles(files) {
			continue
		}
		t.Run(filepath.Base(filepath.Dir(path))+"/"+strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			test(t, files)
		})
	}
}

// areFiles reports whether a disk can hold files by such names.
func areFiles(files map[string]string) bool {
	for name := range files {
		if !filepath.IsLocal(name) || strings.ContainsAny(name, "\\:") {
			return false
		}
	}
	return true
}

// TestAsCheck checks that an editor receives what check finds in the same bytes, at the same
// places, when files are opened one after the other in any order.
func TestAsCheck(t *testing.T) {
	fixtures(t, func(t *testing.T, files map[string]string) {
		c := connect(t, all, files)
		names := slices.Sorted(maps.Keys(files))
		rand.New(rand.NewPCG(1, uint64(len(names)))).Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		for _, name := range names {
			c.edit(name, files[name])
		}
		assert.Equal(t, checked(t, c.dir), c.reported())
	})
}

// reported returns what is published, a line for each, sorted.
func (c *client) reported() []string {
	c.t.Helper()
	lines := []string{}
	for path, found := range c.settle() {
		file := c.open[c.uri(path)].file
		s := &server{columns: c.columns()}
		for _, d := range found {
			at := file.Position(s.offset(file, d.Range.Start), syntax.CodePoints)
			lines = append(lines, fmt.Sprintf("%s:%d:%d: %s %d %s", path, at.Line, at.Column, d.Code, d.Severity, d.Message))
		}
	}
	slices.Sort(lines)
	return lines
}

// checked returns what check finds in a directory, a line for each, sorted.
func checked(t *testing.T, dir string) []string {
	t.Helper()
	r, err := check.Run(t.Context(), environment(dir), check.Options{Request: workspace.Request{Known: true}})
	require.NoError(t, err)
	defer r.Close()
	lines := []string{}
	for _, f := range r.View.Findings(rule.Note) {
		lines = append(lines, fmt.Sprintf("%s: %s %d %s", f.Place(), f.Rule().ID, severityOf(f.Severity()), f.MessageHere()))
	}
	for _, p := range r.View.Problems() {
		if !p.Path.IsZero() {
			lines = append(lines, fmt.Sprintf("%s:1:1: %s 2 not checked: %s", p.Path, codeUnchecked, p.Message))
		}
	}
	slices.Sort(lines)
	return lines
}
