package checks

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
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
	for doc := range used(p) {
		if doc.Format == "vscode" {
			return doc
		}
	}
	return nil
}

// trackingFiles returns the documents of a project that keep track of entries.
func trackingFiles(p *mcp.Project) []*mcp.Document {
	var files []*mcp.Document
	for doc := range used(p) {
		if doc.Tracked != nil {
			files = append(files, doc)
		}
	}
	return files
}

// reportTakenForDuplicates reports entries that only prompt-registry takes for
// one server, because it does not look at variables and headers. Entries that
// people wrote are its business only beside its own.
func reportTakenForDuplicates(p *Pass) {
	for doc := range p.Documents() {
		if doc.Format != "vscode" || !slices.ContainsFunc(doc.Servers, isManaged) {
			continue
		}
		for _, group := range groupBy(running([]*mcp.Document{doc}), byLaunch) {
			if len(group) < 2 {
				continue
			}
			config := byConfig(group[0])
			for _, repeat := range group[1:] {
				reportTakenForDuplicate(p, group[0], repeat, config)
			}
		}
	}
}

// reportTakenForDuplicate reports an entry that starts as the first of its kind
// does, whose configuration is given.
func reportTakenForDuplicate(p *Pass, first, repeat *mcp.Server, config string) {
	if !isManaged(first) && !isManaged(repeat) || config == byConfig(repeat) {
		return
	}
	f := at(repeat)
	f.Severity = Note
	f.Message = say("%q differs from %q only in %s: prompt-registry takes it for a duplicate (%s) and may switch it off, so check that it stays on",
		repeat.Name, first.Name, unseenDifference(first, repeat), broughtBy(first))
	f.Related = []Related{seeAlso(first, "the entry that it would keep")}
	f.Duplicate = duplicateOf(first, repeat)
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

// reportUntracked reports entries that look like prompt-registry's and that it
// keeps no track of. Without a tracking file nothing is known: it may be on
// somebody's disk alone.
func reportUntracked(p *Pass) {
	files, doc := trackingFiles(p.Project), managedFile(p.Project)
	if len(files) == 0 || doc == nil {
		return
	}
	for _, s := range doc.Servers {
		if !isManaged(s) || s.Extra().Template != nil {
			continue
		}
		f := at(s)
		f.Message = say("%q is not in %s, so prompt-registry will not remove it with its bundle: remove it, or install the bundle again", s.Name, files[0].File.Path)
		p.Report(f)
	}
}

// reportMissingTracked reports tracked entries that .vscode/mcp.json no longer
// has. In local-only mode that file stays out of the repository, so nothing is
// said where it is absent.
func reportMissingTracked(p *Pass) {
	doc := managedFile(p.Project)
	if doc == nil {
		return
	}
	for _, file := range trackingFiles(p.Project) {
		for _, entry := range file.Tracked {
			if len(entry.Servers) > 0 {
				continue
			}
			f := atEntry(entry)
			f.Message = say("%q is tracked, but %s has no such entry: install its bundle again, or uninstall it", entry.Name, doc.File.Path)
			p.Report(f)
		}
	}
}

// reportTrackedChanges reports entries that are not what their bundle brought.
func reportTrackedChanges(p *Pass) {
	for s := range p.Servers() {
		entry := s.Extra().Template
		if entry == nil || entry.Target.Launch.Command.Text == "" && entry.Target.Launch.URL.Text == "" {
			continue
		}
		word, what := trackedChange(entry, s)
		severity := Warning
		if what == "" {
			word, what, severity = trackedSetting(entry, s)
		}
		if what == "" {
			continue
		}
		f := at(s)
		f.Severity = severity
		if !word.Span.IsZero() {
			f.Span = word.Span
		}
		f.Message = say("%q %s: restore it, or change the bundle", s.Name, what)
		f.Related = []Related{seeLock(entry, "tracked here")}
		p.Report(f)
	}
}

// trackedSetting says which variable, header or file of variables of an entry is not
// that of its template, and where. What somebody has added to what the bundle brought is
// worth a note, and is told only where nothing is missing or exchanged.
func trackedSetting(entry *mcp.LockEntry, s *mcp.Server) (identity.Word, string, Severity) {
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
				return identity.Word{}, say("lacks the %s %s of %s", kind.title, was.Name.Text, bundleInWords(entry)), Warning
			case !madeFrom(entry, was.Value.Text, now.Value.Text):
				return now.Name, say("has another value of the %s %s than %s", kind.title, now.Name.Text, bundleInWords(entry)), Warning
			}
		}
	}
	file, what, severity := trackedEnvFile(entry, s)
	if severity == Warning {
		return file, what, severity
	}
	for _, kind := range kinds {
		for _, now := range kind.now {
			if pairNamed(kind.was, now.Name.Text) == nil {
				return now.Name, say("has a %s that %s has not (%s)", kind.title, bundleInWords(entry), now.Name.Text), Note
			}
		}
	}
	return file, what, severity
}

