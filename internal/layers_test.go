// Package internal_test holds what is true of the whole tree.
package internal_test

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/mcplumb/mcplumb/"

// allowed says what every package may import of ours. Data flows one way, so
// imports point down only.
var allowed = map[string][]string{
	"cmd/mcplumb":       {"internal/cli"},
	"internal/cli":      {"internal/lint", "report", "internal/format", "checks", "internal/mcp", "internal/identity", "internal/secret", "internal/syntax"},
	"internal/lint":     {"internal/format", "checks", "internal/mcp", "internal/identity", "internal/syntax"},
	"internal/format":   {"internal/mcp", "internal/identity", "internal/secret", "internal/syntax"},
	"internal/generate": {"checks", "internal/format", "internal/mcp", "internal/cli"},
	"report":            {"checks", "internal/mcp", "internal/identity", "internal/secret", "internal/syntax"},
	"checks":            {"internal/mcp", "internal/identity", "internal/secret", "internal/syntax"},
	"internal/mcp":      {"internal/identity", "internal/secret", "internal/syntax"},
	"internal/identity": {"internal/secret", "internal/syntax"},
	"internal/secret":   {},
	"internal/syntax":   {},
}

// TestImportsPointDown lists every package of the module with its imports.
func TestImportsPointDown(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "../...").Output()
	require.NoError(t, err)
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	seen := 0
	for decoder.More() {
		var pkg struct {
			ImportPath string
			Imports    []string
		}
		require.NoError(t, decoder.Decode(&pkg))
		name := strings.TrimPrefix(pkg.ImportPath, module)
		below, known := allowed[name]
		if !known {
			require.False(t, ours(pkg.Imports), "%s is not in the list of layers", name)
			continue
		}
		seen++
		for _, imported := range pkg.Imports {
			if inner, ok := strings.CutPrefix(imported, module); ok {
				require.True(t, slices.Contains(below, inner), "%s must not import %s", name, inner)
			}
		}
	}
	require.Equal(t, len(allowed), seen, "a layer has no package")
}

func ours(imports []string) bool {
	return slices.ContainsFunc(imports, func(p string) bool { return strings.HasPrefix(p, module) })
}
