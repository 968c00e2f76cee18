package format

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// kubernetes are manifests and Helm values: a configuration file that a ConfigMap, or
// values for one, hold as text (mcpo, LibreChat, LiteLLM), and the resources from which
// an operator starts servers. Those are ToolHive's (stacklok/toolhive
// cmd/thv-operator/api/v1beta1 at e25de16, August 2026) and kagent's (kagent-dev/kagent
// go/api/v1alpha2, kagent-dev/kmcp api/v1alpha1, August 2026). A template of Helm is
// mostly no YAML and then passed over.
var kubernetes = &shape.Format{
	Name: "kubernetes", Scope: mcp.ScopeGeneric,
	Paths: slices.Concat(
		[]string{
			"configmap.yaml", "configmap.yml", "cm.yaml", "*-cm.yaml",
			"values.yaml", "values.yml", "values-*.yaml", "values.*.yaml", "*-values.yaml", "*.values.yaml",
		},
		withWord("configmap", ".yaml", ".yml"), withWord("config-map", ".yaml", ".yml"),
		// Not every name with the word: that of mcplumb's own settings has it.
		[]string{"mcp*.yaml", "mcp*.yml", "*mcp.yaml", "*mcp.yml", "*-mcp*.yaml", "*-mcp*.yml", "*_mcp*.yaml", "*_mcp*.yml"},
		withWord("mcpserver", ".yaml", ".yml"),
	),
	Keys: []string{"mcpServers", "mcp_servers", kindMCPServer, "MCPRemoteProxy"}, Marks: []string{},
	Roots:    []string{"mcpServers", "mcp_servers"},
	ReadOnly: true,
	Parse:    shape.ProbedYAML, Read: readKubernetes,
}

// withWord returns the patterns of files that have a word in their names, and more.
func withWord(word string, extensions ...string) []string {
	var paths []string
	for _, ext := range extensions {
		paths = append(paths, word+"*"+ext, "*"+word+ext, "*"+word+"*"+ext)
	}
	return paths
}

// kindMCPServer is the kind of a server that an operator starts, in the words of more
// than one of them.
const kindMCPServer = "MCPServer"

// readKubernetes reads the files in a manifest, and the servers that its resources are.
func readKubernetes(in *shape.Input) *mcp.Document {
	doc := in.Document()
	for _, file := range in.Embedded() {
		if doc.RootKey == "" {
			doc.RootKey, doc.Root = file.RootKey, file.Root
		}
		doc.Servers = append(doc.Servers, file.Servers...)
		doc.Duplicates = append(doc.Duplicates, file.Duplicates...)
	}
	for _, top := range append([]*syntax.Node{in.Tree.Root}, in.Tree.Rest...) {
		if s := resourceServer(top); s != nil {
			doc.Servers = append(doc.Servers, s)
		}
	}
	if len(doc.Servers) == 0 {
		return nil
	}
	doc.Embedded, doc.Extensions = true, mcp.JSONExtensions{}
	return doc
}

// resourceServer returns the server that a resource is, nil for any other.
func resourceServer(top *syntax.Node) *mcp.Server {
	version, kind, spec := shape.Word(top.Get("apiVersion")).Text, shape.Word(top.Get("kind")).Text, top.Get("spec")
	name := top.At("metadata", "name")
	if spec == nil || !name.IsString() {
		return nil
	}
	var launch identity.Launch
	switch group, _, _ := strings.Cut(version, "/"); {
	case group == "toolhive.stacklok.dev" && kind == kindMCPServer:
		launch = containerLaunch(spec.Get("image"), nil, spec.Get("args"))
		launch.Env = listedPairs(spec.Get("env"))
	case group == "toolhive.stacklok.dev" && (kind == "MCPRemoteProxy" || kind == "MCPServerEntry"):
		launch = addressLaunch(shape.Member(spec, []string{"remoteUrl", "remoteURL"}), spec.Get("transport"))
		launch.Headers = pairs(spec.At("headerForward", "addPlaintextHeaders"))
	case group == "kagent.dev" && kind == kindMCPServer:
		deployment := spec.Get("deployment")
		if deployment == nil {
			return nil
		}
		launch = containerLaunch(deployment.Get("image"), deployment.Get("cmd"), deployment.Get("args"))
		launch.Env = pairs(deployment.Get("env"))
	case group == "kagent.dev" && kind == "RemoteMCPServer":
		launch = addressLaunch(spec.Get("url"), spec.Get("protocol"))
		launch.Headers = listedPairs(spec.Get("headersFrom"))
	}
	if launch.Command.Text == "" && launch.URL.Text == "" {
		return nil
	}
	return &mcp.Server{Name: name.Text, NameSpan: name.Value, Span: spec.Value, Launch: launch, Shared: shape.IsShared(spec)}
}

// containerLaunch returns the command line that is equivalent to a container, or only that of the
// program if the operator has an image of its own for it.
func containerLaunch(image, command, args *syntax.Node) identity.Launch {
	launch := identity.Launch{Command: shape.Word(command), Transport: "stdio"}
	if image.IsString() {
		at := image.Value
		launch.Command = identity.Word{Text: "docker", Span: at}
		launch.Args = []identity.Word{{Text: "run", Span: at}, shape.Word(image)}
		if command.IsString() {
			launch.Args = append(launch.Args, shape.Word(command))
		}
	}
	launch.Args = append(launch.Args, shape.Scalars(args)...)
	return launch
}

// addressLaunch returns a launch that connects to an address.
func addressLaunch(url, transport *syntax.Node) identity.Launch {
	launch := identity.Launch{URL: shape.Word(url)}
	switch strings.ToUpper(shape.Word(transport).Text) {
	case "SSE":
		launch.Transport = "sse"
	case "STREAMABLE-HTTP", "STREAMABLE_HTTP":
		launch.Transport = "http"
	}
	return launch
}

// listedPairs returns the pairs of a list whose elements have a name and a value.
func listedPairs(list *syntax.Node) []identity.Pair {
	if list == nil || list.Kind != syntax.Array {
		return nil
	}
	var found []identity.Pair
	for _, n := range list.Nodes {
		if name, value := n.Get("name"), n.Get("value"); name.IsString() && value != nil && shape.IsScalar(value) {
			found = append(found, identity.Pair{Name: shape.Word(name), Value: shape.Literal(value)})
		}
	}
	return found
}
