package instep

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/writing"
)

// Limits of a comparison that the settings do not ask for: a picture of more files
// or servers is one that is not read.
const (
	maxProjectFiles  = 64
	maxProjectAbsent = 10_000
)

// Projects compares the files that clients load in each project that has two of them or
// more, every one counting the same. It is for outputs that show files side by side: the groups are
// stored nowhere, and no rule sees them. For files beyond the 64th of a project, the group has only
// the paths, and at most 10,000 servers that are missing in a file are considered in all.
func Projects(repo *mcp.Repo, index *format.Index) []*mcp.Group {
	f := &filler{in: Input{Repo: repo, Index: index}, left: maxProjectAbsent, targets: map[*mcp.GroupFile]writing.Target{}}
	everything := newWanted(&mcp.GroupSettings{})
	var groups []*mcp.Group
	for _, p := range repo.Projects {
		g := f.ofProject(p)
		if !isSeveral(g.Files) {
			continue
		}
		all := g.Files
		g.Files = all[:min(len(all), maxProjectFiles)]
		f.byMajority(g, everything)
		for _, row := range g.Rows {
			forgiveElsewhere(row)
		}
		g.Files = all
		groups = append(groups, g)
	}
	return groups
}

// loadedAs returns one document for all that a client loads together with one of a file.
func loadedAs(f *mcp.GroupFile) *mcp.Document {
	if together := f.Document.LoadedWith; len(together) > 0 {
		return together[0]
	}
	return f.Document
}

// isSeveral reports whether not all files are loaded together.
func isSeveral(files []*mcp.GroupFile) bool {
	return slices.ContainsFunc(files, func(f *mcp.GroupFile) bool { return loadedAs(f) != loadedAs(files[0]) })
}

// forgiveElsewhere notes that a server need not be in a file whose client loads it from
// another one.
func forgiveElsewhere(row *mcp.GroupRow) {
	loaded := map[*mcp.Document]bool{}
	for _, c := range row.Cells {
		if c.Server != nil {
			loaded[loadedAs(c.File)] = true
		}
	}
	for _, c := range row.Cells {
		if c.Server == nil && loaded[loadedAs(c.File)] {
			c.State, c.Losses = mcp.InStep, nil
		}
	}
}

// ofProject returns the files that clients load in a project, each once under all of its names. A
// file without a place for servers is not among them.
func (f *filler) ofProject(p *mcp.Project) *mcp.Group {
	g := &mcp.Group{Dir: p.Dir, IsOfProject: true}
	known := map[string]bool{}
	for _, d := range p.ClientFiles() {
		hasServers := len(d.Servers) > 0 || !d.Root.IsZero()
		if !hasServers || known[d.File.Path] || d.Sample || d.NotLoaded || d.ReadInstead != nil || len(d.Loaders()) == 0 {
			continue
		}
		known[d.File.Path] = true
		file := &mcp.GroupFile{Group: g, Path: d.File.Path, Project: p, Document: d}
		if t, ok := writing.OwnTarget(f.in.Index, file.Path); ok {
			file.Client, f.targets[file] = t.Client, t
		}
		g.Files = append(g.Files, file)
	}
	return g
}
