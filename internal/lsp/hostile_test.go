package lsp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/textproto"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// framed returns a message with its head.
func framed(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

// served returns the output and exit code of a server that receives some bytes and then nothing. It
// fails if the server does not end.
func served(t testing.TB, dir string, in io.Reader) (out string, code int) {
	t.Helper()
	var written lockedBuffer
	ended := make(chan int, 1)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() { ended <- Serve(ctx, Options{Env: environment(dir), In: in, Out: &written}) }()
	select {
	case code = <-ended:
	case <-time.After(30 * time.Second):
		require.Fail(t, "the server does not end")
	}
	return written.String(), code
}

type lockedBuffer struct {
	mutex sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.Buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.Buffer.String()
}

// TestFrames checks which heads are accepted, and that the server ends if it cannot know where the
// next message begins.
func TestFrames(t *testing.T) {
	const ask = `{"jsonrpc":"2.0","id":1,"method":"shutdown"}`
	for name, test := range map[string]struct {
		in, want string
		ends     bool
	}{
		"as written":            {framed(ask), "-32002", false},
		"in lower case":         {fmt.Sprintf("content-length: %d\r\n\r\n%s", len(ask), ask), "-32002", false},
		"with a charset":        {fmt.Sprintf("Content-Type: application/vscode-jsonrpc; charset=utf8\r\nContent-Length: %d\r\n\r\n%s", len(ask), ask), "-32002", false},
		"with line feeds":       {fmt.Sprintf("Content-Length: %d\n\n%s", len(ask), ask), "-32002", false},
		"no JSON":               {framed(`{"jsonrpc"`) + framed(ask), "-32700", false},
		"a batch":               {framed("["+ask+"]") + framed(ask), "-32600", false},
		"a list":                {framed("[]") + framed(ask), "-32600", false},
		"a number for an ID":    {framed(`{"jsonrpc":"2.0","id":1.5,"method":"shutdown"}`) + framed(ask), "-32600", false},
		"null":                  {framed("null") + framed(ask), "-32002", false},
		"an answer to nothing":  {framed(`{"jsonrpc":"2.0","id":77,"result":null}`) + framed(ask), "-32002", false},
		"nothing in it":         {framed("") + framed(ask), "-32700", false},
		"four gigabytes":        {"Content-Length: 4000000000\r\n\r\n{}", "", true},
		"more than any":         {"Content-Length: 9223372036854775807\r\n\r\n{}", "", true},
		"less than none":        {"Content-Length: -1\r\n\r\n{}", "", true},
		"no length":             {"X: y\r\n\r\n{}", "", true},
		"a head without an end": {strings.Repeat("x", 1<<20), "", true},
		"a head of many lines":  {strings.Repeat("X: y\r\n", 1<<16), "", true},
		"promised and not sent": {"Content-Length: 60000000\r\n\r\n{}", "", true},
		"nothing at all":        {"", "", true},
		"deep":                  {framed(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":`+strings.Repeat("[", 20_000)) + framed(ask), "-32700", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, code := served(t, t.TempDir(), strings.NewReader(test.in))
			assert.Equal(t, 1, code)
			if test.ends {
				assert.Empty(t, out)
			} else {
				assert.Contains(t, out, test.want)
			}
			readAllFrames(t, out)
		})
	}
}

// readAllFrames returns the messages in what a server wrote, which has nothing else in it.
func readAllFrames(t testing.TB, out string) []map[string]any {
	t.Helper()
	var all []map[string]any
	in := bufio.NewReader(strings.NewReader(out))
	for {
		head, err := textproto.NewReader(in).ReadMIMEHeader()
		if errors.Is(err, io.EOF) && len(head) == 0 {
			return all
		}
		require.NoError(t, err)
		size, err := strconv.Atoi(head.Get("Content-Length"))
		require.NoError(t, err)
		body := make([]byte, size)
		_, err = io.ReadFull(in, body)
		require.NoError(t, err)
		var m map[string]any
		require.NoError(t, json.Unmarshal(body, &m))
		all = append(all, m)
	}
}

// TestBrokenMessages sends ten thousand messages that are broken in one way or another to a server
// with a document open, and checks that it still answers correctly and ends in order.
func TestBrokenMessages(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	dir := writeFiles(t, repository())
	uri := uriOf(filepath.Join(dir, ".mcp.json"))
	open, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": map[string]any{"textDocument": textDocument{URI: uri, Version: 1, Text: repository()[".mcp.json"]}}})
	require.NoError(t, err)
	var in strings.Builder
	in.WriteString(framed(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"rootUri":%q,"capabilities":%s}}`, uriOf(dir), all)))
	in.WriteString(framed(`{"jsonrpc":"2.0","method":"initialized","params":{}}`))
	in.WriteString(framed(string(open)))
	methods := []string{"textDocument/didChange", "textDocument/didOpen", "textDocument/didClose", "workspace/didChangeWatchedFiles", "workspace/didChangeConfiguration", "workspace/didChangeWorkspaceFolders", "$/cancelRequest", "$/unknown", "initialize"}
	for method := range answers() {
		methods = append(methods, method)
	}
	uris := []string{uri, "file:///../..", "untitled:x", "vscode-remote://ssh/x", "file:///%00", "file:///a%2Fb", "file:///C:/x", "file://host/x", "::", "", "file:///" + strings.Repeat("a/", 500)}
	values := []any{nil, 1, -1, 1 << 40, 1.5, "x", true, []any{}, map[string]any{}, []any{nil, 1, "x"}}
	pick := func() any { return values[random.IntN(len(values))] }
	for i := range 10_000 {
		place := map[string]any{"line": random.IntN(20) - 5, "character": random.IntN(100) - 20}
		params := map[string]any{
			"textDocument": map[string]any{"uri": uris[random.IntN(len(uris))], "version": i, "text": "{"}, "position": place, "newName": pick(),
			"range": map[string]any{"start": place, "end": map[string]any{"line": 3, "character": 1}}, "context": map[string]any{"diagnostics": []any{}},
			"contentChanges": []any{map[string]any{"range": map[string]any{"start": place, "end": place}, "text": "x"}}, "changes": []any{map[string]any{"uri": uris[random.IntN(len(uris))], "type": 1}}, "id": i,
		}
		if method := methods[random.IntN(3)]; random.IntN(3) > 0 && strings.HasPrefix(method, "textDocument/did") {
			params["textDocument"] = map[string]any{"uri": uris[1+random.IntN(len(uris)-1)]}
		}
		for key := range params {
			if random.IntN(6) == 0 {
				params[key] = pick()
			}
		}
		m := map[string]any{"jsonrpc": "2.0", "id": 100 + i, "method": methods[random.IntN(len(methods))], "params": params}
		switch random.IntN(8) {
		case 0:
			m["params"] = pick()
		case 1:
			m["id"] = pick()
		case 2:
			m["method"] = pick()
		case 3:
			delete(m, "id")
		}
		body, err := json.Marshal(m)
		require.NoError(t, err)
		if random.IntN(10) == 0 {
			body = body[:random.IntN(len(body))]
		}
		in.WriteString(framed(string(body)))
	}
	in.WriteString(framed(`{"jsonrpc":"2.0","id":"last","method":"textDocument/documentSymbol","params":{"textDocument":{"uri":` + strconv.Quote(uriOf(filepath.Join(dir, ".cursor/mcp.json"))) + `}}}`))
	reader, writer := io.Pipe()
	var out lockedBuffer
	code := make(chan int, 1)
	go func() { code <- Serve(t.Context(), Options{Env: environment(dir), In: reader, Out: &out}) }()
	_, err = io.WriteString(writer, in.String())
	require.NoError(t, err)
	require.Eventually(t, func() bool { return strings.Contains(out.String(), `"id":"last"`) }, time.Minute, 20*time.Millisecond)
	_, err = io.WriteString(writer, framed(`{"jsonrpc":"2.0","id":"end","method":"shutdown"}`)+framed(`{"jsonrpc":"2.0","method":"exit"}`))
	require.NoError(t, err)
	assert.Equal(t, 0, <-code)
	for _, m := range readAllFrames(t, out.String()) {
		if failed, ok := m["error"].(map[string]any); ok {
			assert.NotContains(t, failed["message"], "a mistake in mcplumb")
			assert.NotEqual(t, -32603.0, failed["code"], "%v", failed)
		}
		if m["id"] == "last" {
			assert.Contains(t, fmt.Sprint(m["result"]), "docs")
		}
	}
}

var anyFile = regexp.MustCompile(`(?i)file:/*`)

// FuzzStream checks that no bytes make the server fail: it writes only messages, and it ends.
func FuzzStream(f *testing.F) {
	f.Add(framed(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`) + framed(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///x/.mcp.json","text":"{}"}}}`))
	f.Add("Content-Length: 2\r\n\r\n{}")
	f.Add("content-length:0\n\n")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, in string) {
		in = anyFile.ReplaceAllLiteralString(in, uriOf(dir)+"/") // nothing else of this machine
		out, code := served(t, dir, strings.NewReader(in))
		if !strings.Contains(in, "exit") {
			assert.Equal(t, 1, code)
		}
		readAllFrames(t, out)
	})
}

// TestOrder checks that every request is answered for the text that the client had when it asked,
// however fast changes follow.
func TestOrder(t *testing.T) {
	c := connect(t, all, nil)
	c.edit(".mcp.json", `{"mcpServers": {"s0": {"command": "x"}}}`)
	uri := c.uri(".mcp.json")
	const count = 100
	answers := make([]chan []symbol, count)
	for i := range count {
		c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri, "version": i + 2}, "contentChanges": []any{map[string]any{"text": fmt.Sprintf(`{"mcpServers": {"s%d": {"command": "x"}}}`, i)}}})
		wait, err := c.conn.DispatchCall(t.Context(), "textDocument/documentSymbol", map[string]any{"textDocument": map[string]any{"uri": uri}})
		require.NoError(t, err)
		answers[i] = make(chan []symbol, 1)
		go func() {
			var found []symbol
			_ = wait.Wait(t.Context(), &found)
			answers[i] <- found
		}()
	}
	for i := range count {
		found := <-answers[i]
		require.Len(t, found, 1)
		assert.Equal(t, fmt.Sprintf("s%d", i), found[0].Name)
	}
}

// TestCancel checks that a canceled request is answered at once, as canceled.
func TestCancel(t *testing.T) {
	c := connect(t, all, repository())
	c.read(".mcp.json")
	var waits []interface {
		Wait(context.Context, any) error
	}
	for i := range 20 {
		at := c.at(".mcp.json", `"docs"`)
		id := 5_000 + i
		wait, err := c.conn.DispatchCall(t.Context(), "textDocument/hover", at, pickID(uint64(id)))
		require.NoError(t, err)
		c.notify("$/cancelRequest", map[string]any{"id": id})
		waits = append(waits, wait)
	}
	for _, w := range waits {
		if err := w.Wait(t.Context(), nil); err != nil { // it may have been faster
			assert.ErrorContains(t, err, "-32800")
		}
	}
	assert.Equal(t, 0, c.left())
}

// TestHostileWorkspace checks that nothing in a folder can run anything, keep the server waiting,
// or have it read a file outside of the folder.
func TestHostileWorkspace(t *testing.T) {
	outside := writeFiles(t, map[string]string{"secret.json": `{"mcpServers": {"outside": {"command": "npx", "args": ["-y", "@acme/out"]}}}`})
	dir := writeFiles(t, map[string]string{
		"a.json":                "{}",
		".vscode/settings.json": `{"mcplumb.online": true, "mcplumb.path": "/bin/false"}`,
		".mcplumb.yaml":         "registries:\n  npm: https://evil.example/\n",
	})
	require.NoError(t, os.Symlink(filepath.Join(outside, "secret.json"), filepath.Join(dir, ".mcp.json")))
	makeFIFO(t, filepath.Join(dir, ".cursor", "mcp.json"))
	c := connectTo(t, all, dir)
	c.edit("opencode.json", `{"mcp": {"x": {"type": "local", "command": ["x"]}}}`)
	for path, found := range c.settle() {
		for _, d := range found {
			assert.NotContains(t, d.Message, "outside", path)
		}
	}
	symbols := call[[]symbol](c, "textDocument/documentSymbol", map[string]any{"textDocument": map[string]any{"uri": c.uri(".mcp.json")}})
	assert.Empty(t, symbols)
	assert.Equal(t, 0, c.left())
}

// TestFolders checks that the server handles several folders, and that a closed folder has no
// diagnostics left.
func TestFolders(t *testing.T) {
	a := writeFiles(t, map[string]string{".mcp.json": unpinned})
	b := writeFiles(t, map[string]string{".mcp.json": unpinned})
	c := connectTo(t, all, a, b)
	c.read(".mcp.json")
	other := uriOf(filepath.Join(b, ".mcp.json"))
	published := func() publishParams {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		return c.published[other]
	}
	require.Eventually(t, func() bool { return len(published().Diagnostics) > 0 }, 10*time.Second, time.Millisecond)
	c.notify("workspace/didChangeWorkspaceFolders", map[string]any{"event": map[string]any{"removed": []any{folderParam{URI: uriOf(b)}}, "added": []any{}}})
	require.Eventually(t, func() bool { p := published(); return p.URI != "" && len(p.Diagnostics) == 0 }, 10*time.Second, time.Millisecond)
}

// TestWatched checks that a file that changes on disk is checked again.
func TestWatched(t *testing.T) {
	c := connect(t, all, map[string]string{".mcp.json": unpinned})
	require.NotEmpty(t, c.diagnostics(".mcp.json"))
	require.NoError(t, os.WriteFile(filepath.Join(c.dir, ".mcp.json"), []byte(`{"mcpServers": {}}`), 0o644))
	c.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": c.uri(".mcp.json"), "type": 2}}})
	require.Eventually(t, func() bool { return len(c.diagnostics(".mcp.json")) == 0 }, 10*time.Second, time.Millisecond)
	require.NoError(t, os.Mkdir(filepath.Join(c.dir, ".cursor"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(c.dir, ".cursor", "mcp.json"), []byte(unpinned), 0o644))
	c.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": c.uri(".cursor/mcp.json"), "type": 1}}})
	require.NotEmpty(t, c.diagnostics(".cursor/mcp.json"), "a new file")
	require.Eventually(t, func() bool {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		return slices.Contains(c.notified, "client/registerCapability")
	}, 10*time.Second, time.Millisecond)
}

// TestPull checks that a client that asks for diagnostics gets the same ones, and none unasked.
func TestPull(t *testing.T) {
	c := connect(t, strings.Replace(all, `"textDocument": {`, `"textDocument": {"diagnostic": {}, `, 1), map[string]string{".mcp.json": unpinned})
	content, err := os.ReadFile(filepath.Join(c.dir, ".mcp.json"))
	require.NoError(t, err)
	c.notify("textDocument/didOpen", map[string]any{"textDocument": textDocument{URI: c.uri(".mcp.json"), Version: 1, Text: string(content)}})
	doc := map[string]any{"textDocument": map[string]any{"uri": c.uri(".mcp.json")}}
	r := call[diagnosticReport](c, "textDocument/diagnostic", doc)
	require.NotEmpty(t, r.Items)
	doc["previousResultId"] = r.ResultID
	assert.Equal(t, "unchanged", call[diagnosticReport](c, "textDocument/diagnostic", doc).Kind)
	whole := call[struct{ Items []workspaceReport }](c, "workspace/diagnostic", map[string]any{"previousResultIds": []any{}})
	require.Len(t, whole.Items, 1)
	assert.Equal(t, r.Items, whole.Items[0].Items)
	assert.NotContains(t, c.notified, "textDocument/publishDiagnostics")
}

// TestSeverity checks that the settings of the editor decide which findings are shown.
func TestSeverity(t *testing.T) {
	c := connect(t, few, map[string]string{".mcp.json": unpinned})
	require.NotEmpty(t, c.read(".mcp.json"))
	c.notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"mcplumb": map[string]any{"severity": "error"}}})
	require.Eventually(t, func() bool { return len(c.diagnostics(".mcp.json")) == 0 }, 10*time.Second, time.Millisecond)
}

// TestProgress checks that a run that takes long shows its progress, after asking the client.
func TestProgress(t *testing.T) {
	ours, theirs := pipes()
	said := make(chan string, 100)
	s := &server{stream: newStream(theirs, theirs)}
	s.can.Window.WorkDoneProgress = true
	s.conn = jsonrpc2.NewConn(t.Context(), s.stream, handlerFunc(func(context.Context, *jsonrpc2.Request) {}), jsonrpc2.SetLogger(silent{}))
	var client *jsonrpc2.Conn
	ready := make(chan struct{})
	client = jsonrpc2.NewConn(t.Context(), newStream(ours, ours), handlerFunc(func(ctx context.Context, r *jsonrpc2.Request) {
		<-ready
		if !r.Notif {
			said <- r.Method
			go func() { _ = client.Reply(ctx, r.ID, nil) }()
			return
		}
		var p struct {
			Value struct{ Kind, Message string }
		}
		if json.Unmarshal(*r.Params, &p) == nil {
			said <- p.Value.Kind + p.Value.Message
		}
	}), jsonrpc2.SetLogger(silent{}))
	close(ready)
	stop := (&folder{server: s}).watch(t.Context())(lines("half"))
	assert.Equal(t, "window/workDoneProgress/create", <-said)
	assert.Equal(t, "begin", <-said)
	assert.Equal(t, "reporthalf", <-said)
	stop()
	for word := range said {
		if word == "end" {
			break
		}
		assert.Equal(t, "reporthalf", word)
	}
	assert.Nil(t, (&folder{server: &server{}}).watch(t.Context()), "a client that shows none")
}

type lines string

func (l lines) String() string { return string(l) }

// TestSettingsMistake checks that a mistake in the settings is shown where it is, and that the last
// readable settings apply until it is fixed.
func TestSettingsMistake(t *testing.T) {
	c := connect(t, all, map[string]string{".mcp.json": unpinned})
	c.edit(".mcplumb.yaml", "rules:\n  unpinned-package: off\n")
	without := c.settle()[".mcp.json"]
	found := c.edit(".mcplumb.yaml", "rules:\n  unpinned-package: never\n")
	require.Len(t, found, 1)
	assert.Equal(t, 1, found[0].Range.Start.Line)
	assert.Equal(t, without, c.settle()[".mcp.json"])
	c.edit(".mcplumb.yaml", "")
	assert.Greater(t, len(c.settle()[".mcp.json"]), len(without))
}
