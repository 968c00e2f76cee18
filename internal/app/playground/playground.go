// Package playground answers requests of a page that has the files of a repository and no disk:
// what is found in them, what fixes would change, what the files of another client would contain.
package playground

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/go-multierror"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/app/fixing"
	"github.com/mcplumb/mcplumb/internal/app/syncing"
	"github.com/mcplumb/mcplumb/internal/built"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/internal/workspace"
	"github.com/mcplumb/mcplumb/report"
)

// Request is what a page asks.
type Request struct {
	// Do is what to do, a name of actions.
	Do string `json:"do"`
	// Files are the texts of a repository by their paths from its root; the settings are
	// one of them.
	Files map[string]string `json:"files"`
	// Base are those that findings are compared with, nil for nothing.
	Base map[string]string `json:"base"`
	// Unsafe also makes the fixes that are not safe.
	Unsafe bool `json:"unsafe"`
	// From is the file whose servers the client To gets.
	From string `json:"from"`
	To   string `json:"to"`
}

// Answer is what the page gets.
type Answer struct {
	// Error says why the answer has less than was requested, for example if settings cannot be
	// read.
	Error string `json:"error,omitempty"`
	// Report and List are what check and list print as JSON.
	Report json.RawMessage `json:"report,omitempty"`
	List   json.RawMessage `json:"list,omitempty"`
	// Changed are the files that change, with their new contents.
	Changed map[string]string `json:"changed,omitempty"`
	// Text says what was changed, and what was not and why.
	Text string `json:"text,omitempty"`
	// Reads are the files that a check reads; their contents may add more.
	Reads []string `json:"reads,omitempty"`
	// About is what the page has to know before it asks.
	About *About `json:"about,omitempty"`
}

// About tells which mcplumb answers, and what there is to choose from.
type About struct {
	// Version is what "mcplumb version" prints, without the end of the line.
	Version string `json:"version"`
	// Clients are those that files can be written for, Rules all rules with what they find.
	Clients []Named `json:"clients"`
	Rules   []Named `json:"rules"`
}

// Named is an ID with what people read.
type Named struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// actions are the possible values of Request.Do.
var actions = map[string]func(context.Context, *Request) (*Answer, error){
	"about": about, "reads": reads, "check": check, "fix": fix, "sync": inStep,
}

// Respond answers a Request in JSON with an Answer in JSON.
func Respond(ctx context.Context, request []byte) []byte {
	var r Request
	answer := &Answer{}
	err := json.Unmarshal(request, &r)
	if err == nil {
		if act := actions[r.Do]; act != nil {
			answer, err = act(ctx, &r)
		} else {
			err = fmt.Errorf("%q: unknown action", r.Do)
		}
	}
	if answer == nil {
		answer = &Answer{}
	}
	if err != nil {
		answer.Error = view.NewText(inLines(err)).Plain()
	}
	text, err := json.Marshal(answer)
	if err != nil {
		return []byte(`{"error": "the answer cannot be written"}`)
	}
	return text
}

// inLines returns what an error says, each of several mistakes in a line.
func inLines(err error) string {
	var several *multierror.Error
	if !errors.As(err, &several) {
		return err.Error()
	}
	var lines []string
	for _, one := range several.Errors {
		lines = append(lines, one.Error())
	}
	return strings.Join(lines, "\n")
}

func about(context.Context, *Request) (*Answer, error) {
	a := &About{Version: built.Named(built.Version, built.Commit())}
	for _, id := range syncing.Writable() {
		a.Clients = append(a.Clients, Named{id, mcp.ClientByID(id).Title})
	}
	for _, c := range checks.All() {
		a.Rules = append(a.Rules, Named{c.ID, c.Title})
	}
	return &Answer{About: a}, nil
}

// reading is a tree that records which files are read, by several goroutines at once.
type reading struct {
	source.Tree
	guard sync.Mutex
	paths map[string]bool
}

func (r *reading) Read(ctx context.Context, path string) (source.File, error) {
	file, err := r.Tree.Read(ctx, path)
	r.guard.Lock()
	defer r.guard.Unlock()
	r.paths[path] = err == nil
	return file, err
}

