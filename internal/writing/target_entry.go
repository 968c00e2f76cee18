package writing

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Node returns the value of an entry in the file of Within, nil if it is not there.
func (t Target) Node(s *mcp.Server) *syntax.Node { return entryIn(t.top, s) }

// Alone returns the server of an entry as it is read from a file with no other entry, and the
// value of its entry there; nil if it cannot be written alone.
func (t Target) Alone(e Entry) (*mcp.Server, *syntax.Node) {
	s := t.Again(e)
	if s == nil {
		return nil, nil
	}
	tree, err := t.Match.Format.Parse(&syntax.Parser{}, s.Document.File)
	if err != nil {
		return nil, nil
	}
	return s, entryIn(tree.Root, s)
}

// entryIn returns the value of a server's entry, nil if it is not there: a member by its
// key, since a header of TOML may make several tables of one span, or an element of a list.
func entryIn(n *syntax.Node, s *mcp.Server) *syntax.Node {
	for _, inner := range n.Nodes {
		if !inner.Key.IsZero() && inner.Key == s.NameSpan || n.Kind == syntax.Array && inner.Value == s.Span {
			return inner
		}
		if found := entryIn(inner, s); found != nil {
			return found
		}
	}
	return nil
}

// DeclareFor returns the changes that declare those inputs of an entry that some changes write.
func (t Target) DeclareFor(e Entry, changes []edit.Change) []edit.Change {
	e.Inputs = slices.DeleteFunc(slices.Clone(e.Inputs), func(id string) bool {
		return !slices.ContainsFunc(changes, func(c edit.Change) bool { return c.Writes("${input:" + id + "}") })
	})
	return t.declare(e)
}
