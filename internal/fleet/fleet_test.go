package fleet_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/fleet"
)

// repo returns the record of a repository with servers as "NAME=IDENTITY", with "@VERSION"
// behind a package, " SELECTOR" behind that, and "!" before a disabled one.
func repo(name string, servers ...string) *fleet.Record {
	r := &fleet.Record{Version: 1, Repository: "github.com/acme/" + name, URL: "https://github.com/acme/" + name, Commit: strings.Repeat("a", 40), Time: "2026-11-20T10:00:00Z"}
	for i, text := range servers {
		s := fleet.Server{Path: ".mcp.json", Line: i + 2, Scope: "project"}
		text, s.Disabled = strings.CutPrefix(text, "!")
		s.Name, text, _ = strings.Cut(text, "=")
		text, selector, hasSelector := strings.Cut(text, " ")
		if hasSelector {
			s.Selector = strings.Split(selector, " ")
		}
		s.Kind, _, _ = strings.Cut(text, ":")
		s.Identity = text
		if at := strings.LastIndexByte(text, '@'); at > strings.IndexByte(text, ':')+1 && s.Kind != "url" {
			s.Identity, s.Version = text[:at], text[at+1:]
		}
		if s.IsPackage() {
			s.Purl = "pkg:" + strings.Replace(strings.Replace(s.Identity, ":", "/", 1), "@", "%40", 1)
		}
		if s.Version != "" && s.Version[0] >= '0' && s.Version[0] <= '9' {
			s.Purl += "@" + s.Version
		}
		r.Servers = append(r.Servers, s)
	}
	return r
}

// withNameConflict gives a record the finding that its first name is that of two servers.
func withNameConflict(r *fleet.Record) *fleet.Record {
	r.Findings = []fleet.Finding{{Rule: "name-conflict", Severity: "warning", Server: r.Servers[0].Name}}
	return r
}

