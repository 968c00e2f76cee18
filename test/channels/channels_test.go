// Package channels_test installs mcplumb as people with npx or pip do, from the packages that
// scripts/packages makes and with the scripts that publish them, and compares the result with the program
// itself. Registries are doubles on this machine. scripts/channels runs it.
package channels_test

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// config names a server as another file of the repository does not.
const config = `{"mcpServers": {"clock": {"command": "uvx", "args": ["mcp-server-time==2025.9.25"]}}}`

// TestNPM publishes the packages and uses them with npm, in one sequence: a registry keeps
// what was published.
func TestNPM(t *testing.T) {
	d := newDouble(t)
	s := newScene(t, d)
	packages := s.packages()

	t.Run("a platform that is missing stops it all", func(t *testing.T) {
		some := t.TempDir()
		for _, file := range glob(t, packages, "*.tgz") {
			if !strings.Contains(file, "win32-arm64") {
				copyFile(t, file, filepath.Join(some, filepath.Base(file)))
			}
		}
		got := s.run(s.script("publish-npm"), some, "--provenance=false")
		assert.Equal(t, 1, got.code)
		assert.Contains(t, got.stderr, "there is no package @mcplumb/cli-win32-arm64 here")
		assert.Empty(t, d.sent)
	})
	t.Run("the platforms are published first", func(t *testing.T) {
		s.succeeds(s.script("publish-npm"), packages, "--provenance=false")
		v := "@" + s.version
		assert.Equal(t, []string{
			"@mcplumb/cli-darwin-arm64" + v, "@mcplumb/cli-darwin-x64" + v, "@mcplumb/cli-linux-arm64" + v,
			"@mcplumb/cli-linux-x64" + v, "@mcplumb/cli-win32-arm64" + v, "@mcplumb/cli-win32-x64" + v, "mcplumb" + v,
		}, d.sent)
	})
	t.Run("a second time sends nothing", func(t *testing.T) {
		sent := slices.Clone(d.sent)
		got := s.succeeds(s.script("publish-npm"), packages, "--provenance=false")
		assert.Equal(t, sent, d.sent)
		assert.Equal(t, 7, strings.Count(got.stdout, "there already"))
	})
	t.Run("another content is refused", func(t *testing.T) {
		other := t.TempDir()
		for _, file := range glob(t, packages, "*.tgz") {
			copyFile(t, file, filepath.Join(other, filepath.Base(file)))
		}
		s.write("other/package/package.json", `{"name": "@mcplumb/cli-darwin-x64", "version": "`+s.version+`"}`)
		s.succeeds("tar", "-czf", filepath.Join(other, "mcplumb-cli-darwin-x64-"+s.version+".tgz"), "-C", filepath.Join(s.home, "other"), "package/package.json")
		got := s.run(s.script("publish-npm"), other, "--provenance=false")
		assert.Equal(t, 1, got.code)
		assert.Contains(t, got.stderr, "@mcplumb/cli-darwin-x64@"+s.version+" is published with another content")
	})
	t.Run("npx with nothing in its cache", func(t *testing.T) {
		began := time.Now()
		got := s.run("npx", "-y", "mcplumb", "check")
		t.Logf("the first finding after %.1f s", time.Since(began).Seconds())
		assert.Equal(t, s.direct("check"), got)
		assert.Equal(t, 1, got.code)
	})
	t.Run("npm install", func(t *testing.T) {
		s.succeeds("npm", "install", "--prefix", "app", "--ignore-scripts", "mcplumb")
		installed := filepath.Join(s.repository, "app", "node_modules", ".bin", "mcplumb")
		for _, args := range [][]string{{"check"}, {"check", "--color", "always"}, {"check", "--fail-on", "error"}, {"check", "--no-such"}, {"version"}} {
			assert.Equal(t, s.direct(args...), s.run(installed, args...), args)
		}
		assert.Equal(t, s.directWith(config, "check", "--stdin-filename", ".mcp.json", "-"), s.runWith(config, installed, "check", "--stdin-filename", ".mcp.json", "-"))
		assert.Equal(t, []string{s.platform, "mcplumb"}, s.installed("app/node_modules", "@mcplumb/cli-*", "mcplumb"), "of the platforms, this one alone")
		assert.NoFileExists(t, filepath.Join(s.repository, "app", "node_modules", ".bin", filepath.Base(s.platform)))
	})
	t.Run("without the package of the platform", func(t *testing.T) {
		s.succeeds("npm", "install", "--prefix", "bare", "--omit=optional", "mcplumb")
		got := s.run(filepath.Join(s.repository, "bare", "node_modules", ".bin", "mcplumb"), "check")
		assert.Equal(t, 3, got.code)
		assert.Contains(t, got.stderr, s.platform+" is not installed")
		assert.Contains(t, got.stderr, "--omit=optional")
		assert.Empty(t, got.stdout)
	})
	assert.Empty(t, d.problems)
}

