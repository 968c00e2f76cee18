package cli_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/cli"
)

// gitIn runs git in a directory and returns what it said.
func gitIn(t *testing.T, dir, stdin string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1"}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

// tree writes files and returns their directory, a repository.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	gitIn(t, dir, "", "init", "-q")
	for name, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
		require.NoError(t, os.WriteFile(full, []byte(text), 0o644))
	}
	return dir
}

// texts reads files.
func texts(t *testing.T, dir string, files map[string]string) map[string]string {
	t.Helper()
	now := map[string]string{}
	for name := range files {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		require.NoError(t, err)
		now[name] = string(text)
	}
	return now
}

// TestPatchIsWhatIsFixed checks that git apply with the patch gives the same files as --fix,
// for all kinds of files and names, and that --diff writes nothing.
func TestPatchIsWhatIsFixed(t *testing.T) {
	const twice = `{"mcpServers": {"a": {"command": "x", "env": {"K": "1", "K": "1"}}}}`
	const lines = "{\n\"mcpServers\": {\n\"a\": {\"command\": \"x\", \"env\": {\n\"K\": \"1\",\n\"K\": \"1\"\n}}\n}\n}\n"
	files := map[string]string{
		".mcp.json":                         twice,
		"lines/.mcp.json":                   lines,
		"crlf/.mcp.json":                    strings.ReplaceAll(lines, "\n", "\r\n"),
		"mark/.mcp.json":                    "\ufeff" + lines,
		"mark/crlf/.mcp.json":               "\ufeff" + strings.ReplaceAll(lines, "\n", "\r\n"),
		"bare/.mcp.json":                    strings.TrimSuffix(lines, "\n"),
		"blank line/.mcp.json":              twice + "\n",
		"d\u00e9j\u00e0 \"vu\"\\/.mcp.json": twice + "\n",
		"tab\tand\x1bmore/.mcp.json":        "{\"mcpServers\": {\"\u540d\u524d\": {\"command\": \"x\", \"env\": {\"K\": \"1\", \"K\": \"1\"}}}}\n",
		"far/.mcp.json": "{\"mcpServers\": {\n\"a\": {\"command\": \"x\", \"env\": {\"K\": \"1\",\n\"K\": \"1\"}},\n" +
			strings.Repeat("\n", 20) + "\"b\": {\"command\": \"y\", \"env\": {\"K\": \"1\",\n\"K\": \"1\"}}\n}}\n",
	}
	dir := tree(t, files)
	code, patch, _ := run(t, dir, "check", "--diff")
	assert.Equal(t, 1, code, "what is found is still there")
	assert.Equal(t, files, texts(t, dir, files), "--diff writes nothing")
	code, out, errs := run(t, dir, "check", "--fix")
	assert.Equal(t, 0, code, "%s%s", out, errs)
	fixed := texts(t, dir, files)
	for name, text := range files {
		assert.NotEqual(t, text, fixed[name])
		require.NoError(t, os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o644))
	}
	gitIn(t, dir, patch, "apply", "-")
	assert.Equal(t, fixed, texts(t, dir, files))
}

// TestPatchShowsNoCredential checks that a change next to a credential is in the patch, with
// fewer lines around it.
func TestPatchShowsNoCredential(t *testing.T) {
	token := "ghp_" + strings.Repeat("a1B2c3D4e5F6", 3)
	files := map[string]string{".mcp.json": "{\"mcpServers\": {\n\"a\": {\"command\": \"x\", \"env\": {\n\"TOKEN\": \"" + token + "\",\n\"K\": \"1\",\n\"K\": \"1\"}},\n" +
		strings.Repeat("\n", 20) + "\"b\": {\"command\": \"y\", \"env\": {\"K\": \"1\",\n\"K\": \"1\"}}\n}}\n"}
	dir := tree(t, files)
	_, patch, errs := run(t, dir, "check", "--diff")
	assert.NotContains(t, patch+errs, "ghp_")
	assert.NotContains(t, errs, "left out")
	gitIn(t, dir, patch, "apply", "-")
	applied := texts(t, dir, files)
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".mcp.json"), []byte(files[".mcp.json"]), 0o644))
	_, out, errs := run(t, dir, "check", "--fix")
	assert.NotContains(t, out+errs, token)
	assert.Equal(t, texts(t, dir, files), applied)
	assert.Equal(t, 2, strings.Count(applied[".mcp.json"], `"K": "1"`))
}

