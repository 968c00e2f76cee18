package checks

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/host"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// insecureURL finds a server that is reached, or a package that is fetched,
// without encryption over a network.
var insecureURL = &Check{
	ID:       "insecure-url",
	Title:    "plain http to a host that is not this machine",
	Severity: Warning,
	Reads:    notTestData,
	Run:      runInsecureURL,
}

func runInsecureURL(p *Pass) {
	for s := range p.Servers() {
		reportPlainServer(p, s)
		reportPlainSource(p, s)
	}
}

// reportPlainServer reports the address of a server, written natively or behind
// a bridge. Where the address holds a variable, nobody knows the host.
func reportPlainServer(p *Pass, s *mcp.Server) {
	if s.Identity.Kind != identity.URL {
		return
	}
	scheme, name, ok := plainAddress(s.Identity.Name)
	severity, where := plainRisk(name)
	if !ok || severity == Off {
		return
	}
	f := at(s)
	f.Severity, f.Span = severity, s.Identity.Span
	f.Message = say("%q talks to %s over plain %s: anyone %s can read and change what is sent, so use %ss",
		s.Name, name, scheme, where, scheme)
	for _, arg := range s.Launch.Args {
		if s.Identity.Bridge != nil && arg.Text == "--allow-http" {
			f.Related = append(f.Related, Related{File: f.File, Span: arg.Span, Message: s.Identity.Bridge.Name + " is allowed to use it here"})
		}
	}
	p.Report(f)
}

// reportPlainSource reports the registries and indexes that a launcher is told
// to fetch a package from: what stands before the package is the launcher's.
func reportPlainSource(p *Pass, s *mcp.Server) {
	if !s.Identity.IsPackage() || s.Identity.Kind == identity.OCI {
		return
	}
	for _, arg := range s.Launch.Args {
		if arg.Span.Start >= s.Identity.Span.Start {
			return
		}
		address := arg.Text
		if option, value, joined := strings.Cut(address, "="); joined && strings.HasPrefix(option, "-") {
			address = value
		}
		scheme, name, ok := plainAddress(strings.ToLower(address))
		severity, where := plainRisk(name)
		if !ok || severity == Off {
			continue
		}
		f := at(s)
		f.Severity, f.Span = severity, arg.Part(len(arg.Text)-len(address), len(arg.Text)).Span
		f.Message = say("%q is fetched from %s over plain %s: anyone %s can put other code in its place, so use %ss",
			s.Name, name, scheme, where, scheme)
		p.Report(f)
	}
}

// plainAddress returns scheme and host's name of an address in lower case that is not
// encrypted.
func plainAddress(address string) (scheme, name string, ok bool) {
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok || scheme != "http" && scheme != "ws" {
		return "", "", false
	}
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		rest = rest[:end]
	}
	rest = rest[strings.LastIndexByte(rest, '@')+1:]
	if strings.HasPrefix(rest, "[") {
		name, _, _ = strings.Cut(rest[1:], "]")
	} else {
		name, _, _ = strings.Cut(rest, ":")
	}
	return scheme, strings.TrimSuffix(name, "."), name != "" && !strings.ContainsAny(name, "${}<>%")
}

// plainRisk says how much plain http to a host matters, and who could listen.
// It is nothing (Off) where the way there is this machine, its containers or an
// encrypted private network.
func plainRisk(name string) (severity Severity, where string) {
	switch host.DistanceOf(name) {
	case host.Here, host.Near:
		return Off, ""
	case host.Private:
		return Note, "on that network"
	}
	return Warning, "in between"
}
