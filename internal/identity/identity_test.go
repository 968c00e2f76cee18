package identity

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestTitle checks that titles are readable.
func TestTitle(t *testing.T) {
	for entry, want := range map[string]string{
		`npx -y pkg@1.0.0`:                              "npm:pkg",
		`docker mcp gateway run`:                        "docker mcp gateway",
		`docker mcp gateway run --servers=a,b`:          "catalog:a,b",
		`python -c "import x; x.run()"`:                 "opaque:python -c import x; x.run()",
		`node -e "` + strings.Repeat("a(); ", 40) + `"`: "opaque:node -e " + strings.TrimSpace(strings.Repeat("a(); ", 8)) + " a();…",
		`sh -c "é` + strings.Repeat("é", 100) + ` | b"`: "opaque:sh " + strings.Repeat("é", 24) + "…",
	} {
		id := resolve(t, entry)
		assert.Equal(t, want, id.Title(), entry)
	}
}

// TestInSentence checks that an identity that needs no kind has none in front.
func TestInSentence(t *testing.T) {
	for entry, want := range map[string]string{
		`npx -y pkg@1.0.0`:                                 "npm:pkg",
		`docker mcp gateway run`:                           "docker mcp gateway",
		`docker mcp gateway run --servers=a,b`:             "catalog:a,b",
		`docs-mcp --stdio`:                                 "docs-mcp",
		`node tools/docs.js`:                               "app/tools/docs.js",
		`docker exec -i box docs-mcp`:                      "the container box",
		`python -c "import x; x.run()"`:                    "python -c import x; x.run()",
		`npx -y mcp-remote@1.0.0 https://mcp.acme.dev/mcp`: "https://mcp.acme.dev/mcp",
	} {
		id := resolve(t, entry)
		assert.Equal(t, want, id.InSentence(), entry)
	}
}
