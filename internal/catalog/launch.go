package catalog

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/credential"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// setLaunch sets how a server is started or reached, as one of its entries has it. It says
// in a clause why that cannot be shown.
func (s *Server) setLaunch(of *mcp.Server) (why string) {
	l := &of.Launch
	s.Environment = compare.VariablesOf(of)
	if of.Identity.Kind == identity.URL {
		s.Type, s.Address, s.Transport = HTTP, compare.AddressOf(of), of.Identity.Transport
		s.Headers = headerNames(of)
		if strings.Contains(of.Identity.Name+strings.Join(of.Identity.Selector, " "), "***") || !secret.MayCopy("", s.Address) || strings.Contains(s.Address, "@") {
			return "its address contains a credential"
		}
		return ""
	}
	s.Type, s.Command = Stdio, l.Command.Text
	if s.Command == "" {
		return "no command says how it is started"
	}
	s.setArgs(of)
	return ""
}

// setArgs sets the arguments, with the package at the version that is locked.
func (s *Server) setArgs(of *mcp.Server) {
	at := slices.IndexFunc(of.Launch.Args, func(w identity.Word) bool { return w.Span == of.Identity.Span })
	isPinned := false
	for i, word := range of.Launch.Args {
		text := word.Text
		if i == at && of.Identity.Version.Kind != identity.Exact {
			text, isPinned = s.pinned(of, text)
		}
		s.Args = append(s.Args, text)
	}
	s.Holds, s.IsRelative = holdingOf(of, isPinned), isRelative(of)
	if at >= 0 {
		s.Own = s.Args[at+1:]
	}
	before := at
	if at > 0 && saysPackage(s.Args[at-1]) {
		before = at - 1
		// The word behind the package is its program: that of its own name, or another one.
		isOther := len(s.Own) == 0 || s.Own[0][:min(1, len(s.Own[0]))] == "-" || len(of.Identity.Selector) > 0 && of.Identity.Selector[0] == s.Own[0]
		s.IsPartlySaid = isOther
		s.Own = s.Own[min(1, len(s.Own)):]
	}
	s.IsPartlySaid = s.IsPartlySaid || at < 0 || slices.ContainsFunc(s.Own, secret.HasReference) || hasMore(of) && !s.setRuntime(of, before)
}

// hasMore reports whether more decides how a package runs than itself, its version, its own
// arguments and the variables of the entry: options of the launcher, another registry, what
// is loaded with it, a directory.
func hasMore(of *mcp.Server) bool {
	e := of.Resolved()
	parts := e.Parts()
	return e.NamesSource || len(e.Fetched)+len(e.Addresses)+len(parts.Options)+len(e.Code()) > 0 ||
		len(e.Config().Args) > len(e.ConfigWords()) || len(parts.Env) > len(of.Launch.Env) || e.Dir() != ""
}

// pinned returns the word that names a package with the locked version, or as it is where
// that cannot be written, which ok reports.
func (s *Server) pinned(of *mcp.Server, word string) (spec string, ok bool) {
	id := &of.Identity
	version := s.Version
	if id.Kind == identity.OCI {
		version = strings.Replace(s.Locked, "-", ":", 1)
	}
	pkg := identity.Fetched{Kind: id.Kind, Name: id.Name, Span: id.Span, Version: id.Version, Launcher: id.Launcher}
	if spec, ok := checks.Pinned(of, pkg, version); ok && version != "" {
		return spec, true
	}
	return word, false
}

// headerNames returns the headers that are sent, by the client or by a bridge.
func headerNames(of *mcp.Server) []string {
	names := compare.NamesIn(of.Launch.Headers)
	if of.Identity.Bridge != nil {
		for _, header := range of.Resolved().Config().Headers {
			names = append(names, header.Name)
		}
	}
	return unique(names)
}

// hasCredential reports whether the command line or the address of an entry contains a
// credential or something as private, or whether check finds one there.
func hasCredential(of *mcp.Server, found credential.Places) bool {
	l := &of.Launch
	return !credential.MayPublish(of) || slices.ContainsFunc(append([]identity.Word{l.Command, l.URL}, l.Args...), func(w identity.Word) bool {
		return found.In(of.Document.File, w.Span)
	})
}
