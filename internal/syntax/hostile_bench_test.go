package syntax_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/pelletier/go-toml/v2"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// hostile is a file that is made when it is needed: together they are big.
type hostile struct {
	name string
	text func() string
}

type parser func(*syntax.File) (*syntax.Tree, error)

// BenchmarkParseTOML compares the reader with what go-toml decodes.
func BenchmarkParseTOML(b *testing.B) {
	data := tomlServers(15)
	benchmark(b, "3KB/reader", data, syntax.ParseTOML)
	benchmark(b, "3KB/go-toml", data, func(f *syntax.File) (*syntax.Tree, error) {
		var value any
		return nil, toml.Unmarshal(f.Bytes, &value)
	})
	benchmark(b, "10MB/reader", tomlServers(50_000), syntax.ParseTOML)
}

// BenchmarkParseYAML compares the reader with yaml/v3's nodes and with what it
// decodes.
func BenchmarkParseYAML(b *testing.B) {
	data := yamlServers(15)
	benchmark(b, "3KB/reader", data, syntax.ParseYAML)
	benchmark(b, "3KB/yaml-nodes", data, func(f *syntax.File) (*syntax.Tree, error) {
		_, err := yamlDocuments(f.Bytes)
		return nil, err
	})
	benchmark(b, "3KB/yaml", data, func(f *syntax.File) (*syntax.Tree, error) {
		var value any
		return nil, yaml.Unmarshal(f.Bytes, &value)
	})
	benchmark(b, "3MB/reader", yamlServers(15_000), syntax.ParseYAML)
}

// BenchmarkHostile reads files that are made to cost time or memory. Whether
// they are read or refused, no one may take a second or 200 MB.
func BenchmarkHostile(b *testing.B) {
	const size = syntax.MaxBytes
	fill := func(text string) string { return strings.Repeat(text, size/len(text)) }
	upTo := func(n int, text string) string { return strings.Repeat(text, n) }
	cases := []hostile{
		{"arrays", func() string { return upTo(100_000, "[") }},
		{"array", func() string { return "a = [" + upTo(syntax.MaxTOMLValues-3, "1,") + "]" }},
		{"tables", func() string { return tomlTables(75_000) }},
		{"table-headers", func() string { return tomlTables(450_000) }},
		{"array-tables", func() string { return upTo(syntax.MaxTOMLValues/2, "[[a]]\n") }},
		{"array-of-inline-tables", func() string { return "a = [" + upTo(syntax.MaxTOMLValues/2-3, "{},") + "]" }},
		{"dotted-keys", func() string { return "a" + upTo(900_000, ".a") + " = 1" }},
		{"deep-headers", func() string { return upTo(1_000, "["+upTo(990, "a.")+"a]\n") }},
		{"keys", func() string { return tomlKeys(900_000) }},
		{"comments", func() string { return fill("# comment\n") }},
		{"string", func() string { return `a = "` + fill("a")[:size-6] + `"` }},
		{"escapes", func() string { return `a = "` + fill(`\\n`)[:size-8] + `"` }},
		{"blank", func() string { return fill("\n") }},
		{"binary", func() string { return fill("\x00\xff\x7f\x80") }},
		{"errors", func() string { return fill("a = \n") }},
	}
	for _, test := range cases {
		benchmarkHostile(b, "toml/", test, syntax.ParseTOML)
	}
	const values = syntax.MaxYAMLValues
	cases = []hostile{
		{"brackets", func() string { return upTo(100_000, "[") }},
		{"dashes", func() string { return upTo(100_000, "- ") }},
		{"questions", func() string { return upTo(100_000, "? ") }},
		{"steps", func() string { return yamlSteps(4_400) }},
		{"deep-and-wide", func() string { return upTo(999, "[") + upTo(values-1_000, "a,") + upTo(999, "]") }},
		{"too-deep-and-wide", func() string { return upTo(9_999, "[") + upTo(values-10_000, "a,") + upTo(9_999, "]") }},
		{"bomb", func() string { return yamlBomb() }},
		{"aliases", func() string { return "- &a b\n" + upTo(values-10, "- *a\n") }},
		{"anchors", func() string { return upTo(values, "- &a b\n") }},
		{"tags", func() string { return upTo(values, "- !!str b\n") }},
		{"sequence", func() string { return upTo(values, "- a\n") }},
		{"flow-sequence", func() string { return "[" + upTo(values-1, "a,") + "]" }},
		{"flow-mapping", func() string { return "{" + upTo(values-1, "a,") + "}" }},
		{"mapping", func() string { return yamlKeys(values) }},
		{"comments-on-values", func() string { return upTo(values, "- a # b\n") }},
		{"comments-between", func() string { return upTo(values, "- a\n# b\n\n") }},
		{"documents", func() string { return upTo(values, "---\na\n") }},
		{"empty-documents", func() string { return upTo(values, "---\n") }},
		{"comments", func() string { return fill("# comment\n") }},
		{"comments-inside", func() string { return "a:\n" + fill("  # comment\n")[:size-4] }},
		{"string", func() string { return `"` + fill("a")[:size-4] + `"` }},
		{"lines", func() string { return `"` + fill("a\n")[:size-4] + `"` }},
		{"plain", func() string { return fill("a\n") }},
		{"block", func() string { return "|\n" + fill(" a\n")[:size-4] }},
		{"blank", func() string { return fill("\n") }},
		{"spaces", func() string { return fill(" ") }},
		{"more-values", func() string { return fill("- a\n") }},
		{"binary", func() string { return fill("\x00\xff\x7f\x80") }},
		{"open-string", func() string { return "a: '" + fill("a\n")[:size-4] }},
		{"error-at-the-end", func() string { return fill(yamlFiller)[:size-200] + "\na: b: c\n" }},
	}
	for _, test := range cases {
		benchmarkHostile(b, "yaml/", test, syntax.ParseYAML)
	}
	open := hostile{"open", func() string { return "---\n" + fill("a\n")[:size-4] }}
	benchmarkHostile(b, "frontmatter/", open, syntax.ParseFrontMatter)
}

