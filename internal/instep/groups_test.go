package instep_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/instep"
	"github.com/mcplumb/mcplumb/internal/link"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// place is where the files of groups are, and what is odd about some of them.
type place struct {
	repo  *mcp.Repo
	texts map[string]string
	// links are other names of files, repositories the directories of other repositories in this
	// one, and said the files whose errors are already reported.
	links              map[string]string
	repositories, said []string
}

// placeOf reads the files of an archive. One with only "-> PATH" is another name of a file, which
// clients read as if it had that name.
func placeOf(t *testing.T, archive string) *place {
	t.Helper()
	index := format.Known()
	p := &place{texts: map[string]string{}, links: map[string]string{}}
	files := txtar.Parse([]byte(archive)).Files
	for _, f := range files {
		p.texts[f.Name] = string(f.Data)
	}
	var parts []link.Part
	for _, f := range files {
		path := f.Name
		if to, isLink := strings.CutPrefix(strings.TrimSpace(string(f.Data)), "-> "); isLink {
			p.links[f.Name] = to
			path = to
		}
		match, known := index.Lookup(f.Name)
		if !known {
			continue
		}
		if doc, err := format.Read(syntax.NewFile(path, []byte(p.texts[path])), match); err == nil && doc != nil {
			doc.Role = format.RoleOf(f.Name)
			parts = append(parts, link.Part{Dir: match.Dir, Document: doc})
		}
	}
	p.repo = link.Repo(parts)
	return p
}

// read is as instep.Input has it.
func (p *place) read(path string) (*syntax.File, error) {
	for _, said := range p.said {
		if path == said {
			return nil, instep.ErrReported
		}
	}
	real := path
	if to, isLink := p.links[path]; isLink {
		real = to
	}
	text, isThere := p.texts[real]
	switch {
	case !isThere:
		return nil, nil
	case strings.Contains(text, "too big"):
		return nil, errors.New("is too big")
	}
	return syntax.NewFile(real, []byte(text)), nil
}

func (p *place) inRepository(path string) string {
	for _, dir := range p.repositories {
		if strings.HasPrefix(path, dir+"/") {
			return dir
		}
	}
	return ""
}

// fill compares files under settings, and writes the result: for each server the entry that the
// others are compared with and what is reported about them, then what is only in some files, what
// may differ, and what could not be compared.
func (p *place) fill(groups ...mcp.GroupSettings) string {
	problems := instep.Fill(instep.Input{
		Repo: p.repo, Index: format.Known(), Groups: groups, Read: p.read, Repository: p.inRepository,
	})
	text := gridOf(p.repo.Groups)
	for _, problem := range problems {
		kind := "problem"
		switch {
		case problem.IsNotice:
			kind = "notice"
		case problem.IsFull:
			kind = "full"
		}
		text += strings.Join(strings.Fields(kind+": "+problem.Path+" "+problem.Message), " ") + "\n"
	}
	return text
}

func gridOf(groups []*mcp.Group) string {
	var b strings.Builder
	for _, g := range groups {
		var files []string
		for _, f := range g.Files {
			name := f.Path
			if f == g.Source {
				name += " (source)"
			}
			if f.Document == nil {
				name += " (not there)"
			}
			files = append(files, name)
		}
		fmt.Fprintf(&b, "/%s: %s\n", g.Dir, strings.Join(files, ", "))
		for _, row := range g.Rows {
			fmt.Fprintf(&b, "  %s as in %s", row.Name, row.Server.Document.File.Path)
			if row.IsOpen {
				b.WriteString(", or not")
			}
			if row.Repeats {
				b.WriteString(", again")
			}
			for _, c := range row.Cells {
				if c.Server != row.Server {
					fmt.Fprintf(&b, "\n    %s: %s", c.File.Path, cellText(c))
				}
			}
			b.WriteString("\n")
		}
		for _, row := range g.Excepted {
			fmt.Fprintf(&b, "  %s may differ:", row.Name)
			for _, c := range row.Cells {
				fmt.Fprintf(&b, " %s", c.File.Path)
			}
			b.WriteString("\n")
		}
		for _, f := range g.Files {
			for _, s := range f.Extra {
				fmt.Fprintf(&b, "  %s is only in %s\n", s.Name, f.Path)
			}
		}
	}
	return b.String()
}

