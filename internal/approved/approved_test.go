package approved

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// TestLaunch checks that a server of a catalog starts as its listing says, and has no launch if the
// listing is incomplete or a person must choose.
func TestLaunch(t *testing.T) {
	for name, test := range map[string]struct{ server, meta, want string }{
		"npm":                {`"packages": [{"registryType": "npm", "identifier": "@acme/docs", "version": "1.2.3", "packageArguments": [{"type": "positional", "value": "--quiet"}, {"type": "named", "name": "--depth", "value": "2"}], "environmentVariables": [{"name": "TOKEN"}]}]`, `{}`, "npx -y @acme/docs@1.2.3 --quiet --depth 2 env TOKEN"},
		"PyPI":               {`"packages": [{"registryType": "pypi", "identifier": "docs", "version": "1.0", "runtimeArguments": [{"type": "named", "name": "--python", "value": "3.12"}]}]`, `{}`, "uvx --python 3.12 docs==1.0"},
		"NuGet":              {`"packages": [{"registryType": "nuget", "identifier": "Docs", "version": "1.0"}]`, `{}`, "dnx --yes Docs@1.0"},
		"an image":           {`"packages": [{"registryType": "oci", "identifier": "ghcr.io/acme/docs:1.0", "environmentVariables": [{"name": "TOKEN"}]}]`, `{}`, "docker run -i --rm -e TOKEN ghcr.io/acme/docs:1.0 env TOKEN"},
		"an address":         {`"remotes": [{"type": "streamable-http", "url": "https://docs.acme.dev/mcp", "headers": [{"name": "X-Key"}]}]`, `{}`, "http https://docs.acme.dev/mcp headers X-Key"},
		"a word to choose":   {`"packages": [{"registryType": "npm", "identifier": "docs", "version": "1.2.3", "packageArguments": [{"type": "positional", "valueHint": "directory"}]}]`, `{}`, ""},
		"a part to fill in":  {`"remotes": [{"type": "sse", "url": "https://{tenant}.acme.dev/sse"}]`, `{}`, ""},
		"another registry":   {`"packages": [{"registryType": "npm", "registryBaseUrl": "https://npm.acme.dev", "identifier": "docs", "version": "1.2.3"}]`, `{}`, ""},
		"two ways":           {`"packages": [{"registryType": "npm", "identifier": "docs", "version": "1.2.3"}], "remotes": [{"type": "sse", "url": "https://docs.acme.dev/sse"}]`, `{}`, ""},
		"an older version":   {`"packages": [{"registryType": "npm", "identifier": "docs", "version": "1.2.3"}]`, `{"isLatest": false}`, ""},
		"one to leave":       {`"packages": [{"registryType": "npm", "identifier": "docs", "version": "1.2.3"}]`, `{"status": "deprecated", "isLatest": true}`, ""},
		"what it compares":   {`"packages": [{"registryType": "npm", "identifier": "docs", "version": "1.2.3"}], "_meta": {"io.modelcontextprotocol.registry/publisher-provided": {"identity": "npm:docs", "version": "1.2.3"}}`, `{"isLatest": true}`, "npx -y docs@1.2.3"},
		"not something else": {`"packages": [{"registryType": "npm", "identifier": "docs", "version": "1.2.3"}], "_meta": {"io.modelcontextprotocol.registry/publisher-provided": {"identity": "npm:other", "version": "1.2.3"}}`, `{}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			all := &mcp.Approved{}
			_, err := Add(all, fmt.Appendf(nil, `{"servers": [{"server": {"name": "dev.acme/docs", %s}, "_meta": {"io.modelcontextprotocol.registry/official": %s}}]}`, test.server, test.meta))
			require.NoError(t, err)
			got := ""
			for _, servers := range all.Servers {
				if l := servers[0].Launch; l != nil {
					words := []string{l.Transport, l.Command.Text, l.URL.Text}
					for _, arg := range l.Args {
						words = append(words, arg.Text)
					}
					for _, p := range l.Env {
						words = append(words, "env", p.Name.Text)
					}
					for _, p := range l.Headers {
						words = append(words, "headers", p.Name.Text)
					}
					got = strings.Join(strings.Fields(strings.Join(words, " ")), " ")
				}
			}
			assert.Equal(t, test.want, got)
		})
	}
}
