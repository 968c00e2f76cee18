package checks

import (
	"maps"
	"slices"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// unreadFile finds servers in a file that its client does not load them from.
var unreadFile = &rule.Rule{
	ID:       "unread-file",
	Title:    "servers in a file that the client loads none from",
	Severity: rule.Warning,
	Reads:    reads.Selection{Examples: true, Unread: true},
	Run:      runUnreadFile,
}

func runUnreadFile(p *rule.Pass) {
	for doc := range p.Documents() {
		if len(doc.Servers) == 0 {
			continue
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

// reportUnread reports the servers of a file, unless it is right where it is. One
// that is right in a home directory may be meant to be copied there; servers that
// the client has from the right file, too, are not missed.
func reportUnread(p *rule.Pass, doc *mcp.Document, client *mcp.Client, place *mcp.NotLoadedFiles) {
	f := rule.Finding{File: doc.File, Span: doc.Root, Severity: rule.Note}
	if doc.RootKey == "" {
		f.Span = doc.Servers[0].NameSpan
	}
	other, missing := loadedFrom(p.Project, doc, client)
	switch {
	case len(place.Projects) > 0 && !isBeside(p.Project, place.Projects):
		return
	case len(place.Projects) > 0:
		f.Message = wording.Say("%s reads this file only in a home directory: move the servers of the project to %s", client.Title, place.Instead)
	case doc.Scope == mcp.ScopeUser:
		return // home directories are not certain
	case other != nil && len(missing) > 0:
		f.Severity = rule.Warning
		f.Message = wording.Say("%s loads no server from this file: move %s to %s, and remove the rest, which it has by name", client.Title, wording.JoinWords(wording.FirstFew(wording.InQuotes(missing))), other.File.Path)
		f.Related = []rule.Related{{File: other.File, Span: other.Root, Message: "loaded from here"}}
	case other != nil:
		where := wording.Say("%s has", other.File.Path)
		if names := compare.NamesOf(other, nil); slices.ContainsFunc(doc.Servers, func(s *mcp.Server) bool { return !names[s.Name] }) {
			where = "the files that it loads have"
		}
		f.Message = wording.Say("%s loads no server from this file: remove them here, because %s them", client.Title, where)
		f.Related = []rule.Related{{File: other.File, Span: other.Root, Message: "loaded from here"}}
	default:
		f.Severity = rule.Warning
		f.Message = wording.Say("%s loads no server from this file: move its servers to %s", client.Title, place.Instead)
	}
	p.Report(f)
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

// isBeside reports whether the project has a file of one of the formats.
func isBeside(project *mcp.Project, formats []string) bool {
	return slices.ContainsFunc(project.Documents, func(d *mcp.Document) bool {
		return d.Scope != mcp.ScopeUser && slices.Contains(formats, d.Format)
	})
}
