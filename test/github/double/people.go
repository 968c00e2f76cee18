package double

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Pull is a pull request as people see it.
type Pull struct {
	Number              int
	Title, Body         string
	State               string // open or closed
	Merged, Draft       bool
	Head, HeadSHA, Base string
	Labels, Assignees   []string
	Comments            []string // below it, each LOGIN: TEXT
	Reviews             []string // their bodies
}

// Pulls returns the pull requests, the first one first.
func (d *Double) Pulls() []*Pull {
	d.mu.Lock()
	defer d.mu.Unlock()
	var found []*Pull
	for _, p := range d.pulls {
		seen := &Pull{p.number, p.title, p.body, p.state, !p.merged.IsZero(), p.draft, p.head, p.headSHA, p.base, slices.Clone(p.labels), slices.Clone(p.assignees), nil, nil}
		for _, m := range d.comments {
			if m.pull == p.number {
				seen.Comments = append(seen.Comments, m.user+": "+m.body)
			}
		}
		for _, r := range p.reviews {
			seen.Reviews = append(seen.Reviews, r.body)
		}
		found = append(found, seen)
	}
	return found
}

// ReviewComment is a comment of a review as people see it.
type ReviewComment struct {
	ID          int64
	Path, Body  string
	Start, Line int // where it was made; Start is 0 for one line
	Login       string
	Outdated    bool
}

// ReviewComments returns the review comments of a pull request.
func (d *Double) ReviewComments(number int) []*ReviewComment {
	d.mu.Lock()
	defer d.mu.Unlock()
	var found []*ReviewComment
	p := d.pull(number)
	for _, m := range p.comments {
		found = append(found, &ReviewComment{m.id, m.path, m.body, m.start, m.line, m.user, d.reviewCommentObject(p, m)["line"] == nil})
	}
	return found
}

// File is a file that a person commits. The mode is 100644 if it is empty.
type File struct{ Mode, Content string }

// Commit has a person commit files to a branch, which begins at the default branch
// if it is new, and returns the commit. A nil file is deleted.
func (d *Double) Commit(login, branch, message string, files map[string]*File) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	ref := "refs/heads/" + branch
	before := d.repo.ref(ref)
	parent := before
	if parent == "" {
		parent = d.repo.ref("refs/heads/" + d.defaultBranch())
	}
	sha, err := d.commitOn(login, parent, message, files)
	if err != nil {
		return "", err
	}
	if before == "" {
		before = zero
	}
	return sha, d.move(ref, before, sha)
}

// commitOn makes a commit of a person on another, "" for the first.
func (d *Double) commitOn(login, parent, message string, files map[string]*File) (string, error) {
	var entries []treeEntry
	for path, f := range files {
		if f == nil {
			entries = append(entries, treeEntry{"0", zero, path})
			continue
		}
		sha, err := d.repo.blob([]byte(f.Content))
		if err != nil {
			return "", err
		}
		mode := f.Mode
		if mode == "" {
			mode = "100644"
		}
		entries = append(entries, treeEntry{mode, sha, path})
	}
	base, parents := "", []string(nil)
	if parent != "" {
		base, parents = parent+"^{tree}", []string{parent}
	}
	tree, err := d.repo.change(base, entries)
	if err != nil {
		return "", err
	}
	who := person{login, login + "@users.noreply.github.com", d.now()}
	d.logins[who.Email] = login
	return d.repo.write(tree, message, parents, who, who)
}

// ForcePush points a branch to a commit that need not follow its previous one.
func (d *Double) ForcePush(branch, sha string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.move("refs/heads/"+branch, d.repo.ref("refs/heads/"+branch), sha)
}

// DeleteBranch has a person delete a branch.
func (d *Double) DeleteBranch(branch string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.move("refs/heads/"+branch, d.repo.ref("refs/heads/"+branch), zero)
}

// ClosePull has a person close a pull request; its branch stays.
func (d *Double) ClosePull(number int, login string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.close(d.pull(number), login)
}

