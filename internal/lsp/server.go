// Package lsp is a language server. It receives the open documents of an editor, and returns what
// is found in them and what can be done about it. It speaks the Language Server Protocol 3.17 on
// two streams.
//
// State moves on the goroutine that reads, in the order of the wire, and a request takes its
// subject there. Each folder then works in an order of its own (folder.go), so that every answer is
// for the texts that the client had when it asked.
package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/workspace"
)

// Codes of errors that JSON-RPC does not have.
const (
	codeNotInitialized = -32002
	codeCancelled      = -32800
	codeModified       = -32801
	codeFailed         = -32803
)

// phase is how far the connection is.
type phase uint8

const (
	created phase = iota
	initialized
	shutDown
)

// server is one connection.
type server struct {
	env    *workspace.Env
	online bool // registries are asked: no file of a workspace can enable this
	stream *stream
	conn   *jsonrpc2.Conn // over stream
	// settled is called after a folder was checked.
	settled func()
	ends    chan int // receives the exit code, once

	// The following fields are set by initialize and only read from then on.
	can     capabilities
	columns syntax.Encoding
	pulls   bool // the client requests diagnostics

	// The following fields belong to the goroutine that reads.
	phase   phase
	folders []*folder
	open    map[string]*document // by URI

	running requests
	mutex   sync.Mutex
	setting settings
}

// Options say how a client is served.
type Options struct {
	Env *workspace.Env
	// Online asks registries about what is in the files.
	Online bool
	// In and Out are closed at the end if they can be.
	In  io.Reader
	Out io.Writer
	// Settled is called after each check of a folder, by several goroutines; nil is never.
	Settled func()
}

// Serve serves one client until it says exit, or is gone, and returns the exit code: 0 for exit
// after shutdown, else 1.
func Serve(ctx context.Context, o Options) int {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &server{env: o.Env, online: o.Online, stream: newStream(o.In, o.Out), settled: func() {
		if o.Settled != nil {
			o.Settled()
		}
	}, ends: make(chan int, 1), open: map[string]*document{}}
	started := make(chan struct{})
	handler := handlerFunc(func(ctx context.Context, r *jsonrpc2.Request) {
		<-started
		s.handle(ctx, r)
	})
	s.conn = jsonrpc2.NewConn(ctx, s.stream, handler, jsonrpc2.SetLogger(silent{}))
	close(started)
	code := 1
	select {
	case code = <-s.ends:
		_ = s.conn.Close() // no one is left to report an error to
	case <-s.conn.DisconnectNotify():
		select {
		case code = <-s.ends: // exit was the last word
		default:
		}
	}
	return code
}

// handlerFunc is a function that takes messages on the goroutine that reads.
type handlerFunc func(context.Context, *jsonrpc2.Request)

func (f handlerFunc) Handle(ctx context.Context, _ *jsonrpc2.Conn, r *jsonrpc2.Request) { f(ctx, r) }

// silent logs nothing: what the library says is for its own developers.
type silent struct{}

func (silent) Printf(string, ...any) {}

// handle takes one message.
func (s *server) handle(ctx context.Context, r *jsonrpc2.Request) {
	if !r.Notif {
		s.asked(ctx, r)
		return
	}
	if r.Method == "exit" {
		code := 1
		if s.phase == shutDown {
			code = 0
		}
		select {
		case s.ends <- code:
		default:
		}
		return
	}
	if take := notifications()[r.Method]; take != nil && s.phase == initialized {
		// A notification has no answer: one that cannot be understood is passed over.
		_, _ = guarded(func() (any, error) { return nil, take(s, ctx, params(r)) })
	}
}

// asked takes a request: those of the connection are answered here, others by what they are about.
func (s *server) asked(ctx context.Context, r *jsonrpc2.Request) {
	switch {
	case r.Method == "initialize" && s.phase == created:
		var folders []folderParam
		v, err := guarded(func() (v any, err error) {
			v, folders, err = s.initialize(params(r))
			return v, err
		})
		s.reply(ctx, r.ID, v, err)
		// A client may not understand what it receives before the answer: diagnostics come after it.
		if _, err := guarded(func() (any, error) { s.setFolders(ctx, nil, folders); return nil, nil }); err != nil {
			s.notify("window/logMessage", map[string]any{"type": 1, "message": shown(err.Error())})
		}
	case s.phase == created:
		s.reply(ctx, r.ID, nil, &jsonrpc2.Error{Code: codeNotInitialized, Message: "initialize comes first"})
	case s.phase == shutDown, r.Method == "initialize":
		s.reply(ctx, r.ID, nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: r.Method + " comes too late"})
	case r.Method == "shutdown":
		s.phase = shutDown
		for _, f := range s.folders {
			f.stop()
		}
		s.reply(ctx, r.ID, nil, nil)
	default:
		answer := answers()[r.Method]
		if answer == nil {
			s.reply(ctx, r.ID, nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "the method is unknown"})
			return
		}
		ctx, done := s.running.begin(ctx, r.ID, func() {
			s.reply(ctx, r.ID, nil, &jsonrpc2.Error{Code: codeCancelled, Message: "cancelled"})
		})
		answer(s, ctx, params(r), func(v any, err error) {
			if done() {
				s.reply(context.WithoutCancel(ctx), r.ID, v, err)
			}
		})
	}
}

