package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/cli"
)

// organization is GitHub with one organization, acme, listed in pages.
func organization(t *testing.T, repositories []map[string]any) map[string]string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, _ := strconv.Atoi(r.URL.Query().Get("page"))
		size, _ := strconv.Atoi(r.URL.Query().Get("per_page"))
		page = max(page, 1)
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		if r.URL.Path != "/api/v3/orgs/acme/repos" || r.Header.Get("Authorization") != "Bearer any-token" {
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, `{"message": "Not Found"}`)
			return
		}
		from, to := min((page-1)*size, len(repositories)), min(page*size, len(repositories))
		if to < len(repositories) {
			w.Header().Set("Link", fmt.Sprintf(`<http://%s%s?page=%d&per_page=%d>; rel="next"`, r.Host, r.URL.Path, page+1, size))
		}
		_ = json.NewEncoder(w).Encode(repositories[from:to])
	}))
	t.Cleanup(server.Close)
	return map[string]string{"GITHUB_API_URL": server.URL + "/api/v3", "GITHUB_TOKEN": "any-token"}
}

// askGitHub runs fleet repos, which waits for nothing.
func askGitHub(t *testing.T, variables map[string]string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = cli.Main(t.Context(), cli.Env{
		Args: append([]string{"fleet", "repos"}, args...), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs,
		Getenv: func(name string) string { return variables[name] }, Now: time.Now, Dir: t.TempDir(), IsTerminal: func(io.Writer) bool { return false },
		Wait: func(context.Context, time.Duration) error { return nil },
	})
	return code, out.String(), errs.String()
}

func listed(name string, more ...any) map[string]any {
	r := map[string]any{"full_name": "acme/" + name, "clone_url": "https://github.com/acme/" + name + ".git", "size": 100, "visibility": "private", "pushed_at": "2026-11-01T00:00:00Z"}
	for i := 0; i < len(more); i += 2 {
		r[more[i].(string)] = more[i+1]
	}
	return r
}

// TestFleetRepos lists what fleet check takes.
func TestFleetRepos(t *testing.T) {
	variables := organization(t, []map[string]any{
		listed("api"), listed("web", "topics", []string{"prod"}, "visibility", "public"), listed("old", "archived", true), listed("theirs", "fork", true),
	})
	repos := func(args ...string) (int, string, string) {
		return runIn(t.Context(), t.TempDir(), variables, append([]string{"fleet", "repos", "acme"}, args...)...)
	}
	code, stdout, stderr := repos()
	require.Equal(t, 0, code, stderr)
	require.Equal(t, "https://github.com/acme/api.git\nhttps://github.com/acme/web.git\n", stdout)
	require.Equal(t, "mcplumb: 2 repositories (1 private, 1 public); left out: 1 archived, 1 forked\n", stderr)
	for args, want := range map[string]string{
		"--archived --forks": "api web old theirs", "--include Acme/W*": "web", "--exclude acme/{web,x}": "api", "--topic prod": "web",
		"--visibility private": "api", "--pushed-since 30000d": "api web",
	} {
		_, stdout, _ := repos(strings.Fields(args)...)
		stdout = strings.ReplaceAll(strings.ReplaceAll(stdout, "https://github.com/acme/", ""), ".git\n", " ")
		require.Equal(t, want, strings.TrimSpace(stdout), args)
	}
	for args, want := range map[string]string{
		"--shards 257": "--shards must be between 1 and 256", "--per-shard 0": "--per-shard must be 1 or more", "--include [": "--include: [ is malformed",
		"--visibility secret": "--visibility: ", "--pushed-since yesterday": `--pushed-since: "yesterday" is neither a date`,
	} {
		code, stdout, stderr := repos(strings.Fields(args)...)
		require.Equal(t, 2, code, args)
		require.Empty(t, stdout)
		require.Contains(t, stderr, want)
	}
}

