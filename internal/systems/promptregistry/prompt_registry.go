// Package promptregistry is what is true of prompt-registry alone: it writes the servers
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
// one server, because it does not look at variables and headers. Entries that
// people wrote are its business only beside its own.
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
	f.Message = wording.Say("%q differs from %q only in %s: prompt-registry takes it for a duplicate (%s) and may switch it off, so check that it stays on",
		repeat.Name, first.Name, unseenDifference(first, repeat), broughtBy(first))
	f.Related = []rule.Related{rule.SeeAlso(first, "the entry that it would keep")}
	f.Duplicate = rule.DuplicateOf(first, repeat)
	p.Report(f)
}

// unseenDifference says in what entries differ that prompt-registry does not look
// at: it joins arguments with strokes, and compares no more than them.
func unseenDifference(a, b *mcp.Server) string {
	equal := slices.EqualFunc(a.Launch.Args, b.Launch.Args, func(x, y identity.Word) bool { return x.Text == y.Text })
	switch {
	case a.Launch.URL.Text == "" && !equal:
		return "where an argument ends"
	case a.Launch.Cwd.Text != b.Launch.Cwd.Text:
		return "the working directory"
	case a.Launch.EnvFile.Text != b.Launch.EnvFile.Text:
		return "variables, headers or the envFile"
	}
	return "variables or headers"
}

// broughtBy says which bundle an entry is from.
func broughtBy(s *mcp.Server) string {
	if isManaged(s) {
		return "from bundle " + s.BundleName()
	}
	return "from no bundle"
}

// ReportUntracked reports entries that look like prompt-registry's and that it
// does not track. Without a tracking file nothing is known: it may exist only on
// one person's disk.
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
		f.Message = wording.Say("%q is not in %s, so prompt-registry does not remove it with its bundle", s.Name, files[0].File.Path)
		f.Help = "remove it, or install the bundle again"
		p.Report(f)
	}
}

// ReportMissingTracked reports tracked entries that .vscode/mcp.json no longer
// has. In local-only mode that file stays out of the repository, so nothing is
// said where it is absent.
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
			f.Message = wording.Say("%q is tracked, but %s has no such entry", entry.Name, doc.File.Path)
			f.Help = "install its bundle again, or uninstall it"
			p.Report(f)
		}
	}
}

// ReportTrackedChanges reports entries that are not what their bundle brought.
func ReportTrackedChanges(p *rule.Pass) {
	for s := range p.Servers() {
		entry := s.Extra().Template
		if entry == nil || entry.Target.Launch.Command.Text == "" && entry.Target.Launch.URL.Text == "" {
			continue
		}
		word, what := trackedChange(entry, s)
		severity := rule.Warning
		if what == "" {
			word, what, severity = trackedSetting(entry, s)
		}
		if what == "" {
			continue
		}
		f := rule.At(s)
		f.Severity = severity
		if !word.Span.IsZero() {
			f.Span = word.Span
		}
		f.Message = wording.Say("%q %s: restore it, or change the bundle", s.Name, what)
		f.Related = []rule.Related{rule.SeeLock(entry, "tracked here")}
		p.Report(f)
	}
}

// trackedSetting says which variable, header or file of variables of an entry is not
// that of its template, and where. What somebody has added to what the bundle brought is
// worth a note, and is reported only where nothing is missing or exchanged.
func trackedSetting(entry *mcp.LockEntry, s *mcp.Server) (identity.Word, string, rule.Severity) {
	kinds := []struct {
		title    string
		was, now []identity.Pair
	}{
		{"variable", entry.Target.Launch.Env, s.Launch.Env},
		{"header", entry.Target.Launch.Headers, s.Launch.Headers},
	}
	for _, kind := range kinds {
		for _, was := range kind.was {
			switch now := pairNamed(kind.now, was.Name.Text); {
			case now == nil:
				return identity.Word{}, wording.Say("lacks the %s %s of %s", kind.title, was.Name.Text, wording.BundleInWords(entry)), rule.Warning
			case !madeFrom(entry, was.Value.Text, now.Value.Text):
				return now.Name, wording.Say("has another value of the %s %s than %s", kind.title, now.Name.Text, wording.BundleInWords(entry)), rule.Warning
			}
		}
	}
	file, what, severity := trackedEnvFile(entry, s)
	if severity == rule.Warning {
		return file, what, severity
	}
	for _, kind := range kinds {
		for _, now := range kind.now {
			if pairNamed(kind.was, now.Name.Text) == nil {
				return now.Name, wording.Say("has a %s that %s has not (%s)", kind.title, wording.BundleInWords(entry), now.Name.Text), rule.Note
			}
		}
	}
	return file, what, severity
}

// trackedEnvFile says the same of the file of variables.
func trackedEnvFile(entry *mcp.LockEntry, s *mcp.Server) (identity.Word, string, rule.Severity) {
	was, now := entry.Target.Launch.EnvFile, s.Launch.EnvFile
	switch {
	case madeFrom(entry, was.Text, now.Text):
		return identity.Word{}, "", rule.Off
	case was.Text == "":
		return now, wording.Say("has an envFile that %s has not", wording.BundleInWords(entry)), rule.Note
	case now.Text == "":
		return identity.Word{}, wording.Say("lacks the envFile of %s", wording.BundleInWords(entry)), rule.Warning
	}
	return now, wording.Say("has another envFile than %s", wording.BundleInWords(entry)), rule.Warning
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
	f.Message = wording.Say("%s does not expand %s, which prompt-registry fills in when it installs a bundle", s.Document.Clients[0].Title, variable.Text)
	f.Help = "install the bundle again"
	p.Report(f)
}

// trackedChange says what an entry does that its template does not, as it
// follows on its name, and where. It shows no value: what was filled in may be a secret.
func trackedChange(entry *mcp.LockEntry, s *mcp.Server) (identity.Word, string) {
	bundle := wording.BundleInWords(entry)
	was, now := &entry.Target.Launch, &s.Launch
	switch {
	case was.URL.Text != "" && was.Command.Text == "":
		if now.URL.Text == "" {
			return now.Command, wording.Say("runs a command, but %s connects to a URL", bundle)
		}
		if !madeFrom(entry, was.URL.Text, now.URL.Text) {
			return now.URL, wording.Say("connects to another URL than %s", bundle)
		}
		return identity.Word{}, ""
	case now.Command.Text == "":
		return now.URL, wording.Say("connects to a URL, but %s runs a command", bundle)
	case !madeFrom(entry, was.Command.Text, now.Command.Text):
		return now.Command, wording.Say("runs another command than %s", bundle)
	}
	for i, arg := range now.Args {
		if i >= len(was.Args) || !madeFrom(entry, was.Args[i].Text, arg.Text) {
			return arg, wording.Say("has other arguments than %s", bundle)
		}
	}
	if len(was.Args) > len(now.Args) {
		return identity.Word{}, wording.Say("has other arguments than %s", bundle)
	}
	return identity.Word{}, ""
}

// madeFrom reports whether a text is what a tracked entry's template becomes
// when prompt-registry fills in its variables: those of the bundle, and
// ${env:NAME}, which is empty where it is not set. A variable that is still
// there is fine, too. Other variables are the client's and stay as they are.
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
	// Every piece between two variables is looked for from the left; the last one
	// has to end the text.
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
