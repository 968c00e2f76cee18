package link_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/link"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// linked reads the files of an archive and links them.
func linked(t *testing.T, archive string) *mcp.Repo {
	t.Helper()
	index := format.Known()
	var parts []link.Part
	for _, f := range txtar.Parse([]byte(archive)).Files {
		match, known := index.Lookup(f.Name)
		require.True(t, known, f.Name)
		doc, err := format.Read(syntax.NewFile(f.Name, f.Data), match)
		require.NoError(t, err)
		require.NotNil(t, doc, f.Name)
		doc.Role = format.RoleOf(f.Name)
		parts = append(parts, link.Part{Dir: match.Dir, Document: doc})
	}
	return link.Repo(parts)
}

// servers returns every server of a repository, in order.
func servers(repo *mcp.Repo) []*mcp.Server {
	var all []*mcp.Server
	for _, p := range repo.Projects {
		for _, d := range p.Documents {
			all = append(all, d.Servers...)
		}
	}
	return all
}

// shown names a server as "path name".
func shown(s *mcp.Server) string { return s.Document.File.Path + " " + s.Name }

// each writes a line for every server for which say returns a text.
func each(repo *mcp.Repo, say func(*mcp.Server) string) string {
	var b strings.Builder
	for _, s := range servers(repo) {
		if text := say(s); text != "" {
			fmt.Fprintf(&b, "%s: %s\n", shown(s), text)
		}
	}
	return b.String()
}

func lockedAs(s *mcp.Server) string {
	if s.Locked == nil {
		return ""
	}
	return s.Locked.Document.File.Path + " " + s.Locked.Name
}

// paths names the files of documents.
func paths(docs []*mcp.Document) string {
	var names []string
	for _, d := range docs {
		names = append(names, d.File.Path)
	}
	return strings.Join(names, " ")
}

// document returns the document at a path.
func document(t *testing.T, repo *mcp.Repo, path string) *mcp.Document {
	t.Helper()
	for _, p := range repo.Projects {
		for _, d := range p.Documents {
			if d.File.Path == path {
				return d
			}
		}
	}
	require.Fail(t, "no document", path)
	return nil
}

// TestLockedByNameFirst shows in which order an entry finds its server: by name,
// by what it runs, by the package alone, by the package as a word of the command.
func TestLockedByNameFirst(t *testing.T) {
	repo := linked(t, `
-- .mcp.json --
{"mcpServers": {
  "docs": {"command": "npx", "args": ["-y", "other-mcp"]},
  "renamed": {"command": "npx", "args": ["-y", "docs-mcp"]},
  "sub": {"command": "npx", "args": ["-y", "kit-mcp", "serve"]},
  "wrapped": {"command": "my-launcher", "args": ["word-mcp"]},
  "alone": {"command": "alone-mcp"}}}
-- mcp-tap.lock --
{"lockfile_version": 1, "servers": {
  "docs": {"package_identifier": "docs-mcp", "registry_type": "npm"},
  "search": {"package_identifier": "docs-mcp", "registry_type": "npm"},
  "kit": {"package_identifier": "kit-mcp", "registry_type": "npm"},
  "word": {"package_identifier": "word-mcp", "registry_type": "npm"},
  "gone": {"package_identifier": "gone-mcp", "registry_type": "npm"}}}
`)
	assert.Equal(t, `.mcp.json docs: mcp-tap.lock docs
.mcp.json renamed: mcp-tap.lock search
.mcp.json sub: mcp-tap.lock kit
.mcp.json wrapped: mcp-tap.lock word
`, each(repo, lockedAs))

	lock := document(t, repo, "mcp-tap.lock").Lock
	assert.Equal(t, ".mcp.json", paths(lock.Files))
	var found []string
	for _, entry := range lock.Entries {
		found = append(found, fmt.Sprintf("%s %d", entry.Name, len(entry.Servers)))
	}
	assert.Equal(t, []string{"docs 1", "search 1", "kit 1", "word 1", "gone 0"}, found)
}