// TestFleetReposNone: an empty list is the mistake of the user, and the error says which.
func TestFleetReposNone(t *testing.T) {
	variables := organization(t, []map[string]any{listed("api"), listed("web", "visibility", "internal"), listed("old", "archived", true)})
	for args, want := range map[string]string{
		"--topic x":                   "none of the 3 repositories of acme is chosen: 2 without the topic, 1 archived",
		"--out d --visibility public": "none of the 3 repositories of acme is chosen: 2 of another visibility, 1 archived",
		"--pushed-since 2026-11-02":   "none of the 3 repositories of acme is chosen: 2 without a recent push, 1 archived",
		"--exclude **":                "none of the 3 repositories of acme is chosen: 2 excluded, 1 archived",
		"--include ap*":               "none of the 3 repositories of acme is chosen: 2 not included, 1 archived; --include needs patterns of OWNER/NAME, such as acme/ap*",
	} {
		dir := t.TempDir()
		code, stdout, stderr := runIn(t.Context(), dir, variables, append([]string{"fleet", "repos", "acme"}, strings.Fields(args)...)...)
		require.Equal(t, 2, code, args)
		require.Empty(t, stdout, args)
		require.Equal(t, "mcplumb: "+want+"\n", stderr, args)
		require.NoDirExists(t, filepath.Join(dir, "d"))
	}
	code, _, stderr := runIn(t.Context(), t.TempDir(), organization(t, nil), "fleet", "repos", "acme")
	require.Equal(t, 2, code)
	require.Equal(t, "mcplumb: the token sees no repository of acme: give it metadata: read for its repositories, or install its app on them\n", stderr)
	code, stdout, stderr := runIn(t.Context(), t.TempDir(), variables, "fleet", "repos", "acme", "--include", "acme/api", "--include", "acme/wob")
	require.Equal(t, 0, code)
	require.Equal(t, "https://github.com/acme/api.git\n", stdout)
	require.Contains(t, stderr, "mcplumb: warning: --include acme/wob matches no repository\n")
}

// TestFleetReposToken: who forgets the token, or has one that sees too little, does not
// take public repositories for all there are.
func TestFleetReposToken(t *testing.T) {
	variables := organization(t, []map[string]any{listed("site", "visibility", "public"), listed("docs", "visibility", "", "private", false)})
	const seen = "mcplumb: 2 repositories (2 public)\n"
	code, _, stderr := askGitHub(t, variables, "acme")
	require.Equal(t, 0, code)
	require.Equal(t, seen+"mcplumb: warning: the token sees only public repositories of acme and may be missing permissions: if you want only those, pass --visibility public\n", stderr)
	_, _, stderr = askGitHub(t, variables, "acme", "--visibility", "public")
	require.Equal(t, seen, stderr)
	variables["GITHUB_TOKEN"] = "any-token\n" // as a file has it
	code, _, stderr = askGitHub(t, variables, "acme", "--visibility", "public")
	require.Equal(t, 0, code, stderr)

	variables["GITHUB_TOKEN"] = " "
	code, stdout, stderr := askGitHub(t, variables, "acme", "--visibility", "public", "--visibility", "internal")
	require.Equal(t, 2, code)
	require.Empty(t, stdout)
	require.Equal(t, "mcplumb: fleet repos needs a token in GITHUB_TOKEN or GH_TOKEN: without one GitHub shows only public repositories; to list those, pass --visibility public\n", stderr)
	anonymous := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		require.Empty(t, r.Header.Get("Authorization"))
		_ = json.NewEncoder(w).Encode([]map[string]any{listed("site", "visibility", "public")})
	}))
	t.Cleanup(anonymous.Close)
	variables["GITHUB_API_URL"] = anonymous.URL
	code, stdout, stderr = askGitHub(t, variables, "acme", "--visibility", "public")
	require.Equal(t, 0, code, stderr)
	require.Equal(t, "https://github.com/acme/site.git\n", stdout)
}

// TestFleetReposServer: the list of one server is of no use to a check that sends its token
// to another.
func TestFleetReposServer(t *testing.T) {
	variables := organization(t, []map[string]any{listed("api", "clone_url", "https://ghe.acme.dev/acme/api.git")})
	_, _, stderr := askGitHub(t, variables, "acme")
	require.Equal(t, "mcplumb: 1 repository (1 private)\nmcplumb: warning: fleet check sends the token only to https://github.com, and these repositories are elsewhere: set GITHUB_SERVER_URL\n", stderr)
	variables["GITHUB_SERVER_URL"] = "https://GHE.acme.dev/"
	_, _, stderr = askGitHub(t, variables, "acme")
	require.Equal(t, "mcplumb: 1 repository (1 private)\n", stderr)
}

