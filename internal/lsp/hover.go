package lsp

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/reputation"
	"github.com/mcplumb/mcplumb/internal/sameness"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// hovered returns what the entry at a place really runs, or the server that is named there.
func hovered(ctx context.Context, in *subject, p documentParams) (any, error) {
	file := in.file(ctx, in.path)
	if file == nil {
		return nil, nil
	}
	at := in.offset(file, p.Position)
	if s := in.serverAt(file, at); s != nil {
		span := s.NameSpan
		if !contains(span, at) {
			span = s.Span
		}
		return hover{markup{"markdown", in.about(s)}, in.server.span(file, span)}, nil
	}
	if n := in.namingAt(file, at); n != nil {
		var parts []string
		for _, s := range n.servers() {
			parts = append(parts, in.about(s))
		}
		if len(parts) == 0 {
			parts = []string{"No file configures a server " + in.code(n.name) + "."}
		}
		return hover{markup{"markdown", strings.Join(parts, "\n\n---\n\n")}, in.server.span(file, n.at.span)}, nil
	}
	if word, span := wordAt(file, at); in.path == policy.SettingsName && checks.ByID(word) != nil {
		rule := checks.ByID(word)
		return hover{markup{"markdown", fmt.Sprintf("[%s](%s): %s", rule.ID, rule.URL(), rule.Title)}, in.server.span(file, span)}, nil
	}
	return nil, nil
}

// wordAt returns the word of letters and dashes around a place.
func wordAt(file *syntax.File, at int) (string, syntax.Span) {
	isWord := func(i int) bool {
		return i >= 0 && i < len(file.Bytes) && (file.Bytes[i] == '-' || 'a' <= file.Bytes[i] && file.Bytes[i] <= 'z')
	}
	span := syntax.Span{Start: at, End: at}
	for isWord(span.Start - 1) {
		span.Start--
	}
	for isWord(span.End) {
		span.End++
	}
	return string(file.Bytes[span.Start:span.End]), span
}

// code returns a text of a repository as code in Markdown, where none of it is interpreted.
func (a *analysis) code(text string) string {
	text = a.said(text)
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") || text == "" {
		text = " " + text + " "
	}
	return fence + text + fence
}

// about describes in Markdown what an entry really runs, which clients read it, and what other
// files contain.
func (a *analysis) about(s *mcp.Server) string {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	id := &s.Identity
	switch runs := a.code(id.Title()); {
	case id.Kind == identity.None:
		add("%s names nothing that runs yet", a.code(s.Name))
	case s.Launch.IsRemote() || id.Kind == identity.URL:
		add("%s connects to %s", a.code(s.Name), runs)
	default:
		add("%s runs %s", a.code(s.Name), runs)
	}
	if by := id.BridgeName(); by != "" {
		lines[0] += " through the bridge " + a.code(by)
	}
	lines = append(lines, "")
	if version := versionOf(s); version != "" {
		add("- %s", a.versionLine(s, version))
	}
	for _, f := range reputation.Advisories(a.result.Whole.Registries, s) {
		line := "- " + a.code(f.Message+": "+f.Help)
		if f.See != "" && a.said(f.See) == f.See && !strings.ContainsAny(f.See, "<> ") {
			line += " <" + f.See + ">"
		}
		lines = append(lines, line)
	}
	if e := s.Locked; e != nil {
		locked := "locked in " + a.code(e.Document.File.Path)
		if e.Name != s.Name {
			locked += " as " + a.code(e.Name)
		}
		if v := e.Pin.Version.Text; v != "" {
			locked += " at " + a.code(v)
		}
		if e.Pin.Integrity.Text == "" {
			locked += ", without a hash"
		}
		add("- %s", locked)
	}
	for _, p := range s.Document.Project.Facts.Installed[s] {
		if p.Version != "" {
			add("- installed: %s, as %s says", a.code(p.Version), a.code(p.File))
		}
	}
	var clients []string
	for _, c := range s.Document.Loaders() {
		clients = append(clients, c.Title)
	}
	switch {
	case s.Document.Lock != nil:
	case len(clients) == 0:
		add("- no known client reads this file here")
	case !s.IsStarted():
		add("- disabled for %s", strings.Join(clients, ", "))
	default:
		add("- read by %s", strings.Join(clients, ", "))
	}
	for _, other := range a.elsewhere(s) {
		add("- also in %s: %s", a.code(other.Document.File.Path), difference(s, other))
	}
	return strings.Join(lines, "\n")
}

