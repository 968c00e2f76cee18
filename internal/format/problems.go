package format

import (
	"fmt"
	"slices"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// refusal is why a client does not start an entry, at its place.
type refusal struct {
	span syntax.Span
	why  string
}

// problems judges every entry of a map of servers by the clients that load it.
// There is at most one problem for an entry; switched-off entries and such that
// only override another scope's are none.
func (in *Input) problems(value *syntax.Node, loaders []*mcp.Client) []mcp.Problem {
	if len(loaders) == 0 || value.Kind != syntax.Object {
		return nil
	}
	var problems []mcp.Problem
	for _, entry := range value.Nodes {
		if isAside(entry.Name) || isOff(entry) || in.skips(entry) || hasAlias(entry) {
			continue
		}
		if p, ok := judge(entry, loaders); ok {
			problems = append(problems, p)
		}
	}
	return problems
}

// judge asks every client and says which of them refuse the entry, with the
// reason of the first. The first client is the one that the file is made for.
func judge(entry *syntax.Node, loaders []*mcp.Client) (mcp.Problem, bool) {
	var first *refusal
	var titles []string
	refused := mcp.ByAll
	for i, c := range loaders {
		r := refuses(c, entry)
		switch {
		case r == nil && i == 0:
			refused = mcp.ByOthers
		case r == nil && refused == mcp.ByAll:
			refused = mcp.ByOwner
		}
		if r == nil {
			continue
		}
		if first == nil {
			first = r
		}
		titles = append(titles, c.Title)
	}
	if first == nil {
		return mcp.Problem{}, false
	}
	verb := "does"
	if len(titles) > 1 {
		verb = "do"
	}
	return mcp.Problem{
		Kind: mcp.InvalidServer, Server: entry.Name, Span: first.span, Refused: refused,
		Message: fmt.Sprintf("%s %s not start %q: %s", mcp.JoinWords(titles), verb, entry.Name, first.why),
	}, true
}

// refuses returns why a client does not start an entry, or nil. Only what is
// known of the client counts.
func refuses(c *mcp.Client, entry *syntax.Node) *refusal {
	if entry.Kind != syntax.Object {
		return &refusal{entry.Value, fmt.Sprintf("an entry is an object, this is %s", article(entry.Kind))}
	}
	command, url := member(entry, c.Fields.Command), addressOf(c, entry)
	if command == nil && url == nil {
		return refusesWithoutTarget(c, entry)
	}
	for _, m := range []struct {
		node  *syntax.Node
		kinds []syntax.Kind
	}{
		{command, commandKinds(c)},
		{url, []syntax.Kind{syntax.String}},
		{member(entry, c.Fields.Args), []syntax.Kind{syntax.Array}},
		{member(entry, c.Fields.Env), []syntax.Kind{syntax.Object}},
		{member(entry, c.Fields.Headers), []syntax.Kind{syntax.Object}},
	} {
		if m.node != nil && m.node.Kind != syntax.Null && !slices.Contains(m.kinds, m.node.Kind) {
			return &refusal{m.node.Value, fmt.Sprintf("%s is %s, this is %s", m.node.Name, article(m.kinds[0]), article(m.node.Kind))}
		}
	}
	if c.OneTarget && isFilled(command) && isFilled(url) {
		return &refusal{url.Key, fmt.Sprintf("it has both %s and %s", command.Name, url.Name)}
	}
	return refusesType(c, entry, command, url)
}

// commandKinds are the kinds of value a client takes for a command.
func commandKinds(c *mcp.Client) []syntax.Kind {
	if len(c.Fields.CommandKinds) > 0 {
		return c.Fields.CommandKinds
	}
	return []syntax.Kind{syntax.String}
}

// refusesWithoutTarget judges an entry in which the client finds neither a
// command nor a URL. One that says nothing else either is an override.
func refusesWithoutTarget(c *mcp.Client, entry *syntax.Node) *refusal {
	for _, m := range entry.Nodes {
		switch {
		case fieldOf(m.Name) == targetField:
			return nil
		case fieldOf(m.Name) == urlField && len(c.Fields.URL) == 0:
			return &refusal{m.Key, "it has no remote servers in this file, only commands"}
		case fieldOf(m.Name) == urlField:
			return &refusal{m.Key, fmt.Sprintf("it reads %q, not %q", c.Fields.URL[0].Name, m.Name)}
		case fieldOf(m.Name) == commandField:
			return &refusal{m.Key, fmt.Sprintf("it reads %q, not %q", c.Fields.Command[0], m.Name)}
		}
	}
	if !isOverride(entry) && hasStructure(entry) {
		return &refusal{entry.Key, "it has neither a command nor a URL"}
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
func refusesType(c *mcp.Client, entry, command, url *syntax.Node) *refusal {
	if len(c.Types) == 0 {
		return nil
	}
	word := member(entry, c.Fields.Type)
	switch {
	case word == nil || word.Kind == syntax.Null:
		if c.NeedsType && command == nil && isFilled(url) {
			return &refusal{url.Key, fmt.Sprintf(`a URL needs a type beside it, such as "type": %q`, remoteWord(c))}
		}
	case word.Kind != syntax.String:
		return &refusal{word.Value, fmt.Sprintf("%s is a string, this is %s", word.Name, article(word.Kind))}
	case !slices.ContainsFunc(c.Types, func(t mcp.Type) bool { return t.Word == word.Text }):
		return &refusal{word.Value, fmt.Sprintf("the type %q is unknown, it knows %s", word.Text, mcp.JoinWords(typeWords(c)))}
	}
	return nil
}

// remoteWord returns the client's word for a remote server: the one for
// streamable HTTP, or one that leaves the transport open.
func remoteWord(c *mcp.Client) string {
	for _, t := range c.Types {
		if t.Transport == "http" || t.Transport == "" {
			return t.Word
		}
	}
	return "http"
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
