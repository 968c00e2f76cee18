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

// A beginning is enough for a hint, and too little to call a package the misspelling of another.
func TestHintOfABeginning(t *testing.T) {
	known := []string{"claude-code", "codex", "error", "note", "vscode", "warning"}
	assert.Equal(t, `did you mean "warning"?`, Hint("warn", known))
	assert.Equal(t, `did you mean "claude-code"?`, Hint("Claude", known))
	assert.Equal(t, `did you mean "warning"?`, OneOf("warn", known).Error())
	assert.Contains(t, Hint("co", known), "known are", "two letters say too little")
	assert.Empty(t, Nearest("claude", known))
}
