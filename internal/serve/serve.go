// Package serve sends answers over HTTP/1.1 to who asks for them: GET, HEAD and OPTIONS
// without a body, from memory. It knows nothing of what is answered.
package serve

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/mcplumb/mcplumb/internal/catalog"
)

// The limits of a request, in bytes, and of how many connections there are at once.
const (
	maxHead        = 16 << 10 // the request line and all headers
	maxTarget      = 4 << 10  // the path with its query
	maxConnections = 256
)

// headSlack is what net/http reads of a head beyond Server.MaxHeaderBytes.
const headSlack = 4 << 10

// How long a connection may be idle, take to send a request, to take an answer, and to end
// when the server does.
const (
	idleTime  = 30 * time.Second
	readTime  = 10 * time.Second
	writeTime = 30 * time.Second
	graceTime = time.Second
)

// Listener takes connections.
type Listener struct {
	net.Listener
	// Names are what it answers to in addition to localhost and addresses of this machine, in
	// lowercase. It answers to every name if other machines can reach it.
	Names []string
}

// IsAddress reports whether a text is HOST:PORT.
func IsAddress(text string) bool {
	_, _, err := net.SplitHostPort(text)
	return err == nil
}

// Listen opens an address, HOST:PORT. Its error says why that cannot be.
func Listen(ctx context.Context, address string) (*Listener, error) {
	var config net.ListenConfig
	network := "tcp"
	if host, _, _ := net.SplitHostPort(address); net.ParseIP(host).To4() != nil && !strings.Contains(host, ":") {
		network = "tcp4" // where 0.0.0.0 is not every address of IPv6 as well
	}
	l, err := config.Listen(ctx, network, address)
	if err != nil {
		var failed *net.OpError
		if errors.As(err, &failed) {
			err = failed.Err // who calls knows the address
		}
		return nil, err
	}
	return &Listener{Listener: l}, nil
}

// IsLoopback reports whether only this machine reaches the listener.
func (l *Listener) IsLoopback() bool {
	address, isTCP := l.Addr().(*net.TCPAddr)
	return isTCP && address.IP.IsLoopback()
}

// Run answers until the context ends, which is no error. answer is called by several
// goroutines at once.
func (l *Listener) Run(ctx context.Context, answer func(catalog.Request) catalog.Answer) error {
	d, g := newDoor(l.Listener), &guest{isOpen: !l.IsLoopback(), names: l.Names}
	s := &http.Server{
		Handler:                      g.handler(answer),
		ConnState:                    d.note,
		DisableGeneralOptionsHandler: true, // "OPTIONS *" is answered as any other OPTIONS
		MaxHeaderBytes:               maxHead - headSlack,
		ReadHeaderTimeout:            readTime,
		ReadTimeout:                  readTime,
		WriteTimeout:                 writeTime,
		IdleTimeout:                  idleTime,
	}
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(ended)
		end(s)
	})
	err := s.Serve(d)
	if stop() { // the listener failed: the context has not ended
		return errors.Join(err, s.Close())
	}
	<-ended
	return nil
}

// end lets connections send the answers that they have begun, and nothing else.
func end(s *http.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), graceTime)
	defer cancel()
	if s.Shutdown(ctx) != nil {
		_ = s.Close() // cuts off clients that are slow
	}
}

// handler sends what answer returns. It routes nothing by itself: a path is answered as it
// was sent, with its escapes, dots and doubled slashes.
func (g *guest) handler(answer func(catalog.Request) catalog.Answer) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		g.allow(w.Header(), r.Header.Get("Origin"))
		if r.ContentLength != 0 {
			// The body of a request is not read. Without a deadline in the past, net/http would
			// wait for the rest of it before it closes the connection.
			w.Header().Set("Connection", "close")
			_ = http.NewResponseController(w).SetReadDeadline(time.Now())
		}
		query, err := url.ParseQuery(r.URL.RawQuery)
		refused := g.refusal(r)
		switch {
		case r.ProtoMajor != 1: // the preface of HTTP/2, which net/http lets through
			refuse(w, http.StatusHTTPVersionNotSupported, "")
		case refused != 0:
			refuse(w, refused, ": only names of this machine are answered to, and pages of it; catalog serve --host adds one")
		case len(r.RequestURI) > maxTarget:
			refuse(w, http.StatusRequestURITooLong, "")
		case err != nil:
			refuse(w, http.StatusBadRequest, "")
		default:
			send(w, answer(catalog.Request{Method: r.Method, Path: r.URL.EscapedPath(), Query: query, IfNoneMatch: r.Header.Get("If-None-Match"), Address: addressOf(r)}))
		}
	}
}

// addressOf returns the address that a request was sent to, as who asks has it: a server in front
// of this one may have another scheme.
func addressOf(r *http.Request) string {
	scheme := "http"
	if r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	return scheme + "://" + r.Host
}

// refuse answers a request that the catalog does not accept, with a clause about it, and ends
// the connection.
func refuse(w http.ResponseWriter, status int, why string) {
	w.Header().Set("Connection", "close")
	send(w, catalog.Answer{
		Status:  status,
		Headers: []catalog.Header{{Name: "Content-Type", Value: "text/plain; charset=utf-8"}},
		Body:    []byte(http.StatusText(status) + why + "\n"),
	})
}

// send writes an answer. Of one to HEAD, net/http leaves out the body.
func send(w http.ResponseWriter, a catalog.Answer) {
	for _, h := range a.Headers {
		w.Header().Add(h.Name, h.Value)
	}
	if a.Status == http.StatusNoContent || a.Status == http.StatusNotModified {
		w.WriteHeader(a.Status)
		return
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(a.Body)))
	w.WriteHeader(a.Status)
	_, _ = w.Write(a.Body) // an error says that the client has gone
}
