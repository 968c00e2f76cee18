package identity

import (
	"strings"
	"testing"

	"github.com/distribution/reference"
	"github.com/package-url/packageurl-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

func span(start, end int) syntax.Span { return syntax.Span{Start: start, End: end} }

func TestPurl(t *testing.T) {
	tests := []struct{ entry, want string }{
		{`npx @upstash/context7-mcp@1.0.0`, "pkg:npm/%40upstash/context7-mcp@1.0.0"},
		{`npx pkg@latest`, "pkg:npm/pkg"},
		{`npx pkg@v1.0.0`, "pkg:npm/pkg@1.0.0"},
		{`uvx mcp_server==1.0+local`, "pkg:pypi/mcp-server@1.0%2Blocal"},
		{`dnx Azure.Mcp@1.0.0`, "pkg:nuget/azure.mcp@1.0.0"},
		{`go run github.com/O/R/cmd@v1.0.0`, "pkg:golang/github.com/o/r/cmd@v1.0.0"},
		{`docker run ghcr.io/o/r:v1`, "pkg:oci/r?repository_url=ghcr.io%2Fo%2Fr&tag=v1"},
		{`docker run x/y@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef`,
			"pkg:oci/y@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef?repository_url=docker.io%2Fx%2Fy"},
		{`npx github:O/R#main`, "pkg:github/o/r"},
		{`npx github:/`, ""}, // a purl has a name
		{`npx git+https://gitlab.com/o/r`, ""},
		{`node x.js`, ""},
		{`{"url":"https://h.test"}`, ""},
	}
	for _, tt := range tests {
		id := resolve(t, tt.entry)
		assert.Equal(t, tt.want, Purl(id.Identity), tt.entry)
		if tt.want == "" {
			continue
		}
		p, err := packageurl.FromString(tt.want)
		require.NoError(t, err, tt.want)
		require.NoError(t, p.Normalize())
		again, err := packageurl.FromString(p.ToString())
		require.NoError(t, err)
		assert.Equal(t, again, p, tt.want)
	}
}

// TestImageName compares with the reference parser of distribution.
func TestImageName(t *testing.T) {
	for _, image := range []string{
		"node", "node:20", "mcp/git", "ghcr.io/o/r", "ghcr.io/o/r:v1", "localhost/x", "localhost:5000/x:1", "quay.io/a/b/c", "docker.io/x",
		"index.docker.io/x/y", "reg:80/a", "a_b/c.d-e", "UPPER/x", "x/UPPER", "", "a//b", "a/", "/a", "x y", "x:tag:tag", "Reg.io/a/b",
	} {
		name, version, ok := imageName(Word{Text: image})
		want, err := reference.ParseNormalizedNamed(image)
		if err != nil {
			continue // what docker refuses may be anything here
		}
		require.True(t, ok, image)
		assert.Equal(t, strings.ToLower(want.Name()), name, image)
		if tagged, is := want.(reference.Tagged); is {
			assert.Equal(t, tagged.Tag(), version.Text)
		}
	}
}
