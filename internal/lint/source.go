package lint

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Source is where files come from: a work tree, or what stands in for it (a
// work tree with edits laid over it, a git revision). All paths are
// slash-separated, from the root.
type Source interface {
	// List returns the paths of the files below dirs ("" is the root) for
	// which keep is true, sorted, each once. What could not be looked into is
	// returned beside them.
	List(ctx context.Context, dirs []string, keep func(path string) bool) ([]string, []FileError, error)
	// Read returns a file's content and the path it really is at, links
	// resolved. The error is fs.ErrNotExist if there is no such file.
	Read(path string) (content []byte, real string, err error)
	// LeftOut reports whether List may have left out files because of what the
	// repository ignores.
	LeftOut() bool
	// Has reports whether there is a file to read, of which nobody else knows:
	// a regular one that no link leads out of the root to.
	Has(path string) bool
}

// FileError says why a file, or a rule on a project, was not checked.
type FileError struct {
	Path    string // from the root
	Message string
}

func (e *FileError) Error() string {
	if e.Path == "" {
		return e.Message
	}
	return e.Path + ": " + e.Message
}

// Tree is a directory on disk.
type Tree struct {
	root  string // absolute, links resolved
	inGit bool
	git   Git
	// dirs caches where directories really are, since most files share theirs.
	dirs sync.Map
	// whole reports that List returned all there is: nothing was left out.
	whole bool
}

// Git is how git is started. Without a Program, a tree is walked.
type Git struct {
	Program string
	// Environ is the environment of the caller; what would point git elsewhere
	// is taken out of it.
	Environ []string
}

// NewTree returns the source of the files below root, an absolute path without
// links. inGit says that it is the top of a git work tree.
func NewTree(root string, inGit bool, git Git) *Tree {
	return &Tree{root: root, inGit: inGit, git: git}
}

// List asks git for its files, tracked and untracked but not ignored, and walks
// where git knows nothing.
func (t *Tree) List(ctx context.Context, dirs []string, keep func(string) bool) ([]string, []FileError, error) {
	if len(dirs) == 0 {
		return nil, nil, nil
	}
	w := walker{ctx: ctx, root: t.root, keep: keep}
	asked := false // whether git said which files there are
	if t.inGit && t.git.Program != "" {
		seen := map[string]bool{}
		paths, err := t.git.files(ctx, t.root, dirs, func(path string) bool {
			for _, dir := range dirs {
				if within(dir, path) {
					seen[dir] = true
				}
			}
			return keep(path)
		})
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err == nil {
			w.paths, asked = paths, true
			// A directory that git ignores is still one that was asked for.
			dirs = slices.DeleteFunc(slices.Clone(dirs), func(dir string) bool { return dir == "" || seen[dir] })
		} else {
			w.errors = append(w.errors, FileError{Message: fmt.Sprintf(
				"git cannot list the files, which may leave out tracked files that .gitignore names: %v", err)})
		}
	}
	for _, dir := range dirs {
		if err := w.walk(dir); err != nil {
			return nil, nil, err
		}
	}
	for _, dir := range w.visited {
		t.dirs.Store(dir, dir) // the walk follows no links, so that is where it is
	}
	t.whole = !asked && !w.ignores
	slices.Sort(w.paths)
	return slices.Compact(w.paths), w.errors, nil
}

// files returns the paths that git lists below dirs and keep wants.
func (g Git) files(ctx context.Context, root string, dirs []string, keep func(string) bool) ([]string, error) {
	args := []string{
		// Nothing that the repository configures may start a program, and
		// whose files these are does not matter to someone who only reads.
		"-c", "core.fsmonitor=false", "-c", "core.quotepath=off", "-c", "safe.directory=*",
		"--literal-pathspecs", "--no-optional-locks",
		"ls-files", "-z", "--cached", "--others", "--exclude-standard", "--",
	}
	for _, dir := range dirs {
		if dir == "" {
			dir = "."
		}
		args = append(args, dir)
	}
	cmd := exec.CommandContext(ctx, g.Program, args...)
	cmd.Dir = root
	cmd.Env = g.environ()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	var paths []string
	reader := bufio.NewReader(stdout)
	for {
		path, readErr := reader.ReadString(0)
		if readErr != nil {
			err = readErr
			break
		}
		// An untracked repository within this one ends with a slash.
		if path = path[:len(path)-1]; !strings.HasSuffix(path, "/") && keep(path) {
			paths = append(paths, path)
		}
		paths = append(paths, directoriesLikeFiles(path, keep)...)
	}
	if waitErr := cmd.Wait(); waitErr != nil {
		if line, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n"); line != "" {
			return nil, errors.New(line)
		}
		return nil, waitErr
	}
	if err != io.EOF {
		return nil, err
	}
	return paths, nil
}

