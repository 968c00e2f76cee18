package view

import (
	"path"
	"path/filepath"
)

// Paths says how the paths of a repository look from where the program runs. The
// zero value leaves them as they are: slash-separated, from the root.
type Paths struct {
	root, dir string
	// within is where the root is in the repository, "" for its root.
	within string
}

// Within returns how paths look where the root of the run is only a directory of
// the repository, named from the repository's root: without git its root is unknown.
func Within(dir string) Paths { return Paths{within: dir} }

// NewPaths returns how paths look from a directory. Both are absolute and without
// links.
func NewPaths(root, dir string) Paths { return Paths{root: root, dir: dir} }

// fromRoot returns a path from the root of the run as one from that of the
// repository. Names are hostile, and stay as they are.
func (p Paths) fromRoot(name string) string {
	if p.within == "" {
		return name
	}
	return path.Join(p.within, name)
}

// here returns a path from the root as people and programs find it that are in the
// current directory.
func (p Paths) here(name string) string {
	if p.dir == p.root {
		return p.fromRoot(name)
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

// Path is the path of a file of the repository. Its credentials are not hidden, because a
// reader must find the file; it is hostile like any text.
type Path struct {
	paths *Paths
	name  string
}

// FromRoot returns the path from the root of the repository.
func (p Path) FromRoot() Text { return Text{p.paths.fromRoot(p.name)} }

// FromHere returns the path from the current directory, even if that is below
// another one.
func (p Path) FromHere() Text { return Text{p.paths.here(p.name)} }

// String returns the path from the current directory, as a terminal or a log may
// hold it.
func (p Path) String() string { return p.FromHere().String() }

// IsZero reports that there is no path.
func (p Path) IsZero() bool { return p.name == "" }
