package glob_test

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/glob"
)

func TestCovers(t *testing.T) {
	for pattern, want := range map[string][2]string{
		// what it covers, and what not
		"a":                 {"a a/b a/b/c", "b b/a ab"},
		"a*":                {"a ab a/b ab/c", "b"},
		"a/**":              {"a a/b a/b/c", "ab b/a"},
		"**/a":              {"a b/a b/a/c", "ab"},
		"**/a/**/b":         {"a/b x/a/y/z/b a/x/b/c", "a b/a"},
		"*.{json,yaml}":     {"x.json x.yaml x.yaml/y", "x.toml a/x.json"},
		"{a,b/{c,d}}/e":     {"a/e b/c/e b/d/e/f", "a b/e"},
		"{,x}a":             {"a xa", "ya"},
		`\{a,b\}`:           {"{a,b}", "a b"},
		"[{,]a":             {"{a ,a", "a"},
		"[a/b]c":            {"ac bc", "a/c c"},
		"{a,b}{c,d}{e,f}/*": {"ace/x bdf/x/y", "ac"},
		"é?":                {"éé éa/x", "é"},
	} {
		p, err := glob.Parse(pattern)
		require.NoError(t, err, pattern)
		for _, path := range strings.Fields(want[0]) {
			assert.True(t, p.Covers(path), "%s covers %s", pattern, path)
		}
		for _, path := range strings.Fields(want[1]) {
			assert.False(t, p.Covers(path), "%s does not cover %s", pattern, path)
		}
		assert.False(t, p.Covers(""), "the root is never covered")
	}
}

func TestRefused(t *testing.T) {
	for pattern, want := range map[string]string{
		"{a":                         "is malformed",
		"a}":                         "is malformed",
		"[":                          "is malformed",
		`a\`:                         "is malformed",
		strings.Repeat("a", 4097):    "is longer than 4096 bytes",
		strings.Repeat("{a,a}", 9):   "expands to more than 256 patterns: write out its braces",
		strings.Repeat("{a,a}", 800): "expands to more than 256 patterns: write out its braces",
		"{" + strings.Repeat("{a,b},", 200) + "c}":                    "expands to more than 256 patterns: write out its braces",
		strings.Repeat("{", 500) + "a,b" + strings.Repeat(",c}", 500): "expands to more than 256 patterns: write out its braces",
	} {
		_, err := glob.Parse(pattern)
		assert.EqualError(t, err, want, "%.40s", pattern)
	}
	_, err := glob.Parse(strings.Repeat("{a,b}", 8))
	assert.NoError(t, err, "256 ways are not too many")
	p, err := glob.Parse(strings.Repeat("{a}", 1000) + strings.Repeat("{", 400) + "b" + strings.Repeat("}", 400))
	require.NoError(t, err, "braces around one word are no choice")
	assert.Equal(t, 1001, p.Size())
}

// TestDeepPatterns holds that ** after ** does not multiply: the steps of the
// matcher cannot be counted from outside, but what multiplied 30 times would
// never end.
func TestDeepPatterns(t *testing.T) {
	for _, pattern := range []string{
		strings.Repeat("**/", 1000) + "b", strings.Repeat("*a", 1500) + "b", strings.Repeat("**/*/", 700) + "b",
		strings.Repeat("**/a*/", 500) + "b", strings.Repeat("{**/,a/}", 8) + "b",
	} {
		p, err := glob.Parse(pattern)
		require.NoError(t, err)
		assert.False(t, p.Covers(strings.Repeat("a/", 2000)+"a"))
		assert.False(t, p.Covers(strings.Repeat("a", 250)))
	}
}

// TestIndex holds that looking a path up among many patterns finds what trying all
// of them would, without trying those of other names.
func TestIndex(t *testing.T) {
	patterns := []string{"a", "**/b", "a/*.json", "*", "{c,a}/b", "x/**/y", "?", "**/[ab]"}
	var ix glob.Index
	var parsed []glob.Pattern
	for i, text := range patterns {
		p, err := glob.Parse(text)
		require.NoError(t, err)
		parsed = append(parsed, p)
		ix.Add(p, i)
	}
	for _, path := range []string{"", "a", "b", "a/b", "c/b", "a/x.json", "x/y", "x/1/2/y/z", "zz/q", "a/a/a"} {
		var want, got []int
		for i, p := range parsed {
			if p.Covers(path) {
				want = append(want, i)
			}
		}
		ix.Covering(path, func(id int) bool { got = append(got, id); return true })
		slices.Sort(got)
		assert.Equal(t, want, slices.Compact(got), path)
	}
}

// Patterns mean what they mean to the library, as long as stars do not meet where
// braces are written out, and no part of the path is empty.
func TestPatternsMeanWhatTheLibraryReads(t *testing.T) {
	for _, text := range []string{"{a,b/**}/[c-d]*", "**/{a*,}b", "a/**", "**/b", "a/*/c", "?", "[!a]/b", "{a,b}/{c,d}", "**"} {
		p, err := glob.Parse(text)
		require.NoError(t, err, text)
		for _, path := range []string{"a", "b", "{a", "a/b", "b/x/c", "b/d", "a/b/c", "x/b", "a/c", "b/d/e", "ab"} {
			want, err := doublestar.Match(text, path)
			require.NoError(t, err)
			assert.Equal(t, want, p.Matches(path), "%q %q", text, path)
		}
	}
}

// FuzzPattern reads any pattern and asks it for any path: what the library refuses is
// refused.
func FuzzPattern(f *testing.F) {
	f.Add("{a,b/**}/[c-d]*", "b/x/c")
	f.Add("**/{a*,}b", "a/b/c")
	f.Add(`\{a,{b,c}}`, "{a")
	f.Add("**{}", "0/0")
	f.Add("0/**/", "0/0")
	f.Fuzz(func(t *testing.T, text, path string) {
		p, err := glob.Parse(text)
		if len(text) > 100 || len(path) > 100 || !fs.ValidPath(path) {
			return // no path that there can be
		}
		if !doublestar.ValidatePattern(text) {
			require.Error(t, err)
		}
		if err == nil {
			p.Matches(path)
			p.Covers(path)
		}
	})
}

func ExamplePattern_Covers() {
	p, _ := glob.Parse("**/testdata/{old,new}/*.json")
	fmt.Println(p.Covers("a/testdata/new/x.json"), p.Covers("a/testdata/x.json"))
	// Output: true false
}
