// Package approved reads the servers that a catalog holds: the answers of one at an address,
// or the files of one in a directory.
package approved

import (
	"encoding/json"
	"errors"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// page is a page of servers of an MCP registry (its OpenAPI description, v0.1), with
// what mcplumb's own catalog says of each beside it.
type page struct {
	Servers []struct {
		Server struct {
			Name     string `json:"name"`
			Packages []struct {
				RegistryType string `json:"registryType"`
				Identifier   string `json:"identifier"`
				Version      string `json:"version"`
			} `json:"packages"`
			Remotes []struct {
				URL string `json:"url"`
			} `json:"remotes"`
			Meta struct {
				Provided struct {
					Identity  string   `json:"identity"`
					Selector  []string `json:"selector"`
					Version   string   `json:"version"`
					Integrity string   `json:"integrity"`
					Launches  []string `json:"launches"`
					IsOther   bool     `json:"otherRegistry"`
				} `json:"io.modelcontextprotocol.registry/publisher-provided"`
			} `json:"_meta"`
		} `json:"server"`
		Meta struct {
			Official struct {
				Status string `json:"status"`
			} `json:"io.modelcontextprotocol.registry/official"`
		} `json:"_meta"`
	} `json:"servers"`
	Metadata struct {
		NextCursor string `json:"nextCursor"`
	} `json:"metadata"`
}

// errNoCatalog says that a text is no page of servers.
var errNoCatalog = errors.New("it is not a list of servers of an MCP registry (v0.1)")

// Add adds the servers on a page of a catalog, and returns where the next page goes
// on, "" for the last one.
func Add(all *mcp.Approved, body []byte) (next string, err error) {
	var p page
	if json.Unmarshal(body, &p) != nil || p.Servers == nil {
		return "", errNoCatalog
	}
	for _, l := range p.Servers {
		s := l.Server
		if l.Meta.Official.Status == "deleted" {
			continue
		}
		if own := s.Meta.Provided; own.Identity != "" {
			all.Add(own.Identity, mcp.ApprovedServer{
				Name: s.Name, Selector: own.Selector, KnowsSelector: true, Version: own.Version, Integrity: own.Integrity,
				Launches: own.Launches, NamesSource: own.IsOther,
			})
			continue
		}
		for _, p := range s.Packages {
			if id := packaged(p.RegistryType, p.Identifier, p.Version); id.Kind != identity.None {
				all.Add(id.String(), mcp.ApprovedServer{Name: s.Name, Version: id.Version.Text})
			}
		}
		for _, r := range s.Remotes {
			id := identity.Resolve(&identity.Launch{URL: identity.Word{Text: r.URL}}, &identity.Context{})
			if id.Kind == identity.URL {
				all.Add(id.String(), mcp.ApprovedServer{Name: s.Name, Selector: id.Selector, KnowsSelector: true})
			}
		}
	}
	return p.Metadata.NextCursor, nil
}

// packaged returns what a package of an MCP registry is when its launcher starts it.
func packaged(kind, name, version string) identity.Identity {
	words := map[string][]string{
		"npm": {"npx", "-y", name + "@" + version}, "pypi": {"uvx", name + "==" + version},
		"nuget": {"dnx", name + "@" + version}, "oci": {"docker", "run", "-i", name},
	}[kind]
	if words == nil || name == "" {
		return identity.Identity{}
	}
	launch := identity.Launch{Command: identity.Word{Text: words[0]}}
	for _, word := range words[1:] {
		launch.Args = append(launch.Args, identity.Word{Text: word})
	}
	return identity.Resolve(&launch, &identity.Context{})
}
