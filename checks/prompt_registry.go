package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// promptRegistryPrefix begins the name of every entry that prompt-registry
// writes: prompt-registry:BUNDLE:SERVER.
const promptRegistryPrefix = "prompt-registry:"

// isManaged reports whether prompt-registry made the name of an entry, which is
// then nobody's to change.
func isManaged(s *mcp.Server) bool { return strings.HasPrefix(s.Name, promptRegistryPrefix) }

// unmanaged returns the servers whose names people chose.
func unmanaged(servers []*mcp.Server) []*mcp.Server {
	return slices.DeleteFunc(servers, isManaged)
}

// bundleOf returns the bundle in the name of an entry.
func bundleOf(s *mcp.Server) string {
	bundle, _, _ := strings.Cut(strings.TrimPrefix(s.Name, promptRegistryPrefix), ":")
	return bundle
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

// registryKey is what prompt-registry takes for the identity of an entry: the
// URL of a remote server, the command and arguments of any other, as written.
// Variables, headers and names do not count.
func registryKey(s *mcp.Server) string {
	l := &s.Launch
	if l.URL.Text != "" && (l.Command.Text == "" || s.Type.Text == "http" || s.Type.Text == "sse") {
		return "remote:" + l.URL.Text
	}
	args := make([]string, len(l.Args))
	for i, arg := range l.Args {
		args[i] = arg.Text
	}
	return "stdio:" + l.Command.Text + ":" + strings.Join(args, "|")
}

// reportRegistryDuplicates reports entries that only prompt-registry takes for
// one server, because it does not look at variables and headers. Entries that
// people wrote are its business only beside its own.
func reportRegistryDuplicates(p *Pass, doc *mcp.Document) {
	if doc.Format != "vscode" || !slices.ContainsFunc(doc.Servers, isManaged) {
		return
	}
	for _, group := range groupBy(running([]*mcp.Document{doc}), registryKey) {
		for _, again := range group[1:] {
			first := group[0]
			if !isManaged(first) && !isManaged(again) || byConfig(first) == byConfig(again) {
				continue
			}
			f := at(again)
			f.Severity = Note
			f.Message = fmt.Sprintf("%q differs from %q only in variables or headers: prompt-registry takes it for a duplicate (%s) and may switch it off",
				again.Name, first.Name, bundleInWords(first))
			f.Related = []Related{seeAlso(first, "the entry that it would keep")}
			f.Duplicate = duplicateOf(first, again)
			p.Report(f)
		}
	}
}

// reportBundleTwins reports a server that two bundles, or packages of ccpkg, each
// bring: who installs both has it twice. Of servers that ccpkg gets under one
// name it keeps one itself. What lies within a bundle is another file in each.
func reportBundleTwins(p *Pass, separate map[string]bool) {
	var servers []*mcp.Server
	for doc := range used(p.Project) {
		if doc.BundleName() != "" {
			servers = append(servers, running([]*mcp.Document{doc})...)
		}
	}
	servers = slices.DeleteFunc(servers, func(s *mcp.Server) bool {
		return s.Identity.Kind == identity.Opaque || s.Identity.Kind == identity.FileKind ||
			separate[packageKey(&s.Identity)] || hasOwnVariable(&s.Launch)
	})
	for _, group := range sharing(servers, func(s *mcp.Server) string { return s.Document.Format + "\x03" + byConfig(s) }) {
		first := group[0]
		for _, again := range group[1:] {
			sameName := again.Name == first.Name && again.Document.Format == "ccpkg-template"
			if again.Document.BundleName() == first.Document.BundleName() || sameName {
				continue
			}
			f := at(again)
			f.Severity = Note
			f.Message = fmt.Sprintf("%q of %s and %q of %s are one server (%s): who installs both starts it twice",
				again.Name, again.Document.BundleName(), first.Name, first.Document.BundleName(), runs(again))
			f.Related = []Related{seeAlso(first, "brought here, too")}
			f.Duplicate = duplicateOf(first, again)
			p.Report(f)
		}
	}
}

// hasOwnVariable reports whether an entry has a variable that each bundle or
// package fills in by itself.
func hasOwnVariable(l *identity.Launch) bool {
	words := append([]identity.Word{l.Command, l.URL, l.Cwd}, l.Args...)
	for _, pair := range slices.Concat(l.Env, l.Headers) {
		words = append(words, pair.Value)
	}
	return slices.ContainsFunc(words, func(w identity.Word) bool {
		return strings.Contains(w.Text, "${bundle") || strings.Contains(w.Text, "${config.")
	})
}

// bundleInWords says which bundle an entry is from.
func bundleInWords(s *mcp.Server) string {
	if isManaged(s) {
		return "from bundle " + bundleOf(s)
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
		if !isManaged(s) || trackedAs(files, s.Name) != nil {
			continue
		}
		f := at(s)
		f.Message = fmt.Sprintf("%q is not in %s: prompt-registry will not remove it with its bundle", s.Name, files[0].File.Path)
		p.Report(f)
	}
}

func trackedAs(files []*mcp.Document, name string) *mcp.LockEntry {
	for _, doc := range files {
		for _, entry := range doc.Tracked {
			if entry.Name == name {
				return entry
			}
		}
	}
	return nil
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
			if slices.ContainsFunc(doc.Servers, func(s *mcp.Server) bool { return s.Name == entry.Name }) {
				continue
			}
			f := atEntry(entry)
			f.Message = fmt.Sprintf("%q is tracked, but %s has no such entry", entry.Name, doc.File.Path)
			p.Report(f)
		}
	}
}