// following are settings by which files follow the first of them.
func following(files ...string) mcp.GroupSettings {
	return mcp.GroupSettings{Files: files, Source: files[0]}
}

// TestFilesOfAGroup shows what happens to the files that the settings name: missing ones are to be
// written, and there is a reason for each one left out.
func TestFilesOfAGroup(t *testing.T) {
	const a = `{"mcpServers": {"a": {"command": "a"}}}`
	file := func(path, text string) string { return "-- " + path + " --\n" + text + "\n" }
	source := file(".mcp.json", a)
	const missing = "  a as in .mcp.json\n    .cursor/mcp.json: missing\n"
	for name, test := range map[string]struct {
		archive string
		change  func(*place)
		want    string
	}{
		"not there":           {source, nil, "/: .mcp.json (source), .cursor/mcp.json (not there)\n" + missing},
		"without servers":     {source + file(".cursor/mcp.json", "{}"), nil, "/: .mcp.json (source), .cursor/mcp.json\n" + missing},
		"empty":               {source + "-- .cursor/mcp.json --\n", nil, "/: .mcp.json (source), .cursor/mcp.json\n" + missing},
		"broken":              {source + file(".cursor/mcp.json", "{"), nil, "problem: .cursor/mcp.json is in a group of in-step, but does not parse\n"},
		"broken and reported": {source + file(".cursor/mcp.json", "{"), func(p *place) { p.said = []string{".cursor/mcp.json"} }, ""},
		"not to be read":      {source + file(".cursor/mcp.json", "too big"), nil, "problem: .cursor/mcp.json is in a group of in-step, but is too big\n"},
		"another name of a file": {source + file(".cursor/mcp.json", "-> shared/mcp.json") + file("shared/mcp.json", `{"mcpServers": {"a": {"command": "b"}}}`), nil,
			"/: .mcp.json (source), .cursor/mcp.json\n  a as in .mcp.json\n    .cursor/mcp.json: differs; program at \"b\"\n"},
		"another name of a file without servers": {source + file(".cursor/mcp.json", "-> shared.json") + file("shared.json", "{}"), nil, "/: .mcp.json (source), .cursor/mcp.json\n" + missing},
		"another name of the source":             {source + file(".cursor/mcp.json", "-> .mcp.json"), nil, ""},
		"in another repository": {source, func(p *place) { p.repositories = []string{".cursor"} },
			"problem: .cursor/mcp.json is in a group of in-step, but belongs to another repository, where mcplumb writes nothing\n"},
		"a link into another repository": {source + file(".cursor/mcp.json", "-> other/mcp.json") + file("other/mcp.json", a), func(p *place) { p.repositories = []string{"other"} },
			"problem: .cursor/mcp.json is in a group of in-step, but belongs to another repository, where mcplumb writes nothing\n"},
		"servers under a key of another client": {source + file(".cursor/mcp.json", `{"servers": {"a": {"command": "a"}}}`), nil,
			"problem: .cursor/mcp.json is in a group of in-step, but Cursor does not look for servers at that place in it\n"},

		"no source":                {file(".cursor/mcp.json", a), nil, "problem: .mcp.json is the source of a group of in-step, but does not exist\n"},
		"an empty source":          {"-- .mcp.json --\n \n" + file(".cursor/mcp.json", a), nil, "problem: .mcp.json is the source of a group of in-step, but is empty\n"},
		"a broken source":          {file(".mcp.json", "{") + file(".cursor/mcp.json", a), nil, "problem: .mcp.json is in a group of in-step, but does not parse\n"},
		"a source without servers": {file(".mcp.json", "{}") + file(".cursor/mcp.json", a), nil, "/: .mcp.json (source), .cursor/mcp.json\n"},
	} {
		p := placeOf(t, test.archive)
		if test.change != nil {
			test.change(p)
		}
		assert.Equal(t, test.want, p.fill(following(".mcp.json", ".cursor/mcp.json")), name)
	}
}

