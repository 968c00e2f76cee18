package checks

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// holodeck gives every agent the servers of its settings, too.
var holodeck = &system{
	title: "HoloDeck",
	parts: []part{
		{aliasDrift, reportRegistryAliases},
	},
}

// reportRegistryAliases reports servers of the registry that HoloDeck's settings
// give to an agent which has them already under another name.
func reportRegistryAliases(p *Pass) {
	for agent := range used(p.Project) {
		if agent.Format != "holodeck" {
			continue
		}
		for _, s := range settingsOf(p.Project) {
			i := slices.IndexFunc(agent.Servers, func(own *mcp.Server) bool { return isAlias(own, s) })
			if i < 0 {
				continue
			}
			f := at(s)
			f.Message = driftMessage(s, agent.File.Path, agent.Servers[i].Name)
			f.Related = []Related{seeAlso(agent.Servers[i], "called %q here", agent.Servers[i].Name)}
			p.Report(f)
		}
	}
}

// settingsOf returns the servers that HoloDeck takes from a project's settings.
func settingsOf(p *mcp.Project) []*mcp.Server {
	var servers []*mcp.Server
	for doc := range used(p) {
		if doc.Format == "holodeck-config" {
			servers = append(servers, doc.Servers...)
		}
	}
	return inEffect(servers)
}
