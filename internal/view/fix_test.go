package view

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// TestFixesThatShowACredentialAreWithheld holds which edits are never written
// down: those with a credential in their text, whether its form says so, the name
// that it is written under, or a rule that found it where it stands now.
func TestFixesThatShowACredentialAreWithheld(t *testing.T) {
	token := "ghp_" + strings.Repeat("a1B2c3D4e5F6", 3)
	const content = `{"a": {"env": {"PASSWORD": "x", "NAME": "tr0ub4dor-and-3"}}}`
	file := syntax.NewFile("a.json", []byte(content))
	span := func(text string) syntax.Span {
		start := strings.Index(content, text)
		require.GreaterOrEqual(t, start, 0, text)
		return syntax.Span{Start: start, End: start + len(text)}
	}
	for name, test := range map[string]struct {
		old, text string
		isShown   bool
	}{
		"a name":                        {`"NAME"`, `"TITLE"`, true},
		"nothing":                       {`"NAME": "tr0ub4dor-and-3"`, ``, true},
		"a reference":                   {`"x"`, `"${PASSWORD}"`, true},
		"a placeholder":                 {`"x"`, `"<your password>"`, true},
		"a token":                       {`"x"`, `"` + token + `"`, false},
		"a token in a longer text":      {`"a"`, `"a": {"headers": {"h": "` + token + `"}}, "b"`, false},
		"a value under a telling name":  {`"x"`, `"correct-horse-7"`, false},
		"a telling name and its value":  {`"NAME"`, `"API_KEY": "correct-horse-7", "NAME"`, false},
		"what a rule calls a secret":    {`"a"`, `"a": {"env": {"N": "tr0ub4dor-and-3"}}, "b"`, false},
		"a name for what is one anyway": {`"NAME": `, `"WORD": `, true},
	} {
		t.Run(name, func(t *testing.T) {
			fix := checks.Fix{Title: "t", Edits: []syntax.Edit{{File: file, Span: span(test.old), New: test.text}}}
			v := New(Run{Findings: []checks.Finding{
				{File: file, Span: span(`"tr0ub4dor-and-3"`), Secret: true, Fixes: []checks.Fix{fix}},
			}})
			f := v.Findings(checks.Off)[0].Fixes()[0]
			edits, ok := f.Edits()
			assert.Equal(t, test.isShown, ok)
			_, single := f.Single()
			assert.Equal(t, test.isShown, single)
			if test.isShown {
				require.Len(t, edits, 1)
				assert.Equal(t, test.text, edits[0].Text.Plain(), "it is what will be written")
			}
		})
	}
}

// TestSingleEditShowsNoSecretBetween holds that what stands between two edits is
// looked at, too.
func TestSingleEditShowsNoSecretBetween(t *testing.T) {
	const content = "{\"a\": \"hunter-2-and-3\", \"b\": 1,\n\"c\": 2}"
	file := syntax.NewFile("a.json", []byte(content))
	edit := func(old, text string) syntax.Edit {
		start := strings.Index(content, old)
		return syntax.Edit{File: file, Span: syntax.Span{Start: start, End: start + len(old)}, New: text}
	}
	start := strings.Index(content, `"hunter`)
	secret := checks.Finding{File: file, Span: syntax.Span{Start: start, End: start + len(`"hunter-2-and-3"`)}, Secret: true}
	single := func(edits ...syntax.Edit) (Edit, bool) {
		f := checks.Finding{File: file, Fixes: []checks.Fix{{Edits: edits}}}
		return New(Run{Findings: []checks.Finding{f, secret}}).Findings(checks.Off)[0].Fixes()[0].Single()
	}
	_, ok := single(edit(`"a"`, `"x"`), edit(`"b"`, `"y"`))
	assert.False(t, ok)
	whole, ok := single(edit(`"c"`, `"z"`), edit(`"b"`, `"y"`))
	require.True(t, ok)
	assert.Equal(t, "\"y\": 1,\n\"z\"", whole.Text.Plain())
	assert.Equal(t, Position{Line: 2, Column: 4}, whole.Place.End(Bytes))
}
