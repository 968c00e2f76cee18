package mcp_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// TestCellOf: a row may have none of a file.
func TestCellOf(t *testing.T) {
	here, there := &mcp.GroupFile{}, &mcp.GroupFile{}
	row := &mcp.GroupRow{Cells: []*mcp.Cell{{File: here, Differences: []mcp.Difference{{Field: mcp.FieldVersion}, {Field: mcp.FieldName, Name: "docs"}}}}}
	require.Same(t, row.Cells[0], row.Cell(here))
	assert.True(t, row.Cell(here).IsRenamed())
	assert.Nil(t, row.Cell(there))
	row.Cells[0].Differences = row.Cells[0].Differences[:1]
	assert.False(t, row.Cell(here).IsRenamed())
}
