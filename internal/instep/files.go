package instep

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/glob"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/writing"
)

// wanted says which servers a group is about.
type wanted struct {
	settings        *mcp.GroupSettings
	servers, except glob.Index
}

func newWanted(settings *mcp.GroupSettings) wanted {
	return wanted{settings: settings, servers: index(settings.Servers), except: index(settings.Except)}
}

// index returns an index of patterns.
func index(patterns []string) glob.Index {
	var ix glob.Index
	for i, text := range patterns {
		if pattern, err := glob.Parse(text); err == nil {
			ix.Add(pattern, i)
		}
	}
	return ix
}

// excepted returns the servers of files that the settings let differ, of each name a row.
func (w *wanted) excepted(files []*mcp.GroupFile) []*mcp.GroupRow {
	if len(w.settings.Except) == 0 {
		return nil
	}
	var rows []*mcp.GroupRow
	byName := map[string]*mcp.GroupRow{}
	for _, file := range files {
		if file.Document == nil {
			continue
		}
		for _, s := range file.Document.Servers {
			if !w.except.Matches(s.Name) {
				continue
			}
			row := byName[s.Name]
			if row == nil {
				row = &mcp.GroupRow{Name: s.Name, Server: s}
				byName[s.Name], rows = row, append(rows, row)
			}
			if n := len(row.Cells); n > 0 && row.Cells[n-1].File == file {
				continue // the first of its name
			}
			row.Cells = append(row.Cells, &mcp.Cell{Row: row, File: file, State: mcp.Excepted, Server: s})
		}
	}
	return rows
}

// of returns the servers of a document that the group is about, the first of each name;
// none of no document.
func (w *wanted) of(doc *mcp.Document) []*mcp.Server {
	if doc == nil {
		return nil
	}
	known := make(map[string]bool, len(doc.Servers))
	var servers []*mcp.Server
	for _, s := range doc.Servers {
		isMeant := len(w.settings.Servers) == 0 || w.servers.Matches(s.Name)
		if isMeant && !w.except.Matches(s.Name) && !known[s.Name] {
			known[s.Name] = true
			servers = append(servers, s)
		}
	}
	return servers
}

// files finds the files of groups.
type files struct {
	in       Input
	problems []Problem
	byPath   map[string][]*mcp.Document
	paths    []string // of all documents, sorted
	projects map[string]*mcp.Project
	// matched are the patterns of paths that a document is at.
	matched map[string]bool
	// as says, in a clause, why a file is read: the settings name it, or only the command line
	// does.
	as string
	// repository is the one that is written in, and named are the paths that the group has
	// whether or not there are such files.
	repository string
	named      map[string]bool
}

func newFiles(in Input) *files {
	fs := &files{in: in, byPath: map[string][]*mcp.Document{}, projects: map[string]*mcp.Project{}, matched: map[string]bool{}}
	for _, p := range in.Repo.Projects {
		fs.projects[p.Dir] = p
		for _, d := range p.Documents {
			path := d.File.Path
			if fs.byPath[path] == nil {
				fs.paths = append(fs.paths, path)
			}
			fs.byPath[path] = append(fs.byPath[path], d)
		}
	}
	slices.Sort(fs.paths)
	return fs
}

// notice says what the settings ask for in vain.
func (fs *files) notice(format string, args ...any) {
	fs.problems = append(fs.problems, Problem{Message: fmt.Sprintf(format, args...), IsNotice: true})
}

// noticeVain says which patterns of the settings nothing matches: a name may be mistyped.
func (fs *files) noticeVain(settings *mcp.GroupSettings, groups []*mcp.Group) {
	if !settings.Literal {
		for _, name := range settings.Files {
			if !glob.IsPlain(name) && !fs.matched[name] {
				fs.notice("in-step names the files %q, but none exist", name)
			}
		}
	}
	names := map[string]bool{}
	for _, g := range groups {
		for _, file := range g.Files {
			if file.Document == nil {
				continue
			}
			for _, s := range file.Document.Servers {
				names[s.Name] = true
			}
		}
	}
	if len(names) == 0 {
		return
	}
	for _, name := range slices.Concat(settings.Servers, settings.Except) {
		pattern := index([]string{name})
		if !slices.ContainsFunc(slices.Collect(maps.Keys(names)), pattern.Matches) {
			fs.notice("in-step names the server %q, but none of its files has one", name)
		}
	}
}

