package policy

import (
	"net/url"
	"strconv"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// RegistryNames are the registries whose addresses settings may say.
func RegistryNames() []string { return []string{"mcp", "npm", "nuget", "osv", "pml", "pypi"} }

// DefaultMinAge is how many days ago a release must have been published where settings do
// not say: most of what is published by thieves is found and taken away sooner.
const DefaultMinAge = 3

// maxMinAge is a hundred years, in days.
const maxMinAge = 36_500

// registries reads addresses.
func (p *settingsParser) registries(n *syntax.Node) map[string]string {
	places := map[string]string{}
	for _, member := range p.members(n, "registries must be a mapping like {npm: https://npm.example.com}", RegistryNames()) {
		if p.address(member, "the address of a registry", "https://npm.example.com") {
			places[member.Name] = member.Text
		}
	}
	return places
}

// address reads an address of the web, and reports whether it is one. what says what it is
// of, like is one that is right.
func (p *settingsParser) address(n *syntax.Node, what, like string) bool {
	address, err := url.Parse(n.Text)
	switch {
	case !n.IsString():
		p.wrong(n.Value, "%s must be a string, not %s", what, kindName(n))
	case err != nil || address.Host == "" || address.Scheme != "https" && address.Scheme != "http":
		p.wrong(n.Value, "%s must be one like %s", what, like)
	case address.User != nil:
		p.wrong(n.Value, "%s contains a user or password: remove them, and log in as its own client does", what)
	default:
		return true
	}
	return false
}

// days reads a number of days.
func (p *settingsParser) days(n *syntax.Node) *int {
	days, err := strconv.Atoi(n.Text)
	if n.Kind != syntax.Number || err != nil || days < 0 || days > maxMinAge {
		p.wrong(n.Value, "%s must be a number of days like %d", n.Name, DefaultMinAge)
		return nil
	}
	return &days
}
