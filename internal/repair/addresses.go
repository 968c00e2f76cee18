package repair

import (
	"bytes"
	"net/netip"
	"strings"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/host"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// FixPlainAddress asks for encryption at the same address, or returns why not. A URL with a
// port would need another port, and IP addresses rarely have a certificate.
func FixPlainAddress(file *syntax.File, address identity.Word) (fixes []rule.Fix, noFixReason string) {
	scheme, rest, ok := strings.Cut(address.Text, "://")
	plain, name, known := PlainAddress(strings.ToLower(address.Text))
	if !ok || !known {
		return nil, ""
	}
	authority, _, _ := strings.Cut(strings.NewReplacer("?", "/", "#", "/").Replace(rest), "/")
	hasPort := strings.Contains(authority[strings.LastIndexByte(authority, '@')+1:], ":")
	_, err := netip.ParseAddr(name)
	at := address.Part(0, len(scheme)).Span
	switch {
	case err == nil:
		return nil, "few IP addresses have a certificate, so write a host name"
	case host.DistanceOf(name) == host.Private:
		return nil, "mcplumb cannot tell whether a host of your own network has a certificate"
	case hasPort:
		return nil, wording.Say("the URL names a port, and %ss uses another one", plain)
	case string(file.Bytes[at.Start:at.End]) != scheme:
		return nil, NotAsWritten(file, address.Span)
	}
	return []rule.Fix{{
		Title: wording.Say("use %ss instead of %s", plain, plain), Safety: rule.Unsafe,
		Edits: []edit.Change{edit.Rename(file, at, plain+"s")},
	}}, ""
}

// PlainAddress returns scheme and host's name of an address in lower case that is not
// encrypted.
func PlainAddress(address string) (scheme, name string, ok bool) {
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

// PlainRisk returns how much plain http to a host matters, and where one can listen.
// It is nothing (Off) where the way there is this machine, its containers or an
// encrypted private network.
func PlainRisk(name string) (severity rule.Severity, where string) {
	switch host.DistanceOf(name) {
	case host.Here, host.Near:
		return rule.Off, ""
	case host.Private:
		return rule.Note, "on its network"
	}
	return rule.Warning, "on the path"
}

// NotAsWritten says why a text cannot be found again in what is written of it.
func NotAsWritten(file *syntax.File, written syntax.Span) string {
	if bytes.ContainsAny(file.Bytes[written.Start:written.End], "\r\n") {
		return "the value has several lines"
	}
	return "the value contains escape sequences"
}