// TestLockGovernsBelow shows that a lockfile applies to the directories below without one, and
// overrides that of a tool which locks only what it installed itself.
func TestLockGovernsBelow(t *testing.T) {
	repo := linked(t, `
-- mcp-tap.lock --
{"lockfile_version": 1, "servers": {"a": {"package_identifier": "a-mcp"}, "b": {"package_identifier": "b-mcp"}}}
-- app/.mcp.json --
{"mcpServers": {"a": {"command": "a-mcp"}}}
-- app/.ccpkg/ccpkg-lock.json --
{"lockfile_version": 1, "packages": {}, "shared_mcp_servers": {"a": {"origin": "command::a-mcp", "declared_by": ["p"]}}}
-- own/.cursor/mcp.json --
{"mcpServers": {"b": {"command": "b-mcp"}}}
-- own/mcp-tap.lock --
{"lockfile_version": 1, "servers": {"c": {"package_identifier": "c-mcp"}}}
-- other/.ccpkg/ccpkg-lock.json --
{"lockfile_version": 1, "packages": {}, "shared_mcp_servers": {"d": {"origin": "command::d-mcp", "declared_by": ["p"]}}}
-- other/.cursor/mcp.json --
{"mcpServers": {"d": {"command": "d-mcp"}}}
-- examples/.mcp.json --
{"mcpServers": {"a": {"command": "a-mcp"}}}
`)
	assert.Equal(t, `app/.mcp.json a: mcp-tap.lock a
other/.cursor/mcp.json d: other/.ccpkg/ccpkg-lock.json d
`, each(repo, lockedAs))
	assert.Len(t, document(t, repo, "app/.ccpkg/ccpkg-lock.json").Lock.Entries[0].Servers, 1, "the entry of the other tool, too")
	for dir, governing := range map[string]string{"app": "mcp-tap.lock", "own": "own/mcp-tap.lock", "other": "mcp-tap.lock"} {
		for _, p := range repo.Projects {
			if p.Dir == dir {
				assert.Equal(t, governing, p.GoverningLock().File.Path, dir)
			}
		}
	}
}

// TestLockOfAnotherFile shows a lockfile that speaks of a manifest, and one whose
// entries say for which client they were written.
func TestLockOfAnotherFile(t *testing.T) {
	repo := linked(t, `
-- apm.yml --
dependencies: {mcp: [io.github.acme/docs, io.github.acme/new]}
-- apm.lock.yaml --
mcp_servers: [io.github.acme/docs]
-- .mcp.json --
{"mcpServers": {"io.github.acme/docs": {"command": "x"}, "k": {"command": "npx", "args": ["k-mcp"]}}}
-- .cursor/mcp.json --
{"mcpServers": {"k": {"command": "npx", "args": ["k-mcp"]}}}
-- mcp-lock.json --
{"lockfileVersion": 2, "servers": {"cursor:k": {"name": "k", "version": "1.0.0", "client": "cursor",
  "selectedTarget": {"registryType": "npm", "identifier": "k-mcp"}}}}
`)
	assert.Equal(t, `.cursor/mcp.json k: mcp-lock.json k
apm.yml io.github.acme/docs: apm.lock.yaml io.github.acme/docs
`, each(repo, lockedAs))
}

// TestClaims shows what a lockfile says of names, and of servers that are there
// once for every package.
func TestClaims(t *testing.T) {
	repo := linked(t, `
-- .mcp.json --
{"mcpServers": {
  "k#p": {"command": "npx", "args": ["k-mcp"]},
  "mine": {"command": "npx", "args": ["k-mcp"]},
  "other": {"command": "npx", "args": ["o-mcp"]}}}
-- .ccpkg/ccpkg-lock.json --
{"lockfile_version": 1, "packages": {}, "shared_mcp_servers": {
  "k": {"origin": "command::npx k-mcp", "declared_by": ["p"], "dedup": false}}}
`)
	assert.Equal(t, ".mcp.json k#p: ccpkg\n", each(repo, func(s *mcp.Server) string {
		if s.Extra().NamedBy == nil {
			return ""
		}
		return s.Extra().NamedBy.ID
	}))
	assert.Equal(t, ".mcp.json k#p: apart\n.mcp.json mine: apart\n", each(repo, func(s *mcp.Server) string {
		if s.Extra().Apart {
			return "apart"
		}
		return ""
	}))
}

