package policy

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
)

// The pins of files in tests.
var (
	commit   = strings.Repeat("0a1b2", 8)
	hash     = strings.Repeat("0a1b2c3d", 8)
	onHub    = "github:acme/policy/mcplumb.yaml@" + commit
	onTheWeb = "https://policy.acme.dev/mcplumb.yaml"
)

// readWith reads s.yaml of some files, by their names: those of the repository have a path.
func readWith(files map[string]string) (*Settings, error) {
	return ReadSettings("s.yaml", "s.yaml", []byte(files["s.yaml"]), func(e Extension) (Extended, error) {
		text, known := files[e.String()]
		if !known {
			return Extended{}, fs.ErrNotExist
		}
		opened := Extended{Name: e.String(), Content: []byte(text)}
		if !e.IsRemote() {
			opened.Path = e.Path
		}
		return opened, nil
	})
}

// TestExtends shows what counts where several files speak: lists add up, mappings are joined
// by key, and of all else the later one counts, the file itself most.
func TestExtends(t *testing.T) {
	s, err := readWith(map[string]string{
		"s.yaml": "extends: [a.yaml, '" + onTheWeb + "#sha256=" + hash + "']\nseverity: note\nrules: {config-drift: error}\nexclude: [own]\n" +
			"ignore: [{rule: alias-drift, reason: own}]\ncatalog: {project: own}\n",
		"a.yaml": "severity: error\nfail-on: note\nmin-age: 1\nrules: {config-drift: off, alias-drift: off, short-name-collision: off}\nexclude: [a]\n" +
			"registries: {npm: 'https://a.example', pypi: 'https://a.example'}\ncatalog: {project: a, organization: a}\nbaseline: a.json\n" +
			"in-step: [{files: [a, b]}]\npolicy: [a.json]\n",
		onTheWeb: "fail-on: error\nmin-age: 2\nrules: {alias-drift: error}\nexclude: [web]\nignore: [{rule: alias-drift, reason: web}]\n" +
			"registries: {npm: 'https://web.example'}\nin-step: [{files: [c, d]}]\npolicy: [web.json]\nmax-lock-age: 9\n",
	})
	require.NoError(t, err)
	assert.Equal(t, []string{"a", "web", "own"}, s.Exclude)
	assert.Equal(t, map[string]rule.Severity{"config-drift": rule.Error, "alias-drift": rule.Error, "short-name-collision": rule.Off}, s.Rules)
	assert.Equal(t, Preferences{Severity: "note", FailOn: "error", Baseline: "a.json"}, s.Preferences)
	assert.Equal(t, 2, *s.MinAge)
	assert.Equal(t, 9, *s.MaxLockAge)
	assert.Equal(t, map[string]string{"npm": "https://web.example", "pypi": "https://a.example"}, s.Registries)
	assert.Equal(t, Catalog{Organization: "a", Project: "own"}, s.Catalog)
	assert.Len(t, s.InStep, 2)
	require.Len(t, s.Policies, 2)
	assert.Equal(t, onTheWeb, s.Policies[1].Settings)
	require.Len(t, s.Ignores, 2)
	assert.True(t, s.Ignores[0].isShared && s.Ignores[0].file == nil, "there is no way to it")
	assert.False(t, s.Ignores[1].isShared)
	assert.Equal(t, []string{"a.yaml", onTheWeb}, s.Extended())
	assert.Equal(t, []string{"a.yaml"}, s.ExtendedPaths())
}

