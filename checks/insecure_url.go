package checks

import (
	"fmt"
	"net/netip"
	"strings"

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
	scheme, host, ok := plainAddress(s.Identity.Name)
	severity, where := plainRisk(host)
	if !ok || severity == Off {
		return
	}
	f := at(s)
	f.Severity, f.Span = severity, s.Identity.Span
	f.Message = fmt.Sprintf("%q talks to %s over plain %s: anyone on %s can read and change what is sent, use %ss",
		s.Name, host, scheme, where, scheme)
	for _, arg := range s.Launch.Args {
		if s.Identity.Bridge != nil && arg.Text == "--allow-http" {
			f.Related = append(f.Related, Related{File: f.File, Span: arg.Span, Message: s.Identity.Bridge.Name + " is told to allow it here"})
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
		scheme, host, ok := plainAddress(strings.ToLower(address))
		severity, where := plainRisk(host)
		if !ok || severity == Off {
			continue
		}
		f := at(s)
		f.Severity, f.Span = severity, arg.Part(len(arg.Text)-len(address), len(arg.Text)).Span
		f.Message = fmt.Sprintf("%q is fetched from %s over plain %s: anyone on %s can put other code in its place, use %ss",
			s.Name, host, scheme, where, scheme)
		p.Report(f)
	}
}

// plainAddress returns scheme and host of an address in lower case that is not
// encrypted.
func plainAddress(address string) (scheme, host string, ok bool) {
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok || scheme != "http" && scheme != "ws" {
		return "", "", false
	}
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		rest = rest[:end]
	}
	rest = rest[strings.LastIndexByte(rest, '@')+1:]
	if strings.HasPrefix(rest, "[") {
		host, _, _ = strings.Cut(rest[1:], "]")
	} else {
		host, _, _ = strings.Cut(rest, ":")
	}
	return scheme, strings.TrimSuffix(host, "."), host != "" && !strings.ContainsAny(host, "${}<>%")
}

// plainRisk says how much plain http to a host matters, and who could listen.
// It is nothing (Off) where the way there is this machine, its containers or an
// encrypted private network.
func plainRisk(host string) (severity Severity, where string) {
	const private, public = "that network", "the way"
	address, err := netip.ParseAddr(host)
	switch {
	case err != nil && isNearName(host), err == nil && isNearAddress(address.Unmap()):
		return Off, ""
	case err != nil && isPrivateName(host), err == nil && (address.IsPrivate() || address.IsLinkLocalUnicast()):
		return Note, private
	}
	return Warning, public
}

// isNearAddress reports whether an address is of this machine, of the gateway
// of its containers (172.17.0.1), or of a mesh that encrypts (100.64.0.0/10,
// Tailscale).
func isNearAddress(a netip.Addr) bool {
	return a.IsLoopback() || a.IsUnspecified() || a == netip.AddrFrom4([4]byte{172, 17, 0, 1}) ||
		netip.PrefixFrom(netip.AddrFrom4([4]byte{100, 64}), 10).Contains(a)
}

// isNearName reports whether a name is of this machine or of containers beside
// it. A name without a dot is a service of a container network; the public
// names among these resolve to 127.0.0.1.
func isNearName(host string) bool {
	return !strings.Contains(host, ".") || hasDomain(host, "localhost", "test", "docker.internal", "containers.internal", "orb.local",
		"svc", "svc.cluster.local", "lvh.me", "localtest.me", "ddev.site", "lndo.site", "ts.net")
}

// isPrivateName reports whether a name is of a local network.
func isPrivateName(host string) bool {
	return hasDomain(host, "local", "localdomain", "lan", "home", "home.arpa", "internal", "intranet", "corp", "private")
}

// hasDomain reports whether a host is in one of the domains.
func hasDomain(host string, domains ...string) bool {
	for _, domain := range domains {
		if rest, ok := strings.CutSuffix(host, domain); ok && (rest == "" || strings.HasSuffix(rest, ".")) {
			return true
		}
	}
	return false
}
