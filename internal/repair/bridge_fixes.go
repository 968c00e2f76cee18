package repair

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/wording"
	"github.com/mcplumb/mcplumb/internal/writing"
)

// FixBridge writes the entry of a bridged server as its clients connect to the URL directly,
// if an entry can express everything that the bridge gets; otherwise it returns why not. It is
// not safe: the bridge stores the login itself.
func FixBridge(s *mcp.Server, written *Written) (fixes []rule.Fix, noFixReason string) {
	if reason := KeptBecause(s); reason != "" {
		return nil, reason
	}
	const tellsMore = "the entry gives the bridge more than a URL and headers"
	l := &s.Launch
	if len(l.Args) > rule.MaxEdits || l.URL.Text != "" || len(l.Headers) > 0 {
		return nil, tellsMore // and no fix of thousands of headers is read
	}
	native, ok := s.Resolved().Native()
	if !ok {
		return nil, tellsMore
	}
	if s.Document.IsSecondary || !isMovable(s, &native) {
		return nil, "the fix would move a credential, or a variable that may mean something else there"
	}
	native.Transport = s.Identity.Transport
	if native.Transport == "" {
		native.Transport, _ = transportOf(native.URL.Text)
	}
	direct := *s
	direct.Launch, direct.Type, direct.Identity.Bridge = native, identity.Word{}, nil
	members, losses := writing.Rewrite(&direct)
	if members == nil || slices.ContainsFunc(losses, isLost) || slices.ContainsFunc(members, func(m edit.Member) bool { return !isReadByAll(s.Document, m) }) {
		return nil, "mcplumb cannot tell whether every client of this file accepts all of these settings"
	}
	entry, _ := written.Entry(s)
	before, _ := writing.Rewrite(s)
	edits := replaceProgram(s, entry, before, members)
	if edits == nil {
		return nil, "the entry already has other values where the URL and headers go"
	}
	return []rule.Fix{{Title: wording.Say("connect to %s without %s", s.Identity.Name, s.Identity.Bridge.Name), Safety: rule.Unsafe, Edits: edits}}, ""
}

// isMovable reports whether the arguments of a bridge mean the same in an entry with a URL: no
// credential, and only variables that mcp-remote or all clients of the file expand.
func isMovable(s *mcp.Server, native *identity.Launch) bool {
	inputs := InputsOf(s.Document)
	for _, h := range native.Headers {
		if len(secret.Literals(h.Name.Text, h.Value.Text)) > 0 {
			return false
		}
	}
	if len(secret.Literals("", native.URL.Text)) > 0 {
		return false
	}
	for _, arg := range s.Launch.Args {
		for ref, ok := secret.NextReference(arg.Text, 0); ok; ref, ok = secret.NextReference(arg.Text, ref.End) {
			byBridge := ref.Syntax == secret.Braced && arg.Span != native.URL.Span
			if !byBridge && !IsExpandedByAll(s.Document, inputs, arg.Text[ref.Start:ref.End]) {
				return false
			}
		}
	}
	return true
}

// isLost reports whether an entry says less than it must. It may leave the transport open, or name
// one: a client tries what the bridge tries.
func isLost(l mcp.Loss) bool {
	return l.Reason != mcp.NotSaid && l.Reason != mcp.Chosen && l.Reason != mcp.NoName && l.Reason != mcp.SecretName
}

// isReadByAll reports whether all clients of a file take a member of an entry for what
// the first of them takes it for.
func isReadByAll(doc *mcp.Document, m edit.Member) bool {
	loaders := doc.Loaders()
	if slices.Contains(loaders[0].Fields.Type, m.Name) {
		return takesType(doc, m.Value.Text)
	}
	names := memberNames(loaders[0], m.Name)
	return !slices.ContainsFunc(loaders[1:], func(c *mcp.Client) bool { return names < 0 || memberNames(c, m.Name) != names })
}

// replaceProgram returns the changes that replace the program of an entry with members, nil if the
// entry has one of them with another value. entry is the written entry, before what a client
// requires of it.
func replaceProgram(s *mcp.Server, entry *syntax.Node, before, members []edit.Member) []edit.Change {
	file, owner := s.Document.File, s.Document.Loaders()[0]
	edits, where := dropProgram(s, entry)
	isTyped := false
	for _, m := range members {
		isType := slices.Contains(owner.Fields.Type, m.Name)
		switch {
		case slices.ContainsFunc(before, func(b edit.Member) bool { return b.Name == m.Name && isSameWord(b.Value, m.Value) }):
			// The entry already has what the client requires of any entry, or did not have it before.
		case isType && s.Type.Text != "":
			isTyped = true
			edits = append(edits, edit.Rename(file, s.Type.Span, m.Value.Text))
		case entry.Get(m.Name) == nil:
			edits = append(edits, edit.Insert(file, EntryOf(s), m.Name, m.Value, where))
		case isWord(m.Value) && !isOfTarget(owner, m.Name):
			// What is there for people stays.
		default:
			return nil
		}
	}
	if s.Type.Text != "" && !isTyped {
		edits = append(edits, edit.Drop(file, s.Type.Span))
	}
	return edits
}

// isWord reports whether a value is one word, number or boolean.
func isWord(v edit.Value) bool { return v.Kind != syntax.Array && v.Kind != syntax.Object }

// isSameWord reports whether two values are the same word.
func isSameWord(a, b edit.Value) bool { return isWord(a) && a.Kind == b.Kind && a.Text == b.Text }

// isOfTarget reports whether a member of an entry says where its server is, or what is
// sent there.
func isOfTarget(c *mcp.Client, name string) bool {
	isURL := func(f mcp.URLField) bool { return f.Name == name }
	return slices.ContainsFunc(c.Fields.URL, isURL) ||
		slices.Contains(slices.Concat(c.Fields.Headers, c.Fields.Type, c.Fields.Bearer, c.HeadersBy), name)
}

// dropProgram returns the changes that remove the program from an entry, with its arguments and
// variables, and the place for something else. Members go as a whole, so that no other fix adds to
// one at the same time.
func dropProgram(s *mcp.Server, entry *syntax.Node) ([]edit.Change, edit.Where) {
	file, fields := s.Document.File, &s.Document.Loaders()[0].Fields
	var edits []edit.Change
	where := edit.Where{Place: edit.First}
	if s.Type.Text != "" {
		where = edit.Where{Place: edit.After, Beside: s.Type.Span}
	}
	for _, name := range slices.Concat(fields.Command, fields.Args, fields.Env) {
		member := entry.Get(name)
		if member == nil || member.Key.IsZero() {
			continue
		}
		edits = append(edits, edit.Drop(file, member.Key))
		if slices.Contains(fields.Command, name) && member.Kind != syntax.Array {
			where = edit.Where{Place: edit.Before, Beside: member.Key}
		}
	}
	return edits, where
}

// EntryOf names the object of an entry for a change: by its key, if it has one, since a
// header of TOML may be where several tables begin.
func EntryOf(s *mcp.Server) syntax.Span {
	if s.Document.Loaders()[0].Reading(s.Document.Format).Lists {
		return s.Span
	}
	return s.NameSpan
}
