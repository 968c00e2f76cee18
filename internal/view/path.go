package view

import (
	"path"
	"path/filepath"
	"strings"
)

// Paths says how the paths of a repository look from where the program runs. The
// zero value leaves them as they are: slash-separated, from the root.
type Paths struct {
	root, dir string
	// below is the root as seen from a directory above it, inside is the directory
	// as seen from the root, with a slash; at most one of them is not empty.
	below, inside string
}

// NewPaths returns how paths look from a directory. Both are absolute and without
// links.
func NewPaths(root, dir string) Paths {
	p := Paths{root: root, dir: dir}
	up, err := filepath.Rel(dir, root)
	if err != nil || up == "." {
		return p
	}
	if up = filepath.ToSlash(up); !strings.HasPrefix(up, "..") {
		p.below = up
		return p
	}
	if down, err := filepath.Rel(root, dir); err == nil && !strings.HasPrefix(down, "..") {
		p.inside = filepath.ToSlash(down) + "/"
	}
	return p
}

// short returns a path from the root as people see it: from the current directory
// if it is below that, else as it is.
func (p Paths) short(name string) string {
	if p.below != "" {
		return path.Join(p.below, name)
	}
	return strings.TrimPrefix(name, p.inside)
}

// open returns a path from the root as programs open it that run in the current
// directory.
func (p Paths) open(name string) string {
	if p.dir == "" {
		return name
	}
	return p.Seen(filepath.Join(p.root, filepath.FromSlash(name)))
}

// Seen returns an absolute path as seen from the current directory.
func (p Paths) Seen(absolute string) string {
	if relative, err := filepath.Rel(p.dir, absolute); err == nil {
		return filepath.ToSlash(relative)
	}
	return absolute
}

// Path is the path of a file of the repository. Its credentials are not hidden,
// for whoever is told of the file has to find it; it is hostile like any text.
type Path struct {
	paths *Paths
	name  string
}

// FromRoot returns the path from the root of the repository.
func (p Path) FromRoot() Text { return Text{p.name} }

// FromHere returns the path from the current directory, even if that is below
// another one.
func (p Path) FromHere() Text { return Text{p.paths.open(p.name)} }

// String returns the path as people see it, as a terminal or a log may hold it.
func (p Path) String() string { return Text{p.paths.short(p.name)}.String() }

// IsZero reports that there is no path.
func (p Path) IsZero() bool { return p.name == "" }
