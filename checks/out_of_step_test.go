package checks_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/writing"
)

// drifts is how many changes TestOutOfStepIsFixed tries in each client's file.
var drifts = flag.Int("drifts", 2, "changes of a source to be written into each file")

// launchOf is a made-up server of a source.
type launchOf struct {
	name, url, command string
	args               []string
	env                map[string]string
}

// entry returns the server as .mcp.json has it.
func (l *launchOf) entry() string {
	if l.url != "" {
		return fmt.Sprintf(`%q: {"type": "http", "url": %q}`, l.name, l.url)
	}
	quoted := make([]string, len(l.args))
	for i, arg := range l.args {
		quoted[i] = fmt.Sprintf("%q", arg)
	}
	text := fmt.Sprintf(`%q: {"command": %q, "args": [%s]`, l.name, l.command, strings.Join(quoted, ", "))
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(l.env)) {
		pairs = append(pairs, fmt.Sprintf("%q: %q", name, l.env[name]))
	}
	if len(pairs) > 0 {
		text += `, "env": {` + strings.Join(pairs, ", ") + "}"
	}
	return text + "}"
}

// randomLaunches returns servers that most clients can say.
func randomLaunches(r *rand.Rand) []*launchOf {
	var all []*launchOf
	for i := range 2 + r.IntN(4) {
		l := &launchOf{name: fmt.Sprintf("server-%d", i)}
		if r.IntN(4) == 0 {
			l.url = fmt.Sprintf("https://hub%d.corp.internal/mcp", i)
		} else {
			l.command, l.args = "npx", []string{"-y", fmt.Sprintf("@acme/tool-%d@1.0.0", i)}
			l.args = append(l.args, []string{"--read-only", "--level", "3", "two words", "ünï"}[:r.IntN(6)]...)
			l.env = map[string]string{}
			for _, name := range []string{"MODE", "TOKEN", "LOG"}[:r.IntN(4)] {
				l.env[name] = map[string]string{"MODE": "read", "TOKEN": "${TOKEN}", "LOG": "a b"}[name]
			}
		}
		all = append(all, l)
	}
	return all
}

// mutations change a server in one part. Those that cannot change it return false.
func mutations() map[string]func(l *launchOf) bool {
	isProgram := func(l *launchOf) bool { return l.url == "" }
	return map[string]func(l *launchOf) bool{
		"version": func(l *launchOf) bool {
			if isProgram(l) {
				l.args[1] = strings.Replace(l.args[1], "1.0.0", "1.0.1", 1)
			}
			return isProgram(l)
		},
		"package": func(l *launchOf) bool {
			if isProgram(l) {
				l.args[1] = strings.Replace(l.args[1], "tool", "other", 1)
			}
			return isProgram(l)
		},
		"another argument": func(l *launchOf) bool {
			if len(l.args) < 3 {
				return false
			}
			l.args[len(l.args)-1] += "-other"
			return true
		},
		"an argument more": func(l *launchOf) bool {
			if isProgram(l) {
				l.args = append(l.args, "--more")
			}
			return isProgram(l)
		},
		"an argument in front": func(l *launchOf) bool {
			if isProgram(l) {
				l.args = slices.Insert(l.args, 2, "--first")
			}
			return isProgram(l)
		},
		"an argument less": func(l *launchOf) bool {
			if len(l.args) < 3 {
				return false
			}
			l.args = l.args[:len(l.args)-1]
			return true
		},
		"another value": func(l *launchOf) bool {
			if l.env["MODE"] == "" {
				return false
			}
			l.env["MODE"] = "write"
			return true
		},
		"a variable more": func(l *launchOf) bool {
			if isProgram(l) {
				l.env["MORE"] = "1"
			}
			return isProgram(l)
		},
		"a variable less": func(l *launchOf) bool {
			_, ok := l.env["MODE"]
			delete(l.env, "MODE")
			return ok
		},
		"address": func(l *launchOf) bool {
			l.url = strings.Replace(l.url, "/mcp", "/v2/mcp", 1)
			return l.url != ""
		},
		"a program for an address": func(l *launchOf) bool {
			if isProgram(l) {
				return false
			}
			l.url, l.command, l.args, l.env = "", "uvx", []string{"acme-mcp==1.0.0"}, map[string]string{}
			return true
		},
		"name alone": func(l *launchOf) bool {
			l.name += "-renamed"
			return true
		},
		"name": func(l *launchOf) bool {
			l.name, l.command = "renamed", "pnpx"
			if isProgram(l) {
				l.args[1] = "@acme/new@2.0.0"
				return true
			}
			l.url = "https://new.corp.internal/mcp"
			return true
		},
	}
}

