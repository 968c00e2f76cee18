package policy

import (
	"errors"
	"testing"

	"github.com/hashicorp/go-multierror"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// settingsOf reads settings in which nothing is wrong.
func settingsOf(t *testing.T, text string) *Settings {
	t.Helper()
	settings, err := ParseSettings("s.yaml", "s.yaml", []byte(text))
	require.NoError(t, err)
	return settings
}

// TestInStep reads groups of files: the source is one of them.
func TestInStep(t *testing.T) {
	settings := settingsOf(t, `in-step:
  - files: [./.vscode/mcp.json, "**/.cursor/mcp.json"]
    source: .mcp.json
    servers: [docs, internal-*]
    except: [internal-db]
    extra: report
    per-project: true
  - files: [.mcp.json, .roo/mcp.json]
`)
	assert.Equal(t, []mcp.GroupSettings{
		{
			Files: []string{".mcp.json", ".vscode/mcp.json", "**/.cursor/mcp.json"}, Source: ".mcp.json",
			Servers: []string{"docs", "internal-*"}, Except: []string{"internal-db"}, ReportsExtra: true, PerProject: true,
		},
		{Files: []string{".mcp.json", ".roo/mcp.json"}},
	}, settings.InStep)
}

// TestInStepMistakes names every mistake at its place.
func TestInStepMistakes(t *testing.T) {
	_, err := ParseSettings("s.yaml", "s.yaml", []byte(`in-step:
  - source: "*.json"
  - files: [.mcp.json]
  - files: [a//b, c]
    extra: report
    per-project: 1
    server: [docs]
    except: [""]
`))
	var several *multierror.Error
	require.True(t, errors.As(err, &several))
	var got []string
	for _, one := range several.Errors {
		got = append(got, one.Error())
	}
	assert.Equal(t, []string{
		`s.yaml:2:5: this group has no files`,
		`s.yaml:2:13: source must be the path of one file, not a pattern`,
		`s.yaml:3:12: a group needs two files, or a pattern: one file is always in sync with itself`,
		`s.yaml:4:13: the path "a//b" must be written without empty parts, . and ..`,
		`s.yaml:5:12: extra: report needs a source: without one every server must be in all files`,
		`s.yaml:6:18: per-project must be true or false, not a number`,
		`s.yaml:7:5: unknown key "server": did you mean "servers"?`,
		`s.yaml:8:14: the name of a server must be a text that is not empty`,
	}, got)
}

// TestLoosenedGroups reports the files of which a change asks less, and nothing if it asks as
// much or more.
func TestLoosenedGroups(t *testing.T) {
	const was = "in-step: [{files: [a, b], source: a, except: [x], extra: report}]"
	const less = "the settings hide more than at the base: in-step requires less of a, b"
	for now, want := range map[string][]string{
		was:  nil,
		"{}": {less},
		"in-step: [{files: [c, a, b], source: a, extra: report}]":                            nil,
		"in-step: [{files: [a, b], source: b, except: [x], extra: report}]":                  nil,
		"in-step: [{files: [a, c], source: a, except: [x], extra: report}]":                  {less},
		"in-step: [{files: [a, b], source: a, except: [x, y], extra: report}]":               {less},
		"in-step: [{files: [a, b], source: a, except: [x], servers: [z], extra: report}]":    {less},
		"in-step: [{files: [a, b], source: a, except: [x]}]":                                 {less},
		"in-step: [{files: [a, b], source: a, except: [x], extra: report}, {files: [e, f]}]": nil,
	} {
		assert.Equal(t, want, Loosened(settingsOf(t, was), settingsOf(t, now), ""), now)
	}
}
