package effect

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shell"
)

var (
	// quotedTexts are the texts in quotes of a program in any language, which include the lines
	// that it passes to a shell.
	quotedTexts = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|` + "`[^`]*`")
	// evaluators run a text as a program of their language. What is called exec of an object is a
	// search.
	evaluators = regexp.MustCompile(`(?:^|[^.\w])exec\s*\(|\bFunction\s*\(|\b(?:eval|execfile|instance_eval|loadstring|runInNewContext|runInThisContext)\b`)
	// decoders make plain text of base64.
	decoders = regexp.MustCompile(`\b(?:atob|b64decode|base64_decode|decode64|decode_base64)\b|['"]base64['"]`)
)

// maxQuotedTexts is more texts in quotes than any program in an entry has.
const maxQuotedTexts = 100

// DoesWithCode returns what the text of a program does with what it runs: "downloads", "decodes" or "".
func DoesWithCode(code string) string {
	switch {
	case downloadsInQuotes(code) != "":
		return "downloads"
	case !evaluators.MatchString(code):
		return ""
	case strings.Contains(code, "://"):
		return "downloads"
	case decoders.MatchString(code):
		return "decodes"
	}
	return ""
}

// DownloadsInArgument is downloadsInQuotes of an argument, which may be a line for a shell itself.
func DownloadsInArgument(text string) string {
	w := identity.Word{Text: text}
	if !Chains(w) {
		return ""
	}
	if _, ok := RunsDownload(shell.NewLine(shell.Posix, w).Tokens()); ok {
		return "downloads"
	}
	return downloadsInQuotes(text)
}

// downloadsInQuotes returns "downloads" for a text in which a shell runs what it downloads, else
// "".
func downloadsInQuotes(code string) string {
	for _, text := range quotedTexts.FindAllString(code, maxQuotedTexts) {
		if _, ok := RunsDownload(shell.NewLine(shell.Posix, identity.Word{Text: text[1 : len(text)-1]}).Tokens()); ok {
			return "downloads"
		}
	}
	return ""
}

// ProgramForPeer returns the argument by which a program for connections starts another one for its
// peer (ncat(1), socat(1)).
func ProgramForPeer(s *mcp.Server) (identity.Word, bool) {
	isStarting := func(identity.Word) bool { return false }
	switch identity.ProgramName(s.Identity.Name) {
	case "nc", "ncat", "netcat":
		isStarting = func(w identity.Word) bool {
			name, _, _ := strings.Cut(w.Text, "=")
			return slices.Contains([]string{"--exec", "--lua-exec", "--sh-exec", "-c", "-e"}, name)
		}
	case "socat":
		if slices.ContainsFunc(s.Launch.Args, isOfNetwork) {
			isStarting = func(w identity.Word) bool {
				kind, _, _ := strings.Cut(strings.ToUpper(w.Text), ":")
				return slices.Contains([]string{"EXEC", "SHELL", "SYSTEM"}, kind)
			}
		}
	}
	if i := slices.IndexFunc(s.Launch.Args, isStarting); i >= 0 {
		return s.Launch.Args[i], true
	}
	return identity.Word{}, false
}

// ShellForPeer returns the connection that bash opens itself and attaches to a shell (bash(1),
// "Redirection": /dev/tcp/host/port).
func ShellForPeer(lines []shell.Line) (identity.Word, bool) {
	for _, line := range lines {
		tokens := line.Tokens()
		isConnection := func(t shell.Token) bool {
			at := strings.TrimLeft(t.Text, "0123456789<>&")
			return strings.HasPrefix(at, "/dev/tcp/") || strings.HasPrefix(at, "/dev/udp/")
		}
		isShell := func(t shell.Token) bool { return t.Operator == "" && identity.Interprets(t.Text) }
		if i := slices.IndexFunc(tokens, isConnection); i >= 0 && slices.ContainsFunc(tokens, isShell) {
			return tokens[i].Word, true
		}
	}
	return identity.Word{}, false
}

// isOfNetwork reports whether an address of socat is one of the network.
func isOfNetwork(w identity.Word) bool {
	upper := strings.ToUpper(w.Text)
	kinds := []string{"OPENSSL", "SCTP", "SOCKS", "SSL", "TCP", "UDP"}
	return slices.ContainsFunc(kinds, func(kind string) bool { return strings.HasPrefix(upper, kind) })
}
