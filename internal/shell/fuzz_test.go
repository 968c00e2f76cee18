package shell

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// FuzzLine reads any line in every dialect: all that is found is in the line, and a line that is one
// simple command is also its last one.
func FuzzLine(f *testing.F) {
	for _, line := range []string{
		`cd app && A=1 B="x y" exec node b.js >&2`, `export A=$(b c); . ./.env || exit 1; npx -y a@1.0.0`,
		`if exist a (b) else c ^& d`, `$env:A = '1'; & "a b" c | iex`, "time { a; } <<X\nb\nX", `${input:a} {b,c} ~/d 'e'$'f'"g"`,
	} {
		f.Add(line, uint8(Posix), 1)
		f.Add(line, uint8(PowerShell), 2)
	}
	f.Fuzz(func(t *testing.T, text string, dialect uint8, quotes int) {
		const start = 10
		span := syntax.Span{Start: start, End: start + len(text) + 2*(quotes&1)}
		line := NewLine(Dialect(dialect)%(PowerShell+1), Word{Text: text, Span: span})
		isWithin := func(w Word) {
			require.True(t, span.Contains(w.Span), "%q is at %v", w.Text, w.Span)
		}
		for _, token := range line.Tokens() {
			isWithin(token.Word)
		}
		commands, ok := line.Commands()
		for i, c := range commands {
			if i > 0 || c.Operator.Operator != "" {
				isWithin(c.Operator.Word)
			}
			for _, w := range c.Words {
				isWithin(w)
			}
		}
		last, isCertain := line.Last(func(name string) (string, bool) { return "a b", name == "A" })
		for _, w := range last.Words {
			isWithin(w)
		}
		require.False(t, isCertain && (!ok || len(commands) == 0), "a last command of none")
	})
}
