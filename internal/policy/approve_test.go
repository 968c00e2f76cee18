package policy

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestApprove adds an approval to settings of every form. Comments, quotes, indentation
// and line ends stay as they are.
func TestApprove(t *testing.T) {
	block := func(indent string) string {
		lines := []string{"- rule: integrity-changed", "  identity: npm:notes", "  integrity: sha512-ab+/==", "  reason: \"asked: it is fine\""}
		return indent + strings.Join(lines, "\n"+indent) + "\n"
	}
	whole := "ignore:\n" + block("  ")
	for _, test := range []struct{ name, before, after string }{
		{"none", "", whole},
		{"white space", "\n\n", whole},
		{"comments alone", "# Settings.\n#ignore:\n#  - rule: x\n", "# Settings.\n#ignore:\n#  - rule: x\n\n" + whole},
		{"a comment without an end", "# Settings.", "# Settings.\n\n" + whole},
		{"others", "rules:\n  alias-drift: off # why\nexclude: # too\n  - a\n", "rules:\n  alias-drift: off # why\nexclude: # too\n  - a\n" + whole},
		{"no end", "severity: note", "severity: note\n" + strings.TrimSuffix(whole, "\n")},
		{"an empty list", "ignore: []\n", whole},
		{"nothing in it", "ignore:\n", whole},
		{"a list", "ignore:\n  # agreed\n  - rule: alias-drift\n    reason: x # y\n\n# the end\nexclude: [a]\n",
			"ignore:\n  # agreed\n  - rule: alias-drift\n    reason: x # y\n" + block("  ") + "\n# the end\nexclude: [a]\n"},
		{"a list without indentation", "ignore:\n- {rule: alias-drift, reason: x}\n", "ignore:\n- {rule: alias-drift, reason: x}\n" + block("")},
		{"a list in brackets", "ignore: [{rule: alias-drift, reason: x}]\n",
			"ignore: [{rule: alias-drift, reason: x}, {rule: integrity-changed, identity: npm:notes, integrity: sha512-ab+/==, reason: \"asked: it is fine\"}]\n"},
		{"Windows", "\ufeffexclude:\r\n- a\r\n", "\ufeffexclude:\r\n- a\r\n" + strings.ReplaceAll("ignore:\n"+block(""), "\n", "\r\n")},
	} {
		t.Run(test.name, func(t *testing.T) {
			approval := Ignore{Rule: "integrity-changed", Identity: "npm:notes", Integrity: "sha512-ab+/==", Reason: "asked: it is fine"}
			got, err := AddIgnores("s.yaml", []byte(test.before), []Ignore{approval})
			require.NoError(t, err)
			assert.Equal(t, test.after, string(got))
			settings, err := ParseSettings("s.yaml", "s.yaml", got)
			require.NoError(t, err)
			assert.True(t, settings.Approves("npm:notes", "sha512-ab+/==", ""))
			assert.False(t, settings.Approves("npm:notes", "sha512-cd+/==", ""))
			assert.False(t, settings.Approves("npm:others", "sha512-ab+/==", ""))
		})
	}
}

// TestApproveWritesAnything holds that no text of a lockfile, and no reason, becomes
// anything else than a text of the settings.
func TestApproveWritesAnything(t *testing.T) {
	for _, text := range []string{"a\nrules: {integrity-changed: off}", "*a", "&a b", "!!x y", "# a", "'", `"`, "a: b", "- a", "{a", "2030-01-01", "null", "1", " a ", "日本", "a\tb", "\u2028"} {
		approvals := []Ignore{
			{Rule: "integrity-changed", Identity: text, Integrity: "1" + text, Reason: "r" + text},
			{Rule: "integrity-changed", Identity: text, Integrity: "2" + text, Reason: "r" + text},
		}
		got, err := AddIgnores("s.yaml", []byte("exclude: [b]\n"), approvals)
		require.NoError(t, err, text)
		settings, err := ParseSettings("s.yaml", "s.yaml", got)
		require.NoError(t, err, text)
		require.Len(t, settings.Ignores, 2, text)
		for i, ignore := range settings.Ignores {
			assert.Equal(t, approvals[i].hides(), ignore.hides(), text)
			assert.Equal(t, "r"+text, ignore.Reason, text)
		}
		assert.Empty(t, settings.Rules)
	}
}
