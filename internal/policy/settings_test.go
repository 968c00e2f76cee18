package policy

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/hashicorp/go-multierror"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

func TestSettings(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"empty":          {"", nil},
		"only a comment": {"# nothing\n", nil},
		"null":           {"---\n", nil},
		"no patterns":    {"exclude:\n", nil},
		"patterns":       {"exclude:\n  - testdata/**\n  - './docs/'\n  - \"*.{json,yaml}\"\n", []string{"testdata/**", "docs", "*.{json,yaml}"}},
		"JSON":           {`{"exclude": ["a/**"]}`, []string{"a/**"}},
		"anchor":         {"exclude: &x [a]\n", []string{"a"}},
		"CRLF and BOM":   {"\ufeffexclude:\r\n  - a\r\n", []string{"a"}},
	} {
		t.Run(name, func(t *testing.T) {
			settings, err := ParseSettings(".mcplumb.yaml", ".mcplumb.yaml", []byte(test.text))
			require.NoError(t, err)
			assert.Equal(t, test.want, settings.Exclude)
		})
	}
}

// TestSettingsOfRules shows what severities and ignores become.
func TestSettingsOfRules(t *testing.T) {
	const text = `rules: {alias-drift: off, name-conflict: error}
ignore:
  - {rule: alias-drift, path: ./a/, server: "x/y", reason: because, until: 2030-12-31}
  - rule: name-conflict
    reason: two on purpose
`
	settings, err := ParseSettings(".mcplumb.yaml", ".mcplumb.yaml", []byte(text))
	require.NoError(t, err)
	assert.Equal(t, map[string]rule.Severity{"alias-drift": rule.Off, "name-conflict": rule.Error}, settings.Rules)
	for i := range settings.Ignores {
		place := settings.Ignores[i].place
		assert.Equal(t, settings.Ignores[i].Rule, text[place.Start:place.End], "the place is the rule's")
		assert.True(t, settings.Ignores[i].entry.Contains(place), "the rule is a part of the entry")
		settings.Ignores[i].place, settings.Ignores[i].entry = syntax.Span{}, syntax.Span{}
		settings.Ignores[i].pathPlace, settings.Ignores[i].serverPlace = syntax.Span{}, syntax.Span{}
	}
	assert.Equal(t, []Ignore{
		{Rule: "alias-drift", Path: "a", Server: "x/y", Reason: "because", Until: "2030-12-31"},
		{Rule: "name-conflict", Reason: "two on purpose"},
	}, settings.Ignores)
}

// FuzzSettings holds that no settings make the program fail, and that every
// mistake has a place in the file.
func FuzzSettings(f *testing.F) {
	for _, seed := range []string{"", "rules: {alias-drift: off}", "ignore: [{rule: alias-drift, reason: x}]", "exclude: [a, *a]", "? [a]\n: 1", "<<: &a {}", "extends: [a.yaml, '" + onHub + "', '" + onTheWeb + "#sha256=" + hash + "', github:a, '://']"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		settings, err := ParseSettings("s.yaml", "s.yaml", []byte(text))
		if err == nil {
			require.NotNil(t, settings)
			return
		}
		mistakes := []error{err}
		var several *multierror.Error
		if errors.As(err, &several) {
			mistakes = several.Errors
		}
		for _, mistake := range mistakes {
			var usage *Error
			require.ErrorAs(t, mistake, &usage)
			require.LessOrEqual(t, usage.Line, strings.Count(text, "\n")+1)
		}
	})
}

