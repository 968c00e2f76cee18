package registry

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// manifestForms are all forms of a manifest. A registry that is not offered the newer
// ones converts the manifest into one of the first form, whose digest is another one
// (distribution 2.8 does so for schema 1).
const manifestForms = "application/vnd.oci.image.index.v1+json, application/vnd.docker.distribution.manifest.list.v2+json, " +
	"application/vnd.oci.image.manifest.v1+json, application/vnd.docker.distribution.manifest.v2+json"

// image asks for the digest of a tag, "latest" if the reference has none (distribution
// specification, "Pulling manifests").
func (c *Client) image(ctx context.Context, q mcp.Wanted) (*mcp.Published, error) {
	host, repository, _ := strings.Cut(q.Name, "/")
	from, err := c.places.image(host)
	if err != nil {
		return nil, err
	}
	tag := q.Version
	if tag == "" {
		tag = "latest"
	}
	a, err := c.manifest(ctx, from, repository, tag)
	if errors.Is(err, errUnknown) {
		return c.missingImage(ctx, from, repository)
	}
	if err != nil {
		return nil, err
	}
	var manifest struct {
		Version int `json:"schemaVersion"`
	}
	if err := decode(from, a, &manifest); err != nil || manifest.Version == 0 {
		return nil, notSuch(from)
	}
	sum := sha256.Sum256(a.body)
	digest := "sha256:" + hex.EncodeToString(sum[:])
	if said := a.header.Get("Docker-Content-Digest"); strings.HasPrefix(said, "sha256:") && said != digest {
		return nil, &Error{from.base.Host, "the digest that it gives is not that of what it sends"}
	}
	return &mcp.Published{Registry: from.base.Host, Latest: tag, Releases: []mcp.Release{{Version: tag, Hashes: []string{digest}}}}, nil
}

// missingImage tells an image that is not there from one without the tag.
func (c *Client) missingImage(ctx context.Context, from place, repository string) (*mcp.Published, error) {
	a, err := c.withToken(ctx, from, repository, from.at("/v2/"+repository+"/tags/list?n=1"), "application/json")
	switch {
	case errors.Is(err, errUnknown):
		return unknown(from), nil
	case err != nil:
		return nil, err
	}
	if err := decode(from, a, &struct{}{}); err != nil {
		return nil, err
	}
	return &mcp.Published{Registry: from.base.Host, IsWhole: true}, nil
}

func (c *Client) manifest(ctx context.Context, from place, repository, tag string) (*answer, error) {
	return c.withToken(ctx, from, repository, from.at("/v2/"+repository+"/manifests/"+url.PathEscape(tag)), manifestForms)
}

// withToken asks, and if the registry wants a token, fetches the one that it gives to
// everyone, or to the user who is logged in (distribution documentation, "Token
// Authentication").
func (c *Client) withToken(ctx context.Context, from place, repository, address, accept string) (*answer, error) {
	open := from
	open.authorization = ""
	a, err := c.get(ctx, open, address, accept)
	if a == nil || a.status != http.StatusUnauthorized {
		return a, err
	}
	scheme, rest, _ := strings.Cut(a.header.Get("Www-Authenticate"), " ")
	if strings.EqualFold(scheme, "basic") && from.authorization != "" {
		return c.get(ctx, from, address, accept)
	}
	if !strings.EqualFold(scheme, "bearer") {
		return a, err
	}
	token, err := c.token(ctx, from, repository, challenge(rest))
	if err != nil {
		return nil, err
	}
	open.authorization = "Bearer " + token
	return c.get(ctx, open, address, accept)
}

// token asks who gives tokens for one.
func (c *Client) token(ctx context.Context, from place, repository string, wants map[string]string) (string, error) {
	realm, err := url.Parse(wants["realm"])
	if err != nil || realm.Host == "" || from.base.Scheme == "https" && realm.Scheme != "https" {
		return "", &Error{from.base.Host, "it names no place to get a token from"}
	}
	query := realm.Query()
	query.Set("scope", "repository:"+repository+":pull")
	if service := wants["service"]; service != "" {
		query.Set("service", service)
	}
	realm.RawQuery = query.Encode()
	giver := place{base: &url.URL{Scheme: realm.Scheme, Host: realm.Host}, most: maxManifest, login: from.login}
	if isOfOneOwner(realm.Host, from.base.Host) {
		giver.authorization = from.authorization
	}
	a, err := c.get(ctx, giver, realm.String(), "application/json")
	if errors.Is(err, errUnknown) {
		return "", &Error{from.base.Host, "it gives no token for this image"}
	}
	if err != nil {
		return "", err
	}
	var given struct {
		Token  string `json:"token"`
		Access string `json:"access_token"`
	}
	if err := decode(giver, a, &given); err != nil {
		return "", err
	}
	if given.Token == "" {
		given.Token = given.Access
	}
	return given.Token, nil
}

// isOfOneOwner reports whether the server that issues tokens is the registry itself, the host
// that it is below (gitlab.com of registry.gitlab.com), or Docker's (auth.docker.io of
// registry-1.docker.io): a user's login goes nowhere else.
func isOfOneOwner(realm, registry string) bool {
	isAbove := strings.Contains(realm, ".") && strings.HasSuffix(registry, "."+realm)
	return realm == registry || isAbove || realm == "auth.docker.io" && registry == "registry-1.docker.io"
}

// challenge reads the parameters of a challenge: names and values in quotes (RFC 9110,
// 11.6.1).
func challenge(text string) map[string]string {
	wants := map[string]string{}
	for text != "" {
		name, rest, found := strings.Cut(text, "=")
		if !found {
			break
		}
		value := ""
		if quoted, ok := strings.CutPrefix(rest, `"`); ok {
			value, rest, _ = strings.Cut(quoted, `"`)
			_, rest, _ = strings.Cut(rest, ",")
		} else {
			value, rest, _ = strings.Cut(rest, ",")
		}
		wants[strings.ToLower(strings.TrimSpace(name))] = value
		text = rest
	}
	return wants
}
