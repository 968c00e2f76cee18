package serve_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/catalog"
	"github.com/mcplumb/mcplumb/internal/serve"
)

// start serves answers on loopback until the test ends, and returns its address.
func start(t testing.TB, answer func(catalog.Request) catalog.Answer) string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	l, err := serve.Listen(ctx, "127.0.0.1:0")
	require.NoError(t, err)
	require.True(t, l.IsLoopback())
	l.Names = []string{"x"}
	ended := make(chan error)
	go func() { ended <- l.Run(ctx, answer) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-ended)
	})
	return l.Addr().String()
}

// listening is a listener at an address.
type listening struct {
	net.Listener
	address net.Addr
}

func (l listening) Addr() net.Addr { return l.address }

// TestIsLoopback: only an address of this machine itself is reached from nowhere else.
func TestIsLoopback(t *testing.T) {
	for address, want := range map[net.Addr]bool{
		&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}:   true,
		&net.TCPAddr{IP: net.IPv4(127, 9, 9, 9)}:   true,
		&net.TCPAddr{IP: net.IPv6loopback}:         true,
		&net.TCPAddr{IP: net.IPv4zero}:             false,
		&net.TCPAddr{IP: net.IPv6zero}:             false,
		&net.TCPAddr{}:                             false,
		&net.TCPAddr{IP: net.IPv4(192, 168, 0, 1)}: false,
		&net.UnixAddr{Name: "/run/catalog"}:        false,
	} {
		l := &serve.Listener{Listener: listening{address: address}}
		require.Equal(t, want, l.IsLoopback(), address)
	}
}

// echo answers with what it was asked.
func echo(r catalog.Request) catalog.Answer {
	return catalog.Answer{Status: 200, Headers: []catalog.Header{{Name: "Content-Type", Value: "text/plain"}},
		Body: fmt.Appendf(nil, "%s %s q=%s tag=%s", r.Method, r.Path, r.Query.Get("q"), r.IfNoneMatch)}
}

// TestAnswers sends what the handler says, to Go's own client.
func TestAnswers(t *testing.T) {
	address := "http://" + start(t, echo)
	get := func(method, path string) (*http.Response, string) {
		r, err := http.NewRequest(method, address+path, nil)
		require.NoError(t, err)
		r.Header.Set("If-None-Match", `"a"`)
		response, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		return response, string(body)
	}
	for _, path := range []string{"/", "/a%2Fb/c", "/%E2%82%AC", "/a//b/../c"} {
		response, body := get("GET", path+"?q=x%26y")
		require.Equal(t, 200, response.StatusCode)
		require.Equal(t, "text/plain", response.Header.Get("Content-Type"))
		require.NotEmpty(t, response.Header.Get("Date"))
		require.Equal(t, `GET `+path+` q=x&y tag="a"`, body)
	}
	response, body := get("HEAD", "/x")
	require.Empty(t, body)
	require.Equal(t, int64(len(`HEAD /x q= tag="a"`)), response.ContentLength)
}