func TestSettingsMistakes(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"misspelt key": {"# hi\nexlude: []\n", []string{
			`s.yaml:2:1: unknown key "exlude": did you mean "exclude"?`}},
		"unknown key": {"colour: true\n", []string{
			`s.yaml:1:1: unknown key "colour": known are baseline, catalog, exclude, extends, fail-on, format, ignore, in-step, max-lock-age, min-age, policy, registries, rules, severity`}},
		"every mistake is named": {"exclude:\n  - 1\n  - '[a'\n  - /etc/**\n  - ../x\n  - ''\nfoo: bar\n", []string{
			`s.yaml:2:5: a pattern must be a string, not a number`,
			`s.yaml:3:5: the pattern "[a" is malformed`,
			`s.yaml:4:5: the pattern "/etc/**" must be relative to the root of the repository`,
			`s.yaml:5:5: the pattern "../x" must be relative to the root of the repository`,
			`s.yaml:6:5: the pattern "" would cover everything`,
			`s.yaml:7:1: unknown key "foo": known are baseline, catalog, exclude, extends, fail-on, format, ignore, in-step, max-lock-age, min-age, policy, registries, rules, severity`}},
		"a string for a list": {"exclude: testdata/**\n", []string{
			`s.yaml:1:10: exclude must be a list of patterns like [testdata/**], not a string`}},
		"a mapping for a list": {"exclude: {a: b}\n", []string{
			`s.yaml:1:10: exclude must be a list of patterns like [testdata/**], not a mapping`}},
		"twice": {"exclude: []\nexclude: []\n", []string{
			`s.yaml:2:1: "exclude" is written twice`}},
		"a list for the settings": {"- exclude\n", []string{
			"s.yaml:1:1: the settings must be a mapping like `exclude: [testdata/**]`, not a list"}},
		"columns are code points": {"{\"日本\": 1}\n", []string{
			`s.yaml:1:2: unknown key "日本": known are baseline, catalog, exclude, extends, fail-on, format, ignore, in-step, max-lock-age, min-age, policy, registries, rules, severity`}},
		"every key of the catalog": {"catalog:\n  namespace: acme\n  organization: 7up\n  project: a.b\n  code: {a.b.c: /x.ts, a.b.c.d: ../x.ts}\n  name: x\n", []string{
			`s.yaml:2:14: the namespace must be one like io.github.acme, not "acme"`,
			`s.yaml:3:17: organization must be a letter or _ and then letters, digits, _ and -, not "7up"`,
			`s.yaml:4:12: project must be a letter or _ and then letters, digits, _ and -, not "a.b"`,
			`s.yaml:5:10: a name of code must have four parts like acme.tools.fs.read_json, not "a.b.c"`,
			`s.yaml:5:17: a file of code must be a path from the root of the repository, not "/x.ts"`,
			`s.yaml:5:33: a file of code must be a path from the root of the repository, not "../x.ts"`,
			`s.yaml:6:3: unknown key "name": did you mean "namespace"?`}},
		"an approved catalog": {"catalog: {approved: 'https://a:b@catalog.acme.dev'}\n", []string{
			`s.yaml:1:21: the address of the catalog contains a user or password: remove them, and log in as its own client does`}},
		"a directory elsewhere": {"catalog: {approved: ../site}\n", []string{
			`s.yaml:1:21: approved "../site" leads out of the repository`}},
		"no mapping for the catalog": {"catalog: [a]\n", []string{
			`s.yaml:1:10: catalog must be a mapping like {namespace: io.github.acme}, not a list`}},
		"too many patterns of names": {"in-step: [{files: [a, b], servers: [" + strings.Repeat("a*, b, ", 200) + "c*]}]\n", []string{
			`s.yaml:1:1437: there are more than 200 patterns of names: write the names themselves`}},
		"too many policies": {"policy: [" + strings.Repeat("a.json, ", 20) + "b.json]\n", []string{"s.yaml:1:170: there are more than 20 files"}},
		"a file for a list of policies": {"policy: a.json\n", []string{
			`s.yaml:1:9: policy must be a list of files like [managed-settings.json, copilot=.github/managed-settings.json], not a string`}},
		"a policy elsewhere": {"policy: [../l2.json, a/../../l2.json]\n", []string{
			`s.yaml:1:10: policy "../l2.json" leads out of the repository`,
			`s.yaml:1:22: policy "a/../../l2.json" leads out of the repository`}},
		"files of policies": {"policy: [1, copilot=, claude-code=/etc/x.json]\n", []string{
			`s.yaml:1:10: policy must be the path of a file, not a number`,
			`s.yaml:1:13: policy is empty: leave it out`,
			`s.yaml:1:23: policy "/etc/x.json" must be relative to the root of the repository`}},
		"not YAML": {"exclude: [a\n", []string{
			`s.yaml:1:10: not valid YAML: "[" is never closed`}},
		"two documents": {"exclude: []\n---\nexclude: []\n", []string{
			`s.yaml:3:1: there is a second YAML document: keep one`}},
		"an alias is not followed": {"exclude:\n  - &a x\n  - *a\n", []string{
			`s.yaml:3:5: a pattern must be a string, not an alias (they are not followed)`}},
		"an alias for a key": {"? *a\n: 1\n", []string{
			`s.yaml:1:3: not valid YAML: nothing is called &a before this alias`}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ParseSettings("s.yaml", "s.yaml", []byte(test.text))
			require.Error(t, err)
			var got []string
			if several, ok := err.(*multierror.Error); ok {
				for _, one := range several.Errors {
					got = append(got, one.Error())
				}
			} else {
				got = []string{err.Error()}
			}
			assert.Equal(t, test.want, got)
		})
	}
}