// TestCompared shows which files of a project are compared with one another.
func TestCompared(t *testing.T) {
	repo := linked(t, `
-- .mcp.json --
{"mcpServers": {"a": {"command": "a"}}}
-- .cursor/mcp.json --
{"mcpServers": {"a": {"command": "a"}}}
-- .ruler/mcp.json --
{"mcpServers": {"a": {"command": "a"}}}
-- .roo/mcp.json --
{"mcpServers": {}}
-- claude_desktop_config.json --
{"mcpServers": {"a": {"command": "a"}}}
-- one/.mcp.json --
{"mcpServers": {"a": {"command": "a"}}}
-- examples/.mcp.json --
{"mcpServers": {"a": {"command": "a"}}}
-- examples/.cursor/mcp.json --
{"mcpServers": {"a": {"command": "a"}}}
`)
	var groups []string
	for _, p := range repo.Projects {
		for _, group := range p.Compared {
			groups = append(groups, paths(group))
		}
	}
	assert.Equal(t, []string{".cursor/mcp.json .mcp.json .ruler/mcp.json"}, groups)
}

// TestLoadedWith shows the files that one client loads together.
func TestLoadedWith(t *testing.T) {
	repo := linked(t, `
-- .vscode/mcp.json --
{"servers": {"a": {"command": "a"}}}
-- app.code-workspace --
{"settings": {"mcp": {"servers": {"b": {"command": "b"}}}}}
-- .cursor/mcp.json --
{"mcpServers": {"c": {"command": "c"}}}
`)
	assert.Equal(t, ".vscode/mcp.json app.code-workspace", paths(document(t, repo, ".vscode/mcp.json").LoadedWith))
	assert.Equal(t, ".vscode/mcp.json app.code-workspace", paths(document(t, repo, "app.code-workspace").LoadedWith))
	assert.Nil(t, document(t, repo, ".cursor/mcp.json").LoadedWith)
}

// TestReadInstead shows files that their client passes over for another one.
func TestReadInstead(t *testing.T) {
	repo := linked(t, `
-- a/.github/mcp.json --
{"mcpServers": {"a": {"command": "a"}}}
-- a/.mcp.json --
{"mcpServers": {"a": {"command": "a"}}}
-- b/.github/mcp.json --
{"mcpServers": {"a": {"command": "a"}}}
-- c/config.yaml --
mcp_servers: [{name: a, description: A., type: mcp, command: npx}]
-- c/config.yml --
mcp_servers: [{name: a, description: A., type: mcp, command: npx}]
`)
	for path, instead := range map[string]string{
		"a/.github/mcp.json": "a/.mcp.json", "b/.github/mcp.json": "", "a/.mcp.json": "",
		"c/config.yaml": "c/config.yml", "c/config.yml": "",
	} {
		by := document(t, repo, path).ReadInstead
		if instead == "" {
			assert.Nil(t, by, path)
			continue
		}
		require.NotNil(t, by, path)
		assert.Equal(t, instead, by.File.Path)
	}
}