// TestRules holds what the rules over a fleet say, and of what they are silent.
func TestRules(t *testing.T) {
	for name, c := range map[string]struct {
		records []*fleet.Record
		want    []string
	}{
		"one name for two packages": {
			[]*fleet.Record{repo("a", "search=npm:exa-mcp-server"), repo("b", "search=npm:exa-mcp-server"), repo("c", "search=npm:brave-search-mcp")},
			[]string{`org-name-conflict: "search" is npm:exa-mcp-server in 2 repositories, but npm:brave-search-mcp in 1 (github.com/acme/c:2 github.com/acme/a:2 github.com/acme/b:2)`},
		},
		"a package that only looks like the usual one": {
			[]*fleet.Record{repo("a", "context7=npm:@upstash/context7-mcp"), repo("b", "context7=npm:@upstash/context7-mcp"), repo("c", "context7=npm:@upstream/context7-mcp")},
			[]string{`org-name-conflict: "context7" is npm:@upstash/context7-mcp in 2 repositories, but npm:@upstream/context7-mcp in 1 (github.com/acme/c:2 github.com/acme/a:2 github.com/acme/b:2)`},
		},
		"own programs, local ports and containers are each repository's own": {
			[]*fleet.Record{
				repo("a", "api=file:server.js", "db=exec:db-mcp", "web=url:http://localhost:3000/mcp", "box=container:mcp"),
				repo("b", "api=file:src/main.py", "db=npm:db-mcp", "web=url:http://localhost:8080/mcp", "box=container:other"),
			}, nil,
		},
		"a name that says nothing": {
			[]*fleet.Record{repo("a", "server=npm:one-mcp", "my-mcp-server=npm:one", "test=pypi:a"), repo("b", "server=npm:other-mcp", "my-mcp-server=npm:two", "test=pypi:b")}, nil,
		},
		"one server in two registries, and two hosts of one domain": {
			[]*fleet.Record{
				repo("a", "fetch=pypi:mcp-server-fetch", "thinking=npm:server-sequential-thinking", "crm=url:https://mcp.acme.dev/crm"),
				repo("b", "fetch=oci:docker.io/mcp/fetch", "thinking=oci:docker.io/mcp/sequentialthinking", "crm=url:https://staging.acme.dev/crm"),
			}, nil,
		},
		"two hosts of two owners": {
			[]*fleet.Record{repo("a", "crm=url:https://mcp.acme.dev/crm"), repo("b", "crm=url:https://mcp.acme.dev/crm"), repo("c", "crm=url:https://crm.example.net/mcp")},
			[]string{`org-name-conflict: "crm" is url:https://mcp.acme.dev/crm in 2 repositories, but url:https://crm.example.net/mcp in 1 (github.com/acme/c:2 github.com/acme/a:2 github.com/acme/b:2)`},
		},
		"two owners on one host that many share, and by one path": {
			[]*fleet.Record{
				repo("a", "crm=url:https://crm.acme.workers.dev/mcp", "exa=url:https://server.smithery.ai/@exa/exa/mcp"), repo("b", "crm=url:https://crm.acme.workers.dev/mcp", "exa=url:https://server.smithery.ai/@exa/exa/mcp"),
				repo("c", "crm=url:https://crm.evil.workers.dev/mcp", "exa=url:https://server.smithery.ai/@evil/exa/mcp"),
			},
			[]string{
				`org-name-conflict: "crm" is url:https://crm.acme.workers.dev/mcp in 2 repositories, but url:https://crm.evil.workers.dev/mcp in 1 (github.com/acme/c:2 github.com/acme/a:2 github.com/acme/b:2)`,
				`org-name-conflict: "exa" is url:https://server.smithery.ai/@exa/exa/mcp in 2 repositories, but url:https://server.smithery.ai/@evil/exa/mcp in 1 (github.com/acme/c:3 github.com/acme/a:3 github.com/acme/b:3)`,
			},
		},
		"names that differ in the size of letters alone": {
			[]*fleet.Record{repo("a", "Search=npm:exa-mcp-server"), repo("b", "Search=npm:exa-mcp-server"), repo("c", "search=npm:brave-search-mcp")},
			[]string{`org-name-conflict: "Search" is npm:exa-mcp-server in 2 repositories, but npm:brave-search-mcp in 1 (github.com/acme/c:2 github.com/acme/a:2 github.com/acme/b:2)`},
		},
		"an image of a mirror is the same, one of another owner is not": {
			[]*fleet.Record{repo("a", "grafana=oci:docker.io/grafana/mcp-grafana"), repo("b", "grafana=oci:docker.io/grafana/mcp-grafana"), repo("c", "grafana=oci:mirror.acme.dev/hub/grafana/mcp-grafana"), repo("d", "grafana=oci:docker.io/evil/mcp-grafana")},
			[]string{`org-name-conflict: "grafana" is oci:docker.io/grafana/mcp-grafana in 2 repositories, but oci:docker.io/evil/mcp-grafana in 1 (github.com/acme/d:2 github.com/acme/a:2 github.com/acme/b:2)`},
		},
		"one name in two registries: nothing says whose they are": {
			[]*fleet.Record{repo("a", "pg=npm:postgres-mcp"), repo("b", "pg=npm:postgres-mcp"), repo("c", "pg=pypi:postgres-mcp")}, nil,
		},
		"both in one repository: name-conflict tells it there": {
			[]*fleet.Record{repo("a", "search=npm:exa-mcp-server"), withNameConflict(repo("b", "search=npm:exa-mcp-server", "search=npm:brave-search-mcp"))}, nil,
		},
		"both in one repository, in two projects: name-conflict does not tell it": {
			[]*fleet.Record{repo("a", "search=npm:exa-mcp-server"), repo("b", "search=npm:exa-mcp-server", "search=npm:brave-search-mcp")},
			[]string{`org-name-conflict: "search" is npm:exa-mcp-server in 2 repositories, but npm:brave-search-mcp in 1 (github.com/acme/b:3 github.com/acme/a:2 github.com/acme/b:2)`},
		},
		"both in one repository, and in no other": {
			[]*fleet.Record{repo("a", "search=npm:exa-mcp-server", "search=npm:brave-search-mcp")}, nil,
		},
		"an address of an unknown owner by the name of a package": {
			[]*fleet.Record{repo("a", "gitlab=npm:@modelcontextprotocol/server-gitlab"), repo("b", "gitlab=npm:@modelcontextprotocol/server-gitlab"), repo("c", "gitlab=url:https://gitlab.evil.example/mcp")},
			[]string{`org-name-conflict/note: "gitlab" is npm:@modelcontextprotocol/server-gitlab in 2 repositories, but url:https://gitlab.evil.example/mcp in 1: nothing says whether they are one owner's (github.com/acme/c:2 github.com/acme/a:2 github.com/acme/b:2)`},
		},
		"a package and its maker's address, and a name that stands for nothing yet": {
			[]*fleet.Record{repo("a", "crm=npm:acme-crm", "pay=npm:pay-mcp"), repo("b", "crm=url:https://crm.example.net/mcp", "pay=url:https://mcp.pay.example/mcp")}, nil,
		},
		"two addresses of two owners next to a package": {
			[]*fleet.Record{repo("a", "billing=npm:acme-pay"), repo("b", "billing=npm:acme-pay"), repo("c", "billing=url:https://mcp.pay.example/mcp"), repo("d", "billing=url:https://pay.evil.test.example/mcp")},
			[]string{`org-name-conflict: "billing" is url:https://mcp.pay.example/mcp in 1 repository, but url:https://pay.evil.test.example/mcp in 1 (github.com/acme/d:2 github.com/acme/c:2)`},
		},
		"an image and a repository of another owner": {
			[]*fleet.Record{
				repo("a", "gh=npm:@modelcontextprotocol/server-github", "fetch=pypi:mcp-server-fetch"), repo("b", "gh=npm:@modelcontextprotocol/server-github", "fetch=pypi:mcp-server-fetch"),
				repo("c", "gh=oci:docker.io/evilcorp/github", "fetch=git:github.com/evil/mcp-server-fetch"),
			},
			[]string{
				`org-name-conflict/note: "fetch" is pypi:mcp-server-fetch in 2 repositories, but git:github.com/evil/mcp-server-fetch in 1: nothing says whether they are one owner's (github.com/acme/c:3 github.com/acme/a:3 github.com/acme/b:3)`,
				`org-name-conflict: "gh" is npm:@modelcontextprotocol/server-github in 2 repositories, but oci:docker.io/evilcorp/github in 1 (github.com/acme/c:2 github.com/acme/a:2 github.com/acme/b:2)`,
			},
		},
		"one owner in two registries, and what Docker builds": {
			[]*fleet.Record{
				repo("a", "gh=npm:@modelcontextprotocol/server-github", "pw=npm:@playwright/mcp", "grafana=oci:docker.io/grafana/mcp-grafana", "c7=npm:@upstash/context7-mcp"),
				repo("b", "gh=oci:ghcr.io/github/github-mcp-server", "pw=oci:docker.io/mcp/playwright", "grafana=oci:docker.io/mcp/grafana", "c7=git:github.com/upstash/context7"),
			}, nil,
		},
		"switched off": {
			[]*fleet.Record{repo("a", "search=npm:exa-mcp-server@1.0.0"), repo("b", "!search=npm:brave-search-mcp", "!exa=npm:exa-mcp-server@2.0.0")}, nil,
		},
		"one server under several names": {
			[]*fleet.Record{repo("a", "vercel=npm:@vercel/mcp"), repo("b", "vercel=npm:@vercel/mcp"), repo("c", "vercel-mcp=npm:@vercel/mcp"), repo("d", "deploy=npm:@vercel/mcp")},
			[]string{`org-alias-drift: npm:@vercel/mcp is "vercel" in 2 repositories, but "deploy" in 1, "vercel-mcp" in 1 (github.com/acme/c:2 github.com/acme/d:2)`},
		},
		"a word of its own says which one it is": {
			[]*fleet.Record{repo("a", "postgres=npm:postgres-mcp"), repo("b", "postgres=npm:postgres-mcp"), repo("c", "postgres-staging=npm:postgres-mcp")}, nil,
		},
		"several in one repository are instances": {
			[]*fleet.Record{repo("a", "notion=npm:notion-mcp"), repo("b", "notion=npm:notion-mcp"), repo("c", "work=npm:notion-mcp", "private=npm:notion-mcp")}, nil,
		},
		"no name is more frequent than the other": {
			[]*fleet.Record{repo("a", "vercel=npm:@vercel/mcp"), repo("b", "vercel-mcp=npm:@vercel/mcp")}, nil,
		},
		"two names share the first place: the third is not among them": {
			[]*fleet.Record{
				repo("a", "postmark=npm:postmark-mcp"), repo("b", "postmark=npm:postmark-mcp"), repo("c", "pm=npm:postmark-mcp"), repo("d", "pm=npm:postmark-mcp"),
				repo("e", "mail=npm:postmark-mcp"), repo("f", "pm-staging=npm:postmark-mcp"),
			},
			[]string{`org-alias-drift: npm:postmark-mcp is "pm", "postmark" in 2 repositories each, but "mail" in 1 (github.com/acme/e:2)`},
		},
		"other servers of one package": {
			[]*fleet.Record{repo("a", "git=npm:tools git"), repo("b", "git=npm:tools git"), repo("c", "files=npm:tools files")}, nil,
		},
		"a package at several versions": {
			[]*fleet.Record{repo("a", "pw=npm:@playwright/mcp@1.0.0"), repo("b", "pw=npm:@playwright/mcp@1.0.0"), repo("c", "pw=npm:@playwright/mcp@1.2.0"), repo("d", "pw=npm:@playwright/mcp@latest"), repo("e", "pw=npm:@playwright/mcp@^1.0.0")},
			[]string{`org-version-spread: npm:@playwright/mcp is pinned to 2 versions in 3 repositories: 1.0.0 in 2, 1.2.0 in 1; not pinned in 2 (github.com/acme/a:2 github.com/acme/b:2 github.com/acme/c:2)`},
		},
		"one version, and others without": {
			[]*fleet.Record{repo("a", "pw=npm:@playwright/mcp@1.0.0"), repo("b", "pw=npm:@playwright/mcp")}, nil,
		},
		"several versions in one repository: version-conflict tells it there": {
			[]*fleet.Record{repo("a", "pw=npm:@playwright/mcp@1.0.0", "pw=npm:@playwright/mcp@1.2.0")}, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			f, _ := fleet.New(c.records)
			var got []string
			for _, found := range f.Findings {
				var places []string
				for _, p := range found.Places {
					places = append(places, fmt.Sprintf("%s:%d", p.Record.Repository, p.Server.Line))
				}
				rule := found.Rule
				if rule == "org-name-conflict" && found.Severity == "note" {
					rule += "/note"
				}
				got = append(got, fmt.Sprintf("%s: %s (%s)", rule, found.Message, strings.Join(places, " ")))
			}
			assert.Equal(t, c.want, got)
		})
	}
}