// directoriesLikeFiles returns the directories on the way to a file that bear
// the name of a file that is looked for. Git does not list directories, and
// whoever made one will wonder why nothing is read from it.
func directoriesLikeFiles(file string, keep func(string) bool) []string {
	var dirs []string
	for i := 0; i < len(file); i++ {
		if file[i] != '/' {
			continue
		}
		dir := file[:i]
		if ext := path.Ext(dir); ext != "" && ext != path.Base(dir) && keep(dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// environ returns the environment for git: the caller's without git's own
// variables, which a hook sets and which would point it elsewhere, and with
// everything shut that could reach the network or a person.
func (g Git) environ() []string {
	var env []string
	for _, entry := range g.Environ {
		name, _, _ := strings.Cut(strings.ToUpper(entry), "=")
		if !strings.HasPrefix(name, "GIT_") || isUserConfig(name) {
			env = append(env, entry)
		}
	}
	return append(env, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none")
}

// isUserConfig reports whether a variable says where the settings of the person
// or machine are, which hold their own ignore rules.
func isUserConfig(name string) bool {
	return name == "GIT_CONFIG_GLOBAL" || name == "GIT_CONFIG_SYSTEM" || name == "GIT_CONFIG_NOSYSTEM"
}

// Read reads a file of the tree. Links are followed within the tree only;
// pipes and devices are never opened.
func (t *Tree) Read(path string) ([]byte, string, error) {
	full, info, err := t.resolve(path)
	if err != nil {
		return nil, "", err
	}
	real, ok := below(t.root, full)
	if !ok {
		return nil, "", errors.New("is a link out of the repository, which is not followed")
	}
	content, err := readRegular(full, info, syntax.MaxBytes)
	return content, real, err
}

// LeftOut reports whether git or a .gitignore kept files from the last List.
func (t *Tree) LeftOut() bool { return !t.whole }

// Has looks for a file of the tree.
func (t *Tree) Has(path string) bool {
	full, info, err := t.resolve(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	_, ok := below(t.root, full)
	return ok
}

// resolve returns the absolute path of a file with links resolved, and what is
// there.
func (t *Tree) resolve(path string) (string, fs.FileInfo, error) {
	dir, base := filepath.Split(filepath.Join(t.root, filepath.FromSlash(path)))
	realDir, err := t.resolveDir(filepath.Clean(dir))
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return "", nil, fs.ErrNotExist // git still tracks what is no more
	case err != nil:
		return "", nil, errors.New("is in a directory that cannot be looked into: " + plainError(err))
	}
	full := filepath.Join(realDir, base)
	info, err := os.Lstat(full)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil, fs.ErrNotExist
	case err != nil:
		return "", nil, errors.New(plainError(err))
	case info.Mode().Type() != fs.ModeSymlink:
		return full, info, nil
	}
	full, err = filepath.EvalSymlinks(full)
	if err == nil {
		info, err = os.Lstat(full)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil, errors.New("is a link to a file that does not exist")
	case err != nil:
		return "", nil, errors.New("is a link that cannot be followed: " + plainError(err))
	}
	return full, info, nil
}

// resolveDir returns where a directory below the root really is. Each is looked
// at once: most files share the directories above them.
func (t *Tree) resolveDir(dir string) (string, error) {
	if dir == t.root || len(dir) <= len(t.root) {
		return t.root, nil
	}
	if real, known := t.dirs.Load(dir); known {
		return real.(string), nil
	}
	above, err := t.resolveDir(filepath.Dir(dir))
	if err != nil {
		return "", err
	}
	real := filepath.Join(above, filepath.Base(dir))
	info, err := os.Lstat(real)
	if err == nil && info.Mode().Type() == fs.ModeSymlink {
		real, err = filepath.EvalSymlinks(real)
	}
	if err != nil {
		return "", err
	}
	t.dirs.Store(dir, real)
	return real, nil
}

// readFile looks at a file and reads it if it is a regular one.
func readFile(path string, limit int) ([]byte, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fs.ErrNotExist
	case err != nil:
		return nil, errors.New(plainError(err))
	}
	return readRegular(path, info, limit)
}

// readRegular reads a regular file of at most limit bytes. What it is and how
// big says info, before it is opened: opening a pipe blocks, and a huge file is
// not worth reading to refuse it.
func readRegular(path string, info fs.FileInfo, limit int) ([]byte, error) {
	switch {
	case info.IsDir():
		return nil, errors.New("is a directory, not a file")
	case !info.Mode().IsRegular():
		return nil, errors.New("is not a regular file")
	case info.Size() > int64(limit):
		return nil, tooBig(limit)
	}
	// One byte more than there should be tells whether the file has grown since.
	content := make([]byte, min(info.Size(), int64(limit))+1)
	n, err := readInto(path, content)
	switch {
	case err != nil:
		return nil, errors.New(plainError(err))
	case n == len(content):
		return nil, errors.New("changed while it was read")
	}
	return content[:n], nil
}

func tooBig(limit int) error {
	return &syntax.LimitError{Message: fmt.Sprintf("is bigger than %d MB and was not read", limit/1_000_000)}
}

// Changed returns the paths that the commit checked out in root changes against
// its first parent; for the merge commit that GitHub tests a pull request with,
// these are the files of the pull request. It fails where git does not have the
// parent, as in a shallow clone.
func (g Git) Changed(ctx context.Context, root string) ([]string, error) {
	out, err := g.output(ctx, root, "diff-tree", "-r", "-z", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv", "HEAD^1", "HEAD")
	return strings.FieldsFunc(out, func(r rune) bool { return r == 0 }), err
}

// Head returns the commit checked out in root, in hexadecimal.
func (g Git) Head(ctx context.Context, root string) (string, error) {
	out, err := g.output(ctx, root, "rev-parse", "--verify", "HEAD")
	return strings.TrimSpace(out), err
}

// output returns what git prints of root. Nothing that the repository configures
// may start a program.
func (g Git) output(ctx context.Context, root string, args ...string) (string, error) {
	if g.Program == "" {
		return "", exec.ErrNotFound
	}
	safe := []string{"-c", "core.fsmonitor=false", "-c", "safe.directory=*", "--no-optional-locks"}
	cmd := exec.CommandContext(ctx, g.Program, append(safe, args...)...)
	cmd.Dir = root
	cmd.Env = g.environ()
	out, err := cmd.Output()
	return string(out), err
}
