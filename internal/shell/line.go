package shell

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
)

// Line is a command line that a launch passes to a shell, or that a client would have to split.
type Line struct {
	Dialect Dialect
	// Words are how it is written: one word, or several that the shell joins.
	Words []Word
}

// NewLine returns the line that words hold.
func NewLine(d Dialect, words ...Word) Line { return Line{Dialect: d, Words: words} }

// Dialect is the language of a command line.
type Dialect uint8

const (
	Posix      Dialect = iota // sh, which is bash on one machine and dash on the next
	Bash                      // bash
	Zsh                       // zsh
	Ksh                       // ksh
	Fish                      // fish
	Batch                     // cmd
	PowerShell                // powershell and pwsh
)

// isPosix reports whether a line is read by a shell like sh.
func (d Dialect) isPosix() bool { return d < Batch }

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
	// Operator is between the previous command and this one; its Text is empty for the first.
	Operator Token
	// Words have their quotes and escapes resolved; nothing in them is expanded.
	// Redirections are left out.
	Words []Word
	// Branch reports that it runs instead of a previous command: in another branch of an if or
	// case.
	Branch bool
	// redirected reports that standard input or output is not the shell's own.
	redirected bool
}

// Tokens returns every word and operator of a line, at any depth of quotes and substitutions: the
// program that receives a quoted text may run it. Quotes are left out.
func (l Line) Tokens() []Token {
	var x lexer
	for _, w := range l.Words {
		x.word(w, l.Dialect, true)
	}
	return x.tokens
}

// Commands returns the simple commands of a line, without those within a substitution, and
// regardless of how they are grouped. ok is false if the line cannot be read with certainty: a
// quote is not closed, a word is missing, or, for cmd and PowerShell, brackets group commands.
func (l Line) Commands() (commands []Command, ok bool) {
	if l.Dialect.isPosix() {
		return l.posixCommands()
	}
	var x lexer
	for _, w := range l.Words {
		// Blanks in one of several words were quoted before the words were joined.
		if len(l.Words) > 1 && strings.ContainsAny(w.Text, " \t\n") {
			x.tokens = append(x.tokens, Token{Word: w})
			continue
		}
		x.word(w, l.Dialect, false)
	}
	g := grouper{dialect: l.Dialect, line: l.Words[0], quoted: len(l.Words) > 1}
	for _, t := range x.tokens {
		g.take(t)
	}
	g.finish()
	return g.commands, !x.broken && !g.broken
}

// Simple returns the words of a line that is one simple command, with no redirection except of
// standard error.
func (l Line) Simple() (words []Word, ok bool) {
	if l.Dialect.isPosix() {
		return l.posixWords()
	}
	commands, ok := l.Commands()
	if !ok || len(commands) != 1 || commands[0].redirected || commands[0].Operator.Text != "" {
		return nil, false
	}
	return commands[0].Words, true
}

// maxTokens is more than any line that a person writes has. It bounds the cost of a hostile line.
const maxTokens = 4096

// lexer splits the lines of cmd and PowerShell, and with flat those of every shell.
type lexer struct {
	tokens []Token
	// broken reports that a quote or substitution is not closed, or that the line
	// has too many tokens.
	broken bool

	line    Word
	dialect Dialect
	// flat says that quotes separate words and that substitutions are operators, so that their
	// contents are also seen.
	flat  bool
	at    int
	start int // of the word that is being read, -1 between words
}