// reads returns which files of a large repository a check would read, regardless of their contents.
func reads(ctx context.Context, r *Request) (*Answer, error) {
	w, err := open(ctx, r, workspace.Request{Known: true})
	if err != nil {
		return nil, err
	}
	tree := &reading{Tree: w.Options.Source, paths: map[string]bool{}}
	w.Options.Source = tree
	_, err = w.Lint(ctx)
	maps.DeleteFunc(tree.paths, func(_ string, isThere bool) bool { return !isThere })
	return &Answer{Reads: slices.Sorted(maps.Keys(tree.paths))}, err
}

// check finds what check and list would, in one run.
func check(ctx context.Context, r *Request) (*Answer, error) {
	w, failed := open(ctx, r, workspace.Request{Known: true})
	if failed == nil {
		failed = w.ReadApproved(ctx, false)
	}
	if r.Base != nil {
		w.CompareWith(ctx, source.Memory(r.Base), "base")
	}
	found, err := w.Lint(ctx)
	if err != nil {
		return nil, err
	}
	a, err := reported(view.New(w.Viewed(found)))
	return a, errors.Join(failed, err)
}

// fix makes fixes.
func fix(ctx context.Context, r *Request) (*Answer, error) {
	w, err := open(ctx, r, workspace.Request{Known: true})
	if err != nil {
		return nil, err
	}
	allowed := rule.Safe
	if r.Unsafe {
		allowed = rule.Unsafe
	}
	made, err := fixing.Try(ctx, w, allowed)
	if err != nil {
		return nil, err
	}
	return changed(w, made, made.Found)
}

// inStep writes the servers of a file for another client.
func inStep(ctx context.Context, r *Request) (*Answer, error) {
	o := &syncing.Options{From: r.From, To: []string{r.To}, Does: syncing.Plan}
	w, err := open(ctx, r, o.Request())
	if err != nil {
		return nil, err
	}
	if w.Targets = []string{r.From}; !fs.ValidPath(r.From) {
		return nil, fmt.Errorf("%q: not a path", r.From)
	}
	result, err := syncing.Run(ctx, w, o)
	if err != nil {
		return nil, err
	}
	return changed(w, result.Fixed, result.Found)
}

// open opens the files of a request. An error says what of the settings cannot be read: the
// workspace does without.
func open(ctx context.Context, r *Request, how workspace.Request) (*workspace.Workspace, error) {
	env := &workspace.Env{
		Dir: root, Getenv: func(string) string { return "" }, Now: time.Now,
		LookPath: func(string) (string, error) { return "", fs.ErrNotExist }, Version: built.Version,
	}
	files := map[string]string{}
	for path, text := range r.Files {
		if fs.ValidPath(path) {
			files[path] = text
		}
	}
	return workspace.OpenTree(ctx, env, root, "", source.Memory(files), how)
}

// root is the directory that the files appear to be in.
const root = "/repository"

// reported returns the findings.
func reported(v *view.View) (*Answer, error) {
	findings, err := written(func(w io.Writer) error { return report.WriteJSON(w, v, report.Options{}) })
	if err != nil {
		return nil, err
	}
	list, err := written(func(w io.Writer) error { return report.ListJSON(w, v) })
	return &Answer{Report: findings, List: list}, err
}

func written(write func(io.Writer) error) ([]byte, error) {
	var text bytes.Buffer
	err := write(&text)
	return text.Bytes(), err
}

// changed returns which files fixes change, nil for none that were made. A credential in them
// is where it was before, so it stays in the page.
func changed(w *workspace.Workspace, made *fixing.Result, found *lint.Result) (*Answer, error) {
	v := view.New(w.Viewed(found))
	a, err := reported(v)
	if err != nil || made == nil {
		return a, err
	}
	a.Changed = map[string]string{}
	for _, f := range made.Files {
		a.Changed[f.Path] = string(f.New)
	}
	text, err := written(func(w io.Writer) error { return report.WriteFixes(w, fixing.Proposed(v, made.Outcome)) })
	a.Text = string(text)
	return a, err
}