func (fs *files) wrong(path, format string, args ...any) {
	fs.problems = append(fs.problems, Problem{Path: path, Message: fmt.Sprintf(format, args...)})
}

// groups returns the groups that one of the settings defines: one for each project, or the one of
// the root.
func (fs *files) groups(settings *mcp.GroupSettings) []*mcp.Group {
	if !settings.PerProject {
		if g := fs.group(settings, "", fs.paths); g != nil {
			return []*mcp.Group{g}
		}
		return nil
	}
	var groups []*mcp.Group
	below := fs.belowBases(settings)
	for _, dir := range slices.Sorted(maps.Keys(below)) {
		if g := fs.group(settings, dir, below[dir]); g != nil {
			groups = append(groups, g)
		}
	}
	return groups
}

// belowBases returns the directories that the paths of a group for each project start
// from, each with the paths of the files that its patterns may match.
func (fs *files) belowBases(settings *mcp.GroupSettings) map[string][]string {
	begin := settings.Files
	if settings.Source != "" {
		begin = []string{settings.Source}
	}
	patterns := index(begin)
	below, isBase := map[string][]string{}, map[string]bool{}
	for _, path := range fs.paths {
		doc := fs.byPath[path][0]
		dir := doc.Project.Dir
		for _, name := range begin {
			if rest, ok := strings.CutSuffix(path, name); ok && glob.IsPlain(name) && (rest == "" || strings.HasSuffix(rest, "/")) {
				dir = strings.TrimSuffix(rest, "/")
				break
			}
		}
		below[dir] = append(below[dir], path)
		isBase[dir] = isBase[dir] || doc.Role == mcp.InUse && patterns.Matches(relative(dir, path))
	}
	for dir := range below {
		if !isBase[dir] {
			delete(below, dir)
		}
	}
	return below
}

// relative returns a path from a directory that it is in.
func relative(dir, path string) string { return strings.TrimPrefix(path[len(dir):], "/") }

// group returns the files of a group whose paths start from a directory, nil where there
// is nothing to compare. paths are those of the documents that its patterns may match.
func (fs *files) group(settings *mcp.GroupSettings, dir string, paths []string) *mcp.Group {
	g := &mcp.Group{Dir: dir}
	fs.as, fs.repository = "is in a group of in-step", ""
	if settings.Literal {
		fs.as, fs.repository = "should be in sync with "+settings.Source, fs.in.Repository(settings.Source)
	}
	fs.named = map[string]bool{}
	for _, name := range settings.Files {
		if settings.Literal || glob.IsPlain(name) {
			fs.named[join(dir, name)] = true
		}
	}
	known, real := map[string]bool{}, map[string]bool{}
	add := func(path string, isNamed bool) {
		if known[path] {
			return
		}
		known[path] = true
		isSource := settings.Source != "" && path == join(dir, settings.Source)
		file := fs.file(path, isNamed, isSource)
		if file == nil || file.Document != nil && real[file.Document.File.Path] {
			return // or it is another name of one of them
		}
		if file.Document != nil {
			real[file.Document.File.Path] = true
		}
		file.Group = g
		g.Files = append(g.Files, file)
		if isSource {
			g.Source = file
		}
	}
	if settings.Source != "" {
		add(join(dir, settings.Source), true)
		if g.Source == nil {
			return nil // its error is already reported
		}
	}
	for _, name := range settings.Files {
		if settings.Literal || glob.IsPlain(name) {
			add(join(dir, name), true)
			continue
		}
		pattern := index([]string{name})
		for _, path := range paths {
			if pattern.Matches(relative(dir, path)) {
				fs.matched[name] = true
				add(path, false)
			}
		}
	}
	return fs.ready(g)
}

// ready returns a group with the projects of all its files, nil if there are not two.
func (fs *files) ready(g *mcp.Group) *mcp.Group {
	first := slices.IndexFunc(g.Files, func(f *mcp.GroupFile) bool { return f.Project != nil })
	if len(g.Files) < 2 || first < 0 {
		return nil
	}
	home := g.Files[first].Project
	if g.Source != nil {
		home = g.Source.Project
	}
	for _, file := range g.Files {
		if file.Document == nil || file.Project == nil {
			file.Project = home
		}
		if file.Document != nil && file.Document.Project == nil {
			file.Document.Project = file.Project
		}
	}
	return g
}

// join returns a path below a directory.
func join(dir, path string) string {
	if dir == "" {
		return path
	}
	return dir + "/" + path
}

