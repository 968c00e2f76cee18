package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/terminal"
	"github.com/mcplumb/mcplumb/internal/view"
)

// tokenSpan returns where text first occurs in a file.
func tokenSpan(t *testing.T, f *syntax.File, text string) syntax.Span {
	t.Helper()
	i := bytes.Index(f.Bytes, []byte(text))
	require.GreaterOrEqual(t, i, 0, "%q is not in %s", text, f.Path)
	return syntax.Span{Start: i, End: i + len(text)}
}

// sample returns a report with a finding of every severity.
func sample(t *testing.T) *view.Run {
	cursor := syntax.NewFile(".cursor/mcp.json", []byte("{\n  \"mcpServers\": {\n    \"vercel\": {}\n  }\n}\n"))
	lock := syntax.NewFile("mcp-tap.lock", []byte("{\n\"vercel-mcp\": {}}"))
	drift := &rule.Rule{ID: "alias-drift"}
	findings := []rule.Finding{
		{
			Rule: drift, Severity: rule.Warning, File: cursor, Span: tokenSpan(t, cursor, `"vercel"`),
			Server: "vercel", Identity: "npm:@vercel/mcp-server", Message: `"vercel" is locked under another name`,
			Related: []rule.Related{{File: lock, Span: tokenSpan(t, lock, `"vercel-mcp"`), Message: "locked here"}},
			Fixes: []rule.Fix{{Title: `rename to "vercel-mcp"`, Safety: rule.Unsafe, Edits: []edit.Change{
				edit.Rename(cursor, tokenSpan(t, cursor, `"vercel"`), "vercel-mcp")}}},
		},
		{Rule: &rule.Rule{ID: "config-drift"}, Severity: rule.Note, File: cursor, Span: tokenSpan(t, cursor, `"mcpServers"`), Message: "a note"},
		{Rule: &rule.Rule{ID: "syntax-error"}, Severity: rule.Error, File: lock, Span: syntax.Span{Start: len(lock.Bytes), End: len(lock.Bytes)}, Message: "an error"},
	}
	return &view.Run{
		Tool: view.Tool{Name: "mcplumb", Version: "0.1.0"}, Findings: findings,
		Files: 2, Servers: 9,
		Failures: []view.Failure{{Path: "x.json", Message: "is a directory, not a file"}},
	}
}

func written(t *testing.T, name string, r *view.Run, o Options) string {
	t.Helper()
	var b bytes.Buffer
	for _, f := range All() {
		if f.Name == name {
			require.NoError(t, f.Write(&b, view.New(*r), o))
		}
	}
	return b.String()
}

// elsewhere are paths as they look from the directory above the repository.
func elsewhere() view.Paths {
	return view.NewPaths(filepath.FromSlash("/work/repo"), filepath.FromSlash("/work"))
}

func TestText(t *testing.T) {
	drift := `.cursor/mcp.json:3:5: warning: "vercel" is locked under another name [alias-drift]
 3 |     "vercel": {}
   |     ^^^^^^^^
  mcp-tap.lock:2:1: locked here
 2 | "vercel-mcp": {}}
   | ------------
  fix: rename to "vercel-mcp" (--fix=unsafe)

`
	failure := `mcp-tap.lock:2:18: error: an error [syntax-error]
 2 | "vercel-mcp": {}}
   |                  ^

`
	summary := "1 error, 1 warning in 9 servers, 2 files (1 note: --severity note shows it); 1 fixable with --fix=unsafe; incomplete: 1 file, rule or registry could not be checked\n"
	assert.Equal(t, failure+drift+summary, written(t, "text", sample(t), Options{Severity: rule.Warning}))
	assert.Equal(t, drift+failure+summary, written(t, "text", sample(t), Options{Severity: rule.Warning, ByPath: true}))
}

