package pullrequest

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/github"
)

// reviewed is a hub with a pull request at the commit abcdef0123456789, number 1.
func reviewed(t *testing.T) (*hub, *github.Repository) {
	t.Helper()
	h, r := newHub(t)
	h.branches["feature"] = "abcdef0123456789"
	h.pulls = []*pull{{head: "feature", base: "main", isOpen: true}}
	return h, r
}

// everywhere covers all files.
func everywhere(string) bool { return true }

// suggestion is one for a line of .mcp.json, by itself.
func suggestion(line int) Suggestion {
	return Suggestion{Path: ".mcp.json", First: line, Last: line, Old: "old\n", New: "new\n", Text: "It is new.", Group: line}
}

// posted is a suggestion as a comment of the hub, by the one who asks.
func posted(id int, s Suggestion) map[string]any {
	return map[string]any{"id": id, "user": map[string]any{"login": "acme-bot"}, "body": s.body(), "path": s.Path, "line": s.Last}
}

// changed is a comment with other members.
func changed(comment map[string]any, members map[string]any) map[string]any {
	for name, value := range members {
		comment[name] = value
	}
	return comment
}

// suggest makes suggestions for the pull request.
func suggest(t *testing.T, r *github.Repository, list ...Suggestion) Suggested {
	t.Helper()
	done, err := Suggest(t.Context(), r, 1, "abcdef0123456789", &Suggestions{List: list, Covers: everywhere})
	require.NoError(t, err)
	return done
}

// TestSuggest posts all that is new in one review.
func TestSuggest(t *testing.T) {
	h, r := reviewed(t)
	wide := suggestion(7)
	wide.First = 5
	assert.Equal(t, Suggested{Made: 2}, suggest(t, r, suggestion(3), wide))
	assert.Equal(t, []string{"review #1 at abcdef0123456789: mcplumb suggests 2 changes to the MCP server configuration."}, h.wrote())
	comments := h.reviews[0]["comments"].([]any)
	require.Len(t, comments, 2)
	first, second := comments[0].(map[string]any), comments[1].(map[string]any)
	assert.Equal(t, map[string]any{"path": ".mcp.json", "line": 3.0, "side": "RIGHT", "body": first["body"]}, first)
	assert.Equal(t, []any{5.0, 7.0}, []any{second["start_line"], second["line"]})
	assert.True(t, strings.HasPrefix(first["body"].(string), "It is new.\n\n```suggestion\nnew\n```\n\n<!-- mcplumb suggestion "), first["body"])

	assert.Equal(t, Suggested{Made: 1}, suggest(t, r, suggestion(3)))
	assert.Equal(t, []string{"review #1 at abcdef0123456789: mcplumb suggests a change to the MCP server configuration."}, h.wrote())
	assert.Equal(t, Suggested{}, suggest(t, r))
	assert.Empty(t, h.wrote())
}

// TestSuggestElsewhere: for a pull request that is at another commit another run knows
// better, and one that is closed needs nothing.
func TestSuggestElsewhere(t *testing.T) {
	h, r := reviewed(t)
	list := &Suggestions{List: []Suggestion{suggestion(3)}, Covers: everywhere}
	done, err := Suggest(t.Context(), r, 1, "9876543210fedcba", list)
	require.NoError(t, err)
	assert.Equal(t, Suggested{Why: "#1 is at abcdef012345 by now, and this is a run for 9876543210fe"}, done)
	h.pulls[0].isOpen = false
	done, err = Suggest(t.Context(), r, 1, "abcdef0123456789", list)
	require.NoError(t, err)
	assert.Equal(t, Suggested{Why: "#1 is not open"}, done)
	assert.Empty(t, h.wrote())
}

