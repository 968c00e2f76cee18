package manual

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/terminal"
)

func TestPagePrinter(t *testing.T) {
	p := &pagePrinter{}
	p.page(`
## What it finds

A paragraph that is longer than eighty columns is broken where a word ends, and ` + "`code with spaces`" + ` stays
in one piece:
- an item whose text goes on in the next line of the source, which makes it longer than a line;
  and on
- another

| a | b |
|---|---|
| 1 | 2 |

` + "```json .mcp.json" + `
{"a":

  1}
` + "```" + `
`)
	assert.Equal(t, `
What it finds

  A paragraph that is longer than eighty columns is broken where a word ends,
  and `+"`code with spaces`"+` stays in one piece:
  - an item whose text goes on in the next line of the source, which makes it
    longer than a line; and on
  - another

  | a | b |
  |---|---|
  | 1 | 2 |

  .mcp.json
    {"a":

      1}
`, p.out.String())
}

// TestPagePrinterSubsections shows that a section within a section keeps its heading.
func TestPagePrinterSubsections(t *testing.T) {
	p := &pagePrinter{}
	p.page("## What it finds\n\nMuch.\n\n### In packages of ccpkg\n\nMore.")
	assert.Equal(t, "What it finds\n\n  Much.\n\nIn packages of ccpkg\n\n  More.\n", p.out.String())
}

func TestPagePrinterColors(t *testing.T) {
	p := &pagePrinter{color: true}
	p.page("## Fix\n\nType `mcplumb init`.")
	assert.Equal(t, "\x1b[1mFix\x1b[0m\n\n  Type \x1b[36mmcplumb init\x1b[0m.\n", p.out.String())
}

// TestEveryPageFits holds that every page fits in eighty columns, apart from
// its code, which is there to be copied.
func TestEveryPageFits(t *testing.T) {
	for _, c := range checks.All() {
		text, err := Page(t.Context(), c, false)
		require.NoError(t, err, c.ID)
		assert.True(t, strings.HasPrefix(text, c.ID+": "+c.Title+"\n"), c.ID)
		p := &pagePrinter{}
		for i, part := range strings.Split(c.Page(), "\n```") {
			if i%2 == 0 { // not within a fence
				p.page(part)
			}
		}
		for line := range strings.Lines(p.out.String()) {
			assert.LessOrEqual(t, terminal.Width(strings.TrimSuffix(line, "\n")), Width, "%s: %s", c.ID, line)
		}
	}
}

// TestExplainShowsFixes holds that the page of a rule with fixes shows, in a terminal,
// what becomes of its example, with the flag that makes it. What only a registry could say
// is not in any page.
func TestExplainShowsFixes(t *testing.T) {
	for _, c := range checks.All() {
		text, err := Page(t.Context(), c, false)
		require.NoError(t, err, c.ID)
		if c.Fix == rule.NoFix || c.ID == "missing-integrity" {
			assert.NotContains(t, text, "does with the bad example", c.ID)
			continue
		}
		assert.Regexp(t, `\n  What .mcplumb check --fix(=unsafe)?. does with the bad example above:\n\n  \S`, text, "%s: no fix fixes the example under Bad", c.ID)
	}
	text, err := Page(t.Context(), checks.ByID("wrong-root-key"), true)
	require.NoError(t, err)
	assert.Contains(t, text, "does with the bad example above:\n\n  \x1b[90m.vscode/mcp.json\x1b[0m\n      {\n\x1b[31m    -   \"mcpServers\": {\x1b[0m\n\x1b[32m    +   \"servers\": {\x1b[0m\n")
}
