package format

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// refusals judges every entry of a map of servers by the clients that load it.
// There is at most one refusal of an entry; switched-off entries and such that
// only override another scope's are none.
func (in *Input) refusals(value *syntax.Node, loaders []*mcp.Client) []mcp.Refusal {
	if len(loaders) == 0 || value.Kind != syntax.Object {
		return nil
	}
	var refusals []mcp.Refusal
	for i, entry := range value.Nodes {
		if len(in.Tree.Duplicates) > 0 && writtenAgain(value.Nodes[i+1:], entry.Name) {
			continue // the last one counts
		}
		if isAside(entry.Name) || isOff(entry) || in.skips(entry) || hasAlias(entry) {
			continue
		}
		if r := refusedBy(loaders, entry); r != nil {
			refusals = append(refusals, *r)
		}
	}
	return refusals
}

// refusedBy asks every client and returns the reason of the first that refuses
// the entry, with all clients that have the same; nil if none refuses it. The
// first client is the one that the file is made for.
func refusedBy(loaders []*mcp.Client, entry *syntax.Node) *mcp.Refusal {
	var first *mcp.Refusal
	by := mcp.ByAll
	for i, c := range loaders {
		r := refuses(c, entry)
		switch {
		case r == nil && i == 0:
			by = mcp.ByOthers
		case r == nil && by == mcp.ByAll:
			by = mcp.ByOwner
		}
		if r == nil {
			continue
		}
		if first == nil {
			first = r
		}
		if r.Reason == first.Reason && r.Member == first.Member {
			first.Clients = append(first.Clients, c)
		}
	}
	if first == nil {
		return nil
	}
	first.By = by
	return ofEntry(entry, first)
}

// ofEntry says which entry a refusal is of.
func ofEntry(entry *syntax.Node, r *mcp.Refusal) *mcp.Refusal {
	r.Server, r.Object = entry.Name, entry.Value
	return r
}

// refuses returns why a client does not start an entry, or nil. Only what is
// known of the client counts.
func refuses(c *mcp.Client, entry *syntax.Node) *mcp.Refusal {
	if entry.Kind != syntax.Object {
		return &mcp.Refusal{Reason: mcp.EntryKind, Span: entry.Value, Kind: entry.Kind}
	}
	command, url := member(entry, c.Fields.Command), addressOf(c, entry)
	if command == nil && url == nil {
		return refusesWithoutTarget(c, entry)
	}
	for _, m := range entry.Nodes {
		if r := refusesMember(c, m, command, url); r != nil {
			return r
		}
	}
	if c.OneTarget && isFilled(command) && isFilled(url) {
		return &mcp.Refusal{Reason: mcp.TwoTargets, Span: url.Key, Member: url.Name, Other: command.Name}
	}
	if r := refusesType(c, entry, command, url); r != nil {
		return r
	}
	return losesMember(c, entry)
}

// ofKind refuses a member that is of another kind than it would have to be.
func ofKind(m *syntax.Node, span syntax.Span, want syntax.Kind) *mcp.Refusal {
	return &mcp.Refusal{Reason: mcp.MemberKind, Span: span, Member: m.Name, Kind: m.Kind, WantKind: want}
}

// unlessOneOf refuses a member whose value is none of the wanted texts.
func unlessOneOf(m *syntax.Node, span syntax.Span, reason mcp.Reason, want ...string) *mcp.Refusal {
	if m.IsString() && slices.Contains(want, m.Text) {
		return nil
	}
	return &mcp.Refusal{Reason: reason, Span: span, Member: m.Name, Kind: m.Kind, Got: m.Text, Want: want}
}

// refusesMember judges one member by itself, and beside the target.
func refusesMember(c *mcp.Client, m, command, url *syntax.Node) *mcp.Refusal {
	spec := specOf(c, m.Name)
	switch {
	case m.Kind == syntax.Null || spec == nil:
		return nil
	case !spec.Kinds.Has(m.Kind):
		r := ofKind(m, m.Value, spec.Kinds.First())
		if spec == &anyCwd {
			r.Reason = mcp.LostKind
		}
		return r
	case spec.Each != 0:
		if r := refusesElements(m, spec.Each); r != nil {
			return r
		}
	}
	if c.Schema == nil || !c.Schema.Apart {
		return nil
	}
	switch {
	case spec.For == mcp.Programs && command == nil:
		return &mcp.Refusal{Reason: mcp.Misplaced, Span: m.Key, Member: m.Name, Other: url.Name}
	case spec.For == mcp.Addresses && url == nil:
		return &mcp.Refusal{Reason: mcp.Misplaced, Span: m.Key, Member: m.Name, Other: command.Name}
	}
	return nil
}

