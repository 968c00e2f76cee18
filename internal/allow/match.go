package allow

import (
	"net/url"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// match says how far an entry of a list holds for a server.
type match uint8

const (
	no    match = iota
	maybe       // it depends on the value of a variable
	yes
)

// matches holds an entry against a server. A name holds for every server, a command for one
// that is started and an address for one that is reached.
func (r *Rule) matches(s *Server, c Client) match {
	switch {
	case r.kind == byName:
		return sure(r.text == s.Name)
	case r.kind != s.kind():
		return no
	case r.kind == byURL:
		return matchURL(r.text, s, c)
	}
	return matchCommand(r.words, s, c)
}

func sure(is bool) match {
	if is {
		return yes
	}
	return no
}

// matchCommand compares commands word by word. It is not known here with what variables are
// filled in before.
func matchCommand(rule []string, s *Server, c Client) match {
	if len(rule) != len(s.Command) {
		return no
	}
	best := yes
	for i, word := range rule {
		if word == s.Command[i] {
			continue
		}
		if !mayBeEqual(word, s.Command[i], s.varies(c)) {
			return no
		}
		best = maybe
	}
	return best
}

// mayBeEqual reports whether two texts may be equal once their variables are filled in.
func mayBeEqual(a, b string, varies func(secret.Ref) bool) bool {
	startA, endA, variesA := fixed(a, varies)
	startB, endB, variesB := fixed(b, varies)
	if !variesA && !variesB {
		return a == b
	}
	starts := strings.HasPrefix(startA, startB) || strings.HasPrefix(startB, startA)
	return starts && (strings.HasSuffix(endA, endB) || strings.HasSuffix(endB, endA))
}

// fixed returns what a text begins and ends with for all values of its variables, and whether
// it has any.
func fixed(text string, varies func(secret.Ref) bool) (start, end string, isOpen bool) {
	ref, found := variable(text, 0, varies)
	if !found {
		return text, text, false
	}
	start = text[:ref.Start]
	for found {
		end = text[ref.End:]
		ref, found = variable(text, ref.End, varies)
	}
	return start, end, true
}

// variable returns the first variable behind an offset that varies.
func variable(text string, from int, varies func(secret.Ref) bool) (secret.Ref, bool) {
	for {
		ref, found := secret.NextReference(text, from)
		if !found || varies(ref) {
			return ref, found
		}
		from = ref.End
	}
}

// filling replaces the value of a variable in a path.
const filling = "\x00"

// matchURL holds a pattern against the address of a server.
func matchURL(pattern string, s *Server, c Client) match {
	if pattern == s.URL {
		return yes
	}
	p, varies := parse(pattern), s.varies(c)
	_, _, isOpen := fixed(pattern, varies)
	start, _, isVarying := fixed(s.URL, varies)
	if !isVarying && !isOpen {
		return p.matches(parse(s.URL), c)
	}
	// Behind the host a value can be anything that a wildcard takes.
	if !isOpen && parse(start).hasPath && p.matches(parse(filled(s.URL, varies)), c) == yes {
		return yes
	}
	from, _, _ := fixed(pattern, varies)
	from, _, _ = strings.Cut(from, "*")
	from, start = ascii.Lower(from), ascii.Lower(start)
	return min(sure(strings.HasPrefix(from, start) || strings.HasPrefix(start, from)), maybe)
}

// filled returns a text with some text instead of its variables.
func filled(text string, varies func(secret.Ref) bool) string {
	var b strings.Builder
	last := 0
	for ref, found := variable(text, 0, varies); found; ref, found = variable(text, ref.End, varies) {
		b.WriteString(text[last:ref.Start] + filling)
		last = ref.End
	}
	return b.String() + text[last:]
}

// address is an address or a pattern of some, in its parts and in one spelling.
type address struct {
	// text is all of it. What has no scheme has no other parts.
	text               string
	scheme, host, port string
	// path is the part after the host, with the query. hasPath reports that it exists.
	path    string
	hasPath bool
}

// parse takes an address apart. GitHub documents what becomes of it: scheme and host in
// small letters, the host in ASCII and without a dot at its end, neither default port nor
// fragment. Claude Code documents the letters and the dot; what else its parser of addresses
// does is the same.
func parse(text string) address {
	text, _, _ = strings.Cut(text, "#")
	scheme, rest, found := strings.Cut(text, "://")
	if !found {
		return address{text: text}
	}
	a := address{text: text, scheme: ascii.Lower(scheme)}
	authority := rest
	if i := strings.IndexAny(rest, `/?\`); i >= 0 {
		authority, a.path, a.hasPath = rest[:i], rest[i:], true
	}
	authority = authority[strings.LastIndexByte(authority, '@')+1:]
	a.host = authority
	isPort := func(c byte) bool { return ascii.IsDigit(c) || c == '*' }
	if i := strings.LastIndexByte(authority, ':'); i > strings.LastIndexByte(authority, ']') && ascii.All(authority[i+1:], isPort) {
		a.host, a.port = authority[:i], authority[i+1:]
	}
	if decoded, err := url.PathUnescape(a.host); err == nil {
		a.host = decoded
	}
	a.host = inASCII(strings.TrimSuffix(strings.ToLower(a.host), "."))
	if a.port == defaultPort(a.scheme) {
		a.port = ""
	}
	return a
}

func defaultPort(scheme string) string {
	switch scheme {
	case "http", "ws":
		return "80"
	case "https", "wss":
		return "443"
	}
	return ""
}

// matches holds a pattern against an address, part by part: no wildcard reaches from the host
// into the path. Without a path a pattern of Claude Code takes every one, and one of Copilot
// none.
func (p address) matches(a address, c Client) match {
	switch {
	case p.text == "*":
		return yes
	case p.scheme == "":
		return min(sure(isLike(p.text, a.text)), maybe) // that is not documented
	}
	if !isLike(p.scheme, a.scheme) || !isLike(p.host, a.host) || !isLike(p.port, a.port) {
		return no
	}
	if !p.hasPath && c == ClaudeCode {
		return yes
	}
	if !isLike(rooted(p.path), rooted(a.path)) {
		return no
	}
	if strings.Contains(p.path, "*") && isWinding(a.path) {
		return maybe
	}
	return yes
}

// rooted returns a path as a request has it.
func rooted(path string) string {
	if path == "" || path[0] != '/' {
		return "/" + strings.TrimPrefix(path, `\`)
	}
	return path
}

// isWinding reports whether a path leads upwards: a client that resolves it before comparing
// sees another path.
func isWinding(path string) bool {
	path, _, _ = strings.Cut(path, "?")
	path = strings.ReplaceAll(strings.ReplaceAll(ascii.Lower(path), "%2e", "."), `\`, "/")
	return strings.Contains(path+"/", "/../")
}

// isLike reports whether a text is like a pattern, in which each * matches any text. It reads
// the text once, so that no pattern costs more than the length of both.
func isLike(pattern, text string) bool {
	first, rest, found := strings.Cut(pattern, "*")
	if !found {
		return pattern == text
	}
	text, starts := strings.CutPrefix(text, first)
	if !starts {
		return false
	}
	for {
		part, more, found := strings.Cut(rest, "*")
		if !found {
			return strings.HasSuffix(text, part)
		}
		i := strings.Index(text, part)
		if i < 0 {
			return false
		}
		text, rest = text[i+len(part):], more
	}
}