// sourceWith returns .mcp.json with servers.
func sourceWith(all []*launchOf) string {
	var entries []string
	for _, l := range all {
		entries = append(entries, l.entry())
	}
	return `{"mcpServers": {` + strings.Join(entries, ", ") + "}}"
}

// writable returns a path for each file that a client reads next to .mcp.json and that servers
// may be written into.
func writable() []string {
	ix := format.Known()
	var paths []string
	for _, f := range format.All() {
		path := strings.ReplaceAll(f.Paths[0], "*", "x")
		if _, ok := writing.OwnTarget(ix, path); ok && path != ".mcp.json" && path != ".github/mcp.json" && !strings.HasSuffix(path, "recipe.yaml") {
			paths = append(paths, path)
		}
	}
	return paths
}

// outOfStepIn returns the findings at warning and above in or about a file, and its servers.
func outOfStepIn(t *testing.T, files map[string]string, path string) (found []rule.Finding, servers map[string]string) {
	t.Helper()
	result, err := lintTree(t.Context(), source.Memory(files))
	require.NoError(t, err)
	require.Empty(t, result.Errors, path)
	for _, f := range result.Findings {
		if f.Rule == checks.OutOfStep && f.Severity >= rule.Warning {
			found = append(found, f)
		}
	}
	return found, entriesOf(result, path)
}

// entriesOf returns the entries of a file as they are written, by name.
func entriesOf(result *lint.Result, path string) map[string]string {
	entries := map[string]string{}
	for _, p := range result.Repo.Projects {
		for _, d := range p.Documents {
			for _, s := range d.Servers {
				if d.File.Path == path {
					entries[s.Name] = string(d.File.Bytes[s.Span.Start:s.Span.End])
				}
			}
		}
	}
	return entries
}

// TestOutOfStepIsFixed writes random servers into the file of every client, changes one of them
// in the source in every way, and checks that this is reported, fixed, and then silent, and that
// no byte of another entry changes.
func TestOutOfStepIsFixed(t *testing.T) {
	isRule := func(f *rule.Finding) bool { return f.Rule == checks.OutOfStep }
	paths := writable()
	require.Greater(t, len(paths), 30)
	names := slices.Sorted(maps.Keys(mutations()))
	for seed, path := range paths {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		for try := range *drifts {
			name := names[(seed**drifts+try)%len(names)]
			launches := randomLaunches(r)
			files := map[string]string{
				".mcplumb.yaml": "in-step: [{files: [.mcp.json, " + path + "], source: .mcp.json}]\n", ".mcp.json": sourceWith(launches),
			}
			files = after(files, applyFixes(t, files, isRule))
			found, before := outOfStepIn(t, files, path)
			require.Empty(t, found, "%s: %s is not created in step", name, path)
			i := r.IntN(len(launches))
			was := launches[i].name
			if len(before) == 0 {
				continue
			}
			if !mutations()[name](launches[i]) {
				continue
			}
			files[".mcp.json"] = sourceWith(launches)
			found, _ = outOfStepIn(t, files, path)
			if before[was] == "" {
				continue // its client cannot say it
			}
			fixed := after(files, applyFixes(t, files, isRule))
			left, now := outOfStepIn(t, fixed, path)
			canSay := len(found) > 0 && len(found[0].Fixes) > 0
			assert.True(t, len(found) == 1 && (canSay || found[0].NoFixReason != ""), "%s is not reported in %s:\n%s\n%s", name, path, files[".mcp.json"], files[path])
			assert.Equal(t, canSay, len(left) == 0, "%s is not fixed in %s:\n%s\n%s", name, path, fixed[".mcp.json"], fixed[path])
			for other, text := range before {
				if other != was {
					assert.Equal(t, text, now[other], "%s of %s", other, path)
				}
			}
		}
	}
}
