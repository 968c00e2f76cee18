package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"

	"github.com/mcplumb/mcplumb/internal/cli"
)

// snippet is a block of code of a page.
type snippet struct {
	page string
	line int
	// language is the first word behind the fence, file the second one, if it names a file.
	language, file string
	text           string
}

// name is what the tables below call a snippet: its page and its first line.
func (s *snippet) name() string {
	first, _, _ := strings.Cut(s.text, "\n")
	return s.page + ": " + strings.TrimSpace(first)
}

// snippets returns the blocks of the README and the pages in docs, without those of rules,
// whose examples are checked with the rules (checks.TestPages).
func snippets(t *testing.T) []snippet {
	t.Helper()
	root := moduleRoot(t)
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	require.NoError(t, err)
	var all []snippet
	for _, path := range append(pages, filepath.Join(root, "README.md"), filepath.Join(root, "CONTRIBUTING.md")) {
		if filepath.Base(path) == "checks.md" {
			continue
		}
		page, err := filepath.Rel(root, path)
		require.NoError(t, err)
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		var open *snippet
		indent := ""
		for i, line := range strings.Split(string(content), "\n") {
			before, info, isFence := strings.Cut(line, "```")
			isFence = isFence && strings.TrimSpace(before) == ""
			switch {
			case isFence && open == nil:
				words := append(strings.Fields(info), "", "")
				open, indent = &snippet{page: filepath.ToSlash(page), line: i + 1, language: words[0], file: words[1]}, before
			case isFence:
				all = append(all, *open)
				open = nil
			case open != nil:
				open.text += strings.TrimPrefix(line, indent) + "\n"
			}
		}
		require.Nil(t, open, "%s: a block has no end", page)
	}
	require.Greater(t, len(all), 40)
	return all
}

// elsewhere are the snippets that this test leaves alone, each with the reason: what runs it, or
// what it needs.
var elsewhere = map[string]string{
	"README.md: go run github.com/mcplumb/mcplumb/cmd/mcplumb@latest check": "needs a release and the network",
	"README.md: go test ./...": "is how this test runs",
	"docs/usage.md: npx mcplumb check                   # Node.js: nothing to install, or npm install -D mcplumb":        "needs a release and the network; scripts/channels installs from doubles of the registries",
	"docs/usage.md: docker run --rm -v \"$PWD:/src:ro\" ghcr.io/mcplumb/mcplumb:0.1.0 check":                             "needs docker; scripts/image",
	"docs/releasing.md: gh attestation verify FILE --repo mcplumb/mcplumb":                                               "needs a release and the network",
	"docs/editors.md: vim.lsp.config('mcplumb', {":                                                                       "is of an editor; scripts/editors",
	"docs/editors.md: (with-eval-after-load 'eglot":                                                                      "is of an editor; scripts/editors",
	"docs/editors.md: call ale#linter#Define('json', {":                                                                  "is of an editor; scripts/editors",
	"docs/editors.md: npm --prefix editors/vscode ci --ignore-scripts":                                                   "needs npm; scripts/editors",
	"docs/editors.md: scripts/build programs                                  # all platforms, or: programs linux_amd64": "needs npm; scripts/editors",
	"docs/site.md: scripts/site dist/site":                                                                               "needs npm; scripts/playground",
	"docs/ci.md: pipeline {":                                                                                             "is Groovy, which needs Jenkins",
	"docs/architecture.md: paths ─► Discover ─► Read ─► Link ─► Facts ─► Check ─► Refine ─► Grade ─► Mention ─► view ─► report": "is a picture",
	"README.md: NAME        IDENTITY                                             VERSION  CLIENTS                  PLACE":       "is output: TestReadmeShowsRealOutput",
}

// answers are the commands that end otherwise than with 0 or 1 without a network, by the page and
// the beginning of their line, and what they say then: a mistake in their flags would be another.
var answers = map[string]string{
	"docs/usage.md: mcplumb fleet repos acme": "needs a token",
	"docs/fleet.md: mcplumb fleet repos acme": "no answer from",
	"docs/usage.md: mcplumb approve postgres": "so \"postgres\" has none to approve",
	"docs/usage.md: mcplumb explain-policy":   "no file that a client loads has a server \"NAME\"",
	"docs/usage.md: mcplumb init":             "already exists",
	"docs/usage.md: mcplumb lock --online":    "gives no answer",
	"docs/catalog.md: mcplumb lock --online":  "gives no answer",
	"docs/updates.md: mcplumb lock --online":  "gives no answer",
}

