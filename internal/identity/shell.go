package identity

import "strings"

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
	words, ok := splitLine(r.prog, strings.Contains(text, `:\`))
	if !ok || len(words) == 0 {
		r.opaque(r.prog, text)
		return settled
	}
	rest := r.args
	words = r.assignments(words)
	if len(words) == 0 {
		r.opaque(r.prog, text)
		return settled
	}
	r.prog, r.args = words[0], words[1:]
	if len(rest) > 0 {
		r.args = append(r.args[:len(r.args):len(r.args)], rest...)
	}
	return again
}

// splitLine splits a command line into words as a POSIX shell does, or as
// cmd.exe where back-slashes are plain. ok is false when the line is more than
// one simple command: a list, a pipe, a redirection of anything but standard
// error.
func splitLine(line Word, windows bool) (words []Word, ok bool) {
	s := splitter{line: line, windows: windows}
	for s.at < len(line.Text) {
		if isSpace(line.Text[s.at]) {
			s.at++
			continue
		}
		if !s.word() {
			return nil, false
		}
	}
	return s.words, true
}

// splitter is the state of splitLine.
type splitter struct {
	line    Word
	windows bool
	at      int
	words   []Word
}

// word reads one word. A word written without quotes or escapes in its middle
// keeps its own span.
func (s *splitter) word() bool {
	text := s.line.Text
	start := s.at
	if !s.windows && strings.HasPrefix(text[start:], "2>") {
		return s.redirection()
	}
	var b strings.Builder
	plain := true // so far, text[start:at] is the word itself
	for s.at < len(text) && !isSpace(text[s.at]) {
		c := text[s.at]
		switch {
		case strings.IndexByte("|;&<>()`", c) >= 0 || s.windows && c == '^':
			return false
		case c == '\\' && !s.windows:
			b.WriteString(text[start:s.at])
			start, plain = s.at+1, false
			s.at = min(s.at+2, len(text))
		case c == '"' || c == '\'' && !s.windows:
			b.WriteString(text[start:s.at])
			quoted, ok := s.quoted(c)
			if !ok {
				return false
			}
			if plain && b.Len() == 0 && (s.at == len(text) || isSpace(text[s.at])) && len(quoted) == s.at-start-2 {
				s.words = append(s.words, sub(s.line, start+1, s.at-1))
				return true
			}
			b.WriteString(quoted)
			start, plain = s.at, false
		case c == '$' && strings.HasPrefix(text[s.at:], "$("):
			n := closingParenthesis(text[s.at+1:])
			if n < 0 {
				return false
			}
			s.at += n + 2
		default:
			s.at++
		}
	}
	if plain {
		s.words = append(s.words, sub(s.line, start, s.at))
		return true
	}
	b.WriteString(text[start:s.at])
	s.words = append(s.words, Word{Text: b.String(), Span: s.line.Span})
	return true
}

// quoted reads a quoted part and leaves the splitter behind it.
func (s *splitter) quoted(quote byte) (string, bool) {
	text := s.line.Text
	s.at++
	start := s.at
	var b strings.Builder
	for s.at < len(text) {
		c := text[s.at]
		switch {
		case c == quote:
			b.WriteString(text[start:s.at])
			s.at++
			return b.String(), true
		case quote == '"' && c == '\\' && !s.windows && s.at+1 < len(text) && strings.IndexByte("\"\\$`", text[s.at+1]) >= 0:
			b.WriteString(text[start:s.at])
			start = s.at + 1
			s.at += 2
		case quote == '"' && c == '`':
			return "", false
		case quote == '"' && strings.HasPrefix(text[s.at:], "$("):
			n := closingParenthesis(text[s.at+1:])
			if n < 0 {
				return "", false
			}
			s.at += n + 2
		default:
			s.at++
		}
	}
	return "", false
}

// redirection skips "2>file" and "2>&1", which change nothing for a server.
func (s *splitter) redirection() bool {
	text := s.line.Text
	s.at += 2
	if s.at < len(text) && text[s.at] == '>' {
		s.at++
	}
	if s.at < len(text) && text[s.at] == '&' {
		s.at++
	}
	for s.at < len(text) && isSpace(text[s.at]) {
		s.at++
	}
	begin := s.at
	for s.at < len(text) && !isSpace(text[s.at]) {
		if strings.IndexByte("|;&<>()`$\"'", text[s.at]) >= 0 {
			return false
		}
		s.at++
	}
	return s.at > begin
}

