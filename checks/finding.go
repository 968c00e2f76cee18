package checks

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// at starts a finding at a server's name.
func at(s *mcp.Server) Finding {
	return Finding{
		File: s.Document.File, Span: s.NameSpan,
		Server: s.Name, Identity: s.Identity.Shown(),
	}
}

// maxRelated is how many related places a finding names; the others are counted.
// Thousands of files may have a part in each of thousands of findings.
const maxRelated = 20

// relate adds a related place, or counts it.
func (f *Finding) relate(place Related) {
	if len(f.Related) >= maxRelated {
		f.MoreRelated++
		return
	}
	f.Related = append(f.Related, place)
}

// seeAlso returns a server's name as a related place.
func seeAlso(s *mcp.Server, format string, args ...any) Related {
	return Related{File: s.Document.File, Span: s.NameSpan, Message: say(format, args...)}
}

// atEntry starts a finding at a locked entry's name.
func atEntry(entry *mcp.LockEntry) Finding {
	return Finding{
		File: entry.Document.File, Span: entry.NameSpan,
		Server: entry.Name, Identity: entry.Target.Identity.Shown(),
	}
}

// seeLock returns a locked entry's name as a related place.
func seeLock(entry *mcp.LockEntry, message string) Related {
	return Related{File: entry.Document.File, Span: entry.NameSpan, Message: message}
}
