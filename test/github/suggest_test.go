package github_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/test/github/double"
)

// review is a scene with a pull request, from the branch feature to main.
type review struct {
	*scene
	head   string // the commit that the event tells of
	inputs []string
	event  map[string]any // overrides the event's pull request
}

// proposed makes a scene in which a pull request changes files of main. It deletes files
// with empty content.
func proposed(t *testing.T, before, change map[string]string) *review {
	t.Helper()
	s := &review{scene: begin(t, before)}
	s.change(change)
	_, err := s.PullOf("feature", s.head, "main", "Servers")
	require.NoError(t, err)
	s.checkout()
	return s
}

// change has the author of the pull request commit files.
func (s *review) change(files map[string]string) {
	s.Helper()
	made := content(files)
	for path, text := range files {
		if text == "" {
			made[path] = nil
		}
	}
	head, err := s.Commit("alice", "feature", "Change servers\n", made)
	require.NoError(s, err)
	s.head = head
}

// checkout checks out what actions/checkout does: the commit that GitHub makes to try the
// merge, with its parents, which a test cannot fetch later.
func (s *review) checkout() {
	s.Helper()
	base, head := s.Branch("main"), s.Branch("feature")
	tree, err := s.Git("merge-tree", "--write-tree", base, head)
	require.NoError(s, err)
	merge, err := s.Git("-c", "user.name=GitHub", "-c", "user.email=noreply@github.com", "commit-tree", tree, "-p", base, "-p", head, "-m", "Merge")
	require.NoError(s, err)
	_, err = s.Git("update-ref", "refs/pull/1/merge", merge)
	require.NoError(s, err)
	s.take("refs/pull/1/merge")
}

// take checks out a commit, and no branch.
func (s *review) take(ref string) {
	s.Helper()
	bare, err := s.Git("rev-parse", "--absolute-git-dir")
	require.NoError(s, err)
	s.clone = filepath.Join(s.TempDir(), "work")
	s.git(s.TempDir(), "init", "--quiet", s.clone)
	s.git(s.clone, "remote", "add", "origin", "file://"+bare)
	s.git(s.clone, "fetch", "--quiet", "--no-tags", "--depth=2", "origin", ref)
	s.git(s.clone, "checkout", "--quiet", "--detach", "FETCH_HEAD")
}

// suggest runs the action and returns its log.
func (s *review) suggest() string {
	s.Helper()
	s.Forget()
	dir := s.TempDir()
	pull := map[string]any{"number": 1, "head": map[string]any{"sha": s.head, "repo": map[string]any{"full_name": "acme/web"}}, "base": map[string]any{"sha": s.Branch("main")}}
	if s.event != nil {
		pull = s.event
	}
	event, err := json.Marshal(map[string]any{"pull_request": pull, "repository": map[string]any{"default_branch": "main"}})
	require.NoError(s, err)
	require.NoError(s, os.WriteFile(filepath.Join(dir, "event.json"), event, 0o600))
	s.env = append([]string{
		"INPUT_FIX=suggest", "INPUT_FAIL_ON=never", "INPUT_TOKEN=" + double.Token, "GITHUB_ACTIONS=true", "GITHUB_EVENT_NAME=pull_request",
		"GITHUB_EVENT_PATH=" + filepath.Join(dir, "event.json"), "GITHUB_WORKSPACE=" + s.clone, "RUNNER_TEMP=" + dir, "GITHUB_REF=refs/pull/1/merge",
		"GITHUB_REF_NAME=1/merge", "GITHUB_OUTPUT=" + filepath.Join(dir, "output"), "GITHUB_STEP_SUMMARY=" + filepath.Join(dir, "summary"),
	}, s.inputs...)
	r := s.mcplumb(s.clone, "action")
	require.Equal(s, 0, r.code, r.out+r.err)
	s.isQuiet()
	return r.out
}

// suggests runs the action and holds how many suggestions are new, and how many fixes
// are outside of the diff. The next run suggests nothing.
func (s *review) suggests(n, outside int) string {
	s.Helper()
	log := s.suggest()
	assert.Contains(s, log, fmt.Sprintf("suggested: %d new, ", n))
	assert.Contains(s, log, fmt.Sprintf("; fixes outside of what the pull request shows: %d\n", outside))
	s.suggest()
	assert.Empty(s, s.Writes(), "nothing twice")
	return log
}

// standing returns the suggestions that can be accepted, in the order of their lines.
func (s *review) standing() []*double.ReviewComment {
	found := slices.DeleteFunc(s.ReviewComments(1), func(c *double.ReviewComment) bool {
		return c.Outdated || c.Login != "github-actions[bot]"
	})
	slices.SortFunc(found, func(a, b *double.ReviewComment) int { return strings.Compare(a.Path, b.Path)*1000000 + a.Line - b.Line })
	return found
}

