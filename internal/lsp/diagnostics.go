package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"hash/fnv"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"sync"

	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/view"
)

// How an editor shows findings (DiagnosticSeverity and DiagnosticTag of the protocol). A note is
// what check shows only to those who ask for it.
const (
	severityError       = 1
	severityWarning     = 2
	severityHint        = 4
	tagUnnecessary      = 1
	tagDeprecated       = 2
	kindFull            = "full"
	maxRelated          = rule.MaxRelated
	codeUnchecked       = "not-checked"
	codeSettingsMistake = "settings"
)

// severityOf returns the protocol's severity.
func severityOf(s rule.Severity) int {
	switch s {
	case rule.Error:
		return severityError
	case rule.Warning:
		return severityWarning
	}
	return severityHint
}

// tagsOf returns the tags of a rule's findings, which an editor shows along with their severity:
// the text may go, or it is no longer maintained.
func tagsOf(id string) []int {
	switch id {
	case "duplicate-server", "duplicate-key", "unused-ignore", "unread-file":
		return []int{tagUnnecessary}
	case "deprecated-server":
		return []int{tagDeprecated}
	}
	return nil
}

// lowest returns the lowest severity that is shown.
func (a *analysis) lowest() rule.Severity {
	lowest, err := rule.ParseSeverity(cmp.Or(a.server.settings().Severity, a.w.Options.Settings.Preferences.Severity, "note"))
	if err != nil {
		return rule.Note
	}
	return lowest
}

// fileReport is what the server publishes about a file.
type fileReport struct {
	findings []*rule.Finding
	// others are diagnostics that are not findings.
	others  []diagnostic
	version *int // of the open document, nil for none
}

// isSame reports whether an editor would show the same.
func (t *fileReport) isSame(other *fileReport) bool {
	isSame := func(a, b *rule.Finding) bool {
		return a.Rule == b.Rule && a.File == b.File && a.Span == b.Span && a.Severity == b.Severity && a.Text() == b.Text() && slices.Equal(a.Related, b.Related)
	}
	isVersion := t.version == other.version || t.version != nil && other.version != nil && *t.version == *other.version
	return isVersion && slices.EqualFunc(t.findings, other.findings, isSame) && reflect.DeepEqual(t.others, other.others)
}

// fileReports returns what to publish about each file, by path from the root. An open file is
// always included, even with nothing to report.
func (a *analysis) fileReports() map[string]*fileReport {
	all := map[string]*fileReport{}
	of := func(path string) *fileReport {
		if all[path] == nil {
			all[path] = &fileReport{}
		}
		return all[path]
	}
	lowest := a.lowest()
	for i := range a.result.Findings {
		if f := &a.result.Findings[i]; f.Severity >= lowest {
			t := of(f.File.Path)
			t.findings = append(t.findings, f)
		}
	}
	for _, m := range a.mistakes {
		t, at := of(a.pathNamed(m.Path)), position{max(m.Line-1, 0), 0}
		t.others = append(t.others, diagnostic{
			Range: span{at, position{at.Line, max(m.Column, 1)}}, Severity: severityError, Code: codeSettingsMistake, Source: serverName, Message: shown(m.Message),
		})
	}
	for _, e := range a.result.Errors {
		if e.Path != "" {
			t := of(e.Path)
			t.others = append(t.others, diagnostic{Severity: severityWarning, Code: codeUnchecked, Source: serverName, Message: "not checked: " + shown(e.Message)})
		}
	}
	for path, open := range a.at.texts {
		of(path).version = &open.version
	}
	return all
}

// diagnostics returns what to publish about a file as an editor shows it.
func (a *analysis) diagnostics(t *fileReport) []diagnostic {
	all := []diagnostic{}
	for _, f := range t.findings {
		all = append(all, a.diagnostic(f))
	}
	return append(all, t.others...)
}

// diagnostic returns a finding as an editor shows it.
func (a *analysis) diagnostic(f *rule.Finding) diagnostic {
	shown := a.view.Finding(f)
	d := diagnostic{
		Range: a.server.span(f.File, f.Span), Severity: severityOf(f.Severity), Code: f.Rule.ID, Description: &codeDescription{f.Rule.URL()},
		Source: serverName, Message: messageOf(shown), Tags: tagsOf(f.Rule.ID),
	}
	places, _ := shown.Related(maxRelated)
	for i, r := range places {
		at := f.Related[i]
		d.Related = append(d.Related, related{location{a.uri(a.at.texts, at.File.Path), a.server.span(at.File, at.Span)}, r.MessageHere.String()})
	}
	return d
}

// messageOf returns what a person reads of a finding: what is wrong, and what to do.
func messageOf(f view.Finding) string { return f.MessageHere().String() }

