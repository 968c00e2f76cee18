package format

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// gemini are Gemini CLI's settings of a project.
var gemini = &Format{
	Name:  "gemini",
	Scope: mcp.ScopeProject,
	Paths: []string{".gemini/settings.json"},
	Keys:  append(knownRoots(), "allowMCPServers", "excludeMCPServers"),
	Roots: geminiRoots(),
	Parse: (*syntax.Parser).JSON,
	Read:  readGemini,
}

// geminiRoots are the known root keys without mcp, which holds rules about
// servers here.
func geminiRoots() []string {
	return slices.DeleteFunc(knownRoots(), func(key string) bool { return key == "mcp" || key == "mcp.servers" })
}

func readGemini(in *Input) *mcp.Document {
	doc := readServers(in)
	if doc == nil {
		doc = in.document()
		doc.Scope = mcp.ScopeSettings
	}
	client := in.plan.clients[0]
	top := in.Tree.Root
	// The keys in capitals are those of settings before their version 2.
	allowed := append(names(top.At("mcp", "allowed")), names(top.Get("allowMCPServers"))...)
	excluded := append(names(top.At("mcp", "excluded")), names(top.Get("excludeMCPServers"))...)
	doc.Switches = append(switches(client, allowed, true), switches(client, excluded, false)...)
	doc.References = append(allowed, excluded...)
	if len(doc.Servers) == 0 && len(doc.References) == 0 {
		return nil
	}
	return doc
}