// accept accepts every suggestion: its text replaces the lines. It returns the resulting
// files.
func (s *review) accept() map[string]string {
	s.Helper()
	files := map[string]string{}
	for _, c := range slices.Backward(s.standing()) {
		if _, known := files[c.Path]; !known {
			text, err := s.Git("show", "feature:"+c.Path)
			require.NoError(s, err)
			files[c.Path] = text + "\n"
		}
		lines := slices.Collect(strings.Lines(files[c.Path]))
		first := c.Line
		if c.Start > 0 {
			first = c.Start
		}
		lines = slices.Replace(lines, first-1, c.Line, suggestionIn(s.T, c.Body))
		files[c.Path] = strings.Join(lines, "")
	}
	s.change(files)
	s.checkout()
	return files
}

// suggestionIn returns the text of the first fence of a comment that is a suggestion, as
// CommonMark reads fences.
func suggestionIn(t *testing.T, body string) string {
	t.Helper()
	var text strings.Builder
	fence := ""
	for line := range strings.Lines(body) {
		plain := strings.TrimSuffix(line, "\n")
		ticks := len(plain) - len(strings.TrimLeft(plain, "`"))
		switch {
		case fence == "" && ticks >= 3 && plain[ticks:] == "suggestion":
			fence = plain[:ticks]
		case fence != "" && ticks >= len(fence) && strings.TrimSpace(plain[ticks:]) == "":
			return text.String()
		case fence != "":
			text.WriteString(line)
		}
	}
	t.Fatalf("no suggestion in %q", body)
	return ""
}

// isMended holds that nothing is left to fix, and that the files are those that check
// --fix writes.
func (s *review) isMended() {
	s.Helper()
	head := s.head
	want := filepath.Join(s.TempDir(), "fixed")
	bare, err := s.Git("rev-parse", "--absolute-git-dir")
	require.NoError(s, err)
	s.git(s.clone, "clone", "--quiet", "--branch", "feature", bare, want)
	before := s.git(want, "rev-parse", "HEAD")
	assert.Equal(s, head, before)
	left := s.mcplumb(want, "check", "--diff", "--fail-on", "never")
	assert.Empty(s, left.out, "nothing is left to fix")
}

// server is an entry of .mcp.json, on four lines, with a uri that should be a url.
func server(name, member string) string {
	return "    \"" + name + "\": {\n      \"type\": \"http\",\n      \"" + member + "\": \"https://" + name + ".acme.dev/mcp\"\n    }"
}

func servers(entries ...string) string {
	return "{\n  \"mcpServers\": {\n" + strings.Join(entries, ",\n") + "\n  }\n}\n"
}

// TestSuggest: each finding that the pull request adds can be fixed with a click.
func TestSuggest(t *testing.T) {
	t.Parallel()
	s := proposed(t, map[string]string{".mcp.json": servers(server("docs", "url"))}, map[string]string{".mcp.json": servers(server("docs", "url"), server("web", "uri"))})
	s.suggests(1, 0)
	review := s.Pulls()[0].Reviews
	assert.Equal(t, []string{"mcplumb suggests a change to the MCP server configuration."}, review)
	assert.Contains(t, s.standing()[0].Body, "[invalid-server](https://")
	assert.Equal(t, servers(server("docs", "url"), server("web", "url")), s.accept()[".mcp.json"])
	s.isMended()
	s.suggests(0, 0)
}

// TestSuggestForACheckoutOfTheHead: it makes no difference which of both commits is
// checked out.
func TestSuggestForACheckoutOfTheHead(t *testing.T) {
	t.Parallel()
	s := proposed(t, map[string]string{"README.md": "# web\n"}, map[string]string{".mcp.json": servers(server("web", "uri"))})
	s.take("refs/heads/feature")
	s.suggests(1, 0)
	assert.Equal(t, servers(server("web", "url")), s.accept()[".mcp.json"])
}

// TestSuggestWhatIsNew: a finding that the base also has gets no suggestion, even next to a
// changed line; with base: none it gets one, if the diff shows its lines.
func TestSuggestWhatIsNew(t *testing.T) {
	t.Parallel()
	old, far := server("old", "uri"), server("far", "uri")
	var good []string
	for i := range 5 {
		good = append(good, server(fmt.Sprint("good", i), "url"))
	}
	before := servers(slices.Concat([]string{old}, good, []string{far})...)
	after := servers(slices.Concat([]string{old, server("web", "uri")}, good, []string{far})...)
	s := proposed(t, map[string]string{".mcp.json": before}, map[string]string{".mcp.json": after})
	s.suggests(1, 0)
	s.inputs = []string{"INPUT_BASE=none"}
	s.suggest()
	require.Len(t, s.standing(), 2)
	text := s.accept()[".mcp.json"]
	assert.Equal(t, servers(slices.Concat([]string{server("old", "url"), server("web", "url")}, good, []string{far})...), text, "far is not in the diff")
}

