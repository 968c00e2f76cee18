package identity

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
)

// lastCommand returns the words of the last command of a line, where all before
// it only prepare for it and cannot change which program it runs: they go to
// another directory, set variables, choose the version of a runtime.
func (r *resolver) lastCommand(line Line) (words []Word, ok bool) {
	commands, ok := line.Commands()
	if !ok || len(commands) == 0 || line.dialect == posix && takesParameters(line.Words[0].Text) {
		return nil, false
	}
	last := commands[len(commands)-1]
	p := preparation{resolver: r, dialect: line.dialect}
	for i, c := range commands[:len(commands)-1] {
		p.bound = !slices.ContainsFunc(commands[i+1:], func(c Command) bool { return c.Operator.Operator != "&&" })
		if !p.takes(c) {
			return nil, false
		}
	}
	if p.depth != 0 || last.redirected || !p.follows(last.Operator) {
		return nil, false
	}
	words = last.Words
	switch line.dialect {
	case posix:
		words = r.assignments(words)
	case batch:
		words = withoutCall(words)
	}
	return words, len(words) > 0 && !isKeyword(words[0].Text) && namesProgram(words)
}

// namesProgram reports whether it is certain which program a command starts: no
// variable says so, and no other command.
func namesProgram(words []Word) bool {
	program := words[0].Text
	if l := launcherOf(program); l != nil && l.read == readWrapper && len(words) > 1 {
		program = words[1].Text
	}
	return !strings.ContainsAny(baseName(program), "$`") && !strings.Contains(program, "$(")
}

// takesParameters reports whether a line uses the words that stand behind it.
func takesParameters(text string) bool {
	return strings.Contains(text, "$@") || strings.Contains(text, "$*") || strings.Contains(text, "$1")
}

// withoutCall drops what cmd may have before a command: "call", "@".
func withoutCall(words []Word) []Word {
	if len(words) > 1 && strings.EqualFold(words[0].Text, "call") {
		return words[1:]
	}
	if strings.HasPrefix(words[0].Text, "@") {
		return append([]Word{tail(words[0], 1)}, words[1:]...)
	}
	return words
}

// isKeyword reports whether a word is the shell's own syntax.
func isKeyword(text string) bool {
	switch text {
	case "if", "then", "else", "elif", "fi", "while", "until", "for", "do", "done", "case", "esac", "function", "select", "{", "}", "!", "((":
		return true
	}
	return false
}

// preparation reads the commands before the last one.
type preparation struct {
	resolver *resolver
	dialect  dialect
	// depth counts the "if" that are open; tested says that the command before was
	// a test: what follows happens, or does not. It does for certain where the last
	// command is bound to it by "&&" alone.
	depth         int
	tested, bound bool
}

// follows reports whether a command runs in the end, whatever becomes of the one
// before it.
func (p *preparation) follows(operator Token) bool {
	switch operator.Operator {
	case "", "&&", ";":
		return true
	case "&":
		return p.dialect == batch
	}
	return false
}

// takes reports whether a command is one that prepares, and notes what it does.
func (p *preparation) takes(c Command) bool {
	words := c.Words
	for p.dialect == posix && len(words) > 0 && isKeyword(words[0].Text) {
		switch words[0].Text {
		case "if":
			p.depth++
		case "fi":
			p.depth--
		case "then", "else", "elif", "!":
		default:
			return false
		}
		words = words[1:]
	}
	maybe := p.depth > 0 || p.tested && c.Operator.Operator == "&&" && !p.bound
	p.tested = false
	switch {
	case len(words) == 0:
		return true
	case c.Operator.Operator == "||":
		return isQuiet(words[0].Text) || words[0].Text == "exit" || words[0].Text == "return"
	case !p.follows(c.Operator):
		return false
	}
	switch p.dialect {
	case batch:
		return p.batch(withoutCall(words))
	case powerShell:
		return p.powerShell(words)
	}
	p.tested = isTest(words[0].Text)
	return p.posix(words, maybe)
}

// isTest reports whether a command only answers a question.
func isTest(name string) bool { return name == "[" || name == "[[" || name == "test" }

// isQuiet reports whether a command neither changes anything that the next one
// sees nor starts anything.
func isQuiet(name string) bool {
	switch name {
	case "[", "[[", "test", ":", "true", "false", "echo", "printf", "hash", "type", "which", "sleep", "trap", "ulimit", "umask",
		"shopt", "set", "setopt", "unset", "mkdir", "touch":
		return true
	}
	return false
}

