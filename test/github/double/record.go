package double

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Request is one request as it came.
type Request struct {
	Method, Path, Query string
	// URL is the requested address, with the directory of GitHub Enterprise Server.
	URL string
	// Kind names the operation: "PATCH /git/refs/{ref}", "mutation updateRefs", "query
	// repository"; the bare path if the double does not serve it.
	Kind   string
	Header http.Header
	Body   []byte
	// Status is that of the answer, 0 if there was no answer or a fault gave it.
	Status int
}

// IsWrite reports whether a request should change something.
func (r *Request) IsWrite() bool {
	return r.Method != http.MethodGet && !strings.HasPrefix(r.Kind, "query ")
}

func (r *Request) String() string { return r.Kind + " " + indented(r.Body) }

// kind names the operation of a request.
func (d *Double) kind(c *call, e *endpoint, path string) string {
	switch {
	case e != nil:
		return e.method + " " + e.path
	case path == graphqlPath:
		return d.graphqlKind(c)
	}
	return c.Method + " " + path
}

// Kinds for rules that are about more than one kind of request.
const (
	Any   = "any request"
	Write = "any request that changes something"
)

// Fault takes the place of an answer. It may call serve to have the request done.
type Fault func(w http.ResponseWriter, serve func(http.ResponseWriter))

// rule sets what happens to the requests of a kind: to the nth of them if n is not 0, and
// to none before the one that from counts.
type rule struct {
	kind   string
	n      int
	from   int
	seen   int
	before func()
	fault  Fault
}

func (r *rule) isFor(entry *Request) bool {
	if r.kind == entry.Kind || r.kind == Any || r.kind == Write && entry.IsWrite() {
		r.seen++
		return r.seen >= r.from && (r.n == 0 || r.seen == r.n)
	}
	return false
}

// recorder keeps the requests, and the rules for those to come.
type recorder struct {
	mu         sync.Mutex
	requests   []*Request
	violations []string
	rules      []*rule
}

func (r *recorder) add(entry *Request) *Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.requests = append(r.requests, entry)
	return entry
}

func (r *recorder) violation(entry *Request, problem string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.violations = append(r.violations, entry.Kind+": "+problem+"\n"+indented(entry.Body))
}

// next runs what a test set to happen before a request, and returns the fault that replaces
// its answer, nil for none.
func (r *recorder) next(entry *Request) Fault {
	r.mu.Lock()
	var due []*rule
	for _, rule := range r.rules {
		if rule.isFor(entry) {
			due = append(due, rule)
		}
	}
	r.mu.Unlock()
	var fault Fault
	for _, rule := range due {
		if rule.before != nil {
			rule.before()
		}
		if rule.fault != nil && fault == nil {
			fault = rule.fault
		}
	}
	return fault
}

// Before has something done before the nth request of a kind, counted from now.
func (d *Double) Before(kind string, n int, do func()) {
	d.addRule(&rule{kind: kind, n: n, before: do})
}

// Fail answers the next requests of a kind with faults, one after the other.
func (d *Double) Fail(kind string, faults ...Fault) {
	for i, fault := range faults {
		d.addRule(&rule{kind: kind, n: i + 1, fault: fault})
	}
}

// FailFrom answers every request of a kind with a fault, from the nth on, as if the program
// had been killed there.
func (d *Double) FailFrom(kind string, n int, fault Fault) {
	d.addRule(&rule{kind: kind, from: n, fault: fault})
}

// Recover removes all rules and faults.
func (d *Double) Recover() {
	d.record.mu.Lock()
	defer d.record.mu.Unlock()
	d.record.rules = nil
}

func (d *Double) addRule(r *rule) {
	d.record.mu.Lock()
	defer d.record.mu.Unlock()
	d.record.rules = append(d.record.rules, r)
}

// Says is a fault that answers with a status, a message, and headers NAME, VALUE.
func Says(status int, message string, headers ...string) Fault {
	return func(w http.ResponseWriter, _ func(http.ResponseWriter)) {
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(refused(status, message).body)
	}
}

// The faults that GitHub is known for. Limits: docs, "Rate limits for the REST API".
var (
	// ReadOnly is the answer to a token without the permission.
	ReadOnly = Says(http.StatusForbidden, "Resource not accessible by integration")
	// NoRepository is the answer to a token that may not see the repository.
	NoRepository = Says(http.StatusNotFound, "Not Found")
	// Broken is GitHub out of order. It asks for no pause, so that tests have none.
	Broken = Says(http.StatusBadGateway, "Server Error", "Retry-After", "0")
)

