package holodeck_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mcplumb/mcplumb/internal/linttest"
	"github.com/mcplumb/mcplumb/internal/rule"
)

// hdServer is a tool of an agent or a server of the settings.
type hdServer struct {
	name, registry string // no registry name if a person wrote the entry
	other          bool   // a tool that is no server
	runs           string // its command, in YAML
}

// hdRegistry are servers of the registry, including two pairs with one name each, and what each
// runs.
var hdRegistry = map[string]string{
	"io.github.alice/files":       `command: npx, args: ["-y", "@alice/files@1.0.0"]`,
	"io.github.bob/files":         `command: uvx, args: ["bob-files==1.0.0"]`,
	"com.acme/my.tool":            `command: npx, args: ["-y", "@acme/my-tool@1.0.0"]`,
	"com.acme/my-tool":            `command: docker, args: ["run", "-i", "acme/tool:1.0.0"]`,
	"io.github.alice/server-time": `command: npx, args: ["-y", "@alice/server-time@1.0.0"]`,
}

// hdProject is an agent and the settings next to it.
type hdProject struct{ agent, settings []hdServer }

var hdInvalid, hdRuns = regexp.MustCompile(`[^0-9A-Za-z_]`), regexp.MustCompile(`_+`)

// hdShortName is the name that a server of the registry gets.
func hdShortName(registry string) string {
	last := registry[strings.LastIndexByte(registry, '/')+1:]
	return strings.Trim(hdRuns.ReplaceAllString(hdInvalid.ReplaceAllString(last, "_"), "_"), "_")
}

// hdPublished returns an entry as "mcp add" makes it, with a custom name now and then.
func hdPublished(random *rand.Rand) hdServer {
	registry := linttest.OneOf(random, linttest.SortedKeys(hdRegistry))
	s := hdServer{name: hdShortName(registry), registry: registry, runs: hdRegistry[registry]}
	if random.IntN(4) == 0 {
		s.name = linttest.OneOf(random, []string{"mine", "second"})
	}
	return s
}

// hdRefuses says for which entry, and why, "mcp add" would not add one to a list:
// first it looks for the registry name, then for the name.
func hdRefuses(list []hdServer, s hdServer) (why string) {
	for _, before := range list {
		if !before.other && s.registry != "" && before.registry == s.registry {
			return "already configured"
		}
	}
	for _, before := range list {
		switch {
		case before.name != s.name:
		case before.other:
			return "another tool's name"
		case before.registry != "" && s.registry != "":
			return "two servers of the registry"
		default:
			return "by hand"
		}
	}
	return ""
}

// hdAccidents are what people and merges do to a project.
var hdAccidents = []func(random *rand.Rand, p *hdProject){
	func(random *rand.Rand, p *hdProject) { p.agent = append(p.agent, hdPublished(random)) },
	func(random *rand.Rand, p *hdProject) { p.settings = append(p.settings, hdPublished(random)) },
	func(random *rand.Rand, p *hdProject) { p.settings = append(p.settings, p.own(random)) },
	func(random *rand.Rand, p *hdProject) {
		p.agent = append(p.agent, hdServer{name: "by_hand", runs: p.own(random).runs})
	},
	func(random *rand.Rand, p *hdProject) {
		s := linttest.OneOf(random, p.agent)
		p.settings = append(p.settings, hdServer{name: s.name, runs: `command: npx, args: ["-y", "own-mcp@1.0.0"]`})
	},
	func(random *rand.Rand, p *hdProject) { p.agent[random.IntN(len(p.agent))].registry = "" },
	func(random *rand.Rand, p *hdProject) { p.agent[random.IntN(len(p.agent))].name = "renamed" },
}

// own returns a server of the agent; the first of its tools is not a server.
func (p *hdProject) own(random *rand.Rand) hdServer { return linttest.OneOf(random, p.agent[1:]) }