// TestTextFitsTheTerminal breaks lines between words where the terminal ends, and links the rule.
func TestTextFitsTheTerminal(t *testing.T) {
	assert.Equal(t, `mcp-tap.lock:2:18: error: an error
  [syntax-error]
 2 | "vercel-mcp": {}}
   |                  ^

.cursor/mcp.json:3:5: warning: "vercel"
  is locked under another name
  [alias-drift]
 3 |     "vercel": {}
   |     ^^^^^^^^
  mcp-tap.lock:2:1: locked here
 2 | "vercel-mcp": {}}
   | ------------
  fix: rename to "vercel-mcp"
    (--fix=unsafe)

1 error, 1 warning in 9 servers, 2 files
  (1 note: --severity note shows it); 1
  fixable with --fix=unsafe;
  incomplete: 1 file, rule or registry could not be checked
`, written(t, "text", sample(t), Options{Severity: rule.Warning, Width: 40}))

	r := sample(t)
	r.Findings, r.Failures = r.Findings[:1], nil
	linked := written(t, "text", r, Options{Severity: rule.Warning, Color: true, Links: true})
	assert.Contains(t, linked, "another name \x1b]8;;"+r.Findings[0].Rule.URL()+"\x1b\\\x1b[90m[alias-drift]\x1b[0m\x1b]8;;\x1b\\\n")
}

func TestTextInColor(t *testing.T) {
	r := sample(t)
	r.Findings, r.Failures = r.Findings[:1], nil
	text := written(t, "text", r, Options{Severity: rule.Warning, Color: true})
	assert.Equal(t, "\x1b[1m.cursor/mcp.json:3:5\x1b[0m: \x1b[1;33mwarning\x1b[0m: \"vercel\" is locked under another name \x1b[90m[alias-drift]\x1b[0m\n"+
		"\x1b[90m 3 |\x1b[0m     \"vercel\": {}\n"+
		"\x1b[90m   |\x1b[0m     \x1b[1;33m^^^^^^^^\x1b[0m\n"+
		"  \x1b[1mmcp-tap.lock:2:1\x1b[0m: locked here\n"+
		"\x1b[90m 2 |\x1b[0m \"vercel-mcp\": {}}\n"+
		"\x1b[90m   |\x1b[0m \x1b[1;34m------------\x1b[0m\n"+
		"  fix: rename to \"vercel-mcp\" \x1b[90m(--fix=unsafe)\x1b[0m\n\n"+
		"\x1b[1;33m1 warning\x1b[0m in 9 servers, 2 files; 1 fixable with --fix=unsafe\n", text)
	plain := written(t, "text", r, Options{Severity: rule.Warning})
	assert.NotContains(t, plain, "\x1b")
}

func TestSummaryLine(t *testing.T) {
	for want, test := range map[string]struct {
		files, servers, failures int
		errors, warnings, notes  int
		severity                 rule.Severity
	}{
		"no MCP configuration found":      {severity: rule.Warning},
		"no problems in 1 server, 1 file": {files: 1, servers: 1, severity: rule.Warning},
		"nothing to show in 2 servers, 1 file (1 warning, 2 notes: --severity note shows them)": {
			files: 1, servers: 2, warnings: 1, notes: 2, severity: rule.Error},
		"1 error in 0 servers, 1 file (1 warning: --severity warning shows it)": {
			files: 1, errors: 1, warnings: 1, severity: rule.Error},
		"no problems in 3 servers, 1 file (2 notes: --severity note shows them)": {
			files: 1, servers: 3, notes: 2, severity: rule.Warning},
		"1 error": {errors: 1, severity: rule.Note},
		"nothing was checked; incomplete: 2 files, rules or registries could not be checked": {failures: 2, severity: rule.Note},
		"no problems in 1 server, 1 file; incomplete: 1 file, rule or registry could not be checked": {
			files: 1, servers: 1, failures: 1, severity: rule.Note},
		"2 notes in 3 servers, 2 files": {files: 2, servers: 3, notes: 2, severity: rule.Note},
	} {
		r := view.Run{Files: test.files, Servers: test.servers, Failures: make([]view.Failure, test.failures)}
		for severity, n := range map[rule.Severity]int{rule.Error: test.errors, rule.Warning: test.warnings, rule.Note: test.notes} {
			r.Findings = append(r.Findings, slices.Repeat([]rule.Finding{{Severity: severity}}, n)...)
		}
		assert.Equal(t, []string{want}, plainSummary(view.New(r), Options{Severity: test.severity}))
	}
}

