package view

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// TestFixesThatShowACredentialAreWithheld holds which edits are never written down: those with
// a credential in their text, whether its form says so, the name that it is written under, or
// a rule that found it at its current place.
func TestFixesThatShowACredentialAreWithheld(t *testing.T) {
	token := "ghp_" + strings.Repeat("a1B2c3D4e5F6", 3)
	const content = `{"a": {"env": {"PASSWORD": "x", "NAME": "tr0ub4dor-and-3"}}}`
	file := syntax.NewFile("a.json", []byte(content))
	span := func(text string) syntax.Span {
		start := strings.Index(content, text)
		require.GreaterOrEqual(t, start, 0, text)
		return syntax.Span{Start: start, End: start + len(text)}
	}
	env := func(name, value string) edit.Value {
		return edit.Object(edit.Member{Name: name, Value: edit.Object(edit.Member{Name: "k", Value: edit.String(value)})})
	}
	insert := func(name string, v edit.Value) edit.Change {
		return edit.Insert(file, span(`"env"`), name, v, edit.Where{})
	}
	for name, test := range map[string]struct {
		change  edit.Change
		text    string // that is shown
		isShown bool
	}{
		"a name":                        {edit.Rename(file, span(`"NAME"`), "TITLE"), `"TITLE"`, true},
		"nothing":                       {edit.Remove(file, span(`"NAME"`)), ``, true},
		"a reference":                   {edit.Rename(file, span(`"x"`), "${PASSWORD}"), `"${PASSWORD}"`, true},
		"a placeholder":                 {edit.Rename(file, span(`"x"`), "<your password>"), `"<your password>"`, true},
		"a token":                       {edit.Rename(file, span(`"x"`), token), ``, false},
		"a token in a longer text":      {insert("b", env("headers", token)), ``, false},
		"a value under a telling name":  {edit.Rename(file, span(`"x"`), "correct-horse-7"), ``, false},
		"a telling name and its value":  {insert("API_KEY", edit.String("correct-horse-7")), ``, false},
		"what a rule calls a secret":    {insert("b", env("N", "tr0ub4dor-and-3")), ``, false},
		"a name for what is one anyway": {edit.Rename(file, span(`"NAME"`), "WORD"), `"WORD"`, true},
	} {
		t.Run(name, func(t *testing.T) {
			fix := rule.Fix{Title: "t", Edits: []edit.Change{test.change}}
			v := New(Run{Findings: []rule.Finding{
				{File: file, Span: span(`"tr0ub4dor-and-3"`), Secret: true, Fixes: []rule.Fix{fix}},
			}})
			f := v.Findings(rule.Off)[0].Fixes()[0]
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

// TestTooManyFixesOfALargeFile checks that a file that would take minutes is not read, for any
// of its fixes.
func TestTooManyFixesOfALargeFile(t *testing.T) {
	file := syntax.NewFile("a.json", []byte(`{"a": 1`+strings.Repeat(" ", 1<<20)+`}`))
	small := syntax.NewFile("b.json", []byte(`{"a": 1}`))
	rename := func(file *syntax.File) rule.Fix {
		return rule.Fix{Edits: []edit.Change{edit.Rename(file, syntax.Span{Start: 1, End: 4}, "b")}}
	}
	for fixes, want := range map[int]bool{maxLowered/(1<<20) - 1: true, maxLowered / (1 << 20): false} {
		findings := []rule.Finding{{File: small, Fixes: []rule.Fix{rename(small)}}}
		for range fixes {
			findings = append(findings, rule.Finding{File: file, Fixes: []rule.Fix{rename(file)}})
		}
		shown := New(Run{Findings: findings}).Findings(rule.Off)
		_, ok := shown[1].Fixes()[0].Edits()
		assert.Equal(t, want, ok, fixes)
		_, ok = shown[0].Fixes()[0].Edits()
		assert.True(t, ok, "that of another file")
	}
}

// TestSingleEditShowsNoSecretBetween checks that the text between two edits is also checked.
func TestSingleEditShowsNoSecretBetween(t *testing.T) {
	const content = "{\"a\": \"hunter-2-and-3\", \"b\": 1,\n\"c\": 2}"
	file := syntax.NewFile("a.json", []byte(content))
	rename := func(key, name string) edit.Change {
		start := strings.Index(content, key)
		return edit.Rename(file, syntax.Span{Start: start, End: start + len(key)}, name)
	}
	start := strings.Index(content, `"hunter`)
	secret := rule.Finding{File: file, Span: syntax.Span{Start: start, End: start + len(`"hunter-2-and-3"`)}, Secret: true}
	single := func(changes ...edit.Change) (Edit, bool) {
		f := rule.Finding{File: file, Fixes: []rule.Fix{{Edits: changes}}}
		return New(Run{Findings: []rule.Finding{f, secret}}).Findings(rule.Off)[0].Fixes()[0].Single()
	}
	_, ok := single(rename(`"a"`, "x"), rename(`"b"`, "y"))
	assert.False(t, ok)
	whole, ok := single(rename(`"c"`, "z"), rename(`"b"`, "y"))
	require.True(t, ok)
	assert.Equal(t, "\"y\": 1,\n\"z\"", whole.Text.Plain())
	assert.Equal(t, Position{Line: 2, Column: 4}, whole.Place.End(Bytes))
}

// TestNewWarningAfterFix shows the rules that warn because of a fix after the description of the fix.
func TestNewWarningAfterFix(t *testing.T) {
	file := syntax.NewFile("a.json", []byte(`{"a": 1}`))
	span := syntax.Span{Start: 1, End: 4}
	v := New(Run{})
	finding := &rule.Finding{File: file, Span: span, Rule: &rule.Rule{ID: "fixed"}}
	fix := &rule.Fix{Title: "rename a", Edits: []edit.Change{edit.Rename(file, span, "b")}}
	assert.Equal(t, "rename a", v.FixResult(finding, fix, nil).Title.String())
	brings := []*rule.Rule{{ID: "one"}, {ID: "two"}}
	assert.Equal(t, "rename a (new warning: one, two)", v.FixResult(finding, fix, brings).Title.String())
}
