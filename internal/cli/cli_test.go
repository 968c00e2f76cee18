package cli_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/cli"
	"github.com/mcplumb/mcplumb/report"
)

// lastCode is the key under which a script keeps its last exit code.
type lastCode struct{}

// TestScripts runs testdata/cli/*.txtar: every script is a directory and what
// people do in it. The program runs in this process.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("..", "..", "testdata", "cli"),
		Setup: func(e *testscript.Env) error {
			e.Values[lastCode{}] = new(int)
			// Nothing above the script's directory is its repository.
			e.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(e.WorkDir))
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name == "privileged" {
				return os.Geteuid() == 0, nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"mcplumb": runProgram,
			"code":    checkCode,
			"fifo":    makeFIFO,
			"repeat":  repeatText,
		},
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("UPDATE") != "",
	})
}

// runProgram is the command mcplumb. TTY=1 makes standard output a terminal,
// GIT=none takes git away, STDIN is what comes from standard input.
func runProgram(ts *testscript.TestScript, neg bool, args []string) {
	env := cli.Env{
		Args: args, Stdin: strings.NewReader(ts.Getenv("STDIN")), Stdout: ts.Stdout(), Stderr: ts.Stderr(),
		Getenv:     ts.Getenv,
		Now:        func() time.Time { return time.Unix(0, 0) },
		Dir:        ts.MkAbs("."),
		IsTerminal: func(io.Writer) bool { return ts.Getenv("TTY") == "1" },
		LookPath:   exec.LookPath,
		Version:    "1.2.3",
	}
	if ts.Getenv("GIT") == "none" {
		env.LookPath = func(string) (string, error) { return "", exec.ErrNotFound }
	}
	for _, name := range []string{"PATH", "HOME", "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"} {
		if value := ts.Getenv(name); value != "" {
			env.Environ = append(env.Environ, name+"="+value)
		}
	}
	code := cli.Main(context.Background(), env)
	*ts.Value(lastCode{}).(*int) = code
	if neg != (code != 0) {
		ts.Fatalf("exit code %d", code)
	}
}

// checkCode is the command code N: the exit code of the last mcplumb.
func checkCode(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if code := *ts.Value(lastCode{}).(*int); code != want {
		ts.Fatalf("exit code %d, not %d", code, want)
	}
}

// repeatText is the command repeat FILE N TEXT: it appends TEXT N times, with
// # replaced by the number.
func repeatText(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	f, err := os.OpenFile(ts.MkAbs(args[0]), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	ts.Check(err)
	var b bytes.Buffer
	for i := range n {
		b.WriteString(strings.ReplaceAll(args[2], "#", strconv.Itoa(i)))
	}
	_, err = f.Write(b.Bytes())
	ts.Check(errors.Join(err, f.Close()))
}

// run runs the program in a directory and returns what it said.
func run(t *testing.T, dir string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return runUntil(t.Context(), dir, args...)
}

// runUntil is run with a context that may end.
func runUntil(ctx context.Context, dir string, args ...string) (code int, stdout, stderr string) {
	return runIn(ctx, dir, nil, args...)
}

// runIn is runUntil with variables of the environment.
func runIn(ctx context.Context, dir string, variables map[string]string, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = cli.Main(ctx, cli.Env{
		Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs,
		Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir},
		Getenv:  func(name string) string { return variables[name] },
		Now:     func() time.Time { return time.Unix(0, 0) },
		Dir:     dir, IsTerminal: func(io.Writer) bool { return false },
		Wait:     func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
		LookPath: exec.LookPath, Version: "1.2.3",
	})
	return code, out.String(), errs.String()
}