// versionOf returns the version that an entry requests, "none" for a package without one, and "" for
// a server that has no versions.
func versionOf(s *mcp.Server) string {
	if v := s.Identity.Version; v.Text != "" {
		return v.Text
	}
	if s.Identity.IsPackage() {
		return "none"
	}
	return ""
}

func (a *analysis) versionLine(s *mcp.Server, version string) string {
	switch s.Identity.Version.Kind {
	case identity.Exact:
		return "version " + a.code(version)
	case identity.Range:
		return "any version in the range " + a.code(version)
	case identity.Tag:
		return "the version that is called " + a.code(version) + " when it starts"
	}
	return "no version: the newest one when it starts"
}

// elsewhere returns the entries of a server's name in other files of its project.
func (a *analysis) elsewhere(s *mcp.Server) []*mcp.Server {
	var all []*mcp.Server
	known := map[*syntax.File]bool{s.Document.File: true}
	for d := range reads.Used(s.Document.Project) {
		for _, other := range d.Servers {
			if other.Name == s.Name && !known[d.File] && d.Lock == nil {
				known[d.File] = true
				all = append(all, other)
			}
		}
	}
	return all
}

// difference says in words how much another entry is the same.
func difference(s, other *mcp.Server) string {
	switch level := sameness.Compare(s.Resolved(), other.Resolved()); {
	case level == sameness.Equal:
		return "the same"
	case level >= sameness.Undecided && s.Identity.Version.Text != other.Identity.Version.Text:
		return "another version"
	case level >= sameness.Undecided:
		return "the same, written otherwise"
	case level >= sameness.SameProgram:
		return "the same server, configured otherwise"
	}
	return "another server"
}

// isOther reports whether another entry differs in what it starts.
func isOther(s, other *mcp.Server) bool {
	return sameness.Compare(s.Resolved(), other.Resolved()) < sameness.Undecided || s.Identity.Version.Text != other.Identity.Version.Text
}

// Kinds of symbols.
const (
	symbolKey    = 20
	symbolObject = 19
)

// documentSymbols returns the servers of a file.
func documentSymbols(_ context.Context, in *subject, _ documentParams) (any, error) {
	symbols, flat := []symbol{}, []flatSymbol{}
	add := func(file *syntax.File, name, detail string, whole, at syntax.Span, pairs []identity.Pair) {
		if name = in.said(name); name == "" {
			name = "(no name)"
		}
		whole = syntax.Span{Start: min(whole.Start, at.Start), End: max(whole.End, at.End)}
		s := symbol{Name: name, Detail: in.said(detail), Kind: symbolObject, Range: in.server.span(file, whole), SelectionRange: in.server.span(file, at)}
		for _, p := range pairs {
			if key := p.Name.Span; key.Start >= whole.Start && key.End <= whole.End && !key.IsZero() && in.said(p.Name.Text) != "" {
				s.Children = append(s.Children, symbol{Name: in.said(p.Name.Text), Kind: symbolKey, Range: in.server.span(file, key), SelectionRange: in.server.span(file, key)})
			}
		}
		symbols = append(symbols, s)
		flat = append(flat, flatSymbol{name, symbolObject, location{in.uri, s.Range}})
	}
	for _, d := range in.documents(in.path) {
		if !in.isCurrent(d) || len(symbols) > 0 {
			continue
		}
		for _, s := range d.Servers {
			add(d.File, s.Name, s.Identity.Title(), s.Span, s.NameSpan, slices.Concat(s.Launch.Env, s.Launch.Headers))
		}
		if d.Lock != nil {
			for _, e := range d.Lock.Entries {
				add(d.File, e.Name, e.Target.Identity.Title(), e.NameSpan, e.NameSpan, nil)
			}
		}
	}
	if in.server.can.TextDocument.DocumentSymbol.Hierarchical {
		return symbols, nil
	}
	return flat, nil
}

