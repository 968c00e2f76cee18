package instep

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/glob"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/writing"
)

// maxProposed is how many groups are proposed. Who wants more has seen how it goes.
const maxProposed = 5

// Propose returns the groups that a repository may want in its settings: the files of
// clients in one project that hold some of the same servers. The source is the one with most
// servers, and the first of the files. Files that are generated from another one are already in
// sync.
func Propose(repo *mcp.Repo) []mcp.GroupSettings {
	ix := format.Known()
	byDir, names := map[string]*mcp.GroupSettings{}, map[string][]string{}
	for _, p := range repo.Projects {
		docs := comparable(ix, p)
		for _, d := range docs {
			names[p.Dir] = append(names[p.Dir], relative(p.Dir, d.File.Path))
		}
		if files := alike(docs); len(files) > 1 {
			byDir[p.Dir] = &mcp.GroupSettings{Files: files, Source: files[0]}
		}
	}
	perProject(byDir, names)
	return joined(byDir)
}

// Richest returns the path of the file in use with most servers that could be of a group,
// "" if there is none.
func Richest(repo *mcp.Repo) string {
	ix := format.Known()
	path, most := "", 0
	for _, p := range repo.Projects {
		for _, d := range comparable(ix, p) {
			if len(d.Servers) > most && glob.IsPlain(d.File.Path) {
				path, most = d.File.Path, len(d.Servers)
			}
		}
	}
	return path
}

// comparable returns the files of a project that may be of a group.
func comparable(ix *format.Index, p *mcp.Project) []*mcp.Document {
	if slices.ContainsFunc(p.Documents, func(d *mcp.Document) bool { return d.Scope == mcp.ScopeGenerator }) {
		return nil
	}
	return slices.DeleteFunc(p.ClientFiles(), func(d *mcp.Document) bool {
		_, isWritable := writing.OwnTarget(ix, d.File.Path)
		return !isWritable || d.NotLoaded || d.Sample || d.ReadInstead != nil || len(d.Loaders()) == 0 ||
			isPersonal(d.File.Path) || !strings.HasPrefix(d.File.Path, d.Project.Dir)
	})
}

// alike returns the paths, from the project, of the file with most servers and of those that share
// one of these; of files with equally many servers, the one that most clients read is first.
func alike(docs []*mcp.Document) []string {
	docs = slices.Clone(docs)
	slices.SortStableFunc(docs, func(a, b *mcp.Document) int {
		return cmp.Or(cmp.Compare(len(b.Servers), len(a.Servers)), cmp.Compare(len(b.Loaders()), len(a.Loaders())))
	})
	known := map[string]bool{}
	var first string
	var others []string
	for i, d := range docs {
		name := relative(d.Project.Dir, d.File.Path)
		switch {
		case i == 0:
			first = name
			for _, s := range d.Servers {
				known[s.Name], known[s.Identity.Key()] = true, true
			}
			delete(known, "")
		case name != first && !slices.Contains(others, name) && slices.ContainsFunc(d.Servers, func(s *mcp.Server) bool { return known[s.Name] || known[s.Identity.Key()] }):
			others = append(others, name)
		}
	}
	slices.Sort(others)
	return append([]string{first}, others...)
}

// perProject makes one group for each project of those of several projects that have the
// same source. names are the files of every project that could be of a group. If the projects with
// the source differ in their other files, the files are those that exist.
func perProject(byDir map[string]*mcp.GroupSettings, names map[string][]string) {
	bySource := map[string][]*mcp.GroupSettings{}
	for _, g := range byDir {
		bySource[g.Source] = append(bySource[g.Source], g)
	}
	for source, groups := range bySource {
		var all []string
		for _, g := range groups {
			all = append(all, g.Files[1:]...)
		}
		slices.Sort(all)
		all = slices.Compact(all)
		isSame, isOne := true, true
		for dir, has := range names {
			if !slices.Contains(has, source) {
				continue
			}
			g := byDir[dir]
			isOf := g != nil && g.Source == source
			isSame = isSame && isOf && len(g.Files) == len(all)+1
			// A file of the project that is in no group, apart from the source, holds other servers.
			isOne = isOne && (isOf || !slices.ContainsFunc(has, func(name string) bool { return slices.Contains(all, name) }))
		}
		pattern := strings.Join(all, ",")
		// Few groups of other files each are plainer with their names.
		if !isOne || len(groups) < 2 || !isSame && len(groups) < 3 || !glob.IsPlain(source+pattern) || strings.Contains(pattern, "}") || strings.Count(pattern, ",") >= len(all) {
			continue
		}
		if !isSame {
			all = []string{"{" + pattern + "}"}
		}
		for _, g := range groups {
			g.Files, g.PerProject = append([]string{source}, all...), true
		}
	}
}

// joined returns the groups of projects with their paths from the root, those for each
// project once.
func joined(byDir map[string]*mcp.GroupSettings) []mcp.GroupSettings {
	var groups []mcp.GroupSettings
	said := map[string]bool{}
	for _, dir := range slices.Sorted(maps.Keys(byDir)) {
		g := byDir[dir]
		if g.PerProject {
			dir = ""
		}
		named := mcp.GroupSettings{Source: join(dir, g.Source), PerProject: g.PerProject}
		for _, name := range g.Files {
			named.Files = append(named.Files, join(dir, name))
		}
		key := strings.Join(named.Files, "\n")
		if len(groups) < maxProposed && (g.PerProject || glob.IsPlain(key)) && !said[key] {
			groups = append(groups, named)
		}
		said[key] = true
	}
	return groups
}