// TestSuggestTheSameTwice: identical lines each get their fix, and a fixed one is not
// suggested for the other.
func TestSuggestTheSameTwice(t *testing.T) {
	t.Parallel()
	typed := func(name, kind string) string { return strings.Replace(server(name, "url"), `"http"`, `"`+kind+`"`, 1) }
	file := func(a, b, c string) string {
		return servers(typed("a", a), server("a1", "url"), server("a2", "url"), typed("b", b), server("b1", "url"), server("b2", "url"), typed("c", c))
	}
	s := proposed(t, map[string]string{"README.md": "# web\n"}, map[string]string{".mcp.json": file("streamable-http", "streamable-http", "streamable-http")})
	s.suggests(3, 0)
	first := s.standing()[0].ID
	s.change(map[string]string{".mcp.json": file("http", "streamable-http", "streamable-http")})
	s.checkout()
	assert.Contains(t, s.suggest(), "suggested: 0 new, 2 already there, 1 removed")
	for _, c := range s.standing() {
		assert.NotEqual(t, first, c.ID)
	}
	assert.Equal(t, file("http", "http", "http"), s.accept()[".mcp.json"])
	s.isMended()
}

// Files in which the fix renames a server to its locked name.
const tapLock = `{
  "lockfile_version": 1,
  "servers": {
    "vercel": {"package_identifier": "@vercel/mcp-server", "registry_type": "npm", "version": "1.0.0",
      "config": {"command": "npx", "args": ["-y", "@vercel/mcp-server@1.0.0"]}}
  }
}
`

func aliased(name string) string {
	return "{\n  \"mcpServers\": {\n    \"" + name + "\": {\"command\": \"npx\", \"args\": [\"-y\", \"@vercel/mcp-server@1.0.0\"]}\n  }\n}\n"
}

func enabled(name string) string {
	return "{\n  \"enabledMcpjsonServers\": [\n    \"" + name + "\"\n  ],\n" + strings.Repeat("\n", 12) + "  \"permissions\": {\n    \"allow\": [\n      \"mcp__" + name + "__list\"\n    ]\n  }\n}\n"
}

// TestSuggestWhole: a fix of several places is suggested as a whole, with a note about it,
// or not at all.
func TestSuggestWhole(t *testing.T) {
	t.Parallel()
	after := map[string]string{".mcp.json": aliased("vercel-mcp"), ".claude/settings.json": enabled("vercel-mcp")}
	unsafe := []string{"INPUT_FIX_SAFETY=unsafe"}
	s := proposed(t, map[string]string{"mcp-tap.lock": tapLock}, after)
	s.inputs = unsafe
	s.suggests(3, 0)
	for _, c := range s.standing() {
		assert.Contains(t, c.Body, "This is one of 3 suggestions that belong together.")
	}
	assert.Equal(t, map[string]string{".mcp.json": aliased("vercel"), ".claude/settings.json": enabled("vercel")}, s.accept())
	s.isMended()

	s = proposed(t, map[string]string{"mcp-tap.lock": tapLock, ".claude/settings.json": enabled("vercel-mcp")}, map[string]string{".mcp.json": aliased("vercel-mcp")})
	s.inputs = unsafe
	s.suggests(0, 1)

	half := func(name string) string {
		return strings.Replace(enabled("vercel-mcp"), `"vercel-mcp"`, `"`+name+`"`, 1)
	}
	s = proposed(t, map[string]string{"mcp-tap.lock": tapLock, ".claude/settings.json": half("other")}, map[string]string{
		".mcp.json": aliased("vercel-mcp"), ".claude/settings.json": half("vercel-mcp"),
	})
	s.inputs = unsafe
	s.suggests(0, 1)
}

// TestSuggestAtOnePlace: two edits of a fix in adjacent lines are one suggestion, which
// mentions no others.
func TestSuggestAtOnePlace(t *testing.T) {
	t.Parallel()
	settings := "{\n  \"permissions\": {\n    \"allow\": [\n      \"mcp__vercel-mcp__list\",\n      \"mcp__vercel-mcp__get\"\n    ]\n  }\n}\n"
	s := proposed(t, map[string]string{"mcp-tap.lock": tapLock}, map[string]string{".mcp.json": aliased("vercel-mcp"), ".claude/settings.json": settings})
	s.inputs = []string{"INPUT_FIX_SAFETY=unsafe"}
	s.suggests(2, 0)
	for _, c := range s.standing() {
		assert.Contains(t, c.Body, "This is one of 2 suggestions that belong together.")
	}
	assert.Equal(t, strings.ReplaceAll(settings, "vercel-mcp", "vercel"), s.accept()[".claude/settings.json"])
}

