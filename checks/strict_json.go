package checks

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// strictJSON finds what a strict JSON parser rejects.
var strictJSON = &rule.Rule{
	ID:       "strict-json",
	Title:    "a comment, a trailing comma, or a byte order mark in strict JSON",
	Severity: rule.Error,
	Fix:      rule.Safe,
	Reads:    reads.Selection{Without: []mcp.Scope{mcp.ScopeSettings}},
	Run:      runStrictJSON,
}

// runStrictJSON reports one finding for a file, at the first thing that the
// parser meets.
func runStrictJSON(p *rule.Pass) {
	for doc := range p.Documents() {
		var strict, unmarked []*mcp.Client
		for _, c := range doc.Clients {
			if c.Strict {
				strict = append(strict, c)
			}
			if c.RefusesBOM {
				unmarked = append(unmarked, c)
			}
		}
		span, what := firstNotStrict(doc)
		if doc.Extensions.BOM && len(unmarked) > 0 {
			strict, span, what = unmarked, syntax.Span{Start: 0, End: len("\ufeff")}, "byte order mark"
		}
		if len(strict) == 0 || what == "" {
			continue
		}
		f := rule.Finding{
			File: doc.File, Span: span,
			Message: wording.Say("%s %s nothing from this file, because strict JSON does not allow %s", wording.ClientTitles(strict), wording.Plural(strict, "loads", "load"), notAllowed(what)),
			Help:    "remove the " + what,
		}
		f.Fixes, f.NoFixReason = fixStrictJSON(doc)
		p.Report(f)
	}
}

// notAllowed names what strict JSON does not allow, in general.
func notAllowed(what string) string {
	if what == "byte order mark" {
		return "a byte order mark at the beginning"
	}
	return what
}

// firstNotStrict returns the first comment or trailing comma, which strict JSON does not allow.
func firstNotStrict(doc *mcp.Document) (syntax.Span, string) {
	s := doc.Extensions
	switch {
	case !s.JSON:
		return syntax.Span{}, "" // a comment of YAML, in an agent's front matter
	case len(s.Comments) > 0 && (len(s.TrailingCommas) == 0 || s.Comments[0].Start < s.TrailingCommas[0].Start):
		return firstLine(doc.File, s.Comments[0]), "comments"
	case len(s.TrailingCommas) > 0:
		return s.TrailingCommas[0], "trailing commas"
	}
	return syntax.Span{}, ""
}

// maxTrailingCommas is how many trailing commas a fix removes. No one writes more of them by
// hand.
const maxTrailingCommas = 500

// fixStrictJSON removes what strict JSON does not allow, but no comment: its text must go
// somewhere, and only its author knows where.
func fixStrictJSON(doc *mcp.Document) (fixes []rule.Fix, noFixReason string) {
	s := doc.Extensions
	switch {
	case len(s.Comments) > 0:
		return nil, "mcplumb cannot tell where the text of the comments should go"
	case len(s.TrailingCommas) > maxTrailingCommas:
		return nil, wording.Say("there are more than %d trailing commas", maxTrailingCommas)
	}
	var what []string
	var edits []edit.Change
	if s.BOM {
		what = append(what, "the byte order mark")
		edits = append(edits, edit.Remove(doc.File, syntax.Span{End: len("\ufeff")}))
	}
	if len(s.TrailingCommas) > 0 {
		what = append(what, "the trailing commas")
	}
	for _, comma := range s.TrailingCommas {
		edits = append(edits, edit.Remove(doc.File, comma))
	}
	return []rule.Fix{{Title: "remove " + strings.Join(what, " and "), Safety: rule.Safe, Edits: edits}}, ""
}

// firstLine cuts a span at the end of its first line.
func firstLine(file *syntax.File, span syntax.Span) syntax.Span {
	text, start := file.Line(file.LineAt(span.Start))
	return syntax.Span{Start: span.Start, End: min(span.End, start+len(text))}
}
