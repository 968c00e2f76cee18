// Package promptregistry has what is true of prompt-registry only: it writes the servers
// of its bundles into VS Code's file.
package promptregistry

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/refusal"
	"github.com/mcplumb/mcplumb/internal/repair"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// isManaged reports whether prompt-registry made the name of an entry and wrote it:
// other tools make names in the same file.
func isManaged(s *mcp.Server) bool {
	tool := s.Extra().NamedBy
	return tool != nil && tool.Names.Format == "vscode"
}

// managedFile returns the document that prompt-registry manages in a project,
// or nil.
func managedFile(p *mcp.Project) *mcp.Document {
	for doc := range reads.Used(p) {
		if doc.Format == "vscode" {
			return doc
		}
	}
	return nil
}

// trackingFiles returns the documents of a project that keep track of entries.
func trackingFiles(p *mcp.Project) []*mcp.Document {
	var files []*mcp.Document
	for doc := range reads.Used(p) {
		if doc.Tracked != nil {
			files = append(files, doc)
		}
	}
	return files
}

// ReportTakenForDuplicates reports entries that only prompt-registry takes for
// one server, because it does not compare variables and headers. It compares entries that
// people wrote only with its own.
func ReportTakenForDuplicates(p *rule.Pass) {
	for doc := range p.Documents() {
		if doc.Format != "vscode" || !slices.ContainsFunc(doc.Servers, isManaged) {
			continue
		}
		for _, group := range compare.GroupBy(compare.Running([]*mcp.Document{doc}), compare.ByLaunch) {
			if len(group) < 2 {
				continue
			}
			config := compare.ByConfig(group[0])
			for _, repeat := range group[1:] {
				reportTakenForDuplicate(p, group[0], repeat, config)
			}
		}
	}
}

// reportTakenForDuplicate reports an entry that starts as the first of its kind
// does, whose configuration is given.
func reportTakenForDuplicate(p *rule.Pass, first, repeat *mcp.Server, config string) {
	if !isManaged(first) && !isManaged(repeat) || config == compare.ByConfig(repeat) {
		return
	}
	f := rule.At(repeat)
	f.Severity = rule.Note
	f.Message = wording.Say("%q differs from %q (%s) only in %s, which prompt-registry does not compare",
		repeat.Name, first.Name, broughtBy(first), unseenDifference(first, repeat))
	f.Help = wording.Say("check that prompt-registry does not disable %q as a duplicate", repeat.Name)
	f.Related = []rule.Related{rule.SeeAlso(first, "prompt-registry would keep this entry")}
	f.Duplicate = rule.DuplicateOf(first, repeat)
	p.Report(f)
}

// unseenDifference returns how entries differ that prompt-registry does not compare: it joins
// arguments with vertical bars, and compares only the result.
func unseenDifference(a, b *mcp.Server) string {
	equal := slices.EqualFunc(a.Launch.Args, b.Launch.Args, func(x, y identity.Word) bool { return x.Text == y.Text })
	switch {
	case a.Launch.URL.Text == "" && !equal:
		return "where one argument ends"
	case a.Launch.Cwd.Text != b.Launch.Cwd.Text:
		return "the working directory"
	case a.Launch.EnvFile.Text != b.Launch.EnvFile.Text:
		return `variables, headers, or "envFile"`
	}
	return "variables or headers"
}

// broughtBy returns which bundle an entry is from.
func broughtBy(s *mcp.Server) string {
	if isManaged(s) {
		return "bundle " + s.BundleName()
	}
	return "no bundle"
}

// ReportUntracked reports entries that look like prompt-registry's and that it
// does not track. Without a tracking file mcplumb cannot tell: that file may be on
// one disk only.
func ReportUntracked(p *rule.Pass) {
	files, doc := trackingFiles(p.Project), managedFile(p.Project)
	if len(files) == 0 || doc == nil {
		return
	}
	for _, s := range doc.Servers {
		if !isManaged(s) || s.Extra().Template != nil {
			continue
		}
		f := rule.At(s)
		f.Message = wording.Say("%q is not in %s, so prompt-registry will not remove it with its bundle", s.Name, files[0].File.Path)
		f.Help = "remove the entry, or install the bundle again"
		p.Report(f)
	}
}

// ReportMissingTracked reports tracked entries that .vscode/mcp.json no longer
// has. In local-only mode that file stays out of the repository, so this reports nothing
// where it is absent.
func ReportMissingTracked(p *rule.Pass) {
	doc := managedFile(p.Project)
	if doc == nil {
		return
	}
	for _, file := range trackingFiles(p.Project) {
		for _, entry := range file.Tracked {
			if len(entry.Servers) > 0 {
				continue
			}
			f := rule.AtEntry(entry)
			f.Message = wording.Say("%q is tracked here, but %s has no entry with this name", entry.Name, doc.File.Path)
			f.Help = "install the bundle again, or uninstall it"
			p.Report(f)
		}
	}
}

