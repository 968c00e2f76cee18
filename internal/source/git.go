package source

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
)

// Git is how git is started. Nothing that a repository configures is run: no
// filter, no hook, no helper, nothing that would reach the network or a person.
type Git struct {
	// Program is the path of git; without it there is none.
	Program string
	// Environ is the environment of the caller; what would point git elsewhere
	// is taken out of it.
	Environ []string
}

// command returns git with arguments, to be run in a directory. Whose files
// these are does not matter to someone who only reads.
func (g Git) command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	safe := []string{
		"-c", "core.fsmonitor=false", "-c", "core.quotepath=off",
		"-c", "safe.directory=*", "-c", "safe.bareRepository=all",
		"--literal-pathspecs", "--no-optional-locks", "--no-replace-objects",
	}
	cmd := exec.CommandContext(ctx, g.Program, slices.Concat(safe, args)...)
	cmd.Dir = dir
	cmd.Env = g.environ()
	return cmd
}

// environ returns the environment for git: the caller's without git's own
// variables, which a hook sets and which would point it elsewhere, and with
// everything shut that could reach the network or a person. Objects that a
// partial clone lacks are not fetched; git before 2.44 would try, and finds that
// it may not speak any protocol.
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

// files returns the paths below dirs that git knows, tracked and untracked but
// not ignored, and keep wants.
func (g Git) files(ctx context.Context, root string, dirs []string, keep func(string) bool) ([]string, error) {
	args := []string{"ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"}
	for _, dir := range dirs {
		if dir == "" {
			dir = "."
		}
		args = append(args, dir)
	}
	var paths []string
	err := g.each(ctx, root, args, func(path string) {
		// An untracked repository within this one ends with a slash.
		if !strings.HasSuffix(path, "/") && keep(path) {
			paths = append(paths, path)
		}
		paths = append(paths, directoriesLikeFiles(path, keep)...)
	})
	return paths, err
}

// each calls do with every part of what git prints, which ends each with a zero
// byte.
func (g Git) each(ctx context.Context, dir string, args []string, do func(part string)) error {
	cmd := g.command(ctx, dir, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	reader := bufio.NewReader(stdout)
	for {
		part, readErr := reader.ReadString(0)
		if readErr != nil {
			err = readErr
			break
		}
		do(part[:len(part)-1])
	}
	if waitErr := cmd.Wait(); waitErr != nil {
		return said(stderr.Bytes(), waitErr)
	}
	if err != io.EOF {
		return err
	}
	return nil
}

// said returns the first line that git said about a failure, or the failure.
func said(stderr []byte, err error) error {
	if line, _, _ := strings.Cut(strings.TrimSpace(string(stderr)), "\n"); line != "" {
		return errors.New(line)
	}
	return err
}

// Changed returns the paths that the commit checked out in root changes against
// its first parent; for the merge commit that GitHub tests a pull request with,
// these are the files of the pull request. It fails where git does not have the
// parent, as in a shallow clone.
func (g Git) Changed(ctx context.Context, root string) ([]string, error) {
	out, err := g.output(ctx, root, "diff-tree", "-r", "-z", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv", "HEAD^1", "HEAD")
	return strings.FieldsFunc(out, func(r rune) bool { return r == 0 }), err
}

// Missing returns the paths that git tracks, keep wants and the work tree does
// not have: a sparse checkout leaves them out, or somebody has removed them.
func (g Git) Missing(ctx context.Context, root string, keep func(string) bool) ([]string, error) {
	if g.Program == "" {
		return nil, exec.ErrNotFound
	}
	var paths []string
	err := g.each(ctx, root, []string{"ls-files", "-z", "-t", "--cached", "--deleted"}, func(line string) {
		// S is left out, R removed (git-ls-files, -t).
		state, path, _ := strings.Cut(line, " ")
		if (state == "S" || state == "R") && keep(path) {
			paths = append(paths, path)
		}
	})
	return paths, err
}

// Head returns the commit checked out in root, in hexadecimal.
func (g Git) Head(ctx context.Context, root string) (string, error) {
	out, err := g.output(ctx, root, "rev-parse", "--verify", "HEAD")
	return strings.TrimSpace(out), err
}

// output returns what git prints of a directory.
func (g Git) output(ctx context.Context, dir string, args ...string) (string, error) {
	if g.Program == "" {
		return "", exec.ErrNotFound
	}
	cmd := g.command(ctx, dir, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = said(stderr.Bytes(), err)
	}
	return string(out), err
}
