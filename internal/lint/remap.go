package lint

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/link"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// remap finds the entries that findings are about, in a project with files that a
// generator wrote.
type remap map[entryName][]*mcp.Server

// entryName is how a finding names an entry.
type entryName struct {
	file *syntax.File
	name string
}

// newRemap returns the entries of a project, nil if nothing is generated.
func newRemap(p *mcp.Project) remap {
	generated := false
	for _, d := range p.Documents {
		generated = generated || d.Scope == mcp.ScopeGenerator
	}
	if !generated {
		return nil
	}
	entries := remap{}
	for _, d := range p.Documents {
		for _, s := range d.Servers {
			at := entryName{d.File, s.Name}
			entries[at] = append(entries[at], s)
		}
	}
	return entries
}

// toSource moves the findings of one rule in generated files to the file that they were
// generated from: a fixed copy lasts only until the next run of the generator. It drops a
// finding that the source itself has, or that another copy has with the same text; a
// different finding about another client's copy becomes a related place. A finding stays in
// the copy if the source does not have its text: the copy was changed, or the generator
// added it. A fix moves along if the source has the same text for everything that it
// changes.
func (entries remap) toSource(findings []rule.Finding) []rule.Finding {
	if len(entries) == 0 {
		return findings
	}
	var kept []rule.Finding
	places := map[sourcePlace]int{} // index in kept, or -1 for the source's own finding
	for _, f := range findings {
		if s := entries.of(&f); s != nil && s.Document.Scope == mcp.ScopeGenerator {
			places[sourcePlace{s, f.Span.Start}] = -1
		}
	}
	for _, f := range findings {
		source, place, ok := entries.inSource(&f)
		if !ok {
			kept = append(kept, f)
			continue
		}
		key := sourcePlace{source, place.Start}
		switch at, known := places[key]; {
		case !known:
			places[key] = len(kept)
			f.Fixes = fixesInSource(source, entries.of(&f), f.Fixes)
			f.NoFixReason = "" // it was the copy that is not to be changed
			f.File, f.Span, f.Related, f.MoreRelated = source.Document.File, place, nil, 0
			kept = append(kept, f)
		case at >= 0 && kept[at].Text() != f.Text():
			to := &kept[at]
			to.Severity = max(to.Severity, f.Severity)
			to.Related = append(to.Related, rule.Related{File: f.File, Span: f.Span, Message: f.Text(), Secret: f.Secret})
		}
	}
	return kept
}

// sourcePlace is a place to fix in a source.
type sourcePlace struct {
	server *mcp.Server
	start  int
}

// inSource returns the server that a finding's server is a copy of, and the span in it that
// the finding is about.
func (entries remap) inSource(f *rule.Finding) (*mcp.Server, syntax.Span, bool) {
	s := entries.of(f)
	if s == nil || s.Extra().CopyOf == nil {
		return nil, syntax.Span{}, false
	}
	source := s.Extra().CopyOf
	place, ok := link.InSource(source, s, f.Span)
	return source, place, ok
}

// of returns the server a finding is about, or nil.
func (entries remap) of(f *rule.Finding) *mcp.Server {
	for _, s := range entries[entryName{f.File, f.Server}] {
		if s.NameSpan.Contains(f.Span) || s.Span.Contains(f.Span) {
			return s
		}
	}
	return nil
}

// fixesInSource returns the fixes of a copy that can be made at its source, and those that
// already change the source as well.
func fixesInSource(source, copied *mcp.Server, fixes []rule.Fix) []rule.Fix {
	var moved []rule.Fix
	for _, fix := range fixes {
		if slices.ContainsFunc(fix.Edits, func(c edit.Change) bool { return c.File == source.Document.File }) {
			moved = append(moved, fix)
		} else if edits, ok := editsInSource(source, copied, fix.Edits); ok {
			moved = append(moved, rule.Fix{Title: fix.Title, Safety: fix.Safety, Edits: edits})
		}
	}
	return moved
}

func editsInSource(source, copied *mcp.Server, edits []edit.Change) ([]edit.Change, bool) {
	moved := slices.Clone(edits)
	for i := range moved {
		c := &moved[i]
		if c.File != copied.Document.File {
			return nil, false
		}
		c.File = source.Document.File
		for _, span := range []*syntax.Span{&c.At, &c.Where.Beside} {
			if span.IsZero() {
				continue
			}
			at, ok := link.WordInSource(source, copied, *span)
			if !ok {
				return nil, false
			}
			*span = at
		}
	}
	return moved, true
}