// TestSuggestEachByItself: fixes of different findings are separate suggestions, however
// close they are, unless their changed lines are adjacent.
func TestSuggestEachByItself(t *testing.T) {
	t.Parallel()
	entry := func(name, kind, member string) string {
		return strings.Replace(server(name, member), `"http"`, `"`+kind+`"`, 1)
	}
	s := proposed(t, map[string]string{"README.md": "# web\n"}, map[string]string{".mcp.json": servers(
		server("a", "uri"), server("b", "uri"), entry("c", "streamable-http", "url"), entry("d", "streamable-http", "uri"))})
	s.suggests(4, 0)
	var lines [][2]int
	for _, c := range s.standing() {
		lines = append(lines, [2]int{c.Start, c.Line})
		assert.NotContains(t, c.Body, "belong together")
	}
	assert.Equal(t, [][2]int{{0, 5}, {0, 9}, {0, 12}, {16, 17}}, lines)
	assert.Equal(t, servers(server("a", "url"), server("b", "url"), server("c", "url"), server("d", "url")), s.accept()[".mcp.json"])
	s.isMended()
}

// TestSuggestManyRounds: fixes that depend on others do not turn a whole large file into
// one suggestion, which would never fit.
func TestSuggestManyRounds(t *testing.T) {
	t.Parallel()
	var all []string
	for i := range 40 {
		name := fmt.Sprint("web", i)
		all = append(all, strings.Replace(server(name, "uri"), `"http"`, `"streamable-http",`+"\n      \"headers\": {\"X-Note\": \""+strings.Repeat("words ", 400)+"\"}", 1))
	}
	s := proposed(t, map[string]string{"README.md": "# web\n"}, map[string]string{".mcp.json": servers(all...)})
	log := s.suggests(30, 0)
	assert.Contains(t, log, "10 waiting for room")
}

// TestSuggestTellsEachFix: a fix of a later round, for a finding that another fix revealed,
// is also listed.
func TestSuggestTellsEachFix(t *testing.T) {
	t.Parallel()
	s := proposed(t, map[string]string{"README.md": "# web\n"}, map[string]string{".vscode/mcp.json": servers(entryOfVisualStudio)})
	s.inputs = []string{"INPUT_FIX_SAFETY=unsafe"}
	s.suggests(1, 0) // what is below the key cannot be fixed without it
	assert.Contains(t, s.standing()[0].Body, `rename "mcpServers" to "servers"`)
	assert.Contains(t, s.standing()[0].Body, `rename "uri" to "url"`)
	assert.Contains(t, s.standing()[0].Body, `change the type to "http"`)
	assert.Equal(t, strings.Replace(servers(server("web", "url")), "mcpServers", "servers", 1), s.accept()[".vscode/mcp.json"])
	s.isMended()
}

// entryOfVisualStudio is an entry that Visual Studio reads, and other clients do not.
var entryOfVisualStudio = strings.Replace(server("web", "uri"), `"http"`, `"streamable-http"`, 1)

// TestSuggestBesideASecret: a credential in an unchanged line hides no suggestion for the
// line next to it, and the suggestion does not show the credential.
func TestSuggestBesideASecret(t *testing.T) {
	t.Parallel()
	secret := "ghp_" + strings.Repeat("R7kQ2mZ9xV4b", 3)
	held := "    \"git\": {\n      \"command\": \"npx\",\n      \"args\": [\"-y\", \"git-mcp@1.2.0\"],\n      \"env\": {\"GIT_TOKEN\": \"" + secret + "\"}\n    }"
	s := proposed(t, map[string]string{"README.md": "# web\n"}, map[string]string{".mcp.json": servers(held, server("web", "uri"))})
	s.suggests(1, 0)
	assert.Empty(t, s.Saw(secret))
	assert.Equal(t, servers(held, server("web", "url")), s.accept()[".mcp.json"])
}

