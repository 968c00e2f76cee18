package lint

import (
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
)

// extent is what changes concern: the current projects whose files, lockfiles or neighbors
// have changed.
type extent struct {
	// projects reports whether each project is concerned, by its directory.
	projects map[string]bool
	// homes are the directories of the projects that a file is in, by its path.
	homes map[string][]string
}

// holds reports whether the project of a directory is concerned. A project that no longer
// exists is.
func (e *extent) holds(dir string) bool {
	concerned, isThere := e.projects[dir]
	return concerned || !isThere
}

// isOutside reports whether a file of today is in no project that is concerned.
func (e *extent) isOutside(path string) bool {
	dirs := e.homes[path]
	return len(dirs) > 0 && !slices.ContainsFunc(dirs, e.holds)
}

// isElsewhere reports whether a current file is in no project: what a package manager has
// installed, the settings. Findings in it depend on nothing else.
func (e *extent) isElsewhere(path string) bool { return len(e.homes[path]) == 0 }

// isState reports whether a tool keeps the file out of git: no revision has it, so mcplumb
// cannot tell whether it is new.
func (g *gathered) isState(path string) bool {
	c := g.candidate(path)
	return c.isState || c.isLocal
}

// candidate returns the candidate at a path, the zero value for any other file.
func (g *gathered) candidate(path string) candidate {
	i, found := slices.BinarySearchFunc(g.found.candidates, path, func(c candidate, path string) int { return strings.Compare(c.path, path) })
	if !found {
		return candidate{}
	}
	return g.found.candidates[i]
}

// withoutLocal removes the findings in files that git ignores and that were read only for
// their group: no other checkout has their content.
func (g *gathered) withoutLocal(findings []rule.Finding) []rule.Finding {
	isLocal := func(r rule.Related) bool { return g.candidate(r.File.Path).isLocal }
	return slices.DeleteFunc(findings, func(f rule.Finding) bool {
		return !f.Rule.Asked && f.Rule != checks.SyntaxError &&
			(g.candidate(f.File.Path).isLocal || slices.ContainsFunc(f.Related, isLocal))
	})
}

// newExtent works out what changes concern. changed are the paths whose content differs,
// before are the files of the base.
func newExtent(now *gathered, before *discovered, changed []string) *extent {
	e := &extent{projects: map[string]bool{}, homes: map[string][]string{}}
	m := marks{dirs: map[string]bool{}, trees: map[string]bool{}, above: map[string]bool{}, aboveFiles: map[string]bool{}}
	files := map[string]candidate{}
	for _, c := range before.candidates {
		files[c.path] = c
	}
	for _, c := range now.found.candidates {
		delete(files, c.path)
		e.homes[c.path] = append(e.homes[c.path], c.match.Dir)
	}
	for _, c := range files {
		m.addFile(c) // it no longer exists
	}
	for _, c := range now.found.candidates {
		files[c.path] = c
	}
	for _, path := range changed {
		if c, isFile := files[path]; isFile {
			m.addFile(c)
		} else {
			m.addOther(path)
		}
	}
	for _, p := range now.repo.Projects {
		for _, d := range p.Documents {
			e.homes[d.File.Path] = append(e.homes[d.File.Path], p.Dir)
		}
	}
	for dir := range now.touched {
		m.dirs[dir] = true
	}
	if now.found.isPersonal != before.isPersonal {
		m.trees[""] = true // personal settings are checked differently
	}
	for _, p := range now.repo.Projects {
		if hasLocked(p, changed) {
			m.dirs[p.Dir] = true
		}
	}
	e.mark(now.repo.Projects, m)
	e.markGroups(now.repo.Groups, files, now.found.candidates)
	return e
}

// hasLocked reports whether a lockfile of a project has an entry of a program of the repository
// that has changed, wherever that is. changed are sorted.
func hasLocked(p *mcp.Project, changed []string) bool {
	for _, d := range p.Documents {
		if d.Lock == nil || !d.Tool.ByProgram {
			continue
		}
		for _, entry := range d.Lock.Entries {
			if _, isOther := slices.BinarySearch(changed, entry.Target.Identity.Name); isOther {
				return true
			}
		}
	}
	return false
}

