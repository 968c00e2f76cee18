// Package registry asks registries what they have published: npm, PyPI, NuGet, the
// registries of images, the MCP registry, Casys PML's and OSV. It is used where people
// ask for it (--online) and at no other time.
//
// What it sends is the name of a package, a server or a locked tool, with its version or
// hash, and nothing else of the repository; what it says of a failure holds neither
// addresses with passwords nor tokens.
package registry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// Options say how to ask.
type Options struct {
	Places Places
	// Timeouts are the usual ones where zero.
	Timeouts Timeouts
	// Wait waits, or returns early with the error of the context.
	Wait func(context.Context, time.Duration) error
	// Proxy is asked for each request; nil is no proxy at all.
	Proxy Proxy
	// Agent is what requests say of who sends them.
	Agent string
	// All also asks about disabled servers.
	All bool
	// Store keeps answers for later runs, nil for none. Now is the time, and Note receives a
	// sentence about answers that could not be used; both are needed with a Store.
	Store Store
	Now   func() time.Time
	Note  func(sentence string)
}

// Client asks registries. It asks nothing twice.
type Client struct {
	places    Places
	transport *transport
	agent     string
	all       bool
	cache     *cache // nil for none

	// feed is where the feed of NuGet has its registrations, "" until it was requested.
	feed struct {
		guard         sync.Mutex
		registrations string
	}

	guard sync.Mutex
	// replies and tools are the questions with their outcomes, advisories what OSV knows.
	replies    map[mcp.Wanted]reply
	tools      map[mcp.WantedTool]toolReply
	advisories map[mcp.Wanted][]string
}

// New returns a client that has asked nothing yet.
func New(o Options) *Client {
	if o.Timeouts == (Timeouts{}) {
		o.Timeouts = usualTimeouts
	}
	c := &Client{
		places: o.Places, transport: newTransport(o.Timeouts, o.Wait, o.Proxy), agent: o.Agent, all: o.All,
		replies: map[mcp.Wanted]reply{}, tools: map[mcp.WantedTool]toolReply{}, advisories: map[mcp.Wanted][]string{},
	}
	if o.Store != nil {
		c.cache = &cache{store: o.Store, now: o.Now, note: o.Note}
	}
	return c
}

// Error says that a registry did not answer a question.
type Error struct {
	// Registry is its host, "" where none is known.
	Registry string
	// Reason says why, with neither address nor token.
	Reason string
}

func (e *Error) Error() string {
	if e.Registry == "" {
		return e.Reason
	}
	return e.Registry + ": " + e.Reason
}

// Ask returns what a registry says of a package, nil for one of a kind that no registry can
// be asked about. Its error is an *Error, or that of the context.
func (c *Client) Ask(ctx context.Context, q mcp.Wanted) (*mcp.Published, error) {
	switch q.Kind {
	case identity.NPM:
		return c.npm(ctx, q)
	case identity.PyPI:
		return c.pypi(ctx, q)
	case identity.NuGet:
		return c.nuget(ctx, q)
	case identity.OCI:
		return c.image(ctx, q)
	}
	return nil, nil
}

// errUnknown says that a registry has no such thing.
var errUnknown = errors.New("there is none")

// place is an address of a registry, and who asks there.
type place struct {
	base *url.URL
	// most is the size of the longest answer that is taken, in bytes.
	most int
	// authorization is the header of that name, key that of keyHeader; "" for an anonymous request.
	authorization, key string
	// login says in a clause where a token for it is looked for, sent that one was found
	// and is sent, "" for none.
	login, sent string
}

// keyHeader is the header in which Casys PML sends a key.
const keyHeader = "X-Api-Key"

// at returns the address of a path below the place. Elements of the path are escaped
// already.
func (p place) at(path string) string { return p.base.String() + path }

// get asks for one address. Its error is errUnknown for what is not there, and for
// what may not be seen without a token an error that says so: it may well be there.
func (c *Client) get(ctx context.Context, from place, address, accept string) (*answer, error) {
	request, err := c.request(ctx, from, address, accept)
	if err != nil {
		return nil, err
	}
	return c.send(ctx, from, request)
}

// request returns what asks for one address, with the login of the place.
func (c *Client) request(ctx context.Context, from place, address, accept string) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil || request.URL.Host == "" {
		return nil, &Error{from.base.Host, "its address cannot be used"}
	}
	if from.base.Scheme == "https" && request.URL.Scheme != "https" {
		return nil, &Error{from.base.Host, "the answer points to a place without encryption"}
	}
	request.Header.Set("Accept", accept)
	request.Header.Set("User-Agent", c.agent)
	if request.URL.Host != from.base.Host {
		return request, nil
	}
	if from.authorization != "" {
		request.Header.Set("Authorization", from.authorization)
	}
	if from.key != "" {
		request.Header.Set(keyHeader, from.key)
	}
	return request, nil
}

// send sends a request and sorts its answer.
func (c *Client) send(ctx context.Context, from place, request *http.Request) (*answer, error) {
	a, err := c.transport.send(ctx, request, from.most)
	host := request.URL.Host
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, errSilent):
		return nil, &Error{Reason: err.Error()}
	case err != nil:
		return nil, &Error{host, err.Error()}
	case a.status == http.StatusNotFound || a.status == http.StatusGone:
		return a, errUnknown
	case a.status == http.StatusUnauthorized || a.status == http.StatusForbidden:
		return a, &Error{host, fmt.Sprintf("it refuses access (%d)%s: %s", a.status, from.sent, from.login)}
	case a.status != http.StatusOK:
		return a, &Error{host, fmt.Sprintf("it answers %d", a.status)}
	}
	return a, nil
}

// decode reads an answer in JSON.
func decode(from place, a *answer, into any) error {
	if err := json.Unmarshal(a.body, into); err != nil {
		return notSuch(from)
	}
	return nil
}

// notSuch says that an answer is not one of such a registry.
func notSuch(from place) *Error {
	return &Error{from.base.Host, "its answer is not valid for such a registry"}
}

// unknown is the message for a package that does not exist.
func unknown(from place) *mcp.Published {
	return &mcp.Published{Registry: from.base.Host, IsUnknown: true, IsWhole: true}
}

// isVersion reports whether a text can be a version. Anything else that a registry sends as a
// version is left out, because fixes write versions into files.
func isVersion(text string) bool {
	return text != "" && len(text) <= maxVersion && isOf(text, ".+-_~!")
}

// timeOf reads the time at which something was published, zero where a registry does not
// say. Feeds of NuGet exist that leave out the zone, and mean UTC.
func timeOf(text string) time.Time {
	for _, form := range []string{time.RFC3339, "2006-01-02T15:04:05"} {
		if at, err := time.Parse(form, text); err == nil {
			return at
		}
	}
	return time.Time{}
}

// isIntegrity reports whether a text can be hashes, with blanks between them.
func isIntegrity(text string) bool {
	return text != "" && len(text) <= maxIntegrity && isOf(text, "+/=:-_.? ")
}

// maxVersion and maxIntegrity are lengths that no version and no list of hashes has.
const maxVersion, maxIntegrity = 200, 2000

// isOf reports whether a text has only ASCII letters, digits and the given others.
func isOf(text, others string) bool {
	for _, c := range text {
		isLetter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		if !isLetter && !strings.ContainsRune(others, c) {
			return false
		}
	}
	return true
}
