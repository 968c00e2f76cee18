package format

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// opencodeAgent are agents of opencode, with the tools that they may use
// (opencode.ai/docs/agents). It looks for {agent,agents}/**/*.md (its config/agent.ts, 2026-09).
var opencodeAgent = &shape.Format{
	Name: "opencode-agent", Scope: mcp.ScopeSettings,
	Paths: []string{".opencode/agent/**/*.md", ".opencode/agents/**/*.md"},
	Home:  []string{".config/opencode/agent/**/*.md", ".config/opencode/agents/**/*.md"},
	Keys:  []string{"tools", "permission"}, Marks: []string{}, Roots: []string{},
	Markdown: true, Parse: (*syntax.Parser).FrontMatter, Read: readOpencodeAgent,
}

// readOpencodeAgent reads the servers whose tools an agent names. They are configured elsewhere:
// the format cannot tell which part of "git_hub_search" is the server's name.
func readOpencodeAgent(in *shape.Input) *mcp.Document {
	doc := in.Document()
	for _, n := range toolRules(in.Tree.Root) {
		name, isAll := serverPattern(n.Name)
		if !isAll {
			name, isAll = strings.CutSuffix(n.Name, "_*")
		}
		refs := in.NameIn(n.Key, n.Name, 0, len(name))
		switch {
		case !isAll:
			refs = mayName(n)
		case refs == nil && name != "":
			refs = []mcp.Reference{{Name: name, Span: behind(n)}} // written with escapes
		}
		doc.References = append(doc.References, refs...)
	}
	if len(doc.References) == 0 {
		return nil
	}
	return doc
}

// mayName returns the servers to one of which the tool in a member's name may belong.
func mayName(n *syntax.Node) []mcp.Reference {
	var refs []mcp.Reference
	if len(n.Name) > shape.MaxToolName {
		return nil
	}
	for end := 1; end < len(n.Name)-1; end++ {
		if n.Name[end] == '_' {
			refs = append(refs, mcp.Reference{Name: n.Name[:end], Span: behind(n)})
		}
	}
	return refs
}

// behind returns the place after a member's key. It is the span of a name that is not in the file
// in that spelling, so that no fix writes another name over it.
func behind(n *syntax.Node) syntax.Span { return syntax.Span{Start: n.Key.End, End: n.Key.End} }
