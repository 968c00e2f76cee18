package view

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// lineOfPatch is a line of a hunk, and where it is in both texts: in bytes, and the number
// of lines before it.
type lineOfPatch struct {
	text     string // with its sign
	old, new position
	// isHidden reports that it contains a credential, or is part of a change that does.
	isHidden bool
}

func (l *lineOfPatch) sign() byte { return l.text[0] }

func (l *lineOfPatch) isChange() bool { return l.text[0] != ' ' }

// apart splits a hunk that contains a credential into hunks of the other changes, with fewer
// lines of context, and the changes that contain it or come right before it.
func (v *View) apart(after *View, before, now *syntax.File, h Hunk) (shown, withheld []Hunk) {
	lines := linesOfPatch(h)
	for i := range lines {
		l := &lines[i]
		size := len(l.text) - 1
		isOld := l.sign() != '+' && v.isHidden(before, syntax.Span{Start: l.old.offset, End: l.old.offset + size})
		isNew := l.sign() != '-' && after.isHidden(now, syntax.Span{Start: l.new.offset, End: l.new.offset + size})
		l.isHidden = isOld || isNew || v.showsCredential([]Text{{l.text}}) || after.showsCredential([]Text{{l.text}})
	}
	hideChanges(lines)
	for len(lines) > 0 {
		n := slices.IndexFunc(lines, func(l lineOfPatch) bool { return l.isHidden != lines[0].isHidden })
		if n < 0 {
			n = len(lines)
		}
		part := trimmed(lines[:n])
		isApplicable := n > 0 && !lines[0].isHidden && isApplicable(part, len(before.Bytes))
		lines = lines[n:]
		switch {
		case len(part) == 0:
		case isApplicable:
			shown = append(shown, hunkOf(part))
		default:
			withheld = append(withheld, v.maskedHunk(after, before, now, part))
		}
	}
	return shown, withheld
}

// linesOfPatch returns the lines of a hunk. A line that goes and comes again stays.
func linesOfPatch(h Hunk) []lineOfPatch {
	var texts []string
	for rest := h.Lines; len(rest) > 0; {
		if rest[0].text[0] == ' ' {
			texts, rest = append(texts, rest[0].text), rest[1:]
			continue
		}
		n := slices.IndexFunc(rest, func(l Text) bool { return l.text[0] == ' ' })
		if n < 0 {
			n = len(rest)
		}
		texts, rest = append(texts, partedLines(rest[:n])...), rest[n:]
	}
	old, new := position{h.OldStart, h.old.Start}, position{h.NewStart, h.new.Start}
	if h.OldCount == 0 {
		old.line++ // it was the line before
	}
	if h.NewCount == 0 {
		new.line++
	}
	var lines []lineOfPatch
	for _, text := range texts {
		lines = append(lines, lineOfPatch{text: text, old: old, new: new})
		size := len(text) - 1
		if text[0] != '+' {
			old.line, old.offset = old.line+1, old.offset+size
		}
		if text[0] != '-' {
			new.line, new.offset = new.line+1, new.offset+size
		}
	}
	return lines
}

// partedLines returns the lines of a change. If it replaces lines with as many others, those
// that are the same in both texts are left out.
func partedLines(change []Text) (lines []string) {
	var gone, come []string
	for _, l := range change {
		if l.text[0] == '-' {
			gone = append(gone, l.text)
		} else {
			come = append(come, l.text)
		}
	}
	if len(gone) != len(come) {
		return append(gone, come...)
	}
	first := 0 // of those that differ
	for i := range gone {
		if gone[i][1:] == come[i][1:] {
			lines = append(lines, slices.Concat(gone[first:i], come[first:i], []string{" " + gone[i][1:]})...)
			first = i + 1
		}
	}
	return append(lines, slices.Concat(gone[first:], come[first:])...)
}

// hideChanges hides whole changes: half of a change is useless.
func hideChanges(lines []lineOfPatch) {
	for first := 0; first < len(lines); {
		end := first + 1
		for lines[first].isChange() && end < len(lines) && lines[end].isChange() {
			end++
		}
		if slices.ContainsFunc(lines[first:end], func(l lineOfPatch) bool { return l.isHidden }) {
			for i := first; i < end; i++ {
				lines[i].isHidden = true
			}
		}
		first = end
	}
}

// trimmed returns lines with at most the context that a hunk shows, none if nothing changes.
func trimmed(lines []lineOfPatch) []lineOfPatch {
	first := slices.IndexFunc(lines, func(l lineOfPatch) bool { return l.isChange() })
	if first < 0 {
		return nil
	}
	last := len(lines) - 1
	for !lines[last].isChange() {
		last--
	}
	return lines[max(first-around, 0):min(last+around+1, len(lines))]
}

// isApplicable reports whether git applies lines as a hunk: without a line behind the
// changes only at the end of the file (git, apply.c), and without any line of the old text
// nowhere for sure.
func isApplicable(lines []lineOfPatch, size int) bool {
	if len(lines) == 0 || !slices.ContainsFunc(lines, func(l lineOfPatch) bool { return l.sign() != '+' }) {
		return false
	}
	last := lines[len(lines)-1]
	end := last.old.offset
	if last.sign() != '+' {
		end += len(last.text) - 1
	}
	return !last.isChange() || end == size
}

// hunkOf returns the hunk of lines.
func hunkOf(lines []lineOfPatch) Hunk {
	first := lines[0]
	h := Hunk{OldStart: first.old.line, NewStart: first.new.line}
	h.old.Start, h.new.Start = first.old.offset, first.new.offset
	h.old.End, h.new.End = h.old.Start, h.new.Start
	for _, l := range lines {
		h.Lines = append(h.Lines, Text{l.text})
		if l.sign() != '+' {
			h.old.End += len(l.text) - 1
		}
		if l.sign() != '-' {
			h.new.End += len(l.text) - 1
		}
	}
	return h.counted()
}

// maskedHunk returns the hunk of lines with *** instead of what must not be shown.
func (v *View) maskedHunk(after *View, before, now *syntax.File, lines []lineOfPatch) Hunk {
	h := hunkOf(lines)
	for i, l := range lines {
		of, file, at := v, before, l.old.offset
		if l.sign() == '+' {
			of, file, at = after, now, l.new.offset
		}
		text := masked(l.text[1:], at, of.hidden(file, syntax.Span{Start: at, End: at + len(l.text) - 1}))
		if text = secret.Mask(text); v.showsCredential([]Text{{" " + text}}) || after.showsCredential([]Text{{" " + text}}) {
			text = mask + "\n"
		}
		h.Lines[i] = Text{l.text[:1] + text}
	}
	return h
}

const mask = "***"

// masked returns a text that begins at an offset of its file without spans of that.
func masked(text string, at int, hidden []syntax.Span) string {
	var b strings.Builder
	last := 0
	for _, s := range hidden {
		start, end := max(s.Start-at, last), min(s.End-at, len(text))
		if start >= end {
			continue
		}
		b.WriteString(text[last:start] + mask)
		last = end
	}
	return b.String() + text[last:]
}
