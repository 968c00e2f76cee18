package double

import (
	"net/http"
	"slices"
	"time"
)

// issueComment is one below a pull request.
type issueComment struct {
	id      int64
	pull    int
	user    string
	body    string
	created time.Time
}

func (d *Double) commentObject(m *issueComment) map[string]any {
	return map[string]any{"id": m.id, "node_id": "IC", "url": d.api("/issues/comments"), "html_url": d.web("/pull"), "issue_url": d.api("/issues"),
		"body": m.body, "user": user(m.user), "created_at": m.created, "updated_at": m.created, "author_association": "CONTRIBUTOR"}
}

func (d *Double) listComments(c *call) answer {
	return d.withPull(c, "issue_number", func(p *pull) answer {
		all := slices.DeleteFunc(slices.Clone(d.comments), func(m *issueComment) bool { return m.pull != p.number })
		part, header := page(d, c, all)
		list := []any{}
		for _, m := range part {
			list = append(list, d.commentObject(m))
		}
		return answer{http.StatusOK, list, header}
	})
}

func (d *Double) createComment(c *call) answer {
	return d.withPull(c, "issue_number", func(p *pull) answer {
		text := body[struct{ Body string }](c).Body
		if text == "" {
			return invalid(problem("IssueComment", "body", "missing_field", "Body cannot be blank"))
		}
		if problem := tooLong("IssueComment", "", text); problem != nil {
			return invalid(problem)
		}
		return created(d.commentObject(d.comment(p, botLogin, text)))
	})
}

func (d *Double) updateComment(c *call) answer {
	i := slices.IndexFunc(d.comments, func(m *issueComment) bool { return m.id == int64(c.number("comment_id")) })
	text := body[struct{ Body string }](c).Body
	switch {
	case i < 0:
		return notFound
	case text == "":
		return invalid(problem("IssueComment", "body", "missing_field", "Body cannot be blank"))
	}
	if problem := tooLong("IssueComment", "", text); problem != nil {
		return invalid(problem)
	}
	d.comments[i].body = text
	return ok(d.commentObject(d.comments[i]))
}

func (d *Double) comment(p *pull, login, text string) *issueComment {
	m := &issueComment{d.id(), p.number, login, text, d.now()}
	d.comments = append(d.comments, m)
	return m
}

// addLabels adds labels, and makes those that the repository does not have.
func (d *Double) addLabels(c *call) answer {
	return d.withPull(c, "issue_number", func(p *pull) answer {
		for _, label := range body[struct{ Labels []any }](c).Labels {
			name, is := label.(string)
			if object, isObject := label.(map[string]any); isObject {
				name, is = object["name"].(string)
			}
			if is && !slices.Contains(p.labels, name) {
				p.labels = append(p.labels, name)
			}
		}
		return ok(labelObjects(p.labels))
	})
}

// addAssignees adds those who may be assigned: the owner of the repository. Others
// are passed over in silence, as GitHub does.
func (d *Double) addAssignees(c *call) answer {
	return d.withPull(c, "issue_number", func(p *pull) answer {
		for _, login := range body[struct{ Assignees []string }](c).Assignees {
			if login == d.owner && !slices.Contains(p.assignees, login) {
				p.assignees = append(p.assignees, login)
			}
		}
		return created(map[string]any{"id": p.number, "number": p.number, "title": p.title, "state": p.state, "user": user(p.user),
			"labels": labelObjects(p.labels), "assignees": userObjects(p.assignees), "author_association": "CONTRIBUTOR"})
	})
}
