package report

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/view"
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
func writeRDJSON(w io.Writer, v *view.View, o Options) error {
	result := rdjsonResult{Source: rdjsonSource{v.Tool.Name, homepage}, Diagnostics: []rdjsonDiagnostic{}}
	for _, f := range v.Findings(o.Severity) {
		result.Diagnostics = append(result.Diagnostics, diagnostic(f))
	}
	return encodeJSON(w, result)
}

func diagnostic(f view.Finding) rdjsonDiagnostic {
	related, more := f.Related(maxRelated)
	d := rdjsonDiagnostic{
		Message:     rdjsonMessage(f, more),
		Location:    rdjsonPlace(f.Place()),
		Severity:    rdjsonSeverity(f.Severity()),
		Code:        rdjsonCode{f.Rule().ID, f.Rule().URL()},
		Suggestions: rdjsonSuggestions(f),
	}
	for _, r := range related {
		d.Related = append(d.Related, rdjsonRelated{markdown(r.Message.String()), rdjsonPlace(r.Place)})
	}
	return d
}

// rdjsonMessage says what was found, how many more places there are than related
// locations, and what a fix would do: a suggestion has no title.
func rdjsonMessage(f view.Finding, more int) string {
	lines := []string{markdown(f.Problem().String())}
	if more > 0 {
		lines = append(lines, "and "+Count(more, "more place"))
	}
	for _, line := range remedy(f) {
		lines = append(lines, markdown(line))
	}
	return strings.Join(lines, "\n")
}

func rdjsonSeverity(s rule.Severity) string {
	switch s {
	case rule.Error:
		return "ERROR"
	case rule.Warning:
		return "WARNING"
	}
	return "INFO"
}

// rdjsonPlace returns the part of a place on its first line: reviewdog comments on
// a range only if all of its lines are part of the change.
func rdjsonPlace(p view.Place) rdjsonLocation {
	return rdjsonLocation{p.Path().FromHere().Plain(), byteRange(p.FirstLine())}
}

// byteRange returns a place in bytes. A byte order mark is part of the first line,
// as it is in a diff.
func byteRange(p view.Place) rdjsonRange {
	return rdjsonRange{rdjsonPosition(p.Start(view.Bytes)), rdjsonPosition(p.End(view.Bytes))}
}

// rdjsonSuggestions returns the fixes that can be suggested. A suggestion
// replaces one range of the finding's own file, and JSON holds Unicode only.
func rdjsonSuggestions(f view.Finding) []rdjsonSuggestion {
	var suggestions []rdjsonSuggestion
	for _, fix := range f.Fixes() {
		edit, ok := fix.Single()
		if ok && edit.Place.Path() == f.Place().Path() && utf8.ValidString(edit.Text.Plain()) {
			suggestions = append(suggestions, rdjsonSuggestion{byteRange(edit.Place), edit.Text.Plain()})
		}
	}
	return suggestions
}
