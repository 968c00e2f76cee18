package secret

import (
	"sort"
	"strings"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Spans knows what must not be shown of files. It looks through a file once,
// since there may be any number of findings in it. The zero value is ready; it is
// not for several goroutines at once.
type Spans struct {
	found map[*syntax.File][]syntax.Span
}

// Of returns the spans of a file that must not be shown, in order and without
// overlap.
func (s *Spans) Of(file *syntax.File) []syntax.Span {
	if spans, known := s.found[file]; known {
		return spans
	}
	spans := FindInText(string(file.Bytes))
	if s.found == nil {
		s.found = map[*syntax.File][]syntax.Span{}
	}
	s.found[file] = spans
	return spans
}

// FindInText returns the spans of a text of several lines that must not be shown,
// in order and without overlap. It reads the text as one line, since "--token" and its value are
// often two.
func FindInText(text string) []syntax.Span {
	var spans []syntax.Span
	for _, r := range Find(oneLine.Replace(text)) {
		spans = append(spans, syntax.Span{Start: r.Start, End: r.End})
	}
	return spans
}

// oneLine joins lines, and keeps every offset.
var oneLine = strings.NewReplacer("\r", " ", "\n", " ")

// shortestRepeated is the length in bytes from which a credential is looked for in other
// texts.
const shortestRepeated = 6

// Blank replaces a byte of a credential in what a Blanker returns.
const Blank = 0

// Blanker returns what makes the credentials at some places of files blank in any text,
// byte for byte, which takes as long for many of them as for one.
func Blanker(places map[*syntax.File][]syntax.Span) *strings.Replacer {
	var pairs []string
	for file, list := range places {
		for _, s := range list {
			if text := strings.Trim(string(file.Bytes[s.Start:s.End]), "\"'`"); len(text) >= shortestRepeated {
				pairs = append(pairs, text, strings.Repeat(string(rune(Blank)), len(text)))
			}
		}
	}
	return strings.NewReplacer(pairs...)
}

// In returns those that reach into a span of the file.
func (s *Spans) In(file *syntax.File, span syntax.Span) []syntax.Span {
	return Overlapping(s.Of(file), span)
}

// Overlapping returns the spans of a sorted list without overlap that reach into
// one.
func Overlapping(spans []syntax.Span, in syntax.Span) []syntax.Span {
	first := sort.Search(len(spans), func(i int) bool { return spans[i].End > in.Start })
	last := sort.Search(len(spans), func(i int) bool { return spans[i].Start >= in.End })
	return spans[min(first, last):last]
}
