package checks

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// unreadFile finds servers in a file from which its client does not load them, or in a language
// that mcplumb does not read.
var unreadFile = &rule.Rule{
	ID:       "unread-file",
	Title:    "servers in a file that the client does not load",
	Severity: rule.Warning,
	Reads:    reads.Selection{Examples: true, Unread: true},
	Run:      runUnreadFile,
}

func runUnreadFile(p *rule.Pass) {
	for doc := range p.Documents() {
		for _, place := range doc.Unparsed {
			reportUnparsed(p, doc, place)
		}
		if len(doc.Servers) == 0 {
			continue
		}
		if doc.Stray != nil {
			reportStray(p, doc)
		}
		for _, client := range mcp.Clients() {
			for _, place := range client.NotLoaded {
				if place.Format == doc.Format {
					reportUnread(p, doc, client, &place)
				}
			}
		}
	}
}

// reportUnparsed reports a file in which mcplumb searches only for credentials. If a change adds or
// edits it, no one may have reviewed what it starts.
func reportUnparsed(p *rule.Pass, doc *mcp.Document, place mcp.Unparsed) {
	f := rule.Finding{
		File: doc.File, Span: place.At, Severity: rule.Note,
		Message: wording.Say("mcplumb does not read %s, so it cannot check the servers in it", place.What),
	}
	text := doc.File.Bytes[f.Span.Start:f.Span.End]
	if f.Span.IsZero() {
		line, _, _ := bytes.Cut(doc.File.Bytes, []byte("\n"))
		f.Span.End, text = len(line), doc.File.Bytes
	}
	if p.Base != nil && !p.Base.Held(doc.File.Path, text) {
		f.Severity = rule.Warning
		f.Message = wording.Say("mcplumb does not read %s, so it cannot check this change to it", place.What)
		f.Help = "review what it starts"
	}
	p.Report(f)
}

// reportUnread reports the servers of a file, unless its place is right. A file for a home
// directory may be meant to be copied there; servers that the client also loads from the right
// file are not missing.
func reportUnread(p *rule.Pass, doc *mcp.Document, client *mcp.Client, place *mcp.NotLoadedFiles) {
	f := rule.Finding{File: doc.File, Span: spanOf(doc), Severity: rule.Note}
	other, missing := loadedFrom(p.Project, doc, client)
	switch {
	case len(place.Projects) > 0 && !place.IsIn(p.Project):
		return
	case len(place.Projects) > 0 && other != nil && len(missing) == 0:
		f.Message = wording.Say("%s reads this file only in a home directory, and %s has its servers", client.Title, other.File.Path)
		f.Help = "delete this file"
		f.Related = []rule.Related{{File: other.File, Span: other.Root, Message: "loaded from here"}}
	case place.Plugin != "" && !isForgotten(p.Project, doc, place):
		return
	case place.Plugin != "" && doc.Scope != mcp.ScopeUser:
		f.Severity = rule.Warning
		f.Message = wording.Say("the plugin does not add these servers, because %s loads the servers of a plugin from %s", client.Title, place.Instead)
		f.Help = "rename the file, or name it in the manifest"
	case len(place.Projects) > 0:
		f.Message = wording.Say("%s reads this file only in a home directory", client.Title)
		f.Help = wording.Say("move the servers of the project to %s", place.Instead)
	case doc.Scope == mcp.ScopeUser:
		return // home directories are not certain
	case place.Home != "" && doc.Sample:
		return // to be copied there
	case place.Home != "":
		f.Message = wording.Say("%s does not load servers from this file, but from %s", client.Title, place.Home)
		f.Help = wording.Say("move the servers of the project to %s", place.Instead)
		if place.Successor != "" {
			f.Help += wording.Say(", which its successor %s reads", place.Successor)
		}
	case other != nil && len(missing) > 0:
		f.Severity = rule.Warning
		f.Message = wording.Say("%s does not load servers from this file", client.Title)
		f.Help = wording.Say("move %s to %s, and delete the others, whose names it already loads", wording.JoinWords(wording.FirstFew(wording.InQuotes(missing))), other.File.Path)
		f.Related = []rule.Related{{File: other.File, Span: other.Root, Message: "loaded from here"}}
	case other != nil:
		where := wording.Say("%s has servers with the same names", other.File.Path)
		if names := compare.NamesOf(other, nil); slices.ContainsFunc(doc.Servers, func(s *mcp.Server) bool { return !names[s.Name] }) {
			where = "the files that it loads have servers with the same names"
		}
		f.Message = wording.Say("%s does not load servers from this file, and %s", client.Title, where)
		f.Help = "delete the servers here"
		f.Related = []rule.Related{{File: other.File, Span: other.Root, Message: "loaded from here"}}
	default:
		f.Severity = rule.Warning
		f.Message = wording.Say("%s does not load servers from this file", client.Title)
		f.Help = wording.Say("move the servers to %s", place.Instead)
	}
	p.Report(f)
}

