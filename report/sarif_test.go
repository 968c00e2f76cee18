package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/terminal"
	"github.com/mcplumb/mcplumb/internal/view"
)

// sarifOutput writes a report and reads it back without the library.
func sarifOutput(t *testing.T, r *view.Run) (raw string, run map[string]any) {
	t.Helper()
	r.Tool = view.Tool{Name: "mcplumb", Version: "1.2.3"}
	var out bytes.Buffer
	require.NoError(t, writeSARIF(&out, view.New(*r), Options{}))
	var log map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &log))
	assert.Equal(t, "https://json.schemastore.org/sarif-2.1.0.json", log["$schema"])
	assert.Equal(t, "2.1.0", log["version"])
	require.Len(t, log["runs"], 1)
	return out.String(), log["runs"].([]any)[0].(map[string]any)
}

// dig follows keys and indexes into a decoded value.
func dig(t *testing.T, value any, route ...any) any {
	t.Helper()
	for _, step := range route {
		switch step := step.(type) {
		case string:
			object, ok := value.(map[string]any)
			require.True(t, ok, "%v: no object at %v", route, step)
			value = object[step]
		case int:
			array, ok := value.([]any)
			require.True(t, ok && step < len(array), "%v: no element %v", route, step)
			value = array[step]
		}
	}
	return value
}

