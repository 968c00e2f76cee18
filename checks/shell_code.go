package checks

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// reportCode reports a server whose program is text in the entry that downloads or hides what it
// runs, or that connects a program to a peer.
func reportCode(p *rule.Pass, s *mcp.Server) bool {
	if len(s.Launch.Args) == 0 || s.Launch.IsRemote() || s.Identity.Kind != identity.Opaque && s.Identity.Kind != identity.Exec {
		return false
	}
	f := rule.At(s)
	parts := s.Resolved().Parts()
	texts, does := parts.Code, doesWithCode
	if s.Identity.Kind == identity.Exec { // of awk and the like any argument may be a program
		texts, does = s.Launch.Args, downloadsInArgument
	}
	i := slices.IndexFunc(texts, func(w identity.Word) bool { return does(w.Text) != "" })
	peer, isShell := programForPeer(s)
	if !isShell {
		peer, isShell = shellForPeer(parts.Lines)
	}
	switch {
	case len(parts.Encoded) > 0:
		f.Span = parts.Encoded[0].Span
		f.Message = wording.Say("%q runs code that is written in base64, which hides what it runs", s.Name)
		f.Help = "write the command in plain text"
	case isShell:
		f.Span = peer.Span
		f.Message = wording.Say("%q hands a program of this machine to anyone at the other end of a connection", s.Name)
		f.Help = "remove the entry"
	case i >= 0:
		f.Span = texts[i].Span
		f.Message = wording.Say("%q %s code in its text and runs it at every start, %s", s.Name, does(texts[i].Text), effectOf(does(texts[i].Text)))
		f.Help = "install a fixed version, or commit the script in plain text"
	default:
		return false
	}
	p.Report(f)
	return true
}

var (
	// quotedTexts are the texts in quotes of a program in any language: what it hands to a shell is
	// among them.
	quotedTexts = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|` + "`[^`]*`")
	// evaluators run a text as a program of their language. What is called exec of an object is a
	// search.
	evaluators = regexp.MustCompile(`(?:^|[^.\w])exec\s*\(|\bFunction\s*\(|\b(?:eval|execfile|instance_eval|loadstring|runInNewContext|runInThisContext)\b`)
	// decoders make plain text of base64.
	decoders = regexp.MustCompile(`\b(?:atob|b64decode|base64_decode|decode64|decode_base64)\b|['"]base64['"]`)
)

// maxQuotedTexts is more texts in quotes than any program in an entry has.
const maxQuotedTexts = 100

// effectOf says why it matters that code is downloaded or decoded.
func effectOf(does string) string {
	if does == "decodes" {
		return "which hides what it runs"
	}
	return "so what runs can change at any time"
}

// doesWithCode returns what the text of a program does with what it runs: "downloads", "decodes" or "".
func doesWithCode(code string) string {
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

// downloadsInArgument is downloadsInQuotes of an argument, which may be a line for a shell itself.
func downloadsInArgument(text string) string {
	w := identity.Word{Text: text}
	if !chains(w) {
		return ""
	}
	if _, ok := runsDownload(identity.ShellLine(w).Tokens()); ok {
		return "downloads"
	}
	return downloadsInQuotes(text)
}

// downloadsInQuotes returns "downloads" for a text in which a shell runs what it downloads, else
// "".
func downloadsInQuotes(code string) string {
	for _, text := range quotedTexts.FindAllString(code, maxQuotedTexts) {
		if _, ok := runsDownload(identity.ShellLine(identity.Word{Text: text[1 : len(text)-1]}).Tokens()); ok {
			return "downloads"
		}
	}
	return ""
}

// programForPeer returns the argument by which a program for connections starts another one for its
// peer (ncat(1), socat(1)).
func programForPeer(s *mcp.Server) (identity.Word, bool) {
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

// shellForPeer returns the connection that bash opens by itself and hands to a shell
// (bash(1), "Redirection": /dev/tcp/host/port).
func shellForPeer(lines []identity.Line) (identity.Word, bool) {
	for _, line := range lines {
		tokens := line.Tokens()
		isConnection := func(t identity.Token) bool {
			at := strings.TrimLeft(t.Text, "0123456789<>&")
			return strings.HasPrefix(at, "/dev/tcp/") || strings.HasPrefix(at, "/dev/udp/")
		}
		isShell := func(t identity.Token) bool { return t.Operator == "" && identity.Interprets(t.Text) }
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
