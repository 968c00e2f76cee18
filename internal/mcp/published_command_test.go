package mcp_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// TestPublishedCommand: a version follows the name as its launcher wants it, and an image that has a
// tag or digest keeps that.
func TestPublishedCommand(t *testing.T) {
	for _, tt := range []struct{ kind, identifier, version, want string }{
		{"npm", "@acme/notes", "1.2.0", "npx -y @acme/notes@1.2.0"},
		{"npm", "@acme/notes", "", "npx -y @acme/notes"},
		{"pypi", "acme-notes", "1.2.0", "uvx acme-notes==1.2.0"},
		{"nuget", "Acme.Notes", "1.2.0", "dnx --yes Acme.Notes@1.2.0"},
		{"oci", "localhost:5000/acme/notes", "1.2.0", "docker run -i --rm localhost:5000/acme/notes:1.2.0"},
		{"oci", "ghcr.io/acme/notes:1.2.0", "1.2.0", "docker run -i --rm ghcr.io/acme/notes:1.2.0"},
		{"docker", "acme/notes@sha256:0f", "1.2.0", "docker run -i --rm acme/notes@sha256:0f"},
		{"mcpb", "https://acme.dev/notes.mcpb", "1.2.0", ""},
	} {
		assert.Equal(t, tt.want, strings.Join(mcp.PublishedCommand(tt.kind, tt.identifier, tt.version), " "), tt.identifier)
	}
}