// TestPatchBesideACredential holds what of changes around a credential is in the patch: those
// in front of it with a line between, those behind it, and at the end of a file. What changes
// the credential itself is shown masked, once, and is made by --fix alone.
func TestPatchBesideACredential(t *testing.T) {
	token := "ghp_" + strings.Repeat("a1B2c3D4e5F6", 3)
	const text = `{
  "servers": {
    "a": {
      "type": "http",
      "url": "https://mcp.acme.dev/mcp",
      "headers": {
        "Authorization": "Bearer TOKEN",
        "X-Team": "docs"
      }
    },
    "b": {
      "command": "npx",
      "args": ["-y", "@playwright/mcp@0.0.40"],
      "env": {
        "K": "1",
        "K": "1"
      }
    }
  }
}
`
	files := map[string]string{".cursor/mcp.json": strings.Replace(text, "TOKEN", token, 1)}
	for _, ending := range []string{"\n", "\r\n"} {
		files[".cursor/mcp.json"] = strings.ReplaceAll(strings.Replace(text, "TOKEN", token, 1), "\n", ending)
		dir := tree(t, files)
		_, patch, errs := run(t, dir, "check", "--diff", "--fix=unsafe")
		assert.NotContains(t, patch+errs, token)
		assert.Contains(t, patch, "-  \"servers\": {")
		assert.Contains(t, errs, ".cursor/mcp.json:7, with the credential masked:\n  -        \"Authorization\": \"Bearer ***\",")
		assert.Equal(t, 1, strings.Count(errs, "--fix=unsafe makes it"), errs)
		gitIn(t, dir, patch, "apply", "-")
		applied := texts(t, dir, files)[".cursor/mcp.json"]
		require.NoError(t, os.WriteFile(filepath.Join(dir, ".cursor/mcp.json"), []byte(files[".cursor/mcp.json"]), 0o644))
		_, out, errs := run(t, dir, "check", "--fix=unsafe")
		assert.NotContains(t, out+errs, token)
		fixed := texts(t, dir, files)[".cursor/mcp.json"]
		assert.Equal(t, fixed, strings.Replace(applied, token, "${env:A_TOKEN}", 1))
		assert.Equal(t, 1, strings.Count(applied, `"K": "1"`))
	}
}

// TestPatchShowsAnInputOfVSCode holds that an input which is typed without being shown is
// no credential, though its member is called password.
func TestPatchShowsAnInputOfVSCode(t *testing.T) {
	files := map[string]string{".vscode/mcp.json": `{
  "inputs": [
    {"type": "promptString", "id": "api_key", "description": "API key", "password": true}
  ],
  "servers": {
    "a": {"command": "npx", "args": ["-y", "@playwright/mcp@0.0.40"]},
    "b": {"command": "npx", "args": ["-y", "@playwright/mcp@0.0.40"]}
  }
}
`}
	dir := tree(t, files)
	_, patch, errs := run(t, dir, "check", "--fix", "--diff")
	assert.NotContains(t, errs, "left out")
	assert.Contains(t, patch, `"description": "API key", "password": true}`)
	gitIn(t, dir, patch, "apply", "-")
	assert.NotContains(t, texts(t, dir, files)[".vscode/mcp.json"], `"b"`)
}

// TestPatchOfCredentialsAlone holds that a change which the patch cannot show is not
// said to be in it.
func TestPatchOfCredentialsAlone(t *testing.T) {
	token := "ghp_" + strings.Repeat("a1B2c3D4e5F6", 3)
	dir := tree(t, map[string]string{".mcp.json": `{"mcpServers": {"a": {"command": "x", "env": {"TOKEN": "` + token + `", "K": "1", "K": "1"}}}}`})
	_, patch, errs := run(t, dir, "check", "--diff")
	assert.Empty(t, patch)
	assert.Contains(t, errs, "  not in the patch: remove the repeated \"K\" [duplicate-key]: it would show a credential\n1 not, 1 fixable with --fix=unsafe\n")
}