// TestCostlyPatterns checks that patterns that expand to too many others are mistakes, and
// that of very many mistakes not all are reported.
func TestCostlyPatterns(t *testing.T) {
	braces := strings.Repeat("{a,a}", 30) + "b"
	_, err := ParseSettings("s.yaml", "s.yaml", []byte("exclude:\n  - ok\n  - '"+braces+"'\n"))
	assert.ErrorContains(t, err, "s.yaml:3:5: the pattern \"{a,a}{a,a}")
	assert.ErrorContains(t, err, "…\" expands to more than 256 patterns: write out its braces")
	_, err = ParseSettings("s.yaml", "s.yaml", []byte("ignore:\n  - {rule: alias-drift, reason: r, path: '"+braces+"'}\n"))
	assert.ErrorContains(t, err, "s.yaml:2:42: the pattern ")

	many := "exclude:\n" + strings.Repeat("  - '"+strings.Repeat("{a,b}", 8)+strings.Repeat("x", 100)+"'\n", 200)
	_, err = ParseSettings("s.yaml", "s.yaml", []byte(many))
	assert.ErrorContains(t, err, ": the patterns up to here stand for more than 4 MB: write out their braces")

	_, err = ParseSettings("s.yaml", "s.yaml", []byte("exclude:\n"+strings.Repeat("  - 1\n", 1000)))
	var several *multierror.Error
	require.ErrorAs(t, err, &several)
	assert.Len(t, several.Errors, 101)
	assert.EqualError(t, several.Errors[100], "s.yaml: 900 more mistakes")
}

// TestManyIgnores holds that the cost of ignores grows with how many there are plus
// how many findings, not with both multiplied.
func TestManyIgnores(t *testing.T) {
	for name, entry := range map[string]func(i int) Ignore{
		"other paths":    func(i int) Ignore { return Ignore{Path: fmt.Sprintf("**/x%d", i)} },
		"the same paths": func(int) Ignore { return Ignore{Path: "f/**"} },
		"all paths":      func(int) Ignore { return Ignore{} },
		"other servers":  func(i int) Ignore { return Ignore{Server: fmt.Sprint("s", i)} },
		"expired":        func(i int) Ignore { return Ignore{Until: "2000-01-01"} },
	} {
		cost := func(n int) uint64 {
			settings := &Settings{file: syntax.NewFile("s.yaml", nil)}
			file := syntax.NewFile("f/.mcp.json", []byte("{}"))
			var findings []rule.Finding
			for i := range n {
				one := entry(i)
				one.Rule = checks.UnusedIgnore.ID
				settings.Ignores = append(settings.Ignores, one)
				findings = append(findings, rule.Finding{Rule: checks.UnusedIgnore, File: file, Server: fmt.Sprint("s", i)})
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			collectIgnores(settings, &mcp.Repo{}, namesIn(&mcp.Repo{}, nil, findings), "2026-01-01", false).hide(findings)
			runtime.ReadMemStats(&after)
			return after.TotalAlloc - before.TotalAlloc
		}
		assert.Less(t, cost(4000), 3*cost(2000), name)
	}
}

// TestAliasBomb holds that settings never expand aliases: nine levels of nine
// would be hundreds of millions of values.
func TestAliasBomb(t *testing.T) {
	var b strings.Builder
	b.WriteString("a0: &a0 [x,x,x,x,x,x,x,x,x]\n")
	for i := 1; i < 10; i++ {
		n := string(rune('0' + i))
		ref := "*a" + string(rune('0'+i-1))
		b.WriteString("a" + n + ": &a" + n + " [" + strings.Repeat(ref+",", 8) + ref + "]\n")
	}
	b.WriteString("exclude: *a9\n")
	_, err := ParseSettings("s.yaml", "s.yaml", []byte(b.String()))
	require.Error(t, err)
	assert.Contains(t, err.Error(), "s.yaml:11:10: exclude must be a list of patterns like [testdata/**], not an alias")
}

func TestFilter(t *testing.T) {
	settings := &Settings{Exclude: []string{"testdata/**", "docs", "**/old.json"}}
	for name, test := range map[string]struct {
		named []string
		yes   []string
		no    []string
	}{
		"the root": {[]string{""},
			[]string{"a/.mcp.json", "documents/x", "x/docs/a"},
			[]string{"testdata/a/.mcp.json", "docs/a/b", "a/old.json", "old.json"}},
		"an excluded directory is named": {[]string{"testdata/demo"},
			[]string{"testdata/demo/.mcp.json"},
			[]string{"testdata/other/.mcp.json", "a/.mcp.json", "testdata/demo/old.json"}},
		"next to the root": {[]string{"", "docs"},
			[]string{"docs/a", "b"},
			[]string{"testdata/x"}},
		"an excluded file is named": {[]string{"a/old.json"},
			[]string{"a/old.json"},
			[]string{"b/old.json"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := NewFilter(settings, test.named)
			for _, path := range test.yes {
				assert.True(t, f.Wants(path), path)
			}
			for _, path := range test.no {
				assert.False(t, f.Wants(path), path)
			}
		})
	}
}
