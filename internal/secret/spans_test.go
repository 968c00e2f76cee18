package secret_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// TestSpans checks that a name on the previous line makes a value a secret, and that a span has the
// same answer each time.
func TestSpans(t *testing.T) {
	value := strings.Repeat("a1B2", 5)
	text := "\"--api-key\",\r\n\"" + value + "\",\n\"name\"\nTOKEN=" + value
	file := syntax.NewFile("a.json", []byte(text))
	first, last := strings.Index(text, value), strings.LastIndex(text, value)
	want := []syntax.Span{{Start: first, End: first + len(value)}, {Start: last, End: last + len(value)}}

	var spans secret.Spans
	assert.Equal(t, want, spans.Of(file))
	assert.Equal(t, want, spans.Of(file))
	assert.Equal(t, want[:1], spans.In(file, syntax.Span{Start: 0, End: first + 1}))
	assert.Equal(t, want[1:], spans.In(file, syntax.Span{Start: first + len(value), End: len(text)}))
	assert.Empty(t, spans.In(file, syntax.Span{Start: first + len(value), End: last}))
	assert.Empty(t, spans.Of(syntax.NewFile("b.json", nil)))
}
