package cli_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sri returns a hash in the form of Subresource Integrity whose bytes are all the same.
func sri(algorithm string, size int, filling byte) string {
	return algorithm + "-" + base64.StdEncoding.EncodeToString(filled(size, filling))
}

// inHex returns the same hash in hexadecimal.
func inHex(algorithm string, size int, filling byte) string {
	return algorithm + ":" + hex.EncodeToString(filled(size, filling))
}

func filled(size int, filling byte) []byte {
	return []byte(strings.Repeat(string(rune(filling)), size))
}

// Hashes that the registries publish, and ones that they do not.
var (
	publishedSHA512 = sri("sha512", 64, 1)
	otherSHA512     = sri("sha512", 64, 2)
	wheelSHA256     = inHex("sha256", 32, 3)
	sourceSHA256    = inHex("sha256", 32, 4)
	otherSHA256     = inHex("sha256", 32, 5)
)

// newPublishers are registries with tidy 1.0.0 of npm, and of PyPI in two files.
func newPublishers(t *testing.T) *registries {
	t.Helper()
	r := newRegistries(t)
	r.pages["/npm/tidy/1.0.0"] = fmt.Sprintf(`{"version": "1.0.0", "dist": {"integrity": %q, "shasum": %q}}`,
		publishedSHA512, strings.TrimPrefix(inHex("sha1", 20, 6), "sha1:"))
	r.pages["/npm/old/1.0.0"] = `{"version": "1.0.0", "dist": {}}`
	r.pages["/pypi/tidy/"] = fmt.Sprintf(`{"files": [
		{"filename": "tidy-1.0.0-py3-none-any.whl", "hashes": {"sha256": %q}}, {"filename": "tidy-1.0.0.tar.gz", "hashes": {"sha256": %q}}]}`,
		strings.TrimPrefix(wheelSHA256, "sha256:"), strings.TrimPrefix(sourceSHA256, "sha256:"))
	return r
}

// tapLock returns a lockfile of mcp-tap with one server.
func tapLock(registry, name, integrity string) string {
	command := map[string]string{"npm": `"npx", "args": ["-y", "` + name + `"]`, "pypi": `"uvx", "args": ["` + name + `"]`}[registry]
	return fmt.Sprintf(`{"lockfile_version": 1, "servers": {"tidy": {"package_identifier": %q, "registry_type": %q, "version": "1.0.0", "integrity": %q,
  "config": {"command": %s, "env_keys": []}}}}`, name, registry, integrity, command)
}

// ownLock returns a mcplumb.lock with one server.
func ownLock(identity, more string) string {
	return "version = 1\n\n[[server]]\nidentity = '" + identity + "'\nnames = ['tidy']\nfiles = ['.mcp.json']\nversion = '1.0.0'\n" + more + "\n"
}