// shown returns a text as it may be shown.
func shown(text string) string { return view.NewText(text).String() }

// publish sends what has changed, and always the diagnostics of open documents that have changed.
func (f *folder) publish(ctx context.Context, a *analysis) {
	if f.server.pulls {
		f.refreshPulled(ctx, a)
		return
	}
	// After a file was opened by another name, its places are published under that name.
	names := f.otherNames(a.at.texts)
	isRenamed := !maps.Equal(names, f.publishedNames)
	fresh := map[string]*fileReport{}
	all := a.fileReports()
	for _, path := range slices.Sorted(maps.Keys(all)) {
		uri, now := f.uri(a.at.texts, path), all[path]
		was := f.published[uri]
		if fresh[uri] = now; was == nil || !was.isSame(now) || isRenamed {
			f.send(publishParams{URI: uri, Version: now.version, Diagnostics: a.diagnostics(now)})
		}
	}
	for _, uri := range slices.Sorted(maps.Keys(f.published)) {
		if fresh[uri] == nil {
			f.send(publishParams{URI: uri, Diagnostics: []diagnostic{}})
		}
	}
	f.published, f.publishedNames = fresh, names
}

// otherNames returns the URIs of open documents that are others than their paths make, by path.
func (f *folder) otherNames(texts map[string]*text) map[string]string {
	names := map[string]string{}
	for path, open := range texts {
		if open.uri != f.uri(nil, path) {
			names[path] = open.uri
		}
	}
	return names
}

// send publishes the diagnostics of a file.
func (f *folder) send(p publishParams) {
	if !f.server.can.TextDocument.PublishDiagnostics.VersionSupport {
		p.Version = nil
	}
	f.server.notify("textDocument/publishDiagnostics", p)
}

// clear takes all diagnostics back.
func (f *folder) clear() {
	for uri := range f.published {
		f.server.notify("textDocument/publishDiagnostics", publishParams{URI: uri, Diagnostics: []diagnostic{}})
	}
	clear(f.published)
}

// refreshPulled tells a client that requests diagnostics that they may differ in files that it has
// not changed.
func (f *folder) refreshPulled(ctx context.Context, a *analysis) {
	was := f.pulledFrom
	if f.pulledFrom = [2]int{a.at.disk, len(a.at.written)}; was[0] != 0 && was != f.pulledFrom && f.server.can.Workspace.Diagnostics.RefreshSupport {
		go func() { _ = f.server.call(ctx, "workspace/diagnostic/refresh", nil, nil) }()
	}
}

// pulled answers for one document.
func pulled(_ context.Context, in *subject, p struct {
	PreviousResultID string `json:"previousResultId"`
},
) (any, error) {
	t := in.fileReports()[in.path]
	if t == nil {
		t = &fileReport{}
	}
	r := report(in.diagnostics(t))
	if r.ResultID == p.PreviousResultID {
		return map[string]string{"kind": "unchanged", "resultId": r.ResultID}, nil
	}
	return r, nil
}

// report returns diagnostics in the form of an answer to a request.
func report(all []diagnostic) diagnosticReport {
	text, err := json.Marshal(all)
	if err != nil {
		text = nil
	}
	sum := fnv.New64a()
	sum.Write(text)
	return diagnosticReport{kindFull, strconv.FormatUint(sum.Sum64(), 36), all}
}

// pulledAll answers for all files of all folders.
func pulledAll(s *server, ctx context.Context, _ json.RawMessage, done func(any, error)) {
	type part struct {
		folder  int
		reports []workspaceReport
	}
	parts, folders := make(chan part, len(s.folders)), len(s.folders)
	var failed error
	var once sync.Mutex
	for i, f := range s.folders {
		f.answer(ctx, func(a *analysis) (any, error) { return a.reports(), nil }, func(v any, err error) {
			once.Lock()
			failed = cmp.Or(failed, err)
			once.Unlock()
			reports, _ := v.([]workspaceReport)
			parts <- part{i, reports}
		})
	}
	go func() {
		all := make([][]workspaceReport, folders)
		for range folders {
			p := <-parts
			all[p.folder] = p.reports
		}
		once.Lock()
		defer once.Unlock()
		items := slices.Concat(all...)
		if items == nil {
			items = []workspaceReport{}
		}
		done(map[string]any{"items": items}, failed)
	}()
}

// reports returns the diagnostics of all files.
func (a *analysis) reports() []workspaceReport {
	all := a.fileReports()
	var reports []workspaceReport
	for _, path := range slices.Sorted(maps.Keys(all)) {
		reports = append(reports, workspaceReport{diagnosticReport: report(a.diagnostics(all[path])), URI: a.uri(a.at.texts, path), Version: all[path].version})
	}
	return reports
}