// markGroups marks the projects of files that should be in sync as concerned together. A
// file that no longer exists may have been one of them.
func (e *extent) markGroups(groups []*mcp.Group, all map[string]candidate, today []candidate) {
	isFewer := len(all) > len(today)
	isMarked := func(f *mcp.GroupFile) bool {
		_, was := all[f.Path]
		return e.projects[f.Project.Dir] || f.Document == nil && was
	}
	for isMore := true; isMore; {
		isMore = false
		for _, g := range groups {
			if !slices.ContainsFunc(g.Files, isMarked) && (g.Source != nil || !isFewer) {
				continue
			}
			for _, f := range g.Files {
				isMore = isMore || !e.projects[f.Project.Dir]
				e.projects[f.Project.Dir] = true
			}
		}
	}
}

// marks are the directories that changes are in.
type marks struct {
	// dirs are directories of projects, trees are directories with all that is below them.
	dirs, trees map[string]bool
	// above are the directories above a file that was looked up, aboveFiles those above a
	// file with servers or a lockfile; each also contains the directory of the file itself.
	above, aboveFiles map[string]bool
}

// addFile adds a file with servers or a lockfile, which governs the directories below it.
func (m *marks) addFile(c candidate) {
	if c.match.Format.Scope == mcp.ScopeLock {
		m.trees[c.match.Dir] = true
	}
	m.dirs[c.match.Dir] = true
	addAbove(m.aboveFiles, c.match.Dir)
}

// addOther adds a file that a rule or a format looks up, to learn what is installed or whether a
// program exists. The project that looks it up is above it or below its directory. The names of the
// repository's packages matter everywhere, and so do its workflows.
func (m *marks) addOther(file string) {
	dir := mcp.Parent(file)
	switch path.Base(file) {
	case "package.json", "pyproject.toml", "Cargo.toml":
		dir = ""
	default:
		if strings.HasPrefix(file, ".github/") {
			dir = ""
		}
	}
	m.trees[dir] = true
	addAbove(m.above, dir)
}

// addAbove adds a directory and all above it.
func addAbove(dirs map[string]bool, dir string) {
	for ; !dirs[dir]; dir = mcp.Parent(dir) {
		dirs[dir] = true
	}
}

// listsPlugins reports whether a marketplace of a project lists plugins below it.
func listsPlugins(p *mcp.Project) bool { return len(p.Facts.Plugins) > 0 }

// isMarked reports whether a project is in a directory that changes are in, or its
// lockfile governs one, or a marketplace of it lists one.
func (m *marks) isMarked(p *mcp.Project) bool {
	if m.dirs[p.Dir] || m.above[p.Dir] || (len(p.Governs) > 0 || listsPlugins(p)) && m.aboveFiles[p.Dir] {
		return true
	}
	for dir := p.Dir; ; dir = mcp.Parent(dir) {
		if m.trees[dir] || dir == "" {
			return m.trees[dir]
		}
	}
}

// mark notes which projects are concerned: the marked ones, and those whose files are compared with
// theirs, under one lockfile or as parts of bundles.
func (e *extent) mark(projects []*mcp.Project, m marks) {
	governors, areBundles := map[*mcp.Project]bool{}, false
	for _, p := range projects {
		e.projects[p.Dir] = m.isMarked(p)
		areBundles = areBundles || e.projects[p.Dir] && isBundled(p)
	}
	for _, p := range projects {
		e.projects[p.Dir] = e.projects[p.Dir] || areBundles && isBundled(p)
		governors[p.GovernedBy] = governors[p.GovernedBy] || e.projects[p.Dir]
	}
	for _, p := range projects {
		e.projects[p.Dir] = e.projects[p.Dir] || p.GovernedBy != nil && governors[p.GovernedBy]
	}
}

// isBundled reports whether a file of a project is a part of a bundle, which may be
// compared with bundles of other projects.
func isBundled(p *mcp.Project) bool {
	return slices.ContainsFunc(p.Documents, func(d *mcp.Document) bool { return d.BundleName() != "" })
}