// posix takes a command of sh. Maybe says that it may not run.
func (p *preparation) posix(words []Word, maybe bool) bool {
	r, name, args := p.resolver, words[0].Text, words[1:]
	if isQuiet(name) {
		return true
	}
	switch name {
	case "exit", "return":
		return maybe
	case "cd", "chdir", "pushd":
		return !maybe && p.cd(args)
	case "export", "declare", "typeset", "readonly", "local":
		for _, w := range args {
			r.assignment(w)
		}
		return true
	case "source", ".":
		return p.source(args)
	case "command":
		return len(args) > 1 && strings.HasPrefix(args[0].Text, "-") // command -v: a question
	case "exec":
		return len(args) == 0 // a redirection of all that follows
	case "eval":
		return len(args) == 1 && isEnvironmentTool(args[0].Text)
	case "nvm", "fnm", "pyenv", "rbenv", "nodenv", "asdf", "mise", "conda", "mamba", "micromamba", "rvm", "sdk", "module":
		return len(args) > 0 && listed(selections, args[0].Text)
	}
	return len(r.assignments(words)) == 0
}

// selections are sub-commands that choose the version of a runtime for the rest
// of a line, and install nothing.
var selections = []string{"activate", "load", "shell", "use"}

// cd goes to the directory that is named last.
func (p *preparation) cd(args []Word) bool {
	args = slices.DeleteFunc(slices.Clone(args), func(w Word) bool {
		return strings.HasPrefix(w.Text, "-") && len(w.Text) > 1 || p.dialect == batch && strings.EqualFold(w.Text, "/d")
	})
	if len(args) != 1 || args[0].Text == "-" || args[0].Text == "" || strings.Contains(args[0].Text, "$(dirname") {
		return false
	}
	p.resolver.enter(args[0])
	return true
}

// source takes a file of settings. One that sets up a runtime or a person's shell
// says nothing of the server.
func (p *preparation) source(args []Word) bool {
	if len(args) == 0 {
		return false
	}
	if !isEnvironmentScript(args[0].Text) {
		p.resolver.extra = append(p.resolver.extra, "source "+p.resolver.argumentPath(args[0].Text))
	}
	return true
}

// environmentScripts are files that set up a runtime or a person's shell, in
// small letters.
var environmentScripts = []string{
	".bash_profile", ".bashrc", ".envrc", ".profile", ".zprofile", ".zshenv", ".zshrc", "activate", "activate.bat", "activate.fish",
	"activate.ps1", "asdf.sh", "conda.sh", "nix.sh", "nvm.sh", "profile", "sdkman-init.sh", "virtualenvwrapper.sh",
}

func isEnvironmentScript(file string) bool {
	return listed(environmentScripts, ascii.Lower(baseName(file)))
}

// environmentTools print what a shell has to evaluate before a runtime is found.
var environmentTools = []string{"asdf", "brew", "conda", "direnv", "fnm", "mise", "nodenv", "pyenv", "rbenv", "rtx", "ssh-agent", "volta"}

// isEnvironmentTool reports whether a substitution is the output of such a tool:
// $(fnm env).
func isEnvironmentTool(text string) bool {
	text = strings.TrimLeft(strings.TrimPrefix(text, "$("), "` ")
	name, _, ok := strings.Cut(text, " ")
	return ok && listed(environmentTools, baseName(name)) && !strings.ContainsAny(text, "|;&")
}

// batch takes a command of cmd.
func (p *preparation) batch(words []Word) bool {
	name, args := ascii.Lower(words[0].Text), words[1:]
	switch name {
	case "cd", "chdir", "pushd":
		return p.cd(args)
	case "set":
		if len(args) == 1 {
			return p.resolver.assignment(args[0])
		}
		return false
	case "chcp", "echo", "title", "setlocal", "rem":
		return true
	}
	return isEnvironmentScript(name)
}

// powerShell takes a command of PowerShell.
func (p *preparation) powerShell(words []Word) bool {
	name, args := ascii.Lower(words[0].Text), words[1:]
	switch name {
	case "cd", "chdir", "sl", "set-location", "push-location", "pushd":
		return p.cd(args)
	case "import-module", "write-host", "write-output", "chcp":
		return true
	case ".":
		return len(args) == 1 && isEnvironmentScript(args[0].Text)
	}
	if variable, ok := strings.CutPrefix(name, "$env:"); ok {
		return p.setVariable(tail(words[0], len(name)-len(variable)), args)
	}
	return isEnvironmentScript(name)
}

// setVariable takes $env:NAME=value and $env:NAME = value; w begins with the
// name.
func (p *preparation) setVariable(w Word, args []Word) bool {
	if len(args) == 0 {
		return p.resolver.assignment(w)
	}
	if len(args) != 2 || args[0].Text != "=" || !isVariableName(w.Text) {
		return false
	}
	p.resolver.addEnv(w, args[1])
	return true
}