// TooMany is the answer 429.
func TooMany(pause time.Duration) Fault {
	return Says(http.StatusTooManyRequests, "API rate limit exceeded for installation ID 1.", "Retry-After", seconds(pause))
}

// Secondary is the answer of the secondary rate limit.
func Secondary(pause time.Duration) Fault {
	return Says(http.StatusForbidden, "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.", "Retry-After", seconds(pause))
}

// Exhausted is the answer of the primary rate limit, which resets after a
// while.
func Exhausted(pause time.Duration) Fault {
	return func(w http.ResponseWriter, serve func(http.ResponseWriter)) {
		reset := strconv.FormatInt(time.Now().Add(pause).Unix(), 10)
		Says(http.StatusForbidden, "API rate limit exceeded for installation ID 1.",
			"X-RateLimit-Limit", "1000", "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", reset)(w, serve)
	}
}

// Cut ends the connection without an answer; nothing was done.
func Cut(http.ResponseWriter, func(http.ResponseWriter)) { panic(http.ErrAbortHandler) }

// Lost serves the request, and closes the connection without an answer.
func Lost(_ http.ResponseWriter, serve func(http.ResponseWriter)) {
	serve(&discard{http.Header{}})
	panic(http.ErrAbortHandler)
}

// discard is the writer for an answer that is lost.
type discard struct{ header http.Header }

func (d *discard) Header() http.Header            { return d.header }
func (d *discard) Write(part []byte) (int, error) { return len(part), nil }
func (d *discard) WriteHeader(int)                {}

func seconds(d time.Duration) string { return strconv.Itoa(int(d / time.Second)) }

// Requests returns the requests since Forget, in order.
func (d *Double) Requests() []*Request {
	d.record.mu.Lock()
	defer d.record.mu.Unlock()
	return slices.Clone(d.record.requests)
}

// Writes returns the requests that should change something.
func (d *Double) Writes() []*Request {
	return slices.DeleteFunc(d.Requests(), func(r *Request) bool { return !r.IsWrite() })
}

// Forget forgets the requests, but not their effects.
func (d *Double) Forget() {
	d.record.mu.Lock()
	defer d.record.mu.Unlock()
	d.record.requests = nil
}

// Violations are the requests that GitHub's descriptions do not allow, and answers
// of the double itself that they do not.
func (d *Double) Violations() []string {
	d.record.mu.Lock()
	defer d.record.mu.Unlock()
	return slices.Clone(d.record.violations)
}

// Saw returns the kinds of the requests that have a text.
func (d *Double) Saw(text string) []string {
	var kinds []string
	for _, r := range d.Requests() {
		if r.Has(text) {
			kinds = append(kinds, r.Kind)
		}
	}
	return kinds
}

// Has reports whether a request contains a text anywhere except in its Authorization
// header: in the address, another header, the body, or what the body holds in base64 or
// gzip.
func (r *Request) Has(text string) bool { return r.HasBeside("", text) }

// HasBeside is Has without the members of the body that have a name, "" for all members.
func (r *Request) HasBeside(member, text string) bool {
	address, err := url.QueryUnescape(r.URL)
	if err != nil {
		address = ""
	}
	all := []string{r.URL, address, r.Path, r.Query}
	for name, values := range r.Header {
		if name != "Authorization" {
			all = append(all, values...)
		}
	}
	var body any
	isJSON := json.Unmarshal(r.Body, &body) == nil
	if isJSON {
		all = append(all, texts(without(body, member))...)
	}
	if member == "" || !isJSON {
		all = append(all, string(r.Body))
	}
	return strings.Contains(strings.Join(all, "\n"), text)
}

// without returns a JSON value without its members of a name.
func without(value any, member string) any {
	switch value := value.(type) {
	case []any:
		for i := range value {
			value[i] = without(value[i], member)
		}
	case map[string]any:
		delete(value, member)
		for name := range value {
			value[name] = without(value[name], member)
		}
	}
	return value
}

// texts returns every text of a JSON value, as it is and unpacked.
func texts(value any) (found []string) {
	switch value := value.(type) {
	case string:
		found = append(found, value)
		if plain, err := base64.StdEncoding.DecodeString(value); err == nil {
			found = append(found, string(plain))
			if unzipped, err := gzip.NewReader(bytes.NewReader(plain)); err == nil {
				whole, _ := io.ReadAll(unzipped)
				found = append(found, string(whole))
			}
		}
	case []any:
		for _, item := range value {
			found = append(found, texts(item)...)
		}
	case map[string]any:
		for name, member := range value {
			found = append(append(found, name), texts(member)...)
		}
	}
	return found
}
