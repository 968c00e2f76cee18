package format

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// compose are Compose files with Docker's MCP gateway among the services
// (docker/mcp-gateway examples).
var compose = &shape.Format{
	Name: "compose", Scope: mcp.ScopeGeneric,
	Paths: []string{
		"compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml",
		"compose.*.yaml", "compose.*.yml", "docker-compose.*.yaml", "docker-compose.*.yml",
	},
	Keys: []string{gatewayImage}, Marks: []string{}, Roots: []string{},
	Parse: (*syntax.Parser).YAML, Read: readCompose,
}

const gatewayImage = "docker/mcp-gateway"

// readCompose reads every gateway as a server: it is one endpoint for the servers that its
// catalog names.
func readCompose(in *shape.Input) *mcp.Document {
	services := in.Tree.Root.Get("services")
	if services == nil {
		return nil
	}
	doc := in.Document()
	for _, service := range services.Nodes {
		if launch, ok := gatewayLaunch(service); ok {
			doc.Servers = append(doc.Servers, &mcp.Server{
				Name: service.Name, NameSpan: service.Key, Span: service.Value, Launch: launch, Shared: shape.IsShared(service),
			})
		}
	}
	if len(doc.Servers) == 0 {
		return nil
	}
	doc.RootKey, doc.Root = "services", services.Key
	return doc
}

// gatewayLaunch returns the command line that is equivalent to a gateway's service: docker mcp
// gateway run with the same options.
func gatewayLaunch(service *syntax.Node) (identity.Launch, bool) {
	image, command := service.Get("image"), service.Get("command")
	if !image.IsString() || !isGateway(image.Text) || command == nil || command.Kind != syntax.Array {
		return identity.Launch{}, false
	}
	launch := identity.Launch{Command: identity.Word{Text: "docker", Span: image.Value}}
	for _, text := range []string{"mcp", "gateway", "run"} {
		launch.Args = append(launch.Args, identity.Word{Text: text, Span: image.Value})
	}
	named := false
	for _, n := range command.Nodes {
		if shape.IsScalar(n) {
			launch.Args = append(launch.Args, shape.Literal(n))
			named = named || strings.HasPrefix(n.Text, "--servers")
		}
	}
	return launch, named
}

// isGateway reports whether an image is the gateway's, of any version.
func isGateway(image string) bool {
	image = strings.TrimPrefix(image, "docker.io/")
	return image == gatewayImage || strings.HasPrefix(image, gatewayImage+":") || strings.HasPrefix(image, gatewayImage+"@")
}
