package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/cli"
	"github.com/mcplumb/mcplumb/internal/source"
)

// raw makes an object of git that git itself would not make, and returns its id.
func raw(t *testing.T, dir, kind, content string) string {
	t.Helper()
	cmd := exec.Command("git", "-C", dir, "hash-object", "-t", kind, "--literally", "-w", "--stdin")
	cmd.Stdin, cmd.Env = strings.NewReader(content), []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1"}
	id, err := cmd.Output()
	require.NoError(t, err)
	return strings.TrimSpace(string(id))
}

// entry is one of a tree's.
func entry(t *testing.T, mode, name, id string) string {
	t.Helper()
	bytes := make([]byte, len(id)/2)
	for i := range bytes {
		_, err := fmt.Sscanf(id[2*i:2*i+2], "%02x", &bytes[i])
		require.NoError(t, err)
	}
	return mode + " " + name + "\x00" + string(bytes)
}

// addTree adds a repository with a commit of a tree, which is made by make.
func (s *gitServer) addTree(t *testing.T, name string, make func(bare string) (tree string)) {
	t.Helper()
	s.add(t, name, nil)
	bare := filepath.Join(s.dir, filepath.FromSlash(name))
	commit := raw(t, bare, "commit", "tree "+make(bare)+"\nauthor t <t@example.com> 1700000000 +0000\ncommitter t <t@example.com> 1700000000 +0000\n\nx\n")
	git(t, bare, "update-ref", "refs/heads/main", commit)
}

