package source

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Workspace is where on disk a command works.
type Workspace struct {
	// Root is the root of the repository that the paths belong to, absolute,
	// links resolved. Outside of git it is the nearest directory with settings, at
	// or above the current one; without settings the current one, or the deepest
	// directory above all paths.
	Root string
	// Git reports that Root is the top of a git work tree.
	Git bool
	// Dir is the current directory, absolute, links resolved.
	Dir string
	// Targets are the paths from the root, links in their directories resolved.
	Targets []string
}

// Find finds the workspace of paths as a command line names them, seen from dir,
// the current directory; none means dir itself. settings is the name of the file
// that makes a directory outside of git a root. The errors name the path.
func Find(dir string, paths []string, settings string) (Workspace, error) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return Workspace{}, errors.New("the current directory: " + reason(err))
	}
	if len(paths) == 0 {
		paths = []string{"."}
	}
	var targets []target
	for _, given := range paths {
		t, err := resolveTarget(dir, given)
		if err != nil {
			return Workspace{}, err
		}
		targets = append(targets, t)
	}
	root, inGit, err := commonRoot(dir, targets)
	if err != nil {
		return Workspace{}, err
	}
	if !inGit {
		root = withSettings(root, settings)
	}
	w := Workspace{Root: root, Git: inGit, Dir: dir}
	for _, t := range targets {
		path, _ := Below(root, t.real)
		w.Targets = append(w.Targets, path)
	}
	return w, nil
}

// Tree returns the files of the workspace.
func (w Workspace) Tree(git Git) Tree {
	if !w.Git {
		git = Git{}
	}
	return Disk(w.Root, git)
}

// target is a path of a command line.
type target struct {
	given string
	real  string // absolute, links in its directory resolved
	isDir bool
}

func resolveTarget(dir, given string) (target, error) {
	if given == "" {
		return target{}, errors.New("a path is empty")
	}
	t := target{given: given, real: filepath.Join(dir, given)}
	if filepath.IsAbs(given) {
		t.real = filepath.Clean(given)
	}
	info, err := os.Stat(t.real)
	if err != nil {
		// A link that leads nowhere is a file that cannot be read, which the
		// run reports; anything else is a typing error.
		if linkInfo, linkErr := os.Lstat(t.real); linkErr != nil || linkInfo.Mode().Type() != fs.ModeSymlink {
			return target{}, fmt.Errorf("%s: %w", given, &explained{err})
		}
	}
	t.isDir = err == nil && info.IsDir()
	// A link that is a file is read, which says where it leads.
	if leadsOut(dir, filepath.Dir(t.real)) || t.isDir && leadsOut(dir, t.real) {
		return target{}, fmt.Errorf("%s: a link leads out of the repository: name what it leads to", given)
	}
	if t.isDir {
		t.real, err = filepath.EvalSymlinks(t.real)
	} else {
		var parent string
		parent, err = filepath.EvalSymlinks(filepath.Dir(t.real))
		t.real = filepath.Join(parent, filepath.Base(t.real))
	}
	if err != nil {
		return target{}, fmt.Errorf("%s: %w", given, &explained{err})
	}
	return t, nil
}

// leadsOut reports whether a link on the way to a path, or at its end, leads out
// of the repository that holds it, which would be checked as if it were a part of
// that. Outside of git a link may not lead out of the current directory.
func leadsOut(current, path string) bool {
	at := filepath.VolumeName(path) + string(filepath.Separator)
	for name := range strings.SplitSeq(strings.TrimPrefix(path, at), string(filepath.Separator)) {
		next := filepath.Join(at, name)
		info, err := os.Lstat(next)
		if err != nil {
			return false
		}
		if info.Mode().Type() == fs.ModeSymlink {
			if next, err = filepath.EvalSymlinks(next); err != nil {
				return false
			}
			top := gitTop(at)
			if _, ok := Below(current, at); top == "" && ok {
				top = current
			}
			if _, ok := Below(top, next); top != "" && !ok {
				return true
			}
		}
		at = next
	}
	return false
}

// commonRoot returns the root that all targets share: the top of their git work
// tree, else the current directory if they are below it, else the deepest
// directory above all of them.
func commonRoot(dir string, targets []target) (root string, inGit bool, err error) {
	tops := map[string]string{}
	var first target
	for i, t := range targets {
		start := t.real
		if !t.isDir {
			start = filepath.Dir(start)
		}
		top, known := tops[start]
		if !known {
			top = topAround(start)
			tops[start] = top
		}
		if i == 0 {
			first, root = t, top
			continue
		}
		if top != root {
			return "", false, fmt.Errorf(
				"%s and %s are not in the same repository: check one repository at a time", first.given, t.given)
		}
	}
	if root != "" {
		return root, true, nil
	}
	root = dir
	for i := range targets {
		if _, ok := Below(dir, targets[i].real); !ok {
			return deepestCommon(targets), false, nil
		}
	}
	return root, false, nil
}

// topAround returns the top of the repository that a directory belongs to. That of
// a client's own directory, as a submodule can be, says nothing without the
// repository around it: .cursor/mcp.json is not mcp.json.
func topAround(dir string) string {
	top := gitTop(dir)
	if top != "" && strings.HasPrefix(filepath.Base(top), ".") {
		if around := gitTop(filepath.Dir(top)); around != "" {
			return around
		}
	}
	return top
}

// gitTop returns the nearest directory at or above dir that holds a git
// repository, or "". Git itself is not asked: it may not be there.
func gitTop(dir string) string {
	for {
		dotGit := filepath.Join(dir, ".git")
		if info, err := os.Lstat(dotGit); err == nil {
			if info.Mode().IsRegular() {
				return dir // a submodule or linked work tree
			}
			if _, err := os.Stat(filepath.Join(dotGit, "HEAD")); err == nil {
				return dir
			}
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// withSettings returns the nearest directory at or above dir that holds a file of
// that name, or dir.
func withSettings(dir, name string) string {
	for above := dir; ; above = filepath.Dir(above) {
		if info, err := os.Stat(filepath.Join(above, name)); err == nil && info.Mode().IsRegular() {
			return above
		}
		if above == filepath.Dir(above) {
			return dir
		}
	}
}

// deepestCommon returns the deepest directory that holds every target.
func deepestCommon(targets []target) string {
	root := targets[0].real
	if !targets[0].isDir {
		root = filepath.Dir(root)
	}
	for _, t := range targets[1:] {
		for {
			if _, ok := Below(root, t.real); ok {
				break
			}
			root = filepath.Dir(root)
		}
	}
	return root
}

// Below returns the slash-separated path from dir to path, and whether path is
// dir or below it. Both are absolute and clean.
func Below(dir, path string) (string, bool) {
	if path == dir {
		return "", true
	}
	prefix := dir
	if !strings.HasSuffix(prefix, string(filepath.Separator)) {
		prefix += string(filepath.Separator)
	}
	rest, ok := strings.CutPrefix(path, prefix)
	if !ok {
		return "", false
	}
	return filepath.ToSlash(rest), true
}
