package catalog

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// setLaunch sets how a server is started or reached, as one of its entries has it. It says
// in a clause why that cannot be shown.
func (s *Server) setLaunch(of *mcp.Server) (why string) {
	l := &of.Launch
	s.Environment = variableNames(l)
	if of.Identity.Kind == identity.URL {
		s.Type, s.Address, s.Transport = HTTP, addressOf(of), of.Identity.Transport
		s.Headers = namesOf(l.Headers)
		if strings.Contains(of.Identity.Name+strings.Join(of.Identity.Selector, " "), "***") || isSecret("", s.Address) || strings.Contains(s.Address, "@") {
			return "there is a credential in its address"
		}
		return ""
	}
	s.Type, s.Command = Stdio, l.Command.Text
	if s.Command == "" {
		return "no command says how it is started"
	}
	previous := ""
	for _, word := range l.Args {
		if isSecret(previous, word.Text) {
			return "there is a credential in its arguments"
		}
		previous = word.Text
	}
	s.setArgs(of)
	return ""
}

// setArgs sets the arguments, with the package at the version that is locked.
func (s *Server) setArgs(of *mcp.Server) {
	at := slices.IndexFunc(of.Launch.Args, func(w identity.Word) bool { return w.Span == of.Identity.Span })
	for i, word := range of.Launch.Args {
		text := word.Text
		if i == at && of.Identity.Version.Kind != identity.Exact {
			text = s.pinned(of, text)
		}
		s.Args = append(s.Args, text)
	}
	if at >= 0 {
		s.Own = s.Args[at+1:]
	}
}

// pinned returns the word that names a package with the locked version, or as it is where
// that cannot be written.
func (s *Server) pinned(of *mcp.Server, word string) string {
	id := &of.Identity
	version := s.Version
	if id.Kind == identity.OCI {
		version = strings.Replace(s.Locked, "-", ":", 1)
	}
	pkg := identity.Fetched{Kind: id.Kind, Name: id.Name, Span: id.Span, Version: id.Version, Launcher: id.Launcher}
	if spec, ok := checks.Pinned(of, pkg, version); ok && version != "" {
		return spec
	}
	return word
}

// addressOf returns the address of a server as it is written.
func addressOf(of *mcp.Server) string {
	words := append([]identity.Word{of.Launch.URL}, of.Launch.Args...)
	for _, word := range words {
		if word.Text != "" && word.Span == of.Identity.Span {
			return strings.TrimSpace(word.Text)
		}
	}
	return strings.TrimSuffix(of.Identity.Name+"?"+strings.Join(of.Identity.Selector, "&"), "?")
}

// variableNames returns the variables that somebody has to set for a server: those that it
// gets, and those of the environment that its address and headers name.
func variableNames(l *identity.Launch) []string {
	names := namesOf(l.Env)
	for _, word := range l.PassEnv {
		names = append(names, word.Text)
	}
	texts := []string{l.URL.Text}
	for _, header := range l.Headers {
		texts = append(texts, header.Value.Text)
	}
	for _, text := range texts {
		names = append(names, referredIn(text)...)
	}
	return unique(names)
}

// referredIn returns the variables of the environment that a text names.
func referredIn(text string) (names []string) {
	for from := 0; ; {
		ref, found := secret.NextReference(text, from)
		if !found {
			return names
		}
		if ref.Syntax.IsOfEnvironment() || ref.Syntax.Family() == secret.Expression {
			names = append(names, ref.Name)
		}
		from = ref.End
	}
}

func namesOf(pairs []identity.Pair) []string {
	var names []string
	for _, pair := range pairs {
		names = append(names, pair.Name.Text)
	}
	return unique(names)
}

// isSecret reports whether a word is a credential or has one in it; before is the word
// before it, which may be the option that it is the value of.
func isSecret(before, word string) bool {
	name, value, isPair := strings.Cut(word, "=")
	if !isPair {
		name, value = before, word
	}
	name = strings.TrimLeft(cmp.Or(name, "value"), "-")
	return secret.Mask(word) != word || secret.IsSecret(name, value)
}