// TestFilesThatCannotFollow: there is a reason for each left-out file that the settings name, and
// none for one that a pattern finds.
func TestFilesThatCannotFollow(t *testing.T) {
	const a = `{"mcpServers": {"a": {"command": "a"}}}`
	for path, test := range map[string]struct{ text, want string }{
		"x/mcp-servers.json":           {a, "but no known client reads servers there that mcplumb can write"},
		"x/.codex/config.toml.example": {"[mcp_servers.a]\ncommand = \"a\"\n", "but no client that mcplumb knows loads servers from it"},
		"x/.mcp.json":                  {`{"context_servers": {"a": {"command": "a"}}}`, "but Claude Code does not look for servers at that place in it"},
		"x/.github/mcp.json":           {a, "but GitHub Copilot CLI reads x/.mcp.json instead"},
	} {
		archive := "-- .mcp.json --\n" + a + "\n-- " + path + " --\n" + test.text + "\n"
		if strings.Contains(path, ".github") {
			archive += "-- x/.mcp.json --\n" + a + "\n"
		}
		assert.Equal(t, "problem: "+path+" is in a group of in-step, "+test.want+"\n", placeOf(t, archive).fill(following(".mcp.json", path)), path)
		assert.Empty(t, placeOf(t, archive).fill(following(".mcp.json", path[:len(path)-1]+"?")), path)
	}

	// An example is meant where it is named, and not where a pattern finds it.
	archive := "-- .mcp.json --\n" + a + "\n-- examples/.cursor/mcp.json --\n" + a + "\n"
	assert.Equal(t, "/: .mcp.json (source), examples/.cursor/mcp.json\n  a as in .mcp.json\n    examples/.cursor/mcp.json: in step\n", placeOf(t, archive).fill(following(".mcp.json", "examples/.cursor/mcp.json")))
	assert.Empty(t, placeOf(t, archive).fill(following(".mcp.json", "examples/.cursor/*.json")))

	// GitHub Copilot CLI will not read its own file once the other one is written.
	archive = "-- .cursor/mcp.json --\n" + a + "\n"
	assert.Equal(t, "/: .cursor/mcp.json (source), .mcp.json (not there)\n  a as in .cursor/mcp.json\n    .mcp.json: missing\n"+
		"problem: .github/mcp.json is in a group of in-step, but GitHub Copilot CLI reads .mcp.json instead\n",
		placeOf(t, archive).fill(following(".cursor/mcp.json", ".mcp.json", ".github/mcp.json")))

	// Whose servers go elsewhere may stand anywhere, as nothing is written there.
	archive = "-- mcp-servers.json --\n" + a + "\n"
	assert.Equal(t, "/: mcp-servers.json (source), .cursor/mcp.json (not there)\n  a as in mcp-servers.json\n    .cursor/mcp.json: missing\n", placeOf(t, archive).fill(following("mcp-servers.json", ".cursor/mcp.json")))
	archive = "-- .github/mcp.json --\n" + a + "\n-- .mcp.json --\n" + a + "\n"
	assert.Equal(t, "/: .github/mcp.json (source), .cursor/mcp.json (not there)\n  a as in .github/mcp.json\n    .cursor/mcp.json: missing\n", placeOf(t, archive).fill(following(".github/mcp.json", ".cursor/mcp.json")))
}

