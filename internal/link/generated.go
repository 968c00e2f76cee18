package link

import (
	"bytes"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/sameness"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// copies notes in the servers of client files which entry a generator wrote them from. An entry
// that differs from its source is not a copy.
func copies(p *mcp.Project) {
	sources := map[string][]*mcp.Server{}
	for _, d := range p.Documents {
		if d.Scope == mcp.ScopeGenerator {
			for _, s := range d.Servers {
				sources[s.Name] = append(sources[s.Name], s)
			}
		}
	}
	if len(sources) == 0 {
		return
	}
	for _, d := range p.Documents {
		if d.Scope == mcp.ScopeGenerator {
			continue
		}
		for _, s := range d.Servers {
			if source := sourceOf(s, sources[s.Name]); source != nil {
				s.EnsureExtra().CopyOf = source
			}
		}
	}
}

// sourceOf returns the one of the entries of its name that a server is a copy of,
// or nil.
func sourceOf(s *mcp.Server, sources []*mcp.Server) *mcp.Server {
	for _, source := range sources {
		if source.Identity.Version.Text == s.Identity.Version.Text &&
			sameness.Compare(source.Resolved(), s.Resolved()) >= sameness.Equivalent {
			return source
		}
	}
	return nil
}

// InSource returns the place in a source of the text at a span of its copy: the name, or the same
// bytes except for their quotes. There is none for what the generator, or a person after it, added
// to the copy.
func InSource(source, s *mcp.Server, span syntax.Span) (syntax.Span, bool) {
	if span == s.NameSpan {
		return source.NameSpan, true
	}
	from, to := s.Document.File.Bytes, source.Document.File.Bytes[:source.Span.End]
	written := from[span.Start:span.End]
	text := bytes.Trim(written, quotes)
	at := bytes.Index(to[source.Span.Start:], text)
	if len(text) == 0 || at < 0 {
		return syntax.Span{}, false
	}
	start := source.Span.Start + at
	place := syntax.Span{Start: start, End: start + len(text)}
	isQuoted := start > 0 && bytes.ContainsAny(to[start-1:start], quotes) && bytes.ContainsAny(to[place.End:min(place.End+1, len(to))], quotes)
	if len(text) < len(written) && isQuoted {
		place.Start, place.End = place.Start-1, place.End+1
	}
	return place, true
}

// quotes are the signs around a text in JSON, TOML and YAML.
const quotes = `"'`

// WordInSource is InSource for text that will be changed, not only shown: it compares the meaning
// of the two entries and not their bytes. It finds the name, the whole entry, and a word that both
// write alike, or a part of one.
func WordInSource(source, copied *mcp.Server, span syntax.Span) (syntax.Span, bool) {
	switch span {
	case copied.NameSpan:
		return source.NameSpan, true
	case copied.Span:
		return source.Span, true
	}
	from, to := words(source), words(copied)
	for i := range min(len(from), len(to)) {
		if from[i].Text != to[i].Text || !to[i].Span.Contains(span) {
			continue
		}
		if span == to[i].Span {
			return from[i].Span, true
		}
		// A part is at the same place only in a word without escapes.
		before := source.Document.File.Bytes[from[i].Span.Start:from[i].Span.End]
		after := copied.Document.File.Bytes[to[i].Span.Start:to[i].Span.End]
		here, there := bytes.Index(before, []byte(from[i].Text)), bytes.Index(after, []byte(to[i].Text))
		if here < 0 || there < 0 {
			return syntax.Span{}, false
		}
		shift := from[i].Span.Start + here - to[i].Span.Start - there
		return syntax.Span{Start: span.Start + shift, End: span.End + shift}, true
	}
	return syntax.Span{}, false
}

// words returns what an entry says, in an order that is the same in every
// format.
func words(s *mcp.Server) []identity.Word {
	list := []identity.Word{s.Launch.Command, s.Launch.URL, s.Launch.Cwd, s.Type}
	list = append(list, s.Launch.Args...)
	for _, pairs := range [][]identity.Pair{s.Launch.Env, s.Launch.Headers} {
		for _, p := range pairs {
			list = append(list, p.Name, p.Value)
		}
	}
	return list
}
