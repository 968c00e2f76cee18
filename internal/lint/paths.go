package lint

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// UsageError is a mistake in what the run was asked to do: a path that does
// not exist, settings that cannot be understood.
type UsageError struct {
	// Path, Line and Column say where the mistake is written; empty and zero
	// if it is on the command line.
	Path         string
	Line, Column int
	Message      string
}

func (e *UsageError) Error() string {
	switch {
	case e.Path == "":
		return e.Message
	case e.Column > 0:
		return fmt.Sprintf("%s:%d:%d: %s", e.Path, e.Line, e.Column, e.Message)
	case e.Line > 0:
		return fmt.Sprintf("%s:%d: %s", e.Path, e.Line, e.Message)
	}
	return e.Path + ": " + e.Message
}

// target is a PATH of the command line.
type target struct {
	given string
	real  string // absolute, links in its directory resolved
	path  string // slash-separated from the root, "" for the root itself
	isDir bool
}

// Root returns the root of the repository around a directory, which is the
// directory itself outside of git. The error is a *UsageError.
func Root(dir string) (string, error) {
	root, _, _, err := resolveTargets(dir, nil)
	return root, err
}

// resolveTargets finds out what the paths mean and which directory is the root
// of the repository they belong to. inGit reports that it is a git work tree.
func resolveTargets(dir string, given []string) (root string, inGit bool, targets []target, err error) {
	if len(given) == 0 {
		given = []string{"."}
	}
	for _, g := range given {
		t, err := resolveTarget(dir, g)
		if err != nil {
			return "", false, nil, err
		}
		targets = append(targets, t)
	}
	root, inGit, err = commonRoot(dir, targets)
	if err != nil {
		return "", false, nil, err
	}
	for i := range targets {
		targets[i].path, _ = below(root, targets[i].real)
	}
	return root, inGit, targets, nil
}

func resolveTarget(dir, given string) (target, error) {
	if given == "" {
		return target{}, &UsageError{Message: "a path is empty"}
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
			return target{}, &UsageError{Message: fmt.Sprintf("%s: %s", given, plainError(err))}
		}
	}
	t.isDir = err == nil && info.IsDir()
	if t.isDir {
		t.real, err = filepath.EvalSymlinks(t.real)
	} else {
		var parent string
		parent, err = filepath.EvalSymlinks(filepath.Dir(t.real))
		t.real = filepath.Join(parent, filepath.Base(t.real))
	}
	if err != nil {
		return target{}, &UsageError{Message: fmt.Sprintf("%s: %s", given, plainError(err))}
	}
	return t, nil
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
			top = gitTop(start)
			tops[start] = top
		}
		if i == 0 {
			first, root = t, top
			continue
		}
		if top != root {
			return "", false, &UsageError{Message: fmt.Sprintf(
				"%s and %s are not in the same repository: check one repository at a time", first.given, t.given)}
		}
	}
	if root != "" {
		return root, true, nil
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", false, &UsageError{Message: "the current directory: " + plainError(err)}
	}
	root = dir
	for i := range targets {
		if _, ok := below(dir, targets[i].real); !ok {
			return deepestCommon(targets), false, nil
		}
	}
	return root, false, nil
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

// deepestCommon returns the deepest directory that holds every target.
func deepestCommon(targets []target) string {
	root := targets[0].real
	if !targets[0].isDir {
		root = filepath.Dir(root)
	}
	for _, t := range targets[1:] {
		for {
			if _, ok := below(root, t.real); ok {
				break
			}
			root = filepath.Dir(root)
		}
	}
	return root
}

// below returns the slash-separated path from dir to path, and whether path is
// dir or below it. Both are absolute and clean.
func below(dir, path string) (string, bool) {
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

// within reports whether a slash-separated path is dir or below it; "" is the
// root.
func within(dir, path string) bool {
	return dir == "" || path == dir || strings.HasPrefix(path, dir+"/")
}

// plainError returns what went wrong without the path, which the message names
// in its own way.
func plainError(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "no such file or directory"
	}
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err.Error()
	}
	return err.Error()
}
