package syntax

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"go.yaml.in/yaml/v3"
)

// The errors of a decoder with unknown internals are still reported, by the line that it names.
func TestYAMLErrorsOfAnUnknownDecoder(t *testing.T) {
	const text = "a: 1\nb: [\nc: 2"
	tests := []struct{ message, text, want string }{
		{"yaml: line 2: did not find expected key", "b", `expected a key, found "b": correct the indentation, or write the value before it in quotes`},
		{"yaml: line 2: found something new", "b", "found something new"},
		{"yaml: line 9: found something new", "c: 2", "found something new"},
		{"yaml: unknown anchor 'x' referenced", "a:", "nothing is called &x before this alias"},
		{"yaml: found unexpected end of stream", "a: 1", "this string is never closed"},
		{"yaml: line 9: found unknown escape character", "c: 2", "found unknown escape character"},
		{"yaml: line 9: did not find expected ',' or ']'", "c: 2", `expected a comma or "]", found the end of the file`},
		{"yaml: line 9: found character that cannot start any token", "c: 2", `a value cannot begin with "": write the value in quotes`},
		{panicMessage, "a", panicMessage},
	}
	for _, test := range tests {
		f := NewFile("a", []byte(text))
		err := newYAMLReader(f, Span{0, len(text)}).syntaxError(&yaml.Decoder{}, errors.New(test.message))
		got := err.(*Error)
		assert.Equal(t, test.text, text[got.Span.Start:got.Span.End], test.message)
		assert.Equal(t, test.want, got.Message(func(text string) string { return text }))
	}
}
