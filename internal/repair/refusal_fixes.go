package repair

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/refusal"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// refusedEntries finds the entries of a document that refusals are of.
type refusedEntries struct {
	doc     *mcp.Document
	entries map[syntax.Span]*mcp.Server // by their values, filled on first use
	twins   duplicates
}

// entry returns the entry that a refusal is of, or nil.
func (e *refusedEntries) entry(r *mcp.Refusal) *mcp.Server {
	if e.entries == nil {
		e.entries = make(map[syntax.Span]*mcp.Server, len(e.doc.Servers))
		for _, s := range e.doc.Servers {
			e.entries[s.Span] = s
		}
	}
	return e.entries[r.Object]
}

// fix returns how to write an entry so that all clients of its file accept it, if one way is
// right for all of them; otherwise why mcplumb leaves it, if others share it.
func (e *refusedEntries) fix(r *mcp.Refusal) (fixes []rule.Fix, noFixReason string) {
	if r.Reason == mcp.StrayRoot {
		return nil, wording.Say("mcplumb cannot tell which of the servers under %q you still need", r.Member)
	}
	if len(r.Clients) == 0 || r.Object.IsZero() || e.doc.IsSecondary {
		return nil, ""
	}
	isEmpty := isEmptyOfOtherKind(e.doc.File, r)
	if !canBeFixed(r) && !isOfCommand(r) && !isEmpty {
		return nil, ""
	}
	s := e.entry(r)
	if s == nil {
		return nil, "" // where no server is found, more is wrong than one member
	}
	switch {
	case canBeFixed(r):
		fixes = fixRefused(s, r)
	case isEmpty:
		if IsFixable(s) {
			fixes = fixEmpty(s, r)
		}
	case IsFixable(s):
		entry, _ := e.twins.written.Entry(s)
		if fixes, noFixReason = fixCommand(s, r, entry); fixes == nil {
			return nil, noFixReason
		}
	}
	if len(fixes) > 0 && refusal.IsNotStarted(r) {
		if twin := e.twins.duplicateIfEnabled(s); twin != nil {
			return nil, wording.Say("the fixed entry would run the same server as %q", twin.Name)
		}
	}
	return fixes, KeptBecause(s)
}

// isEmptyOfOtherKind reports whether a refusal is about an empty list where the client wants
// an object, or the reverse: either way nothing is in it.
func isEmptyOfOtherKind(file *syntax.File, r *mcp.Refusal) bool {
	isCollection := func(k syntax.Kind) bool { return k == syntax.Array || k == syntax.Object }
	return r.Reason == mcp.MemberKind && !r.InEach && isCollection(r.Kind) && isCollection(r.WantKind) &&
		strings.Trim(string(file.Bytes[r.Span.Start:r.Span.End]), "[]{} \t\r\n") == ""
}

// fixEmpty writes an empty value as the kind that the client wants.
func fixEmpty(s *mcp.Server, r *mcp.Refusal) []rule.Fix {
	value, shown := edit.Object(), "{}"
	if r.WantKind == syntax.Array {
		value, shown = edit.Array(), "[]"
	}
	return []rule.Fix{{
		Title: wording.Say("write %q as %s", r.Member, shown), Safety: rule.Safe,
		Edits: []edit.Change{edit.Replace(s.Document.File, r.Span, value)},
	}}
}

// canBeFixed reports whether an entry is accepted once the word that a refusal is about is
// right, or is added.
func canBeFixed(r *mcp.Refusal) bool {
	switch r.Reason {
	case mcp.VariableName, mcp.Misspelled, mcp.LostMisspelled, mcp.OtherMember, mcp.MissingType, mcp.UnknownType,
		mcp.TypeContradicts:
		return true
	case mcp.LostMember:
		return len(r.Want) > 0
	}
	return false
}

// fixRefused writes an entry so that all clients of its file accept it, unless others share it.
func fixRefused(s *mcp.Server, r *mcp.Refusal) []rule.Fix {
	if !IsFixable(s) || !canBeFixed(r) {
		return nil
	}
	switch r.Reason {
	case mcp.VariableName:
		return []rule.Fix{{
			Title: wording.Say("write %q instead of %s", r.Want[0], r.Got), Safety: rule.Safe,
			Edits: []edit.Change{edit.Rename(s.Document.File, r.Span, r.Want[0])},
		}}
	case mcp.MissingType:
		return fixMissingType(s, r)
	case mcp.UnknownType:
		return fixUnknownType(s, r)
	case mcp.TypeContradicts:
		return fixContradiction(s, r)
	}
	if len(r.Want) > 1 && refusal.IsAddress(r.Clients[0], r.Want[0]) {
		return fixAddress(s, r)
	}
	return fixMember(s.Document, r)
}

