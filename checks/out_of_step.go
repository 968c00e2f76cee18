package checks

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/dialect"
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/repair"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/sameness"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// OutOfStep finds a server that not all files of a group in the settings contain as they
// should. Without a group in the settings it finds nothing.
var OutOfStep = &rule.Rule{
	ID:       "out-of-step",
	Title:    "files that the settings keep in sync contain different servers",
	Severity: rule.Warning,
	Fix:      rule.Safe,
	Asked:    true,
	Reads:    reads.Selection{Clients: true},
	Run:      runOutOfStep,
}

func runOutOfStep(p *rule.Pass) {
	renames, renamed := repair.NewRenames(p.Project), renamedInStep(p.Project)
	for _, file := range p.Project.InStep {
		if file.Document == nil {
			reportMissingFile(p, file)
		}
		for _, cell := range file.Cells {
			switch {
			case cell.State == mcp.Differs:
				reportOutOfStep(p, cell, renames, renamed)
			case cell.State == mcp.Missing && file.Document != nil:
				reportNotInFile(p, cell)
			}
		}
		reportNotSayable(p, file)
		reportMaybeExpanded(p, file)
		if file.Group.Source != nil && file != file.Group.Source {
			reportExtra(p, file)
		}
	}
}

// renaming is a name and the one that replaces it.
type renaming struct{ old, name string }

// renamedInStep returns the entries that should have another name.
func renamedInStep(project *mcp.Project) map[renaming][]*mcp.Server {
	all := map[renaming][]*mcp.Server{}
	for _, file := range project.InStep {
		for _, cell := range file.Cells {
			if cell.IsRenamed() {
				at := renaming{cell.Server.Name, cell.Row.Name}
				all[at] = append(all[at], cell.Server)
			}
		}
	}
	return all
}

// reportMissingFile reports a missing file, in the file of the first server that should be in
// it.
func reportMissingFile(p *rule.Pass, file *mcp.GroupFile) {
	var names []string
	var cells []*mcp.Cell
	var f rule.Finding
	for _, cell := range file.Cells {
		if cell.State != mcp.Missing {
			continue
		}
		s := cell.Row.Server
		if len(names) == 0 {
			f = rule.Finding{File: s.Document.File, Span: rootOf(s.Document)}
		}
		names = append(names, wording.Say("%q", s.Name))
		if !cell.Row.IsOpen {
			cells = append(cells, cell)
		}
		f.Relate(rule.SeeAlso(s, "should also be in %s", file.Path))
	}
	if len(names) == 0 {
		return
	}
	f.Message = wording.Say("%s is missing, but should contain %s as %s does", file.Path, wording.JoinWords(wording.FirstFew(names)), f.File.Path)
	f.Help = `add the file, or remove it from "in-step" in the settings`
	if hidden := hiddenBy(file, cells); hidden != nil {
		f.NoFixReason = wording.Say("%s would no longer read %s, which has other servers", hidden.Clients[0].Title, hidden.File.Path)
	} else if len(cells) == len(names) {
		f.Fixes, f.NoFixReason = asPlanned(wording.Say("create %s", file.Path), cells[0], file.Plan)
	}
	p.Report(f)
}

// hiddenBy returns a document that its clients would no longer read if a file existed, and that
// has a server which should not be in that file; nil if there is none.
func hiddenBy(file *mcp.GroupFile, cells []*mcp.Cell) *mcp.Document {
	isWritten := func(s *mcp.Server) bool {
		return slices.ContainsFunc(cells, func(c *mcp.Cell) bool {
			return sameness.Compare(s.Resolved(), c.Row.Server.Resolved()) >= sameness.Undecided
		})
	}
	for _, d := range file.Project.Documents {
		isOther := func(c *mcp.Client) bool { return c.Before(d.Format, d.File.Path) != file.Path }
		isRead := len(d.Clients) > 0 && !slices.ContainsFunc(d.Clients, isOther)
		if isRead && slices.ContainsFunc(d.Servers, func(s *mcp.Server) bool { return !isWritten(s) }) {
			return d
		}
	}
	return nil
}