// TestOnlineHash holds what is locked of a package against what its registry publishes.
// What cannot be compared is not reported.
func TestOnlineHash(t *testing.T) {
	r := newPublishers(t)
	npx, uvx := started("npx", "-y", "tidy@1.0.0"), started("uvx", "tidy==1.0.0")
	tests := map[string]struct {
		config, path, lock string
		want               string // the hashes that are reported, "" for silence
	}{
		"the same":                   {npx, "mcp-tap.lock", tapLock("npm", "tidy", publishedSHA512), ""},
		"the same in hex":            {npx, "mcp-tap.lock", tapLock("npm", "tidy", inHex("sha512", 64, 1)), ""},
		"another":                    {npx, "mcp-tap.lock", tapLock("npm", "tidy", otherSHA512), "is sha512-AgICAgICAgIC… here, but the registry HOST publishes sha512-AQEBAQEBAQEB… for 1.0.0"},
		"another of several":         {npx, "mcp-tap.lock", tapLock("npm", "tidy", sri("sha256", 32, 9)+" "+otherSHA512), "is sha512-AgICAgICAgIC… here"},
		"one of several":             {npx, "mcp-tap.lock", tapLock("npm", "tidy", sri("sha256", 32, 9)+" "+publishedSHA512), ""},
		"a second next to it":        {npx, "mcp-tap.lock", tapLock("npm", "tidy", publishedSHA512+" "+otherSHA512), "is sha512-AgICAgICAgIC… here, but the registry HOST publishes sha512-AQEBAQEBAQEB… for 1.0.0"},
		"another algorithm":          {npx, "mcp-tap.lock", tapLock("npm", "tidy", sri("sha256", 32, 9)), ""},
		"malformed":                  {npx, "mcp-tap.lock", tapLock("npm", "tidy", "sha512-abc"), ""},
		"another SHA-1":              {npx, "mcp-tap.lock", tapLock("npm", "tidy", sri("sha1", 20, 7)), "is sha1-BwcHBwcHBwcH… here, but the registry HOST publishes sha1:060606060606… for"},
		"the same SHA-1":             {npx, "mcp-tap.lock", tapLock("npm", "tidy", sri("sha1", 20, 6)), ""},
		"none is published":          {started("npx", "-y", "old@1.0.0"), "mcp-tap.lock", tapLock("npm", "old", otherSHA512), ""},
		"no such package":            {started("npx", "-y", "gone@1.0.0"), "mcp-tap.lock", tapLock("npm", "gone", otherSHA512), ""},
		"PyPI, one of the files":     {uvx, "mcp-tap.lock", tapLock("pypi", "tidy", sourceSHA256), ""},
		"PyPI, none of the files":    {uvx, "mcp-tap.lock", tapLock("pypi", "tidy", otherSHA256), "is sha256:050505050505… here, but the registry HOST publishes sha256:030303030303… for 1.0.0"},
		"mcplumb's own":              {npx, "mcplumb.lock", ownLock("npm:tidy", "integrity = '"+publishedSHA512+"'"), ""},
		"mcplumb's own, another":     {npx, "mcplumb.lock", ownLock("npm:tidy", "integrity = '"+otherSHA512+"'"), "is sha512-AgICAgICAgIC… here"},
		"files":                      {uvx, "mcplumb.lock", ownLock("pypi:tidy", "integrity = '"+bothFiles+"'\nhashes = ['"+wheelSHA256+"', '"+sourceSHA256+"']"), ""},
		"files, of which one is new": {uvx, "mcplumb.lock", ownLock("pypi:tidy", "integrity = '"+wheelSHA256+"'"), ""},
		"files, of which one is gone and one is new": {uvx, "mcplumb.lock", ownLock("pypi:tidy", "integrity = '"+wheelAndOther+"'\nhashes = ['"+wheelSHA256+"', '"+otherSHA256+"']"),
			"is sha256:050505050505… here, but the registry HOST publishes sha256:040404040404… for 1.0.0"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, ".mcp.json", test.config)
			write(t, dir, test.path, test.lock)
			write(t, dir, ".mcplumb.yaml", r.settings())
			_, stdout, stderr := run(t, dir, "check", "--online", "--rule", "integrity-changed")
			require.Empty(t, stderr)
			if test.want == "" {
				require.NotContains(t, stdout, "integrity-changed")
				return
			}
			require.Contains(t, stdout, strings.ReplaceAll(test.want, "HOST", strings.TrimPrefix(r.URL, "http://")))
			require.Equal(t, 1, strings.Count(stdout, "[integrity-changed]"))

			_, stdout, _ = run(t, dir, "check", "--rule", "integrity-changed")
			require.NotContains(t, stdout, "[integrity-changed]")
		})
	}
}

// TestOnlineHashSince checks that a hash that the registry does not publish is reported once
// if the change added it, and not reported for a change that did not.
func TestOnlineHashSince(t *testing.T) {
	r := newPublishers(t)
	dir := t.TempDir()
	git(t, dir, "init", "-q", "-b", "main")
	write(t, dir, ".mcp.json", started("npx", "-y", "tidy@1.0.0"))
	write(t, dir, ".mcplumb.yaml", r.settings())
	write(t, dir, "mcp-tap.lock", tapLock("npm", "tidy", publishedSHA512))
	commitAll(t, dir, "base")
	check := func() string {
		_, stdout, _ := run(t, dir, "check", "--online", "--base", "main", "--rule", "integrity-changed")
		return stdout
	}
	require.NotContains(t, check(), "integrity-changed")

	write(t, dir, "mcp-tap.lock", tapLock("npm", "tidy", otherSHA512))
	require.Equal(t, 1, strings.Count(check(), "[integrity-changed]"))
	require.Contains(t, check(), "changed from sha512-AQEBAQEBAQEB… to sha512-AgICAgICAgIC…")

	commitAll(t, dir, "changed")
	require.NotContains(t, check(), "[integrity-changed]")
	write(t, dir, "mcp-tap.lock", tapLock("npm", "tidy", otherSHA512)+"\n")
	require.NotContains(t, check(), "[integrity-changed]")
}

// TestOnlineHashApproved checks that an approval of the published hash hides the finding
// before the lockfile has that hash, and that the JSON says what there is to approve.
func TestOnlineHashApproved(t *testing.T) {
	r := newPublishers(t)
	dir := t.TempDir()
	write(t, dir, ".mcp.json", started("npx", "-y", "tidy@1.0.0"))
	write(t, dir, "mcp-tap.lock", tapLock("npm", "tidy", otherSHA512))
	write(t, dir, ".mcplumb.yaml", r.settings())
	_, stdout, _ := run(t, dir, "check", "--online", "--rule", "integrity-changed", "--format", "json")
	require.Contains(t, stdout, `"approvalRequired": true`)
	require.Contains(t, stdout, `"fqdn": "npm:tidy"`)
	require.Contains(t, stdout, `"oldIntegrity": "`+otherSHA512+`"`)
	require.Contains(t, stdout, `"newIntegrity": "`+publishedSHA512+`"`)

	write(t, dir, ".mcplumb.yaml", r.settings()+"ignore:\n  - {rule: integrity-changed, identity: 'npm:tidy', integrity: '"+publishedSHA512+"', reason: released again}\n")
	_, stdout, _ = run(t, dir, "check", "--online", "--severity", "note")
	require.NotContains(t, stdout, "integrity-changed")
}

