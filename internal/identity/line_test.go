package identity

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestCommands checks the commands of lines. It shows them in square brackets, words separated by
// "·", with the operator before each; "?" is a line that cannot be read with certainty.
func TestCommands(t *testing.T) {
	tests := []struct {
		dialect    dialect
		line, want string
	}{
		{posix, ``, ``},
		{posix, `  a  b	c `, `[a·b·c]`},
		{posix, `a 'b c' "d e" f\ g h"i j"k`, `[a·b c·d e·f g·hi jk]`},
		{posix, `a "b \"c\" \$d \e" 'f "g" \h'`, `[a·b "c" $d \e·f "g" \h]`},
		{posix, `a && b || c; d | e & f`, `[a] && [b] || [c] ; [d] | [e] & [f]`},
		{posix, "a\nb;c&&d\n", `[a] ; [b] ; [c] && [d]`},
		{posix, `a "&&" ';' \| b`, `[a·&&·;·|·b]`},
		{posix, `a $(b c | d) ${e:-f g} "$(h "i j")" x`, `[a·$(b c | d)·${e:-f g}·$(h "i j")·x]`},
		{posix, "a `b c` d", "[a·`b c`·d]"},
		{posix, `a >/dev/null 2>&1 b 2> c >&2 &>d e`, `[a·b·e]`},
		{posix, `a2>b`, `[a2]`},
		{posix, `a # b; c`, `[a]`},
		{posix, `a#b`, `[a#b]`},
		{posix, "a \\\n b", `[a·b]`},
		{posix, `a |& b`, `[a] | [b]`},
		{posix, `(a; b) && c`, `[a] ; [b] && [c]`},
		{posix, `a 'b`, `?`},
		{posix, `a "`, `?`},
		{posix, `a 'b'c'd' ''e'' ""f""`, `[a·bcd·e·f]`},
		{posix, `a "$(b"`, `?`},
		{posix, "a <<X\nb\nX", `[a]`},
		{posix, `a <(b)`, `[a·<(b)]`},
		{posix, `a >`, `?`},
		{posix, `a &`, `[a]`},
		{posix, `a;`, `[a]`},
		{posix, "a b\\\nc \\\n d", `[a·bc·d]`},
		{posix, `{ a; b; } | (c)`, `[a] ; [b] | [c]`},
		{posix, "if a; then b; else c; fi\nd", `[a] ; [b] ; [c] ; [d]`},
		{posix, `a $'b c' $"d" "$(e ")")" 'f'"g"`, `[a·b c·d·$(e ")")·fg]`},
		{posix, `a <<<b >|c {d,e} ~/f [g]*`, `[a·{d,e}·~/f·[g]*]`},
		{posix, `export A=b C; D=1 e f=g`, `[export·A=b·C] ; [D=1·e·f=g]`},
		{posix, `a ${input:b} "${user_config.c}" ${/} ${{ secrets.D }}`, `[a·${input:b}·${user_config.c}·${/}·${{ secrets.D }}]`},
		{posix, "a\x00b", `?`},
		{posix, "a\rb", `?`},
		{posix, "a b\r\nc", `[a·b] ; [c]`},
		{batch, `a "b c" 'd e' C:\x\y;z`, `[a·b c·'d·e'·C:\x\y;z]`},
		{batch, `a ^& b & c && d ^"e`, `[a·&·b] & [c] && [d·"e]`},
		{batch, `a b(c) $(d)`, `[a·b(c)·$(d)]`},
		{powerShell, `& 'a b' c; $env:D='e' | f`, `[a b·c] ; [$env:D=e] | [f]`},
		{powerShell, "a `\"b \"c `\"d\"", `[a·"b·c "d]`},
	}
	for _, tt := range tests {
		line := lineOf(Word{Text: tt.line}, tt.dialect)
		commands, ok := line.Commands()
		var shown []string
		if !ok {
			shown = append(shown, "?")
		}
		for _, c := range commands {
			if c.Operator.Operator != "" {
				shown = append(shown, c.Operator.Operator)
			}
			var words []string
			for _, w := range c.Words {
				words = append(words, w.Text)
			}
			shown = append(shown, "["+strings.Join(words, "·")+"]")
		}
		assert.Equal(t, tt.want, strings.Join(shown, " "), tt.line)
	}
}

// TestTokens checks that quoted and substituted texts are also seen.
func TestTokens(t *testing.T) {
	for line, want := range map[string]string{
		`bash -c "curl x | sh"`: `bash -c curl x {|} sh`,
		`bash <(curl -s x)`:     `bash {<(} curl -s x {)}`,
		"eval `curl x`; y":      "eval {$(} curl x {$(} {;} y",
		`iex ((New-Object Net.WebClient).DownloadString('x'))`: `iex {(} {(} New-Object Net.WebClient {)} DownloadString {(} x {)} {)}`,
		`a 2>&1 >/dev/null &`:  `a 2>&1 >/dev/null {&}`,
		`don't`:                `don t`,
		`a <&3 b |& c`:         `a <&3 b {|} {&} c`,
		"curl \\\n x | s\\\nh": `curl x {|} sh`,
	} {
		var shown []string
		for _, token := range lineOf(Word{Text: line}, posix).Tokens() {
			text := token.Text
			if token.Operator != "" {
				text = "{" + token.Operator + "}"
			}
			shown = append(shown, text)
		}
		assert.Equal(t, want, strings.Join(shown, " "), line)
	}
}

// TestLineSpans checks that the span of a word is where the word is written.
func TestLineSpans(t *testing.T) {
	l, text := parse(t, `{"command":"sh","args":["-c","cd x && exec npx -y 'a b' \"q\""]}`)
	line := lineOf(l.Args[1], posix)
	commands, _ := line.Commands()
	at := func(w Word) string { return text[w.Span.Start:w.Span.End] }
	// The quotes in it are written with escapes in the file: only the whole is sure.
	assert.Equal(t, `"cd x && exec npx -y 'a b' \"q\""`, at(commands[1].Words[3]))

	l, text = parse(t, `{"command":"sh","args":["-c","cd x && exec npx -y 'a b'"]}`)
	line = lineOf(l.Args[1], posix)
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

// TestHostileLines checks that a line costs no more than its length, and a long one no more than
// one that a person writes.
func TestHostileLines(t *testing.T) {
	for _, part := range []string{"$(", "${", "`", "'", "\"", "\"$(", "(", "a ", "a;", ">", "2>", "#", "\\", "^", "<(", "<<", "&", "if ", "time ", "[", "$((", "case a in "} {
		line := lineOf(Word{Text: strings.Repeat(part, 200_000)}, posix)
		for d := range powerShell + 1 {
			line.dialect = d
			commands, _ := line.Commands()
			assert.LessOrEqual(t, len(commands), maxTokens, part)
			assert.LessOrEqual(t, len(line.Tokens()), maxTokens+1, part)
			short := lineOf(Word{Text: line.Words[0].Text[:maxLine]}, d)
			short.Commands()
			(&resolver{}).lastCommand(short)
		}
	}
}
