package identity

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
)

// Line is a command line that a launch hands to a shell, or that a client would
// have to split.
type Line struct {
	// Words are how it is written: one word, or several that the shell joins.
	Words   []Word
	dialect dialect
}

// dialect is the language of a command line.
type dialect uint8

const (
	posix      dialect = iota // sh and its like
	batch                     // cmd
	powerShell                // powershell and pwsh
)

// Token is a word of a command line, or an operator between words.
type Token struct {
	Word
	// Operator is the one spelling of operators that mean the same: | || && & ; ( )
	// $( <( or a redirection; a new line is ";", a back-quote "$(". It is "" for a
	// word.
	Operator string
}

// Command is a simple command of a line: a program and its arguments.
type Command struct {
	// Operator is what stands between the command before and this one; its Text is
	// empty for the first.
	Operator Token
	// Words have their quotes and escapes resolved; nothing in them is expanded.
	// Redirections are left out.
	Words []Word
	// redirected reports that standard input or output is not the shell's own.
	redirected bool
}

// Tokens returns every word and operator of a line, however deep it stands in
// quotes and substitutions: what is quoted may be run by what it is handed to.
// Quotes are left out.
func (l Line) Tokens() []Token {
	var x lexer
	for _, w := range l.Words {
		x.word(w, l.dialect, true)
	}
	return x.tokens
}

// Commands returns the simple commands of a line, without those within a
// substitution. ok is false where it cannot be read for certain: a quote is not
// closed, brackets group commands, a file is a command's output or stands in the
// line itself.
func (l Line) Commands() (commands []Command, ok bool) {
	var x lexer
	for _, w := range l.Words {
		// What one of several words holds was quoted when they were joined.
		if len(l.Words) > 1 && strings.ContainsAny(w.Text, " \t\n") {
			x.tokens = append(x.tokens, Token{Word: w})
			continue
		}
		x.word(w, l.dialect, false)
	}
	g := grouper{dialect: l.dialect, quoted: len(l.Words) > 1}
	for _, t := range x.tokens {
		g.take(t)
	}
	g.finish()
	return g.commands, !x.broken && !g.broken
}

// simple returns the words of a line that is one simple command, with no
// redirection but of standard error.
func (l Line) simple() (words []Word, ok bool) {
	commands, ok := l.Commands()
	if !ok || len(commands) != 1 || commands[0].redirected || commands[0].Operator.Text != "" {
		return nil, false
	}
	return commands[0].Words, true
}

// lineOf returns the line that one word holds.
func lineOf(w Word, d dialect) Line { return Line{Words: []Word{w}, dialect: d} }

// maxTokens is more than any line that a person writes has, so that a hostile one
// costs no more.
const maxTokens = 4096

// lexer is the one tokenizer of command lines.
type lexer struct {
	tokens []Token
	// broken reports that a quote or substitution is not closed, or that the line
	// has a here-document or too many tokens.
	broken bool

	line    Word
	dialect dialect
	// flat says that quotes separate words and that substitutions are operators, so
	// that what is within is seen, too.
	flat  bool
	at    int
	start int // of the word that is being read, -1 between words
}

// word appends the tokens of one word of a line.
func (x *lexer) word(line Word, d dialect, flat bool) {
	x.line, x.dialect, x.flat = line, d, flat
	x.at, x.start = 0, -1
	for x.at < len(line.Text) {
		if len(x.tokens) >= maxTokens {
			x.broken = true
			return
		}
		if flat {
			x.flatStep()
		} else {
			x.step()
		}
	}
	x.end()
}

// begin begins a word, if none is being read.
func (x *lexer) begin() {
	if x.start < 0 {
		x.start = x.at
	}
}

// end ends the word that is being read, if any.
func (x *lexer) end() {
	if x.start >= 0 {
		x.tokens = append(x.tokens, Token{Word: x.line.Part(x.start, x.at)})
	}
	x.start = -1
}

// operator ends the word and takes an operator of n bytes.
func (x *lexer) operator(n int) {
	x.end()
	w := x.line.Part(x.at, x.at+n)
	x.tokens = append(x.tokens, Token{Word: w, Operator: operatorName(w.Text)})
	x.at += n
}

