package github

import (
	"context"
	"fmt"

	"github.com/google/go-github/v60/github"
)

// Remark is a comment below a pull request, on none of its lines.
type Remark struct {
	ID          int64
	Login, Body string // who wrote what
}

// Remarks returns the comments below a pull request, the first 1,000.
func (r *Repository) Remarks(ctx context.Context, number int) ([]Remark, error) {
	var all []Remark
	o := &github.IssueListCommentsOptions{ListOptions: github.ListOptions{PerPage: 100}}
	for range maxPages {
		page, response, err := r.client.Issues.ListComments(ctx, r.owner, r.name, number, o)
		if err != nil {
			return nil, r.failed(fmt.Sprintf("list the comments below #%d", number), err)
		}
		for _, c := range page {
			all = append(all, Remark{c.GetID(), c.GetUser().GetLogin(), c.GetBody()})
		}
		if response.NextPage == 0 {
			break
		}
		o.Page = response.NextPage
	}
	return all, nil
}

// EditRemark changes a comment below a pull request.
func (r *Repository) EditRemark(ctx context.Context, id int64, text string) error {
	_, _, err := r.client.Issues.EditComment(ctx, r.owner, r.name, id, &github.IssueComment{Body: &text})
	return r.failed("edit a comment", err)
}
