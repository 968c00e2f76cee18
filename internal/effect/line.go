// Package effect determines what the code in an entry does when it starts, as far as its text shows
// it: a shell line that downloads what it runs, a program that decodes it, a connection that gives
// its peer a shell.
package effect

import (
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/shell"
)

// Chains reports whether a word has syntax that makes a line more than one command.
func Chains(w identity.Word) bool {
	for i := range len(w.Text) {
		if chainMarks[w.Text[i]] {
			return true
		}
	}
	return false
}

// chainMarks make more than one command of a line.
var chainMarks = ascii.SetOf("|&;<(`\n")

// maxFetchers is more than any line that a person writes has. It bounds the cost of a hostile line.
const maxFetchers = 8

// RunsDownload returns the word that fetches what a shell then runs:
// curl … | sh, sh -c "$(curl …)", bash <(curl …), iex (irm …), and a file that
// is written and then run.
func RunsDownload(tokens []shell.Token) (source identity.Word, ok bool) {
	fetchers := 0
	for i, t := range tokens {
		name := identity.ProgramName(t.Text)
		if t.Operator != "" || !IsFetcher(name) && !IsDecoder(name) && !isPutTogether(t.Text) || !isCommand(tokens[:i]) {
			continue
		}
		if fetchers++; fetchers > maxFetchers {
			break
		}
		switch {
		case IsDecoder(name) && decodes(tokens[i:]) && (isPipedIntoShell(tokens[i:]) || isEvaluated(tokens[:pipelineOf(tokens, i)])),
			isPutTogether(t.Text) && isPipedIntoShell(tokens[i:]),
			IsFetcher(name) && (isPipedIntoShell(tokens[i:]) || isEvaluated(tokens[:i]) || runsFile(tokens[i:])):
			return t.Word, true
		}
	}
	return identity.Word{}, false
}

// isCommand reports whether a word is a program to run, based on the tokens before it.
func isCommand(before []shell.Token) bool {
	if len(before) == 0 {
		return true
	}
	last := before[len(before)-1]
	return last.Operator != "" || isLead(last.Text) || last.Text == "sudo" || IsLineFlag(last.Text)
}

// IsLineFlag reports whether a word is an option that a shell's line follows.
func IsLineFlag(word string) bool { return word == "-c" || word == "-lc" || word == "-ec" }

// isEvaluated reports whether the tokens before a command make the shell run its output.
func isEvaluated(before []shell.Token) bool {
	for _, t := range before {
		switch identity.ProgramName(t.Text) {
		case "iex", "invoke-expression", "[scriptblock]::create":
			return true
		}
	}
	if len(before) == 0 {
		return false
	}
	outer := before[:len(before)-1]
	last := shell.Token{Operator: ";"}
	if len(outer) > 0 {
		last = outer[len(outer)-1]
	}
	isEvaluating := last.Text == "eval" || isSource(last.Text)
	switch before[len(before)-1].Operator {
	case "$(":
		return last.Operator != "" || isEvaluating || last.Text == "exec" || IsLineFlag(last.Text) || last.Text == "<<<" && readsHere(outer)
	case "<(":
		return last.Operator == "" && (isEvaluating || last.Text == "-s" || identity.Interprets(last.Text))
	}
	return false
}

// readsHere reports whether the last of some commands runs the text after "<<<".
func readsHere(tokens []shell.Token) bool {
	start := len(tokens)
	for start > 0 && tokens[start-1].Operator == "" {
		start--
	}
	command := withoutLead(tokens[start:])
	return len(command) > 0 && (isSource(command[0].Text) || identity.Interprets(command[0].Text))
}

// pipelineOf returns where the pipeline of a token begins.
func pipelineOf(tokens []shell.Token, at int) int {
	for at > 0 && (tokens[at-1].Operator == "" || tokens[at-1].Operator == "|") {
		at--
	}
	return at
}

// isPutTogether reports whether the name of a program is hidden in parts (c${x}url).
func isPutTogether(word string) bool {
	at := strings.IndexByte(word, '$')
	return at > 0 && !strings.ContainsAny(word[:at], "=/:.")
}

// isSource reports whether a word runs a file in the shell itself.
func isSource(word string) bool { return word == "source" || word == "." }

// isPipedIntoShell reports whether the output of the first command goes, through any pipe, into a
// command that runs it.
func isPipedIntoShell(tokens []shell.Token) bool {
	for i, t := range tokens {
		switch t.Operator {
		case "", ")":
		case "|":
			if readsProgram(withoutLead(tokens[i+1:])) {
				return true
			}
		default:
			return false
		}
	}
	return false
}

// withoutLead returns a command without what only says how to run it.
func withoutLead(tokens []shell.Token) []shell.Token {
	for len(tokens) > 0 && tokens[0].Operator == "" {
		switch word := tokens[0].Text; word {
		case "sudo", "doas", "-E", "-H", "-n", "-i":
		default:
			if !isLead(word) {
				return tokens
			}
		}
		tokens = tokens[1:]
	}
	return tokens
}

// decodes reports whether base64, xxd or openssl is asked to decode.
func decodes(tokens []shell.Token) bool {
	for _, t := range tokens[1:] {
		if t.Operator != "" {
			return false
		}
		switch t.Text {
		case "-d", "-D", "-di", "--decode", "-r", "-rp":
			return true
		}
	}
	return false
}

