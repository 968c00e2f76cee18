package report

import (
	"encoding/xml"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/terminal"
	"github.com/mcplumb/mcplumb/internal/view"
)

func TestJUnit(t *testing.T) {
	r := sample(t)
	r.Paths = elsewhere()
	want := `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="mcplumb" tests="4" failures="2" errors="1" skipped="1" time="0">
  <testsuite name=".cursor/mcp.json" tests="2" failures="1" errors="0" skipped="1" time="0">
    <testcase classname="mcplumb.alias-drift" name="alias-drift at repo/.cursor/mcp.json:3:5" file=".cursor/mcp.json" line="3" time="0">
      <failure message="'vercel' is locked under another name" type="warning">
repo/.cursor/mcp.json:3:5: warning: 'vercel' is locked under another name [alias-drift]
 3 |     'vercel': {}
   |     ^^^^^^^^
  repo/mcp-tap.lock:2:1: locked here
 2 | 'vercel-mcp': {}}
   | ------------
  fix: rename to 'vercel-mcp' (--fix=unsafe)
</failure>
    </testcase>
    <testcase classname="mcplumb.config-drift" name="config-drift at repo/.cursor/mcp.json:2:3" file=".cursor/mcp.json" line="2" time="0">
      <skipped message="a note" type="note">
repo/.cursor/mcp.json:2:3: note: a note [config-drift]
 2 |   'mcpServers': {
   |   ^^^^^^^^^^^^
</skipped>
    </testcase>
  </testsuite>
  <testsuite name="mcp-tap.lock" tests="1" failures="1" errors="0" skipped="0" time="0">
    <testcase classname="mcplumb.syntax-error" name="syntax-error at repo/mcp-tap.lock:2:18" file="mcp-tap.lock" line="2" time="0">
      <failure message="an error" type="error">
repo/mcp-tap.lock:2:18: error: an error [syntax-error]
 2 | 'vercel-mcp': {}}
   |                  ^
</failure>
    </testcase>
  </testsuite>
  <testsuite name="incomplete" tests="1" failures="0" errors="1" skipped="0" time="0">
    <testcase classname="mcplumb.incomplete" name="repo/x.json" time="0">
      <error message="is a directory, not a file" type="incomplete">is a directory, not a file</error>
    </testcase>
  </testsuite>
</testsuites>
`
	got := written(t, "junit", r, Options{Severity: rule.Note, Color: true})
	// The example is written with what XML would escape.
	assert.Equal(t, want, strings.NewReplacer("&#34;", "'", "&#xA;", "\n").Replace(got))
}

// TestJUnitOfNothing holds that there is a test even so: a report without one
// looks like a run that failed.
func TestJUnitOfNothing(t *testing.T) {
	assert.Equal(t, `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="mcplumb" tests="1" failures="0" errors="0" skipped="0" time="0">
  <testsuite name="mcplumb" tests="1" failures="0" errors="0" skipped="0" time="0">
    <testcase classname="mcplumb.check" name="no problems" time="0"></testcase>
  </testsuite>
</testsuites>
`, written(t, "junit", &view.Run{Tool: view.Tool{Name: "mcplumb"}}, Options{Severity: rule.Warning}))
}

// TestJUnitNamesDiffer holds that two findings of a rule in one place do not
// hide each other.
func TestJUnitNamesDiffer(t *testing.T) {
	r := sample(t)
	r.Findings = append(r.Findings[:1], r.Findings[0])
	text := written(t, "junit", r, Options{})
	assert.Contains(t, text, ` name="alias-drift at .cursor/mcp.json:3:5"`)
	assert.Contains(t, text, ` name="alias-drift at .cursor/mcp.json:3:5 (2)"`)
}

// TestJUnitIsXML reads back what hostile texts became: characters that XML 1.0
// does not allow are spelled out, all others come back as they were shown.
func TestJUnitIsXML(t *testing.T) {
	for _, text := range append(hostileTexts, "\x00\x0b\x1f\ufffe\uffff\ud7ff\ue000\U0001ffff", "]]>", "<![CDATA[", "&#0;", "<!DOCTYPE x>") {
		file := syntax.NewFile(text, []byte(text))
		r := &view.Run{Failures: []view.Failure{{Path: text, Message: text}}, Findings: []rule.Finding{
			{Rule: checks.All()[0], Severity: rule.Error, File: file, Message: text, Fixes: []rule.Fix{{Title: text}}}}}
		var back struct {
			Suites []struct {
				Name  string `xml:"name,attr"`
				Cases []struct {
					File    string `xml:"file,attr"`
					Failure *struct {
						Message string `xml:"message,attr"`
						Text    string `xml:",chardata"`
					} `xml:"failure"`
				} `xml:"testcase"`
			} `xml:"testsuite"`
		}
		out := written(t, "junit", r, Options{})
		require.NoError(t, xml.Unmarshal([]byte(out), &back), "%q", out)
		require.Len(t, back.Suites, 2)
		require.Len(t, back.Suites[0].Cases, 1)
		assert.Equal(t, terminal.Escape(text), back.Suites[0].Name)
		assert.Equal(t, terminal.Escape(text), back.Suites[0].Cases[0].File)
		assert.Equal(t, terminal.Escape(text), back.Suites[0].Cases[0].Failure.Message)
		assert.Contains(t, back.Suites[0].Cases[0].Failure.Text, "\n  fix: "+terminal.Escape(text))
	}
}

// TestXMLText holds what is written without encoding/xml to what that would write.
func TestXMLText(t *testing.T) {
	for _, text := range []string{"", "a\tb\r\n", `<&>"'`, "\x00\x1b[31m\x7f", "latin\xe9\xff", "\ufffe\uffff\ufffd", "日本語 \U0001f600\u2028", "&amp;"} {
		var want strings.Builder
		require.NoError(t, xml.EscapeText(&want, []byte(text)))
		assert.Equal(t, want.String(), xmlText(text))
	}
	assert.Equal(t, "#&#35;[", xmlText(terminal.Command))
}