// TestFleetReposRefused says in one sentence why GitHub lists nothing, and what to do.
func TestFleetReposRefused(t *testing.T) {
	const page = "<!DOCTYPE html><title>Sign in</title>"
	answers := map[string]struct {
		status int
		header map[string]string // of JSON if it says nothing else
		body   string
	}{
		"/orgs/expired/repos":   {401, nil, `{"message": "Bad credentials"}`},
		"/orgs/hidden/repos":    {404, nil, `{"message": "Not Found"}`},
		"/users/hidden":         {200, nil, `{"login": "hidden", "type": "Organization"}`},
		"/orgs/person/repos":    {404, nil, `{"message": "Not Found"}`},
		"/users/person":         {200, nil, `{"login": "person", "type": "User"}`},
		"/orgs/sso/repos":       {403, map[string]string{"X-GitHub-SSO": "required; url=https://github.com/orgs/sso/sso?authorization_request=A1"}, `{"message": "Resource protected by organization SAML enforcement."}`},
		"/orgs/partial/repos":   {200, map[string]string{"X-GitHub-SSO": "partial-results; organizations=1"}, `[]`},
		"/orgs/address/repos":   {403, nil, `{"message": "the address organization has an IP allow list enabled"}`},
		"/orgs/classic/repos":   {403, nil, `{"message": "classic forbids access via a personal access token (classic)."}`},
		"/orgs/weak/repos":      {403, nil, `{"message": "Resource not accessible by integration"}`},
		"/orgs/broken/repos":    {502, map[string]string{"Content-Type": "text/html"}, page},
		"/orgs/elsewhere/repos": {302, map[string]string{"Location": "https://elsewhere.example/"}, ""},
		"/orgs/login/repos":     {302, map[string]string{"Location": "/login"}, ""},
		"/login":                {200, map[string]string{"Content-Type": "text/html"}, page},
		"/orgs/html/repos":      {404, map[string]string{"Content-Type": "text/html"}, page},
		"/orgs/object/repos":    {200, nil, `{"ok": true}`},
		"/orgs/often/repos":     {403, nil, `{"message": "You have exceeded a secondary rate limit", "documentation_url": "https://docs.github.com/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits"}`},
		"/orgs/echo/repos":      {403, nil, `{"message": "any-token may not"}`},
	}
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path)
		a, known := answers[r.URL.Path]
		if !known {
			a.status, a.body = 404, `{"message": "Not Found"}`
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		for name, value := range a.header {
			w.Header().Set(name, value)
		}
		w.WriteHeader(a.status)
		_, _ = io.WriteString(w, a.body)
	}))
	t.Cleanup(server.Close)
	noAPI := "what answers at " + server.URL + " is not GitHub's API: set GITHUB_API_URL, on GitHub Enterprise Server to https://HOST/api/v3"
	mayNot := "it needs metadata: read for all repositories of the organization"
	sso := "the organization has single sign-on, and the token is not authorized for it: choose Configure SSO next to the token in the settings of its owner"
	for name, want := range map[string]string{
		"nobody":    "no organization has this name, or the token may not see it: check the name (404: Not Found)",
		"expired":   "GitHub does not know the token: it is mistyped, expired, revoked, or of another server; make a new one (401: Bad credentials)",
		"hidden":    "the token may not see them: " + mayNot + " (404: Not Found)",
		"person":    "it is the account of a person, not an organization: write the clone URLs of its repositories into a file for fleet check (404: Not Found)",
		"sso":       sso + " (403: Resource protected by organization SAML enforcement.)",
		"partial":   sso + " (200)",
		"address":   "the organization does not let in the IP address of this machine: use a runner that is on its allow list (403: the address organization has an IP allow list enabled)",
		"classic":   "the organization forbids tokens of this kind: use one that it allows, or a GitHub App (403: classic forbids access via a personal access token (classic).)",
		"weak":      "the token may not: " + mayNot + " (403: Resource not accessible by integration)",
		"broken":    "GitHub is out of order: try again later (502)",
		"elsewhere": noAPI + " (the API points elsewhere)",
		"login":     noAPI + " (200: invalid character '<' looking for beginning of value)",
		"html":      noAPI + " (404)",
		"object":    noAPI + " (200: json: cannot unmarshal object into Go value of type []*github.Repository)",
		"often":     "the rate limit of GitHub is reached: try again in some minutes (403: You have exceeded a secondary rate limit)",
		"echo":      "the token may not: " + mayNot + " (403: *** may not)",
	} {
		variables := map[string]string{"GITHUB_API_URL": server.URL, "GITHUB_TOKEN": "any-token"}
		code, stdout, stderr := askGitHub(t, variables, name)
		require.Equal(t, 3, code, name)
		require.Empty(t, stdout, name)
		require.Equal(t, "mcplumb: cannot list the repositories of "+name+": "+want+"\n", stderr)
	}
	asked = nil
	for _, name := range []string{"", "acme/api", "https://github.com/acme", "../user", "acme "} {
		code, _, stderr := askGitHub(t, map[string]string{"GITHUB_API_URL": server.URL, "GITHUB_TOKEN": "any-token"}, name)
		require.Equal(t, 2, code, name)
		require.Equal(t, fmt.Sprintf("mcplumb: %q is not the name of an organization: names have letters, digits, and hyphens, like acme in https://github.com/acme\n", name), stderr)
	}
	for _, api := range []string{"ghe.acme.dev/api/v3", "http://ghe.acme.dev/api/v3", "https://x:hunter2@%zz/", "file:///etc"} {
		code, _, stderr := askGitHub(t, map[string]string{"GITHUB_API_URL": api, "GITHUB_TOKEN": "any-token"}, "acme")
		require.Equal(t, 2, code, api)
		require.Equal(t, "mcplumb: GITHUB_API_URL must be an https address of GitHub's API: https://api.github.com, or https://HOST/api/v3 for GitHub Enterprise Server\n", stderr)
	}
	require.Empty(t, asked)
	server.Close()
	code, _, stderr := askGitHub(t, map[string]string{"GITHUB_API_URL": server.URL, "GITHUB_TOKEN": "any-token"}, "acme")
	require.Equal(t, 3, code)
	require.Contains(t, stderr, "cannot list the repositories of acme: no answer from "+server.URL+": is that the address (GITHUB_API_URL), and may this machine reach it? (dial tcp ")
}