// TestCredentialGoesNowhere holds that a credential that --fix removes from a file is in no
// output: the patch leaves the change out and says how to make it.
func TestCredentialGoesNowhere(t *testing.T) {
	token := "ghp_" + strings.Repeat("a1B2c3D4e5F6", 3)
	files := map[string]string{".mcp.json": `{"mcpServers": {"gh": {"type": "http", "url": "https://mcp.acme.dev/mcp", "headers": {"Authorization": "Bearer ` + token + `"}}}}` + "\n"}
	dir := tree(t, files)
	_, patch, errs := run(t, dir, "check", "--diff", "--fix=unsafe")
	assert.Empty(t, patch)
	assert.NotContains(t, errs, token)
	assert.Contains(t, errs, "because it would contain a credential: --fix=unsafe makes it\n")
	for _, format := range []string{"json", "sarif", "rdjson"} {
		_, out, errs := run(t, dir, "check", "--format", format)
		assert.NotContains(t, out+errs, token)
		assert.Contains(t, out, "Bearer ${GH_TOKEN}", format)
	}
	_, out, errs := run(t, dir, "check", "--fix=unsafe")
	assert.NotContains(t, out+errs, token)
	assert.Equal(t, strings.Replace(files[".mcp.json"], token, "${GH_TOKEN}", 1), texts(t, dir, files)[".mcp.json"])
}

// TestFixBehindALinkIntoGit checks that files of git's own directory are neither read through
// a link nor in the patch: git would refuse the whole patch.
func TestFixBehindALinkIntoGit(t *testing.T) {
	const twice = `{"mcpServers": {"a": {"command": "x", "env": {"K": "1", "K": "1"}}}}`
	dir := tree(t, map[string]string{".git/mcp.json": twice, ".cursor/mcp.json": twice})
	require.NoError(t, os.Symlink(".git/mcp.json", filepath.Join(dir, ".mcp.json")))
	_, patch, errs := run(t, dir, "check", "--diff")
	assert.Contains(t, patch, "+++ b/.cursor/mcp.json")
	assert.NotContains(t, patch, ".git/")
	assert.Contains(t, errs, "mcplumb: .mcp.json: is a link into .git, which is not followed")
}

// TestFixRefuses holds what does not go with --fix and --diff.
func TestFixRefuses(t *testing.T) {
	dir := tree(t, map[string]string{".mcp.json": "{}"})
	for args, want := range map[string]string{
		"--fix --no-ignore":                  "--fix skips findings that are ignored or in the baseline, so it cannot be combined with --no-ignore",
		"--diff --no-ignore":                 "--diff skips findings that are ignored or in the baseline, so it cannot be combined with --no-ignore",
		"--fix - --stdin-filename .mcp.json": "--fix writes files, and standard input is not a file: use --diff to print the changes",
		"--diff --format json":               "--diff prints a patch to standard output: give the format a file, as in --format json=FILE",
		"--fix=all":                          `--fix "all": use one of safe, unsafe`,
	} {
		code, out, errs := run(t, dir, append([]string{"check"}, strings.Fields(args)...)...)
		assert.Equal(t, 2, code, args)
		assert.Equal(t, "mcplumb: "+want+"\n", errs, args)
		assert.Empty(t, out, args)
	}
}

// TestFixWithJSON checks that a report for programs stays valid, and lists the remaining findings.
func TestFixWithJSON(t *testing.T) {
	dir := tree(t, map[string]string{".mcp.json": `{"mcpServers": {"a": {"command": "x", "env": {"K": "1", "K": "1"}}}}`})
	code, out, errs := run(t, dir, "check", "--fix", "--format", "json")
	assert.Equal(t, 0, code)
	assert.Contains(t, out, `"findings": []`)
	assert.Equal(t, ".mcp.json\n  fixed: remove the repeated \"K\" [duplicate-key]\n1 fixed\n", errs)
}