// fixAddress gives the URL of a server the key under which all clients of its file find it. If a
// client has one key per transport, the end of the URL decides which, or the type next to it.
func fixAddress(s *mcp.Server, r *mcp.Refusal) []rule.Fix {
	speaks, safety := transportOf(s.Launch.URL.Text)
	if s.Type.Text != "" && !takesType(s.Document, s.Type.Text) {
		return nil
	}
	if s.Type.Text != "" || safety != rule.Safe || speaks == "sse" {
		speaks = "" // the client finds out by the type, or by trying
	}
	isRight := func(u mcp.URLField) bool { return u.Transport == speaks }
	i := slices.IndexFunc(r.Clients[0].Fields.URL, isRight)
	if i < 0 {
		return nil
	}
	right := r.Clients[0].Fields.URL[i]
	isOther := func(c *mcp.Client) bool { return !slices.Contains(c.Fields.URL, right) }
	if slices.ContainsFunc(s.Document.Loaders(), isOther) {
		return nil
	}
	return []rule.Fix{{
		Title: wording.Say("rename %q to %q", r.Member, right.Name), Safety: rule.Unsafe,
		Edits: []edit.Change{edit.Rename(s.Document.File, r.Span, right.Name)},
	}}
}

// fixMember gives a member that a client does not know the name that it does, if
// every client of the file has that name for the same.
func fixMember(doc *mcp.Document, r *mcp.Refusal) []rule.Fix {
	right := r.Want[0]
	names := memberNames(r.Clients[0], right)
	if names < 0 {
		return nil
	}
	for _, c := range doc.Loaders() {
		if memberNames(c, right) != names {
			return nil
		}
	}
	return []rule.Fix{{
		Title: wording.Say("rename %q to %q", r.Member, right), Safety: rule.Safe,
		Edits: []edit.Change{edit.Rename(doc.File, r.Span, right)},
	}}
}

// memberNames returns what a member means to a client: two clients that return the same number
// agree. It is negative for a member that the client does not know.
func memberNames(c *mcp.Client, member string) int {
	f := &c.Fields
	names := [][]string{f.Command, f.Args, f.Env, f.Cwd, f.Headers}
	if refusal.IsAddress(c, member) {
		return len(names)
	}
	return slices.IndexFunc(names, func(names []string) bool { return slices.Contains(names, member) })
}

// fixMissingType writes the type of a server in front of its target. Where a client
// has several for remote servers, the end of the address tells which it is; of any
// other address streamable HTTP is only the most likely.
func fixMissingType(s *mcp.Server, r *mcp.Refusal) []rule.Fix {
	if s.Type.Text != "" {
		return fixTypeElsewhere(s, r)
	}
	transport, safety := transportOf(s.Launch.URL.Text)
	if c := r.Clients[0]; len(c.Native) > 0 && !c.Speaks(transport) {
		transport, safety = c.Native[0], rule.Unsafe
	}
	word := typeFor(s.Document, r.Clients[0], transport)
	if len(r.Want) == 1 {
		word, safety = r.Want[0], rule.Safe
	}
	if word == "" || !takesType(s.Document, word) {
		return nil
	}
	return []rule.Fix{{
		Title: wording.Say("add %q: %q", r.Clients[0].Fields.Type[0], word), Safety: safety,
		Edits: []edit.Change{edit.Insert(s.Document.File, s.Span, r.Clients[0].Fields.Type[0], edit.String(word),
			edit.Where{Place: edit.Before, Beside: r.Span})},
	}}
}

// fixTypeElsewhere writes how a server speaks, which its entry says in the member of
// another client ("transport": "sse"), in the member and the word of the file's clients.
func fixTypeElsewhere(s *mcp.Server, r *mcp.Refusal) []rule.Fix {
	member, transport := r.Clients[0].Fields.Type[0], s.Launch.Transport
	word := typeFor(s.Document, r.Clients[0], transport)
	knowsOther := func(c *mcp.Client) bool { return len(c.Fields.Type) != 1 || c.Fields.Type[0] != member }
	if word == "" || transport == "" || transport == "stdio" || slices.ContainsFunc(s.Document.Loaders(), knowsOther) {
		return nil
	}
	file := s.Document.File
	return []rule.Fix{{
		Title: wording.Say("write the transport as %q: %q", member, word), Safety: rule.Safe,
		Edits: []edit.Change{
			edit.Insert(file, s.Span, member, edit.String(word), edit.Where{Place: edit.Before, Beside: s.Type.Span}),
			edit.Remove(file, s.Type.Span),
		},
	}}
}

// transportOf tells from the end of an address how the server there speaks, and
// whether that is sure.
func transportOf(address string) (transport string, safety rule.Safety) {
	transport, isSure := identity.TransportAtEnd(address)
	if !isSure {
		return transport, rule.Unsafe
	}
	return transport, rule.Safe
}

