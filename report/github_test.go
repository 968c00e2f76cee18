package report

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/terminal"
	"github.com/mcplumb/mcplumb/internal/view"
)

// hostileTexts try to leave the place they are put in: a log line, a workflow
// command, a message of SARIF.
var hostileTexts = []string{
	"plain",
	"a\n::error::injected",
	"::error::injected",
	"  ::warning file=x::injected",
	"\u00a0::error::injected",
	"\u2028::error::injected",
	"\r::add-mask::a\r\n::stop-commands::b\n",
	"##[error]injected",
	"###[stop-commands]x",
	"text ##[add-mask]x ##[group]",
	"##\u200d[error]x",
	"%0A::error::injected%0D%25",
	"a,title=injected::b",
	"\x1b[31mred\x1b]8;;http://x\x07link",
	"[link](https://example.com) ![image](x)",
	"](javascript:alert(1))",
	`\](javascript:alert(1)) \[a](1) \\[b](1) \\\[c](1)`,
	"[one](1)[two](2)",
	"<img src=x onerror=alert(1)> & <!-- -->",
	"\u202egnp.exe \u2066isolated",
	"{0} {{1}} ${VAR}",
	"bad utf-8 \xff\xfe and nul \x00",
	"日本語 😀 é",
}

// runnerCommand is a workflow command as GitHub's runner understands it.
type runnerCommand struct {
	name       string
	properties map[string]string
	data       string
}

// runnerRead reads a log as the runner does (actions/runner, OutputManager.cs and
// ActionCommand.cs): it returns the commands, and the other lines.
func runnerRead(log string) (commands []runnerCommand, plain []string) {
	log = strings.ReplaceAll(strings.ReplaceAll(log, "\r\n", "\n"), "\r", "\n")
	for _, line := range strings.Split(strings.TrimSuffix(log, "\n"), "\n") {
		command, ok := runnerV2(line)
		if !ok {
			command, ok = runnerV1(line)
		}
		if ok {
			commands = append(commands, command)
		} else {
			plain = append(plain, line)
		}
	}
	return commands, plain
}

// runnerV2 reads ::name key=value,key=value::data.
func runnerV2(line string) (c runnerCommand, ok bool) {
	line, ok = strings.CutPrefix(strings.TrimLeftFunc(line, unicode.IsSpace), "::")
	if !ok {
		return c, false
	}
	info, data, ok := strings.Cut(line, "::")
	if !ok {
		return c, false
	}
	unescape := strings.NewReplacer("%0D", "\r", "%0A", "\n", "%25", "%")
	return runnerParse(info, data, ",", unescape, strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%"))
}

// runnerV1 reads ##[name key=value;key=value]data, anywhere in a line.
func runnerV1(line string) (c runnerCommand, ok bool) {
	_, line, ok = strings.Cut(line, "##[")
	if !ok {
		return c, false
	}
	info, data, ok := strings.Cut(line, "]")
	if !ok {
		return c, false
	}
	unescape := strings.NewReplacer("%3B", ";", "%0D", "\r", "%0A", "\n", "%5D", "]", "%25", "%")
	return runnerParse(info, data, ";", unescape, unescape)
}

func runnerParse(info, data, separator string, unescapeData, unescapeProperty *strings.Replacer) (c runnerCommand, ok bool) {
	name, properties, _ := strings.Cut(info, " ")
	if !slices.Contains([]string{
		"add-mask", "add-matcher", "add-path", "debug", "echo", "endgroup", "error", "group", "internal-set-repo-path",
		"notice", "remove-matcher", "save-state", "set-env", "set-output", "stop-commands", "warning",
	}, strings.ToLower(name)) {
		return c, false
	}
	c = runnerCommand{name, map[string]string{}, unescapeData.Replace(data)}
	for _, property := range strings.Split(strings.TrimSpace(properties), separator) {
		if key, value, ok := strings.Cut(property, "="); ok && key != "" && value != "" {
			c.properties[key] = unescapeProperty.Replace(value)
		}
	}
	return c, true
}

// ruleByID returns a real rule.
func ruleByID(t *testing.T, id string) *rule.Rule {
	t.Helper()
	for _, c := range checks.All() {
		if c.ID == id {
			return c
		}
	}
	require.Fail(t, "no such rule", id)
	return nil
}

// spanOf returns the span of a token in a file.
func spanOf(t *testing.T, file *syntax.File, token string) syntax.Span {
	t.Helper()
	i := bytes.Index(file.Bytes, []byte(token))
	require.GreaterOrEqual(t, i, 0, "no %q in the file", token)
	return syntax.Span{Start: i, End: i + len(token)}
}

// sampleFile is a small configuration.
func sampleFile(path string) *syntax.File {
	return syntax.NewFile(path, []byte("{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"npx\"}\n  }\n}\n"))
}

func githubOutput(t *testing.T, findings []rule.Finding, o Options) string {
	t.Helper()
	return githubRun(t, &view.Run{Findings: findings}, o, Annotations{})
}

func githubRun(t *testing.T, r *view.Run, o Options, a Annotations) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, WriteGitHub(&out, view.New(*r), o, a))
	return out.String()
}