// programs are other programs in snippets, which are not run here, and what runs them.
var programs = map[string]string{
	"reviewdog":    "test/formats",
	"multi-gitter": "test/fleet",
}

// TestSnippetsRun runs the commands that the README and the pages in docs show, in a repository
// that has what they speak of, and without a network.
func TestSnippetsRun(t *testing.T) {
	left := map[string]bool{}
	used := map[string]bool{}
	for _, s := range snippets(t) {
		if elsewhere[s.name()] != "" {
			left[s.name()] = true
			continue
		}
		if s.language != "sh" && s.language != "console" {
			continue
		}
		t.Run(s.page+":"+fmt.Sprint(s.line), func(t *testing.T) { runSnippet(t, &s, used) })
	}
	for name := range elsewhere {
		assert.True(t, left[name], "no page has this any longer: %s", name)
	}
	for name := range answers {
		assert.True(t, used[name], "no page has this any longer: %s", name)
	}
}

// runSnippet runs the lines of a snippet, each of which must exit with 0 or as answers says.
func runSnippet(t *testing.T, s *snippet, used map[string]bool) {
	dir := snippetRepository(t)
	text := regexp.MustCompile(`(?m)^\$ `).ReplaceAllString(s.text, "")
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), s.page)
	require.NoError(t, err)
	var out, errs bytes.Buffer
	ran := 0
	handler := func(interp.ExecHandlerFunc) interp.ExecHandlerFunc {
		return func(ctx context.Context, args []string) error {
			ran++
			return runCommand(interp.HandlerCtx(ctx), &errs, s, args)
		}
	}
	variables := expand.ListEnviron("PATH="+os.Getenv("PATH"), "HOME="+dir, "GITHUB_STEP_SUMMARY="+filepath.Join(dir, "summary.md"), "GITHUB_API_URL=https://127.0.0.1:1")
	r, err := interp.New(interp.Dir(dir), interp.Env(variables), interp.StdIO(strings.NewReader(""), &out, &errs), interp.ExecHandlers(handler))
	require.NoError(t, err)
	for _, statement := range file.Stmts {
		start, end := statement.Pos().Offset(), statement.End().Offset()
		line := text[start:end]
		want, isKnown := "", false
		for name, answer := range answers {
			if page, command, _ := strings.Cut(name, ": "); page == s.page && strings.HasPrefix(line, command) {
				want, isKnown, used[name] = answer, true, true
			}
		}
		out.Reset()
		errs.Reset()
		err := r.Run(t.Context(), statement)
		var status interp.ExitStatus
		switch {
		case isKnown:
			assert.Contains(t, out.String()+errs.String(), want, "%s", line)
		case errors.As(err, &status):
			assert.EqualValues(t, 1, status, "%s: %s", line, errs.String())
		default:
			assert.NoError(t, err, "%s: %s", line, errs.String())
		}
		assert.NotContains(t, errs.String(), "unknown", "%s", line)
	}
	assert.Positive(t, ran)
}

