package identity

import (
	"slices"
	"strings"
)

// vendor is who serves a remote server and publishes programs of their own that
// do the same: one product in two forms, never the same server.
type vendor struct {
	host string
	// publishes are identities of programs; those that end in a slash stand for all
	// that begin so.
	publishes []string
}

// vendors are those whose remote server the vendor's own pages name, by host. The
// images that Docker builds of a vendor's server, and the reference server that a
// vendor's own has taken the place of, are nobody else's.
var vendors = []vendor{
	{"api.githubcopilot.com", []string{
		"exec:github-mcp-server", "npm:@github/", "npm:@modelcontextprotocol/server-github",
		"oci:docker.io/mcp/github", "oci:docker.io/mcp/github-mcp-server", "oci:ghcr.io/github/",
	}},
	{"api.ref.tools", []string{"npm:ref-tools-mcp"}},
	{"mcp.apify.com", []string{"npm:@apify/"}},
	{"mcp.asana.com", []string{"npm:@asana/"}},
	{"mcp.atlassian.com", []string{"npm:@atlassian/", "oci:docker.io/mcp/atlassian"}},
	{"mcp.brightdata.com", []string{"npm:@brightdata/"}},
	{"mcp.context7.com", []string{"npm:@upstash/", "oci:docker.io/mcp/context7"}},
	{"mcp.deepwiki.com", nil},
	{"mcp.exa.ai", []string{"npm:exa-mcp-server", "oci:docker.io/mcp/exa"}},
	{"mcp.figma.com", []string{"npm:@figma/"}},
	{"mcp.firecrawl.dev", []string{"npm:@mendable/", "npm:firecrawl-mcp", "oci:docker.io/mcp/firecrawl"}},
	{"mcp.hubspot.com", []string{"npm:@hubspot/", "oci:docker.io/mcp/hubspot"}},
	{"mcp.linear.app", []string{"npm:@linear/"}},
	{"mcp.neon.tech", []string{"npm:@neondatabase/", "oci:docker.io/mcp/neon"}},
	{"mcp.notion.com", []string{"npm:@notionhq/", "oci:docker.io/mcp/notion"}},
	{"mcp.sentry.dev", []string{"npm:@sentry/", "oci:docker.io/mcp/sentry", "pypi:mcp-server-sentry"}},
	{"mcp.slack.com", []string{"npm:@modelcontextprotocol/server-slack", "npm:@slack/", "oci:docker.io/mcp/slack"}},
	{"mcp.stripe.com", []string{"npm:@stripe/", "oci:docker.io/mcp/stripe"}},
	{"mcp.supabase.com", []string{"npm:@supabase/", "oci:docker.io/mcp/supabase"}},
	{"mcp.tavily.com", []string{"npm:@tavily/", "npm:tavily-mcp", "oci:docker.io/mcp/tavily"}},
	{"mcp.vercel.com", []string{"npm:@vercel/"}},
}

// vendorAt returns the vendor of a remote server, or nil.
func vendorAt(id *Identity) *vendor {
	at, found := slices.BinarySearchFunc(vendors, id.Host(), func(v vendor, host string) int { return strings.Compare(v.host, host) })
	if !found {
		return nil
	}
	return &vendors[at]
}

// sameVendor reports whether a is a program and b the remote server of who
// publishes it.
func sameVendor(a, b *Identity) bool {
	v := vendorAt(b)
	return v != nil && slices.ContainsFunc(v.publishes, func(own string) bool {
		return a.String() == own || strings.HasSuffix(own, "/") && strings.HasPrefix(a.String(), own)
	})
}

// IsForeign reports whether a is a package of a registry that publishes under
// its name alone, and b a vendor's remote server, where the vendor is not known to
// have published it.
func IsForeign(a, b *Identity) bool {
	return (a.Kind == NPM || a.Kind == PyPI || a.Kind == OCI) && vendorAt(b) != nil && !sameVendor(a, b)
}
