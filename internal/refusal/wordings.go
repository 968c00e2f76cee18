// Package refusal puts into words what clients and tools refuse, grades it, and says
// which entries are not started for it.
package refusal

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// Wordings are the reasons for refusals that belong to one rule: the severity and the texts
// of each. Every reason belongs to one rule.
type Wordings [mcp.Reasons]Wording

// Wording is how a rule puts one reason.
type Wording struct {
	// Severity is that of a refusal by everyone who reads the file.
	Severity rule.Severity
	// Text returns what is refused and why, and what to do about it (rule.Finding); nil where
	// another rule reports the refusal.
	Text func(*mcp.Refusal) (message, help string)
}

// Grade depends on the client that refuses something: a client that also reads another client's
// file has its own files. One file does not show which clients a plugin is meant for. What its tool
// skips is never an error.
func (w *Wording) Grade(doc *mcp.Document, r *mcp.Refusal) rule.Severity {
	switch {
	case doc.IsSecondary:
		return rule.Note
	case r.By == mcp.ByAll && r.GoesOn:
		return min(w.Severity, rule.Warning)
	case r.By == mcp.ByAll:
		return w.Severity
	case r.By == mcp.ByOwner && doc.Scope == mcp.ScopeProject:
		return min(w.Severity, rule.Warning)
	}
	return rule.Note
}

// Say returns what is refused and why, and what to do about it. A client that reads another
// client's file needs its own file for its own members: the other client would ignore them.
func (w *Wording) Say(doc *mcp.Document, r *mcp.Refusal) (message, help string) {
	message, help = w.Text(r)
	if doc.IsSecondary && r.Reason == mcp.LostMember {
		own := wording.Say(" in a file of %s's own", wording.ClientTitles(r.Clients))
		if help == "" {
			return message + own, ""
		}
		help += own
	}
	return message, help
}

// EntryRefused says that an entry is not used.
func EntryRefused(r *mcp.Refusal) string {
	switch {
	case r.Fatal:
		return wording.Say("%s itself %s not start because of %s", wording.ClientTitles(r.Clients), wording.Does(r.Clients), entryInWords(r))
	case r.Tool != "":
		return wording.Say("%s rejects %s", r.Tool, entryInWords(r))
	case r.WholeFile:
		return wording.Say("%s %s not load %s", wording.ClientTitles(r.Clients), wording.Does(r.Clients), entryInWords(r))
	}
	return wording.Say("%s %s not start %s", wording.ClientTitles(r.Clients), wording.Does(r.Clients), entryInWords(r))
}

// memberLost says that an entry is used without one of its members.
func memberLost(r *mcp.Refusal) string {
	return wording.Say("%s %s %q of %s", wording.ClientTitles(r.Clients), wording.Plural(r.Clients, "ignores", "ignore"), r.Member, entryInWords(r))
}

// memberInWords names the member that a refusal is of, or the values in it.
func memberInWords(r *mcp.Refusal) string {
	if r.InEach {
		return wording.Say("every value of %q", r.Member)
	}
	return wording.Say("%q", r.Member)
}

// anyOf lists the words that a client accepts.
func anyOf(words []string) string { return wording.JoinWith(wording.InQuotes(words), "or") }

// entryInWords names the entry that a refusal is of, if it has a name.
func entryInWords(r *mcp.Refusal) string {
	if r.Server == "" {
		return "this entry"
	}
	return wording.Say("%q", r.Server)
}

// targetInWords names the member that says what an entry starts.
func targetInWords(r *mcp.Refusal) string {
	if slices.ContainsFunc(r.Clients, func(c *mcp.Client) bool { return IsAddress(c, r.Member) }) {
		return "a URL"
	}
	return "a command"
}

// ownWordsFor returns the client's names for a member: it may have two for a URL.
func ownWordsFor(r *mcp.Refusal) string {
	if len(r.Want) == 2 && len(r.Clients) > 0 && IsAddress(r.Clients[0], r.Want[0]) {
		return wording.Say("%q or %q", r.Want[0], r.Want[1])
	}
	return wording.Say("%q", r.Want[0])
}

// asAddress says what to do with a program that is a URL.
func asAddress(r *mcp.Refusal) string {
	if len(r.Want) == 0 {
		return "start a bridge such as mcp-remote with the URL"
	}
	return wording.Say("write the URL as %q", r.Want[0])
}

// RefusedPart returns the part of a name that is refused. Part of a credential no longer
// looks like one, so that no output would mask it: then the whole name is returned, masked.
func RefusedPart(r *mcp.Refusal) string {
	if secret.Hides(r.Got) {
		return secret.Mask(r.Got)
	}
	return r.Other
}

// IsToFillIn reports whether an entry is empty because someone must fill it in: in an example, or
// in a plugin.
func IsToFillIn(doc *mcp.Document, r *mcp.Refusal) bool {
	isEmpty := r.Reason == mcp.EmptyCommand || r.Reason == mcp.EmptyURL
	return isEmpty && (!reads.InUse.Has(doc) || doc.Scope != mcp.ScopeProject)
}

// IsAddress reports whether a client finds the address of a server in a member.
func IsAddress(c *mcp.Client, member string) bool {
	return slices.ContainsFunc(c.Fields.URL, func(u mcp.URLField) bool { return u.Name == member })
}