// closingParenthesis returns the offset of the ")" that closes the "(" at the
// start of text, or -1.
func closingParenthesis(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(':
			depth++
		case ')':
			depth--
			if depth == 0 {
				return i
			}
		}
	}
	return -1
}

// assignments takes the leading NAME=value words as variables.
func (r *resolver) assignments(words []Word) []Word {
	for len(words) > 0 {
		equals := strings.IndexByte(words[0].Text, '=')
		if equals < 0 || !isVariableName(words[0].Text[:equals]) {
			break
		}
		r.addEnv(sub(words[0], 0, equals), tail(words[0], equals+1))
		words = words[1:]
	}
	return words
}

// shell settles sh -c "command line" where that is one simple command, and
// sh file.
func (r *resolver) shell(name string) outcome {
	args := r.args
	for len(args) > 0 {
		text := args[0].Text
		switch {
		case len(text) > 1 && text[0] == '-' && text[1] != '-' && strings.HasSuffix(text, "c"):
			if len(args) == 1 {
				return unknown
			}
			return r.commandLine(name, args[1], false)
		case text == "-o" || text == "-O" || text == "--rcfile" || text == "--init-file":
			args = args[min(2, len(args)):]
		case len(text) > 1 && text[0] == '-':
			args = args[1:]
		default:
			r.args = args[1:]
			return r.file(args[0], name)
		}
	}
	return unknown
}

// commandLine makes the command of one command line the next program. Shell
// text that is more than that stays opaque: it is compared, never guessed at.
func (r *resolver) commandLine(shell string, line Word, windows bool) outcome {
	text := strings.TrimSpace(line.Text)
	if isPlaceholderName(text) && strings.HasPrefix(text, "<") {
		return r.none(line)
	}
	rest, ok := r.changeDirectory(line, windows)
	var words []Word
	if ok {
		words, ok = splitLine(rest, windows)
	}
	if ok && !windows {
		words = r.assignments(words)
	}
	// Positional parameters would need the words behind the line.
	if !ok || len(words) == 0 || strings.ContainsAny(words[0].Text, "`") || strings.Contains(words[0].Text, "$(") ||
		!windows && (strings.Contains(text, "$@") || strings.Contains(text, "$*") || strings.Contains(text, "$1")) {
		r.args = nil
		r.id.Launcher = shell
		return r.opaque(line, text)
	}
	return r.run(words)
}

// changeDirectory takes "cd DIR && " off the start of a command line: the rest
// runs in DIR.
func (r *resolver) changeDirectory(line Word, windows bool) (rest Word, ok bool) {
	text := line.Text
	begin := len(text) - len(strings.TrimLeft(text, " \t\n"))
	if !strings.HasPrefix(text[begin:], "cd ") {
		return line, true
	}
	end := strings.Index(text, "&&")
	if end < 0 {
		return line, true
	}
	words, ok := splitLine(sub(line, begin, end), windows)
	if ok && len(words) == 3 && windows && strings.EqualFold(words[1].Text, "/d") {
		words = words[1:]
	}
	if !ok || len(words) != 2 || strings.Contains(words[1].Text, "$(dirname") {
		return line, false
	}
	r.enter(words[1])
	return tail(line, end+2), true
}

// cmdOperators are what makes more than one command of cmd's words.
var cmdOperators = []string{"&", "&&", "<", ">", "|", "||"}

// cmd settles cmd /c and /k, with the command as words or as one string.
func (r *resolver) cmd() outcome {
	args := r.args
	for len(args) > 0 && strings.HasPrefix(args[0].Text, "/") {
		option := lower(args[0].Text)
		args = args[1:]
		if option != "/c" && option != "/k" && option != "/r" {
			continue // /d /s /q /v:on: how to start, not what
		}
		if len(args) == 1 && strings.ContainsAny(args[0].Text, " \t") {
			return r.commandLine("cmd", args[0], true)
		}
		for _, w := range args {
			if listed(cmdOperators, w.Text) {
				r.args = nil
				r.id.Launcher = "cmd"
				return r.opaque(w, joinWords(args))
			}
		}
		return r.run(args)
	}
	return unknown
}

// joinWords joins words with spaces.
func joinWords(words []Word) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.Text)
	}
	return b.String()
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
		option := lower(args[0].Text)
		switch {
		case option == "-file" || option == "-f":
			return r.scriptFile(name, args[1:])
		case option == "-command" || option == "-c":
			if len(args) == 2 {
				return r.commandLine(name, args[1], true)
			}
			return r.run(args[1:])
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