// runCommand runs a command of a snippet: mcplumb here, git as it is, and no other program.
func runCommand(h interp.HandlerContext, errs io.Writer, s *snippet, args []string) error {
	switch {
	case slices.Equal(args[:min(3, len(args))], []string{"go", "run", "./cmd/mcplumb"}):
		args = args[2:]
	case len(args) > 2 && args[0] == "npx" && strings.HasPrefix(args[2], "mcplumb@"):
		args = args[2:]
	}
	switch name := args[0]; {
	case strings.HasPrefix(filepath.Base(name), "mcplumb"):
		ctx, stop := context.WithTimeout(context.Background(), 5*time.Minute)
		defer stop()
		to := h.Stdout
		if slices.Contains(args, "serve") { // until it is interrupted, and at a port that is free
			args, to = append(args, "--addr", "127.0.0.1:0"), &stopping{to, stop}
		}
		code := cli.Main(ctx, cli.Env{
			Args: args[1:], Stdin: h.Stdin, Stdout: to, Stderr: h.Stderr,
			Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + h.Env.Get("HOME").String()},
			Getenv:  func(name string) string { return h.Env.Get(name).String() },
			Now:     time.Now, Dir: h.Dir, IsTerminal: func(io.Writer) bool { return false },
			Wait:     func(context.Context, time.Duration) error { return nil },
			Proxy:    func(*url.URL) (*url.URL, error) { return nil, errors.New("no network here") },
			LookPath: exec.LookPath, Version: "1.2.3",
		})
		if strings.HasPrefix(strings.Join(args[1:], " "), "fleet repos") {
			_, _ = fmt.Fprintln(h.Stdout, h.Dir) // instead of what GitHub lists
		}
		if code != 0 {
			return interp.ExitStatus(code)
		}
		return nil
	case name == "git":
		cmd := exec.Command(name, append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com"}, args[1:]...)...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = h.Dir, h.Stdout, h.Stderr
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + h.Env.Get("HOME").String(), "GIT_CONFIG_NOSYSTEM=1"}
		return cmd.Run()
	case programs[name] != "":
		_, err := io.Copy(io.Discard, h.Stdin)
		return err
	}
	_, _ = fmt.Fprintf(errs, "%s: unknown program %s: a test is to run it, or a table here to say what does\n", s.page, args[0])
	return interp.ExitStatus(127)
}

// stopping stops a server that says where it listens.
type stopping struct {
	to   io.Writer
	stop func()
}

func (s *stopping) Write(text []byte) (int, error) {
	s.stop()
	return s.to.Write(text)
}

// snippetRepository returns a repository with what the pages speak of, on a branch with a
// remote.
func snippetRepository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	const docs = `"docs": {"type": "http", "url": "http://mcp.acme.dev/docs"}`
	for path, content := range map[string]string{
		".mcp.json":                     `{"mcpServers": {` + docs + `, "postgres": {"command": "npx", "args": ["-y", "@acme/postgres@1.2.0"]}}}` + "\n",
		".cursor/mcp.json":              `{"mcpServers": {"unpinned": {"command": "npx", "args": ["-y", "acme-notes"]}}}` + "\n",
		"services/api/.mcp.json":        `{"mcpServers": {}}` + "\n",
		".mcplumb.yaml":                 "in-step:\n  - files: [.mcp.json, .vscode/mcp.json]\n    source: .mcp.json\n",
		".vscode/mcp.json":              `{"servers": {` + docs + `}}` + "\n",
		"FILE":                          `{"deniedMcpServers": []}` + "\n",
		".github/managed-settings.json": `{"deniedMcpServers": []}` + "\n",
	} {
		write(t, dir, path, content)
	}
	root := moduleRoot(t)
	require.NoError(t, os.CopyFS(filepath.Join(dir, "testdata", "demo"), os.DirFS(filepath.Join(root, "testdata", "demo"))))
	git(t, dir, "init", "-q", "-b", "main")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "-m", "x")
	origin := filepath.Join(t.TempDir(), "origin.git")
	git(t, dir, "clone", "-q", "--bare", dir, origin)
	git(t, dir, "remote", "add", "origin", origin)
	git(t, dir, "fetch", "-q")
	git(t, dir, "remote", "set-head", "origin", "main")
	git(t, dir, "branch", "-q", "--set-upstream-to", "origin/main")
	return dir
}

// TestSnippetsParse holds the blocks that are files to what reads them: settings to mcplumb,
// workflows to the inputs of the action, hooks to those that there are.
func TestSnippetsParse(t *testing.T) {
	for _, s := range snippets(t) {
		if elsewhere[s.name()] != "" {
			continue
		}
		t.Run(s.page+":"+fmt.Sprint(s.line), func(t *testing.T) {
			var tree any
			switch s.language {
			case "sh", "console": // TestSnippetsRun
			case "yaml":
				require.NoError(t, yaml.Unmarshal([]byte(s.text), &tree), s.text)
				parsesAs(t, &s)
			case "json":
				require.NoError(t, json.Unmarshal([]byte(s.text), &tree), s.text)
			case "toml":
				require.NoError(t, toml.Unmarshal([]byte(s.text), &tree), s.text)
			case "jsonc": // TestDocumentedIgnoresHide
				assert.Equal(t, "docs/settings.md", s.page)
			default:
				t.Errorf("nothing reads a block of %q: %s", s.language, s.name())
			}
		})
	}
}

