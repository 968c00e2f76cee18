package catalog

import (
	"net/url"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/terminal"
)

// pageLink is a link to a page about a server.
type pageLink struct{ Text, Address string }

// links are those to the page of its package, to its source, and to who serves its address.
func (s *Server) links() []pageLink {
	var links []pageLink
	add := func(text, address string) {
		if u, err := url.Parse(address); err == nil && u.Scheme == "https" && u.Host != "" && u.User == nil {
			links = append(links, pageLink{terminal.Escape(text), u.String()})
		}
	}
	if !s.NamesSource { // it is from somewhere else
		add(s.packagePage())
	}
	if s.Type == HTTP {
		if u, err := url.Parse(s.Address); err == nil && u.Hostname() != "" {
			add(u.Host, (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/"}).String())
		}
	}
	if s.Repository != "" {
		add("source", s.Repository)
	}
	return links
}

// packagePage returns the page of a package and the name of its site, "" if no known site has
// one.
func (s *Server) packagePage() (text, address string) {
	parts := strings.Split(s.Package, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	name, version := strings.Join(parts, "/"), url.PathEscape(s.Version)
	switch s.Kind {
	case identity.NPM:
		return "npm", "https://www.npmjs.com/package/" + name + "/v/" + version
	case identity.PyPI:
		return "PyPI", "https://pypi.org/project/" + name + "/" + version + "/"
	case identity.NuGet:
		return "NuGet", "https://www.nuget.org/packages/" + name + "/" + version
	case identity.OCI:
		return imagePage(name)
	case identity.Git:
		return "source", "https://" + name
	}
	return "", ""
}

// imagePage returns the page of an image.
func imagePage(name string) (text, address string) {
	first, rest, _ := strings.Cut(name, "/")
	switch {
	case first == "ghcr.io":
		return "GitHub", "https://" + name
	case first == "quay.io":
		return "Quay", "https://quay.io/repository/" + rest
	case first == "docker.io":
		rest, isOfficial := strings.CutPrefix(rest, "library/")
		if isOfficial {
			return "Docker Hub", "https://hub.docker.com/_/" + rest
		}
		return "Docker Hub", "https://hub.docker.com/r/" + rest
	}
	return "", ""
}
