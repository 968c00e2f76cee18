package mcp_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// TestLossesThatDecide: a loss that does not change the server does not count.
func TestLossesThatDecide(t *testing.T) {
	for reason, want := range map[mcp.LossReason]bool{
		mcp.NoTarget: true, mcp.NotExpanded: true, mcp.NotSpoken: true, mcp.NoName: true, mcp.WouldExpand: true,
		mcp.NotSaid: false, mcp.Chosen: false, mcp.NoDefault: false, mcp.NotAsked: false, mcp.MayNotExpand: false, mcp.SecretLeftOut: false,
	} {
		assert.Equal(t, want, mcp.Loss{Reason: reason}.IsFatal(), reason)
	}
}