// fixUnknownType writes the transport of a server in the words of the file's clients.
func fixUnknownType(s *mcp.Server, r *mcp.Refusal) []rule.Fix {
	word := typeFor(s.Document, r.Clients[0], s.Launch.Transport)
	if word == "" && s.Launch.Transport != "stdio" && s.Launch.Command.Text == "" {
		word = typeFor(s.Document, r.Clients[0], "") // opencode's word for every address
	}
	if word == "" || s.Launch.Transport == "" || s.Type.Span != r.Span {
		return nil
	}
	return []rule.Fix{{
		Title: wording.Say("change the type to %q", word), Safety: rule.Safe,
		Edits: []edit.Change{edit.Rename(s.Document.File, r.Span, word)},
	}}
}

// fixContradiction writes the type of the target that an entry has. That it is the type
// which is wrong is only likely.
func fixContradiction(s *mcp.Server, r *mcp.Refusal) []rule.Fix {
	transport, c := "stdio", r.Clients[0]
	if s.Launch.URL.Text != "" {
		transport, _ = transportOf(s.Launch.URL.Text)
		if len(c.Native) > 0 && !c.Speaks(transport) {
			transport = c.Native[0]
		}
	}
	word := typeFor(s.Document, c, transport)
	if word == "" && transport != "stdio" {
		word = typeFor(s.Document, c, "") // opencode's word for every address
	}
	if word == "" || s.Type.Span != r.Span {
		return nil
	}
	return OneChange(wording.Say("change the type to %q", word), edit.Rename(s.Document.File, r.Span, word))
}

// typeFor returns the first of a client's words for a transport that every client
// of a file takes for the same, or "".
func typeFor(doc *mcp.Document, c *mcp.Client, transport string) string {
	takes := c.In(doc.Format)
	for _, t := range slices.Concat(takes.Types, takes.SomeTypes) {
		means := func(other *mcp.Client) bool {
			types := other.In(doc.Format).Types
			return len(types) == 0 || slices.Contains(types, t)
		}
		if t.Transport == transport && !slices.ContainsFunc(doc.Loaders(), func(other *mcp.Client) bool { return !means(other) }) {
			return t.Word
		}
	}
	return ""
}

// takesType reports whether every client of a file that reads types accepts a word.
func takesType(doc *mcp.Document, word string) bool {
	return !slices.ContainsFunc(doc.Loaders(), func(c *mcp.Client) bool {
		types := c.In(doc.Format).Types
		return len(types) > 0 && !slices.ContainsFunc(types, func(t mcp.Type) bool { return t.Word == word })
	})
}

// FixHashForm writes a SHA-256 as its lockfile requires it, if only its spelling is wrong: the case
// of its digits, and the text before them.
func FixHashForm(doc *mcp.Document, r *mcp.Refusal, prefix string) []rule.Fix {
	digits := strings.ToLower(r.Got)
	for _, other := range []string{"sha256:", "sha256-"} {
		digits = strings.TrimPrefix(digits, other)
	}
	if len(digits) != 64 || !compare.IsHex(digits) || prefix+digits == r.Got {
		return nil
	}
	return OneChange("write the same hash in the form that its tool writes", edit.Rename(doc.File, r.Span, prefix+digits))
}

// OneChange is an unsafe fix of one change.
func OneChange(title string, change edit.Change) []rule.Fix {
	return []rule.Fix{{Title: title, Safety: rule.Unsafe, Edits: []edit.Change{change}}}
}

// ReportRefusals reports what clients and tools refuse, if the rule has words for it.
func ReportRefusals(p *rule.Pass, words *refusal.Wordings) { ReportFixedRefusals(p, words, nil) }

// RefusalFix returns how to fix what one system refuses, or nil.
type RefusalFix func(*mcp.Document, *mcp.Refusal) []rule.Fix

// ReportFixedRefusals is ReportRefusals with a system's own fixes; nil for none.
func ReportFixedRefusals(p *rule.Pass, words *refusal.Wordings, fix RefusalFix) {
	for doc := range p.Documents() {
		refused := refusedEntries{doc: doc}
		for i := range doc.Refusals {
			r := &doc.Refusals[i]
			if w := &words[r.Reason]; w.Text != nil && !refusal.IsToFillIn(doc, r) {
				f := rule.Finding{
					File: doc.File, Span: r.Span, Server: r.Server, Severity: w.Grade(doc, r),
				}
				f.Message, f.Help = w.Say(doc, r)
				if !r.First.IsZero() {
					f.Related = []rule.Related{{File: doc.File, Span: r.First, Message: "first one here"}}
				}
				f.Fixes, f.NoFixReason = refused.fix(r)
				if fix != nil {
					f.Fixes, f.NoFixReason = fix(doc, r), ""
				}
				p.Report(f)
			}
		}
	}
}
