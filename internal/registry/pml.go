package registry

import (
	"context"
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// pmlPaths are where tools are in a registry of Casys PML: as its design document has it,
// and as its releases do (packages/pml/src/loader/registry-client.ts).
var pmlPaths = [...]string{"/mcp/", "/api/registry/"}

// pmlTool is what such a registry says of a tool in JSON.
type pmlTool struct {
	FullName  string `json:"fqdn"`
	Integrity string `json:"integrity"`
}

// pmlRefusal is why it has no tool of a full name: it has none ("not_found"), or one with
// another hash ("hash_mismatch") and that full name.
type pmlRefusal struct {
	Error   string `json:"error"`
	Current string `json:"currentFqdn"`
}

// Tool returns what the registry of a project says of a locked tool, nil if its registry is
// unknown. The error is that of Ask.
func (c *Client) Tool(ctx context.Context, q mcp.WantedTool) (*mcp.PublishedTool, error) {
	from, err := c.places.pml(q.Cloud)
	if from.base == nil || err != nil {
		return nil, err
	}
	for _, path := range pmlPaths {
		said, err := c.pmlTool(ctx, from, path, q)
		if said != nil || err != nil {
			return said, err
		}
	}
	return nil, &Error{from.base.Host, "it is not a registry of Casys PML"}
}

// pmlTool asks at one of the paths. It returns nil if that is not a path of such a registry.
// If the registry has the tool with another hash, a second request, by the name that it gave,
// gets the full hash: the name has only four digits of it.
func (c *Client) pmlTool(ctx context.Context, from place, path string, q mcp.WantedTool) (*mcp.PublishedTool, error) {
	said, err := c.askTool(ctx, from, path, q)
	if err != nil || said == nil || said.Hash == "" || said.Integrity != "" || said.Hash == q.Hash {
		return said, err
	}
	q.Hash, q.Integrity = said.Hash, ""
	if whole, err := c.askTool(ctx, from, path, q); err == nil && whole != nil && whole.Hash == said.Hash && whole.Integrity != "" {
		return whole, nil
	}
	return said, nil
}

func (c *Client) askTool(ctx context.Context, from place, path string, q mcp.WantedTool) (*mcp.PublishedTool, error) {
	name := q.Name
	if q.Hash != "" {
		name += "." + q.Hash
	}
	request, err := c.request(ctx, from, from.at(path+name), "application/json")
	if err != nil {
		return nil, err
	}
	if q.Hash != "" && q.Integrity != "" {
		request.Header.Set("If-None-Match", `"`+q.Integrity+`"`)
	}
	a, err := c.send(ctx, from, request)
	said := &mcp.PublishedTool{Registry: from.base.Host}
	switch {
	case errors.Is(err, errUnknown):
		return refusedTool(said, a, q.Name), nil
	case a != nil && a.status == http.StatusNotModified:
		said.Hash, said.Integrity = q.Hash, q.Integrity
		return said, nil
	case err != nil:
		return nil, err
	}
	return foundTool(said, a, q.Name), nil
}

// refusedTool reads why a tool is not there, nil where the answer is not that of such a
// registry.
func refusedTool(said *mcp.PublishedTool, a *answer, name string) *mcp.PublishedTool {
	var refusal pmlRefusal
	if json.Unmarshal(a.body, &refusal) != nil {
		return nil
	}
	switch refusal.Error {
	case "not_found":
		said.IsUnknown = true
	case "hash_mismatch":
		said.Hash = hashOfTool(refusal.Current, name)
	default:
		return nil
	}
	return said
}

// foundTool reads a tool: JSON, or its code, whose hash is the tag and whose full name is
// the end of its address. It is nil for what else a web server may send.
func foundTool(said *mcp.PublishedTool, a *answer, name string) *mcp.PublishedTool {
	tool := pmlTool{Integrity: strings.Trim(strings.TrimPrefix(a.header.Get("ETag"), "W/"), `"`)}
	switch kind, _, _ := mime.ParseMediaType(a.header.Get("Content-Type")); kind {
	case "application/json":
		if json.Unmarshal(a.body, &tool) != nil || tool.FullName == "" {
			return nil
		}
	case "application/typescript":
		tool.FullName = a.url.Path[strings.LastIndexByte(a.url.Path, '/')+1:]
	default:
		return nil
	}
	// Of who asks for one tool and gets another, nothing is known: PML looks for a name
	// in other places, too.
	if said.Hash = hashOfTool(tool.FullName, name); said.Hash != "" {
		said.Integrity = tool.Integrity
	}
	return said
}

// hashOfTool returns the four digits at the end of a full name, "" for one of another
// tool.
func hashOfTool(full, name string) string {
	hash, isOf := strings.CutPrefix(full, name+".")
	if !isOf || !mcp.IsToolHash(hash) {
		return ""
	}
	return hash
}
