package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseAdvisories(t *testing.T) {
	records, err := parseAdvisories([]byte(`
- id: CVE-2000-1
  modified: 2000-01-02
  severity: high
  summary: x
  affected:
    - package: {ecosystem: npm, name: "@a/b"}
      ranges:
        - {type: SEMVER, events: [{introduced: "0"}, {fixed: 1.10.0}]}
  references:
    - {type: WEB, url: "https://example.com"}
`))
	require.NoError(t, err)
	require.Len(t, records, 1)
	assert.Equal(t, "pkg:npm/%40a/b", records[0].Affected[0].Package.Purl)
	assert.Equal(t, "2000-01-02T00:00:00Z", records[0].Modified)
	assert.Equal(t, "HIGH", records[0].Specific.Severity)
	assert.Equal(t, []osvEvent{{Introduced: "0"}, {Fixed: "1.10.0"}}, records[0].Affected[0].Ranges[0].Events)
}

func TestParseAdvisoriesRefuses(t *testing.T) {
	for source, want := range map[string]string{
		"- {id: A, afected: []}": "afected",
		"- {id: A, affected: [{package: {ecosystem: Maven, name: x}}]}": "unknown ecosystem",
		"- {id: A, severity: bad}":                                      "unknown severity",
		"[{id: A}, {id: A}]":                                            "twice",
		"[]\n---\n[]\n":                                                 "follows the list",
		"- {id: A, summary: [x]}":                                       "cannot unmarshal",
	} {
		_, err := parseAdvisories([]byte(source))
		assert.ErrorContains(t, err, want, source)
	}
}