// write writes a file below dir, with its directories.
func write(t testing.TB, dir, name, content string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1"}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

const twice = `{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}`

// TestRepositoryStartsNoProgram holds that what a repository configures for git
// is not run: the test would see the file that the program writes.
func TestRepositoryStartsNoProgram(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	write(t, dir, ".mcp.json", "{}")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-qm", "base")
	write(t, dir, ".mcp.json", twice)
	git(t, dir, "commit", "-qam", "change")
	script := filepath.Join(dir, "evil")
	write(t, dir, "evil", "#!/bin/sh\ntouch '"+dir+"/ran'\n")
	require.NoError(t, os.Chmod(script, 0o755))
	for _, key := range []string{
		"core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "diff.external", "credential.helper",
		"alias.ls-files", "filter.x.process", "filter.x.clean", "filter.x.smudge", "core.gitProxy", "uploadpack.packObjectsHook",
	} {
		git(t, dir, "config", key, script)
	}
	git(t, dir, "config", "core.hooksPath", dir)
	for _, hook := range []string{"post-index-change", "fsmonitor-watchman", "post-checkout"} {
		require.NoError(t, os.Symlink(script, filepath.Join(dir, hook)))
	}
	write(t, dir, ".gitattributes", "* filter=x\n")
	code, stdout, stderr := run(t, dir, "check")
	assert.Equal(t, 1, code, "%s%s", stdout, stderr)
	assert.Empty(t, stderr)
	code, log := runAction(t, dir, map[string]string{"GITHUB_EVENT_NAME": "pull_request"})
	assert.Equal(t, 1, code, log)
	assert.NoFileExists(t, filepath.Join(dir, "ran"))
}

// TestOneWorkTreeTwoWays holds that git and our own walk list the same files.
func TestOneWorkTreeTwoWays(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		".gitignore":             "/ignored/\n*.local.json\n!keep.local.json\nbuild\n",
		"a/.gitignore":           "!build\n/.mcp.json\nsub/*\n!sub/kept\n",
		".mcp.json":              twice,
		"a/.mcp.json":            twice,
		"a/b/.mcp.json":          twice,
		"a/build/.mcp.json":      twice,
		"a/sub/x/.mcp.json":      twice,
		"a/sub/kept/.mcp.json":   twice,
		"build/.mcp.json":        twice,
		"ignored/.mcp.json":      twice,
		"ignored/x/.mcp.json":    twice,
		"日本/.cursor/mcp.json":    twice,
		"with space/.mcp.json":   twice,
		"x/build/.mcp.json":      twice,
		".vscode/settings.json":  `{"editor.tabSize": 2}`,
		"node/.vscode/mcp.json":  `{"servers": {"a": {"command": "x"}}}`,
		"a/sub/kept/x/.mcp.json": twice,
	} {
		write(t, dir, name, content)
	}
	_, walked, stderr := run(t, dir, "list", "--format", "json")
	require.Empty(t, stderr)
	git(t, dir, "init", "-q")
	_, listed, stderr := run(t, dir, "list", "--format", "json")
	require.Empty(t, stderr)
	assert.Equal(t, listed, walked)
	for _, path := range []string{"a/b/.mcp.json", "a/build/.mcp.json", "日本/.cursor/mcp.json", "a/sub/kept/x/.mcp.json"} {
		assert.Contains(t, listed, path)
	}
	for _, path := range []string{`"path": "a/.mcp.json"`, `"path": "build/`, "ignored", "x/build", "sub/x/"} {
		assert.NotContains(t, listed, path)
	}
}

// TestSameBytesEveryTime holds that the order of the output does not depend on
// which file is read first.
func TestSameBytesEveryTime(t *testing.T) {
	dir := t.TempDir()
	for i := range 60 {
		write(t, dir, fmt.Sprintf("p%d/.mcp.json", i), twice)
		write(t, dir, fmt.Sprintf("p%d/.cursor/mcp.json", i), `{"mcpServers": {"b": {"command": "x"}, }`)
	}
	for _, format := range report.All() {
		_, first, _ := run(t, dir, "check", "--format", format.Name)
		for range 3 {
			_, again, _ := run(t, dir, "check", "--format", format.Name)
			require.Equal(t, first, again, format.Name)
		}
	}
	_, text, _ := run(t, dir, "check")
	var places []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "p") {
			places = append(places, line[:strings.Index(line, ":")])
		}
	}
	assert.True(t, slices.IsSorted(places))
}