// TestRulesOfRegistries holds that names of registries and lockfiles are their own.
func TestRulesOfRegistries(t *testing.T) {
	a, b := repo("a", "search=npm:exa-mcp-server"), repo("b", "search=npm:brave-search-mcp")
	b.Servers[0].Scope = "registry"
	f, _ := fleet.New([]*fleet.Record{a, b})
	assert.Empty(t, f.Findings)
}

// TestPlacesAreLimited holds that a finding of a thousand repositories counts them all and
// keeps some.
func TestPlacesAreLimited(t *testing.T) {
	var records []*fleet.Record
	for i := range 1000 {
		records = append(records, repo(fmt.Sprintf("r%04d", i), fmt.Sprintf("pw=npm:@playwright/mcp@1.%d.0", i)))
	}
	f, _ := fleet.New(records)
	require.Len(t, f.Findings, 1)
	assert.Equal(t, 1000, f.Findings[0].Repositories)
	assert.Len(t, f.Findings[0].Places, 50)
	assert.Equal(t, 950, f.Findings[0].More)
	assert.Equal(t, "npm:@playwright/mcp is pinned to 1000 versions in 1000 repositories: 1.0.0 in 1, 1.1.0 in 1, 1.10.0 in 1, 1.100.0 in 1, 996 more", f.Findings[0].Message)
}

