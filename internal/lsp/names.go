package lsp

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/glob"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/mention"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/repair"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// place is a part of a file.
type place struct {
	file *syntax.File
	span syntax.Span
}

// naming is a name of a server at a requested place, and the projects in which it means one.
type naming struct {
	name     string
	at       place
	projects []*mcp.Project
	// server is the one whose entry it is, nil elsewhere.
	server *mcp.Server
}

// serverAt returns the server in whose entry a place is, nil for none.
func (a *analysis) serverAt(file *syntax.File, offset int) *mcp.Server {
	for _, d := range a.documents(file.Path) {
		for _, s := range d.Servers {
			if a.isCurrent(d) && (contains(s.NameSpan, offset) || contains(s.Span, offset)) {
				return s
			}
		}
	}
	return nil
}

// contains reports whether a place is in a part of a file, or at one of its ends.
func contains(at syntax.Span, offset int) bool {
	return !at.IsZero() && at.Start <= offset && offset <= at.End
}

// namingAt returns the name of a server at a place: that of its entry, of a lock, in a permission,
// in the front matter of an agent or in the settings.
func (a *analysis) namingAt(file *syntax.File, offset int) *naming {
	if file == nil {
		return nil
	}
	if s := a.serverAt(file, offset); s != nil && contains(s.NameSpan, offset) {
		return &naming{s.Name, place{file, s.NameSpan}, []*mcp.Project{s.Document.Project}, s}
	}
	for _, d := range a.documents(file.Path) {
		if !a.isCurrent(d) {
			continue
		}
		for name, mentions := range d.Project.References {
			for _, m := range mentions {
				if m.Document == d && contains(m.Span, offset) {
					return &naming{name, place{file, m.Span}, []*mcp.Project{d.Project}, nil}
				}
			}
		}
		if d.Lock == nil {
			continue
		}
		for _, e := range d.Lock.Entries {
			if contains(e.NameSpan, offset) {
				return &naming{e.Name, place{file, e.NameSpan}, a.governed(d), nil}
			}
		}
	}
	if file.Path == policy.SettingsName {
		for _, n := range namesInSettings(file) {
			if contains(n.at.span, offset) {
				n.projects = a.result.Whole.Projects
				return n
			}
		}
	}
	return nil
}

// governed returns the projects that a lockfile speaks of.
func (a *analysis) governed(lock *mcp.Document) []*mcp.Project {
	if len(lock.Project.Governs) == 0 {
		return []*mcp.Project{lock.Project}
	}
	return lock.Project.Governs
}

// namesInSettings returns the names of servers that the settings have: those of ignores, with the
// paths that they are about, and those of groups.
func namesInSettings(file *syntax.File) []*naming {
	tree, err := syntax.ParseYAML(file)
	if err != nil || tree.Root == nil {
		return nil
	}
	var names []*naming
	add := func(n *syntax.Node) {
		if n != nil && n.Kind == syntax.String && glob.IsPlain(n.Text) {
			names = append(names, &naming{name: n.Text, at: place{file, n.Value}})
		}
	}
	for _, ignore := range nodesOf(tree.Root.Get("ignore")) {
		add(ignore.Get("server"))
	}
	for _, group := range nodesOf(tree.Root.Get("in-step")) {
		for _, key := range []string{"servers", "except"} {
			for _, n := range nodesOf(group.Get(key)) {
				add(n)
			}
		}
	}
	return names
}

func nodesOf(n *syntax.Node) []*syntax.Node {
	if n == nil {
		return nil
	}
	return n.Nodes
}

// servers returns the servers that a name means.
func (n *naming) servers() []*mcp.Server {
	var all []*mcp.Server
	for _, p := range n.projects {
		for d := range reads.Used(p) {
			for _, s := range d.Servers {
				if s.Name == n.name {
					all = append(all, s)
				}
			}
		}
	}
	return all
}

// entries returns the entries of lockfiles that have the name of a server in one of the projects.
func (a *analysis) entries(n *naming) []*mcp.LockEntry {
	var all []*mcp.LockEntry
	for _, p := range a.result.Whole.Projects {
		for _, d := range p.Documents {
			if d.Lock == nil || !slices.ContainsFunc(a.governed(d), func(p *mcp.Project) bool { return slices.Contains(n.projects, p) }) {
				continue
			}
			for _, e := range d.Lock.Entries {
				if e.Name == n.name {
					all = append(all, e)
				}
			}
		}
	}
	return all
}

