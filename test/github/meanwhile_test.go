package github_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/test/github/double"
)

// TestAnotherBase: --base chooses the branch to fix.
func TestAnotherBase(t *testing.T) {
	t.Parallel()
	s := opened(t)
	_, err := s.Commit("alice", "develop", "Go on\n", map[string]*double.File{"README.md": {Content: "# develop\n"}})
	require.NoError(t, err)
	s.git(s.clone, "fetch", "--quiet", "origin")
	s.git(s.clone, "checkout", "--quiet", "-B", "develop", "origin/develop")
	s.flags = []string{"--base", "develop"}
	s.does("updated")
	assert.Equal(t, "develop", s.only().Base)
	assert.Equal(t, "# develop", s.fixed("README.md"))
	s.doesNothing()
}

// TestClosedMeanwhile: a person who closes it while fix-pr works has closed it.
func TestClosedMeanwhile(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"POST /git/trees", "PATCH /pulls/{pull_number}", "mutation updateRefs"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := opened(t)
			s.push(map[string]string{"api/.vscode/mcp.json": wrongRoot})
			s.Before(kind, 1, func() { s.ClosePull(1, "bob") })
			r := s.fixPR()
			assert.Equal(t, 0, r.code, r.err)
			s.Recover()
			assert.Equal(t, "closed", s.Pulls()[0].State)
			if kind == "mutation updateRefs" {
				return // bob may have read the new version
			}
			s.does("created")
			assert.Equal(t, 2, s.only().Number, "no one has refused the new version")
			assert.Equal(t, strings.TrimSpace(withURI), s.fixed(".mcp.json"))
			assert.Equal(t, strings.TrimSpace(rightRoot), s.fixed("api/.vscode/mcp.json"))
			s.doesNothing()
		})
	}
}

// TestKilled: if any change is refused, or made without an answer, the next run reaches the
// same result.
func TestKilled(t *testing.T) {
	t.Parallel()
	scenes := map[string]struct {
		begin func(*testing.T) *scene
		end   func(*scene)
	}{
		"create": {one, (*scene).isRight},
		"update": {func(t *testing.T) *scene {
			s := opened(t)
			s.push(map[string]string{"api/.vscode/mcp.json": wrongRoot})
			return s
		}, (*scene).isRight},
		"create again": {func(t *testing.T) *scene {
			s := opened(t)
			s.push(map[string]string{".mcp.json": withURL})
			s.does("closed")
			s.push(map[string]string{"api/.vscode/mcp.json": wrongRoot})
			return s
		}, (*scene).isRight},
		"create after one that was refused": {func(t *testing.T) *scene {
			s := opened(t)
			s.ClosePull(1, "bob")
			s.push(map[string]string{"api/.vscode/mcp.json": wrongRoot})
			return s
		}, func(s *scene) { assert.Equal(s, strings.TrimSpace(rightRoot), s.fixed("api/.vscode/mcp.json")) }},
		"close": {func(t *testing.T) *scene {
			s := opened(t)
			s.push(map[string]string{".mcp.json": withURL})
			return s
		}, (*scene).isGone},
	}
	faults := map[string]double.Fault{"refused": double.Broken, "lost": double.Lost, "cut": double.Cut}
	for name, scene := range scenes {
		s := scene.begin(t)
		s.fixPR("--label", "mcp")
		pulls := len(s.Pulls())
		for n, write := range s.Writes() {
			for how, fault := range faults {
				t.Run(fmt.Sprintf("%s, %s %s", name, write.Kind, how), func(t *testing.T) {
					t.Parallel()
					s := scene.begin(t)
					s.FailFrom(double.Write, n+1, fault)
					s.fixPR("--label", "mcp")
					s.Recover()
					r := s.fixPR("--label", "mcp")
					assert.Equal(t, 0, r.code, r.err)
					scene.end(s)
					if strings.HasPrefix(name, "create") {
						assert.Equal(t, []string{"mcp"}, s.only().Labels)
					}
					s.doesNothing()
					assert.Len(t, s.Pulls(), pulls, "none is doubled")
				})
			}
		}
	}
}