// TestSuggestComingAndGoing: lines that only go, and lines that only come.
func TestSuggestComingAndGoing(t *testing.T) {
	t.Parallel()
	pinned := func(name string) string {
		return "    \"" + name + "\": {\"command\": \"npx\", \"args\": [\"-y\", \"docs-mcp@1.2.0\"]}"
	}
	s := proposed(t, map[string]string{".mcp.json": servers(pinned("docs"))}, map[string]string{".mcp.json": servers(pinned("docs"), pinned("docs2"))})
	s.inputs = []string{"INPUT_FIX_SAFETY=unsafe"}
	s.suggests(1, 0)
	assert.Equal(t, servers(pinned("docs")), s.accept()[".mcp.json"])
	s.isMended()

	codex := "[mcp_servers.docs]\ncommand = \"npx\"\nargs = [\"-y\", \"docs-mcp@1.0.0\"]\n"
	second := "\n[mcp_servers.docs2]\ncommand = \"npx\"\nargs = [\"docs-mcp\", \"x\"]\n"
	for _, rest := range []string{"", "\n[mcp_servers.wiki]\ncommand = \"npx\"\nargs = [\"-y\", \"wiki-mcp@1.0.0\"]\n"} {
		twin := strings.Replace(second, ", \"x\"", "", 1)
		s = proposed(t, map[string]string{".codex/config.toml": codex + rest}, map[string]string{".codex/config.toml": codex + twin + rest})
		s.inputs = []string{"INPUT_FIX_SAFETY=unsafe"}
		s.suggests(1, 0)
		assert.Equal(t, codex+twin+"enabled = false\n"+rest, s.accept()[".codex/config.toml"])
	}
}

// TestSuggestInAnyText: lines with any text come through unchanged.
func TestSuggestInAnyText(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"no end of the last line": strings.TrimSuffix(withURI, "\n"),
		"tabs":                    "{\n\t\"mcpServers\": {\n\t\t\"web\": {\"type\": \"http\",\t\"uri\": \"https://web.acme.dev/mcp\"}\n\t}\n}\n",
		"Unicode":                 strings.Replace(withURI, `{"web"`, `{"wéb-\u00e9": {"command": "npx", "args": ["-y", "x-mcp@1.0.0", "日本 \u2028 🦆"]}, "web"`, 1),
		"fences":                  strings.Replace(withURI, `{"web"`, `{"ticks": {"command": "npx", "args": ["-y", "x-mcp@1.0.0", "`+"```` ``` `````` ```suggestion"+`"]}, "web"`, 1),
		"our own mark":            strings.Replace(withURI, `{"web"`, `{"mark": {"command": "npx", "args": ["-y", "x-mcp@1.0.0", "<!-- mcplumb suggestion 00112233 -->"]}, "web"`, 1),
		"a command":               strings.Replace(withURI, `{"web"`, `{"mark": {"command": "npx", "args": ["-y", "x-mcp@1.0.0", "@acme/all fixes #1 ::error::x"]}, "web"`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := proposed(t, map[string]string{"README.md": "# web\n"}, map[string]string{".mcp.json": text})
			s.suggests(1, 0)
			want := strings.TrimSuffix(strings.Replace(text, `"uri"`, `"url"`, 1), "\n")
			assert.Equal(t, want, strings.TrimSuffix(s.accept()[".mcp.json"], "\n"))
			s.isMended()
		})
	}
}

// TestSuggestNotWhatCannotBe: if it is not certain what a click would write, or GitHub
// would refuse the suggestion, there is none. The other suggestions stay.
func TestSuggestNotWhatCannotBe(t *testing.T) {
	t.Parallel()
	long := strings.Replace(withURI, `"type"`, `"headers": {"X-Note": "`+strings.Repeat("words ", 12_000)+`"}, "type"`, 1)
	for name, tt := range map[string]struct {
		text  string
		fixes int
	}{
		"line ends of Windows": {strings.ReplaceAll(servers(server("web", "uri")), "\n", "\r\n"), 1},
		"a line too long":      {long, 1},
		"a byte order mark":    {"\ufeff" + withURI, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := proposed(t, map[string]string{"README.md": "# web\n"}, map[string]string{"a/.mcp.json": tt.text, ".mcp.json": servers(server("web", "uri"))})
			s.suggests(1, tt.fixes)
			assert.Equal(t, ".mcp.json", s.standing()[0].Path)
		})
	}
}

// TestSuggestOnWindows: a checkout there may have other line ends than the repository.
func TestSuggestOnWindows(t *testing.T) {
	t.Parallel()
	s := proposed(t, map[string]string{"README.md": "# web\n"}, map[string]string{".mcp.json": servers(server("web", "uri"))})
	s.git(s.clone, "config", "core.autocrlf", "true")
	require.NoError(t, os.Remove(filepath.Join(s.clone, ".mcp.json")))
	s.git(s.clone, "checkout", "--", ".mcp.json")
	text, err := os.ReadFile(filepath.Join(s.clone, ".mcp.json"))
	require.NoError(t, err)
	require.Contains(t, string(text), "\r\n")
	s.suggests(1, 0)
	assert.Equal(t, servers(server("web", "url")), s.accept()[".mcp.json"])
}

