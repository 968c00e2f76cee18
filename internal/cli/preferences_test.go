package cli

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/report"
)

// TestPreferredFormats holds that the settings may ask for every format of check.
func TestPreferredFormats(t *testing.T) {
	var names []string
	for _, format := range report.All() {
		names = append(names, format.Name)
	}
	assert.Equal(t, names, policy.FormatWords())
}
