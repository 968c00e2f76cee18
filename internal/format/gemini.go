package format

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/shell"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// gemini are Gemini CLI's settings of a project.
var gemini = &shape.Format{
	Name:  "gemini",
	Scope: mcp.ScopeProject,
	Paths: []string{".gemini/settings.json"},
	Keys:  append(shape.KnownRoots(), "allowMCPServers", "excludeMCPServers", "discoveryCommand", "callCommand", "toolDiscoveryCommand", "toolCallCommand"),
	Roots: geminiRoots(),
	Parse: (*syntax.Parser).JSON,
	Read:  readGemini,
}

// geminiRoots are the known root keys without mcp, which holds rules about
// servers here.
func geminiRoots() []string {
	return slices.DeleteFunc(shape.KnownRoots(), func(key string) bool { return key == "mcp" || key == "mcp.servers" })
}

func readGemini(in *shape.Input) *mcp.Document {
	doc := shape.ReadServers(in)
	if doc == nil {
		doc = in.Document()
		doc.Scope = mcp.ScopeSettings
	}
	client := in.Clients()[0]
	top := in.Tree.Root
	if servers := commandServers(top); len(servers) > 0 {
		doc.Servers, doc.Scope = append(doc.Servers, servers...), in.Document().Scope
		doc.RootKey = cmp.Or(doc.RootKey, "mcpServers") // the client also reads this key
	}
	doc.Unparsed = toolCommands(top)
	// The keys in capitals are those of settings before their version 2.
	allowed := append(shape.Names(top.At("mcp", "allowed")), shape.Names(top.Get("allowMCPServers"))...)
	excluded := append(shape.Names(top.At("mcp", "excluded")), shape.Names(top.Get("excludeMCPServers"))...)
	doc.Switches = append(shape.Switches(client, allowed, true), shape.Switches(client, excluded, false)...)
	doc.References = append(allowed, excluded...)
	if len(doc.Servers) == 0 && len(doc.References) == 0 && len(doc.Unparsed) == 0 {
		return nil
	}
	return doc
}

// commandServers returns the server that Gemini CLI and Qwen Code call "mcp": the line that
// mcp.serverCommand holds, or mcpServerCommand before version 2 of the settings, split as a shell
// does (google-gemini/gemini-cli, packages/core/src/tools/mcp-client.ts, populateMcpServerCommand).
func commandServers(top *syntax.Node) []*mcp.Server {
	var servers []*mcp.Server
	for _, n := range []*syntax.Node{top.At("mcp", "serverCommand"), top.Get("mcpServerCommand")} {
		line := shape.Word(n)
		if strings.TrimSpace(line.Text) == "" {
			continue
		}
		launch := identity.Launch{Command: line}
		if commands, ok := shell.NewLine(shell.Posix, line).Commands(); ok && len(commands) == 1 && len(commands[0].Words) > 0 {
			launch = identity.Launch{Command: commands[0].Words[0], Args: commands[0].Words[1:]}
		}
		servers = append(servers, &mcp.Server{Name: "mcp", NameSpan: n.Key, Span: n.Value, Launch: launch, Shared: true}) // no entry that could be written anew
	}
	return servers
}

// toolCommands returns the commands that Gemini CLI and Qwen Code run for tools other than those
// of servers: the first lists the tools, the second calls one (google-gemini/gemini-cli,
// packages/core/src/tools/tool-registry.ts). The second names are those before version 2 of the
// settings.
func toolCommands(top *syntax.Node) []mcp.Unparsed {
	var all []mcp.Unparsed
	for _, n := range []*syntax.Node{top.At("tools", "discoveryCommand"), top.Get("toolDiscoveryCommand"), top.At("tools", "callCommand"), top.Get("toolCallCommand")} {
		if strings.TrimSpace(shape.Word(n).Text) != "" {
			all = append(all, mcp.Unparsed{What: "the output of the command in " + strconv.Quote(n.Name), At: n.Value})
		}
	}
	return all
}