// wants is what must be reported for the project.
func (p *hdProject) wants() []string {
	var want []string
	for _, list := range [][]hdServer{p.agent, p.settings} {
		for i, s := range list {
			switch {
			case s.other:
			case hdRefuses(list[:i], s) == "two servers of the registry":
				want = append(want, "short-name-collision error "+s.name)
			case hdRefuses(list[:i], s) == "another tool's name":
				want = append(want, "invalid-server error "+s.name)
			case hdRefuses(list[:i], s) != "":
				want = append(want, "duplicate-server error "+s.name)
			}
		}
	}
	var loaded []hdServer
	for _, s := range p.settings {
		own := slices.IndexFunc(p.agent, func(own hdServer) bool { return own.name == s.name })
		switch {
		case own < 0:
			loaded = append(loaded, s)
		case s.registry != "" && p.agent[own].registry == "":
			want = append(want, "shadowed-server warning "+s.name)
		default:
			want = append(want, "shadowed-server note "+s.name)
		}
	}
	want = append(want, hdStartedTwice(p.agent, loaded)...)
	slices.Sort(want)
	return slices.Compact(want)
}

// hdStartedTwice says which servers an agent starts a second time, its own or those that it takes
// from the settings.
func hdStartedTwice(agent, loaded []hdServer) []string {
	var want []string
	first := map[string]hdServer{} // by what they run
	for i, s := range slices.Concat(agent, loaded) {
		list := agent[:min(i, len(agent))]
		if i >= len(agent) {
			list = loaded[:i-len(agent)]
			if slices.ContainsFunc(agent, func(own hdServer) bool { return s.registry != "" && own.registry == s.registry }) {
				want = append(want, "alias-drift warning "+s.name)
			}
		}
		before, known := first[s.runs]
		switch {
		case s.other:
		case !known:
			first[s.runs] = s
		case hdRefuses(list, s) != "" && hdRefuses(list, s) != "another tool's name":
		case s.registry != "" && s.registry == before.registry && s.name != before.name: // an alias
		default:
			want = append(want, "duplicate-server warning "+s.name)
		}
	}
	return want
}

func (p *hdProject) files() linttest.Files {
	lines := func(list []hdServer) string {
		var items strings.Builder
		for _, s := range list {
			switch {
			case s.other:
				fmt.Fprintf(&items, "  - {type: prompt, name: %s, description: d}\n", s.name)
			case s.registry == "":
				fmt.Fprintf(&items, "  - {type: mcp, name: %s, description: d, %s}\n", s.name, s.runs)
			default:
				fmt.Fprintf(&items, "  - {type: mcp, name: %s, description: d, %s, registry_name: %s}\n", s.name, s.runs, s.registry)
			}
		}
		return items.String()
	}
	return linttest.Files{
		"agent.yaml": "name: a\nmodel: {provider: openai, name: gpt-4o}\ninstructions: {inline: Help.}\ntools:\n" + lines(p.agent),
		"config.yml": "mcp_servers:\n" + lines(p.settings),
	}
}

// randomHDProject adds servers that "mcp add" accepts to an agent and to its settings, and changes
// something in every second project.
func randomHDProject(random *rand.Rand) *hdProject {
	p := &hdProject{agent: []hdServer{{name: "ask", other: true}}}
	for range 1 + random.IntN(3) {
		if s := hdPublished(random); hdRefuses(p.agent, s) == "" {
			p.agent = append(p.agent, s)
		}
	}
	for range random.IntN(3) {
		if s := hdPublished(random); hdRefuses(p.settings, s) == "" {
			p.settings = append(p.settings, s)
		}
	}
	if random.IntN(2) == 0 {
		for range 1 + random.IntN(2) {
			linttest.OneOf(random, hdAccidents)(random, p)
		}
	}
	return p
}

// TestHolodeckProjects checks that what HoloDeck's own command adds has no findings, except for
// conflicts of agent and settings, and that what it would refuse is reported.
func TestHolodeckProjects(t *testing.T) {
	linttest.Agree(t, func(random *rand.Rand) linttest.Project {
		p := randomHDProject(random)
		return linttest.Project{Files: p.files(), Want: p.wants()}
	}, func(f *rule.Finding) string {
		if f.Severity < rule.Warning && f.Rule.ID != "shadowed-server" {
			return ""
		}
		return f.Rule.ID + " " + f.Severity.String() + " " + f.Server
	})
}
