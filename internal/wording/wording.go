// Package wording holds the words that messages share: lists, titles of clients, and the
// beginning of a text that may be long.
package wording

import (
	"strconv"
	"strings"
	"time"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// OrName returns the first of its arguments that says something.
func OrName(names ...string) string {
	for _, name := range names {
		if name != "" {
			return name
		}
	}
	return "it"
}

func ClientTitles(clients []*mcp.Client) string {
	titles := make([]string, len(clients))
	for i, c := range clients {
		titles[i] = c.Title
	}
	return JoinWords(titles)
}

func Reads(clients []*mcp.Client) string { return Plural(clients, "reads", "read") }

func Does(clients []*mcp.Client) string { return Plural(clients, "does", "do") }

func Plural(clients []*mcp.Client, one, many string) string {
	if len(clients) == 1 {
		return one
	}
	return many
}

// Runs returns what a server runs, as a sentence names it. A sub-command is part of that:
// "npm:shadcn (mcp)".
func Runs(s *mcp.Server) string {
	text := s.Identity.InSentence()
	if len(s.Identity.Selector) > 0 {
		text += " (" + strings.Join(s.Identity.Selector, " ") + ")"
	}
	return text
}

// BundleInWords says which bundle brought a tracked entry.
func BundleInWords(entry *mcp.LockEntry) string {
	if entry.Claims.Bundle == "" {
		return "its bundle"
	}
	return "bundle " + entry.Claims.Bundle
}

// JoinWords writes a list as English does: "a, b, and c".
func JoinWords(words []string) string { return JoinWith(words, "and") }

func JoinWith(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	end := len(words) - 1
	comma := ""
	if end > 1 {
		comma = ","
	}
	return strings.Join(words[:end], ", ") + comma + " " + last + " " + words[end]
}

// AKind writes a kind of value with its article.
func AKind(k syntax.Kind) string {
	switch k {
	case syntax.Null:
		return "null"
	case syntax.Array, syntax.Object:
		return "an " + k.String()
	}
	return "a " + k.String()
}

// InQuotes returns every word in quotes.
func InQuotes(words []string) []string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = strconv.Quote(w)
	}
	return quoted
}

// ReadsInWords says which documents a rule reads.
func ReadsInWords(r reads.Selection) string {
	what := "every file"
	if r.Clients {
		what = "every file of a client"
	}
	var but []string
	if !r.Examples {
		but = append(but, "examples")
	}
	if !r.Fixtures {
		but = append(but, "test data")
	}
	if !r.Aside {
		but = append(but, "backups")
	}
	if r.Shared {
		but = append(but, "one person's own settings")
	}
	for _, scope := range r.Without {
		but = append(but, scopeInWords(scope))
	}
	if len(but) > 0 {
		what += " except " + JoinWords(but)
	}
	return what
}

// scopeInWords says what the files of a scope are.
func scopeInWords(scope mcp.Scope) string {
	switch scope {
	case mcp.ScopeRegistry:
		return "manifests that publish a server"
	case mcp.ScopeUser:
		return "copies of a person's own settings"
	case mcp.ScopeSettings:
		return "settings that hold no servers"
	}
	return string(scope) + " files"
}

// DriftMessage returns the message for a server that has another name elsewhere, and what to do
// about it: to rename it, if that name is right.
func DriftMessage(s *mcp.Server, where, name string, isRight bool) (message, help string) {
	message = Say("%q is named %q in %s (%s), so approvals for one miss the other", s.Name, name, where, Runs(s))
	return message, DriftHelp(name, isRight)
}

// DriftHelp returns what to do about a server that has another name elsewhere.
func DriftHelp(name string, isRight bool) string {
	if isRight {
		return Say("rename it to %q", name)
	}
	return "choose one name for both"
}

// FirstFew cuts a long list of differences: it is there to be read.
func FirstFew(parts []string) []string {
	const most = 4
	if len(parts) <= most {
		return parts
	}
	return append(parts[:most-1:most-1], Say("%d more", len(parts)-most+1))
}

// maxDate is how much of a time is shown, in code points: a date.
const maxDate = len(time.DateOnly)

// DateOf returns the date of a time as people read it, and of a text that is no time the
// beginning.
func DateOf(text string) string {
	if _, err := time.Parse(time.DateOnly, text[:min(len(text), maxDate)]); err == nil {
		return text[:maxDate]
	}
	return Beginning(text, maxDate)
}

// MaxGiven is how many variables, headers and packages are named.
const MaxGiven = 8

// Few returns the first of some words, and how many more there are.
func Few(words []string) []string {
	if more := len(words) - MaxGiven; more > 0 {
		return append(words[:MaxGiven:MaxGiven], Say("%d more", more))
	}
	return words
}

// VersionMessage returns which two versions a server is pinned to. The advice depends on where the
// other one is.
func VersionMessage(s *mcp.Server, other, where string) string {
	return Say("%s is pinned to %s here but to %s in %s", &s.Identity, ShortVersion(s.Identity.Version.Text), ShortVersion(other), where)
}

// ShortVersion returns a version as a message shows it, of a commit or a digest the beginning.
func ShortVersion(text string) string {
	const ofCommit, ofDigest = 7, 12
	algorithm, digits, isDigest := strings.Cut(strings.TrimSpace(text), ":")
	if !isDigest {
		algorithm, digits = "", algorithm
	}
	switch isHex := strings.Trim(digits, "0123456789abcdef") == ""; {
	case isHex && isDigest && len(digits) == 64:
		return algorithm + ":" + digits[:ofDigest] + "…"
	case isHex && !isDigest && len(digits) == 40:
		return digits[:ofCommit] + "…"
	}
	return strings.TrimSpace(text)
}
