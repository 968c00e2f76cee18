package channels_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestInstaller runs install.sh against releases on this machine.
func TestInstaller(t *testing.T) {
	s := newScene(t, newDouble(t))
	program, err := os.ReadFile(s.program)
	require.NoError(t, err)
	name := "mcplumb_" + s.version + "_linux_" + runtime.GOARCH + ".tar.gz"
	archive := gzipped(t, program)
	sum := sha256.Sum256(archive)
	checksums := strings.Repeat("0", 64) + "  mcplumb_" + s.version + "_darwin_arm64.tar.gz\n" + hex.EncodeToString(sum[:]) + "  " + name + "\n"
	releases := map[string][]byte{
		"/latest/download/checksums.txt":                                   []byte(checksums),
		"/download/v" + s.version + "/checksums.txt":                       []byte(checksums),
		"/download/v" + s.version + "/" + name:                             archive,
		"/download/v9.9.9/checksums.txt":                                   []byte(checksums), // of another version
		"/download/v9.9.8/checksums.txt":                                   []byte(strings.Repeat("0", 64) + "  " + strings.Replace(name, s.version, "9.9.8", 1) + "\n"),
		"/download/v9.9.8/" + strings.Replace(name, s.version, "9.9.8", 1): archive,
		"/download/v9.9.7/checksums.txt":                                   []byte(strings.Repeat("0", 64) + "  mcplumb_9.9.7_plan9_amd64.tar.gz\n"),
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if releases[r.URL.Path] == nil {
			http.NotFound(w, r)
			return
		}
		write(w, releases[r.URL.Path])
	}))
	defer server.Close()
	// A gh that records its arguments, for a user who is logged in or not.
	gh := filepath.Dir(s.write("gh/gh", "#!/bin/sh\necho \"$*\" >>\"$HOME/asked\"\n[ \"$1\" = auth ] && exit \"$LOGGED_OUT\"\nexit \"$REFUSED\"\n"))
	require.NoError(t, os.Chmod(filepath.Join(gh, "gh"), 0o755))
	s.env = append(s.env, "MCPLUMB_RELEASES="+server.URL, "PATH="+gh+":"+os.Getenv("PATH"), "LOGGED_OUT=1", "REFUSED=0")
	installer := filepath.Join(s.root, "install.sh")
	to := filepath.Join(s.home, "bin")

	got := s.succeeds("sh", installer, "--to", to)
	assert.Contains(t, got.stdout, "installed: mcplumb "+s.version+" in "+to)
	assert.Contains(t, got.stdout, "its checksum is right (log in with gh")
	assert.Contains(t, got.stdout, to+" is not on PATH")
	installed, err := os.ReadFile(filepath.Join(to, "mcplumb"))
	require.NoError(t, err)
	assert.True(t, bytes.Equal(program, installed))

	s.env = append(s.env, "LOGGED_OUT=0")
	for _, args := range [][]string{{}, {"--version", s.version}, {"--version", "v" + s.version}} {
		got = s.succeeds("sh", append([]string{installer}, args...)...)
		assert.Contains(t, got.stdout, "mcplumb's workflow built it")
		assert.FileExists(t, filepath.Join(s.home, ".local", "bin", "mcplumb"))
	}
	asked, err := os.ReadFile(filepath.Join(s.home, "asked"))
	require.NoError(t, err)
	assert.Contains(t, string(asked), "/"+name+" --repo mcplumb/mcplumb\n")

	for _, refused := range []struct {
		args []string
		env  string
		says string
	}{
		{[]string{"--version", "9.9.9"}, "", "the checksums of 9.9.9 name " + name},
		{[]string{"--version", "9.9.8"}, "", "is not the one that the release names"},
		{[]string{"--version", "9.9.7"}, "", "name no archive for linux"},
		{[]string{"--version", "9.9.6"}, "", "cannot download " + server.URL},
		{[]string{"--version", "../x"}, "", "is not a version"},
		{[]string{"--version"}, "", "--version needs a value"},
		{[]string{"--help"}, "", "usage: install.sh"},
		{nil, "REFUSED=1", "no attestation"},
	} {
		nowhere := filepath.Join(s.home, "nowhere")
		mine := *s
		mine.env = append(append([]string{}, s.env...), refused.env)
		got := mine.run("sh", append([]string{installer, "--to", nowhere}, refused.args...)...)
		assert.Equal(t, 1, got.code, refused.args)
		assert.Contains(t, got.stderr, refused.says)
		assert.NoDirExists(t, nowhere)
	}
}

// gzipped returns an archive of a release with the program.
func gzipped(t *testing.T, program []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	compressed := gzip.NewWriter(&b)
	archive := tar.NewWriter(compressed)
	for name, content := range map[string][]byte{"LICENSE": []byte("MIT\n"), "mcplumb": program} {
		require.NoError(t, archive.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(content))}))
		_, err := archive.Write(content)
		require.NoError(t, err)
	}
	require.NoError(t, archive.Close())
	require.NoError(t, compressed.Close())
	return b.Bytes()
}
