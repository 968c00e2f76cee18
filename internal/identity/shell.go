package identity

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
)

// splitProgram splits a program word that holds a whole command line: "node
// index.js", "npx -y pkg". A path with spaces stays whole.
func (r *resolver) splitProgram() outcome {
	text := strings.TrimSpace(r.prog.Text)
	if len(text) != len(r.prog.Text) {
		at := strings.Index(r.prog.Text, text)
		r.prog = sub(r.prog, at, at+len(text))
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
	line := lineOf(r.prog, posix)
	if strings.Contains(text, `:\`) {
		line.dialect = batch
	}
	if len(r.args) == 0 {
		r.parts.addLine(line)
	}
	words, ok := line.simple()
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
	equals := strings.IndexByte(w.Text, '=')
	if equals < 0 || !isVariableName(w.Text[:equals]) {
		return false
	}
	r.addEnv(sub(w, 0, equals), tail(w, equals+1))
	return true
}

// shell settles sh -c "command line", and sh file.
func (r *resolver) shell(name string) outcome {
	args := r.args
	for len(args) > 0 {
		text := args[0].Text
		switch {
		case isCluster(text) && strings.Contains(text, "c"):
			if len(args) == 1 {
				return unknown
			}
			return r.commandLine(name, lineOf(args[1], dialectOf(name)))
		case isCluster(text) && strings.HasSuffix(ascii.Lower(text), "o") || text == "--rcfile" || text == "--init-file":
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
func dialectOf(shell string) dialect {
	switch shell {
	case "bash":
		return bash
	case "fish":
		return fish
	case "ksh":
		return ksh
	case "zsh":
		return zsh
	}
	return posix
}

// isCluster reports whether a word is short options.
func isCluster(text string) bool { return len(text) > 1 && text[0] == '-' && text[1] != '-' }

// commandLine makes the last command of a line the next program, if those before it only prepare
// for it. Any other shell text stays opaque: it is compared, never guessed at.
func (r *resolver) commandLine(shell string, line Line) outcome {
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
	r.id.Launcher = shell
	return r.opaque(line.Words[0], text)
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
		if count(r.args, w) < count(unsure, w) {
			return false
		}
	}
	return true
}

// count returns how often a word is among others.
func count(words []Word, word Word) (n int) {
	for _, w := range words {
		if w == word {
			n++
		}
	}
	return n
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
		line := Line{Words: args, dialect: batch}
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
			return r.commandLine(name, Line{Words: args[1:], dialect: powerShell})
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
