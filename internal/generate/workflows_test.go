package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// workflow has the members of a workflow or an action that these tests read.
type workflow struct {
	On          yaml.Node
	Permissions *yaml.Node
	Jobs        map[string]struct {
		Permissions map[string]string
		Secrets     string
		Container   any
		Services    any
		Steps       []workflowStep
	}
	Runs struct{ Steps []workflowStep }
}

type workflowStep struct {
	Uses, Run string
	With      map[string]string
}

// mayWrite lists the write permissions of the jobs that have one, each with its purpose.
var mayWrite = map[string][]string{
	"ci.yml ecosystem":         {"pull-requests"}, // the comment
	"clients-judge.yml report": {"issues"},
	"release.yml release":      {"attestations", "contents", "id-token", "packages"},
	"release.yml image-git":    {"attestations", "id-token", "packages"},
	"release.yml npm":          {"id-token"},
	"release.yml pypi":         {"id-token"},
	"site.yml publish":         {"id-token", "pages"},
}

// TestWorkflowsGiveNothingAway holds that the workflows and actions of this repository
// follow the rules of zizmor that depend only on the files (docs.zizmor.sh/audits,
// 2026-11): artipacked, unpinned-uses, excessive-permissions, dangerous-triggers,
// template-injection, secrets-inherit, unpinned-images, and cache-poisoning of a release.
func TestWorkflowsGiveNothingAway(t *testing.T) {
	t.Chdir("../..")
	paths, err := filepath.Glob(".github/workflows/*")
	require.NoError(t, err)
	require.Greater(t, len(paths), 3)
	var writing []string
	for _, path := range append(paths, "action.yml", "setup/action.yml") {
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		var w workflow
		require.NoError(t, yaml.Unmarshal(content, &w))
		for _, trigger := range []string{"pull_request_target", "workflow_run", "issue_comment"} {
			assert.False(t, slices.ContainsFunc(w.On.Content, func(n *yaml.Node) bool { return n.Value == trigger }), "%s: %s", path, trigger)
		}
		steps := w.Runs.Steps
		for name, job := range w.Jobs {
			assert.NotEqual(t, "inherit", job.Secrets, "%s: %s", path, name)
			assert.Nil(t, job.Container, "%s: %s: an image is pinned by its digest", path, name)
			assert.Nil(t, job.Services, "%s: %s: an image is pinned by its digest", path, name)
			var writes []string
			for permission, access := range job.Permissions {
				if access == "write" {
					writes = append(writes, permission)
				}
			}
			slices.Sort(writes)
			id := filepath.Base(path) + " " + name
			assert.Equal(t, mayWrite[id], writes, id)
			if len(writes) > 0 {
				writing = append(writing, id)
			}
			steps = append(steps, job.Steps...)
		}
		switch {
		case w.Permissions != nil:
			assert.NotContains(t, marshalled(t, w.Permissions), "write", path)
		case len(w.Jobs) > 0: // a workflow that others call has the permissions of the job that calls
			require.Len(t, w.On.Content, 2, "%s has no permissions", path)
			assert.Equal(t, "workflow_call", w.On.Content[0].Value, "%s has no permissions", path)
		}
		for _, step := range steps {
			assert.NotContains(t, step.Run, "${{", "%s: a value of others in a script; hand it over as a variable", path)
			if step.Uses == "" || strings.HasPrefix(step.Uses, "./") || strings.HasPrefix(step.Uses, "mcplumb/mcplumb") {
				continue
			}
			assert.Regexp(t, `^[\w.-]+/[\w./-]+@[0-9a-f]{40}$`, step.Uses, path)
			switch name, _, _ := strings.Cut(step.Uses, "@"); name {
			case "actions/checkout":
				assert.Equal(t, "false", step.With["persist-credentials"], "%s: a checkout keeps its token for every step after it", path)
			case "actions/setup-go":
				assert.True(t, step.With["cache"] == "false" || filepath.Base(path) != "release.yml", "%s: what another run left gets into a release", path)
			case "actions/cache", "actions/cache/restore":
				assert.NotEqual(t, "release.yml", filepath.Base(path), "what another run left gets into a release")
			}
		}
	}
	assert.Len(t, writing, len(mayWrite))
}

func marshalled(t *testing.T, n *yaml.Node) string {
	t.Helper()
	text, err := yaml.Marshal(n)
	require.NoError(t, err)
	return string(text)
}

// TestRenovateFindsWhatIsPinned holds the expressions in .github/renovate.json, which Renovate
// evaluates with RE2, to finding every row of the table of actions, every action that a page
// shows, and the base of the image: together they are what `make generate` would write.
func TestRenovateFindsWhatIsPinned(t *testing.T) {
	t.Chdir("../..")
	content, err := os.ReadFile(".github/renovate.json")
	require.NoError(t, err)
	var settings struct {
		CustomManagers []struct {
			Files   []string `json:"managerFilePatterns"`
			Matches []string `json:"matchStrings"`
		}
	}
	require.NoError(t, json.Unmarshal(content, &settings))
	table, err := os.ReadFile(pinTable)
	require.NoError(t, err)
	pins, err := parsePins(string(table))
	require.NoError(t, err)
	paths, err := stampedPaths()
	require.NoError(t, err)

	found, wanted := map[string]int{}, map[string]int{pinTable: len(pins), ".github/workflows/release.yml": 1}
	pinned := regexp.MustCompile(`uses: [\w./-]+@[0-9a-f]{40} # v`)
	for _, path := range append(paths, pinTable) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		if strings.HasSuffix(path, ".md") {
			wanted[path] = len(pinned.FindAll(text, -1))
		}
		for _, manager := range settings.CustomManagers {
			for _, pattern := range manager.Files {
				if !regexp.MustCompile(strings.Trim(pattern, "/")).MatchString(path) {
					continue
				}
				for _, expression := range manager.Matches {
					found[path] += len(regexp.MustCompile(expression).FindAll(text, -1))
				}
			}
		}
	}
	for path, want := range wanted {
		assert.Equal(t, want, found[path], path)
	}
	assert.Positive(t, wanted["README.md"])

	// The Dockerfile and the workflow name one base.
	workflow, err := os.ReadFile(".github/workflows/release.yml")
	require.NoError(t, err)
	dockerfile, err := os.ReadFile("Dockerfile.git")
	require.NoError(t, err)
	base := regexp.MustCompile(`BASE: (\S+)`).FindSubmatch(workflow)
	require.NotNil(t, base)
	assert.Contains(t, string(dockerfile), "ARG BASE="+string(base[1])+"\n")
}
