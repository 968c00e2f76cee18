package catalog

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/terminal"
	"github.com/mcplumb/mcplumb/internal/writing"
)

// snippet is a file that gives a server to clients.
type snippet struct {
	// Clients are those that read the text, each with its file: "Cursor (.cursor/mcp.json)".
	Clients []string
	// ToFillIn are variables and headers that these clients are not known to fill in.
	ToFillIn []string
	Text     string
}

// noProduct is the client of a file that is of no product by itself.
const noProduct = "agents"

// snippets returns what gives the server to the client of each file, clients with the same text
// together; none where a variable in its command or address would be another one for other clients. They
// hold no value of a variable or a header, but its name.
func (s *Server) snippets(files []writing.Target) []*snippet {
	entry := s.entry()
	if entry == nil {
		return nil
	}
	var all []*snippet
	for _, file := range files {
		e := file.Entry(entry)
		toFillIn, isWhole := lost(e.Losses)
		if !isWhole || !file.Takes(s.Name) || e.Value.Kind == syntax.Null || file.Client.ID == noProduct {
			continue
		}
		edits, err := edit.Lower([]edit.Change{file.Create(e)})
		if err != nil {
			continue
		}
		text, client := string(edit.Apply(nil, edits)), fmt.Sprintf("%s (%s)", file.Client.Title, file.Path)
		isSame := func(other *snippet) bool { return other.Text == text && slices.Equal(other.ToFillIn, toFillIn) }
		if i := slices.IndexFunc(all, isSame); i >= 0 {
			all[i].Clients = append(all[i].Clients, client)
			continue
		}
		all = append(all, &snippet{Clients: []string{client}, ToFillIn: toFillIn, Text: text})
	}
	slices.SortStableFunc(all, func(a, b *snippet) int { return cmp.Compare(len(a.ToFillIn), len(b.ToFillIn)) })
	return all
}

// lost returns what an entry that was written for a client leaves to people, and whether it says
// the rest of the server.
func lost(losses []mcp.Loss) (toFillIn []string, isWhole bool) {
	for _, l := range losses {
		switch l.Reason {
		case mcp.NotExpanded, mcp.MayNotExpand, mcp.NoHeaders:
			toFillIn = append(toFillIn, l.Name)
		case mcp.NotSaid, mcp.Chosen:
		default:
			return nil, false
		}
	}
	return unique(toFillIn), true
}

// entry returns the server as an entry of a file, nil where none can be the same for all clients.
func (s *Server) entry() *mcp.Server {
	isHidden := func(text string) bool { return terminal.Escape(text) != text } // one would copy what one does not see
	if s.Type == Deno || slices.ContainsFunc(append([]string{s.Name, s.Command, s.Address}, s.Args...), isHidden) {
		return nil
	}
	word := func(text string) identity.Word { return identity.Word{Text: text} }
	launch := identity.Launch{Command: word(s.Command), URL: word(s.Address), Transport: s.Transport, Env: named(s.Environment), Headers: named(s.Headers)}
	for _, arg := range s.Args {
		launch.Args = append(launch.Args, word(arg))
	}
	return format.Portable(s.Name, &launch)
}

// named returns variables or headers without values.
func named(names []string) []identity.Pair {
	var pairs []identity.Pair
	for _, name := range names {
		pairs = append(pairs, identity.Pair{Name: identity.Word{Text: name}})
	}
	return pairs
}