// parsesAs holds a block of YAML to what it is, by its keys.
func parsesAs(t *testing.T, s *snippet) {
	t.Helper()
	root := moduleRoot(t)
	var list []struct{ Run string }
	if yaml.Unmarshal([]byte(s.text), &list) == nil {
		for _, step := range list {
			assert.Regexp(t, `^mcplumb `, step.Run)
		}
		return
	}
	type step struct {
		Uses string
		With map[string]any
	}
	var page struct {
		Jobs map[string]struct {
			Uses    string
			With    map[string]any
			Secrets map[string]any
			Steps   []step
		}
		Repos []struct {
			Repo, Rev string
			Hooks     []struct{ ID, Entry string }
		}
		Include []struct {
			Remote string
			Inputs map[string]any
		}
		Plugins                []string `yaml:"PLUGINS"`
		Permissions            any
		Trigger, Pool, Version any
	}
	require.NoError(t, yaml.Unmarshal([]byte(s.text), &page))
	switch {
	case page.Version != nil || page.Pool != nil: // of CircleCI and Azure Pipelines: TestDocumentedJobs
	case len(page.Jobs) > 0:
		for _, job := range page.Jobs {
			if job.Uses != "" {
				assert.Subset(t, inputsOf(t, ".github/workflows/fleet.yml", "on", "workflow_call", "inputs"), keys(job.With))
				assert.Subset(t, inputsOf(t, ".github/workflows/fleet.yml", "on", "workflow_call", "secrets"), keys(job.Secrets))
			}
			for _, step := range job.Steps {
				if strings.HasPrefix(step.Uses, "mcplumb/mcplumb@") {
					assert.Subset(t, inputsOf(t, "action.yml", "inputs"), keys(step.With))
				}
			}
		}
	case len(page.Repos) > 0:
		var known []struct{ ID string }
		content, err := os.ReadFile(filepath.Join(root, ".pre-commit-hooks.yaml"))
		require.NoError(t, err)
		require.NoError(t, yaml.Unmarshal(content, &known))
		for _, repo := range page.Repos {
			for _, hook := range repo.Hooks {
				isKnown := slices.ContainsFunc(known, func(k struct{ ID string }) bool { return k.ID == hook.ID })
				assert.True(t, isKnown || repo.Repo == "local" && strings.HasPrefix(hook.Entry, "mcplumb "), "there is no hook %s", hook.ID)
			}
		}
	case len(page.Include) > 0:
		for _, included := range page.Include {
			path := included.Remote[strings.Index(included.Remote, "templates/"):]
			assert.Subset(t, inputsOf(t, path, "spec", "inputs"), keys(included.Inputs))
		}
	case len(page.Plugins) > 0:
		for _, address := range page.Plugins {
			assert.FileExists(t, filepath.Join(root, filepath.FromSlash(address[strings.Index(address, "packaging/"):])))
		}
	case page.Permissions != nil:
		assert.Equal(t, "docs/fleet.md", s.page, "what has permissions and nothing else?")
	default:
		dir := t.TempDir()
		write(t, dir, ".mcplumb.yaml", s.text)
		write(t, dir, ".github/managed-settings.json", `{"deniedMcpServers": []}`)
		write(t, dir, "policies/mcp.yaml", "fail-on: error\n")
		code, _, stderr := run(t, dir, "list")
		assert.NotEqual(t, 2, code, "these are no settings: %s", stderr)
	}
}

// inputsOf returns the members that a YAML file has below some keys.
func inputsOf(t *testing.T, path string, below ...string) []string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(moduleRoot(t), filepath.FromSlash(path)))
	require.NoError(t, err)
	var tree map[string]any
	require.NoError(t, yaml.NewDecoder(bytes.NewReader(content)).Decode(&tree))
	for _, key := range below {
		next, ok := tree[key].(map[string]any)
		require.True(t, ok, "%s has no %s", path, key)
		tree = next
	}
	return keys(tree)
}

func keys(m map[string]any) []string {
	return slices.AppendSeq([]string{}, maps.Keys(m))
}
