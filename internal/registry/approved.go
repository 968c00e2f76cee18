package registry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// approvedPage is a page of servers of an MCP registry (its OpenAPI description, v0.1), with
// what mcplumb's own catalog says of each beside it.
type approvedPage struct {
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

// maxCatalogPages is how many pages of a hundred are asked for: more than that no organization has
// approved.
const maxCatalogPages = 200

// Approved asks a catalog for all of its servers. The error is an *Error, or that of the
// context.
func (c *Client) Approved(ctx context.Context, address string) (*mcp.Approved, error) {
	from, err := parsePlace(address, "mcplumb has no token for it")
	if err != nil {
		return nil, err
	}
	ctx = context.WithValue(ctx, staysOnHost{}, true)
	all := &mcp.Approved{Source: from.base.String()}
	for cursor, page := "", 0; ; page++ {
		if page == maxCatalogPages {
			return nil, &Error{from.base.Host, fmt.Sprintf("it has more than %d pages of servers", maxCatalogPages)}
		}
		query := url.Values{"limit": {"100"}}
		if cursor != "" {
			query.Set("cursor", cursor)
		}
		a, err := c.get(ctx, from, from.at("/v0.1/servers?"+query.Encode()), "application/json")
		switch {
		case errors.Is(err, errUnknown):
			return nil, &Error{from.base.Host, "it is not a catalog: /v0.1/servers is missing"}
		case err != nil:
			return nil, err
		}
		last := cursor
		if cursor, err = AddApproved(all, a.body); err != nil {
			return nil, notSuch(from)
		}
		switch cursor {
		case "":
			return all, nil
		case last:
			return nil, &Error{from.base.Host, "its pages of servers do not end"}
		}
	}
}

// errNoCatalog says that a text is no page of servers.
var errNoCatalog = errors.New("it is not a list of servers of an MCP registry (v0.1)")

// AddApproved adds the servers on a page of a catalog, and returns where the next page goes
// on, "" for the last one.
func AddApproved(all *mcp.Approved, body []byte) (next string, err error) {
	var page approvedPage
	if json.Unmarshal(body, &page) != nil || page.Servers == nil {
		return "", errNoCatalog
	}
	for _, l := range page.Servers {
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
	return page.Metadata.NextCursor, nil
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
