package report

import (
	"io"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

type jsonList struct {
	Version int          `json:"version"`
	Servers []jsonServer `json:"servers"`
}

type jsonServer struct {
	Name     string   `json:"name"`
	Identity string   `json:"identity,omitempty"`
	Kind     string   `json:"kind,omitempty"`
	Package  string   `json:"package,omitempty"`
	Selector []string `json:"selector,omitempty"`
	Version  string   `json:"version,omitempty"`
	Purl     string   `json:"purl,omitempty"`
	// Repository is the source repository that the lockfile or a server.json
	// names.
	Repository string    `json:"repository,omitempty"`
	Clients    []string  `json:"clients,omitempty"`
	Format     string    `json:"format,omitempty"`
	Scope      string    `json:"scope,omitempty"`
	Project    string    `json:"project,omitempty"`
	Path       string    `json:"path"`
	Line       int       `json:"line"`
	Column     int       `json:"column"`
	Transport  string    `json:"transport,omitempty"`
	Bridge     string    `json:"bridge,omitempty"`
	Launcher   string    `json:"launcher,omitempty"`
	Disabled   bool      `json:"disabled"`
	Env        []string  `json:"env,omitempty"`
	Headers    []string  `json:"headers,omitempty"`
	Lock       *jsonLock `json:"lock,omitempty"`
}

// jsonLock is the entry that a server is locked as.
type jsonLock struct {
	Path      string `json:"path"`
	Name      string `json:"name"`
	Version   string `json:"version,omitempty"`
	Integrity string `json:"integrity,omitempty"`
}

// listJSON writes every server for programs: the names of variables and
// headers, never their values.
func listJSON(w io.Writer, list *List, _ Options) error {
	out := jsonList{Version: jsonVersion, Servers: []jsonServer{}}
	for _, s := range listedServers(list.Repo) {
		out.Servers = append(out.Servers, serverJSON(s))
	}
	return encodeJSON(w, out)
}

func serverJSON(s listed) jsonServer {
	d, id := s.Document, &s.Identity
	p := d.File.Position(s.NameSpan.Start, syntax.CodePoints)
	out := jsonServer{
		Name:       secret.Mask(s.Name),
		Identity:   secret.Mask(id.String()),
		Kind:       string(id.Kind),
		Version:    secret.Mask(id.Version.Text),
		Purl:       shownPurl(id),
		Repository: secret.Mask(s.repository),
		Clients:    clientIDs(d),
		Format:     d.Format,
		Scope:      string(d.Scope),
		Project:    d.Project.Dir,
		Path:       d.File.Path,
		Line:       p.Line,
		Column:     p.Column,
		Transport:  id.Transport,
		Bridge:     id.BridgeName(),
		Launcher:   id.Launcher,
		Disabled:   s.Disabled,
		Headers:    pairNames(s.Launch.Headers),
	}
	if id.IsPackage() {
		out.Package = secret.Mask(id.Name)
	}
	for _, word := range id.Selector {
		out.Selector = append(out.Selector, secret.Mask(word))
	}
	out.Env = pairNames(s.Launch.Env)
	for _, word := range s.Launch.PassEnv {
		out.Env = append(out.Env, secret.Mask(word.Text))
	}
	if s.lock != nil {
		out.Lock = lockJSON(s)
	}
	return out
}

func lockJSON(s listed) *jsonLock {
	return &jsonLock{
		Path:      s.lock.Document.File.Path,
		Name:      secret.Mask(s.lock.Name),
		Version:   secret.Mask(s.lock.Pin.Version.Text),
		Integrity: secret.Mask(s.lock.Pin.Integrity.Text),
	}
}

func pairNames(pairs []identity.Pair) []string {
	var names []string
	for _, p := range pairs {
		names = append(names, secret.Mask(p.Name.Text))
	}
	return names
}
