package checks

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/repair"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// insecureURL finds a connection to a server, or a download of a package, that goes over a
// network without encryption.
var insecureURL = &rule.Rule{
	ID:       "insecure-url",
	Title:    "plain http to another machine",
	Severity: rule.Warning,
	Fix:      rule.Unsafe,
	Reads:    reads.NotTestData,
	Run:      runInsecureURL,
}

func runInsecureURL(p *rule.Pass) {
	copies := &repair.Copies{Project: p.Project}
	for s := range p.Servers() {
		reportPlainServer(p, s, copies)
		reportPlainSource(p, s)
	}
}

// reportPlainServer reports the address of a server, direct or through a bridge. It cannot tell
// the host of an address with a variable.
func reportPlainServer(p *rule.Pass, s *mcp.Server, copies *repair.Copies) {
	if s.Identity.Kind != identity.URL {
		return
	}
	scheme, name, ok := repair.PlainAddress(s.Identity.Name)
	severity, where := repair.PlainRisk(name)
	if !ok || severity == rule.Off {
		return
	}
	f := rule.At(s)
	f.Severity, f.Span = severity, s.Identity.Span
	f.Message = wording.Say("%q connects to %s over plain %s, so anyone %s can read and change the traffic", s.Name, name, scheme, where)
	f.Help = wording.Say("use %ss", scheme)
	f.Fixes, f.NoFixReason = fixPlainServer(copies, s)
	for _, arg := range s.Launch.Args {
		if isPlainAllowed(s, arg) {
			f.Related = append(f.Related, rule.Related{File: f.File, Span: arg.Span, Message: s.Identity.Bridge.Name + " is allowed to use plain http here"})
		}
	}
	p.Report(f)
}

// reportPlainSource reports the registries and indexes that a launcher is given
// to download a package from: arguments before the package are the launcher's.
func reportPlainSource(p *rule.Pass, s *mcp.Server) {
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
		scheme, name, ok := repair.PlainAddress(strings.ToLower(address))
		severity, where := repair.PlainRisk(name)
		if !ok || severity == rule.Off {
			continue
		}
		f := rule.At(s)
		f.Severity, f.Span = severity, arg.Part(len(arg.Text)-len(address), len(arg.Text)).Span
		f.Message = wording.Say("%q is downloaded from %s over plain %s, so anyone %s can replace the code", s.Name, name, scheme, where)
		f.Help = wording.Say("use %ss", scheme)
		if f.NoFixReason = repair.KeptBecause(s); f.NoFixReason == "" {
			f.Fixes, f.NoFixReason = repair.FixPlainAddress(f.File, arg.Part(len(arg.Text)-len(address), len(arg.Text)))
		}
		p.Report(f)
	}
}

// isPlainAllowed reports whether an argument allows the bridge of a server to connect
// without encryption.
func isPlainAllowed(s *mcp.Server, arg identity.Word) bool {
	return s.Identity.Bridge != nil && arg.Text == "--allow-http"
}

// fixPlainServer changes the address to an encrypted one where a server is configured and in the
// copies that a generator made of it, or says why not. Then a bridge no longer needs a permission
// for plain HTTP.
func fixPlainServer(copies *repair.Copies, s *mcp.Server) (fixes []rule.Fix, noFixReason string) {
	if reason := repair.KeptBecause(s); reason != "" {
		return nil, reason
	}
	for _, same := range copies.WithCopies(s) {
		fix, reason := repair.FixPlainAddress(same.Document.File, addressOf(same))
		if same.Shared {
			reason = repair.KeptBecause(same)
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

// addressOf returns the address of a server as it is written, of its own or of its bridge.
func addressOf(s *mcp.Server) identity.Word {
	for _, arg := range s.Launch.Args {
		if arg.Span == s.Identity.Span {
			return arg
		}
	}
	return s.Launch.URL
}
