package policy

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// TestIgnoresOfSettings shows which findings an ignore hides: those of its rule, in the files
// that its path matches, of the server that it names, until it expires.
func TestIgnoresOfSettings(t *testing.T) {
	found := func(path, server string) rule.Finding {
		return rule.Finding{Rule: checks.UnusedIgnore, File: syntax.NewFile(path, []byte("{}")), Server: server}
	}
	findings := []rule.Finding{found(".mcp.json", "a"), found(".mcp.json", "b"), found("x/.mcp.json", "a"), found("x/y/.mcp.json", "")}
	const rule = "unused-ignore"
	for name, test := range map[string]struct {
		ignores []Ignore
		left    []string
	}{
		"none":                    {nil, []string{".mcp.json a", ".mcp.json b", "x/.mcp.json a", "x/y/.mcp.json "}},
		"everywhere":              {[]Ignore{{Rule: rule}}, nil},
		"a file":                  {[]Ignore{{Rule: rule, Path: ".mcp.json"}}, []string{"x/.mcp.json a", "x/y/.mcp.json "}},
		"a pattern":               {[]Ignore{{Rule: rule, Path: "x/**"}}, []string{".mcp.json a", ".mcp.json b"}},
		"a directory that is not": {[]Ignore{{Rule: rule, Path: "z/**"}}, []string{".mcp.json a", ".mcp.json b", "x/.mcp.json a", "x/y/.mcp.json "}},
		"a server":                {[]Ignore{{Rule: rule, Server: "a"}}, []string{".mcp.json b", "x/y/.mcp.json "}},
		"a server of a file":      {[]Ignore{{Rule: rule, Server: "a", Path: "x/*"}}, []string{".mcp.json a", ".mcp.json b", "x/y/.mcp.json "}},
		"two":                     {[]Ignore{{Rule: rule, Server: "b"}, {Rule: rule, Path: "x/*"}}, []string{".mcp.json a"}}, // a directory covers everything in it
		"two of the same files":   {[]Ignore{{Rule: rule, Path: "x/*"}, {Rule: rule, Path: "x/**"}}, []string{".mcp.json a", ".mcp.json b"}},
		"another rule":            {[]Ignore{{Rule: "alias-drift"}}, []string{".mcp.json a", ".mcp.json b", "x/.mcp.json a", "x/y/.mcp.json "}},
		"until today":             {[]Ignore{{Rule: rule, Until: "2026-01-01"}}, nil},
		"until yesterday":         {[]Ignore{{Rule: rule, Until: "2025-12-31"}}, []string{".mcp.json a", ".mcp.json b", "x/.mcp.json a", "x/y/.mcp.json "}},
	} {
		settings := &Settings{file: syntax.NewFile("s.yaml", nil), Ignores: test.ignores}
		repo := &mcp.Repo{}
		var left []string
		for _, f := range collectIgnores(settings, repo, namesIn(repo, nil, findings), "2026-01-01", false).hide(findings) {
			left = append(left, f.File.Path+" "+f.Server)
		}
		assert.Equal(t, test.left, left, name)
	}
}

// TestRulesOfSettings: a rule that the settings turn off does not run, and if the command line
// names it anyway, its findings keep their usual severity.
func TestRulesOfSettings(t *testing.T) {
	settings := &Settings{Rules: map[string]rule.Severity{"alias-drift": rule.Off, "name-conflict": rule.Note}}
	var ids []string
	for _, c := range settings.Checks() {
		ids = append(ids, c.ID)
	}
	assert.NotContains(t, ids, "alias-drift")
	assert.Contains(t, ids, "name-conflict")
	assert.Len(t, ids, len(checks.All())-1)
	for id, want := range map[string]rule.Severity{"alias-drift": rule.Error, "name-conflict": rule.Note, "config-drift": rule.Error} {
		assert.Equal(t, want, settings.severity(&rule.Finding{Rule: checks.ByID(id), Severity: rule.Error}), id)
	}
	assert.Len(t, (&Settings{}).Checks(), len(checks.All()))
}
