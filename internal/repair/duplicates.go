package repair

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/refusal"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// duplicates knows what the entries of a document would repeat once they are fixed.
type duplicates struct {
	unstarted refusal.Unstarted
	written   Written
	first     map[string]*mcp.Server // by what they say; filled on first use
}

// duplicateIfEnabled returns the entry that another one, which its client does not start, would repeat
// after a fix; nil if there is none. Started entries come before those that could also be fixed; of
// those, the first one counts as fixed.
func (t *duplicates) duplicateIfEnabled(s *mcp.Server) *mcp.Server {
	if !t.unstarted.ByOwner(s) {
		return nil
	}
	if t.first == nil {
		t.fill(s.Document)
	}
	for _, key := range t.keys(s) {
		if first := t.first[key]; first != nil && first != s {
			return first
		}
	}
	return nil
}

// fill notes the entries of a document.
func (t *duplicates) fill(doc *mcp.Document) {
	t.first = map[string]*mcp.Server{}
	note := func(s *mcp.Server) {
		for _, key := range t.keys(s) {
			if t.first[key] == nil {
				t.first[key] = s
			}
		}
	}
	var mendable []*mcp.Server
	for _, s := range doc.Servers {
		switch {
		case !s.IsStarted(), refusal.CannotStart(s) && t.unstarted.Refusal(s) == nil:
		case !t.unstarted.ByOwner(s):
			note(s)
		case len(fixRefused(s, t.unstarted.Refusal(s))) > 0:
			mendable = append(mendable, s)
		}
	}
	for _, s := range mendable {
		note(s)
	}
}

// keys are equal for entries that are the same once they are fixed: what they start, in the syntax
// of any client, and all that they say.
func (t *duplicates) keys(s *mcp.Server) []string {
	var keys []string
	if compare.IsRunning(s) {
		keys = append(keys, "start\x00"+compare.ByConfig(s))
	}
	if entry, _ := t.written.Entry(s); entry != nil {
		keys = append(keys, "say\x00"+fixedText(entry, t.unstarted.Refusal(s)))
	}
	return keys
}

// fixedText is one text for values that say the same, in any order, after the word of a refusal, if
// any, is replaced with an accepted one.
func fixedText(n *syntax.Node, r *mcp.Refusal) string {
	text := n.Text
	if r != nil && r.Reason == mcp.VariableName && n.Value == r.Span {
		text = r.Want[0]
	}
	var inner []string
	for _, m := range n.Nodes {
		name := m.Name
		if r != nil && r.Reason != mcp.VariableName && m.Key == r.Span && len(r.Want) > 0 {
			name = r.Want[0]
		}
		inner = append(inner, strconv.Quote(name)+":"+fixedText(m, r))
	}
	if n.Kind != syntax.Array {
		slices.Sort(inner)
	}
	return strconv.Itoa(int(n.Kind)) + strconv.Quote(text) + "{" + strings.Join(inner, ",") + "}"
}
