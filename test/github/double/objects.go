package double

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// maxBlob is how many bytes GitHub takes as one blob (docs: "Git blobs").
const maxBlob = 40 << 20

func (d *Double) createBlob(c *call) answer {
	sent := body[struct{ Content, Encoding string }](c)
	content := []byte(sent.Content)
	switch sent.Encoding {
	case "", "utf-8":
	case "base64":
		var err error
		if content, err = base64.StdEncoding.DecodeString(strings.ReplaceAll(sent.Content, "\n", "")); err != nil {
			return unprocessable("content is not valid Base64")
		}
	default:
		return unprocessable("encoding must be utf-8 or base64")
	}
	if len(content) > maxBlob {
		return unprocessable("Sorry, your input was too large to process. Consider creating the blob in a local clone of the repository and then pushing it to GitHub.")
	}
	sha, err := d.repo.blob(content)
	if err != nil {
		return refused(http.StatusInternalServerError, err.Error())
	}
	return created(map[string]any{"sha": sha, "url": d.api("/git/blobs/" + sha)})
}

func (d *Double) getBlob(c *call) answer {
	sha := c.parameters["file_sha"]
	blob, err := d.repo.object(sha)
	if err != nil {
		return refused(http.StatusInternalServerError, err.Error())
	}
	if !fullName.MatchString(sha) || blob == nil || blob.kind != "blob" {
		return notFound
	}
	var lines strings.Builder
	for part := range slices.Chunk([]byte(base64.StdEncoding.EncodeToString([]byte(blob.content))), 60) {
		lines.Write(append(part[:len(part):len(part)], '\n'))
	}
	return ok(map[string]any{"sha": sha, "node_id": "B_" + sha, "url": d.api("/git/blobs/" + sha), "size": len(blob.content), "encoding": "base64", "content": lines.String()})
}

// sentEntry is an entry of a tree in a request. Its SHA is null to remove the path.
type sentEntry struct {
	Path    string
	Mode    string
	Type    string
	SHA     json.RawMessage
	Content *string
}

func (d *Double) createTree(c *call) answer {
	sent := body[struct {
		Base string `json:"base_tree"`
		Tree []sentEntry
	}](c)
	base := ""
	if sent.Base != "" {
		if kind := d.repo.kind(sent.Base); kind != "tree" && kind != "commit" {
			return unprocessable("base_tree is not a valid tree oid")
		}
		base = sent.Base + "^{tree}"
	}
	var entries []treeEntry
	for _, e := range sent.Tree {
		entry, problem := d.entry(e, base)
		if problem != "" {
			return unprocessable(problem)
		}
		entries = append(entries, entry)
	}
	sha, err := d.repo.change(base, entries)
	if err != nil {
		return unprocessable("GitRPC::BadObjectState: " + err.Error())
	}
	return created(d.treeObject(sha, false))
}

// entry checks an entry, and returns it as git has it.
func (d *Double) entry(e sentEntry, base string) (entry treeEntry, problem string) {
	for part := range strings.SplitSeq(e.Path, "/") {
		if part == "" || part == "." || part == ".." || strings.EqualFold(part, ".git") {
			return entry, "tree.path contains a malformed path component"
		}
	}
	kind := map[string]string{"100644": "blob", "100755": "blob", "120000": "blob", "160000": "commit"}[e.Mode]
	var sha string
	switch {
	case string(e.SHA) == "null" && e.Content == nil:
		if _, err := d.repo.git("rev-parse", "--verify", "--quiet", base+":"+e.Path); base == "" || err != nil {
			return entry, "GitRPC::BadObjectState"
		}
		return treeEntry{"0", zero, e.Path}, ""
	case e.Mode == "040000":
		return entry, "the double has no entries that are trees"
	case kind == "" || e.Type != "" && e.Type != kind:
		return entry, "tree.mode and tree.type do not match"
	case len(e.SHA) > 0 && e.Content != nil || len(e.SHA) == 0 && e.Content == nil:
		return entry, "Must supply either tree.sha or tree.content"
	case e.Content != nil:
		sha, _ = d.repo.blob([]byte(*e.Content))
	default:
		_ = json.Unmarshal(e.SHA, &sha)
	}
	if kind == "blob" && d.repo.kind(sha) != "blob" {
		return entry, fmt.Sprintf("tree.sha %s is not a valid blob", sha)
	}
	return treeEntry{e.Mode, sha, e.Path}, ""
}

