package checks_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/linttest"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// TestFingerprintSurvivesFormatting formats the JSON files of every fixture
// that fires anew, and finds the same fingerprints again.
func TestFingerprintSurvivesFormatting(t *testing.T) {
	eachFixture(t, func(t *testing.T, files map[string]string) {
		want := fingerprints(linttest.LintFiles(t, files))
		for name, format := range map[string]func([]byte) []byte{
			"compact": func(text []byte) []byte { return reformat(text, func() string { return "" }) },
			"a line each": func(text []byte) []byte {
				var out bytes.Buffer
				require.NoError(t, json.Indent(&out, text, "", "\t"))
				return out.Bytes()
			},
			"spaces anywhere": func(text []byte) []byte {
				random := rand.New(rand.NewPCG(1, uint64(len(text))))
				return reformat(text, func() string { return []string{"", " ", "\n", "\r\n\t", "  "}[random.IntN(5)] })
			},
		} {
			formatted := map[string]string{}
			for path, content := range files {
				if json.Valid([]byte(content)) {
					content = string(format([]byte(content)))
				}
				formatted[path] = content
			}
			assert.Equal(t, want, fingerprints(linttest.LintFiles(t, formatted)), name)
		}
	})
}

// TestFingerprintSurvivesOrder turns the order of the servers in the JSON files
// of every fixture that fires round. Rules may then report the other one of two
// servers, or another of its tokens; a finding at the same one has the same
// fingerprint.
func TestFingerprintSurvivesOrder(t *testing.T) {
	same, all := 0, 0
	eachFixture(t, func(t *testing.T, files map[string]string) {
		before := byToken(linttest.LintFiles(t, files))
		turned := map[string]string{}
		for path, content := range files {
			if json.Valid([]byte(content)) {
				file := syntax.NewFile(path, []byte(content))
				tree, err := syntax.ParseJSON(file)
				require.NoError(t, err)
				content = turn(file, tree.Root)
			}
			turned[path] = content
		}
		for key, prints := range byToken(linttest.LintFiles(t, turned)) {
			all++
			if len(before[key]) == len(prints) {
				assert.Equal(t, before[key], prints, key)
				same++
			}
		}
	})
	assert.Greater(t, same, all*3/4, "too few findings of %d could be compared", all)
}

// byToken returns the fingerprints of the findings by rule, path, server and
// token.
func byToken(findings []rule.Finding) map[string][]string {
	prints := map[string][]string{}
	for _, f := range findings {
		token := strings.Join(strings.Fields(string(f.File.Bytes[f.Span.Start:f.Span.End])), "")
		key := strings.Join([]string{f.Rule.ID, f.File.Path, f.Server, token}, " ")
		prints[key] = append(prints[key], f.Fingerprint(&secret.Spans{}))
	}
	for _, of := range prints {
		slices.Sort(of)
	}
	return prints
}

// turn writes a value with the members of every object whose members are all
// objects in reverse order.
func turn(file *syntax.File, n *syntax.Node) string {
	if n.Kind != syntax.Object && n.Kind != syntax.Array {
		return string(file.Bytes[n.Value.Start:n.Value.End])
	}
	var parts []string
	onlyObjects := true
	for _, child := range n.Nodes {
		part := turn(file, child)
		if n.Kind == syntax.Object {
			part = string(file.Bytes[child.Key.Start:child.Key.End]) + ": " + part
		}
		parts = append(parts, part)
		onlyObjects = onlyObjects && child.Kind == syntax.Object
	}
	if n.Kind == syntax.Array {
		return "[" + strings.Join(parts, ",") + "]"
	}
	if onlyObjects {
		slices.Reverse(parts)
	}
	return "{" + strings.Join(parts, ",\n") + "}"
}

// reformat puts white space between the tokens of a JSON text.
func reformat(text []byte, space func() string) []byte {
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		panic(err)
	}
	var out bytes.Buffer
	inString, escaped := false, false
	for _, c := range compact.Bytes() {
		isMark := !inString && strings.IndexByte("{}[],:", c) >= 0
		if isMark {
			out.WriteString(space())
		}
		out.WriteByte(c)
		if isMark {
			out.WriteString(space())
		}
		switch {
		case escaped:
			escaped = false
		case inString && c == '\\':
			escaped = true
		case c == '"':
			inString = !inString
		}
	}
	return out.Bytes()
}

// eachFixture runs a test with the files of every fixture that fires.
func eachFixture(t *testing.T, run func(*testing.T, map[string]string)) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "testdata", "checks", "*", "fires-*.txtar"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(filepath.Base(filepath.Dir(path))+"/"+filepath.Base(path), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			require.NoError(t, err)
			files := map[string]string{}
			for _, f := range archive.Files {
				if f.Name != "want" {
					files[f.Name] = string(f.Data)
				}
			}
			run(t, files)
		})
	}
}

// fingerprints returns the fingerprint of each finding, with its rule for people.
func fingerprints(findings []rule.Finding) []string {
	var all []string
	for _, f := range findings {
		all = append(all, fmt.Sprintf("%s %s %s %s", f.Fingerprint(&secret.Spans{}), f.Rule.ID, f.File.Path, f.Server))
	}
	slices.Sort(all)
	return all
}