// TestPinned holds what counts as one version.
func TestPinned(t *testing.T) {
	for want, servers := range map[string][]fleet.Server{
		"1.2.3":                             {{Kind: "npm", Version: "1.2.3", Purl: "pkg:npm/%40a/b@1.2.3"}, {Kind: "npm", Version: "latest", Purl: "pkg:npm/a", Lock: &fleet.Lock{Version: "1.2.3"}}, {Kind: "jsr", Version: "1.2.3"}},
		"3.1":                               {{Kind: "oci", Version: "3.1", Purl: "pkg:oci/a?tag=3.1"}},
		"sha256:" + strings.Repeat("a", 64): {{Kind: "oci", Version: "sha256:" + strings.Repeat("a", 64), Purl: "pkg:oci/a@sha256:aa"}},
		"": {
			{Kind: "npm", Version: "^1.2.3", Purl: "pkg:npm/a"}, {Kind: "npm", Purl: "pkg:npm/%40a/b"}, {Kind: "npm", Version: "1", Purl: "pkg:npm/a"},
			{Kind: "oci", Version: "latest", Purl: "pkg:oci/a"}, {Kind: "url", Version: "1.2.3"}, {Kind: "jsr", Version: "^1.2.3"}, {Kind: "jsr", Version: "1.2"},
			{Kind: "npm", Purl: "pkg:npm/a", Lock: &fleet.Lock{Version: "latest"}},
		},
	} {
		for _, s := range servers {
			assert.Equal(t, want, s.Pinned(), "%+v", s)
		}
	}
}