// TestOverridden shows settings whose entries give way to an agent's own tools of
// any kind.
func TestOverridden(t *testing.T) {
	repo := linked(t, `
-- agent.yaml --
name: helper
model: {provider: openai, name: gpt-4o}
instructions: {inline: Help.}
tools:
  - {name: fetch, type: mcp, description: Fetches., command: npx}
  - {name: search, type: vectorstore, description: Searches., source: docs}
-- config.yml --
mcp_servers:
  - {name: fetch, description: Fetches., type: mcp, command: npx, registry_name: io.github.acme/fetch}
  - {name: search, description: Searches., type: mcp, command: npx}
  - {name: time, description: The time., type: mcp, command: npx}
`)
	assert.Equal(t, "config.yml fetch: fetch by hand in agent.yaml\nconfig.yml search: search by hand in agent.yaml\n", each(repo, func(s *mcp.Server) string {
		by := s.Extra().Overridden
		if by == nil {
			return ""
		}
		text := string(by.Document.File.Bytes[by.Span.Start:by.Span.End])
		if by.ByHand {
			text += " by hand"
		}
		return text + " in " + by.Document.File.Path
	}))
}

// TestCopies shows entries that a generator wrote, and one that has been changed
// since.
func TestCopies(t *testing.T) {
	repo := linked(t, `
-- .ruler/mcp.json --
{"mcpServers": {"a": {"command": "npx", "args": ["a@1.0.0"]}, "b": {"command": "npx", "args": ["b@1.0.0"]}}}
-- .cursor/mcp.json --
{"mcpServers": {"a": {"command": "npx", "args": ["-y", "a@1.0.0"]}, "b": {"command": "npx", "args": ["b@2.0.0"]}, "c": {"command": "npx", "args": ["a@1.0.0"]}}}
`)
	assert.Equal(t, ".cursor/mcp.json a: .ruler/mcp.json a\n", each(repo, func(s *mcp.Server) string {
		if s.Extra().CopyOf == nil {
			return ""
		}
		return shown(s.Extra().CopyOf)
	}))
}

// TestTracked shows entries that a tool keeps track of, in the one file that it
// writes.
func TestTracked(t *testing.T) {
	repo := linked(t, `
-- .vscode/prompt-registry-mcp-tracking.json --
{"version": "1.0.0", "managedServers": {
  "prompt-registry:a:docs": {"bundleId": "a", "originalConfig": {"command": "docs-mcp"}},
  "prompt-registry:a:gone": {"bundleId": "a", "originalConfig": {"command": "gone-mcp"}}}}
-- .vscode/mcp.json --
{"servers": {"prompt-registry:a:docs": {"command": "docs-mcp"}, "prompt-registry:b:notes": {"command": "notes-mcp"}}}
-- .cursor/mcp.json --
{"mcpServers": {"prompt-registry:a:docs": {"command": "docs-mcp"}}}
`)
	assert.Equal(t, `.vscode/mcp.json prompt-registry:a:docs: bundle a by prompt-registry, tracked
.vscode/mcp.json prompt-registry:b:notes: bundle b by prompt-registry
`, each(repo, func(s *mcp.Server) string {
		more := s.Extra()
		if more.NamedBy == nil {
			return ""
		}
		text := fmt.Sprintf("bundle %s by %s", more.Bundle, more.NamedBy.ID)
		if more.Template != nil {
			text += ", tracked"
		}
		return text
	}))
}

// TestReferences shows the places of a project that name a server.
func TestReferences(t *testing.T) {
	repo := linked(t, `
-- .mcp.json --
{"mcpServers": {"docs": {"command": "docs-mcp"}}}
-- .claude/settings.json --
{"enabledMcpjsonServers": ["docs"], "permissions": {"allow": ["mcp__docs__search", "mcp__notes"]}}
-- app/.mcp.json --
{"mcpServers": {"docs": {"command": "docs-mcp"}}}
`)
	root := repo.Projects[0].References
	assert.Equal(t, []string{"docs", "notes"}, slices.Sorted(maps.Keys(root)))
	var places []string
	for _, m := range root["docs"] {
		places = append(places, string(m.Document.File.Bytes[m.Span.Start:m.Span.End]))
	}
	assert.Equal(t, []string{"docs", "docs"}, places)
	assert.Nil(t, repo.Projects[1].References)
}

