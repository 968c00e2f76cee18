package report

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// The Reviewdog Diagnostic Format, as JSON (reviewdog, proto/rdf/reviewdog.proto).
type rdjsonResult struct {
	Source      rdjsonSource       `json:"source"`
	Diagnostics []rdjsonDiagnostic `json:"diagnostics"`
}

type rdjsonSource struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

type rdjsonDiagnostic struct {
	Message     string             `json:"message"`
	Location    rdjsonLocation     `json:"location"`
	Severity    string             `json:"severity"`
	Code        rdjsonCode         `json:"code"`
	Suggestions []rdjsonSuggestion `json:"suggestions,omitempty"`
	Related     []rdjsonRelated    `json:"related_locations,omitempty"`
}

type rdjsonCode struct {
	Value string `json:"value"`
	URL   string `json:"url"`
}

type rdjsonLocation struct {
	Path  string      `json:"path"`
	Range rdjsonRange `json:"range"`
}

// rdjsonRange has an exclusive end.
type rdjsonRange struct {
	Start rdjsonPosition `json:"start"`
	End   rdjsonPosition `json:"end"`
}

// rdjsonPosition counts from 1; a column is a byte of the line.
type rdjsonPosition struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

type rdjsonSuggestion struct {
	Range rdjsonRange `json:"range"`
	Text  string      `json:"text"`
}

type rdjsonRelated struct {
	Message  string         `json:"message"`
	Location rdjsonLocation `json:"location"`
}

// writeRDJSON writes for reviewdog. It puts messages into comments as they are,
// so they are Markdown here. It takes paths from the current directory.
func writeRDJSON(w io.Writer, r *Report, o Options) error {
	result := rdjsonResult{Source: rdjsonSource{r.Tool.Name, homepage}, Diagnostics: []rdjsonDiagnostic{}}
	for _, f := range shown(r, o) {
		result.Diagnostics = append(result.Diagnostics, o.diagnostic(f))
	}
	return encodeJSON(w, result)
}

func (o Options) diagnostic(f *checks.Finding) rdjsonDiagnostic {
	d := rdjsonDiagnostic{
		Message:     rdjsonMessage(f),
		Location:    o.rdjsonLocation(f.File, f.Span),
		Severity:    rdjsonSeverity(f.Severity),
		Code:        rdjsonCode{f.Check.ID, ruleURL(f.Check)},
		Suggestions: rdjsonSuggestions(f),
	}
	for _, related := range f.Related[:min(len(f.Related), maxRelated)] {
		d.Related = append(d.Related, rdjsonRelated{
			markdown(secret.Mask(related.Message)), o.rdjsonLocation(related.File, related.Span)})
	}
	return d
}

// rdjsonMessage says what was found, and what a fix would do: a suggestion has
// no title.
func rdjsonMessage(f *checks.Finding) string {
	lines := []string{markdown(secret.Mask(f.Message))}
	if more := len(f.Related) - maxRelated; more > 0 {
		lines = append(lines, "and "+count(more, "more place"))
	}
	if len(f.Fixes) > 0 {
		lines = append(lines, "fix: "+markdown(secret.Mask(fixTitle(f.Fixes[0]))))
	}
	return strings.Join(lines, "\n")
}

func rdjsonSeverity(s checks.Severity) string {
	switch s {
	case checks.Error:
		return "ERROR"
	case checks.Warning:
		return "WARNING"
	}
	return "INFO"
}

// rdjsonLocation returns the part of a span on its first line: reviewdog
// comments on a range only if all of its lines are part of the change.
func (o Options) rdjsonLocation(file *syntax.File, span syntax.Span) rdjsonLocation {
	path := file.Path
	if o.Open != nil {
		path = o.Open(path)
	}
	line, start := file.Line(file.LineAt(span.Start))
	span.End = max(min(span.End, start+len(line)), span.Start)
	return rdjsonLocation{path, byteRange(file, span)}
}

func byteRange(file *syntax.File, span syntax.Span) rdjsonRange {
	return rdjsonRange{bytePosition(file, span.Start), bytePosition(file, span.End)}
}

// bytePosition returns the line and the byte in it. A byte order mark is part of
// the first line, as it is in a diff.
func bytePosition(file *syntax.File, offset int) rdjsonPosition {
	p := file.Position(offset, syntax.Bytes)
	return rdjsonPosition{p.Line, p.Column}
}

// rdjsonSuggestions returns the fixes that can be suggested. A suggestion
// replaces one range of the finding's own file.
func rdjsonSuggestions(f *checks.Finding) []rdjsonSuggestion {
	var suggestions []rdjsonSuggestion
	for _, fix := range f.Fixes {
		if edit, ok := singleEdit(fix); ok && edit.File == f.File {
			suggestions = append(suggestions, rdjsonSuggestion{byteRange(edit.File, edit.Span), edit.New})
		}
	}
	return suggestions
}

// singleEdit returns the edits of a fix as one that replaces everything from
// the first to the last of them, and whether that can be written down: they
// concern one file, and no secret would be shown.
func singleEdit(fix checks.Fix) (syntax.Edit, bool) {
	if len(fix.Edits) == 0 || holdsSecret(fix) {
		return syntax.Edit{}, false
	}
	edits := slices.Clone(fix.Edits)
	slices.SortStableFunc(edits, func(a, b syntax.Edit) int { return a.Span.Start - b.Span.Start })
	whole := edits[0]
	for _, e := range edits[1:] {
		if e.File != whole.File || e.Span.Start < whole.Span.End || hasSecret(e.File, syntax.Span{Start: whole.Span.End, End: e.Span.Start}) {
			return syntax.Edit{}, false
		}
		whole.New += string(e.File.Bytes[whole.Span.End:e.Span.Start]) + e.New
		whole.Span.End = e.Span.End
	}
	return whole, utf8.ValidString(whole.New)
}

// hasSecret reports whether a part of a file holds a secret. The lines around
// it say so, and the one before, where an option's name may stand.
func hasSecret(file *syntax.File, span syntax.Span) bool {
	low := bytes.LastIndexByte(file.Bytes[:span.Start], '\n')
	low = bytes.LastIndexByte(file.Bytes[:max(low, 0)], '\n') + 1
	high := len(file.Bytes)
	if i := bytes.IndexByte(file.Bytes[span.End:], '\n'); i >= 0 {
		high = span.End + i
	}
	text := strings.NewReplacer("\r", " ", "\n", " ").Replace(string(file.Bytes[low:high]))
	return slices.ContainsFunc(secret.Find(text), func(r secret.Range) bool {
		return r.Start+low < span.End && span.Start < r.End+low
	})
}
