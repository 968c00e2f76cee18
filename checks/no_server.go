package checks

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/effect"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// reportNoServer reports command lines that any client starts but that start no server: an
// installation, a URL instead of a package, an option of cmd after another program.
func reportNoServer(p *rule.Pass) {
	for s := range p.Servers() {
		if !s.IsStarted() {
			continue
		}
		if word, why, help := becomesNoServer(s); why != "" {
			f := rule.At(s)
			f.Span, f.Severity, f.Message, f.Help = word.Span, rule.Warning, wording.Say("%q starts no server: %s", s.Name, why), help
			p.Report(f)
		}
	}
}

// becomesNoServer returns the word that shows it, why a command line starts no server, "" if it
// may start one, and what to write.
func becomesNoServer(s *mcp.Server) (word identity.Word, why, help string) {
	l, runner := &s.Launch, s.Identity.Launcher
	if word, installer := installs(l); installer != "" {
		return word, wording.Say("%s %s %s a package, and then ends", installer, word.Text, installVerb(installer)), "write the command that runs the server"
	}
	if word, isGlob := globInZsh(l); isGlob {
		return word, "zsh reads the ? in the URL as a pattern of file names, and stops when no file matches", "write the URL in quotes"
	}
	if isSwapped(s) {
		return identity.Word{Text: s.Name, Span: s.NameSpan}, wording.Say("its name is a launcher, and its command, %s, is a package", l.Command.Text),
			wording.Say(`write "command": %q, and %s in its arguments`, s.Name, l.Command.Text)
	}
	if !fetchesPackages(runner) || len(l.Args) == 0 {
		return word, "", ""
	}
	if program, args := withoutCmd(l); len(args) > 0 && isRunOption(args[0].Text) && programName(program) == runner {
		return args[0], wording.Say("%s is an option of cmd, not of %s", args[0].Text, runner), wording.Say("remove %s", args[0].Text)
	}
	for _, word := range l.Args {
		if s.Identity.Kind == identity.Opaque && word.Span == s.Identity.Span && isEndpoint(word.Text) {
			return word, wording.Say("%s would install this URL as a package", runner), wording.Say("write the URL as %q instead of the command", urlWord(s))
		}
	}
	return word, "", ""
}

// isSwapped reports whether an entry has the name of a launcher, which fetches packages and is
// not a server, and a command that only a package of that name contains.
func isSwapped(s *mcp.Server) bool {
	switch s.Name {
	case "npx", "bunx", "uvx", "pipx", "pnpx":
		return s.Identity.Kind == identity.Exec && len(s.Launch.Args) == 0 && strings.Contains(s.Launch.Command.Text, "mcp") && !strings.ContainsAny(s.Launch.Command.Text, `/\ `)
	}
	return false
}

// globInZsh returns the line of a zsh in which an address outside of quotes has a question
// mark: unlike other shells it does not leave a pattern as it is that fits no file.
func globInZsh(l *identity.Launch) (line identity.Word, ok bool) {
	if programName(l.Command.Text) != "zsh" {
		return line, false
	}
	for i := 1; i < len(l.Args); i++ {
		if effect.IsLineFlag(l.Args[i-1].Text) && hasOpenMark(l.Args[i].Text) {
			return l.Args[i], true
		}
	}
	return line, false
}

// hasOpenMark reports whether a word of a line has a question mark after ://, and no quotes
// around it.
func hasOpenMark(line string) bool {
	quote, inAddress := byte(0), false
	for i := range len(line) {
		switch c := line[i]; {
		case c == '\\':
			return false // escapes are for a person to read
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == ' ':
			inAddress = false
		case strings.HasPrefix(line[i:], "://"):
			inAddress = true
		case c == '?' && inAddress:
			return true
		}
	}
	return false
}

// installs returns the word by which a launch installs something and the program that does, alone
// or after "cmd /c". The command after "&&" may be a server.
func installs(l *identity.Launch) (word identity.Word, installer string) {
	program, args := withoutCmd(l)
	name := programName(program)
	words := installWords(name)
	first := slices.IndexFunc(args, func(w identity.Word) bool { return !strings.HasPrefix(w.Text, "-") })
	if first < 0 || !slices.Contains(words, args[first].Text) || slices.ContainsFunc(args, mayGoOn) {
		return word, ""
	}
	return args[first], name
}

// mayGoOn reports whether a word may end a command, and another begin.
func mayGoOn(w identity.Word) bool { return strings.ContainsAny(w.Text, "&|;") }

// withoutCmd returns the program and the arguments of a launch, those of "cmd /c" if that starts
// them.
func withoutCmd(l *identity.Launch) (program string, args []identity.Word) {
	if programName(l.Command.Text) == "cmd" && len(l.Args) > 1 && isRunOption(l.Args[0].Text) {
		return l.Args[1].Text, l.Args[2:]
	}
	return l.Command.Text, l.Args
}

// isRunOption reports whether a word is the option of cmd that a command follows.
func isRunOption(word string) bool {
	return strings.EqualFold(word, "/c") || strings.EqualFold(word, "/k")
}

// programName is the bare name of a program.
func programName(program string) string {
	name := strings.ToLower(path.Base(strings.ReplaceAll(program, `\`, "/")))
	for _, ending := range []string{".exe", ".cmd", ".bat"} {
		name = strings.TrimSuffix(name, ending)
	}
	return name
}

// installWords are the sub-commands with which a program installs and ends.
func installWords(program string) []string {
	switch program {
	case "npm":
		return []string{"install", "i", "add", "ci"}
	case "pnpm", "bun":
		return []string{"install", "i", "add"}
	case "yarn":
		return []string{"install", "add"}
	case "pip", "pip3", "pipx", "brew", "cargo", "gem":
		return []string{"install"}
	case "docker", "podman":
		return []string{"pull"}
	case "git":
		return []string{"clone"}
	}
	return nil
}

func installVerb(program string) string {
	switch program {
	case "docker", "podman", "git":
		return "fetches"
	}
	return "installs"
}

// fetchesPackages reports whether a launcher starts packages that it fetches.
func fetchesPackages(launcher string) bool {
	switch launcher {
	case "npx", "bunx", "npm", "pnpm", "yarn", "bun", "uvx", "pipx":
		return true
	}
	return false
}

// isEndpoint reports whether a URL can only be a remote server's: packages also have URLs, but
// not with these words.
func isEndpoint(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return false
	}
	switch path.Base(u.Path) {
	case "mcp", "sse":
		return true
	}
	return strings.HasPrefix(u.Hostname(), "mcp") && path.Ext(u.Path) == ""
}

// urlWord is the member in which the client of a file reads an address.
func urlWord(s *mcp.Server) string {
	for _, c := range s.Document.Clients {
		if len(c.Fields.URL) > 0 {
			return c.Fields.URL[0].Name
		}
	}
	return "url"
}