// TestSummarySaysWhatIsFixable shows the lines about fixes, also for readers without a command
// line.
func TestSummarySaysWhatIsFixable(t *testing.T) {
	safe, unsafe := []rule.Fix{{Safety: rule.Safe}}, []rule.Fix{{Safety: rule.Unsafe}}
	for want, test := range map[string]struct {
		fixes [][]rule.Fix
		lower string
	}{
		"2 notes; 1 fixable with --fix":                           {fixes: [][]rule.Fix{safe, nil}},
		"1 note; 1 fixable with --fix=unsafe":                     {fixes: [][]rule.Fix{unsafe}},
		"3 notes; 2 fixable with --fix, 1 more with --fix=unsafe": {fixes: [][]rule.Fix{append(unsafe, safe...), safe, unsafe}},
		"1 note; 1 fixable with mcplumb check --fix":              {fixes: [][]rule.Fix{safe}, lower: "severity:"},
		"1 note; 1 fixable with mcplumb check --fix=unsafe":       {fixes: [][]rule.Fix{unsafe}, lower: "severity:"},
	} {
		var r view.Run
		for _, fixes := range test.fixes {
			r.Findings = append(r.Findings, rule.Finding{Severity: rule.Note, Fixes: fixes})
		}
		assert.Equal(t, []string{want}, plainSummary(view.New(r), Options{Severity: rule.Note, Lower: test.lower}))
	}
}

// manyNotes returns a report with notes of a rule about "name" in every file.
func manyNotes(id string, files int, message string) []rule.Finding {
	var findings []rule.Finding
	for i := range files {
		file := syntax.NewFile(fmt.Sprintf("%d/.mcp.json", i), []byte(`{"name": 1}`))
		for range 2 {
			findings = append(findings, rule.Finding{
				Rule: &rule.Rule{ID: id, Title: "what " + id + " is about"}, Severity: rule.Note,
				File: file, Span: syntax.Span{Start: 1, End: 7}, Message: message,
			})
		}
	}
	return findings
}

// TestTextGroupsNotes shows notes by rule after everything else: all of them
// where they are few, otherwise some that fit a line each.
func TestTextGroupsNotes(t *testing.T) {
	r := sample(t)
	long := strings.Repeat("long ", 30)
	r.Findings = append(append(manyNotes("second", 6, long), r.Findings...), manyNotes("first", 3, "m")...)
	r.Failures = nil
	text := written(t, "text", r, Options{Severity: rule.Note})
	_, notes, found := strings.Cut(text, "fix: rename to \"vercel-mcp\" (--fix=unsafe)\n\n")
	require.True(t, found, text)
	line := ": note: " + strings.Repeat("long ", 17) + "lo… [second]"
	assert.Equal(t, `.cursor/mcp.json:2:3: note: a note [config-drift]

0/.mcp.json:1:2: note: m [first]
0/.mcp.json:1:2: note: m [first]
1/.mcp.json:1:2: note: m [first]
1/.mcp.json:1:2: note: m [first]
2/.mcp.json:1:2: note: m [first]
2/.mcp.json:1:2: note: m [first]

0/.mcp.json:1:2`+line+`
0/.mcp.json:1:2`+line+`
1/.mcp.json:1:2`+line+`
1/.mcp.json:1:2`+line+`
2/.mcp.json:1:2`+line+`
  and 7 more of second in 4 files: --rule second shows all

1 error, 1 warning, 19 notes in 9 servers, 2 files; 1 fixable with --fix=unsafe
by rule: 12 second, 6 first, 1 syntax-error, 1 alias-drift, 1 config-drift
`, notes)

	text = written(t, "text", r, Options{Severity: rule.Note, AllNotes: true})
	assert.Equal(t, 19, strings.Count(text, ": note: "))
	assert.NotContains(t, text, "more in")
}