// reportTrackedChanges reports entries that are not what their bundle brought.
func reportTrackedChanges(p *Pass) {
	files, doc := trackingFiles(p.Project), managedFile(p.Project)
	if doc == nil {
		return
	}
	for _, s := range doc.Servers {
		entry := trackedAs(files, s.Name)
		if entry == nil || entry.Target.Launch.Command.Text == "" && entry.Target.Launch.URL.Text == "" {
			continue
		}
		word, what := trackedChange(entry, s)
		if what == "" {
			continue
		}
		f := at(s)
		if !word.Span.IsZero() {
			f.Span = word.Span
		}
		f.Message = fmt.Sprintf("%q is not what bundle %s brought: %s", s.Name, orName(entry.Claims.Bundle, "that"), what)
		f.Related = []Related{seeLock(entry, "tracked here")}
		p.Report(f)
	}
}

// trackedChange says what differs between an entry and the template it was made
// of, and where. It shows no value: what was filled in may be a secret.
func trackedChange(entry *mcp.LockEntry, s *mcp.Server) (identity.Word, string) {
	was, now := &entry.Target.Launch, &s.Launch
	switch {
	case was.URL.Text != "" && was.Command.Text == "":
		if now.URL.Text == "" {
			return now.Command, "it runs a command, the bundle connects to a URL"
		}
		if !entry.MadeFrom(was.URL.Text, now.URL.Text) {
			return now.URL, "it connects to another URL"
		}
		return identity.Word{}, ""
	case now.Command.Text == "":
		return now.URL, "it connects to a URL, the bundle runs a command"
	case !entry.MadeFrom(was.Command.Text, now.Command.Text):
		return now.Command, "it runs another command"
	}
	for i, arg := range now.Args {
		if i >= len(was.Args) || !entry.MadeFrom(was.Args[i].Text, arg.Text) {
			return arg, "the arguments differ"
		}
	}
	if len(was.Args) > len(now.Args) {
		return identity.Word{}, "the arguments differ"
	}
	return identity.Word{}, ""
}

// trackedIn returns the tracked entries of the file that prompt-registry
// manages, nil for any other.
func trackedIn(doc *mcp.Document) map[string]*mcp.LockEntry {
	files := trackingFiles(doc.Project)
	if len(files) == 0 || doc != managedFile(doc.Project) {
		return nil
	}
	tracked := map[string]*mcp.LockEntry{}
	for _, file := range files {
		for _, entry := range file.Tracked {
			tracked[entry.Name] = entry
		}
	}
	return tracked
}

// templateOf returns what a tracked entry has in the place of a value.
func templateOf(v value, entry *mcp.LockEntry) (template identity.Word, found bool) {
	eachValue(&entry.Target.Launch, func(t value) {
		same := t.name == v.name
		if v.role == argumentValue {
			same = t.index == v.index
		}
		if t.role == v.role && same {
			template, found = t.word, true
		}
	})
	return template, found
}
