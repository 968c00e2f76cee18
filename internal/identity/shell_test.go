package identity

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/internal/shell"
)

// TestLineSpans checks that the span of a word is where the word is written.
func TestLineSpans(t *testing.T) {
	l, text := parse(t, `{"command":"sh","args":["-c","cd x && exec npx -y 'a b' \"q\""]}`)
	line := shell.NewLine(shell.Posix, l.Args[1])
	commands, _ := line.Commands()
	at := func(w Word) string { return text[w.Span.Start:w.Span.End] }
	// The quotes in it are written with escapes in the file: only the whole is sure.
	assert.Equal(t, `"cd x && exec npx -y 'a b' \"q\""`, at(commands[1].Words[3]))

	l, text = parse(t, `{"command":"sh","args":["-c","cd x && exec npx -y 'a b'"]}`)
	line = shell.NewLine(shell.Posix, l.Args[1])
	commands, _ = line.Commands()
	assert.Equal(t, "&&", at(commands[1].Operator.Word))
	assert.Equal(t, "npx", at(commands[1].Words[1]))
	assert.Equal(t, "a b", at(commands[1].Words[3]))

	// A word that is partly in quotes is as long as one within quotes would be: its parts
	// are not to be looked for in it.
	id := resolve(t, `{"command":"sh","args":["-c","npx -y 'pkg'@1.0.0"]}`)
	assert.Equal(t, "1.0.0", id.Version.Text)
	assert.Equal(t, id.Launch.Args[1].Span, id.Version.Span)
}
