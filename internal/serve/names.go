package serve

import (
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// guest says which requests a listener answers, and who may read the answers in a browser.
type guest struct {
	// isOpen reports that everyone may ask under every name, as on an address that others
	// reach.
	isOpen bool
	// names are those of the listener, in addition to those of this machine.
	names []string
}

// NamesOf returns the names of a listener at an address, HOST:PORT, with some others.
func NamesOf(address string, others []string) []string {
	var names []string
	for _, name := range append([]string{address}, others...) {
		if host := hostOf(name); host != "" {
			names = append(names, host)
		}
	}
	return names
}

// hostOf returns a host without its port, in small letters.
func hostOf(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
}

// refusal returns the status with which to refuse a request, 0 to answer it. A page of another
// site may send one to this machine, also under a name of its own that resolves to it (DNS
// rebinding).
func (g *guest) refusal(r *http.Request) (status int) {
	switch origin := r.Header.Get("Origin"); {
	case g.isOpen:
		return 0
	case r.Host != "" && !g.knows(r.Host): // HTTP/1.0 need not say one, and no browser speaks it
		return http.StatusMisdirectedRequest
	case origin != "" && !g.knowsOrigin(origin):
		return http.StatusForbidden
	}
	return 0
}

// allow lets the page that asks read the answer.
func (g *guest) allow(header http.Header, origin string) {
	if g.isOpen {
		header.Set("Access-Control-Allow-Origin", "*")
		return
	}
	header.Add("Vary", "Origin")
	if origin != "" && g.knowsOrigin(origin) {
		header.Set("Access-Control-Allow-Origin", origin)
	}
}

// knowsOrigin reports whether a page is of a site with one of the names.
func (g *guest) knowsOrigin(origin string) bool {
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && g.knows(u.Host)
}

// knows reports whether a host, with or without a port, is this machine or has one of the names.
func (g *guest) knows(host string) bool {
	host = hostOf(host)
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback() || host == "localhost" || strings.HasSuffix(host, ".localhost") || slices.Contains(g.names, host)
}