// TestStartScript holds that the start script between npm and the program is transparent:
// it exits as the program does, and passes on its arguments, input, and signals.
func TestStartScript(t *testing.T) {
	s := newScene(t, newDouble(t))
	script := filepath.Join(s.root, "packaging", "npm", "bin", "mcplumb.js")
	program := s.write("program", `#!/usr/bin/env node
const [what, value] = process.argv.slice(2);
const say = (text) => require("fs").writeSync(1, text + "\n");
if (what === "exit") process.exit(Number(value));
if (what === "wait") process.on(value, () => { say(value); process.exit(7); });
if (what === "listen") process.on("SIGINT", () => say("interrupted"));
say("ready");
require("fs").writeFileSync(process.env.HOME + "/ready", "");
setTimeout(() => process.exit(9), what === "listen" ? 3000 : 60000);
`)
	require.NoError(t, os.Chmod(program, 0o755))
	s.env = append(s.env, "MCPLUMB_BINARY="+program)

	for _, code := range []int{0, 1, 2, 3, 7} {
		assert.Equal(t, code, s.run("node", script, "exit", strconv.Itoa(code)).code)
	}
	// The exit code that a shell reports for a killed program. 0 would look like success.
	dies := s.write("dies", "#!/bin/sh\nkill -$1 $$\n")
	require.NoError(t, os.Chmod(dies, 0o755))
	for signal, code := range map[string]int{"KILL": 137, "TERM": 143, "PIPE": 141} {
		assert.Equal(t, code, s.run("sh", "-c", `MCPLUMB_BINARY=$0 node "$1" "$2"; exit $?`, dies, script, signal).code, signal)
	}

	for name, signal := range map[string]syscall.Signal{"SIGTERM": syscall.SIGTERM, "SIGINT": syscall.SIGINT, "SIGHUP": syscall.SIGHUP, "SIGQUIT": syscall.SIGQUIT} {
		cmd := exec.Command("node", script, "wait", name)
		cmd.Env = s.env
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		lines := bufio.NewScanner(out)
		require.True(t, lines.Scan())
		require.Equal(t, "ready", lines.Text())
		require.NoError(t, cmd.Process.Signal(signal))
		assert.True(t, lines.Scan(), "%s has not reached the program", name)
		assert.Equal(t, name, lines.Text())
		require.Error(t, cmd.Wait(), name)
		assert.Equal(t, 7, cmd.ProcessState.ExitCode(), name)
	}

	// A terminal sends Ctrl-C to every process in the foreground: mcplumb stops in order at
	// the first, and at once at the second. A program in a session of its own gets none
	// from the terminal, so a signal there could only come from the script.
	require.NoError(t, os.Remove(filepath.Join(s.home, "ready")))
	apart := s.write("apart", "#!/bin/sh\nexec setsid "+program+" \"$@\"\n")
	require.NoError(t, os.Chmod(apart, 0o755))
	s.env = append(s.env, "MCPLUMB_BINARY="+apart)
	got := s.run("sh", "-c", `(until [ -e "$HOME/ready" ]; do sleep 0.1; done; printf '\003') | script -qec "node '$0' listen" /dev/null`, script)
	assert.Contains(t, got.stdout, "ready")
	assert.NotContains(t, got.stdout, "interrupted")

	s.env = append(s.env, "MCPLUMB_BINARY="+filepath.Join(s.home, "nowhere"))
	got = s.run("node", script, "check")
	assert.Equal(t, 3, got.code)
	assert.Contains(t, got.stderr, "ENOENT")
}

