package github

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/go-github/v60/github"
)

// Repository is one on GitHub.
type Repository struct {
	access        Access
	client        *github.Client
	owner, name   string
	id            string // in GraphQL
	DefaultBranch string
	signOff       string // the end of a message that is signed off, once it is known
	// Needs says which permissions a job needs for what is asked, "" for those of a pull
	// request with fixes.
	Needs string
}

func (r *Repository) needs() string {
	return cmp.Or(r.Needs, "contents: write and pull-requests: write")
}

// Open asks for a repository. Errors of it and of everything that is asked of it are
// Failures and never hold the token.
func (a Access) Open(ctx context.Context) (*Repository, error) {
	client, owner, name, err := a.client()
	if err != nil {
		return nil, err
	}
	r := &Repository{access: a, client: client, owner: owner, name: name}
	found, _, err := client.Repositories.Get(ctx, owner, name)
	if err != nil {
		return nil, r.failed("read the repository", err)
	}
	r.id, r.DefaultBranch = found.GetNodeID(), found.GetDefaultBranch()
	return r, nil
}

// ErrMoved says that a branch has moved since it was read.
var ErrMoved = errors.New("the branch has moved meanwhile")

// Failure is a request that GitHub did not fulfil.
type Failure struct {
	// Status is that of the answer, 0 without an answer.
	Status  int
	message string
}

func (f *Failure) Error() string { return f.message }

// IsFinal reports whether GitHub would refuse the same again.
func (f *Failure) IsFinal() bool {
	return f.Status >= http.StatusBadRequest && f.Status < http.StatusInternalServerError && f.Status != http.StatusTooManyRequests
}

// IsForbidden reports whether the token may not: GitHub does not always say so, and may
// deny what it hides.
func (f *Failure) IsForbidden() bool {
	return f.Status == http.StatusForbidden || f.Status == http.StatusNotFound
}

func (r *Repository) failed(what string, err error) error {
	return r.access.failed(r.needs(), what, err)
}

// failed says what the call should have done, and what the workflow can do about it: which
// permissions its token needs.
func (a *Access) failed(needs, what string, err error) error {
	if err == nil {
		return nil
	}
	f := &Failure{}
	var refused *github.ErrorResponse
	var primary *github.RateLimitError
	var secondary *github.AbuseRateLimitError
	hint := ""
	switch {
	case errors.As(err, &primary), errors.As(err, &secondary):
		f.Status, hint = http.StatusTooManyRequests, ": the rate limit of GitHub is reached"
	case !errors.As(err, &refused):
	case refused.Response.StatusCode == http.StatusForbidden && strings.Contains(refused.Message, "not permitted to create"):
		f.Status, hint = http.StatusForbidden, ": the settings of the repository or the organization forbid it (Actions, General, Workflow permissions)"
	case refused.Response.StatusCode == http.StatusForbidden || refused.Response.StatusCode == http.StatusUnauthorized:
		f.Status, hint = refused.Response.StatusCode, ": the token may not, it needs "+needs
	case refused.Response.StatusCode == http.StatusNotFound:
		f.Status, hint = refused.Response.StatusCode, ": it does not exist, or the token may not see it"
	default:
		f.Status = refused.Response.StatusCode
	}
	f.message = fmt.Sprintf("cannot %s%s (%s)", what, hint, said(err))
	if f.Status != 0 {
		f.message = fmt.Sprintf("cannot %s%s (%d: %s)", what, hint, f.Status, said(err))
	}
	f.message = strings.ReplaceAll(f.message, a.Token, "***")
	return f
}

// is reports whether an error is an answer with a status.
func is(err error, status int) bool {
	var refused *github.ErrorResponse
	return errors.As(err, &refused) && refused.Response.StatusCode == status
}

// Branch returns the commit that a branch is at, "" if there is no such branch.
func (r *Repository) Branch(ctx context.Context, name string) (commit string, err error) {
	ref, _, err := r.client.Git.GetRef(ctx, r.owner, r.name, "heads/"+name)
	if is(err, http.StatusNotFound) {
		return "", nil
	}
	return ref.GetObject().GetSHA(), r.failed("read the branch "+name, err)
}

// ErrNoCommit says that GitHub does not have a commit.
var ErrNoCommit = errors.New("there is no such commit")

