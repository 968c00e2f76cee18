package lsp

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"

	"github.com/aymanbagabas/go-udiff"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/view"
)

// edits are changes of several files, as one edit of the editor.
type edits struct {
	analysis *analysis
	byPath   map[string][]textEdit
	made     map[string]bool // files that are not there yet
	notes    map[string]changeAnnotation
}

func (a *analysis) newEdits() *edits {
	return &edits{analysis: a, byPath: map[string][]textEdit{}, made: map[string]bool{}, notes: map[string]changeAnnotation{}}
}

// replace replaces a part of a file with a text. It reports whether the editor has the same
// content, so that the place is the same there.
func (e *edits) replace(file *syntax.File, at syntax.Span, text, note string) bool {
	isOf := func(content []byte) bool { return bytes.Equal(file.Bytes, content) }
	return e.add(file.Path, isOf, textEdit{Range: e.analysis.server.span(file, at), NewText: text, Annotation: note})
}

// add adds an edit of a file. isOf reports whether a content is the one that the edit is for.
func (e *edits) add(path string, isOf func(content []byte) bool, made textEdit) bool {
	if isOf(nil) && !e.analysis.isThere(path) {
		e.made[path] = true
	} else if open := e.analysis.at.texts[path]; open != nil && !isOf(open.content) {
		return false
	}
	e.byPath[path] = append(e.byPath[path], made)
	return true
}

// isThere reports whether there is a file.
func (a *analysis) isThere(path string) bool {
	if a.at.texts[path] != nil {
		return true
	}
	_, err := a.w.Options.Source.Stat(context.Background(), path)
	return !errors.Is(err, fs.ErrNotExist)
}

// rewrite makes one text of a file another one, in as few places as can be.
func (e *edits) rewrite(path string, old, new []byte) bool {
	if old == nil {
		return e.replace(syntax.NewFile(path, nil), syntax.Span{}, string(new), "")
	}
	file := syntax.NewFile(path, old)
	for _, d := range udiff.Strings(string(old), string(new)) {
		if !e.replace(file, syntax.Span{Start: d.Start, End: d.End}, d.New, "") {
			return false
		}
	}
	return true
}

// fix makes a fix, which shows no credential.
func (e *edits) fix(fix view.Fix) bool {
	changes, ok := fix.Edits()
	columns := e.analysis.server.columns
	for _, c := range changes {
		start, end := c.Place.Start(columns), c.Place.End(columns)
		at := span{position{start.Line - 1, start.Column - 1}, position{end.Line - 1, end.Column - 1}}
		ok = ok && e.add(c.Place.Path().FromRoot().Plain(), c.Place.IsOf, textEdit{Range: at, NewText: c.Text.Plain()})
	}
	return ok && len(changes) > 0
}

// changes makes changes by meaning. The error says to a person why that cannot be.
func (e *edits) changes(changes []edit.Change, note func(*syntax.File) string) error {
	lowered, err := edit.Lower(changes)
	if err != nil {
		return err
	}
	for _, c := range lowered {
		if !e.replace(c.File, c.Span, c.New, note(c.File)) {
			return errors.New("the text of " + c.File.Path + " does not parse as it is now")
		}
	}
	return nil
}

// workspaceEdit returns the changes in the form that the client supports. It returns nil without
// changes, or if the client does not support them all.
func (e *edits) workspaceEdit() *workspaceEdit {
	can := &e.analysis.server.can.Workspace.WorkspaceEdit
	if len(e.byPath) == 0 || len(e.made) > 0 && !(can.DocumentChanges && slices.Contains(can.ResourceOperations, "create")) {
		return nil
	}
	made := &workspaceEdit{}
	for _, path := range slices.Sorted(maps.Keys(e.byPath)) {
		uri := e.analysis.uri(e.analysis.at.texts, path)
		if !can.DocumentChanges {
			if made.Changes == nil {
				made.Changes = map[string][]textEdit{}
			}
			made.Changes[uri] = e.byPath[path]
			continue
		}
		if e.made[path] {
			made.DocumentChanges = append(made.DocumentChanges, documentChange{Kind: "create", URI: uri})
		}
		doc := &versionedDocument{URI: uri}
		if open := e.analysis.at.texts[path]; open != nil {
			doc.Version = &open.version
		}
		made.DocumentChanges = append(made.DocumentChanges, documentChange{TextDocument: doc, Edits: e.byPath[path]})
	}
	if len(e.notes) > 0 {
		made.Annotations = e.notes
	}
	return made
}
