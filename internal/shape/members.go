package shape

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// SpecOf returns what a client says about a member, nil if it says nothing. Without a schema it
// returns what every client says about the members that they share.
func SpecOf(c *mcp.Client, name string) *mcp.Member {
	if c.Schema != nil {
		return c.Schema.Member(name)
	}
	f := fieldOf(name)
	switch isWord := isWordOfClient(c, f, name); {
	case f == cwdField && !isWord:
		return &anyCwd
	case !isWord:
		return nil
	}
	switch f {
	case commandField:
		if c.Fields.CommandKinds != 0 {
			return &mcp.Member{Kinds: c.Fields.CommandKinds}
		}
		return &stringMember
	case urlField, cwdField:
		return &stringMember
	case argsField:
		return &listMember
	case envField, headersField:
		return &mapMember
	}
	return nil
}

// The members that clients share: if a client reads one, this is its kind. For the last one it is
// unknown whether the client reads it at all.
var (
	stringMember = mcp.Member{Kinds: mcp.Strings}
	listMember   = mcp.Member{Kinds: mcp.Arrays, Each: &mcp.Member{Kinds: mcp.Scalars}}
	mapMember    = mcp.Member{Kinds: mcp.Objects, Each: &mcp.Member{Kinds: mcp.Scalars}}
	anyCwd       = mcp.Member{Kinds: mcp.Strings}
)

// isWordOfClient reports whether a client reads a member of the name for what
// the field means.
func isWordOfClient(c *mcp.Client, f field, name string) bool {
	if f == urlField {
		for i := range c.Fields.URL {
			if c.Fields.URL[i].Name == name {
				return true
			}
		}
		return false
	}
	return slices.Contains(wordsOf(c, f), name)
}

// wordsOf returns the names under which a client reads a field.
func wordsOf(c *mcp.Client, f field) []string {
	switch f {
	case commandField:
		return c.Fields.Command
	case argsField:
		return c.Fields.Args
	case envField:
		return c.Fields.Env
	case cwdField:
		return c.Fields.Cwd
	case headersField:
		return c.Fields.Headers
	case urlField:
		return urlNames(c)
	}
	return nil
}

// losesMember returns a refusal of the first member that the client expects under another name,
// nil if there is none.
func losesMember(c *mcp.Client, entry *syntax.Node) *mcp.Refusal {
	for _, m := range entry.Nodes {
		if f := fieldOf(m.Name); f != otherField {
			if r := otherWord(c, entry, m, f); r != nil {
				return r
			}
			continue
		}
		if word := misspelled(c, entry, m, argsField, envField, headersField, cwdField); word != "" {
			return &mcp.Refusal{Reason: mcp.LostMisspelled, Span: m.Key, Member: m.Name, Want: []string{word}}
		}
	}
	return nil
}

// otherWord refuses a member under another client's word for a field that this client reads under
// its own word, which the entry does not have. Only if all words of the client are known can
// mcplumb tell that it does not read the member.
func otherWord(c *mcp.Client, entry, m *syntax.Node, f field) *mcp.Refusal {
	if c.Schema == nil && !c.OwnWords || m.Kind == syntax.Null {
		return nil
	}
	switch f {
	case argsField, envField, headersField, cwdField:
	default:
		return nil
	}
	words := wordsOf(c, f)
	if slices.Contains(words, m.Name) || c.Schema != nil && c.Schema.Member(m.Name) != nil || Member(entry, words) != nil {
		return nil
	}
	isInCommand := f == argsField && takesArguments(c) && Member(entry, c.Fields.Command) != nil
	if len(words) == 0 && !isInCommand {
		return nil
	}
	return &mcp.Refusal{Reason: mcp.LostMember, Span: m.Key, Member: m.Name, Want: words}
}

// takesArguments reports whether the command of a client's entries is a list that also has the
// arguments.
func takesArguments(c *mcp.Client) bool {
	spec := SpecOf(c, c.Fields.Command[0])
	return spec != nil && spec.Kinds == mcp.Arrays
}

// misspelledTarget refuses an entry whose command or address is under a name that is nearly the
// client's.
func misspelledTarget(c *mcp.Client, entry *syntax.Node) *mcp.Refusal {
	for _, m := range entry.Nodes {
		if word := misspelled(c, entry, m, commandField, urlField); word != "" {
			return &mcp.Refusal{Reason: mcp.Misspelled, Span: m.Key, Member: m.Name, Want: []string{word}}
		}
	}
	return nil
}

// misspelled returns the client's word that the name of a member nearly is, among the words for
// some fields; "" if there is none, or if the entry has it, or if any client knows the member
// under this name.
func misspelled(c *mcp.Client, entry, m *syntax.Node, fields ...field) string {
	for _, f := range fields {
		for _, word := range wordsOf(c, f) {
			if isNearly(m.Name, word) && entry.Get(word) == nil && fits(c, word, m) && !isKnown(m.Name) {
				return word
			}
		}
	}
	return ""
}

// fits reports whether a value has a kind that is valid under a word of the client.
func fits(c *mcp.Client, word string, m *syntax.Node) bool {
	spec := SpecOf(c, word)
	return spec == nil || spec.Kinds.Has(m.Kind)
}

// isKnown reports whether a client knows a member of the name.
func isKnown(name string) bool {
	if fieldOf(name) != otherField || isAside(name) {
		return true
	}
	for _, c := range mcp.Clients() {
		if c.Schema != nil && c.Schema.Member(name) != nil {
			return true
		}
	}
	return false
}

// isNearly reports whether a name is a word except for letter case, hyphens and underscores, or
// for one letter that is missing, added, wrong or has changed places with the next; invisible
// characters make no difference. Many words are one letter away from a word of three letters.
func isNearly(name, word string) bool {
	name = visible(name)
	if len(name) < len(word)-1 || len(name) > len(word)+2 {
		return false
	}
	if strings.EqualFold(bare(name), bare(word)) {
		return true
	}
	return len(word) > 3 && isOneOff(name, word) || len(word) == 3 && len(name) == 3 && isSwapped(name, word)
}

// visible returns a name without its invisible characters.
func visible(name string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsGraphic(c) {
			return c
		}
		return -1
	}, name)
}

func bare(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "-", ""), "_", "")
}

// isOneOff reports whether one letter makes the difference.
func isOneOff(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch len(b) - len(a) {
	case 0:
		return i < len(a) && a[i+1:] == b[i+1:] || isSwapped(a, b)
	case 1:
		return a[i:] == b[i+1:]
	}
	return false
}

// isSwapped reports whether two neighbours have changed places.
func isSwapped(a, b string) bool {
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	return len(a) == len(b) && i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

// IsOfLaunch reports whether a member of an entry decides what the client starts or connects to.
func IsOfLaunch(name string) bool {
	switch fieldOf(name) {
	case otherField, disabledField, enabledField:
		return name == "envFile"
	}
	return true
}

// IsArguments reports whether a member of an entry holds the arguments of a program.
func IsArguments(name string) bool { return fieldOf(name) == argsField }

// HoldsHeaders reports whether the names in a member of an entry are names of headers, in which
// letter case does not matter.
func HoldsHeaders(name string) bool {
	return fieldOf(name) == headersField || fieldOf(name) == headerVarsField
}

// RequestMember returns the member with the options of requests, headers among them,
// in which a client looks for headers; "" if it has none.
func RequestMember(c *mcp.Client) string {
	if c.Schema == nil {
		return ""
	}
	for _, m := range c.Schema.Members {
		if fieldOf(m.Name) == requestField {
			return m.Name
		}
	}
	return ""
}
