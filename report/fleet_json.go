package report

import (
	"bufio"
	"io"

	"github.com/mcplumb/mcplumb/internal/fleet"
	"github.com/mcplumb/mcplumb/internal/view"
)

type jsonFleetRepository struct {
	Repository string `json:"repository"`
	URL        string `json:"url,omitempty"`
	Commit     string `json:"commit,omitempty"`
	Time       string `json:"time,omitempty"`
	Read       string `json:"read,omitempty"`
	Failed     string `json:"failed,omitempty"`
	Servers    int    `json:"servers"`
	// Findings are how many.
	Findings int `json:"findings"`
	Errors   int `json:"errors"`
}

type jsonFleetServer struct {
	Repository string   `json:"repository"`
	Name       string   `json:"name"`
	Identity   string   `json:"identity,omitempty"`
	Kind       string   `json:"kind,omitempty"`
	Selector   []string `json:"selector,omitempty"`
	Version    string   `json:"version,omitempty"`
	// Pinned is the one version that runs.
	Pinned   string   `json:"pinned,omitempty"`
	Clients  []string `json:"clients,omitempty"`
	Scope    string   `json:"scope,omitempty"`
	Path     string   `json:"path,omitempty"`
	Line     int      `json:"line,omitempty"`
	URL      string   `json:"url,omitempty"`
	Disabled bool     `json:"disabled"`
	// First is set of a new server that no repository ran before, Before of one whose version
	// changed.
	First  bool    `json:"first,omitempty"`
	Before *string `json:"before,omitempty"`
}

type jsonFleetFinding struct {
	Repository  string `json:"repository"`
	Rule        string `json:"rule"`
	Severity    string `json:"severity"`
	Message     string `json:"message"`
	Path        string `json:"path"`
	Line        int    `json:"line"`
	URL         string `json:"url,omitempty"`
	Server      string `json:"server,omitempty"`
	Identity    string `json:"identity,omitempty"`
	Fingerprint string `json:"fingerprint,omitempty"`
	// New is set of one that was not there before.
	New bool `json:"new,omitempty"`
}

type jsonFleetProblem struct {
	Repository string `json:"repository,omitempty"`
	Path       string `json:"path,omitempty"`
	Message    string `json:"message"`
}

type jsonOrgFinding struct {
	Rule         string            `json:"rule"`
	Severity     string            `json:"severity"`
	Message      string            `json:"message"`
	Name         string            `json:"name,omitempty"`
	Identity     string            `json:"identity,omitempty"`
	Repositories int               `json:"repositories"`
	Places       []jsonFleetServer `json:"places"`
	MorePlaces   int               `json:"morePlaces,omitempty"`
}

type jsonChanges struct {
	NewRepositories  []string          `json:"newRepositories"`
	GoneRepositories []string          `json:"goneRepositories"`
	New              []jsonFleetServer `json:"new"`
	Gone             []jsonFleetServer `json:"gone"`
	Versions         []jsonFleetServer `json:"versions"`
	NewFindings      int               `json:"newFindings"`
	GoneFindings     int               `json:"goneFindings"`
	UpdatedFrom      string            `json:"updatedFrom,omitempty"`
}

// fleetJSON writes all of a fleet for programs, a row on a line. Its day is that of the
// records: the same give the same bytes.
func fleetJSON(w io.Writer, f *fleet.Fleet, tool view.Tool) error {
	out := bufio.NewWriter(w)
	j := &jsonLines{out: visibleWriter{out}}
	j.field("version", jsonVersion)
	j.field("tool", jsonTool(tool))
	if day := f.Day(); day != "" {
		j.field("read", day)
	}
	j.field("summary", f.Summary())
	add, end := j.list("orgFindings")
	for i := range f.Findings {
		add(orgFindingJSON(&f.Findings[i]))
	}
	end()
	add, end = j.list("identities")
	for _, usage := range f.Usages() {
		add(usage)
	}
	end()
	if f.Changes != nil {
		j.field("changes", changesJSON(f.Changes))
	}
	j.records(f)
	if err := j.end(); err != nil {
		return err
	}
	return out.Flush()
}

// records writes what the records have.
func (j *jsonLines) records(f *fleet.Fleet) {
	add, end := j.list("repositories")
	for _, r := range f.Repositories {
		add(jsonFleetRepository{r.Repository, r.URL, r.Commit, r.Time, r.Read, r.Failed, len(r.Servers), len(r.Findings), len(r.Errors)})
	}
	end()
	add, end = j.list("servers")
	for _, r := range f.Repositories {
		for i := range r.Servers {
			add(fleetServerJSON(fleet.Place{Record: r, Server: &r.Servers[i]}))
		}
	}
	end()
	add, end = j.list("findings")
	for _, r := range f.Repositories {
		for i := range r.Findings {
			found := &r.Findings[i]
			add(jsonFleetFinding{
				r.Repository, found.Rule, found.Severity, found.Message, found.Path, found.Line, r.Link(found.Path, found.Line),
				found.Server, found.Identity, found.Fingerprint, f.Changes.IsNew(found),
			})
		}
	}
	end()
	add, end = j.list("errors")
	for _, p := range f.Unread {
		add(jsonFleetProblem{"", p.Path, p.Message})
	}
	for _, r := range f.Repositories {
		for _, p := range r.Errors {
			add(jsonFleetProblem{r.Repository, p.Path, p.Message})
		}
		for _, notice := range r.Notices {
			add(jsonFleetProblem{Repository: r.Repository, Message: notice})
		}
	}
	end()
}

func fleetServerJSON(p fleet.Place) jsonFleetServer {
	r, s := p.Record, p.Server
	return jsonFleetServer{
		Repository: r.Repository, Name: s.Name, Identity: s.Identity, Kind: s.Kind, Selector: s.Selector, Version: s.Version, Pinned: s.Pinned(),
		Clients: s.Clients, Scope: s.Scope, Path: s.Path, Line: s.Line, URL: r.Link(s.Path, s.Line), Disabled: s.Disabled,
	}
}

func orgFindingJSON(f *fleet.OrgFinding) jsonOrgFinding {
	out := jsonOrgFinding{
		Rule: f.Rule, Severity: f.Severity, Message: f.Message, Name: f.Name, Identity: f.Identity,
		Repositories: f.Repositories, Places: []jsonFleetServer{}, MorePlaces: f.More,
	}
	for _, p := range f.Places {
		out.Places = append(out.Places, fleetServerJSON(p))
	}
	return out
}

func changesJSON(c *fleet.Changes) jsonChanges {
	servers := func(changes []fleet.Change, hasBefore bool) []jsonFleetServer {
		all := []jsonFleetServer{}
		for i := range changes {
			s := fleetServerJSON(changes[i].Place)
			s.First = changes[i].IsFirst
			if hasBefore {
				s.Before = &changes[i].Before
			}
			all = append(all, s)
		}
		return all
	}
	return jsonChanges{
		NewRepositories: append([]string{}, c.NewRepositories...), GoneRepositories: append([]string{}, c.GoneRepositories...),
		New: servers(c.New, false), Gone: servers(c.Gone, false), Versions: servers(c.Versions, true),
		NewFindings: c.NewFindings, GoneFindings: c.GoneFindings, UpdatedFrom: c.UpdatedFrom,
	}
}
