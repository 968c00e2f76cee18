package instep

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/writing"
)

// Writable returns the clients that have a file in a project which servers can be written
// into, sorted by ID.
func Writable() []*mcp.Client {
	ix := format.Known()
	return slices.DeleteFunc(mcp.Clients(), func(c *mcp.Client) bool { return len(places(ix, c)) == 0 })
}

// places returns where a client looks for its own files in a project, from the directory
// of that: first those with nothing but servers in them, last those with a * in their name.
func places(ix *format.Index, c *mcp.Client) []string {
	var dedicated, shared, starred []string
	for _, f := range format.All() {
		if f.Scope != mcp.ScopeProject || c.Reading(f.Name) == nil {
			continue
		}
		for _, name := range f.Paths {
			t, ok := writing.OwnTarget(ix, name)
			switch {
			case !ok || t.Client != c || t.Match.Format != f || isPersonal(name):
			case strings.Contains(name, "*"):
				starred = append(starred, name)
			case f.Dedicated:
				dedicated = append(dedicated, name)
			default:
				shared = append(shared, name)
			}
		}
	}
	return slices.Concat(dedicated, shared, starred)
}

// NewFiles returns the file that each of Writable would have in a project without one, as a
// target, in their order.
func NewFiles() []writing.Target {
	ix := format.Known()
	var all []writing.Target
	for _, c := range mcp.Clients() {
		if of := places(ix, c); len(of) > 0 {
			if t, ok := writing.TargetOf(ix, strings.ReplaceAll(of[0], "*", newName), c); ok {
				all = append(all, t)
			}
		}
	}
	return all
}

// isPersonal reports whether a file is by its name what a person overrides the shared one with
// on one machine, out of git: settings.local.json.
func isPersonal(name string) bool { return strings.Contains(path.Base(name), ".local.") }

// ClientFiles finds the files of clients in the project of a file.
type ClientFiles struct {
	// Source is the file that the others must follow.
	Source *mcp.Document
	// IsThere reports whether there is a file at a path from the root. One without
	// servers has no document.
	IsThere func(path string) bool

	index *format.Index
}

// NewClientFiles returns what finds files in the project of a document.
func NewClientFiles(source *mcp.Document, isThere func(path string) bool) *ClientFiles {
	return &ClientFiles{Source: source, IsThere: isThere, index: format.Known()}
}

// File returns the path, from the root, of the file that a client has or would have in the project,
// in addition to the source. The error says in a clause why there is none.
func (cf *ClientFiles) File(c *mcp.Client) (string, error) {
	all := places(cf.index, c)
	if len(all) == 0 {
		return "", fmt.Errorf("%s has no project file that mcplumb can write", c.Title)
	}
	docs, err := cf.documents(c, all)
	if err != nil {
		return "", err
	}
	if len(docs) == 0 && slices.Contains(cf.Source.Loaders(), c) {
		return "", fmt.Errorf("%s reads %s itself", c.Title, cf.Source.File.Path)
	}
	file := cf.empty(all)
	if len(docs) > 0 {
		file = docs[0].File.Path
	}
	if by := cf.instead(c, file); by != nil {
		return "", fmt.Errorf("%s reads %s here, not %s%s", c.Title, by.File.Path, file, cf.writes(by))
	}
	return file, nil
}

// empty returns the path of a client's file without servers that is there, else of a new
// one.
func (cf *ClientFiles) empty(places []string) string {
	dir := cf.Source.Project.Dir
	for _, name := range places {
		if at := join(dir, name); !strings.Contains(name, "*") && cf.IsThere(at) {
			return at
		}
	}
	return join(dir, strings.ReplaceAll(places[0], "*", newName))
}

// instead returns the document that a client reads instead of its own file, nil if it reads the
// file.
func (cf *ClientFiles) instead(c *mcp.Client, file string) *mcp.Document {
	m, _ := cf.index.Lookup(file)
	if m.Format == nil {
		return nil
	}
	return cf.Source.Project.Instead([]*mcp.Client{c}, m.Format.Name, file)
}

// writes says how a document is written, if it can be.
func (cf *ClientFiles) writes(d *mcp.Document) string {
	if t, ok := writing.OwnTarget(cf.index, d.File.Path); ok {
		return fmt.Sprintf(": --to %s writes that", t.Client.ID)
	}
	return ""
}

// All returns the files of all clients that have one with servers in the project, sorted;
// and of each that has several and none before the others why none of them is written, as
// a sentence. A client that reads the source has its servers already.
func (cf *ClientFiles) All() (files, left []string) {
	for _, c := range mcp.Clients() {
		if slices.Contains(cf.Source.Loaders(), c) {
			continue
		}
		docs, err := cf.documents(c, places(cf.index, c))
		switch {
		case err != nil:
			left = append(left, err.Error())
		case len(docs) > 0 && docs[0].ReadInstead == nil && !slices.Contains(files, docs[0].File.Path):
			files = append(files, docs[0].File.Path)
		}
	}
	slices.Sort(files)
	return files, left
}

// newName is the name of a new file if the client accepts any name.
const newName = "mcp"

// documents returns a client's own files with servers in the project, without the source, in the
// order of places. The error says that there are several and mcplumb cannot choose.
func (cf *ClientFiles) documents(c *mcp.Client, places []string) ([]*mcp.Document, error) {
	for _, place := range places {
		var docs []*mcp.Document
		for _, d := range cf.Source.Project.Documents {
			if d.File.Path != cf.Source.File.Path && cf.isAt(d, c, place) {
				docs = append(docs, d)
			}
		}
		if len(docs) > 1 {
			return nil, fmt.Errorf("%s has several files here, such as %s and %s: name one under in-step in the settings", c.Title, docs[0].File.Path, docs[1].File.Path)
		}
		if len(docs) == 1 {
			return docs, nil
		}
	}
	return nil, nil
}

// isAt reports whether a document is a client's at one of its places.
func (cf *ClientFiles) isAt(d *mcp.Document, c *mcp.Client, place string) bool {
	if d.NotLoaded || d.Sample || d.Role != cf.Source.Role || d.Scope != mcp.ScopeProject {
		return false
	}
	t, ok := writing.OwnTarget(cf.index, d.File.Path)
	if !ok || t.Client != c || t.Match.Format.Name != d.Format {
		return false
	}
	matches, err := path.Match(strings.ToLower(place), strings.ToLower(relative(d.Project.Dir, d.File.Path)))
	return err == nil && matches
}

// Names reports whether a group may have the file of a path, from the root.
func Names(g *mcp.GroupSettings, file string) bool {
	if g.Literal {
		return slices.Contains(g.Files, file)
	}
	patterns := index(g.Files)
	if patterns.Matches(file) {
		return true
	}
	for rest := file; g.PerProject; {
		_, after, more := strings.Cut(rest, "/")
		if !more {
			break
		}
		if rest = after; patterns.Matches(rest) {
			return true
		}
	}
	return false
}