// TestPyPI publishes the wheels and installs them with pip.
func TestPyPI(t *testing.T) {
	d := newDouble(t)
	s := newScene(t, d)
	packages := s.packages()
	var names []string
	for _, wheel := range glob(t, packages, "*.whl") {
		names = append(names, filepath.Base(wheel))
	}
	s.env = append(s.env, "MCPLUMB_PYPI="+d.url)
	for range 2 { // the second run sends what is already there
		s.succeeds(s.script("publish-pypi"), packages)
		assert.ElementsMatch(t, names, d.sent)
	}
	wrong := t.TempDir()
	copyFile(t, glob(t, packages, "*win_arm64.whl")[0], filepath.Join(wrong, filepath.Base(glob(t, packages, "*win_amd64.whl")[0])))
	assert.Equal(t, 1, s.run(s.script("publish-pypi"), wrong).code, "another content under the same name")

	s.succeeds("python3", "-m", "venv", "venv")
	bin := filepath.Join(s.repository, "venv", "bin")
	began := time.Now()
	s.succeeds(filepath.Join(bin, "pip"), "install", "--index-url", d.url+"/simple", "mcplumb")
	assert.Equal(t, s.direct("check"), s.run(filepath.Join(bin, "mcplumb"), "check"))
	t.Logf("the first finding after %.1f s", time.Since(began).Seconds())
	assert.Equal(t, s.direct("check"), s.run(filepath.Join(bin, "python"), "-m", "mcplumb", "check"))
	assert.Equal(t, s.direct("check", "--no-such"), s.run(filepath.Join(bin, "python"), "-m", "mcplumb", "check", "--no-such"))
	s.succeeds(filepath.Join(bin, "pip"), "check")
	installed, err := os.ReadFile(filepath.Join(bin, "mcplumb"))
	require.NoError(t, err)
	program, err := os.ReadFile(s.program)
	require.NoError(t, err)
	assert.True(t, bytes.Equal(program, installed), "what is on PATH is the program itself, not a script of Python")

	t.Run("uninstalled", func(t *testing.T) {
		s.succeeds(filepath.Join(bin, "pip"), "uninstall", "-y", "mcplumb")
		assert.NoFileExists(t, filepath.Join(bin, "mcplumb"))
	})
	t.Run("into a directory", func(t *testing.T) {
		s.succeeds(filepath.Join(bin, "pip"), "install", "--index-url", d.url+"/simple", "--target", "vendored", "mcplumb")
		s.env = append(s.env, "PYTHONPATH="+filepath.Join(s.repository, "vendored"))
		assert.Equal(t, s.direct("check"), s.run("python3", "-m", "mcplumb", "check"))
	})
	t.Run("without the program", func(t *testing.T) {
		require.NoError(t, os.RemoveAll(filepath.Join(s.repository, "vendored", "bin")))
		got := s.run("python3", "-m", "mcplumb", "check")
		assert.Equal(t, 3, got.code)
		assert.Contains(t, got.stderr, "install the package again")
	})
	assert.Empty(t, d.problems)
}

// scene is a repository with a finding, and a machine without any part of mcplumb.
type scene struct {
	t                         *testing.T
	root, program, repository string
	home, version             string
	platform                  string // the package of npm for this one
	env                       []string
}

