package pullrequest

import (
	"errors"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/github"
)

// proposed is a proposal with one commit, for main as the hub has it.
func proposed() *Proposal {
	return &Proposal{
		Branch: "mcplumb/fix", Base: "main", On: "main-1", Title: "Fix", Body: "what\n", Fixes: []string{"f1"},
		Commits: []Commit{{"Fix x\n\nwhat x is\n", []github.Blob{{Path: ".mcp.json", Mode: "100644", Content: []byte("{}")}}}},
	}
}

// apply loads what there is and applies a proposal.
func apply(t *testing.T, r *github.Repository, p *Proposal) (Result, error) {
	t.Helper()
	s, err := Load(t.Context(), r, p.Branch)
	require.NoError(t, err)
	return Apply(t.Context(), r, s, p)
}

// opened is a hub with the pull request of a proposal.
func opened(t *testing.T, p *Proposal) (h *hub, r *github.Repository, head string) {
	t.Helper()
	h, r = newHub(t)
	result, err := apply(t, r, p)
	require.NoError(t, err)
	require.Equal(t, Created, result.Operation)
	h.wrote()
	return h, r, h.branches[p.Branch]
}

// marked is the marker in a body.
func marked(t *testing.T, body string) marker {
	t.Helper()
	m, found := readMarker(body)
	require.True(t, found, body)
	return m
}

func TestCreate(t *testing.T) {
	h, r := newHub(t)
	h.fails["GET /compare"] = http.StatusForbidden // there is no branch to compare with
	p := proposed()
	p.Draft = true
	p.Commits = append(p.Commits, Commit{"Fix y", []github.Blob{{Path: "run", Mode: "100755", Content: []byte("#!")}}})
	result, err := apply(t, r, p)
	require.NoError(t, err)
	assert.Equal(t, Result{Operation: Created, Number: 1, URL: "https://github.com/acme/web/pull/1"}, result)
	head := h.branches["mcplumb/fix"]
	assert.Equal(t, []string{`branch mcplumb/fix: "" to "` + head + `"`, `open #1: mcplumb/fix to main, "Fix", draft true`}, h.wrote())

	second := h.made[head]
	assert.Equal(t, []string{"Fix y", "run 100755 #!"}, []string{second.message, second.tree})
	first := h.made[second.parent]
	assert.Equal(t, madeCommit{"main-1", "Fix x\n\nwhat x is\n", ".mcp.json 100644 {}"}, first)

	assert.Equal(t, marker{Head: head, Content: p.content(), Title: "Fix", Fixes: []string{"f1"}}, marked(t, h.pulls[0].body))
	assert.Regexp(t, `^what\n\n<!-- mcplumb .* -->\n$`, h.pulls[0].body)

	result, err = apply(t, r, p)
	require.NoError(t, err)
	assert.Equal(t, Result{Operation: Unchanged, Number: 1, URL: "https://github.com/acme/web/pull/1"}, result)
	assert.Empty(t, h.wrote(), "it is as it should be")
}

// TestCreateMarked: labels and assignees come after it is there, and until then its body
// says that they are missing.
func TestCreateMarked(t *testing.T) {
	for _, p := range []*Proposal{{Labels: []string{"mcp", "bot"}}, {Assignees: []string{"alice"}}} {
		h, r := newHub(t)
		marks := p
		p = proposed()
		p.Labels, p.Assignees = marks.Labels, marks.Assignees
		result, err := apply(t, r, p)
		require.NoError(t, err)
		assert.Equal(t, Created, result.Operation)
		writes := h.wrote()
		require.Len(t, writes, 4)
		if p.Labels != nil {
			assert.Equal(t, "label #1: [mcp bot]", writes[2])
		} else {
			assert.Equal(t, "assign #1: [alice]", writes[2])
		}
		assert.Equal(t, `edit #1: "Fix"`, writes[3])
		assert.True(t, marked(t, h.bodies[1][0]).Unmarked)
		assert.False(t, marked(t, h.bodies[1][1]).Unmarked)
		assert.True(t, h.pulls[0].isOpen)
	}
}

