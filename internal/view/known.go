package view

import (
	"regexp"
	"strings"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// What a rule calls a credential is one wherever it stands again: in a word that nothing
// else makes suspicious, in a name, in an address.

// knows reports whether what a rule calls a credential somewhere in the repository
// stands in a text.
func (v *View) knows(text string) bool { return v.blanked(text) != text }

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
	if len(v.declared) == 0 {
		return nil
	}
	text := string(file.Bytes[part.Start:part.End])
	blanked := v.blanked(text)
	if blanked == text {
		return nil
	}
	var spans []syntax.Span
	for i := 0; i < len(blanked); i++ {
		if blanked[i] != blank || text[i] == blank {
			continue
		}
		start := i
		for i < len(blanked) && blanked[i] == blank {
			i++
		}
		spans = append(spans, syntax.Span{Start: part.Start + start, End: part.Start + i})
	}
	return spans
}

// blank stands for a byte of a credential, blanks are those of one or several.
const blank = 0

var blanks = regexp.MustCompile("\x00+")

// blanked returns a text with every byte blank of what is known.
func (v *View) blanked(text string) string {
	if v == nil || len(v.declared) == 0 {
		return text
	}
	if v.known == nil {
		v.known = blankerOf(v.declared)
	}
	return v.known.Replace(text)
}

// shortestSecret is the length in bytes from which a declared credential is
// looked for in other texts.
const shortestSecret = 6

// blankerOf returns what makes the texts of spans blank, which takes as long for
// many of them as for one.
func blankerOf(spans map[*syntax.File][]syntax.Span) *strings.Replacer {
	var pairs []string
	for file, list := range spans {
		for _, s := range list {
			if text := strings.Trim(string(file.Bytes[s.Start:s.End]), "\"'`"); len(text) >= shortestSecret {
				pairs = append(pairs, text, strings.Repeat(string(rune(blank)), len(text)))
			}
		}
	}
	return strings.NewReplacer(pairs...)
}
