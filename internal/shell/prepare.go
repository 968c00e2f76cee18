package shell

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// Last is the last command of a line, and what those before it prepare for it.
type Last struct {
	Words []Word
	// Unsure are the words that a shell may replace with several words, or none.
	Unsure []Word
	// Steps are in the order in which they are taken.
	Steps []Step
}

// Step is something that a line prepares.
type Step struct {
	Kind StepKind
	// Name is that of a variable, empty for other steps.
	Name Word
	// Value is that of the variable, the directory, or the file.
	Value Word
}

// StepKind is what is prepared.
type StepKind uint8

const (
	SetVariable    StepKind = iota // a variable
	EnterDirectory                 // a directory
	SourceFile                     // a file of settings
)

// Variables returns the value of a variable.
type Variables func(name string) (value string, isSet bool)

// Last returns the last command of a line, if all before it only prepare for it and cannot change
// which program it runs: they go to another directory, set variables, choose the version of a
// runtime. outside are the variables that the shell gets.
func (l Line) Last(outside Variables) (last Last, ok bool) {
	if l.Dialect.isPosix() {
		return l.lastOfScript(outside)
	}
	commands, ok := l.Commands()
	if !ok || len(commands) == 0 {
		return Last{}, false
	}
	command := commands[len(commands)-1]
	p := preparation{dialect: l.Dialect}
	for _, c := range commands[:len(commands)-1] {
		if !p.takes(c) {
			return Last{}, false
		}
	}
	if command.redirected || !p.follows(command.Operator) {
		return Last{}, false
	}
	words := command.Words
	if l.Dialect == Batch {
		words = withoutCall(words)
	}
	return Last{Words: words, Steps: p.steps}, !isKeyword(words[0].Text)
}

// steps are those taken so far.
type steps []Step

// set sets a variable. One that takes its value from the variable of the same name keeps it.
func (s *steps) set(name, value Word) {
	if ref, ok := secret.WholeReference(value.Text); ok && ref.Name == name.Text && ref.Default == "" {
		return
	}
	*s = append(*s, Step{SetVariable, name, value})
}

// value returns that of a variable after the steps.
func (s steps) value(name string, outside Variables) (value string, isSet bool) {
	for _, step := range slices.Backward(s) {
		if step.Kind == SetVariable && step.Name.Text == name {
			return step.Value.Text, true
		}
	}
	if outside == nil {
		return "", false
	}
	return outside(name)
}

// enter goes to the one directory that is named. cmd has an option for another drive.
func (s *steps) enter(args []Word) bool {
	args = slices.DeleteFunc(slices.Clone(args), func(w Word) bool {
		return strings.HasPrefix(w.Text, "-") && len(w.Text) > 1 || strings.EqualFold(w.Text, "/d")
	})
	if len(args) != 1 || args[0].Text == "-" || args[0].Text == "" || strings.Contains(args[0].Text, "$(dirname") {
		return false
	}
	*s = append(*s, Step{Kind: EnterDirectory, Value: args[0]})
	return true
}

// source takes a file of settings. One that sets up a runtime or a person's shell does not affect the
// server.
func (s *steps) source(args []Word) bool {
	if len(args) == 0 || strings.HasPrefix(args[0].Text, "/dev/") {
		return false
	}
	if !isEnvironmentScript(args[0].Text) {
		*s = append(*s, Step{Kind: SourceFile, Value: args[0]})
	}
	return true
}

// withoutCall drops what cmd may have before a command: "call", "@".
func withoutCall(words []Word) []Word {
	if len(words) > 1 && strings.EqualFold(words[0].Text, "call") {
		return words[1:]
	}
	if strings.HasPrefix(words[0].Text, "@") {
		return append([]Word{words[0].From(1)}, words[1:]...)
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
	steps
	dialect Dialect
}

// follows reports whether a command runs in the end, regardless of the result of the previous one.
func (p *preparation) follows(operator Token) bool {
	switch operator.Operator {
	case "", "&&", ";":
		return true
	case "&":
		return p.dialect == Batch
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
	case p.dialect == Batch:
		return p.batch(withoutCall(c.Words))
	}
	return p.powerShell(c.Words)
}

// selections are sub-commands that choose the version of a runtime for the rest
// of a line, and install nothing.
var selections = []string{"activate", "load", "shell", "use"}

// environmentScripts are files that set up a runtime or a person's shell, in
// small letters.
var environmentScripts = []string{
	".bash_profile", ".bashrc", ".envrc", ".profile", ".zprofile", ".zshenv", ".zshrc", "activate", "activate.bat", "activate.fish",
	"activate.ps1", "asdf.sh", "conda.sh", "nix.sh", "nvm.sh", "profile", "sdkman-init.sh", "virtualenvwrapper.sh",
}

func isEnvironmentScript(file string) bool {
	return slices.Contains(environmentScripts, ascii.Lower(baseName(file)))
}

// environmentTools print what a shell has to evaluate before a runtime is found.
var environmentTools = []string{"asdf", "brew", "conda", "direnv", "fnm", "mise", "nodenv", "pyenv", "rbenv", "rtx", "ssh-agent", "volta"}

// batch takes a command of cmd.
func (p *preparation) batch(words []Word) bool {
	name, args := ascii.Lower(words[0].Text), words[1:]
	switch name {
	case "cd", "chdir", "pushd":
		return p.enter(args)
	case "set":
		return len(args) == 1 && p.assign(args[0])
	case "chcp", "echo", "title", "setlocal", "rem":
		return true
	}
	return isEnvironmentScript(name)
}

// assign takes NAME=value.
func (p *preparation) assign(w Word) bool {
	name, value, ok := w.CutAssignment()
	if ok {
		p.set(name, value)
	}
	return ok
}

// powerShell takes a command of PowerShell.
func (p *preparation) powerShell(words []Word) bool {
	name, args := ascii.Lower(words[0].Text), words[1:]
	switch name {
	case "cd", "chdir", "sl", "set-location", "push-location", "pushd":
		return p.enter(args)
	case "import-module", "write-host", "write-output", "chcp":
		return true
	case ".":
		return len(args) == 1 && isEnvironmentScript(args[0].Text)
	}
	if variable, ok := strings.CutPrefix(name, "$env:"); ok {
		return p.setVariable(words[0].From(len(name)-len(variable)), args)
	}
	return isEnvironmentScript(name)
}

// setVariable takes $env:NAME=value and $env:NAME = value; w begins with the
// name.
func (p *preparation) setVariable(w Word, args []Word) bool {
	if len(args) == 0 {
		return p.assign(w)
	}
	if len(args) != 2 || args[0].Text != "=" || !IsVariableName(w.Text) {
		return false
	}
	p.set(w, args[1])
	return true
}
