package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/view"
)

func TestMarkdown(t *testing.T) {
	r := sample(t)
	r.Paths = elsewhere()
	assert.Equal(t, `### mcplumb

1 error, 1 warning, 1 note in 9 servers, 2 files; 1 fixable with `+"`--fix=unsafe`"+`; incomplete: 1 file, rule or registry could not be checked

Not checked:

- `+"`repo/x.json`"+`: is a directory, not a file

#### `+"`repo/mcp-tap.lock`"+`

| | place | what | rule |
|---|---|---|---|
| error | 2:18 | an error | [syntax-error] [(wrong?)](https://github.com/mcplumb/mcplumb/issues/new?fingerprint=9a94d707e1fbe4b159319955a98b538a&rule=syntax-error&template=wrong-finding.yml) |

#### `+"`repo/.cursor/mcp.json`"+`

| | place | what | rule |
|---|---|---|---|
| warning | 3:5 | "vercel" is locked under another name<br>`+"`repo/mcp-tap.lock:2:1`"+`: locked here<br>fix: rename to "vercel-mcp" (unsafe) | [alias-drift] [(wrong?)](https://github.com/mcplumb/mcplumb/issues/new?fingerprint=712b893e2f9a5af708e1013052f84d73&rule=alias-drift&template=wrong-finding.yml) |

<details>
<summary>1 note</summary>

#### `+"`repo/.cursor/mcp.json`"+`

| | place | what | rule |
|---|---|---|---|
| note | 2:3 | a note | [config-drift] [(wrong?)](https://github.com/mcplumb/mcplumb/issues/new?fingerprint=3713cec04734af6ef749c444dbceea73&rule=config-drift&template=wrong-finding.yml) |

</details>

[syntax-error]: https://github.com/mcplumb/mcplumb/blob/main/docs/rules/syntax-error.md
[alias-drift]: https://github.com/mcplumb/mcplumb/blob/main/docs/rules/alias-drift.md
[config-drift]: https://github.com/mcplumb/mcplumb/blob/main/docs/rules/config-drift.md
`, written(t, "markdown", r, Options{Severity: rule.Note}))

	text := written(t, "markdown", sample(t), Options{Severity: rule.Warning})
	assert.Contains(t, text, "(1 note: `--severity note` shows it)")
	assert.NotContains(t, text, "a note")
	assert.NotContains(t, text, "config-drift")
}

func TestMarkdownOfNothing(t *testing.T) {
	assert.Equal(t, "### mcplumb\n\nno problems in 3 servers, 2 files\n",
		written(t, "markdown", &view.Run{Files: 2, Servers: 3}, Options{Severity: rule.Warning}))
}

// TestMarkdownText shows what becomes code: everything that Markdown, or GitHub
// and GitLab after it, would take for more than text.
func TestMarkdownText(t *testing.T) {
	for text, want := range map[string]string{
		`"vercel" is locked under another name`:                 `"vercel" is locked under another name`,
		"it runs npm:@acme/x here (v1.2.3), and":                "it runs `npm:@acme/x` here (`v1.2.3`), and",
		"cc @octocat, #12 GH-12 !3 o/r#4":                       "cc `@octocat`, `#12 GH-12 !3 o/r#4`",
		"0123456789abcdef is 12 of 1234567":                     "`0123456789abcdef` is 12 of `1234567`",
		"a defaced x-acceded-y decade":                          "a `defaced x-acceded-y` decade",
		"www.example.com http://x a@b.example":                  "`www.example.com http://x a@b.example`",
		"*a* _b_ ~~c~~ <b> &amp; [l](u) \\":                     "`*a* _b_ ~~c~~ <b> &amp`; `[l](u) \\`",
		"a `b` ``c":                                             "a ``` `b` ``c ```",
		"1. not a list - + # === ---":                           "`1`. not a list `- + # === ---`",
		"/close the issue :smile: $1$":                          "`/close` the issue `:smile`: `$1$`",
		`name it in env_vars = ["DATABASE_URL"]`:                "name it in `env_vars = [\"DATABASE_URL\"]`",
		`write "npx -y docs-mcp" or "a b", {"a": {"b": 1}}: so`: "write \"`npx -y docs-mcp`\" or \"a b\", `{\"a\": {\"b\": 1}}`: so",
		"run() (npm:x 1.2.3), 1 of 9, [ never closed":           "`run()` (`npm:x 1.2.3`), 1 of 9, `[` never closed",
		"write ${workspaceFolder}/… for a path …":               "write `${workspaceFolder}/…` for a path …",
		"日本語 don't":                                             "日本語 don't",
		"a|b || c":                                              "`a|b ||` c",
		"":                                                      "",
	} {
		assert.Equal(t, want, markdown(text), text)
	}
	assert.Equal(t, "`a\\|b \\|\\|` c `x\\\\x7cy`", markdownCell(`a|b || c x\|y`))
	assert.Equal(t, strings.Repeat("x", maxMarkdownText-1)+"…", markdown(strings.Repeat("x", maxMarkdownText+1)))
}

// TestMarkdownIsBounded writes more than fits: the most severe findings are there, the others
// are counted, and the report fits a comment of GitHub.
func TestMarkdownIsBounded(t *testing.T) {
	file := syntax.NewFile(strings.Repeat("`|@", 1000), []byte("{}"))
	var r view.Run
	for i := range 1000 {
		severity := []rule.Severity{rule.Note, rule.Warning, rule.Error}[i/334]
		r.Findings = append(r.Findings, rule.Finding{
			Rule: checks.All()[0], Severity: severity, File: file, Message: fmt.Sprintf("finding-%d ", i) + strings.Repeat("@| ", 1000),
			Related: []rule.Related{{File: file, Message: strings.Repeat("日@", 1000)}},
		})
		r.Failures = append(r.Failures, view.Failure{Path: file.Path, Message: "x"})
	}
	r.Files, r.Servers = 1, 1
	text := written(t, "markdown", &r, Options{Severity: rule.Note})
	assert.Less(t, len(text), 65_536-1_000)
	assert.Contains(t, text, "- and 990 more\n")
	assert.Contains(t, text, "`finding-668 ", "the first error")
	assert.NotContains(t, text, "<details>")

	shown := strings.Count(text, "| error | ")
	require.Positive(t, shown)
	assert.Zero(t, strings.Count(text, "| warning | ")+strings.Count(text, "| note | "))
	assert.Contains(t, text, fmt.Sprintf("**%d findings left out** (%d errors, 334 warnings, 334 notes):", 1000-shown, 332-shown))

	files := []*syntax.File{syntax.NewFile("a.json", nil), syntax.NewFile("b.json", nil)}
	r.Findings = r.Findings[548:788]
	for i := range r.Findings {
		f := &r.Findings[i]
		f.Message, f.Related, f.File = "short", nil, files[i%2]
	}
	r.Failures = nil
	text = written(t, "markdown", &r, Options{Severity: rule.Warning})
	assert.Equal(t, 120, strings.Count(text, "| error | "))
	assert.Equal(t, 120, strings.Count(text, "| warning | "))
	assert.False(t, strings.Contains(text, "left out"))
	assert.Equal(t, 2, strings.Count(text, "\n#### "), "a table for every file")
}