func TestGitHub(t *testing.T) {
	file, other := sampleFile("sub/mcp.json"), sampleFile(".mcp.json")
	findings := []rule.Finding{
		{Rule: ruleByID(t, "config-drift"), Severity: rule.Note, File: file, Span: spanOf(t, file, `"npx"`), Message: "a note"},
		{Rule: ruleByID(t, "alias-drift"), Severity: rule.Warning, File: file, Span: spanOf(t, file, `"a"`), Message: "50% of a, b: c",
			Related: []rule.Related{{File: other, Span: spanOf(t, other, `"a"`), Message: "called b here"}},
			Fixes:   []rule.Fix{{Title: "rename", Safety: rule.Unsafe}}},
		{Rule: ruleByID(t, "syntax-error"), Severity: rule.Error, File: file, Span: spanOf(t, file, "{\n    \"a\""), Message: "two lines"},
	}

	assert.Equal(t, `repo/sub/mcp.json:2:17: error: two lines [syntax-error]
::error endLine=3,file=sub/mcp.json,line=2,title=mcplumb%3A syntax-error::two lines
repo/sub/mcp.json:3:5: warning: 50% of a, b: c [alias-drift]
::warning col=5,endColumn=8,endLine=3,file=sub/mcp.json,line=3,title=mcplumb%3A alias-drift::50%25 of a, b: c%0Arepo/.mcp.json:3:5: called b here%0Afix: rename (unsafe)
repo/sub/mcp.json:3:22: note: a note [config-drift]
::notice col=22,endColumn=27,endLine=3,file=sub/mcp.json,line=3,title=mcplumb%3A config-drift::a note
1 error, 1 warning, 1 note; 1 fixable with --fix=unsafe
`, githubRun(t, &view.Run{Findings: findings, Paths: elsewhere()}, Options{Severity: rule.Note}, Annotations{}))

	commands, plain := runnerRead(githubOutput(t, findings, Options{Severity: rule.Error}))
	assert.Len(t, commands, 1)
	assert.Len(t, plain, 2, "the finding and the summary")
	assert.Equal(t, "no MCP configuration found\n", githubOutput(t, nil, Options{}))
}

// TestGitHubProperties holds that a path comes back as it was.
func TestGitHubProperties(t *testing.T) {
	for _, path := range []string{"a b.json", "100%.json", "a%0Ab%25.json", "a:b,c=d.json", "a\r\nb.json", "::error::x", "日本😀.json", "a\u00a0b.json"} {
		file := sampleFile(path)
		commands, _ := runnerRead(githubOutput(t, []rule.Finding{{
			Rule: ruleByID(t, "alias-drift"), Severity: rule.Error, File: file, Span: spanOf(t, file, `"a"`), Message: "m"}}, Options{}))
		require.Len(t, commands, 1, path)
		assert.Equal(t, path, commands[0].properties["file"])
	}
	assert.Equal(t, `a\x1b\u202e\xffb`, annotationPath("a\x1b\u202e\xffb"))
}

