// Package link computes the relations of the files of a repository: which belong to one project,
// which name which, which disable servers in others, which were generated from which, which a
// client loads together or instead of others, which lockfile is about which server. Every relation
// is a function of the documents; nothing is read.
package link

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
)

// Part is a document and the directory that it configures, from the root.
type Part struct {
	Dir      string
	Document *mcp.Document
}

// Repo groups documents into the projects they belong to, and notes in them what
// they say of each other.
func Repo(parts []Part) *mcp.Repo {
	repo := &mcp.Repo{}
	byDir := map[string]*mcp.Project{}
	for _, part := range parts {
		project := byDir[part.Dir]
		if project == nil {
			project = &mcp.Project{Dir: part.Dir}
			byDir[part.Dir] = project
			repo.Projects = append(repo.Projects, project)
		}
		part.Document.Project = project
		project.Documents = append(project.Documents, part.Document)
	}
	slices.SortFunc(repo.Projects, func(a, b *mcp.Project) int { return strings.Compare(a.Dir, b.Dir) })
	for _, p := range repo.Projects {
		// The names of one file stay in their order.
		slices.SortStableFunc(p.Documents, func(a, b *mcp.Document) int { return strings.Compare(a.File.Path, b.File.Path) })
	}
	Relate(repo)
	return repo
}

// Relate notes in the documents of grouped projects what they say of each other.
func Relate(repo *mcp.Repo) {
	for _, p := range repo.Projects {
		applySwitches(p)
		unread(p)
		p.References = references(p)
		loadTogether(p)
		shadow(p)
		p.Compared = compared(p)
		copies(p)
		track(p)
	}
	bundles(repo)
	govern(repo)
	locks(repo)
	said := map[*mcp.Document]bool{}
	for _, p := range repo.Projects {
		claims(p, said)
	}
}

// File is a file that a document names as part of its configuration, and how to read it.
type File struct {
	Path  string // from the root
	Match shape.Match
}

// Files returns the files that a document names. match is how it was read itself.
func Files(index *format.Index, match shape.Match, doc *mcp.Document) []File {
	var files []File
	for _, link := range doc.Links {
		target := path.Clean(link.Path)
		if !fs.ValidPath(target) {
			continue
		}
		if followed, ok := index.Follow(match, link); ok {
			files = append(files, File{target, followed})
		}
	}
	return files
}
