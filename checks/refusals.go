package checks

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// wordings are the reasons for refusals that belong to one rule: how grave each
// is and what is said of it. Every reason belongs to one rule.
type wordings [mcp.Reasons]wording

// wording is how a rule puts one reason.
type wording struct {
	// severity is that of a refusal by everyone who reads the file.
	severity Severity
	// text is the message, with what is said of the refusal in braces, as word names it.
	// In quotes it is put in quotes.
	text string
}

// say writes the message for a refusal.
func (w wording) say(r *mcp.Refusal) string {
	var message strings.Builder
	for rest := w.text; ; {
		before, after, found := strings.Cut(rest, "{")
		message.WriteString(before)
		if !found {
			return message.String()
		}
		name, after, _ := strings.Cut(after, "}")
		if bare, isQuoted := strings.CutPrefix(name, `"`); isQuoted {
			message.WriteString(say("%q", word(r, strings.TrimSuffix(bare, `"`))))
		} else {
			message.WriteString(say("%s", word(r, name)))
		}
		rest = after
	}
}

// word returns what a wording calls by a name.
func word(r *mcp.Refusal, name string) string {
	switch name {
	case "refused":
		return entryRefused(r)
	case "lost": // the entry is used without one of its members
		return wording{text: `{clients} {does} not read {"member"} of {entry}`}.say(r)
	case "clients":
		return clientTitles(r.Clients)
	case "does":
		return does(r.Clients)
	case "reads", "uses", "speaks":
		return plural(r.Clients, name, strings.TrimSuffix(name, "s"))
	case "entry":
		return entryInWords(r)
	case "tool":
		return r.Tool
	case "server":
		return r.Server
	case "name":
		return r.Name
	case "part":
		return string(r.Part)
	case "member":
		return r.Member
	case "other":
		return r.Other
	case "kind":
		return aKind(r.Kind)
	case "wanted kind":
		return aKind(r.WantKind)
	case "got":
		return r.Got
	case "want":
		return r.Want[0]
	case "other want":
		return r.Want[1]
	case "wants":
		return joinWith(r.Want, "or")
	case "count":
		return strconv.Itoa(r.Count)
	case "target":
		return targetInWords(r)
	case "own words":
		return ownWordsFor(r)
	case "as address":
		if len(r.Want) == 0 {
			return "start a bridge such as mcp-remote with it"
		}
		return say("write it as %q", r.Want[0])
	case "refused part":
		return refusedPart(r)
	}
	return "{" + name + "}" // which a test finds
}

// reportRefusals reports what clients and tools refuse, as far as it is in the
// rule's words.
func reportRefusals(p *Pass, words *wordings) { reportFixedRefusals(p, words, nil) }

// refusalFix returns how to mend what one system refuses, or nil.
type refusalFix func(*mcp.Document, *mcp.Refusal) []Fix

// reportFixedRefusals is reportRefusals with what a system knows of mending them; nil
// where it knows nothing.
func reportFixedRefusals(p *Pass, words *wordings, fix refusalFix) {
	for doc := range p.Documents() {
		refused := refusedEntries{doc: doc}
		for i := range doc.Refusals {
			r := &doc.Refusals[i]
			if w := &words[r.Reason]; w.text != "" && !isToFillIn(doc, r) {
				f := Finding{
					File: doc.File, Span: r.Span, Server: r.Server, Severity: w.grade(doc, r), Message: w.say(r),
				}
				if !r.First.IsZero() {
					f.Related = []Related{{File: doc.File, Span: r.First, Message: "here for the first time"}}
				}
				f.Fixes, f.Unmended = refused.fix(r)
				if fix != nil {
					f.Fixes, f.Unmended = fix(doc, r), ""
				}
				p.Report(f)
			}
		}
	}
}

// refusals returns what reports the refusals that are in the words of a system, with
// the fixes that fixes returns for a project; nil where the system knows none.
func refusals(words *wordings, fixes func(*Pass) refusalFix) func(*Pass) {
	return func(p *Pass) {
		var fix refusalFix
		if fixes != nil {
			fix = fixes(p)
		}
		reportFixedRefusals(p, words, fix)
	}
}

// grade weighs who refuses something: a client that reads another client's file,
// too, has files of its own. Which clients a plugin is meant for does not show in
// the one file. What its tool passes over is never an error.
func (w *wording) grade(doc *mcp.Document, r *mcp.Refusal) Severity {
	switch {
	case doc.Beside:
		return Note
	case r.By == mcp.ByAll && r.GoesOn:
		return min(w.severity, Warning)
	case r.By == mcp.ByAll:
		return w.severity
	case r.By == mcp.ByOwner && doc.Scope == mcp.ScopeProject:
		return min(w.severity, Warning)
	}
	return Note
}

// entryRefused says that an entry is not used.
func entryRefused(r *mcp.Refusal) string {
	text := "{clients} {does} not start {entry}"
	switch {
	case r.Tool != "":
		text = "{tool} refuses {entry}"
	case r.WholeFile:
		text = "{clients} {does} not load {entry}"
	}
	return wording{text: text}.say(r)
}

// entryInWords names the entry that a refusal is of, if it has a name.
func entryInWords(r *mcp.Refusal) string {
	if r.Server == "" {
		return "this entry"
	}
	return say("%q", r.Server)
}

// targetInWords says what the member holds in which an entry says what it starts.
func targetInWords(r *mcp.Refusal) string {
	if slices.ContainsFunc(r.Clients, func(c *mcp.Client) bool { return isAddress(c, r.Member) }) {
		return "a URL"
	}
	return "a command"
}

// ownWordsFor returns the client's words for a member: for an address it may have two.
func ownWordsFor(r *mcp.Refusal) string {
	if len(r.Want) == 2 && len(r.Clients) > 0 && isAddress(r.Clients[0], r.Want[0]) {
		return say("%q or %q", r.Want[0], r.Want[1])
	}
	return say("%q", r.Want[0])
}

// refusedPart returns the part of a name that is refused. Part of a credential tells
// what it is and no longer looks like one, so that no output would mask it.
func refusedPart(r *mcp.Refusal) string {
	if secret.Hides(r.Got) {
		return secret.Mask(r.Got)
	}
	return r.Other
}

// isToFillIn reports whether an entry is empty because somebody is to fill it in:
// in an example, or in what a plugin brings.
func isToFillIn(doc *mcp.Document, r *mcp.Refusal) bool {
	isEmpty := r.Reason == mcp.EmptyCommand || r.Reason == mcp.EmptyURL
	return isEmpty && (!inUse.has(doc) || doc.Scope != mcp.ScopeProject)
}