// trackedEnvFile says the same of the file of variables.
func trackedEnvFile(entry *mcp.LockEntry, s *mcp.Server) (identity.Word, string, Severity) {
	was, now := entry.Target.Launch.EnvFile, s.Launch.EnvFile
	switch {
	case madeFrom(entry, was.Text, now.Text):
		return identity.Word{}, "", Off
	case was.Text == "":
		return now, say("has an envFile that %s has not", bundleInWords(entry)), Note
	case now.Text == "":
		return identity.Word{}, say("lacks the envFile of %s", bundleInWords(entry)), Warning
	}
	return now, say("has another envFile than %s", bundleInWords(entry)), Warning
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

// reportLeftVariables reports variables of a bundle in the file that the tool
// writes: it fills them in when it installs the bundle, the client knows none of
// them.
func reportLeftVariables(p *Pass) {
	for doc := range p.Documents() {
		if doc.Format != "vscode" || len(doc.Clients) == 0 {
			continue
		}
		for _, s := range doc.Servers {
			left := map[string]bool{}
			eachValue(&s.Launch, func(v value) {
				for _, name := range []string{"${bundlePath}", "${bundleId}", "${bundleVersion}"} {
					at := strings.Index(v.word.Text, name)
					if at < 0 || left[name] {
						continue
					}
					left[name] = true
					reportLeftVariable(p, s, v.word.Part(at, at+len(name)))
				}
			})
		}
	}
}

func reportLeftVariable(p *Pass, s *mcp.Server, variable identity.Word) {
	f := at(s)
	f.Span = variable.Span
	f.Message = say("%s does not expand %s, which prompt-registry fills in when it installs a bundle: install the bundle again",
		s.Document.Clients[0].Title, variable.Text)
	p.Report(f)
}

// trackedChange says what an entry does that its template does not, as it
// follows on its name, and where. It shows no value: what was filled in may be a secret.
func trackedChange(entry *mcp.LockEntry, s *mcp.Server) (identity.Word, string) {
	bundle := bundleInWords(entry)
	was, now := &entry.Target.Launch, &s.Launch
	switch {
	case was.URL.Text != "" && was.Command.Text == "":
		if now.URL.Text == "" {
			return now.Command, say("runs a command, but %s connects to a URL", bundle)
		}
		if !madeFrom(entry, was.URL.Text, now.URL.Text) {
			return now.URL, say("connects to another URL than %s", bundle)
		}
		return identity.Word{}, ""
	case now.Command.Text == "":
		return now.URL, say("connects to a URL, but %s runs a command", bundle)
	case !madeFrom(entry, was.Command.Text, now.Command.Text):
		return now.Command, say("runs another command than %s", bundle)
	}
	for i, arg := range now.Args {
		if i >= len(was.Args) || !madeFrom(entry, was.Args[i].Text, arg.Text) {
			return arg, say("has other arguments than %s", bundle)
		}
	}
	if len(was.Args) > len(now.Args) {
		return identity.Word{}, say("has other arguments than %s", bundle)
	}
	return identity.Word{}, ""
}

// madeFrom reports whether a text is what a tracked entry's template becomes
// when prompt-registry fills in its variables: those of the bundle, and
// ${env:NAME}, which is empty where nobody has set it. A variable that is still
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

// reportBundleRefusals reports what is refused of its files.
func reportBundleRefusals(p *Pass) { reportFixedRefusals(p, &bundleWordings, nil) }

// bundleWordings are the reasons for which a locked bundle cannot be used.
var bundleWordings = wordings{
	mcp.FileNoPath: {Error, func(r *mcp.Refusal) string {
		return say("a file of the bundle %q has no path: install the bundle again", r.Name)
	}},
}
