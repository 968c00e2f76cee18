package policy

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestReadDirective shows how an ignore is written in a comment.
func TestReadDirective(t *testing.T) {
	for comment, want := range map[string][]string{
		"// mcplumb: ignore[a-b] because":        {"a-b"},
		"//mcplumb:ignore[a-b] because":          {"a-b"},
		"//\tmcplumb:  ignore[a-b]because":       {"a-b"},
		"# mcplumb: ignore[a-b, c] because":      {"a-b", "c"},
		"#mcplumb: ignore[ a-b ,c ] because":     {"a-b", "c"},
		"/* mcplumb: ignore[a-b] because */":     {"a-b"},
		"/*mcplumb: ignore[a-b] because*/":       {"a-b"},
		"// mcplumb: ignore[a-b] see [1] and #2": {"a-b"},
		"/* mcplumb: ignore[a-b] be\n cause */":  {"a-b"},
	} {
		t.Run(comment, func(t *testing.T) {
			d, ok := readDirective(comment)
			require.True(t, ok)
			assert.Empty(t, d.void)
			var rules []string
			for _, rule := range d.rules {
				rules = append(rules, rule.text)
				assert.Equal(t, rule.text, comment[rule.start:rule.start+len(rule.text)])
			}
			assert.Equal(t, want, rules)
		})
	}
}

// TestReadDirectiveVoid shows what is meant as an ignore and hides nothing, and
// the word that is blamed.
func TestReadDirectiveVoid(t *testing.T) {
	const noReason, notUnderstood = "has no reason", "is malformed"
	for comment, want := range map[string][2]string{
		"// mcplumb: ignore[a-b]":         {"a-b", noReason},
		"# mcplumb: ignore[a-b]  \t":      {"a-b", noReason},
		"/* mcplumb: ignore[a-b] */":      {"a-b", noReason},
		"// mcplumb: ignore":              {"ignore", notUnderstood},
		"// mcplumb: ignore a-b because":  {"ignore", notUnderstood},
		"// mcplumb: ignore [a-b] x":      {"ignore", notUnderstood},
		"// mcplumb: ignore(a-b) x":       {"ignore", notUnderstood},
		"// mcplumb: ignore[] x":          {"ignore", notUnderstood},
		"// mcplumb: ignore[a-b x":        {"ignore", notUnderstood},
		"/* mcplumb: ignore[a,\nb] x */":  {"ignore", notUnderstood},
		"# mcplumb: Ignore[a-b] x":        {"Ignore", notUnderstood},
		"// mcplumb: ignroe[a-b] because": {"ignroe", notUnderstood},

		"// mcplumb ignore[a-b] because":               {"ignore", notUnderstood},
		"// MCPLUMB: ignore[a-b] because":              {"ignore", notUnderstood},
		"/// mcplumb: ignore[a-b] because":             {"ignore", notUnderstood},
		"## mcplumb: ignore[a-b] because":              {"ignore", notUnderstood},
		"/** mcplumb: ignore[a-b] because */":          {"ignore", notUnderstood},
		"/*\n mcplumb: ignore[a-b] because */":         {"ignore", notUnderstood},
		"// mcplumb: disable[a-b] because":             {"disable", notUnderstood},
		"// mcplumb-disable-next-line alias-drift":     {"disable", notUnderstood},
		"# mcplumb: skip duplicate-server two of them": {"skip", notUnderstood},
		"# mcplumb ignore duplicate-server":            {"ignore", notUnderstood},
	} {
		t.Run(comment, func(t *testing.T) {
			d, ok := readDirective(comment)
			require.True(t, ok)
			assert.Contains(t, d.void, want[1])
			require.Len(t, d.rules, 1)
			rule := d.rules[0]
			assert.Equal(t, want[0], rule.text)
			assert.Equal(t, rule.text, comment[rule.start:rule.start+len(rule.text)])
		})
	}
}

// TestNoDirective shows comments that are not directives.
func TestNoDirective(t *testing.T) {
	for _, comment := range []string{
		"//", "#", "/**/", "/* */", "// a comment", "# ignore[a-b] because", "// see mcplumb: ignore[a-b] because",
		"// mcplumb: see the handbook", "// mcplumb:", "// eslint: ignore[a-b] because", "// mcplumbing: ignore[a-b]",
		"# mcplumb reports alias-drift here", "# mcplumb checks this file", "# mcplumb",
	} {
		t.Run(comment, func(t *testing.T) {
			_, ok := readDirective(comment)
			assert.False(t, ok)
		})
	}
}