// TestStanding: an existing suggestion is not made again, and an outdated one is deleted,
// unless someone has answered it: the discussion below it would be deleted, too.
func TestStanding(t *testing.T) {
	other := suggestion(9)
	other.New = "other\n"
	elsewhere := suggestion(3)
	elsewhere.Path = "web/.mcp.json"
	for name, c := range map[string]struct {
		comments []map[string]any
		want     Suggested
		writes   []string
	}{
		"it stands":                    {[]map[string]any{posted(11, suggestion(3))}, Suggested{Known: 1}, nil},
		"it stands at another line":    {[]map[string]any{posted(11, suggestion(8))}, Suggested{Known: 1}, nil},
		"another change stands":        {[]map[string]any{posted(11, other)}, Suggested{Made: 1, Removed: 1}, []string{"delete comment 11"}},
		"the same of another file":     {[]map[string]any{posted(11, elsewhere)}, Suggested{Made: 1, Removed: 1}, []string{"delete comment 11"}},
		"its line has changed":         {[]map[string]any{changed(posted(11, suggestion(3)), map[string]any{"line": nil})}, Suggested{Made: 1, Removed: 1}, []string{"delete comment 11"}},
		"it stands twice":              {[]map[string]any{posted(11, suggestion(8)), posted(12, suggestion(3))}, Suggested{Known: 1, Removed: 1}, []string{"delete comment 11"}},
		"another, with an answer":      {[]map[string]any{posted(11, other), {"id": 12, "in_reply_to_id": 11, "body": "No.", "line": 9}}, Suggested{Made: 1}, nil},
		"an answer that quotes it":     {[]map[string]any{changed(posted(11, suggestion(3)), map[string]any{"in_reply_to_id": 10})}, Suggested{Made: 1}, nil},
		"another user's, like it":      {[]map[string]any{changed(posted(11, suggestion(3)), map[string]any{"user": map[string]any{"login": "eve"}})}, Suggested{Made: 1}, nil},
		"a comment that suggests none": {[]map[string]any{changed(posted(11, suggestion(3)), map[string]any{"body": "```suggestion\nnew\n```\n"})}, Suggested{Made: 1}, nil},
	} {
		h, r := reviewed(t)
		h.comments = c.comments
		assert.Equal(t, c.want, suggest(t, r, suggestion(3)), name)
		writes := h.wrote()
		if c.want.Made > 0 {
			require.NotEmpty(t, writes, name)
			assert.Contains(t, writes[0], "suggests a change", name)
			writes = writes[1:]
		}
		assert.ElementsMatch(t, c.writes, writes, name)
	}
}

// TestTwoAlike: of two that change two lines alike, each is the one at its own line.
func TestTwoAlike(t *testing.T) {
	h, r := reviewed(t)
	h.comments = []map[string]any{posted(11, suggestion(8)), posted(12, suggestion(3))}
	assert.Equal(t, Suggested{Known: 2}, suggest(t, r, suggestion(3), suggestion(8)))
	h.comments = []map[string]any{posted(11, suggestion(8))}
	assert.Equal(t, Suggested{Made: 1, Known: 1}, suggest(t, r, suggestion(3), suggestion(8)))
	assert.Equal(t, 3.0, h.reviews[0]["comments"].([]any)[0].(map[string]any)["line"])
}

// TestOtherRuns: what another run has suggested in files that this one has not checked stays.
func TestOtherRuns(t *testing.T) {
	h, r := reviewed(t)
	here, there := suggestion(9), suggestion(9)
	here.New, there.Path = "other\n", "web/.mcp.json"
	h.comments = []map[string]any{posted(11, here), posted(12, there)}
	covers := func(path string) bool { return path == ".mcp.json" }
	done, err := Suggest(t.Context(), r, 1, "abcdef0123456789", &Suggestions{Covers: covers})
	require.NoError(t, err)
	assert.Equal(t, Suggested{Removed: 1}, done)
	assert.Equal(t, []string{"delete comment 11"}, h.wrote())
}

// TestRoomForSuggestions: at most thirty exist at once, including earlier ones, and those that
// belong together are made all or none.
func TestRoomForSuggestions(t *testing.T) {
	several := func(n, from, group int) (all []Suggestion) {
		for i := range n {
			s := suggestion(from + i)
			s.New += strings.Repeat("x", i+from)
			if group > 0 {
				s.Group = group
			}
			all = append(all, s)
		}
		return all
	}
	h, r := reviewed(t)
	assert.Equal(t, Suggested{Made: 30}, suggest(t, r, several(30, 1, 0)...))
	assert.Equal(t, Suggested{Made: 30, TooMany: 1}, suggest(t, r, several(31, 1, 0)...))
	writes := h.wrote()
	assert.Equal(t, "review #1 at abcdef0123456789: mcplumb suggests 30 changes to the MCP server configuration. There are 1 more: `mcplumb check --fix` makes all of them.", writes[1])

	// One group of three does not fit behind 28, and the two that belong together behind it do.
	mixed := append(append(several(28, 1, 0), several(3, 100, 1000)...), several(2, 200, 2000)...)
	assert.Equal(t, Suggested{Made: 30, TooMany: 3}, suggest(t, r, mixed...))
	comments := h.reviews[2]["comments"].([]any)
	assert.Equal(t, 201.0, comments[29].(map[string]any)["line"])

	for i, s := range several(10, 1, 0) {
		h.comments = append(h.comments, posted(i+1, s))
	}
	assert.Equal(t, Suggested{Known: 10, Made: 20, TooMany: 1}, suggest(t, r, several(31, 1, 0)...))
}

// TestGroups: those of one group are together where the first of them is.
func TestGroups(t *testing.T) {
	assert.Equal(t, [][]int{{0, 2}, {1}, {3, 4}}, groupsOf([]Suggestion{{Group: 7}, {Group: 1}, {Group: 7}, {Group: 2}, {Group: 2}}))
}

