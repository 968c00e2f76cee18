package identity

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// templateNames are names that templates use for a package.
var templateNames = []string{
	"@org/package", "@org/package-name", "@scope/package", "@scope/package-name", "package-name",
}

// isPlaceholderName reports whether a package, image, program or container
// name is one that a person has to fill in: "<your-mcp-server>", "your-package",
// "YOUR_SERVER", "path/to/server".
func isPlaceholderName(name string) bool {
	if name == "" || strings.Contains(name, "...") || strings.Contains(name, "…") || listed(templateNames, name) {
		return true
	}
	return IsPlaceholderPath(name) || secret.HasBlank(name)
}

// hasAngles reports whether text holds "<something>"; "<2" is a version range.
func hasAngles(text string) bool {
	open := strings.IndexByte(text, '<')
	return open >= 0 && open+2 < len(text) && text[open+1] != '=' && !ascii.IsDigit(text[open+1]) && strings.IndexByte(text[open:], '>') > 1
}

// hasYour reports whether a segment of name begins with "your", or a word of it
// is "YOUR": "your-org/server", "@your-scope/pkg", "server-YOUR_NAME"; not
// "know-your-customer".
func hasYour(name string) bool {
	for from := 0; ; {
		at := ascii.IndexFold(name[from:], "your")
		if at < 0 {
			return false
		}
		start, end := from+at, from+at+4
		from = end
		if end == len(name) || strings.IndexByte("-_ ", name[end]) < 0 {
			continue
		}
		if start == 0 || strings.IndexByte("/\\@:.= ", name[start-1]) >= 0 || name[start:end] == "YOUR" && !ascii.IsAlphanumeric(name[start-1]) {
			return true
		}
	}
}

// IsPlaceholderPath reports whether a path is one that a person has to fill
// in: "/path/to/server.js", "/absolute/path/server.py", "<path>/x".
func IsPlaceholderPath(p string) bool {
	return saysPath(p) || hasAngles(p) || strings.Contains(p, "...") || hasYour(p)
}

// saysPath reports whether a path contains "path/to", "absolute/path" or "full/path". It examines
// only the separators, because it runs for every path and package.
func saysPath(p string) bool {
	for i := 1; i < len(p); i++ {
		if p[i] != '/' && p[i] != '\\' {
			continue
		}
		before, after := p[:i], p[i+1:]
		switch {
		case endsFold(before, "path") && ascii.HasPrefixFold(after, "to"):
			return true
		case p[i] == '/' && ascii.HasPrefixFold(after, "path") && (endsFold(before, "absolute") || endsFold(before, "full")):
			return true
		}
	}
	return false
}

// endsFold reports whether text ends in a word, which is in small letters, without
// regard to case.
func endsFold(text, word string) bool {
	return len(text) >= len(word) && ascii.EqualFold(text[len(text)-len(word):], word)
}

// isPlaceholderHost reports whether a host name is an example that a person must replace (RFC 2606
// reserves the example domains).
func isPlaceholderHost(host string) bool {
	if host == "" || strings.Contains(host, "<") || hasYour(host) || isYourHost(host) || strings.HasSuffix(host, "...") {
		return true
	}
	for _, d := range [...]string{"example.com", "example.org", "example.net"} {
		if host == d || strings.HasSuffix(host, d) && host[len(host)-len(d)-1] == '.' {
			return true
		}
	}
	return strings.HasSuffix(host, ".example") || host == "example" || host == "yourdomain" || host == "host"
}

// yourThings are what a person has that a host is named after.
var yourThings = []string{
	"account", "api", "app", "cluster", "company", "domain", "host", "instance", "name", "org", "project", "server", "site",
	"subdomain", "tenant", "url", "workspace",
}

// isYourHost reports whether a host begins with "your" and what a person has:
// "yourdomain.com", "yourserver:8080".
func isYourHost(host string) bool {
	rest, ok := strings.CutPrefix(host, "your")
	rest, _, _ = strings.Cut(rest, ".")
	return ok && listed(yourThings, rest)
}
