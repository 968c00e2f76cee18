package shell

import (
	"slices"
	"strings"

	sh "mvdan.cc/sh/v3/syntax"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// languages returns those that a line may be read in: what sh is depends on the
// machine, and the parser knows but the grammar that ksh and zsh have in common with
// bash well. They have to agree.
func (d Dialect) languages() []sh.LangVariant {
	switch d {
	case Bash, Fish:
		return []sh.LangVariant{sh.LangBash}
	case Zsh:
		return []sh.LangVariant{sh.LangBash, sh.LangZsh}
	case Ksh:
		return []sh.LangVariant{sh.LangBash, sh.LangMirBSDKorn}
	}
	return []sh.LangVariant{sh.LangBash, sh.LangPOSIX}
}

// fishMarks are what fish reads otherwise than shells like sh.
const fishMarks = "\\`(){}[]$*?~^<>|#%"

// maxLine is the longest line that is read, in bytes, and maxBrackets how many brackets it may
// open: the parser calls itself for their contents, and may read those twice. A person writes a
// script instead.
const (
	maxLine     = 4 << 10
	maxBrackets = 200
)

// script is a line that a shell like sh reads.
type script struct {
	line Word
	// read is its text with a variable for each reference that a client replaces.
	read  string
	stmts []*sh.Stmt
	// variable returns the last value that a variable was set to; nil if that is not needed.
	variable Variables
	// assigned are variables that the line sets to unknown values.
	assigned []string
}

// parseScript reads a line. ok is false if the shell would reject it.
func parseScript(line Word, language sh.LangVariant) (s script, ok bool) {
	text := line.Text
	if len(text) > maxLine || countBrackets(text) > maxBrackets || strings.Contains(text, "\x00") || strings.Count(text, "\r") != strings.Count(text, "\r\n") {
		return script{}, false
	}
	s = script{line: line, read: withoutReferences(text)}
	file, err := sh.NewParser(sh.Variant(language)).Parse(strings.NewReader(s.read), "")
	if err != nil {
		return script{}, false
	}
	s.stmts = file.Stmts
	return s, true
}

// countBrackets returns how many brackets a line opens.
func countBrackets(text string) int {
	return strings.Count(text, "(") + strings.Count(text, "{") + strings.Count(text, "[") + strings.Count(text, "`")
}

// withoutReferences returns a line of the same length with a variable instead of each reference
// that no shell knows: ${input:key}, ${user_config.key}, ${/}. A client replaces it before the
// shell reads the line.
func withoutReferences(text string) string {
	var out []byte
	for ref, ok := secret.NextReference(text, 0); ok; ref, ok = secret.NextReference(text, ref.End) {
		switch ref.Syntax {
		case secret.EnvColon, secret.Input, secret.UserConfig, secret.FileColon, secret.Other,
			secret.Secrets, secret.Vars, secret.Inputs, secret.Expression:
		default:
			continue
		}
		inner := text[ref.Start+2 : ref.End-1]
		if !ascii.All(inner, isReferenceByte) {
			continue
		}
		if out == nil {
			out = []byte(text)
		}
		for i := ref.Start + 2; i < ref.End-1; i++ {
			if !ascii.IsAlphanumeric(out[i]) || i == ref.Start+2 && ascii.IsDigit(out[i]) {
				out[i] = '_'
			}
		}
	}
	if out == nil {
		return text
	}
	return string(out)
}

// isReferenceByte reports whether a byte of a reference means nothing to a shell.
func isReferenceByte(c byte) bool {
	return ascii.IsAlphanumeric(c) || strings.IndexByte("_-.:/{} ", c) >= 0
}

// posixCommands is Commands for shells like sh.
func (l Line) posixCommands() (commands []Command, ok bool) {
	for _, language := range l.Dialect.languages() {
		if s, ok := parseScript(l.Words[0], language); ok {
			f := flattener{script: s}
			f.all(s.stmts)
			return f.commands, true
		}
	}
	return nil, false
}

// posixWords is Simple for shells like sh.
func (l Line) posixWords() (words []Word, ok bool) {
	s, ok := parseScript(l.Words[0], sh.LangBash)
	if !ok || len(s.stmts) != 1 {
		return nil, false
	}
	if s.startsOthers() {
		return nil, false
	}
	return s.simple(s.stmts[0])
}

// simple returns the words of a statement that is one simple command.
func (s *script) simple(stmt *sh.Stmt) ([]Word, bool) {
	if stmt == nil || stmt.Negated || isBehind(stmt) || isRedirected(stmt) {
		return nil, false
	}
	switch c := stmt.Cmd.(type) {
	case *sh.CallExpr:
		return s.words(c), true
	case *sh.TimeClause:
		if isTimed(c.Stmt) {
			return nil, false
		}
		words, ok := s.simple(c.Stmt)
		return append([]Word{s.timeWord(c)}, words...), ok
	}
	return nil, false
}

// isTimed reports whether a statement begins with "time".
func isTimed(stmt *sh.Stmt) bool {
	if stmt == nil {
		return false
	}
	_, ok := stmt.Cmd.(*sh.TimeClause)
	return ok
}

// timeWord returns the word "time", which bash keeps for itself.
func (s *script) timeWord(c *sh.TimeClause) Word {
	start := int(c.Time.Offset())
	return s.line.Part(start, start+len("time"))
}

// startsOthers reports whether a line starts commands in addition to its own, whose output or input
// is a file for them, or uses the words after the line.
func (s *script) startsOthers() bool {
	found := false
	for _, stmt := range s.stmts {
		sh.Walk(stmt, func(node sh.Node) bool {
			switch n := node.(type) {
			case *sh.ProcSubst, *sh.CoprocClause:
				found = true
			case *sh.ParamExp:
				found = found || isPositional(n)
				if n.Exp != nil && (n.Exp.Op == sh.AssignUnset || n.Exp.Op == sh.AssignUnsetOrNull) {
					s.assigned = append(s.assigned, n.Param.Value)
				}
			}
			return !found
		})
	}
	return found
}

// isPositional reports whether an expansion refers to the words after the line.
func isPositional(p *sh.ParamExp) bool {
	return p.Param != nil && strings.Trim(p.Param.Value, "@*0123456789") == ""
}

// isRedirected reports whether another stream than standard error is redirected.
func isRedirected(s *sh.Stmt) bool {
	return slices.ContainsFunc(s.Redirs, func(r *sh.Redirect) bool { return r.N == nil || r.N.Value != "2" })
}

// words returns the words of a simple command, assignments included.
func (s *script) words(c *sh.CallExpr) []Word {
	words := make([]Word, 0, len(c.Assigns)+len(c.Args))
	for _, a := range c.Assigns {
		name, value, _ := s.assignment(a)
		start, end := offsets(a)
		words = append(words, placed(s.line, start, end, name.Text+"="+value.Text))
	}
	for _, arg := range c.Args {
		w, _ := s.word(arg)
		words = append(words, w)
	}
	return words
}

// assignment returns the name and the value of NAME=value. Plain reports that the value is
// one word that takes the place of the one before.
func (s *script) assignment(a *sh.Assign) (name, value Word, plain bool) {
	start, end := offsets(a.Name)
	name = placed(s.line, start, end, a.Name.Value)
	if a.Append || a.Index != nil || a.Array != nil {
		return name, Word{}, false
	}
	start, end = end+1, int(a.End().Offset())
	if a.Value == nil {
		return name, s.line.Part(start, start), true
	}
	value, _ = s.decode(a.Value.Parts, start, end)
	return name, value, true
}

// wordAssignment returns the same of a word that is the argument of a command.
func (s *script) wordAssignment(w *sh.Word) (name, value Word, ok bool) {
	literal, isLiteral := w.Parts[0].(*sh.Lit)
	if !isLiteral {
		return Word{}, Word{}, false
	}
	text, rest, found := strings.Cut(literal.Value, "=")
	if !found || !IsVariableName(text) {
		return Word{}, Word{}, false
	}
	start, end := offsets(w)
	name = placed(s.line, start, start+len(text), text)
	parts := w.Parts[1:]
	if rest != "" {
		parts = append([]sh.WordPart{&sh.Lit{Value: rest}}, parts...)
	}
	value, _ = s.decode(parts, start+len(text)+1, end)
	return name, value, true
}

// word returns a word as a command gets it. What the shell replaces stays as it is written. Sure
// reports that it is one word, regardless of what the shell puts there.
func (s *script) word(w *sh.Word) (word Word, sure bool) {
	start, end := offsets(w)
	return s.decode(w.Parts, start, end)
}

// decode returns the word that is written from byte start to byte end.
func (s *script) decode(parts []sh.WordPart, start, end int) (word Word, sure bool) {
	d := decoder{script: s, sure: true}
	for _, part := range parts {
		d.part(part, false)
	}
	text, bare := d.text.String(), d.bare.String()
	if strings.HasPrefix(text, "~") {
		// Of a quoted one the shell makes no home, nor of one that names a person.
		d.sure = d.sure && (bare == "~" || strings.HasPrefix(bare, "~/"))
	}
	// "{a,b}" is two words, "{1..3}" three; "=ls" is a file to zsh.
	if open := strings.IndexByte(bare, '{'); open >= 0 && (strings.Contains(bare[open:], ",") || strings.Contains(bare[open:], "..")) ||
		strings.HasPrefix(bare, "=") {
		d.sure = false
	}
	if len(parts) == 1 && text == s.between(start+1, end-1) {
		return s.line.Part(start+1, end-1), d.sure // in quotes
	}
	return placed(s.line, start, end, text), d.sure
}

// between returns the text of the line from byte start to byte end, "" for none.
func (s *script) between(start, end int) string {
	if start >= end {
		return ""
	}
	return s.line.Text[start:end]
}

// offsets returns where a node is written.
func offsets(n sh.Node) (start, end int) { return int(n.Pos().Offset()), int(n.End().Offset()) }

// decoder resolves the quotes and escapes of a word.
type decoder struct {
	*script
	// text is what the word means, bare the part of it that is written without quotes and escapes.
	text, bare strings.Builder
	sure       bool
}

// part takes a part of the word.
func (d *decoder) part(part sh.WordPart, quoted bool) {
	switch p := part.(type) {
	case *sh.Lit:
		d.literal(p.Value, quoted)
	case *sh.SglQuoted:
		d.text.WriteString(p.Value)
		d.sure = d.sure && !(p.Dollar && strings.Contains(p.Value, `\`))
	case *sh.DblQuoted:
		d.sure = d.sure && !p.Dollar // which text that is depends on the language of the person
		for _, inner := range p.Parts {
			d.part(inner, true)
		}
	default:
		start, end := offsets(part)
		text := d.line.Text[start:end]
		d.text.WriteString(text)
		d.sure = d.sure && d.isOneWord(part, quoted)
	}
}

// literal takes literal text. The shell may replace it with the files whose names match it.
func (d *decoder) literal(text string, quoted bool) {
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\\' && i+1 < len(text) && (!quoted || strings.IndexByte("\"\\$`\n", text[i+1]) >= 0):
			if i++; text[i] != '\n' {
				d.text.WriteByte(text[i])
			}
			continue
		case !quoted:
			d.bare.WriteByte(c)
			d.sure = d.sure && strings.IndexByte("*?[", c) < 0
		}
		d.text.WriteByte(c)
	}
}

// isOneWord reports whether what the shell puts instead of an expansion is one word or a part of
// one.
func (d *decoder) isOneWord(part sh.WordPart, quoted bool) bool {
	switch p := part.(type) {
	case *sh.ParamExp:
		start, end := offsets(p)
		return d.isValue(start, end, quoted)
	case *sh.CmdSubst:
		return quoted || d.printsOneWord(p)
	case *sh.ArithmExp:
		return quoted
	}
	return false
}

// isValue reports whether $NAME, ${NAME}, ${NAME:-default} or a client's reference is
// one word: it is in quotes, or the value is not known to be several.
func (d *decoder) isValue(start, end int, quoted bool) bool {
	text := strings.TrimLeft(d.line.Text[start:end], "${")
	if written := d.line.Text[start:end]; written == "$$" || written == "$?" || written == "$#" {
		return true // a number
	}
	n := 0
	for n < len(text) && (ascii.IsAlphanumeric(text[n]) || text[n] == '_') {
		n++
	}
	name, rest := text[:n], strings.TrimSuffix(text[n:], "}")
	fallback, isDefault := strings.CutPrefix(strings.TrimPrefix(rest, ":"), "-")
	switch {
	case d.read[start:end] != d.line.Text[start:end]:
		return quoted || !d.splits(name)
	case !IsVariableName(name) || rest != "" && !isDefault:
		return false
	}
	return quoted || !d.splits(name) && (!isDefault || !isSplit(fallback) && !strings.ContainsAny(fallback, `\"'$`))
}

// splits reports whether the value that the entry or the line gives a variable may be several
// words, or no word. A value from the user's own environment is assumed to be one.
func (s *script) splits(name string) bool {
	if s.variable == nil {
		return false
	}
	if slices.Contains(s.assigned, name) {
		return true
	}
	value, isSet := s.variable(name)
	if !isSet {
		return false
	}
	for ref, ok := secret.NextReference(value, 0); ok; ref, ok = secret.NextReference(value, ref.End) {
		if _, isSet := s.variable(ref.Name); isSet && ref.Name != name {
			return true
		}
	}
	return isSplit(value)
}

// isSplit reports whether a shell may make several words, or none, of a value.
func isSplit(value string) bool {
	return value == "" || strings.ContainsAny(value, " \t\n*?[`") || strings.Contains(value, "$(")
}

// oneWordPrograms print one word.
var oneWordPrograms = []string{"arch", "hostname", "id", "nproc", "pwd", "uname", "whoami"}

// printsOneWord reports whether a substitution is the output of such a program:
// $(id -u), $(git rev-parse --show-toplevel).
func (s *script) printsOneWord(c *sh.CmdSubst) bool {
	words := s.soleCommand(c)
	if len(words) == 0 {
		return false
	}
	return slices.Contains(oneWordPrograms, words[0].Text) || len(words) > 1 && words[0].Text == "git" && words[1].Text == "rev-parse"
}

// soleCommand returns the words of the one simple command of a substitution, nil if it has others.
func (s *script) soleCommand(c *sh.CmdSubst) []Word {
	if len(c.Stmts) != 1 || c.Stmts[0].Background {
		return nil
	}
	call, ok := c.Stmts[0].Cmd.(*sh.CallExpr)
	if !ok || len(call.Assigns) > 0 {
		return nil
	}
	return s.words(call)
}

// flattener collects the simple commands of a line.
type flattener struct {
	script
	commands []Command
	// operator comes before the next command, branch says that it runs instead of one before it.
	operator Token
	branch   bool
}

// all takes statements.
func (f *flattener) all(stmts []*sh.Stmt) {
	for _, s := range stmts {
		f.stmt(s)
		_, end := offsets(s)
		if s.Semicolon.IsValid() {
			f.separator(int(s.Semicolon.Offset()), end)
		} else if n := strings.IndexByte(f.line.Text[end:], '\n'); n >= 0 {
			f.separator(end+n, end+n+1)
		}
	}
}

// separator notes the operator between commands.
func (f *flattener) separator(start, end int) {
	w := f.line.Part(start, end)
	f.operator = Token{Word: w, Operator: operatorName(w.Text)}
}

// stmt takes a statement.
func (f *flattener) stmt(s *sh.Stmt) {
	if s == nil || len(f.commands) >= maxTokens {
		return
	}
	switch c := s.Cmd.(type) {
	case *sh.CallExpr:
		f.command(f.words(c))
	case *sh.DeclClause:
		words := []Word{f.line.Part(offsets(c.Variant))}
		for _, a := range c.Args {
			words = append(words, f.line.Part(offsets(a)))
		}
		f.command(words)
	case *sh.BinaryCmd:
		f.stmt(c.X)
		start := int(c.OpPos.Offset())
		f.separator(start, start+len(c.Op.String()))
		f.stmt(c.Y)
	case *sh.Block:
		f.all(c.Stmts)
	case *sh.Subshell:
		f.all(c.Stmts)
	case *sh.IfClause:
		f.all(c.Cond)
		f.all(c.Then)
		f.branches(func() {
			for c = c.Else; c != nil; c = c.Else {
				f.all(c.Cond)
				f.all(c.Then)
			}
		})
	case *sh.WhileClause:
		f.all(c.Cond)
		f.all(c.Do)
	case *sh.ForClause:
		f.all(c.Do)
	case *sh.CaseClause:
		for i, item := range c.Items {
			if i == 0 {
				f.all(item.Stmts)
				continue
			}
			f.branches(func() { f.all(item.Stmts) })
		}
	case *sh.FuncDecl:
		f.stmt(c.Body)
	case *sh.TimeClause:
		f.stmt(c.Stmt)
	case *sh.CoprocClause:
		f.stmt(c.Stmt)
	}
}

// branches takes the commands that run instead of one before them.
func (f *flattener) branches(take func()) {
	before := f.branch
	f.branch = true
	take()
	f.branch = before
}

// command takes a simple command.
func (f *flattener) command(words []Word) {
	f.commands = append(f.commands, Command{Operator: f.operator, Words: words, Branch: f.branch})
	f.operator = Token{}
}
