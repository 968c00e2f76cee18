package pullrequest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/mcplumb/mcplumb/internal/github"
)

// Remark is one comment below a pull request that is kept up to date.
type Remark struct {
	// Part is the part of the repository that the run checks: another part has its own
	// comment.
	Part string
	// Text is Markdown. Says reports that it says something: what says nothing is not said
	// until something was.
	Text string
	Says bool
}

// remarkStart begins a comment by mcplumb, hidden.
const remarkStart = "<!-- mcplumb summary "

// mark is the first line of the comment.
func (m *Remark) mark() string {
	sum := sha256.Sum256([]byte(m.Part))
	return remarkStart + hex.EncodeToString(sum[:6]) + " -->"
}

// Keep writes the comment below a pull request, or brings it up to date, and says what it did:
// Created, Updated or Unchanged, and in a clause why it did nothing. If the pull request is at
// another commit than head by now, it leaves the comment to the run for that commit.
func (m *Remark) Keep(ctx context.Context, r *github.Repository, number int, head string) (operation, why string, err error) {
	now, err := r.PullRequest(ctx, number)
	switch {
	case err != nil:
		return Unchanged, "", err
	case !now.IsOpen:
		return Unchanged, fmt.Sprintf("#%d is not open", number), nil
	case now.Head != head:
		return Unchanged, fmt.Sprintf("#%d is at %.12s by now, and this is a run for %.12s", number, now.Head, head), nil
	}
	ours, err := m.own(ctx, r, number)
	body := m.mark() + "\n" + m.Text
	switch {
	case err != nil, ours == nil && !m.Says, ours != nil && plain(ours.Body) == plain(body):
		return Unchanged, "", err
	case ours == nil:
		return Created, "", r.Comment(ctx, number, body)
	}
	return Updated, "", r.EditRemark(ctx, ours.ID, body)
}

// own returns the comment that the one who asks has made before, nil for none. Anyone can
// write a comment that looks like it.
func (m *Remark) own(ctx context.Context, r *github.Repository, number int) (*github.Remark, error) {
	all, err := r.Remarks(ctx, number)
	if err != nil {
		return nil, err
	}
	login := ""
	for i := range all {
		if !strings.HasPrefix(all[i].Body, m.mark()) {
			continue
		}
		if login == "" {
			if login, err = r.Viewer(ctx); err != nil {
				return nil, err
			}
		}
		if all[i].Login == login {
			return &all[i], nil
		}
	}
	return nil, nil
}
