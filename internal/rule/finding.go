package rule

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// At starts a finding at a server's name.
func At(s *mcp.Server) Finding {
	return Finding{
		File: s.Document.File, Span: s.NameSpan,
		Server: s.Name, Identity: s.Identity.Shown(),
	}
}

// MaxRelated is how many related places a finding names; the others are counted.
// Thousands of files may have a part in each of thousands of findings.
const MaxRelated = 20

// Relate adds a related place, or counts it.
func (f *Finding) Relate(place Related) {
	if len(f.Related) >= MaxRelated {
		f.MoreRelated++
		return
	}
	f.Related = append(f.Related, place)
}

// SeeAlso returns a server's name as a related place.
func SeeAlso(s *mcp.Server, format string, args ...any) Related {
	return Related{File: s.Document.File, Span: s.NameSpan, Message: wording.Say(format, args...)}
}

// AtEntry starts a finding at a locked entry's name.
func AtEntry(entry *mcp.LockEntry) Finding {
	return Finding{
		File: entry.Document.File, Span: entry.NameSpan,
		Server: entry.Name, Identity: entry.Target.Identity.Shown(),
	}
}

// SeeLock returns a locked entry's name as a related place.
func SeeLock(entry *mcp.LockEntry, message string) Related {
	return Related{File: entry.Document.File, Span: entry.NameSpan, Message: message}
}

// DuplicateOf says for programs that an entry repeats another.
func DuplicateOf(first, later *mcp.Server) *Duplicate {
	return &Duplicate{Of: first.Name, Bundle: later.BundleName(), OriginalBundle: first.BundleName()}
}