// TestExtendsFurther checks in which order files count that other files extend, each once, and
// that a path in a file on GitHub is relative to that file.
func TestExtendsFurther(t *testing.T) {
	s, err := readWith(map[string]string{
		"s.yaml":                              "extends: [a.yaml, b.yaml, '" + onHub + "']\nexclude: [s]\n",
		"a.yaml":                              "extends: [c.yaml]\nexclude: [a]\n",
		"b.yaml":                              "extends: [./c.yaml, ./x/../a.yaml]\nexclude: [b]\n",
		"c.yaml":                              "exclude: [c]\n",
		onHub:                                 "extends: [c.yaml]\nexclude: [hub]\n",
		"github:acme/policy/c.yaml@" + commit: "exclude: [hub-c]\n",
	})
	require.NoError(t, err)
	assert.Equal(t, []string{"c", "a", "b", "hub-c", "hub", "s"}, s.Exclude)
}

// TestExtendsMistakes checks that each mistake is reported at its place, in its own file.
func TestExtendsMistakes(t *testing.T) {
	deep := map[string]string{"s.yaml": "extends: [1.yaml]"}
	for i := 1; i < 6; i++ {
		deep[fmt.Sprint(i, ".yaml")] = fmt.Sprintf("extends: [%d.yaml]", i+1)
	}
	many := map[string]string{"s.yaml": "extends: [a.yaml, b.yaml]", "a.yaml": "extends: [", "b.yaml": "extends: ["}
	for i := range 12 {
		for _, name := range []string{"a", "b"} {
			many[name+".yaml"] += fmt.Sprintf("%s%d.yaml, ", name, i)
			many[fmt.Sprintf("%s%d.yaml", name, i)] = ""
		}
	}
	many["a.yaml"] += "]"
	many["b.yaml"] += "]"
	big := "# " + strings.Repeat("x", 600_000)
	for name, test := range map[string]struct {
		files map[string]string
		want  string
	}{
		"itself":               {map[string]string{"s.yaml": "extends:\n  - s.yaml\n"}, "s.yaml:2:5: s.yaml extends itself"},
		"each other":           {map[string]string{"s.yaml": "extends: [a.yaml]", "a.yaml": "extends: [b.yaml]", "b.yaml": "extends: [a.yaml]"}, "b.yaml:1:11: a.yaml extends itself"},
		"deep":                 {deep, "4.yaml:1:11: this is more than 4 files deep: extend the file from one of those above"},
		"many":                 {many, "b.yaml:1:65: there are more than 20 files that are extended"},
		"missing":              {map[string]string{"s.yaml": "extends: [a.yaml]"}, "s.yaml:1:11: a.yaml: file does not exist"},
		"a mistake in one":     {map[string]string{"s.yaml": "extends: [a.yaml]", "a.yaml": "\nrules: {x: off}"}, `a.yaml:2:9: unknown rule "x": `},
		"and far away":         {map[string]string{"s.yaml": "extends: ['" + onHub + "']", onHub: "[]"}, onHub + ":1:1: the settings must be a mapping"},
		"a path on the web":    {map[string]string{"s.yaml": "extends: ['" + onTheWeb + "#sha256=" + hash + "']", onTheWeb: "extends: [a.yaml]"}, onTheWeb + ":1:11: a file at an address can extend only files of GitHub and at addresses"},
		"too big together":     {map[string]string{"s.yaml": "extends: [a.yaml, b.yaml]", "a.yaml": big, "b.yaml": big}, "b.yaml: was not read: all files of the settings together are bigger than 1 MB"},
		"patterns of all":      {map[string]string{"s.yaml": "extends: [a.yaml]\nin-step: [{files: [a, b], servers: [z*]}]", "a.yaml": "in-step: [{files: [a, b], servers: [" + strings.Repeat("'a*',", 200) + "]}]"}, "a.yaml:1:1032: there are more than 200 patterns of names"},
		"managed lists of all": {map[string]string{"s.yaml": "extends: [a.yaml]\npolicy: [z]", "a.yaml": "policy: [" + strings.Repeat("a,", 20) + "]"}, "a.yaml:1:48: there are more than 20 files"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readWith(test.files)
			assert.ErrorContains(t, err, test.want)
		})
	}
	_, err := ReadSettings("../s.yaml", "../s.yaml", []byte("extends: [a.yaml]"), nil)
	assert.EqualError(t, err, "../s.yaml:1:11: settings that are not in the repository can extend only files of GitHub and at addresses")
	_, err = readWith(map[string]string{"s.yaml": "extends: [a.yaml]"})
	assert.True(t, errors.Is(err, fs.ErrNotExist), "why is not lost")
}

