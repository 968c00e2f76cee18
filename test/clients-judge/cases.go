package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// usual is the name of an entry whose name does not matter.
const usual = "case"

// testCase is one file that a client judges, or one entry of a file.
type testCase struct {
	// ID names the case: a group, a slash, and the variation, such as
	// "member/stdio.args=5".
	ID   string
	Path string // of the file, from the root of a project
	Text string // of the file
	Name string // of the entry
	// Entry is the entry under the usual name: several of these may share a file with a
	// client that skips what it does not load. It is "" where the name or the file matters.
	Entry string
	// Wanted is the value after the client expands its variable, and Written is the value
	// before; both are "" if the case does not test a variable.
	Written, Wanted string
}

// client is a client that can judge cases.
type client struct {
	id, title string
	// isReader reports that only the client's reader runs, which does not show what the
	// client refuses later in an entry.
	isReader bool
	cases    func() []testCase
	// judge asks the client of a project about cases.
	judge func(*jury, []testCase) ([]record, error)
}

// clients are those that can judge a file without starting a server.
func clients() []client {
	return []client{
		{"claude-code", "Claude Code", false, claudeCases, judgeClaude},
		{"codex", "Codex", false, codexCases, judgeCodex},
		{"gemini-cli", "Gemini CLI", true, func() []testCase { return settingsCases(".gemini/settings.json") }, judgeSettings},
		{"opencode", "opencode", false, opencodeCases, judgeOpencode},
		{"qwen", "Qwen Code", true, func() []testCase { return settingsCases(".qwen/settings.json") }, judgeSettings},
	}
}

// member is a member of an object and its value, both as they are written.
type member struct{ key, value string }

// object writes members as an object of JSON, in their order.
func object(members ...member) string {
	parts := make([]string, len(members))
	for i, m := range members {
		parts[i] = quoted(m.key) + ": " + m.value
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// with returns members with one more, which replaces any of the same name.
func with(members []member, key, value string) []member {
	i := slices.IndexFunc(members, func(m member) bool { return m.key == key })
	if i < 0 {
		return append(slices.Clone(members), member{key, value})
	}
	all := slices.Clone(members)
	all[i].value = value
	return all
}

// quoted writes a string of JSON, and of TOML.
func quoted(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err) // a string can always be written
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// base is an entry that the client loads, to which something is done.
type base struct {
	id      string
	members []member
}

// syntax is one way to write a variable: as written, and as expanded.
type syntax struct{ id, written, wanted string }

// syntaxes are the ways of all clients to write a variable. For the clients that run, SET
// has the value "filled", and UNSET has none.
func syntaxes() []syntax {
	return []syntax{
		{"braced", "${SET}", "filled"},
		{"braced-unset", "${UNSET}", ""},
		{"default", "${UNSET:-d}", "d"},
		{"default-empty", "${UNSET:-}", ""},
		{"default-set", "${SET:-d}", "filled"},
		{"nested-default", "${UNSET:-${SET}}", "filled"},
		{"nested-default-twice", "${UNSET:-${UNSET:-d}}", "d"},
		{"default-dash", "${UNSET-d}", "d"},
		{"default-assign", "${UNSET:=d}", "d"},
		{"default-error", "${SET:?d}", "filled"},
		{"dotted", "${x.y}", "filled"},
		{"dashed", "${SET-Y}", "filled"},
		{"blank-within", "${X Y}", "filled"},
		{"blanks", "${ SET }", "filled"},
		{"file", "${file:x}", "filled"},
		{"env", "${env:SET}", "filled"},
		{"input", "${input:SET}", "filled"},
		{"workspace-folder", "${workspaceFolder}", "filled"},
		{"project-dir", "${CLAUDE_PROJECT_DIR}", "filled"},
		{"project-dir-default", "${CLAUDE_PROJECT_DIR:-.}", "."},
		{"bare", "$SET", "filled"},
		{"percent", "%SET%", "filled"},
		{"mustache", "{{SET}}", "filled"},
		{"secrets", "${{ secrets.SET }}", "filled"},
		{"opencode", "{env:SET}", "filled"},
		{"command", "$(echo SET)", "filled"},
	}
}

// place is a value of an entry in which a variable may stand: AT is where.
type place struct{ id, entry string }

// variables writes every variable into every place. The value has text before and after it,
// so that the expansion is visible.
func variables(places []place, make func(id, entry string) testCase) []testCase {
	var all []testCase
	for _, p := range places {
		for _, s := range syntaxes() {
			c := make("variable/"+p.id+"="+s.id, strings.Replace(p.entry, "AT", "a-"+s.written+"-z", 1))
			c.Written, c.Wanted = "a-"+s.written+"-z", "a-"+s.wanted+"-z"
			all = append(all, c)
		}
	}
	return all
}

// words are the values of the enumerations of all clients, and some of none.
func words() []string {
	return []string{
		"", "stdio", "local", "http", "sse", "ws", "streamable-http", "streamableHttp", "streamable_http", "remote", "docker", "STDIO", "Http", "sdk", "websocket",
	}
}

// names are names of servers: of registries, with every kind of character, of the
// language that a client is written in.
func names() []string {
	return []string{
		"a-b", "a_b", "A1", "1", "a.b", "io.github.acme/mcp", "@acme/mcp", "a:b", "plugin:x:y", "a b", " a", "a ", "a+b", "a,b", "a*b", `a\b`, "a(b", "a#b",
		"é", "日本", "", "${SET}", "$SET", "a\tb", "a'b", `a"b`, "constructor", "toString", "ide", "mcp", strings.Repeat("n", 65), strings.Repeat("n", 300),
	}
}

// unique numbers the IDs that occur twice: their order does not matter.
func unique(cases []testCase) []testCase {
	count := map[string]int{}
	for i := range cases {
		c := &cases[i]
		c.ID = strings.Map(func(r rune) rune {
			if r <= ' ' || r == '*' {
				return '_'
			}
			return r
		}, shortened(c.ID))
		if count[c.ID]++; count[c.ID] > 1 {
			c.ID += "#" + strconv.Itoa(count[c.ID])
		}
	}
	return cases
}

// shortened cuts the middle out of a long text.
func shortened(text string) string {
	const most = 90
	if len(text) <= most {
		return text
	}
	return text[:60] + fmt.Sprintf("…%d", len(text))
}
