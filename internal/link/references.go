package link

import "github.com/mcplumb/mcplumb/internal/mcp"

// references returns the places of a project that name a server without defining
// it, by name; nil if there are none.
func references(p *mcp.Project) map[string][]mcp.Mention {
	var byName map[string][]mcp.Mention
	for _, d := range p.Documents {
		for _, r := range d.References {
			if byName == nil {
				byName = map[string][]mcp.Mention{}
			}
			byName[r.Name] = append(byName[r.Name], mcp.Mention{Document: d, Span: r.Span, Permits: r.Permits, Withholds: r.Withholds})
		}
	}
	return byName
}