// asPlanned returns the fix of a plan: the entry of a cell as it should be, or the file with all
// of them. What the client cannot express must not decide what they do. The settings ask for
// it, so it is safe.
func asPlanned(title string, cell *mcp.Cell, plan mcp.Plan) (fixes []rule.Fix, noFixReason string) {
	edits, client := plan.Changes, cell.File.Client.Title
	variables, bare := map[string]bool{}, map[string]bool{}
	for _, loss := range plan.Losses {
		switch {
		case loss.IsFatal():
			return nil, wording.Say("%s %s", client, wording.CannotInWords(loss.Reason, loss.Name))
		case !comesIn(cell, loss):
		case loss.Reason == mcp.SecretLeftOut:
			variables[loss.Name] = true
		case loss.Reason == mcp.NoDefault:
			bare[loss.Name] = true
		}
	}
	if doc := cell.File.Document; len(edits) == 0 && (doc == nil || len(bytes.TrimSpace(doc.File.Bytes)) == 0) {
		return nil, wording.Say("%s does not accept such a file with only servers in it, so write the rest of it first", client)
	}
	if len(edits) == 0 {
		return nil, "mcplumb cannot change parts of the entry as it is written"
	}
	if names := slices.Sorted(maps.Keys(variables)); len(names) > 0 {
		title += wording.Say(", with %s instead of credentials", wording.JoinWords(wording.FirstFew(names)))
		unsaid := slices.DeleteFunc(names, func(name string) bool {
			return slices.ContainsFunc(edits, func(c edit.Change) bool { return c.Writes(name) })
		})
		if len(unsaid) > 0 {
			title += wording.Say(" (%s reads it from its environment)", client)
		}
	}
	if names := slices.Sorted(maps.Keys(bare)); len(names) > 0 {
		title += wording.Say(", without the default of %s", wording.JoinWords(wording.FirstFew(names)))
	}
	return []rule.Fix{{Title: title, Safety: rule.Safe, Edits: edits}}, ""
}

// comesIn reports whether the fix would add to the file a variable that differs from the
// server's.
func comesIn(cell *mcp.Cell, loss mcp.Loss) bool {
	l := &cell.Row.Server.Launch
	return cell.Server == nil || slices.ContainsFunc(cell.Differences, func(d mcp.Difference) bool {
		isIn := func(p identity.Pair) bool { return p.Name.Text == d.Name && p.Value.Span.Contains(loss.Span) }
		switch d.Field {
		case mcp.FieldVariable:
			isGiven := func(w identity.Word) bool { return w.Span.Contains(loss.Span) && strings.Contains(w.Text, d.Name+"=") }
			return slices.ContainsFunc(l.Env, isIn) || slices.ContainsFunc(l.Args, isGiven)
		case mcp.FieldHeader:
			return slices.ContainsFunc(l.Headers, isIn)
		case mcp.FieldArgument:
			return slices.ContainsFunc(l.Args, func(w identity.Word) bool { return w.Span.Contains(loss.Span) })
		case mcp.FieldSwitch, mcp.FieldVersion, mcp.FieldDirectory, mcp.FieldEnvFile:
			return false
		}
		return true
	})
}

// rootOf returns the place where the servers of a document begin, or its first character if
// nothing marks that place.
func rootOf(doc *mcp.Document) syntax.Span {
	if !doc.Root.IsZero() {
		return doc.Root
	}
	text := doc.File.Bytes
	start := len(text) - len(bytes.TrimLeft(text, "\uFEFF \t\r\n"))
	return syntax.Span{Start: start, End: min(start+1, len(text))}
}

// reportNotInFile reports a server that a file should contain and does not.
func reportNotInFile(p *rule.Pass, cell *mcp.Cell) {
	s := cell.Row.Server
	f := rule.Finding{
		File: cell.File.Document.File, Span: rootOf(cell.File.Document), Server: s.Name, Identity: s.Identity.Shown(),
		Message: wording.Say("the server %q from %s is missing here", s.Name, s.Document.File.Path),
		Help:    inSyncAgain(cell.Row, "add it"),
		Related: []rule.Related{rule.SeeAlso(s, "the missing server")},
	}
	if !cell.Row.IsOpen {
		f.Fixes, f.NoFixReason = asPlanned(wording.Say("add %q to %s", s.Name, cell.File.Path), cell, cell.Plan)
	}
	p.Report(f)
}

// inSyncAgain is what to do about an entry by hand. Without a right entry in its row, the
// settings have to name it.
func inSyncAgain(row *mcp.GroupRow, what string) string {
	if row.IsOpen {
		return `set "source" in the settings to the file that is right`
	}
	return wording.Say(`%s, or list %q under "except" in the settings`, what, row.Name)
}

