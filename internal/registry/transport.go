package registry

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"
)

// Limits of what is asked and of what is taken.
const (
	// maxAtOnce and maxOfHost are how many requests run at the same time, in all and to
	// one host, maxOfForeign to one that only the repository names.
	maxAtOnce, maxOfHost, maxOfForeign = 8, 4, 2
	// maxBody is the size of the longest answer, in bytes. The packument of a package
	// with thousands of versions has some tens of megabytes. maxForeign is that of a host
	// that the repository names and its user does not, maxManifest that of a registry of
	// images (Distribution Specification 1.1, "Pushing Manifests").
	maxBody, maxForeign, maxManifest = 64 << 20, 8 << 20, 4 << 20
	// maxHeader is the size of the longest head of an answer, in bytes.
	maxHeader = 1 << 20
	// maxTries is how often a request is sent that is answered by a failure which may pass.
	maxTries = 3
	// maxPause is the longest pause that a registry may ask for before the next try.
	maxPause = 30 * time.Second
	// maxRedirects is how often an answer may point elsewhere.
	maxRedirects = 5
)

// Timeouts say how long a registry has.
type Timeouts struct {
	// Connect is for the connection and for its encryption, Answer for the first byte of
	// an answer, Whole for all of it.
	Connect, Answer, Whole time.Duration
}

// usualTimeouts are those of a registry on the other side of the world on a bad day.
var usualTimeouts = Timeouts{Connect: 10 * time.Second, Answer: 15 * time.Second, Whole: 60 * time.Second}

// transport sends requests within the limits, and tries again what may pass.
type transport struct {
	client *http.Client
	whole  time.Duration
	// wait waits for a pause between two tries.
	wait func(context.Context, time.Duration) error
	slot chan struct{}

	guard sync.Mutex
	hosts map[string]*asked
	// silent counts the hosts that are.
	silent int
}

// asked is what is known of a host that is asked.
type asked struct {
	slot chan struct{}
	// silent is why it is no longer asked, nil while it answers; isAsked reports that it was
	// asked once.
	silent  error
	isAsked bool
}

func newTransport(times Timeouts, wait func(context.Context, time.Duration) error, proxy Proxy) *transport {
	dialer := &net.Dialer{Timeout: times.Connect}
	return &transport{
		client: &http.Client{
			Transport: &http.Transport{
				Proxy: proxied(proxy), OnProxyConnectResponse: judgeProxy,
				DialContext: dialer.DialContext, ForceAttemptHTTP2: true,
				TLSHandshakeTimeout: times.Connect, ResponseHeaderTimeout: times.Answer, MaxResponseHeaderBytes: maxHeader,
				MaxIdleConnsPerHost: maxOfHost, IdleConnTimeout: 30 * time.Second,
			},
			CheckRedirect: checkRedirect,
		},
		whole: times.Whole, wait: wait, slot: make(chan struct{}, maxAtOnce), hosts: map[string]*asked{},
	}
}

// Proxy returns the proxy that a request to an address goes through, nil for none.
type Proxy = func(*url.URL) (*url.URL, error)

// proxied returns how the transport asks for a proxy.
func proxied(proxy Proxy) func(*http.Request) (*url.URL, error) {
	if proxy == nil {
		return nil
	}
	return func(r *http.Request) (*url.URL, error) { return proxy(r.URL) }
}

// ProxyOfEnvironment is the one that the environment names: HTTPS_PROXY and HTTP_PROXY, but
// NO_PROXY, in small letters, too. It remembers what it has read.
func ProxyOfEnvironment(to *url.URL) (*url.URL, error) {
	return http.ProxyFromEnvironment(&http.Request{URL: to})
}

// judgeProxy says that a proxy does not let through to a registry.
func judgeProxy(_ context.Context, proxy *url.URL, _ *http.Request, response *http.Response) error {
	if response.StatusCode == http.StatusOK {
		return nil
	}
	return refused(fmt.Sprintf("the proxy %s refuses access (%d)", proxy.Host, response.StatusCode))
}

// refused is why a request is not made, in words that can be shown as they are.
type refused string

