package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/hashicorp/go-multierror"

	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/internal/workspace"
)

// folder is a repository, with the directories of it that the client has opened. It handles one
// request after the other. It computes diagnostics when no request is waiting, and only for the
// latest texts.
type folder struct {
	server *server
	env    workspace.Env
	root   string
	opened []string // absolute: directories, and files outside of these
	isLone bool     // a file was opened that is in no directory that is
	end    context.CancelFunc

	mutex sync.Mutex
	state state
	queue []func()
	ended bool
	// judging ends the diagnosing that runs, which the next change makes futile.
	judging context.CancelFunc
	wake    chan struct{}

	// The following fields belong to the goroutine that works.
	place          *workspace.Workspace // reads disk, opened as the next says
	disk           *source.Remembered
	of             state
	last           *analysis
	kept           *lint.Kept
	ask            func(context.Context, *mcp.Repo) ([]string, error)
	answers        registryAnswers        // of the files as they were saved last
	good           *workspace.Workspace   // whose settings could be read last
	published      map[string]*fileReport // what was published, by URI; publishedNames are the URIs that differ from the paths
	publishedNames map[string]string
	pulledFrom     [2]int // the disk last reported to a client that asks for diagnostics
	diagnosed      int    // the revision
}

// state is what to check.
type state struct {
	// revision counts all changes, disk those that may be anywhere.
	revision, disk int
	opened         []string
	texts          map[string]*text // by path from the root; never changed
	// written are the files, in order, that exist and have other contents since the last other
	// change on the disk.
	written []string
}

// newFolder begins to work on the repository around a directory or, if a file is named, only on
// that file.
func (s *server) newFolder(ctx context.Context, dir, file string) (*folder, error) {
	f := &folder{server: s, env: *s.env, wake: make(chan struct{}, 1), published: map[string]*fileReport{}}
	f.env.Dir, f.env.Watch = dir, f.watch(ctx)
	place, err := workspace.Find(&f.env, workspace.Request{})
	if err != nil {
		return nil, err
	}
	f.root, f.opened, f.isLone = place.Root, []string{cmp.Or(file, place.Dir)}, file != ""
	if below, ok := f.below(file); f.isLone {
		kind, err := place.Tree(f.env.Git()).Stat(ctx, below)
		if !ok || err == nil && kind == source.Directory || below == "" {
			return nil, errors.New("the document is not a file")
		}
	}
	f.state = state{revision: 1, disk: 1, opened: f.opened}
	ctx, f.end = context.WithCancel(ctx)
	go f.work(ctx)
	f.signal()
	return f, nil
}

// stop ends the work. Pending requests are answered without a result.
func (f *folder) stop() {
	f.mutex.Lock()
	f.ended = true
	left := f.queue
	f.queue = nil
	f.mutex.Unlock()
	f.end()
	for _, job := range left {
		job()
	}
}

// setFolders opens and closes directories.
func (s *server) setFolders(ctx context.Context, gone, come []folderParam) {
	for _, p := range gone {
		if dir, ok := pathOf(p.URI); ok {
			s.removeFolder(workspace.RealPath(dir))
		}
	}
	for _, p := range come {
		if dir, ok := pathOf(p.URI); ok {
			s.addFolder(ctx, dir, "")
		}
	}
	for _, d := range s.open { // which may be in another folder now
		name, _ := pathOf(d.uri)
		if now, path := s.folderOf(workspace.RealPath(name)); now != nil && now != d.folder {
			d.folder, d.path = now, path
			now.setText(path, d.text())
		}
	}
}

// addFolder opens a directory, or only one file in it if a file is named, and returns the folder;
// nil if the directory does not exist. Two directories of one repository are one folder.
func (s *server) addFolder(ctx context.Context, dir, file string) *folder {
	f, err := s.newFolder(ctx, dir, file)
	if err != nil {
		return nil
	}
	for _, other := range s.folders {
		if other.root == f.root {
			f.stop()
			if !slices.Contains(other.opened, f.opened[0]) {
				other.setOpened(append(slices.Clone(other.opened), f.opened[0]))
			}
			return other
		}
	}
	s.folders = append(s.folders, f)
	return f
}