// mentions returns the places that name a server without defining it, sorted: references of its
// project, lockfiles and the settings.
func (a *analysis) mentions(ctx context.Context, n *naming) []place {
	var all []place
	for _, p := range n.projects {
		for _, as := range slices.Compact([]string{n.name, mcp.InTools(n.name)}) {
			for _, m := range p.References[as] {
				all = append(all, place{m.Document.File, m.Span})
			}
		}
	}
	for _, e := range a.entries(n) {
		all = append(all, place{e.Document.File, e.NameSpan})
	}
	if file := a.file(ctx, policy.SettingsName); file != nil {
		for _, at := range namesInSettings(file) {
			if at.name == n.name {
				all = append(all, at.at)
			}
		}
	}
	return all
}

// locations returns places as the client has them, each once, without those of texts that the
// editor has otherwise by now.
func (a *analysis) locations(places []place) []location {
	found := []location{}
	for _, p := range places {
		if open := a.at.texts[p.file.Path]; open != nil && string(open.content) != string(p.file.Bytes) {
			continue
		}
		l := location{a.uri(a.at.texts, p.file.Path), a.server.span(p.file, p.span)}
		if !slices.Contains(found, l) {
			found = append(found, l)
		}
	}
	slices.SortStableFunc(found, func(a, b location) int {
		return cmp.Or(cmp.Compare(a.URI, b.URI), cmp.Compare(a.Range.Start.Line, b.Range.Start.Line), cmp.Compare(a.Range.Start.Character, b.Range.Start.Character))
	})
	return found
}

// definition returns where the server that a place names is configured; from there, where it is
// written by hand if a program wrote the entry, and where it is locked.
func definition(ctx context.Context, in *subject, p documentParams) (any, error) {
	file := in.file(ctx, in.path)
	n := in.namingAt(file, in.offset(file, p.Position))
	if n == nil {
		return nil, nil
	}
	var places []place
	switch {
	case n.server == nil:
		places = placesOf(n.servers())
	case n.server.Extra().CopyOf != nil:
		places = placesOf([]*mcp.Server{n.server.Extra().CopyOf})
	case n.server.Locked != nil:
		places = []place{{n.server.Locked.Document.File, n.server.Locked.NameSpan}}
	default:
		places = placesOf([]*mcp.Server{n.server})
	}
	return in.locations(places), nil
}

func placesOf(servers []*mcp.Server) []place {
	var places []place
	for _, s := range servers {
		places = append(places, place{s.Document.File, s.NameSpan})
	}
	return places
}

// offset returns the offset of a place in a file, 0 without one.
func (in *subject) offset(file *syntax.File, p position) int {
	if file == nil {
		return 0
	}
	return in.server.offset(file, p)
}

// references returns all places that name a server.
func references(ctx context.Context, in *subject, p struct {
	documentParams
	Context struct {
		IncludeDeclaration bool `json:"includeDeclaration"`
	} `json:"context"`
},
) (any, error) {
	file := in.file(ctx, in.path)
	n := in.namingAt(file, in.offset(file, p.Position))
	if n == nil {
		return nil, nil
	}
	places := in.mentions(ctx, n)
	if p.Context.IncludeDeclaration {
		places = append(places, placesOf(n.servers())...)
	}
	return in.locations(places), nil
}

// prepareRename returns the name at a place if a server can get another one there.
func prepareRename(ctx context.Context, in *subject, p documentParams) (any, error) {
	file := in.file(ctx, in.path)
	n := in.namingAt(file, in.offset(file, p.Position))
	if n == nil {
		return nil, nil
	}
	servers := n.servers()
	if len(servers) == 0 {
		return nil, refused("no file configures a server of this name")
	}
	for _, s := range servers {
		switch reason := repair.KeptBecause(s); {
		case reason != "" && s.Extra().CopyOf == nil:
			return nil, refused("%s keeps the name: %s", in.said(s.Document.File.Path), reason)
		case s.Extra().NamedBy != nil:
			return nil, refused("%s makes the name, and would make it again", s.Extra().NamedBy.Title)
		}
	}
	at := n.at.span
	if text := n.at.file.Bytes[at.Start:at.End]; at.End-at.Start > 2 && (text[0] == '"' || text[0] == '\'') {
		at.Start, at.End = at.Start+1, at.End-1
	}
	return prepared{in.server.span(n.at.file, at), n.name}, nil
}