// TestFleetCheckHostile reads hostile repositories: each gives one line with the true reason,
// and none keeps the next from being read.
func TestFleetCheckHostile(t *testing.T) {
	s := newGitServer(t, "")
	server := func(bare string) string { return raw(t, bare, "blob", started("npx", "-y", "notes@1.0.0")) }
	s.addTree(t, "acme/bomb.git", func(bare string) string {
		tree := raw(t, bare, "tree", entry(t, "100644", ".mcp.json", server(bare)))
		for range 8 {
			var many strings.Builder
			for i := range 10 {
				many.WriteString(entry(t, "40000", fmt.Sprintf("d%d", i), tree))
			}
			tree = raw(t, bare, "tree", many.String())
		}
		return tree
	})
	s.addTree(t, "acme/dotgit.git", func(bare string) string {
		config := raw(t, bare, "blob", "[core]\n\tfsmonitor = touch pwned\n")
		inner := raw(t, bare, "tree", entry(t, "100644", ".mcp.json", server(bare))+entry(t, "100644", "config", config))
		return raw(t, bare, "tree", entry(t, "40000", ".git", inner)+entry(t, "100644", ".mcp.json", server(bare)))
	})
	s.addTree(t, "acme/loop.git", func(bare string) string {
		return raw(t, bare, "tree", entry(t, "120000", ".mcp.json", raw(t, bare, "blob", "other"))+entry(t, "120000", "other", raw(t, bare, "blob", ".mcp.json")))
	})
	s.addTree(t, "acme/many.git", func(bare string) string {
		var many strings.Builder
		id := server(bare)
		for i := range 100_000 {
			many.WriteString(entry(t, "100644", fmt.Sprintf("f%06d", i), id))
		}
		return raw(t, bare, "tree", entry(t, "100644", ".mcp.json", id)+many.String())
	})
	s.addTree(t, "acme/huge.git", func(bare string) string {
		return raw(t, bare, "tree", entry(t, "100644", ".mcp.json", raw(t, bare, "blob", strings.Repeat("x", 50<<20))))
	})
	s.addTree(t, "acme/module.git", func(bare string) string {
		modules := raw(t, bare, "blob", "[submodule \"x\"]\n\tpath = x\n\turl = ext::sh -c touch% pwned\n")
		return raw(t, bare, "tree", entry(t, "100644", ".gitmodules", modules)+entry(t, "100644", ".mcp.json", server(bare))+entry(t, "160000", "x", strings.Repeat("1", 40)))
	})
	s.addTree(t, "acme/lfs.git", func(bare string) string {
		return raw(t, bare, "tree", entry(t, "100644", ".mcp.json", raw(t, bare, "blob", "version https://git-lfs.github.com/spec/v1\noid sha256:"+strings.Repeat("a", 64)+"\nsize 12345\n")))
	})
	s.addTree(t, "acme/lost.git", func(bare string) string { return strings.Repeat("2", 40) })
	s.add(t, "acme/default.git", map[string]string{".mcp.json": started("npx", "-y", "notes@1.0.0")})
	git(t, filepath.Join(s.dir, "acme/default.git"), "symbolic-ref", "HEAD", "refs/heads/gone")
	s.add(t, "acme/nofilter.git", map[string]string{".mcp.json": started("npx", "-y", "notes@1.0.0")})
	git(t, filepath.Join(s.dir, "acme/nofilter.git"), "config", "uploadpack.allowFilter", "false")
	s.add(t, "acme/noblob.git", map[string]string{".mcp.json": started("npx", "-y", "notes@1.0.0")})
	git(t, filepath.Join(s.dir, "acme/noblob.git"), "config", "uploadpackfilter.blob:none.allow", "false")
	for _, name := range []string{"nofilter", "noblob"} {
		git(t, filepath.Join(s.dir, "acme", name+".git"), "config", "uploadpack.allowAnySHA1InWant", "false")
	}
	sha256 := filepath.Join(s.dir, "acme/sha256.git")
	work := t.TempDir()
	git(t, work, "init", "-q", "-b", "main", "--object-format=sha256")
	write(t, work, ".mcp.json", started("npx", "-y", "notes@1.0.0"))
	git(t, work, "add", "-A")
	git(t, work, "commit", "-q", "-m", "x")
	git(t, work, "clone", "-q", "--bare", ".", sha256)
	git(t, sha256, "config", "uploadpack.allowFilter", "true")
	s.add(t, "acme/zz.git", map[string]string{".mcp.json": started("npx", "-y", "notes@1.0.0")})
	cases := []struct {
		name     string
		servers  int
		failed   string
		problems string // in the record
	}{
		{"bomb", 0, "they are more than 2000000", ""},
		{"dotgit", 1, "", ".git/.mcp.json has a name that git checks out nowhere"},
		{"loop", 0, "", ".mcp.json is a link that cannot be followed: too many links"},
		{"many", 1, "", ""},
		{"huge", 0, "", ".mcp.json is bigger than 10 MB and was not read"},
		{"module", 1, "", ""},
		{"lfs", 0, "", ".mcp.json is a pointer of Git LFS, and what it points to is not here"},
		{"lost", 0, "bad tree object", ""},
		{"default", 0, "its default branch does not exist, though it has others", ""},
		{"nofilter", 1, "", ""},
		{"noblob", 1, "", ""},
		{"sha256", 1, "", ""},
		{"zz", 1, "", ""},
	}
	dir := t.TempDir()
	var list strings.Builder
	for _, c := range cases {
		list.WriteString(s.URL + "/acme/" + c.name + ".git\n")
	}
	code, stdout, stderr := fleetCheck(t, dir, list.String(), nil, "--jobs", "2", "--allow-failed", "3")
	require.Equal(t, 0, code)
	require.Equal(t, "13 repositories: 10 read, 0 unchanged, 3 failed\n", stdout)
	require.Equal(t, 3, strings.Count(stderr, "\n"), stderr)
	for _, c := range cases {
		r := readRecord(t, dir, s.recordPath("acme/"+c.name))
		require.Len(t, r.Servers, c.servers, c.name)
		require.Empty(t, r.Findings, c.name)
		require.Contains(t, r.Failed, c.failed)
		require.Equal(t, c.failed == "", r.Failed == "", r.Failed)
		var problems []string
		for _, e := range r.Errors {
			problems = append(problems, e.Path+" "+e.Message)
		}
		require.Equal(t, c.problems, strings.Join(problems, "\n"), c.name)
	}
}

// TestFleetCheckStopped counts the records when the run is stopped: that happens while the
// failure of the first repository is printed and the record of the second is written.
func TestFleetCheckStopped(t *testing.T) {
	s := newGitServer(t, "")
	s.add(t, "acme/api.git", map[string]string{".mcp.json": started("npx", "-y", "notes@1.0.0")})
	dir := t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	claimed, said := make(chan struct{}), make(chan struct{})
	inner, wants := s.Config.Handler, 0
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/acme/none.git"):
			<-claimed
		case strings.HasSuffix(r.URL.Path, "/info/refs"):
			if wants++; wants == 2 { // where its branch is has been answered, and its name is taken
				close(claimed)
				<-said
			}
		}
		inner.ServeHTTP(w, r)
	})
	var last string
	stderr := writerFunc(func(p []byte) {
		if last = string(p); !strings.Contains(last, "/acme/none: ") {
			return
		}
		close(said)
		for t.Context().Err() == nil {
			if _, err := os.Stat(filepath.Join(dir, s.recordPath("acme/api"))); err == nil {
				break
			}
		}
		stop()
	})
	var stdout bytes.Buffer
	code := cli.Main(ctx, cli.Env{
		Args: []string{"fleet", "check", "--repos", "-", "--out", "out", "--jobs", "2"}, Stdin: strings.NewReader(s.URL + "/acme/none.git\n" + s.URL + "/acme/api.git\n"), Stdout: &stdout, Stderr: stderr,
		Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}, Getenv: func(string) string { return "" }, Now: time.Now, Dir: dir,
		IsTerminal: func(io.Writer) bool { return false }, LookPath: exec.LookPath,
	})
	require.Equal(t, 3, code)
	require.Equal(t, "2 repositories: 1 read, 0 unchanged, 1 failed\n", stdout.String())
	require.Equal(t, "mcplumb: stopped before the end: the next run continues here\n", last)
}

