package checks

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// unstarted knows the entries that clients of their files do not start as they are
// written. A document is looked through once somebody asks.
type unstarted struct {
	refusals map[*mcp.Document]map[syntax.Span]*mcp.Refusal // by the values of entries
}

// refusal returns why clients do not start an entry, nil if all of them do.
func (u *unstarted) refusal(s *mcp.Server) *mcp.Refusal {
	doc := s.Document
	if len(doc.Refusals) == 0 || doc.Beside {
		return nil
	}
	there, known := u.refusals[doc]
	if !known {
		there = map[syntax.Span]*mcp.Refusal{}
		for i := range doc.Refusals {
			if r := &doc.Refusals[i]; isNotStarted(r) {
				there[r.Object] = r
			}
		}
		if u.refusals == nil {
			u.refusals = map[*mcp.Document]map[syntax.Span]*mcp.Refusal{}
		}
		u.refusals[doc] = there
	}
	return there[s.Span]
}

// without returns the entries that a client of their files starts.
func (u *unstarted) without(servers []*mcp.Server) []*mcp.Server {
	return slices.DeleteFunc(servers, u.byAll)
}

// byAll reports whether no client of its file starts an entry.
func (u *unstarted) byAll(s *mcp.Server) bool {
	r := u.refusal(s)
	return r != nil && r.By == mcp.ByAll
}

// byOwner reports whether the client that its file is made for does not start an entry.
func (u *unstarted) byOwner(s *mcp.Server) bool {
	r := u.refusal(s)
	return r != nil && r.By != mcp.ByOthers
}

// isNotStarted reports whether clients do not start an entry for a refusal, rather than
// start it without what they do not know.
func isNotStarted(r *mcp.Refusal) bool {
	return len(r.Clients) > 0 && !r.Object.IsZero() && serverWordings[r.Reason].severity == Error
}