// sarifLinks reads a plain text message as GitHub's CodeQL extension does
// (vscode-codeql, sarif-utils.ts): it returns the text that people see, and
// the targets of links.
func sarifLinks(message string) (text string, targets []string) {
	var b strings.Builder
	open := -1 // where the text of a possible link begins
	for i := 0; i < len(message); i++ {
		switch c := message[i]; {
		case c == '\\' && i+1 < len(message) && strings.IndexByte(`\[]`, message[i+1]) >= 0:
			i++
			b.WriteByte(message[i])
		case c == '[':
			open = b.Len()
		case c == ']' && open >= 0 && strings.HasPrefix(message[i:], "]("):
			target, _, _ := strings.Cut(message[i+2:], ")")
			targets = append(targets, target)
			i += len("()") + len(target)
			open = -1
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), targets
}

func TestSARIFClean(t *testing.T) {
	raw, run := sarifOutput(t, &view.Run{})
	assert.Contains(t, raw, `"results": []`)
	assert.Equal(t, []any{}, run["results"])
	assert.Equal(t, "unicodeCodePoints", run["columnKind"])
	assert.NotContains(t, run, "automationDetails")
	assert.Equal(t, []any{map[string]any{"executionSuccessful": true}}, run["invocations"])

	driver := dig(t, run, "tool", "driver").(map[string]any)
	assert.Equal(t, "mcplumb", driver["name"])
	assert.Equal(t, "1.2.3", driver["version"])
	assert.Equal(t, "1.2.3", driver["semanticVersion"])
	assert.Equal(t, "https://github.com/mcplumb/mcplumb", driver["informationUri"])

	rules := driver["rules"].([]any)
	require.Len(t, rules, len(checks.All()))
	for i, c := range checks.All() {
		rule := rules[i].(map[string]any)
		assert.Equal(t, c.ID, rule["id"])
		assert.Equal(t, strings.ReplaceAll(c.ID, "-", ""), strings.ToLower(rule["name"].(string)))
		short := dig(t, rule, "shortDescription", "text").(string)
		assert.True(t, strings.EqualFold(c.Title+".", short), short)
		full := dig(t, rule, "fullDescription", "text").(string)
		assert.NotEmpty(t, full, c.ID)
		assert.LessOrEqual(t, len(full), 1024, "What it finds of %s has more bytes than code scanning takes", c.ID)
		assert.False(t, strings.HasSuffix(full, "…"), "What it finds of %s is cut", c.ID)
		assert.Equal(t, c.Page(), dig(t, rule, "help", "text"))
		assert.Equal(t, c.Page(), dig(t, rule, "help", "markdown"))
		assert.Equal(t, c.Severity.String(), dig(t, rule, "defaultConfiguration", "level"))
		assert.Contains(t, []any{"error", "warning", "recommendation"}, dig(t, rule, "properties", "problem.severity"))
		meta := c.Meta()
		assert.Equal(t, meta.Precision, dig(t, rule, "properties", "precision"))
		tags := dig(t, rule, "properties", "tags").([]any)
		assert.Equal(t, []any{"mcp", meta.Tags[0]}, tags[:2])
		score, scored := dig(t, rule, "properties").(map[string]any)["security-severity"]
		assert.Equal(t, slices.Contains(tags, any("security")), scored, "GitHub wants tag and score together")
		assert.Equal(t, scored, score != nil && score == meta.SecuritySeverity)
	}
}

func TestSARIFVersion(t *testing.T) {
	for version, want := range map[string]any{"v0.1.0": "0.1.0", "1.0.0-rc.1+abc": "1.0.0-rc.1+abc", "dev": nil, "1.2": nil, "": nil} {
		driver := sarifDriver(view.Tool{Name: "mcplumb", Version: version}, nil)
		if want == nil {
			assert.Nil(t, driver.SemanticVersion, version)
		} else {
			assert.Equal(t, want, *driver.SemanticVersion)
		}
		assert.Equal(t, version == "", driver.Version == nil)
	}
}

func TestSARIFResult(t *testing.T) {
	// The content is a test vector of the line hash (linehash_test.go).
	content := "{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"npx\", \"args\": [\"-y\", \"x@latest\"]}\n  }\n}\n"
	file, other := syntax.NewFile("app/[id]/a b#1.json", []byte(content)), sampleFile("c:d/.mcp.json")
	f := rule.Finding{
		Rule: ruleByID(t, "alias-drift"), Severity: rule.Error, File: file, Span: spanOf(t, file, `"a"`),
		Server: "a", Message: `"a" is called ["b"] elsewhere`,
		Related: []rule.Related{{File: other, Span: spanOf(t, other, "{\n    \"a\""), Message: "called [b] here"}},
		Fixes: []rule.Fix{{Title: "rename", Safety: rule.Unsafe, Edits: []edit.Change{
			edit.Rename(file, spanOf(t, file, `"a"`), "b"),
			edit.Remove(file, spanOf(t, file, `"x@latest"`)),
			edit.Create(".mcplumb.yaml", edit.Object(edit.Member{Name: "new", Value: edit.Bool(true)})),
		}}},
	}
	_, run := sarifOutput(t, &view.Run{Findings: []rule.Finding{f}})
	assert.Equal(t, map[string]any{
		"ruleId":    "alias-drift",
		"ruleIndex": float64(0),
		"level":     "error",
		"message":   map[string]any{"text": `"a" is called \["b"\] elsewhere. See: called \[b\] here [c:d/.mcp.json:2](1)`},
		"locations": []any{map[string]any{"physicalLocation": map[string]any{
			"artifactLocation": map[string]any{"uri": "app/%5Bid%5D/a%20b%231.json", "uriBaseId": "%SRCROOT%"},
			"region":           map[string]any{"startLine": 3.0, "startColumn": 5.0, "endLine": 3.0, "endColumn": 8.0},
		}}},
		"relatedLocations": []any{map[string]any{
			"id":      float64(1),
			"message": map[string]any{"text": `called \[b\] here`},
			"physicalLocation": map[string]any{
				"artifactLocation": map[string]any{"uri": "c%3Ad/.mcp.json", "uriBaseId": "%SRCROOT%"},
				// The span goes on, the region ends with its first line.
				"region": map[string]any{"startLine": 2.0, "startColumn": 17.0, "endLine": 2.0, "endColumn": 18.0},
			}}},
		"partialFingerprints": map[string]any{"primaryLocationLineHash": "c41c46a1bf0e7e3f:1", "mcplumb/v1": f.Fingerprint(&secret.Spans{})},
		"fixes": []any{map[string]any{
			"description": map[string]any{"text": "rename (unsafe)"},
			"artifactChanges": []any{
				map[string]any{
					"artifactLocation": map[string]any{"uri": ".mcplumb.yaml", "uriBaseId": "%SRCROOT%"},
					"replacements": []any{map[string]any{
						"deletedRegion":   map[string]any{"startLine": 1.0, "startColumn": 1.0, "endLine": 1.0, "endColumn": 1.0},
						"insertedContent": map[string]any{"text": "new: true\n"}}}},
				map[string]any{
					"artifactLocation": map[string]any{"uri": "app/%5Bid%5D/a%20b%231.json", "uriBaseId": "%SRCROOT%"},
					"replacements": []any{
						map[string]any{
							"deletedRegion":   map[string]any{"startLine": 3.0, "startColumn": 5.0, "endLine": 3.0, "endColumn": 8.0},
							"insertedContent": map[string]any{"text": `"b"`}},
						map[string]any{
							"deletedRegion": map[string]any{"startLine": 3.0, "startColumn": 42.0, "endLine": 3.0, "endColumn": 54.0}},
					}},
			}}},
	}, dig(t, run, "results", 0))
}

// TestSARIFColumns counts code points: not bytes, not UTF-16, no byte order
// mark, a tab as one.
func TestSARIFColumns(t *testing.T) {
	file := syntax.NewFile("a.json", []byte("\ufeff{\r\n\t\"日本😀é\": {\"command\": \"x\"}\r\n}\r\n"))
	mark := edit.Remove(file, syntax.Span{Start: 0, End: 3})
	_, run := sarifOutput(t, &view.Run{Findings: []rule.Finding{
		{Rule: ruleByID(t, "alias-drift"), Severity: rule.Error, File: file, Span: spanOf(t, file, `"command"`), Message: "m"},
		{Rule: ruleByID(t, "alias-drift"), Severity: rule.Error, File: file, Message: "m",
			Fixes: []rule.Fix{{Title: "remove the byte order mark", Edits: []edit.Change{mark}}}},
		{Rule: ruleByID(t, "alias-drift"), Severity: rule.Error, File: file, Span: spanOf(t, file, "{\r\n\t\""), Message: "m"},
		{Rule: ruleByID(t, "alias-drift"), Severity: rule.Error, File: file, Span: spanOf(t, file, "\n}"), Message: "m"},
		{Rule: ruleByID(t, "alias-drift"), Severity: rule.Error, File: file, Span: syntax.Span{Start: 999, End: 999}, Message: "m"},
	}})
	for i, want := range [][5]int{{2, 11, 2, 20}, {1, 1, 1, 1}, {1, 1, 1, 2}, {2, 27, 2, 27}, {4, 1, 4, 1}} {
		region := dig(t, run, "results", i, "locations", 0, "physicalLocation", "region")
		assert.Equal(t, map[string]any{"startLine": float64(want[0]), "startColumn": float64(want[1]),
			"endLine": float64(want[2]), "endColumn": float64(want[3])}, region, i)
		_, lineStart := file.Line(want[0])
		hash := viewed(rule.Finding{File: file, Span: syntax.Span{Start: lineStart, End: lineStart}}).LineHash()
		assert.NotEmpty(t, hash)
		assert.Equal(t, hash, dig(t, run, "results", i, "partialFingerprints", "primaryLocationLineHash"))
	}
	assert.NotContains(t, dig(t, run, "results", 1), "fixes", "a byte order mark has no column")
}

// TestSARIFHostile puts hostile text wherever text of a repository can be.
func TestSARIFHostile(t *testing.T) {
	for _, text := range hostileTexts {
		file := sampleFile(text)
		place := spanOf(t, file, `"a"`)
		raw, run := sarifOutput(t, &view.Run{
			Findings: []rule.Finding{{
				Rule: ruleByID(t, "alias-drift"), Severity: rule.Warning, File: file, Span: place, Server: text, Message: text,
				Related: []rule.Related{{File: file, Span: place, Message: text}},
				Fixes:   []rule.Fix{{Title: text, Edits: []edit.Change{edit.Rename(file, place, text)}}},
			}},
			Failures: []view.Failure{{Path: text, Message: text}},
		})
		commands, _ := runnerRead(raw)
		assert.Empty(t, commands, "the output in a log")
		for _, r := range raw {
			assert.False(t, r != '\n' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r), "%q in %q", r, raw)
		}

		result := dig(t, run, "results", 0)
		seen, targets := sarifLinks(dig(t, result, "message", "text").(string))
		assert.Equal(t, fmt.Sprintf("%s. See: %[1]s %[1]s:3", terminal.Escape(text)), seen)
		assert.Equal(t, []string{"1"}, targets, "%q", text)
		for _, route := range [][]any{
			{"relatedLocations", 0, "message", "text"},
			{"fixes", 0, "description", "text"},
		} {
			if !utf8.ValidString(text) && route[0] == "fixes" {
				assert.NotContains(t, result, "fixes", "JSON cannot hold the text")
				continue
			}
			seen, targets := sarifLinks(dig(t, result, route...).(string))
			assert.Equal(t, terminal.Escape(text), seen)
			assert.Empty(t, targets)
		}
		if utf8.ValidString(text) {
			inserted := dig(t, result, "fixes", 0, "artifactChanges", 0, "replacements", 0, "insertedContent", "text").(string)
			var name string
			require.NoError(t, json.Unmarshal([]byte(inserted), &name), "JSON for the file")
			assert.Equal(t, text, name)
		}

		uri := dig(t, result, "locations", 0, "physicalLocation", "artifactLocation", "uri").(string)
		parsed, err := url.Parse(uri)
		require.NoError(t, err)
		assert.Equal(t, text, parsed.Path)
		assert.Empty(t, parsed.Scheme+parsed.Host+parsed.RawQuery+parsed.Fragment)

		invocation := dig(t, run, "invocations", 0)
		assert.Equal(t, false, dig(t, invocation, "executionSuccessful"))
		seen, targets = sarifLinks(dig(t, invocation, "toolExecutionNotifications", 0, "message", "text").(string))
		assert.Equal(t, terminal.Escape(text+": "+text), seen)
		assert.Empty(t, targets)
	}
}

