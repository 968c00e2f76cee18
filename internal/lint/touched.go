package lint

import (
	"strconv"
	"strings"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// entryPlace is an entry: the name of its file, and its own name.
type entryPlace struct{ file, server string }

// startedAnew returns the servers that the base did not start anywhere. A finding about an
// entry that no client starts, as in a template, was harmless there.
func startedAnew(changes *compare.Changes) map[entryPlace]bool {
	started := map[entryPlace]bool{}
	for s, isNew := range changes.IsNew {
		if isNew {
			started[entryPlace{s.Document.File.Path, s.Name}] = true
		}
	}
	for _, servers := range changes.Beside {
		for _, s := range servers {
			started[entryPlace{s.Document.File.Path, s.Name}] = true
		}
	}
	return started
}

// isStartedAnew reports whether a finding is about a server that the base did not start
// anywhere. A credential can be read either way.
func (c *comparison) isStartedAnew(f *rule.Finding) bool {
	return f.Server != "" && !f.Secret && c.started[entryPlace{f.File.Path, f.Server}]
}

// isOfAnother tells which findings are about a server that is another one than the base had in
// its place, or that it had not, if the base does not have the finding.
func (c *comparison) isOfAnother(changes *compare.Changes, known baseFindings) func(*rule.Finding) bool {
	others := startedAnew(changes)
	for s := range changes.Was {
		others[entryPlace{s.Document.File.Path, s.Name}] = true
	}
	return func(f *rule.Finding) bool {
		if f.Server == "" || !others[entryPlace{f.File.Path, f.Server}] {
			return false
		}
		same := trace(f, &c.today)
		for _, name := range names(f.File.Path) {
			if known.known[place(name, same)] != nil {
				return false
			}
		}
		return true
	}
}

// touched are the findings of the base about entries, by the part that stays the same if an
// entry gets another name, or runs something else.
type touched struct {
	*comparison
	then, now map[entryPlace]*mcp.Server
	findings  map[string][]touchedFinding
}

// touchedFinding is one of them, in an entry of that name.
type touchedFinding struct {
	server string
	at     *traceAtBase
}

// touched returns the findings of the base by the part that stays the same.
func (c *comparison) touched(then, now *mcp.Repo, findings []rule.Finding, known baseFindings) *touched {
	t := &touched{
		comparison: c, then: entriesOf(then, c.name), findings: map[string][]touchedFinding{},
		now: entriesOf(now, func(path string) string { return path }),
	}
	for i := range findings {
		f := &findings[i]
		name := c.name(f.File.Path)
		s := t.then[entryPlace{name, f.Server}]
		if s == nil || s.Document.File != f.File {
			continue
		}
		one := touchedFinding{f.Server, known.known[place(name, trace(f, &c.then))]}
		for _, key := range []string{withoutIdentity(f, s, &c.then), withoutName(f, s, &c.then)} {
			if key != "" {
				t.findings[place(name, key)] = append(t.findings[place(name, key)], one)
			}
		}
	}
	return t
}

// entriesOf returns the entries of a repository, by what their files are called.
func entriesOf(repo *mcp.Repo, name func(path string) string) map[entryPlace]*mcp.Server {
	entries := map[entryPlace]*mcp.Server{}
	for _, p := range repo.Projects {
		for _, doc := range p.Documents {
			for _, s := range doc.Servers {
				entries[entryPlace{name(doc.File.Path), s.Name}] = s
			}
		}
	}
	return entries
}

// isOld reports whether the base has a finding about an entry that had another name, or ran
// something else, and the finding does not depend on that.
func (t *touched) isOld(f *rule.Finding) bool {
	s := t.now[entryPlace{f.File.Path, f.Server}]
	if s == nil || s.Document.File != f.File {
		return false
	}
	for _, name := range names(f.File.Path) {
		isRenamed := t.then[entryPlace{name, f.Server}] == nil
		key := withoutIdentity(f, s, &t.today)
		if isRenamed {
			key = withoutName(f, s, &t.today)
		}
		for _, was := range t.findings[place(name, key)] {
			if key == "" || isRenamed && t.now[entryPlace{f.File.Path, was.server}] != nil {
				continue // the other entry is still there
			}
			if t.isIn(was.at, f) {
				was.at.count--
				return true
			}
		}
	}
	return false
}

// withoutIdentity is the key that a finding shares with one about the same text of an entry
// that runs something else, "" if the finding is about what runs.
func withoutIdentity(f *rule.Finding, s *mcp.Server, hidden *secret.Spans) string {
	isWithin := func(outer syntax.Span) bool { return outer.Start <= f.Span.Start && f.Span.End <= outer.End }
	overlaps := func(other syntax.Span) bool { return f.Span.Start < other.End && other.Start < f.Span.End }
	if !isWithin(s.Span) || overlaps(s.Identity.Span) || overlaps(s.Launch.Command.Span) || overlaps(s.Launch.URL.Span) {
		return ""
	}
	return strings.Join([]string{"named", trace(&rule.Finding{Rule: f.Rule, File: f.File, Span: f.Span, Server: f.Server, Secret: f.Secret, Group: f.Group}, hidden), f.Text()}, "\x00")
}

// withoutName is the key that a finding shares with one about an entry that runs the same
// under another name, "" if what it runs is unknown.
func withoutName(f *rule.Finding, s *mcp.Server, hidden *secret.Spans) string {
	key := compare.ByKey(s)
	if key == "" {
		return ""
	}
	anonymous := rule.Finding{Rule: f.Rule, File: f.File, Span: f.Span, Secret: f.Secret, Group: f.Group}
	return strings.Join([]string{"renamed", key, trace(&anonymous, hidden), strings.ReplaceAll(f.Text(), strconv.Quote(s.Name), "")}, "\x00")
}
