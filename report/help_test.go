package report

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/internal/rule"
)

// TestHelpAndSee shows in every format what to do about a finding that has no fix, and where there
// is more about it.
func TestHelpAndSee(t *testing.T) {
	run := sample(t)
	f := &run.Findings[0]
	f.Severity, f.Help, f.See, f.Fixes = rule.Error, `rename it to "vercel-mcp"`, "https://example.com/drift", nil
	for name, want := range map[string]string{
		"text":     "locked under another name [alias-drift]\n 3 |     \"vercel\": {}\n   |     ^^^^^^^^\n  mcp-tap.lock:2:1: locked here\n 2 | \"vercel-mcp\": {}}\n   | ------------\n  help: rename it to \"vercel-mcp\"\n  see: https://example.com/drift\n",
		"concise":  `"vercel" is locked under another name: rename it to "vercel-mcp" [alias-drift]`,
		"json":     `"message": "\"vercel\" is locked under another name: rename it to \"vercel-mcp\"",` + "\n" + `      "help": "rename it to \"vercel-mcp\"",` + "\n" + `      "see": "https://example.com/drift",`,
		"sarif":    `\"vercel\" is locked under another name: rename it to \"vercel-mcp\" (see https://example.com/drift). See: locked here`,
		"github":   `::"vercel" is locked under another name%0Amcp-tap.lock:2:1: locked here%0Ahelp: rename it to "vercel-mcp"%0Asee: https://example.com/drift`,
		"markdown": `locked here<br>help: rename it to "vercel-mcp"<br>see: `,
		"rdjson":   `\nhelp: rename it to`,
		"gitlab":   `under another name: rename it to \"vercel-mcp\" (see https://example.com/drift) (mcp-tap.lock:2: locked here)`,
		"junit":    "&#xA;  help: rename it to",
	} {
		assert.Contains(t, written(t, name, run, Options{Severity: rule.Note}), want, name)
	}
	f.Fixes = []rule.Fix{{Title: "rename it", Safety: rule.Safe}}
	assert.Contains(t, written(t, "text", run, Options{Severity: rule.Note}), "\n  fix: rename it (--fix)\n  see: ", "a fix stands for the help")
	assert.NotContains(t, written(t, "text", run, Options{Severity: rule.Note}), "help:")
}