// TestUnpinned checks the messages for entries that are not pinned.
func TestUnpinned(t *testing.T) {
	for entry, want := range map[string]string{
		"github:acme/policy/mcplumb.yaml@main":                                "github:OWNER/NAME/PATH@ and 40 hexadecimal digits",
		"github:acme/policy@" + commit:                                        "github:OWNER/NAME/PATH@ and 40 hexadecimal digits",
		"github:acme/policy/../a@" + commit:                                   "github:OWNER/NAME/PATH@ and 40 hexadecimal digits",
		"github:acme/../a.yaml@" + commit:                                     "github:OWNER/NAME/PATH@ and 40 hexadecimal digits",
		onTheWeb:                                                              "#sha256= and the 64 hexadecimal digits that sha256sum prints",
		onTheWeb + "#sha256=" + hash[1:]:                                      "#sha256= and the 64 hexadecimal digits that sha256sum prints",
		"http://policy.acme.dev/a#sha256=" + hash:                             "must be an address with https://",
		"https://me:pw@policy.acme.dev/a#sha256=" + hash:                      "must be an address with https://",
		"file:///etc/passwd#sha256=" + hash:                                   "must be an address with https://",
		"https://raw.githubusercontent.com/acme/policy/" + commit + "/m.yaml": "write this file as github:acme/policy/m.yaml@" + commit,
		"https://github.com/acme/policy/blob/" + commit + "/m.yaml":           "write this file as github:acme/policy/m.yaml@" + commit,
		"/etc/mcplumb.yaml":                                                   "must be relative to the root of the repository",
		"../mcplumb.yaml":                                                     "leads out of the repository",
		".git/mcplumb.yaml":                                                   "is in a directory that git keeps for itself",
		"":                                                                    "extends is empty",
	} {
		_, err := ParseSettings("s.yaml", "s.yaml", []byte("extends: ['"+entry+"']"))
		require.ErrorContains(t, err, "s.yaml:1:11: ", entry)
		assert.ErrorContains(t, err, want, entry)
	}
}

// TestSharedIgnores holds that an ignore of a file that is extended hides, and is no finding where
// it hides nothing, has expired or names what is not here.
func TestSharedIgnores(t *testing.T) {
	s, err := readWith(map[string]string{
		"s.yaml": "extends: [a.yaml]\nignore:\n  - {rule: alias-drift, reason: own}\n",
		"a.yaml": "ignore:\n  - {rule: alias-drift, reason: shared}\n  - {rule: alias-drift, server: elsewhere, reason: shared}\n  - {rule: alias-drift, reason: old, until: 2000-01-01}\n",
	})
	require.NoError(t, err)
	all := collectIgnores(s, &mcp.Repo{}, namesIn(&mcp.Repo{}, nil, nil), "2026-01-01", false)
	found := all.unused(&Run{KnowsNames: true, Runs: func(string) bool { return true }, Judged: func(string) bool { return true }})
	require.Len(t, found, 1)
	assert.Equal(t, "s.yaml", found[0].File.Path)
	assert.True(t, slices.ContainsFunc(all.all, func(one *ignore) bool { return one.file.Path == "a.yaml" }), "their place is known")
}