// reportOutOfStep reports an entry that differs. If no entry is known to be right, one finding
// reports all of them.
func reportOutOfStep(p *rule.Pass, cell *mcp.Cell, renames *repair.Renames, renamed map[renaming][]*mcp.Server) {
	should := cell.Row.Server
	differs := func(c *mcp.Cell) bool { return c.State == mcp.Differs }
	if cell.Row.IsOpen && cell.Row.Cells[slices.IndexFunc(cell.Row.Cells, differs)] != cell {
		return
	}
	var parts, goes []string
	for _, d := range cell.Differences {
		parts = append(parts, wording.DifferenceInWords(d))
		if d.Name != "" && d.Kind == mcp.OnlyHere {
			goes = append(goes, d.Name)
		}
	}
	f := rule.At(cell.Server)
	f.Span = cell.Differences[0].Span
	f.Message = wording.Say("%q is out of sync with %s (%s)", cell.Server.Name, should.Document.File.Path, wording.JoinWords(wording.FirstFew(parts)))
	f.Help = inSyncAgain(cell.Row, "make the two the same")
	f.Related = []rule.Related{rule.SeeAlso(should, "the entry it should match")}
	if f.NoFixReason = repair.KeptBecause(cell.Server); f.NoFixReason == "" && !cell.Row.IsOpen {
		title := wording.Say("write %q as in %s", cell.Server.Name, should.Document.File.Path)
		if len(goes) > 0 {
			title += wording.Say(", without %s", wording.JoinWords(wording.FirstFew(goes)))
		}
		if cell.IsRenamed() {
			f.Fixes, f.NoFixReason = alignRenamed(title, cell, renames, renamed)
		} else {
			f.Fixes, f.NoFixReason = asPlanned(title, cell, cell.Plan)
		}
	}
	if cell.Row.IsOpen {
		f.NoFixReason = ""
		f.Message += ", and no entry has a majority"
		f.Related[0].Message = "the other entry"
	}
	p.Report(f)
}

// alignRenamed returns the fix that gives an entry the right name, at every place that names
// it, and writes the rest of it as it should be.
func alignRenamed(title string, cell *mcp.Cell, renames *repair.Renames, renamed map[renaming][]*mcp.Server) (fixes []rule.Fix, noFixReason string) {
	s, name := cell.Server, cell.Row.Name
	settled := []*mcp.Server{cell.Row.Server}
	for _, c := range cell.Row.Cells {
		if c.Server != nil {
			settled = append(settled, c.Server)
		}
	}
	edits, noFixReason := renames.Edits(s, name, renamed[renaming{s.Name, name}], settled)
	if noFixReason != "" {
		return nil, wording.Say("it cannot be called %q: %s", name, noFixReason)
	}
	rest := *cell
	rest.Differences = slices.DeleteFunc(slices.Clone(cell.Differences), func(d mcp.Difference) bool { return d.Field == mcp.FieldName })
	if len(rest.Differences) == 0 {
		title = wording.Say("rename %q to %q as in %s", s.Name, name, cell.Row.Server.Document.File.Path)
		return []rule.Fix{{Title: title, Safety: rule.Safe, Gone: s, IsAsked: true, Edits: edits}}, ""
	}
	fixes, noFixReason = asPlanned(title+wording.Say(", and rename it to %q", name), &rest, cell.Plan)
	for i := range fixes {
		fixes[i].Gone, fixes[i].IsAsked, fixes[i].Edits = s, true, append(fixes[i].Edits, edits...)
	}
	return fixes, noFixReason
}

// reportExtra reports the servers of a file that the source does not have.
func reportExtra(p *rule.Pass, file *mcp.GroupFile) {
	for _, s := range file.Extra {
		f := rule.At(s)
		source := file.Group.Source.Document
		f.Message = wording.Say("%q is only here, but this file follows %s, which has no such server", s.Name, source.File.Path)
		f.Help = wording.Say("remove it, or add it to %s", source.File.Path)
		f.Related = []rule.Related{{File: source.File, Span: rootOf(source), Message: "the servers this file should contain"}}
		p.Report(f)
	}
}

// reportNotSayable notes what the client of a file cannot express of servers that should be
// in it: one note for each reason.
func reportNotSayable(p *rule.Pass, file *mcp.GroupFile) {
	type unsaid struct {
		cell          *mcp.Cell // the first
		servers, what []string
		known         map[string]bool // what is in what
	}
	var first []*unsaid // of each reason
	of := map[mcp.LossReason]*unsaid{}
	for _, cell := range file.Cells {
		i := slices.IndexFunc(cell.Losses, mcp.Loss.IsFatal)
		if i < 0 || cell.State != mcp.NotSayable && cell.State != mcp.InStep {
			continue
		}
		loss := cell.Losses[i]
		u := of[loss.Reason]
		if u == nil {
			u = &unsaid{cell: cell, known: map[string]bool{}}
			first, of[loss.Reason] = append(first, u), u
		}
		u.servers = append(u.servers, wording.Say("%q", cell.Row.Server.Name))
		if !u.known[loss.Name] {
			u.what, u.known[loss.Name] = append(u.what, loss.Name), true
		}
	}
	for _, u := range first {
		loss := u.cell.Losses[slices.IndexFunc(u.cell.Losses, mcp.Loss.IsFatal)]
		s := u.cell.Row.Server
		f := rule.Finding{Severity: rule.Note, File: s.Document.File, Span: rootOf(s.Document), Related: []rule.Related{rule.SeeAlso(s, "the server as it should be")}}
		if file.Document != nil {
			f.File, f.Span = file.Document.File, rootOf(file.Document)
		}
		f.Message = wording.Say("%s cannot be the same in %s as in %s, because %s %s", wording.JoinWords(wording.FirstFew(u.servers)), file.Path, s.Document.File.Path,
			file.Client.Title, wording.CannotInWords(loss.Reason, wording.JoinWords(wording.FirstFew(u.what))))
		p.Report(f)
	}
}

