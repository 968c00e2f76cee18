// Package format knows where MCP configuration lives and how each kind of file
// becomes an mcp.Document. A format is data and one pure function. Those that
// share both function and shape with others are rows of one table (plain.go);
// every other has a file of its own, called like it. All lists them.
package format

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/shape"
)

// All returns every format, sorted by name. Do not change them: there is one of
// each, so that formats may be compared by their pointers.
func All() []*shape.Format { return slices.Clone(all) }

var all = slices.SortedFunc(slices.Values(slices.Concat(plain, special)), func(a, b *shape.Format) int {
	return strings.Compare(a.Name, b.Name)
})

// special are the formats that have a file of their own, next to the plain ones.
var special = []*shape.Format{
	agenticWorkflow,
	amazonQAgent,
	antigravityPlugin,
	apm,
	apmLock,
	ccpkgArchive,
	ccpkgLock,
	ccpkgManifest,
	ccpkgTemplate,
	claudeAgent,
	claudeCode,
	claudeCommand,
	claudeMarketplace,
	claudePlugin,
	claudeSettings,
	codexPlugin,
	compose,
	copilotAgent,
	crush,
	cursorPlugin,
	devcontainer,
	dockerAgent,
	dockerCatalog,
	gemini,
	geminiExtension,
	generic,
	genericTOML,
	genericYAML,
	goose,
	gooseRecipe,
	holodeck,
	holodeckConfig,
	iflow,
	kilo,
	kiroAgent,
	kiroPower,
	kubernetes,
	librechat,
	mcpSettings,
	mcpTap,
	mcpb,
	mcplumbLock,
	nix,
	gitModules,
	crushRC,
	opencode,
	opencodeAgent,
	openhands,
	pml,
	pmlLock,
	promptRegistry,
	promptRegistryLock,
	promptRegistryTracking,
	qwen,
	qwenExtension,
	serverJSON,
	springAI,
	toolpinLock,
	visualStudio,
	vscode,
	vscodePrompt,
	vscodeSettings,
	vscodeWorkspace,
	zed,
}
