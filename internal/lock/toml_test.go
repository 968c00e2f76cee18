package lock_test

import (
	"testing"

	"github.com/pelletier/go-toml/v2"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/lock"
)

// hostile is a lock with every byte that a name can bring.
func hostile() *lock.Lock {
	return &lock.Lock{Version: 1, Servers: []lock.Server{
		{Identity: "npm:it's", Names: []string{"a\nb", `c"d\e`, "\x00\x1b\x7f\u2028", "'''", "ü"}, Files: []string{".mcp.json"}},
		{Identity: "file:server.js", Selector: []string{"--a", "b,c"}, Names: []string{}, Files: []string{"a b"}, Version: "1.0", Integrity: "sha256:0", Hashes: []string{"sha256:1", "sha256:2"}},
	}}
}

// TestBytesAreTOML: what is written another reader of TOML reads as it was, and so do we.
func TestBytesAreTOML(t *testing.T) {
	content, err := hostile().Bytes()
	require.NoError(t, err)
	var read struct {
		Version int
		Server  []lock.Server
	}
	require.NoError(t, toml.Unmarshal(content, &read), string(content))
	require.Equal(t, hostile().Servers, read.Server)
	ours, err := lock.Parse(content)
	require.NoError(t, err)
	require.Equal(t, hostile(), ours)
	again, err := ours.Bytes()
	require.NoError(t, err)
	require.Equal(t, string(content), string(again))
}

// TestOfAnotherTool: mcplumb does not overwrite a file that it has not written.
func TestOfAnotherTool(t *testing.T) {
	for content, want := range map[string]string{
		"":                                 "it has no version",
		"version = '1'":                    "it has no version",
		"version = 2":                      "has the version 2, and this mcplumb reads 1",
		"version = 1\nserver = 3":          "its servers are not a list",
		"version = 1\nserver = ['x']":      "a server has no identity",
		"version = 1\n[[server]]\nnames=1": "names is not a list",
		"version = 1\n[[server]]\nidentity='a'\nfiles=[1]": "files contains a value that is not a string",
		"version = 1\n[[server]\n":                         "mcplumb.lock:2: mcplumb has not written this",
		"<<<<<<< HEAD\nversion = 1\n":                      "mcplumb.lock:1: mcplumb has not written this",
	} {
		_, err := lock.Parse([]byte(content))
		require.ErrorContains(t, err, want, content)
	}
}

// TestLockedTwice: of two entries for one server either may be right, whether their
// hashes differ or not; those of other versions and selectors are other servers.
func TestLockedTwice(t *testing.T) {
	entry := func(identity, more string) string {
		return "\n[[server]]\nidentity = '" + identity + "'\nnames = ['a']\nfiles = ['.mcp.json']\n" + more
	}
	for content, want := range map[string]string{
		entry("npm:a", "") + entry("npm:b", "") + entry("npm:a", ""):                                                                  "mcplumb.lock:4 and mcplumb.lock:14 both lock npm:a: find out which of the two is right, and remove the other one",
		entry("npm:a", "version = '1.0.0'\nintegrity = 'sha512-a'\n") + entry("npm:a", "version = '1.0.0'\nintegrity = 'sha512-b'\n"): "mcplumb.lock:4 and mcplumb.lock:11 both lock npm:a 1.0.0",
		"<<<<<<< ours\n" + entry("npm:b", "") + "=======\n>>>>>>> theirs\n" + entry("npm:a", "") + entry("npm:a", ""):                 "mcplumb.lock:12 and mcplumb.lock:17 both lock npm:a",
		entry("npm:a", "version = '1.0.0'\n") + entry("npm:a", "version = '1.1.0'\n") + entry("npm:a", "selector = ['mcp']\n"):        "",
	} {
		content = "version = 1\n" + content
		parse := lock.Parse
		if lock.IsConflicted([]byte(content)) {
			parse = lock.ParseConflicted
		}
		_, err := parse([]byte(content))
		if want == "" {
			require.NoError(t, err, content)
			continue
		}
		require.ErrorContains(t, err, want, content)
	}
}
