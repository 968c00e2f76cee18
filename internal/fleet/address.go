// Package fleet is what is known of many repositories at once.
package fleet

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
)

// Address is where a repository of a fleet is.
type Address struct {
	// Clone is a URL of http or https without a user, or a path on this machine.
	Clone string
	// IsLocal reports that Clone is a path.
	IsLocal bool
	// Name is the repository with its host, as "github.com/acme/api". Page is its page for
	// people, "" for none.
	Name, Page string
}

// maxWrong is how many wrong lines of a list are reported one by one, as many as mistakes of
// settings.
const maxWrong = 100

// ParseAddresses reads a list of repositories: one on each line, a URL or a path, and comments
// after #. A repeated repository counts once; on the hosts of anyCase, which are in lowercase,
// in any case of its letters. Each error names a line, from 1, but does not show one with a
// password.
func ParseAddresses(list string, anyCase ...string) (all []Address, wrong []error) {
	seen, more := map[string]bool{}, 0
	number := 0
	for line := range strings.SplitSeq(list, "\n") {
		number++
		line, _, _ = strings.Cut(line, " #")
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		a, err := parseAddress(line)
		switch key := a.key(anyCase); {
		case err != nil && len(wrong) == maxWrong:
			more++
		case err != nil:
			wrong = append(wrong, fmt.Errorf("line %d: %w", number, err))
		case !seen[key]:
			seen[key] = true
			all = append(all, a)
		}
	}
	if more > 0 {
		wrong = append(wrong, fmt.Errorf("%d more lines are wrong", more))
	}
	return all, wrong
}

// key is what two addresses of one repository have in common.
func (a *Address) key(anyCase []string) string {
	host, _, _ := strings.Cut(a.Name, "/")
	switch {
	case a.IsLocal:
		return a.Clone
	case slices.Contains(anyCase, host):
		return strings.ToLower(a.Page)
	}
	return a.Page
}

// The errors of addresses.
var (
	errUser   = errors.New("an address must not have a user or a password in it: a token goes into GITHUB_TOKEN")
	errScheme = errors.New("an address begins with https://, or is the path of a repository on this machine")
	errPath   = errors.New("the address names no repository")
)

// parseAddress reads the address of a repository. A path has no name yet: Named gives it one.
func parseAddress(text string) (Address, error) {
	scheme, _, hasScheme := strings.Cut(text, "://")
	if !hasScheme {
		if user, rest, isSSH := strings.Cut(text, "@"); isSSH && strings.Contains(rest, ":") && !strings.ContainsAny(user, "/\\") {
			return Address{}, notHTTPS(text)
		}
		return Address{Clone: text, IsLocal: true}, nil
	}
	at, err := url.Parse(text)
	switch {
	case scheme != "http" && scheme != "https":
		return Address{}, notHTTPS(text)
	case err != nil: // whose text has all of the address
		return Address{}, errors.New("the address is malformed")
	case at.User != nil:
		return Address{}, errUser
	case at.Host == "" || at.RawQuery != "" || at.Fragment != "":
		return Address{}, errPath
	}
	name := strings.TrimSuffix(strings.Trim(path.Clean("/"+at.Path), "/"), ".git")
	if name == "" || strings.Contains(at.Path, "/../") {
		return Address{}, errPath
	}
	name = strings.ToLower(at.Host) + "/" + name
	return Address{Clone: text, Name: name, Page: at.Scheme + "://" + name}, nil
}

// notHTTPS says what an address must begin with, and how to write an ssh address that way. It
// does not show what is before an @.
func notHTTPS(text string) error {
	over := overHTTPS(text)
	if over == text {
		return errScheme
	}
	if _, err := parseAddress(over); err != nil {
		return errScheme
	}
	return fmt.Errorf("%w: write %s", errScheme, over)
}

// Named returns the address of a repository on this machine with a name: that of where it
// was cloned from, else "local/" and the last two elements of its path.
func (a Address) Named(origin string) Address {
	if remote, err := parseAddress(overHTTPS(origin)); origin != "" && err == nil && !remote.IsLocal {
		a.Name, a.Page = remote.Name, remote.Page
		return a
	}
	parts := strings.FieldsFunc(strings.TrimSuffix(a.Clone, ".git"), func(r rune) bool { return r == '/' || r == '\\' })
	a.Name = strings.Join(append([]string{"local"}, parts[max(0, len(parts)-2):]...), "/")
	return a
}

// overHTTPS returns the address of a clone over ssh, USER@HOST:PATH or ssh://, as one over
// https, and others as they are.
func overHTTPS(origin string) string {
	rest, isURL := strings.CutPrefix(origin, "ssh://")
	if _, host, hasUser := strings.Cut(rest, "@"); hasUser {
		rest = host
	} else if !isURL {
		return origin
	}
	host, path, found := strings.Cut(rest, "/")
	if !isURL {
		host, path, found = strings.Cut(rest, ":")
	}
	if !found || strings.ContainsAny(host, "/@") {
		return origin
	}
	host, _, _ = strings.Cut(host, ":") // the port is that of ssh
	return "https://" + host + "/" + path
}

// RecordPath returns where the record of a repository is, from the directory of records:
// its name, in which what not every file system takes is written as %XX.
func RecordPath(name string) string {
	var out strings.Builder
	for _, element := range strings.Split(name, "/") {
		out.WriteByte('/')
		for i := range len(element) {
			c := element[i]
			isPlain := c == '-' || c == '_' || c == '.' && i > 0 && i < len(element)-1 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
			if isPlain {
				out.WriteByte(c)
			} else {
				fmt.Fprintf(&out, "%%%02X", c)
			}
		}
	}
	return strings.TrimPrefix(out.String(), "/") + ".json"
}
