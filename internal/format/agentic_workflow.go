package format

import (
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// agenticWorkflow are GitHub's agentic workflows, from which gh-aw generates
// those that run.
var agenticWorkflow = &shape.Format{
	Name: "agentic-workflow", Scope: mcp.ScopeAgent,
	Paths: []string{".github/workflows/*.md", ".github/workflows/shared/*.md", ".github/workflows/shared/mcp/*.md"},
	Keys:  []string{"mcp-servers"}, Marks: []string{"mcp-servers:"}, Roots: []string{},
	Skip:     runsInContainer,
	Markdown: true, Parse: (*syntax.Parser).FrontMatter, Read: readWorkflow,
}

// runsInContainer reports whether an entry is a server in a container, in gh-aw's own syntax.
func runsInContainer(entry *syntax.Node) bool {
	return entry.Get("container").IsString() && entry.Get("command") == nil
}

// readWorkflow reads a server in a container as the command that gh-aw runs for it: docker run,
// with args before the image and entrypointArgs after it.
func readWorkflow(in *shape.Input) *mcp.Document {
	servers := in.Tree.Root.Get("mcp-servers")
	if servers == nil || servers.Kind != syntax.Object {
		return nil
	}
	doc := in.Rooted(&shape.Root{Key: servers.Name, Nodes: []*syntax.Node{in.Tree.Root, servers}})
	for _, entry := range servers.Nodes {
		if runsInContainer(entry) {
			doc.Servers = append(doc.Servers, containerServer(entry))
		}
	}
	if len(doc.Servers) == 0 {
		return nil
	}
	return doc
}

func containerServer(entry *syntax.Node) *mcp.Server {
	image := entry.Get("container")
	word := func(text string) identity.Word { return identity.Word{Text: text, Span: image.Value} }
	launch := identity.Launch{Command: word("docker"), Args: []identity.Word{word("run"), word("-i"), word("--rm")}, Transport: "stdio"}
	launch.Args = append(launch.Args, shape.Scalars(entry.Get("args"))...)
	launch.Args = append(launch.Args, shape.Literal(image))
	launch.Args = append(launch.Args, shape.Scalars(entry.Get("entrypointArgs"))...)
	launch.Env = pairs(entry.Get("env"))
	return &mcp.Server{Name: entry.Name, NameSpan: entry.Key, Span: entry.Value, Launch: launch, Shared: shape.IsShared(entry)}
}
