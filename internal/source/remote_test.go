package source_test

import (
	"compress/zlib"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/source"
)

// packet returns a line of git's protocol (gitprotocol-common).
func packet(line string) string { return fmt.Sprintf("%04x%s", len(line)+4, line) }

const someCommit = "1111111111111111111111111111111111111111"

// hostileServer is a server that speaks version 2 of git's protocol: it answers requests for
// references with list, and those for objects with send.
func hostileServer(t *testing.T, list func(w io.Writer), send func(w io.Writer)) source.Remote {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/x-git-upload-pack-result")
		switch {
		case r.Method == http.MethodGet:
			w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
			_, _ = io.WriteString(w, packet("# service=git-upload-pack\n")+"0000"+packet("version 2\n")+packet("ls-refs\n")+packet("fetch=shallow filter\n")+"0000")
		case strings.Contains(string(asked), "command=ls-refs"):
			list(w)
		default:
			send(w)
		}
	}))
	t.Cleanup(s.CloseClientConnections)
	t.Cleanup(s.Close)
	return source.Remote{URL: s.URL + "/acme/api.git"}
}

// TestRemoteSilent ends git and what it has started where a server says nothing more.
func TestRemoteSilent(t *testing.T) {
	ended := make(chan struct{})
	silent := func(w io.Writer) {
		w.(http.Flusher).Flush()
		<-ended
	}
	g := systemGit(t)
	g.IdleTimeout = time.Second
	r := hostileServer(t, silent, silent)
	t.Cleanup(func() { close(ended) })
	_, err := g.RemoteHead(t.Context(), r)
	assert.EqualError(t, err, "git was silent for too long")
	assert.EqualError(t, g.FetchTrees(t.Context(), t.TempDir(), r, someCommit), "git was silent for too long")
}

// TestRemoteEndless ends servers that do not come to an end.
func TestRemoteEndless(t *testing.T) {
	r := hostileServer(t, func(w io.Writer) {
		for i := 0; ; i++ {
			if _, err := io.WriteString(w, packet(fmt.Sprintf("%s refs/heads/%d/HEAD\n", someCommit, i))); err != nil || i == 100_000 {
				_, _ = io.WriteString(w, "0000")
				return
			}
		}
	}, func(w io.Writer) {
		_, _ = io.WriteString(w, packet("shallow-info\n")+packet("shallow "+someCommit+"\n")+"0001"+packet("packfile\n"))
		band := sideBand{w}
		// One blob (gitformat-pack) of 2^40 bytes.
		_, _ = band.Write([]byte("PACK\x00\x00\x00\x02\x00\x00\x00\x01\xb0\x80\x80\x80\x80\x80\x10"))
		content, _ := zlib.NewWriterLevel(band, zlib.NoCompression)
		for zeros := make([]byte, 1<<20); ; {
			if _, err := content.Write(zeros); err != nil {
				return
			}
		}
	})
	g := systemGit(t)
	_, err := g.RemoteHead(t.Context(), r)
	assert.EqualError(t, err, "its server names too many references")
	r.Limit = 1 << 20
	dir := t.TempDir()
	err = g.FetchTrees(t.Context(), dir, r, someCommit)
	require.Error(t, err)
	assert.Equal(t, "its server sends more than mcplumb accepts", err.Error())
}

// TestRemoteHugeObject ends a server that announces more than 1 GB of an object which git holds
// in memory: before there is any room for it.
func TestRemoteHugeObject(t *testing.T) {
	r := hostileServer(t, nil, func(w io.Writer) {
		_, _ = io.WriteString(w, packet("shallow-info\n")+packet("shallow "+someCommit+"\n")+"0001"+packet("packfile\n"))
		// One tree (gitformat-pack) of 2^30 bytes: a zero of four bits, three of seven and a 2^5.
		_, _ = sideBand{w}.Write([]byte("PACK\x00\x00\x00\x02\x00\x00\x00\x01\xa0\x80\x80\x80\x20"))
		_, _ = io.WriteString(w, "0000")
	})
	err := systemGit(t).FetchTrees(t.Context(), t.TempDir(), r, someCommit)
	assert.ErrorContains(t, err, "over limit 1073741824")
}

// sideBand writes what a server sends of a pack.
type sideBand struct{ io.Writer }

func (s sideBand) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		part := rest[:min(len(rest), 60_000)]
		if _, err := io.WriteString(s.Writer, packet("\x01"+string(part))); err != nil {
			return 0, err
		}
		rest = rest[len(part):]
	}
	return len(p), nil
}

// TestRemoteLogin says that a server wants a login, and does not ask for one.
func TestRemoteLogin(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", `Basic realm="hostile"`)
		w.WriteHeader(http.StatusUnauthorized)
	}))
	t.Cleanup(s.Close)
	g := systemGit(t)
	asks := t.TempDir() + "/asks"
	require.NoError(t, os.WriteFile(asks, []byte("#!/bin/sh\ntouch \"$0.ran\"\necho x\n"), 0o755))
	put(t, strings.TrimPrefix(g.Environ[1], "HOME="), ".gitconfig", "[core]\n\taskPass = "+asks+"\n[credential]\n\thelper = !"+asks+"\n")
	g.Environ = append(g.Environ, "SSH_ASKPASS="+asks, "GIT_ASKPASS="+asks)
	r := source.Remote{URL: s.URL + "/acme/api.git"}
	_, err := g.RemoteHead(t.Context(), r)
	assert.EqualError(t, err, "its server asks for a login: the repository is private or does not exist")
	r.Token = "any-token"
	_, err = g.RemoteHead(t.Context(), r)
	assert.EqualError(t, err, "its server does not accept the token")
	assert.NoFileExists(t, asks+".ran")
}

// TestRemoteAlone ignores the settings of a repository that the directory was made into
// of temporary files.
func TestRemoteAlone(t *testing.T) {
	asked := ""
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.URL.Path
		http.NotFound(w, r)
	}))
	t.Cleanup(s.Close)
	root := onDisk(t, map[string]string{"x": "x"})
	commit(t, root)
	git(t, root, "config", "url."+s.URL+"/stolen/.insteadOf", s.URL+"/acme/")
	t.Setenv("TMPDIR", root)
	_, err := systemGit(t).RemoteHead(t.Context(), source.Remote{URL: s.URL + "/acme/api.git"})
	require.Error(t, err)
	assert.Equal(t, "/acme/api.git/info/refs", asked)
}