// TestSuggestWhereTheBaseHasGoneOn: a file that both sides have changed has other content
// in the merge than at the head.
func TestSuggestWhereTheBaseHasGoneOn(t *testing.T) {
	t.Parallel()
	var good []string
	for i := range 4 {
		good = append(good, server(fmt.Sprint("good", i), "url"))
	}
	before := servers(good...)
	s := proposed(t, map[string]string{".mcp.json": before}, map[string]string{
		".mcp.json": servers(append(slices.Clone(good), server("web", "uri"))...), "a/.mcp.json": servers(server("a", "uri")),
	})
	_, err := s.Commit("bob", "main", "Go on\n", content(map[string]string{".mcp.json": servers(append([]string{server("more", "url")}, good...)...)}))
	require.NoError(t, err)
	s.checkout()
	s.suggests(1, 1)
	assert.Equal(t, "a/.mcp.json", s.standing()[0].Path)
}

func TestSuggestInARenamedFile(t *testing.T) {
	t.Parallel()
	var good []string
	for i := range 4 {
		good = append(good, server(fmt.Sprint("good", i), "url"))
	}
	s := proposed(t, map[string]string{"a/.mcp.json": servers(good...)}, map[string]string{
		"a/.mcp.json": "", ".mcp.json": servers(append(slices.Clone(good), server("web", "uri"))...),
	})
	s.suggests(1, 0)
	assert.Equal(t, servers(append(slices.Clone(good), server("web", "url"))...), s.accept()[".mcp.json"])
	s.isMended()
}

// TestSuggestNoDiff: GitHub does not show a diff that is too large.
func TestSuggestNoDiff(t *testing.T) {
	t.Parallel()
	var good []string
	for i := range 5_200 {
		good = append(good, server(fmt.Sprint("good", i), "url"))
	}
	s := proposed(t, map[string]string{"README.md": "# web\n"}, map[string]string{".mcp.json": servers(append(good, server("web", "uri"))...)})
	s.suggests(0, 1)
}

// TestSuggestThirty: more are counted, and come when there is room.
func TestSuggestThirty(t *testing.T) {
	t.Parallel()
	var all []string
	for i := range 33 {
		all = append(all, server(fmt.Sprint("bad", i), "uri"), server(fmt.Sprint("good", i), "url"), server(fmt.Sprint("better", i), "url"))
	}
	s := proposed(t, map[string]string{"README.md": "# web\n"}, map[string]string{".mcp.json": servers(all...)})
	log := s.suggests(30, 0)
	assert.Contains(t, log, "3 waiting for room")
	assert.Contains(t, s.Pulls()[0].Reviews[0], "30 changes")
	assert.Contains(t, s.Pulls()[0].Reviews[0], "3 more")
	s.accept()
	s.suggests(3, 0)
	s.accept()
	s.isMended()
}

// TestSuggestThirtyAndNoHalf: a fix that does not fit as a whole is not suggested in part.
func TestSuggestThirtyAndNoHalf(t *testing.T) {
	t.Parallel()
	change := map[string]string{".mcp.json": aliased("vercel-mcp"), ".claude/settings.json": enabled("vercel-mcp")}
	for i := range 29 {
		change[fmt.Sprintf("%02d/.mcp.json", i)] = withURI
	}
	s := proposed(t, map[string]string{"mcp-tap.lock": tapLock}, change)
	s.inputs = []string{"INPUT_FIX_SAFETY=unsafe"}
	log := s.suggest()
	n := len(s.standing())
	assert.Contains(t, log, fmt.Sprintf("%d waiting for room", 32-n))
	together := 0
	for _, c := range s.standing() {
		if strings.Contains(c.Body, "belong together") {
			together++
		}
	}
	assert.Contains(t, []int{0, 3}, together)
}

// TestSuggestTakesBack: an outdated suggestion is removed, unless someone has replied.
func TestSuggestTakesBack(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a/.mcp.json": withURI, "b/.mcp.json": withURI, "c/.mcp.json": withURI}
	s := proposed(t, map[string]string{"README.md": "# web\n"}, files)
	s.suggests(3, 0)
	answered := s.standing()[1]
	s.Reply(answered.ID, "alice", "Why?")
	s.change(map[string]string{"a/.mcp.json": withURL, "b/.mcp.json": withURL})
	s.checkout()
	log := s.suggest()
	assert.Contains(t, log, "suggested: 0 new, 1 already there, 1 removed")
	left := s.ReviewComments(1)
	require.Len(t, left, 3)
	assert.Equal(t, []string{"b/.mcp.json", "c/.mcp.json"}, []string{left[0].Path, left[1].Path})
	s.suggest()
	assert.Empty(t, s.Writes())
}

