package playground_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/app/playground"
	"github.com/mcplumb/mcplumb/internal/built"
)

// answered is what a page reads of an answer.
type answered struct {
	Error, Text string
	Changed     map[string]string
	Report      struct {
		Findings []struct{ Rule, Path string }
		Tool     struct{ Version string }
	}
	List struct {
		Servers []struct{ Name, Identity string }
	}
	Reads []string
	About struct {
		Version        string
		Clients, Rules []playground.Named
	}
}

func ask(t *testing.T, r *playground.Request) (a answered) {
	t.Helper()
	request, err := json.Marshal(r)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(playground.Respond(t.Context(), request), &a))
	return a
}

const (
	remote  = `{"mcpServers": {"wiki": {"type": "http", "url": "https://wiki.acme.dev/mcp"}}}` + "\n"
	bridged = `{"mcpServers": {"wiki": {"command": "npx", "args": ["-y", "mcp-remote@0.1.38", "https://wiki.acme.dev/mcp"]}}}` + "\n"
)

func TestCheckListsWhatItFindsAndTheServers(t *testing.T) {
	a := ask(t, &playground.Request{Do: "check", Files: map[string]string{".mcp.json": bridged, ".cursor/mcp.json": remote}})
	require.Empty(t, a.Error)
	require.Equal(t, "bridged-remote", a.Report.Findings[0].Rule)
	require.Len(t, a.List.Servers, 2)
	require.Equal(t, a.List.Servers[0].Identity, a.List.Servers[1].Identity)
	require.Equal(t, built.Version, a.Report.Tool.Version)
}

func TestCheckComparesWithABase(t *testing.T) {
	files := map[string]string{".mcp.json": remote}
	require.Empty(t, ask(t, &playground.Request{Do: "check", Files: files, Base: files}).Report.Findings)
	a := ask(t, &playground.Request{Do: "check", Files: files, Base: map[string]string{}})
	require.Equal(t, "new-server", a.Report.Findings[0].Rule)
}

func TestCheckGoesByTheSettingsAmongTheFiles(t *testing.T) {
	files := map[string]string{".mcp.json": bridged, ".mcplumb.yaml": "rules: {bridged-remote: off}\n"}
	require.Empty(t, ask(t, &playground.Request{Do: "check", Files: files}).Report.Findings)
	files[".mcplumb.yaml"] = "rules: 3\n"
	a := ask(t, &playground.Request{Do: "check", Files: files})
	require.Contains(t, a.Error, ".mcplumb.yaml:1:8: rules must be a mapping")
	require.Len(t, a.Report.Findings, 1, "it goes on without settings")
}

func TestFixReturnsFilesAsTheyAreToBe(t *testing.T) {
	files := map[string]string{".mcp.json": bridged}
	require.Empty(t, ask(t, &playground.Request{Do: "fix", Files: files}).Changed, "the fix is unsafe")
	a := ask(t, &playground.Request{Do: "fix", Files: files, Unsafe: true})
	require.JSONEq(t, remote, a.Changed[".mcp.json"])
	require.Contains(t, a.Text, "[bridged-remote]")
}

func TestSyncWritesForAnotherClient(t *testing.T) {
	files := map[string]string{".mcp.json": remote}
	a := ask(t, &playground.Request{Do: "sync", Files: files, From: ".mcp.json", To: "vscode"})
	require.JSONEq(t, `{"servers": {"wiki": {"type": "http", "url": "https://wiki.acme.dev/mcp"}}}`, a.Changed[".vscode/mcp.json"])
}

func TestReadsTellsConfigurationFromOtherFiles(t *testing.T) {
	files := map[string]string{".mcp.json": "", "src/main.go": "", "web/.cursor/mcp.json": "", "README.md": "", ".mcplumb.yaml": ""}
	require.Subset(t, ask(t, &playground.Request{Do: "reads", Files: files}).Reads, []string{".mcp.json", "web/.cursor/mcp.json"})
	require.NotContains(t, ask(t, &playground.Request{Do: "reads", Files: files}).Reads, "src/main.go")
}

func TestAboutNamesVersionClientsAndRules(t *testing.T) {
	a := ask(t, &playground.Request{Do: "about"}).About
	require.Regexp(t, `^mcplumb \d+\.\d+\.\d+( \(commit .*\))?$`, a.Version)
	require.Contains(t, a.Clients, playground.Named{ID: "cursor", Title: "Cursor"})
	require.Contains(t, a.Rules, playground.Named{ID: "alias-drift", Title: "one server has different names"})
}

// TestRespondRefuses checks that no request of a page ends in a panic or in silence.
func TestRespondRefuses(t *testing.T) {
	for _, r := range []*playground.Request{
		{}, {Do: "delete"}, {Do: "sync"}, {Do: "sync", From: "../x", To: "vscode"}, {Do: "sync", From: ".mcp.json", To: "nobody"},
	} {
		require.NotEmpty(t, ask(t, r).Error, "%+v", r)
	}
	var a answered
	require.NoError(t, json.Unmarshal(playground.Respond(t.Context(), []byte("{")), &a))
	require.NotEmpty(t, a.Error)
	require.Empty(t, ask(t, &playground.Request{Do: "check", Files: map[string]string{"../.mcp.json": remote, "/.mcp.json": remote}}).List.Servers)
}