// Titles returns the first lines of the messages of a commit and those before it, the
// newest first, n at most and at most 100. The error is ErrNoCommit where GitHub has none.
func (r *Repository) Titles(ctx context.Context, commit string, n int) ([]string, error) {
	commits, _, err := r.client.Repositories.ListCommits(ctx, r.owner, r.name, &github.CommitsListOptions{SHA: commit, ListOptions: github.ListOptions{PerPage: n}})
	if is(err, http.StatusNotFound) || is(err, http.StatusUnprocessableEntity) {
		return nil, ErrNoCommit // the repository is there
	}
	var titles []string
	for _, c := range commits {
		title, _, _ := strings.Cut(c.GetCommit().GetMessage(), "\n")
		titles = append(titles, title)
	}
	return titles, r.failed("list commits", err)
}

// Blob is a file that a commit changes.
type Blob struct {
	// Path is from the root. Mode is that of git: 100644 or 100755.
	Path, Mode string
	Content    []byte
}

// maxInline is how many bytes of texts a tree is sent with. What is beyond that, or no text,
// is stored by itself: a request for each of hundreds of files is more than GitHub likes at
// once (docs: "Create a tree", content; "About secondary rate limits").
const maxInline = 1 << 20

// Commit makes a commit on top of another, and returns its name. It sets no author, so that
// GitHub signs the commit if the token is a bot's; with isSignedOff the author signs it off in
// the message. No branch has the commit yet.
func (r *Repository) Commit(ctx context.Context, parent, message string, files []Blob, isSignedOff bool) (commit string, err error) {
	tree, err := r.tree(ctx, parent, files)
	if err != nil {
		return "", err
	}
	if !isSignedOff {
		made, err := r.commit(ctx, parent, message, tree)
		return made.GetSHA(), err
	}
	if r.signOff == "" { // GitHub alone knows who the author is
		made, err := r.commit(ctx, parent, message, tree)
		if err != nil {
			return "", err
		}
		r.signOff = fmt.Sprintf("\n%s%s <%s>\n", SignedOff, made.GetAuthor().GetName(), made.GetAuthor().GetEmail())
	}
	made, err := r.commit(ctx, parent, message+r.signOff, tree)
	return made.GetSHA(), err
}

// SignedOff begins the line of a message that signs a commit off (git commit --signoff).
const SignedOff = "Signed-off-by: "

// commit makes a commit of a tree on top of another.
func (r *Repository) commit(ctx context.Context, parent, message string, tree *github.Tree) (*github.Commit, error) {
	made, _, err := r.client.Git.CreateCommit(ctx, r.owner, r.name, &github.Commit{
		Message: &message, Tree: tree, Parents: []*github.Commit{{SHA: &parent}},
	}, nil)
	return made, r.failed("store a commit", err)
}

// tree makes the tree of a commit with other contents of files.
func (r *Repository) tree(ctx context.Context, parent string, files []Blob) (*github.Tree, error) {
	below, _, err := r.client.Git.GetCommit(ctx, r.owner, r.name, parent)
	if err != nil {
		return nil, r.failed("read the commit "+parent, err)
	}
	var entries []*github.TreeEntry
	inline := 0
	for _, f := range files {
		entry := &github.TreeEntry{Path: github.String(f.Path), Mode: github.String(f.Mode), Type: github.String("blob")}
		entries = append(entries, entry)
		if isText := utf8.Valid(f.Content) && !bytes.ContainsRune(f.Content, 0); isText && inline+len(f.Content) <= maxInline {
			inline += len(f.Content)
			entry.Content = github.String(string(f.Content))
			continue
		}
		blob, _, err := r.client.Git.CreateBlob(ctx, r.owner, r.name, &github.Blob{
			Content: github.String(base64.StdEncoding.EncodeToString(f.Content)), Encoding: github.String("base64"),
		})
		if err != nil {
			return nil, r.failed("store "+f.Path, err)
		}
		entry.SHA = blob.SHA
	}
	tree, _, err := r.client.Git.CreateTree(ctx, r.owner, r.name, below.GetTree().GetSHA(), entries)
	return tree, r.failed("store a tree", err)
}

// noCommit is the commit of a branch that does not exist.
const noCommit = "0000000000000000000000000000000000000000"