func (r refused) Error() string { return string(r) }

// staysOnHost marks the context of requests that no other host may answer.
type staysOnHost struct{}

// checkRedirect follows an answer that points elsewhere, but never from an encrypted
// connection to one that is not, and never with a token to another host.
func checkRedirect(next *http.Request, before []*http.Request) error {
	first := before[0]
	switch {
	case len(before) > maxRedirects:
		return refused("the answer redirects too often")
	case before[len(before)-1].URL.Scheme == "https" && next.URL.Scheme != "https":
		return refused("the answer points to a place without encryption")
	case next.URL.Scheme != "https" && next.URL.Scheme != "http":
		return refused("the answer points to what is no web address")
	}
	if next.URL.Host != first.URL.Host {
		if next.Context().Value(staysOnHost{}) != nil {
			return refused("its answer points to another host, which mcplumb does not query")
		}
		next.Header.Del("Authorization")
		next.Header.Del(keyHeader)
	}
	next.Header.Del("Referer") // it would tell the other host what is private here
	return nil
}

// answer is what a registry said.
type answer struct {
	status int
	header http.Header
	body   []byte
	// url is who answered in the end.
	url *url.URL
}

// send sends a request that may be sent again, and returns the answer with any status, of at
// most so many bytes. An error says that there was none, in words without address and token.
func (t *transport) send(ctx context.Context, request *http.Request, most int) (*answer, error) {
	h := t.host(request.URL.Host, most)
	if err := t.enter(ctx, h); err != nil {
		return nil, err
	}
	defer func() { <-t.slot; <-h.slot }()
	if err := t.silence(h); err != nil {
		return nil, err
	}
	for try := 1; ; try++ {
		a, err := t.once(ctx, request, most)
		if err != nil && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		pause, again := pauseAfter(a, try)
		if err != nil && mayPass(err) {
			pause, again = usualPause(try), true
		}
		if !again || try == maxTries {
			return t.settle(h, a, err)
		}
		if err := t.wait(ctx, pause); err != nil {
			return nil, err
		}
	}
}

// settle makes an error of an answer that says nothing but that the registry cannot
// answer, and remembers a host that is silent: what else is asked of it would wait as
// long again.
func (t *transport) settle(h *asked, a *answer, err error) (*answer, error) {
	switch {
	case errors.As(err, new(refused)):
		return nil, refused(plainly(err)) // it does answer, and may answer something else
	case err != nil:
		err = refused(plainly(err))
	case a.status == http.StatusTooManyRequests:
		err = refused("it received too many requests (429)")
	case a.status >= http.StatusInternalServerError:
		err = refused(fmt.Sprintf("it cannot answer now (%d)", a.status))
	default:
		return a, nil
	}
	t.guard.Lock()
	defer t.guard.Unlock()
	if h.silent == nil {
		h.silent = err
		t.silent++
	}
	return nil, h.silent
}

// maxSilent is how many hosts may be silent before no further one is asked: each costs time,
// and an image can name any host.
const maxSilent = 20

// errSilent says that so many are.
var errSilent = errors.New("too many registries do not answer, so mcplumb queries no others")

// silence returns why a host is not asked, nil where it is.
func (t *transport) silence(h *asked) error {
	t.guard.Lock()
	defer t.guard.Unlock()
	if h.silent == nil && !h.isAsked && t.silent >= maxSilent {
		return errSilent
	}
	h.isAsked = true
	return h.silent
}

// host returns what is known of a host whose longest answer has so many bytes.
func (t *transport) host(name string, most int) *asked {
	t.guard.Lock()
	defer t.guard.Unlock()
	if t.hosts[name] == nil {
		atOnce := maxOfHost
		if most < maxBody {
			atOnce = maxOfForeign
		}
		t.hosts[name] = &asked{slot: make(chan struct{}, atOnce)}
	}
	return t.hosts[name]
}

// enter waits for its turn: first with the host, so that a slow one does not take the
// places of others.
func (t *transport) enter(ctx context.Context, h *asked) error {
	select {
	case h.slot <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case t.slot <- struct{}{}:
		return nil
	case <-ctx.Done():
		<-h.slot
		return ctx.Err()
	}
}

