package view

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// shownOf writes hunks as a patch does, with a letter for each line.
func shownOf(hunks []Hunk) string {
	var all []string
	for _, h := range hunks {
		var lines strings.Builder
		for _, line := range h.Lines {
			lines.WriteString(strings.TrimSuffix(line.Plain(), "\n"))
		}
		all = append(all, fmt.Sprintf("%d,%d %s", h.OldStart, h.OldCount, lines.String()))
	}
	return strings.Join(all, "; ")
}

// linesOfLetters makes a text of a line for each letter.
func linesOfLetters(letters string) string {
	return strings.Join(strings.Split(letters, ""), "\n") + "\n"
}

// TestChanges: an unchanged line separates two hunks, and a hunk that only adds lines has an
// adjacent one that no other hunk has.
func TestChanges(t *testing.T) {
	for _, tt := range []struct{ old, new, want string }{
		{"abcd", "aXcY", "2,1 -b+X; 4,1 -d+Y"},
		{"abcd", "aXYd", "2,2 -b-c+X+Y"},
		{"abcd", "abXcd", "2,1  b+X"},
		{"abcd", "aXbYc", "1,1  a+X; 2,1  b+Y; 4,1 -d"},
		{"ab", "Xab", "1,1 +X a"},
		{"ab", "XaYb", "1,1 +X a; 2,1 +Y b"},
		{"ab", "abX", "2,1  b+X"},
		{"nxyzmxyz", "nxyz", "5,4 -m-x-y-z"},
		{"nxyzmxyze", "nxyze", "5,4 -m-x-y-z"},
		{"ab", "ab", ""},
	} {
		assert.Equal(t, tt.want, shownOf(Changes(linesOfLetters(tt.old), linesOfLetters(tt.new))), "%s to %s", tt.old, tt.new)
	}
}

// TestJoin: two hunks and what is between them are one.
func TestJoin(t *testing.T) {
	old, now := linesOfLetters("abcde"), linesOfLetters("aXcde")
	now = strings.Replace(now, "d\n", "", 1)
	hunks := Changes(old, now)
	joined := Join(old, hunks[0], hunks[1])
	assert.Equal(t, "2,3 -b+X c-d", shownOf([]Hunk{joined}))
	assert.Equal(t, "b\nc\nd\n", old[joined.Old().Start:joined.Old().End])
	assert.Equal(t, []int{2, 2}, []int{joined.NewStart, joined.NewCount})
}

// TestOldOffset: a place was where it is less what has come before it.
func TestOldOffset(t *testing.T) {
	old, now := "a\nb\nc\nd\n", "a\nlonger\nc\nmore\nd\n"
	hunks := Changes(old, now)
	for text, want := range map[string]string{"a\n": "a\n", "longer": "b\n", "d\n": "d\n"} {
		assert.Equal(t, strings.Index(old, want), OldOffset(hunks, strings.Index(now, text)), text)
	}
	assert.Equal(t, len(old), OldOffset(hunks, len(now)))
}
