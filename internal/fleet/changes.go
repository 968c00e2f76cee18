package fleet

import (
	"slices"
	"strings"
	"time"
)

// Changes are what is new and gone since previous records. Of a repository or a file that
// could not be read now or then is unknown.
type Changes struct {
	// NewRepositories and GoneRepositories have a record now, or had one then.
	NewRepositories, GoneRepositories []string
	// New and Gone are enabled servers; Versions are those that remain, at another version.
	New, Gone, Versions []Change
	// NewFindings and GoneFindings are how many.
	NewFindings, GoneFindings int
	// UpdatedFrom is the version of mcplumb that most previous records are of, "" if most of
	// today's are, too: findings of new rules are new where nothing has changed.
	UpdatedFrom string

	fresh map[*Finding]bool // the new ones
}

// IsNew reports whether a finding is new, which is unknown without previous records.
func (c *Changes) IsNew(f *Finding) bool { return c != nil && c.fresh[f] }

// Change is a server that came, went or changed its version.
type Change struct {
	Place
	// IsFirst reports that no repository ran it before.
	IsFirst bool
	// Before is the version that it had.
	Before string
}

// Compare fills in what is new and gone since the previous fleet, nothing if none of its
// records could be read.
func (f *Fleet) Compare(previous *Fleet) {
	if len(previous.Repositories) == 0 && len(previous.Unread) > 0 {
		return
	}
	c := &Changes{fresh: map[*Finding]bool{}}
	unread := endsOf(previous.Unread)
	before, known := map[string]*Record{}, map[string]bool{}
	for _, r := range previous.Repositories {
		before[r.Repository] = r
		for i := range r.Servers {
			if s := &r.Servers[i]; !s.Disabled {
				known[isOf(Place{r, s})] = true
			}
		}
	}
	for _, r := range f.Repositories {
		old := before[r.Repository]
		delete(before, r.Repository)
		switch {
		case old == nil && unread[RecordPath(r.Repository)]: // it was there
		case old == nil:
			c.NewRepositories = append(c.NewRepositories, r.Repository)
			old = &Record{}
			fallthrough
		case r.isKnown() && old.isKnown():
			c.servers(old, r)
			c.findings(old, r)
		}
	}
	for _, r := range previous.Repositories {
		if before[r.Repository] != nil {
			c.GoneRepositories = append(c.GoneRepositories, r.Repository)
			c.servers(r, &Record{})
			c.findings(r, &Record{})
		}
	}
	for i := range c.New {
		is := isOf(c.New[i].Place)
		c.New[i].IsFirst = is != "" && !known[is]
	}
	if was := previous.tool(); was != f.tool() {
		c.UpdatedFrom = was
	}
	f.Changes = c
}

// tool returns the version of mcplumb that most records are of.
func (f *Fleet) tool() string {
	most, records := "", map[string]int{}
	for _, r := range f.Repositories {
		v := r.Tool.Version
		records[v]++
		if records[v] > records[most] || records[v] == records[most] && v > most {
			most = v
		}
	}
	return most
}

// endsOf returns everything that the paths of problems end in, from the beginning of a name.
func endsOf(problems []Problem) map[string]bool {
	ends := map[string]bool{}
	for _, p := range problems {
		for rest, more := strings.ReplaceAll(p.Path, `\`, "/"), true; more; _, rest, more = strings.Cut(rest, "/") {
			ends[rest] = true
		}
	}
	return ends
}

// entry is what tells a server of a repository from others, from day to day.
type entry struct{ path, name, key string }

func entryOf(s *Server) entry { return entry{s.Path, s.Name, s.key()} }

// unreadIn returns the files of a repository that could not be read now or then.
func unreadIn(old, now *Record) map[string]bool {
	unread := map[string]bool{}
	for _, p := range slices.Concat(old.Errors, now.Errors) {
		unread[p.Path] = p.Path != ""
	}
	return unread
}

// servers compares the servers of a repository. Entries with the same identity are compared
// one to one. A disabled entry does not count: it appears as new when it is enabled.
func (c *Changes) servers(old, now *Record) {
	left, unread := map[entry][]*Server{}, unreadIn(old, now)
	for i := range old.Servers {
		if s := &old.Servers[i]; !s.Disabled {
			left[entryOf(s)] = append(left[entryOf(s)], s)
		}
	}
	for i := range now.Servers {
		s := &now.Servers[i]
		if s.Disabled {
			continue
		}
		was := left[entryOf(s)]
		if len(was) == 0 {
			if !unread[s.Path] {
				c.New = append(c.New, Change{Place: Place{now, s}})
			}
			continue
		}
		left[entryOf(s)] = was[1:]
		if was[0].Version != s.Version {
			c.Versions = append(c.Versions, Change{Place: Place{now, s}, Before: was[0].Version})
		}
	}
	for i := range old.Servers {
		s := &old.Servers[i]
		if gone := left[entryOf(s)]; len(gone) > 0 && gone[0] == s {
			left[entryOf(s)] = gone[1:]
			if !unread[s.Path] {
				c.Gone = append(c.Gone, Change{Place: Place{old, s}})
			}
		}
	}
}

// findings counts the findings of a repository that came and went.
func (c *Changes) findings(old, now *Record) {
	left, unread := map[string]int{}, unreadIn(old, now)
	for i := range old.Findings {
		if f := &old.Findings[i]; !unread[f.Path] {
			left[f.Fingerprint]++
			c.GoneFindings++
		}
	}
	for i := range now.Findings {
		f := &now.Findings[i]
		switch {
		case unread[f.Path]:
		case left[f.Fingerprint] > 0:
			left[f.Fingerprint]--
			c.GoneFindings--
		default:
			c.fresh[f] = true
			c.NewFindings++
		}
	}
}

// parsedTime returns the time of a record's commit.
func parsedTime(r *Record) (time.Time, error) { return time.Parse(time.RFC3339, r.Time) }
