// Package shell reads the command lines that launches pass to shells: their commands, and which of
// them is left in the end. It knows no launcher and no server.
package shell

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Word is a piece of a launch as decoded, with the span it was written in,
// quotes included. A word that is not in the file has a zero Span.
type Word struct {
	Text string
	Span syntax.Span
}

// Part returns the part of w from byte from to byte to of its text. Its span is
// exact where the word is written without escapes, else that of the word.
func (w Word) Part(from, to int) Word {
	part := Word{Text: w.Text[from:to], Span: w.Span}
	switch w.Span.End - w.Span.Start {
	case len(w.Text) + 2: // in quotes
		part.Span = syntax.Span{Start: w.Span.Start + 1 + from, End: w.Span.Start + 1 + to}
	case len(w.Text): // a plain scalar, or a part itself
		if !w.Span.IsZero() {
			part.Span = syntax.Span{Start: w.Span.Start + from, End: w.Span.Start + to}
		}
	}
	return part
}

// From returns the part of w from byte from on.
func (w Word) From(from int) Word { return w.Part(from, len(w.Text)) }

// CutAssignment splits NAME=value.
func (w Word) CutAssignment() (name, value Word, ok bool) {
	equals := strings.IndexByte(w.Text, '=')
	if equals < 0 || !IsVariableName(w.Text[:equals]) {
		return Word{}, Word{}, false
	}
	return w.Part(0, equals), w.From(equals + 1), true
}

// IsVariableName reports whether text is a name as environment variables have.
func IsVariableName(text string) bool {
	return text != "" && !ascii.IsDigit(text[0]) && ascii.All(text, func(c byte) bool { return ascii.IsAlphanumeric(c) || c == '_' })
}

// IsCluster reports whether a word is short options.
func IsCluster(text string) bool { return len(text) > 1 && text[0] == '-' && text[1] != '-' }

// baseName returns the last segment of a path.
func baseName(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }

// Count returns how often a word is among others.
func Count(words []Word, word Word) (n int) {
	for _, w := range words {
		if w == word {
			n++
		}
	}
	return n
}