// flatStep takes a byte or an operator, quotes apart.
func (x *lexer) flatStep() {
	text := x.line.Text[x.at:]
	switch n := operatorLength(text, true); {
	case strings.HasPrefix(text, ">&") || strings.HasPrefix(text, "&>") || strings.HasPrefix(text, "<&"):
		x.begin()
		x.at += 2
	case n > 0:
		x.operator(n)
	case strings.IndexByte(" \t\r\"'", text[0]) >= 0:
		x.end()
		x.at++
	case text[0] == '.' && x.at > 0 && x.line.Text[x.at-1] == ')':
		x.end() // (New-Object Net.WebClient).DownloadString
		x.at++
	default:
		x.begin()
		x.at++
	}
}

// step takes what a shell takes at once: a byte, an escape, a quoted part, a
// substitution, an operator.
func (x *lexer) step() {
	text := x.line.Text[x.at:]
	c := text[0]
	switch n := operatorLength(text, false); {
	case c == ' ' || c == '\t' || c == '\r':
		x.end()
		x.at++
	case x.isEscape(c):
		if len(text) > 1 && text[1] == '\n' {
			x.end()
		} else {
			x.begin()
		}
		x.at = min(x.at+2, len(x.line.Text))
	case c == '"' || c == '\'' && x.dialect != batch:
		x.skip(quotedLength(text, x.dialect))
	case x.isSubstitution(text):
		x.broken = x.broken || c == '<' || c == '>' // a file that a command writes
		x.skip(substitutionLength(text))
	case c == '#' && x.start < 0 && x.dialect != batch:
		if n = strings.IndexByte(text, '\n'); n < 0 {
			n = len(text)
		}
		x.at += n
	case c == '<' || c == '>' || x.dialect == posix && strings.HasPrefix(text, "&>"):
		x.redirection(text)
	case n > 0 && !(x.dialect == batch && (c == ';' || x.start >= 0 && (c == '(' || c == ')'))):
		x.operator(n)
	default:
		x.begin()
		x.at++
	}
}

// isEscape reports whether a byte takes the meaning from the next one.
func (x *lexer) isEscape(c byte) bool {
	switch x.dialect {
	case batch:
		return c == '^'
	case powerShell:
		return c == '`'
	}
	return c == '\\'
}

// isSubstitution reports whether text begins with what the shell replaces.
func (x *lexer) isSubstitution(text string) bool {
	switch {
	case x.dialect == batch:
		return false
	case strings.HasPrefix(text, "$(") || strings.HasPrefix(text, "${"):
		return true
	}
	return x.dialect == posix && (text[0] == '`' || strings.HasPrefix(text, "<(") || strings.HasPrefix(text, ">("))
}

// skip takes n bytes as a part of a word; -1 is what is not closed.
func (x *lexer) skip(n int) {
	x.begin()
	if n < 0 {
		x.broken = true
		n = len(x.line.Text) - x.at
	}
	x.at += n
}

// redirection takes the operator of a redirection, the number before it
// included: "2>", ">>", "2>&", "&>".
func (x *lexer) redirection(text string) {
	if x.start >= 0 && !ascii.All(x.line.Text[x.start:x.at], ascii.IsDigit) {
		x.end()
	}
	x.begin()
	n := strings.IndexFunc(text[1:], func(c rune) bool { return c != '<' && c != '>' }) + 1
	if n == 0 {
		n = len(text)
	}
	x.broken = x.broken || strings.HasPrefix(text, "<<") && n == 2
	if n < len(text) && (text[n] == '&' || text[n] == '|') {
		n++
	}
	w := x.line.Part(x.start, x.at+n)
	x.tokens = append(x.tokens, Token{Word: w, Operator: w.Text})
	x.at += n
	x.start = -1
}

// operatorLength returns the length of the operator that text begins with, 0 for
// none. Within is for those that begin a substitution.
func operatorLength(text string, within bool) int {
	switch text[0] {
	case '&', '|':
		if len(text) > 1 && (text[1] == text[0] || text[0] == '|' && text[1] == '&' && !within) {
			return 2
		}
		return 1
	case ';', '\n', '(', ')':
		return 1
	case '`':
		if within {
			return 1
		}
	case '$', '<':
		if within && len(text) > 1 && text[1] == '(' {
			return 2
		}
	}
	return 0
}

// operatorName returns the one spelling of operators that mean the same.
func operatorName(operator string) string {
	switch operator {
	case "\n":
		return ";"
	case "`":
		return "$("
	case "|&":
		return "|"
	}
	return operator
}

// quotedLength returns the length of the quoted part that text begins with, -1
// where it is not closed.
func quotedLength(text string, d dialect) int {
	quote := text[0]
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == quote:
			return i + 1
		case quote == '\'' || d == batch:
		case text[i] == '\\' && d == posix, text[i] == '`' && d == powerShell:
			i++
		case strings.HasPrefix(text[i:], "$("):
			n := substitutionLength(text[i:])
			if n < 0 {
				return -1
			}
			i += n - 1
		}
	}
	return -1
}

