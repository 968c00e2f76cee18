package identity

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/shell"
)

// splitProgram splits a program word that holds a whole command line: "node
// index.js", "npx -y pkg". A path with spaces stays whole.
func (r *resolver) splitProgram() outcome {
	text := strings.TrimSpace(r.prog.Text)
	if len(text) != len(r.prog.Text) {
		at := strings.Index(r.prog.Text, text)
		r.prog = r.prog.Part(at, at+len(text))
	}
	space := strings.IndexAny(text, " \t\n")
	if space < 0 || isPlaceholderName(text) && strings.HasPrefix(text, "<") {
		return again
	}
	first := text[:space]
	switch {
	case text[0] == '"' || launcherOf(first) != nil:
	case len(r.args) > 0: // a path with spaces, and arguments
		return again
	case strings.ContainsAny(first, `/\`) && !strings.Contains(text, " -"):
		return again
	}
	line := shell.NewLine(shell.Posix, r.prog)
	if strings.Contains(text, `:\`) {
		line.Dialect = shell.Batch
	}
	if len(r.args) == 0 {
		r.parts.addLine(line)
	}
	words, ok := line.Simple()
	if ok {
		words = r.assignments(words)
	}
	if !ok || len(words) == 0 {
		r.opaque(r.prog, text)
		return settled
	}
	r.prog, r.args = words[0], append(words[1:len(words):len(words)], r.args...)
	return again
}

// assignments takes the leading NAME=value words as variables.
func (r *resolver) assignments(words []Word) []Word {
	for len(words) > 0 && r.assignment(words[0]) {
		words = words[1:]
	}
	return words
}

// assignment takes NAME=value as a variable.
func (r *resolver) assignment(w Word) bool {
	name, value, ok := w.CutAssignment()
	if ok {
		r.addEnv(name, value)
	}
	return ok
}

// shell settles sh -c "command line", and sh file.
func (r *resolver) shell(name string) outcome {
	args := r.args
	for len(args) > 0 {
		text := args[0].Text
		switch {
		case shell.IsCluster(text) && strings.Contains(text, "c"):
			if len(args) == 1 {
				return unknown
			}
			return r.commandLine(name, shell.NewLine(dialectOf(name), args[1]))
		case shell.IsCluster(text) && strings.HasSuffix(ascii.Lower(text), "o") || text == "--rcfile" || text == "--init-file":
			args = args[min(2, len(args)):] // -euo pipefail
		case len(text) > 1 && text[0] == '-':
			args = args[1:]
		default:
			r.args = args[1:]
			return r.file(args[0], name)
		}
	}
	return unknown
}

// dialectOf returns the language of a shell. What is called sh, ash or dash may be any.
func dialectOf(name string) shell.Dialect {
	switch name {
	case "bash":
		return shell.Bash
	case "fish":
		return shell.Fish
	case "ksh":
		return shell.Ksh
	case "zsh":
		return shell.Zsh
	}
	return shell.Posix
}

// commandLine makes the last command of a line the next program, if those before it only prepare
// for it. Any other shell text stays opaque: it is compared, never guessed at.
func (r *resolver) commandLine(name string, line shell.Line) outcome {
	r.parts.addLine(line)
	text := strings.TrimSpace(joinWords(line.Words))
	if isPlaceholderName(text) && strings.HasPrefix(text, "<") {
		return r.none(line.Words[0])
	}
	before := *r
	if words, unsure, ok := r.lastCommand(line); ok {
		if len(unsure) == 0 {
			return r.run(words)
		}
		if r.runUnsure(words, unsure) {
			return settled
		}
	}
	*r = before
	r.args = nil
	r.id.Launcher = name
	return r.opaque(line.Words[0], text)
}

// lastCommand returns the words of the last command of a line, if all before it only prepare for it
// and it is certain which program it runs. Unsure are the words that a shell may replace with
// several words, or none.
func (r *resolver) lastCommand(line shell.Line) (words, unsure []Word, ok bool) {
	last, ok := line.Last(func(name string) (string, bool) {
		at := r.lastEnv(name)
		if at < 0 {
			return "", false
		}
		return r.env[at].Value.Text, true
	})
	if !ok || !namesProgram(last.Words) {
		return nil, nil, false
	}
	for _, step := range last.Steps {
		switch step.Kind {
		case shell.SetVariable:
			r.addEnv(step.Name, step.Value)
		case shell.EnterDirectory:
			r.enter(step.Value)
		case shell.SourceFile:
			r.extra = append(r.extra, "source "+r.argumentPath(step.Value.Text))
		}
	}
	return last.Words, last.Unsure, true
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

// runUnsure finds what a command runs, of whose words some may be several, or none. It
// is certain where all of these are arguments of the server itself.
func (r *resolver) runUnsure(words, unsure []Word) bool {
	if r.depth >= maxDepth {
		return false
	}
	r.depth++
	r.run(words)
	r.command()
	r.depth--
	for _, w := range unsure {
		if shell.Count(r.args, w) < shell.Count(unsure, w) {
			return false
		}
	}
	return true
}

// joinWords joins words with spaces.
func joinWords(words []Word) string {
	if len(words) == 1 {
		return words[0].Text
	}
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.Text)
	}
	return b.String()
}

// batchOperators are what makes more than one command of cmd's words.
var batchOperators = []string{"&", "&&", "<", ">", "|", "||"}

// cmd settles cmd /c and /k, with the command as words or as one string.
func (r *resolver) cmd() outcome {
	args := r.args
	for len(args) > 0 && strings.HasPrefix(args[0].Text, "/") {
		option := ascii.Lower(args[0].Text)
		args = args[1:]
		if option != "/c" && option != "/k" && option != "/r" {
			continue // /d /s /q /v:on: how to start, not what
		}
		if len(args) == 0 {
			break // it has no line to run
		}
		line := shell.NewLine(shell.Batch, args...)
		if len(args) == 1 && strings.ContainsAny(args[0].Text, " \t") {
			return r.commandLine("cmd", line)
		}
		for _, w := range args {
			if listed(batchOperators, w.Text) {
				return r.commandLine("cmd", line)
			}
		}
		r.parts.addLine(line)
		return r.run(args)
	}
	return unknown
}

// powershellValues are options of powershell that take the next word, in small
// letters.
var powershellValues = []string{
	"-configurationname", "-ep", "-ex", "-executionpolicy", "-inputformat", "-outputformat", "-version", "-wd", "-windowstyle",
	"-workingdirectory",
}

// powershell settles -File script and -Command "command line".
func (r *resolver) powershell(name string) outcome {
	args := r.args
	for len(args) > 0 {
		option := ascii.Lower(args[0].Text)
		switch {
		case option == "-file" || option == "-f":
			return r.scriptFile(name, args[1:])
		case (option == "-command" || option == "-c") && len(args) > 1:
			return r.commandLine(name, shell.NewLine(shell.PowerShell, args[1:]...))
		case (option == "-encodedcommand" || option == "-enc" || option == "-e" || option == "-ec") && len(args) > 1:
			r.id.Launcher = name
			r.args = args[2:]
			r.parts.addEncoded(args[1])
			return r.opaque(args[1], args[0].Text+" "+args[1].Text)
		case listed(powershellValues, option):
			args = args[min(2, len(args)):]
		case strings.HasPrefix(option, "-"):
			args = args[1:]
		default:
			return r.scriptFile(name, args)
		}
	}
	return unknown
}
