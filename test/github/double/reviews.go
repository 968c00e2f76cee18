package double

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"
)

// review is one of a pull request.
type review struct {
	id                         int64
	user, body, commit, status string
	submitted                  time.Time
}

// reviewComment is one at lines of a file.
type reviewComment struct {
	id, review, reply int64
	user, body        string
	path, side        string
	line, start       int // start is 0 for one line
	startSide         string
	commit, hunk      string
	created           time.Time
}

// sentComment is a comment of a review in a request.
type sentComment struct {
	Path, Body, Side string
	Position         *int
	Line             *int
	StartLine        *int   `json:"start_line"`
	StartSide        string `json:"start_side"`
}

func (d *Double) reviewObject(p *pull, r *review) map[string]any {
	return map[string]any{"id": r.id, "node_id": "PRR", "user": user(r.user), "body": r.body, "state": r.status, "html_url": d.web("/pull"),
		"pull_request_url": d.api("/pulls"), "submitted_at": r.submitted, "commit_id": r.commit, "author_association": "CONTRIBUTOR"}
}

func (d *Double) listReviews(c *call) answer {
	return d.withPull(c, "pull_number", func(p *pull) answer {
		part, header := page(d, c, p.reviews)
		list := []any{}
		for _, r := range part {
			list = append(list, d.reviewObject(p, r))
		}
		return answer{http.StatusOK, list, header}
	})
}

// createReview takes a review whole, or not at all.
func (d *Double) createReview(c *call) answer {
	return d.withPull(c, "pull_number", func(p *pull) answer {
		sent := body[struct {
			CommitID    string `json:"commit_id"`
			Body, Event string
			Comments    []sentComment
		}](c)
		commit := cmp.Or(sent.CommitID, p.headSHA)
		files, err := d.files(cmp.Or(d.repo.mergeBase(p.baseSHA, commit), p.baseSHA), commit)
		status, known := map[string]string{"": "PENDING", "COMMENT": "COMMENTED", "APPROVE": "APPROVED", "REQUEST_CHANGES": "CHANGES_REQUESTED"}[sent.Event]
		switch {
		case err != nil || !d.repo.isAncestor(commit, p.headSHA):
			return refused(http.StatusUnprocessableEntity, "Unprocessable Entity", "Commit is not part of the pull request")
		case !known || sent.Body == "" && len(sent.Comments) == 0:
			return refused(http.StatusUnprocessableEntity, "Unprocessable Entity", "Body can't be blank")
		case tooLong("", "", sent.Body) != nil:
			return refused(http.StatusUnprocessableEntity, "Unprocessable Entity", "Body is too long (maximum is 65536 characters)")
		}
		r := &review{d.id(), botLogin, sent.Body, commit, status, d.now()}
		var comments []*reviewComment
		for _, s := range sent.Comments {
			m, problem := place(files, s)
			if problem != "" {
				return refused(http.StatusUnprocessableEntity, "Unprocessable Entity", problem)
			}
			m.id, m.review, m.user, m.commit, m.created = d.id(), r.id, botLogin, commit, d.now()
			comments = append(comments, m)
		}
		p.reviews, p.comments = append(p.reviews, r), append(p.comments, comments...)
		return ok(d.reviewObject(p, r))
	})
}

// place finds the lines of a comment in the diff, or returns the reason why it cannot.
func place(files []*file, s sentComment) (m *reviewComment, problem string) {
	const noHunk = "Pull request review thread diff hunk can't be blank"
	i := slices.IndexFunc(files, func(f *file) bool { return f.Filename == s.Path })
	switch {
	case i < 0:
		return nil, "Pull request review thread path is invalid and " + noHunk
	case s.Line == nil:
		return nil, "Pull request review thread position is invalid and " + noHunk
	case s.Body == "":
		return nil, "Pull request review thread comment body can't be blank"
	case s.StartLine != nil && *s.StartLine >= *s.Line:
		return nil, "Pull request review thread start line must precede the end line."
	}
	m = &reviewComment{body: s.Body, path: s.Path, side: cmp.Or(s.Side, "RIGHT"), line: *s.Line}
	for _, h := range hunks(files[i].patch) {
		if !h.has(m.side, m.line) {
			continue
		}
		m.hunk = strings.TrimSuffix(h.text, "\n")
		if s.StartLine == nil {
			return m, ""
		}
		m.start, m.startSide = *s.StartLine, cmp.Or(s.StartSide, m.side)
		if !h.has(m.startSide, m.start) {
			return nil, "Pull request review thread start line must be part of the same hunk as the line."
		}
		return m, ""
	}
	return nil, "Pull request review thread line must be part of the diff and " + noHunk
}

