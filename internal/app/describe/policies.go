package describe

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/allow"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/spelling"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/internal/workspace"
)

// Policies says what every client does with the entries of a name by its managed lists, step
// by step. The error says that there is no such entry.
func Policies(w *workspace.Workspace, v *view.View, repo *mcp.Repo, name string) (string, error) {
	found, others := entriesNamed(repo, name)
	if len(found) == 0 {
		return "", unknownServer(name, others)
	}
	var walks []string
	for _, s := range found {
		walks = append(walks, walk(w, v, repo, s))
	}
	return strings.Join(walks, "\n"), nil
}

// entriesNamed returns the entries of a name that clients load, and the names of others.
func entriesNamed(repo *mcp.Repo, name string) (found []*mcp.Server, others []string) {
	for _, p := range repo.Projects {
		for _, d := range p.ClientFiles() {
			for _, s := range d.Servers {
				if s.Name == name {
					found = append(found, s)
				} else {
					others = append(others, s.Name)
				}
			}
		}
	}
	return found, others
}

// unknownServer says that no entry has a name, and which one is near.
func unknownServer(name string, others []string) error {
	hint := "mcplumb list shows all servers"
	if nearest := spelling.Nearest(name, others); nearest != "" {
		hint = fmt.Sprintf("did you mean %q?", nearest)
	}
	return fmt.Errorf("no file that a client loads has a server %q: %s", name, hint)
}

// walk says what every client of an entry does with it, step by step.
func walk(w *workspace.Workspace, v *view.View, repo *mcp.Repo, s *mcp.Server) string {
	var b strings.Builder
	line := func(format string, args ...any) {
		fmt.Fprintf(&b, "%s\n", v.Text(fmt.Sprintf(format, args...)))
	}
	at := s.Document.File.Position(s.NameSpan.Start, syntax.CodePoints)
	line("%s:%d:%d: %q runs %s", w.Shown(s.Document.File.Path), at.Line, at.Column, s.Name, s.Identity.Title())
	if !s.MayBeStarted() {
		line("  it is disabled, independent of any list")
	}
	policies := checks.PoliciesOf(repo, s.Document.Project)
	without := slices.Clone(s.Document.Loaders())
	for i, d := range checks.Decide(policies, s) {
		if i == 0 {
			line("  lists compare its %s, which is %q", d.Server.What(), d.Server)
		}
		var titles []string
		for _, c := range d.Clients {
			titles = append(titles, c.Title)
			without = slices.DeleteFunc(without, func(other *mcp.Client) bool { return other == c })
		}
		line("  %s: %s", strings.Join(titles, ", "), verdictInWords(d.Verdict))
		for i := range d.Steps {
			line("    %d. %s", i+1, &d.Steps[i])
		}
		if len(d.Steps) == 0 {
			line("    no lists apply: name some with --policy FILE")
		}
	}
	for _, c := range without {
		line("  %s: reads no such lists, as far as mcplumb can tell", c.Title)
	}
	return b.String()
}

func verdictInWords(v allow.Verdict) string {
	switch v {
	case allow.Blocked:
		return "blocked"
	case allow.Open:
		return "open"
	}
	return "allowed"
}
