package source

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Git is how git is started. Nothing that a repository configures is run: no
// filter, no hook, no helper, nothing that would reach the network or a person.
type Git struct {
	// Program is the path of git, "" without git.
	Program string
	// Environ is the environment of the caller; variables that would point git elsewhere are
	// removed.
	Environ []string
	// IdleTimeout is how long git may say nothing before it is ended, 10 s if it is zero: a
	// pattern of 30 bytes in a .gitignore, or a pipe of that name, keeps it busy forever.
	IdleTimeout time.Duration
	// MaxFiles is how many files a revision may have, 2,000,000 if it is zero.
	MaxFiles int
	// protocols are those that git may speak, separated by colons; "" means none.
	protocols string
	// config are settings that are not to be seen on a command line, stdin the input of git.
	config [][2]string
	stdin  string
}

// ErrNoGit is the error where there is no git to run, as in a container with mcplumb alone.
var ErrNoGit = errors.New("git is not installed, or not on PATH")

// errSilent is the error of git that was ended because it said nothing.
var errSilent = errors.New("git was silent for too long")

// idleTimeout returns how long git may say nothing.
func (g Git) idleTimeout() time.Duration { return cmp.Or(g.IdleTimeout, 10*time.Second) }

// command returns git with arguments, to be run in a directory. Whose files
// these are does not matter to someone who only reads.
func (g Git) command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	safe := []string{
		"-c", "core.fsmonitor=false", "-c", "core.quotepath=off",
		"-c", "safe.directory=*", "-c", "safe.bareRepository=all",
		"--literal-pathspecs", "--no-optional-locks", "--no-replace-objects",
	}
	cmd := exec.CommandContext(ctx, g.Program, slices.Concat(safe, args)...)
	if g.protocols != "" {
		killProcessGroup(cmd)
	}
	endWithParent(cmd)
	cmd.Dir = dir
	cmd.Env = g.environ()
	if g.stdin != "" {
		cmd.Stdin = strings.NewReader(g.stdin)
	}
	return cmd
}

// environ returns the environment for git: the caller's without git's own variables, which a
// hook sets and which would point it elsewhere, and with everything disabled that could reach
// the network or prompt a person. Objects that are missing from a partial clone are not
// fetched; git before 2.44 would try, and finds that it may not speak any protocol.
func (g Git) environ() []string {
	var env []string
	for _, entry := range g.Environ {
		name, _, _ := strings.Cut(strings.ToUpper(entry), "=")
		if !strings.HasPrefix(name, "GIT_") || isUserConfig(name) || g.protocols != "" && isTrust(name) {
			env = append(env, entry)
		}
	}
	for i, c := range g.config {
		n := strconv.Itoa(i)
		env = append(env, "GIT_CONFIG_KEY_"+n+"="+c[0], "GIT_CONFIG_VALUE_"+n+"="+c[1], "GIT_CONFIG_COUNT="+strconv.Itoa(i+1))
	}
	if g.protocols != "" {
		env = append(env, "GIT_ALLOC_LIMIT=1g") // no object of a server's may fill the memory
	}
	return append(env, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL="+cmp.Or(g.protocols, "none"))
}

// isUserConfig reports whether a variable says where the settings of the person
// or machine are, which hold their own ignore rules.
func isUserConfig(name string) bool {
	return name == "GIT_CONFIG_GLOBAL" || name == "GIT_CONFIG_SYSTEM" || name == "GIT_CONFIG_NOSYSTEM"
}

// isTrust reports whether a variable says whom the user or machine trusts: certificate
// authorities of their own, and their own certificates. None of these variables turns
// verification off.
func isTrust(name string) bool {
	return (strings.HasPrefix(name, "GIT_SSL_") || strings.HasPrefix(name, "GIT_PROXY_SSL_")) && name != "GIT_SSL_NO_VERIFY"
}

// workTree says that the files are those in the directory where git is started. The
// configuration of the repository may name another one (core.worktree), and git would list its
// files instead.
const workTree = "--work-tree=."

// listed is what git lists.
type listed struct {
	paths []string
	// suspects may be links to directories, or repositories.
	suspects []string
	// nested are untracked repositories.
	nested []string
	// warnings are what git says of files that it has left out.
	warnings []string
}

// files returns what git knows below dirs, tracked and untracked but not ignored.
func (g Git) files(ctx context.Context, root string, dirs []string, want Want) (listed, error) {
	return g.list(ctx, root, []string{"--cached", "--others", "--exclude-standard"}, dirs, want)
}

// tracked returns what git tracks below dirs. It reads no ignore file for that.
func (g Git) tracked(ctx context.Context, root string, dirs []string, want Want) (listed, error) {
	return g.list(ctx, root, []string{"--cached"}, dirs, want)
}

// list lists files of the kinds that the options say.
func (g Git) list(ctx context.Context, root string, options, dirs []string, want Want) (listed, error) {
	args := slices.Concat([]string{workTree, "ls-files", "-z"}, options, []string{"--"})
	for _, dir := range dirs {
		if dir == "" {
			dir = "."
		}
		args = append(args, dir)
	}
	var found listed
	last := "" // the directory of the path before
	warnings, err := g.each(ctx, root, args, func(path string) {
		switch nested, isNested := strings.CutSuffix(path, "/"); {
		case isNested: // an untracked repository within this one
			found.nested = append(found.nested, nested)
		case want.File(path):
			found.paths = append(found.paths, path)
		case want.isLink(path):
			found.suspects = append(found.suspects, path)
		}
		if dir := path[:strings.LastIndexByte(path, '/')+1]; dir != last {
			found.paths = append(found.paths, directoriesLikeFiles(path, want.File)...)
			last = dir
		}
	})
	found.warnings = warnings
	return found, err
}

// modules returns the paths that .gitmodules gives to submodules.
func (g Git) modules(ctx context.Context, root string) ([]string, error) {
	var paths []string
	args := []string{"config", "-z", "--file", ".gitmodules", "--no-includes", "--get-regexp", `^submodule\..*\.path$`}
	_, err := g.each(ctx, root, args, func(entry string) {
		if _, path, ok := strings.Cut(entry, "\n"); ok && fs.ValidPath(path) {
			paths = append(paths, path)
		}
	})
	return paths, err
}

// each calls do with every part of what git prints, which ends each with a zero byte. It
// returns what git prints to standard error.
func (g Git) each(ctx context.Context, dir string, args []string, do func(part string)) (warnings []string, err error) {
	err = g.run(ctx, dir, args, &warnings, func(out io.Reader) error {
		buffer := make([]byte, 0, 64<<10)
		for {
			buffer = slices.Grow(buffer, 1)
			n, err := out.Read(buffer[len(buffer):cap(buffer)])
			buffer = buffer[:len(buffer)+n]
			if end := bytes.LastIndexByte(buffer, 0); end >= 0 {
				for part := range strings.SplitSeq(string(buffer[:end]), "\x00") { // which share one string
					do(part)
				}
				buffer = append(buffer[:0], buffer[end+1:]...)
			}
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
		}
	})
	return warnings, err
}

// run runs git, lets read what it prints, and ends it if it says nothing for too
// long. In warnings, which may be nil, it leaves the lines of a git that does not
// fail.
func (g Git) run(ctx context.Context, dir string, args []string, warnings *[]string, read func(io.Reader) error) error {
	if g.Program == "" {
		return ErrNoGit
	}
	limited, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	timer := time.AfterFunc(g.idleTimeout(), func() { stop(errSilent) })
	defer timer.Stop()
	cmd := g.command(limited, dir, args...)
	var stderr beginning
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	readErr := read(watchedReader{stdout, func() { timer.Reset(g.idleTimeout()) }})
	if readErr != nil {
		stop(readErr) // it may be writing what is not read
	}
	waitErr := cmd.Wait()
	switch {
	case context.Cause(limited) == errSilent:
		return errSilent
	case readErr != nil:
		return readErr
	case waitErr != nil:
		return said(stderr.bytes, waitErr)
	}
	if warnings != nil {
		*warnings = strings.FieldsFunc(string(stderr.bytes), func(r rune) bool { return r == '\n' })
	}
	return nil
}

// watchedReader is a reader that calls back when something was read.
type watchedReader struct {
	io.Reader
	wasRead func()
}

func (w watchedReader) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	w.wasRead()
	return n, err
}