// once sends a request once.
func (t *transport) once(ctx context.Context, request *http.Request, most int) (*answer, error) {
	ctx, cancel := context.WithTimeout(ctx, t.whole)
	defer cancel()
	sent := request.Clone(ctx)
	if request.GetBody != nil {
		body, err := request.GetBody()
		if err != nil {
			return nil, err
		}
		sent.Body = body
	}
	response, err := t.client.Do(sent)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }() // the rest is no longer needed
	body, err := io.ReadAll(io.LimitReader(response.Body, int64(most)+1))
	switch {
	case err != nil:
		return nil, err
	case len(body) > most:
		return nil, refused(fmt.Sprintf("its answer is longer than %d MB", most>>20))
	}
	return &answer{response.StatusCode, response.Header, body, response.Request.URL}, nil
}

// mayPass reports that another try may do better: a connection was refused or broke.
// Who does not answer in time would take the same time again.
func mayPass(err error) bool {
	var dns *net.DNSError
	if errors.As(err, &dns) {
		return !dns.IsNotFound
	}
	var timed net.Error
	if errors.As(err, &timed) && timed.Timeout() {
		return false
	}
	var op *net.OpError
	return errors.As(err, &op) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// plainly says what failed without the address, which may hold a password, and without the
// words of the server, which may hold anything.
func plainly(err error) string {
	var timed net.Error
	var known refused
	var name *net.DNSError
	var op *net.OpError
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.As(err, &known):
		return known.Error()
	case errors.As(err, &name) && name.IsNotFound:
		return "no host has this name"
	case errors.As(err, &name):
		return "its name cannot be looked up now"
	case errors.As(err, &timed) && timed.Timeout(), errors.Is(err, context.DeadlineExceeded):
		return "it does not answer in time"
	case errors.As(err, &op) && op.Op == "proxyconnect":
		return "the proxy in between: " + plainly(op.Err)
	case errors.As(err, &certificate):
		return distrust(certificate.Err)
	case errors.Is(err, http.ErrSchemeMismatch):
		return "it answers without encryption"
	case errors.As(err, &op):
		return op.Err.Error() // of the system
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "the connection ends before the answer does"
	}
	return "it does not answer as a web server does"
}

// distrust says what is wrong with a certificate, which may have any words in it.
func distrust(err error) string {
	var other x509.HostnameError
	var unknown x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, &other):
		return "its certificate is that of another host"
	case errors.As(err, &unknown):
		return "its certificate is signed by an unknown authority"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "its certificate has expired, or is not valid yet"
	}
	return "its certificate is not one that this machine accepts"
}

// usualPause grows with each try.
func usualPause(try int) time.Duration { return time.Duration(try*try) * 500 * time.Millisecond }

// pauseAfter returns how long to wait before the next try, and whether one makes sense.
// GitHub's registry says with 403 that too much was asked (docs: "Rate limits for the
// REST API"), and then how long to wait.
func pauseAfter(a *answer, try int) (pause time.Duration, again bool) {
	if a == nil {
		return 0, false
	}
	asked, isAsked := retryAfter(a.header)
	switch {
	case a.status == http.StatusTooManyRequests, a.status >= http.StatusInternalServerError:
	case a.status == http.StatusForbidden && isAsked:
	default:
		return 0, false
	}
	if isAsked {
		return asked, asked <= maxPause
	}
	return usualPause(try), true
}

// retryAfter returns how long a registry asks to wait: seconds, or a date by its own
// clock (RFC 9110, 10.2.3).
func retryAfter(header http.Header) (time.Duration, bool) {
	text := header.Get("Retry-After")
	if seconds, err := strconv.Atoi(text); err == nil {
		const day = 24 * 60 * 60
		return time.Duration(min(max(seconds, 0), day)) * time.Second, true
	}
	until, err := http.ParseTime(text)
	now, noClock := http.ParseTime(header.Get("Date"))
	if err != nil || noClock != nil {
		return 0, false
	}
	return max(until.Sub(now), 0), true
}
