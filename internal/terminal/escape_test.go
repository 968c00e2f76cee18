package terminal_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/internal/terminal"
)

func TestEscape(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "",
		"plain text, `\\x`":        "plain text, `\\x`",
		"a\nb\r\tc":                `a\nb\r\tc`,
		"\x1b]8;;http://x\x07link": `\x1b]8;;http://x\x07link`,
		"\u202eevil\u2066\u2069":   `\u202eevil\u2066\u2069`,
		"日本 🚀 café":                "日本 🚀 café",
		"::error::x":               `\x3a:error::x`,
		"a ##[error]x":             `a \x23#[error]x`,
		"\u2028\u2029\ufeff\u00ad": `\u2028\u2029\ufeff\u00ad`,
		"\xc0\xaf\xed\xa0\x80":     `\xc0\xaf\xed\xa0\x80`,
		"x\ufe0f\ufe0e":            `x\ufe0f\ufe0e`,
		"\U000e0100":               `\U000e0100`,
		"Русский العربية":          "Русский العربية",
	} {
		assert.Equal(t, want, terminal.Escape(text))
	}
}

func TestFitMiddle(t *testing.T) {
	for _, c := range []struct {
		text    string
		columns int
		want    string
	}{
		{"services/api/.mcp.json:3", 24, "services/api/.mcp.json:3"},
		{"services/api/.mcp.json:3", 11, "serv…json:3"},
		{"日本語日本語", 7, "日…本語"},
		{"abc", 1, "…"},
	} {
		got := terminal.FitMiddle(c.text, c.columns)
		assert.Equal(t, c.want, got)
		assert.LessOrEqual(t, terminal.Width(got), c.columns)
	}
}