// TestServersOfAGroup shows which servers the settings are about: those of some names, and
// not those that may differ.
func TestServersOfAGroup(t *testing.T) {
	archive := `
-- .mcp.json --
{"mcpServers": {"a": {"command": "a"}, "b": {"command": "b"}, "b2": {"command": "b2"}}}
-- .cursor/mcp.json --
{"mcpServers": {"a": {"command": "other"}, "c": {"command": "c"}, "b2": {"command": "x"}}}
`
	const files = "/: .mcp.json (source), .cursor/mcp.json\n"
	const a, b, b2 = "  a as in .mcp.json\n    .cursor/mcp.json: differs; program at \"other\"\n", "  b as in .mcp.json\n    .cursor/mcp.json: missing\n", "  b2 as in .mcp.json\n    .cursor/mcp.json: differs; program at \"x\"\n"
	for name, test := range map[string]struct {
		servers, except []string
		extra           bool
		want            string
	}{
		"all":                        {nil, nil, false, files + a + b + b2},
		"one":                        {[]string{"a"}, nil, false, files + a},
		"some":                       {[]string{"b*"}, nil, false, files + b + b2},
		"all but one":                {nil, []string{"a"}, false, files + b + b2 + "  a may differ: .mcp.json .cursor/mcp.json\n"},
		"all but some":               {nil, []string{"b*", "c"}, false, files + a + "  b may differ: .mcp.json\n  b2 may differ: .mcp.json .cursor/mcp.json\n  c may differ: .cursor/mcp.json\n"},
		"some but one":               {[]string{"b*"}, []string{"b"}, false, files + b2 + "  b may differ: .mcp.json\n"},
		"and no others":              {nil, nil, true, files + a + b + b2 + "  c is only in .cursor/mcp.json\n"},
		"and no others but one":      {nil, []string{"c"}, true, files + a + b + b2 + "  c may differ: .cursor/mcp.json\n"},
		"one that is nowhere":        {[]string{"a", "z"}, nil, false, files + a + "notice: in-step names the server \"z\", but none of its files has one\n"},
		"none that is nowhere":       {nil, []string{"z"}, false, files + a + b + b2 + "notice: in-step names the server \"z\", but none of its files has one\n"},
		"one that is only elsewhere": {[]string{"c"}, nil, false, files},
	} {
		settings := following(".mcp.json", ".cursor/mcp.json")
		settings.Servers, settings.Except, settings.ReportsExtra = test.servers, test.except, test.extra
		assert.Equal(t, test.want, placeOf(t, archive).fill(settings), name)
	}
}

// TestTwoOfOneName: where a list has two servers of one name, the first is meant.
func TestTwoOfOneName(t *testing.T) {
	archive := `
-- .continue/mcpServers/a.yaml --
mcpServers:
  - {name: a, command: a}
  - {name: a, command: again}
-- .cursor/mcp.json --
{"mcpServers": {"a": {"command": "a"}}}
`
	const files = "/: .continue/mcpServers/a.yaml (source), .cursor/mcp.json\n"
	settings := following(".continue/mcpServers/a.yaml", ".cursor/mcp.json")
	settings.ReportsExtra = true
	assert.Equal(t, files+"  a as in .continue/mcpServers/a.yaml\n    .cursor/mcp.json: in step\n", placeOf(t, archive).fill(settings))
	settings.Except = []string{"a"}
	settings.Files = append(settings.Files, ".roo/mcp.json")
	assert.Equal(t, strings.Replace(files, "\n", ", .roo/mcp.json (not there)\n", 1)+"  a may differ: .continue/mcpServers/a.yaml .cursor/mcp.json\n", placeOf(t, archive).fill(settings))
}