// TestLabelsThatCannotBeGiven: the pull request still exists, and mcplumb tries again only
// what may work another time.
func TestLabelsThatCannotBeGiven(t *testing.T) {
	for status, isTriedAgain := range map[int]bool{http.StatusUnprocessableEntity: false, http.StatusForbidden: false, http.StatusBadGateway: true} {
		h, r := newHub(t)
		p := proposed()
		p.Labels = []string{"mcp"}
		h.fails["POST /issues/1/labels"] = status
		result, err := apply(t, r, p)
		assert.ErrorContains(t, err, "cannot label #1", status)
		assert.Equal(t, Created, result.Operation, status)
		assert.Equal(t, 1, result.Number, status)
		assert.Equal(t, isTriedAgain, marked(t, h.pulls[0].body).Unmarked, status)

		h.wrote()
		result, err = apply(t, r, p) // nothing has changed
		if !isTriedAgain {
			require.NoError(t, err)
			assert.Equal(t, Unchanged, result.Operation)
			assert.Empty(t, h.wrote())
			continue
		}
		assert.ErrorContains(t, err, "cannot label #1")
		assert.Equal(t, Updated, result.Operation)
		assert.True(t, marked(t, h.pulls[0].body).Unmarked)
		h.wrote()

		h.fails["POST /issues/1/labels"] = http.StatusUnprocessableEntity // now it is known that it never works
		result, err = apply(t, r, p)
		assert.ErrorContains(t, err, "cannot label #1")
		assert.Equal(t, Updated, result.Operation)
		assert.False(t, marked(t, h.pulls[0].body).Unmarked)
		assert.Equal(t, []string{`edit #1: "Fix"`}, h.wrote())
	}
}

// TestLabelsOfARunThatWasKilled are given by the next one.
func TestLabelsOfARunThatWasKilled(t *testing.T) {
	h, r := newHub(t)
	p := proposed()
	p.Labels = []string{"mcp"}
	h.fails["POST /issues/1/labels"] = http.StatusBadGateway
	_, err := apply(t, r, p)
	require.Error(t, err)
	delete(h.fails, "POST /issues/1/labels")
	h.wrote()
	result, err := apply(t, r, p)
	require.NoError(t, err)
	assert.Equal(t, Result{Operation: Updated, Number: 1, URL: "https://github.com/acme/web/pull/1"}, result)
	assert.Equal(t, []string{"label #1: [mcp]", `edit #1: "Fix"`}, h.wrote())
	assert.False(t, marked(t, h.pulls[0].body).Unmarked)
}

// TestEditFailsWithLabels: nothing is reported as done if the body could not be written.
func TestEditFailsWithLabels(t *testing.T) {
	h, r := newHub(t)
	p := proposed()
	p.Labels = []string{"mcp"}
	h.fails["PATCH /pulls/1"] = http.StatusUnprocessableEntity
	result, err := apply(t, r, p)
	assert.ErrorContains(t, err, "cannot edit #1")
	assert.Equal(t, Created, result.Operation, "except the note that it has its labels")

	h.fails["POST /issues/1/labels"] = http.StatusBadGateway
	result, err = apply(t, r, p)
	assert.ErrorContains(t, err, "cannot edit #1")
	assert.ErrorContains(t, err, "cannot label #1")
	assert.Equal(t, Unchanged, result.Operation)
}

// TestUpdate writes the body before the branch moves: it must be known as ours whenever
// the run ends.
func TestUpdate(t *testing.T) {
	p := proposed()
	h, r, before := opened(t, p)
	h.branches["main"], p.On = "main-2", "main-2"
	p.Fixes = []string{"f1", "f2"}
	result, err := apply(t, r, p)
	require.NoError(t, err)
	assert.Equal(t, Result{Operation: Updated, Number: 1, URL: "https://github.com/acme/web/pull/1"}, result)
	head := h.branches["mcplumb/fix"]
	assert.Equal(t, "main-2", h.made[head].parent)
	assert.Equal(t, []string{`edit #1: "Fix"`, `branch mcplumb/fix: "` + before + `" to "` + head + `"`}, h.wrote())
	assert.Equal(t, marker{Head: head, Before: before, Content: p.content(), Title: "Fix", Fixes: []string{"f1", "f2"}}, marked(t, h.pulls[0].body))
}