// writerFunc is a function that is called with what is written.
type writerFunc func(p []byte)

func (f writerFunc) Write(p []byte) (int, error) {
	f(p)
	return len(p), nil
}

// TestFleetCheckLeftovers removes what a killed run has left, and nothing that is in use or
// belongs to another program.
func TestFleetCheckLeftovers(t *testing.T) {
	dir, temporary := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temporary)
	repository(t, dir, "acme/web")
	dead := []string{"mcplumb-fleet-123/objects/pack/tmp_pack_x"}
	kept := []string{"mcplumb-fleet-mine/x", "other/x", "mcplumb-fleet-5"}
	for _, file := range append(dead, kept...) {
		write(t, temporary, file, "x")
	}
	require.NoError(t, os.Symlink("other", filepath.Join(temporary, "mcplumb-fleet-77")))
	write(t, dir, "out/local/acme/.mcplumb-0123456789abcdef.tmp", "half a rec")
	live, err := source.NewScratch()
	require.NoError(t, err)
	fleetCheck(t, dir, "acme/web\n", nil)
	if runtime.GOOS == "windows" {
		return // there mcplumb cannot tell whether a file is in use
	}
	require.NoDirExists(t, filepath.Join(temporary, "mcplumb-fleet-123"))
	for _, file := range kept {
		require.FileExists(t, filepath.Join(temporary, file))
	}
	require.DirExists(t, live.Path)
	entries, err := os.ReadDir(filepath.Join(dir, "out/local/acme"))
	require.NoError(t, err)
	require.Len(t, entries, 1)
	live.Remove()
	require.NoDirExists(t, live.Path)
}

// TestFleetCheckGone keeps the record of a clone on this machine that is no longer a
// repository, under the name of its origin, unless another clone of that has it now.
func TestFleetCheckGone(t *testing.T) {
	dir := t.TempDir()
	repository(t, dir, "acme/web")
	git(t, filepath.Join(dir, "acme/web"), "remote", "add", "origin", "https://github.com/acme/site.git")
	const list = "acme/web\nmoved\n"
	_, stdout, _ := fleetCheck(t, dir, list, nil)
	require.Equal(t, "2 repositories: 1 read, 0 unchanged, 1 failed\n", stdout)
	known := readRecord(t, dir, "out/github.com/acme/site.json")
	require.NoError(t, os.Rename(filepath.Join(dir, "out"), filepath.Join(dir, "yesterday")))
	require.NoError(t, os.Rename(filepath.Join(dir, "acme/web"), filepath.Join(dir, "elsewhere")))
	for range 2 {
		_, stdout, stderr := fleetCheck(t, dir, list, nil, "--previous", "yesterday")
		require.Equal(t, "2 repositories: 0 read, 0 unchanged, 2 failed\n", stdout)
		require.Contains(t, stderr, "mcplumb: github.com/acme/site: it is not a git repository\n")
		now := readRecord(t, dir, "out/github.com/acme/site.json")
		require.Equal(t, "it is not a git repository", now.Failed)
		now.Failed = ""
		require.Equal(t, known, now)
		require.NoFileExists(t, filepath.Join(dir, "out/local/acme/web.json"))
	}
	require.NoError(t, os.Rename(filepath.Join(dir, "elsewhere"), filepath.Join(dir, "moved")))
	_, stdout, _ = fleetCheck(t, dir, list, nil, "--previous", "yesterday")
	require.Equal(t, "2 repositories: 1 read, 0 unchanged, 1 failed\n", stdout)
	require.Equal(t, known, readRecord(t, dir, "out/github.com/acme/site.json"))
}
