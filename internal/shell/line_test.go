package shell

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestCommands checks the commands of lines. It shows them in square brackets, words separated by
// "·", with the operator before each; "?" is a line that cannot be read with certainty.
func TestCommands(t *testing.T) {
	tests := []struct {
		dialect    Dialect
		line, want string
	}{
		{Posix, ``, ``},
		{Posix, `  a  b	c `, `[a·b·c]`},
		{Posix, `a 'b c' "d e" f\ g h"i j"k`, `[a·b c·d e·f g·hi jk]`},
		{Posix, `a "b \"c\" \$d \e" 'f "g" \h'`, `[a·b "c" $d \e·f "g" \h]`},
		{Posix, `a && b || c; d | e & f`, `[a] && [b] || [c] ; [d] | [e] & [f]`},
		{Posix, "a\nb;c&&d\n", `[a] ; [b] ; [c] && [d]`},
		{Posix, `a "&&" ';' \| b`, `[a·&&·;·|·b]`},
		{Posix, `a $(b c | d) ${e:-f g} "$(h "i j")" x`, `[a·$(b c | d)·${e:-f g}·$(h "i j")·x]`},
		{Posix, "a `b c` d", "[a·`b c`·d]"},
		{Posix, `a >/dev/null 2>&1 b 2> c >&2 &>d e`, `[a·b·e]`},
		{Posix, `a2>b`, `[a2]`},
		{Posix, `a # b; c`, `[a]`},
		{Posix, `a#b`, `[a#b]`},
		{Posix, "a \\\n b", `[a·b]`},
		{Posix, `a |& b`, `[a] | [b]`},
		{Posix, `(a; b) && c`, `[a] ; [b] && [c]`},
		{Posix, `a 'b`, `?`},
		{Posix, `a "`, `?`},
		{Posix, `a 'b'c'd' ''e'' ""f""`, `[a·bcd·e·f]`},
		{Posix, `a "$(b"`, `?`},
		{Posix, "a <<X\nb\nX", `[a]`},
		{Posix, `a <(b)`, `[a·<(b)]`},
		{Posix, `a >`, `?`},
		{Posix, `a &`, `[a]`},
		{Posix, `a;`, `[a]`},
		{Posix, "a b\\\nc \\\n d", `[a·bc·d]`},
		{Posix, `{ a; b; } | (c)`, `[a] ; [b] | [c]`},
		{Posix, "if a; then b; else c; fi\nd", `[a] ; [b] ; [c] ; [d]`},
		{Posix, `a $'b c' $"d" "$(e ")")" 'f'"g"`, `[a·b c·d·$(e ")")·fg]`},
		{Posix, `a <<<b >|c {d,e} ~/f [g]*`, `[a·{d,e}·~/f·[g]*]`},
		{Posix, `export A=b C; D=1 e f=g`, `[export·A=b·C] ; [D=1·e·f=g]`},
		{Posix, `a ${input:b} "${user_config.c}" ${/} ${{ secrets.D }}`, `[a·${input:b}·${user_config.c}·${/}·${{ secrets.D }}]`},
		{Posix, "a\x00b", `?`},
		{Posix, "a\rb", `?`},
		{Posix, "a b\r\nc", `[a·b] ; [c]`},
		{Batch, `a "b c" 'd e' C:\x\y;z`, `[a·b c·'d·e'·C:\x\y;z]`},
		{Batch, `a ^& b & c && d ^"e`, `[a·&·b] & [c] && [d·"e]`},
		{Batch, `a b(c) $(d)`, `[a·b(c)·$(d)]`},
		{PowerShell, `& 'a b' c; $env:D='e' | f`, `[a b·c] ; [$env:D=e] | [f]`},
		{PowerShell, "a `\"b \"c `\"d\"", `[a·"b·c "d]`},
	}
	for _, tt := range tests {
		line := NewLine(tt.dialect, Word{Text: tt.line})
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
		for _, token := range NewLine(Posix, Word{Text: line}).Tokens() {
			text := token.Text
			if token.Operator != "" {
				text = "{" + token.Operator + "}"
			}
			shown = append(shown, text)
		}
		assert.Equal(t, want, strings.Join(shown, " "), line)
	}
}

// TestHostileLines checks that a line costs no more than its length, and a long one no more than
// one that a person writes.
func TestHostileLines(t *testing.T) {
	for _, part := range []string{"$(", "${", "`", "'", "\"", "\"$(", "(", "a ", "a;", ">", "2>", "#", "\\", "^", "<(", "<<", "&", "if ", "time ", "[", "$((", "case a in "} {
		line := NewLine(Posix, Word{Text: strings.Repeat(part, 200_000)})
		for d := range PowerShell + 1 {
			line.Dialect = d
			commands, _ := line.Commands()
			assert.LessOrEqual(t, len(commands), maxTokens, part)
			assert.LessOrEqual(t, len(line.Tokens()), maxTokens+1, part)
			short := NewLine(d, Word{Text: line.Words[0].Text[:maxLine]})
			short.Commands()
			short.Last(nil)
		}
	}
}
