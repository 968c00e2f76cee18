package view

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Patch is what changes in one file, as lines that go and come.
type Patch struct {
	Path Path
	// Created reports that there is no such file yet.
	Created bool
	Hunks   []Hunk
	// Withheld are the hunks that are left out because they contain a credential, shown as
	// ***, or because the change that they are part of is incomplete without another hunk.
	Withheld []Hunk
}

// All returns the hunks of the patch and those that are left out, in their order.
func (p *Patch) All() []Hunk {
	all := slices.Concat(p.Hunks, p.Withheld)
	slices.SortStableFunc(all, func(a, b Hunk) int {
		return cmp.Or(cmp.Compare(a.old.End, b.old.End), cmp.Compare(a.old.Start, b.old.Start))
	})
	return all
}

// Hunk is a part of a file that changes, with the lines around it.
type Hunk struct {
	// OldStart and NewStart are the first lines, 1-based, or those before a place
	// with no lines; OldCount and NewCount say how many lines there are.
	OldStart, OldCount, NewStart, NewCount int
	// Lines begin with " ", "-" or "+" and end as they do in the file; only the
	// last one of a file may have no end.
	Lines []Text

	old, new syntax.Span
}

// Old returns where the hunk is in the old file, in bytes.
func (h Hunk) Old() syntax.Span { return h.old }

// OldLine returns the line that a line of the new file within the hunk was, 0 if it is
// new.
func (h Hunk) OldLine(line int) int {
	old, now := h.OldStart, h.NewStart
	for _, l := range h.Lines {
		switch sign := l.text[0]; {
		case sign == '-':
			old++
		case now == line && sign == '+':
			return 0
		case now == line:
			return old
		case sign == '+':
			now++
		default:
			old, now = old+1, now+1
		}
	}
	return 0
}

// LineOf returns the line of the old file, 1-based, that a line of the hunk is, or that it
// comes in front of.
func (h Hunk) LineOf(i int) int {
	line := h.OldStart
	if h.OldCount == 0 {
		line++
	}
	for _, l := range h.Lines[:i] {
		if l.text[0] != '+' {
			line++
		}
	}
	return line
}

// around is how many lines before and behind a change a hunk shows.
const around = 3

// Patch returns what changes in a file that the view knows. A change that would show a
// credential is left out: a credential of this view, or of after, the view of the tree with
// all changes. A change next to a credential has fewer lines of context.
func (v *View) Patch(after *View, path string, old, new []byte) Patch {
	p := Patch{Path: v.path(path), Created: old == nil}
	before, now := v.file(path, old), after.file(path, new)
	for _, h := range Hunks(string(old), string(new)) {
		if !v.holdsSecret(after, before, now, h) {
			p.Hunks = append(p.Hunks, h)
			continue
		}
		shown, withheld := v.apart(after, before, now, h)
		p.Hunks, p.Withheld = append(p.Hunks, shown...), append(p.Withheld, withheld...)
	}
	skipped := 0 // lines that come, less those that go, in hunks that are left out
	for i, next := 0, 0; i < len(p.Hunks); i++ {
		h := &p.Hunks[i]
		for ; next < len(p.Withheld) && p.Withheld[next].old.Start < h.old.End; next++ {
			skipped += p.Withheld[next].NewCount - p.Withheld[next].OldCount
		}
		h.NewStart -= skipped
	}
	return p
}

// Withheld returns the first lines, 1-based and in the old file, of those hunks of a file
// that would show a credential: one of this view, or of after, that of the tree with all
// changes made.
func (v *View) Withheld(after *View, path string, old, new []byte, hunks []Hunk) (lines []int) {
	before, now := v.file(path, old), after.file(path, new)
	for _, h := range hunks {
		if v.holdsSecret(after, before, now, h) {
			lines = append(lines, h.OldStart)
		}
	}
	return lines
}

