package compare

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// opened returns, in words, the rules of the base that denied tools of a server, or had the client
// ask about them, and that no longer exist. A rule that asks does not count if the tool is now
// denied.
func opened(was, now *mcp.Server) []string {
	before, after := withheldFrom(was), withheldFrom(now)
	if was.Name != now.Name { // the rules of settings hold for names
		before, after = was.Extra().Withheld, now.Extra().Withheld
	}
	var words []string
	for _, held := range before {
		rule, isAsked := strings.CutPrefix(held, "ask ")
		if !slices.Contains(after, held) && !(isAsked && slices.Contains(after, "deny "+rule)) {
			words = append(words, wording.Say("%q", wording.Beginning(secret.Mask(held), wording.MaxQuoted)))
		}
	}
	return words
}

// withheldFrom returns what keeps tools of a server from its clients.
func withheldFrom(s *mcp.Server) []string {
	held := slices.Clone(s.Extra().Withheld)
	references := s.Document.Project.References
	if len(references) == 0 {
		return held
	}
	loaders := s.Document.Loaders()
	names := []string{s.Name}
	if as := mcp.InTools(s.Name); as != s.Name {
		names = append(names, as)
	}
	for _, name := range names {
		for _, m := range references[name] {
			isLoader := func(c *mcp.Client) bool { return c.Reading(m.Document.Format) != nil }
			if m.Withholds != "" && slices.ContainsFunc(loaders, isLoader) {
				held = append(held, m.Withholds)
			}
		}
	}
	return held
}
