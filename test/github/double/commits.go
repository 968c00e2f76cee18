package double

import (
	"net/http"
	"strings"
)

// commitList is commits as lists have them.
func (d *Double) commitList(shas []string) ([]any, error) {
	commits, err := d.repo.commits(shas)
	list := []any{}
	for _, c := range commits {
		list = append(list, map[string]any{
			"sha": c.sha, "node_id": "C_" + c.sha, "url": d.api("/commits/" + c.sha), "html_url": d.web("/commit/" + c.sha), "comments_url": d.api("/commits/" + c.sha + "/comments"),
			"author": user(d.logins[c.author.Email]), "committer": user(d.logins[c.committer.Email]), "parents": d.parents(c),
			"commit": map[string]any{
				"message": strings.TrimSuffix(c.message, "\n"), "author": c.author, "committer": c.committer, "comment_count": 0, "url": d.api("/git/commits/" + c.sha),
				"tree": map[string]any{"sha": c.tree, "url": d.api("/git/trees/" + c.tree)}, "verification": d.verification(c.sha),
			},
		})
	}
	return list, err
}

// revisions lists commits, the newest first. The arguments name commits in full.
func (d *Double) revisions(args ...string) ([]string, error) {
	out, err := d.repo.about(append([]string{"rev-list"}, args...)...)
	return strings.Fields(out), err
}

// answerCommits answers with a page of commits.
func (d *Double) answerCommits(c *call, shas []string, err error) answer {
	if err != nil {
		return refused(http.StatusInternalServerError, err.Error())
	}
	part, header := page(d, c, shas)
	list, err := d.commitList(part)
	if err != nil {
		return refused(http.StatusInternalServerError, err.Error())
	}
	return answer{http.StatusOK, list, header}
}

func (d *Double) listCommits(c *call) answer {
	name := c.FormValue("sha")
	if name == "" {
		name = d.defaultBranch()
	}
	sha := d.repo.commit(name)
	if sha == "" {
		return notFound
	}
	args := []string{sha}
	if path := c.FormValue("path"); path != "" {
		args = append(args, "--", path)
	}
	shas, err := d.revisions(args...)
	return d.answerCommits(c, shas, err)
}

func (d *Double) getCommit(c *call) answer {
	sha := d.repo.commit(c.parameters["ref"])
	if sha == "" {
		return unprocessable("No commit found for SHA: " + c.parameters["ref"])
	}
	list, err := d.commitList([]string{sha})
	if err != nil {
		return refused(http.StatusInternalServerError, err.Error())
	}
	return ok(list[0])
}

// compare answers with the commits and files that one commit has and another does not.
func (d *Double) compare(c *call) answer {
	from, to, is := strings.Cut(c.parameters["basehead"], "...")
	base, head := d.repo.commit(d.ownBranch(from)), d.repo.commit(d.ownBranch(to))
	if !is || base == "" || head == "" {
		return notFound
	}
	common := d.repo.mergeBase(base, head)
	if common == "" {
		return refused(http.StatusNotFound, "No common ancestor between "+from+" and "+to+".")
	}
	shas, err := d.revisions("--reverse", base+".."+head)
	if err != nil {
		return refused(http.StatusInternalServerError, err.Error())
	}
	part, header := page(d, c, shas)
	commits, err := d.commitList(part)
	ends, err2 := d.commitList([]string{base, common})
	files, err3 := d.files(common, head)
	if err != nil || err2 != nil || err3 != nil {
		return refused(http.StatusInternalServerError, "Server Error")
	}
	ahead, behind := len(shas), d.repo.count(head, base)
	url := d.api("/compare/" + c.parameters["basehead"])
	return answer{http.StatusOK, map[string]any{
		"url": url, "html_url": url, "permalink_url": url, "diff_url": url, "patch_url": url, "base_commit": ends[0], "merge_base_commit": ends[1],
		"status": comparison(ahead, behind), "ahead_by": ahead, "behind_by": behind, "total_commits": ahead, "commits": commits, "files": files[:min(len(files), 300)],
	}, header}
}

func comparison(ahead, behind int) string {
	switch {
	case ahead > 0 && behind > 0:
		return "diverged"
	case ahead > 0:
		return "ahead"
	case behind > 0:
		return "behind"
	}
	return "identical"
}

// ownBranch returns a name without the owner of the repository before it.
func (d *Double) ownBranch(name string) string { return strings.TrimPrefix(name, d.owner+":") }
