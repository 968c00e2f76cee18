package double

import (
	"net/http"
	"strings"
)

// refObject is a ref as answers have it.
func (d *Double) refObject(name, sha string) map[string]any {
	return map[string]any{
		"ref": name, "node_id": "REF_" + name, "url": d.api("/git/" + name),
		"object": map[string]any{"type": d.repo.kind(sha), "sha": sha, "url": d.api("/git/commits/" + sha)},
	}
}

func (d *Double) getRef(c *call) answer {
	name := "refs/" + c.parameters["ref"]
	if sha := d.repo.ref(name); sha != "" {
		return ok(d.refObject(name, sha))
	}
	return notFound
}

// matchingRefs answers with the refs whose names begin so.
func (d *Double) matchingRefs(c *call) answer {
	found := []any{}
	out, err := d.repo.git("for-each-ref", "--format=%(refname) %(objectname)")
	for line := range strings.Lines(out) {
		name, sha, _ := strings.Cut(strings.TrimSpace(line), " ")
		if strings.HasPrefix(name, "refs/"+c.parameters["ref"]) {
			found = append(found, d.refObject(name, sha))
		}
	}
	if err != nil {
		return refused(http.StatusInternalServerError, err.Error())
	}
	return ok(found)
}

func unprocessable(message string) answer {
	return refused(http.StatusUnprocessableEntity, message)
}

func (d *Double) createRef(c *call) answer {
	sent := body[struct{ Ref, SHA string }](c)
	switch {
	case !strings.HasPrefix(sent.Ref, "refs/") || strings.Count(sent.Ref, "/") < 2:
		return unprocessable("Reference name must start with 'refs/' and have at least two slashes.")
	case d.repo.ref(sent.Ref) != "":
		return unprocessable("Reference already exists")
	case d.repo.kind(sent.SHA) == "":
		return unprocessable("Object does not exist")
	case d.guarded[sent.Ref] != "":
		return unprocessable(d.guarded[sent.Ref])
	}
	if err := d.move(sent.Ref, zero, sent.SHA); err != nil {
		return unprocessable("Reference update failed")
	}
	return created(d.refObject(sent.Ref, sent.SHA))
}

func (d *Double) updateRef(c *call) answer {
	sent := body[struct {
		SHA   string
		Force bool
	}](c)
	name := "refs/" + c.parameters["ref"]
	if problem := d.refusal(name, d.repo.ref(name), sent.SHA, sent.Force); problem != "" {
		return unprocessable(problem)
	}
	if err := d.move(name, d.repo.ref(name), sent.SHA); err != nil {
		return unprocessable("Reference update failed")
	}
	return ok(d.refObject(name, sent.SHA))
}

// refusal returns why GitHub would refuse to point an existing ref elsewhere, "" if it
// would not.
func (d *Double) refusal(name, before, after string, force bool) string {
	switch {
	case before == "":
		return "Reference does not exist"
	case d.guarded[name] != "":
		return d.guarded[name]
	case after == zero:
		return ""
	case d.repo.kind(after) == "":
		return "Object does not exist"
	case !force && !d.repo.isAncestor(before, after):
		return "Update is not a fast forward"
	}
	return ""
}

func (d *Double) deleteRef(c *call) answer {
	name := "refs/" + c.parameters["ref"]
	if problem := d.refusal(name, d.repo.ref(name), zero, true); problem != "" {
		return unprocessable(problem)
	}
	if err := d.move(name, d.repo.ref(name), zero); err != nil {
		return unprocessable("Reference update failed")
	}
	return answer{status: http.StatusNoContent}
}

// move points a ref elsewhere if it points to the expected commit, and updates the pull
// requests. Zero means that there is no ref.
func (d *Double) move(name, before, after string) error {
	args := []string{"update-ref", name, after, before}
	if after == zero {
		args = []string{"update-ref", "-d", name, before}
	}
	if _, err := d.repo.git(args...); err != nil {
		return err
	}
	for _, p := range d.pulls {
		d.follow(p)
	}
	return nil
}
