// Package internal_test holds what is true of the whole tree.
package internal_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/mcplumb/mcplumb/"

// layers lists the packages of this module that every package imports, exactly. Data flows
// one way, so imports point down only.
var layers = map[string][]string{
	"cmd/mcplumb":                     {"internal/cli"},
	"cmd/mcplumb-wasm":                {"internal/app/playground"},
	"internal/app/playground":         {"internal/app/fixing", "internal/app/syncing", "internal/built", "internal/lint", "internal/mcp", "internal/rule", "internal/source", "internal/view", "internal/workspace", "checks", "report"},
	"internal/lsp":                    {"internal/app/fixing", "internal/app/syncing", "internal/dialect", "internal/edit", "internal/format", "internal/glob", "internal/identity", "internal/installed", "internal/instep", "internal/lint", "internal/mcp", "internal/mention", "internal/policy", "internal/reads", "internal/repair", "internal/reputation", "internal/rule", "internal/sameness", "internal/shape", "internal/source", "internal/syntax", "internal/view", "internal/workspace", "internal/writing", "checks"},
	"internal/cli":                    {"internal/action", "internal/allow", "internal/app/approving", "internal/app/check", "internal/app/describe", "internal/app/fixing", "internal/app/fixpr", "internal/app/locking", "internal/app/manual", "internal/app/organization", "internal/app/syncing", "internal/app/vetting", "internal/built", "internal/catalog", "internal/fleet", "internal/github", "internal/glob", "internal/instep", "internal/lint", "internal/lock", "internal/lsp", "internal/mcp", "internal/policy", "internal/pullrequest", "internal/registry", "internal/rule", "internal/serve", "internal/source", "internal/spelling", "internal/terminal", "internal/view", "internal/workspace", "checks", "report"},
	"internal/workspace":              {"internal/approved", "internal/lint", "internal/lock", "internal/mcp", "internal/policy", "internal/registry", "internal/rule", "internal/source", "internal/view", "checks"},
	"internal/app/organization":       {"internal/fleet", "internal/github", "internal/lint", "internal/mcp", "internal/policy", "internal/source", "internal/view", "internal/workspace", "report"},
	"internal/app/fixing":             {"internal/edit", "internal/fix", "internal/github", "internal/lint", "internal/pullrequest", "internal/rule", "internal/source", "internal/syntax", "internal/view", "internal/workspace", "report"},
	"internal/app/fixpr":              {"internal/app/fixing", "internal/fix", "internal/github", "internal/lint", "internal/mcp", "internal/pullrequest", "internal/rule", "internal/source", "internal/view", "internal/workspace", "report"},
	"internal/app/vetting":            {"internal/catalog", "internal/lint", "internal/lock", "internal/policy", "internal/rule", "internal/source", "internal/view", "internal/workspace"},
	"internal/app/locking":            {"internal/lint", "internal/lock", "internal/mcp", "internal/rule", "internal/source", "internal/view", "internal/workspace", "checks", "report"},
	"internal/app/approving":          {"internal/glob", "internal/policy", "internal/rule", "internal/source", "internal/spelling", "internal/view", "internal/workspace", "checks"},
	"internal/app/manual":             {"internal/fix", "internal/lint", "internal/policy", "internal/rule", "internal/source", "internal/terminal", "internal/view", "checks"},
	"internal/app/describe":           {"internal/allow", "internal/lint", "internal/mcp", "internal/policy", "internal/rule", "internal/source", "internal/spelling", "internal/syntax", "internal/terminal", "internal/view", "internal/workspace", "checks", "report"},
	"internal/app/check":              {"internal/app/fixing", "internal/lint", "internal/rule", "internal/view", "internal/workspace"},
	"internal/fleet":                  {"internal/glob", "internal/host", "internal/identity", "internal/parallel", "internal/sameness"},
	"internal/serve":                  {"internal/catalog"},
	"internal/catalog":                {"internal/allow", "internal/ascii", "internal/compare", "internal/credential", "internal/edit", "internal/format", "internal/identity", "internal/instep", "internal/lock", "internal/look", "internal/mcp", "internal/rule", "internal/secret", "internal/syntax", "internal/terminal", "internal/writing", "checks"},
	"internal/lock":                   {"internal/compare", "internal/credential", "internal/identity", "internal/mcp", "internal/reputation", "internal/secret", "internal/syntax", "internal/wording"},
	"internal/approved":               {"internal/identity", "internal/mcp"},
	"internal/registry":               {"internal/approved", "internal/host", "internal/identity", "internal/mcp", "internal/syntax"},
	"internal/action":                 {"internal/github", "internal/pullrequest", "internal/rule", "internal/spelling", "internal/view", "report"},
	"internal/fix":                    {"internal/edit", "internal/identity", "internal/lint", "internal/mcp", "internal/refusal", "internal/rule", "internal/source", "internal/syntax"},
	"internal/lint":                   {"internal/allow", "internal/compare", "internal/edit", "internal/format", "internal/glob", "internal/installed", "internal/instep", "internal/link", "internal/mcp", "internal/mention", "internal/parallel", "internal/policy", "internal/rule", "internal/secret", "internal/shape", "internal/source", "internal/syntax", "checks"},
	"internal/policy":                 {"internal/allow", "internal/compare", "internal/edit", "internal/glob", "internal/mcp", "internal/rule", "internal/secret", "internal/source", "internal/spelling", "internal/syntax", "checks"},
	"internal/instep":                 {"internal/ascii", "internal/credential", "internal/edit", "internal/format", "internal/glob", "internal/identity", "internal/mcp", "internal/sameness", "internal/secret", "internal/shape", "internal/syntax", "internal/treediff", "internal/writing"},
	"internal/installed":              {"internal/compare", "internal/format", "internal/glob", "internal/identity", "internal/mcp", "internal/parallel", "internal/source", "internal/syntax"},
	"internal/link":                   {"internal/format", "internal/identity", "internal/mcp", "internal/sameness", "internal/shape", "internal/syntax"},
	"internal/source":                 {"internal/parallel", "internal/syntax"},
	"internal/parallel":               {},
	"internal/spelling":               {},
	"internal/format":                 {"internal/allow", "internal/ascii", "internal/dialect", "internal/edit", "internal/identity", "internal/mcp", "internal/secret", "internal/shape", "internal/shell", "internal/syntax"},
	"internal/generate":               {"internal/cli", "internal/format", "internal/identity", "internal/installed", "internal/linttest", "internal/mcp", "internal/policy", "internal/rule", "internal/shape", "internal/syntax", "internal/view", "internal/wording", "checks", "report", "test/ecosystem/judged"},
	"packaging":                       {},
	"report":                          {"internal/fleet", "internal/look", "internal/rule", "internal/terminal", "internal/view", "checks"},
	"internal/view":                   {"internal/compare", "internal/credential", "internal/edit", "internal/identity", "internal/mcp", "internal/rule", "internal/secret", "internal/syntax", "internal/terminal", "internal/wording"},
	"internal/terminal":               {},
	"internal/look":                   {},
	"checks":                          {"internal/allow", "internal/ascii", "internal/compare", "internal/consent", "internal/credential", "internal/dialect", "internal/edit", "internal/effect", "internal/host", "internal/identity", "internal/localpath", "internal/made", "internal/mcp", "internal/reads", "internal/refusal", "internal/repair", "internal/reputation", "internal/rule", "internal/sameness", "internal/secret", "internal/shell", "internal/syntax", "internal/systems/apm", "internal/systems/ccpkg", "internal/systems/holodeck", "internal/systems/mcptap", "internal/systems/pml", "internal/systems/promptregistry", "internal/version", "internal/wording"},
	"internal/built":                  {},
	"internal/app/syncing":            {"internal/app/fixing", "internal/glob", "internal/instep", "internal/lint", "internal/mcp", "internal/policy", "internal/rule", "internal/spelling", "internal/workspace", "checks"},
	"internal/treediff":               {"internal/edit", "internal/syntax"},
	"internal/linttest":               {"internal/approved", "internal/lint", "internal/mcp", "internal/policy", "internal/rule", "internal/source", "internal/syntax"},
	"internal/systems/apm":            {"internal/identity", "internal/mcp", "internal/rule", "internal/wording"},
	"internal/systems/ccpkg":          {"internal/compare", "internal/edit", "internal/identity", "internal/mcp", "internal/reads", "internal/refusal", "internal/repair", "internal/rule", "internal/syntax", "internal/version", "internal/wording"},
	"internal/systems/holodeck":       {"internal/compare", "internal/mcp", "internal/reads", "internal/refusal", "internal/rule", "internal/secret", "internal/wording"},
	"internal/systems/mcptap":         {"internal/edit", "internal/identity", "internal/mcp", "internal/repair", "internal/rule", "internal/wording"},
	"internal/systems/pml":            {"internal/compare", "internal/edit", "internal/identity", "internal/mcp", "internal/reads", "internal/refusal", "internal/repair", "internal/rule", "internal/secret", "internal/syntax", "internal/wording"},
	"internal/systems/promptregistry": {"internal/compare", "internal/identity", "internal/mcp", "internal/reads", "internal/refusal", "internal/repair", "internal/rule", "internal/wording"},
	"internal/credential":             {"internal/ascii", "internal/compare", "internal/dialect", "internal/edit", "internal/identity", "internal/mcp", "internal/reads", "internal/repair", "internal/rule", "internal/secret", "internal/syntax", "internal/wording"},
	"internal/repair":                 {"internal/ascii", "internal/compare", "internal/dialect", "internal/edit", "internal/host", "internal/identity", "internal/mcp", "internal/reads", "internal/refusal", "internal/reputation", "internal/rule", "internal/sameness", "internal/secret", "internal/spelling", "internal/syntax", "internal/version", "internal/wording", "internal/writing"},
	"internal/reputation":             {"internal/compare", "internal/identity", "internal/mcp", "internal/rule", "internal/spelling", "internal/version", "internal/wording"},
	"internal/refusal":                {"internal/identity", "internal/mcp", "internal/reads", "internal/rule", "internal/secret", "internal/syntax", "internal/wording"},
	"internal/rule":                   {"internal/compare", "internal/edit", "internal/mcp", "internal/reads", "internal/secret", "internal/syntax", "internal/wording"},
	"internal/compare":                {"internal/ascii", "internal/host", "internal/identity", "internal/mcp", "internal/reads", "internal/sameness", "internal/secret", "internal/syntax", "internal/version", "internal/wording"},
	"internal/wording":                {"internal/mcp", "internal/reads", "internal/secret", "internal/syntax"},
	"internal/reads":                  {"internal/mcp"},
	"internal/dialect":                {"internal/ascii", "internal/edit", "internal/identity", "internal/mcp", "internal/secret"},
	"internal/mcp":                    {"internal/allow", "internal/edit", "internal/identity", "internal/secret", "internal/shell", "internal/syntax"},
	"internal/identity":               {"internal/ascii", "internal/secret", "internal/shell", "internal/syntax", "internal/version"},
	"internal/shell":                  {"internal/ascii", "internal/secret", "internal/syntax"},
	"internal/version":                {"internal/ascii"},
	"internal/pullrequest":            {"internal/github"},
	"internal/github":                 {},
	"internal/secret":                 {"internal/ascii", "internal/host", "internal/syntax"},
	"internal/edit":                   {"internal/syntax"},
	"internal/syntax":                 {"internal/ascii"},
	"internal/glob":                   {},
	"internal/host":                   {},
	"internal/ascii":                  {},
	"internal/allow":                  {"internal/ascii", "internal/secret", "internal/spelling", "internal/syntax"},
	"internal/shape":                  {"internal/edit", "internal/identity", "internal/mcp", "internal/secret", "internal/syntax"},
	"internal/writing":                {"internal/ascii", "internal/dialect", "internal/edit", "internal/format", "internal/identity", "internal/mcp", "internal/secret", "internal/shape", "internal/syntax"},
	"internal/mention":                {"internal/ascii", "internal/format", "internal/mcp", "internal/shape", "internal/syntax"},
	"internal/sameness":               {"internal/identity", "internal/secret"},
	"internal/made":                   {"internal/compare", "internal/edit", "internal/identity", "internal/mcp", "internal/rule", "internal/version", "internal/wording"},
	"internal/effect":                 {"internal/ascii", "internal/identity", "internal/mcp", "internal/shell"},
	"internal/consent":                {"internal/compare", "internal/mcp", "internal/reads", "internal/rule"},
	"internal/localpath":              {"internal/ascii", "internal/compare", "internal/identity", "internal/mcp", "internal/shell"},
}

