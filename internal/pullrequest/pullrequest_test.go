package pullrequest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/github"
)

// TestStyleIsThatOfTheRepository: conventional commits where more than half of the
// titles are, merges aside.
func TestStyleIsThatOfTheRepository(t *testing.T) {
	for _, tt := range []struct {
		titles []string
		want   string
	}{
		{nil, "Fix the MCP server configuration"},
		{[]string{"Add a thing", "fix: a thing"}, "Fix the MCP server configuration"},
		{[]string{"Merge branch 'main'", "feat(api)!: drop v1", "fix: a thing", "Merge pull request #3 from acme/x", "Add a thing"}, "fix(mcp): correct the MCP server configuration"},
		{[]string{"note: no type of theirs", "fix:no space", "Fix: big"}, "Fix the MCP server configuration"},
	} {
		assert.Equal(t, tt.want, StyleOf(tt.titles).Title(""), tt.titles)
	}
	plain := StyleOf(nil)
	assert.Equal(t, "Fix the MCP server configuration in apps/web", plain.Title("apps/web"))
	assert.Equal(t, "Fix unpinned-package\n\nA package without a version\n\nhttps://example.com/#x\n", plain.Message("unpinned-package", "A package without a version", "https://example.com/#x", 1))
	assert.True(t, strings.HasPrefix(plain.Message("unpinned-package", "", "", 3), "Fix unpinned-package in 3 places\n"))
	conventional := StyleOf([]string{"fix: a thing"})
	assert.Equal(t, "fix(mcp): correct the MCP server configuration in apps/web", conventional.Title("apps/web"))
	assert.True(t, strings.HasPrefix(conventional.Message("unpinned-package", "", "", 2), "fix(mcp): resolve unpinned-package in 2 places\n"))
}

func TestMarker(t *testing.T) {
	written := marker{Head: "1a", Content: "c", Title: "a --> b", Fixes: []string{"f1"}}
	read, found := readMarker("text\n" + written.String() + "\n")
	assert.True(t, found)
	assert.Equal(t, written, read)
	for _, body := range []string{"", "text", "<!-- mcplumb", "<!-- mcplumb {}", "<!-- mcplumb {\"head\": -->", "<!-- mcplumb [] -->"} {
		_, found := readMarker(body)
		assert.False(t, found, body)
	}
}

// TestBlobNameIsGits: git hash-object says so of an empty file and of "hello\n".
func TestBlobNameIsGits(t *testing.T) {
	assert.Equal(t, "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391", blobName(nil))
	assert.Equal(t, "ce013625030ba8dba906f756967f9e9ca394464a", blobName([]byte("hello\n")))
}

// proposal is one with a commit, and the pull request that has it.
func proposal(t *testing.T) (*Proposal, *State) {
	t.Helper()
	p := &Proposal{
		Branch: "mcplumb/fix", Base: "main", On: "1111", Title: "Fix", Body: "what\n", Fixes: []string{"f1"},
		Commits: []Commit{{"Fix x", []github.Blob{{Path: ".mcp.json", Mode: "100644", Content: []byte("{}")}}}},
	}
	m := marker{Head: "2222", Content: p.content(), Title: "Fix", Fixes: p.Fixes}
	return p, &State{Branch: p.Branch, head: "2222", open: github.PullRequest{
		Number: 7, URL: "https://github.com/acme/web/pull/7", Title: "Fix", Body: p.Body + "\n" + m.String() + "\n", Head: "2222", Base: "main", IsOpen: true,
	}}
}

// TestTitleIsPlain: it may become the message of a commit, where a name would close an issue
// or mention a user. GitHub accepts 256 characters of it.
func TestTitleIsPlain(t *testing.T) {
	assert.Equal(t, "Fix the MCP server configuration in packages/-acme/web", StyleOf(nil).Title("packages/@acme/web"))
	assert.Equal(t, "Fix the MCP server configuration in fixes -1 -everyone", StyleOf(nil).Title("fixes #1 <@everyone"))
	assert.Equal(t, "Fix the MCP server configuration in "+strings.Repeat("long/", 20), StyleOf(nil).Title(strings.Repeat("long/", 80)))
}

