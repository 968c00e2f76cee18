// Package repair computes how to write an entry in another way: under another name, at another
// version, with a variable, with its command split, without a bridge or a duplicate. It returns
// fixes, or the reason for none; rules attach them to findings.
package repair

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// IsFixable reports whether an entry may be changed in its file: text that others share would
// change for them as well, and a generator would write its copy again.
func IsFixable(s *mcp.Server) bool { return KeptBecause(s) == "" }

// KeptBecause returns why an entry may not be changed in its file, "" if it may.
func KeptBecause(s *mcp.Server) string {
	switch {
	case s.Shared:
		return "other entries share this text through a YAML anchor or alias"
	case s.Document.Template:
		return "the file is a template, which parses only when it is filled in"
	case s.Extra().CopyOf != nil:
		return "a generator wrote the entry, and would write it again"
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
// from. They are collected on first use.
type Copies struct {
	Project *mcp.Project
	of      map[*mcp.Server][]*mcp.Server
}

// WithCopies returns an entry and its copies: a change of one must change all of them, as the
// generator does when it runs again.
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