func TestTextNotesInColor(t *testing.T) {
	text := written(t, "text", &view.Run{Findings: manyNotes("rule", 4, "m")}, Options{Severity: rule.Note, Color: true})
	assert.True(t, strings.HasPrefix(text, "\x1b[1m0/.mcp.json:1:2\x1b[0m: \x1b[1;34mnote\x1b[0m: m \x1b[90m[rule]\x1b[0m\n"), "%q", text)
}

// TestSourceLinesFitTheTerminal holds that a source line is as wide as the terminal
// at most, and that what is underlined is still the token.
func TestSourceLinesFitTheTerminal(t *testing.T) {
	before := "\t日本語 " + strings.Repeat("before ", 30)
	file := syntax.NewFile("a.json", []byte(strings.Repeat("\n", 99)+before+`"token"`+strings.Repeat(" after", 30)))
	finding := rule.Finding{
		Rule: &rule.Rule{ID: "rule"}, Severity: rule.Error, File: file, Span: tokenSpan(t, file, `"token"`), Message: "m",
		Related: []rule.Related{{File: file, Span: tokenSpan(t, file, `日本語`), Message: "r"}},
	}
	for _, width := range []int{40, 60, 80, 100} {
		text := written(t, "text", &view.Run{Findings: []rule.Finding{finding}}, Options{Width: width})
		lines := strings.Split(text, "\n")
		require.Greater(t, len(lines), 6)
		for _, line := range lines[1:6] {
			assert.LessOrEqual(t, terminal.Width(line), width, line)
		}
		assert.Equal(t, `"token"`, lines[1][strings.Index(lines[1], `"`):strings.LastIndex(lines[1], `"`)+1])
		assert.Equal(t, terminal.Width(lines[1][:strings.Index(lines[1], `"`)]), strings.Index(lines[2], "^"), text)
		assert.Equal(t, 7, strings.Count(lines[2], "^"))
		assert.Equal(t, terminal.Width(lines[4][:strings.Index(lines[4], "日")]), strings.Index(lines[5], "-"), text)
	}
	wide := written(t, "text", &view.Run{Findings: []rule.Finding{finding}}, Options{Width: 300})
	assert.Equal(t, written(t, "text", &view.Run{Findings: []rule.Finding{finding}}, Options{}), wide, "no line gets longer than where the width is unknown")
}

// TestTextCountsRules ends a text with the count for each rule, and the command that explains
// it, if the reader can run that.
func TestTextCountsRules(t *testing.T) {
	var findings []rule.Finding
	for i := range 12 {
		findings = append(findings, manyNotes(fmt.Sprintf("rule-%02d", i), 1, "m")...)
	}
	footer := func(findings []rule.Finding, o Options) string {
		o.Severity = rule.Note
		text := strings.TrimSuffix(written(t, "text", &view.Run{Findings: findings}, o), "\n")
		return text[strings.LastIndex(text, "\n\n")+2:]
	}
	assert.Equal(t, "24 notes\n"+
		"by rule: 2 rule-00, 2 rule-01, 2 rule-02, 2 rule-03, 2 rule-04, 2 rule-05,\n"+
		"  2 rule-06, 2 rule-07, 2 rule-08, 2 rule-09, 2 rule-10, 2 rule-11", footer(findings, Options{}))
	assert.Equal(t, "24 notes\n"+
		"by rule: 2 rule-00, 2 rule-01, 2 rule-02, 2 rule-03,\n"+
		"  2 rule-04, 2 rule-05, 2 rule-06, 2 rule-07, 2 rule-08,\n"+
		"  2 rule-09, 2 rule-10, 2 rule-11\n"+
		"mcplumb explain RULE: why it matters, and how to fix it", footer(findings, Options{Width: 60, Hint: true}))
	assert.Equal(t, "2 notes\nmcplumb explain rule-00: why it matters, and how to fix it", footer(findings[:2], Options{Hint: true}),
		"one rule needs no count")
	assert.Equal(t, "3 notes", footer(findings[:3], Options{}), "nor do three findings")
	assert.Equal(t, "4 notes\nby rule: 2 rule-00, 2 rule-01", footer(findings[:4], Options{}))
}

