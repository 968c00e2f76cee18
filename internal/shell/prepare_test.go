package shell

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestLast checks which command is left of a line, and what the others prepare: "@" is a directory,
// "<" a file, "=" a variable. A word that may be several is marked with "?", and "?" alone is a line
// whose last command is not certain.
func TestLast(t *testing.T) {
	outside := map[string]string{"SET": "two words"}
	for _, tt := range []struct {
		dialect    Dialect
		line, want string
	}{
		{Posix, `cd app && A=1 B="x y" node b.js`, `@app A=1 B=x y: node b.js`},
		{Posix, `export A=1; . ./.env; exec node`, `A=1 <./.env: exec node`},
		{Posix, `. ~/.nvm/nvm.sh && nvm use 20 && npx a`, `: npx a`},
		{Posix, `node $SET $HOME`, `: node $SET? $HOME`},
		{Posix, `SET=$SET; node $SET`, `: node $SET?`},
		{Posix, `SET=one; node $SET`, `SET=one: node $SET`},
		{Posix, `CDPATH=/x; cd y; node`, `?`},
		{Posix, `npm install && node b.js`, `?`},
		{Posix, `node b.js | tee log`, `?`},
		{Fish, `cd app; node b.js`, `@app: node b.js`},
		{Fish, `not node b.js`, `?`},
		{Batch, `cd /d C:\app && set A=1 && call npx a`, `@C:\app A=1: npx a`},
		{Batch, `if exist a npx b`, `?`},
		{PowerShell, `$env:A = '1'; Set-Location app; npx a`, `A=1 @app: npx a`},
		{PowerShell, `npx a > log`, `?`},
	} {
		last, ok := NewLine(tt.dialect, Word{Text: tt.line}).Last(func(name string) (string, bool) {
			value, isSet := outside[name]
			return value, isSet
		})
		assert.Equal(t, tt.want, shown(last, ok), tt.line)
	}
}

func shown(last Last, ok bool) string {
	if !ok {
		return "?"
	}
	var steps, words []string
	for _, s := range last.Steps {
		steps = append(steps, map[StepKind]string{SetVariable: s.Name.Text + "=", EnterDirectory: "@", SourceFile: "<"}[s.Kind]+s.Value.Text)
	}
	for _, w := range last.Words {
		words = append(words, w.Text+strings.Repeat("?", Count(last.Unsure, w)))
	}
	return strings.Join(steps, " ") + ": " + strings.Join(words, " ")
}
