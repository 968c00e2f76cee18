package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcplumb/mcplumb/internal/parallel"
)

// Fleet is what is known of many repositories.
type Fleet struct {
	// Repositories are their records, in the order of their names.
	Repositories []*Record
	// Unread are the records that could not be read, those of other versions included.
	Unread []Problem
	// Findings are those of the rules over the fleet.
	Findings []OrgFinding
	// Changes are what is new and gone since the previous records, nil without such.
	Changes *Changes
}

// Day returns the newest day on which a repository was read, "" where no record says so.
func (f *Fleet) Day() string {
	day := ""
	for _, r := range f.Repositories {
		day = max(day, r.Read)
	}
	return day
}

// NewestCommit returns the day of the newest commit, "" without one.
func (f *Fleet) NewestCommit() string {
	newest := ""
	for _, r := range f.Repositories {
		if at, err := parsedTime(r); err == nil {
			newest = max(newest, at.UTC().Format(time.DateOnly))
		}
	}
	return newest
}

// Older returns the repositories whose records are older than the newest day, with the days on
// which they were read, the newest first, "" being an unknown day.
func (f *Fleet) Older() []Count {
	var older []Place
	newest := f.Day()
	for _, r := range f.Repositories {
		if r.IsCarried() || r.Failed == "" && r.Read < newest {
			older = append(older, Place{Record: r})
		}
	}
	const unknown = "-" // is less than every day
	days := counts(groupBy(older, func(p Place) string { return cmp.Or(p.Record.Read, unknown) }))
	slices.SortFunc(days, func(a, b Count) int { return strings.Compare(b.Text, a.Text) })
	if n := len(days) - 1; n >= 0 && days[n].Text == unknown {
		days[n].Text = ""
	}
	return days
}

// Read reads records, several at once, and returns those that can be read in the order of
// their paths. The error is that of the context.
func Read(ctx context.Context, paths []string, open func(path string) (io.ReadCloser, error)) ([]*Record, []Problem, error) {
	records, failures := make([]*Record, len(paths)), make([]error, len(paths))
	var texts interner
	err := parallel.For(ctx, len(paths), func(i int) {
		file, err := open(paths[i])
		if err != nil {
			failures[i] = err
			return
		}
		defer file.Close()
		if records[i], failures[i] = ReadRecord(file); failures[i] == nil {
			texts.record(records[i])
		}
	})
	if err != nil {
		return nil, nil, err
	}
	var unread []Problem
	var read []*Record
	for i, path := range paths {
		if failures[i] != nil {
			var other versionError
			unread = append(unread, Problem{path, failures[i].Error(), errors.As(failures[i], &other)})
		} else {
			read = append(read, records[i])
		}
	}
	return read, unread, nil
}

// interner keeps each text once: of a fleet's texts most are there many times.
type interner struct {
	mutex sync.Mutex
	texts map[string]string
}

// record replaces the texts of a record.
func (n *interner) record(r *Record) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if n.texts == nil {
		n.texts = map[string]string{}
	}
	for i := range r.Servers {
		s := &r.Servers[i]
		n.replace(&s.Name, &s.Identity, &s.Kind, &s.Version, &s.Purl, &s.Bridge, &s.Scope, &s.Path)
		for _, list := range [][]string{s.Selector, s.Clients} {
			for j := range list {
				n.replace(&list[j])
			}
		}
		if s.Lock != nil {
			n.replace(&s.Lock.Version)
		}
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		n.replace(&f.Rule, &f.Severity, &f.Message, &f.Path, &f.Server, &f.Identity)
	}
}

func (n *interner) replace(texts ...*string) {
	for _, text := range texts {
		known, ok := n.texts[*text]
		if !ok {
			known = strings.Clone(*text)
			n.texts[known] = known
		}
		*text = known
	}
}

// New returns the fleet of some records, and how many were left out because the same
// repository has another: one that was read goes before one that failed, a newer commit
// before an older one, one that was read later before an earlier one, what comes first
// before what is later.
func New(records []*Record) (f *Fleet, twice []string) {
	f = &Fleet{}
	at := map[string]int{}
	for _, r := range records {
		i, known := at[r.Repository]
		if !known {
			at[r.Repository] = len(f.Repositories)
			f.Repositories = append(f.Repositories, r)
			continue
		}
		twice = append(twice, r.Repository)
		if isNewer(r, f.Repositories[i]) {
			f.Repositories[i] = r
		}
	}
	slices.SortFunc(f.Repositories, func(a, b *Record) int { return strings.Compare(a.Repository, b.Repository) })
	for _, rule := range Rules() {
		f.Findings = append(f.Findings, rule.Run(f)...)
	}
	return f, twice
}

