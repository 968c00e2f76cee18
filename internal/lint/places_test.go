package lint

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// TestEveryPlaceIsRead checks that the page of the clients promises only what mcplumb reads: at
// each of their paths, it finds a server under each of their keys and names its client.
func TestEveryPlaceIsRead(t *testing.T) {
	formats := map[string]*shape.Format{}
	for _, f := range format.All() {
		formats[f.Name] = f
	}
	for _, c := range mcp.Clients() {
		for _, r := range c.Files {
			f := formats[r.Format]
			patterns := append(f.Paths[:len(f.Paths):len(f.Paths)], f.Home...)
			if r.At != "" {
				patterns = []string{r.At}
			}
			for _, pattern := range patterns {
				place := strings.NewReplacer("**", "acme/of/any/depth", "*", "acme").Replace(pattern)
				for _, key := range r.Roots {
					assert.Contains(t, clientsAt(t, withKey(c, &r, key, place)), c.ID, "%s under %s", place, key)
				}
				if r.Bare {
					assert.Contains(t, clientsAt(t, withoutKey(c, &r, place)), c.ID, "%s without a key", place)
				}
			}
		}
	}
}

// clientsAt returns the clients that load the server of a tree.
func clientsAt(t *testing.T, files map[string]string) []string {
	t.Helper()
	result, err := Run(t.Context(), Options{Source: source.Memory(files)})
	require.NoError(t, err)
	var ids []string
	for _, p := range result.Repo.Projects {
		for _, doc := range p.Documents {
			for _, client := range append(doc.Loaders(), doc.Beside...) {
				if len(doc.Servers) == 1 {
					ids = append(ids, client.ID)
				}
			}
		}
	}
	return ids
}

// withoutKey returns a file that has only entries: for a manifest, the file that it names.
func withoutKey(c *mcp.Client, r *mcp.Reading, place string) map[string]string {
	bare := `{"acme": ` + entry(c) + `}`
	if path.Base(place) != "plugin.json" {
		return map[string]string{place: bare}
	}
	return map[string]string{place: fmt.Sprintf(`{"name": "acme", %q: "./servers.json"}`, r.Roots[0]), "servers.json": bare}
}

// withKey returns a file with one server under a key, and the files that show that it is
// the client's own.
func withKey(c *mcp.Client, r *mcp.Reading, key, place string) map[string]string {
	text := written(c, r, key, place)
	if r.OnlyWith != "" {
		return map[string]string{place: text, r.OnlyWith + "/notes.md": "Acme."}
	}
	switch r.Format {
	case "kiro-power":
		return map[string]string{place: "---\nname: acme\ndisplayName: Acme\n---\n", "mcp.json": flow([]string{key}, value(c, r))}
	case "mcp-settings":
		text = `{"users": [], ` + text[1:]
	}
	return map[string]string{place: text}
}

// written returns a file with one server under a key, in the form that a client reads.
func written(c *mcp.Client, r *mcp.Reading, key, place string) string {
	switch r.Format {
	case "openhands":
		return "[mcp]\nstdio_servers = [{name = \"acme\", command = \"acme-mcp\"}]\n"
	case "holodeck":
		return "name: a\nmodel: {provider: openai}\ninstructions: {inline: x}\ntools:\n" +
			"  - {name: acme, description: d, type: mcp, command: node, args: [a.js]}\n"
	case "holodeck-config":
		return "mcp_servers:\n  - {name: acme, description: d, type: mcp, command: node, args: [a.js]}\n"
	}
	keys := strings.Split(key, ".")
	if c.ID == "amp" {
		keys = []string{key}
	}
	switch path.Ext(place) {
	case ".toml":
		if r.Lists {
			return "[[" + key + "]]\nname = \"acme\"\ncommand = \"acme-mcp\"\n"
		}
		return "[" + key + ".acme]\ncommand = \"acme-mcp\"\n"
	case ".yaml", ".yml", ".md":
		text := "title: t\nname: n\ndescription: d\nprompt: p\n" + flow(keys, value(c, r))[1:]
		text = strings.TrimSuffix(text, "}") + "\n"
		if path.Ext(place) == ".md" {
			return "---\n" + text + "---\n"
		}
		return text
	}
	return flow(keys, value(c, r))
}

// flow returns nested objects around a value, which are JSON and YAML.
func flow(keys []string, value string) string {
	if len(keys) == 0 {
		return value
	}
	return fmt.Sprintf("{%q: %s}", keys[0], flow(keys[1:], value))
}

// value returns the map or list of servers.
func value(c *mcp.Client, r *mcp.Reading) string {
	switch {
	case r.Format == "claude-agent": // a list of maps
		return `[{"acme": ` + entry(c) + `}]`
	case r.Lists:
		return "[" + strings.Replace(entry(c), "{", `{"name": "acme", `, 1) + "]"
	}
	return `{"acme": ` + entry(c) + `}`
}

// entry returns a server in the client's own words.
func entry(c *mcp.Client) string {
	command := `"acme-mcp"`
	kinds := c.Fields.CommandKinds
	if c.Schema != nil {
		kinds = c.Schema.Member(c.Fields.Command[0]).Kinds
	}
	if kinds != 0 && !kinds.Has(syntax.String) {
		command = `["acme-mcp"]`
	}
	kind := ""
	if len(c.Types) > 0 && len(c.Fields.Type) > 0 {
		kind = fmt.Sprintf("%q: %q, ", c.Fields.Type[0], c.Types[0].Word)
	}
	return fmt.Sprintf(`{%s%q: %s}`, kind, c.Fields.Command[0], command)
}
