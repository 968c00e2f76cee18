package checks

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/dialect"
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/refusal"
	"github.com/mcplumb/mcplumb/internal/repair"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// wrongRootKey finds servers under a key that the file's clients do not read.
var wrongRootKey = &rule.Rule{
	ID:       "wrong-root-key",
	Title:    "servers under a key that the client does not read",
	Severity: rule.Error,
	Fix:      rule.Safe,
	Blocking: true,
	Reads:    reads.Selection{Examples: true, Clients: true},
	Run:      runWrongRootKey,
}

func runWrongRootKey(p *rule.Pass) {
	repair.ReportRefusals(p, &rootWordings)
	for doc := range p.Documents() {
		if len(doc.Servers) == 0 {
			continue
		}
		isOfProject := isBareInProject(p.Project, doc)
		var reading, others []*mcp.Client
		for _, c := range doc.Clients {
			if c.Reads(doc.Format, doc.RootKey) && !(isOfProject && c.Reading(doc.Format).BareInPlugin) {
				reading = append(reading, c)
			} else if len(rootsOf(c, doc)) > 0 {
				others = append(others, c)
			}
		}
		if len(others) > 0 && (len(reading) == 0 || !isFirst(doc, reading)) {
			reportRootKey(p, doc, reading, others)
		}
	}
}

// isBareInProject reports whether a .mcp.json without a root key is at the root of a repository
// in which nothing says that it is a plugin.
func isBareInProject(project *mcp.Project, doc *mcp.Document) bool {
	if doc.RootKey != "" || doc.File.Path != ".mcp.json" {
		return false
	}
	return !slices.ContainsFunc(project.Documents, func(d *mcp.Document) bool { return d != doc && d.Scope == mcp.ScopePlugin })
}

// isFirst reports whether the client a file is made for is among those that read the key: the
// other clients that read the file have files of their own.
func isFirst(doc *mcp.Document, reading []*mcp.Client) bool {
	return doc.Clients[0] == reading[0]
}

// rootsOf returns the root keys under which a client looks for servers in the
// document.
func rootsOf(c *mcp.Client, doc *mcp.Document) []string {
	if r := c.Reading(doc.Format); r != nil {
		return r.Roots
	}
	return nil
}

// reportRootKey names the right key, and the clients among the others that read it.
func reportRootKey(p *rule.Pass, doc *mcp.Document, reading, others []*mcp.Client) {
	right := rootsOf(others[0], doc)[0]
	others = slices.DeleteFunc(others, func(c *mcp.Client) bool { return rootsOf(c, doc)[0] != right })
	f := rule.Finding{File: doc.File, Span: doc.Root}
	if doc.RootKey == "" {
		f.Span = doc.Servers[0].NameSpan
		f.Message = wording.Say("%s %s servers only from %q, and %s those at the top level of the file",
			wording.ClientTitles(others), wording.Reads(others), right, wording.Plural(others, "ignores", "ignore"))
		f.Help = wording.Say("move these servers into %q", right)
	} else {
		f.Help = wording.Say("rename the key to %q", right)
		if isOnAnotherLevel(doc.RootKey, right) {
			f.Help = wording.Say("move the servers to %q", right)
		}
		f.Message = wording.Say("%s %s servers from %q, and %s those under %q",
			wording.ClientTitles(others), wording.Reads(others), right, wording.Plural(others, "ignores", "ignore"), doc.RootKey)
	}
	if len(reading) > 0 {
		f.Severity = rule.Note
		f.Help += wording.Say(", unless the file is only for %s", wording.ClientTitles(reading))
	}
	f.Fixes, f.NoFixReason = fixRootKey(doc, reading, others, right)
	p.Report(f)
}

// isOnAnotherLevel reports whether a root key is, or may be, on another level than the one
// that is read.
func isOnAnotherLevel(key, right string) bool { return strings.Contains(key+right, ".") }

// fixRootKey renames the key, or says why it does not: a client that reads the servers under it
// would lose them, and a key on another level would require a move. It is unsafe if the clients
// that should read the servers would not accept all of them unchanged.
func fixRootKey(doc *mcp.Document, reading, others []*mcp.Client, right string) (fixes []rule.Fix, noFixReason string) {
	if doc.RootKey == "" || isOnAnotherLevel(doc.RootKey, right) {
		return nil, "the servers would move to another level of the file, and other settings next to them may have to stay"
	}
	losing := slices.DeleteFunc(slices.Clone(reading), func(c *mcp.Client) bool { return c.Reads(doc.Format, right) })
	if len(losing) > 0 {
		return nil, wording.Say("%s %s the servers under %q, and would lose them", wording.ClientTitles(losing), wording.Reads(losing), doc.RootKey)
	}
	fix := rule.Fix{
		Title: wording.Say("rename %q to %q", doc.RootKey, right), Safety: rule.Safe,
		Edits: []edit.Change{edit.Rename(doc.File, doc.Root, right)},
	}
	if why := foreignBecause(doc, others); why != "" {
		fix.Safety, fix.Title = rule.Unsafe, wording.Say("%s, and review its servers: %s", fix.Title, why)
	}
	return []rule.Fix{fix}, ""
}

// foreignBecause says what shows that servers were written for another client than those that
// should read them, "" if nothing does.
func foreignBecause(doc *mcp.Document, clients []*mcp.Client) string {
	inputs := repair.InputsOf(doc)
	for _, c := range clients {
		takes := dialect.For(c, doc.Format)
		if len(inputs) > 0 && !takes.Expands(secret.Input) {
			return wording.Say("%s does not ask for inputs", c.Title)
		}
		for _, s := range doc.Servers {
			if !s.IsStarted() {
				continue
			}
			if _, _, rejected := refusal.NameProblem(c, s); rejected {
				return wording.Say("%s does not accept the name %q", c.Title, s.Name)
			}
			isForeign := func(ref secret.Ref) bool {
				return (dialect.IsForClients(ref) || mcp.IsClientVariable(ref.Name)) && takes.Expansion(ref, inputs) != dialect.Expands
			}
			if all := repair.VariablesThat(s, isForeign); len(all) > 0 && (len(takes.Syntaxes) > 0 || takes.NoOthers) {
				return wording.Say("%s may not expand %s", c.Title, all[0].Word.Text)
			}
			isWord := func(t mcp.Type) bool { return t.Word == s.Type.Text }
			switch isRemote := s.Launch.Command.Text == "" && s.Launch.URL.Text != ""; {
			case s.Type.Text != "" && len(takes.Types) > 0 && !slices.ContainsFunc(takes.Types, isWord):
				return wording.Say("%s does not know the type %q", c.Title, s.Type.Text)
			case s.Type.Text == "" && (c.NeedsEveryType || c.NeedsType && isRemote):
				return wording.Say("%s needs a type in %q", c.Title, s.Name)
			}
		}
	}
	return ""
}

// rootWordings are the reasons for which servers next to the root key are not read.
var rootWordings = refusal.Wordings{
	mcp.StrayServer: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s %s servers only from %q, and %s %q next to it", wording.ClientTitles(r.Clients), wording.Reads(r.Clients), r.Want[0], wording.Plural(r.Clients, "ignores", "ignore"), r.Server),
			wording.Say("move %q into %q", r.Server, r.Want[0])
	}},
	mcp.StrayRoot: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s %s servers from %q, and %s those under %q, such as %q", wording.ClientTitles(r.Clients), wording.Reads(r.Clients), r.Want[0], wording.Plural(r.Clients, "ignores", "ignore"), r.Member, r.Got),
			wording.Say("move the servers that you still need to %q", r.Want[0])
	}},
}
