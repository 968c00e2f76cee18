package registry

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"

	"github.com/mcplumb/mcplumb/internal/identity"
)

// Known is a version of a package, and the identifiers of what OSV knows about it.
type Known struct {
	Kind          identity.Kind
	Name, Version string
	Advisories    []string
}

// osvQuery is one of the questions of a batch (google.github.io/osv.dev,
// "POST /v1/querybatch").
type osvQuery struct {
	Package osvPackage `json:"package"`
	Version string     `json:"version"`
	Page    string     `json:"page_token,omitempty"`
}

type osvPackage struct {
	Ecosystem string `json:"ecosystem"`
	Name      string `json:"name"`
}

type osvAnswer struct {
	Results []struct {
		Vulnerabilities []struct {
			ID string `json:"id"`
		} `json:"vulns"`
		Next string `json:"next_page_token"`
	} `json:"results"`
}

// maxQueries is how many questions OSV takes at once, maxPages how many further requests
// are made for what it does not say at once.
const maxQueries, maxPages = 1000, 20

// Advisories fills in what OSV knows of versions of packages. Those of a kind that OSV
// has no ecosystem for stay as they are.
func (c *Client) Advisories(ctx context.Context, of []Known) error {
	from, err := c.places.osv()
	if err != nil {
		return err
	}
	var queries []osvQuery
	var about []*Known
	for i := range of {
		if ecosystem := identity.EcosystemOf(of[i].Kind); ecosystem != "" {
			queries = append(queries, osvQuery{Package: osvPackage{ecosystem, of[i].Name}, Version: of[i].Version})
			about = append(about, &of[i])
		}
	}
	for asked := 0; len(queries) > 0; asked++ {
		if asked > len(of)/maxQueries+maxPages {
			return &Error{from.base.Host, "its pages do not end"}
		}
		n := min(len(queries), maxQueries)
		answer, err := c.osvBatch(ctx, from, queries[:n])
		if err != nil {
			return err
		}
		// What has more pages is asked again behind the rest.
		for i, result := range answer.Results {
			for _, v := range result.Vulnerabilities {
				if isVersion(v.ID) { // it is shown, and a part of an address
					about[i].Advisories = append(about[i].Advisories, v.ID)
				}
			}
			if result.Next != "" && result.Next != queries[i].Page {
				again := queries[i]
				again.Page = result.Next
				queries, about = append(queries, again), append(about, about[i])
			}
		}
		queries, about = queries[n:], about[n:]
	}
	return nil
}

func (c *Client) osvBatch(ctx context.Context, from place, queries []osvQuery) (*osvAnswer, error) {
	body, err := json.Marshal(map[string][]osvQuery{"queries": queries})
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, from.at("/v1/querybatch"), nil)
	if err != nil {
		return nil, &Error{from.base.Host, "its address cannot be used"}
	}
	request.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	request.ContentLength = int64(len(body))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", c.agent)
	a, err := c.send(ctx, from, request)
	if err != nil {
		return nil, orSilent(from, err)
	}
	var answer osvAnswer
	if err := decode(from, a, &answer); err != nil {
		return nil, err
	}
	if len(answer.Results) != len(queries) {
		return nil, &Error{from.base.Host, "it answers other questions than it was asked"}
	}
	return &answer, nil
}
