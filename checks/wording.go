package checks

import (
	"strconv"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// orName returns the first of its arguments that says something.
func orName(names ...string) string {
	for _, name := range names {
		if name != "" {
			return name
		}
	}
	return "it"
}

func clientTitles(clients []*mcp.Client) string {
	titles := make([]string, len(clients))
	for i, c := range clients {
		titles[i] = c.Title
	}
	return joinWords(titles)
}

func reads(clients []*mcp.Client) string { return plural(clients, "reads", "read") }

func does(clients []*mcp.Client) string { return plural(clients, "does", "do") }

func plural(clients []*mcp.Client, one, many string) string {
	if len(clients) == 1 {
		return one
	}
	return many
}

// runs says in words what a server runs: "npx shadcn" is no name for
// "npm:shadcn" with the sub-command "mcp".
func runs(s *mcp.Server) string {
	text := s.Identity.Title()
	if len(s.Identity.Selector) > 0 {
		text += " (" + strings.Join(s.Identity.Selector, " ") + ")"
	}
	return text
}

// bundleInWords says which bundle brought a tracked entry.
func bundleInWords(entry *mcp.LockEntry) string {
	if entry.Claims.Bundle == "" {
		return "its bundle"
	}
	return "bundle " + entry.Claims.Bundle
}

// joinWords writes a list as English does: "a, b and c".
func joinWords(words []string) string { return joinWith(words, "and") }

func joinWith(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	end := len(words) - 1
	return strings.Join(words[:end], ", ") + " " + last + " " + words[end]
}

// aKind writes a kind of value with its article.
func aKind(k syntax.Kind) string {
	switch k {
	case syntax.Null:
		return "null"
	case syntax.Array, syntax.Object:
		return "an " + k.String()
	}
	return "a " + k.String()
}

// inQuotes returns every word in quotes.
func inQuotes(words []string) []string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = strconv.Quote(w)
	}
	return quoted
}

// ReadsInWords says which documents a rule looks at.
func ReadsInWords(r Reads) string {
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
	for _, scope := range r.Without {
		but = append(but, scopeInWords(scope))
	}
	if len(but) > 0 {
		what += " but " + joinWords(but)
	}
	return what
}

// scopeInWords says what the files of a scope are.
func scopeInWords(scope mcp.Scope) string {
	switch scope {
	case mcp.ScopeRegistry:
		return "manifests that publish a server"
	case mcp.ScopeUser:
		return "copies of somebody's own settings"
	case mcp.ScopeSettings:
		return "settings that hold no servers"
	}
	return string(scope) + " files"
}