// TestUpdateThatWasKilled: a body that says that the branch holds more than it does is no
// reason to leave it there.
func TestUpdateThatWasKilled(t *testing.T) {
	p := proposed()
	h, r, before := opened(t, p)
	p.Commits[0].Files[0].Content = []byte("[]")
	h.pulls[0].body = p.with(marker{Head: "never there", Before: before, Content: p.content(), Title: "Fix", Fixes: []string{"f1"}})
	result, err := apply(t, r, p)
	require.NoError(t, err)
	assert.Equal(t, Updated, result.Operation)
	head := h.branches["mcplumb/fix"]
	assert.Equal(t, ".mcp.json 100644 []", h.made[head].tree)
	assert.Equal(t, []string{`edit #1: "Fix"`, `branch mcplumb/fix: "` + before + `" to "` + head + `"`}, h.wrote())
}

// TestUpdateOfTheTextAlone makes no commits.
func TestUpdateOfTheTextAlone(t *testing.T) {
	p := proposed()
	h, r, head := opened(t, p)
	p.Body, p.Title = "more\n", "Fix all"
	result, err := apply(t, r, p)
	require.NoError(t, err)
	assert.Equal(t, Updated, result.Operation)
	assert.Equal(t, []string{`edit #1: "Fix all"`}, h.wrote())
	assert.Equal(t, marker{Head: head, Content: p.content(), Title: "Fix all", Fixes: []string{"f1"}}, marked(t, h.pulls[0].body))
}

// TestUpdateOfTheBase moves the pull request to another branch.
func TestUpdateOfTheBase(t *testing.T) {
	p := proposed()
	h, r, _ := opened(t, p)
	h.branches["develop"], p.Base = "main-1", "develop"
	result, err := apply(t, r, p)
	require.NoError(t, err)
	assert.Equal(t, Updated, result.Operation)
	assert.Equal(t, []string{`edit #1: "Fix" to develop`}, h.wrote())
}

// TestTitleThatAPersonGave stays when the rest is updated.
func TestTitleThatAPersonGave(t *testing.T) {
	p := proposed()
	h, r, _ := opened(t, p)
	h.pulls[0].title = "Our servers"
	p.Body = "more\n"
	_, err := apply(t, r, p)
	require.NoError(t, err)
	assert.Equal(t, []string{`edit #1: "Our servers"`}, h.wrote())
}

// TestBaseElsewhere: a run for what the base was leaves all to the one for what it is.
func TestBaseElsewhere(t *testing.T) {
	h, r := newHub(t)
	h.branches["main"] = "0123456789abcdef"
	result, err := apply(t, r, proposed())
	require.NoError(t, err)
	assert.Equal(t, Result{Operation: Unchanged, Why: "main is at 0123456789ab on GitHub and main-1 here: run fix-pr again on the newest commit"}, result)
	assert.Empty(t, h.wrote())
}

// TestClosedMeanwhile: what was not yet shown in a pull request was not refused with it.
func TestClosedMeanwhile(t *testing.T) {
	p := proposed()
	h, r, head := opened(t, p)
	body := h.pulls[0].body
	h.before["PATCH /pulls/1"] = func() { h.pulls[0].isOpen = false }
	p.Fixes = []string{"f1", "f2"}
	p.Commits[0].Files[0].Content = []byte("[]")
	result, err := apply(t, r, p)
	require.NoError(t, err)
	assert.Equal(t, Result{Operation: Unchanged, Number: 1, URL: "https://github.com/acme/web/pull/1", Why: "#1 was closed meanwhile"}, result)
	assert.Equal(t, body, h.pulls[0].body, "it is as it was when a person closed it")
	assert.Equal(t, head, h.branches["mcplumb/fix"])
	assert.Equal(t, []string{`edit #1: "Fix"`, `edit #1: "Fix"`}, h.wrote())

	s, err := Load(t.Context(), r, "mcplumb/fix")
	require.NoError(t, err)
	assert.True(t, s.Refuses("f1"))
	assert.False(t, s.Refuses("f2"))
}

// TestPushedMeanwhile: commits pushed during the run are not lost.
func TestPushedMeanwhile(t *testing.T) {
	p := proposed()
	h, r, _ := opened(t, p)
	body := h.pulls[0].body
	h.before["updateRefs"] = func() { h.branches["mcplumb/fix"] = "theirs" }
	p.Commits[0].Files[0].Content = []byte("[]")
	result, err := apply(t, r, p)
	require.NoError(t, err)
	assert.Equal(t, Unchanged, result.Operation)
	assert.Equal(t, "the branch mcplumb/fix was meanwhile updated by someone else", result.Why)
	assert.Equal(t, "theirs", h.branches["mcplumb/fix"])
	assert.Equal(t, body, h.pulls[0].body)

	// The same where there is no pull request yet.
	h, r = newHub(t)
	h.before["updateRefs"] = func() { h.branches["mcplumb/fix"] = "theirs" }
	result, err = apply(t, r, proposed())
	require.NoError(t, err)
	assert.Equal(t, Result{Operation: Unchanged, Why: "the branch mcplumb/fix was meanwhile updated by someone else"}, result)
	assert.Empty(t, h.wrote())
}

