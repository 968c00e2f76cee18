package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/app/fixing"
	"github.com/mcplumb/mcplumb/internal/app/syncing"
	"github.com/mcplumb/mcplumb/internal/glob"
	"github.com/mcplumb/mcplumb/internal/instep"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/internal/workspace"
)

// Kinds of code actions.
const (
	kindQuickFix = "quickfix"
	kindFixAll   = "source.fixAll.mcplumb"
	kindRewrite  = "refactor.rewrite"
)

// Actions whose edit is computed only after a person has chosen them.
const (
	lateFixAll = "fix all"
	lateWrite  = "write"
)

// codeActions returns the actions for the findings in a range, and for the server there.
func codeActions(ctx context.Context, in *subject, p codeActionParams) (any, error) {
	actions := []codeAction{}
	file := in.file(ctx, in.path)
	if file == nil {
		return actions, nil
	}
	wants := func(kind string) bool {
		return len(p.Context.Only) == 0 || slices.ContainsFunc(p.Context.Only, func(only string) bool { return kind == only || strings.HasPrefix(kind, only+".") })
	}
	at := syntax.Span{Start: in.server.offset(file, p.Range.Start), End: in.server.offset(file, p.Range.End)}
	if wants(kindQuickFix) {
		in.eachAt(file, at, func(f, place *rule.Finding) {
			found := []diagnostic{in.diagnostic(f)}
			actions = append(actions, in.fixes(place, found)...)
			if ignore, ok := in.ignoring(ctx, place); ok {
				ignore.Diagnostics = found
				actions = append(actions, ignore)
			}
		})
	}
	late := func(title, kind string, data actionData) {
		data.URI = in.uri
		if open := in.at.texts[in.path]; open != nil {
			data.Version = open.version
		}
		action := codeAction{Title: title, Kind: kind, Data: &data}
		if !in.server.resolvesLate() {
			if len(p.Context.Only) == 0 {
				return // no one waits that long for a menu
			}
			if action.Edit, _ = in.late(ctx, &data); action.Edit == nil {
				return
			}
			action.Data = nil
		}
		actions = append(actions, action)
	}
	if wants(kindFixAll) && in.hasSafeFix() {
		late("Make all safe fixes in this file", kindFixAll, actionData{Kind: lateFixAll})
	}
	if s := in.serverAt(file, at.Start); s != nil && wants(kindRewrite) {
		for _, c := range in.others(s, len(p.Context.Only) > 0) {
			late(fmt.Sprintf("Also write %s for %s", in.said(s.Name), c.Title), kindRewrite, actionData{Kind: lateWrite, Name: s.Name, Client: c.ID})
		}
	}
	return actions, nil
}

// resolvesLate reports whether the client requests the edit of an action only when it is chosen.
func (s *server) resolvesLate() bool {
	can := &s.can.TextDocument.CodeAction
	return can.DataSupport && slices.Contains(can.ResolveSupport.Properties, "edit")
}

// eachAt calls do with every finding that has a place in a part of a file, and with that place.
func (a *analysis) eachAt(file *syntax.File, at syntax.Span, do func(f, place *rule.Finding)) {
	lowest := a.lowest()
	for i := range a.result.Findings {
		f := &a.result.Findings[i]
		for _, place := range f.Places() {
			isHere := place.File.Path == file.Path && place.Span.Start <= at.End && at.Start <= place.Span.End
			if isHere && f.Severity >= lowest && string(place.File.Bytes) == string(file.Bytes) {
				do(f, place)
			}
		}
	}
}

// fixes returns the fixes of a finding, those first that are safe.
func (a *analysis) fixes(f *rule.Finding, found []diagnostic) []codeAction {
	var actions []codeAction
	for _, safety := range []rule.Safety{rule.Safe, rule.Unsafe} {
		for _, fix := range a.view.Finding(f).Fixes() {
			e := a.newEdits()
			if fix.Safety() != safety || !e.fix(fix) {
				continue
			}
			if made := e.workspaceEdit(); made != nil {
				actions = append(actions, codeAction{
					Title: upperFirst(fix.Label().String()), Kind: kindQuickFix, Diagnostics: found,
					IsPreferred: safety == rule.Safe && len(actions) == 0, Edit: made,
				})
			}
		}
	}
	return actions
}

