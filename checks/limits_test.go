package checks_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/linttest"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// TestMessagesShowTheBeginningOfALongName checks how much of a name of megabytes is in the
// messages that repeat it: the first 200 code points.
func TestMessagesShowTheBeginningOfALongName(t *testing.T) {
	long := strings.Repeat("ä", 300_000)
	var messages []string
	for _, f := range linttest.LintFiles(t, map[string]string{".mcp.json": `{"mcpServers": {
		"` + long + `": {"command": "npx", "args": ["-y", "p@1.0.0"]},
		"b": {"command": "npx", "args": ["-y", "p@1.0.0"]}}}`}) {
		require.Less(t, len(f.Text()), 2000)
		if f.Rule.ID == "duplicate-server" {
			messages = append(messages, f.Text())
		}
	}
	assert.Equal(t, []string{`"b" starts the same server as "` + strings.Repeat("ä", 200) + `…" (npm:p), so the client lists every tool twice: delete one of the two entries`}, messages)
}

// TestTheBeginningOfATextHidesItsSecrets checks that a cut leaves no half of a token, which would
// no longer look like one.
func TestTheBeginningOfATextHidesItsSecrets(t *testing.T) {
	token := "ghp_" + strings.Repeat("a1B2c3D4e5F6", 3)
	for name, test := range map[string]struct{ text, want string }{
		"short":                  {"a name", "a name"},
		"as long as may be":      {strings.Repeat("ä", 20), strings.Repeat("ä", 20)},
		"one more":               {strings.Repeat("ä", 21), strings.Repeat("ä", 20) + "…"},
		"a token across the cut": {"the one " + token, "the one ghp_***…"},
		"a token behind it":      {strings.Repeat("a b ", 20) + token, strings.Repeat("a b ", 5) + "…"},
		"a text of megabytes":    {strings.Repeat("a b ", 1<<20), strings.Repeat("a b ", 5) + "…"},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, test.want, wording.Beginning(test.text, 20)) })
	}
}

// TestPlacesOfOneFinding checks that a finding names twenty places and counts the others, even if
// many files have a part in it.
func TestPlacesOfOneFinding(t *testing.T) {
	files := map[string]string{}
	for i := range 120 {
		files[fmt.Sprintf(".continue/mcpServers/%03d.yaml", i)] = "name: x\nversion: 0.0.1\nschema: v1\nmcpServers:\n" +
			"  - name: same\n    command: npx\n    args: [\"-y\", \"p@1.0.0\"]\n"
	}
	odd := `{"mcpServers": {"odd": {"command": "npx", "args": ["-y", "p@1.0.0"]}}}`
	files[".cursor/mcp.json"] = odd
	files[".roo/mcp.json"] = strings.Replace(odd, "odd", "other", 1)
	files[".continue/mcpServers/202.yaml"] = strings.ReplaceAll(files[".continue/mcpServers/000.yaml"], "1.0.0", "2.0.0")
	more := map[string][]int{}
	for _, f := range linttest.LintFiles(t, files) {
		if f.Rule.ID != "duplicate-server" { // Continue loads all of them
			assert.Len(t, f.Related, 20, f.Text())
			more[f.Rule.ID] = append(more[f.Rule.ID], f.MoreRelated)
		}
	}
	assert.Equal(t, map[string][]int{
		"alias-drift":      {121 - 20, 121 - 20}, // entries of the name "same"
		"version-conflict": {122 - 20},           // at 1.0.0
	}, more)
}