// beginning keeps the first bytes of what is written to it.
type beginning struct{ bytes []byte }

// maxSaid is how many bytes of git's standard error are kept.
const maxSaid = 64_000

func (b *beginning) Write(p []byte) (int, error) {
	b.bytes = append(b.bytes, p[:min(len(p), maxSaid-len(b.bytes))]...)
	return len(p), nil
}

// errLogin is the error of a server that wants to know who asks. Of what a stranger may not
// see GitHub does not say that it is there.
var errLogin = errors.New("its server asks for a login: the repository is private or does not exist")

// said returns the first line that git said about a failure, or the failure. Git from 2.44 on
// says in a way of its own that it may not fetch what is missing from a partial clone.
func said(stderr []byte, err error) error {
	if strings.Contains(string(stderr), "lazy fetching disabled") {
		return errors.New("it is missing, as in a partial clone")
	}
	first := ""
	for line := range strings.Lines(string(stderr)) {
		line = strings.TrimSpace(line)
		first = cmp.Or(first, line)
		if line != "" && !strings.HasPrefix(line, "warning: ") { // which git went on after
			first = line
			break
		}
	}
	switch {
	case strings.Contains(first, "terminal prompts disabled"):
		return errLogin
	case first != "":
		return errors.New(first)
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

// Missing returns the paths that git tracks, keep accepts, and the work tree does not have: a
// sparse checkout leaves them out, or someone has removed them.
func (g Git) Missing(ctx context.Context, root string, keep func(string) bool) ([]string, error) {
	var paths []string
	_, err := g.each(ctx, root, []string{workTree, "ls-files", "-z", "-t", "--cached", "--deleted"}, func(line string) {
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

// Parents returns the parents of the commit checked out in root, in hexadecimal, as the commit
// itself names them: those missing from a shallow clone are among them.
func (g Git) Parents(ctx context.Context, root string) ([]string, error) {
	commit, err := g.output(ctx, root, "cat-file", "commit", "HEAD")
	if err != nil {
		return nil, err
	}
	var parents []string
	for line := range strings.Lines(commit) {
		if line == "\n" {
			break // the message
		}
		if parent, isParent := strings.CutPrefix(line, "parent "); isParent {
			parents = append(parents, strings.TrimSpace(parent))
		}
	}
	return parents, nil
}

// output returns what git prints of a directory.
func (g Git) output(ctx context.Context, dir string, args ...string) (string, error) {
	var out []byte
	err := g.run(ctx, dir, args, nil, func(stdout io.Reader) (err error) {
		out, err = io.ReadAll(stdout)
		return err
	})
	return string(out), err
}
