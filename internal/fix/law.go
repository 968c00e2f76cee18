package fix

import (
	"fmt"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/refusal"
)

// loss is an entry that a client started before a fix and does not start after it.
type loss struct {
	path, server string
	client       *mcp.Client // nil for a client that is not known
}

func (l *loss) reason() string {
	if l.client == nil {
		return fmt.Sprintf("it would take away %q, and no identical entry remains", l.server)
	}
	return fmt.Sprintf("it would take away %q, which %s starts, and no identical entry remains", l.server, l.client.Title)
}

// losses returns the entries that clients start before fixes and no longer start after
// them. An entry is lost unless the same client still starts one of
//   - an entry of the same project with its identity, arguments, variables and headers,
//     in whatever file and under whatever name;
//   - the entry of its name in its file, which a fix changed;
//   - an entry of its identity in its file that has a new name: it was changed and renamed.
//
// Each is looked up, so the cost is linear in the entries of both.
func losses(before, after *mcp.Repo) []loss {
	was, now := startsOf(before), startsOf(after)
	equal, named, renamed := map[program]bool{}, map[place]bool{}, map[identified]int{}
	for _, s := range was {
		named[s.place] = true
	}
	for _, s := range now {
		equal[s.program] = true
		if !named[s.place] {
			renamed[s.identified()]++
		}
	}
	clear(named)
	for _, s := range now {
		named[s.place] = true
	}
	var lost []loss
	for _, s := range was {
		switch {
		case equal[s.program], named[s.place]:
		case renamed[s.identified()] > 0:
			renamed[s.identified()]--
		default:
			lost = append(lost, loss{s.place.path, s.place.server, s.place.client})
		}
	}
	return lost
}

// start is an entry together with a client that starts it.
type start struct {
	place   place
	program program
}

// place is where a client finds an entry.
type place struct {
	client       *mcp.Client
	path, server string
}

// program is what a client starts in a project. config holds secrets: never print it.
type program struct {
	client           *mcp.Client
	dir, key, config string
}

// identified is the identity of an entry of a file, as a client starts it.
type identified struct {
	client    *mcp.Client
	path, key string
}

func (s *start) identified() identified {
	return identified{s.place.client, s.place.path, s.program.key}
}

// startsOf returns what clients start in a repository, an entry once for each of them.
// Placeholders, which start nothing yet, are left out.
func startsOf(repo *mcp.Repo) []start {
	var starters refusal.Starters
	var all []start
	for _, p := range repo.Projects {
		for _, d := range p.Documents {
			for _, s := range d.Servers {
				if s.Identity.Kind == identity.None {
					continue
				}
				for _, c := range starters.Clients(s) {
					all = append(all, start{place{c, d.File.Path, s.Name}, program{c, p.Dir, s.Identity.Key(), s.Resolved().ConfigKey()}})
				}
			}
		}
	}
	return all
}
