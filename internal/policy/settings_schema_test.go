package policy

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// TestSettingsSchema holds the schema that editors use to what the program
// accepts, and both to what is right.
func TestSettingsSchema(t *testing.T) {
	schema := settingsSchema(t)
	for text, valid := range map[string]bool{
		"{}":                         true,
		"# nothing":                  true,
		"rules:":                     true,
		"rules: {}":                  true,
		"rules: {alias-drift: off}":  true,
		"rules: {alias-drift: note}": true,
		"rules: {alias-drift: 'warning', syntax-error: error, unused-ignore: off}": true,
		"rules: {alias-drift: false}":   false,
		"rules: {alias-drift: }":        false,
		"rules: {alias-drift: Warning}": false,
		"rules: {alias-drift: [error]}": false,
		"rules: {alias-drfit: error}":   false,
		"rules: {Alias-drift: error}":   false,
		"rules: [alias-drift]":          false,
		"rules: off":                    false,
		"rule: {alias-drift: off}":      false,
		"fail-on: note":                 true,
		"fail-on: never":                true,
		"fail-on: none":                 false,
		"fail-on: off":                  false,
		"fail-on: [note]":               false,
		"severity: error":               true,
		"severity: never":               false,
		"severity: ''":                  false,
		"format: sarif":                 true,
		"format: sarif=x.sarif":         false,
		"format: 3":                     false,
		"baseline: known.json":          true,
		"baseline: ./ci/known.json":     true,
		"baseline: ''":                  false,
		"baseline: .":                   false,
		"baseline: /tmp/known.json":     false,
		"baseline: ../known.json":       false,
		"baseline: [known.json]":        false,
		"[]":                            false,
		"exclude":                       false,
		"exclude:":                      true,
		"exclude: []":                   true,
		"exclude: [a, 'b/**', ./c, d/, '**', '{a,b}', '[a-c]', ...]": true,
		"exclude: a":                             false,
		"exclude: [1]":                           false,
		"exclude: [null]":                        false,
		"exclude: ['']":                          false,
		"exclude: [.]":                           false,
		"exclude: [./]":                          false,
		"exclude: [/]":                           false,
		"exclude: [.//]":                         false,
		"exclude: [/a]":                          false,
		"exclude: [.//a]":                        false,
		"exclude: [..]":                          false,
		"exclude: [../]":                         false,
		"exclude: [./..]":                        false,
		"exclude: [../a]":                        false,
		"exclude: [..a]":                         true,
		"exclude: ['[a']":                        false,
		"exclude: ['{a']":                        false,
		"ignore:":                                true,
		"ignore: []":                             true,
		"ignore: [null]":                         false,
		"ignore: [alias-drift]":                  false,
		"ignore: {rule: alias-drift, reason: x}": false,
		"ignore: [{rule: alias-drift, reason: x}]":                                                         true,
		"ignore: [{reason: x, rule: alias-drift, path: a, server: b}]":                                     true,
		"ignore: [{rule: alias-drift}]":                                                                    false,
		"ignore: [{reason: x}]":                                                                            false,
		"ignore: [{}]":                                                                                     false,
		"ignore: [{rule: alias-drift, reason: ''}]":                                                        false,
		"ignore: [{rule: alias-drift, reason: ' '}]":                                                       false,
		"ignore: [{rule: alias-drift, reason: }]":                                                          false,
		"ignore: [{rule: alias-drift, reason: 7}]":                                                         false,
		"ignore: [{rule: alias-drfit, reason: x}]":                                                         false,
		"ignore: [{rule: unused-ignore, reason: x}]":                                                       false,
		"ignore: [{rule: [alias-drift], reason: x}]":                                                       false,
		"ignore: [{rule: alias-drift, reason: x, why: y}]":                                                 false,
		"ignore: [{rule: alias-drift, reason: x, path: /a}]":                                               false,
		"ignore: [{rule: alias-drift, reason: x, path: ''}]":                                               false,
		"ignore: [{rule: alias-drift, reason: x, server: ''}]":                                             false,
		"ignore: [{rule: alias-drift, reason: x, server: 5}]":                                              false,
		"ignore: [{rule: alias-drift, reason: x, until: 2030-12-31}]":                                      true,
		"ignore: [{rule: alias-drift, reason: x, until: 2028-02-29}]":                                      true,
		"ignore: [{rule: alias-drift, reason: x, until: '2030-1-31'}]":                                     false,
		"ignore: [{rule: alias-drift, reason: x, until: 2030-02-30}]":                                      false,
		"ignore: [{rule: alias-drift, reason: x, until: 2030}]":                                            false,
		"ignore: [{rule: alias-drift, reason: x, until: tomorrow}]":                                        false,
		"ignore: [{rule: alias-drift, reason: x, until: 2030-12-31T00:00:00Z}]":                            false,
		"ignore: [{rule: integrity-changed, reason: x}]":                                                   false,
		"ignore: [{rule: integrity-changed, server: a, reason: x}]":                                        false,
		"ignore: [{rule: integrity-changed, identity: a, reason: x}]":                                      false,
		"ignore: [{rule: integrity-changed, integrity: a, reason: x}]":                                     false,
		"ignore: [{rule: integrity-changed, identity: a, integrity: '', reason: x}]":                       false,
		"ignore: [{rule: integrity-changed, identity: a, integrity: b, reason: x}]":                        true,
		"ignore: [{rule: alias-drift, identity: a, integrity: b, reason: x}]":                              false,
		"ignore: [{rule: alias-drift, integrity: b, reason: x}]":                                           false,
		"registries: {npm: x}":                                                                             false, // of a later version
		"in-step:":                                                                                         true,
		"in-step: []":                                                                                      true,
		"in-step: [{files: [.mcp.json, .vscode/mcp.json]}]":                                                true,
		"in-step: [{files: ['**/mcp.json'], source: ./.mcp.json}]":                                         true,
		"in-step: [{files: [a, b], servers: [docs, 'x-*'], except: [y], extra: allow, per-project: true}]": true,
		"in-step: [{files: [a, b], source: a, extra: report}]":                                             true,
		"in-step: [{files: [a, b], extra: all}]":                                                           false,
		"in-step: [{files: [a, b], per-project: yes}]":                                                     false,
		"in-step: [{files: [a, b], servers: docs}]":                                                        false,
		"in-step: [{files: [a, b], servers: ['']}]":                                                        false,
		"in-step: [{files: [a, b], except: [1]}]":                                                          false,
		"in-step: [{files: [a, b], except: ['[a']}]":                                                       false,
		"in-step: [{files: [a, /b]}]":                                                                      false,
		"in-step: [{files: [a, ../b]}]":                                                                    false,
		"in-step: [{files: a}]":                                                                            false,
		"in-step: [{files: [a, b], source: '*'}]":                                                          false,
		"in-step: [{files: [a, b], source: [a]}]":                                                          false,
		"in-step: [{files: [a, b], sources: a}]":                                                           false,
		"in-step: [{source: a}]":                                                                           false,
		"in-step: [a, b]":                                                                                  false,
		"extends:":                                                                                         true,
		"extends: []":                                                                                      true,
		"extends: [a.yaml, ./b/c.yaml]":                                                                    true,
		"extends: ['" + onHub + "', '" + onTheWeb + "#sha256=" + hash + "']":                               true,
		"extends: ['http://127.0.0.1:8080/a#sha256=" + hash + "']":                                         true,
		"extends: ['http://acme.dev/a#sha256=" + hash + "']":                                               false,
		"extends: ['" + onTheWeb + "']":                                                                    false,
		"extends: ['" + onHub + "0']":                                                                      false,
		"extends: ['github:acme/policy/a@main']":                                                           false,
		"extends: [/a.yaml]":                                                                               false,
		"extends: [../a.yaml]":                                                                             false,
		"extends: ['']":                                                                                    false,
		"extends: [1]":                                                                                     false,
		"extends: a.yaml":                                                                                  false,
		"policy:":                                                                                          true,
		"policy: [managed-settings.json]":                                                                  true,
		"policy: [./a.json, claude-code=b.json, copilot=./c/d.json]":                                       true,
		"policy: [/etc/claude-code/managed-settings.json]":                                                 false,
		"policy: [copilot=/a.json]":                                                                        false,
		"policy: [../a.json]":                                                                              false,
		"policy: [copilot=]":                                                                               false,
		"policy: ['']":                                                                                     false,
		"policy: [1]":                                                                                      false,
		"policy: a.json":                                                                                   false,
		"catalog:":                                                                                         true,
		"catalog: {}":                                                                                      true,
		"catalog: {namespace: io.github.acme, organization: acme, project: tools, code: {acme.tools.fs.read_json: a.ts}}": true,
		"catalog: {approved: site}":                            true,
		"catalog: {approved: 'https://catalog.acme.dev/x'}":    true,
		"catalog: {approved: 'http://127.0.0.1:8787'}":         true,
		"catalog: {approved: 'https://user@catalog.acme.dev'}": false,
		"catalog: {approved: 'ftp://catalog.acme.dev'}":        false,
		"catalog: {approved: 'https://'}":                      false,
		"catalog: {approved: ../site}":                         false,
		"catalog: {approved: /site}":                           false,
		"catalog: {approved: ''}":                              false,
		"catalog: {approved: [site]}":                          false,
		"catalog: {namespace: acme}":                           false,
		"catalog: {namespace: ''}":                             false,
		"catalog: {namespace: [a.b]}":                          false,
		"catalog: {organization: 7up}":                         false,
		"catalog: {project: a.b}":                              false,
		"catalog: {code: {a.b.c: x.ts}}":                       false,
		"catalog: {code: {a.b.c.d: ''}}":                       false,
		"catalog: {code: [a.ts]}":                              false,
		"catalog: {name: a}":                                   false,
		"catalog: a":                                           false,
		"in-step: {files: [a, b]}":                             false,
	} {
		t.Run(text, func(t *testing.T) {
			_, err := ParseSettings("s.yaml", "s.yaml", []byte(text))
			assert.Equal(t, valid, err == nil, "the program says %v", err)
			err = schema.Validate(decodeYAML(t, text))
			// What is wrong within a pattern only the program knows: no format of the draft says it.
			isMistakenPattern := strings.Contains(text, "'[a'") || strings.Contains(text, "'{a'")
			assert.Equal(t, valid || isMistakenPattern, err == nil, "the schema says %v", err)
		})
	}
}

