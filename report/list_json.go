package report

import (
	"io"

	"github.com/mcplumb/mcplumb/internal/view"
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
	Repository string `json:"repository,omitempty"`
	// RegistryName is the name in the MCP registry by which the entry was added.
	RegistryName string    `json:"registryName,omitempty"`
	Clients      []string  `json:"clients,omitempty"`
	Format       string    `json:"format,omitempty"`
	Scope        string    `json:"scope,omitempty"`
	Project      string    `json:"project,omitempty"`
	Path         string    `json:"path"`
	Line         int       `json:"line"`
	Column       int       `json:"column"`
	Transport    string    `json:"transport,omitempty"`
	Bridge       string    `json:"bridge,omitempty"`
	Launcher     string    `json:"launcher,omitempty"`
	Runs         []string  `json:"runs,omitempty"`
	Disabled     bool      `json:"disabled"`
	Env          []string  `json:"env,omitempty"`
	Headers      []string  `json:"headers,omitempty"`
	Lock         *jsonLock `json:"lock,omitempty"`
}

// jsonLock is the entry that a server is locked as.
type jsonLock struct {
	Path      string `json:"path"`
	Name      string `json:"name"`
	Version   string `json:"version,omitempty"`
	Integrity string `json:"integrity,omitempty"`
	// RegistryType is the kind of registry, in the lockfile's words.
	RegistryType string `json:"registryType,omitempty"`
}

// ListJSON writes every server for programs: the names of variables and
// headers, never their values.
func ListJSON(w io.Writer, v *view.View) error {
	out := jsonList{Version: jsonVersion, Servers: []jsonServer{}}
	for _, s := range v.Servers() {
		out.Servers = append(out.Servers, serverJSON(s))
	}
	return encodeJSON(w, out)
}

func serverJSON(s view.Server) jsonServer {
	id, at := s.Identity(), s.Place().Start(view.CodePoints)
	out := jsonServer{
		Name:         s.Name().Plain(),
		Identity:     id.Text().Plain(),
		Kind:         id.Kind(),
		Selector:     plain(id.Selector()),
		Version:      id.Version().Plain(),
		Purl:         id.Purl().Plain(),
		Repository:   s.Repository().Plain(),
		RegistryName: s.RegistryName().Plain(),
		Clients:      clientIDs(s),
		Format:       s.Format(),
		Scope:        s.Scope(),
		Project:      s.Project().FromRoot().Plain(),
		Path:         s.Place().Path().FromRoot().Plain(),
		Line:         at.Line,
		Column:       at.Column,
		Transport:    id.Transport().Plain(),
		Bridge:       id.Bridge().Plain(),
		Launcher:     id.Launcher().Plain(),
		Runs:         plain(s.Runs()),
		Disabled:     s.IsOff(),
		Env:          plain(s.Variables()),
		Headers:      plain(s.Headers()),
	}
	if id.IsPackage() {
		out.Package = id.Name().Plain()
	}
	if lock, ok := s.Lock(); ok {
		out.Lock = &jsonLock{
			Path: lock.Place.Path().FromRoot().Plain(), Name: lock.Name.Plain(),
			Version: lock.Version.Plain(), Integrity: lock.Integrity.Plain(),
			RegistryType: lock.RegistryType.Plain(),
		}
	}
	return out
}
