package checks

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// changedServer finds servers that run something else under their old names.
var changedServer = &rule.Rule{
	ID:        "changed-server",
	Title:     "a name stands for another server than at the base",
	Severity:  rule.Note,
	NeedsBase: true,
	Reads:     reads.Brought,
	Run:       runChangedServer,
}

func runChangedServer(p *rule.Pass) {
	if p.Base == nil {
		return
	}
	changes := p.Base.Changes()
	for i := range changes.Wider {
		if w := &changes.Wider[i]; w.Document.Project == p.Project {
			p.Report(widerApproval(w))
		}
	}
	programs := programsOf(p, func(s *mcp.Server) bool { return changes.Was[s] != nil })
	isSure := map[string]bool{}
	for key, servers := range programs.servers {
		isSure[key] = len(programs.trust(key).places) > 0 && slices.ContainsFunc(servers, func(s *mcp.Server) bool { return compare.IsOtherForSure(changes.Was[s], s) })
	}
	for s := range p.Servers() {
		if altered := changes.Altered[s]; altered != nil {
			p.Report(alteredServer(s, altered))
		}
		was := changes.Was[s]
		if was == nil {
			continue
		}
		key := compare.ProgramKey(s)
		f := swapped(was, s, programs.trust(key))
		if isSure[key] {
			f.Severity = rule.Warning
		}
		f.Group = rule.Group{Key: key + "\x00" + f.Severity.String(), Message: wording.Say("%q %s here, too", s.Name, whatServes(s))}
		beside := changes.Beside[key]
		for _, other := range beside[:min(len(beside), rule.MaxRelated)] {
			f.Relate(rule.SeeAlso(other, "%q is new and runs it as well", other.Name))
		}
		f.MoreRelated += max(len(beside)-rule.MaxRelated, 0)
		p.Report(f)
	}
}

// swapped returns the finding of a server that runs something else than before. Who
// trusts it by its name trusts something that was not reviewed.
func swapped(was, s *mcp.Server, trusted trust) rule.Finding {
	f := rule.At(s)
	if !s.Identity.Span.IsZero() {
		f.Span = s.Identity.Span
	}
	f.Message = wording.Say("%q %s now", s.Name, whatServes(s))
	if s.Identity.Kind == identity.None {
		f.Message += ", which looks like something to fill in but may be there,"
	} else {
		f.Message += ","
	}
	f.Message += wording.Say(" and %s at the base", whatServed(was))
	switch {
	case trusted.byName:
		f.Message += ", but is still approved by name: look at what it is, and take the approval back until you have"
	case len(trusted.places) > 0:
		f.Message += ", but is approved as all servers are: look at what it is, and take that approval back until you have"
	}
	for _, place := range trusted.places {
		f.Relate(place)
	}
	return f
}

// alteredServer returns the finding of a server that is the same and runs in another way.
func alteredServer(s *mcp.Server, a *compare.LaunchChange) rule.Finding {
	f := rule.At(s)
	if !a.At.Span.IsZero() {
		f.Span = a.At.Span
	}
	words := a.Words()
	for _, c := range a.Side {
		if c.File != nil {
			f.Relate(rule.Related{File: c.File, Span: c.Span, Message: c.Name})
		}
	}
	if a.RunsOther() || slices.ContainsFunc(a.Side, isGraveScript) {
		f.Severity = rule.Warning
	}
	f.Message = wording.Say("%q still %s, but ", s.Name, whatRuns(&s.Identity, "runs", "connects to")) + strings.Join(words, ", and ")
	of := compare.ByKey(s)
	if a.IsBeside() {
		of = "" // it is one cause for all that are started so
	}
	f.Group = rule.Group{Key: of + "\x00altered\x00" + strings.Join(words, "\x00"), Message: wording.Say("%q has changed so here, too", s.Name)}
	return f
}

// isGraveScript reports whether a script runs now what shell-command warns of in an entry.
func isGraveScript(c compare.SideChange) bool {
	line := identity.ShellLine(identity.Word{Text: c.Script})
	_, isDownloaded := runsDownload(line.Tokens())
	return isDownloaded
}

// whatServes says what a server runs, or where it is. Of what is still to be filled in it
// shows the word.
func whatServes(s *mcp.Server) string {
	if s.Identity.Kind == identity.None {
		runs := "runs"
		if s.Launch.IsRemote() {
			runs = "connects to"
		}
		return wording.Say("%s %q", runs, wording.Beginning(secret.Mask(compare.ToFillIn(s)), wording.MaxQuoted))
	}
	return whatRuns(&s.Identity, "runs", "connects to") + scriptOf(s)
}

// whatServed says what ran at the base in the place of another server.
func whatServed(was *mcp.Server) string {
	return whatRuns(&was.Identity, "ran", "connected to") + scriptOf(was)
}

// scriptOf names the script of a directory that is run, the program of a container, the
// directory in which a program is looked for.
func scriptOf(s *mcp.Server) string {
	id := &s.Identity
	if len(id.Selector) == 0 || id.Kind != identity.FileKind && id.Kind != identity.Container && id.Kind != identity.Exec {
		return ""
	}
	words := wording.Beginning(secret.Mask(strings.Join(id.Selector, " ")), compare.MaxValue)
	if id.Kind == identity.Exec {
		return wording.Say(" (in %s)", words)
	}
	return wording.Say(" (%s)", words)
}

// whatRuns says what a server runs, or where it is.
func whatRuns(id *identity.Identity, runs, connects string) string {
	if id.Kind == identity.URL {
		return connects + " " + id.Name
	}
	return runs + " " + id.Title()
}
