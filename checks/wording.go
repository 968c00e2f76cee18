package checks

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
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
	return mcp.JoinWords(titles)
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
	text := s.Identity.Shown()
	if len(s.Identity.Selector) > 0 {
		text += " (" + strings.Join(s.Identity.Selector, " ") + ")"
	}
	return text
}