// ignoring returns the action that writes into the settings that a finding may stay: of a hash,
// that it is approved.
func (a *analysis) ignoring(ctx context.Context, f *rule.Finding) (codeAction, bool) {
	if f.Rule == checks.SyntaxError || f.Rule == checks.UnusedIgnore {
		return codeAction{}, false
	}
	ignore := policy.Ignore{Rule: f.Rule.ID, Path: f.File.Path, Server: f.Server, Reason: policy.ReasonToWrite}
	title := fmt.Sprintf("Ignore %s here, with a reason to write", f.Rule.ID)
	switch {
	case f.Approval != nil:
		ignore = policy.Ignore{Rule: f.Rule.ID, Identity: f.Approval.Identity, Integrity: f.Approval.New, Reason: policy.ReasonToWrite}
		title = fmt.Sprintf("Approve the hash %s, with a reason to write", a.said(f.Approval.NewShort))
	case f.Rule == checks.IntegrityChanged || !glob.IsPlain(ignore.Path):
		return codeAction{}, false
	}
	for _, text := range []string{ignore.Path, ignore.Server, ignore.Identity} {
		if a.view.Text(text).Plain() != text {
			return codeAction{}, false
		}
	}
	read, err := a.w.Options.Source.Read(ctx, policy.SettingsName)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return codeAction{}, false
	}
	now, err := policy.AddIgnores(policy.SettingsName, read.Content, []policy.Ignore{ignore})
	if err != nil {
		return codeAction{}, false
	}
	e := a.newEdits()
	if !e.rewrite(policy.SettingsName, read.Content, now) {
		return codeAction{}, false
	}
	made := e.workspaceEdit()
	return codeAction{Title: title, Kind: kindQuickFix, Edit: made}, made != nil
}

// hasSafeFix reports whether something in the file can be fixed safely.
func (in *subject) hasSafeFix() bool {
	return slices.ContainsFunc(in.result.Findings, func(f rule.Finding) bool {
		return slices.ContainsFunc(f.Places(), func(at *rule.Finding) bool {
			return at.File.Path == in.path && slices.ContainsFunc(at.Fixes, func(fix rule.Fix) bool { return fix.Safety == rule.Safe })
		})
	})
}

// others returns the clients that a server can be written for: those with a file in its project
// that has no server of the name and, on request, also all others.
func (a *analysis) others(s *mcp.Server, all bool) []*mcp.Client {
	if s.Document.Lock != nil || !s.Document.IsClientFile() {
		return nil
	}
	var clients []*mcp.Client
	for _, c := range instep.Writable() {
		isOf := func(d *mcp.Document) bool { return d.IsClientFile() && d.Clients[0] == c }
		has := func(d *mcp.Document) bool {
			return isOf(d) && slices.ContainsFunc(d.Servers, func(other *mcp.Server) bool { return other.Name == s.Name })
		}
		docs := s.Document.Project.Documents
		if !slices.ContainsFunc(docs, has) && (all || slices.ContainsFunc(docs, isOf)) {
			clients = append(clients, c)
		}
	}
	return clients
}

// late works an action out.
func (in *subject) late(ctx context.Context, data *actionData) (*workspaceEdit, error) {
	w := *in.w
	w.Options.Kept, w.Options.Changed = nil, nil
	w.Workspace.Targets = []string{in.path}
	made, err := in.outcome(ctx, &w, data)
	if err != nil || made == nil {
		return nil, err
	}
	e, before, after := in.newEdits(), view.New(w.Viewed(made.Before)), view.New(w.Viewed(made.After))
	for _, f := range made.Files {
		if data.Kind == lateFixAll && f.Path != in.path {
			continue
		}
		// As for a patch: a fix writes no credential that was not there.
		if patch := before.Patch(after, f.Path, f.Old, f.New); len(patch.Withheld) > 0 {
			return nil, refused("%s would contain a credential", in.said(f.Path))
		}
		if !e.rewrite(f.Path, f.Old, f.New) {
			return nil, refused("the text of %s does not parse as it is now", in.said(f.Path))
		}
	}
	return e.workspaceEdit(), nil
}

// outcome makes the fixes of an action, on copies.
func (in *subject) outcome(ctx context.Context, w *workspace.Workspace, data *actionData) (*fixing.Result, error) {
	if data.Kind == lateFixAll {
		w.Options.Targets = []string{in.path}
		return fixing.Try(ctx, w, rule.Safe)
	}
	r, err := syncing.Run(ctx, w, &syncing.Options{From: in.path, To: []string{data.Client}, Servers: []string{data.Name}, Does: syncing.Plan})
	switch {
	case err != nil:
		return nil, err
	case r.Fixed == nil || len(r.Fixed.Files) == 0:
		return nil, refused("there is nothing to write for %s", in.said(data.Client))
	}
	return r.Fixed, nil
}

// resolved answers for an action that was chosen.
func resolved(s *server, ctx context.Context, raw json.RawMessage, done func(any, error)) {
	action, err := decode[codeAction](raw)
	if err != nil || action.Data == nil {
		done(json.RawMessage(raw), err)
		return
	}
	s.inFolder(ctx, action.Data.URI, done, func(ctx context.Context, in *subject) (any, error) {
		if open := in.at.texts[in.path]; open != nil && open.version != action.Data.Version {
			return nil, &jsonrpc2.Error{Code: codeModified, Message: "the document has changed"}
		}
		var err error
		action.Edit, err = in.late(ctx, action.Data)
		return action, err
	})
}

// said returns a name in the form that may be shown.
func (a *analysis) said(name string) string { return a.view.Text(name).String() }

// upperFirst returns a text that begins as a sentence does.
func upperFirst(text string) string {
	if text == "" {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
