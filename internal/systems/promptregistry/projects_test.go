package promptregistry_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mcplumb/mcplumb/internal/linttest"
	"github.com/mcplumb/mcplumb/internal/rule"
)

// prEntry is a server of .vscode/mcp.json: as its bundle has it, as prompt-registry wrote it, and
// as it is there now.
type prEntry struct {
	name, bundle           string // no bundle for one that a person wrote
	template, written, now map[string]any
	off                    bool
	repeats                string // the entry that it duplicates according to its description
}

// prProject is a project whose bundles prompt-registry has installed.
type prProject struct {
	file    []*prEntry
	tracked []*prEntry
}

// prTemplates are what bundles add. Several start the same and differ only in what prompt-registry
// ignores.
func prTemplates() []map[string]any {
	return []map[string]any{
		linttest.CommandOf("node", "tools/one.js"),
		with(linttest.CommandOf("node", "tools/one.js"), "env", map[string]any{"LEVEL": "1"}),
		with(linttest.CommandOf("node", "tools/one.js"), "env", map[string]any{"LEVEL": "2"}),
		linttest.CommandOf("node", "tools/one.js", "--read-only"),
		linttest.CommandOf("npx", "-y", "two-mcp", "--name", "${bundleId}-${bundleVersion}"),
		with(linttest.CommandOf("uvx", "three-mcp"), "env", map[string]any{"LEVEL": "1", "REGION": "${env:REGION}"}),
		{"type": "http", "url": "https://four.acme.dev/mcp"},
		{"type": "sse", "url": "https://four.acme.dev/mcp"},
		{"url": "https://four.acme.dev/mcp", "headers": map[string]any{"X-Tools": "all"}},
		{"type": "http", "url": "https://${env:HOST}/five/mcp"},
	}
}

func with(entry map[string]any, name string, value any) map[string]any {
	entry[name] = value
	return entry
}

// prFilled is a template after its installation.
func prFilled(value any, bundle string) any {
	switch value := value.(type) {
	case string:
		return strings.NewReplacer("${bundleId}", bundle, "${bundleVersion}", "1.2.0",
			"${env:REGION}", "eu", "${env:HOST}", "five.acme.dev").Replace(value)
	case []string:
		filled := []string{}
		for _, text := range value {
			filled = append(filled, prFilled(text, bundle).(string))
		}
		return filled
	case map[string]any:
		filled := map[string]any{}
		for name, member := range value {
			filled[name] = prFilled(member, bundle)
		}
		return filled
	}
	return value
}

// install adds what a bundle brings, each at the end of the file.
func (p *prProject) install(random *rand.Rand, bundle string) {
	for _, server := range []string{"alpha", "beta", "gamma"}[:1+random.IntN(3)] {
		template := linttest.OneOf(random, prTemplates())
		written := prFilled(template, bundle).(map[string]any)
		e := &prEntry{
			name: "prompt-registry:" + bundle + ":" + server, bundle: bundle,
			template: template, written: written, now: prFilled(written, bundle).(map[string]any),
		}
		p.file, p.tracked = append(p.file, e), append(p.tracked, e)
	}
}

// prIdentity is how prompt-registry tells servers apart: by the URL of a remote
// one, by the command and the arguments of any other.
func (e *prEntry) prIdentity() string {
	if url, ok := e.now["url"]; ok {
		return "remote:" + url.(string)
	}
	return fmt.Sprint("stdio:", e.now["command"], ":", strings.Join(e.now["args"].([]string), "|"))
}

// settings is what prompt-registry ignores.
func (e *prEntry) settings() string {
	env, _ := e.now["env"].(map[string]any)
	headers, _ := e.now["headers"].(map[string]any)
	return fmt.Sprint(env, headers)
}

// switchOff is the pass over the whole file that follows an installation for one
// user: of entries that run, the first of each server stays.
func (p *prProject) switchOff() {
	first := map[string]*prEntry{}
	for _, e := range p.file {
		switch kept := first[e.prIdentity()]; {
		case e.off:
		case kept == nil:
			first[e.prIdentity()] = e
		default:
			e.off, e.repeats = true, kept.name
		}
	}
}

// uninstall takes a bundle out. What was switched off in favour of its servers
// stays off: prompt-registry forgets to write that down.
func (p *prProject) uninstall(bundle string) {
	theirs := func(e *prEntry) bool { return e.bundle == bundle }
	p.file, p.tracked = slices.DeleteFunc(p.file, theirs), slices.DeleteFunc(p.tracked, theirs)
}

// prAccidents are what people and merges do to a project.
var prAccidents = []func(random *rand.Rand, p *prProject, e *prEntry){
	func(_ *rand.Rand, p *prProject, e *prEntry) {
		p.file = slices.DeleteFunc(p.file, func(other *prEntry) bool { return other == e })
	},
	func(_ *rand.Rand, p *prProject, e *prEntry) {
		p.tracked = slices.DeleteFunc(p.tracked, func(other *prEntry) bool { return other == e })
	},
	func(_ *rand.Rand, _ *prProject, e *prEntry) { e.off, e.repeats = false, "" },
	func(random *rand.Rand, p *prProject, _ *prEntry) { p.uninstall(linttest.OneOf(random, p.file).bundle) },
	func(random *rand.Rand, p *prProject, _ *prEntry) {
		p.install(random, fmt.Sprintf("late%d", len(p.file)))
	},
	func(_ *rand.Rand, _ *prProject, e *prEntry) {
		if args, ok := e.now["args"].([]string); ok {
			e.now["args"] = append(slices.Clone(args), "--verbose")
		} else {
			e.now["url"] = strings.Replace(e.now["url"].(string), "/mcp", "/v2", 1)
		}
	},
	func(random *rand.Rand, _ *prProject, e *prEntry) {
		env, ok := e.now["env"].(map[string]any)
		switch {
		case e.now["command"] == nil:
			delete(e.now, "headers")
		case ok && random.IntN(2) == 0:
			env["LEVEL"] = "9"
		case ok:
			delete(env, "LEVEL")
		default:
			e.now["env"] = map[string]any{"ADDED": "1"}
		}
	},
}