// TestAPlainProjectCostsNothing checks that a project of one file, as most are,
// pays for no relation.
func TestAPlainProjectCostsNothing(t *testing.T) {
	repo := linked(t, "-- .mcp.json --\n{\"mcpServers\": {\"a\": {\"command\": \"a\"}, \"b\": {\"command\": \"b\"}}}\n")
	assert.Zero(t, testing.AllocsPerRun(10, func() { link.Relate(repo) }))
}

// TestManyEntries checks that matching a hostile lockfile takes time in
// proportion: as many entries as servers, none of them with a fitting name.
func TestManyEntries(t *testing.T) {
	const many = 20_000
	var configured, locked []string
	for i := range many {
		configured = append(configured, fmt.Sprintf(`"c%d": {"command": "npx", "args": ["p%d"]}`, i, i))
		locked = append(locked, fmt.Sprintf(`"l%d": {"package_identifier": "p%d", "registry_type": "npm"}`, many-i, i))
	}
	repo := linked(t, "-- .mcp.json --\n{\"mcpServers\": {"+strings.Join(configured, ",\n")+"}}\n"+
		"-- mcp-tap.lock --\n{\"lockfile_version\": 1, \"servers\": {"+strings.Join(locked, ",\n")+"}}\n")
	for _, s := range servers(repo) {
		require.NotNil(t, s.Locked, s.Name)
		require.Equal(t, s.Identity.Key(), s.Locked.Target.Identity.Key())
	}
}

// TestPlacesInSources finds the text of a copied entry where the source has it: by the bytes to
// show it, and by the meaning of the two entries to change it.
func TestPlacesInSources(t *testing.T) {
	repo := linked(t, `
-- .ruler/ruler.toml --
[mcp_servers.before]
command = "y"

[mcp_servers.a]
command = 'npx'
args = ["-y", "a@1.0.0", "tab\tbed"]

[mcp_servers.a.env]
MODE = "read"

[mcp_servers.behind]
command = "only-behind"
-- .cursor/mcp.json --
{"mcpServers": {"a": {"type": "stdio", "command": "npx", "args": ["-y", "a@1.0.0", "tab\u0009bed"], "env": {"MODE": "read"}, "disabled": "only-behind", "x": "y", "e": "", "v": 1.0}}}
`)
	source, copied := document(t, repo, ".ruler/ruler.toml").Servers[1], document(t, repo, ".cursor/mcp.json").Servers[0]
	from, to := string(copied.Document.File.Bytes), string(source.Document.File.Bytes)
	for _, test := range []struct{ text, shown, changed string }{
		{`"a"`, "a", "a"}, // the name
		{`"npx"`, `'npx'`, `'npx'`},
		{`npx`, `npx`, `npx`},
		{`"a@1.0.0"`, `"a@1.0.0"`, `"a@1.0.0"`},
		{`1.0.0`, `1.0.0`, `1.0.0`}, // a part of a word
		{`1.0}`, ``, ``},            // not as it is written there
		{`"y"`, `y`, ``},            // a part of another word
		{`"read"`, `"read"`, `"read"`},
		{`"tab\u0009bed"`, ``, `"tab\tbed"`}, // other bytes, and the same word
		{`bed`, `bed`, ``},                   // the place of a part of it in the source is not known
		{`"stdio"`, ``, ``},                  // added by the generator
		{`"only-behind"`, ``, ``},            // of another entry
		{`""`, ``, ``},
	} {
		at := strings.Index(from, test.text)
		require.GreaterOrEqual(t, at, 0)
		span := syntax.Span{Start: at, End: at + len(test.text)}
		text := func(place syntax.Span, known bool) string {
			if !known {
				return ""
			}
			assert.GreaterOrEqual(t, place.Start, source.NameSpan.Start, test.text)
			return to[place.Start:place.End]
		}
		assert.Equal(t, test.shown, text(link.InSource(source, copied, span)), "shown: %s", test.text)
		assert.Equal(t, test.changed, text(link.WordInSource(source, copied, span)), "changed: %s", test.text)
	}
	whole, known := link.WordInSource(source, copied, copied.Span)
	assert.True(t, known)
	assert.Equal(t, source.Span, whole)
}