// readsProgram reports whether an interpreter takes its program from standard
// input: it has no script and no -c of its own.
func readsProgram(tokens []shell.Token) bool {
	if len(tokens) == 0 {
		return false
	}
	name := identity.ProgramName(tokens[0].Text)
	if name == "iex" || name == "invoke-expression" {
		return true
	}
	if !identity.Interprets(name) {
		return false
	}
	for _, t := range tokens[1:] {
		if t.Operator != "" {
			return true
		}
		switch t.Text {
		case "-", "-s":
			return true
		case "-c", "-m", "-e", "-p", "-r", "--eval":
			return false
		}
		if !strings.HasPrefix(t.Text, "-") {
			return false
		}
	}
	return true
}

// runsFile reports whether a later command runs the file that the first one
// writes.
func runsFile(tokens []shell.Token) bool {
	files := fetchedFiles(tokens)
	for i := 1; i < len(tokens); i++ {
		last := tokens[i-1]
		run := last.Operator != "" || identity.Interprets(last.Text) || last.Text == "+x" || isSource(last.Text)
		if run && tokens[i].Operator == "" && slices.Contains(files, path.Base(tokens[i].Text)) {
			return true
		}
	}
	return false
}

// fetchedFiles returns the names of files that the first command may write: the
// value of its option, and the last part of an address.
func fetchedFiles(tokens []shell.Token) []string {
	var files []string
	for i := 1; i < len(tokens) && tokens[i].Operator == ""; i++ {
		if text := tokens[i].Text; isFileOption(tokens[i-1].Text) || strings.Contains(text, "://") {
			files = append(files, path.Base(text))
		}
	}
	return files
}

// isFileOption reports whether an option of what fetches names a file to write,
// alone (-o, -OutFile) or as the last of joined ones (-fsSLo).
func isFileOption(option string) bool {
	switch option {
	case "--output", "--output-document", "-OutFile":
		return true
	}
	return strings.HasPrefix(option, "-") && !strings.HasPrefix(option, "--") && strings.HasSuffix(strings.ToLower(option), "o")
}

// Chain returns the programs that a line runs one after the other, and the operator before the
// second. Commands that only prepare (cd, export, source .env, a test) and commands that a
// program's output is piped into do not count. Nothing runs after exec, so of several programs
// after one only the first counts. The same applies to the branches of an if.
func Chain(line shell.Line) (operator identity.Word, programs []string) {
	commands, _ := line.Commands()
	replaced := false
	for _, c := range commands {
		program, replaces := programOf(c.Words)
		if c.Branch || program == "" || c.Operator.Operator == "|" || replaces && replaced {
			continue
		}
		replaced = replaced || replaces
		programs = append(programs, program)
		if len(programs) == 2 {
			operator = c.Operator.Word
		}
	}
	return operator, programs
}

// programOf returns the program that a simple command runs, and whether it replaces the shell. The
// name is "" for a command that prepares or looks up a program, and for the value of a variable.
func programOf(words []identity.Word) (name string, replaces bool) {
	for len(words) > 0 && isLead(words[0].Text) {
		lead := words[0].Text
		replaces = replaces || lead == "exec"
		words = words[1:]
		for len(words) > 0 && strings.HasPrefix(words[0].Text, "-") {
			option := words[0].Text
			if lead == "command" && strings.ContainsAny(option, "vV") {
				return "", false
			}
			words = words[1:]
			if takesValue(lead, option) && len(words) > 0 {
				words = words[1:]
			}
		}
	}
	if len(words) == 0 || strings.HasPrefix(words[0].Text, "$") {
		return "", false
	}
	if name = identity.ProgramName(words[0].Text); isPreparation(name) {
		return "", false
	}
	return name, replaces
}

// takesValue reports whether the word after an option of a lead is its value.
func takesValue(lead, option string) bool {
	switch lead + " " + option {
	case "exec -a", "env -u", "env --unset", "env -C", "env --chdir":
		return true
	}
	return false
}

// isLead reports whether a word may come before a command: a keyword, a variable, exec.
func isLead(word string) bool {
	switch word {
	case "if", "then", "else", "elif", "do", "while", "until", "!", "{", "}", "time", "exec", "command", "env", "nohup", "call":
		return true
	}
	name, _, assigned := strings.Cut(word, "=")
	return assigned && isVariable(name)
}

func isVariable(name string) bool {
	return name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// isPreparation reports whether a command only prepares for another, or says
// something.
func isPreparation(name string) bool {
	switch name {
	case "cd", "chdir", "pushd", "popd", "source", ".", "set", "setlocal", "export", "unset", "alias", "shopt", "umask", "ulimit", "trap",
		"exit", "return", "true", "false", ":", "test", "[", "[[", "echo", "printf", "eval", "nvm", "fnm", "type", "hash", "which", "mkdir",
		"pwd", "where", "get-command", "sleep", "wait", "read", "fi", "done", "esac", "for", "case", "set-location", "import-module", "write-host", "write-output", "chcp",
		"title", "@echo":
		return true
	}
	return false
}

func IsFetcher(name string) bool {
	switch name {
	case "curl", "wget", "iwr", "irm", "invoke-webrequest", "invoke-restmethod", "downloadstring", "aria2c",
		"bitsadmin", "certutil", "mshta", "regsvr32", "rundll32":
		return true
	}
	return false
}

func IsDecoder(name string) bool { return name == "base64" || name == "xxd" || name == "openssl" }
