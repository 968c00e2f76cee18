package identity

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
)

// lastCommand returns the words of the last command of a line, if all before it only prepare for it
// and cannot change which program it runs: they go to another directory, set variables, choose the
// version of a runtime. Unsure are the words that a shell may replace with several words, or none.
func (r *resolver) lastCommand(line Line) (words, unsure []Word, ok bool) {
	if line.dialect.isPosix() {
		return r.lastOfScript(line)
	}
	commands, ok := line.Commands()
	if !ok || len(commands) == 0 {
		return nil, nil, false
	}
	last := commands[len(commands)-1]
	p := preparation{resolver: r, dialect: line.dialect}
	for _, c := range commands[:len(commands)-1] {
		if !p.takes(c) {
			return nil, nil, false
		}
	}
	if last.redirected || !p.follows(last.Operator) {
		return nil, nil, false
	}
	words = last.Words
	if line.dialect == batch {
		words = withoutCall(words)
	}
	return words, nil, !isKeyword(words[0].Text) && namesProgram(words)
}

// namesProgram reports whether it is certain which program a command starts: it does not come from
// a variable or another command.
func namesProgram(words []Word) bool {
	program := words[0].Text
	if l := launcherOf(program); l != nil && l.read == readWrapper && len(words) > 1 {
		program = words[1].Text
	}
	return !strings.ContainsAny(BaseName(program), "$`") && !strings.Contains(program, "$(")
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

// isKeyword reports whether a word is the syntax of cmd or PowerShell itself.
func isKeyword(text string) bool {
	switch text {
	case "if", "else", "while", "for", "do", "function", "{", "}":
		return true
	}
	return false
}

// preparation reads the commands of cmd and PowerShell before the last one.
type preparation struct {
	resolver *resolver
	dialect  dialect
}

// follows reports whether a command runs in the end, regardless of the result of the previous one.
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
	switch {
	case c.Operator.Operator == "||":
		return isQuiet(c.Words) || c.Words[0].Text == "exit"
	case !p.follows(c.Operator):
		return false
	case p.dialect == batch:
		return p.batch(withoutCall(c.Words))
	}
	return p.powerShell(c.Words)
}

// selections are sub-commands that choose the version of a runtime for the rest
// of a line, and install nothing.
var selections = []string{"activate", "load", "shell", "use"}

// cd goes to the one directory that is named. cmd has an option for another drive.
func (r *resolver) cd(args []Word) bool {
	args = slices.DeleteFunc(slices.Clone(args), func(w Word) bool {
		return strings.HasPrefix(w.Text, "-") && len(w.Text) > 1 || strings.EqualFold(w.Text, "/d")
	})
	if len(args) != 1 || args[0].Text == "-" || args[0].Text == "" || strings.Contains(args[0].Text, "$(dirname") {
		return false
	}
	r.enter(args[0])
	return true
}

// takeSource takes a file of settings. One that sets up a runtime or a person's shell does not
// affect the server.
func (r *resolver) takeSource(args []Word) bool {
	if len(args) == 0 || strings.HasPrefix(args[0].Text, "/dev/") {
		return false
	}
	if !isEnvironmentScript(args[0].Text) {
		r.extra = append(r.extra, "source "+r.argumentPath(args[0].Text))
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
	return listed(environmentScripts, ascii.Lower(BaseName(file)))
}

// environmentTools print what a shell has to evaluate before a runtime is found.
var environmentTools = []string{"asdf", "brew", "conda", "direnv", "fnm", "mise", "nodenv", "pyenv", "rbenv", "rtx", "ssh-agent", "volta"}

// batch takes a command of cmd.
func (p *preparation) batch(words []Word) bool {
	name, args := ascii.Lower(words[0].Text), words[1:]
	switch name {
	case "cd", "chdir", "pushd":
		return p.resolver.cd(args)
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
		return p.resolver.cd(args)
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
