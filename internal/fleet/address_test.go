package fleet_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/fleet"
)

func TestParseAddresses(t *testing.T) {
	all, wrong := fleet.ParseAddresses("# the web team\nhttps://GitHub.com/acme/api.git # with a remark\n\n/srv/git/acme/web.git\r\nhttps://GitHub.com/acme/api.git\nhttps://git.acme.dev:8443/group/sub/tool/\n")
	require.Empty(t, wrong)
	require.Equal(t, []fleet.Address{
		{Clone: "https://GitHub.com/acme/api.git", Name: "github.com/acme/api", Page: "https://github.com/acme/api"},
		{Clone: "/srv/git/acme/web.git", IsLocal: true},
		{Clone: "https://git.acme.dev:8443/group/sub/tool/", Name: "git.acme.dev:8443/group/sub/tool", Page: "https://git.acme.dev:8443/group/sub/tool"},
	}, all)
}

// TestParseAddressesCase counts names on GitHub once, in any case and in any spelling of the
// same address.
func TestParseAddressesCase(t *testing.T) {
	all, wrong := fleet.ParseAddresses(`https://github.com/acme/api.git
https://GitHub.com/Acme/API
https://github.com/acme/api/
https://ghe.acme.dev:8443/acme/api
https://GHE.acme.dev:8443/acme/Api.git
https://git.acme.dev/acme/api
https://git.acme.dev/acme/API
/srv/acme/api
/srv/acme/API
`, "github.com", "ghe.acme.dev:8443")
	require.Empty(t, wrong)
	var clones []string
	for _, a := range all {
		clones = append(clones, a.Clone)
	}
	require.Equal(t, []string{
		"https://github.com/acme/api.git", "https://ghe.acme.dev:8443/acme/api", "https://git.acme.dev/acme/api", "https://git.acme.dev/acme/API",
		"/srv/acme/api", "/srv/acme/API",
	}, clones)
}

// TestParseAddressesTellsAll names every line that is wrong, up to as many as people read.
func TestParseAddressesTellsAll(t *testing.T) {
	all, wrong := fleet.ParseAddresses("ssh://a\n/srv/a\n\n" + strings.Repeat("ftp://acme/api\n", 105))
	require.Len(t, all, 1)
	require.Len(t, wrong, 101)
	require.ErrorContains(t, wrong[0], "line 1: an address begins with https://")
	require.ErrorContains(t, wrong[1], "line 4: an address begins with https://")
	require.EqualError(t, wrong[100], "6 more lines are wrong")
}

func TestParseAddressesRefuses(t *testing.T) {
	for line, want := range map[string]string{
		"https://x:hunter2@github.com/acme/api": "line 2: an address must not have a user or a password in it",
		"https://ghp@github.com/acme/api":       "line 2: an address must not have a user or a password in it",
		"git@github.com:acme/api.git":           "this machine: write https://github.com/acme/api.git",
		"ssh://git@github.com/acme/api":         "this machine: write https://github.com/acme/api",
		"ssh://github.com:22/acme/api.git":      "this machine: write https://github.com/acme/api.git",
		"ssh://x:hunter2@ghe.acme.dev/acme/api": "this machine: write https://ghe.acme.dev/acme/api",
		"git@github.com:":                       "line 2: an address begins with https://",
		"git://github.com/acme/api":             "line 2: an address begins with https://",
		"ext::sh -c x":                          "",
		"file:///srv/git":                       "line 2: an address begins with https://",
		"https://github.com/":                   "line 2: the address names no repository",
		"https:///acme/api":                     "line 2: the address names no repository",
		"https://github.com/a/../b?x=1":         "line 2: the address names no repository",
		"https://github.com/%zz":                "line 2: the address is malformed",
	} {
		_, wrong := fleet.ParseAddresses("/srv/a\n" + line)
		if want == "" { // a path that will not be there
			require.Empty(t, wrong, line)
			continue
		}
		require.Len(t, wrong, 1, line)
		require.ErrorContains(t, wrong[0], want, line)
		require.NotContains(t, wrong[0].Error(), "hunter2")
	}
}

func TestNamed(t *testing.T) {
	local := fleet.Address{Clone: "/srv/git/acme/web.git", IsLocal: true}
	require.Equal(t, "local/acme/web", local.Named("").Name)
	require.Equal(t, "local/acme/web", local.Named("/srv/other.git").Name)
	for _, origin := range []string{"git@github.com:acme/web.git", "ssh://git@github.com:22/acme/web.git", "https://github.com/acme/web"} {
		require.Equal(t, "github.com/acme/web", local.Named(origin).Name, origin)
	}
	require.Equal(t, "local/acme/web", local.Named("https://x:hunter2@github.com/acme/web").Name)
	require.Equal(t, fleet.Address{Clone: "/srv/git/acme/web.git", IsLocal: true, Name: "github.com/acme/web", Page: "https://github.com/acme/web"}, local.Named("https://github.com/acme/web.git"))
}

// TestRecordPath keeps every record below the directory of records, at a place of its own.
func TestRecordPath(t *testing.T) {
	seen := map[string]string{}
	for name, want := range map[string]string{
		"github.com/acme/api":     "github.com/acme/api.json",
		"github.com/acme/.github": "github.com/acme/%2Egithub.json",
		"local/../../etc/passwd":  "local/%2E%2E/%2E%2E/etc/passwd.json",
		"h:8443/a b/ü":            "h%3A8443/a%20b/%C3%BC.json",
		"local/a%20b":             "local/a%2520b.json",
		"local//x":                "local//x.json",
		"local/con.":              "local/con%2E.json",
	} {
		got := fleet.RecordPath(name)
		require.Equal(t, want, got)
		require.Empty(t, seen[got])
		seen[got] = name
		require.NotContains(t, strings.Split(got, "/"), "..")
	}
}
