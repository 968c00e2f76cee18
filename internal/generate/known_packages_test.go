package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseKnownPackages(t *testing.T) {
	known, err := parseKnownPackages([]byte(`
scopes:
  - {ecosystem: npm, name: "@a", looked_up: 2000-01-02, packages: [b, c]}
missing:
  - {ecosystem: npm, name: "@a/d", looked_up: 2000-01-02, instead: take b}
archived:
  - {ecosystem: PyPI, name: e, since: 2000-01-02, source: "https://example.com"}
`))
	require.NoError(t, err)
	assert.Equal(t, []string{"b", "c"}, known.Scopes[0].Packages)
	assert.Equal(t, "take b", known.Missing[0].Instead)
	assert.Equal(t, "2000-01-02", known.Archived[0].Since)
}

func TestParseKnownPackagesRefuses(t *testing.T) {
	for source, want := range map[string]string{
		"missing: [{nam: x}]": "nam",
		"missing: [{ecosystem: Maven, name: x, looked_up: 2000-01-02}]":                                                                                    "unknown ecosystem",
		"missing: [{ecosystem: npm, name: x, looked_up: yesterday}]":                                                                                       "is no day",
		"archived: [{ecosystem: npm, name: x}]":                                                                                                            "is no day",
		"scopes: [{ecosystem: npm, name: '@a', looked_up: 2000-01-02, packages: [b, b]}]":                                                                  "twice",
		"{scopes: [{ecosystem: npm, name: '@a', looked_up: 2000-01-02, packages: [b]}], missing: [{ecosystem: npm, name: '@a/b', looked_up: 2000-01-02}]}": "twice",
		"{}\n---\n{}\n": "something follows",
	} {
		_, err := parseKnownPackages([]byte(source))
		assert.ErrorContains(t, err, want, source)
	}
}
