package double

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// zero is the name of no object.
const zero = "0000000000000000000000000000000000000000"

// fullName is the name of an object.
var fullName = regexp.MustCompile(`^[0-9a-f]{40}$`)

// repository is a bare repository of git, asked through git itself. Starting a process is slow, so one
// is kept to read objects, and what git says about objects is remembered.
type repository struct {
	dir string

	mutex   sync.Mutex
	objects *objects // nil until one is read, and after an error
	closed  bool
	known   map[string]string // what commands said about objects that they name in full, which never changes
}

// close ends the program that reads objects.
func (r *repository) close() {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.closed = true
	r.stop()
}

// stop ends the program, whatever it does.
func (r *repository) stop() {
	if r.objects != nil {
		_ = r.objects.program.Process.Kill()
		_ = r.objects.program.Wait()
		r.objects = nil
	}
}

// environ are the variables for git. It ignores the settings of the machine.
func (r *repository) environ() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "GIT_DIR=" + r.dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "LC_ALL=C"}
}

// objects is a program that reads objects (git-cat-file(1), "Batch output").
type objects struct {
	program *exec.Cmd
	names   io.WriteCloser
	answers *bufio.Reader
}

// gitObject is what a name of git stands for.
type gitObject struct {
	sha, kind, content string
}

// object returns what a name stands for, such as refs/heads/main^{commit}; nil if there is no such
// object.
func (r *repository) object(name string) (*gitObject, error) {
	if strings.Contains(name, "\n") {
		return nil, nil
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	found, err := r.read(name)
	if err != nil {
		r.stop()
		return nil, fmt.Errorf("git cat-file --batch: %w", err)
	}
	return found, nil
}

// read asks the program, and starts it first if there is none.
func (r *repository) read(name string) (*gitObject, error) {
	if r.closed {
		return nil, errors.New("the double is closed")
	}
	if r.objects == nil {
		cmd := exec.Command("git", "cat-file", "--batch")
		cmd.Dir, cmd.Env = r.dir, r.environ()
		names, err1 := cmd.StdinPipe()
		answers, err2 := cmd.StdoutPipe()
		if err := errors.Join(err1, err2); err != nil {
			return nil, err
		}
		if err := cmd.Start(); err != nil {
			return nil, err
		}
		r.objects = &objects{cmd, names, bufio.NewReader(answers)}
	}
	if _, err := io.WriteString(r.objects.names, name+"\n"); err != nil {
		return nil, err
	}
	header, err := r.objects.answers.ReadString('\n')
	if err != nil {
		return nil, err
	}
	fields := strings.Fields(header)
	if strings.HasSuffix(header, " missing\n") || len(fields) != 3 || !fullName.MatchString(fields[0]) {
		return nil, nil
	}
	size, err := strconv.Atoi(fields[2])
	if err != nil {
		return nil, fmt.Errorf("%q: %w", header, err)
	}
	content := make([]byte, size+1) // and the end of the line
	if _, err := io.ReadFull(r.objects.answers, content); err != nil {
		return nil, err
	}
	return &gitObject{fields[0], fields[1], string(content[:size])}, nil
}

// about runs a command whose arguments name all objects in full, once.
func (r *repository) about(args ...string) (string, error) {
	for _, arg := range args {
		if strings.HasPrefix(arg, "..") || strings.HasSuffix(arg, "..") {
			return "", fmt.Errorf("%s: a commit is missing", arg) // git would take HEAD
		}
	}
	question := strings.Join(args, "\x00")
	r.mutex.Lock()
	known, is := r.known[question]
	r.mutex.Unlock()
	if is {
		return known, nil
	}
	out, err := r.run(nil, nil, args...)
	if err != nil {
		return string(out), err
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.known == nil {
		r.known = map[string]string{}
	}
	r.known[question] = string(out)
	return string(out), nil
}

// run runs git in the repository and returns what it prints.
func (r *repository) run(stdin []byte, env []string, args ...string) ([]byte, error) {
	var out, problems bytes.Buffer
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = r.dir, bytes.NewReader(stdin), &out, &problems
	cmd.Env = append(r.environ(), env...)
	if err := cmd.Run(); err != nil {
		return out.Bytes(), fmt.Errorf("git %s: %w: %s", args[0], err, bytes.TrimSpace(problems.Bytes()))
	}
	return out.Bytes(), nil
}

// git is run for a command that prints one line, or lines that are trimmed.
func (r *repository) git(args ...string) (string, error) {
	out, err := r.run(nil, nil, args...)
	return strings.TrimSpace(string(out)), err
}

// ref returns the commit that a full ref points to, "" for none.
func (r *repository) ref(name string) string {
	found, err := r.object(name)
	if err != nil || found == nil || strings.ContainsAny(name, "~^:?*[\\@{ ") {
		return ""
	}
	return found.sha
}

// commit returns the commit that GitHub understands by a name: a commit, a branch, a
// tag, or a ref without its refs/; "" for none.
func (r *repository) commit(name string) string {
	if strings.ContainsAny(name, "~^:?*[\\@{ ") {
		return ""
	}
	candidates := []string{"refs/heads/" + name, "refs/tags/" + name, "refs/" + name}
	if short := regexp.MustCompile(`^[0-9a-f]{7,40}$`); short.MatchString(name) {
		candidates = append([]string{name}, candidates...)
	}
	for _, candidate := range candidates {
		if found, err := r.object(candidate + "^{commit}"); err == nil && found != nil {
			return found.sha
		}
	}
	return ""
}

// kind returns blob, tree, commit or tag, "" if there is no such object.
func (r *repository) kind(sha string) string {
	if !fullName.MatchString(sha) {
		return ""
	}
	found, err := r.object(sha)
	if err != nil || found == nil {
		return ""
	}
	return found.kind
}

// isAncestor reports that a commit is another, or leads to it.
func (r *repository) isAncestor(older, newer string) bool {
	commit, err := r.object(older + "^{commit}")
	return err == nil && commit != nil && r.mergeBase(commit.sha, newer) == commit.sha
}

// mergeBase returns the commit that two have in common, "" if they have none.
func (r *repository) mergeBase(a, b string) string {
	sha, _ := r.about("merge-base", a, b)
	return strings.TrimSpace(sha)
}

// count returns how many commits one has that another has not.
func (r *repository) count(from, to string) int {
	out, _ := r.about("rev-list", "--count", from+".."+to)
	n, _ := strconv.Atoi(strings.TrimSpace(out))
	return n
}

// person is an author or a committer.
type person struct {
	Name  string    `json:"name"`
	Email string    `json:"email"`
	Date  time.Time `json:"date"`
}

// signature is a line of a commit.
var signature = regexp.MustCompile(`^(.*) <(.*)> (\d+) [+-]\d{4}$`)

// commitObject is a commit as git has it.
type commitObject struct {
	sha, tree, message string
	parents            []string
	author, committer  person
}

// commits reads commits.
func (r *repository) commits(shas []string) ([]*commitObject, error) {
	var commits []*commitObject
	for _, sha := range shas {
		found, err := r.object(sha)
		if err != nil {
			return nil, err
		}
		if found == nil || found.kind != "commit" {
			return nil, fmt.Errorf("%q is not a commit", sha)
		}
		commits = append(commits, parseCommit(found.sha, found.content))
	}
	return commits, nil
}

// parseCommit reads the text of a commit.
func parseCommit(sha, text string) *commitObject {
	c := &commitObject{sha: sha}
	headers, message, _ := strings.Cut(text, "\n\n")
	c.message = message
	for line := range strings.Lines(headers) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch name {
		case "tree":
			c.tree = value
		case "parent":
			c.parents = append(c.parents, value)
		case "author":
			c.author = parsePerson(value)
		case "committer":
			c.committer = parsePerson(value)
		}
	}
	return c
}

func parsePerson(line string) person {
	m := signature.FindStringSubmatch(line)
	if m == nil {
		return person{Name: line}
	}
	seconds, _ := strconv.ParseInt(m[3], 10, 64)
	return person{Name: m[1], Email: m[2], Date: time.Unix(seconds, 0).UTC()}
}

// write makes a commit and returns its name. The message is kept as it is.
func (r *repository) write(tree, message string, parents []string, author, committer person) (string, error) {
	args := []string{"commit-tree", tree}
	for _, parent := range parents {
		args = append(args, "-p", parent)
	}
	out, err := r.run([]byte(message), []string{
		"GIT_AUTHOR_NAME=" + author.Name, "GIT_AUTHOR_EMAIL=" + author.Email, "GIT_AUTHOR_DATE=" + author.Date.Format(time.RFC3339),
		"GIT_COMMITTER_NAME=" + committer.Name, "GIT_COMMITTER_EMAIL=" + committer.Email, "GIT_COMMITTER_DATE=" + committer.Date.Format(time.RFC3339),
	}, args...)
	return strings.TrimSpace(string(out)), err
}

// treeEntry is a line of a tree. A sha of zeros takes the path away.
type treeEntry struct {
	mode, sha, path string
}

// change returns the tree that another becomes with entries: of files, symbolic
// links and submodules.
func (r *repository) change(base string, entries []treeEntry) (string, error) {
	dir, err := os.MkdirTemp("", "double-index-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	env := []string{"GIT_INDEX_FILE=" + dir + "/index"}
	if base != "" {
		if _, err := r.run(nil, env, "read-tree", base); err != nil {
			return "", err
		}
	}
	var lines bytes.Buffer
	for _, e := range entries {
		fmt.Fprintf(&lines, "%s %s\t%s\x00", e.mode, e.sha, e.path)
	}
	if _, err := r.run(lines.Bytes(), env, "update-index", "--replace", "-z", "--index-info"); err != nil {
		return "", err
	}
	out, err := r.run(nil, env, "write-tree")
	return strings.TrimSpace(string(out)), err
}

// blob stores content and returns its name.
func (r *repository) blob(content []byte) (string, error) {
	out, err := r.run(content, nil, "hash-object", "-w", "--stdin")
	return strings.TrimSpace(string(out)), err
}