// ReportTrackedChanges reports entries that differ from what their bundle installed.
func ReportTrackedChanges(p *rule.Pass) {
	for s := range p.Servers() {
		entry := s.Extra().Template
		if entry == nil || entry.Target.Launch.Command.Text == "" && entry.Target.Launch.URL.Text == "" {
			continue
		}
		change := trackedChange(entry, s)
		if change.what == "" {
			change = trackedSetting(entry, s)
		}
		if change.what == "" {
			continue
		}
		f := rule.At(s)
		f.Severity = rule.Warning
		f.Help = wording.Say("restore %s, or change the bundle", change.part)
		if change.isAdded {
			f.Severity = rule.Note
			f.Help = wording.Say("remove %s, or add it to the bundle", change.part)
		}
		if !change.at.Span.IsZero() {
			f.Span = change.at.Span
		}
		f.Message = wording.Say("%q %s", s.Name, change.what)
		f.Related = []rule.Related{rule.SeeLock(entry, "tracked here")}
		p.Report(f)
	}
}

// change is what an entry does that its template does not, as it follows its name in a
// sentence, which part of it that is, and where. isAdded reports that the template has no such
// part.
type change struct {
	what, part string
	at         identity.Word
	isAdded    bool
}

// trackedSetting returns the variable, header or file of variables of an entry that differs from
// its template. A setting that only the entry has is reported only if nothing is missing or
// different.
func trackedSetting(entry *mcp.LockEntry, s *mcp.Server) change {
	kinds := []struct {
		title    string
		was, now []identity.Pair
	}{
		{"variable", entry.Target.Launch.Env, s.Launch.Env},
		{"header", entry.Target.Launch.Headers, s.Launch.Headers},
	}
	bundle := wording.BundleInWords(entry)
	for _, kind := range kinds {
		for _, was := range kind.was {
			part := wording.Say("the %s %s", kind.title, was.Name.Text)
			switch now := pairNamed(kind.now, was.Name.Text); {
			case now == nil:
				return change{what: wording.Say("does not set %s, which %s sets", part, bundle), part: part}
			case !madeFrom(entry, was.Value.Text, now.Value.Text):
				return change{what: wording.Say("sets %s to another value than %s", part, bundle), part: part, at: now.Name}
			}
		}
	}
	file := trackedEnvFile(entry, s)
	if file.what != "" && !file.isAdded {
		return file
	}
	for _, kind := range kinds {
		for _, now := range kind.now {
			if pairNamed(kind.was, now.Name.Text) == nil {
				part := wording.Say("the %s %s", kind.title, now.Name.Text)
				return change{what: wording.Say("sets %s, which %s does not", part, bundle), part: part, at: now.Name, isAdded: true}
			}
		}
	}
	return file
}

// trackedEnvFile returns the same for the file of variables.
func trackedEnvFile(entry *mcp.LockEntry, s *mcp.Server) change {
	const part = `"envFile"`
	was, now, bundle := entry.Target.Launch.EnvFile, s.Launch.EnvFile, wording.BundleInWords(entry)
	switch {
	case madeFrom(entry, was.Text, now.Text):
		return change{}
	case was.Text == "":
		return change{what: wording.Say("sets %s, which %s does not", part, bundle), part: part, at: now, isAdded: true}
	case now.Text == "":
		return change{what: wording.Say("does not set %s, which %s sets", part, bundle), part: part}
	}
	return change{what: wording.Say("sets %s to another file than %s", part, bundle), part: part, at: now}
}

// pairNamed returns the last pair of a name, or nil.
func pairNamed(pairs []identity.Pair, name string) *identity.Pair {
	for i := len(pairs) - 1; i >= 0; i-- {
		if pairs[i].Name.Text == name {
			return &pairs[i]
		}
	}
	return nil
}

// ReportLeftVariables reports variables of a bundle in the file that the tool writes: the tool
// fills them in when it installs the bundle, and the client does not know them.
func ReportLeftVariables(p *rule.Pass) {
	for doc := range p.Documents() {
		if doc.Format != "vscode" || len(doc.Clients) == 0 {
			continue
		}
		for _, s := range doc.Servers {
			left := map[string]bool{}
			look := func(v mcp.Value) {
				for _, name := range []string{"${bundlePath}", "${bundleId}", "${bundleVersion}"} {
					at := strings.Index(v.Word.Text, name)
					if at < 0 || left[name] {
						continue
					}
					left[name] = true
					reportLeftVariable(p, s, v.Word.Part(at, at+len(name)))
				}
			}
			mcp.EachValue(&s.Launch, look)
			look(mcp.Value{Kind: mcp.EnvFileValue, Word: s.Launch.EnvFile})
		}
	}
}

