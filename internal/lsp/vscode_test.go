package lsp

import (
	"encoding/json"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/policy"
)

const extension = "../../editors/vscode/"

// TestExtensionSendsFilesOfFormats checks that the extension for VS Code sends the server every
// file that a format reads, by its extension or name.
func TestExtensionSendsFilesOfFormats(t *testing.T) {
	source, err := os.ReadFile(extension + "src/extension.ts")
	require.NoError(t, err)
	lists := regexp.MustCompile(`\.\.\.\[(.*)\]\.(?:flatMap\(end|map\(name)`).FindAllStringSubmatch(string(source), -1)
	require.Len(t, lists, 2)
	words := func(list string) (all []string) {
		for _, word := range strings.Split(list, ", ") {
			all = append(all, strings.Trim(word, "'"))
		}
		return all
	}
	ends, names := words(lists[0][1]), words(lists[1][1])
	isSent := func(file string) bool {
		name := path.Base(file)
		return slices.Contains(names, name) || slices.ContainsFunc(ends, func(end string) bool {
			return strings.HasSuffix(name, "."+end) || strings.Contains(name, "."+end+".")
		})
	}
	assert.True(t, isSent(policy.SettingsName))
	assert.False(t, isSent("main.go"))
	for _, f := range format.All() {
		for _, file := range slices.Concat(f.Paths, f.Home) {
			if path.Ext(file) == ".ccpkg" {
				continue // an archive, which no editor shows as text
			}
			assert.True(t, isSent(file), "the extension does not send %s", file)
		}
	}
}

// TestExtensionStartsForFilesOfFormats checks that only files that mcplumb reads start the
// extension.
func TestExtensionStartsForFilesOfFormats(t *testing.T) {
	content, err := os.ReadFile(extension + "package.json")
	require.NoError(t, err)
	var manifest struct{ ActivationEvents []string }
	require.NoError(t, json.Unmarshal(content, &manifest))
	index, checked := format.Known(), 0
	for _, event := range manifest.ActivationEvents {
		if file, ok := strings.CutPrefix(event, "workspaceContains:"); ok && file != policy.SettingsName {
			_, known := index.Lookup(strings.ReplaceAll(file, "**", "x"))
			assert.True(t, known, file)
			checked++
		}
	}
	assert.Greater(t, checked, 5)
}
