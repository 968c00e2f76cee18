package mcp

import (
	"path"
	"strings"
)

// PublishedCommand returns the words by which a client starts a package that a server.json names,
// the package last. kind is its registryType. It returns nil for one that no launcher starts, such
// as mcpb, which is a file to download. Source: the schema of server.json, 2025-12-11.
func PublishedCommand(kind, identifier, version string) []string {
	between := "@"
	var words []string
	switch kind {
	case "npm":
		words = []string{"npx", "-y"}
	case "pypi":
		words, between = []string{"uvx"}, "=="
	case "nuget":
		words = []string{"dnx", "--yes"}
	case "oci", "docker":
		words, between = []string{"docker", "run", "-i", "--rm"}, ":"
		if strings.ContainsAny(path.Base(identifier), ":@") {
			version = "" // since 2025-10 the identifier has the tag or digest
		}
	default:
		return nil
	}
	if version != "" {
		identifier += between + version
	}
	return append(words, identifier)
}