// TestManyFixesAreRemembered: their fingerprints leave room in a body for people to read,
// and those of one that was closed are refused.
func TestManyFixesAreRemembered(t *testing.T) {
	for _, n := range []int{1, 400, 401, 1200, 5000} {
		var prints []string
		for i := range n {
			prints = append(prints, fmt.Sprintf("%08x%s", i, strings.Repeat("f", 24)))
		}
		text := marker{Fixes: remembered(prints)}.String()
		assert.Less(t, len(text), 17_000, n)
		m, found := readMarker("a body with <!-- mcplumb {} -->\n" + text)
		require.True(t, found)
		s := State{refused: map[string]bool{}}
		for _, print := range m.Fixes {
			s.refused[print] = true
		}
		assert.True(t, s.Refuses(prints[min(n, 1200)-1]), n)
		assert.Len(t, m.Fixes, min(n, 1200))
		assert.Equal(t, n > 400, m.Fixes[0] != prints[0], "%d: whole, or the first digits", n)
		assert.Equal(t, prints[0][:10], m.Fixes[0][:10])
		assert.False(t, s.Refuses(strings.Repeat("e", 32)), n)
	}
}

// TestPlan: the plan follows from the current state.
func TestPlan(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*Proposal, *State)
		want   string
		why    string
	}{
		"nothing has changed":              {func(*Proposal, *State) {}, Unchanged, ""},
		"the form on the web changes ends": {func(_ *Proposal, s *State) { s.open.Body = strings.ReplaceAll(s.open.Body, "\n", "\r\n") }, Unchanged, ""},
		"a person has given it a title":    {func(_ *Proposal, s *State) { s.open.Title = "Our servers" }, Unchanged, ""},
		"there is more to fix":             {func(p *Proposal, _ *State) { p.Commits[0].Files[0].Content = []byte("[]") }, Updated, ""},
		"the base has moved":               {func(p *Proposal, _ *State) { p.On = "3333" }, Updated, ""},
		"the text is another":              {func(p *Proposal, _ *State) { p.Body = "more\n" }, Updated, ""},
		"nothing is left":                  {func(p *Proposal, _ *State) { p.Commits = nil }, Closed, ""},
		"a person has pushed":              {func(_ *Proposal, s *State) { s.head = "4444" }, Unchanged, "someone else moved the branch mcplumb/fix to 4444, so mcplumb does not update it"},
		"a person has pushed to what is clean": {func(p *Proposal, s *State) { s.head, p.Commits = "4444", nil }, Unchanged,
			"someone else moved the branch mcplumb/fix to 4444, so mcplumb does not update it"},
		"the base is another":              {func(p *Proposal, _ *State) { p.Base = "develop" }, Updated, ""},
		"the title is another":             {func(p *Proposal, _ *State) { p.Title = "Fix all" }, Updated, ""},
		"more is fixed by the same":        {func(p *Proposal, _ *State) { p.Fixes = []string{"f1", "f2"} }, Updated, ""},
		"commits are to be signed off":     {func(p *Proposal, _ *State) { p.SignOff = true }, Updated, ""},
		"its marker is gone":               {func(_ *Proposal, s *State) { s.open.Body = "what\n" }, Unchanged, "someone else moved the branch mcplumb/fix to 2222, so mcplumb does not update it"},
		"its branch is gone":               {func(_ *Proposal, s *State) { s.head = "" }, Updated, ""},
		"labels may be missing":            {func(p *Proposal, s *State) { p.Labels = []string{"mcp"}; s.open.Body = unmarkedBody(p) }, Updated, ""},
		"assignees may be missing":         {func(p *Proposal, s *State) { p.Assignees = []string{"alice"}; s.open.Body = unmarkedBody(p) }, Updated, ""},
		"labels that are no longer wanted": {func(p *Proposal, s *State) { s.open.Body = unmarkedBody(p) }, Unchanged, ""},
		"the branch of one that was closed, half, and there is more to do": {func(_ *Proposal, s *State) {
			*s = State{Branch: s.Branch, head: s.head, last: doneOf(s.open)}
		}, Created, ""},
		"nothing is left, as in the one before": {func(p *Proposal, s *State) {
			p.Commits = nil
			s.last = doneOf(s.open)
			s.last.Number = 3
		}, Closed, ""},
		"the branch of one that was closed, half": {func(p *Proposal, s *State) {
			p.Commits = nil
			*s = State{Branch: s.Branch, head: s.head, last: doneOf(s.open)}
		}, Closed, ""},
		"a person has pushed to that": {func(p *Proposal, s *State) {
			p.Commits = nil
			*s = State{Branch: s.Branch, head: "4444", last: doneOf(s.open)}
		}, Unchanged, ""},
		"the branch of one that was closed, and is gone": {func(p *Proposal, s *State) {
			p.Commits = nil
			*s = State{Branch: s.Branch, last: doneOf(s.open)}
		}, Unchanged, ""},
		"the branch of one that a person has closed": {func(p *Proposal, s *State) {
			p.Commits = nil
			*s = State{Branch: s.Branch, head: s.head, last: s.open}
		}, Unchanged, ""},
		"a branch of a person": {func(_ *Proposal, s *State) { *s = State{Branch: s.Branch, head: "4444444444444444"} }, Unchanged,
			"someone else moved the branch mcplumb/fix to 444444444444, so mcplumb does not update it"},
		"there is none":                    {func(_ *Proposal, s *State) { *s = State{Branch: s.Branch} }, Created, ""},
		"there is none, and nothing to do": {func(p *Proposal, s *State) { *s = State{Branch: s.Branch}; p.Commits = nil }, Unchanged, ""},
		"the branch of one that was merged": {func(_ *Proposal, s *State) {
			*s = State{Branch: s.Branch, head: s.head, last: s.open}
		}, Created, ""},
	} {
		p, s := proposal(t)
		tt.change(p, s)
		got := s.Plan(p)
		assert.Equal(t, tt.want, got.Operation, name)
		assert.Equal(t, tt.why, got.Why, name)
		number := 7
		if s.open.Number == 0 && got.Operation != Closed {
			number = 0
		}
		assert.Equal(t, number, got.Number, name)
		assert.Equal(t, number > 0, got.URL == "https://github.com/acme/web/pull/7", name)
	}
}

