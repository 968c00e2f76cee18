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

// TestOfSomebodyElse: what mcplumb has not written it does not lose by writing over it.
func TestOfSomebodyElse(t *testing.T) {
	for content, want := range map[string]string{
		"":                                 "it has no version",
		"version = '1'":                    "it has no version",
		"version = 2":                      "has the version 2, and this mcplumb reads 1",
		"version = 1\nserver = 3":          "its servers are no list",
		"version = 1\nserver = ['x']":      "a server has no identity",
		"version = 1\n[[server]]\nnames=1": "names is no list",
		"version = 1\n[[server]]\nidentity='a'\nfiles=[1]": "files holds what is no string",
		"version = 1\n[[server]\n":                         "mcplumb.lock is not one that mcplumb wrote",
		"<<<<<<< HEAD\nversion = 1\n":                      "mcplumb.lock is not one that mcplumb wrote",
	} {
		_, err := lock.Parse([]byte(content))
		require.ErrorContains(t, err, want, content)
	}
}
