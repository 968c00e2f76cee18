package report

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestShorten(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		want  string
	}{
		{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"ééé", 3, "ééé"}, {"éééé", 3, "éé…"}, {"😀😀", 4, "😀😀"}, {"😀😀", 3, "😀…"}, {"a😀b", 3, "a…"},
	} {
		assert.Equal(t, c.want, shorten(c.text, c.limit), c.text)
	}
}
