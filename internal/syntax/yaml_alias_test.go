package syntax_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestExpand holds what js-yaml 4.1 and PyYAML 6 read.
func TestExpand(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"an alias", "a: &x {b: 1}\nc: *x", "{a: {b: 1}, c: {b: 1}}"},
		{"of a word", "a: &x b\nc: [*x]", "{a: b, c: [b]}"},
		{"the anchor before it", "a: &x 1\nb: *x\nc: &x 2\nd: *x", "{a: 1, b: 1, c: 2, d: 2}"},
		{"an alias in the value of an alias", "a: &x 1\nb: &y [*x]\nc: *y", "{a: 1, b: [1], c: [1]}"},
		{"a merge key", "a: &x {b: 1, c: 2}\nd: {<<: *x, c: 3}", "{a: {b: 1, c: 2}, d: {c: 3, b: 1}}"},
		{"behind the member", "a: &x {b: 1}\nd: {b: 2, <<: *x}", "{a: {b: 1}, d: {b: 2}}"},
		{"of several mappings the first", "a: &x {b: 1}\nc: &y {b: 2, d: 3}\ne: {<<: [*x, *y]}", "{a: {b: 1}, c: {b: 2, d: 3}, e: {b: 1, d: 3}}"},
		{"of a mapping with one", "a: &x {b: 1}\nc: &y {<<: *x}\nd: {<<: *y}", "{a: {b: 1}, c: {b: 1}, d: {b: 1}}"},
		{"without an anchor", "a: {<<: {b: 1}}", "{a: {b: 1}}"},
		{"at the root", "a: &x {b: 1}\n<<: *x", "{a: {b: 1}, b: 1}"},
		{"within itself", "a: &x {b: *x}", "{a: {b: {b: *x}}}"},
	} {
		t.Run(test.name, func(t *testing.T) {
			tree := parseYAML(t, test.text)
			require.NoError(t, tree.Expand())
			assert.Equal(t, test.want, plain(tree.Root))
		})
	}
}

// TestExpandPlaces finds the value of an alias at the alias.
func TestExpandPlaces(t *testing.T) {
	const text = "a: &x {b: [c]}\nd: *x\ne: {<<: *x, f: g}\n"
	tree := parseYAML(t, text)
	require.NoError(t, tree.Expand())
	for _, name := range []string{"d", "e"} {
		b := tree.Root.At(name, "b")
		assert.Equal(t, "*x", cut(text, b.Key))
		assert.Equal(t, "*x", cut(text, b.Nodes[0].Value))
		assert.True(t, b.Shared && b.Nodes[0].Shared && tree.Root.Get(name).Shared)
	}
	assert.Equal(t, "g", cut(text, tree.Root.At("e", "f").Value))
	assert.False(t, tree.Root.At("e", "f").Shared)
	assert.Equal(t, "[c]", cut(text, tree.Root.At("a", "b").Value))
}

// TestExpandLimit stops at a small file that expands to billions of values.
func TestExpandLimit(t *testing.T) {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x]\n")
	for i := range 40 {
		fmt.Fprintf(&b, "a%d: &a%d [*a%d, *a%d]\n", i+1, i+1, i, i)
	}
	tree := parseYAML(t, b.String())
	var limit *syntax.LimitError
	require.ErrorAs(t, tree.Expand(), &limit)
	assert.Equal(t, "aliases stand for more than 100,000 values", limit.Message)
}