func reportLeftVariable(p *rule.Pass, s *mcp.Server, variable identity.Word) {
	f := rule.At(s)
	f.Span = variable.Span
	f.Help = "install the bundle again"
	f.Message = wording.Say("%s does not expand %s, which prompt-registry fills in when it installs a bundle",
		s.Document.Clients[0].Title, variable.Text)
	p.Report(f)
}

// trackedChange returns what an entry runs or connects to that its template does not. It shows
// no value: one that was filled in may be a secret.
func trackedChange(entry *mcp.LockEntry, s *mcp.Server) change {
	const command, address, arguments = "the command", "the URL", "the arguments"
	bundle := wording.BundleInWords(entry)
	was, now := &entry.Target.Launch, &s.Launch
	switch {
	case was.URL.Text != "" && was.Command.Text == "":
		if now.URL.Text == "" {
			return change{what: wording.Say("runs a command, but %s connects to a URL", bundle), part: address, at: now.Command}
		}
		if !madeFrom(entry, was.URL.Text, now.URL.Text) {
			return change{what: wording.Say("connects to another URL than %s", bundle), part: address, at: now.URL}
		}
		return change{}
	case now.Command.Text == "":
		return change{what: wording.Say("connects to a URL, but %s runs a command", bundle), part: command, at: now.URL}
	case !madeFrom(entry, was.Command.Text, now.Command.Text):
		return change{what: wording.Say("runs another command than %s", bundle), part: command, at: now.Command}
	}
	for i, arg := range now.Args {
		if i >= len(was.Args) || !madeFrom(entry, was.Args[i].Text, arg.Text) {
			return change{what: wording.Say("has other arguments than %s", bundle), part: arguments, at: arg}
		}
	}
	if len(was.Args) > len(now.Args) {
		return change{what: wording.Say("has other arguments than %s", bundle), part: arguments}
	}
	return change{}
}

// madeFrom reports whether a text is what a tracked entry's template becomes
// when prompt-registry fills in its variables: those of the bundle, and
// ${env:NAME}, which is empty where it is not set. A variable that is still there is also fine.
// Other variables are the client's and stay as they are.
func madeFrom(e *mcp.LockEntry, template, text string) bool {
	template = fillIn(e, template)
	if template == text {
		return true
	}
	before, _, after, found := cutVariable(template)
	if !found {
		return false
	}
	rest, ok := strings.CutPrefix(text, before)
	if !ok {
		return false
	}
	// Every piece between two variables is searched from the left; the last one must end the text.
	for {
		piece, _, more, again := cutVariable(after)
		if !again {
			return strings.HasSuffix(rest, after)
		}
		at := strings.Index(rest, piece)
		if at < 0 {
			return false
		}
		rest, after = rest[at+len(piece):], more
	}
}

// fillIn replaces what the tracking file itself says.
func fillIn(e *mcp.LockEntry, template string) string {
	if !strings.Contains(template, "${bundle") {
		return template
	}
	if e.Claims.Bundle != "" {
		template = strings.ReplaceAll(template, "${bundleId}", e.Claims.Bundle)
	}
	if e.Pin.Version.Text != "" {
		template = strings.ReplaceAll(template, "${bundleVersion}", e.Pin.Version.Text)
	}
	return template
}

// cutVariable cuts a template around its first variable.
func cutVariable(template string) (before, name, after string, found bool) {
	for from := 0; ; {
		start := strings.Index(template[from:], "${")
		if start < 0 {
			return template, "", "", false
		}
		start += from
		end := strings.IndexByte(template[start:], '}')
		if end < 0 {
			return template, "", "", false
		}
		name = template[start+2 : start+end]
		if strings.HasPrefix(name, "env:") || name == "bundlePath" || name == "bundleId" || name == "bundleVersion" {
			return template[:start], name, template[start+end+1:], true
		}
		from = start + 2
	}
}

// ReportRefusals reports what is refused of its files.
func ReportRefusals(p *rule.Pass) { repair.ReportFixedRefusals(p, &Wordings, nil) }

// Wordings are the reasons for which a locked bundle cannot be used.
var Wordings = refusal.Wordings{
	mcp.FileNoPath: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("a file of the bundle %q has no path", r.Name), "install the bundle again"
	}},
}
