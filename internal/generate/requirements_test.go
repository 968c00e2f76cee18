package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRequirementRows holds that the error for a row with a column too many or too few
// names its line.
func TestRequirementRows(t *testing.T) {
	rows, err := parseRequirements("id\tstate\trequirement\tshown by\nA1\tworks\tOne\t`a`\nA2\tnot\tTwo\tOn purpose.\n")
	require.NoError(t, err)
	assert.Equal(t, []requirement{{"A1", "works", "One", "`a`"}, {"A2", "not", "Two", "On purpose."}}, rows)
	_, err = parseRequirements("id\tstate\trequirement\tshown by\nA1\tworks\tOne\t`a`\nA2\tnot\tTwo\n")
	assert.EqualError(t, err, "docs/requirements.tsv:3: a row has four columns, this one has 3")
}

// TestRequirementsPage holds that the page counts the rows and has each below its system.
func TestRequirementsPage(t *testing.T) {
	page := showRequirements([]requirement{{"A1", "works", "One", "`a`"}, {"E1", "not", "Two", "On purpose."}})
	assert.Contains(t, page, "Of 2 rows 1 work, 0 work in part, and 1 are not done on purpose.")
	assert.Contains(t, page, "## Identity (mcp-tap)\n\n| row | asked for | state | shown by, or why not |\n|---|---|---|---|\n| A1 | One | works | `a` |\n\n")
	assert.Contains(t, page, "## Packages (ccpkg)\n\n| row | asked for | state | shown by, or why not |\n|---|---|---|---|\n| E1 | Two | not | On purpose. |\n")
}
