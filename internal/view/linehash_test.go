package view

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestLineHashes follows the vectors of codeql-action's fingerprints.test.ts
// and two of a configuration file.
func TestLineHashes(t *testing.T) {
	for _, c := range []struct {
		content string
		want    []string
	}{
		{"", []string{"c129715d7a2bc9a3:1"}},
		{" a\nb\n  \t\tc\n d", []string{"271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"}},
		{strings.Repeat("Lorem ipsum dolor sit amet.\n", 10), []string{
			"a7f2ff13bc495cf2:1", "a7f2ff13bc495cf2:2", "a7f2ff13bc495cf2:3", "a7f2ff13bc495cf2:4", "a7f2ff13bc495cf2:5",
			"a7f2ff13bc495cf2:6", "a7f2ff1481e87703:1", "a9cf91f7bbf1862b:1", "55ec222b86bcae53:1", "cc97dc7b1d7d8f7b:1",
			"c129715d7a2bc9a3:1"}},
		{"{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"npx\", \"args\": [\"-y\", \"x@latest\"]}\n  }\n}\n", []string{
			"70bd95fa84a1e4e1:1", "6f67d66a09f4ef8:1", "c41c46a1bf0e7e3f:1", "1da0d4c20a2cbb51:1", "32dce9ccfdbc9d3e:1",
			"c129715d7a2bc9a3:1"}},
		{"{\"é\":\"😀\"}\n", []string{"2ed0f73ef752de95:1", "c129715d7a2bc9a3:1"}},
		{"{\"é\":\"😀\"}\r\n", []string{"2ed0f73ef752de95:1", "c129715d7a2bc9a3:1"}},
	} {
		assert.Equal(t, c.want, lineHashes([]byte(c.content)), "%q", c.content)
	}
}