// unmarkedBody is the body of a pull request that may not have its labels and assignees yet.
func unmarkedBody(p *Proposal) string {
	return p.with(marker{Head: "2222", Content: p.content(), Title: p.Title, Fixes: p.Fixes, Unmarked: true})
}

// doneOf is a pull request once it was closed because nothing was left.
func doneOf(open github.PullRequest) github.PullRequest {
	m, _ := readMarker(open.Body)
	m.Done = true
	open.Body, open.IsOpen = m.String(), false
	return open
}

// TestContent: commits are those that are proposed where all of this is the same.
func TestContent(t *testing.T) {
	p, _ := proposal(t)
	// Those of runs before this one are known again: sha256sum of
	// printf '1111\0Fix x\0.mcp.json\000100644\09e26dfeeb6e641a33dae4961196235bdb965b21b\0'
	assert.Equal(t, "ee848ff8cf0e1d54a214d7bee5a975b0", p.content())
	signed, _ := proposal(t)
	signed.SignOff = true
	assert.Equal(t, "4cb3ae58856b2c192e376fc36cfb8e98", signed.content(), "the same with 'Signed-off-by: ' behind the first zero")
	known := map[string]bool{p.content(): true}
	for name, change := range map[string]func(*Proposal){
		"what they are made for": func(p *Proposal) { p.On = "3333" },
		"who signs them off":     func(p *Proposal) { p.SignOff = true },
		"a message":              func(p *Proposal) { p.Commits[0].Message = "Fix y" },
		"a path":                 func(p *Proposal) { p.Commits[0].Files[0].Path = "x" },
		"a mode":                 func(p *Proposal) { p.Commits[0].Files[0].Mode = "100755" },
		"a content":              func(p *Proposal) { p.Commits[0].Files[0].Content = nil },
		"a commit more":          func(p *Proposal) { p.Commits = append(p.Commits, Commit{Message: "Fix y"}) },
	} {
		changed, _ := proposal(t)
		change(changed)
		assert.False(t, known[changed.content()], name)
		known[changed.content()] = true
	}
	same, _ := proposal(t)
	same.Body, same.Title, same.Fixes, same.Labels, same.Draft, same.Base = "", "", nil, []string{"mcp"}, true, "x"
	assert.True(t, known[same.content()], "how it is shown is no part of it")
}

// TestARunThatWasKilled: the branch has not moved yet although the body says so, and is
// still known as ours.
func TestARunThatWasKilled(t *testing.T) {
	p, s := proposal(t)
	m, found := readMarker(s.open.Body)
	require.True(t, found)
	m.Head, m.Before = "5555", "2222"
	s.open.Body = p.Body + "\n" + m.String()
	assert.Equal(t, Result{Operation: Updated, Number: 7, URL: "https://github.com/acme/web/pull/7"}, s.Plan(p))
}
