package apm_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mcplumb/mcplumb/internal/linttest"
	"github.com/mcplumb/mcplumb/internal/rule"
)

// apmServer is a server of a manifest: one of the registry, with only its name, or one that it
// describes in full.
type apmServer struct {
	name         string
	pkg, version string // of one that it says all of, from PyPI
	url          string // of a remote one
	args         []string
	fromRegistry bool
}

// apmProject is a manifest, and what was locked when it was last installed.
type apmProject struct {
	manifest, locked []apmServer
	// packages reports that the lockfile has packages, any of which may have added a server.
	packages bool
}

func newAPMServer(random *rand.Rand, name string) apmServer {
	switch random.IntN(3) {
	case 0:
		return apmServer{name: "io.github.acme/" + name, fromRegistry: true}
	case 1:
		return apmServer{name: name, url: "https://" + name + ".acme.dev/mcp"}
	}
	return apmServer{name: name, pkg: name + "-mcp", version: linttest.OneOf(random, []string{"1.0.0", "2.0.0"}), args: []string{"--port", "80"}}
}

// apmAccidents are what people do to a manifest without installing it again.
var apmAccidents = []func(p *apmProject, at int){
	func(p *apmProject, _ int) {
		p.manifest = append(p.manifest, apmServer{name: "added", pkg: "added-mcp", version: "1.0.0"})
	},
	func(p *apmProject, _ int) {
		p.manifest = append(p.manifest, apmServer{name: "acme/added", fromRegistry: true})
	},
	func(p *apmProject, at int) { p.manifest = slices.Delete(p.manifest, at, at+1) },
	func(p *apmProject, at int) { p.manifest[at].name = "renamed" },
	func(p *apmProject, at int) {
		p.manifest[at].url = strings.Replace(p.manifest[at].url, "/mcp", "/v2", 1)
	},
	ofLocal(func(s *apmServer) { s.args = []string{"--port", "81"} }),
	ofLocal(func(s *apmServer) { s.version = "3.0.0" }),
	ofLocal(func(s *apmServer) { s.pkg = "quite-another" }),
}

// ofLocal is what happens to a server whose command the manifest has.
func ofLocal(change func(*apmServer)) func(*apmProject, int) {
	return func(p *apmProject, at int) {
		if p.manifest[at].pkg != "" {
			change(&p.manifest[at])
		}
	}
}

// runs is all that decides what a server is; of one of the registry nothing is
// known.
func (s *apmServer) runs() string {
	if s.fromRegistry {
		return ""
	}
	return "is " + s.pkg + s.url
}

// wants is what must be reported: the audit that compares the manifest with the lockfile, by name,
// and by what runs if a name is gone.
func (p *apmProject) wants() []string {
	var want []string
	left := slices.Clone(p.locked)
	take := func(is func(apmServer) bool) *apmServer {
		if i := slices.IndexFunc(left, is); i >= 0 {
			found := left[i]
			left = slices.Delete(left, i, i+1)
			return &found
		}
		return nil
	}
	var unknown []apmServer
	for _, s := range p.manifest {
		was := take(func(l apmServer) bool { return l.name == s.name })
		switch {
		case was == nil:
			unknown = append(unknown, s)
		case s.fromRegistry || was.fromRegistry:
		case s.runs() != was.runs(), !slices.Equal(s.args, was.args):
			want = append(want, "config-changed warning "+s.name)
		}
		if was != nil && s.runs() != "" && s.runs() == was.runs() && s.version != was.version {
			want = append(want, "version-conflict warning "+s.name)
		}
	}
	for _, s := range unknown {
		if take(func(l apmServer) bool { return s.runs() != "" && l.runs() == s.runs() }) != nil {
			want = append(want, "alias-drift warning "+s.name)
		} else {
			want = append(want, "unlocked-server note "+s.name)
		}
	}
	for _, l := range left {
		if !p.packages {
			want = append(want, "missing-server warning "+l.name)
		}
	}
	slices.Sort(want)
	return slices.Compact(want)
}

// entry writes a server as manifests and lockfiles have it.
func (s *apmServer) entry() string {
	switch {
	case s.fromRegistry:
		return fmt.Sprintf("{name: %s}", s.name)
	case s.url != "":
		return fmt.Sprintf("{name: %s, registry: false, transport: http, url: %q}", s.name, s.url)
	}
	args := strings.Join(append([]string{s.pkg + "==" + s.version}, s.args...), ", ")
	return fmt.Sprintf("{name: %s, registry: false, transport: stdio, command: uvx, args: [%s]}", s.name, args)
}

func (p *apmProject) files() linttest.Files {
	var manifest, locked strings.Builder
	for _, s := range p.manifest {
		manifest.WriteString("    - " + s.entry() + "\n")
	}
	for _, s := range p.locked {
		fmt.Fprintf(&locked, "  %s: %s\n", s.name, s.entry())
	}
	packages := "dependencies: []\n"
	if p.packages {
		packages = "dependencies: [{repo_url: acme/rules}]\n"
	}
	return linttest.Files{
		"apm.yml":       "name: shop\nversion: 1.0.0\ndependencies:\n  mcp:\n" + manifest.String(),
		"apm.lock.yaml": "lockfile_version: '1'\n" + packages + "mcp_configs:\n" + locked.String(),
	}
}

// randomAPMProject installs a manifest of up to four servers, and changes every
// second one since.
func randomAPMProject(random *rand.Rand) *apmProject {
	p := &apmProject{packages: random.IntN(4) == 0}
	for _, name := range []string{"alpha", "beta", "gamma", "delta"}[:1+random.IntN(4)] {
		p.manifest = append(p.manifest, newAPMServer(random, name))
	}
	p.locked = slices.Clone(p.manifest)
	if random.IntN(2) == 0 {
		linttest.OneOf(random, apmAccidents)(p, random.IntN(len(p.manifest)))
	}
	return p
}

// TestAPMProjects checks that there are no findings for what apm has installed, and findings for
// later changes of the manifest.
func TestAPMProjects(t *testing.T) {
	linttest.Agree(t, func(random *rand.Rand) linttest.Project {
		p := randomAPMProject(random)
		return linttest.Project{Files: p.files(), Want: p.wants()}
	}, func(f *rule.Finding) string { return f.Rule.ID + " " + f.Severity.String() + " " + f.Server })
}
