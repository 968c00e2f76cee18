package mcp

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// OffMember is a member by which an entry switches itself off.
type OffMember struct {
	Off
	Span syntax.Span // of the member's name, quotes included
}

// switched is what disables a server.
type switched uint8

const (
	notOff       switched = iota
	offByItself           // a member of its entry says so: Extra.Off
	offElsewhere          // a list of servers does, in this file or in another one
)

// SwitchOff notes a member by which an entry switches itself off.
func (s *Server) SwitchOff(m OffMember) {
	s.off = max(s.off, offByItself)
	s.EnsureExtra().Off = append(s.Extra().Off, m)
}

// SwitchOffElsewhere notes that a list of servers disables the entry, even if the entry says
// otherwise.
func (s *Server) SwitchOffElsewhere() { s.off = offElsewhere }

// ForgetSwitch takes back what was noted of switches.
func (s *Server) ForgetSwitch() { s.off = notOff }

// IsOff reports whether the entry or a list says that the server is off, whether or not a
// client reads that. StartedBy returns the clients that start it.
func (s *Server) IsOff() bool { return s.off != notOff }

// IsOffByItself reports whether only members of the entry say so.
func (s *Server) IsOffByItself() bool { return s.off == offByItself }

// StartedBy returns the clients that load the entry's file and start the entry, as far as switches
// go: nothing disables it, or only members that the client is known not to read. It does not ask
// whether the client refuses the entry.
func (s *Server) StartedBy() []*Client {
	if s.off == notOff {
		return s.Document.Loaders()
	}
	return slices.DeleteFunc(slices.Clone(s.Document.Loaders()), func(c *Client) bool { return !s.IsStartedBy(c) })
}

// IsStarted reports whether a client starts the entry; in a file that no known client
// loads, whether nothing switches it off.
func (s *Server) IsStarted() bool {
	return s.off == notOff || slices.ContainsFunc(s.Document.Loaders(), s.IsStartedBy)
}

// IsStartedBy reports whether a client that loads the entry starts it. What a tool has disabled
// with its own syntax is decided by the tool, for every client that reads the file.
func (s *Server) IsStartedBy(c *Client) bool {
	if s.off != offByItself || s.isOffByTool() {
		return s.off == notOff
	}
	ignores, known := s.ignores(c)
	return ignores && known
}

// isOffByTool reports whether the tool that made the entry's name, or marked the entry as a
// duplicate, reads the member that switches it off.
func (s *Server) isOffByTool() bool {
	extra := s.Extra()
	isOwn := func(m OffMember) bool { return extra.NamedBy != nil && m.Off == extra.NamedBy.Off }
	return extra.DuplicateOf.Text != "" || slices.ContainsFunc(extra.Off, isOwn)
}

// MayBeStarted reports whether a client may start the entry. That includes a client that is not
// known to read, or not to read, the member that disables the entry.
func (s *Server) MayBeStarted() bool {
	return s.off == notOff || slices.ContainsFunc(s.Document.Loaders(), s.MayBeStartedBy)
}

// MayBeStartedBy reports so of one client.
func (s *Server) MayBeStartedBy(c *Client) bool {
	if s.off != offByItself {
		return s.off == notOff
	}
	ignores, _ := s.ignores(c)
	return ignores
}

// SwitchFor returns how a client's entries are switched off where this one stands, as
// Client.OffUnder does.
func (s *Server) SwitchFor(c *Client) (off Off, known bool) {
	return c.OffUnder(s.Document.Format, s.Document.RootKey[strings.LastIndexByte(s.Document.RootKey, '.')+1:])
}

// ignores reports whether none of the members that disable the entry is a switch of the client, and
// whether the client's switch is known.
func (s *Server) ignores(c *Client) (ignores, known bool) {
	off, known := s.SwitchFor(c)
	return !slices.ContainsFunc(s.Extra().Off, func(m OffMember) bool { return m.Off == off || m.Off == c.AlsoOff }), known
}