// holdsSecret reports whether a hunk would show a credential.
func (v *View) holdsSecret(after *View, before, now *syntax.File, h Hunk) bool {
	return v.isHidden(before, h.old) || after.isHidden(now, h.new) || v.showsCredential(h.Lines) || after.showsCredential(h.Lines)
}

// file returns a file with a content, the same one that rules have spoken of if it
// is known.
func (v *View) file(path string, content []byte) *syntax.File {
	for file := range v.declared {
		if file.Path == path && string(file.Bytes) == string(content) {
			return file
		}
	}
	return syntax.NewFile(path, content)
}

// showsCredential reports whether lines hold a credential, by its form or because a rule
// calls it one somewhere in the repository.
func (v *View) showsCredential(lines []Text) bool {
	for _, line := range lines {
		if text := line.text[1:]; secret.Mask(text) != text || v.knows(text) {
			return true
		}
	}
	return false
}

// Hunks returns the hunks that turn one text into another, with their full contents.
func Hunks(old, new string) []Hunk {
	w := hunkWriter{lines: linesOf(old)}
	for _, e := range udiff.Lines(old, new) {
		start := w.startOf(e)
		if w.hunk == nil || start.line-w.at.line > 2*around {
			w.end(around)
			w.begin(start.line - around)
		}
		w.keep(start.line)
		w.replace(e)
	}
	w.end(around)
	return w.hunks
}

// Changes returns hunks of lines that change alone, each as small as it can be: an unchanged
// line separates two of them. A hunk that only adds lines also gets an adjacent line that no
// other hunk has, so that a hunk has lines of the old text wherever one is free.
func Changes(old, new string) []Hunk {
	w := hunkWriter{lines: linesOf(old)}
	var edits []udiff.Edit
	for _, e := range udiff.Lines(old, new) {
		edits = append(edits, parted(old, e)...)
	}
	for i, e := range edits {
		limit := len(old)
		if i+1 < len(edits) {
			limit = edits[i+1].Start - 1
		}
		e = slid(old, e, limit)
		start := w.startOf(e)
		if w.hunk == nil || start.line > w.at.line {
			w.end(w.lacking())
			first := start.line
			if e.Start == e.End {
				first--
			}
			w.begin(first)
		}
		w.keep(start.line)
		w.replace(e)
	}
	w.end(w.lacking())
	return w.hunks
}

// parted returns the edits of an edit that replaces lines with as many others, without those
// that are the same: if much changes, the diff treats all of it as one change.
func parted(old string, e udiff.Edit) (parts []udiff.Edit) {
	gone, come := linesOf(old[e.Start:e.End]), linesOf(e.New)
	if len(gone) != len(come) {
		return []udiff.Edit{e}
	}
	at := e.Start
	for i, line := range gone {
		switch last := len(parts) - 1; {
		case line == come[i]:
		case last >= 0 && parts[last].End == at:
			parts[last].End += len(line)
			parts[last].New += come[i]
		default:
			parts = append(parts, udiff.Edit{Start: at, End: at + len(line), New: come[i]})
		}
		at += len(line)
	}
	return parts
}

// slid returns an edit that only takes lines away as far down as it does the same: an entry
// like the one before goes with its own name then, and not with that of the next.
func slid(old string, e udiff.Edit, limit int) udiff.Edit {
	for e.New == "" && e.Start < e.End {
		first, next := lineAt(old, e.Start), lineAt(old, e.End)
		if next == "" || first != next || e.End+len(next) > limit {
			break
		}
		e.Start, e.End = e.Start+len(first), e.End+len(next)
	}
	return e
}

// lineAt returns a line by where it begins, with its end, "" behind the last.
func lineAt(text string, start int) string {
	line, _, ended := strings.Cut(text[start:], "\n")
	if ended {
		line += "\n"
	}
	return line
}

// lacking returns how many lines a hunk needs behind it to have one of the old text.
func (w *hunkWriter) lacking() int {
	if w.hunk != nil && slices.ContainsFunc(w.hunk.Lines, func(line Text) bool { return line.text[0] != '+' }) {
		return 0
	}
	return 1
}

