// Package holodeck has what is true of HoloDeck only: it also gives every agent the servers
// of its settings.
package holodeck

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/refusal"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// ReportRegistryAliases reports servers of the registry that HoloDeck's settings
// give to an agent which has them already under another name.
func ReportRegistryAliases(p *rule.Pass) {
	for agent := range reads.Used(p.Project) {
		if agent.Format != "holodeck" {
			continue
		}
		registered := byRegistry(agent.Servers)
		for _, s := range settingsOf(p.Project) {
			same := registered[s.Extra().Registry.Text]
			i := slices.IndexFunc(same, func(own *mcp.Server) bool { return compare.IsAlias(own, s) })
			if i < 0 {
				continue
			}
			f := rule.At(s)
			f.Message, f.Help = wording.DriftMessage(s, agent.File.Path, same[i].Name, true)
			f.Related = []rule.Related{rule.SeeAlso(same[i], "called %q here", same[i].Name)}
			p.Report(f)
		}
	}
}

// settingsOf returns the servers that HoloDeck takes from a project's settings.
func settingsOf(p *mcp.Project) []*mcp.Server {
	var servers []*mcp.Server
	for doc := range reads.Used(p) {
		if doc.Format == "holodeck-config" {
			servers = append(servers, doc.Servers...)
		}
	}
	return compare.InEffect(servers)
}

// byRegistry returns the servers of each name in the registry, the first two of
// different names: one of them has another name than any third.
func byRegistry(servers []*mcp.Server) map[string][]*mcp.Server {
	registered := map[string][]*mcp.Server{}
	for _, s := range servers {
		same := registered[s.Extra().Registry.Text]
		if len(same) == 0 || len(same) == 1 && same[0].Name != s.Name {
			registered[s.Extra().Registry.Text] = append(same, s)
		}
	}
	return registered
}

// ReportRegistryNames reports registry names that the registry cannot have assigned.
// HoloDeck compares only them.
func ReportRegistryNames(p *rule.Pass) {
	for doc := range p.Documents() {
		if doc.Format != "holodeck" && doc.Format != "holodeck-config" {
			continue
		}
		for _, s := range doc.Servers {
			if name := s.Extra().Registry; name.Text != "" && !secret.HasBlank(name.Text) && !hasReference(name.Text) {
				f := rule.At(s)
				f.Span = name.Span
				refusal.JudgeRegistryName(p, f, name.Text)
			}
		}
	}
}

// ReportUnregistered reports names that the MCP registry does not have: HoloDeck takes
// them from it when it adds a server (services/mcp_registry.py).
func ReportUnregistered(p *rule.Pass) {
	if p.Repo.Registries == nil {
		return
	}
	for s := range p.Servers() {
		name := s.Extra().Registry
		said := p.Repo.Registries.Servers[name.Text]
		if s.Document.Format != "holodeck" && s.Document.Format != "holodeck-config" || !s.IsStarted() || said == nil || !said.IsUnknown {
			continue
		}
		f := rule.At(s)
		f.Span, f.Severity = name.Span, rule.Warning
		f.Message = wording.Say("%q is not in the registry %s, from which HoloDeck adds servers by name", name.Text, said.Registry)
		f.Help = "correct the name, or remove \"registry_name\" from a server that is not in the registry"
		p.Report(f)
	}
}

// hasReference reports whether a text has a variable in it.
func hasReference(text string) bool {
	_, found := secret.NextReference(text, 0)
	return found
}