// rename gives a server another name wherever the repository names it: in all files of clients, in
// permissions and the front matter of agents, in lockfiles and in the settings. For texts it offers
// the change, if the client asks the user about each of them.
func rename(ctx context.Context, in *subject, p renameParams) (any, error) {
	file := in.file(ctx, in.path)
	n := in.namingAt(file, in.offset(file, p.Position))
	switch {
	case n == nil:
		return nil, refused("there is no name of a server here")
	case strings.TrimSpace(p.NewName) == "" || p.NewName != strings.ToValidUTF8(p.NewName, ""):
		return nil, invalid("the new name is empty")
	case p.NewName == n.name:
		return nil, nil
	}
	changes, err := in.renaming(ctx, n, p.NewName)
	if err != nil {
		return nil, err
	}
	e := in.newEdits()
	if err := e.changes(changes, func(*syntax.File) string { return "" }); err != nil {
		return nil, refused("%s", in.said(err.Error()))
	}
	if err := in.renameInTexts(ctx, e, n, p.NewName); err != nil {
		return nil, err
	}
	return e.workspaceEdit(), nil
}

// renaming returns the changes that give a server another name.
func (a *analysis) renaming(ctx context.Context, n *naming, name string) ([]edit.Change, error) {
	servers := n.servers()
	if len(servers) == 0 {
		return nil, refused("no file configures a server of this name")
	}
	changes, known := []edit.Change{}, map[place]bool{}
	add := func(all ...edit.Change) {
		for _, c := range all {
			if at := (place{c.File, c.At}); !known[at] {
				known[at] = true
				changes = append(changes, c)
			}
		}
	}
	for _, p := range n.projects {
		renames := repair.NewRenames(p)
		same := slices.DeleteFunc(slices.Clone(servers), func(s *mcp.Server) bool { return s.Document.Project != p })
		for _, s := range same {
			if s.Extra().CopyOf != nil {
				continue // it goes along with what it was made from
			}
			made, reason := renames.Edits(s, name, same, same)
			if reason != "" {
				return nil, refused("%s keeps the name: %s", a.said(s.Document.File.Path), reason)
			}
			add(made...)
		}
	}
	for _, e := range a.entries(n) {
		if taken := lockHas(e.Document, name); taken {
			return nil, refused("%s has something else of this name", a.said(e.Document.File.Path))
		}
		add(edit.Rename(e.Document.File, e.NameSpan, name))
	}
	if file := a.file(ctx, policy.SettingsName); file != nil {
		for _, at := range namesInSettings(file) {
			if at.name == n.name && len(n.projects) > 0 {
				add(edit.Rename(file, at.at.span, name))
			}
		}
	}
	return changes, nil
}

// lockHas reports whether a lockfile has an entry of a name.
func lockHas(lock *mcp.Document, name string) bool {
	return slices.ContainsFunc(lock.Lock.Entries, func(e *mcp.LockEntry) bool { return e.Name == name })
}

// maxInText is at how many places of one text another name is offered.
const maxInText = 100

// renameInTexts offers the new name for texts for agents that have the old one.
func (a *analysis) renameInTexts(ctx context.Context, e *edits, n *naming, name string) error {
	can := a.server.can.Workspace.WorkspaceEdit
	if !can.DocumentChanges || len(can.ChangeAnnotations) == 0 {
		return nil
	}
	paths, err := lint.Texts(ctx, a.w.Options)
	if err != nil {
		return err
	}
	const note = "text"
	names, index := mention.NewNames(map[string]bool{n.name: true}), mention.Index()
	for _, path := range paths {
		match, _ := index.Lookup(path)
		isNear := slices.ContainsFunc(n.projects, func(p *mcp.Project) bool { return isBelow(p.Dir, match.Dir) || isBelow(match.Dir, p.Dir) })
		file := a.file(ctx, path)
		if !isNear || file == nil {
			continue
		}
		from := 0
		if len(a.documents(path)) > 0 {
			from = mention.BodyOf(file) // the names before it are known
		}
		for range maxInText {
			at, found := names.In(file.Text()[from:])[n.name]
			if !found {
				break
			}
			at += from
			old, now := n.name, name
			if !strings.HasPrefix(file.Text()[at:], old) {
				if old, now = mcp.InTools(old), mcp.InTools(now); !strings.HasPrefix(file.Text()[at:], old) {
					break
				}
			}
			e.notes[note] = changeAnnotation{Label: "Texts that name the server", NeedsConfirmation: true}
			e.replace(file, syntax.Span{Start: at, End: at + len(old)}, now, note)
			from = at + len(old)
		}
	}
	return nil
}

// isBelow reports whether a path is a directory or below it.
func isBelow(dir, path string) bool {
	return dir == "" || path == dir || strings.HasPrefix(path, dir+"/")
}

// namesOf returns the names of all servers of a project, sorted.
func namesOf(p *mcp.Project) []string {
	all := map[string]bool{}
	for d := range reads.Used(p) {
		for _, s := range d.Servers {
			all[s.Name] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}
