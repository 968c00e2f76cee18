package registry

import (
	"context"
	"errors"
	"net/url"
)

// File asks for a file at an address, of so many bytes at most. No login is sent. The error is an
// *Error, or that of the context.
func (c *Client) File(ctx context.Context, address string, most int) ([]byte, error) {
	base, err := url.Parse(address)
	if err != nil {
		return nil, &Error{Reason: "its address cannot be used"}
	}
	a, err := c.get(ctx, place{base: base, most: most, login: "mcplumb has no token for it"}, address, "*/*")
	switch {
	case errors.Is(err, errUnknown):
		return nil, &Error{base.Host, "there is no such file"}
	case err != nil:
		return nil, err
	}
	return a.body, nil
}
