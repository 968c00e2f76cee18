package fixpr

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestHostIn: the host in the address of a clone, as git takes them (docs: "GIT URLS").
func TestHostIn(t *testing.T) {
	for origin, want := range map[string]string{
		"https://github.com/acme/web.git":        "github.com",
		"https://x:y@GitHub.com/acme/web":        "github.com",
		"ssh://git@ssh.github.com:443/acme/web":  "ssh.github.com",
		"git@github.com:acme/web.git":            "github.com",
		"git.acme.dev:acme/web":                  "git.acme.dev",
		"work:acme/web":                          "work",
		"file:///srv/web.git":                    "",
		"/srv/web:2.git":                         "",
		"../web.git":                             "",
		"":                                       "",
		"https://git.acme.dev:8443/acme/web.git": "git.acme.dev",
	} {
		assert.Equal(t, want, hostIn(origin), origin)
	}
	for _, here := range []string{"https://github.com/acme/web", "ssh://git@ssh.github.com:443/acme/web", "work:acme/web", "/srv/web", ""} {
		assert.False(t, isElsewhere(here), here)
	}
	for _, there := range []string{"https://git.acme.dev/acme/web", "git@git.acme.dev:acme/web", "https://github.com.evil.dev/acme/web"} {
		assert.True(t, isElsewhere(there), there)
	}
}
