package registry

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/mcplumb/mcplumb/internal/approved"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// maxCatalogPages is how many pages of a hundred the client requests: no organization has
// approved more servers.
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
		if cursor, err = approved.Add(all, a.body); err != nil {
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
