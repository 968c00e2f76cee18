package syntax_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/stretchr/testify/require"
	"github.com/tailscale/hujson"
)

// BenchmarkParseJSON compares the scanner with encoding/json, which keeps no
// positions, and with hujson, which does.
func BenchmarkParseJSON(b *testing.B) {
	sizes := []struct {
		name    string
		servers int
	}{
		{"3KB", 20},
		{"10MB", 65_000},
	}
	parsers := []struct {
		name  string
		parse func([]byte) error
	}{
		{"scanner", func(data []byte) error {
			_, err := syntax.ParseJSON(syntax.NewFile(".mcp.json", data))
			return err
		}},
		{"encoding-json", func(data []byte) error {
			var value any
			return json.Unmarshal(data, &value)
		}},
		{"hujson", func(data []byte) error {
			_, err := hujson.Parse(data)
			return err
		}},
	}
	for _, size := range sizes {
		data := serversFile(size.servers)
		for _, parser := range parsers {
			b.Run(size.name+"/"+parser.name, func(b *testing.B) {
				b.SetBytes(int64(len(data)))
				b.ReportAllocs()
				for b.Loop() {
					require.NoError(b, parser.parse(data))
				}
			})
		}
	}
}

// serversFile returns a .mcp.json with n servers, local and remote ones in
// turn.
func serversFile(n int) []byte {
	var b strings.Builder
	b.WriteString("{\n  \"mcpServers\": {\n")
	for i := range n {
		if i > 0 {
			b.WriteString(",\n")
		}
		if i%2 == 0 {
			fmt.Fprintf(&b, `    "local-%d": {
      "command": "npx",
      "args": ["-y", "@acme/mcp-server-%d@1.2.3"],
      "env": {"ACME_TOKEN": "${ACME_TOKEN}", "DEBUG": "1"}
    }`, i, i)
		} else {
			fmt.Fprintf(&b, `    "remote-%d": {
      "type": "http",
      "url": "https://mcp-%d.example.com/mcp",
      "disabled": false
    }`, i, i)
		}
	}
	b.WriteString("\n  }\n}\n")
	return []byte(b.String())
}
