package github

import (
	"context"
	"fmt"
	"net/http"

	"github.com/google/go-github/v60/github"
)

// ChangedFile is a file that a pull request changes.
type ChangedFile struct {
	Path string
	// Blob is the name that git has for what is in it at the head.
	Blob string
	// Patch are its hunks as git writes them, "" for a file that is too large or no text.
	Patch string
}

// ChangedFiles returns the files that a pull request changes, the first 1,000.
func (r *Repository) ChangedFiles(ctx context.Context, number int) ([]ChangedFile, error) {
	var files []ChangedFile
	o := &github.ListOptions{PerPage: 100}
	for range maxPages {
		page, response, err := r.client.PullRequests.ListFiles(ctx, r.owner, r.name, number, o)
		if err != nil {
			return nil, r.failed(fmt.Sprintf("list the files of #%d", number), err)
		}
		for _, f := range page {
			files = append(files, ChangedFile{f.GetFilename(), f.GetSHA(), f.GetPatch()})
		}
		if response.NextPage == 0 {
			break
		}
		o.Page = response.NextPage
	}
	return files, nil
}

// Comment is one on lines of a pull request.
type Comment struct {
	ID          int64
	Login, Body string // who wrote what
	// Path, First and Last are the lines that it is about, 1-based, at the head.
	Path        string
	First, Last int
	// IsOutdated reports that the lines have changed since, HasReplies that someone has
	// answered, IsReply that it is an answer.
	IsOutdated, HasReplies, IsReply bool
}

// Comments returns the comments on lines of a pull request.
func (r *Repository) Comments(ctx context.Context, number int) ([]Comment, error) {
	var all []Comment
	answered := map[int64]bool{}
	o := &github.PullRequestListCommentsOptions{ListOptions: github.ListOptions{PerPage: 100}}
	for range maxPages {
		page, response, err := r.client.PullRequests.ListComments(ctx, r.owner, r.name, number, o)
		if err != nil {
			return nil, r.failed(fmt.Sprintf("list the comments on #%d", number), err)
		}
		for _, c := range page {
			answered[c.GetInReplyTo()] = true
			all = append(all, Comment{
				ID: c.GetID(), Login: c.GetUser().GetLogin(), Body: c.GetBody(), Path: c.GetPath(), First: c.GetStartLine(), Last: c.GetLine(),
				IsOutdated: c.Line == nil, IsReply: c.GetInReplyTo() != 0,
			})
		}
		if response.NextPage == 0 {
			break
		}
		o.Page = response.NextPage
	}
	for i := range all {
		all[i].HasReplies = answered[all[i].ID]
	}
	return all, nil
}

// DeleteComment deletes a comment on lines. It may already be gone.
func (r *Repository) DeleteComment(ctx context.Context, id int64) error {
	_, err := r.client.PullRequests.DeleteComment(ctx, r.owner, r.name, id)
	if is(err, http.StatusNotFound) {
		return nil
	}
	return r.failed("remove a comment", err)
}

// Review posts comments on lines of a pull request's head, which all must be in its diff,
// with a text above them.
func (r *Repository) Review(ctx context.Context, number int, head, body string, comments []Comment) error {
	request := &github.PullRequestReviewRequest{CommitID: &head, Body: &body, Event: github.String("COMMENT")}
	for i := range comments {
		c := &comments[i]
		draft := &github.DraftReviewComment{Path: &c.Path, Body: &c.Body, Side: github.String("RIGHT"), Line: &c.Last}
		if c.First < c.Last {
			draft.StartLine, draft.StartSide = &c.First, github.String("RIGHT")
		}
		request.Comments = append(request.Comments, draft)
	}
	_, _, err := r.client.PullRequests.CreateReview(ctx, r.owner, r.name, number, request)
	return r.failed(fmt.Sprintf("review #%d", number), err)
}