// SetBranch moves a branch from one commit to another if it is still at the first one; before
// is "" if the branch must not exist, after is "" to remove it. If the branch has moved, the
// error is ErrMoved. The REST API cannot compare and swap (docs: GraphQL, updateRefs).
func (r *Repository) SetBranch(ctx context.Context, name, before, after string) error {
	type refUpdate struct {
		Name      string `json:"name"`
		BeforeOid string `json:"beforeOid"`
		AfterOid  string `json:"afterOid"`
		Force     bool   `json:"force"`
	}
	const mutation = `mutation($input: UpdateRefsInput!) { updateRefs(input: $input) { clientMutationId } }`
	err := r.mutate(ctx, mutation, map[string]any{"repositoryId": r.id, "refUpdates": []refUpdate{{
		Name: "refs/heads/" + name, BeforeOid: cmp.Or(before, noCommit), AfterOid: cmp.Or(after, noCommit), Force: true,
	}}})
	if err == nil {
		return nil
	}
	if now, asked := r.Branch(ctx, name); asked == nil && now == after {
		return nil // the answer was lost
	} else if asked == nil && now != before {
		return ErrMoved
	}
	return r.failed("write the branch "+name, err)
}

// mutate sends a mutation of GraphQL.
func (r *Repository) mutate(ctx context.Context, mutation string, input any) error {
	return r.query(ctx, mutation, map[string]any{"input": input}, nil)
}

// Viewer returns who the token belongs to, as comments name them. REST says it of people
// alone, GraphQL of those of jobs and apps, too.
func (r *Repository) Viewer(ctx context.Context) (login string, err error) {
	var data struct{ Viewer struct{ Login string } }
	err = r.query(ctx, "query { viewer { login } }", nil, &data)
	return data.Viewer.Login, r.failed("ask who the token belongs to", err)
}

// query sends a query of GraphQL, and reads the answer into data.
func (r *Repository) query(ctx context.Context, query string, variables map[string]any, data any) error {
	question := map[string]any{"query": query}
	if variables != nil {
		question["variables"] = variables
	}
	request, err := r.client.NewRequest(http.MethodPost, r.graphQL(), question)
	if err != nil {
		return err
	}
	answer := struct {
		Data   any
		Errors []struct{ Type, Message string }
	}{Data: data}
	response, err := r.client.Do(ctx, request, &answer)
	if err != nil || len(answer.Errors) == 0 {
		return err
	}
	refused := &github.ErrorResponse{Response: response.Response, Message: answer.Errors[0].Message}
	status := http.StatusUnprocessableEntity
	switch answer.Errors[0].Type {
	case "FORBIDDEN", "INSUFFICIENT_SCOPES":
		status = http.StatusForbidden
	case "NOT_FOUND":
		status = http.StatusNotFound
	}
	copied := *response.Response
	copied.StatusCode = status
	refused.Response = &copied
	return refused
}

// graphQL returns the address of GraphQL for that of the API, which on GitHub Enterprise
// Server is another directory (docs: "Forming calls with GraphQL").
func (r *Repository) graphQL() string {
	base := *r.client.BaseURL
	base.Path = strings.TrimSuffix(strings.TrimSuffix(base.Path, "/"), "/v3") + "/graphql"
	return base.String()
}

// PullRequest is one on GitHub.
type PullRequest struct {
	Number           int
	URL, Title, Body string
	// Head is the commit of its branch when it was last read, Base the branch that it is for.
	Head, Base       string
	IsOpen, IsMerged bool
}

// maxPages is how many pages of 100 of a list are read.
const maxPages = 10

// PullRequests returns those from a branch of the repository itself, the newest first.
func (r *Repository) PullRequests(ctx context.Context, branch string) ([]PullRequest, error) {
	return r.list(ctx, &github.PullRequestListOptions{State: "all", Head: r.owner + ":" + branch}, func(name string) bool { return name == branch })
}

// OpenPullRequests returns those that are open and from branches of the repository itself
// whose names begin with a text, by branch.
func (r *Repository) OpenPullRequests(ctx context.Context, prefix string) (map[string]PullRequest, error) {
	byBranch := map[string]PullRequest{}
	_, err := r.list(ctx, &github.PullRequestListOptions{State: "open"}, func(string) bool { return true }, func(branch string, p PullRequest) {
		if strings.HasPrefix(branch, prefix) {
			byBranch[branch] = p
		}
	})
	return byBranch, err
}