// result is the result of a command.
type result struct {
	code           int
	stdout, stderr string
}

func newScene(t *testing.T, d *double) *scene {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	s := &scene{t: t, root: root, program: os.Getenv("MCPLUMB_PROGRAM"), repository: t.TempDir(), home: t.TempDir(),
		platform: "@mcplumb/cli-linux-" + map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]}
	require.NotEmpty(t, s.program, "MCPLUMB_PROGRAM names the program, see scripts/channels")
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); !regexp.MustCompile(`(?i)^(npm_|pip_|python|twine_|actions_|github_|home$|xdg_|no_color|force_color)`).MatchString(name) {
			s.env = append(s.env, variable)
		}
	}
	s.env = append(s.env,
		"HOME="+s.home, "npm_config_cache="+filepath.Join(s.home, "npm"), "npm_config_registry="+d.url+"/", "npm_config_audit=false",
		"npm_config_fund=false", "npm_config_update_notifier=false", "PIP_DISABLE_PIP_VERSION_CHECK=1", "PIP_CACHE_DIR="+filepath.Join(s.home, "pip"),
		// As in a workflow that may ask who it is.
		"GITHUB_ACTIONS=true", "ACTIONS_ID_TOKEN_REQUEST_URL="+d.url+"/identity?for=job", "ACTIONS_ID_TOKEN_REQUEST_TOKEN="+jobToken,
	)
	s.version = strings.TrimSpace(s.succeeds(s.script("version")).stdout)
	require.NoError(t, os.WriteFile(filepath.Join(s.repository, ".mcp.json"), []byte(config), 0o644))
	require.NoError(t, os.Mkdir(filepath.Join(s.repository, ".cursor"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(s.repository, ".cursor", "mcp.json"), []byte(strings.Replace(config, "clock", "time", 1)), 0o644))
	return s
}

// packages returns the directory of the packages that scripts/packages made.
func (s *scene) packages() string { return os.Getenv("MCPLUMB_PACKAGES") }

func (s *scene) script(name string) string { return filepath.Join(s.root, "scripts", name) }

// run runs a command in the repository.
func (s *scene) run(program string, args ...string) result { return s.runWith("", program, args...) }

func (s *scene) runWith(input, program string, args ...string) result {
	s.t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = s.repository, s.env, strings.NewReader(input)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if cmd.ProcessState == nil {
		require.NoError(s.t, err)
	}
	return result{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// direct runs the program that was packed.
func (s *scene) direct(args ...string) result { return s.run(s.program, args...) }

func (s *scene) directWith(input string, args ...string) result {
	return s.runWith(input, s.program, args...)
}

func (s *scene) succeeds(program string, args ...string) result {
	s.t.Helper()
	got := s.run(program, args...)
	require.Equal(s.t, 0, got.code, "%s %v: %s%s", program, args, got.stdout, got.stderr)
	return got
}

// write writes a file next to the repository and returns its path.
func (s *scene) write(name, content string) string {
	s.t.Helper()
	path := filepath.Join(s.home, name)
	require.NoError(s.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(s.t, os.WriteFile(path, []byte(content), 0o644))
	return path
}

// installed returns the files with some names in a directory of the repository.
func (s *scene) installed(dir string, patterns ...string) []string {
	s.t.Helper()
	var found []string
	for _, pattern := range patterns {
		for _, path := range glob(s.t, filepath.Join(s.repository, dir), pattern) {
			name, err := filepath.Rel(filepath.Join(s.repository, dir), path)
			require.NoError(s.t, err)
			found = append(found, name)
		}
	}
	return found
}

func glob(t *testing.T, dir, pattern string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, pattern))
	require.NoError(t, err)
	require.NotEmpty(t, found, pattern)
	return found
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	content, err := os.ReadFile(from)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(to, content, 0o644))
}