// TestReportFilesAreReplacedInOneStep holds what happens to the file of --format json=FILE:
// mode and link are kept, and no temporary file is left.
func TestReportFilesAreReplacedInOneStep(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, ".mcp.json", twice)
	write(t, dir, "out/real.json", "old, and longer than what comes after it"+strings.Repeat(" ", 10_000))
	require.NoError(t, os.Chmod(filepath.Join(dir, "out", "real.json"), 0o600))
	require.NoError(t, os.Symlink("real.json", filepath.Join(dir, "out", "link.json")))

	code, stdout, stderr := run(t, dir, "check", "--format", "json=out/link.json")
	require.Equal(t, 1, code)
	assert.Empty(t, stdout+stderr)
	content, err := os.ReadFile(filepath.Join(dir, "out", "real.json"))
	require.NoError(t, err)
	assert.True(t, bytes.HasPrefix(content, []byte("{\n  \"version\": 1")))
	assert.True(t, bytes.HasSuffix(content, []byte("}\n")))
	info, err := os.Lstat(filepath.Join(dir, "out", "real.json"))
	require.NoError(t, err)
	if runtime.GOOS != "windows" { // which has no such modes
		assert.Equal(t, os.FileMode(0o600), info.Mode())
	}
	link, err := os.Readlink(filepath.Join(dir, "out", "link.json"))
	require.NoError(t, err)
	assert.Equal(t, "real.json", link)
	entries, err := os.ReadDir(filepath.Join(dir, "out"))
	require.NoError(t, err)
	assert.Len(t, entries, 2)

	code, _, stderr = run(t, dir, "check", "--format", "json=missing/x.json")
	assert.Equal(t, 3, code)
	assert.Equal(t, "mcplumb: cannot write missing/x.json: no such file or directory\n", stderr)
	code, _, stderr = run(t, dir, "check", "--format", "json=out")
	assert.Equal(t, 3, code)
	assert.Equal(t, "mcplumb: cannot write out: is a directory\n", stderr)
	code, _, _ = run(t, dir, "check", "--format", "json="+os.DevNull)
	assert.Equal(t, 1, code)
	info, err = os.Stat(os.DevNull)
	require.NoError(t, err)
	assert.False(t, info.Mode().IsRegular(), "a device stays one")
}

// failingWriter is a full disk.
type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestOutputThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, ".mcp.json", twice)
	for _, args := range [][]string{{"check"}, {"check", "--format", "json"}, {"list"}, {"version"}} {
		var stderr bytes.Buffer
		code := cli.Main(t.Context(), cli.Env{
			Args: args, Stdout: failingWriter{}, Stderr: &stderr, Getenv: func(string) string { return "" },
			Dir: dir, Now: time.Now, IsTerminal: func(io.Writer) bool { return false }, LookPath: exec.LookPath,
		})
		assert.Equal(t, 3, code, args)
		assert.Equal(t, "mcplumb: cannot write standard output: no space left on device\n", stderr.String(), args)
	}
}

func TestCancelledRunIsIncomplete(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := t.TempDir()
	write(t, dir, ".mcp.json", twice)
	var stdout, stderr bytes.Buffer
	code := cli.Main(ctx, cli.Env{
		Args: []string{"check"}, Stdout: &stdout, Stderr: &stderr, Getenv: func(string) string { return "" },
		Dir: dir, Now: time.Now, IsTerminal: func(io.Writer) bool { return false }, LookPath: exec.LookPath,
	})
	assert.Equal(t, 3, code)
	assert.Empty(t, stdout.String(), "half a report is useless")
	assert.Equal(t, "mcplumb: stopped before the end: nothing is reported\n", stderr.String())
}