// TestVainSettings: a pattern that matches nothing may be mistyped. A path of no file may be of a
// file that is yet to be made.
func TestVainSettings(t *testing.T) {
	archive := "-- .mcp.json --\n{\"mcpServers\": {\"a\": {\"command\": \"a\"}}}\n-- x/.cursor/mcp.json --\n{\"mcpServers\": {\"a\": {\"command\": \"a\"}}}\n"
	const inStep = "/: .mcp.json (source), x/.cursor/mcp.json\n  a as in .mcp.json\n    x/.cursor/mcp.json: in step\n"
	assert.Equal(t, inStep, placeOf(t, archive).fill(following(".mcp.json", "*/.cursor/mcp.json")))
	assert.Equal(t, inStep+"notice: in-step names the files \"*/.roo/mcp.json\", but none exist\n", placeOf(t, archive).fill(following(".mcp.json", "*/.cursor/mcp.json", "*/.roo/mcp.json")))

	assert.Empty(t, placeOf(t, archive).fill(), "settings without a group")

	// The names of servers are not reported for files without servers.
	settings := following(".mcp.json", ".cursor/mcp.json")
	settings.Servers = []string{"z"}
	assert.Equal(t, "/: .mcp.json (source), .cursor/mcp.json (not there)\n", placeOf(t, "-- .mcp.json --\n{\"mcpServers\": {}}\n").fill(settings))

	// A path that is meant as it is written is no pattern.
	literal := following(".mcp.json", "[x]/.cursor/mcp.json")
	literal.Literal = true
	assert.Equal(t, "/: .mcp.json (source), [x]/.cursor/mcp.json (not there)\n  a as in .mcp.json\n    [x]/.cursor/mcp.json: not sayable; (other start)\n", placeOf(t, archive).fill(literal))
	for _, text := range []string{"", "-- x/notes.json --\n{}\n"} {
		literal = following(".mcp.json", "x/notes.json")
		literal.Literal = true
		assert.Equal(t, "problem: x/notes.json should be in sync with .mcp.json, but no known client reads servers there that mcplumb can write\n", placeOf(t, archive+text).fill(literal))
	}

	// Who names the source by hand may write in the repository that it is in.
	nested := placeOf(t, "-- sub/.mcp.json --\n{\"mcpServers\": {\"a\": {\"command\": \"a\"}}}\n")
	nested.repositories = []string{"sub"}
	literal = following("sub/.mcp.json", "sub/.cursor/mcp.json", ".cursor/mcp.json")
	literal.Literal = true
	assert.Equal(t, "/: sub/.mcp.json (source), sub/.cursor/mcp.json (not there)\n  a as in sub/.mcp.json\n    sub/.cursor/mcp.json: missing\n"+
		"problem: .cursor/mcp.json should be in sync with sub/.mcp.json, but belongs to another repository, where mcplumb writes nothing\n", nested.fill(literal))
}

// TestGroupsOfProjects: a group for each project is one for each directory with the source,
// or without a source with any of the files.
func TestGroupsOfProjects(t *testing.T) {
	const a = `{"mcpServers": {"a": {"command": "a"}}}`
	var archive strings.Builder
	for _, path := range []string{"b/.mcp.json", "b/.cursor/mcp.json", "a/.mcp.json", "c/.cursor/mcp.json", "c/.roo/mcp.json", "examples/.mcp.json", "tools/shared/mcp.json"} {
		fmt.Fprintf(&archive, "-- %s --\n%s\n", path, a)
	}
	inStep := func(path string) string { return "    " + path + ": in step\n" }
	settings := following(".mcp.json", ".cursor/mcp.json")
	settings.PerProject = true
	assert.Equal(t, "/a: a/.mcp.json (source), a/.cursor/mcp.json (not there)\n  a as in a/.mcp.json\n    a/.cursor/mcp.json: missing\n"+
		"/b: b/.mcp.json (source), b/.cursor/mcp.json\n  a as in b/.mcp.json\n"+inStep("b/.cursor/mcp.json"), placeOf(t, archive.String()).fill(settings))

	settings = mcp.GroupSettings{Files: []string{".cursor/mcp.json", ".r*/mcp.json"}, PerProject: true}
	assert.Equal(t, "/c: c/.cursor/mcp.json, c/.roo/mcp.json\n  a as in c/.cursor/mcp.json\n"+inStep("c/.roo/mcp.json"), placeOf(t, archive.String()).fill(settings))

	// A path may begin with a directory of the project.
	settings = following("shared/mcp.json", ".cursor/mcp.json")
	settings.PerProject = true
	assert.Equal(t, "/tools: tools/shared/mcp.json (source), tools/.cursor/mcp.json (not there)\n  a as in tools/shared/mcp.json\n    tools/.cursor/mcp.json: not sayable; (other start)\n", placeOf(t, archive.String()).fill(settings))
	settings = following("hared/mcp.json", ".cursor/mcp.json")
	settings.PerProject = true
	assert.Empty(t, placeOf(t, archive.String()).fill(settings))
}

