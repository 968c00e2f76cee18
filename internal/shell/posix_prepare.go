package shell

import (
	"slices"
	"strings"

	sh "mvdan.cc/sh/v3/syntax"

	"github.com/mcplumb/mcplumb/internal/ascii"
)

// lastOfScript is Last for shells like sh. It returns the command on which every language that the
// line may be in agrees. Unsure are the words that others may follow, depending on what the shell
// puts there.
func (l Line) lastOfScript(outside Variables) (last Last, ok bool) {
	if l.Dialect == Fish && strings.ContainsAny(l.Words[0].Text, fishMarks) {
		return Last{}, false
	}
	for i, language := range l.Dialect.languages() {
		s, ok := parseScript(l.Words[0], language)
		if !ok || s.startsOthers() {
			return Last{}, false
		}
		p := preparer{script: s, dialect: l.Dialect}
		p.variable = func(name string) (string, bool) { return p.value(name, outside) }
		words, ok := p.last(s.stmts)
		if !ok || i > 0 && !(slices.Equal(words, last.Words) && slices.Equal(p.steps, last.Steps)) {
			return Last{}, false
		}
		last.Words, last.Steps = words, p.steps
		for _, w := range p.unsure {
			if Count(last.Unsure, w) < Count(p.unsure, w) {
				last.Unsure = append(last.Unsure, w)
			}
		}
	}
	return last, true
}

// preparer reads the commands before the last one of a line.
type preparer struct {
	script
	steps
	dialect Dialect
	// unsure are words of the last command that may be several, or none.
	unsure []Word
}

// last returns the words of the last of some statements, if those before it only prepare for it.
func (p *preparer) last(stmts []*sh.Stmt) ([]Word, bool) {
	if len(stmts) == 0 || !p.prepareAll(stmts[:len(stmts)-1], false) {
		return nil, false
	}
	return p.server(stmts[len(stmts)-1])
}

// server returns the words of the last command of a statement.
func (p *preparer) server(s *sh.Stmt) ([]Word, bool) {
	if s == nil || isBehind(s) || isRedirected(s) {
		return nil, false
	}
	switch c := s.Cmd.(type) {
	case *sh.CallExpr:
		return p.program(c)
	case *sh.BinaryCmd:
		if c.Op != sh.AndStmt || !p.prepares(c.X, false, true) {
			return nil, false
		}
		return p.server(c.Y)
	case *sh.Block:
		return p.last(c.Stmts)
	case *sh.Subshell:
		return p.last(c.Stmts)
	case *sh.TimeClause:
		if isTimed(c.Stmt) {
			return nil, false
		}
		words, ok := p.server(c.Stmt)
		return append([]Word{p.timeWord(c)}, words...), ok
	}
	return nil, false
}

// isBehind reports whether a shell does not wait for a statement.
func isBehind(s *sh.Stmt) bool { return s.Background || s.Coprocess || s.Disown }

// program returns the words of a simple command, and takes the variables before it.
func (p *preparer) program(c *sh.CallExpr) ([]Word, bool) {
	words := make([]Word, 0, len(c.Args))
	for i, arg := range c.Args {
		w, sure := p.word(arg)
		if !sure {
			p.unsure = append(p.unsure, w)
		}
		if !sure && i == 0 {
			return nil, false
		}
		words = append(words, w)
	}
	for _, a := range c.Assigns {
		name, value, plain := p.assignment(a)
		if !plain {
			return nil, false
		}
		p.set(name, value)
	}
	return words, len(words) > 0 && !p.runsOther(words)
}

// runsOther reports whether a command of the shell itself runs what is not named by its
// first word, or nothing.
func (p *preparer) runsOther(words []Word) bool {
	switch words[0].Text {
	case ".", "builtin", "eval", "source", "trap":
		return true
	case "and", "begin", "end", "not", "or":
		return p.dialect == Fish
	case "command":
		return len(words) > 1 && asksForCommand(words[1].Text)
	}
	return false
}

// asksForCommand reports whether an option of "command" makes a question of it.
func asksForCommand(option string) bool {
	return IsCluster(option) && strings.ContainsAny(option, "vV")
}

// prepareAll reports whether all statements prepare.
func (p *preparer) prepareAll(stmts []*sh.Stmt, maybe bool) bool {
	for _, s := range stmts {
		if !p.prepares(s, maybe, false) {
			return false
		}
	}
	return true
}

