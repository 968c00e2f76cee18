package fixpr

import (
	"net/url"
	"strings"
)

// repositoryIn returns owner and name in the address of a clone, "" if it does not have
// GitHub's form.
func repositoryIn(origin string) string {
	path := strings.TrimSuffix(strings.TrimSuffix(origin, "/"), ".git")
	path = strings.ReplaceAll(path, ":", "/")
	parts := strings.Split(path, "/")
	if len(parts) < 2 {
		return ""
	}
	return strings.Join(parts[len(parts)-2:], "/")
}

// isElsewhere reports whether the address of a clone names a server that is not
// github.com, which must not be sent the token of that. A name without a dot may be one that
// only the settings of ssh know.
func isElsewhere(origin string) bool {
	host := hostIn(origin)
	return strings.Contains(host, ".") && host != "github.com" && !strings.HasSuffix(host, ".github.com")
}

// hostIn returns the host in the address of a clone, "" if it has none: it is a URL, or
// HOST:PATH with or without a user.
func hostIn(origin string) string {
	if strings.Contains(origin, "://") {
		u, err := url.Parse(origin)
		if err != nil {
			return ""
		}
		return strings.ToLower(u.Hostname())
	}
	before, _, found := strings.Cut(origin, ":")
	if !found || strings.Contains(before, "/") {
		return ""
	}
	return strings.ToLower(before[strings.LastIndex(before, "@")+1:])
}
