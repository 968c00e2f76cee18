package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/mcplumb/mcplumb/internal/lock"
	"github.com/mcplumb/mcplumb/internal/policy"
)

// TestSchemaStore holds that packaging/schemastore/catalog.json meets SchemaStore's
// requirements for entries whose schema is elsewhere (CONTRIBUTING.md at 0310cf99, 2026),
// and that the schemas meet those for schemas: draft-07, only formats of that draft, a
// title that begins in lowercase, a description with the address of the documentation. Each
// accepts what is documented, and refuses a mistake.
func TestSchemaStore(t *testing.T) {
	t.Chdir("..")
	content, err := os.ReadFile("packaging/schemastore/catalog.json")
	require.NoError(t, err)
	var catalog struct {
		Schemas []struct {
			Name        string   `json:"name"`
			Description string   `json:"description"`
			FileMatch   []string `json:"fileMatch"`
			URL         string   `json:"url"`
		} `json:"schemas"`
	}
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	require.NoError(t, decoder.Decode(&catalog))

	samples := map[string]struct{ right, wrong []any }{
		policy.SettingsName: {
			[]any{yamlOf(t, block(t, "docs/settings.md", "yaml")), yamlOf(t, read(t, "internal/policy/starting.yaml")), yamlOf(t, read(t, ".mcplumb.yaml")), nil},
			[]any{yamlOf(t, "rules: {alias-drfit: off}"), yamlOf(t, "fail-on: maybe"), yamlOf(t, "ignore: [{rule: insecure-url}]"), yamlOf(t, "exclude: [/tmp]")},
		},
		lock.Name: {
			[]any{tomlOf(t, "version = 1\n"+block(t, "docs/lock.md", "toml"))},
			[]any{tomlOf(t, block(t, "docs/lock.md", "toml")), tomlOf(t, "version = 2"), tomlOf(t, "version = 1\nservers = []")},
		},
	}
	var names []string
	for _, entry := range catalog.Schemas {
		names = append(names, entry.Name)
		assert.NotEmpty(t, entry.Description, entry.Name)
		require.Len(t, entry.FileMatch, 1, entry.Name)
		path, isOurs := strings.CutPrefix(entry.URL, "https://raw.githubusercontent.com/mcplumb/mcplumb/main/")
		require.True(t, isOurs, entry.URL)
		schema := read(t, path)
		var head struct {
			ID          string `json:"$id"`
			Schema      string `json:"$schema"`
			Title       string `json:"title"`
			Description string `json:"description"`
		}
		require.NoError(t, json.Unmarshal([]byte(schema), &head))
		assert.Equal(t, entry.URL, head.ID)
		assert.Equal(t, "http://json-schema.org/draft-07/schema#", head.Schema)
		assert.Regexp(t, `^[a-z].*[^.:]$`, head.Title)
		assert.Regexp(t, `\nhttps://github\.com/mcplumb/mcplumb/blob/main/docs/\w+\.md$`, head.Description)
		var document any
		require.NoError(t, json.Unmarshal([]byte(schema), &document))
		for _, format := range formats(document) {
			assert.Contains(t, []string{"date", "date-time", "email", "regex", "uri"}, format, path)
		}
		compiled, err := jsonschema.NewCompiler().Compile(filepath.FromSlash(path))
		require.NoError(t, err)
		sample, known := samples[entry.FileMatch[0]]
		require.True(t, known, entry.FileMatch[0])
		for _, right := range sample.right {
			assert.NoError(t, compiled.Validate(right))
		}
		for _, wrong := range sample.wrong {
			assert.Error(t, compiled.Validate(wrong), "%v", wrong)
		}
		delete(samples, entry.FileMatch[0])
	}
	assert.Empty(t, samples)
	assert.True(t, slices.IsSorted(names))
}

// formats returns the formats that a schema names.
func formats(schema any) []string {
	var found []string
	switch value := schema.(type) {
	case map[string]any:
		if format, isText := value["format"].(string); isText {
			found = append(found, format)
		}
		for _, member := range value {
			found = append(found, formats(member)...)
		}
	case []any:
		for _, member := range value {
			found = append(found, formats(member)...)
		}
	}
	return found
}

func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.FromSlash(path))
	require.NoError(t, err)
	return string(content)
}

// block returns the first block of a page in a language.
func block(t *testing.T, path, language string) string {
	t.Helper()
	_, rest, found := strings.Cut(read(t, path), "\n```"+language+"\n")
	require.True(t, found)
	text, _, _ := strings.Cut(rest, "\n```")
	return text
}

// yamlOf and tomlOf parse a text into the values that JSON would give.
func yamlOf(t *testing.T, text string) any {
	t.Helper()
	var document yaml.Node
	require.NoError(t, yaml.Unmarshal([]byte(text), &document))
	keepDates(&document)
	var value any
	require.NoError(t, document.Decode(&value))
	return jsonOf(t, value)
}

// keepDates makes dates of YAML strings, which they are for editors.
func keepDates(n *yaml.Node) {
	if n.Tag == "!!timestamp" {
		n.Tag = "!!str"
	}
	for _, child := range n.Content {
		keepDates(child)
	}
}

func tomlOf(t *testing.T, text string) any {
	t.Helper()
	var value map[string]any
	require.NoError(t, toml.Unmarshal([]byte(text), &value))
	return jsonOf(t, value)
}

func jsonOf(t *testing.T, value any) any {
	t.Helper()
	text, err := json.Marshal(value)
	require.NoError(t, err)
	var plain any
	require.NoError(t, json.Unmarshal(text, &plain))
	return plain
}
