package registry

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// nugetService lists what a feed offers (learn.microsoft.com, "NuGet Server API").
type nugetService struct {
	Resources []struct {
		ID   string          `json:"@id"`
		Type json.RawMessage `json:"@type"`
	} `json:"resources"`
}

// nugetIndex is the index of a package's registrations; a page of many versions has its
// items at its own address.
type nugetIndex struct {
	Items []nugetPage `json:"items"`
}

type nugetPage struct {
	ID    string `json:"@id"`
	Items []struct {
		Entry nugetEntry `json:"catalogEntry"`
	} `json:"items"`
}

// nugetEntry is a version. Only its own document has the hash.
type nugetEntry struct {
	ID          string `json:"@id"`
	Name        string `json:"id"`
	Version     string `json:"version"`
	Published   string `json:"published"`
	Listed      *bool  `json:"listed"`
	Deprecation *struct {
		Message string `json:"message"`
	} `json:"deprecation"`
}

// nuget asks a feed for the registrations of a package.
func (c *Client) nuget(ctx context.Context, q mcp.Wanted) (*mcp.Published, error) {
	from, err := c.places.nuget()
	if err != nil {
		return nil, err
	}
	registrations, err := c.nugetRegistrations(ctx, from)
	if err != nil {
		return nil, err
	}
	var index nugetIndex
	err = c.nugetRead(ctx, from, registrations+strings.ToLower(url.PathEscape(q.Name))+"/index.json", &index)
	if errors.Is(err, errUnknown) {
		return unknown(from), nil
	}
	if err != nil {
		return nil, err
	}
	if len(index.Items) == 0 || len(index.Items) > maxNuGetPages {
		return nil, notSuch(from)
	}
	published := &mcp.Published{Registry: from.base.Host, IsWhole: true}
	wanted := "" // the document of the requested version
	for _, page := range index.Items {
		if len(page.Items) == 0 {
			if err := c.nugetRead(ctx, from, page.ID, &page); err != nil {
				return nil, orSilent(from, err)
			}
		}
		for _, item := range page.Items {
			release := item.Entry.release()
			if !isVersion(release.Version) {
				continue
			}
			if strings.EqualFold(release.Version, q.Version) {
				wanted = item.Entry.ID
			}
			if strings.EqualFold(item.Entry.Name, q.Name) {
				published.Name = item.Entry.Name
			}
			published.Releases = append(published.Releases, release)
		}
	}
	return published, c.addNugetHash(ctx, from, published, q.Version, wanted)
}

// maxNuGetPages is how many pages of 64 versions are read: no package has so many.
const maxNuGetPages = 500

// addNugetHash adds the hash to the requested version, if its document has an address.
func (c *Client) addNugetHash(ctx context.Context, from place, published *mcp.Published, version, address string) error {
	if address == "" {
		return nil
	}
	hashes, err := c.nugetHash(ctx, from, address)
	if err != nil {
		return orSilent(from, err)
	}
	for i := range published.Releases {
		if r := &published.Releases[i]; strings.EqualFold(r.Version, version) {
			r.Hashes = hashes
		}
	}
	return nil
}

// nugetRegistrations returns the address below which registrations are, in the form that
// has all versions (SemVer 2.0).
func (c *Client) nugetRegistrations(ctx context.Context, from place) (string, error) {
	c.feed.guard.Lock() // one asks, the others wait for its answer
	defer c.feed.guard.Unlock()
	if c.feed.registrations != "" {
		return c.feed.registrations, nil
	}
	var service nugetService
	if err := c.nugetRead(ctx, from, from.at(""), &service); err != nil {
		return "", orSilent(from, err)
	}
	best := ""
	for _, r := range service.Resources {
		kind := strings.Trim(string(r.Type), `"`)
		if kind == "RegistrationsBaseUrl/3.6.0" || best == "" && strings.HasPrefix(kind, "RegistrationsBaseUrl") {
			best = r.ID
		}
	}
	if best == "" {
		return "", &Error{from.base.Host, "it is not a feed of NuGet's third version"}
	}
	c.feed.registrations = strings.TrimSuffix(best, "/") + "/"
	return c.feed.registrations, nil
}

// nugetHash returns the hash of a version in the form of Subresource Integrity.
func (c *Client) nugetHash(ctx context.Context, from place, address string) ([]string, error) {
	var entry struct {
		Hash      string `json:"packageHash"`
		Algorithm string `json:"packageHashAlgorithm"`
	}
	if err := c.nugetRead(ctx, from, address, &entry); err != nil {
		return nil, err
	}
	if _, err := base64.StdEncoding.DecodeString(entry.Hash); err != nil || entry.Hash == "" || !isVersion(entry.Algorithm) {
		return nil, nil
	}
	return []string{strings.ToLower(entry.Algorithm) + "-" + entry.Hash}, nil
}

func (c *Client) nugetRead(ctx context.Context, from place, address string, into any) error {
	a, err := c.get(ctx, from, address, "application/json")
	if err != nil {
		return err
	}
	return decode(from, a, into)
}

// orSilent turns an answer without its required parts into a failure of the registry.
func orSilent(from place, err error) error {
	if errors.Is(err, errUnknown) {
		return notSuch(from)
	}
	return err
}

func (e *nugetEntry) release() mcp.Release {
	r := mcp.Release{Version: strings.SplitN(e.Version, "+", 2)[0], At: timeOf(e.Published)}
	if e.Deprecation != nil {
		r.IsWithdrawn, r.Reason = true, e.Deprecation.Message
	}
	if e.Listed != nil && !*e.Listed {
		// A version that is no longer listed has the year 1900.
		r.IsWithdrawn, r.At = true, time.Time{}
	}
	return r
}