// TestProtectedBranch: where the branch cannot be written the body is as it was.
func TestProtectedBranch(t *testing.T) {
	p := proposed()
	h, r, _ := opened(t, p)
	body := h.pulls[0].body
	h.fails["updateRefs"] = http.StatusUnprocessableEntity
	p.Commits[0].Files[0].Content = []byte("[]")
	result, err := apply(t, r, p)
	assert.ErrorContains(t, err, "cannot write the branch mcplumb/fix")
	assert.Equal(t, Unchanged, result.Operation)
	assert.Equal(t, body, h.pulls[0].body)
}

// TestNotOpened: a branch that no pull request shows would be in the way, so it is put back.
func TestNotOpened(t *testing.T) {
	h, r := newHub(t)
	h.fails["POST /pulls"] = http.StatusUnprocessableEntity
	result, err := apply(t, r, proposed())
	assert.ErrorContains(t, err, "cannot open a pull request")
	assert.Equal(t, Result{Operation: Unchanged}, result)
	assert.NotContains(t, h.branches, "mcplumb/fix")
	assert.Len(t, h.wrote(), 2)

	// One that was there is put back to where it was: that of the one before, which was merged.
	p := proposed()
	h, r, head := opened(t, p)
	h.pulls[0].isOpen, h.pulls[0].isMerged = false, true
	h.fails["POST /pulls"] = http.StatusUnprocessableEntity
	p.Commits[0].Files[0].Content = []byte("[]")
	_, err = apply(t, r, p)
	assert.ErrorContains(t, err, "cannot open a pull request")
	assert.Equal(t, head, h.branches["mcplumb/fix"])
}

// TestAnswerLost: the pull request may be there although the answer was lost.
func TestAnswerLost(t *testing.T) {
	h, r := newHub(t)
	h.pulls = []*pull{{head: "mcplumb/fix", base: "main"}} // one that a person has closed
	h.loses["POST /pulls"] = http.StatusBadGateway
	result, err := apply(t, r, proposed())
	require.NoError(t, err)
	assert.Equal(t, Result{Operation: Created, Number: 2, URL: "https://github.com/acme/web/pull/2"}, result)
	assert.Contains(t, h.branches, "mcplumb/fix")

	// Where that cannot be asked, the branch stays: without it GitHub would close the pull request.
	h, r = newHub(t)
	h.loses["POST /pulls"] = http.StatusBadGateway
	h.before["POST /pulls"] = func() { h.fails["GET /pulls"] = http.StatusForbidden }
	result, err = apply(t, r, proposed())
	assert.ErrorContains(t, err, "cannot open a pull request")
	assert.Equal(t, Unchanged, result.Operation)
	assert.Contains(t, h.branches, "mcplumb/fix")
}

