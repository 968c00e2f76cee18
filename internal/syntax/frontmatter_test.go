package syntax_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseFrontMatter(t *testing.T) {
	tests := []struct {
		name, text string
		want       string // the root as written; empty: there is no root
	}{
		{"YAML", "---\nname: a\n---\n# b\n", "name: a"},
		{"closed by dots", "---\nname: a\n...\nb: c\n", "name: a"},
		{"CRLF", "---\r\nname: a\r\nb: 1\r\n---\r\n", "name: a\r\nb: 1"},
		{"byte order mark and white space", "\ufeff--- \t\nname: a\n--- \n", "name: a"},
		{"the text need not be UTF-8", "---\nname: a\n---\n\xff\x00", "name: a"},
		{"the last line is the mark", "---\nname: a\n---", "name: a"},
		{"empty", "---\n---\n", ""},
		{"only a comment", "---\n# a\n---\n", ""},
		{"dashes with more", "---\nname: a\nb: |\n  ---\n  --- c\n---\n", "name: a\nb: |\n  ---\n  --- c"},
		{"TOML", "+++\nname = 'a'\n+++\n", "name = 'a'"},
		{"never closed", "---\nname: a\n", ""},
		{"closed by the other mark", "---\nname: a\n+++\n", ""},
		{"TOML is not closed by dots", "+++\nname = 'a'\n...\n", ""},
		{"not at the top", "\n---\nname: a\n---\n", ""},
		{"indented", " ---\nname: a\n---\n", ""},
		{"four dashes", "----\nname: a\n----\n", ""},
		{"no file", "", ""},
		{"only a mark", "---", ""},
		{"text", "# a\n\n---\n\nb\n---\n", ""},
		{"text in UTF-16", "\xff\xfe#\x00 \x00a\x00", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tree, err := syntax.ParseFrontMatter(syntax.NewFile("a.md", []byte(test.text)))
			require.NoError(t, err)
			assert.Equal(t, syntax.HasBOM([]byte(test.text)), tree.BOM)
			if test.want == "" {
				assert.Nil(t, tree.Root)
				return
			}
			assert.Equal(t, test.want, cut(test.text, tree.Root.Value))
			assert.Equal(t, "a", tree.Root.Get("name").Text)
		})
	}
}

func TestParseFrontMatterErrors(t *testing.T) {
	for _, test := range []errorTest{
		{"YAML", "---\nname: «@»\n---\n", `a value cannot begin with "@": write the value in quotes`},
		{"never closed", "---\r\nname: «\"a»\r\n---\r\n\"\r\n", "this string is never closed"},
		{"bracket closed behind", "---\nname: «[»a\n---\n]\n", `"[" is never closed`},
		{"first line", "\ufeff---\n«\t»a: 1\n---\n", "YAML is indented by spaces, not tabs"},
		{"TOML", "+++\nname = «a»\n+++\n", `expected a value, found "a": a string needs quotes`},
		{"TOML, twice", "+++\na = 1\n«a» = 1\n+++\n", `"a" is already defined on line 2`},
		{"TOML, end of the front matter", "+++\n«a =»\n+++\n", "expected a value, found the end of the line"},
		{"UTF-16", "«\xff\xfe»-\x00-\x00-\x00\n\x00", "the file is in UTF-16: save it as UTF-8"},
		{"invalid UTF-8", "---\nname: «\xff»\n---\n", "invalid UTF-8"},
	} {
		test.run(t, syntax.ParseFrontMatter)
	}
	limitTest{"size", strings.Repeat("\n", syntax.MaxBytes+1), "file is 10.1 MB, over the limit of 10 MB"}.run(t, syntax.ParseFrontMatter)
}

// FuzzParseFrontMatter checks that front matter means the same as in a separate file, only further
// back.
func FuzzParseFrontMatter(f *testing.F) {
	for _, seed := range []string{
		"", "---", "---\n---\n", "---\na: 1\n---\n# b\n", "\ufeff---\r\na: |\r\n  b\r\n...\r\n", "+++\na = 1\n+++\n", "---\na: [\n---\n", "+++\na = \n+++\n", "\x00\n\x00-\x00-\x00-\x00\n", "\n\x00-\x00-\x00-\x00", "---\n\xff\n---\n", "---\n\ufeffa\n---\n\xff",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tree, err := syntax.ParseFrontMatter(syntax.NewFile("a.md", bytes.Clone(data)))
		if err != nil {
			checkTOMLOrYAMLError(t, data, err)
			return
		}
		if tree.Root == nil {
			return
		}
		start := tree.Root.Value.Start
		line := bytes.LastIndexByte(data[:start], '\n') + 1
		require.Positive(t, line, "the mark is before it")
		if bytes.HasPrefix(bytes.TrimPrefix(data, []byte("\ufeff")), []byte("---")) {
			checkYAMLTree(t, data, tree)
		} else {
			checkTOMLTree(t, data, tree)
		}
	})
}