// TestMerge holds which of a repository's records counts.
func TestMerge(t *testing.T) {
	at := func(r *fleet.Record, time, failed string) *fleet.Record {
		r.Time, r.Failed = time, failed
		return r
	}
	old, now := at(repo("a", "old=npm:x"), "2026-11-19T23:30:00Z", ""), at(repo("a", "new=npm:x"), "2026-11-20T00:10:00+01:00", "")
	failed := at(repo("a"), "", "it could not be fetched")
	failedLater := at(repo("a"), "2026-11-21T00:00:00Z", "its files could not be fetched")
	older := at(repo("a", "older=npm:x"), "2026-11-19T22:00:00Z", "")
	again := at(repo("a", "old=npm:x"), "2026-11-19T23:30:00Z", "")
	again.Read = "2026-11-20"
	empty, emptyAgain := at(repo("a"), "", ""), at(repo("a"), "", "")
	empty.Read, emptyAgain.Read = "2026-11-19", "2026-11-20"
	for _, c := range []struct {
		records []*fleet.Record
		want    *fleet.Record
	}{
		{[]*fleet.Record{older, now}, now}, // a time with a zone is later than it reads
		{[]*fleet.Record{now, old}, old},
		{[]*fleet.Record{failed, older}, older},
		{[]*fleet.Record{old, failed}, old},
		{[]*fleet.Record{old, failedLater}, old}, // a commit without a known result
		{[]*fleet.Record{failedLater, older}, older},
		{[]*fleet.Record{old, again}, again}, // found to be the newest commit later
		{[]*fleet.Record{again, old}, again},
		{[]*fleet.Record{empty, emptyAgain}, emptyAgain}, // neither has a commit
		{[]*fleet.Record{emptyAgain, empty}, emptyAgain},
	} {
		f, twice := fleet.New(append(c.records, repo("b")))
		assert.Equal(t, []string{"github.com/acme/a"}, twice)
		require.Len(t, f.Repositories, 2)
		assert.Same(t, c.want, f.Repositories[0])
	}
}