// TestGitHubHostile puts hostile text wherever text of a repository can be, and
// reads everything back as the runner would.
func TestGitHubHostile(t *testing.T) {
	drift := ruleByID(t, "alias-drift")
	for _, text := range hostileTexts {
		file := sampleFile(text)
		place := spanOf(t, file, `"a"`)
		out := githubOutput(t, []rule.Finding{{
			Rule: drift, Severity: rule.Error, File: file, Span: place, Server: text, Message: text,
			Related: []rule.Related{{File: file, Span: place, Message: text}},
			Fixes:   []rule.Fix{{Title: text}},
		}}, Options{})

		commands, plain := runnerRead(out)
		require.Len(t, commands, 1, "%q", out)
		require.Len(t, plain, 2, "the finding and the summary: %q", out)
		c := commands[0]
		assert.Equal(t, "error", c.name)
		assert.Equal(t, []string{"col", "endColumn", "endLine", "file", "line", "title"}, slices.Sorted(maps.Keys(c.properties)), "%q", out)
		assert.Equal(t, "mcplumb: alias-drift", c.properties["title"])
		assert.Equal(t, annotationPath(text), c.properties["file"])
		escaped := withoutCommand(terminal.Escape(text))
		assert.Equal(t, fmt.Sprintf("%s\n%s:3:5: %s\nfix: %[1]s", escaped, withoutCommand(terminal.Escape(text)), escaped), c.data)
		assert.True(t, strings.HasSuffix(plain[0], escaped+":3:5: error: "+escaped+" [alias-drift]"), "%q", plain[0])

		for _, r := range out {
			assert.False(t, r != '\n' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r), "%q in %q", r, out)
		}
	}
}

func TestGitHubLimits(t *testing.T) {
	file := sampleFile(".mcp.json")
	place := spanOf(t, file, `"a"`)
	var findings []rule.Finding
	for i := range 36 {
		severity := []rule.Severity{rule.Note, rule.Error, rule.Warning}[i%3]
		findings = append(findings, rule.Finding{
			Rule: ruleByID(t, "alias-drift"), Severity: severity, File: file, Span: place, Message: fmt.Sprint("finding ", i)})
	}
	commands, plain := runnerRead(githubOutput(t, findings, Options{Severity: rule.Note}))
	require.Len(t, commands, 30)
	for i, c := range commands {
		assert.Equal(t, []string{"error", "warning", "notice"}[i/10], c.name)
	}
	assert.Equal(t, "finding 1", commands[0].data)
	require.Len(t, plain, 38)
	assert.Equal(t, "mcplumb: 6 findings above without an annotation (2 errors, 2 warnings, 2 notes): GitHub keeps 10 of each kind", plain[36])

	commands, plain = runnerRead(githubOutput(t, findings, Options{Severity: rule.Warning}))
	assert.Len(t, commands, 20)
	assert.Len(t, plain, 26)

	var annotated [rule.Error + 1]int
	annotated[rule.Warning], annotated[rule.Note] = 3, 11
	commands, plain = runnerRead(githubRun(t, &view.Run{Findings: findings}, Options{Severity: rule.Note}, Annotations{Taken: annotated}))
	assert.Len(t, commands, 17)
	assert.Contains(t, plain, "mcplumb: 19 findings above without an annotation (2 errors, 5 warnings, 12 notes): GitHub keeps 10 of each kind")

	long := findings[1]
	long.Message = strings.Repeat("😀", 1<<20)
	commands, _ = runnerRead(githubOutput(t, []rule.Finding{long}, Options{}))
	require.Len(t, commands, 1)
	assert.Equal(t, strings.Repeat("😀", 2047)+"…", commands[0].data)

	long.Message, long.Related = "m", make([]rule.Related, 12)
	for i := range long.Related {
		long.Related[i] = rule.Related{File: file, Span: place, Message: "r"}
	}
	commands, _ = runnerRead(githubOutput(t, []rule.Finding{long}, Options{}))
	assert.Equal(t, "m"+strings.Repeat("\n.mcp.json:3:5: r", 5)+"\nand 7 more places", commands[0].data)
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("no space") }