// TestBranchThatWasLeftBehind: a run was killed when the branch was there and no pull request
// yet. Only a branch with exactly the proposed commits is mcplumb's.
func TestBranchThatWasLeftBehind(t *testing.T) {
	for name, c := range map[string]struct {
		message   string
		isSigned  bool
		operation string
	}{
		"the same":                         {"Fix x\n\nwhat x is\n", false, Created},
		"the same, signed off":             {"Fix x\n\nwhat x is\n\nSigned-off-by: bot <bot@acme.dev>\n", true, Created},
		"another":                          {"Fix y\n", false, Unchanged},
		"signed off, and it should not be": {"Fix x\n\nwhat x is\n\nSigned-off-by: bot <bot@acme.dev>\n", false, Unchanged},
		"not signed off":                   {"Fix x\n\nwhat x is\n", true, Unchanged},
	} {
		h, r := newHub(t)
		p := proposed()
		p.SignOff = c.isSigned
		left := h.commit(madeCommit{"main-1", c.message, ".mcp.json 100644 {}"})
		h.branches["mcplumb/fix"] = left
		result, err := apply(t, r, p)
		require.NoError(t, err, name)
		assert.Equal(t, c.operation, result.Operation, name)
		if c.operation == Unchanged {
			assert.Equal(t, "someone else moved the branch mcplumb/fix to "+left+", so mcplumb does not update it", result.Why, name)
			assert.Empty(t, h.wrote(), name)
		} else {
			assert.Empty(t, result.Why, name)
			assert.Equal(t, []string{`open #1: mcplumb/fix to main, "Fix", draft false`}, h.wrote(), name)
		}
	}

	h, r := newHub(t)
	p := proposed()
	h.branches["mcplumb/fix"] = h.commit(madeCommit{"main-1", "Fix x\n\nwhat x is\n", ".mcp.json 100644 {}"})
	h.fails["POST /pulls"] = http.StatusUnprocessableEntity
	_, err := apply(t, r, p)
	assert.ErrorContains(t, err, "cannot open a pull request")
	assert.Empty(t, h.wrote(), "the branch is as it was")

	h.fails["GET /compare"] = http.StatusForbidden
	result, err := apply(t, r, p)
	assert.ErrorContains(t, err, "cannot compare commits")
	assert.Equal(t, Unchanged, result.Operation)

	// A person's branch with an open pull request is left alone.
	h, r, _ = opened(t, p)
	h.branches["mcplumb/fix"] = "theirs"
	h.fails["GET /compare"] = http.StatusForbidden
	_, err = apply(t, r, p)
	require.NoError(t, err)
}

// TestSignOff has the author of the commits sign them off, whom GitHub alone knows.
func TestSignOff(t *testing.T) {
	p := proposed()
	p.SignOff = true
	h, _, head := opened(t, p)
	assert.Equal(t, "Fix x\n\nwhat x is\n\nSigned-off-by: bot <bot@acme.dev>\n", h.made[head].message)
}

func TestClose(t *testing.T) {
	p := proposed()
	h, r, head := opened(t, p)
	p.Commits = nil
	result, err := apply(t, r, p)
	require.NoError(t, err)
	assert.Equal(t, Result{Operation: Closed, Number: 1, URL: "https://github.com/acme/web/pull/1"}, result)
	assert.Equal(t, []string{
		`edit #1: "Fix", closed`, "comment on #1: Nothing is left to fix, so this is closed.", `branch mcplumb/fix: "` + head + `" to ""`,
	}, h.wrote())
	m := marked(t, h.pulls[0].body)
	assert.True(t, m.Done)
	assert.Equal(t, head, m.Head)

	// It was not refused: it is proposed again.
	p = proposed()
	result, err = apply(t, r, p)
	require.NoError(t, err)
	assert.Equal(t, Created, result.Operation)
	assert.Equal(t, 2, result.Number)
}

// TestCloseWithoutItsBranch: a person has deleted the branch meanwhile.
func TestCloseWithoutItsBranch(t *testing.T) {
	p := proposed()
	h, r, _ := opened(t, p)
	delete(h.branches, "mcplumb/fix")
	p.Commits = nil
	result, err := apply(t, r, p)
	require.NoError(t, err)
	assert.Equal(t, Closed, result.Operation)
	assert.Len(t, h.wrote(), 2)
}

// TestCloseThatWasKilled: the next run deletes the branch, and names its pull request.
func TestCloseThatWasKilled(t *testing.T) {
	p := proposed()
	h, r, head := opened(t, p)
	p.Commits = nil
	h.fails["POST /issues/1/comments"] = http.StatusForbidden
	result, err := apply(t, r, p)
	assert.ErrorContains(t, err, "cannot comment on #1")
	assert.Equal(t, Unchanged, result.Operation)
	assert.Equal(t, []string{`edit #1: "Fix", closed`}, h.wrote())
	assert.Contains(t, h.branches, "mcplumb/fix")

	result, err = apply(t, r, p)
	require.NoError(t, err)
	assert.Equal(t, Result{Operation: Closed, Number: 1, URL: "https://github.com/acme/web/pull/1"}, result)
	assert.Equal(t, []string{`branch mcplumb/fix: "` + head + `" to ""`}, h.wrote())

	result, err = apply(t, r, p)
	require.NoError(t, err)
	assert.Equal(t, Result{Operation: Unchanged}, result)
	assert.Empty(t, h.wrote())
}