// isNewer reports whether a record goes before another one of the same repository.
func isNewer(r, other *Record) bool {
	if (r.Failed == "") != (other.Failed == "") {
		return r.Failed == ""
	}
	a, errA := parsedTime(r)
	b, errB := parsedTime(other)
	if errA != nil && errB != nil { // neither has a commit
		return r.Read > other.Read
	}
	return errA == nil && (errB != nil || a.After(b) || a.Equal(b) && r.Read > other.Read)
}

// Rule finds something in a fleet that no repository can see by itself.
type Rule struct {
	ID, Title, Severity string

	Run func(*Fleet) []OrgFinding
}

// Rules returns the rules over a fleet.
func Rules() []*Rule { return []*Rule{orgNameConflict(), orgAliasDrift(), orgVersionSpread()} }

// OrgFinding is something of several repositories.
type OrgFinding struct {
	Rule, Severity, Message string
	// Name is the server's name, or Identity its identity, depending on what the finding is
	// about.
	Name, Identity string
	// Repositories are how many it is found in.
	Repositories int
	// Places are the first places of the finding, and More is the number of the others.
	Places []Place
	More   int
}

// Place is a server of a repository.
type Place struct {
	Record *Record
	Server *Server
}

// maxPlaces is how many places of one finding are kept.
const maxPlaces = 50

// at puts places into a finding, in the order of their repositories.
func (f *OrgFinding) at(places []Place) {
	slices.SortStableFunc(places, func(a, b Place) int { return strings.Compare(a.Record.Repository, b.Record.Repository) })
	f.Repositories = repositoriesOf(places)
	f.Places = places[:min(len(places), maxPlaces)]
	f.More = len(places) - len(f.Places)
}

// maxCompared is how many places that a finding is compared with are kept at least.
const maxCompared = 10

// compareWith appends the places that a finding is compared with to its own: mcplumb cannot
// tell which of the two is the wrong one. The repositories of the finding stay as they are.
func (f *OrgFinding) compareWith(places []Place) {
	all := len(f.Places) + f.More + len(places)
	f.Places = f.Places[:min(len(f.Places), maxPlaces-min(len(places), maxCompared))]
	f.Places = append(slices.Clone(f.Places), places[:min(len(places), maxPlaces-len(f.Places))]...)
	f.More = all - len(f.Places)
}

// repositoriesOf counts the repositories of places, which are in their order.
func repositoriesOf(places []Place) int {
	n := 0
	for i, p := range places {
		if i == 0 || p.Record != places[i-1].Record {
			n++
		}
	}
	return n
}

// group is a text with the places that have it, and in how many repositories those are.
type group struct {
	text         string
	places       []Place
	repositories int
}

// groupBy groups places by a text, those without one left out. The group of the most
// repositories comes first, then that of the lesser text.
func groupBy(places []Place, text func(Place) string) []group {
	var groups []group
	at := map[string]int{}
	for _, p := range places {
		key := text(p)
		if key == "" {
			continue
		}
		i, known := at[key]
		if !known {
			i = len(groups)
			at[key] = i
			groups = append(groups, group{text: key})
		}
		groups[i].places = append(groups[i].places, p)
	}
	for i := range groups {
		groups[i].repositories = repositoriesOf(groups[i].places)
	}
	slices.SortFunc(groups, func(a, b group) int {
		return cmp.Or(b.repositories-a.repositories, strings.Compare(a.text, b.text))
	})
	return groups
}

// places returns the servers that a rule checks, in the order of the repositories.
func (f *Fleet) places(want func(*Server) bool) []Place {
	var all []Place
	for _, r := range f.Repositories {
		for i := range r.Servers {
			if want(&r.Servers[i]) {
				all = append(all, Place{r, &r.Servers[i]})
			}
		}
	}
	return all
}

// isNamedByPeople reports whether a server is enabled, and in a file in which people call it
// what they like: registries and lockfiles have names of their own.
func isNamedByPeople(s *Server) bool {
	switch s.Scope {
	case "registry", "lock", "settings", "generator":
		return false
	}
	return !s.Disabled && s.Name != ""
}

// inRepositories says in how many repositories something is.
func inRepositories(n int) string {
	if n == 1 {
		return "1 repository"
	}
	return fmt.Sprintf("%d repositories", n)
}