// TestCompare holds what is new and gone, which is unknown of what was not read.
func TestCompare(t *testing.T) {
	failed := repo("broken")
	failed.Commit = "" // nothing was ever read of it
	failed.Failed = "it could not be fetched"
	before, _ := fleet.New([]*fleet.Record{
		repo("api", "docs=npm:docs-mcp@1.0.0", "old=npm:old-mcp", "twice=npm:t", "twice=npm:t"), repo("gone", "docs=npm:docs-mcp"), repo("broken", "docs=npm:docs-mcp"),
	})
	before.Repositories[0].Findings = []fleet.Finding{{Fingerprint: "1"}, {Fingerprint: "2"}}
	now, _ := fleet.New([]*fleet.Record{
		repo("api", "docs=npm:docs-mcp@1.1.0", "mail=npm:postmark-mcp", "twice=npm:t"), repo("web", "docs=npm:docs-mcp"), failed,
	})
	now.Repositories[0].Findings = []fleet.Finding{{Fingerprint: "2"}, {Fingerprint: "3"}, {Fingerprint: "4"}}
	now.Compare(before)
	said := func(changes []fleet.Change) (all []string) {
		for _, c := range changes {
			all = append(all, fmt.Sprintf("%s %s=%s %s→%s first=%t", c.Record.Repository, c.Server.Name, c.Server.Identity, c.Before, c.Server.Version, c.IsFirst))
		}
		return all
	}
	assert.Equal(t, []string{"github.com/acme/api mail=npm:postmark-mcp → first=true", "github.com/acme/web docs=npm:docs-mcp → first=false"}, said(now.Changes.New))
	assert.Equal(t, []string{"github.com/acme/api old=npm:old-mcp → first=false", "github.com/acme/api twice=npm:t → first=false", "github.com/acme/gone docs=npm:docs-mcp → first=false"}, said(now.Changes.Gone))
	assert.Equal(t, []string{"github.com/acme/api docs=npm:docs-mcp 1.0.0→1.1.0 first=false"}, said(now.Changes.Versions))
	assert.Equal(t, []string{"github.com/acme/web"}, now.Changes.NewRepositories)
	assert.Equal(t, []string{"github.com/acme/gone"}, now.Changes.GoneRepositories)
	assert.Equal(t, 2, now.Changes.NewFindings)
	assert.Equal(t, 1, now.Changes.GoneFindings)
}

// TestCompareUnread checks that no change is reported for a file that could not be read now or
// before, in either direction.
func TestCompareUnread(t *testing.T) {
	read, _ := fleet.New([]*fleet.Record{repo("api", "docs=npm:docs-mcp")})
	read.Repositories[0].Findings = []fleet.Finding{{Fingerprint: "1", Path: ".mcp.json"}, {Fingerprint: "2", Path: "a/.mcp.json"}}
	unread, _ := fleet.New([]*fleet.Record{repo("api")})
	unread.Repositories[0].Errors = []fleet.Problem{{Path: ".mcp.json", Message: "is bigger than 10 MB and was not read"}}
	unread.Compare(read)
	assert.Empty(t, unread.Changes.Gone)
	assert.Equal(t, 1, unread.Changes.GoneFindings, "that of the other file")
	read.Compare(unread)
	assert.Empty(t, read.Changes.New)
	assert.Equal(t, 1, read.Changes.NewFindings)
	assert.False(t, read.Changes.IsNew(&read.Repositories[0].Findings[0]))
	assert.True(t, read.Changes.IsNew(&read.Repositories[0].Findings[1]))
}

// TestCompareSwitched checks that a server appears when it is enabled, and disappears when it
// is disabled.
func TestCompareSwitched(t *testing.T) {
	on, _ := fleet.New([]*fleet.Record{repo("api", "docs=npm:docs-mcp")})
	off, _ := fleet.New([]*fleet.Record{repo("api", "docs=npm:docs-mcp")})
	off.Repositories[0].Servers[0].Disabled = true
	on.Compare(off)
	require.Len(t, on.Changes.New, 1)
	assert.True(t, on.Changes.New[0].IsFirst, "no repository ran it")
	off.Compare(on)
	assert.Empty(t, off.Changes.New)
	assert.Len(t, off.Changes.Gone, 1)
}