// TestTextOfManyNotesIsShort holds what makes the tool bearable: a repository
// with hundreds of notes still gives a report of two screens.
func TestTextOfManyNotesIsShort(t *testing.T) {
	var findings []rule.Finding
	for i := range 10 {
		findings = append(findings, manyNotes(fmt.Sprint("rule-", i), 40, "日本語 "+strings.Repeat("w", 300))...)
	}
	text := written(t, "text", &view.Run{Findings: findings}, Options{Severity: rule.Note})
	assert.Less(t, strings.Count(text, "\n"), 100)
	for line := range strings.Lines(text) {
		assert.LessOrEqual(t, terminal.Width(strings.TrimSuffix(line, "\n")), maxNoteLine)
	}
}

func TestManyRelatedPlacesAreCounted(t *testing.T) {
	r := sample(t)
	related := r.Findings[0].Related[0]
	for range 7 {
		r.Findings[0].Related = append(r.Findings[0].Related, related)
	}
	text := written(t, "text", r, Options{Severity: rule.Warning})
	assert.Equal(t, 5, strings.Count(text, "locked here"))
	assert.Contains(t, text, "\n  and 3 more places, see --format json\n")
}

// TestPlacesThatNoOutputLists holds that those a rule only counts are counted by
// every output that lists places.
func TestPlacesThatNoOutputLists(t *testing.T) {
	r := sample(t)
	findings := slices.Clone(r.Findings)
	for range 7 {
		findings[0].Related = append(findings[0].Related, findings[0].Related[0])
	}
	findings[0].MoreRelated = 1000
	r.Findings = findings
	for format, want := range map[string]string{
		"text":     "and 1003 more places\n",
		"markdown": "1003 more places",
		"github":   "1003 more places",
		"gitlab":   "1003 more places",
		"rdjson":   "1003 more places",
		"sarif":    "and 1003 more places",
		"json":     `"moreRelated": 1000`,
	} {
		assert.Contains(t, written(t, format, r, Options{Severity: rule.Note, AllNotes: true}), want, format)
	}
}

// hostile is a report in which everything that comes from a repository attacks
// its reader.
func hostile(t *testing.T) *view.Run {
	const attack = "\x1b[2J\u202e\u009b\n::error::x\r\u2028\U000e0041\xff"
	file := syntax.NewFile("a"+attack+".json", []byte(`{"`+attack+`": 1}`))
	span := syntax.Span{Start: 1, End: 3}
	whole := syntax.NewFile("b"+attack+".json", []byte(`{"a": 1}`)) // one that can be changed
	rename := edit.Rename(whole, tokenSpan(t, whole, `"a"`), strings.ToValidUTF8(attack, ""))
	return &view.Run{
		Findings: []rule.Finding{{
			Rule: &rule.Rule{ID: "rule"}, Severity: rule.Error, File: file, Span: span,
			Server: attack, Identity: attack, Message: attack,
			Related: []rule.Related{{File: file, Span: span, Message: attack}},
			Fixes:   []rule.Fix{{Title: attack, Safety: rule.Safe, Edits: []edit.Change{rename}}},
		}},
		Failures: []view.Failure{{Path: file.Path, Message: attack}},
	}
}