// TestNamesOfServers shows which entry of a file is the one of a server: that of its name,
// else the same server under another name, which it is not to have.
func TestNamesOfServers(t *testing.T) {
	const docs, web = `{"command": "npx", "args": ["docs-mcp@1.0.0"]}`, `{"command": "npx", "args": ["web-mcp@1.0.0"]}`
	const files = "/: .mcp.json (source), .cursor/mcp.json\n"
	for name, test := range map[string]struct{ source, file, want string }{
		"another name":                      {`"docs": ` + docs, `"d": ` + docs, "  docs as in .mcp.json\n    .cursor/mcp.json: differs; name docs at \"d\"\n"},
		"another name, and another version": {`"docs": ` + docs, `"d": {"command": "npx", "args": ["docs-mcp@1.0.1"]}`, "  docs as in .mcp.json\n    .cursor/mcp.json: differs; name docs at \"d\"; version at 1.0.1\n"},
		"its name before another": {`"docs": ` + docs, `"d": ` + docs + `, "docs": {"command": "npx", "args": ["docs-mcp@2.0.0"]}`,
			"  docs as in .mcp.json\n    .cursor/mcp.json: differs; version at 2.0.0\n  d is only in .cursor/mcp.json\n"},
		"another program of its name":     {`"docs": ` + docs, `"docs": ` + web + `, "d": ` + docs, "  docs as in .mcp.json\n    .cursor/mcp.json: differs; program at \"web-mcp@1.0.0\"\n  d is only in .cursor/mcp.json\n"},
		"there under the name of another": {`"docs": ` + docs + `, "web": ` + web, `"web": ` + docs, "  docs as in .mcp.json\n    .cursor/mcp.json: in step\n  web as in .mcp.json\n    .cursor/mcp.json: differs; program at \"docs-mcp@1.0.0\"\n"},
		"two instances that are meant":    {`"docs": ` + docs, `"a": ` + docs + `, "b": ` + docs, "  docs as in .mcp.json\n    .cursor/mcp.json: in step\n  b is only in .cursor/mcp.json\n"},
		"two instances there": {`"docs": ` + docs + `, "two": {"command": "npx", "args": ["docs-mcp@1.0.0", "--two"]}`, `"d": ` + docs + `, "e": {"command": "npx", "args": ["docs-mcp@1.0.0", "--two"]}`,
			"  docs as in .mcp.json\n    .cursor/mcp.json: in step\n  two as in .mcp.json\n    .cursor/mcp.json: in step\n"},
		"one server twice in the source":  {`"docs": ` + docs + `, "again": ` + docs, `"docs": ` + docs, "  docs as in .mcp.json\n    .cursor/mcp.json: in step\n  again as in .mcp.json, again\n    .cursor/mcp.json: in step\n"},
		"twice, and in neither way there": {`"docs": ` + docs + `, "again": ` + docs, `"web": ` + web, "  docs as in .mcp.json\n    .cursor/mcp.json: missing\n  again as in .mcp.json, again\n    .cursor/mcp.json: in step\n  web is only in .cursor/mcp.json\n"},
		"another instance":                {`"docs": ` + docs, `"d": {"command": "npx", "args": ["docs-mcp@1.0.0", "--two"]}`, "  docs as in .mcp.json\n    .cursor/mcp.json: missing\n  d is only in .cursor/mcp.json\n"},
		"a placeholder":                   {`"docs": {"command": ""}`, `"d": {"command": ""}`, "  docs as in .mcp.json\n    .cursor/mcp.json: not sayable; (no target)\n  d is only in .cursor/mcp.json\n"},
	} {
		settings := following(".mcp.json", ".cursor/mcp.json")
		settings.ReportsExtra = true
		archive := "-- .mcp.json --\n{\"mcpServers\": {" + test.source + "}}\n-- .cursor/mcp.json --\n{\"mcpServers\": {" + test.file + "}}\n"
		assert.Equal(t, files+test.want, placeOf(t, archive).fill(settings), name)
	}

	// A client that takes no such name keeps its own.
	archive := "-- .mcp.json --\n{\"mcpServers\": {\"my docs\": " + docs + "}}\n-- .codex/config.toml --\n[mcp_servers.docs]\ncommand = \"npx\"\nargs = [\"docs-mcp@1.0.0\"]\n"
	assert.Equal(t, "/: .mcp.json (source), .codex/config.toml\n  my docs as in .mcp.json\n    .codex/config.toml: in step; (no name my docs)\n", placeOf(t, archive).fill(following(".mcp.json", ".codex/config.toml")))

	// A name that a lockfile knows is right, where it does not know the other one.
	lock := func(name string) string {
		return "-- mcp-tap.lock --\n{\"lockfile_version\": 1, \"servers\": {\"" + name + "\": {\"package_identifier\": \"docs-mcp\", \"registry_type\": \"npm\", \"version\": \"1.0.0\", \"config\": {\"command\": \"npx\", \"args\": [\"docs-mcp@1.0.0\"]}}}}\n"
	}
	pair := "-- .mcp.json --\n{\"mcpServers\": {\"docs\": " + docs + "}}\n-- .cursor/mcp.json --\n{\"mcpServers\": {\"d\": " + docs + "}}\n"
	for locked, want := range map[string]string{"d": "in step", "docs": "differs; name docs at \"d\"", "other": "differs; name docs at \"d\""} {
		assert.Equal(t, files+"  docs as in .mcp.json\n    .cursor/mcp.json: "+want+"\n", placeOf(t, pair+lock(locked)).fill(following(".mcp.json", ".cursor/mcp.json")), locked)
	}
}