// closeLone closes the folder of a file that was opened alone, when no document of it is open.
func (s *server) closeLone(f *folder) {
	if !f.isLone {
		return
	}
	for _, d := range s.open {
		if d.folder == f {
			return
		}
	}
	s.folders = slices.DeleteFunc(s.folders, func(other *folder) bool { return other == f })
	f.do(func() { f.clear(); f.stop() })
}

// removeFolder closes a directory.
func (s *server) removeFolder(dir string) {
	for i, f := range s.folders {
		if !slices.Contains(f.opened, dir) {
			continue
		}
		if left := slices.DeleteFunc(slices.Clone(f.opened), func(other string) bool { return other == dir }); len(left) > 0 {
			f.setOpened(left)
			return
		}
		s.folders = slices.Delete(s.folders, i, i+1)
		f.do(func() { f.clear(); f.stop() })
		return
	}
}

// folderOf returns the innermost folder that a path is in, and the path from its root.
func (s *server) folderOf(real string) (in *folder, path string) {
	for _, f := range s.folders {
		if below, ok := f.below(real); ok && (in == nil || len(f.root) > len(in.root)) {
			in, path = f, below
		}
	}
	return in, path
}

// below returns a path from the root.
func (f *folder) below(real string) (path string, ok bool) { return source.Below(f.root, real) }

// uri returns the URI of a file by its path from the root: that which the client opened it by.
func (f *folder) uri(texts map[string]*text, path string) string {
	if open := texts[path]; open != nil {
		return open.uri
	}
	return uriOf(filepath.Join(f.root, filepath.FromSlash(path)))
}

// setText notes the editor's text of a file, nil if the editor has none.
func (f *folder) setText(path string, now *text) {
	f.change(func(s *state) {
		texts := maps.Clone(s.texts)
		if texts == nil {
			texts = map[string]*text{}
		}
		if texts[path] = now; now == nil {
			delete(texts, path)
		}
		s.texts = texts
	})
}

func (f *folder) setOpened(opened []string) {
	f.opened = opened
	f.change(func(s *state) { s.opened = opened; s.disk++ })
}

// refresh has all files read again.
func (f *folder) refresh() { f.change(func(s *state) { s.disk++; s.written = nil }) }

// reread has one file read again that was there, and is.
func (f *folder) reread(path string) {
	f.change(func(s *state) { s.written = append(slices.Clip(s.written), path) })
}

// change changes what to check.
func (f *folder) change(change func(*state)) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	change(&f.state)
	f.state.revision++
	if f.judging != nil {
		f.judging()
	}
	f.signal()
}

// signal wakes the goroutine that works.
func (f *folder) signal() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// do schedules a job after everything that was requested before.
func (f *folder) do(job func()) {
	f.mutex.Lock()
	ended := f.ended
	if !ended {
		f.queue = append(f.queue, job)
	}
	f.mutex.Unlock()
	if ended {
		job()
		return
	}
	f.signal()
}

// answer answers a request for the current state.
func (f *folder) answer(ctx context.Context, answer func(*analysis) (any, error), done func(any, error)) {
	f.mutex.Lock()
	at := f.state
	f.mutex.Unlock()
	f.do(func() {
		f.mutex.Lock()
		ended := f.ended
		f.mutex.Unlock()
		if ended {
			done(nil, nil)
			return
		}
		done(guarded(func() (any, error) {
			a, err := f.analyze(ctx, at)
			if err != nil {
				return nil, err
			}
			return answer(a)
		}))
	})
}

// work handles requests, and computes diagnostics when there are none.
func (f *folder) work(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-f.wake:
		}
		for f.next(ctx) {
		}
	}
}

// next does one thing, and reports whether there may be more.
func (f *folder) next(ctx context.Context) bool {
	if ctx.Err() != nil {
		return false
	}
	f.mutex.Lock()
	if len(f.queue) > 0 {
		job := f.queue[0]
		f.queue = f.queue[1:]
		f.mutex.Unlock()
		job()
		return true
	}
	at := f.state
	if at.revision == f.diagnosed {
		f.mutex.Unlock()
		return false
	}
	judging, end := context.WithCancel(ctx)
	f.judging = end
	f.mutex.Unlock()
	_, err := guarded(func() (any, error) {
		a, err := f.analyze(judging, at)
		if err == nil {
			f.diagnosed = at.revision
			f.publish(ctx, a)
			f.server.settled()
		}
		return nil, err
	})
	end()
	if err != nil && judging.Err() == nil {
		f.diagnosed = at.revision // what failed once fails again
		f.server.notify("window/logMessage", map[string]any{"type": 1, "message": shown(err.Error())})
	}
	return true
}

