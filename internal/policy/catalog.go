package policy

import (
	"fmt"
	"path"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Catalog says how the servers of a repository are called in its catalog.
type Catalog struct {
	// Namespace is the part before the slash of names in the MCP registry; Organization
	// and Project are the first two parts of full names in Casys PML. "" says nothing.
	Namespace, Organization, Project string
	// Approved is where the catalog of the organization is: an address, or a directory from
	// the root that mcplumb catalog build wrote; "" for none.
	Approved string
	// Code are files of the repository that PML loads, by their full names without a hash.
	Code map[string]string
}

func catalogKeys() []string {
	return []string{"approved", "code", "namespace", "organization", "project"}
}

// catalog reads the settings of the catalog.
func (p *settingsParser) catalog(n *syntax.Node) (c Catalog) {
	for _, member := range p.members(n, "catalog must be a mapping like {namespace: io.github.acme}", catalogKeys()) {
		switch member.Name {
		case "namespace":
			if c.Namespace = p.text(member); c.Namespace != "" && !mcp.IsNamespace(c.Namespace) {
				p.wrong(member.Value, "the namespace must be one like io.github.acme, not %q", shortened(c.Namespace))
			}
		case "approved":
			c.Approved = p.approved(member)
		case "organization":
			c.Organization = p.toolPart(member)
		case "project":
			c.Project = p.toolPart(member)
		case "code":
			c.Code = p.code(member)
		}
	}
	return c
}

// IsAddress reports whether a catalog is one to be asked, and no directory.
func IsAddress(catalog string) bool { return strings.Contains(catalog, "://") }

// approved reads where a catalog is.
func (p *settingsParser) approved(n *syntax.Node) string {
	if !n.IsString() || !IsAddress(n.Text) {
		return p.path(n)
	}
	p.address(n, "the address of the catalog", "https://catalog.example.com")
	return n.Text
}

// text reads a text.
func (p *settingsParser) text(n *syntax.Node) string {
	if !n.IsString() {
		p.wrong(n.Value, "%s must be a string, not %s", n.Name, kindName(n))
		return ""
	}
	return p.filled(n)
}

// toolPart reads a part of a full name in PML.
func (p *settingsParser) toolPart(n *syntax.Node) string {
	text := p.text(n)
	if text != "" && !mcp.IsToolPart(text) {
		p.wrong(n.Value, "%s must be a letter or _ and then letters, digits, _ and -, not %q", n.Name, shortened(text))
	}
	return text
}

// code reads which files are code, by their names.
func (p *settingsParser) code(n *syntax.Node) map[string]string {
	files := map[string]string{}
	for _, member := range p.members(n, "code must be a mapping like {acme.tools.fs.read_json: tools/read_json.ts}", nil) {
		if err := judgeToolName(member.Name); err != nil {
			p.wrong(member.Key, "%v", err)
		}
		file := p.text(member)
		if clean := path.Clean(file); file != "" && (clean != file || path.IsAbs(file) || clean == ".." || strings.HasPrefix(clean, "../")) {
			p.wrong(member.Value, "a file of code must be a path from the root of the repository, not %q", shortened(file))
		} else if source.IsGits(file) {
			p.wrong(member.Value, "a file of code must not be in a directory that git keeps for itself, as %q is", shortened(file))
		}
		files[member.Name] = file
	}
	return files
}

// judgeToolName says what is wrong with a full name in PML without its hash.
func judgeToolName(name string) error {
	parts := strings.Split(name, ".")
	for _, part := range parts {
		if len(parts) != 4 || !mcp.IsToolPart(part) {
			return fmt.Errorf("a name of code must have four parts like acme.tools.fs.read_json, not %q", shortened(name))
		}
	}
	return nil
}