// TestCompareOwn holds that what is local to a repository is new in each that gets it, and not
// new where it was under another name.
func TestCompareOwn(t *testing.T) {
	before, _ := fleet.New([]*fleet.Record{repo("api", "mine=file:server.js"), repo("web")})
	now, _ := fleet.New([]*fleet.Record{repo("api", "ours=file:server.js"), repo("web", "mine=file:server.js")})
	now.Compare(before)
	require.Len(t, now.Changes.New, 2)
	assert.False(t, now.Changes.New[0].IsFirst, "api had it")
	assert.True(t, now.Changes.New[1].IsFirst, "that of api is another one")
}

// TestSummary holds the numbers.
func TestSummary(t *testing.T) {
	a, b := repo("a", "x=npm:x@1.0.0", "y=url:https://y.dev/mcp"), repo("b", "x=npm:x")
	b.Failed, b.Servers = "gone", nil
	a.Findings = []fleet.Finding{{Rule: "insecure-url", Severity: "warning"}, {Rule: "hardcoded-secret", Severity: "error"}, {Rule: "insecure-url", Severity: "warning"}}
	a.Errors = []fleet.Problem{{Path: "mcp.json", Message: "is a pipe"}}
	f, _ := fleet.New([]*fleet.Record{a, b, repo("c", "x=npm:x")})
	assert.Equal(t, fleet.Summary{
		Repositories: 3, Failed: 1, Servers: 3, Identities: 2, Unpinned: 1, Errors: 1, Findings: fleet.Severities{Error: 1, Warning: 2},
		Rules: []fleet.RuleCount{{"hardcoded-secret", "error", 1, 1}, {"insecure-url", "warning", 2, 1}},
	}, f.Summary())
	assert.Equal(t, []fleet.Usage{
		{Identity: "npm:x", Kind: "npm", Servers: 2, Repositories: 2, Names: []fleet.Count{{"x", 2}}, Versions: []fleet.Count{{"1.0.0", 1}}, Unpinned: 1},
		{Identity: "url:https://y.dev/mcp", Kind: "url", Servers: 1, Repositories: 1, Names: []fleet.Count{{"y", 1}}, Versions: []fleet.Count{}},
	}, f.Usages())
}

// TestOwnPrograms holds that a file of one repository is not that of another.
func TestOwnPrograms(t *testing.T) {
	f, _ := fleet.New([]*fleet.Record{repo("a", "x=file:dist/server.js", "y=file:/opt/acme/server"), repo("b", "z=file:dist/server.js", "y=file:/opt/acme/server")})
	assert.Equal(t, 3, f.Summary().Identities)
	var all []string
	for _, u := range f.Usages() {
		all = append(all, fmt.Sprintf("%s of %q in %d", u.Identity, u.Repository, u.Repositories))
	}
	assert.Equal(t, []string{`file:/opt/acme/server of "" in 2`, `file:dist/server.js of "github.com/acme/a" in 1`, `file:dist/server.js of "github.com/acme/b" in 1`}, all)
}

// TestOwnServers holds that what is local to a repository is no server of others, and that
// the name of a host in a private network is one for all.
func TestOwnServers(t *testing.T) {
	var records []*fleet.Record
	for _, name := range []string{"a", "b"} {
		records = append(records, repo(name, "lo=url:http://localhost:3000/mcp", "v6=url:http://[::1]:3000/mcp", "ex=exec:acme-mcp", "box=container:mcp", "near=url:http://mcp:8080/mcp", "ip=url:http://10.0.0.5/mcp", "corp=url:http://mcp.corp/mcp", "docs=url:https://docs.acme.example/mcp", "none="))
	}
	f, _ := fleet.New(records)
	assert.Equal(t, 14, f.Summary().Identities)
	var shared []string
	for _, u := range f.Usages() {
		assert.Equal(t, u.Repositories == 1, u.Repository != "", u.Identity)
		if u.Repository == "" {
			shared = append(shared, u.Identity)
		}
	}
	assert.Equal(t, []string{"url:http://mcp.corp/mcp", "url:https://docs.acme.example/mcp"}, shared)
}

