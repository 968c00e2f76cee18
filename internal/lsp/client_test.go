package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/workspace"
)

// client is an editor for tests: it has documents open, and applies edits as editors do.
type client struct {
	t    testing.TB
	dir  string
	conn *jsonrpc2.Conn
	code chan int
	// init is the answer of initialize.
	init map[string]any

	mutex     sync.Mutex
	published map[string]publishParams
	notified  []string // methods
	more      chan struct{}
	open      map[string]*document
}

// environment is an outside in which there is no program and no variable.
func environment(dir string) *workspace.Env {
	return &workspace.Env{
		Dir: dir, Getenv: func(string) string { return "" }, Version: "1.2.3",
		Now:      func() time.Time { return time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC) },
		LookPath: func(string) (string, error) { return "", errors.New("not found") },
	}
}

// all is what a client can do that can do everything.
const all = `{
	"general": {"positionEncodings": ["utf-8", "utf-16"]},
	"workspace": {"workspaceEdit": {"documentChanges": true, "resourceOperations": ["create"], "changeAnnotationSupport": {}}, "configuration": true, "didChangeWatchedFiles": {"dynamicRegistration": true}},
	"textDocument": {
		"publishDiagnostics": {"versionSupport": true}, "rename": {"prepareSupport": true}, "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
		"codeAction": {"codeActionLiteralSupport": {}, "dataSupport": true, "resolveSupport": {"properties": ["edit"]}},
		"completion": {"completionItem": {"snippetSupport": true, "insertTextModeSupport": {"valueSet": [1, 2]}}}
	}
}`

// few is what a client can do that can do hardly anything.
const few = `{"textDocument": {"publishDiagnostics": {"versionSupport": true}}}`

// writeFiles writes files below a new directory, links resolved.
func writeFiles(t testing.TB, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
	}
	return dir
}

// pipes returns two ends of a connection.
func pipes() (client, server io.ReadWriteCloser) {
	fromServer, toClient := io.Pipe()
	fromClient, toServer := io.Pipe()
	return &duplex{fromServer, toServer}, &duplex{fromClient, toClient}
}

type duplex struct {
	io.ReadCloser
	out io.WriteCloser
}

func (d *duplex) Write(p []byte) (int, error) { return d.out.Write(p) }
func (d *duplex) Close() error                { return errors.Join(d.ReadCloser.Close(), d.out.Close()) }

// connect starts a server on files and says what the client can do.
func connect(t testing.TB, can string, files map[string]string) *client {
	t.Helper()
	return connectTo(t, can, writeFiles(t, files))
}

// connectTo starts a server on directories, the first of which is the client's own.
func connectTo(t testing.TB, can string, dirs ...string) *client {
	t.Helper()
	return connectWith(t, Options{}, can, dirs...)
}

// connectWith does so with options.
func connectWith(t testing.TB, o Options, can string, dirs ...string) *client {
	t.Helper()
	ours, theirs := pipes()
	c := &client{t: t, dir: dirs[0], code: make(chan int, 1), published: map[string]publishParams{}, more: make(chan struct{}, 1), open: map[string]*document{}}
	o.Env, o.In, o.Out = environment(c.dir), theirs, theirs
	go func() { c.code <- Serve(t.Context(), o) }()
	stream := jsonrpc2.NewBufferedStream(ours, jsonrpc2.VSCodeObjectCodec{})
	c.conn = jsonrpc2.NewConn(t.Context(), stream, handlerFunc(c.received), jsonrpc2.SetLogger(silent{}))
	t.Cleanup(func() { _ = c.conn.Close() })
	var folders []folderParam
	for _, dir := range dirs {
		folders = append(folders, folderParam{URI: uriOf(dir), Name: "x"})
	}
	c.init = call[map[string]any](c, "initialize", map[string]any{
		"processId": os.Getpid(), "rootUri": uriOf(c.dir), "workspaceFolders": folders, "capabilities": json.RawMessage(can),
	})
	c.notify("initialized", map[string]any{})
	return c
}

// received handles what the server sends on its own.
func (c *client) received(ctx context.Context, r *jsonrpc2.Request) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.notified = append(c.notified, r.Method)
	if !r.Notif {
		var result any
		if r.Method == "workspace/configuration" {
			result = []any{map[string]any{}}
		}
		// Not on this goroutine: the server may be writing, and no one would read that.
		go func() { _ = c.conn.Reply(ctx, r.ID, result) }()
		return
	}
	if r.Method == "textDocument/publishDiagnostics" {
		var p publishParams
		if json.Unmarshal(*r.Params, &p) == nil {
			c.published[p.URI] = p
		}
	}
	select {
	case c.more <- struct{}{}:
	default:
	}
}