// treeObject is a tree as answers have it.
func (d *Double) treeObject(sha string, recursive bool) map[string]any {
	args := []string{"ls-tree", "-z", "-l", sha}
	if recursive {
		args = []string{"ls-tree", "-z", "-l", "-r", "-t", sha}
	}
	out, _ := d.repo.about(args...)
	entries := []any{}
	for line := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		about, path, is := strings.Cut(line, "\t")
		fields := strings.Fields(about)
		if !is || len(fields) != 4 {
			continue
		}
		entry := map[string]any{"path": path, "mode": fields[0], "type": fields[1], "sha": fields[2]}
		if fields[1] != "commit" {
			entry["url"] = d.api("/git/" + fields[1] + "s/" + fields[2])
		}
		if size, err := strconv.Atoi(fields[3]); err == nil {
			entry["size"] = size
		}
		entries = append(entries, entry)
	}
	return map[string]any{"sha": sha, "url": d.api("/git/trees/" + sha), "tree": entries, "truncated": false}
}

// getTree accepts a tree, a commit, or a branch. Any value of recursive counts as true.
func (d *Double) getTree(c *call) answer {
	name := c.parameters["tree_sha"]
	if d.repo.kind(name) != "tree" {
		if name = d.repo.commit(name); name == "" {
			return notFound
		}
	}
	tree, err := d.repo.object(name + "^{tree}")
	if err != nil || tree == nil {
		return notFound
	}
	return ok(d.treeObject(tree.sha, c.URL.Query().Has("recursive")))
}

// createCommit makes a commit. Without author and committer, they are the owner of the
// token, and GitHub signs the commit (docs: "About commit signature verification").
func (d *Double) createCommit(c *call) answer {
	sent := body[struct {
		Message, Tree     string
		Parents           []string
		Author, Committer *person
		Signature         string
	}](c)
	if sent.Message == "" || d.repo.kind(sent.Tree) != "tree" {
		return unprocessable("Tree SHA does not exist")
	}
	for _, parent := range sent.Parents {
		if d.repo.kind(parent) != "commit" {
			return unprocessable("Parent SHA does not exist or is not a commit object")
		}
	}
	now := d.now()
	author, committer := &person{botLogin, botEmail, now}, &person{"GitHub", "noreply@github.com", now}
	signed := sent.Author == nil && sent.Committer == nil && sent.Signature == ""
	if sent.Author != nil {
		author, committer = sent.Author, sent.Author
	}
	if sent.Committer != nil {
		committer = sent.Committer
	}
	sha, err := d.repo.write(sent.Tree, sent.Message, sent.Parents, dated(author, now), dated(committer, now))
	if err != nil {
		return unprocessable(err.Error())
	}
	d.made[sha] = signed
	return d.gitCommit(sha, http.StatusCreated)
}

func dated(p *person, now time.Time) person {
	if p.Date.IsZero() {
		return person{p.Name, p.Email, now}
	}
	return *p
}

// IsVerified reports whether GitHub signed a commit: it was made through the API, and the
// request had no author or committer.
func (d *Double) IsVerified(sha string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.made[sha]
}

func (d *Double) verification(sha string) map[string]any {
	if d.made[sha] {
		return map[string]any{"verified": true, "reason": "valid", "signature": "-----BEGIN PGP SIGNATURE-----", "payload": "tree", "verified_at": began.Format(timeFormat)}
	}
	return map[string]any{"verified": false, "reason": "unsigned", "signature": nil, "payload": nil, "verified_at": nil}
}

func (d *Double) getGitCommit(c *call) answer {
	sha := c.parameters["commit_sha"]
	if d.repo.kind(sha) != "commit" {
		return notFound
	}
	return d.gitCommit(sha, http.StatusOK)
}

// gitCommit answers with a commit as the part of the API has it that is about git.
func (d *Double) gitCommit(sha string, status int) answer {
	commits, err := d.repo.commits([]string{sha})
	if err != nil {
		return refused(http.StatusInternalServerError, err.Error())
	}
	c := commits[0]
	return answer{status: status, body: map[string]any{
		"sha": c.sha, "node_id": "C_" + c.sha, "url": d.api("/git/commits/" + c.sha), "html_url": d.web("/commit/" + c.sha),
		"author": c.author, "committer": c.committer, "message": c.message, "tree": map[string]any{"sha": c.tree, "url": d.api("/git/trees/" + c.tree)},
		"parents": d.parents(c), "verification": d.verification(c.sha),
	}}
}

func (d *Double) parents(c *commitObject) []any {
	parents := []any{}
	for _, sha := range c.parents {
		parents = append(parents, map[string]any{"sha": sha, "url": d.api("/git/commits/" + sha), "html_url": d.web("/commit/" + sha)})
	}
	return parents
}
