package format

import (
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// standard returns a format of the shape that most clients share: a JSON file
// of its own with the servers as a map under one root key. What differs from
// client to client is in the table of clients.
func standard(name string, scope mcp.Scope, paths ...string) *Format {
	return &Format{Name: name, Scope: scope, Paths: paths, Dedicated: true, Parse: syntax.ParseJSON, Read: readServers}
}

// air is JetBrains Air's file in a project (jetbrains.com/help/air).
func air() *Format { return standard("air", mcp.ScopeProject, ".air/mcp.json") }

// amazonQ are Amazon Q Developer's files in a project: the old one, and that of
// its plugins for editors (amazon-q-developer-cli docs/agent-format.md).
func amazonQ() *Format {
	return standard("amazon-q", mcp.ScopeProject, ".amazonq/mcp.json", ".amazonq/default.json")
}

// antigravity are the places where repositories keep Antigravity's servers, and
// where dotfiles keep those of its home directory.
func antigravity() *Format {
	return standard("antigravity", mcp.ScopeProject,
		".agents/mcp_config.json", ".agent/mcp_config.json", ".antigravity/mcp_config.json",
		".antigravitycli/mcp_config.json", ".gemini/antigravity/mcp_config.json", ".gemini/config/mcp_config.json",
		".gemini/mcp_config.json")
}

// cline is Cline's file, which it keeps in its home and repositories as a copy.
func cline() *Format {
	return standard("cline", mcp.ScopeUser, "cline_mcp_settings.json", ".cline/mcp.json", ".cline/mcp_settings.json")
}

// factory is Factory Droid's file in a project; .factory/plugins.json is
// something else.
func factory() *Format { return standard("factory", mcp.ScopeProject, ".factory/mcp.json") }

// firebaseStudio is Firebase Studio's file in a project.
func firebaseStudio() *Format { return standard("firebase-studio", mcp.ScopeProject, ".idx/mcp.json") }

// junie is Junie's file in a project.
func junie() *Format {
	return standard("junie", mcp.ScopeProject, ".junie/mcp/mcp.json", ".junie/mcp/.mcp.json")
}

// kiloLegacy is the file of Kilo Code before it took over opencode's shape.
func kiloLegacy() *Format { return standard("kilo-legacy", mcp.ScopeProject, ".kilocode/mcp.json") }

// kimi is Kimi Code's file in a project.
func kimi() *Format {
	return standard("kimi", mcp.ScopeProject, ".kimi-code/mcp.json", ".kimi/mcp.json")
}

// lmStudio is LM Studio's file of a home directory, as dotfiles hold it.
func lmStudio() *Format { return standard("lm-studio", mcp.ScopeUser, ".lmstudio/mcp.json") }

// mastra is Mastra Code's file in a project.
func mastra() *Format { return standard("mastra", mcp.ScopeProject, ".mastracode/mcp.json") }

// pi is Pi's file in a project.
func pi() *Format { return standard("pi", mcp.ScopeProject, ".pi/mcp.json") }

// qoder is Qoder's file of a home directory, as dotfiles hold it.
func qoder() *Format { return standard("qoder", mcp.ScopeUser, "SharedClientCache/mcp.json") }

// trae is Trae's file in a project.
func trae() *Format { return standard("trae", mcp.ScopeProject, ".trae/mcp.json") }

// warp is Warp's file in a project.
func warp() *Format { return standard("warp", mcp.ScopeProject, ".warp/.mcp.json") }

// generator are the files from which ruler, rulesync, agentsmesh and the like
// write those of the clients: the place to mend what is wrong in all of them.
func generator() *Format {
	return standard("generator", mcp.ScopeGenerator,
		".ruler/mcp.json", ".rulesync/mcp.json", ".rulesync/.mcp.json", ".agentsmesh/mcp.json", ".ai/mcp/mcp.json")
}