// list returns pull requests of the repository's own branches, and shows each to those
// who want to see it.
func (r *Repository) list(ctx context.Context, o *github.PullRequestListOptions, wants func(branch string) bool, see ...func(branch string, p PullRequest)) ([]PullRequest, error) {
	o.Sort, o.Direction, o.PerPage = "created", "desc", 100
	var all []PullRequest
	for range maxPages {
		page, response, err := r.client.PullRequests.List(ctx, r.owner, r.name, o)
		if err != nil {
			return nil, r.failed("list pull requests", err)
		}
		for _, p := range page {
			if !strings.EqualFold(p.GetHead().GetRepo().GetFullName(), r.owner+"/"+r.name) || !wants(p.GetHead().GetRef()) {
				continue // a fork may have a branch of that name
			}
			found := pullRequestOf(p)
			all = append(all, found)
			for _, look := range see {
				look(p.GetHead().GetRef(), found)
			}
		}
		if response.NextPage == 0 {
			break
		}
		o.Page = response.NextPage
	}
	return all, nil
}

// PullRequest returns one by its number.
func (r *Repository) PullRequest(ctx context.Context, number int) (PullRequest, error) {
	p, _, err := r.client.PullRequests.Get(ctx, r.owner, r.name, number)
	return pullRequestOf(p), r.failed(fmt.Sprintf("read #%d", number), err)
}

func pullRequestOf(p *github.PullRequest) PullRequest {
	return PullRequest{
		Number: p.GetNumber(), URL: p.GetHTMLURL(), Title: p.GetTitle(), Body: p.GetBody(), Head: p.GetHead().GetSHA(), Base: p.GetBase().GetRef(),
		IsOpen: p.GetState() == "open", IsMerged: p != nil && p.MergedAt != nil,
	}
}

// Create opens a pull request.
func (r *Repository) Create(ctx context.Context, branch, base, title, body string, draft bool) (PullRequest, error) {
	p, _, err := r.client.PullRequests.Create(ctx, r.owner, r.name, &github.NewPullRequest{Head: &branch, Base: &base, Title: &title, Body: &body, Draft: &draft})
	return PullRequest{Number: p.GetNumber(), URL: p.GetHTMLURL(), Title: title, Body: body, IsOpen: true}, r.failed("open a pull request", err)
}

// Edit changes the title, the body and the base of a pull request, closes it if it must not be
// open, and returns its new state. It never opens one: someone may have closed it meanwhile.
func (r *Repository) Edit(ctx context.Context, p PullRequest) (PullRequest, error) {
	change := &github.PullRequest{Title: &p.Title, Body: &p.Body}
	if p.Base != "" {
		change.Base = &github.PullRequestBranch{Ref: &p.Base}
	}
	if !p.IsOpen {
		change.State = github.String("closed")
	}
	now, _, err := r.client.PullRequests.Edit(ctx, r.owner, r.name, p.Number, change)
	p.IsOpen = now.GetState() == "open"
	return p, r.failed(fmt.Sprintf("edit #%d", p.Number), err)
}

// Comment says something below a pull request.
func (r *Repository) Comment(ctx context.Context, number int, text string) error {
	_, _, err := r.client.Issues.CreateComment(ctx, r.owner, r.name, number, &github.IssueComment{Body: &text})
	return r.failed(fmt.Sprintf("comment on #%d", number), err)
}

// Mark gives a pull request labels and assignees.
func (r *Repository) Mark(ctx context.Context, number int, labels, assignees []string) error {
	if len(labels) > 0 {
		if _, _, err := r.client.Issues.AddLabelsToIssue(ctx, r.owner, r.name, number, slices.Clone(labels)); err != nil {
			return r.failed(fmt.Sprintf("label #%d", number), err)
		}
	}
	if len(assignees) > 0 {
		if _, _, err := r.client.Issues.AddAssignees(ctx, r.owner, r.name, number, slices.Clone(assignees)); err != nil {
			return r.failed(fmt.Sprintf("assign #%d", number), err)
		}
	}
	return nil
}

// Messages returns the messages of the commits that head has and base does not, the oldest
// first, 250 at most.
func (r *Repository) Messages(ctx context.Context, base, head string) ([]string, error) {
	compared, _, err := r.client.Repositories.CompareCommits(ctx, r.owner, r.name, base, head, nil)
	var messages []string
	if err == nil {
		for _, c := range compared.Commits {
			messages = append(messages, c.GetCommit().GetMessage())
		}
	}
	return messages, r.failed("compare commits", err)
}