// reply answers a request.
func (s *server) reply(ctx context.Context, id jsonrpc2.ID, v any, err error) {
	// If the client is gone, there is no one to report an error to.
	if err != nil {
		_ = s.conn.ReplyWithError(ctx, id, protocolError(err))
		return
	}
	_ = s.conn.Reply(ctx, id, v)
}

// protocolError returns an error in the form of an answer.
func protocolError(err error) *jsonrpc2.Error {
	var known *jsonrpc2.Error
	switch {
	case errors.As(err, &known):
		return known
	case errors.Is(err, context.Canceled):
		return &jsonrpc2.Error{Code: codeCancelled, Message: "cancelled"}
	}
	return &jsonrpc2.Error{Code: codeFailed, Message: shown(err.Error())}
}

// invalid is the error of parameters that cannot be used.
func invalid(why string) error {
	return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: why}
}

// refused is the error that says to a person why something is not done.
func refused(format string, args ...any) error {
	return &jsonrpc2.Error{Code: codeFailed, Message: fmt.Sprintf(format, args...)}
}

// params returns the parameters of a message, or null.
func params(r *jsonrpc2.Request) json.RawMessage {
	if r.Params == nil {
		return json.RawMessage("null")
	}
	return *r.Params
}

// decode returns parameters of a type.
func decode[P any](raw json.RawMessage) (p P, err error) {
	if json.Unmarshal(raw, &p) != nil {
		err = invalid("the parameters cannot be understood")
	}
	return p, err
}

// guarded calls a function. A mistake in it ends the request, and not the server.
func guarded(f func() (any, error)) (v any, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			v, err = nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: shown(fmt.Sprintf("a mistake in mcplumb: %v", problem))}
		}
	}()
	return f()
}

// requests are those that are not answered yet.
type requests struct {
	mutex sync.Mutex
	all   map[jsonrpc2.ID]*request
}

type request struct {
	cancel   context.CancelFunc
	onCancel func()
}

// begin notes a request. done reports whether it is still to be answered.
func (q *requests) begin(ctx context.Context, id jsonrpc2.ID, onCancel func()) (_ context.Context, done func() bool) {
	ctx, cancel := context.WithCancel(ctx)
	r := &request{cancel, onCancel}
	q.mutex.Lock()
	defer q.mutex.Unlock()
	if q.all == nil {
		q.all = map[jsonrpc2.ID]*request{}
	}
	q.all[id] = r
	return ctx, func() bool { return q.take(id, r) != nil }
}

// take ends a request, any with the ID for nil, and returns it; nil if it has ended.
func (q *requests) take(id jsonrpc2.ID, only *request) *request {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	r := q.all[id]
	if r == nil || only != nil && r != only {
		return nil
	}
	delete(q.all, id)
	r.cancel()
	return r
}

// cancelled cancels a request: it is answered at once, regardless of its result.
func (s *server) cancelled(_ context.Context, raw json.RawMessage) error {
	p, err := decode[cancelParams](raw)
	var id jsonrpc2.ID
	if err != nil || json.Unmarshal(p.ID, &id) != nil {
		return err
	}
	if r := s.running.take(id, nil); r != nil {
		r.onCancel()
	}
	return nil
}

// call asks the client for something, and waits for the answer: never on the goroutine that
// reads. Clients refuse what they like.
func (s *server) call(ctx context.Context, method string, params, result any) error {
	return s.conn.Call(ctx, method, params, result)
}

// notify tells the client something. The library would encode it three times.
func (s *server) notify(method string, params any) {
	_ = s.stream.WriteObject(notification{"2.0", method, params}) // if the client is gone, there is no one to report an error to
}

type notification struct {
	Version string `json:"jsonrpc"`
	Method  string `json:"method"`
	Params  any    `json:"params"`
}

