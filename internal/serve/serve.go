// Package serve sends answers over HTTP/1.1 to who asks for them: GET, HEAD and OPTIONS
// without a body, from memory. It knows nothing of what is answered.
//
// The server of net/http would make the program 0.4 MB bigger, most of it for HTTP/2, which
// is more than there is room for. Its parser of requests is used here; what is left of a
// server that takes no body and sends whole answers is small.
package serve

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/mcplumb/mcplumb/internal/catalog"
)

// The limits of a request, in bytes, and of how many connections there are at once.
const (
	maxHead        = 16 << 10 // the request line and all headers
	maxTarget      = 4 << 10  // the path with its query
	maxConnections = 256
)

// How long a connection may be idle, take to send a request, to take an answer, and to end
// when the server does.
const (
	idleTime  = 30 * time.Second
	readTime  = 10 * time.Second
	writeTime = 30 * time.Second
	graceTime = time.Second
)

// Listener takes connections.
type Listener struct{ net.Listener }

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
	return &Listener{l}, nil
}

// IsLoopback reports whether nobody but this machine reaches the listener.
func (l *Listener) IsLoopback() bool {
	address, isTCP := l.Addr().(*net.TCPAddr)
	return isTCP && address.IP.IsLoopback()
}

// Run answers until the context ends, which is no error. answer is called by several
// goroutines at once.
func (l *Listener) Run(ctx context.Context, answer func(catalog.Request) catalog.Answer) error {
	s := &server{answer: answer, open: map[net.Conn]bool{}}
	defer s.running.Wait()
	defer context.AfterFunc(ctx, func() { _ = l.Close(); s.end() })()
	slots := make(chan struct{}, maxConnections)
	for {
		slots <- struct{}{}
		connection, err := l.Accept()
		if ctx.Err() != nil {
			if err == nil {
				_ = connection.Close()
			}
			return nil
		}
		if err != nil {
			s.end()
			return err
		}
		s.begin(connection)
		go func() {
			defer func() { <-slots }()
			defer s.done(connection)
			s.converse(connection)
		}()
	}
}

// server are the connections that are open.
type server struct {
	answer  func(catalog.Request) catalog.Answer
	running sync.WaitGroup

	mu      sync.Mutex
	open    map[net.Conn]bool
	isEnded bool
}

func (s *server) begin(c net.Conn) {
	s.running.Add(1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[c] = true
}

func (s *server) done(c net.Conn) {
	_ = c.Close()
	s.mu.Lock()
	delete(s.open, c)
	s.mu.Unlock()
	s.running.Done()
}

// end lets open connections send the answers that they have begun, and no more.
func (s *server) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.isEnded = true
	for c := range s.open {
		_ = c.SetReadDeadline(time.Now())
		_ = c.SetWriteDeadline(time.Now().Add(graceTime))
	}
}

// wait sets until when a connection may do something. It returns false where the server
// has ended.
func (s *server) wait(set func(time.Time) error, atMost time.Duration) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.isEnded && set(time.Now().Add(atMost)) == nil
}

// converse answers the requests of one connection, one after the other.
func (s *server) converse(c net.Conn) {
	limited := &io.LimitedReader{R: c}
	in := bufio.NewReader(limited)
	for {
		limited.N = maxHead
		if !s.wait(c.SetReadDeadline, idleTime) {
			return
		}
		if _, err := in.Peek(1); err != nil {
			return // it is gone, or has been idle
		}
		if !s.wait(c.SetReadDeadline, readTime) {
			return
		}
		r, err := http.ReadRequest(in)
		reply := s.reply(r, err, limited.N <= 0)
		if reply == nil || !s.wait(c.SetWriteDeadline, writeTime) {
			return
		}
		if _, err := c.Write(reply.bytes(time.Now())); err != nil || reply.isLast {
			return
		}
	}
}

// reply returns what to send for a request that was read, or could not be; nil where there
// is nobody to send it to.
func (s *server) reply(r *http.Request, err error, isTooBig bool) *reply {
	var network *net.OpError
	switch {
	case err != nil && isTooBig:
		return refuse(http.StatusRequestHeaderFieldsTooLarge)
	case errors.As(err, &network), errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return refuse(http.StatusBadRequest)
	case r.ProtoMajor != 1:
		return refuse(http.StatusHTTPVersionNotSupported)
	case r.ProtoMinor > 0 && r.Host == "" || hasWrongName(r.Header):
		return refuse(http.StatusBadRequest)
	case len(r.RequestURI) > maxTarget:
		return refuse(http.StatusRequestURITooLong)
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return refuse(http.StatusBadRequest)
	}
	a := s.answer(catalog.Request{Method: r.Method, Path: r.URL.EscapedPath(), Query: query, IfNoneMatch: r.Header.Get("If-None-Match")})
	// Nobody reads the body of a request, so that there is no next one behind it.
	hasBody := r.ContentLength != 0 || len(r.TransferEncoding) > 0
	return &reply{answer: a, isHead: r.Method == http.MethodHead, isLast: r.Close || hasBody || r.ProtoMinor == 0}
}

// hasWrongName reports whether there is a header that another server would see as none:
// the parser takes names with spaces.
func hasWrongName(all http.Header) bool {
	for name := range all {
		if strings.ContainsAny(name, " \t") {
			return true
		}
	}
	return false
}