// Join returns the hunk of a text that holds two of it and the lines between them.
func Join(old string, a, b Hunk) Hunk {
	joined := Hunk{OldStart: a.OldStart, NewStart: a.NewStart, Lines: slices.Clone(a.Lines), old: a.old, new: a.new}
	if a.OldCount == 0 {
		joined.OldStart++ // it was the line before
	}
	if a.NewCount == 0 {
		joined.NewStart++
	}
	for _, line := range linesOf(old[a.old.End:b.old.Start]) {
		joined.Lines = append(joined.Lines, Text{" " + line})
	}
	joined.Lines = append(joined.Lines, b.Lines...)
	joined.old.End, joined.new.End = b.old.End, b.new.End
	return joined.counted()
}

// OldOffset returns where a place of the new text was in the old one, both in bytes: where
// its hunk began, if it is in one. The hunks are those of the texts.
func OldOffset(hunks []Hunk, offset int) int {
	more := 0
	for _, h := range hunks {
		switch {
		case offset < h.new.Start:
			return offset - more
		case offset < h.new.End:
			return h.old.Start
		}
		more = h.new.End - h.old.End
	}
	return offset - more
}

// hunkWriter goes through the lines of the old text.
type hunkWriter struct {
	lines []string
	at    position
	hunk  *Hunk // that is being written, nil before the first
	hunks []Hunk
	// more are the lines and bytes that have come, less those that have gone.
	more position
}

// startOf returns where an edit starts.
func (w *hunkWriter) startOf(e udiff.Edit) position {
	start := w.at
	for start.offset < e.Start {
		start.pass(w.lines)
	}
	return start
}

// begin begins a hunk at a line, or at the first one.
func (w *hunkWriter) begin(line int) {
	for w.at.line < line {
		w.at.pass(w.lines)
	}
	w.hunk = &Hunk{OldStart: w.at.line + 1, NewStart: w.at.line + 1 + w.more.line}
	w.hunk.old.Start, w.hunk.new.Start = w.at.offset, w.at.offset+w.more.offset
}

// keep writes lines that stay, up to one.
func (w *hunkWriter) keep(until int) {
	for w.at.line < min(until, len(w.lines)) {
		w.hunk.Lines = append(w.hunk.Lines, Text{" " + w.lines[w.at.line]})
		w.at.pass(w.lines)
	}
}

// replace writes lines that go and come.
func (w *hunkWriter) replace(e udiff.Edit) {
	for w.at.offset < e.End {
		w.hunk.Lines = append(w.hunk.Lines, Text{"-" + w.lines[w.at.line]})
		w.at.pass(w.lines)
		w.more.line--
	}
	for _, line := range linesOf(e.New) {
		w.hunk.Lines = append(w.hunk.Lines, Text{"+" + line})
		w.more.line++
	}
	w.more.offset += len(e.New) - (e.End - e.Start)
}

// end ends the hunk with n lines behind it, if there is one.
func (w *hunkWriter) end(n int) {
	if w.hunk == nil {
		return
	}
	w.keep(w.at.line + n)
	w.hunk.old.End, w.hunk.new.End = w.at.offset, w.at.offset+w.more.offset
	w.hunks = append(w.hunks, w.hunk.counted())
	w.hunk = nil
}

// position is where a line of a text begins.
type position struct{ line, offset int }

// pass goes to the next line.
func (p *position) pass(lines []string) {
	p.offset += len(lines[p.line])
	p.line++
}

// linesOf returns the lines of a text with their ends.
func linesOf(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// counted returns the hunk with the numbers of its lines.
func (h *Hunk) counted() Hunk {
	for _, line := range h.Lines {
		if line.text[0] != '+' {
			h.OldCount++
		}
		if line.text[0] != '-' {
			h.NewCount++
		}
	}
	if h.OldCount == 0 {
		h.OldStart--
	}
	if h.NewCount == 0 {
		h.NewStart--
	}
	return *h
}