// TestImportsPointDown holds that packages import what the layers say.
func TestImportsPointDown(t *testing.T) {
	imports := imports(t)
	for name, files := range imports {
		below, known := layers[name]
		used := map[string]bool{}
		for file, imported := range files {
			for _, path := range imported {
				inner, ours := strings.CutPrefix(path, module)
				if !ours {
					continue
				}
				require.True(t, known, "%s is not in the list of layers", name)
				require.Contains(t, below, inner, "%s must not import it", file)
				used[inner] = true
			}
		}
		for _, unused := range below {
			require.True(t, used[unused], "%s does not import %s: take it out of the layers", name, unused)
		}
	}
	for name := range layers {
		require.Contains(t, imports, name, "a layer has no package")
	}
}

// TestArchitectureNamesEveryPackage holds the page for newcomers to the packages
// that there are.
func TestArchitectureNamesEveryPackage(t *testing.T) {
	page, err := os.ReadFile("../docs/architecture.md")
	require.NoError(t, err)
	for name := range layers {
		require.True(t, strings.Contains(string(page), "`"+name+"`"), "docs/architecture.md does not say what %s is", name)
	}
}

// TestWhoTouchesTheSystem checks which packages touch the disk, start programs, or reach
// the network. All others work on what is passed to them, so they run on any tree, of a
// revision or in memory, and are tested there.
func TestWhoTouchesTheSystem(t *testing.T) {
	may := map[string][]string{
		"cmd/mcplumb":               {"os", "os/signal", "syscall"},
		"cmd/mcplumb-wasm":          {"syscall/js"},
		"internal/cli":              {"os", "os/exec"},
		"internal/app/organization": {"os"},
		"internal/app/vetting":      {"os"},
		"internal/workspace":        {"os", "os/exec"},
		"internal/source":           {"os", "os/exec", "syscall", "golang.org/x/sys/unix"},
		"internal/github":           {"net/http"},
		"internal/registry":         {"net", "net/http"},
		"internal/serve":            {"net", "net/http"},
		"internal/generate":         {"os"}, // a tool of the project, not a part of the program
		"internal/linttest":         {"os"}, // nor is this: tests alone import it
		"packaging":                 {"os"}, // this neither
	}
	for name, files := range imports(t) {
		for file, imported := range files {
			for _, path := range imported {
				root, _, _ := strings.Cut(path, "/")
				touches := root == "os" || root == "syscall" || strings.HasPrefix(path, "golang.org/x/sys/") || path == "net" || strings.HasPrefix(path, "net/http") || path == "plugin" || path == "io/ioutil"
				require.True(t, !touches || slices.Contains(may[name], path), "%s must not import %s", file, path)
			}
		}
	}
}

