package report

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/view"
)

func TestGitLab(t *testing.T) {
	r := sample(t)
	r.Paths = elsewhere()
	assert.JSONEq(t, `[
 {"description": "\"vercel\" is locked under another name (mcp-tap.lock:2: locked here)", "check_name": "alias-drift",
  "fingerprint": "`+r.Findings[0].Fingerprint(&secret.Spans{})+`", "severity": "minor",
  "location": {"path": ".cursor/mcp.json", "lines": {"begin": 3}}},
 {"description": "a note", "check_name": "config-drift",
  "fingerprint": "`+r.Findings[1].Fingerprint(&secret.Spans{})+`", "severity": "info",
  "location": {"path": ".cursor/mcp.json", "lines": {"begin": 2}}},
 {"description": "an error", "check_name": "syntax-error",
  "fingerprint": "`+r.Findings[2].Fingerprint(&secret.Spans{})+`", "severity": "major",
  "location": {"path": "mcp-tap.lock", "lines": {"begin": 2}}}]`,
		written(t, "gitlab", r, Options{Severity: rule.Note}))
	assert.Equal(t, "[]\n", written(t, "gitlab", &view.Run{}, Options{}))
}

// TestGitLabFingerprintsDiffer checks that similar findings do not hide each other, and that a
// fingerprint does not depend on what is shown.
func TestGitLabFingerprintsDiffer(t *testing.T) {
	r := sample(t)
	note := r.Findings[0]
	note.Severity = rule.Note
	r.Findings = []rule.Finding{note, r.Findings[0], r.Findings[0]}
	prints := func(severity rule.Severity) (prints []string) {
		var issues []gitlabIssue
		require.NoError(t, json.Unmarshal([]byte(written(t, "gitlab", r, Options{Severity: severity})), &issues))
		for _, issue := range issues {
			assert.Len(t, issue.Fingerprint, 32)
			prints = append(prints, issue.Fingerprint)
		}
		return prints
	}
	all := prints(rule.Note)
	require.Len(t, all, 3)
	assert.NotEqual(t, all[0], all[1])
	assert.NotEqual(t, all[1], all[2])
	assert.Equal(t, all[1:], prints(rule.Warning))
}

func TestGitLabCountsManyPlaces(t *testing.T) {
	r := sample(t)
	f := &r.Findings[0]
	for range 6 {
		f.Related = append(f.Related, f.Related[0])
	}
	assert.Contains(t, written(t, "gitlab", r, Options{Severity: rule.Note}), "; mcp-tap.lock:2: locked here; and 2 more places)")
}