// TestSuggestFails says what could not be done, and how far it came.
func TestSuggestFails(t *testing.T) {
	stale := suggestion(9)
	stale.New = "other\n"
	for asked, c := range map[string]struct {
		said string
		done Suggested
	}{
		"GET /pulls/1":              {"cannot read #1", Suggested{}},
		"GET /pulls/1/comments":     {"cannot list the comments on #1", Suggested{}},
		"viewer":                    {"cannot ask who the token belongs to", Suggested{}},
		"POST /pulls/1/reviews":     {"cannot review #1", Suggested{}},
		"DELETE /pulls/comments/11": {"cannot remove a comment", Suggested{Made: 1}},
	} {
		h, r := reviewed(t)
		h.comments = []map[string]any{posted(11, stale)}
		h.fails[asked] = http.StatusForbidden
		done, err := Suggest(t.Context(), r, 1, "abcdef0123456789", &Suggestions{List: []Suggestion{suggestion(3)}, Covers: everywhere})
		assert.ErrorContains(t, err, c.said)
		assert.Equal(t, c.done, done, asked)
	}

	// Without a comment that looks like ours it is not asked who asks.
	h, r := reviewed(t)
	h.fails["viewer"] = http.StatusForbidden
	assert.Equal(t, Suggested{Made: 1}, suggest(t, r, suggestion(3)))
}

// TestSuggestionText: the fence is longer than any in the text, and the text ends with its
// line.
func TestSuggestionText(t *testing.T) {
	for text, want := range map[string]string{
		"a\n":              "```suggestion\na\n```",
		"a":                "```suggestion\na\n```",
		"":                 "```suggestion\n```",
		"``\n":             "```suggestion\n``\n```",
		"```\n":            "````suggestion\n```\n````",
		"````` ``` ````\n": "``````suggestion\n````` ``` ````\n``````",
	} {
		s := Suggestion{New: text, Text: "It."}
		assert.Equal(t, "It.\n\n"+want+"\n\n<!-- mcplumb suggestion "+s.print()+" -->\n", s.body())
	}
}

// TestPrint tells what a suggestion does, wherever its lines are.
func TestPrint(t *testing.T) {
	s := suggestion(3)
	print := s.print()
	// Comments of runs before this one are known again: sha256sum of printf '.mcp.json\0old\n\0new\n'
	assert.Equal(t, "7c5e000ac74b143fd16ae0b7", print)
	moved := suggestion(8)
	moved.Text, moved.Group = "In other words.", 2
	assert.Equal(t, print, moved.print())
	for _, other := range []Suggestion{{Path: "x", Old: s.Old, New: s.New}, {Path: s.Path, Old: "x", New: s.New}, {Path: s.Path, Old: s.Old, New: "x"}} {
		assert.NotEqual(t, print, other.print())
	}
	for body, want := range map[string]string{
		s.body():                         print,
		"no print":                       "",
		"<!-- mcplumb suggestion 12 -->": "12",
		"<!-- mcplumb suggestion 12":     "",
		"<!-- mcplumb suggestion 1 -->\n<!-- mcplumb suggestion 2 -->\n": "2",
	} {
		assert.Equal(t, want, printIn(body), body)
	}
}

// TestFits: GitHub refuses all suggestions with one that is longer than it takes.
func TestFits(t *testing.T) {
	s := suggestion(3)
	s.Text = strings.Repeat("x", maxSuggestionText-len(s.body())+len(s.Text))
	assert.Len(t, s.body(), 60_000)
	assert.True(t, s.Fits())
	s.Text += "x"
	assert.False(t, s.Fits())
}

// TestDiff: lines can be commented on that are in one hunk together.
func TestDiff(t *testing.T) {
	d := ReadDiff("@@ -1,2 +3,4 @@ func f() {\n a\n+@@ -1 +50 @@\n@@ -10 +20 @@\n+b\n@@ -30,2 +39,0 @@\n-c\n")
	for lines, want := range map[[2]int]bool{
		{3, 6}: true, {3, 3}: true, {6, 6}: true, {2, 3}: false, {6, 7}: false, {20, 20}: true, {20, 21}: false, {19, 20}: false,
		{3, 20}: false, {50, 50}: false, {39, 39}: false, {38, 38}: false,
	} {
		assert.Equal(t, want, d.Shows(lines[0], lines[1]), lines)
	}
	assert.False(t, ReadDiff("").Shows(1, 1))
}

// TestIsAt compares a content with the name that git has for it.
func TestIsAt(t *testing.T) {
	file := github.ChangedFile{Blob: "ce013625030ba8dba906f756967f9e9ca394464a"}
	assert.True(t, IsAt(file, []byte("hello\n")))
	assert.False(t, IsAt(file, []byte("hello")))
}
