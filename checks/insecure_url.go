package checks

import (
	"net/netip"
	"strings"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/host"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// insecureURL finds a server that is reached, or a package that is fetched,
// without encryption over a network.
var insecureURL = &Rule{
	ID:       "insecure-url",
	Title:    "plain http to a host that is not this machine",
	Severity: Warning,
	Fix:      Unsafe,
	Reads:    notTestData,
	Run:      runInsecureURL,
}

func runInsecureURL(p *Pass) {
	copies := &copies{project: p.Project}
	for s := range p.Servers() {
		reportPlainServer(p, s, copies)
		reportPlainSource(p, s)
	}
}

// reportPlainServer reports the address of a server, written natively or behind
// a bridge. Where the address holds a variable, nobody knows the host.
func reportPlainServer(p *Pass, s *mcp.Server, copies *copies) {
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
	f.Fixes, f.NoFixReason = fixPlainServer(copies, s)
	for _, arg := range s.Launch.Args {
		if isPlainAllowed(s, arg) {
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
		if f.NoFixReason = keptBecause(s); f.NoFixReason == "" {
			f.Fixes, f.NoFixReason = fixPlainAddress(f.File, arg.Part(len(arg.Text)-len(address), len(arg.Text)))
		}
		p.Report(f)
	}
}

// isPlainAllowed reports whether an argument allows the bridge of a server to go
// without encryption.
func isPlainAllowed(s *mcp.Server, arg identity.Word) bool {
	return s.Identity.Bridge != nil && arg.Text == "--allow-http"
}

// fixPlainServer asks for encryption where a server is configured and in the copies
// that a generator made of it, or says why not. A bridge needs no permission to go
// without it then.
func fixPlainServer(copies *copies, s *mcp.Server) (fixes []Fix, unmended string) {
	if reason := keptBecause(s); reason != "" {
		return nil, reason
	}
	for _, same := range copies.with(s) {
		fix, reason := fixPlainAddress(same.Document.File, addressOf(same))
		if same.Shared {
			reason = keptBecause(same)
		}
		if reason != "" {
			return nil, reason
		}
		for _, arg := range same.Launch.Args {
			if isPlainAllowed(same, arg) {
				fix[0].Edits = append(fix[0].Edits, edit.Remove(same.Document.File, arg.Span))
			}
		}
		if fixes == nil {
			fixes = fix
		} else {
			fixes[0].Edits = append(fixes[0].Edits, fix[0].Edits...)
		}
	}
	return fixes, ""
}

// addressOf returns the address of a server as it is written, natively or behind a
// bridge.
func addressOf(s *mcp.Server) identity.Word {
	for _, arg := range s.Launch.Args {
		if arg.Span == s.Identity.Span {
			return arg
		}
	}
	return s.Launch.URL
}

// fixPlainAddress asks for encryption at the same address, or says why not. Where a port
// is named, another one would have to be, and hardly any address that is a number has a
// certificate.
func fixPlainAddress(file *syntax.File, address identity.Word) (fixes []Fix, unmended string) {
	scheme, rest, ok := strings.Cut(address.Text, "://")
	plain, name, known := plainAddress(strings.ToLower(address.Text))
	if !ok || !known {
		return nil, ""
	}
	authority, _, _ := strings.Cut(strings.NewReplacer("?", "/", "#", "/").Replace(rest), "/")
	hasPort := strings.Contains(authority[strings.LastIndexByte(authority, '@')+1:], ":")
	_, err := netip.ParseAddr(name)
	at := address.Part(0, len(scheme)).Span
	switch {
	case err == nil:
		return nil, "hardly any address that is a number has a certificate, so write a name"
	case host.DistanceOf(name) == host.Private:
		return nil, "whether a host of your own network has a certificate is not known here"
	case hasPort:
		return nil, say("the port is named, and a host has %ss at another one", plain)
	case string(file.Bytes[at.Start:at.End]) != scheme:
		return nil, notAsWritten(file, address.Span)
	}
	return []Fix{{
		Title: say("use %ss", plain), Safety: Unsafe,
		Edits: []edit.Change{edit.Rename(file, at, plain+"s")},
	}}, ""
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