// reportMaybeExpanded notes the variables in the entries of a file for which mcplumb cannot
// tell whether its client expands them.
func reportMaybeExpanded(p *rule.Pass, file *mcp.GroupFile) {
	c := file.Client
	if file == file.Group.Source || c == nil || len(c.Syntaxes) > 0 || c.NoOthers || slices.Contains(c.Literal, secret.Braced) {
		return
	}
	var f rule.Finding
	var names []string
	known := map[string]bool{}
	add := func(s *mcp.Server, name string, span syntax.Span) {
		if len(names) == 0 {
			f = rule.At(s)
			f.Span = span
		}
		if !known[name] {
			names, known[name] = append(names, name), true
		}
	}
	for _, cell := range file.Cells {
		if cell.Server == nil || cell.Server == cell.Row.Server {
			continue
		}
		for _, v := range repair.VariablesThat(cell.Server, dialect.IsForClients) {
			add(cell.Server, v.Ref.Name, v.Word.Span)
		}
		for _, loss := range cell.Losses {
			if loss.Reason == mcp.MayNotExpand { // or it is left out
				add(cell.Server, loss.Name, cell.Server.NameSpan)
			}
		}
	}
	if len(names) > 0 {
		f.Severity = rule.Note
		f.Message = wording.Say("mcplumb cannot tell whether %s expands %s here or passes the text on", c.Title, wording.JoinWords(wording.FirstFew(names)))
		p.Report(f)
	}
}

// DropCovered leaves out what other rules report about two entries of one server in a group
// of the settings: OutOfStep, if it has run, or the settings decide whether they may differ.
func DropCovered(repo *mcp.Repo, rules []*rule.Rule, findings []rule.Finding) []rule.Finding {
	if len(repo.Groups) == 0 || !slices.Contains(rules, OutOfStep) {
		return findings
	}
	rows := rowsOfGroups(repo)
	return slices.DeleteFunc(findings, func(f rule.Finding) bool {
		switch f.Rule {
		case configDrift, nameConflict, versionConflict:
			return slices.ContainsFunc(rows[entryPlace{f.File.Path, f.Server}], func(r *mcp.GroupRow) bool { return holdsAll(r, f.Related) })
		case aliasDrift:
			isReported := func(c *mcp.Cell) bool {
				return c.Server != nil && (c.IsRenamed() || hasNoName(c)) && c.Server.Name == f.Server && c.Server.Document.File.Path == f.File.Path
			}
			return slices.ContainsFunc(rows[entryPlace{f.File.Path, f.Server}], func(r *mcp.GroupRow) bool { return slices.ContainsFunc(r.Cells, isReported) })
		}
		return false
	})
}

// hasNoName reports whether the client of an entry does not accept its right name.
func hasNoName(c *mcp.Cell) bool {
	return slices.ContainsFunc(c.Losses, func(l mcp.Loss) bool { return l.Reason == mcp.NoName })
}

// entryPlace is an entry by its file and name.
type entryPlace struct{ path, name string }

// rowsOfGroups returns the rows that entries are in.
func rowsOfGroups(repo *mcp.Repo) map[entryPlace][]*mcp.GroupRow {
	rows := map[entryPlace][]*mcp.GroupRow{}
	for _, g := range repo.Groups {
		for _, r := range slices.Concat(g.Rows, g.Excepted) {
			for _, c := range r.Cells {
				if c.Server != nil {
					at := entryPlace{c.Server.Document.File.Path, c.Server.Name}
					rows[at] = append(rows[at], r)
				}
			}
		}
	}
	return rows
}

// holdsAll reports whether all places are in entries of a row.
func holdsAll(r *mcp.GroupRow, places []rule.Related) bool {
	return !slices.ContainsFunc(places, func(at rule.Related) bool {
		return !slices.ContainsFunc(r.Cells, func(c *mcp.Cell) bool {
			s := c.Server
			return s != nil && s.Document.File.Path == at.File.Path && (s.NameSpan.Contains(at.Span) || s.Span.Contains(at.Span))
		})
	})
}
