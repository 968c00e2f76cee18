package instep

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/glob"
	"github.com/mcplumb/mcplumb/internal/mcp"
)

// maxProposed is how many groups are proposed. Whoever wants more has seen how it goes.
const maxProposed = 5

// Propose returns the groups that a repository may want in its settings: the files of
// clients in one project that hold some of the same servers. The source is the one with
// most servers, and the first of the files. Where files are generated from another they
// are in step already.
func Propose(repo *mcp.Repo) []mcp.GroupSettings {
	ix := format.NewIndex(format.All())
	byDir, sources := map[string]mcp.GroupSettings{}, map[string]int{}
	for _, p := range repo.Projects {
		docs := comparable(ix, p)
		for _, d := range docs {
			sources[relative(p.Dir, d.File.Path)]++
		}
		if files := alike(docs); len(files) > 1 {
			byDir[p.Dir] = mcp.GroupSettings{Files: files, Source: files[0]}
		}
	}
	return joined(byDir, sources)
}

// Richest returns the path of the file in use with most servers that could be of a group,
// "" if there is none.
func Richest(repo *mcp.Repo) string {
	ix := format.NewIndex(format.All())
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
		_, isWritable := ix.OwnTarget(d.File.Path)
		return !isWritable || d.Unread || d.Sample || d.ReadInstead != nil || len(d.Loaders()) == 0 ||
			isPersonal(d.File.Path) || !strings.HasPrefix(d.File.Path, d.Project.Dir)
	})
}

// alike returns the paths, from the project, of the file with most servers and of those
// that have one of these, too; of as many servers the one that most clients read is first.
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

// joined returns the groups of projects with their paths from the root. Where all that
// have the source have the same group, one for each project stands for all of them.
func joined(byDir map[string]mcp.GroupSettings, sources map[string]int) []mcp.GroupSettings {
	key := func(g mcp.GroupSettings) string { return strings.Join(g.Files, "\n") }
	count := map[string]int{}
	for _, g := range byDir {
		count[key(g)]++
	}
	var groups []mcp.GroupSettings
	said := map[string]bool{}
	for _, dir := range slices.Sorted(maps.Keys(byDir)) {
		g := byDir[dir]
		k := key(g)
		if g.PerProject = count[k] > 1 && count[k] == sources[g.Source]; g.PerProject {
			dir = ""
		}
		named := mcp.GroupSettings{Source: join(dir, g.Source), PerProject: g.PerProject}
		for _, name := range g.Files {
			named.Files = append(named.Files, join(dir, name))
		}
		isPlain := !slices.ContainsFunc(named.Files, func(name string) bool { return !glob.IsPlain(name) })
		if len(groups) < maxProposed && isPlain && !said[key(named)] {
			groups = append(groups, named)
		}
		said[key(named)] = true
	}
	return groups
}
