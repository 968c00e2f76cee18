// Package renovate_test runs Renovate itself with the preset of this repository: on
// every sample and fixture, and with registries on this machine.
//
// scripts/renovate builds and installs what it needs and passes the paths.
package renovate_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// presetFile is the preset that repositories extend.
const presetFile = "../../renovate/mcp.json"

// program returns the path of something that the script has built or installed.
func program(t *testing.T, variable string) string {
	t.Helper()
	path := os.Getenv(variable)
	require.NotEmpty(t, path, "run scripts/renovate")
	return path
}

// node runs a JavaScript file in a directory, and returns its output.
func node(t *testing.T, dir, script, input string, arguments, environment []string) []byte {
	t.Helper()
	command := exec.Command(program(t, "NODE"), append([]string{script}, arguments...)...)
	var stdout, stderr bytes.Buffer
	command.Dir, command.Stdin, command.Stdout, command.Stderr = dir, strings.NewReader(input), &stdout, &stderr
	command.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "RENOVATE_BASE_DIR=" + t.TempDir()}, environment...)
	require.NoError(t, command.Run(), "%s\n%s", stdout.String(), stderr.String())
	return stdout.Bytes()
}

// packageFile is Renovate's log entry for a file: only the members that the tests read.
type packageFile struct {
	PackageFile string `json:"packageFile"`
	Deps        []struct {
		DepName, CurrentValue, CurrentDigest, Datasource, SkipReason string
		Warnings                                                     []struct{ Message string }
	} `json:"deps"`
}

// pin is a pin that Renovate or mcplumb found. Version is the digest if there is one.
type pin struct{ path, datasource, name, version string }

// repository writes files into a git directory, with the preset as Renovate's settings. It
// leaves out the names of managers that would read other files.
func repository(t *testing.T, files map[string]string, rules ...map[string]any) string {
	t.Helper()
	content, err := os.ReadFile(presetFile)
	require.NoError(t, err)
	var settings map[string]any
	require.NoError(t, json.Unmarshal(content, &settings))
	settings["enabledManagers"] = []string{"custom.regex"}
	for _, r := range rules {
		settings["packageRules"] = append(settings["packageRules"].([]any), r)
	}
	content, err = json.Marshal(settings)
	require.NoError(t, err)
	dir := t.TempDir()
	write(t, dir, "renovate.json", string(content))
	for path, content := range files {
		write(t, dir, path, content)
	}
	for _, arguments := range [][]string{{"init", "--quiet"}, {"add", "--all", "--force"}} {
		out, err := exec.Command("git", append([]string{"-C", dir}, arguments...)...).CombinedOutput()
		require.NoError(t, err, string(out))
	}
	return dir
}

func write(t *testing.T, dir, path, content string) {
	t.Helper()
	full := filepath.Join(dir, filepath.FromSlash(path))
	require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
	require.NoError(t, os.WriteFile(full, []byte(content), 0o644))
}

// expected are the warnings that Renovate prints here. RE2 is a compiled module, which an
// installation without scripts does not have: internal/generate tests the patterns with
// RE2's syntax.
var expected = []string{
	"RE2 not usable, falling back to RegExp",
	"GitHub token is required for some dependencies",
	"Some release(s) did not have a releaseTimestamp, but as we're running with minimumReleaseAgeBehaviour=timestamp-optional, " +
		"proceeding. See debug logs for more information",
}

// renovate runs Renovate in a repository and returns the package files that it logged under
// a message, as JSON.
func renovate(t *testing.T, dir, mode, message string, environment ...string) []byte {
	t.Helper()
	log := node(t, dir, filepath.Join(program(t, "RENOVATE"), "dist", "renovate.js"), "", []string{"--platform=local", "--dry-run=" + mode},
		append([]string{"LOG_FORMAT=json", "LOG_LEVEL=debug"}, environment...))
	var files []byte
	for line := range bytes.Lines(log) {
		var entry struct {
			Level        int
			Msg          string
			PackageFiles json.RawMessage // of extraction
			Config       json.RawMessage // of updates
		}
		require.NoError(t, json.Unmarshal(line, &entry))
		if entry.Level >= 40 && !slices.Contains(expected, entry.Msg) {
			assert.Fail(t, "Renovate warns", "%s", line)
		}
		if entry.Msg == message {
			files = slices.Concat(entry.PackageFiles, entry.Config)
		}
	}
	require.NotEmpty(t, files, "Renovate did not log %q", message)
	return files
}

// extracted returns the pins that Renovate finds in a repository.
func extracted(t *testing.T, dir string) []pin {
	t.Helper()
	var files struct{ Regex []packageFile }
	require.NoError(t, json.Unmarshal(renovate(t, dir, "extract", "Extracted dependencies"), &files))
	var pins []pin
	for _, f := range files.Regex {
		for _, d := range f.Deps {
			p := pin{f.PackageFile, d.Datasource, d.DepName, d.CurrentValue}
			if d.CurrentDigest != "" {
				p.version = d.CurrentDigest
			}
			pins = append(pins, p)
		}
	}
	return pins
}