// TestCloseThatCannotBeWritten leaves the branch and says nothing below.
func TestCloseThatCannotBeWritten(t *testing.T) {
	p := proposed()
	h, r, _ := opened(t, p)
	p.Commits = nil
	h.fails["PATCH /pulls/1"] = http.StatusForbidden
	result, err := apply(t, r, p)
	assert.ErrorContains(t, err, "cannot edit #1")
	assert.Equal(t, Unchanged, result.Operation)
	assert.Empty(t, h.wrote())
}

// TestFailures: for any failed request, nothing is reported as done, and neither the branch
// nor the pull request is touched.
func TestFailures(t *testing.T) {
	for asked, said := range map[string]string{
		"GET /git/ref/heads/main": "cannot read the branch main", "POST /git/trees": "cannot store a tree", "POST /git/commits": "cannot store a commit",
	} {
		p := proposed()
		h, r, _ := opened(t, p)
		h.fails[asked] = http.StatusForbidden
		p.Commits[0].Files[0].Content = []byte("[]")
		result, err := apply(t, r, p)
		assert.ErrorContains(t, err, said)
		assert.Equal(t, Result{Operation: Unchanged, Number: 1, URL: "https://github.com/acme/web/pull/1"}, result, asked)
		assert.Empty(t, h.wrote(), asked)
	}
	for asked, said := range map[string]string{"GET /git/ref": "cannot read the branch mcplumb/fix", "GET /pulls": "cannot list pull requests"} {
		h, r := newHub(t)
		h.fails[asked] = http.StatusForbidden
		_, err := Load(t.Context(), r, "mcplumb/fix")
		assert.ErrorContains(t, err, said)
	}
}

// TestRefused: what was in a pull request that people have closed is not proposed again.
// What was merged, or closed because nothing was left, was not refused.
func TestRefused(t *testing.T) {
	with := func(m marker) string { return "what\n" + m.String() }
	h, r := newHub(t)
	h.pulls = []*pull{
		{head: "mcplumb/fix", body: with(marker{Fixes: []string{"closed long ago"}})},
		{head: "mcplumb/fix", body: "no marker"},
		{head: "mcplumb/fix", body: with(marker{Fixes: []string{"merged"}}), isMerged: true},
		{head: "mcplumb/fix", body: with(marker{Fixes: []string{"done"}, Done: true})},
		{head: "mcplumb/fix", body: with(marker{Head: "2222", Fixes: []string{"closed"}})},
		{head: "mcplumb/fix", body: "no marker, and closed last"},
		{head: "mcplumb/fix", body: with(marker{Fixes: []string{"open, too"}}), isOpen: true},
		{head: "mcplumb/fix", body: with(marker{Fixes: []string{"open"}}), isOpen: true},
		{head: "theirs", body: with(marker{Fixes: []string{"of another branch"}})},
	}
	s, err := Load(t.Context(), r, "mcplumb/fix")
	require.NoError(t, err)
	for fix, want := range map[string]bool{
		"closed": true, "closed long ago": true, "merged": false, "done": false, "open": false, "open, too": false, "of another branch": false,
	} {
		assert.Equal(t, want, s.Refuses(fix), fix)
	}
	assert.Equal(t, []int{8, 5}, []int{s.open.Number, s.last.Number})
	assert.Equal(t, "mcplumb/fix", s.Branch)
}

// TestRefusedByItsFirstDigits: of many fixes a marker remembers only those.
func TestRefusedByItsFirstDigits(t *testing.T) {
	s := State{refused: map[string]bool{"0123456789": true, "short": true}}
	assert.True(t, s.Refuses("0123456789abcdef"))
	assert.True(t, s.Refuses("short"))
	assert.False(t, s.Refuses("0123456780abcdef"))
	assert.False(t, s.Refuses(""))
}

// TestIsOurs: a marker in the body says so.
func TestIsOurs(t *testing.T) {
	assert.True(t, IsOurs(github.PullRequest{Body: "what\n" + marker{}.String()}))
	assert.False(t, IsOurs(github.PullRequest{Body: "what\n"}))
}

// TestUnmarked says what was refused, which can be asked for.
func TestUnmarked(t *testing.T) {
	refused := &github.Failure{Status: http.StatusForbidden}
	var found *github.Failure
	require.ErrorAs(t, unmarkedError{refused}, &found)
	assert.True(t, isFinal(unmarkedError{refused}))
	assert.False(t, isFinal(errors.New("it never got there")))
	assert.False(t, isFinal(&github.Failure{Status: http.StatusBadGateway}))
}
