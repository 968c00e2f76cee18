package registry

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// listed is a version of a server in an MCP registry (its OpenAPI description, v0.1).
type listed struct {
	Server struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	} `json:"server"`
	Meta struct {
		Official struct {
			Status    string `json:"status"`
			Message   string `json:"statusMessage"`
			Published string `json:"publishedAt"`
		} `json:"io.modelcontextprotocol.registry/official"`
	} `json:"_meta"`
}

// Server returns what the MCP registry says of a server, by its name there: the requested
// version, or the newest for "".
func (c *Client) Server(ctx context.Context, name, version string) (*mcp.Published, error) {
	from, err := c.places.servers()
	if err != nil {
		return nil, err
	}
	asked := version
	if asked == "" {
		asked = "latest"
	}
	// Without the last parameter, the registry answers for a deleted server as for one that
	// never existed (v1.8.7, internal/api/handlers/v0/servers.go).
	address := from.at("/v0.1/servers/" + url.PathEscape(name) + "/versions/" + url.PathEscape(asked) + "?include_deleted=true")
	a, err := c.get(ctx, from, address, "application/json")
	if errors.Is(err, errUnknown) && version != "" {
		published, err := c.Server(ctx, name, "")
		if published != nil && !published.IsUnknown {
			return &mcp.Published{Registry: from.base.Host, IsWhole: true, Latest: published.Latest}, nil
		}
		return published, err
	}
	if errors.Is(err, errUnknown) {
		return unknown(from), nil
	}
	if err != nil {
		return nil, err
	}
	var one listed
	if err := decode(from, a, &one); err != nil {
		return nil, err
	}
	if !isVersion(one.Server.Version) {
		return nil, notSuch(from)
	}
	official := one.Meta.Official
	release := mcp.Release{Version: one.Server.Version, At: timeOf(official.Published)}
	release.IsWithdrawn = official.Status == "deprecated" || official.Status == "deleted"
	if release.IsWithdrawn {
		release.Reason = strings.Trim(official.Status+": "+official.Message, ": ")
	}
	return &mcp.Published{Registry: from.base.Host, Latest: one.Server.Version, Releases: []mcp.Release{release}}, nil
}