// writtenSince returns the files that were written since another state of the same disk.
func (s *state) writtenSince(was *state) []string {
	if s.disk != was.disk || len(s.written) < len(was.written) {
		return nil
	}
	return s.written[len(was.written):]
}

// analysis is what is known of a state.
type analysis struct {
	*folder
	at     state
	w      *workspace.Workspace
	result *lint.Result
	view   *view.View
	// mistakes are those of the settings.
	mistakes []*policy.Error
}

// analyze judges a state.
func (f *folder) analyze(ctx context.Context, at state) (*analysis, error) {
	if f.last != nil && f.last.at.revision == at.revision {
		return f.last, nil
	}
	online := f.server.online
	if f.place == nil || f.of.disk != at.disk {
		place, err := workspace.Place(&f.env, workspace.Request{Paths: at.opened, Known: true})
		if err != nil {
			return nil, err
		}
		f.disk = source.Remember(place.Options.Source)
		place.Options.Source = f.disk
		f.place, f.ask = place, nil
	} else {
		for _, path := range at.writtenSince(&f.of) {
			f.disk.Forget(path)
		}
	}
	a := &analysis{folder: f, at: at}
	contents := make(map[string][]byte, len(at.texts))
	for path, open := range at.texts {
		contents[path] = open.content
	}
	var err error
	if a.w, err = f.place.At(ctx, source.Overlay(f.place.Options.Source, contents)); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		a.mistakes = mistakesOf(err)
		if f.good != nil {
			o, good := &a.w.Options, f.good.Options
			o.Settings, o.Baseline, o.Policies = good.Settings, good.Baseline, good.Policies
		}
	} else {
		f.good = a.w
	}
	if err := a.w.ReadApproved(ctx, online); err != nil {
		a.mistakes = append(a.mistakes, mistakesOf(err)...)
	}
	if online && f.ask == nil {
		if err := a.w.AskRegistries(ctx, workspace.Asking{Approved: true}); err != nil {
			return nil, err
		}
		f.ask = a.w.Options.Ask
	}
	a.w.Options.Ask = f.asking(ctx, &at)
	f.keep(ctx, a)
	if a.result, err = a.w.Lint(ctx); err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return nil, err
	}
	a.result.Unmerged = nil // which no one asks for
	a.view = view.New(a.w.Viewed(a.result))
	f.of, f.last = at, a
	return a, nil
}

// keep notes which files differ from those of the last checked state, and keeps the rest.
func (f *folder) keep(ctx context.Context, a *analysis) {
	o, last := &a.w.Options, f.last
	if f.kept == nil {
		f.kept = lint.NewKept()
	}
	o.Kept, o.Edited = f.kept, map[string]bool{}
	for path := range a.at.texts {
		o.Edited[path] = true
	}
	if last == nil || f.of.disk != a.at.disk || len(o.Policies) > 0 || o.Approved != nil {
		f.kept.Forget()
		return
	}
	o.Changed = []string{}
	for _, path := range a.at.writtenSince(&f.of) {
		if path == policy.SettingsName || path == a.w.UsualBaseline() {
			f.kept.Forget()
			o.Changed = nil
			return
		}
		o.Changed = append(o.Changed, path)
	}
	for _, texts := range []map[string]*text{a.at.texts, last.at.texts} {
		for path := range texts {
			was, wasThere := f.content(ctx, last.at.texts, path)
			now, isThere := f.content(ctx, a.at.texts, path)
			switch {
			case string(was) == string(now) && wasThere == isThere:
				continue
			case wasThere != isThere, path == policy.SettingsName, path == a.w.UsualBaseline():
				f.kept.Forget()
				o.Changed = nil
				return
			}
			o.Changed = append(o.Changed, path)
		}
	}
	slices.Sort(o.Changed)
	o.Changed = slices.Compact(o.Changed)
}

// content returns what a file held with some texts open, and whether it was there.
func (f *folder) content(ctx context.Context, texts map[string]*text, path string) (content []byte, isThere bool) {
	if open := texts[path]; open != nil {
		return open.content, true
	}
	read, err := f.place.Options.Source.Read(ctx, path)
	return read.Content, err == nil
}

