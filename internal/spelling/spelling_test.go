package spelling

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNearest(t *testing.T) {
	known := []string{"alias-drift", "check", "exclude", "list", "note", "warning"}
	for word, want := range map[string]string{
		"chekc":      "check", // swapped
		"chek":       "check", // dropped
		"checkk":     "check", // added
		"excluded":   "exclude",
		"exlcude":    "exclude",
		"EXCLUDE":    "exclude",
		"alias-drft": "alias-drift",
		"warn":       "",
		"lint":       "list",
		"x":          "",
		"":           "",
		"explode":    "exclude",
		"日本語":        "",
	} {
		assert.Equal(t, want, Nearest(word, known), word)
	}
}
