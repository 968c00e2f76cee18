package fix

import (
	"fmt"
	"iter"

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
//     in any file and under any name;
//   - the entry of its name in its file, which a fix changed;
//   - an entry of its identity in its file that has a new name: it was changed and renamed.
//
// Each is looked up, so the cost is linear in the entries of both. Most fixes leave every entry
// where it is, so the details behind the names are computed only for the others.
func losses(before, after *mcp.Repo) []loss {
	stays := placesIn(after)
	var gone []start
	for s := range startsOf(before) {
		if !stays[s.place()] {
			gone = append(gone, s)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	named, equal, renamed := placesIn(before), map[program]bool{}, map[identified]int{}
	for s := range startsOf(after) {
		equal[s.program()] = true
		if !named[s.place()] {
			renamed[s.identified()]++
		}
	}
	var lost []loss
	for _, s := range gone {
		switch id := s.identified(); {
		case equal[s.program()]:
		case renamed[id] > 0:
			renamed[id]--
		default:
			lost = append(lost, loss{id.path, s.server.Name, s.client})
		}
	}
	return lost
}

// start is an entry together with a client that starts it.
type start struct {
	client *mcp.Client
	dir    string // of the project
	server *mcp.Server
}

// place is where a client finds an entry.
type place struct {
	client       *mcp.Client
	path, server string
}

func (s *start) place() place { return place{s.client, s.server.Document.File.Path, s.server.Name} }

// placesIn returns where clients find what they start in a repository.
func placesIn(repo *mcp.Repo) map[place]bool {
	places := map[place]bool{}
	for s := range startsOf(repo) {
		places[s.place()] = true
	}
	return places
}

// program is what a client starts in a project. config holds secrets: never print it.
type program struct {
	client           *mcp.Client
	dir, key, config string
}

func (s *start) program() program {
	return program{s.client, s.dir, s.server.Identity.Key(), s.server.Resolved().ConfigKey()}
}

// identified is the identity of an entry of a file, as a client starts it.
type identified struct {
	client    *mcp.Client
	path, key string
}

func (s *start) identified() identified {
	return identified{s.client, s.server.Document.File.Path, s.server.Identity.Key()}
}

// startsOf yields what clients start in a repository, an entry once for each of them.
// Placeholders, which start nothing yet, are left out.
func startsOf(repo *mcp.Repo) iter.Seq[start] {
	return func(yield func(start) bool) {
		var starters refusal.Starters
		for _, p := range repo.Projects {
			for _, d := range p.Documents {
				for _, s := range d.Servers {
					if s.Identity.Kind == identity.None {
						continue
					}
					for _, c := range starters.Clients(s) {
						if !yield(start{c, p.Dir, s}) {
							return
						}
					}
				}
			}
		}
	}
}