// TestFixThroughALink holds that a link stays one and that what it leads to is fixed.
func TestFixThroughALink(t *testing.T) {
	dir := tree(t, map[string]string{"real.json": `{"mcpServers": {"a": {"command": "x", "env": {"K": "1", "K": "1"}}}}`})
	require.NoError(t, os.Symlink("real.json", filepath.Join(dir, ".mcp.json")))
	code, _, errs := run(t, dir, "check", "--fix")
	assert.Equal(t, 0, code, errs)
	target, err := os.Readlink(filepath.Join(dir, ".mcp.json"))
	require.NoError(t, err)
	assert.Equal(t, "real.json", target)
	text, err := os.ReadFile(filepath.Join(dir, "real.json"))
	require.NoError(t, err)
	assert.Equal(t, 1, strings.Count(string(text), "K"))
}

// TestFixOfAFileWithTwoNames holds that a file which two clients open, each by its own name,
// is not fixed for one of them: then VS Code could read it, and Claude Code no longer.
func TestFixOfAFileWithTwoNames(t *testing.T) {
	const text = `{"mcpServers": {"a": {"command": "npx", "args": ["-y", "x@1.0.0"]}}}`
	dir := tree(t, map[string]string{".mcp.json": text, ".vscode/settings.json": "{}"})
	require.NoError(t, os.Symlink("../.mcp.json", filepath.Join(dir, ".vscode/mcp.json")))
	_, out, _ := run(t, dir, "check")
	assert.NotContains(t, out, "fixable")
	code, out, errs := run(t, dir, "check", "--fix")
	assert.Equal(t, 1, code, errs)
	assert.Contains(t, out, ".mcp.json\n  not fixed: line 1 [wrong-root-key]: clients open the file under several names")
	after, err := os.ReadFile(filepath.Join(dir, ".mcp.json"))
	require.NoError(t, err)
	assert.Equal(t, text, string(after))
}

// TestExcludedFilesKeepTheirIgnores holds that an ignore is not called needless because
// this run leaves its file out.
func TestExcludedFilesKeepTheirIgnores(t *testing.T) {
	const settings = "ignore:\n  - rule: duplicate-server\n    path: sub/**\n    reason: two on purpose\n"
	dir := tree(t, map[string]string{
		".mcplumb.yaml": settings,
		"sub/.mcp.json": `{"mcpServers": {"a": {"command": "x"}, "b": {"command": "x"}}}`,
		".mcp.json":     `{"mcpServers": {"c": {"command": "y"}}}`,
	})
	code, out, errs := run(t, dir, "check", "--fix", "--exclude", "sub/**")
	assert.Equal(t, 0, code, errs)
	assert.NotContains(t, out, "fixed")
	after, err := os.ReadFile(filepath.Join(dir, ".mcplumb.yaml"))
	require.NoError(t, err)
	assert.Equal(t, settings, string(after))
}

// TestFileChangedUnderUs checks that a file that another program changes, or replaces with a
// link, between reading and writing is not lost, that mcplumb reports it, and that the other
// files are fixed.
func TestFileChangedUnderUs(t *testing.T) {
	const twice = `{"mcpServers": {"a": {"command": "x", "env": {"K": "1", "K": "1"}}}}`
	for name, test := range map[string]struct {
		change  func(t *testing.T, file string)
		message string
		want    string
	}{
		"written": {
			func(t *testing.T, file string) {
				require.NoError(t, os.WriteFile(file, []byte(`{"mcpServers": {}}`), 0o644))
			},
			"it has changed since it was read", `{"mcpServers": {}}`,
		},
		"removed": {
			func(t *testing.T, file string) { require.NoError(t, os.Remove(file)) },
			"it is gone since it was read", "",
		},
		"a link": {
			func(t *testing.T, file string) {
				require.NoError(t, os.Rename(file, file+".real"))
				require.NoError(t, os.Symlink(filepath.Base(file)+".real", file))
			},
			"a part of its path has become a link since it was read", twice,
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, map[string]string{"a/.mcp.json": twice, "b/.mcp.json": twice})
			file := filepath.Join(dir, "a", ".mcp.json")
			var out, errs bytes.Buffer
			looks := 0
			code := cli.Main(t.Context(), cli.Env{
				Args: []string{"check", "--fix"}, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs,
				Environ: []string{"PATH=" + os.Getenv("PATH")}, Getenv: func(string) string { return "" },
				Now: time.Now, Dir: dir, LookPath: exec.LookPath, Version: "1.2.3",
				IsTerminal: func(w io.Writer) bool { return w == &errs },
				// Progress is shown until a pass over the tree has ended. The second pass
				// reads the tree with the fixes applied.
				Ticker: func(time.Duration) (<-chan time.Time, func()) {
					return nil, func() {
						if looks++; looks == 2 {
							test.change(t, file)
						}
					}
				},
			})
			assert.Equal(t, 3, code, "%s%s", out.String(), errs.String())
			assert.Contains(t, errs.String(), "mcplumb: a/.mcp.json: was not written: "+test.message+"\n")
			assert.NotContains(t, out.String(), "a/.mcp.json\n  fixed")
			assert.Contains(t, out.String(), "b/.mcp.json\n  fixed: ")
			text, _ := os.ReadFile(file)
			assert.Equal(t, test.want, string(text))
			assert.Equal(t, 1, strings.Count(texts(t, dir, map[string]string{"b/.mcp.json": ""})["b/.mcp.json"], "K"))
		})
	}
}