// ReopenPull has a person open a pull request again.
func (d *Double) ReopenPull(number int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	p := d.pull(number)
	p.state, p.closedBy, p.closed = "open", "", time.Time{}
	d.follow(p)
}

// EditPull has a person edit the title and the text of a pull request.
func (d *Double) EditPull(number int, title, text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	p := d.pull(number)
	p.title, p.body, p.updated = title, text, d.now()
}

// Merge has a person merge a pull request with a merge commit.
func (d *Double) Merge(number int, login string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	p := d.pull(number)
	base := d.repo.ref("refs/heads/" + p.base)
	tree, err := d.repo.git("merge-tree", "--write-tree", base, p.headSHA)
	if err != nil {
		return fmt.Errorf("pull request %d cannot be merged: %w", number, err)
	}
	who := person{login, login + "@users.noreply.github.com", d.now()}
	sha, err := d.repo.write(tree, "Merge pull request #"+strconv.Itoa(number), []string{base, p.headSHA}, who, who)
	if err != nil {
		return err
	}
	return d.move("refs/heads/"+p.base, base, sha)
}

// Reply has a person answer a comment of a review.
func (d *Double) Reply(comment int64, login, text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	p, i := d.reviewComment(comment)
	reply := *p.comments[i]
	reply.id, reply.reply, reply.user, reply.body, reply.created = d.id(), comment, login, text, d.now()
	p.comments = append(p.comments, &reply)
}

// Say has a person say something below a pull request.
func (d *Double) Say(number int, login, text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.comment(d.pull(number), login, text)
}

// Remark has a person comment on the line of a comment, without answering it.
func (d *Double) Remark(comment int64, login, text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	p, i := d.reviewComment(comment)
	remark := *p.comments[i]
	remark.id, remark.user, remark.body, remark.created = d.id(), login, text, d.now()
	p.comments = append(p.comments, &remark)
}

// PullOf opens a pull request as a person, from a branch, or from a fork's branch if head
// is OWNER:BRANCH; commit is then the fork's commit.
func (d *Double) PullOf(head, commit, base, title string) (number int, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	owner, branch, fork := strings.Cut(head, ":")
	if !fork {
		owner, branch = d.owner, head
	}
	p := pull{title: title, head: branch, headOwner: owner, base: base, headSHA: commit, baseSHA: d.repo.ref("refs/heads/" + base), user: owner}
	if fork {
		if _, err := d.repo.git("update-ref", d.headRef(&p), commit); err != nil {
			return 0, err
		}
	}
	return d.open(p).number, nil
}

// Deny takes from the token the right to write: contents, pull_requests or
// security_events; all of them if none is named.
func (d *Double) Deny(permissions ...string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(permissions) == 0 {
		permissions = []string{contents, pullRequests, scanning}
	}
	d.denied = permissions
}

// Allow gives the token every right again.
func (d *Double) Allow() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.denied, d.noPulls, d.guarded = nil, false, map[string]string{}
}

// ForbidPulls is the setting of a repository that keeps Actions from opening pull
// requests.
func (d *Double) ForbidPulls() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.noPulls = true
}

// Protect prevents the API from creating, moving, or deleting a branch. message is GitHub's
// answer to an attempt.
func (d *Double) Protect(branch, message string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.guarded["refs/heads/"+branch] = message
}

// Branch returns the commit that a branch points to, "" for none.
func (d *Double) Branch(name string) string { return d.repo.ref("refs/heads/" + name) }

// Log returns the commits that one ref has and another has not, the oldest first.
func (d *Double) Log(from, to string) ([]string, error) {
	out, err := d.repo.git("rev-list", "--reverse", from+".."+to)
	return strings.Fields(out), err
}

// Git runs git in the repository, so that a test can inspect it.
func (d *Double) Git(args ...string) (string, error) { return d.repo.git(args...) }

// Check has git look whether every object is whole and every ref points to one.
func (d *Double) Check() error {
	_, err := d.repo.git("fsck", "--full", "--strict", "--no-progress", "--no-dangling")
	return err
}
