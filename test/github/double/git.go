package double

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// zero is the name of no object.
const zero = "0000000000000000000000000000000000000000"

// fullName is the name of an object.
var fullName = regexp.MustCompile(`^[0-9a-f]{40}$`)

// repository is a bare repository of git, asked through git itself.
type repository struct {
	dir string
}

// run runs git in the repository and returns what it prints. It ignores the settings of the
// machine.
func (r *repository) run(stdin []byte, env []string, args ...string) ([]byte, error) {
	var out, problems bytes.Buffer
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = r.dir, bytes.NewReader(stdin), &out, &problems
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "GIT_DIR=" + r.dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "LC_ALL=C"}, env...)
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
	sha, err := r.git("rev-parse", "--verify", "--quiet", "--end-of-options", name)
	if err != nil || strings.ContainsAny(name, "~^:?*[\\@{ ") {
		return ""
	}
	return sha
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
		if sha, err := r.git("rev-parse", "--verify", "--quiet", candidate+"^{commit}"); err == nil {
			return sha
		}
	}
	return ""
}

// kind returns blob, tree, commit or tag, "" if there is no such object.
func (r *repository) kind(sha string) string {
	if !fullName.MatchString(sha) {
		return ""
	}
	kind, _ := r.git("cat-file", "-t", sha)
	return kind
}

// isAncestor reports that a commit is another, or leads to it.
func (r *repository) isAncestor(older, newer string) bool {
	_, err := r.git("merge-base", "--is-ancestor", older, newer)
	return err == nil
}

// mergeBase returns the commit that two have in common, "" if they have none.
func (r *repository) mergeBase(a, b string) string {
	sha, _ := r.git("merge-base", a, b)
	return sha
}

// count returns how many commits one has that another has not.
func (r *repository) count(from, to string) int {
	out, _ := r.git("rev-list", "--count", from+".."+to)
	n, _ := strconv.Atoi(out)
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

// commits reads commits, in one run of git.
func (r *repository) commits(shas []string) ([]*commitObject, error) {
	out, err := r.run([]byte(strings.Join(shas, "\n")+"\n"), nil, "cat-file", "--batch")
	if err != nil {
		return nil, err
	}
	found := make([]*commitObject, 0, len(shas))
	for range shas {
		header, rest, _ := bytes.Cut(out, []byte("\n"))
		fields := strings.Fields(string(header))
		if len(fields) != 3 || fields[1] != "commit" {
			return nil, fmt.Errorf("%q is not a commit", header)
		}
		size, err := strconv.Atoi(fields[2])
		if err != nil || size >= len(rest) {
			return nil, errors.Join(err, fmt.Errorf("%q is cut off", header))
		}
		found = append(found, parseCommit(fields[0], string(rest[:size])))
		out = rest[size+1:]
	}
	return found, nil
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