// mistakesOf returns what is wrong with settings.
func mistakesOf(err error) []*policy.Error {
	var several *multierror.Error
	var one *policy.Error
	switch {
	case errors.As(err, &several):
		var all []*policy.Error
		for _, err := range several.Errors {
			all = append(all, mistakesOf(err)...)
		}
		return all
	case errors.As(err, &one):
		return []*policy.Error{one}
	}
	return []*policy.Error{{Message: err.Error()}}
}

// pathNamed returns the path from the root of a file as messages name it.
func (a *analysis) pathNamed(name string) string {
	if below, ok := source.Below(a.root, a.env.Absolute(name)); ok && name != "" {
		return below
	}
	return policy.SettingsName
}

// file returns a file of the state, nil if it cannot be read.
func (a *analysis) file(ctx context.Context, path string) *syntax.File {
	for _, d := range a.documents(path) {
		if a.isCurrent(d) {
			return d.File
		}
	}
	read, err := a.w.Options.Source.Read(ctx, path)
	if err != nil {
		return nil
	}
	return syntax.NewFile(path, read.Content)
}

// documents returns the documents of a file, by each of its names.
func (a *analysis) documents(path string) []*mcp.Document {
	var found []*mcp.Document
	for _, p := range a.result.Whole.Projects {
		for _, d := range p.Documents {
			if d.File.Path == path {
				found = append(found, d)
			}
		}
	}
	return found
}

// isCurrent reports whether a document is of the text that the editor has: of one that does not
// parse the last that did is known.
func (a *analysis) isCurrent(d *mcp.Document) bool {
	open := a.at.texts[d.File.Path]
	return open == nil || string(open.content) == string(d.File.Bytes)
}

// watch shows in the editor how far a run is that takes long.
func (f *folder) watch(ctx context.Context) func(fmt.Stringer) func() {
	if !f.server.can.Window.WorkDoneProgress {
		return nil
	}
	const patience, every = time.Second, 250 * time.Millisecond
	return func(progress fmt.Stringer) func() {
		ctx, stop := context.WithCancel(ctx)
		go func() {
			select {
			case <-ctx.Done():
				return
			case <-time.After(patience):
			}
			token := serverName + strconv.FormatInt(time.Now().UnixNano(), 36)
			say := func(value map[string]any) {
				f.server.notify("$/progress", map[string]any{"token": token, "value": value})
			}
			if f.server.call(ctx, "window/workDoneProgress/create", map[string]any{"token": token}, nil) != nil {
				return
			}
			say(map[string]any{"kind": "begin", "title": "Checking MCP servers"})
			for {
				select {
				case <-ctx.Done():
					f.server.notify("$/progress", map[string]any{"token": token, "value": map[string]any{"kind": "end"}})
					return
				case <-time.After(every):
					say(map[string]any{"kind": "report", "message": progress.String()})
				}
			}
		}()
		return stop
	}
}

// subject is what a request is about: a file of a state.
type subject struct {
	*analysis
	uri, path string
}

// answer is how requests of a method are answered: at once or later, by calling done.
type answer func(s *server, ctx context.Context, raw json.RawMessage, done func(any, error))

// about returns how a request about a document is answered, and that of one that is in no folder
// is null.
func about[P any](answer func(context.Context, *subject, P) (any, error)) answer {
	return func(s *server, ctx context.Context, raw json.RawMessage, done func(any, error)) {
		of, err := decode[documentParams](raw)
		p, wrong := decode[P](raw)
		if err := cmp.Or(err, wrong); err != nil {
			done(nil, err)
			return
		}
		s.inFolder(ctx, of.TextDocument.URI, done, func(ctx context.Context, in *subject) (any, error) { return answer(ctx, in, p) })
	}
}

// inFolder has something answered about a document.
func (s *server) inFolder(ctx context.Context, uri string, done func(any, error), answer func(context.Context, *subject) (any, error)) {
	var f *folder
	var path string
	if d := s.open[uri]; d != nil {
		f, path = d.folder, d.path
	} else if name, ok := pathOf(uri); ok {
		f, path = s.folderOf(workspace.RealPath(name))
	}
	if f == nil {
		done(nil, nil)
		return
	}
	f.answer(ctx, func(a *analysis) (any, error) { return answer(ctx, &subject{a, uri, path}) }, done)
}