// TestWithoutASource: where every file counts the same, most of them say what is right, and
// where as many say something else it is open.
func TestWithoutASource(t *testing.T) {
	version := func(n string) string {
		return `{"mcpServers": {"docs": {"command": "npx", "args": ["docs-mcp@` + n + `"]}}}`
	}
	const one, two, three = ".cursor/mcp.json", ".gemini/settings.json", ".roo/mcp.json"
	for name, test := range map[string]struct {
		texts [3]string
		want  string
	}{
		"all the same":      {[3]string{version("1.0.0"), version("1.0.0"), version("1.0.0")}, "  docs as in %1\n    %2: in step\n    %3: in step\n"},
		"two of three":      {[3]string{version("1.0.1"), version("1.0.0"), version("1.0.0")}, "  docs as in %2\n    %1: differs; version at 1.0.1\n    %3: in step\n"},
		"three others":      {[3]string{version("1.0.2"), version("1.0.1"), version("1.0.0")}, "  docs as in %1, or not\n    %2: differs; version at 1.0.1\n    %3: differs; version at 1.0.0\n"},
		"one against one":   {[3]string{version("1.0.2"), `{"mcpServers": {}}`, version("1.0.0")}, "  docs as in %1, or not\n    %2: missing\n    %3: differs; version at 1.0.0\n"},
		"one alone":         {[3]string{`{"mcpServers": {}}`, version("1.0.0"), `{"mcpServers": {}}`}, "  docs as in %2\n    %1: missing\n    %3: missing\n"},
		"under other names": {[3]string{strings.ReplaceAll(version("1.0.0"), "docs\"", "d\""), version("1.0.0"), version("1.0.0")}, "  d as in %1\n    %2: in step\n    %3: in step\n"},
		"one that is off":   {[3]string{version("1.0.0"), version("1.0.0"), strings.ReplaceAll(version("1.0.0"), "]}", `], "disabled": true}`)}, "  docs as in %1\n    %2: in step\n    %3: differs; switch only here at \"docs\"\n"},
		"two servers": {[3]string{`{"mcpServers": {"a": {"command": "a"}, "b": {"command": "b"}}}`, `{"mcpServers": {"b": {"command": "b"}}}`, `{"mcpServers": {"b": {"command": "b"}, "a": {"command": "a"}}}`},
			"  a as in %1\n    %2: missing\n    %3: in step\n  b as in %1\n    %2: in step\n    %3: in step\n"},
		"a name that is another's": {[3]string{`{"mcpServers": {"a": {"command": "a"}}}`, `{"mcpServers": {"b": {"command": "a"}, "a": {"command": "b"}}}`, `{"mcpServers": {"b": {"command": "a"}}}`},
			"  a as in %1, or not\n    %2: differs; program at \"b\"\n    %3: missing\n  b as in %2\n    %1: missing\n    %3: in step\n"},
	} {
		archive := "-- " + one + " --\n" + test.texts[0] + "\n-- " + two + " --\n" + test.texts[1] + "\n-- " + three + " --\n" + test.texts[2] + "\n"
		want := strings.NewReplacer("%1", one, "%2", two, "%3", three).Replace("/: %1, %2, %3\n" + test.want)
		assert.Equal(t, want, placeOf(t, archive).fill(mcp.GroupSettings{Files: []string{one, two, three}}), name)
	}
}

