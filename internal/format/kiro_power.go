package format

import (
	"path"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// kiroPower is the file that makes a directory a power of Kiro, and the file of servers next to
// it (kiro.dev/docs/powers).
var kiroPower = &shape.Format{
	Name: "kiro-power", Scope: mcp.ScopePlugin, Paths: []string{"POWER.md"},
	Keys: []string{"displayName", "mcpServers"}, Marks: []string{`"mcpServers"`, "mcpServers:"},
	Markdown: true, Parse: parsePower, Read: readPower,
}

func parsePower(p *syntax.Parser, f *syntax.File) (*syntax.Tree, error) {
	if isMarkdown(f.Path) {
		return p.FrontMatter(f)
	}
	return p.JSON(f)
}

func isMarkdown(file string) bool { return strings.EqualFold(path.Ext(file), ".md") }

// readPower reads the servers of a power, or the front matter of its page, which has the servers
// in a file next to it. Other texts about power have no displayName.
func readPower(in *shape.Input) *mcp.Document {
	if !isMarkdown(in.File.Path) {
		return shape.ReadServers(in)
	}
	if in.Tree.Root.Get("displayName") == nil {
		return nil
	}
	doc := in.Document()
	doc.Links = []mcp.Link{{Path: joinDir(in.Match.Dir, "mcp.json")}}
	return doc
}