// reportStray reports the servers of a file in a client's own directory that is not one of the
// client's files. Next to such a file, it may be a variant that someone keeps.
func reportStray(p *rule.Pass, doc *mcp.Document) {
	client, instead := doc.Stray.Client, doc.Stray.Instead
	f := rule.Finding{File: doc.File, Span: spanOf(doc)}
	for other := range reads.Used(p.Project) {
		if other.Scope == mcp.ScopeProject && len(other.Servers) > 0 && slices.Contains(other.Loaders(), client) {
			f.Related = []rule.Related{{File: other.File, Span: spanOf(other), Message: "loaded from here"}}
			if _, missing := loadedFrom(p.Project, doc, client); len(missing) > 0 && !isNamedForServers(doc) {
				f.Message = wording.Say("%s does not load servers from this file", client.Title)
				f.Help = wording.Say("move %s to %s", wording.JoinWords(wording.FirstFew(wording.InQuotes(missing))), other.File.Path)
			} else {
				f.Severity = rule.Note
				f.Message = wording.Say("%s does not load servers from this file, but from %s", client.Title, other.File.Path)
				f.Help = wording.Say("move missing servers to %s, or delete this file", other.File.Path)
			}
			p.Report(f)
			return
		}
	}
	f.Message = wording.Say("%s does not load servers from this file", client.Title)
	f.Help = wording.Say("move the servers to %s", instead)
	if doc.Stray.Under != "" {
		f.Help += wording.Say(", under %q", doc.Stray.Under)
	}
	p.Report(f)
}

// isNamedForServers reports whether the name of a file says that it has servers and nothing
// else, as that of a variant does.
func isNamedForServers(doc *mcp.Document) bool {
	return strings.Contains(strings.ToLower(path.Base(doc.File.Path)), "mcp")
}

// spanOf returns where the servers of a document begin.
func spanOf(doc *mcp.Document) syntax.Span {
	if doc.RootKey == "" {
		return doc.Servers[0].NameSpan
	}
	return doc.Root
}

// loadedFrom returns the first file of the client that has a server which another one
// has, by name, and the names that none of the client's files has; nil if none has any.
func loadedFrom(project *mcp.Project, doc *mcp.Document, client *mcp.Client) (from *mcp.Document, missing []string) {
	loaded := map[string]bool{}
	for other := range reads.Used(project) {
		if other == doc || other.Scope != mcp.ScopeProject || !slices.Contains(other.Loaders(), client) {
			continue
		}
		names := compare.NamesOf(other, nil)
		if from == nil && slices.ContainsFunc(doc.Servers, func(s *mcp.Server) bool { return names[s.Name] }) {
			from = other
		}
		maps.Copy(loaded, names)
	}
	for _, s := range doc.Servers {
		if !loaded[s.Name] {
			missing = append(missing, s.Name)
		}
	}
	return from, missing
}

// isForgotten reports whether a file can only be meant for the plugin that its project is: that
// has no servers, and the file is for no other client.
func isForgotten(project *mcp.Project, doc *mcp.Document, place *mcp.NotLoadedFiles) bool {
	isOther := func(d *mcp.Document) bool {
		return d != doc && d.Scope != mcp.ScopeSettings && (d.Format != place.Plugin || len(d.Servers)+len(d.Links) > 0)
	}
	return path.Base(doc.File.Path) == place.Name && mcp.Parent(doc.File.Path) == project.Dir && len(doc.Clients) == 0 &&
		isBeside(project, []string{place.Plugin}) && !slices.ContainsFunc(project.Documents, isOther)
}

// isBeside reports whether the project has a file of one of the formats.
func isBeside(project *mcp.Project, formats []string) bool {
	return slices.ContainsFunc(project.Documents, func(d *mcp.Document) bool {
		return d.Scope != mcp.ScopeUser && slices.Contains(formats, d.Format)
	})
}