// TestEffective checks that the printed settings can replace all files, and have the same
// effect.
func TestEffective(t *testing.T) {
	token := "ghp_" + strings.Repeat("Kq7ZxWv3", 5)[:36]
	files := map[string]string{
		"s.yaml": "extends: [a.yaml]\nseverity: note\nrules: {config-drift: off, alias-drift: error}\nexclude: ['**/x y', 'true', \"a\\u202eb\"]\nregistries:\n" +
			"ignore:\n  - {rule: alias-drift, server: 'no', reason: \"two: # of them\\nand more\", until: 2030-12-31}\n",
		"a.yaml": "min-age: 7\nexclude: []\nrules: {alias-drift: note}\nignore:\n  - {rule: config-drift, reason: 'is " + token + "'}\n" +
			"in-step:\n  - {files: [.mcp.json, '.vscode/*.json'], per-project: true, servers: [docs]}\ncatalog: {code: {a.b.c.d: x.ts}}\n",
	}
	s, err := readWith(files)
	require.NoError(t, err)
	text := string(s.Effective().YAML())
	assert.Equal(t, `# the settings of a.yaml
# which count less than those of s.yaml
catalog:
  code:
    a.b.c.d: x.ts # a.yaml
exclude:
  - "**/x y" # s.yaml
  - "true" # s.yaml
  - "a\u202eb" # s.yaml
ignore:
  - rule: config-drift # a.yaml
    reason: "is ghp_***"
  - rule: alias-drift # s.yaml
    server: no
    reason: "two: # of them\nand more"
    until: "2030-12-31"
in-step:
  - files: [.mcp.json, ".vscode/*.json"] # a.yaml
    per-project: true
    servers: [docs]
min-age: 7 # a.yaml
rules:
  alias-drift: error # s.yaml
  config-drift: off # s.yaml
severity: note # s.yaml
`, text)
	again, err := ParseSettings("s.yaml", "s.yaml", []byte(text))
	require.NoError(t, err)
	assert.Equal(t, counts(s), strings.ReplaceAll(counts(again), "ghp_***", token))

	printed, err := s.Effective().JSON()
	require.NoError(t, err)
	assert.Contains(t, string(printed), `"/exclude/0": "s.yaml"`)
	assert.Contains(t, string(printed), `"/catalog/code/a.b.c.d": "a.yaml"`)
	assert.NotContains(t, string(printed), token)
	nothing, err := (&Settings{}).Effective().JSON()
	require.NoError(t, err)
	assert.JSONEq(t, `{"files": [], "settings": {}, "from": {}}`, string(nothing))
	assert.Equal(t, "# nothing is set\n", string((&Settings{}).Effective().YAML()))
}

// counts is what settings say, without the places.
func counts(s *Settings) string {
	bare := make([]Ignore, len(s.Ignores))
	for i, one := range s.Ignores {
		bare[i] = one.bare()
	}
	return fmt.Sprint(s.Exclude, s.Rules, bare, s.Preferences, s.Registries, s.InStep, *s.MinAge, s.Catalog)
}

// FuzzEffective holds that what is printed of any settings are settings that say the same.
func FuzzEffective(f *testing.F) {
	for _, text := range []string{
		"exclude: [a, 'b c', '.5', ~x, '- a', 'a: b']\nrules: {alias-drift: off}", "min-age: 3\nmax-lock-age: 0",
		"ignore: [{rule: alias-drift, reason: \"a\\tb\\x7f\", path: \"\\u00e9/**\", until: 2030-12-31}]",
		"in-step: [{files: [a, b], servers: ['1', 'null', ''''], except: [0x1]}]", "catalog: {code: {a.b.c.d: \".inf\"}}",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSettings("s.yaml", "s.yaml", []byte(text))
		if err != nil || len(s.extends) > 0 {
			return
		}
		e := s.Effective()
		again, err := ParseSettings("s.yaml", "s.yaml", e.YAML())
		if strings.Contains(string(e.YAML()), "***") {
			return // a masked text may no longer be a path
		}
		require.NoError(t, err, "%s", e.YAML())
		first, err := e.JSON()
		require.NoError(t, err)
		second, err := again.Effective().JSON()
		require.NoError(t, err)
		assert.Equal(t, string(first), string(second))
	})
}
