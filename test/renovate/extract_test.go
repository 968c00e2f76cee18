package renovate_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/format"
)

// explained are the differences between what Renovate finds and the exact pins that
// "mcplumb list" shows, each with the reason.
var explained = []struct{ path, name, why string }{
	// Listed, and not found.
	{"server.json", "", "what a repository publishes of itself: its version follows the package, which other rules look at"},
	{"docker-mcp.yaml", "", "an image of Docker's catalog is a member of its own, behind no command"},
	{"fires-yaml-aliases/", "", "an alias of YAML: Renovate sees text"},
	{"fires-unclear/shared/", "acme-docs", "an alias of YAML: Renovate sees text"},
	{"fires-unclear/", "acme-escaped", "a version written with escapes of JSON"},
	{"fires-command-shapes/", "", "a command or arguments in a shape that the client does not read"},
	{"fires-own-words/", "", "arguments under a name that the client does not read"},
	{"fires-conditional/", "acme-a", "behind a condition in a shell line, which the patterns do not follow"},
	{"fires-any-name/", "", "a name that no client reads, in a client's directory: no pattern has it"},
	{"fires-families/", "acme/k", "an option of docker in front of its command, which the patterns do not follow"},
	// Found, and not listed.
	{"fires-contradiction/", "", "an entry that its type makes remote: the command starts nothing"},
	{"", "mcp-remote", "a bridge: list shows the server behind it"},
	{"", "supergateway", "a bridge: list shows the server behind it"},
	{"", "fastmcp", "a runner: list shows what it runs"},
	{"", "tsx", "a runner: list shows what it runs"},
	{"fires-called-like-a-launcher/", "", "installed for a script beside it, which list shows"},
	{"changed-server/silent-beside/", "", "an image that runs what is fetched: list shows that"},
	{"fires-installed-beside/", "", "installed for a file beside it, which list shows"},
	{"silent-one-of-two/", "", "one branch of a shell command: list cannot tell which one runs"},
	{"fires-no-server/.roo/", "", "npx between options of cmd: the command starts nothing"},
	{"holodeck-config.yml/agent.yml", "", "a sample of settings at the place of an agent, where list reads no such thing"},
	{"", "@your-org/one", "a placeholder: list shows no package"},
	{"", "@your-team/one", "a placeholder: list shows no package"},
	{"fires-equal/.vscode/", "mcp-server-time", "a key that is there twice: list shows what the client reads"},
	{"wrong-root-key/fires-beside/", "", "entries beside the root key: the client reads none of them"},
}

// TestExtract holds what Renovate finds against what mcplumb lists: in the samples, the
// fixtures of all rules, the demo, and the folders of MCPLUMB_CORPUS if that is set.
func TestExtract(t *testing.T) {
	dir := repository(t, trees(t))
	want := listed(t, dir)
	got := map[pin]int{}
	for _, p := range extracted(t, dir) {
		got[plain(p)]++
	}
	used := make([]int, len(explained))
	for p, difference := range subtract(want, got) {
		at := slices.IndexFunc(explained, func(e struct{ path, name, why string }) bool {
			return strings.Contains("/"+p.path, e.path) && (e.name == "" || e.name == p.name)
		})
		if assert.GreaterOrEqual(t, at, 0, "listed %+d times more than found: %v", difference, p) {
			used[at] += difference
		}
	}
	for i, e := range explained {
		assert.NotZero(t, used[i], "no such difference any more: %v", e)
		t.Logf("%+d: %s %s: %s", used[i], e.path, e.name, e.why)
	}
	report(t, "listed", want)
	report(t, "found", got)
}

// subtract returns by how many a has more than b of each, where it is not 0.
func subtract(a, b map[pin]int) map[pin]int {
	rest := map[pin]int{}
	for p, n := range a {
		rest[p] += n
	}
	for p, n := range b {
		rest[p] -= n
	}
	for p, n := range rest {
		if n == 0 {
			delete(rest, p)
		}
	}
	return rest
}

// report prints the number of pins of each datasource.
func report(t *testing.T, title string, pins map[pin]int) {
	t.Helper()
	count := map[string]int{}
	for p, n := range pins {
		count[p.datasource] += n
	}
	t.Logf("%s: %v", title, count)
}

