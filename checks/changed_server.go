package checks

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/consent"
	"github.com/mcplumb/mcplumb/internal/effect"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/shell"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// changedServer finds servers that run something else under their old names.
var changedServer = &rule.Rule{
	ID:        "changed-server",
	Title:     "a change replaces the server behind a name",
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
	programs := consent.ProgramsOf(p, func(s *mcp.Server) bool { return changes.Was[s] != nil })
	isSure := map[string]bool{}
	for key, servers := range programs.Servers {
		isSure[key] = len(programs.Trust(key).Places) > 0 && slices.ContainsFunc(servers, func(s *mcp.Server) bool { return compare.IsOtherForSure(changes.Was[s], s) })
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
		f := swapped(was, s, programs.Trust(key))
		if isSure[key] {
			f.Severity = rule.Warning
		}
		f.Group = rule.Group{Key: key + "\x00" + f.Severity.String(), Message: wording.Say("%q also %s here", s.Name, whatServes(s))}
		beside := changes.Beside[key]
		for _, other := range beside[:min(len(beside), rule.MaxRelated)] {
			f.Relate(rule.SeeAlso(other, "%q is new and also runs it", other.Name))
		}
		f.MoreRelated += max(len(beside)-rule.MaxRelated, 0)
		p.Report(f)
	}
}

// swapped returns the finding of a server that runs something else than before. An approval
// of its name now approves something that was not reviewed.
func swapped(was, s *mcp.Server, trusted consent.Trust) rule.Finding {
	f := rule.At(s)
	if !s.Identity.Span.IsZero() {
		f.Span = s.Identity.Span
	}
	f.Message = wording.Say("%q now %s instead of %s", s.Name, whatServes(s), whatServed(was, s))
	f.Help = "review the new server"
	switch {
	case trusted.ByName:
		f.Message += ", and is still approved by name"
		f.Help += "; remove the approval until you have"
	case len(trusted.Places) > 0:
		f.Message += ", and is still approved, like every server"
		f.Help += "; remove that approval until you have"
	}
	for _, place := range trusted.Places {
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
	if a.RunsOther() || slices.ContainsFunc(a.Side, isGraveScript) {
		f.Severity = rule.Warning
	}
	f.Help = "check that this change is intended"
	runs := wording.Say("%q still %s, but ", s.Name, whatRuns(&s.Identity, "runs", "connects to"))
	f.Message = runs + strings.Join(words, ", and ")
	isLong := utf8.RuneCountInString(f.Message) > maxAltered
	for _, c := range a.Side {
		if c.File != nil {
			text := c.Name
			if isLong {
				text = c.Words
			}
			f.Relate(rule.Related{File: c.File, Span: c.Span, Message: text})
		}
	}
	if isLong {
		var further []string
		f.Message, further = shortened(runs, a)
		for _, text := range further {
			f.Relate(rule.Related{File: f.File, Span: f.Span, Message: text})
		}
	}
	of := compare.ByKey(s)
	if a.IsBeside() {
		of = "" // it is one cause for all that are started so
	}
	f.Group = rule.Group{Key: of + "\x00altered\x00" + strings.Join(words, "\x00"), Message: wording.Say("%q has the same change here", s.Name)}
	return f
}

// maxAltered is the longest message that says all that changed, in code points; of a longer one
// the changes become related places.
const maxAltered = 160

// shortened returns a message that names the first of many changes, and the changes that no
// related place has.
func shortened(runs string, a *compare.LaunchChange) (message string, further []string) {
	clauses, count := a.Clauses(), 0
	isRelated := map[string]bool{}
	for _, c := range a.Side {
		isRelated[c.Words] = c.File != nil
	}
	for _, c := range clauses {
		for _, item := range c.Items {
			count++
			if !isRelated[item] {
				further = append(further, wording.Beginning(item, wording.MaxUnquoted))
			}
		}
	}
	first, _, _ := strings.Cut(clauses[0].Items[0], " is ")
	message = runs + clauses[0].Label + first
	switch {
	case count > 1 && clauses[0].Label == "":
		message += wording.Say(", and %d more changes", count-1)
	case count > 1:
		message += wording.Say(" changed, and %d more", count-1)
	case clauses[0].Label != "":
		message += " changed"
	}
	return message, further
}

// isGraveScript reports whether a script runs now what shell-command warns of in an entry.
func isGraveScript(c compare.SideChange) bool {
	line := shell.NewLine(shell.Posix, identity.Word{Text: c.Script})
	_, isDownloaded := effect.RunsDownload(line.Tokens())
	return isDownloaded
}

// whatServes returns what a server runs, or where it is; for a placeholder its text.
func whatServes(s *mcp.Server) string {
	if s.Identity.Kind == identity.None {
		runs := "runs"
		if s.Launch.IsRemote() {
			runs = "connects to"
		}
		return wording.Say("%s %q (a placeholder, unless that exists)", runs, wording.Beginning(secret.Mask(compare.ToFillIn(s)), wording.MaxQuoted))
	}
	return whatRuns(&s.Identity, "runs", "connects to") + scriptOf(s)
}

// whatServed returns what ran at the base instead of a server, as it follows "instead of".
func whatServed(was, s *mcp.Server) string {
	served := was.Identity.InSentence() + scriptOf(was)
	isURL := was.Identity.Kind == identity.URL
	switch {
	case isURL == (s.Identity.Kind == identity.URL || s.Identity.Kind == identity.None && s.Launch.IsRemote()):
		return served
	case isURL:
		return "connecting to " + served
	}
	return "running " + served
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

// whatRuns returns what a server runs, or where it is.
func whatRuns(id *identity.Identity, runs, connects string) string {
	if id.Kind == identity.URL {
		return connects + " " + id.InSentence()
	}
	return runs + " " + id.InSentence()
}
