package view

import (
	"regexp"

	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// What a rule calls a credential is one wherever it appears again: in a word that nothing else
// makes suspicious, in a name, in an address.

// knows reports whether a text contains something that a rule calls a credential anywhere in
// the repository.
func (v *View) knows(text string) bool { return v.blanked(text) != text }

// Text hides the credentials of a sentence about the run.
func (v *View) Text(text string) Text { return v.text(text) }

// text hides the credentials of a text that is not of one place in a file.
func (v *View) text(text string) Text {
	// What is one by its form goes first: a part of it may be known by its name.
	shown := NewText(text)
	if blanked := v.blanked(shown.text); blanked != shown.text {
		shown.text = blanks.ReplaceAllString(blanked, "***")
	}
	return shown
}

// again returns the spans of what is known in a part of a file, in order and without
// overlap.
func (v *View) again(file *syntax.File, part syntax.Span) []syntax.Span {
	text := string(file.Bytes[part.Start:part.End])
	blanked := v.blanked(text)
	if blanked == text {
		return nil
	}
	var spans []syntax.Span
	for i := 0; i < len(blanked); i++ {
		if blanked[i] != secret.Blank || text[i] == secret.Blank {
			continue
		}
		start := i
		for i < len(blanked) && blanked[i] == secret.Blank {
			i++
		}
		spans = append(spans, syntax.Span{Start: part.Start + start, End: part.Start + i})
	}
	return spans
}

// blanks are the bytes of one credential or several.
var blanks = regexp.MustCompile("\x00+")

// blanked returns a text with every byte blank of what is known.
func (v *View) blanked(text string) string {
	if v == nil || len(v.credentials()) == 0 {
		return text
	}
	if v.known == nil {
		v.known = secret.Blanker(v.credentials())
	}
	return v.known.Replace(text)
}