// TestFleetReposLimit: what was listed before the rate limit was reached is no list.
func TestFleetReposLimit(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.Header().Set("X-RateLimit-Limit", "60")
		w.Header().Set("X-RateLimit-Reset", "4102444800") // 2100-01-01
		if r.URL.Query().Get("page") == "" {
			w.Header().Set("X-RateLimit-Remaining", "1")
			w.Header().Set("Link", fmt.Sprintf(`<http://%s%s?page=2>; rel="next"`, r.Host, r.URL.Path))
			_ = json.NewEncoder(w).Encode([]map[string]any{listed("api")})
			return
		}
		w.Header().Set("X-RateLimit-Remaining", "0")
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, `{"message": "API rate limit exceeded for user ID 1."}`)
	}))
	t.Cleanup(server.Close)
	code, stdout, stderr := askGitHub(t, map[string]string{"GITHUB_API_URL": server.URL, "GITHUB_TOKEN": "any-token"}, "acme")
	require.Equal(t, 3, code)
	require.Empty(t, stdout)
	require.Equal(t, "mcplumb: cannot list the repositories of acme: the rate limit of GitHub is reached: try again after 00:00 UTC on 2100-01-01 (403: API rate limit exceeded for user ID 1.)\n", stderr)
}

// TestFleetList: every wrong line of a list is reported, and a repository in two spellings is
// read once.
func TestFleetList(t *testing.T) {
	dir := t.TempDir()
	code, stdout, stderr := fleetCheck(t, dir, "a\ngit@github.com:acme/api.git\nhttps://x:hunter2@github.com/acme/web\nssh://git@ghe.acme.dev:22/acme/api\n", nil)
	require.Equal(t, 2, code)
	require.Empty(t, stdout)
	require.Equal(t, `mcplumb: --repos: list: line 2: an address begins with https://, or is the path of a repository on this machine: write https://github.com/acme/api.git
mcplumb: --repos: list: line 3: an address must not have a user or a password in it: a token goes into GITHUB_TOKEN
mcplumb: --repos: list: line 4: an address begins with https://, or is the path of a repository on this machine: write https://ghe.acme.dev/acme/api
`, stderr)
	s := newGitServer(t, "Basic eC1hY2Nlc3MtdG9rZW46YW55LXRva2Vu") // x-access-token:any-token
	s.add(t, "acme/api.git", map[string]string{".mcp.json": started("npx", "-y", "notes@1.0.0")})
	list := s.URL + "/acme/api.git\n" + s.URL + "/Acme/API.git\n"
	_, stdout, stderr = fleetCheck(t, dir, list, map[string]string{"GITHUB_SERVER_URL": s.URL, "GITHUB_TOKEN": "any-token\n"}) // as a file has it
	require.Equal(t, "1 repository: 1 read, 0 unchanged, 0 failed\n", stdout, stderr)
}

// TestFleetShards spreads an organization over the jobs of a matrix.
func TestFleetShards(t *testing.T) {
	var all []map[string]any
	for i := range 250 {
		all = append(all, listed(fmt.Sprintf("service-%03d", i)))
	}
	variables, dir := organization(t, all), t.TempDir()
	code, stdout, stderr := runIn(t.Context(), dir, variables, "fleet", "repos", "acme", "--out", "shards", "--per-shard", "50")
	require.Equal(t, 0, code, stderr)
	require.Equal(t, `{"shard":["000","001","002","003","004"]}`+"\n", stdout)
	seen := map[string]bool{}
	files, err := os.ReadDir(filepath.Join(dir, "shards"))
	require.NoError(t, err)
	require.Len(t, files, 5)
	for _, f := range files {
		for line := range strings.Lines(read(t, dir, "shards/"+f.Name())) {
			require.False(t, seen[line], line)
			seen[line] = true
		}
	}
	require.Len(t, seen, 250)
	code, _, stderr = runIn(t.Context(), dir, variables, "fleet", "repos", "acme", "--out", "shards")
	require.Equal(t, 3, code)
	require.Equal(t, "mcplumb: 250 repositories (250 private)\nmcplumb: cannot write shards: it already contains files\n", stderr)
}
