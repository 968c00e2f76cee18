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
		{nil, "Mend the MCP server configuration"},
		{[]string{"Add a thing", "fix: a thing"}, "Mend the MCP server configuration"},
		{[]string{"feat(api)!: drop v1", "fix: a thing", "Merge pull request #3 from acme/x", "Merge branch 'main'"}, "fix(mcp): mend the MCP server configuration"},
		{[]string{"note: no type of theirs", "fix:no space", "Fix: big"}, "Mend the MCP server configuration"},
	} {
		assert.Equal(t, tt.want, StyleOf(tt.titles).Title(""), tt.titles)
	}
	plain := StyleOf(nil)
	assert.Equal(t, "Mend the MCP server configuration in apps/web", plain.Title("apps/web"))
	assert.Equal(t, "Mend unpinned-package\n\nA package without a version\n\nhttps://example.com/#x\n", plain.Message("unpinned-package", "A package without a version", "https://example.com/#x", 1))
	assert.True(t, strings.HasPrefix(plain.Message("unpinned-package", "", "", 3), "Mend unpinned-package in 3 places\n"))
}

func TestMarker(t *testing.T) {
	written := marker{Head: "1a", Content: "c", Title: "a --> b", Fixes: []string{"f1"}}
	read, found := readMarker("text\n" + written.String() + "\n")
	assert.True(t, found)
	assert.Equal(t, written, read)
	for _, body := range []string{"", "text", "<!-- mcplumb", "<!-- mcplumb {\"head\": -->", "<!-- mcplumb [] -->"} {
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
		Branch: "mcplumb/fix", Base: "main", On: "1111", Title: "Mend", Body: "what\n", Fixes: []string{"f1"},
		Commits: []Commit{{"Mend x", []github.Blob{{Path: ".mcp.json", Mode: "100644", Content: []byte("{}")}}}},
	}
	m := marker{Head: "2222", Content: p.content(), Title: "Mend", Fixes: p.Fixes}
	return p, &State{Branch: p.Branch, head: "2222", open: github.PullRequest{
		Number: 7, Title: "Mend", Body: p.Body + "\n" + m.String() + "\n", Head: "2222", Base: "main", IsOpen: true,
	}}
}

// TestTitleIsPlain: it may become the message of a commit, where a name would close an
// issue or call somebody. GitHub takes 256 characters of it.
func TestTitleIsPlain(t *testing.T) {
	assert.Equal(t, "Mend the MCP server configuration in packages/-acme/web", StyleOf(nil).Title("packages/@acme/web"))
	assert.Equal(t, "Mend the MCP server configuration in fixes -1 -everyone", StyleOf(nil).Title("fixes #1 <@everyone"))
	assert.Less(t, len(StyleOf(nil).Title(strings.Repeat("long/", 80))), 256)
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
		assert.False(t, s.Refuses(strings.Repeat("e", 32)), n)
	}
}

// TestPlan: what is to be done follows from what there is.
func TestPlan(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*Proposal, *State)
		want   string
		why    string
	}{
		"nothing has changed":              {func(*Proposal, *State) {}, Unchanged, ""},
		"the form on the web changes ends": {func(_ *Proposal, s *State) { s.open.Body = strings.ReplaceAll(s.open.Body, "\n", "\r\n") }, Unchanged, ""},
		"somebody has given it a title":    {func(_ *Proposal, s *State) { s.open.Title = "Our servers" }, Unchanged, ""},
		"there is more to mend":            {func(p *Proposal, _ *State) { p.Commits[0].Files[0].Content = []byte("[]") }, Updated, ""},
		"the base has moved":               {func(p *Proposal, _ *State) { p.On = "3333" }, Updated, ""},
		"the text is another":              {func(p *Proposal, _ *State) { p.Body = "more\n" }, Updated, ""},
		"nothing is left":                  {func(p *Proposal, _ *State) { p.Commits = nil }, Closed, ""},
		"somebody has pushed":              {func(_ *Proposal, s *State) { s.head = "4444" }, Unchanged, "the branch mcplumb/fix is at 4444, where somebody else has put it, so it is left alone"},
		"somebody has pushed to what is clean": {func(p *Proposal, s *State) { s.head, p.Commits = "4444", nil }, Unchanged,
			"the branch mcplumb/fix is at 4444, where somebody else has put it, so it is left alone"},
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
	}
}

// TestARunThatWasKilled: the branch has not moved yet although the body says so, and is
// still known as ours.
func TestARunThatWasKilled(t *testing.T) {
	p, s := proposal(t)
	m, found := readMarker(s.open.Body)
	require.True(t, found)
	m.Head, m.Before = "5555", "2222"
	s.open.Body = p.Body + "\n" + m.String()
	assert.Equal(t, Result{Operation: Updated, Number: 7}, s.Plan(p))
}
