package identity

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// schemes are those that clients connect over.
var schemes = []string{"http", "https", "pipe", "unix", "ws", "wss"}

// url settles a remote endpoint.
func (r *resolver) url(w Word) outcome {
	text := strings.TrimSpace(w.Text)
	scheme, rest, ok := strings.Cut(text, "://")
	scheme = ascii.Lower(scheme)
	if !ok || !listed(schemes, scheme) {
		ref, isReference := secret.WholeReference(text) // ${{ secrets.URL }} has blanks, as placeholders do
		isExpression := isReference && ref.Syntax.Family() == secret.Expression
		if !isExpression && (secret.IsPlaceholder(text) || isPlaceholderName(text)) {
			return r.none(w)
		}
		return r.opaqueURL(w, text)
	}
	if scheme == "unix" || scheme == "pipe" { // Visual Studio Code: a socket or named pipe of this machine
		return r.settle(URL, text, w)
	}
	if hash := strings.IndexByte(rest, '#'); hash >= 0 && !secret.HasReference(rest[hash:]) {
		rest = rest[:hash]
	}
	authority, path := rest, ""
	if end := authorityEnd(rest); end >= 0 {
		authority, path = rest[:end], rest[end:]
	}
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		r.extra = append(r.extra, r.canonical(authority[:at+1])) // another user is another account
		authority = authority[at+1:]
	}
	if secret.HasReference(authority) || strings.ContainsAny(authority, "{}$ ") {
		if secret.IsPlaceholder(authority) {
			return r.none(w)
		}
		return r.opaqueURL(w, text)
	}
	path, query, _ := strings.Cut(path, "?")
	host, port := splitPort(lowerName(authority))
	if isPlaceholderHost(host) || isPlaceholderPort(port) || isPlaceholderURLPath(path) {
		return r.none(w)
	}
	if port == "80" && (scheme == "http" || scheme == "ws") || port == "443" && (scheme == "https" || scheme == "wss") {
		port = ""
	}
	path = strings.TrimSuffix(path, "/")
	path = r.canonical(path)
	if masked := maskPath(host, path); masked != path {
		r.extra = append(r.extra, path)
		path = masked
	}
	name := text
	if !isJoined(text, scheme, host, port, path) {
		name = joinURL(scheme, host, port, path)
	}
	r.id.Plain = scheme == "http"
	r.query(query)
	return r.settle(URL, name, w)
}

// authorityEnd returns where host and port end: at the first "/" or "?" that
// is not part of a reference.
func authorityEnd(rest string) int {
	for i := 0; i < len(rest); i++ {
		switch rest[i] {
		case '/', '?':
			return i
		case '$', '{':
			if ref, ok := secret.NextReference(rest[:min(len(rest), i+512)], i); ok && ref.Start == i {
				i = ref.End - 1
			}
		}
	}
	return -1
}

// joinURL puts a URL together.
func joinURL(scheme, host, port, path string) string {
	if port == "" {
		return scheme + "://" + host + path
	}
	return scheme + "://" + host + ":" + port + path
}

// isJoined reports whether text is what joinURL would return: most URLs are
// canonical as written.
func isJoined(text, scheme, host, port, path string) bool {
	rest, ok := strings.CutPrefix(text, scheme)
	if ok {
		rest, ok = strings.CutPrefix(rest, "://")
	}
	if ok {
		rest, ok = strings.CutPrefix(rest, host)
	}
	if ok && port != "" {
		if rest, ok = strings.CutPrefix(rest, ":"); ok {
			rest, ok = strings.CutPrefix(rest, port)
		}
	}
	return ok && rest == path
}

// splitPort splits host and port, and gives this machine one name.
func splitPort(authority string) (host, port string) {
	host = authority
	if colon := strings.LastIndexByte(authority, ':'); colon >= 0 && !strings.HasSuffix(authority, "]") {
		host, port = authority[:colon], authority[colon+1:]
	}
	host = strings.TrimSuffix(host, ".")
	if host == "127.0.0.1" || host == "[::1]" || host == "::1" {
		host = "localhost"
	}
	return host, port
}

// isPlaceholderPort reports whether a port is a word to fill in: "localhost:PORT".
func isPlaceholderPort(port string) bool {
	return port != "" && !ascii.All(port, ascii.IsDigit)
}

// isPlaceholderURLPath reports whether a path holds something to fill in.
func isPlaceholderURLPath(path string) bool {
	return hasAngles(path) || strings.Contains(path, "...") || hasYour(path)
}

// maskPath hides a credential in a path (Zapier, webhooks, token-shaped
// segments).
func maskPath(host, path string) string {
	if len(path) < 16 {
		return path
	}
	return strings.TrimPrefix(secret.Mask("https://"+host+path), "https://"+host)
}

// opaqueURL settles a URL whose host is unknown: a variable or template.
func (r *resolver) opaqueURL(w Word, text string) outcome {
	if isPlaceholderURLPath(text) {
		return r.none(w)
	}
	return r.opaque(w, strings.TrimSuffix(text, "/"))
}

// query makes every parameter a selector, sorted. A credential is masked there
// and kept among the arguments, so that two accounts stay two.
func (r *resolver) query(query string) {
	if query == "" {
		return
	}
	for _, part := range strings.Split(query, "&") {
		if part != "" {
			r.qualify(part)
		}
	}
	slices.Sort(r.id.Selector)
}

// qualify adds one "name=value" that tells servers on one URL apart.
func (r *resolver) qualify(part string) {
	name, value, _ := strings.Cut(part, "=")
	canonical := decodeQuery(r.canonical(part))
	if value != "" && (secret.IsSecretParameter(name) || secret.IsSecret(name, value)) {
		r.extra = append(r.extra, "?"+canonical)
		canonical = name + "=***"
	}
	r.id.Selector = append(r.id.Selector, canonical)
}

// decodeQuery decodes the percent-encoded bytes of a parameter that need no
// encoding ("%2C" is ","), so that both spellings meet.
func decodeQuery(part string) string {
	if !strings.Contains(part, "%") {
		return part
	}
	decoded, err := url.QueryUnescape(strings.ReplaceAll(part, "+", "%2B"))
	if err != nil || strings.ContainsAny(decoded, "&#%+ ") || strings.Count(decoded, "=") != strings.Count(part, "=") ||
		!ascii.All(decoded, func(c byte) bool { return c > ' ' && c < 0x7f }) {
		return part
	}
	return decoded
}

// TransportAtEnd determines from the end of an address, as it is written, how the server there
// speaks: "sse" or "http". It is sure if the path ends in /mcp or /sse, the names that the SDKs of
// the protocol use; for any other address streamable HTTP is only the most likely.
func TransportAtEnd(address string) (transport string, isSure bool) {
	if end := strings.IndexAny(address, "?#"); end >= 0 {
		address = address[:end]
	}
	switch path.Base(address) {
	case "sse":
		return "sse", true
	case "mcp":
		return "http", true
	}
	return "http", false
}