// substitutionLength returns the length of the substitution that text begins
// with, -1 where it is not closed: `…`, $(…), ${…}, <(…).
func substitutionLength(text string) int {
	if text[0] == '`' {
		if n := strings.IndexByte(text[1:], '`'); n >= 0 {
			return n + 2
		}
		return -1
	}
	open, shut := text[1], byte(')')
	if open == '{' {
		shut = '}'
	}
	depth := 0
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case open:
			depth++
		case shut:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// grouper makes commands of tokens.
type grouper struct {
	dialect dialect
	// quoted reports that words are not to be unquoted: nobody has quoted them.
	quoted   bool
	commands []Command
	command  Command
	// target says that the next word is that of a redirection.
	target bool
	broken bool
}

func (g *grouper) take(t Token) {
	switch {
	case t.Operator == "":
		if g.target {
			g.target = false
			return
		}
		w := t.Word
		if !g.quoted {
			w = unquote(w, g.dialect)
		}
		g.command.Words = append(g.command.Words, w)
	case strings.ContainsAny(t.Operator, "<>"):
		g.broken = g.broken || g.target
		g.target = true
		g.command.redirected = g.command.redirected || t.Operator[0] != '2'
	case t.Operator == "&" && g.dialect == powerShell && len(g.command.Words) == 0:
		// PowerShell's way to call what is quoted.
	default:
		g.operator(t)
	}
}

// operator ends a command. An operator behind another one takes its place, but
// brackets do not: what they group is after the first.
func (g *grouper) operator(t Token) {
	isBracket := t.Operator == "(" || t.Operator == ")"
	g.broken = g.broken || isBracket
	if isBracket && len(g.command.Words) == 0 && g.command.Operator.Operator != "" {
		return
	}
	g.flush()
	g.command.Operator = t
}

// flush appends the command that is being read.
func (g *grouper) flush() {
	g.broken = g.broken || g.target
	g.target = false
	if len(g.command.Words) > 0 {
		g.commands = append(g.commands, g.command)
	}
	g.command = Command{}
}

// finish ends the last command. A line may end in ";".
func (g *grouper) finish() {
	if len(g.command.Words) == 0 && g.command.Operator.Operator != "" && g.command.Operator.Operator != ";" {
		g.broken = true
	}
	g.flush()
}

// unquote resolves the quotes and escapes of a word. Its span is exact where it
// is written without any, or all of it in one pair of quotes.
func unquote(w Word, d dialect) Word {
	text := w.Text
	marks := "\"'\\"
	switch d {
	case batch:
		marks = "\"^"
	case powerShell:
		marks = "\"'`"
	}
	if !strings.ContainsAny(text, marks) {
		return w
	}
	if last := len(text) - 1; last > 0 && text[0] == text[last] &&
		(text[0] == '"' && !strings.ContainsAny(strings.ReplaceAll(text[1:last], "'", ""), marks) || text[0] == '\'' && d != batch && !strings.Contains(text[1:last], "'")) {
		return w.Part(1, last)
	}
	var b strings.Builder
	x := lexer{dialect: d}
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case x.isEscape(c):
			if i++; i < len(text) {
				b.WriteByte(text[i])
				i++
			}
		case c == '"' || c == '\'' && d != batch:
			n := quotedLength(text[i:], d)
			if n < 0 {
				n = len(text) - i
			}
			unquotePart(&b, strings.TrimSuffix(text[i+1:i+n], text[i:i+1]), c, d)
			i += n
		case x.isSubstitution(text[i:]):
			n := substitutionLength(text[i:])
			if n < 0 {
				n = len(text) - i
			}
			b.WriteString(text[i : i+n])
			i += n
		default:
			b.WriteByte(c)
			i++
		}
	}
	return Word{Text: b.String(), Span: w.Span}
}

// unquotePart writes what stands between a pair of quotes.
func unquotePart(b *strings.Builder, text string, quote byte, d dialect) {
	for i := 0; i < len(text); i++ {
		escaped := quote == '"' && i+1 < len(text) &&
			(d == posix && text[i] == '\\' && strings.IndexByte("\"\\$`", text[i+1]) >= 0 || d == powerShell && text[i] == '`')
		if escaped {
			i++
		}
		b.WriteByte(text[i])
	}
}
