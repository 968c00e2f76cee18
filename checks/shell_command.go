package checks

import (
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// shellCommand finds a server that is started by shell text which downloads
// and runs something, or which runs several commands.
var shellCommand = &rule.Rule{
	ID:       "shell-command",
	Title:    "shell text that runs downloaded code, or several commands",
	Severity: rule.Warning,
	Reads:    reads.NotTestData,
	Run:      runShellCommand,
}

// runShellCommand reports one finding for each server. Chains are a note: being hard to review is
// not wrong yet.
func runShellCommand(p *rule.Pass) {
	for s := range p.Servers() {
		if reportFetch(p, s) || reportCode(p, s) {
			continue
		}
		if !mayChain(&s.Launch) && len(s.Helpers()) == 0 {
			continue
		}
		for _, l := range s.Launches() {
			if l.Kind == mcp.LaunchLine && reportShell(p, s, l.Line) || l.Kind == mcp.LaunchHelper && reportHelper(p, s, &l) {
				break
			}
		}
	}
}

// reportFetch reports a command line that only sends a request or downloads a file: it is not a
// server, and runs at every start of the client.
func reportFetch(p *rule.Pass, s *mcp.Server) bool {
	program := s.Identity.Name
	if s.Identity.Kind != identity.Exec || !isFetcher(identity.ProgramName(program)) || !s.IsStarted() {
		return false
	}
	f := rule.At(s)
	f.Span = s.Identity.Span
	f.Message = wording.Say("%q is not a server: it only runs %s at every start of the client", s.Name, program)
	f.Help = "remove the entry, or write the address of a server as its URL"
	p.Report(f)
	return true
}

// mayChain reports whether any word holds what makes more than one command of a
// line. Hardly any does.
func mayChain(l *identity.Launch) bool {
	return chains(l.Command) || slices.ContainsFunc(l.Args, chains)
}

// chains reports whether a word holds what makes more than one command of a line.
func chains(w identity.Word) bool {
	for i := range len(w.Text) {
		if chainMarks[w.Text[i]] {
			return true
		}
	}
	return false
}

// chainMarks make more than one command of a line.
var chainMarks = ascii.SetOf("|&;<(`\n")

// reportShell judges one command line of a server and reports whether there was
// something to say.
func reportShell(p *rule.Pass, s *mcp.Server, line identity.Line) bool {
	f := rule.At(s)
	if source, ok := runsDownload(line.Tokens()); ok {
		program := identity.ProgramName(source.Text)
		f.Span = source.Span
		f.Message = wording.Say("%q downloads code with %s and runs it at every start, so what runs can change at any time", s.Name, program)
		f.Help = "install a fixed version, or commit the script and run that"
		if isDecoder(program) {
			f.Message = wording.Say("%q decodes code with %s and runs it at every start, which hides what it runs", s.Name, program)
			f.Help = "write the command in plain text"
		}
		p.Report(f)
		return true
	}
	operator, commands := chain(line)
	if len(commands) < 2 {
		return false
	}
	f.Severity, f.Span = rule.Note, operator.Span
	f.Message = wording.Say("%q runs %d commands in a shell (%s), which hides which of them is the server", s.Name, len(commands), wording.JoinWords(commands))
	f.Help = "move them into a script, and run that"
	p.Report(f)
	return true
}

// reportHelper judges the command that a client runs before it connects. Several commands in
// it are no finding: unlike an entry, a helper is expected to be a script.
func reportHelper(p *rule.Pass, s *mcp.Server, helper *mcp.Launch) bool {
	source, ok := runsDownload(helper.Line.Tokens())
	if !ok {
		return false
	}
	f := rule.At(s)
	f.Span = source.Span
	program, does := identity.ProgramName(source.Text), "downloads"
	if isDecoder(program) {
		does = "decodes"
	}
	f.Message = wording.Say("%s of %q %s code with %s, and the client runs it at every connection", helper.Name, s.Name, does, program)
	f.Help = "move the script into the repository, in plain text"
	p.Report(f)
	return true
}

// maxFetchers is more than any line that a person writes has, so that a hostile
// one costs no more.
const maxFetchers = 8

// runsDownload returns the word that fetches what a shell then runs:
// curl … | sh, sh -c "$(curl …)", bash <(curl …), iex (irm …), and a file that
// is written and then run.
func runsDownload(tokens []identity.Token) (source identity.Word, ok bool) {
	fetchers := 0
	for i, t := range tokens {
		name := identity.ProgramName(t.Text)
		if t.Operator != "" || !isFetcher(name) && !isDecoder(name) && !isPutTogether(t.Text) || !isCommand(tokens[:i]) {
			continue
		}
		if fetchers++; fetchers > maxFetchers {
			break
		}
		switch {
		case isDecoder(name) && decodes(tokens[i:]) && (isPipedIntoShell(tokens[i:]) || isEvaluated(tokens[:pipelineOf(tokens, i)])),
			isPutTogether(t.Text) && isPipedIntoShell(tokens[i:]),
			isFetcher(name) && (isPipedIntoShell(tokens[i:]) || isEvaluated(tokens[:i]) || runsFile(tokens[i:])):
			return t.Word, true
		}
	}
	return identity.Word{}, false
}

// isCommand reports whether a word is a program to run, by what stands before
// it.
func isCommand(before []identity.Token) bool {
	if len(before) == 0 {
		return true
	}
	last := before[len(before)-1]
	return last.Operator != "" || isLead(last.Text) || last.Text == "sudo" || isLineFlag(last.Text)
}

// isLineFlag reports whether a word is an option that a shell's line follows.
func isLineFlag(word string) bool { return word == "-c" || word == "-lc" || word == "-ec" }

// isEvaluated reports whether the output of a command is run because of what
// stands before it.
func isEvaluated(before []identity.Token) bool {
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
	last := identity.Token{Operator: ";"}
	if len(outer) > 0 {
		last = outer[len(outer)-1]
	}
	isEvaluating := last.Text == "eval" || isSource(last.Text)
	switch before[len(before)-1].Operator {
	case "$(":
		return last.Operator != "" || isEvaluating || last.Text == "exec" || isLineFlag(last.Text) || last.Text == "<<<" && readsHere(outer)
	case "<(":
		return last.Operator == "" && (isEvaluating || last.Text == "-s" || identity.Interprets(last.Text))
	}
	return false
}

// readsHere reports whether the last of some commands runs what a text behind "<<<" says.
func readsHere(tokens []identity.Token) bool {
	start := len(tokens)
	for start > 0 && tokens[start-1].Operator == "" {
		start--
	}
	command := withoutLead(tokens[start:])
	return len(command) > 0 && (isSource(command[0].Text) || identity.Interprets(command[0].Text))
}

// pipelineOf returns where the pipeline begins in which a token stands.
func pipelineOf(tokens []identity.Token, at int) int {
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

// isPipedIntoShell reports whether the output of the first command goes, through
// whatever pipe, into something that runs it.
func isPipedIntoShell(tokens []identity.Token) bool {
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
func withoutLead(tokens []identity.Token) []identity.Token {
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
func decodes(tokens []identity.Token) bool {
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
func readsProgram(tokens []identity.Token) bool {
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
func runsFile(tokens []identity.Token) bool {
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
func fetchedFiles(tokens []identity.Token) []string {
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

// chain returns the programs that a line runs one after the other, and the
// operator before the second. What only prepares (cd, export, source .env, a
// test) and what a program's output is piped into does not count. Nothing runs
// after exec, so of several programs behind one only the first counts, and so does
// of the branches of an if.
func chain(line identity.Line) (operator identity.Word, programs []string) {
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

// programOf returns the program that a simple command runs, "" for what prepares,
// asks for a program or is a variable's, and whether it takes the shell's place.
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

// isLead reports whether a word may stand before a command: a keyword, a
// variable, exec.
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

func isFetcher(name string) bool {
	switch name {
	case "curl", "wget", "iwr", "irm", "invoke-webrequest", "invoke-restmethod", "downloadstring", "aria2c",
		"bitsadmin", "certutil", "mshta", "regsvr32", "rundll32":
		return true
	}
	return false
}

func isDecoder(name string) bool { return name == "base64" || name == "xxd" || name == "openssl" }