// has reports that a line of a side is one of a hunk.
func (h *hunk) has(side string, line int) bool {
	if side == "LEFT" {
		return h.left[line]
	}
	return h.right[line]
}

// reviewCommentObject is a comment as answers have it. It no longer has a line if its lines
// were changed later (outdated).
func (d *Double) reviewCommentObject(p *pull, m *reviewComment) map[string]any {
	o := map[string]any{"id": m.id, "node_id": "PRRC", "pull_request_review_id": m.review, "user": user(m.user), "body": m.body, "path": m.path,
		"side": m.side, "original_line": m.line, "line": nil, "position": nil, "commit_id": p.headSHA, "original_commit_id": m.commit,
		"diff_hunk": m.hunk, "created_at": m.created, "updated_at": m.created, "html_url": d.web("/pull"), "url": d.api("/pulls/comments"),
		"pull_request_url": d.api("/pulls"), "author_association": "CONTRIBUTOR"}
	if m.start > 0 {
		o["original_start_line"], o["start_line"], o["start_side"] = m.start, nil, m.startSide
	}
	if m.reply != 0 {
		o["in_reply_to_id"] = m.reply
	}
	if line, start := d.today(p, m, m.line), d.today(p, m, m.start); line > 0 && (m.start == 0 || start > 0) {
		o["line"], o["position"] = line, 1
		if m.start > 0 {
			o["start_line"] = start
		}
	}
	return o
}

// today returns where a line of the commit of a comment is in the head of its pull
// request, 0 if it was changed since.
func (d *Double) today(p *pull, m *reviewComment, line int) int {
	if m.commit == p.headSHA || line == 0 {
		return line
	}
	out, err := d.repo.run(nil, nil, "diff", "-U0", "--no-color", m.commit+":"+m.path, p.headSHA+":"+m.path)
	if err != nil {
		return 0
	}
	shift := 0
	for _, patch := range split(string(out)) {
		for _, h := range hunks(patch) {
			if h.left[line] {
				return 0
			}
			if before(h.left, line) || len(h.left) == 0 && before(h.right, line+shift) {
				shift += len(h.right) - len(h.left)
			}
		}
	}
	return line + shift
}

// before reports that lines are above another.
func before(lines map[int]bool, line int) bool {
	for l := range lines {
		return l <= line
	}
	return false
}

func (d *Double) listReviewComments(c *call) answer {
	return d.withPull(c, "pull_number", func(p *pull) answer {
		part, header := page(d, c, p.comments)
		list := []any{}
		for _, m := range part {
			list = append(list, d.reviewCommentObject(p, m))
		}
		return answer{http.StatusOK, list, header}
	})
}

// reviewComment finds a comment by its number.
func (d *Double) reviewComment(id int64) (p *pull, index int) {
	for _, p := range d.pulls {
		if i := slices.IndexFunc(p.comments, func(m *reviewComment) bool { return m.id == id }); i >= 0 {
			return p, i
		}
	}
	return nil, -1
}

func (d *Double) getReviewComment(c *call) answer {
	p, i := d.reviewComment(int64(c.number("comment_id")))
	if p == nil {
		return notFound
	}
	return ok(d.reviewCommentObject(p, p.comments[i]))
}

func (d *Double) deleteReviewComment(c *call) answer {
	p, i := d.reviewComment(int64(c.number("comment_id")))
	if p == nil {
		return notFound
	}
	p.comments = slices.Delete(p.comments, i, i+1)
	return answer{status: http.StatusNoContent}
}