// prepares reports whether a statement is one that prepares, and notes what it does.
// Maybe says that it may not run, succeeded that what follows runs only if it did and
// succeeded.
func (p *preparer) prepares(s *sh.Stmt, maybe, succeeded bool) bool {
	if isBehind(s) {
		return false
	}
	if s.Negated {
		maybe, succeeded = true, false
	}
	switch c := s.Cmd.(type) {
	case *sh.CallExpr:
		return p.call(c, maybe, readsInput(s))
	case *sh.DeclClause:
		return p.declare(c)
	case *sh.TestClause:
		return true
	case *sh.Block:
		return p.prepareAll(c.Stmts, maybe)
	case *sh.IfClause:
		for ; c != nil; c = c.Else {
			if !p.prepareAll(c.Cond, true) || !p.prepareAll(c.Then, true) {
				return false
			}
		}
		return true
	case *sh.BinaryCmd:
		switch c.Op {
		case sh.AndStmt:
			return p.prepares(c.X, maybe, succeeded) && p.prepares(c.Y, maybe || !succeeded && p.mayFail(c.X), succeeded)
		case sh.OrStmt:
			return p.prepares(c.X, maybe || !p.exits(c.Y), false) && p.isHarmless(c.Y)
		}
	}
	return false
}

// readsInput reports whether a statement gets its input from a file or the line itself.
func readsInput(s *sh.Stmt) bool {
	return slices.ContainsFunc(s.Redirs, func(r *sh.Redirect) bool { return strings.HasPrefix(r.Op.String(), "<") })
}

// mayFail reports whether a statement answers a question.
func (p *preparer) mayFail(s *sh.Stmt) bool {
	switch c := s.Cmd.(type) {
	case *sh.CallExpr:
		switch p.name(c) {
		case "[", "[[", "test", "command", "false", "hash", "type", "which":
			return true
		}
		return s.Negated
	case *sh.DeclClause:
		return s.Negated
	case *sh.BinaryCmd:
		return p.mayFail(c.X) || p.mayFail(c.Y)
	}
	return true
}

// exits reports whether a statement ends the shell.
func (p *preparer) exits(s *sh.Stmt) bool {
	switch c := s.Cmd.(type) {
	case *sh.CallExpr:
		return p.name(c) == "exit"
	case *sh.Block:
		return p.exits(c.Stmts[len(c.Stmts)-1])
	}
	return false
}

// isHarmless reports whether a statement starts nothing that concerns the server.
func (p *preparer) isHarmless(s *sh.Stmt) bool {
	switch c := s.Cmd.(type) {
	case *sh.CallExpr:
		words := p.words(c)
		return !isBehind(s) && len(c.Assigns) == 0 && (isQuiet(words) || words[0].Text == "exit" || words[0].Text == "return")
	case *sh.Block:
		return !slices.ContainsFunc(c.Stmts, func(inner *sh.Stmt) bool { return !p.isHarmless(inner) })
	}
	return false
}

// name returns the first word of a simple command, "" without one.
func (p *preparer) name(c *sh.CallExpr) string {
	if len(c.Args) == 0 {
		return ""
	}
	w, _ := p.word(c.Args[0])
	return w.Text
}

// call takes a simple command. Reads says that its input is a file.
func (p *preparer) call(c *sh.CallExpr, maybe, reads bool) bool {
	if len(c.Args) == 0 {
		return p.assignAll(c.Assigns)
	}
	words := p.words(&sh.CallExpr{Args: c.Args})
	name, args := words[0].Text, words[1:]
	if isQuiet(words) {
		return true
	}
	if len(c.Assigns) > 0 || reads {
		return false
	}
	switch name {
	case "exit", "return":
		return maybe
	case "cd":
		return !maybe && p.cd(c.Args[1:])
	case "pushd":
		return !maybe && p.dialect != Posix && p.dialect != Ksh && p.cd(c.Args[1:])
	case "export", "declare", "typeset", "readonly", "local":
		return p.export(c.Args[1:])
	case "source", ".":
		return p.source(args)
	case "command":
		return len(args) > 1 && asksForCommand(args[0].Text)
	case "exec":
		return len(args) == 0 // a redirection of all that follows
	case "eval":
		return len(args) == 1 && p.isEnvironmentTool(c.Args[1])
	case "nvm", "fnm", "pyenv", "rbenv", "nodenv", "asdf", "mise", "conda", "mamba", "micromamba", "rvm", "sdk", "module":
		return len(args) > 0 && slices.Contains(selections, args[0].Text)
	}
	return false
}

