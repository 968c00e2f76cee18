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

// TestRefusesForOtherSites lets a page of another site read why its request was refused,
// where a browser can send one like that.
func TestRefusesForOtherSites(t *testing.T) {
	address := start(t, echo)
	for _, path := range []string{"/?q=%zz", "/" + strings.Repeat("a", 5<<10)} {
		response, err := http.Get("http://" + address + path)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, "*", response.Header.Get("Access-Control-Allow-Origin"))
		require.True(t, response.Close)
	}
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
	said, _ := io.ReadAll(c) // what is not read any more may end it with a reset
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

// TestSlow cuts off clients that are slow, whatever they are slow with.
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
				require.Equal(t, test.want, time.Since(begin))
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
