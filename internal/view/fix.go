package view

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// FixResult is one fix: what it does, and the reason why it was
// not made, empty if it was.
type FixResult struct {
	// Paths are those of the files that have changed, or that of the finding if nothing
	// has.
	Paths []Path
	// Line is where the finding is, 1-based; 0 if it is at a place that only other fixes
	// make.
	Line int
	// Server is the name of the entry it is about, empty if there is none.
	Server   Text
	Rule     *rule.Rule
	Severity rule.Severity
	// Title is empty where there is no fix. The paths in both are from the current
	// directory, as Paths are shown.
	Title, Reason Text
}

// FixResult returns a fix that was made as it may be shown. brings are the rules that warn
// because of it.
func (v *View) FixResult(f *rule.Finding, fix *rule.Fix, brings []*rule.Rule) FixResult {
	files := filesOf(fix)
	for _, file := range files {
		v.named(file.Path)
	}
	title := fix.Title
	if len(brings) > 0 {
		var ids []string
		for _, rule := range brings {
			ids = append(ids, rule.ID)
		}
		title += " (new warning: " + strings.Join(ids, ", ") + ")"
	}
	m := v.Left(f, title, "")
	for i, file := range files {
		if i == 0 {
			m.Paths = nil
		}
		m.Paths = append(m.Paths, v.path(file.Path))
	}
	return m
}

// Left returns a finding that was not fixed, and why, as it may be shown.
func (v *View) Left(f *rule.Finding, title, reason string) FixResult {
	v.named(f.File.Path)
	return FixResult{
		Paths: []Path{v.path(f.File.Path)}, Line: f.File.LineAt(f.Span.Start), Server: v.nameText(f.Server), Rule: f.Rule, Severity: f.Severity,
		Title: v.hereText(title), Reason: v.hereText(reason),
	}
}

// Fix is one way to fix a finding.
type Fix struct {
	view *View
	fix  *rule.Fix
}

// Title returns what the fix does.
func (f Fix) Title() Text { return f.view.text(f.fix.Title) }

// TitleHere is the title with the paths in it from the current directory.
func (f Fix) TitleHere() Text { return f.view.hereText(f.fix.Title) }

// Safety returns whether the fix keeps the meaning of the file.
func (f Fix) Safety() rule.Safety { return f.fix.Safety }

// Label returns what the fix does, and that it is not safe.
func (f Fix) Label() Text {
	if f.fix.Safety == rule.Unsafe {
		return f.view.text(f.fix.Title + " (unsafe)")
	}
	return f.Title()
}

// Edit is one change of a fix.
type Edit struct {
	Place Place // what goes
	Text  Text  // what comes instead, the same as will be written
}

// Edits returns the changes of the fix as edits of bytes, sorted by path and
// place, false if one of them cannot be made or would show a credential, half a fix
// being none, or if there are too many fixes of a large file.
func (f Fix) Edits() ([]Edit, bool) {
	lowered, ok := f.view.lower(f.fix)
	if !ok {
		return nil, false
	}
	edits := make([]Edit, len(lowered))
	for i, e := range lowered {
		if f.view.shows(e) {
			return nil, false
		}
		edits[i] = Edit{f.view.place(e.File, e.Span), Text{e.New}}
	}
	return edits, true
}

// Single returns the fix as one change, which replaces everything from the first
// to the last of its edits: false if they concern several files, or if a
// credential would be shown.
func (f Fix) Single() (Edit, bool) {
	if edits, ok := f.Edits(); !ok || len(edits) == 0 {
		return Edit{}, false
	}
	edits, _ := f.view.lower(f.fix)
	whole := edits[0]
	for _, e := range edits[1:] {
		between := syntax.Span{Start: whole.Span.End, End: e.Span.Start}
		if e.File != whole.File || f.view.isHidden(e.File, between) {
			return Edit{}, false
		}
		whole.New += string(e.File.Bytes[between.Start:between.End]) + e.New
		whole.Span.End = e.Span.End
	}
	return Edit{f.view.place(whole.File, whole.Span), Text{whole.New}}, true
}

// lower returns the edits of bytes of a fix, which are computed once, false if there are none.
func (v *View) lower(fix *rule.Fix) ([]syntax.Edit, bool) {
	edits, known := v.lowered[fix]
	if !known && !v.takesTooLong(fix) {
		if len(fix.Edits) > 0 && fix.Edits[0].File != v.lowering {
			v.lowering, v.lowerer = fix.Edits[0].File, edit.Lowerer{}
		}
		edits, _ = v.lowerer.Lower(fix.Edits)
		v.lowered[fix] = edits
	}
	return edits, edits != nil || len(fix.Edits) == 0
}

// maxLowered is how much of one file is read to work out its fixes, in bytes. Each
// of them is tried on the whole file: thousands in a file of megabytes would take
// minutes, and no such file was made by hand.
const maxLowered = 32 << 20

// takesTooLong reports whether a fix is of a file that has too many of them for its
// size. Then none of them has edits, so that it does not matter which output asks
// first.
func (v *View) takesTooLong(fix *rule.Fix) bool {
	if v.toLower == nil {
		v.toLower = map[*syntax.File]int{}
		for i := range v.run.Findings {
			for j := range v.run.Findings[i].Fixes {
				for _, file := range filesOf(&v.run.Findings[i].Fixes[j]) {
					v.toLower[file] += len(file.Bytes)
				}
			}
		}
	}
	return slices.ContainsFunc(filesOf(fix), func(f *syntax.File) bool { return v.toLower[f] > maxLowered })
}

// filesOf returns the files that a fix changes.
func filesOf(fix *rule.Fix) []*syntax.File {
	var files []*syntax.File
	for _, e := range fix.Edits {
		if !slices.Contains(files, e.File) {
			files = append(files, e.File)
		}
	}
	return files
}

// nearby is how many bytes around an edit say what its text is: the name of a value is before
// it.
const nearby = 256

// shows reports whether an edit writes a credential: one that is known by its form, by the
// name that it is written under, or because a rule calls it one at its current place.
func (v *View) shows(e syntax.Edit) bool {
	if e.New == "" {
		return false
	}
	content := e.File.Bytes
	before := content[runeStart(content, e.Span.Start-nearby):min(e.Span.Start, len(content))]
	after := content[min(e.Span.End, len(content)):runeStart(content, e.Span.End+nearby)]
	start, end := len(before), len(before)+len(e.New)
	isWritten := func(s syntax.Span) bool { return s.Start < end && s.End > start }
	return secret.Mask(e.New) != e.New || v.knows(e.New) ||
		slices.ContainsFunc(secret.FindInText(string(before)+e.New+string(after)), isWritten)
}
