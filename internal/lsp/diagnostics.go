package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"hash/fnv"
	"maps"
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

// tagsOf returns how what a rule finds is shown beside its severity: as something that may go, or
// that is no more maintained.
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

// diagnostics returns what there is to say of files, by their paths from the root.
func (a *analysis) diagnostics() map[string][]diagnostic {
	all := map[string][]diagnostic{}
	for _, f := range a.view.Findings(a.lowest()) {
		path := f.Place().File().Path
		all[path] = append(all[path], a.diagnostic(f))
	}
	for _, m := range a.mistakes {
		path := a.pathNamed(m.Path)
		at := position{max(m.Line-1, 0), 0}
		all[path] = append(all[path], diagnostic{
			Range: span{at, position{at.Line, max(m.Column, 1)}}, Severity: severityError, Code: codeSettingsMistake, Source: serverName, Message: shown(m.Message),
		})
	}
	for _, e := range a.result.Errors {
		if e.Path != "" {
			all[e.Path] = append(all[e.Path], diagnostic{Severity: severityWarning, Code: codeUnchecked, Source: serverName, Message: "not checked: " + shown(e.Message)})
		}
	}
	return all
}

// diagnostic returns a finding as an editor shows it.
func (a *analysis) diagnostic(f view.Finding) diagnostic {
	d := diagnostic{
		Range: a.placed(f.Place()), Severity: severityOf(f.Severity()), Code: f.Rule().ID, Description: &codeDescription{f.Rule().URL()},
		Source: serverName, Message: messageOf(f), Tags: tagsOf(f.Rule().ID), Data: &findingData{f.Fingerprint()},
	}
	places, _ := f.Related(maxRelated)
	for _, r := range places {
		d.Related = append(d.Related, related{location{a.uri(a.at.texts, r.Place.File().Path), a.placed(r.Place)}, r.MessageHere.String()})
	}
	return d
}

// messageOf returns what a person reads of a finding: what is wrong, and what to do.
func messageOf(f view.Finding) string { return f.MessageHere().String() }

// shown returns a text as it may be shown.
func shown(text string) string { return view.NewText(text).String() }

// placed returns a place as the client counts.
func (a *analysis) placed(p view.Place) span { return a.server.span(p.File(), p.Span()) }

// publish sends what has changed, and always what there is to say of open documents that have.
func (f *folder) publish(ctx context.Context, a *analysis) {
	if f.server.pulls {
		f.refreshPulled(ctx, a)
		return
	}
	all := a.diagnostics()
	for path := range a.at.texts {
		all[path] = slices.Clip(all[path]) // also where there is nothing to say any more
	}
	fresh := map[string]bool{}
	for _, path := range slices.Sorted(maps.Keys(all)) {
		p := publishParams{URI: f.uri(a.at.texts, path), Diagnostics: all[path]}
		if p.Diagnostics == nil {
			p.Diagnostics = []diagnostic{}
		}
		if open := a.at.texts[path]; open != nil {
			p.Version = &open.version
		}
		f.send(ctx, p)
		fresh[p.URI] = true
	}
	for _, uri := range slices.Sorted(maps.Keys(f.published)) {
		if !fresh[uri] {
			f.send(ctx, publishParams{URI: uri, Diagnostics: []diagnostic{}})
			delete(f.published, uri)
		}
	}
}

// send publishes what is other than what was published.
func (f *folder) send(ctx context.Context, p publishParams) {
	if !f.server.can.TextDocument.PublishDiagnostics.VersionSupport {
		p.Version = nil
	}
	text, err := json.Marshal(p)
	if was, known := f.published[p.URI]; err != nil || was == digest(text) || !known && p.Version == nil && len(p.Diagnostics) == 0 {
		return
	}
	f.published[p.URI] = digest(text)
	f.server.notify(ctx, "textDocument/publishDiagnostics", p)
}

// digest tells one text from another.
func digest(text []byte) string {
	sum := fnv.New128a()
	sum.Write(text)
	return string(sum.Sum(nil))
}

// clear takes all diagnostics back.
func (f *folder) clear(ctx context.Context) {
	for uri := range f.published {
		f.server.notify(ctx, "textDocument/publishDiagnostics", publishParams{URI: uri, Diagnostics: []diagnostic{}})
	}
	clear(f.published)
}

// refreshPulled tells a client that asks for diagnostics that there may be others in files that
// it has not changed.
func (f *folder) refreshPulled(ctx context.Context, a *analysis) {
	const key = "disk"
	was := f.published[key]
	f.published[key] = strconv.Itoa(a.at.disk)
	if was != "" && was != f.published[key] && f.server.can.Workspace.Diagnostics.RefreshSupport {
		go func() { _ = f.server.call(ctx, "workspace/diagnostic/refresh", nil, nil) }()
	}
}

// pulled answers for one document.
func pulled(_ context.Context, in *subject, p struct {
	PreviousResultID string `json:"previousResultId"`
},
) (any, error) {
	r := report(in.diagnostics()[in.path])
	if r.ResultID == p.PreviousResultID {
		return map[string]string{"kind": "unchanged", "resultId": r.ResultID}, nil
	}
	return r, nil
}

// report returns diagnostics as they are asked for.
func report(all []diagnostic) diagnosticReport {
	if all == nil {
		all = []diagnostic{}
	}
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

// reports returns what there is to say of all files.
func (a *analysis) reports() []workspaceReport {
	all := a.diagnostics()
	var reports []workspaceReport
	for _, path := range slices.Sorted(maps.Keys(all)) {
		r := workspaceReport{diagnosticReport: report(all[path]), URI: a.uri(a.at.texts, path)}
		if open := a.at.texts[path]; open != nil {
			r.Version = &open.version
		}
		reports = append(reports, r)
	}
	return reports
}
