package refusal

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Unstarted knows the entries that clients of their files do not start as they are
// written. It reads a document on first use.
type Unstarted struct {
	refusals map[*mcp.Document]map[syntax.Span]*mcp.Refusal // by the values of entries
}

// Refusal returns why clients do not start an entry, nil if all of them do.
func (u *Unstarted) Refusal(s *mcp.Server) *mcp.Refusal {
	doc := s.Document
	if len(doc.Refusals) == 0 || doc.IsSecondary {
		return nil
	}
	there, known := u.refusals[doc]
	if !known {
		there = map[syntax.Span]*mcp.Refusal{}
		for i := range doc.Refusals {
			if r := &doc.Refusals[i]; IsNotStarted(r) {
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

// CannotStart reports whether no client starts an entry as it is written, except one that ignores
// the error: its program is a URL, or its type is for the other sort of target. Of two entries,
// such a one never stays.
func CannotStart(s *mcp.Server) bool {
	l := &s.Launch
	switch {
	case l.Command.Text == "":
		return l.URL.Text != "" && l.Transport == "stdio"
	case l.URL.Text == "":
		return identity.IsHTTP(l.Command.Text) || l.Transport != "" && l.Transport != "stdio"
	}
	return false
}

// Startable returns the entries of one server that can be started, all where none can.
func Startable(one []*mcp.Server) []*mcp.Server {
	if !slices.ContainsFunc(one, CannotStart) || !slices.ContainsFunc(one, func(s *mcp.Server) bool { return !CannotStart(s) }) {
		return one
	}
	return slices.DeleteFunc(slices.Clone(one), CannotStart)
}

// Without returns the entries that a client of their files starts.
func (u *Unstarted) Without(servers []*mcp.Server) []*mcp.Server {
	return slices.DeleteFunc(servers, u.byAll)
}

// byAll reports whether no client of its file starts an entry.
func (u *Unstarted) byAll(s *mcp.Server) bool {
	r := u.Refusal(s)
	return r != nil && r.By == mcp.ByAll
}

// ByOwner reports whether the client that its file is made for does not start an entry.
func (u *Unstarted) ByOwner(s *mcp.Server) bool {
	r := u.Refusal(s)
	return r != nil && r.By != mcp.ByOthers
}

// IsNotStarted reports whether clients do not start an entry for a refusal, rather than
// start it without what they do not know.
func IsNotStarted(r *mcp.Refusal) bool {
	return len(r.Clients) > 0 && !r.Object.IsZero() && ServerWordings[r.Reason].Severity == rule.Error
}

// Starters knows which clients start the entries of documents. It caches its results, so one serves
// for a whole repository.
type Starters struct{ unstarted Unstarted }

// Clients returns the clients that start an entry: they load its file, nothing disables the entry
// for them, and they do not refuse it as it is written. For a file without a known client, nil
// represents an unknown client that reads it.
func (t *Starters) Clients(s *mcp.Server) []*mcp.Client {
	doc := s.Document
	if doc.Lock != nil || doc.NotLoaded {
		return nil
	}
	if len(doc.Clients) == 0 {
		if !s.IsStarted() {
			return nil
		}
		return []*mcp.Client{nil}
	}
	refusal := t.unstarted.Refusal(s)
	var starting []*mcp.Client
	for _, c := range doc.Loaders() {
		if s.MayBeStartedBy(c) && (refusal == nil || !slices.Contains(refusal.Clients, c)) {
			starting = append(starting, c)
		}
	}
	return starting
}