func (c *client) notify(method string, params any) {
	require.NoError(c.t, c.conn.Notify(c.t.Context(), method, params))
}

// call returns the answer to a request.
func call[R any](c *client, method string, params any) R {
	c.t.Helper()
	result, err := try[R](c, method, params)
	require.NoError(c.t, err, method)
	return result
}

// try is call for requests that may fail.
func try[R any](c *client, method string, params any) (result R, err error) {
	ctx, cancel := context.WithTimeout(c.t.Context(), 20*time.Second)
	defer cancel()
	err = c.conn.Call(ctx, method, params, &result)
	return result, err
}

// uri returns the URI of a file.
func (c *client) uri(name string) string {
	return uriOf(filepath.Join(c.dir, filepath.FromSlash(name)))
}

// edit opens a file with a text, or changes all of it, and waits for the diagnostics.
func (c *client) edit(name, content string) []diagnostic {
	c.t.Helper()
	uri := c.uri(name)
	if d := c.open[uri]; d == nil {
		c.open[uri] = &document{uri: uri, version: 1, file: syntax.NewFile(name, []byte(content))}
		c.notify("textDocument/didOpen", map[string]any{"textDocument": textDocument{URI: uri, LanguageID: "json", Version: 1, Text: content}})
	} else {
		d.version++
		d.file = syntax.NewFile(name, []byte(content))
		c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri, "version": d.version}, "contentChanges": []any{map[string]any{"text": content}}})
	}
	return c.diagnostics(name)
}

// read opens a file as it is on disk.
func (c *client) read(name string) []diagnostic {
	c.t.Helper()
	content, err := os.ReadFile(filepath.Join(c.dir, filepath.FromSlash(name)))
	require.NoError(c.t, err)
	return c.edit(name, string(content))
}

// diagnostics waits for those of the version of a document that is open, or of any file.
func (c *client) diagnostics(name string) []diagnostic {
	c.t.Helper()
	uri := c.uri(name)
	after := time.After(20 * time.Second)
	for {
		c.mutex.Lock()
		p, known := c.published[uri]
		d := c.open[uri]
		c.mutex.Unlock()
		if known && (d == nil || p.Version != nil && *p.Version == d.version) {
			return p.Diagnostics
		}
		select {
		case <-c.more:
		case <-after:
			require.Fail(c.t, "no diagnostics of "+name)
		}
	}
}

// settle waits until everything is published, and returns it by path.
func (c *client) settle() map[string][]diagnostic {
	c.t.Helper()
	for uri, d := range c.open {
		c.diagnostics(d.file.Path)
		_, err := try[any](c, "textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": uri}, "position": position{}})
		require.NoError(c.t, err)
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	all := map[string][]diagnostic{}
	for uri, p := range c.published {
		path, _ := pathOf(uri)
		below, err := filepath.Rel(c.dir, path)
		require.NoError(c.t, err)
		if len(p.Diagnostics) > 0 {
			all[filepath.ToSlash(below)] = p.Diagnostics
		}
	}
	return all
}

// at returns the parameters of a request about the first place of a text in an open document, after
// its first character.
func (c *client) at(name, text string) map[string]any {
	c.t.Helper()
	d := c.open[c.uri(name)]
	require.NotNil(c.t, d, name)
	start := slices.Index(d.file.Bytes, 0)
	for i := range d.file.Bytes {
		if len(d.file.Bytes)-i >= len(text) && string(d.file.Bytes[i:i+len(text)]) == text {
			start = i
			break
		}
	}
	require.GreaterOrEqual(c.t, start, 0, "%s is not in %s", text, name)
	return map[string]any{"textDocument": map[string]any{"uri": d.uri}, "position": c.position(d.file, start+1)}
}

// position counts in the unit that the server chose.
func (c *client) position(file *syntax.File, offset int) position {
	return (&server{columns: c.columns()}).position(file, offset)
}

func (c *client) columns() syntax.Encoding {
	capabilities, _ := c.init["capabilities"].(map[string]any)
	if capabilities["positionEncoding"] == "utf-8" {
		return syntax.UTF8
	}
	return syntax.UTF16
}

// slice returns what an open document has in a range.
func (c *client) slice(name string, at span) string {
	file := c.open[c.uri(name)].file
	s := &server{columns: c.columns()}
	return string(file.Bytes[s.offset(file, at.Start):s.offset(file, at.End)])
}

// left ends the connection in order and returns the exit code.
func (c *client) left() int {
	c.t.Helper()
	call[any](c, "shutdown", nil)
	c.notify("exit", nil)
	return <-c.code
}

// pickID returns the option that gives a request an ID.
func pickID(id uint64) jsonrpc2.CallOption { return jsonrpc2.PickID(jsonrpc2.ID{Num: id}) }
