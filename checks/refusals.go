package checks

import (
	"slices"

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
	// message returns what is said of a refusal; nil where another rule says it.
	message func(*mcp.Refusal) string
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
			if w := &words[r.Reason]; w.message != nil && !isToFillIn(doc, r) {
				f := Finding{
					File: doc.File, Span: r.Span, Server: r.Server, Severity: w.grade(doc, r), Message: w.message(r),
				}
				if !r.First.IsZero() {
					f.Related = []Related{{File: doc.File, Span: r.First, Message: "here for the first time"}}
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

// grade weighs who refuses something: a client that reads another client's file,
// too, has files of its own. Which clients a plugin is meant for does not show in
// the one file. What its tool passes over is never an error.
func (w *wording) grade(doc *mcp.Document, r *mcp.Refusal) Severity {
	switch {
	case doc.IsSecondary:
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
	switch {
	case r.Tool != "":
		return say("%s refuses %s", r.Tool, entryInWords(r))
	case r.WholeFile:
		return say("%s %s not load %s", clientTitles(r.Clients), does(r.Clients), entryInWords(r))
	}
	return say("%s %s not start %s", clientTitles(r.Clients), does(r.Clients), entryInWords(r))
}

// memberLost says that an entry is used without one of its members.
func memberLost(r *mcp.Refusal) string {
	return say("%s %s not read %q of %s", clientTitles(r.Clients), does(r.Clients), r.Member, entryInWords(r))
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

// asAddress says what to do with a program that is a URL.
func asAddress(r *mcp.Refusal) string {
	if len(r.Want) == 0 {
		return "start a bridge such as mcp-remote with it"
	}
	return say("write it as %q", r.Want[0])
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