// file returns a file of a group, nil for one that has no part in it. The reason is reported only
// for a file that the settings name, not for one that a pattern finds.
func (fs *files) file(path string, isNamed, isSource bool) *mcp.GroupFile {
	target, isWritable := writing.OwnTarget(fs.in.Index, path)
	doc := fs.document(path)
	if doc == nil && isNamed {
		file, err := fs.in.Read(path)
		switch {
		case errors.Is(err, ErrReported):
			return nil
		case err != nil:
			fs.wrong(path, "%s, but %v", fs.as, err)
			return nil
		case file == nil && isSource:
			fs.wrong(path, "is the source of a group of in-step, but does not exist")
			return nil
		case file != nil && isSource && len(bytes.TrimSpace(file.Bytes)) == 0:
			fs.wrong(path, "is the source of a group of in-step, but is empty")
			return nil
		case file != nil:
			if doc = fs.behind(file, target, isWritable); doc == nil && isWritable {
				fs.wrong(path, "is in a group of in-step, but does not parse")
				return nil
			}
		}
	}
	switch {
	case doc != nil && isSource && len(doc.Servers) > 0 && doc.Lock == nil:
	case !isWritable:
		if isNamed {
			fs.wrong(path, "%s, but no known client reads servers there that mcplumb can write", fs.as)
		}
		return nil
	case !isSource && fs.isForeign(path, doc):
		if isNamed {
			fs.wrong(path, "%s, but belongs to another repository, where mcplumb writes nothing", fs.as)
		}
		return nil
	case doc != nil && (doc.NotLoaded && doc.Scope != mcp.ScopeUser || doc.Sample || !isNamed && (doc.Role != mcp.InUse || len(doc.Loaders()) == 0)):
		if isNamed {
			fs.wrong(path, "%s, but no client that mcplumb knows loads servers from it", fs.as)
		}
		return nil
	case doc != nil && isNamed && len(doc.Servers) > 0 && !target.Client.Reads(doc.Format, doc.RootKey):
		fs.wrong(path, "%s, but %s does not look for servers at that place in it", fs.as, target.Client.Title)
		return nil
	}
	if by := fs.instead(path, target); by != "" && !isSource {
		if isNamed {
			fs.wrong(path, "%s, but %s reads %s instead", fs.as, target.Client.Title, by)
		}
		return nil
	}
	f := &mcp.GroupFile{Path: path, Document: doc, Client: target.Client}
	if doc != nil {
		f.Project = doc.Project
	}
	if f.Project == nil && doc != nil {
		f.Project = fs.projects[target.Match.Dir]
	}
	return f
}

// instead returns the path of what clients read instead of a file, or will read if the group has
// it; "" if they read the file.
func (fs *files) instead(path string, target writing.Target) string {
	if target.Match.Format == nil {
		return ""
	}
	name := target.Match.Format.Name
	if before := target.Client.Before(name, path); before != "" && fs.named[before] {
		return before
	}
	if p := fs.projects[target.Match.Dir]; p != nil {
		if by := p.Instead(target.Match.Readers(), name, path); by != nil {
			return by.File.Path
		}
	}
	return ""
}

// isForeign reports whether a file is in another repository than the group: that of the settings,
// or that of the source that the user has named.
func (fs *files) isForeign(path string, doc *mcp.Document) bool {
	return fs.in.Repository(path) != fs.repository || doc != nil && fs.in.Repository(doc.File.Path) != fs.repository
}

// document returns the document of a path, that of its own format before others.
func (fs *files) document(path string) *mcp.Document {
	docs := fs.byPath[path]
	if len(docs) == 0 {
		return nil
	}
	m, _ := fs.in.Index.Lookup(path)
	return ofFormat(docs, m.Format)
}

// ofFormat returns the document that was read in a format, the first if there is none.
func ofFormat(docs []*mcp.Document, f *shape.Format) *mcp.Document {
	i := slices.IndexFunc(docs, func(d *mcp.Document) bool { return f != nil && d.Format == f.Name })
	return docs[max(i, 0)]
}

// behind returns the document of a file that has another name, or one of a file without an MCP
// section.
func (fs *files) behind(file *syntax.File, target writing.Target, isWritable bool) *mcp.Document {
	if docs := fs.byPath[file.Path]; len(docs) > 0 {
		return ofFormat(docs, target.Match.Format)
	}
	if !isWritable {
		return nil
	}
	return target.Empty(file)
}