// isQuiet reports whether a command neither changes anything that the next one
// sees nor starts anything.
func isQuiet(words []Word) bool {
	switch words[0].Text {
	case "[", "[[", "test", ":", "true", "false", "echo", "type", "which", "sleep", "ulimit", "umask", "shopt", "unset", "mkdir", "touch":
		return true
	case "printf", "hash": // -v NAME is an assignment, -p FILE the program itself
		return len(words) < 2 || !strings.HasPrefix(words[1].Text, "-")
	case "set":
		return !slices.ContainsFunc(words[1:], isOtherSetting)
	case "trap":
		return !slices.ContainsFunc(words[min(2, len(words)):], isOtherEvent)
	}
	return false
}

// isOtherSetting reports whether a word of "set" does more than decide when to stop and what to
// print: other options change how the rest of the line is read.
func isOtherSetting(w Word) bool {
	switch w.Text {
	case "allexport", "errexit", "nounset", "pipefail", "xtrace":
		return false
	}
	options := strings.TrimLeft(w.Text, "+-")
	return len(options)+1 != len(w.Text) || strings.Trim(options, "aeoux") != ""
}

// isOtherEvent reports whether a word of "trap" is an event before the end of the
// shell: DEBUG comes before the next command.
func isOtherEvent(w Word) bool {
	switch strings.TrimPrefix(w.Text, "SIG") {
	case "EXIT", "HUP", "INT", "QUIT", "TERM", "0", "1", "2", "3", "15":
		return false
	}
	return true
}

// cd goes to the one directory that is named.
func (p *preparer) cd(args []*sh.Word) bool {
	var dirs []Word
	for _, arg := range args {
		w, sure := p.word(arg)
		if !sure {
			return false
		}
		dirs = append(dirs, w)
	}
	_, isSet := p.variable("CDPATH")
	return !isSet && p.enter(dirs)
}

// assignAll takes variables. Those that the shell itself uses change the meaning of the rest of the
// line.
func (p *preparer) assignAll(assigns []*sh.Assign) bool {
	for _, a := range assigns {
		name, value, plain := p.assignment(a)
		switch {
		case a.Append || slices.Contains(shellVariables, name.Text):
			return false
		case plain:
			p.set(name, value)
		default:
			p.assigned = append(p.assigned, name.Text)
		}
	}
	return true
}

// shellVariables are such variables.
var shellVariables = []string{"CDPATH", "HOME", "IFS", "OLDPWD", "PWD"}

// declare takes "export NAME=value" and its like.
func (p *preparer) declare(c *sh.DeclClause) bool {
	for _, a := range c.Args {
		if !a.Naked {
			if !p.assignAll([]*sh.Assign{a}) {
				return false
			}
		} else if a.Value != nil && !p.export([]*sh.Word{a.Value}) {
			return false
		}
	}
	return true
}

// export takes the words after "export" and similar commands: options, names, assignments, the
// output of a command, which is treated as a file of variables.
func (p *preparer) export(args []*sh.Word) bool {
	for _, arg := range args {
		if name, value, ok := p.wordAssignment(arg); ok {
			if slices.Contains(shellVariables, name.Text) {
				return false
			}
			p.set(name, value)
			continue
		}
		w, _ := p.word(arg)
		_, isOutput := arg.Parts[0].(*sh.CmdSubst)
		isOption := IsCluster(w.Text) && strings.Trim(w.Text, "-gprx") == ""
		if !isOption && !IsVariableName(w.Text) && !(isOutput && len(arg.Parts) == 1) {
			return false
		}
	}
	return true
}

// isEnvironmentTool reports whether a word is the output of a tool that prints what a
// shell has to evaluate: $(fnm env).
func (p *preparer) isEnvironmentTool(w *sh.Word) bool {
	part := w.Parts[0]
	if quoted, ok := part.(*sh.DblQuoted); ok && len(quoted.Parts) == 1 {
		part = quoted.Parts[0]
	}
	output, ok := part.(*sh.CmdSubst)
	if !ok || len(w.Parts) != 1 {
		return false
	}
	words := p.soleCommand(output)
	return len(words) > 1 && slices.Contains(environmentTools, ascii.Lower(baseName(words[0].Text)))
}