// initialize notes what the client can do, and returns what the server can, and the folders to open.
func (s *server) initialize(raw json.RawMessage) (any, []folderParam, error) {
	p, err := decode[initializeParams](raw)
	if err != nil {
		return nil, nil, err
	}
	s.can, s.setting, s.phase = p.Capabilities, p.InitializationOptions, initialized
	s.pulls = s.can.TextDocument.Diagnostic != nil
	encoding := "utf-16"
	s.columns = syntax.UTF16
	if slices.Contains(s.can.General.PositionEncodings, "utf-8") {
		encoding, s.columns = "utf-8", syntax.UTF8
	}
	folders := p.Folders
	if len(folders) == 0 && p.RootURI != "" {
		folders = []folderParam{{URI: p.RootURI}}
	}
	if len(folders) == 0 && p.RootPath != "" {
		folders = []folderParam{{URI: uriOf(p.RootPath)}}
	}
	provides := map[string]any{
		"positionEncoding": encoding,
		"textDocumentSync": map[string]any{"openClose": true, "change": 2, "save": map[string]any{}},
		"workspace":        map[string]any{"workspaceFolders": map[string]any{"supported": true, "changeNotifications": true}},
		"codeActionProvider": map[string]any{
			"codeActionKinds": []string{kindQuickFix, kindFixAll, kindRewrite}, "resolveProvider": true,
		},
		"hoverProvider": true, "definitionProvider": true, "referencesProvider": true,
		"documentSymbolProvider": true,
		"documentLinkProvider":   map[string]any{},
		"inlayHintProvider":      true,
		"codeLensProvider":       map[string]any{},
		"completionProvider":     map[string]any{"triggerCharacters": []string{`"`, "$", "{", ":", " ", "[", ".", "="}},
		"renameProvider":         true,
	}
	if s.can.TextDocument.Rename.PrepareSupport {
		provides["renameProvider"] = map[string]any{"prepareProvider": true}
	}
	if s.pulls {
		provides["diagnosticProvider"] = map[string]any{"identifier": serverName, "interFileDependencies": true, "workspaceDiagnostics": true}
	}
	return map[string]any{"capabilities": provides, "serverInfo": map[string]any{"name": serverName, "version": s.env.Version}}, folders, nil
}

// serverName is what editors call the server.
const serverName = "mcplumb"

// nowInitialized asks the client to report files that change, and for settings.
func (s *server) nowInitialized(ctx context.Context, _ json.RawMessage) error {
	if s.can.Workspace.DidChangeWatchedFiles.DynamicRegistration {
		var watchers []map[string]any
		for _, glob := range watched() {
			watchers = append(watchers, map[string]any{"globPattern": glob})
		}
		go func() {
			_ = s.call(ctx, "client/registerCapability", map[string]any{"registrations": []any{map[string]any{
				"id": "files", "method": "workspace/didChangeWatchedFiles", "registerOptions": map[string]any{"watchers": watchers},
			}}}, nil)
		}()
	}
	return s.configured(ctx, json.RawMessage("{}"))
}

// configured asks the client for the settings, which may have changed, or takes those that it sends
// by itself.
func (s *server) configured(ctx context.Context, raw json.RawMessage) error {
	folders := slices.Clone(s.folders)
	if !s.can.Workspace.Configuration {
		p, err := decode[struct {
			Settings struct {
				Own *settings `json:"mcplumb"`
			} `json:"settings"`
		}](raw)
		if err == nil && p.Settings.Own != nil {
			s.set(*p.Settings.Own, folders)
		}
		return err
	}
	go func() {
		var all []settings
		err := s.call(ctx, "workspace/configuration", map[string]any{"items": []any{map[string]any{"section": serverName}}}, &all)
		if err == nil && len(all) > 0 {
			s.set(all[0], folders)
		}
	}()
	return nil
}

// set notes the settings, and has folders checked again if the settings changed.
func (s *server) set(now settings, folders []*folder) {
	s.mutex.Lock()
	changed := s.setting != now
	s.setting = now
	s.mutex.Unlock()
	for _, f := range folders {
		if changed {
			f.refresh()
		}
	}
}

// settings returns what the editor has set.
func (s *server) settings() settings {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.setting
}

// notifications are the functions that take notifications, by method.
func notifications() map[string]func(*server, context.Context, json.RawMessage) error {
	return map[string]func(*server, context.Context, json.RawMessage) error{
		"initialized":                         (*server).nowInitialized,
		"$/cancelRequest":                     (*server).cancelled,
		"textDocument/didOpen":                (*server).didOpen,
		"textDocument/didChange":              (*server).didChange,
		"textDocument/didClose":               (*server).didClose,
		"textDocument/didSave":                (*server).didSave,
		"workspace/didChangeWatchedFiles":     (*server).didChangeFiles,
		"workspace/didChangeWorkspaceFolders": (*server).didChangeFolders,
		"workspace/didChangeConfiguration":    (*server).configured,
	}
}