// TestOff: a server that is switched off need not be in another file, whether its entry says
// so or a list in the same file does.
func TestOff(t *testing.T) {
	const other = "-- .cursor/mcp.json --\n{\"mcpServers\": {}}\n"
	for name, test := range map[string]struct{ source, text, want string }{
		"in the entry":        {".roo/mcp.json", `{"mcpServers": {"a": {"command": "a", "disabled": true}}}`, "in step"},
		"in a list":           {".gemini/settings.json", `{"mcp": {"excluded": ["a"]}, "mcpServers": {"a": {"command": "a"}}}`, "in step"},
		"in a list of others": {".gemini/settings.json", `{"mcp": {"excluded": ["b"]}, "mcpServers": {"a": {"command": "a"}}}`, "missing"},
		"in none":             {".gemini/settings.json", `{"mcpServers": {"a": {"command": "a"}}}`, "missing"},
	} {
		archive := "-- " + test.source + " --\n" + test.text + "\n" + other
		assert.Equal(t, "/: "+test.source+" (source), .cursor/mcp.json\n  a as in "+test.source+"\n    .cursor/mcp.json: "+test.want+"\n", placeOf(t, archive).fill(following(test.source, ".cursor/mcp.json")), name)
	}

	// A server that a person has disabled in their own settings is still in the file.
	archive := "-- .mcp.json --\n{\"mcpServers\": {\"a\": {\"command\": \"a\"}}}\n-- .claude/settings.json --\n{\"disabledMcpjsonServers\": [\"a\"]}\n" + other
	assert.Equal(t, "/: .mcp.json (source), .cursor/mcp.json\n  a as in .mcp.json\n    .cursor/mcp.json: missing\n", placeOf(t, archive).fill(following(".mcp.json", ".cursor/mcp.json")))
}
