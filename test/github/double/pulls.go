package double

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// The longest that GitHub takes, in code points.
const (
	maxBody  = 65536
	maxTitle = 256
)

// pull is a pull request.
type pull struct {
	number            int
	title, body       string
	head, base        string // branches
	headOwner         string
	headSHA, baseSHA  string
	state             string // open or closed
	draft             bool
	user, closedBy    string
	labels, assignees []string
	created, updated  time.Time
	closed, merged    time.Time
	mergeCommit       string
	reviews           []*review
	comments          []*reviewComment
}

// headRef is the branch of a pull request, in the double's repository.
func (d *Double) headRef(p *pull) string {
	if p.headOwner != d.owner {
		return "refs/forks/" + p.headOwner + "/" + p.head
	}
	return "refs/heads/" + p.head
}

// follow updates an open pull request after its branches changed: a deleted branch closes
// it, a base that has all its commits has merged it, a head without commits of its own
// closes it.
func (d *Double) follow(p *pull) {
	if p.state != "open" {
		return
	}
	head, base := d.repo.ref(d.headRef(p)), d.repo.ref("refs/heads/"+p.base)
	moved := head != p.headSHA
	switch {
	case head == "" || base == "":
		d.close(p, "")
		return
	case d.repo.isAncestor(head, base) && !moved:
		p.merged, p.mergeCommit = d.now(), base
		d.close(p, "")
	case d.repo.isAncestor(head, base):
		d.close(p, "")
	}
	if moved {
		p.headSHA, p.baseSHA, p.updated = head, base, d.now()
	}
}

func (d *Double) close(p *pull, by string) {
	p.state, p.closedBy, p.closed = "closed", by, d.now()
	p.updated = p.closed
}

// pullObject is a pull request as lists have it, full as it has itself.
func (d *Double) pullObject(p *pull, full bool) map[string]any {
	number := strconv.Itoa(p.number)
	o := map[string]any{
		"id": 5000 + p.number, "node_id": "PR_" + number, "number": p.number, "url": d.api("/pulls/" + number), "html_url": d.web("/pull/" + number),
		"state": p.state, "title": p.title, "body": orNull(p.body), "user": user(p.user), "draft": p.draft, "labels": labelObjects(p.labels),
		"assignees": userObjects(p.assignees), "created_at": p.created, "updated_at": p.updated, "closed_at": timeOrNull(p.closed), "merged_at": timeOrNull(p.merged),
		"merge_commit_sha": orNull(p.mergeCommit), "author_association": "CONTRIBUTOR",
		"head": d.end(p.headOwner, p.head, p.headSHA), "base": d.end(d.owner, p.base, p.baseSHA),
	}
	if !full {
		return o
	}
	files, _ := d.files(cmp.Or(d.repo.mergeBase(p.baseSHA, p.headSHA), p.baseSHA), p.headSHA)
	added, deleted := 0, 0
	for _, f := range files {
		added, deleted = added+f.Additions, deleted+f.Deletions
	}
	o["additions"], o["deletions"] = added, deleted
	o["merged"], o["commits"], o["changed_files"] = !p.merged.IsZero(), d.repo.count(p.baseSHA, p.headSHA), len(files)
	o["mergeable_state"] = "clean"
	return o
}

// end is one of the branches of a pull request.
func (d *Double) end(owner, branch, sha string) map[string]any {
	repository := d.repositoryObject()
	repository["full_name"], repository["fork"] = owner+"/"+d.name, owner != d.owner
	repository["owner"] = user(owner)
	return map[string]any{"label": owner + ":" + branch, "ref": branch, "sha": sha, "user": user(owner), "repo": repository}
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func timeOrNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.Format(timeFormat)
}

func labelObjects(names []string) []any {
	objects := []any{}
	for i, name := range names {
		objects = append(objects, map[string]any{"id": i + 1, "node_id": "LA_" + name, "name": name, "color": "ededed"})
	}
	return objects
}

func userObjects(logins []string) []any {
	objects := []any{}
	for _, login := range logins {
		objects = append(objects, user(login))
	}
	return objects
}

// listPulls answers with pull requests. It ignores a head without an owner.
func (d *Double) listPulls(c *call) answer {
	found := slices.DeleteFunc(slices.Clone(d.pulls), func(p *pull) bool {
		state, head, base := cmp.Or(c.FormValue("state"), "open"), c.FormValue("head"), c.FormValue("base")
		return state != "all" && p.state != state || strings.Contains(head, ":") && head != p.headOwner+":"+p.head || base != "" && base != p.base
	})
	slices.SortFunc(found, func(a, b *pull) int {
		if c.FormValue("sort") == "updated" {
			return a.updated.Compare(b.updated)
		}
		return cmp.Compare(a.number, b.number)
	})
	descending := c.FormValue("sort") == "" || c.FormValue("sort") == "created"
	if direction := c.FormValue("direction"); direction == "desc" || direction == "" && descending {
		slices.Reverse(found)
	}
	part, header := page(d, c, found)
	list := []any{}
	for _, p := range part {
		list = append(list, d.pullObject(p, false))
	}
	return answer{http.StatusOK, list, header}
}

func invalid(problems ...any) answer {
	return refused(http.StatusUnprocessableEntity, "Validation Failed", problems...)
}

