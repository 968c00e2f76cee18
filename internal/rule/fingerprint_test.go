package rule_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// fingerprint returns that of a finding at token in content.
func fingerprint(t *testing.T, path, content, token string) string {
	t.Helper()
	start := strings.Index(content, token)
	require.GreaterOrEqual(t, start, 0)
	f := rule.Finding{
		Rule: &rule.Rule{ID: "rule"}, File: syntax.NewFile(path, []byte(content)),
		Span: syntax.Span{Start: start, End: start + len(token)}, Server: "name",
	}
	return f.Fingerprint(&secret.Spans{})
}

func TestFingerprint(t *testing.T) {
	one := fingerprint(t, "a.json", `{"x": 1}`, `"x"`)
	assert.Regexp(t, `^[0-9a-f]{32}$`, one)
	assert.Equal(t, "f1f8c88e429f30434b776ec1b36d21de", one, "it must never change: dashboards know findings by it")
	assert.Equal(t, one, fingerprint(t, "a.json", "\n\n\n  {  \"x\": 2}", `"x"`), "place does not matter")
	assert.NotEqual(t, one, fingerprint(t, "b.json", `{"x": 1}`, `"x"`))
	assert.NotEqual(t, one, fingerprint(t, "a.json", `{"y": 1}`, `"y"`))
	assert.Equal(t,
		fingerprint(t, "a.json", "[1,\r\n\t2]", "1,\r\n\t2"),
		fingerprint(t, "a.json", "[1, 2]", "1, 2"), "white space does not matter")

	other := rule.Finding{Rule: &rule.Rule{ID: "rule2"}, File: syntax.NewFile("a.json", []byte(`{"x": 1}`)), Span: syntax.Span{Start: 1, End: 4}, Server: "name"}
	assert.NotEqual(t, one, other.Fingerprint(&secret.Spans{}))
	other.Rule = &rule.Rule{ID: "rule"}
	assert.Equal(t, one, other.Fingerprint(&secret.Spans{}))
	other.Server = "other"
	assert.NotEqual(t, one, other.Fingerprint(&secret.Spans{}))
}

// TestFingerprintHoldsNoSecret checks that a finding on a secret has the same fingerprint for every
// secret, so that guesses cannot be tested against it.
func TestFingerprintHoldsNoSecret(t *testing.T) {
	for name, pair := range map[string][2]string{
		"known by its shape":        {`"ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"`, `"ghp_z1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R9"`},
		"known by its name":         {`"9f86d081884c7d659a2f"`, `"60303ae22b998861bce3"`},
		"as long as a line can get": {`"` + strings.Repeat("9f86d081", 2000) + `"`, `"` + strings.Repeat("60303ae2", 2000) + `"`},
	} {
		for place, before := range map[string]string{"beside": `{"API_KEY": `, "above": "{\"API_KEY\":\n    ", "option": "[\"--api-key\",\r\n"} {
			t.Run(name+" "+place, func(t *testing.T) {
				assert.Equal(t,
					fingerprint(t, "a.json", before+pair[0]+"}", pair[0]),
					fingerprint(t, "a.json", before+pair[1]+"}", pair[1]))
			})
		}
	}
}