// TestSuggestKeepsWhatCouldNotBeChecked: a file that cannot be read may be as wrong as it was.
func TestSuggestKeepsWhatCouldNotBeChecked(t *testing.T) {
	t.Parallel()
	s := proposed(t, map[string]string{"README.md": "# web\n"}, map[string]string{"a/.mcp.json": withURI, "b/.mcp.json": withURI})
	s.suggests(2, 0)
	s.change(map[string]string{"a/.mcp.json": withURI + strings.Repeat(" ", 11_000_000), "b/.mcp.json": withURL})
	s.checkout()
	assert.Contains(t, s.suggest(), "suggested: 0 new, 0 already there, 1 removed")
	left := s.ReviewComments(1)
	require.Len(t, left, 1)
	assert.Equal(t, "a/.mcp.json", left[0].Path)
}

// TestSuggestWarnsOnceOfAFork: the steps of a job say one thing once as a warning.
func TestSuggestWarnsOnceOfAFork(t *testing.T) {
	t.Parallel()
	s := proposed(t, map[string]string{"README.md": "# web\n"}, map[string]string{"a/.mcp.json": withURI, "b/.mcp.json": withURI})
	s.event = map[string]any{"number": 1, "head": map[string]any{"sha": s.head, "repo": map[string]any{"full_name": "eve/web"}}}
	temporary := "RUNNER_TEMP=" + s.TempDir()
	for i, part := range []string{"a", "b"} {
		s.inputs = []string{temporary, "INPUT_WORKING_DIRECTORY=" + part}
		log := s.suggest()
		assert.Contains(t, log, "no suggestions: the pull request does not come from a branch of this repository, so the token cannot write to it")
		assert.Equal(t, i == 0, strings.Contains(log, "::warning title=mcplumb::no suggestions"))
	}
}

// TestSuggestTwoAtOnce: of what two runs have suggested at the same time the next one
// leaves one.
func TestSuggestTwoAtOnce(t *testing.T) {
	t.Parallel()
	s := proposed(t, map[string]string{"README.md": "# web\n"}, map[string]string{".mcp.json": withURI, "a/.mcp.json": withURI})
	s.suggests(2, 0)
	for _, c := range s.standing() {
		s.Remark(c.ID, "github-actions[bot]", c.Body)
	}
	require.Len(t, s.standing(), 4)
	assert.Contains(t, s.suggest(), "suggested: 0 new, 2 already there, 2 removed")
	assert.Len(t, s.standing(), 2)
}

// TestSuggestAndOthers: another person's comment with mcplumb's mark hides no suggestion
// and is not removed.
func TestSuggestAndOthers(t *testing.T) {
	t.Parallel()
	s := proposed(t, map[string]string{"README.md": "# web\n"}, map[string]string{".mcp.json": withURI})
	s.suggests(1, 0)
	ours := s.standing()[0]
	s.Remark(ours.ID, "eve", ours.Body)
	s.change(map[string]string{".mcp.json": withURL})
	s.checkout()
	assert.Contains(t, s.suggest(), "1 removed")
	left := s.ReviewComments(1)
	require.Len(t, left, 1)
	assert.Equal(t, "eve", left[0].Login)

	s.change(map[string]string{".mcp.json": withURI})
	s.checkout()
	s.Remark(left[0].ID, "eve", ours.Body)
	s.suggests(1, 0)
}

// TestSuggestFromPartsOfTheRepository: a run for one directory leaves alone what one for
// another has suggested.
func TestSuggestFromPartsOfTheRepository(t *testing.T) {
	t.Parallel()
	s := proposed(t, map[string]string{"README.md": "# web\n"}, map[string]string{"a/.mcp.json": withURI, "b/.mcp.json": withURI})
	s.inputs = []string{"INPUT_WORKING_DIRECTORY=a"}
	s.suggests(1, 0)
	s.inputs = []string{"INPUT_PATHS=b"}
	s.suggests(1, 0)
	assert.Len(t, s.standing(), 2)
	s.inputs = nil
	s.suggests(0, 0)
	assert.Len(t, s.standing(), 2)
}

// TestSuggestOutsideOfAPart: a fix in the checked part may change another file, which is
// not suggested twice.
func TestSuggestOutsideOfAPart(t *testing.T) {
	t.Parallel()
	s := proposed(t, map[string]string{"mcp-tap.lock": tapLock}, map[string]string{".mcp.json": aliased("vercel-mcp"), ".claude/settings.json": enabled("vercel-mcp")})
	s.inputs = []string{"INPUT_FIX_SAFETY=unsafe", "INPUT_PATHS=.mcp.json\nmcp-tap.lock"}
	s.suggests(3, 0)
}

