package catalog

import (
	"net/url"
	"strings"
)

// Request is a request to the catalog.
type Request struct {
	// Method is GET, HEAD or OPTIONS: others are refused.
	Method string
	// Path is as it was sent, with its escapes.
	Path string
	// Query is the query of the URL.
	Query url.Values
	// IfNoneMatch is the header of that name.
	IfNoneMatch string
	// Address is that of the catalog as who asks has it, without a slash at its end.
	Address string
}

// Header is a header of an answer.
type Header struct{ Name, Value string }

// Answer is what is sent back.
type Answer struct {
	// Status is that of HTTP.
	Status int
	// Headers are all except the length of the body and the header that says whose pages may
	// read it.
	Headers []Header
	Body    []byte
}

// The statuses that there are.
const (
	statusOK                  = 200
	statusNoContent           = 204
	statusFound               = 302
	statusNotModified         = 304
	statusBadRequest          = 400
	statusNotFound            = 404
	statusMethodNotAllowed    = 405
	statusUnprocessableEntity = 422
)

// Answer answers a request. It is a function of the catalog and the request alone.
func (c *Catalog) Answer(r Request) Answer {
	switch r.Method {
	case "GET", "HEAD":
		return c.get(r).with("X-Content-Type-Options", "nosniff")
	case "OPTIONS": // which browsers ask before they ask
		return Answer{Status: statusNoContent}.
			with("Access-Control-Allow-Methods", "GET, OPTIONS").with("Access-Control-Allow-Headers", "Authorization, Content-Type")
	}
	return problem(statusMethodNotAllowed, "this catalog is read-only").with("Allow", "GET, HEAD, OPTIONS")
}

func (c *Catalog) get(r Request) Answer {
	for _, root := range toolRoots {
		if rest, found := strings.CutPrefix(r.Path, root); found && (rest == "" || rest[0] == '/') {
			return c.tool(r, root, strings.TrimPrefix(rest, "/"))
		}
	}
	if rest, found := strings.CutPrefix(r.Path, serversRoot); found && (rest == "" || rest[0] == '/') {
		return c.server(r, strings.TrimPrefix(rest, "/"))
	}
	if r.Path == "/" {
		return c.page(r)
	}
	return problem(statusNotFound, "there is nothing here")
}

// with adds a header.
func (a Answer) with(name, value string) Answer {
	a.Headers = append(a.Headers, Header{name, value})
	return a
}

// jsonAnswer is an answer in JSON.
func jsonAnswer(status int, body any) Answer {
	return Answer{Status: status, Body: encode(body)}.with("Content-Type", "application/json")
}

// tagged gives an answer a tag, and is the answer that nothing has changed to a client that has
// the one with it.
func (a Answer) tagged(r Request, tag string) Answer {
	tag = `"` + tag + `"`
	if matches(r.IfNoneMatch, tag) {
		a = Answer{Status: statusNotModified}
	}
	return a.with("ETag", tag)
}

// matches reports whether a tag is among those of If-None-Match, for which a weak one is as
// good (RFC 9110, 13.1.2).
func matches(header, tag string) bool {
	for one := range strings.SplitSeq(header, ",") {
		if one = strings.TrimSpace(one); one == "*" || strings.TrimPrefix(one, "W/") == tag {
			return true
		}
	}
	return false
}
