package checks

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/allow"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// blockedServer finds entries that a client does not load because of a list.
var blockedServer = &rule.Rule{
	ID:       "blocked-server",
	Title:    "a list of allowed or denied servers blocks a server",
	Severity: rule.Warning,
	Reads:    reads.Selection{Clients: true, Without: []mcp.Scope{mcp.ScopeUser}},
	Run:      runBlockedServer,
}

func runBlockedServer(p *rule.Pass) {
	for doc := range reads.Used(p.Project) {
		if doc.Policy == nil {
			continue
		}
		for _, m := range doc.Policy.Doubts {
			p.Report(rule.Finding{
				File: doc.File, Span: m.Span, Severity: rule.Warning,
				Message: wording.Say("mcplumb cannot tell what Claude Code does with these lists of servers: %s", m.Text),
			})
		}
	}
	policies := PoliciesOf(p.Repo, p.Project)
	if len(policies) == 0 {
		return
	}
	for s := range p.Servers() {
		if s.Document.IsClientFile() && s.MayBeStarted() {
			reportBlocked(p, s, Decide(policies, s))
		}
	}
}

// PoliciesOf returns the lists that clients follow in a project: the managed ones, and its
// own.
func PoliciesOf(repo *mcp.Repo, project *mcp.Project) []*allow.Policy {
	policies := repo.Policies
	for doc := range reads.Used(project) {
		if doc.Policy != nil {
			policies = append(policies[:len(policies):len(policies)], doc.Policy)
		}
	}
	return policies
}

// Decided is what clients that follow the same rules do with an entry.
type Decided struct {
	Clients []*mcp.Client
	// Rules is whose rules these are, Server the entry as lists see it.
	Rules  allow.Client
	Server *allow.Server
	allow.Decision
}

// Decide returns what each client that loads an entry does with it under lists. It leaves out
// clients that are not known to follow lists.
func Decide(policies []*allow.Policy, s *mcp.Server) []Decided {
	var all []Decided
	for _, c := range s.Document.Loaders() {
		if c.Lists == "" {
			continue
		}
		judged := judgedBy(s, c)
		d := Decided{[]*mcp.Client{c}, c.Lists, judged, allow.Judge(c.Lists, policies, judged)}
		same := func(other Decided) bool {
			return other.Verdict == d.Verdict && other.last() == d.last() && other.Rules == d.Rules
		}
		if i := slices.IndexFunc(all, same); i >= 0 {
			all[i].Clients = append(all[i].Clients, c)
			continue
		}
		all = append(all, d)
	}
	return all
}

// last is the deciding step, as text for a message.
func (d *Decided) last() string {
	if step := d.Last(); step != nil {
		return step.String()
	}
	return ""
}

// AsListed returns an entry in the form that lists compare: as it is written.
func AsListed(s *mcp.Server) *allow.Server {
	l := &s.Launch
	listed := &allow.Server{Name: s.Name, URL: l.URL.Text}
	listed.IsRemote = l.Transport != "" && l.Transport != "stdio" || l.Transport == "" && l.Command.Text == ""
	if !listed.IsRemote {
		listed.Command = append(listed.Command, l.Command.Text)
		for _, word := range l.Args {
			listed.Command = append(listed.Command, word.Text)
		}
	}
	return listed
}

// judgedBy returns an entry as one of its clients compares it with lists.
func judgedBy(s *mcp.Server, c *mcp.Client) *allow.Server {
	judged := AsListed(s)
	judged.Filled = slices.Clone(c.Predefined)
	for _, reading := range c.Files {
		for _, dir := range reading.Dirs {
			if reading.Format == s.Document.Format {
				judged.Filled = append(judged.Filled, dir.Name)
			}
		}
	}
	return judged
}

// reportBlocked reports what clients block, or may block. A decision of the project alone is a
// note: it may be intended.
func reportBlocked(p *rule.Pass, s *mcp.Server, all []Decided) {
	for i := range all {
		d := &all[i]
		same := func(other Decided) bool {
			return other.Verdict == d.Verdict && other.IsManaged == d.IsManaged && other.last() == d.last()
		}
		if first := slices.IndexFunc(all, same); d.Verdict == allow.Allowed || first < i {
			continue
		}
		d.Clients = slices.Clone(d.Clients)
		for _, other := range all[i+1:] {
			if same(other) {
				d.Clients = append(d.Clients, other.Clients...)
			}
		}
		f := rule.At(s)
		f.Severity = rule.Warning
		if d.Verdict == allow.Open || !d.IsManaged {
			f.Severity = rule.Note
		}
		titles := wording.ClientTitles(d.Clients)
		if d.Verdict == allow.Open {
			f.Message = wording.Say("%s may block %q: %s", titles, s.Name, d.Last().Clause())
		} else {
			f.Message = wording.Say("%s %s %q: %s", titles, wording.Plural(d.Clients, "blocks", "block"), s.Name, d.Last().Clause())
		}
		f.Help = helpBlocked(s, d)
		if step := d.Last(); step.Rule != nil && isInside(step.Policy) {
			f.Relate(rule.Related{File: step.Policy.File, Span: step.Rule.Span, Message: "this entry decides"})
		}
		p.Report(f)
	}
}

// helpBlocked returns the help for an entry that no list allows, and the allowed entries that are
// similar.
func helpBlocked(s *mcp.Server, d *Decided) string {
	step := d.Last()
	if !step.IsMissing {
		return ""
	}
	help := wording.Say("add %q to the list", s.Name)
	if d.IsManaged {
		help = wording.Say("ask the owner of the list to add %q", s.Name)
	}
	if len(step.Hints) > 0 {
		help += " (" + strings.Join(step.Hints, "; ") + ")"
	}
	return help
}

// isInside reports whether a policy is a file of the repository.
func isInside(p *allow.Policy) bool {
	return p.File.Path != "" && p.File.Path != ".." && !strings.HasPrefix(p.File.Path, "../")
}
