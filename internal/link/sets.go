package link

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// compared returns the documents of a project that are compared with one another,
// each group by itself. Files without a known client, examples and fixtures are in no group.
func compared(p *mcp.Project) [][]*mcp.Document {
	if len(p.Documents) < 2 {
		return nil
	}
	var groups [][]*mcp.Document
	for _, scope := range []mcp.Scope{mcp.ScopeProject, mcp.ScopePlugin} {
		var files []*mcp.Document
		known := map[*syntax.File]bool{} // one file under two names is compared with others once, and never with itself
		for _, d := range p.Documents {
			loaded := d.Scope == scope && len(d.Clients) > 0
			source := scope == mcp.ScopeProject && d.Scope == mcp.ScopeGenerator
			if (loaded || source) && d.Role == mcp.InUse && d.ReadInstead == nil && len(d.Servers) > 0 && !known[d.File] {
				known[d.File] = true
				files = append(files, d)
			}
		}
		if len(files) > 1 {
			groups = append(groups, files)
		}
	}
	return groups
}

// loadTogether notes in the documents of a project which ones a client loads
// together.
func loadTogether(p *mcp.Project) {
	if len(p.Documents) < 2 {
		return
	}
	type part struct {
		client *mcp.Client
		file   *syntax.File
	}
	var sets map[*mcp.Client][]*mcp.Document
	var known map[part]bool // of two names of one file the first is loaded
	var loaded []*mcp.Document
	for _, d := range p.Documents {
		client := loadsTogether(d)
		if at := (part{client, d.File}); client != nil && !known[at] {
			if known == nil {
				sets, known = map[*mcp.Client][]*mcp.Document{}, map[part]bool{}
			}
			known[at] = true
			sets[client] = append(sets[client], d)
			loaded = append(loaded, d)
		}
	}
	for _, d := range loaded {
		if set := sets[loadsTogether(d)]; len(set) > 1 {
			d.LoadedWith = set
		}
	}
}

// loadsTogether returns the client that loads a document together with others of
// its files, or nil. Copies of one person's settings are for several machines, each with one of
// them.
func loadsTogether(d *mcp.Document) *mcp.Client {
	if d.Role != mcp.InUse || d.Scope == mcp.ScopeUser {
		return nil
	}
	for _, client := range d.Clients {
		if slices.Contains(client.LoadedTogether, d.Format) {
			return client
		}
	}
	return nil
}

// unread notes of files that a client reads in a home directory alone that this is a project,
// so that it loads none of them.
func unread(p *mcp.Project) {
	for _, d := range p.Documents {
		for _, c := range d.Clients {
			if d.Sample || len(d.Servers) == 0 {
				continue
			}
			for i := range c.NotLoaded {
				if c.NotLoaded[i].Format == d.Format && c.NotLoaded[i].IsIn(p) {
					d.NotLoaded = true
				}
			}
		}
	}
}

// shadow notes in the documents of a project and in their servers what their
// clients load in their place.
func shadow(p *mcp.Project) {
	for _, d := range p.Documents {
		if d.Role == mcp.InUse {
			if by := p.Instead(d.Clients, d.Format, d.File.Path); by != nil && by.File != d.File {
				d.ReadInstead = by
			}
		}
	}
	for _, d := range p.Documents {
		if client := loadsTogether(d); client != nil && client.MergesByName && d.LoadedWith != nil {
			override(d, client)
		}
	}
}

// override notes in the servers of a document which of them the client does not
// load, because a file that it reads before has something of that name.
func override(d *mcp.Document, client *mcp.Client) {
	taken := map[string]*mcp.Override{}
	take := func(name string, by mcp.Override) {
		if taken[name] == nil {
			taken[name] = &by
		}
	}
	for _, other := range d.LoadedWith {
		if slices.Index(client.LoadedTogether, other.Format) >= slices.Index(client.LoadedTogether, d.Format) {
			continue
		}
		for _, s := range other.Servers {
			take(s.Name, mcp.Override{Document: other, Span: s.NameSpan, ByHand: s.Extra().Registry.Text == ""})
		}
		for _, w := range other.Taken {
			take(w.Text, mcp.Override{Document: other, Span: w.Span, ByHand: true})
		}
	}
	for _, s := range d.Servers {
		if by := taken[s.Name]; by != nil {
			s.EnsureExtra().Overridden = by
		}
	}
}
