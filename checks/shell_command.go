package checks

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// shellCommand finds a server that is started by shell text which downloads
// and runs something, or which runs several commands.
var shellCommand = &Check{
	ID:       "shell-command",
	Title:    "a shell that downloads and runs, or chains commands",
	Severity: Warning,
	Reads:    notTestData,
	Run:      runShellCommand,
}

// runShellCommand reports one thing of each server. Chains are a note: what a
// reviewer cannot see at a glance is not wrong yet.
func runShellCommand(p *Pass) {
	for s := range p.Servers() {
		for _, line := range shellLines(&s.Launch) {
			if reportShell(p, s, line) {
				break
			}
		}
	}
}

// reportShell judges one command line of a server and reports whether there was
// something to say.
func reportShell(p *Pass, s *mcp.Server, line []identity.Word) bool {
	f := at(s)
	if source, ok := runsDownload(shellTokens(line, false)); ok {
		f.Span = source.Span
		f.Message = fmt.Sprintf("%q runs what %s fetches when it starts: nobody has seen that code, pin a version or a file instead",
			s.Name, programWord(source.Text))
		if isDecoder(programWord(source.Text)) {
			f.Message = fmt.Sprintf("%q runs what %s decodes when it starts: write the command so that it can be read", s.Name, programWord(source.Text))
		}
		p.Report(f)
		return true
	}
	operator, commands := chain(shellTokens(line, true))
	if len(commands) < 2 {
		return false
	}
	f.Severity, f.Span = Note, operator.Span
	f.Message = fmt.Sprintf("%q runs %d commands in a shell (%s): put them into a script, so that the entry says what the server is",
		s.Name, len(commands), joinWords(commands))
	p.Report(f)
	return true
}

// shellLines returns the command lines that a launch hands to a shell: what
// stands behind sh -c, cmd /c, powershell -Command and npx -c, and a program
// that is a whole line. A line is one word, or several that the shell joins.
func shellLines(l *identity.Launch) [][]identity.Word {
	if len(l.Args) == 0 && strings.ContainsAny(l.Command.Text, " \t\n") {
		return [][]identity.Word{{l.Command}}
	}
	if line := lineOf(programWord(l.Command.Text), l.Args); len(line) > 0 {
		return [][]identity.Word{line}
	}
	for i, w := range l.Args {
		if i+1 == len(l.Args) || strings.HasPrefix(w.Text, "-") {
			continue // no program with a line behind it
		}
		if line := lineOf(programWord(w.Text), l.Args[i+1:]); len(line) > 0 {
			return [][]identity.Word{line}
		}
	}
	return nil
}

// Limits that no line a person writes comes near, so that a hostile one costs no
// more than its length.
const (
	maxShellOptions = 16    // before a command line
	maxShellTokens  = 4_096 // of a command line
	maxFetchers     = 8     // in a command line
)

// lineOf returns what a program takes for a command line among its arguments.
func lineOf(program string, args []identity.Word) []identity.Word {
	flags, values, joins := lineFlags(program)
	for i := 0; i < min(len(args), maxShellOptions) && flags != ""; i++ {
		text := strings.ToLower(args[i].Text)
		switch rest := args[i+1:]; {
		case isOneOf(text, flags) && joins:
			return rest
		case isOneOf(text, flags):
			return rest[:min(1, len(rest))]
		case isOneOf(text, values):
			i++
		case !strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "/"):
			return nil // a script or package: the rest is its own
		}
	}
	return nil
}

// lineFlags returns the options before a command line of a program, other
// options that take a value, and whether the program joins what follows into
// one line.
func lineFlags(program string) (flags, values string, joins bool) {
	switch program {
	case "sh", "bash", "zsh", "dash", "ash", "ksh", "fish":
		return "-c -lc -ec -ic -lic -ilc -elc -euc -xc -cl -ce", "-o -O --rcfile --init-file", false
	case "cmd":
		return "/c /k /r", "", true
	case "powershell", "pwsh":
		return "-c -command", "-executionpolicy -ep -ex -windowstyle -version -workingdirectory -wd", true
	case "npx":
		return "-c --call", "-p --package", false
	}
	return "", "", false
}