// TestOnlineHashSilence holds that a registry which does not answer denies no hash.
func TestOnlineHashSilence(t *testing.T) {
	r := newPublishers(t)
	dir := t.TempDir()
	write(t, dir, ".mcp.json", started("npx", "-y", "tidy@1.0.0"))
	write(t, dir, "mcp-tap.lock", tapLock("npm", "tidy", otherSHA512))
	write(t, dir, ".mcplumb.yaml", r.settings())
	r.pages["/npm/tidy/1.0.0"] = "sign in first"
	code, stdout, stderr := run(t, dir, "check", "--online", "--rule", "integrity-changed")
	require.Equal(t, 3, code)
	require.Contains(t, stderr, "gives no answer about tidy")
	require.NotContains(t, stdout, "[integrity-changed]")
}

// TestOnlineFillsNoLostHash holds that no fix writes what a registry publishes today into an entry
// that had a hash at the base: who has taken a release over would take its hash away first.
func TestOnlineFillsNoLostHash(t *testing.T) {
	r := newPublishers(t)
	for name, test := range map[string]struct {
		was, now string
		fills    bool
	}{
		"emptied":   {otherSHA512, "", false},
		"malformed": {otherSHA512, "sha512-abc", false},
		"weaker":    {otherSHA512, sri("sha1", 20, 6), false},
		"never":     {"", "", true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			git(t, dir, "init", "-q", "-b", "main")
			write(t, dir, ".mcp.json", started("npx", "-y", "tidy@1.0.0"))
			write(t, dir, ".mcplumb.yaml", r.settings())
			if test.was != "" {
				write(t, dir, "mcp-tap.lock", tapLock("npm", "tidy", test.was))
			}
			commitAll(t, dir, "base")
			lock := tapLock("npm", "tidy", test.now) + "\n"
			write(t, dir, "mcp-tap.lock", lock)
			run(t, dir, "check", "--online", "--base", "main", "--fix=unsafe")
			if test.fills {
				require.NotEqual(t, lock, read(t, dir, "mcp-tap.lock"))
			} else {
				require.Equal(t, lock, read(t, dir, "mcp-tap.lock"))
			}
		})
	}
}

// TestOnlineMovedTag holds that a tag that points to another image than the locked one is not
// a finding: tags move.
func TestOnlineMovedTag(t *testing.T) {
	r := newPublishers(t)
	dir := t.TempDir()
	image := strings.TrimPrefix(r.URL, "http://") + "/acme/notes"
	write(t, dir, ".mcp.json", started("docker", "run", "-i", image+":1"))
	write(t, dir, ".mcplumb.yaml", r.settings())
	write(t, dir, "mcplumb.lock", strings.Replace(ownLock("oci:"+image, "integrity = '"+otherSHA256+"'"), "1.0.0", "1", 1))
	_, stdout, _ := run(t, dir, "check", "--online", "--severity", "note", "--rule", "integrity-changed")
	require.NotContains(t, stdout, "[integrity-changed]")
}

// The hashes of two lists of files, a hash a line without an end, made with sha256sum.
const (
	bothFiles     = "sha256:a51de570adce8a939d6ff69241149afe1a4a1d066cd69c6049f72e6d6aca2544"
	wheelAndOther = "sha256:bd2932c858ea1eaac9ae8f76195b2424d44b2b810291d8b6f663d839d6886edf"
)