// TestStatuses without a body have none, and the connection goes on behind them.
func TestStatuses(t *testing.T) {
	address := start(t, func(r catalog.Request) catalog.Answer {
		return catalog.Answer{Status: map[string]int{"/204": 204, "/304": 304, "/302": 302}[r.Path], Headers: []catalog.Header{{Name: "X", Value: "a\r\nSet-Cookie: b"}}}
	})
	said := send(t, address, "GET /204 HTTP/1.1\r\nHost: x\r\n\r\nGET /304 HTTP/1.1\r\nHost: x\r\n\r\nGET /302 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
	require.Equal(t, []string{"HTTP/1.1 204 No Content", "HTTP/1.1 304 Not Modified", "HTTP/1.1 302 Found"}, statuses(said))
	require.Equal(t, 1, strings.Count(said, "Content-Length"))
	require.NotContains(t, said, "\nSet-Cookie", "a value cannot end its header")
}

// TestRefuses what is no request, is too big, or has what is not read; nothing behind it
// is taken for another one.
func TestRefuses(t *testing.T) {
	address := start(t, echo)
	const more = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n"
	for name, test := range map[string]struct{ request, want string }{
		"nonsense":         {"hello\r\n\r\n", "HTTP/1.1 400 Bad Request"},
		"no host":          {"GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 400 Bad Request: missing required Host header"},
		"a wrong escape":   {"GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n", "HTTP/1.1 400 Bad Request"},
		"a wrong query":    {"GET /?q=%zz HTTP/1.1\r\nHost: x\r\n\r\n", "HTTP/1.1 400 Bad Request"},
		"no header":        {"GET / HTTP/1.1\r\nHost: x\r\nX Y: z\r\n\r\n", "HTTP/1.1 400 Bad Request: invalid header name"},
		"two lengths":      {"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "HTTP/1.1 400 Bad Request"},
		"HTTP/2":           {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "HTTP/1.1 505 HTTP Version Not Supported"},
		"a long URL":       {"GET /" + strings.Repeat("a", 5<<10) + " HTTP/1.1\r\nHost: x\r\n\r\n", "HTTP/1.1 414 Request URI Too Long"},
		"many headers":     {"GET / HTTP/1.1\r\nHost: x\r\n" + strings.Repeat("X-Y: z\r\n", 4<<10), "HTTP/1.1 431 Request Header Fields Too Large"},
		"a long header":    {"GET / HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("y", 17<<10), "HTTP/1.1 431 Request Header Fields Too Large"},
		"a body":           {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 37\r\n\r\n" + more, "HTTP/1.1 200 OK"},
		"a body in chunks": {"GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + more, "HTTP/1.1 200 OK"},
		"HTTP/1.0":         {"GET / HTTP/1.0\r\n\r\n" + more, "HTTP/1.0 200 OK"},
	} {
		t.Run(name, func(t *testing.T) {
			said := send(t, address, test.request)
			require.Equal(t, []string{test.want}, statuses(said))
			require.True(t, strings.Contains(said, "Connection: close\r\n") || strings.HasPrefix(said, "HTTP/1.0 "), "a client of HTTP/1.0 expects nothing else")
			require.NotContains(t, said, "smuggled")
		})
	}
}

// asked returns what a server at an address answers under a host's name to a page of an origin.
func asked(t *testing.T, address, host, origin, path string) *http.Response {
	t.Helper()
	r, err := http.NewRequest("GET", "http://"+address+path, nil)
	require.NoError(t, err)
	r.Host = host
	if origin != "" {
		r.Header.Set("Origin", origin)
	}
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response
}

// TestNames: a server that only this machine can reach answers under the machine's names, and
// only pages of these may read the answer. A page of another site gets nothing, even under a
// name of its own that resolves to this machine.
func TestNames(t *testing.T) {
	address := start(t, echo)
	_, port, err := net.SplitHostPort(address)
	require.NoError(t, err)
	for _, test := range []struct {
		host, origin string
		status       int
		mayRead      bool
	}{
		{address, "", 200, false},
		{"localhost:" + port, "", 200, false},
		{"LOCALHOST.", "", 200, false},
		{"127.9.9.9", "", 200, false},
		{"[::1]:80", "", 200, false},
		{"x", "", 200, false}, // which the listener is called
		{"tools.localhost", "http://tools.localhost:3000", 200, true},
		{address, "http://localhost:5173", 200, true},
		{address, "https://127.0.0.1", 200, true},
		{address, "http://[::1]:3000", 200, true},
		{address, "https://x", 200, true},
		{"evil.example:" + port, "", 421, false},
		{"evil.example", "http://evil.example", 421, false},
		{"localhost.evil.example", "", 421, false},
		{"evil-localhost", "", 421, false},
		{"127.0.0.1.nip.io", "", 421, false},
		{"0.0.0.0:" + port, "", 421, false},
		{"192.168.0.1", "", 421, false},
		{address, "https://evil.example", 403, false},
		{address, "null", 403, false},
		{address, "https://localhost.evil.example", 403, false},
		{address, "https://localhost@evil.example", 403, false},
		{address, "file://", 403, false},
		{address, "chrome-extension://localhost", 403, false},
	} {
		for _, path := range []string{"/", "/?q=%zz", "/" + strings.Repeat("a", 5<<10)} {
			response := asked(t, address, test.host, test.origin, path)
			switch {
			case test.status != 200, path == "/":
				require.Equal(t, test.status, response.StatusCode, "%s from %s", test.host, test.origin)
			default: // a page may read why its request was refused
				require.Contains(t, []int{400, 414}, response.StatusCode)
			}
			want := ""
			if test.mayRead {
				want = test.origin
			}
			require.Equal(t, want, response.Header.Get("Access-Control-Allow-Origin"), "%s from %s", test.host, test.origin)
			require.Equal(t, "Origin", response.Header.Get("Vary"))
		}
	}
	require.Equal(t, []string{"HTTP/1.1 421 Misdirected Request"}, statuses(send(t, address, "GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n")))
	require.Contains(t, send(t, address, "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"), "only names of this machine are answered to, and pages of it; catalog serve --host adds one\n")
}

// TestNamesOf checks the names of an address and of the proxies in front of it.
func TestNamesOf(t *testing.T) {
	require.Equal(t, []string{"127.0.0.1", "catalog.acme.dev", "::1"}, serve.NamesOf("127.0.0.1:8787", []string{"Catalog.acme.dev.", "[::1]:443", ""}))
	require.Empty(t, serve.NamesOf(":8787", nil))
}

// TestOpen: who listens where others reach it answers under every name, and to every page.
func TestOpen(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	l, err := serve.Listen(ctx, "127.0.0.1:0")
	require.NoError(t, err)
	open := &serve.Listener{Listener: listening{l.Listener, &net.TCPAddr{IP: net.IPv4zero}}}
	ended := make(chan error)
	go func() { ended <- open.Run(ctx, echo) }()
	for _, path := range []string{"/", "/?q=%zz"} {
		response := asked(t, l.Addr().String(), "catalog.acme.dev", "https://acme.dev", path)
		require.Equal(t, path == "/", response.StatusCode == 200)
		require.Equal(t, "*", response.Header.Get("Access-Control-Allow-Origin"))
	}
	cancel()
	require.NoError(t, <-ended)
}

// TestOptions answers for the server as a whole as for a path.
func TestOptions(t *testing.T) {
	address := start(t, echo)
	require.Contains(t, send(t, address, "OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"), "\r\n\r\nOPTIONS * q= tag=")
}

// send sends bytes, and returns all that comes back until the other side ends.
func send(t *testing.T, address, request string) string {
	t.Helper()
	c, err := net.Dial("tcp", address)
	require.NoError(t, err)
	defer func() { _ = c.Close() }()
	go func() { _, _ = io.WriteString(c, request) }()
	said, _ := io.ReadAll(c) // unread data may end it with a reset
	return string(said)
}

// statuses are the first lines of replies.
func statuses(said string) (all []string) {
	for line := range strings.Lines(said) {
		if strings.HasPrefix(line, "HTTP/1.") {
			all = append(all, strings.TrimSpace(line))
		}
	}
	return all
}

// TestEnds holds that the server ends with its context, although some are connected who
// say nothing, or not all that they have begun to say.
func TestEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	l, err := serve.Listen(ctx, "127.0.0.1:0")
	require.NoError(t, err)
	ended := make(chan error)
	go func() { ended <- l.Run(ctx, echo) }()
	for _, said := range []string{"", "GET / HTTP/1.1\r\nHo", "GET / HTTP/1.1\r\nHost: x\r\n\r\n"} {
		c, err := net.Dial("tcp", l.Addr().String())
		require.NoError(t, err)
		t.Cleanup(func() { _ = c.Close() })
		_, err = io.WriteString(c, said)
		require.NoError(t, err)
		if strings.HasSuffix(said, "\r\n\r\n") {
			_, err = bufio.NewReader(c).ReadString('\n')
			require.NoError(t, err)
		}
	}
	cancel()
	require.NoError(t, <-ended)
	_, err = net.Dial("tcp", l.Addr().String())
	require.Error(t, err)
}

// pipes is a listener whose connections are in memory, so that time is that of a test.
type pipes struct {
	net.Listener
	connections chan net.Conn
	closed      chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.connections:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipes"} }

func (p *pipes) Close() error {
	close(p.closed)
	return nil
}

// watched is a connection that says when it is closed.
type watched struct {
	net.Conn
	closed context.CancelFunc
}

func (w watched) Close() error {
	defer w.closed()
	return w.Conn.Close()
}

// TestSlow cuts off slow clients, in any part of a request.
func TestSlow(t *testing.T) {
	const request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
	for name, test := range map[string]struct {
		client func(net.Conn)
		want   time.Duration
	}{
		"says nothing": {func(net.Conn) {}, 10 * time.Second},
		"says a byte in a second": {func(c net.Conn) {
			go func() { _, _ = io.Copy(io.Discard, c) }()
			for i := range request {
				if _, err := io.WriteString(c, request[i:i+1]); err != nil {
					return
				}
				time.Sleep(time.Second) // of the bubble's time, which passes at once
			}
		}, 10 * time.Second},
		"keeps back a body": {func(c net.Conn) {
			_, _ = io.WriteString(c, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n")
			_, _ = io.Copy(io.Discard, c)
		}, 0},
		"reads nothing":     {func(c net.Conn) { _, _ = io.WriteString(c, request) }, 30 * time.Second},
		"asks nothing else": {func(c net.Conn) { _, _ = io.WriteString(c, request); _, _ = io.Copy(io.Discard, c) }, 30 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &pipes{connections: make(chan net.Conn), closed: make(chan struct{})}
				ctx, cancel := context.WithCancel(t.Context())
				ended := make(chan error)
				go func() { ended <- (&serve.Listener{Listener: p}).Run(ctx, echo) }()
				client, server := net.Pipe()
				closed, setClosed := context.WithCancel(t.Context())
				begin := time.Now()
				p.connections <- watched{server, setClosed}
				var running sync.WaitGroup
				running.Go(func() { test.client(client) })
				<-closed.Done()
				// net/http may wait half a second for the client to read an answer (Go 1.26.11).
				require.InDelta(t, test.want, time.Since(begin), float64(500*time.Millisecond))
				running.Wait()
				cancel()
				require.NoError(t, <-ended)
			})
		})
	}
}

// TestManyAtOnce asks from more connections than are answered at once.
func TestManyAtOnce(t *testing.T) {
	address := start(t, echo)
	var all sync.WaitGroup
	failed := make(chan error, 600)
	for range 600 {
		all.Go(func() {
			client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
			response, err := client.Get("http://" + address + "/")
			if err == nil {
				_ = response.Body.Close()
			}
			failed <- err
		})
	}
	all.Wait()
	for range 600 {
		require.NoError(t, <-failed)
	}
}

// from is a connection of a peer.
type from struct {
	net.Conn
	peer net.Addr
}

func (f from) RemoteAddr() net.Addr { return f.peer }

// crowd is a server in the time of a test, and what connects to it.
type crowd struct {
	t *testing.T
	p *pipes
}

// connect connects a peer, "" for this machine, which asks once if it says so. It returns what
// is closed when the server ends the connection.
func (c *crowd) connect(peer string, asks bool) (client net.Conn, ended <-chan struct{}) {
	c.t.Helper()
	client, server := net.Pipe()
	of := net.Addr(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if peer != "" {
		of = &net.TCPAddr{IP: net.ParseIP(peer)}
	}
	done := make(chan struct{})
	select {
	case c.p.connections <- from{server, of}:
	case <-time.After(time.Minute):
		c.t.Fatal("the server no longer accepts connections")
	}
	go func() {
		defer close(done)
		if asks {
			_, _ = io.WriteString(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		}
		_, _ = io.Copy(io.Discard, client)
	}()
	synctest.Wait()
	return client, done
}

// answered reports whether who connects gets an answer, and after how long.
func (c *crowd) answered(peer string) (isAnswered bool, after time.Duration) {
	c.t.Helper()
	begin := time.Now()
	client, server := net.Pipe()
	go func() { c.p.connections <- from{server, &net.TCPAddr{IP: net.ParseIP(peer)}} }()
	go func() { _, _ = io.WriteString(client, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n") }()
	said, _ := io.ReadAll(client)
	return strings.HasPrefix(string(said), "HTTP/1.1 200"), time.Since(begin)
}

// isOver reports whether the server has ended a connection.
func isOver(ended <-chan struct{}) bool {
	synctest.Wait()
	select {
	case <-ended:
		return true
	default:
		return false
	}
}

// inCrowd runs a test with a server that others reach.
func inCrowd(t *testing.T, test func(t *testing.T, c *crowd)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p := &pipes{connections: make(chan net.Conn), closed: make(chan struct{})}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- (&serve.Listener{Listener: p}).Run(ctx, echo) }()
		test(t, &crowd{t, p})
		cancel()
		require.NoError(t, <-ended)
	})
}

// TestIdleMakeRoom: connections that are idle, or have never sent anything, hold up no other
// client, even if one client has opened as many as possible.
func TestIdleMakeRoom(t *testing.T) {
	for name, test := range map[string]struct {
		asks bool
		most time.Duration
	}{"idle": {true, 0}, "silent": {false, 2 * time.Second}} {
		t.Run(name, func(t *testing.T) {
			inCrowd(t, func(t *testing.T, c *crowd) {
				var all []<-chan struct{}
				for range 256 {
					_, ended := c.connect("", test.asks)
					all = append(all, ended)
					time.Sleep(time.Millisecond)
				}
				isAnswered, after := c.answered("192.0.2.1")
				require.True(t, isAnswered)
				require.LessOrEqual(t, after, test.most)
				over := 0
				for _, ended := range all {
					if isOver(ended) {
						over++
					}
				}
				require.Equal(t, 1, over, "only as many as it accepts")
				require.True(t, isOver(all[0]), "the one that was idle for the longest")
			})
		})
	}
}

// TestOnePeer: only this machine can have more than 32 connections at once; another client
// cannot, even from other addresses of its network, and others get answers meanwhile.
func TestOnePeer(t *testing.T) {
	for network, peers := range map[string][2]string{"IPv4": {"192.0.2.1", "192.0.2.1"}, "IPv6": {"2001:db8::1", "2001:db8::ffff:2"}} {
		t.Run(network, func(t *testing.T) {
			inCrowd(t, func(t *testing.T, c *crowd) {
				var all []<-chan struct{}
				for range 32 { // which have begun to say something, so that they are no idle ones
					client, ended := c.connect(peers[0], false)
					go func() { _, _ = io.WriteString(client, "GET / HT") }()
					all = append(all, ended)
				}
				for _, ended := range all {
					require.False(t, isOver(ended))
				}
				isAnswered, after := c.answered(peers[1])
				require.False(t, isAnswered)
				require.Zero(t, after, "the refusal comes at once")
				for _, other := range []string{"192.0.2.2", "2001:db8:0:1::1", "127.0.0.1"} {
					isAnswered, after = c.answered(other)
					require.True(t, isAnswered, other)
					require.Zero(t, after)
				}
				time.Sleep(11 * time.Second) // by when they had to have said it
				isAnswered, _ = c.answered(peers[1])
				require.True(t, isAnswered)
			})
		})
	}
}

// BenchmarkRequests counts how many requests are answered on connections that stay.
func BenchmarkRequests(b *testing.B) {
	address := "http://" + start(b, echo) + "/"
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			response, err := http.Get(address)
			if err != nil {
				b.Error(err)
				return
			}
			_, _ = io.Copy(io.Discard, response.Body)
			_ = response.Body.Close()
		}
	})
}
