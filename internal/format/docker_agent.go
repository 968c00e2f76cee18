package format

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// dockerAgent are teams of Docker Agent, which was cagent (docker/cagent
// agent-schema.json at 0d76412, March 2026): each agent has a list of toolsets, some of
// which are servers, and a file may define servers under names (mcps).
var dockerAgent = &shape.Format{
	Name: "docker-agent", Scope: mcp.ScopeAgent,
	Paths: slices.Concat(
		[]string{"cagent.yaml", "cagent.yml", "docker-agent.yaml", "docker-agent.yml"},
		withWord("cagent", ".yaml", ".yml"),
		[]string{"*-agent.yaml", "*_agent.yaml", "agents.yaml", "agents.yml"},
	),
	Keys: []string{"toolsets"}, Marks: []string{}, Roots: []string{},
	ReadOnly: true,
	Parse:    shape.ProbedYAML, Read: readDockerAgent,
}

// readDockerAgent reads the servers of every agent. A server that several agents have is
// one: most name one of Docker's catalog.
func readDockerAgent(in *shape.Input) *mcp.Document {
	agents := in.Tree.Root.Get("agents")
	if agents == nil || agents.Kind != syntax.Object {
		return nil
	}
	doc := in.Document()
	for _, m := range shape.Members(in.Tree.Root.Get("mcps")) {
		if launch, ok := dockerAgentLaunch(m); ok {
			doc.Servers = append(doc.Servers, &mcp.Server{Name: m.Name, NameSpan: m.Key, Span: m.Value, Launch: launch, Shared: shape.IsShared(m)})
		}
	}
	seen := map[string]bool{}
	for _, agent := range agents.Nodes {
		for _, n := range elements(agent.Get("toolsets")) {
			if shape.Word(n.Get("type")).Text != "mcp" {
				continue
			}
			launch, ok := dockerAgentLaunch(n)
			key := cmp.Or(shape.Word(n.Get("ref")).Text, string(in.Bytes(n.Value)))
			if !ok || seen[key] {
				continue
			}
			seen[key] = true
			name := dockerAgentName(agent, n)
			doc.Servers = append(doc.Servers, &mcp.Server{Name: name.Text, NameSpan: name.Span, Span: n.Value, Launch: launch, Shared: shape.IsShared(n)})
		}
	}
	if len(doc.Servers) == 0 {
		return nil
	}
	doc.RootKey, doc.Root, doc.Embedded = "agents", agents.Key, true
	return doc
}

// dockerCatalogPrefix begins a reference to a server of Docker's catalog.
const dockerCatalogPrefix = "docker:"

// dockerAgentLaunch returns the launch of a toolset: a program, an address, or the gateway for a
// server of the catalog.
func dockerAgentLaunch(n *syntax.Node) (identity.Launch, bool) {
	var launch identity.Launch
	ref, remote := n.Get("ref"), n.Get("remote")
	switch {
	case ref.IsString() && strings.HasPrefix(ref.Text, dockerCatalogPrefix):
		launch.Command = identity.Word{Text: "docker", Span: ref.Value}
		for _, text := range []string{"mcp", "gateway", "run", "--servers=" + strings.TrimPrefix(ref.Text, dockerCatalogPrefix)} {
			launch.Args = append(launch.Args, identity.Word{Text: text, Span: ref.Value})
		}
	case shape.IsFilled(n.Get("command")):
		launch.Command, launch.Args = shape.Word(n.Get("command")), shape.Scalars(n.Get("args"))
		launch.Env = pairs(n.Get("env"))
	case remote != nil && shape.IsFilled(remote.Get("url")):
		launch = addressLaunch(remote.Get("url"), remote.Get("transport_type"))
		launch.Headers = pairs(remote.Get("headers"))
	default:
		return launch, false
	}
	return launch, true
}

// dockerAgentName returns the name of a toolset. Without one it is called after the server of the
// catalog, or after its agent and the program.
func dockerAgentName(agent, n *syntax.Node) identity.Word {
	if name := n.Get("name"); shape.IsFilled(name) {
		return shape.Word(name)
	}
	if ref := n.Get("ref"); ref.IsString() {
		return identity.Word{Text: strings.TrimPrefix(ref.Text, dockerCatalogPrefix), Span: ref.Value}
	}
	if command := n.Get("command"); shape.IsFilled(command) {
		return identity.Word{Text: agent.Name + " " + path.Base(command.Text), Span: command.Value}
	}
	return identity.Word{Text: agent.Name + " remote", Span: n.At("remote", "url").Value}
}