// refusesElements demands kinds of the elements of a list, or of the values of an
// object.
func refusesElements(list *syntax.Node, each mcp.Kinds) *mcp.Refusal {
	for _, n := range list.Nodes {
		if !each.Has(n.Kind) && !isAlias(n) && n.Name != "<<" {
			return &mcp.Refusal{Reason: mcp.ElementKind, Span: whole(n), Member: list.Name, Kind: n.Kind, WantKind: each.First()}
		}
	}
	return nil
}

// refusesWithoutTarget judges an entry in which the client finds neither a
// command nor a URL. One that says nothing else either is an override.
func refusesWithoutTarget(c *mcp.Client, entry *syntax.Node) *mcp.Refusal {
	for _, m := range entry.Nodes {
		switch {
		case fieldOf(m.Name) == targetField:
			return nil
		case fieldOf(m.Name) == urlField && len(c.Fields.URL) == 0:
			return &mcp.Refusal{Reason: mcp.NoRemotes, Span: m.Key, Member: m.Name}
		case fieldOf(m.Name) == urlField:
			return &mcp.Refusal{Reason: mcp.OtherMember, Span: m.Key, Member: m.Name, Want: urlNames(c)}
		case fieldOf(m.Name) == commandField:
			return &mcp.Refusal{Reason: mcp.OtherMember, Span: m.Key, Member: m.Name, Want: c.Fields.Command}
		}
	}
	if r := misspelledTarget(c, entry); r != nil {
		return r
	}
	needed := c.Schema != nil && c.Schema.NeedsTarget
	if needed || !isOverride(entry) && hasStructure(entry) {
		return &mcp.Refusal{Reason: mcp.MissingTarget, Span: entry.Key}
	}
	return nil
}

// isOverride reports whether an entry says only whether a server of another
// scope is on (Grok Build, opencode).
func isOverride(entry *syntax.Node) bool {
	for _, m := range entry.Nodes {
		if f := fieldOf(m.Name); f != enabledField && f != disabledField {
			return false
		}
	}
	return true
}

// refusesType judges the word for the transport.
func refusesType(c *mcp.Client, entry, command, url *syntax.Node) *mcp.Refusal {
	if len(c.Types) == 0 {
		return nil
	}
	word := member(entry, c.Fields.Type)
	switch {
	case word == nil || word.Kind == syntax.Null:
		if c.NeedsType && command == nil && isFilled(url) {
			return &mcp.Refusal{Reason: mcp.MissingType, Span: url.Key, Member: url.Name, Want: remoteWords(c)}
		}
	case word.Kind != syntax.String:
		return ofKind(word, word.Value, syntax.String)
	case !slices.ContainsFunc(c.Types, func(t mcp.Type) bool { return t.Word == word.Text }):
		return &mcp.Refusal{Reason: mcp.UnknownType, Span: word.Value, Member: word.Name, Got: word.Text, Want: typeWords(c)}
	}
	return nil
}

// remoteWords returns the client's words for a remote server, first those for
// streamable HTTP and those that leave the transport open.
func remoteWords(c *mcp.Client) []string {
	var words, others []string
	for _, t := range c.Types {
		switch t.Transport {
		case "stdio":
		case "http", "":
			words = append(words, t.Word)
		default:
			others = append(others, t.Word)
		}
	}
	return append(words, others...)
}

func urlNames(c *mcp.Client) []string {
	names := make([]string, len(c.Fields.URL))
	for i, u := range c.Fields.URL {
		names[i] = u.Name
	}
	return names
}

func typeWords(c *mcp.Client) []string {
	words := make([]string, len(c.Types))
	for i, t := range c.Types {
		words[i] = t.Word
	}
	return words
}

// isOff reports whether an entry is switched off, in any client's words.
func isOff(entry *syntax.Node) bool {
	off, on := entry.Get("disabled"), entry.Get("enabled")
	return off != nil && off.Text == "true" || on != nil && on.Text == "false"
}

// addressOf returns the member in which the client looks for a URL.
func addressOf(c *mcp.Client, entry *syntax.Node) *syntax.Node {
	for _, f := range c.Fields.URL {
		if m := entry.Get(f.Name); m != nil {
			return m
		}
	}
	return nil
}