// TestRefusedRecords holds that a record says what is wrong with it, and stops no other.
func TestRefusedRecords(t *testing.T) {
	records := map[string]string{
		"a.json": `{"version":1,"repository":"github.com/acme/a","url":"https://github.com/acme/a"}`,
		"b.json": `{"version":2,"repository":["another form"]}`,
		"c.json": `{"version":1,"repository":"x"`,
		"d.json": `[]`,
		"e.json": `{"version":1,"url":"https://github.com/acme/a"}`,
		"f.json": `{"version":1,"repository":"x","url":"javascript:alert(1)"}`,
		"g.json": `{"version":1,"repository":"x","url":"https://user@host/x"}`,
		"h.json": `{"version":1,"repository":"x","commit":"../../evil"}`,
		"i.json": `{"version":1,"repository":"x","time":"yesterday"}`,
		"m.json": `{"version":1,"repository":"x","read":"2026-11-20T10:00:00Z"}`,
		"n.json": `{"repository":"x"}`,
		"j.json": `{"version":1,"repository":"x","findings":[{"severity":"grave"}]}`,
		"k.json": `{"version":1,"repository":"x","servers":[{"line":-1}]}`,
		"l.json": `{"version":1,"repository":"x"} {}`,
	}
	paths := []string{"a.json", "b.json", "c.json", "d.json", "e.json", "f.json", "g.json", "h.json", "i.json", "j.json", "k.json", "l.json", "m.json", "n.json", "z.json"}
	read, unread, err := fleet.Read(t.Context(), paths, func(path string) (io.ReadCloser, error) {
		if records[path] == "" {
			return nil, errors.New("permission denied")
		}
		return io.NopCloser(strings.NewReader(records[path])), nil
	})
	require.NoError(t, err)
	require.Len(t, read, 1)
	assert.Equal(t, "github.com/acme/a", read[0].Repository)
	var said []string
	for _, p := range unread {
		said = append(said, p.Path+": "+p.Message)
	}
	assert.Equal(t, []string{
		"b.json: it is a record of version 2, and this mcplumb knows version 1",
		"c.json: it is not a record of mcplumb fleet check: unexpected end of JSON input",
		"d.json: it is not a record of mcplumb fleet check: json: cannot unmarshal array into Go value of type fleet.Record",
		"e.json: it names no repository",
		"f.json: its url is not an address of http or https",
		"g.json: its url is not an address of http or https",
		"h.json: its commit is not a hash",
		"i.json: its time is not in the format of RFC 3339",
		"j.json: a severity in it is not error, warning, or note",
		"k.json: a line in it is less than 0",
		"l.json: it is not a record of mcplumb fleet check: invalid character '{' after top-level value",
		"m.json: the day on which it was read is malformed",
		"n.json: it is not a record of mcplumb fleet check: it has no version",
		"z.json: permission denied",
	}, said)
}

// FuzzReadRecord checks that a record is either refused or safe to make links from, and that
// every rule can check it.
func FuzzReadRecord(f *testing.F) {
	whole, err := json.Marshal(repo("a", "search=npm:exa-mcp-server@1.0.0 sub", "crm=url:https://mcp.acme.dev/crm"))
	require.NoError(f, err)
	for _, seed := range []string{string(whole), `{"version":1,"repository":"x","servers":[{"lock":{},"kind":"npm","identity":"npm"}]}`, `{"version":1,"repository":"x","servers":[{"name":"y","kind":"npm"}]}`, `{"version":1}`, `{}`, `[`, ``} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		record, err := fleet.ReadRecord(bytes.NewReader(content))
		if err != nil {
			return
		}
		link := record.Link("a b/../<c>\"#?.json", 3)
		assert.True(t, link == "" || strings.HasPrefix(link, "http://") || strings.HasPrefix(link, "https://"), link)
		all, _ := fleet.New([]*fleet.Record{record, repo("a", "search=npm:exa-mcp-server@1.0.0"), repo("b", "search=npm:brave-search-mcp")})
		all.Compare(all)
		assert.Empty(t, all.Changes.New)
		assert.Empty(t, all.Changes.Gone)
		all.Summary()
		all.Usages()
	})
}