func TestGitHubWriteError(t *testing.T) {
	file := sampleFile("a.json")
	r := &view.Run{Findings: []rule.Finding{{Rule: ruleByID(t, "alias-drift"), Severity: rule.Error, File: file, Message: "m"}}}
	assert.EqualError(t, WriteGitHub(brokenWriter{}, view.New(*r), Options{}, Annotations{}), "no space")
	assert.EqualError(t, writeSARIF(brokenWriter{}, view.New(*r), Options{}), "no space")
}

// secretMessage names a token that no issuer ever gave out.
func secretMessage() (message, token string) {
	token = "ghp_" + strings.Repeat("a1B2c3D4e5F6", 3)
	return "the header holds " + token + " in the open", token
}

func TestGitHubSecrets(t *testing.T) {
	file := sampleFile("a.json")
	message, token := secretMessage()
	place := spanOf(t, file, `"a"`)
	out := githubOutput(t, []rule.Finding{{
		Rule: ruleByID(t, "alias-drift"), Severity: rule.Error, File: file, Span: place, Message: message,
		Related: []rule.Related{{File: file, Span: place, Message: message}},
		Fixes:   []rule.Fix{{Title: message}},
	}}, Options{})
	assert.NotContains(t, out, token[8:])
	assert.Contains(t, out, "***")
}

// TestNoOutputIsACommand writes hostile text through every output and the list
// of servers, as a log of GitHub's runner may hold them: nothing is taken for a
// workflow command but what the github format means to be one.
func TestNoOutputIsACommand(t *testing.T) {
	for _, text := range hostileTexts {
		file := syntax.NewFile(text+".json", []byte(text+"\n"+text))
		r := &view.Run{Failures: []view.Failure{{Path: text, Message: text}}, Findings: []rule.Finding{{
			Rule: checks.All()[0], Severity: rule.Warning, File: file, Span: syntax.Span{Start: 0, End: len(text)},
			Server: text, Identity: text, Message: text,
			Related: []rule.Related{{File: file, Span: syntax.Span{Start: 0, End: 1}, Message: text}},
			Fixes:   []rule.Fix{{Title: text, Safety: rule.Safe}},
		}}}
		for _, f := range All() {
			if f.Name == "github" {
				continue
			}
			commands, _ := runnerRead(written(t, f.Name, r, Options{}))
			assert.Empty(t, commands, "%s: %q", f.Name, text)
		}
		for _, f := range ListFormats() {
			var out bytes.Buffer
			require.NoError(t, f.Write(&out, listed(repoOf(server(text))), Options{}))
			commands, _ := runnerRead(out.String())
			assert.Empty(t, commands, "list %s: %q", f.Name, text)
		}
	}
}

// TestGitHubChangedFirst puts the findings of changed files first, within their
// severity.
func TestGitHubChangedFirst(t *testing.T) {
	old, changed := sampleFile("a.json"), sampleFile("b.json")
	drift := ruleByID(t, "alias-drift")
	var findings []rule.Finding
	for _, severity := range []rule.Severity{rule.Warning, rule.Error} {
		findings = append(findings,
			rule.Finding{Rule: drift, Severity: severity, File: old, Span: spanOf(t, old, `"a"`), Message: "old"},
			rule.Finding{Rule: drift, Severity: severity, File: changed, Span: spanOf(t, changed, `"a"`), Message: "changed"})
	}
	commands, _ := runnerRead(githubRun(t, &view.Run{Findings: findings}, Options{}, Annotations{First: func(path string) bool { return path == "b.json" }}))
	require.Len(t, commands, 4)
	var order []string
	for _, c := range commands {
		order = append(order, c.name+" "+c.data)
	}
	assert.Equal(t, []string{"error changed", "error old", "warning changed", "warning old"}, order)
}