// trees are the files of all samples and fixtures, each tree in a directory of its own.
func trees(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	testdata := filepath.Join("..", "..", "testdata")
	for _, f := range format.All() {
		samples, err := filepath.Glob(filepath.Join(testdata, "formats", f.Name, "*"))
		require.NoError(t, err)
		for _, sample := range samples {
			at := slices.IndexFunc(f.Paths, func(p string) bool { return path.Ext(p) == path.Ext(sample) })
			read(t, files, sample, path.Join("formats", f.Name+"-"+filepath.Base(sample), strings.ReplaceAll(f.Paths[max(at, 0)], "*", "x")))
		}
	}
	fixtures, err := filepath.Glob(filepath.Join(testdata, "checks", "*", "*.txtar"))
	require.NoError(t, err)
	require.Greater(t, len(fixtures), 300)
	for _, fixture := range fixtures {
		archive, err := txtar.ParseFile(fixture)
		require.NoError(t, err)
		tree := path.Join("fixtures", filepath.Base(filepath.Dir(fixture)), strings.TrimSuffix(filepath.Base(fixture), ".txtar"))
		for _, f := range archive.Files {
			if f.Name != "want" && f.Name != "fixes" && !strings.HasPrefix(f.Name, "fixed/") {
				files[path.Join(tree, f.Name)] = string(f.Data)
			}
		}
	}
	roots := []string{filepath.Join(testdata, "systems"), filepath.Join(testdata, "demo")}
	if corpus := os.Getenv("MCPLUMB_CORPUS"); corpus != "" {
		roots = append(roots, corpus)
	}
	for _, root := range roots {
		require.NoError(t, filepath.WalkDir(root, func(file string, entry os.DirEntry, err error) error {
			if err == nil && entry.Type().IsRegular() {
				relative, _ := filepath.Rel(filepath.Dir(root), file)
				read(t, files, file, filepath.ToSlash(relative))
			}
			return err
		}))
	}
	return files
}

func read(t *testing.T, files map[string]string, from, to string) {
	t.Helper()
	content, err := os.ReadFile(from)
	require.NoError(t, err)
	files[to] = string(content)
}

// versions of images and git tags that do not move.
var release = regexp.MustCompile(`^v?\d+\.\d+\.\d+`)

// listed returns the exact pins that mcplumb shows.
func listed(t *testing.T, dir string) map[pin]int {
	t.Helper()
	command := exec.Command(program(t, "MCPLUMB"), "list", "--format", "json")
	command.Dir = dir
	out, _ := command.Output() // files that cannot be read make it fail
	var list struct {
		Servers []struct{ Path, Kind, Package, Version, Purl, Scope string }
	}
	require.NoError(t, json.Unmarshal(out, &list))
	datasources := map[string]string{"npm": "npm", "pypi": "pypi", "nuget": "nuget", "jsr": "jsr", "oci": "docker", "git": "github-tags"}
	pins := map[pin]int{}
	for _, s := range list.Servers {
		exact := strings.Contains(s.Purl, "@")
		switch s.Kind {
		case "jsr", "git":
			exact = release.MatchString(s.Version)
		case "oci":
			exact = exact || release.MatchString(s.Version)
		}
		if datasource := datasources[s.Kind]; exact && datasource != "" && s.Scope != "lock" {
			pins[plain(pin{s.Path, datasource, s.Package, s.Version})]++
		}
	}
	return pins
}

// separators of a name that PyPI takes for one (PEP 503).
var separators = regexp.MustCompile(`[-_.]+`)

// plain writes name and version of a pin as both sides would: mcplumb normalises names,
// Renovate has them as they are written.
func plain(p pin) pin {
	switch p.datasource {
	case "npm", "pypi", "jsr":
		p.version = strings.TrimLeft(p.version, "=v")
	case "docker":
		p.name = strings.TrimPrefix(strings.TrimPrefix(p.name, "docker.io/"), "library/")
	case "nuget":
		p.name = strings.ToLower(p.name)
	case "github-tags":
		p.name = strings.TrimPrefix(p.name, "https://github.com/")
	}
	if p.datasource == "pypi" {
		p.name = strings.ToLower(separators.ReplaceAllString(p.name, "-"))
	}
	return p
}