// runsDownload returns the word that fetches what a shell then runs:
// curl … | sh, sh -c "$(curl …)", bash <(curl …), iex (irm …), and a file that
// is written and then run.
func runsDownload(tokens []shellToken) (source identity.Word, ok bool) {
	tokens = tokens[:min(len(tokens), maxShellTokens)]
	fetchers := 0
	for i, t := range tokens {
		name := programWord(t.word.Text)
		if t.operator != "" || !isFetcher(name) && !isDecoder(name) || !isCommand(tokens[:i]) {
			continue
		}
		if fetchers++; fetchers > maxFetchers {
			break
		}
		switch {
		case isDecoder(name) && decodes(tokens[i:]) && isPipedIntoShell(tokens[i:]),
			isFetcher(name) && (isPipedIntoShell(tokens[i:]) || isEvaluated(tokens[:i]) || runsFile(tokens[i:])):
			return t.word, true
		}
	}
	return identity.Word{}, false
}

// isCommand reports whether a word is a program to run, by what stands before
// it.
func isCommand(before []shellToken) bool {
	if len(before) == 0 {
		return true
	}
	last := before[len(before)-1]
	return last.operator != "" || isLead(last.word.Text) || isOneOf(last.word.Text, "sudo -c -lc")
}

// isEvaluated reports whether the output of a command is run because of what
// stands before it.
func isEvaluated(before []shellToken) bool {
	for _, t := range before {
		if isOneOf(programWord(t.word.Text), "iex invoke-expression [scriptblock]::create") {
			return true
		}
	}
	if len(before) == 0 {
		return false
	}
	outer := before[:len(before)-1]
	last := shellToken{operator: ";"}
	if len(outer) > 0 {
		last = outer[len(outer)-1]
	}
	switch before[len(before)-1].operator {
	case "$(":
		return last.operator != "" || isOneOf(last.word.Text, "eval source . exec -c -lc -ec")
	case "<(":
		return last.operator == "" && (isInterpreter(programWord(last.word.Text)) || isOneOf(last.word.Text, "source . eval -s"))
	}
	return false
}