// TestHostileTextIsEscaped holds that no format lets anything through that acts
// on a terminal, and that a line break in a name begins no line.
func TestHostileTextIsEscaped(t *testing.T) {
	for _, f := range All() {
		var b bytes.Buffer
		require.NoError(t, f.Write(&b, view.New(*hostile(t)), Options{Severity: rule.Note}))
		requireHarmless(t, f.Name, b.String())
	}
	repo := repoOf(server("\x1b[2J\u202e\u009b\n::error::x\r\u2028\U000e0041\xff"))
	for _, f := range ListFormats() {
		var b bytes.Buffer
		require.NoError(t, f.Write(&b, listed(repo), Options{}))
		requireHarmless(t, f.Name, b.String())
	}
}

func requireHarmless(t *testing.T, name, text string) {
	t.Helper()
	for _, r := range text {
		if r != '\n' {
			require.False(t, r < ' ' || 0x7f <= r && r <= 0x9f || strings.ContainsRune("\u202e\u2028\U000e0041", r), "%s: %q in\n%s", name, r, text)
		}
	}
	if name == "github" {
		return // TestGitHubHostile reads its commands back
	}
	for line := range strings.Lines(text) {
		require.False(t, strings.HasPrefix(strings.TrimSpace(line), "::"), "%s: %s", name, line)
	}
}

func TestJSON(t *testing.T) {
	r := sample(t)
	assert.JSONEq(t, `{"version":1,"tool":{"name":"mcplumb","version":"0.1.0"},
 "summary":{"files":2,"servers":9,"errors":1,"warnings":1,"notes":1,"suppressed":0,"fixable":1},
 "findings":[
  {"rule":"alias-drift","severity":"warning","message":"\"vercel\" is locked under another name",
   "path":".cursor/mcp.json","line":3,"column":5,"endLine":3,"endColumn":13,
   "server":"vercel","identity":"npm:@vercel/mcp-server","fingerprint":"`+r.Findings[0].Fingerprint(&secret.Spans{})+`",
   "related":[{"path":"mcp-tap.lock","line":2,"column":1,"endLine":2,"endColumn":13,"message":"locked here"}],
   "fixes":[{"title":"rename to \"vercel-mcp\"","safety":"unsafe","edits":[
     {"path":".cursor/mcp.json","line":3,"column":5,"endLine":3,"endColumn":13,"text":"\"vercel-mcp\""}]}]},
  {"rule":"config-drift","severity":"note","message":"a note","path":".cursor/mcp.json",
   "line":2,"column":3,"endLine":2,"endColumn":15,"fingerprint":"`+r.Findings[1].Fingerprint(&secret.Spans{})+`"},
  {"rule":"syntax-error","severity":"error","message":"an error","path":"mcp-tap.lock",
   "line":2,"column":18,"endLine":2,"endColumn":18,"fingerprint":"`+r.Findings[2].Fingerprint(&secret.Spans{})+`"}],
 "errors":[{"path":"x.json","message":"is a directory, not a file"}]}`,
		written(t, "json", r, Options{Severity: rule.Error, Color: true}))
}