// TestFixOfOneRuleIsJudgedByAll fixes what one rule finds, where another one warns then: two
// servers that differed in a credential are one. The other rule was not asked for, so that only
// the fix says it.
func TestFixOfOneRuleIsJudgedByAll(t *testing.T) {
	config := "[mcp_servers.a]\ncommand = \"acme-mcp\"\n\n[mcp_servers.b]\ncommand = \"acme-mcp\"\nenv = { ACME_TOKEN = \"ghp_" + strings.Repeat("a1B2c3D4e5F6", 3) + "\" }\n"
	dir := tree(t, map[string]string{".codex/config.toml": config})
	_, stdout, _ := run(t, dir, "check", "--rule", "hardcoded-secret", "--fix=unsafe")
	assert.Contains(t, stdout, "(new warning: duplicate-server) [hardcoded-secret]")
	assert.NotContains(t, stdout, "[duplicate-server]")
	assert.Contains(t, texts(t, dir, map[string]string{".codex/config.toml": ""})[".codex/config.toml"], `env_vars = ["ACME_TOKEN"]`)
}

// TestFixesAreSaidAtTheFilesThatChange holds that a fix of several files is one line
// below them, and counts once.
func TestFixesAreSaidAtTheFilesThatChange(t *testing.T) {
	dir := tree(t, map[string]string{
		".mcp.json":             `{"mcpServers": {"gh": {"command": "npx", "args": ["-y", "@acme/github@1.0.0"]}}}`,
		".claude/settings.json": `{"permissions": {"allow": ["mcp__gh__search"]}}`,
		".cursor/mcp.json":      `{"mcpServers": {"github": {"command": "npx", "args": ["-y", "@acme/github@1.0.0"]}}}`,
		".vscode/mcp.json":      `{"servers": {"github": {"command": "npx", "args": ["-y", "@acme/github@1.0.0"]}}}`,
	})
	_, out, errs := run(t, dir, "check", "--fix=unsafe")
	assert.Contains(t, out, ".claude/settings.json, .mcp.json\n  fixed: rename \"gh\" to \"github\" [alias-drift]\n1 fixed\n", errs)
}

// TestFixesAreCountedByPlace checks that --fix fixes what was reported as fixable, with a line
// and a count for each place, if several entries contain one credential.
func TestFixesAreCountedByPlace(t *testing.T) {
	key := "ghp_" + strings.Repeat("a1B2c3D4e5F6", 3)
	dir := tree(t, map[string]string{".mcp.json": `{"mcpServers": {"a": {"command": "a-mcp", "env": {"A_TOKEN": "` + key + `"}},
"b": {"command": "b-mcp", "env": {"A_TOKEN": "` + key + `"}}}}`})
	_, out, _ := run(t, dir, "check", "-f", "json")
	assert.Contains(t, out, `"fixable": 2`)
	_, out, _ = run(t, dir, "check")
	assert.Contains(t, out, "1 error in 2 servers, 1 file; 2 places fixable with --fix=unsafe\n")
	_, out, _ = run(t, dir, "check", "--fix=unsafe")
	assert.Equal(t, 2, strings.Count(out, "  fixed: "), out)
	assert.Contains(t, out, "\n2 fixed\n")
}

