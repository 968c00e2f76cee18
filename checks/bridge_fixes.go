package checks

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// fixBridge writes the entry of a bridged server as its clients open the URL themselves,
// where they can be told all that the bridge is told. It is not safe: the bridge keeps
// who has logged in for itself.
func fixBridge(p *Pass, s *mcp.Server) []Fix {
	l := &s.Launch
	if len(l.Args) > maxEdits {
		return nil
	}
	native, ok := s.Resolved().Native()
	if !ok || !isFixable(s) || s.Document.Beside || l.URL.Text != "" || len(l.Headers) > 0 ||
		!isMovable(s, &native) {
		return nil
	}
	native.Transport = s.Identity.Transport
	if native.Transport == "" {
		native.Transport, _ = transportOf(native.URL.Text)
	}
	direct := *s
	direct.Launch, direct.Type, direct.Identity.Bridge = native, identity.Word{}, nil
	members, losses := p.Rewrite(&direct)
	if members == nil || slices.ContainsFunc(losses, isLost) || slices.ContainsFunc(members, func(m edit.Member) bool { return !isReadByAll(s.Document, m) }) {
		return nil
	}
	return []Fix{{
		Title: say("open %s without %s", s.Identity.Name, s.Identity.Bridge.Name), Safety: Unsafe,
		Edits: replaceProgram(s, members),
	}}
}

// isMovable reports whether what stands in the arguments of a bridge means the same in an
// entry of its own: no credential, and only variables that mcp-remote or all clients of
// the file expand.
func isMovable(s *mcp.Server, native *identity.Launch) bool {
	inputs := inputsOf(s.Document)
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
			if !byBridge && !isExpandedByAll(s.Document, inputs, arg.Text[ref.Start:ref.End]) {
				return false
			}
		}
	}
	return true
}

// isLost reports whether an entry says less than it has to. That it leaves the transport
// open, or has to name one, is right: a client tries what the bridge tries.
func isLost(l mcp.Loss) bool {
	return l.Reason != mcp.NotSaid && l.Reason != mcp.Chosen && l.Reason != mcp.NoName
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

// replaceProgram returns the changes that put members into an entry in the place of the
// program that it starts.
func replaceProgram(s *mcp.Server, members []edit.Member) []edit.Change {
	file, owner, l := s.Document.File, s.Document.Loaders()[0], &s.Launch
	where := edit.Where{Place: edit.Before, Beside: l.Command.Span}
	if len(owner.Fields.Args) == 0 || owner.Fields.CommandKinds.Has(syntax.Array) && owner.Fields.CommandKinds != 0 {
		where = edit.Where{Place: edit.First} // the command is a list with the arguments
		if s.Type.Text != "" {
			where = edit.Where{Place: edit.After, Beside: s.Type.Span}
		}
	}
	edits := []edit.Change{edit.Drop(file, l.Command.Span)}
	for _, arg := range l.Args {
		edits = append(edits, edit.Drop(file, arg.Span))
	}
	for _, pair := range l.Env {
		edits = append(edits, edit.Drop(file, pair.Name.Span))
	}
	isTyped := false
	for _, m := range members {
		switch isType := slices.Contains(owner.Fields.Type, m.Name); {
		case m.Name == "name" && owner.Reading(s.Document.Format).Lists:
		case isType && s.Type.Text != "":
			isTyped = true
			edits = append(edits, edit.Rename(file, s.Type.Span, m.Value.Text))
		default:
			edits = append(edits, edit.Insert(file, entryOf(s), m.Name, m.Value, where))
		}
	}
	if s.Type.Text != "" && !isTyped {
		edits = append(edits, edit.Drop(file, s.Type.Span))
	}
	return edits
}

// entryOf names the object of an entry for a change: by its key, if it has one, since a
// header of TOML may be where several tables begin.
func entryOf(s *mcp.Server) syntax.Span {
	if s.Document.Loaders()[0].Reading(s.Document.Format).Lists {
		return s.Span
	}
	return s.NameSpan
}