// word appends the tokens of one word of a line.
func (x *lexer) word(line Word, d Dialect, flat bool) {
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

// continuation is nothing at all to a shell like sh: the texts before and after it are one word.
const continuation = "\\\n"

// begin begins a word, if none is being read.
func (x *lexer) begin() {
	if x.start < 0 {
		x.start = x.at
	}
}

// end ends the word that is being read, if any.
func (x *lexer) end() {
	if x.start >= 0 {
		text := strings.ReplaceAll(x.line.Text[x.start:x.at], continuation, "")
		x.tokens = append(x.tokens, Token{Word: placed(x.line, x.start, x.at, text)})
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
	case x.dialect.isPosix() && strings.HasPrefix(text, continuation):
		x.at += len(continuation)
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
	case c == x.dialect.escape():
		if len(text) > 1 && text[1] == '\n' {
			x.end()
		} else {
			x.begin()
		}
		x.at = min(x.at+2, len(x.line.Text))
	case c == '"' || c == '\'' && x.dialect != Batch:
		x.skip(quotedLength(text, x.dialect))
	case x.dialect.isSubstitution(text):
		x.skip(substitutionLength(text))
	case c == '#' && x.start < 0 && x.dialect != Batch:
		if n = strings.IndexByte(text, '\n'); n < 0 {
			n = len(text)
		}
		x.at += n
	case c == '<' || c == '>':
		x.redirection(text)
	case n > 0 && !(x.dialect == Batch && (c == ';' || x.start >= 0 && (c == '(' || c == ')'))):
		x.operator(n)
	default:
		x.begin()
		x.at++
	}
}

// escape returns the byte that takes the meaning from the next one.
func (d Dialect) escape() byte {
	if d == Batch {
		return '^'
	}
	return '`'
}

// isSubstitution reports whether text begins with what the shell replaces.
func (d Dialect) isSubstitution(text string) bool {
	return d == PowerShell && (strings.HasPrefix(text, "$(") || strings.HasPrefix(text, "${"))
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
// included: "2>", ">>", "2>&".
func (x *lexer) redirection(text string) {
	if x.start >= 0 && !ascii.All(x.line.Text[x.start:x.at], ascii.IsDigit) {
		x.end()
	}
	x.begin()
	n := strings.IndexFunc(text[1:], func(c rune) bool { return c != '<' && c != '>' }) + 1
	if n == 0 {
		n = len(text)
	}
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

// quotedLength returns the length of the quoted part that text begins with, -1 if it is not closed.
func quotedLength(text string, d Dialect) int {
	quote := text[0]
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == quote:
			return i + 1
		case quote == '\'' || d == Batch:
		case text[i] == '`':
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

// substitutionLength returns the length of the substitution that text begins with, -1 if it is not
// closed: $(…), ${…}.
func substitutionLength(text string) int {
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
	dialect Dialect
	line    Word
	// quoted reports that words are not to be unquoted: they were not quoted.
	quoted   bool
	commands []Command
	command  Command
	// target says that the next word is that of a redirection, branch that an "else" comes before
	// it.
	target, branch bool
	broken         bool
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
			w = unquote(w, g.line, g.dialect)
		}
		g.command.Words = append(g.command.Words, w)
	case strings.ContainsAny(t.Operator, "<>"):
		g.broken = g.broken || g.target
		g.target = true
		g.command.redirected = g.command.redirected || t.Operator[0] != '2'
	case t.Operator == "&" && g.dialect == PowerShell && len(g.command.Words) == 0:
		// PowerShell's way to call what is quoted.
	default:
		g.operator(t)
	}
}

// operator ends a command. An operator after another one replaces it, except for brackets: what
// they group comes after the first operator.
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
		g.branch = g.branch || g.dialect == Batch && strings.EqualFold(g.command.Words[0].Text, "else")
		g.command.Branch = g.branch
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

// unquote resolves the quotes and escapes of a word of a line. Its span is exact if the word has
// none, or is all in one pair of quotes.
func unquote(w, line Word, d Dialect) Word {
	text := w.Text
	marks := "\"'`"
	if d == Batch {
		marks = "\"^"
	}
	if !strings.ContainsAny(text, marks) {
		return w
	}
	if last := len(text) - 1; last > 0 && text[0] == text[last] &&
		(text[0] == '"' && !strings.ContainsAny(strings.ReplaceAll(text[1:last], "'", ""), marks) || text[0] == '\'' && d != Batch && !strings.Contains(text[1:last], "'")) {
		return w.Part(1, last)
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == d.escape():
			if i++; i < len(text) {
				b.WriteByte(text[i])
				i++
			}
		case c == '"' || c == '\'' && d != Batch:
			n := quotedLength(text[i:], d)
			if n < 0 {
				n = len(text) - i
			}
			unquotePart(&b, strings.TrimSuffix(text[i+1:i+n], text[i:i+1]), c, d)
			i += n
		case d.isSubstitution(text[i:]):
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
	return decoded(w, line, b.String())
}

// unquotePart writes the text between a pair of quotes.
func unquotePart(b *strings.Builder, text string, quote byte, d Dialect) {
	for i := 0; i < len(text); i++ {
		if quote == '"' && i+1 < len(text) && d == PowerShell && text[i] == '`' {
			i++
		}
		b.WriteByte(text[i])
	}
}

// placed returns the word that is written from byte start to byte end of a line and means text.
func placed(line Word, start, end int, text string) Word {
	return decoded(line.Part(start, end), line, text)
}

// decoded returns a word of a line that means text. If it is written differently, its span is that
// of the whole word. If its length would make it look like text in quotes, whose parts have places,
// its span is that of the line.
func decoded(w, line Word, text string) Word {
	if w.Text == text {
		return w
	}
	if n := w.Span.End - w.Span.Start; n == len(text) || n == len(text)+2 {
		w.Span = line.Span
	}
	w.Text = text
	return w
}