// TestFixSaysWhyThereIsNone checks that a finding that usually has a fix, but has none here,
// is reported with the reason, once for all places of a file, if such fixes were requested.
func TestFixSaysWhyThereIsNone(t *testing.T) {
	key := func(i int) string { return strings.Repeat("a1B2c3D4e5F6", 2) + string(rune('k'+i)) }
	dir := tree(t, map[string]string{".codex/config.toml": "[mcp_servers.a]\ncommand = \"a-mcp\"\nargs = [\n\"--token\", \"" + key(0) + "\",\n\"--api-key\", \"" + key(1) + "\"]\n" +
		"env = { A_TOKEN = \"" + key(2) + "\" }\n"})
	_, out, _ := run(t, dir, "check", "--fix")
	assert.NotContains(t, out, "not fixed")
	code, out, _ := run(t, dir, "check", "--fix=unsafe")
	assert.Equal(t, 1, code)
	assert.Contains(t, out, "fixed: name A_TOKEN in env_vars instead, and revoke the credential [hardcoded-secret]\n"+
		"  not fixed: lines 4 and 5 (\"a\") [hardcoded-secret]: Codex does not expand variables here\n1 fixed, 2 not\n")
}

// TestFixOfAFileThatNoClientRead renames the root key first, then fixes the entries below it,
// which no client could see before. A variable that the client does not expand makes both
// unsafe.
func TestFixOfAFileThatNoClientRead(t *testing.T) {
	dir := tree(t, map[string]string{".vscode/mcp.json": `{"mcpServers": {"a": {"command": "acme-mcp", "env": {"TEAM": "${TEAM}"}}}}` + "\n"})
	_, out, _ := run(t, dir, "check", "--fix")
	assert.NotContains(t, out, "fixed:")
	code, out, errs := run(t, dir, "check", "--fix=unsafe")
	assert.Equal(t, 0, code, "%s%s", out, errs)
	assert.Equal(t, `{"servers": {"a": {"command": "acme-mcp", "env": {"TEAM": "${env:TEAM}"}}}}`+"\n", read(t, dir, ".vscode/mcp.json"))
}

// TestFixTellsNothingTwice removes an entry with a credential that the other entry has as
// well, where no client expands a variable.
func TestFixTellsNothingTwice(t *testing.T) {
	key := strings.Repeat("7a1b2c3d", 5)
	dir := tree(t, map[string]string{
		".vibe/config.toml": strings.Repeat("[[mcp_servers]]\nname = \"N\"\ntransport = \"stdio\"\ncommand = \"docs-mcp\"\nenv = { API_KEY = \""+key+"\" }\n", 2),
		".mcp.json":         `{"mcpServers": {"z": {"command": "other-mcp", "env": {"API_KEY": "` + key + `"}}}}` + "\n",
	})
	text := read(t, dir, ".vibe/config.toml")
	write(t, dir, ".vibe/config.toml", strings.Replace(strings.Replace(text, `"N"`, `"a"`, 1), `"N"`, `"b"`, 1))
	_, out, _ := run(t, dir, "check", "--fix=unsafe")
	assert.Contains(t, out, `fixed: remove "b"`)
	assert.Equal(t, 1, strings.Count(out, ".vibe/config.toml:5:"), out)
}