// TestSuggestWhereItMayNot: a refusal by GitHub is reported, and fails nothing.
func TestSuggestWhereItMayNot(t *testing.T) {
	t.Parallel()
	reviews := "POST /pulls/{pull_number}/reviews"
	for name, tt := range map[string]struct {
		fault double.Fault
		want  []string
	}{
		"403":           {double.ReadOnly, []string{"the token may not, it needs pull-requests: write", "Resource not accessible by integration"}},
		"404":           {double.NoRepository, []string{"404"}},
		"422":           {double.Says(http.StatusUnprocessableEntity, "Unprocessable Entity"), []string{"422"}},
		"429 for long":  {double.TooMany(time.Hour), []string{"rate limit"}},
		"500":           {double.Broken, []string{"502"}},
		"cut":           {double.Cut, []string{"cannot review #1"}},
		"a lost answer": {double.Lost, []string{"cannot review #1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := proposed(t, map[string]string{"README.md": "# web\n"}, map[string]string{".mcp.json": withURI})
			s.Fail(reviews, tt.fault)
			log := s.suggest()
			for _, part := range append(tt.want, "::warning title=mcplumb::not everything is suggested: ", "title=mcplumb%3A invalid-server::") {
				assert.Contains(t, log, part)
			}
			s.Recover()
			s.suggest()
			assert.Len(t, s.standing(), 1, "the next run does it, once")
		})
	}
	for name, fault := range map[string]double.Fault{"429": double.TooMany(0), "secondary": double.Secondary(0), "primary": double.Exhausted(0)} {
		t.Run(name+" for a moment", func(t *testing.T) {
			t.Parallel()
			s := proposed(t, map[string]string{"README.md": "# web\n"}, map[string]string{".mcp.json": withURI})
			s.Fail(reviews, fault, fault)
			assert.Contains(t, s.suggest(), "suggested: 1 new")
		})
	}
}

// TestSuggestNothing: for a fork's pull request the token may not write, and for one that
// has newer commits, or is closed, another run decides.
func TestSuggestNothing(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(s *review)
		want   string
	}{
		"a fork": {func(s *review) {
			s.event = map[string]any{"number": 1, "head": map[string]any{"sha": s.head, "repo": map[string]any{"full_name": "eve/web"}}}
		}, "the pull request does not come from a branch of this repository"},
		"closed": {func(s *review) { s.ClosePull(1, "bob") }, "no suggestions: #1 is not open"},
		"gone on": {func(s *review) {
			head := s.head
			s.change(map[string]string{"more.txt": "more\n"})
			s.head = head
		}, "by now, and this is a run for"},
		"pushed by force": {func(s *review) {
			head := s.head
			s.change(map[string]string{"more.txt": "more\n"})
			other, err := s.Git("rev-parse", "main")
			require.NoError(s, err)
			more, err := s.Commit("alice", "other", "Other\n", content(map[string]string{".mcp.json": withURI}))
			require.NoError(s, err)
			require.NotEqual(s, other, more)
			require.NoError(s, s.ForcePush("feature", more))
			s.head = head
		}, "by now, and this is a run for"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := proposed(t, map[string]string{"README.md": "# web\n"}, map[string]string{".mcp.json": withURI})
			tt.change(s)
			assert.Contains(t, s.suggest(), tt.want)
			assert.Empty(t, s.Writes())
		})
	}
}

// TestSuggestNoSecret: neither lines with a credential nor the text above a suggestion show
// one.
func TestSuggestNoSecret(t *testing.T) {
	t.Parallel()
	secret := "ghp_" + strings.Repeat("R7kQ2mZ9xV4b", 3)
	beside := strings.Replace(withURI, `"type"`, `"headers": {"Authorization": "Bearer `+secret+`"}, "type"`, 1)
	named := strings.ReplaceAll(servers(server("web", "uri")), `"web"`, `"`+secret+`"`)
	s := proposed(t, map[string]string{"README.md": "# web\n"}, map[string]string{"a/.mcp.json": beside, "b/.mcp.json": named, "c/.mcp.json": servers(server("web", "uri"))})
	s.inputs = []string{"INPUT_FIX_SAFETY=unsafe"}
	s.suggest()
	assert.Empty(t, s.Saw(secret))
	assert.NotContains(t, s.said, secret)
	for _, c := range s.ReviewComments(1) {
		assert.NotContains(t, c.Body, secret)
		assert.Contains(t, []string{"b/.mcp.json", "c/.mcp.json"}, c.Path)
	}
	assert.Len(t, s.standing(), 2)
}

// TestSuggestAsksLittle: the share of a token's rate limit that a run uses.
func TestSuggestAsksLittle(t *testing.T) {
	t.Parallel()
	s := proposed(t, map[string]string{"README.md": "# web\n"}, map[string]string{".mcp.json": withURI})
	s.suggest()
	assert.Len(t, s.Requests(), 5)
	s.suggest()
	assert.Len(t, s.Requests(), 5)
}
