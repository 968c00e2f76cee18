package catalog

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcplumb/mcplumb/internal/ascii"
)

// serversRoot is where the MCP registry has its servers.
const serversRoot = "/v0.1/servers"

// standardLimit and maxLimit are how many versions a page of the MCP registry has, and may
// have (servers.go of its server, v1.8.7).
const standardLimit, maxLimit = 30, 100

type listingPage struct {
	Servers  []*listing   `json:"servers"`
	Metadata pageMetadata `json:"metadata"`
}

type pageMetadata struct {
	NextCursor string `json:"nextCursor,omitempty"`
	Count      int    `json:"count"`
}

// failure is why something is not answered: the member of the MCP registry's description,
// and those that its own server sends (RFC 9457).
type failure struct {
	Error  string `json:"error"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail"`
}

// problem is the answer to a request that fails.
func problem(status int, detail string) Answer {
	titles := map[int]string{
		statusBadRequest: "Bad Request", statusNotFound: "Not Found",
		statusMethodNotAllowed: "Method Not Allowed", statusUnprocessableEntity: "Unprocessable Entity",
	}
	return jsonAnswer(status, failure{detail, titles[status], status, detail})
}

// server answers what is below the root of the MCP registry's API.
func (c *Catalog) server(r Request, escaped string) Answer {
	body, answer := c.listingsAt(r, strings.Split(escaped, "/"))
	if body != nil {
		answer = jsonAnswer(statusOK, body)
		answer = answer.tagged(r, sum(answer.Body))
	}
	return answer.with("Cache-Control", "no-cache")
}

// listingsAt returns what is at a path below the root, nil where there is nothing; then
// the answer says why.
func (c *Catalog) listingsAt(r Request, parts []string) (body any, why Answer) {
	var decoded []string
	for _, part := range parts {
		text, err := url.PathUnescape(part)
		if err != nil {
			return nil, problem(statusBadRequest, "the path has a wrong escape")
		}
		decoded = append(decoded, text)
	}
	if include := r.Query.Get("include_deleted"); include != "" {
		if _, err := strconv.ParseBool(include); err != nil {
			return nil, problem(statusUnprocessableEntity, "include_deleted must be true or false")
		}
	}
	if len(parts) == 1 && parts[0] == "" {
		return c.listingPage(r.Query)
	}
	versions := c.byName[decoded[0]]
	switch {
	case len(parts) < 2 || parts[1] != "versions" || len(parts) > 3:
		return nil, problem(statusNotFound, "there is nothing here")
	case versions == nil:
	case len(parts) == 2:
		return listingPage{versions, pageMetadata{Count: len(versions)}}, why
	case decoded[2] == "latest":
		return versions[0], why
	default:
		if i := slices.IndexFunc(versions, func(l *listing) bool { return l.Server.Version == decoded[2] }); i >= 0 {
			return versions[i], why
		}
	}
	return nil, problem(statusNotFound, "Server not found")
}

// listingPage returns a page of all servers, or of those that are looked for.
func (c *Catalog) listingPage(query url.Values) (body any, why Answer) {
	limit, wrong := number(query, "limit", standardLimit, maxLimit)
	if wrong != "" {
		return nil, problem(statusUnprocessableEntity, wrong)
	}
	if since := query.Get("updated_since"); since != "" {
		at, err := time.Parse(time.RFC3339, since)
		if err != nil {
			return nil, problem(statusBadRequest, "updated_since must be a time like 2030-12-31T23:59:59Z")
		}
		if c.at.Before(at) { // nothing has changed since
			return listingPage{Servers: []*listing{}}, why
		}
	}
	page := listingPage{Servers: []*listing{}}
	for _, l := range c.listedAfter(query.Get("cursor")) {
		if !l.isAskedFor(query) {
			continue
		}
		if len(page.Servers) == limit {
			page.Metadata.NextCursor = page.Servers[limit-1].cursor()
			break
		}
		page.Servers = append(page.Servers, l)
	}
	page.Metadata.Count = len(page.Servers)
	return page, why
}

// isAskedFor reports whether a version is one that a query looks for.
func (l *listing) isAskedFor(query url.Values) bool {
	version := query.Get("version")
	isVersion := version == "" || version == l.Server.Version || version == "latest" && l.Meta.Official.IsLatest
	return isVersion && strings.Contains(ascii.Lower(l.Server.Name), ascii.Lower(query.Get("search")))
}

// cursor is where the next page goes on, as the MCP registry has it.
func (l *listing) cursor() string { return l.Server.Name + ":" + l.Server.Version }

// listedAfter returns the versions behind a cursor, all for none.
func (c *Catalog) listedAfter(cursor string) []*listing {
	if cursor == "" {
		return c.listed
	}
	name, version, _ := strings.Cut(cursor, ":")
	at, found := slices.BinarySearchFunc(c.listed, cursor, func(l *listing, _ string) int {
		if order := strings.Compare(l.Server.Name, name); order != 0 {
			return order
		}
		return strings.Compare(l.Server.Version, version)
	})
	if found {
		at++
	}
	return c.listed[at:]
}