const yamlFiller = "# a comment that makes the file long, for there must not be many values in it\n"

func benchmark(b *testing.B, name string, data []byte, parse parser) {
	b.Run(name, func(b *testing.B) { run(b, data, parse) })
}

func benchmarkHostile(b *testing.B, group string, test hostile, parse parser) {
	b.Run(group+test.name, func(b *testing.B) { run(b, []byte(test.text()), parse) })
}

func run(b *testing.B, data []byte, parse parser) {
	require.LessOrEqual(b, len(data), syntax.MaxBytes)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		_, _ = parse(syntax.NewFile("a", data))
	}
}

func tomlServers(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, "[mcp_servers.server-%d]\ncommand = \"npx\" # a comment\nargs = [\"-y\", \"@acme/mcp-server-%d@1.2.3\"]\nenv = { ACME_TOKEN = \"${ACME_TOKEN}\", DEBUG = \"1\" }\n\n", i, i)
	}
	return b.Bytes()
}

// tomlTables returns n tables in 10 MB.
func tomlTables(n int) string {
	var b strings.Builder
	for i := range n {
		start := b.Len()
		fmt.Fprintf(&b, "[a.table-%d]\n", i)
		if room := syntax.MaxBytes/n - (b.Len() - start); room > 10 {
			fmt.Fprintf(&b, "key = %q\n", strings.Repeat("v", room-10))
		}
	}
	return b.String()
}

func tomlKeys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "k%x=1\n", i)
	}
	return b.String()
}

func yamlServers(n int) []byte {
	var b bytes.Buffer
	b.WriteString("mcpServers:\n")
	for i := range n {
		fmt.Fprintf(&b, "  server-%d:\n    command: npx # a comment\n    args: [\"-y\", '@acme/mcp-server-%d@1.2.3']\n    env:\n      ACME_TOKEN: ${ACME_TOKEN}\n      DEBUG: \"1\"\n\n", i, i)
	}
	return b.Bytes()
}

func yamlKeys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "k%x: 1\n", i)
	}
	return b.String()
}

// yamlSteps returns mappings in mappings, one step of indentation each.
func yamlSteps(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

// yamlBomb returns nine lists of nine aliases each: decoded, 9^9 strings.
func yamlBomb() string {
	var b strings.Builder
	b.WriteString("a0: &a0 [" + strings.Repeat("lol,", 9) + "]\n")
	for i := 1; i < 9; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d,", i-1), 9))
	}
	return b.String()
}