// tapFile is a lockfile as mcp-tap 0.6.9 writes it (json.dumps with an indent of two and a
// line end), with three hashes left out.
const tapFile = `{
  "lockfile_version": 1,
  "generated_by": "mcp-tap@0.6.9",
  "generated_at": "2026-02-25T13:35:28.123456Z",
  "servers": {
    "floats": {
      "package_identifier": "tidy",
      "registry_type": "npm",
      "version": "latest",
      "integrity": null,
      "repository_url": "",
      "config": {
        "command": "npx",
        "args": [
          "-y",
          "tidy"
        ],
        "env_keys": []
      },
      "tools": [],
      "tools_hash": null,
      "installed_at": "2026-02-25T13:35:28.123456Z",
      "verified_at": null,
      "verified_healthy": false
    },
    "many": {
      "package_identifier": "tidy",
      "registry_type": "pypi",
      "version": "1.0.0",
      "integrity": null,
      "config": {
        "command": "uvx",
        "args": [
          "tidy"
        ]
      }
    },
    "one": {
      "package_identifier": "single",
      "registry_type": "pypi",
      "version": "1.0.0",
      "repository_url": "",
      "config": {
        "command": "uvx",
        "args": [
          "single"
        ]
      }
    },
    "tidy": {
      "package_identifier": "tidy",
      "registry_type": "npm",
      "version": "1.0.0",
      "integrity": null,
      "repository_url": "",
      "config": {
        "command": "npx",
        "args": [
          "-y",
          "tidy"
        ],
        "env_keys": [
          "NOTÍZEN_TOKEN"
        ]
      },
      "tools": [],
      "tools_hash": null,
      "installed_at": "2026-02-25T13:35:28.123456Z",
      "verified_at": null,
      "verified_healthy": false
    }
  }
}
`

// TestOnlineFill writes the hashes that registries publish into a lockfile, where and as
// its own writer would, says of the others why not, and finds nothing to do after it.
func TestOnlineFill(t *testing.T) {
	r := newPublishers(t)
	r.pages["/pypi/single/"] = fmt.Sprintf(`{"files": [{"filename": "single-1.0.0.tar.gz", "hashes": {"sha256": %q}}]}`, strings.TrimPrefix(wheelSHA256, "sha256:"))
	dir := t.TempDir()
	write(t, dir, ".mcplumb.yaml", r.settings())
	write(t, dir, "mcp-tap.lock", tapFile)
	_, stdout, _ := run(t, dir, "check", "--rule", "missing-integrity", "--severity", "note", "--fix")
	require.Contains(t, stdout, "none of the 4 packages in this lockfile has an integrity hash")
	require.Equal(t, tapFile, read(t, dir, "mcp-tap.lock"))

	code, stdout, stderr := run(t, dir, "check", "--online", "--rule", "missing-integrity", "--severity", "note", "--fix")
	require.Equal(t, 0, code, stdout+stderr)
	before, after, _ := strings.Cut(tapFile, "    \"tidy\": {\n")
	want := strings.Replace(before, "\"version\": \"1.0.0\",\n      \"repository_url\"",
		"\"version\": \"1.0.0\",\n      \"integrity\": \""+strings.Replace(wheelSHA256, ":", "-", 1)+"\",\n      \"repository_url\"", 1) +
		"    \"tidy\": {\n" + strings.Replace(after, `"integrity": null`, `"integrity": "`+publishedSHA512+`"`, 1)
	require.Equal(t, want, read(t, dir, "mcp-tap.lock"))
	require.Contains(t, stdout, `note: "floats" has no integrity hash`)
	require.Contains(t, stdout, `note: "many" has no integrity hash`)
	require.NotContains(t, stdout, `"tidy" has no`)
	require.NotContains(t, stdout, `"one" has no`)

	_, again, _ := run(t, dir, "check", "--online", "--rule", "missing-integrity", "--severity", "note", "--fix")
	require.Equal(t, want, read(t, dir, "mcp-tap.lock"))
	require.NotContains(t, again, "  fixed:")
	code, stdout, _ = run(t, dir, "check", "--online", "--rule", "integrity-changed", "--rule", "invalid-integrity")
	require.Equal(t, 0, code, stdout)
}

// TestOnlineMends replaces hashes that prove nothing with published ones: without asking only
// where the registry publishes the weak one as well.
func TestOnlineMends(t *testing.T) {
	r := newPublishers(t)
	for name, test := range map[string]struct {
		locked       string
		safe, unsafe string // what is locked after a fix
	}{
		"the registry's own SHA-1": {sri("sha1", 20, 6), publishedSHA512, publishedSHA512},
		"another SHA-1":            {sri("sha1", 20, 7), sri("sha1", 20, 7), sri("sha1", 20, 7)},
		"four digits":              {"sha1:67c3", "sha1:67c3", publishedSHA512},
		"malformed":                {"sha512-abc", "sha512-abc", publishedSHA512},
		"another one":              {otherSHA512, otherSHA512, otherSHA512},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, ".mcp.json", started("npx", "-y", "tidy@1.0.0"))
			write(t, dir, ".mcplumb.yaml", r.settings())
			write(t, dir, "mcp-tap.lock", tapLock("npm", "tidy", test.locked))
			for flag, want := range map[string]string{"--fix": test.safe, "--fix=unsafe": test.unsafe} {
				write(t, dir, "mcp-tap.lock", tapLock("npm", "tidy", test.locked))
				run(t, dir, "check", "--online", "--rule", "missing-integrity", "--rule", "invalid-integrity", flag)
				require.Equal(t, tapLock("npm", "tidy", want), read(t, dir, "mcp-tap.lock"), flag)
			}
		})
	}
}