// TestPatchHoldsNoHalfOfAFix renames a server that permissions name, and passes on a variable
// far below it: if one of the changes would show a credential, no part of the fix is in the
// patch, and the output does not count it.
func TestPatchHoldsNoHalfOfAFix(t *testing.T) {
	token := "ghp_" + strings.Repeat("a1B2c3D4e5F6", 3)
	dir := tree(t, map[string]string{
		".mcp.json":             "{\n  \"mcpServers\": {\n    \"vercel-mcp\": {\"command\": \"npx\", \"args\": [\"-y\", \"@vercel/mcp-server@1.0.0\"], \"env\": {\"VERCEL_TOKEN\": \"" + token + "\"}}\n  }\n}\n",
		".cursor/mcp.json":      `{"mcpServers": {"vercel": {"command": "npx", "args": ["-y", "@vercel/mcp-server@1.0.0"], "env": {"VERCEL_TOKEN": "${env:VERCEL_TOKEN}"}}}}` + "\n",
		".claude/settings.json": `{"permissions": {"deny": ["mcp__vercel-mcp__delete_project"]}}` + "\n",
		"a/.codex/config.toml":  "[mcp_servers.a]\ncommand = \"acme-mcp\"\n" + strings.Repeat("\n", 20) + "[mcp_servers.a.env]\nGITHUB_TOKEN = \"" + token + "\"\n",
		"b/.roo/mcp.json":       "{\"mcpServers\": {\n\"a\": {\"command\": \"a\", \"env\": {\"Q\": \"${Q_KEY}\"}},\n" + strings.Repeat("\n", 20) + "\"b\": {\"command\": \"b\", \"env\": {\"GITHUB_TOKEN\": \"" + token + "\"}}\n}}\n",
	})
	_, patch, errs := run(t, dir, "check", "--diff", "--fix=unsafe")
	assert.NotContains(t, patch, "delete_project")
	assert.NotContains(t, patch, "env_vars")
	assert.Contains(t, patch, "${env:Q_KEY}")
	assert.Contains(t, errs, "1 in the patch")
	assert.NotContains(t, errs, "  in the patch: rename")
	assert.NotContains(t, errs, "  in the patch: write ${env:GITHUB_TOKEN}")
	gitIn(t, dir, patch, "apply", "-")
}

// TestPatchNamesLinesOfTheFileOnDisk checks that along with a patch, remaining findings are
// reported at the lines of the file on disk, not at those of the patched file.
func TestPatchNamesLinesOfTheFileOnDisk(t *testing.T) {
	key := strings.Repeat("a1B2c3D4e5F6", 2)
	dir := tree(t, map[string]string{".codex/config.toml": "[mcp_servers.a]\ncommand = \"a-mcp\"\n\n[mcp_servers.a.env]\nA_TOKEN = \"" + key + "k\"\n\n" +
		"[mcp_servers.b]\ncommand = \"b-mcp\"\nargs = [\"--token\", \"" + key + "l\"]\n"})
	_, _, errs := run(t, dir, "check", "--diff", "--fix=unsafe")
	assert.Contains(t, errs, "line 9 (\"b\") [hardcoded-secret]: Codex does not expand variables here")
	_, out, _ := run(t, dir, "check", "--fix=unsafe")
	assert.Contains(t, out, "line 7 (\"b\") [hardcoded-secret]: Codex does not expand variables here")
	assert.Contains(t, strings.Split(read(t, dir, ".codex/config.toml"), "\n")[6], "--token")
}

// TestFixesThatExcludeOthers checks that fixes wait for others that remove what they would
// change, instead of being tried one by one up to the limit. Each server except the first is
// removed, along with its repeated keys, which may be more than the listed findings.
func TestFixesThatExcludeOthers(t *testing.T) {
	for _, many := range []int{200, 10_500} {
		var servers []string
		for i := range many {
			servers = append(servers, fmt.Sprintf(`"s%05d": {"command": "npx", "command": "npx", "args": ["-y", "p@1.0.0"]}`, i))
		}
		dir := t.TempDir()
		write(t, dir, ".mcp.json", `{"mcpServers": {`+strings.Join(servers, ", ")+`}}`)
		_, _, stderr := run(t, dir, "check", "--fix=unsafe")
		assert.NotContains(t, stderr, "too many fixes")
		fixed, err := os.ReadFile(filepath.Join(dir, ".mcp.json"))
		require.NoError(t, err)
		assert.Equal(t, `{"mcpServers": {"s00000": {"command": "npx", "args": ["-y", "p@1.0.0"]}}}`, string(fixed))
	}
}