func TestSARIFErrors(t *testing.T) {
	_, run := sarifOutput(t, &view.Run{Failures: []view.Failure{
		{Path: "a/b c.json", Message: "permission denied"},
		{Path: "/outside.json", Message: "too large"},
		{Message: "interrupted"},
	}})
	assert.Equal(t, []any{map[string]any{
		"executionSuccessful": false,
		"toolExecutionNotifications": []any{
			map[string]any{"level": "error", "message": map[string]any{"text": "a/b c.json: permission denied"},
				"locations": []any{map[string]any{"physicalLocation": map[string]any{
					"artifactLocation": map[string]any{"uri": "a/b%20c.json", "uriBaseId": "%SRCROOT%"}}}}},
			map[string]any{"level": "error", "message": map[string]any{"text": "/outside.json: too large"}},
			map[string]any{"level": "error", "message": map[string]any{"text": "interrupted"}},
		},
	}}, run["invocations"])
	assert.Equal(t, []any{}, run["results"])
}

// TestSARIFLimit keeps the most severe findings, in their order.
func TestSARIFLimit(t *testing.T) {
	file := sampleFile("a.json")
	var findings []rule.Finding
	for i, severity := range []rule.Severity{rule.Note, rule.Warning, rule.Error, rule.Warning, rule.Error} {
		findings = append(findings, rule.Finding{
			Rule: ruleByID(t, "alias-drift"), Severity: severity, File: file, Message: strconv.Itoa(i)})
	}
	v := view.New(view.Run{Findings: findings})
	run := sarifReport(v, gravestFirst(v.Findings(rule.Off)), 3).Runs[0]
	var kept []string
	for _, result := range run.Results {
		kept = append(kept, *result.Message.Text)
	}
	assert.Equal(t, []string{"2", "4", "1"}, kept)
	require.Len(t, run.Invocations[0].ToolExecutionNotifications, 1)
	assert.True(t, *run.Invocations[0].ExecutionSuccessful)
	notification := run.Invocations[0].ToolExecutionNotifications[0]
	assert.Equal(t, "warning", notification.Level)
	assert.Equal(t, "2 findings left out: GitHub code scanning refuses more than 25000 results. The most severe are here.", *notification.Message.Text)

	findings[0].Related = make([]rule.Related, 300)
	for i := range findings[0].Related {
		findings[0].Related[i] = rule.Related{File: file, Message: "r"}
	}
	v = view.New(view.Run{Findings: findings[:1]})
	result := sarifReport(v, v.Findings(rule.Off), 3).Runs[0].Results[0]
	assert.Len(t, result.RelatedLocations, 100)
	assert.True(t, strings.HasSuffix(*result.Message.Text, ", r [a.json:1](5), and 295 more places"), *result.Message.Text)
}

