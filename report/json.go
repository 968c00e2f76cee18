package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// jsonVersion is the version of the JSON formats. It changes when a field
// changes its meaning or goes, not when one is added.
const jsonVersion = 1

type jsonReport struct {
	Version  int           `json:"version"`
	Tool     Tool          `json:"tool"`
	Summary  Summary       `json:"summary"`
	Findings []jsonFinding `json:"findings"`
	Errors   []Error       `json:"errors"`
}

// jsonRange is a place: from 1, columns in code points, ends exclusive.
type jsonRange struct {
	Path      string `json:"path"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
}

type jsonFinding struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
	jsonRange
	Server      string        `json:"server,omitempty"`
	Identity    string        `json:"identity,omitempty"`
	Fingerprint string        `json:"fingerprint"`
	Related     []jsonRelated `json:"related,omitempty"`
	Fixes       []jsonFix     `json:"fixes,omitempty"`
	Duplicate   *jsonTwin     `json:"duplicate,omitempty"`
}

type jsonTwin struct {
	Of             string `json:"duplicateOf"`
	Bundle         string `json:"bundleId,omitempty"`
	OriginalBundle string `json:"originalBundleId,omitempty"`
}

type jsonRelated struct {
	jsonRange
	Message string `json:"message"`
}

type jsonFix struct {
	Title  string     `json:"title"`
	Safety string     `json:"safety"`
	Edits  []jsonEdit `json:"edits"`
}

type jsonEdit struct {
	jsonRange
	Text string `json:"text"`
}

// writeJSON writes the report for programs: every finding, whatever its
// severity.
func writeJSON(w io.Writer, r *Report, _ Options) error {
	out := jsonReport{
		Version: jsonVersion, Tool: r.Tool, Summary: r.Summary,
		Findings: make([]jsonFinding, len(r.Findings)),
		Errors:   make([]Error, len(r.Errors)),
	}
	for i := range r.Findings {
		out.Findings[i] = findingJSON(&r.Findings[i], &r.hidden)
	}
	for i, e := range r.Errors {
		out.Errors[i] = Error{Path: e.Path, Message: secret.Mask(e.Message)}
	}
	return encodeJSON(w, out)
}

func findingJSON(f *checks.Finding, hidden *secret.Spans) jsonFinding {
	out := jsonFinding{
		Rule:        f.Check.ID,
		Severity:    f.Severity.String(),
		Message:     secret.Mask(f.Message),
		jsonRange:   rangeJSON(f.File, f.Span),
		Server:      secret.Mask(f.Server),
		Identity:    secret.Mask(f.Identity),
		Fingerprint: f.Fingerprint(hidden),
	}
	if d := f.Duplicate; d != nil {
		out.Duplicate = &jsonTwin{secret.Mask(d.Of), secret.Mask(d.Bundle), secret.Mask(d.OriginalBundle)}
	}
	for _, r := range f.Related {
		out.Related = append(out.Related, jsonRelated{rangeJSON(r.File, r.Span), secret.Mask(r.Message)})
	}
	for _, fix := range f.Fixes {
		if holdsSecret(fix) {
			continue
		}
		edits := make([]jsonEdit, len(fix.Edits))
		for i, e := range fix.Edits {
			edits[i] = jsonEdit{rangeJSON(e.File, e.Span), e.New}
		}
		out.Fixes = append(out.Fixes, jsonFix{secret.Mask(fix.Title), fix.Safety.String(), edits})
	}
	return out
}

// holdsSecret reports whether a fix writes a secret, from one place of the file
// to another. It cannot be printed, and half a fix is none.
func holdsSecret(fix checks.Fix) bool {
	for _, e := range fix.Edits {
		if secret.Mask(e.New) != e.New {
			return true
		}
	}
	return false
}

func rangeJSON(file *syntax.File, span syntax.Span) jsonRange {
	start, end := file.Position(span.Start, syntax.CodePoints), file.Position(span.End, syntax.CodePoints)
	return jsonRange{file.Path, start.Line, start.Column, end.Line, end.Column}
}

// encodeJSON writes a value as indented JSON that is safe in a terminal: what
// encoding/json leaves raw and a terminal acts upon is written as \u escapes.
func encodeJSON(w io.Writer, value any) error {
	out := bufio.NewWriter(w)
	encoder := json.NewEncoder(visibleWriter{out})
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return err
	}
	return out.Flush()
}

// visibleWriter escapes invisible characters of JSON text. All of them are
// within strings, since the syntax of JSON is ASCII. encoding/json writes a
// value in one piece, so no character is split between two writes.
type visibleWriter struct{ out *bufio.Writer }

func (v visibleWriter) Write(text []byte) (int, error) {
	size := len(text)
	text = bytes.ReplaceAll(text, []byte(oldCommand), []byte(`#\u0023[`))
	done := 0
	for i := 0; i < len(text); {
		next := bytes.IndexFunc(text[i:], func(r rune) bool { return r >= 0x7f })
		if next < 0 {
			break
		}
		i += next
		r, size := utf8.DecodeRune(text[i:])
		if r != '\u200d' && !isVisibleRune(r) {
			v.out.Write(text[done:i])
			if r > 0xffff {
				high, low := surrogates(r)
				fmt.Fprintf(v.out, `\u%04x\u%04x`, high, low)
			} else {
				fmt.Fprintf(v.out, `\u%04x`, r)
			}
			done = i + size
		}
		i += size
	}
	if _, err := v.out.Write(text[done:]); err != nil {
		return 0, err
	}
	return size, nil
}

// surrogates splits a character beyond U+FFFF as JSON escapes want it.
func surrogates(r rune) (high, low rune) {
	r -= 0x10000
	return 0xd800 + r>>10, 0xdc00 + r&0x3ff
}