// createPull opens a pull request.
func (d *Double) createPull(c *call) answer {
	sent := body[struct {
		Title, Head, Base, Body string
		Draft                   bool
	}](c)
	if d.noPulls {
		return refused(http.StatusForbidden, "GitHub Actions is not permitted to create or approve pull requests.")
	}
	branch := d.ownBranch(sent.Head)
	head, base := d.repo.ref("refs/heads/"+branch), d.repo.ref("refs/heads/"+sent.Base)
	switch {
	case sent.Title == "":
		return invalid(problem("PullRequest", "title", "missing_field", ""))
	case head == "":
		return invalid(problem("PullRequest", "head", "invalid", ""))
	case base == "":
		return invalid(problem("PullRequest", "base", "invalid", ""))
	case slices.ContainsFunc(d.pulls, func(p *pull) bool {
		return p.state == "open" && p.headOwner == d.owner && p.head == branch && p.base == sent.Base
	}):
		return invalid(problem("PullRequest", "", "custom", "A pull request already exists for "+d.owner+":"+branch+"."))
	case d.repo.mergeBase(base, head) == "":
		return invalid(problem("PullRequest", "", "custom", "The "+branch+" branch has no history in common with "+sent.Base))
	case d.repo.isAncestor(head, base):
		return invalid(problem("PullRequest", "", "custom", "No commits between "+sent.Base+" and "+branch))
	}
	if problem := tooLong("PullRequest", sent.Title, sent.Body); problem != nil {
		return invalid(problem)
	}
	p := d.open(pull{title: sent.Title, body: sent.Body, head: branch, base: sent.Base, headOwner: d.owner, headSHA: head, baseSHA: base, draft: sent.Draft, user: botLogin})
	return created(d.pullObject(p, true))
}

// open adds a pull request.
func (d *Double) open(p pull) *pull {
	p.number, p.state, p.created = len(d.pulls)+1, "open", d.now()
	p.updated = p.created
	d.pulls = append(d.pulls, &p)
	return &p
}

// tooLong is the problem of a title or a body, nil for none.
func tooLong(resource, title, body string) any {
	switch {
	case utf8.RuneCountInString(title) > maxTitle:
		return problem(resource, "title", "custom", "title is too long (maximum is 256 characters)")
	case utf8.RuneCountInString(body) > maxBody:
		return problem(resource, "body", "custom", "body is too long (maximum is 65536 characters)")
	}
	return nil
}

// pull returns a pull request by its number, nil for none.
func (d *Double) pull(number int) *pull {
	if number < 1 || number > len(d.pulls) {
		return nil
	}
	return d.pulls[number-1]
}

// withPull serves a call about a pull request that exists.
func (d *Double) withPull(c *call, parameter string, serve func(*pull) answer) answer {
	if p := d.pull(c.number(parameter)); p != nil {
		return serve(p)
	}
	return notFound
}

func (d *Double) getPull(c *call) answer {
	return d.withPull(c, "pull_number", func(p *pull) answer { return ok(d.pullObject(p, true)) })
}

func (d *Double) updatePull(c *call) answer {
	return d.withPull(c, "pull_number", func(p *pull) answer {
		sent := body[struct{ Title, Body, State, Base *string }](c)
		if problem := d.updateProblem(p, sent.Title, sent.Body, sent.State, sent.Base); problem != nil {
			return invalid(problem)
		}
		for from, to := range map[*string]*string{sent.Title: &p.title, sent.Body: &p.body} {
			if from != nil {
				*to = *from
			}
		}
		if sent.Base != nil && *sent.Base != p.base {
			p.base, p.baseSHA = *sent.Base, d.repo.ref("refs/heads/"+*sent.Base)
		}
		p.updated = d.now()
		switch {
		case sent.State == nil || *sent.State == p.state:
		case *sent.State == "closed":
			d.close(p, botLogin)
		default:
			p.state, p.closed, p.closedBy = "open", time.Time{}, ""
			d.follow(p)
		}
		return ok(d.pullObject(p, true))
	})
}

// updateProblem returns why a pull request cannot be changed so, nil if it can.
func (d *Double) updateProblem(p *pull, title, body, state, base *string) any {
	text := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	head := d.repo.ref(d.headRef(p))
	unchanged := func(why string) any {
		return problem("PullRequest", "state", "custom", "state cannot be changed. "+why)
	}
	reopened := text(state) == "open" && p.state == "closed"
	switch {
	case title != nil && *title == "":
		return problem("PullRequest", "title", "missing_field", "")
	case base != nil && p.state == "closed":
		return problem("PullRequest", "base", "invalid", "Cannot change the base branch of a closed pull request.")
	case base != nil && d.repo.ref("refs/heads/"+*base) == "":
		return problem("PullRequest", "base", "invalid", "")
	case reopened && !p.merged.IsZero():
		return unchanged("The pull request is already merged.")
	case reopened && head == "":
		return unchanged("The " + p.head + " branch has been deleted.")
	case reopened && !d.repo.isAncestor(p.headSHA, head):
		return unchanged("The " + p.head + " branch was force-pushed or recreated.")
	}
	return tooLong("PullRequest", text(title), text(body))
}

// changes lists the files of a pull request, at most 3000 as GitHub does.
func (d *Double) changes(p *pull) ([]*file, error) {
	common := cmp.Or(d.repo.mergeBase(p.baseSHA, p.headSHA), p.baseSHA)
	files, err := d.files(common, p.headSHA)
	return files[:min(len(files), 3000)], err
}

func (d *Double) listFiles(c *call) answer {
	return d.withPull(c, "pull_number", func(p *pull) answer {
		files, err := d.changes(p)
		if err != nil {
			return refused(http.StatusInternalServerError, err.Error())
		}
		part, header := page(d, c, files)
		return answer{http.StatusOK, part, header}
	})
}

func (d *Double) listPullCommits(c *call) answer {
	return d.withPull(c, "pull_number", func(p *pull) answer {
		shas, err := d.revisions("--reverse", p.baseSHA+".."+p.headSHA)
		return d.answerCommits(c, shas[:min(len(shas), 250)], err)
	})
}