// TestValid has Renovate judge the preset, and the settings of the documentation.
func TestValid(t *testing.T) {
	preset, err := os.ReadFile(presetFile)
	require.NoError(t, err)
	page, err := os.ReadFile("../../docs/updates.md")
	require.NoError(t, err)
	settings := []string{string(preset)}
	for _, block := range regexp.MustCompile("(?s)```json[^\n]*\n(.+?)```").FindAllSubmatch(page, -1) {
		settings = append(settings, string(block[1]))
	}
	require.Greater(t, len(settings), 3)
	for i, text := range settings {
		dir := t.TempDir()
		write(t, dir, "renovate.json", text)
		out := node(t, dir, filepath.Join(program(t, "RENOVATE"), "dist", "config-validator.js"), "", []string{"--strict", "--no-global", "renovate.json"}, nil)
		assert.Contains(t, string(out), "Config validated successfully", "%d", i)
	}
}

// TestKinds finds a pin of each kind in each language and spelling, and nothing that only
// looks like one: in the same file that tests the patterns themselves.
func TestKinds(t *testing.T) {
	archive, err := txtar.ParseFile("../../internal/generate/testdata/renovate.txtar")
	require.NoError(t, err)
	last := len(archive.Files) - 1
	files := map[string]string{}
	for _, f := range archive.Files[:last] {
		files[f.Name] = string(f.Data)
	}
	var want, got []string
	for line := range strings.Lines(string(archive.Files[last].Data)) {
		line = strings.TrimSpace(line)
		if at := strings.Index(line, "@sha256:"); at >= 0 {
			line = line[:strings.LastIndexByte(line, ' ')+1] + line[at+1:]
		}
		want = append(want, line)
	}
	for _, p := range extracted(t, repository(t, files)) {
		got = append(got, strings.Join([]string{p.path, p.datasource, p.name, p.version}, " "))
	}
	assert.ElementsMatch(t, want, got)
}

// TestUpdates has Renovate look up versions and rewrite the files.
func TestUpdates(t *testing.T) {
	registry := httptest.NewServer(http.HandlerFunc(answer))
	t.Cleanup(registry.Close)
	archive, err := txtar.ParseFile("testdata/updates.txtar")
	require.NoError(t, err)
	files, want := map[string]string{}, map[string]string{}
	for _, f := range archive.Files {
		content := strings.ReplaceAll(string(f.Data), "REGISTRY", strings.TrimPrefix(registry.URL, "http://"))
		if path, is := strings.CutPrefix(f.Name, "updated/"); is {
			want[path] = content
		} else {
			files[f.Name] = content
		}
	}
	require.Len(t, want, len(files))

	dir := repository(t, files,
		map[string]any{"matchDatasources": []string{"npm"}, "registryUrls": []string{registry.URL + "/npm/"}},
		map[string]any{"matchDatasources": []string{"pypi"}, "registryUrls": []string{registry.URL + "/pypi/"}})
	updates := renovate(t, dir, "lookup", "packageFiles with updates",
		`RENOVATE_HOST_RULES=[{"matchHost": "127.0.0.1", "insecureRegistry": true, "allowInternal": true}]`)
	script, err := filepath.Abs("npm/update.mjs")
	require.NoError(t, err)
	node(t, dir, script, string(updates), nil, nil)
	for path, content := range want {
		got, err := os.ReadFile(filepath.Join(dir, path))
		require.NoError(t, err)
		assert.Equal(t, content, string(got), path)
	}
}

// answer is npm, PyPI, and an image registry that know one package each, of which 1.4.0 was
// released yesterday. An image registry does not return the date.
func answer(w http.ResponseWriter, r *http.Request) {
	old, young := time.Now().AddDate(0, -1, 0).UTC().Format(time.RFC3339), time.Now().AddDate(0, 0, -1).UTC().Format(time.RFC3339)
	var body any
	switch {
	case r.URL.Path == "/npm/@acme/notes-mcp":
		body = map[string]any{
			"name": "@acme/notes-mcp", "dist-tags": map[string]string{"latest": "1.4.0"},
			"versions": map[string]any{"1.2.0": struct{}{}, "1.3.0": struct{}{}, "1.4.0": struct{}{}},
			"time":     map[string]string{"1.2.0": old, "1.3.0": old, "1.4.0": young},
		}
	case r.URL.Path == "/pypi/acme-time/json":
		file := func(day string) []map[string]string { return []map[string]string{{"upload_time": day}} }
		body = map[string]any{
			"info":     map[string]string{"name": "acme-time"},
			"releases": map[string]any{"1.2.0": file(old), "1.3.0": file(old), "1.4.0": file(young)},
		}
	case r.URL.Path == "/v2/acme/mail/tags/list":
		body = map[string]any{"name": "acme/mail", "tags": []string{"1.2.0", "1.3.0", "1.4.0", "latest"}}
	case r.URL.Path == "/v2/":
		body = struct{}{}
	case strings.HasPrefix(r.URL.Path, "/v2/acme/mail/manifests/"):
		digit := map[string]string{"1.2.0": "1", "1.3.0": "3", "1.4.0": "4", "latest": "4"}[filepath.Base(r.URL.Path)]
		w.Header().Set("Docker-Content-Digest", "sha256:"+strings.Repeat(digit, 64))
		body = map[string]any{"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": []any{}}
	default:
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body)
}