// TestOneOrderOfVersions holds that one package alone knows in which order the versions
// of an ecosystem are: elsewhere a second answer would drift away from it.
func TestOneOrderOfVersions(t *testing.T) {
	for name, files := range imports(t) {
		for file, imported := range files {
			require.True(t, name == "internal/version" || !slices.Contains(imported, "deps.dev/util/semver"), "%s must not import it", file)
		}
	}
}

// TestFlagsInCLIAlone holds that the command line alone knows flags: what a command does is
// there for an editor server, too.
func TestFlagsInCLIAlone(t *testing.T) {
	may := []string{"internal/cli", "internal/generate"} // which writes man pages
	for name, files := range imports(t) {
		for file, imported := range files {
			for _, path := range imported {
				require.True(t, !strings.HasPrefix(path, "github.com/spf13/") || slices.Contains(may, name), "%s must not import %s", file, path)
			}
		}
	}
}

// imports returns what every file that is not a test imports, by package and
// file. It opens the files itself, so that go test's cache knows what the result
// depends on: a listing by another program would stay cached after the next change.
func imports(t *testing.T) map[string]map[string][]string {
	t.Helper()
	found := map[string]map[string][]string{}
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		slashed := strings.TrimPrefix(filepath.ToSlash(path), "../")
		if entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == ".git" || slashed == "test") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		name := filepath.ToSlash(filepath.Dir(slashed))
		if found[name] == nil {
			found[name] = map[string][]string{}
		}
		found[name][slashed], err = importsOf(path)
		return err
	})
	require.NoError(t, err)
	return found
}

// importsOf returns what a Go file imports.
func importsOf(path string) ([]string, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, spec := range parsed.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		paths = append(paths, imported)
	}
	return paths, nil
}
