package format

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// dockerCatalog are the catalogs from which Docker's MCP gateway starts servers: images that it
// runs, and remotes that it connects to (docker/mcp-gateway pkg/catalog/types.go). Anyone may
// choose their names; those in repositories are called docker-mcp.yaml, catalog.yaml or
// something-catalog.yaml.
var dockerCatalog = &shape.Format{
	Name: "docker-catalog", Scope: mcp.ScopeRegistry,
	Paths: []string{
		"docker-mcp.yaml", "docker-mcp.yml", "catalog.yaml", "catalog.yml", "*-catalog.yaml", "*-catalog.yml",
		"catalogs/*.yaml", "catalogs/*.yml",
	},
	Keys: []string{"registry"}, Marks: []string{}, Roots: []string{},
	Parse: (*syntax.Parser).YAML, Read: readDockerCatalog,
}

// readDockerCatalog reads the entries that run something. Catalogs of many other things also have
// a registry; only in a catalog of servers does an entry have members that only servers have.
func readDockerCatalog(in *shape.Input) *mcp.Document {
	registry := in.Tree.Root.Get("registry")
	if registry == nil || registry.Kind != syntax.Object || !slices.ContainsFunc(shape.Members(registry), isCatalogServer) {
		return nil
	}
	doc := in.Document()
	doc.RootKey, doc.Root = "registry", registry.Key
	for _, entry := range shape.Members(registry) {
		if launch, ok := catalogLaunch(entry); ok {
			doc.Servers = append(doc.Servers, &mcp.Server{
				Name: entry.Name, NameSpan: entry.Key, Span: entry.Value, Launch: launch, Shared: shape.IsShared(entry),
				Type: shape.Word(entry.At("remote", "transport_type")),
			})
		}
	}
	if len(doc.Servers) == 0 {
		return nil
	}
	for _, d := range in.Tree.Duplicates {
		if registry.Value.Contains(d.Object) {
			doc.Duplicates = append(doc.Duplicates, mcp.Repeat{Name: d.Again.Name, First: d.First.Key, Again: d.Again.Key})
		}
	}
	return doc
}

// isCatalogServer reports whether an entry is a server and nothing else that has
// an image or an address.
func isCatalogServer(entry *syntax.Node) bool {
	if kind := entry.Get("type"); kind.IsString() && slices.Contains([]string{"server", "remote", "poci"}, kind.Text) {
		return true
	}
	for _, name := range []string{"longLived", "allowHosts", "secrets", "sseEndpoint"} {
		if entry.Get(name) != nil {
			return true
		}
	}
	remote := entry.Get("remote")
	return remote != nil && remote.Kind == syntax.Object
}

// catalogLaunch returns how the gateway starts an entry: it connects to a remote, or it runs an
// image as docker run does, with the implied words at the place of the image.
func catalogLaunch(entry *syntax.Node) (identity.Launch, bool) {
	remote := entry.Get("remote")
	for _, url := range []*syntax.Node{remote.Get("url"), entry.Get("sseEndpoint")} { // the second is its old name
		if shape.IsFilled(url) {
			launch := identity.Launch{URL: shape.Literal(url), Headers: pairs(remote.Get("headers"))}
			launch.Transport = shape.TransportOf(shape.Word(remote.Get("transport_type")).Text)
			return launch, true
		}
	}
	image := entry.Get("image")
	if !shape.IsFilled(image) {
		return identity.Launch{}, false
	}
	unwritten := func(text string) identity.Word { return identity.Word{Text: text, Span: image.Value} }
	launch := identity.Launch{Command: unwritten("docker"), Args: []identity.Word{unwritten("run"), unwritten("-i"), unwritten("--rm")}, Transport: "stdio"}
	for _, volume := range shape.Words(entry.Get("volumes")) {
		launch.Args = append(launch.Args, unwritten("-v"), volume)
	}
	launch.Args = append(append(launch.Args, shape.Literal(image)), shape.Words(entry.Get("command"))...)
	for _, variable := range elements(entry.Get("env")) {
		if name := variable.Get("name"); shape.IsFilled(name) {
			launch.Env = append(launch.Env, identity.Pair{Name: shape.Word(name), Value: shape.Word(variable.Get("value"))})
		}
	}
	for _, secret := range elements(entry.Get("secrets")) {
		if name := secret.Get("env"); shape.IsFilled(name) {
			launch.PassEnv = append(launch.PassEnv, shape.Word(name))
		}
	}
	return launch, true
}

// pairs returns the members of an object whose values are texts.
func pairs(object *syntax.Node) []identity.Pair {
	var list []identity.Pair
	for _, m := range shape.Members(object) {
		if m.IsString() {
			list = append(list, identity.Pair{Name: identity.Word{Text: m.Name, Span: m.Key}, Value: shape.Literal(m)})
		}
	}
	return list
}

// elements returns the elements of a list.
func elements(list *syntax.Node) []*syntax.Node {
	if list == nil || list.Kind != syntax.Array {
		return nil
	}
	return list.Nodes
}