// pageOf returns the page about what runs, "" without a public one.
func pageOf(id *identity.Identity) string {
	name := (&url.URL{Path: id.Name}).EscapedPath()
	switch id.Kind {
	case identity.NPM:
		return "https://www.npmjs.com/package/" + name
	case identity.PyPI:
		return "https://pypi.org/project/" + name + "/"
	case identity.NuGet:
		return "https://www.nuget.org/packages/" + name
	case identity.JSR:
		return "https://jsr.io/" + name
	case identity.OCI:
		if image, ok := strings.CutPrefix(name, "docker.io/"); ok {
			return "https://hub.docker.com/r/" + image
		}
	}
	return ""
}

// documentLinks returns the pages of packages, at their names.
func documentLinks(_ context.Context, in *subject, _ documentParams) (any, error) {
	links := []documentLink{}
	in.eachServer(func(d *mcp.Document, s *mcp.Server) {
		page, at := pageOf(&s.Identity), s.Identity.Span
		if page == "" || at.IsZero() || s.Identity.NamesSource || in.view.Text(page).Plain() != page {
			return
		}
		links = append(links, documentLink{in.server.span(d.File, at), page, in.said(s.Identity.Title())})
	})
	return links, nil
}

// eachServer calls do with every server of the file.
func (in *subject) eachServer(do func(*mcp.Document, *mcp.Server)) {
	for _, d := range in.documents(in.path) {
		if !in.isCurrent(d) {
			continue
		}
		for _, s := range d.Servers {
			do(d, s)
		}
		if len(d.Servers) > 0 {
			return // by its other names the file has the same ones
		}
	}
}

// inlayHints shows, after an open version in an entry, which version is locked or installed.
func inlayHints(_ context.Context, in *subject, p documentParams) (any, error) {
	hints := []inlayHint{}
	in.eachServer(func(d *mcp.Document, s *mcp.Server) {
		if s.Identity.Version.Kind == identity.Exact || s.Identity.Span.IsZero() {
			return
		}
		version, tooltip := "", ""
		if s.Locked != nil && s.Locked.Pin.Version.Text != "" {
			version, tooltip = s.Locked.Pin.Version.Text, "locked in "+in.said(s.Locked.Document.File.Path)
		}
		for _, i := range s.Document.Project.Facts.Installed[s] {
			if i.Version != "" {
				version, tooltip = i.Version, "installed, as "+in.said(i.File)+" says"
			}
		}
		at := in.server.position(d.File, s.Identity.Span.End)
		if version == "" || at.Line < p.Range.Start.Line || at.Line > p.Range.End.Line {
			return
		}
		hints = append(hints, inlayHint{at, in.said(version), tooltip, true})
	})
	return hints, nil
}

// codeLenses says above each server in which other files it is, and in how many otherwise.
func codeLenses(_ context.Context, in *subject, _ documentParams) (any, error) {
	lenses := []codeLens{}
	in.eachServer(func(d *mcp.Document, s *mcp.Server) {
		others := in.elsewhere(s)
		if len(others) == 0 {
			return
		}
		const shown = 3
		var files []string
		differ := 0
		for _, other := range others {
			if len(files) < shown {
				files = append(files, in.said(other.Document.File.Path))
			}
			if isOther(s, other) {
				differ++
			}
		}
		title := "also in " + strings.Join(files, ", ")
		if more := len(others) - len(files); more > 0 {
			title += fmt.Sprintf(" and %d more", more)
		}
		switch {
		case differ == 1:
			title += ": 1 differs"
		case differ > 1:
			title += fmt.Sprintf(": %d differ", differ)
		}
		lenses = append(lenses, codeLens{in.server.span(d.File, s.NameSpan), command{Title: title}})
	})
	return lenses, nil
}