// TestJSONOffersOnlyWhatItCanSay holds that a fix is left out if its edits cannot be made by
// lines and columns, where a byte order mark is not a column, or are not Unicode.
func TestJSONOffersOnlyWhatItCanSay(t *testing.T) {
	file := syntax.NewFile("a.json", []byte("\ufeff{\"a\": [1,]}"))
	mark, comma := edit.Remove(file, syntax.Span{End: len("\ufeff")}), edit.Remove(file, tokenSpan(t, file, ","))
	fixes := []rule.Fix{
		{Title: "remove the byte order mark", Edits: []edit.Change{mark}},
		{Title: "remove the byte order mark and the trailing commas", Edits: []edit.Change{mark, comma}},
		{Title: "write other bytes", Edits: []edit.Change{edit.Rename(file, tokenSpan(t, file, `"a"`), "\xff")}},
		{Title: "remove the trailing commas", Safety: rule.Safe, Edits: []edit.Change{comma}},
	}
	r := &view.Run{Findings: []rule.Finding{{Rule: ruleByID(t, "strict-json"), Severity: rule.Error, File: file, Message: "m", Fixes: fixes}}}
	var back struct{ Findings []struct{ Fixes []jsonFix } }
	require.NoError(t, json.Unmarshal([]byte(written(t, "json", r, Options{})), &back))
	assert.Equal(t, []jsonFix{{"remove the trailing commas", "safe", []jsonEdit{{jsonRange{"a.json", 1, 9, 1, 10}, ""}}}}, back.Findings[0].Fixes,
		"columns count from behind the mark")
}

func TestJSONOfNothing(t *testing.T) {
	text := written(t, "json", &view.Run{Tool: view.Tool{Name: "mcplumb", Version: "1"}}, Options{})
	assert.Contains(t, text, `"findings": []`)
	assert.Contains(t, text, `"errors": []`)
}

func TestJSONKeepsTextReadable(t *testing.T) {
	file := syntax.NewFile("日本/<a&b>.json", []byte("x"))
	r := &view.Run{Findings: []rule.Finding{{
		Rule: &rule.Rule{ID: "rule"}, Severity: rule.Error, File: file, Message: "é 🚀 \u202e \U000e0041 \xff"}}}
	text := written(t, "json", r, Options{})
	assert.Contains(t, text, `"path": "日本/<a&b>.json"`)
	assert.Contains(t, text, `"message": "é 🚀 \u202e \udb40\udc41 \ufffd"`)
	var back struct{ Findings []struct{ Message string } }
	require.NoError(t, json.Unmarshal([]byte(text), &back))
	assert.Equal(t, "é 🚀 \u202e \U000e0041 \ufffd", back.Findings[0].Message)
}

// TestSecretsStayHidden holds that no format prints a secret, wherever it is.
func TestSecretsStayHidden(t *testing.T) {
	token := "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
	file := syntax.NewFile("a.json", []byte(`{"GITHUB_TOKEN": "`+token+`"}`))
	span := tokenSpan(t, file, `"`+token+`"`)
	r := &view.Run{
		Findings: []rule.Finding{{
			Rule: &rule.Rule{ID: "rule"}, Severity: rule.Error, File: file, Span: span,
			Server: token, Identity: "url:https://x/?token=" + token, Message: "has " + token,
			Related: []rule.Related{{File: file, Span: span, Message: token}},
			Fixes: []rule.Fix{
				{Title: "move " + token, Safety: rule.Safe, Edits: []edit.Change{edit.Rename(file, tokenSpan(t, file, `"GITHUB_TOKEN"`), token)}},
				{Title: "remove", Safety: rule.Safe, Edits: []edit.Change{edit.Remove(file, span)}}},
		}},
		Failures: []view.Failure{{Path: "a.json", Message: token}},
	}
	for _, f := range All() {
		text := written(t, f.Name, r, Options{Severity: rule.Note})
		assert.NotContains(t, text, token[6:], f.Name)
		assert.Contains(t, text, "***", f.Name)
	}
	var back struct{ Findings []struct{ Fixes []jsonFix } }
	require.NoError(t, json.Unmarshal([]byte(written(t, "json", r, Options{})), &back))
	require.Len(t, back.Findings[0].Fixes, 1, "a fix that writes a token is left out whole")
	assert.Equal(t, "remove", back.Findings[0].Fixes[0].Title)
}

func TestFormatsAreNamed(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range All() {
		assert.NotNil(t, f.Write, f.Name)
		assert.False(t, seen[f.Name], f.Name)
		seen[f.Name] = true
	}
	assert.Equal(t, "text", All()[0].Name, "the default")
}