// settingsSchema returns the schema with the formats that it names.
func settingsSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "settings.schema.json"))
	require.NoError(t, err)
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	require.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	require.NoError(t, compiler.AddResource("settings.schema.json", document))
	schema, err := compiler.Compile("settings.schema.json")
	require.NoError(t, err)
	return schema
}

// decodeYAML returns a document as JSON has it: dates are strings.
func decodeYAML(t *testing.T, text string) any {
	t.Helper()
	var document yaml.Node
	require.NoError(t, yaml.Unmarshal([]byte(text), &document))
	if document.Kind == 0 {
		return nil
	}
	return jsonValue(t, document.Content[0])
}

func jsonValue(t *testing.T, n *yaml.Node) any {
	t.Helper()
	switch n.Kind {
	case yaml.MappingNode:
		object := map[string]any{}
		for i := 0; i < len(n.Content); i += 2 {
			object[n.Content[i].Value] = jsonValue(t, n.Content[i+1])
		}
		return object
	case yaml.SequenceNode:
		array := []any{}
		for _, item := range n.Content {
			array = append(array, jsonValue(t, item))
		}
		return array
	}
	if n.Tag == "!!timestamp" {
		return n.Value
	}
	var value any
	require.NoError(t, n.Decode(&value))
	return value
}
