package registry

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// packument is what npm's registry says of a package (npm/registry,
// docs/responses/package-metadata.md).
type packument struct {
	Name     string                `json:"name"`
	Versions map[string]npmVersion `json:"versions"`
	Tags     map[string]string     `json:"dist-tags"`
	// Times are those of versions, along with "created" and "modified", and an object that
	// says what was unpublished.
	Times map[string]any `json:"time"`
}

// npmVersion is what it says of one version.
type npmVersion struct {
	Version string `json:"version"`
	// Deprecated is a text; registries exist that write true or false.
	Deprecated json.RawMessage `json:"deprecated"`
	Dist       struct {
		Integrity string `json:"integrity"`
		SHA1      string `json:"shasum"` // in hex
	} `json:"dist"`
}

// The two forms of a packument: the whole one alone has times.
const (
	wholePackument = "application/json"
	shortPackument = "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8"
)

// npm asks for one version where one is enough: its document is a hundredth of the
// packument. Of a withdrawn one the others are wanted, too.
func (c *Client) npm(ctx context.Context, q mcp.Wanted) (*mcp.Published, error) {
	from, err := c.places.npm(q.Name)
	if err != nil {
		return nil, err
	}
	address := from.at("/" + strings.Replace(url.PathEscape(q.Name), "%40", "@", 1))
	if q.Version != "" {
		a, err := c.get(ctx, from, address+"/"+url.PathEscape(q.Version), wholePackument)
		if err == nil {
			var one npmVersion
			if err := decode(from, a, &one); err != nil {
				return nil, err
			}
			if r := one.release(""); one.Version == q.Version && !r.IsWithdrawn {
				return &mcp.Published{Registry: from.base.Host, Releases: []mcp.Release{r}}, nil
			}
		} else if !errors.Is(err, errUnknown) && !knowsNoVersions(a) {
			return nil, err
		}
	}
	form := wholePackument
	if q.Version != "" {
		form = shortPackument
	}
	a, err := c.get(ctx, from, address, form)
	if errors.Is(err, errUnknown) {
		return unknown(from), nil
	}
	if err != nil {
		return nil, err
	}
	var all packument
	if err := decode(from, a, &all); err != nil {
		return nil, err
	}
	published := all.published(from)
	if published.IsUnknown && all.Name != q.Name {
		return nil, notSuch(from) // a page of another site, with no versions in it
	}
	return published, nil
}

// knowsNoVersions reports whether a registry has no documents of single versions, as some
// of companies have none, and says so with another status than 404.
func knowsNoVersions(a *answer) bool {
	return a != nil && (a.status == http.StatusBadRequest || a.status == http.StatusMethodNotAllowed || a.status == http.StatusNotAcceptable)
}

func (p *packument) published(from place) *mcp.Published {
	published := &mcp.Published{Registry: from.base.Host, IsWhole: true}
	for tag, version := range p.Tags {
		if isVersion(version) && isVersion(tag) {
			if published.Tags == nil {
				published.Tags = map[string]string{}
			}
			published.Tags[tag] = version
		}
	}
	published.Latest = published.Tags["latest"]
	for version, v := range p.Versions {
		if !isVersion(version) {
			continue
		}
		v.Version = version
		published.Releases = append(published.Releases, v.release(textOf(p.Times[version])))
	}
	// A package whose versions were all removed no longer exists, but its name does: the name
	// is reserved for a day, then anyone can claim it.
	published.IsUnknown = len(published.Releases) == 0
	slices.SortFunc(published.Releases, func(a, b mcp.Release) int {
		return cmp.Or(a.At.Compare(b.At), strings.Compare(a.Version, b.Version))
	})
	return published
}

func (v *npmVersion) release(at string) mcp.Release {
	r := mcp.Release{Version: v.Version, At: timeOf(at)}
	if isIntegrity(v.Dist.Integrity) {
		r.Hashes = []string{v.Dist.Integrity}
	}
	if isIntegrity(v.Dist.SHA1) {
		r.Weak = []string{"sha1:" + v.Dist.SHA1}
	}
	if json.Unmarshal(v.Deprecated, &r.Reason) != nil {
		_ = json.Unmarshal(v.Deprecated, &r.IsWithdrawn) // neither a text nor a yes: not deprecated
	}
	r.IsWithdrawn = r.IsWithdrawn || r.Reason != ""
	return r
}

// textOf returns a text, "" for anything else.
func textOf(value any) string {
	text, _ := value.(string)
	return text
}
