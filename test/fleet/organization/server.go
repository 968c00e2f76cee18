package organization

import (
	"encoding/base64"
	"io"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/mcplumb/mcplumb/test/github/double"
)

// Token is the token that the server accepts.
var Token = "ghs_" + strings.Repeat("F1eet9", 6)

// Server is GitHub for the repositories of a directory: the list of the organization below
// /api/v3, which is compared with GitHub's description, and the repositories for git. It
// listens only on this machine, and refuses requests without the token.
type Server struct {
	*httptest.Server
	*double.Organization

	mutex sync.Mutex
	asked map[string][]string // what git asked for, by the name of the repository
	sent  map[string]int64    // bytes that it got, likewise
	// before is called before git is answered about a repository.
	before func(name string)
}

// Serve starts a server for the repositories of Make in dir. The directory npm has GitHub's
// description.
func Serve(dir, npm string) (*Server, error) {
	s := &Server{asked: map[string][]string{}, sent: map[string]int64{}}
	program, err := exec.LookPath("git")
	if err != nil {
		return nil, err
	}
	if s.Organization, err = double.NewOrganization(npm, Name, Token, func() []map[string]any { return s.listed(dir) }); err != nil {
		return nil, err
	}
	backend := &cgi.Handler{
		Path: program, Args: []string{"http-backend"}, Stderr: io.Discard, InheritEnv: []string{"PATH"},
		Env: []string{"GIT_PROJECT_ROOT=" + dir, "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_NOSYSTEM=1", "HOME=" + dir},
	}
	authorization := "Basic " + base64.StdEncoding.EncodeToString([]byte("x-access-token:"+Token))
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/api/v3/") {
			s.Organization.ServeHTTP(w, r)
			return
		}
		if r.Header.Get("Authorization") != authorization {
			http.Error(w, "Repository not found.", http.StatusNotFound)
			return
		}
		repository, kind, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"+Name+"/"), ".git/")
		s.mutex.Lock()
		s.asked[repository] = append(s.asked[repository], r.Method+" "+kind)
		before := s.before
		s.mutex.Unlock()
		if before != nil {
			before(repository)
		}
		counted := &counter{ResponseWriter: w}
		backend.ServeHTTP(counted, r)
		s.mutex.Lock()
		s.sent[repository] += counted.bytes
		s.mutex.Unlock()
	}))
	return s, nil
}

// listed is GitHub's list: the repositories of the directory, one that is archived, and a
// fork.
func (s *Server) listed(dir string) []map[string]any {
	entries, err := os.ReadDir(filepath.Join(dir, Name))
	if err != nil {
		return nil
	}
	one := func(name string, more ...string) map[string]any {
		r := map[string]any{
			"name": name, "full_name": Name + "/" + name, "clone_url": s.URL + "/" + Name + "/" + name + ".git", "size": 10 * len(name),
			"archived": false, "fork": false, "disabled": false, "visibility": "private", "private": true, "topics": []string{}, "pushed_at": "2026-01-05T08:00:00Z",
		}
		for _, member := range more {
			r[member] = true
		}
		return r
	}
	all := []map[string]any{one("archived", "archived"), one("forked", "fork")}
	for _, entry := range entries {
		all = append(all, one(strings.TrimSuffix(entry.Name(), ".git")))
	}
	return all
}

// Before has something done before git is answered about a repository.
func (s *Server) Before(do func(name string)) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.before = do
}

// Forget forgets the requests.
func (s *Server) Forget() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.asked, s.sent = map[string][]string{}, map[string]int64{}
}

// Requests returns how many requests git made, and how many bytes it was sent.
func (s *Server) Requests() (requests int, bytes int64) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, all := range s.asked {
		requests += len(all)
	}
	for _, n := range s.sent {
		bytes += n
	}
	return requests, bytes
}

// Fetched returns the repositories from which more than the heads of their branches was
// requested, sorted.
func (s *Server) Fetched() []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	var all []string
	for name, asked := range s.asked {
		if len(asked) > 2 {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// counter counts the bytes of an answer.
type counter struct {
	http.ResponseWriter
	bytes int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.ResponseWriter.Write(p)
	c.bytes += int64(n)
	return n, err
}