func TestSARIFSecrets(t *testing.T) {
	file := sampleFile("a.json")
	message, token := secretMessage()
	place := spanOf(t, file, `"a"`)
	raw, run := sarifOutput(t, &view.Run{
		Findings: []rule.Finding{{
			Rule: ruleByID(t, "alias-drift"), Severity: rule.Error, File: file, Span: place, Message: message,
			Related: []rule.Related{{File: file, Span: place, Message: message}},
			Fixes: []rule.Fix{
				{Title: message, Edits: []edit.Change{edit.Rename(file, place, "b")}},
				{Title: "move", Edits: []edit.Change{edit.Insert(file, place, "header", edit.String(token), edit.Where{})}},
			},
		}},
		Failures: []view.Failure{{Message: message}},
	})
	assert.NotContains(t, raw, token[8:])
	assert.Len(t, dig(t, run, "results", 0, "fixes"), 1, "a fix that shows a secret is left out")
}

func TestFolded(t *testing.T) {
	page := "# rule\n\n## What it finds\n\nOne\nparagraph.\n\nAnother:\n- first\n  item\n- second\n\n\nEnd.\n\n## Fix\n\nNo.\n"
	assert.Equal(t, "One paragraph.\n\nAnother:\n- first item\n- second\n\n\nEnd.", folded(section(page, "What it finds")))
	assert.Empty(t, section(page, "What it"))
	assert.Equal(t, "No.", section(page, "Fix"))
}