// wants is what must be reported for the project.
func (p *prProject) wants() []string {
	var want []string
	for i, e := range p.file {
		want = append(want, prDuplicates(p.file[:i], e)...)
		if e.bundle == "" {
			continue
		}
		if !slices.Contains(p.tracked, e) {
			want = append(want, "unlocked-server note "+e.name)
		} else if severity := prDrift(e); severity != "" {
			want = append(want, "config-changed "+severity+" "+e.name)
		}
	}
	for _, e := range p.tracked {
		if !slices.Contains(p.file, e) {
			want = append(want, "missing-server warning "+e.name)
		}
	}
	want = append(want, prOrphans(p.file)...)
	slices.Sort(want)
	return slices.Compact(want)
}

// prDuplicates says whether an entry runs what one before it runs. If they differ in what
// prompt-registry ignores, it is a duplicate for that tool alone, and only of one of its own
// entries.
func prDuplicates(before []*prEntry, e *prEntry) []string {
	if e.off {
		return nil
	}
	var want []string
	first := true
	for _, other := range before {
		if other.off || other.prIdentity() != e.prIdentity() {
			continue
		}
		if other.settings() == e.settings() {
			want = append(want, "duplicate-server warning "+e.name)
		} else if first && other.bundle+e.bundle != "" {
			want = append(want, "duplicate-server note "+e.name)
		}
		first = false
	}
	return want
}

// prDrift grades how an entry differs from what was written.
func prDrift(e *prEntry) string {
	for _, name := range []string{"command", "args", "url"} {
		if fmt.Sprint(e.written[name]) != fmt.Sprint(e.now[name]) {
			return "warning"
		}
	}
	severity := ""
	for _, name := range []string{"env", "headers"} {
		was, _ := e.written[name].(map[string]any)
		now, _ := e.now[name].(map[string]any)
		for key := range was {
			if was[key] != now[key] {
				return "warning"
			}
		}
		if len(now) > len(was) {
			severity = "note"
		}
	}
	return severity
}

// prOrphans returns the first of every server that no file runs although an entry
// says that it only repeats one.
func prOrphans(file []*prEntry) []string {
	runs, names, said := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, e := range file {
		runs[e.prIdentity()] = runs[e.prIdentity()] || !e.off
		names[e.name] = !e.off
	}
	var want []string
	for _, e := range file {
		if key := e.prIdentity(); e.off && !runs[key] && !names[e.repeats] && !said[key] {
			said[key] = true
			want = append(want, "orphaned-duplicate warning "+e.name)
		}
	}
	return want
}

// files writes the project as prompt-registry does.
func (p *prProject) files() linttest.Files {
	var servers []string
	for _, e := range p.file {
		entry := maps.Clone(e.now)
		if e.off {
			entry["disabled"] = true
			entry["description"] = "Duplicate of " + e.repeats + " (from bundle x)"
		}
		servers = append(servers, fmt.Sprintf("%q: %s", e.name, linttest.ToJSON(entry)))
	}
	tracked := map[string]any{}
	for _, e := range p.tracked {
		tracked[e.name] = map[string]any{"bundleId": e.bundle, "bundleVersion": "1.2.0", "originalName": e.name, "originalConfig": e.template}
	}
	return linttest.Files{
		".vscode/mcp.json":                          `{"servers": {` + strings.Join(servers, ",\n") + `}}`,
		".vscode/prompt-registry-mcp-tracking.json": linttest.ToJSON(map[string]any{"managedServers": tracked, "version": "1.0.0"}),
	}
}

// randomPRProject installs up to four bundles in addition to what a person has written, disables
// what repeats, and changes something in every second project.
func randomPRProject(random *rand.Rand) *prProject {
	p := &prProject{}
	for _, name := range []string{"mine", "other"}[:random.IntN(3)] {
		entry := prFilled(linttest.OneOf(random, prTemplates()[:4]), "").(map[string]any)
		p.file = append(p.file, &prEntry{name: name, written: entry, now: entry})
	}
	for _, bundle := range []string{"a", "b", "c", "d"}[:1+random.IntN(4)] {
		p.install(random, bundle)
	}
	p.switchOff()
	if random.IntN(2) == 0 {
		for range 1 + random.IntN(3) {
			if len(p.file) > 0 {
				linttest.OneOf(random, prAccidents)(random, p, linttest.OneOf(random, p.file))
			}
		}
	}
	return p
}

// TestPromptRegistryProjects checks that what prompt-registry has installed has no findings, and
// that later changes are reported.
func TestPromptRegistryProjects(t *testing.T) {
	linttest.Agree(t, func(random *rand.Rand) linttest.Project {
		p := randomPRProject(random)
		return linttest.Project{Files: p.files(), Want: p.wants()}
	}, func(f *rule.Finding) string {
		if f.Severity < rule.Warning && !slices.Contains([]string{"config-changed", "duplicate-server", "unlocked-server"}, f.Rule.ID) {
			return ""
		}
		return f.Rule.ID + " " + f.Severity.String() + " " + f.Server
	})
}
