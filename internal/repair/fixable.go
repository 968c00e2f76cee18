// Package repair works out how an entry is written otherwise: under another name, at
// another version, with a variable, with its command split, without a bridge or a
// duplicate. It returns fixes, or why there is none; rules attach them to findings.
package repair

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// IsFixable reports whether an entry may be changed where it stands: what others
// share with it would change along, and a generator would write its copy again.
func IsFixable(s *mcp.Server) bool { return KeptBecause(s) == "" }

// KeptBecause says why an entry is not to be changed where it stands, "" if it may be.
func KeptBecause(s *mcp.Server) string {
	switch {
	case s.Shared:
		return "other entries share what is written there"
	case s.Document.Template:
		return "the file is a template, and parses only once it is filled in"
	case s.Extra().CopyOf != nil:
		return "the generator that wrote the entry would write it again"
	}
	return ""
}

// SourceOf returns what an entry was generated from, itself if it was not.
func SourceOf(s *mcp.Server) *mcp.Server {
	if source := s.Extra().CopyOf; source != nil {
		return source
	}
	return s
}

// Copies are the entries that a generator wrote, by the entry that it wrote them
// from. They are collected once somebody asks.
type Copies struct {
	Project *mcp.Project
	of      map[*mcp.Server][]*mcp.Server
}

// WithCopies returns an entry and the copies of it: what changes in one is to change in all
// of them, as it will when the generator runs again.
func (c *Copies) WithCopies(s *mcp.Server) []*mcp.Server {
	if c.of == nil {
		c.of = map[*mcp.Server][]*mcp.Server{}
		for _, doc := range c.Project.Documents {
			for _, other := range doc.Servers {
				if source := other.Extra().CopyOf; source != nil {
					c.of[source] = append(c.of[source], other)
				}
			}
		}
	}
	return append([]*mcp.Server{s}, c.of[s]...)
}