// isPipedIntoShell reports whether the output of the first command goes, through
// whatever pipe, into something that runs it.
func isPipedIntoShell(tokens []shellToken) bool {
	for i, t := range tokens {
		switch t.operator {
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
func withoutLead(tokens []shellToken) []shellToken {
	for len(tokens) > 0 && tokens[0].operator == "" && (isLead(tokens[0].word.Text) || isOneOf(tokens[0].word.Text, "sudo doas -E -H -n -i")) {
		tokens = tokens[1:]
	}
	return tokens
}

// decodes reports whether base64, xxd or openssl is asked to decode.
func decodes(tokens []shellToken) bool {
	for _, t := range tokens[1:] {
		if t.operator != "" {
			return false
		}
		if isOneOf(t.word.Text, "-d -D -di --decode -r -rp") {
			return true
		}
	}
	return false
}

// readsProgram reports whether an interpreter takes its program from standard
// input: it has no script and no -c of its own.
func readsProgram(tokens []shellToken) bool {
	if len(tokens) == 0 {
		return false
	}
	name := programWord(tokens[0].word.Text)
	if isOneOf(name, "iex invoke-expression") {
		return true
	}
	if !isInterpreter(name) {
		return false
	}
	for _, t := range tokens[1:] {
		switch {
		case t.operator != "" || isOneOf(t.word.Text, "- -s"):
			return true
		case !strings.HasPrefix(t.word.Text, "-") || isOneOf(t.word.Text, "-c -m -e -p -r --eval"):
			return false
		}
	}
	return true
}

// runsFile reports whether a later command runs the file that the first one
// writes.
func runsFile(tokens []shellToken) bool {
	files := fetchedFiles(tokens)
	for i := 1; i < len(tokens); i++ {
		last := tokens[i-1]
		run := last.operator != "" || isInterpreter(programWord(last.word.Text)) || isOneOf(last.word.Text, "+x source .")
		if run && tokens[i].operator == "" && slices.Contains(files, path.Base(tokens[i].word.Text)) {
			return true
		}
	}
	return false
}

// fetchedFiles returns the names of files that the first command may write: the
// value of its option, and the last part of an address.
func fetchedFiles(tokens []shellToken) []string {
	var files []string
	for i := 1; i < len(tokens) && tokens[i].operator == ""; i++ {
		text, option := tokens[i].word.Text, tokens[i-1].word.Text
		short := strings.HasPrefix(option, "-") && !strings.HasPrefix(option, "--") && strings.HasSuffix(strings.ToLower(option), "o")
		if short || isOneOf(option, "--output --output-document -OutFile") || strings.Contains(text, "://") {
			files = append(files, path.Base(text))
		}
	}
	return files
}

// chain returns the programs that a line runs one after the other, and the
// operator before the second. What only prepares (cd, export, source .env, a
// test) and what a program's output is piped into does not count.
func chain(tokens []shellToken) (operator identity.Word, commands []string) {
	var last shellToken // the operator that ended the command before
	counting := true    // at the start of a command that counts
	for _, t := range tokens {
		switch {
		case t.operator == "|", t.operator == "$(", t.operator == "<(":
			counting = false
		case t.operator == "(" || t.operator == ")":
		case t.operator != "":
			counting, last = true, t
		case !counting || isLead(t.word.Text):
		default:
			counting = false
			if isPreparation(programWord(t.word.Text)) || strings.HasPrefix(t.word.Text, "$") {
				continue
			}
			commands = append(commands, programWord(t.word.Text))
			if len(commands) == 2 {
				operator = last.word
			}
		}
	}
	return operator, commands
}

// isLead reports whether a word may stand before a command: a keyword, a
// variable, exec.
func isLead(word string) bool {
	name, _, assigned := strings.Cut(word, "=")
	return isOneOf(word, "if then else elif do while until ! { } time exec command env nohup call") || assigned && isVariable(name)
}

func isVariable(name string) bool {
	return name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// isPreparation reports whether a command only prepares for another, or says
// something.
func isPreparation(name string) bool {
	return isOneOf(name, `cd chdir pushd popd source . set setlocal export unset alias shopt umask ulimit trap exit return true false : test [ [[
echo printf eval nvm fnm type hash which mkdir sleep wait read fi done esac for case set-location import-module write-host write-output chcp title @echo`)
}

func isFetcher(name string) bool {
	return isOneOf(name, "curl wget iwr irm invoke-webrequest invoke-restmethod downloadstring aria2c")
}

func isDecoder(name string) bool { return isOneOf(name, "base64 xxd openssl") }

func isInterpreter(name string) bool {
	return isOneOf(name, "sh bash zsh dash ash ksh fish python python3 py node bun deno perl ruby php pwsh powershell cmd")
}

// programWord returns the bare name of a program in lower case.
func programWord(word string) string {
	if at := max(strings.LastIndexByte(word, '/'), strings.LastIndexByte(word, '\\')); at >= 0 && at < len(word)-1 {
		word = word[at+1:]
	}
	word = strings.ToLower(word)
	for _, extension := range [...]string{".exe", ".cmd", ".bat"} {
		word = strings.TrimSuffix(word, extension)
	}
	return word
}

// isOneOf reports whether a word stands in a list of words separated by blanks
// or line breaks.
func isOneOf(word, list string) bool {
	for from := 0; word != ""; {
		at := strings.Index(list[from:], word)
		if at < 0 {
			return false
		}
		start, end := from+at, from+at+len(word)
		if (start == 0 || list[start-1] <= ' ') && (end == len(list) || list[end] <= ' ') {
			return !strings.ContainsAny(word, " \n")
		}
		from = end
	}
	return false
}
