package sameness

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
)

// vendor is who serves a remote server.
type vendor struct {
	host string
	// programs are identities of programs that the sources call the same server:
	// one product in two forms.
	programs []string
	// names begin the identities of what the vendor publishes, or may publish: a namespace of its
	// own, or an npm scope with its name. Nothing further is known of such an identity, neither
	// that it is the same server nor that it belongs to someone else.
	names []string
	// source names repositories and pages. All were read on 2026-11-22.
	source string
}

// vendors are those whose remote server their own pages name, by host. The images are
// those that Docker builds of the vendor's repository (docker/mcp-registry, the
// project of servers/NAME/server.yaml).
var vendors = []vendor{
	{
		// The reference server says that its development was moved to GitHub's
		// repository; Docker's mcp/github is built of it.
		host: "api.githubcopilot.com",
		programs: []string{
			"exec:github-mcp-server", "npm:@modelcontextprotocol/server-github", "oci:docker.io/mcp/github",
			"oci:docker.io/mcp/github-mcp-server", "oci:ghcr.io/github/github-mcp-server",
		},
		names: []string{"npm:@github/", "oci:ghcr.io/github/"},
		source: "github/github-mcp-server README.md; modelcontextprotocol/servers src/github/README.md before d53d6cc7; " +
			"docker/mcp-registry servers/github, servers/github-official at 989065f2",
	},
	{
		host:     "api.ref.tools",
		programs: []string{"npm:ref-tools-mcp", "oci:docker.io/mcp/ref-tools-mcp"},
		source:   "ref-tools/ref-tools-mcp README.md, server.json; docker/mcp-registry servers/ref",
	},
	{
		host:     "mcp.apify.com",
		programs: []string{"npm:@apify/actors-mcp-server", "oci:docker.io/mcp/apify-mcp-server"},
		names:    []string{"npm:@apify/"},
		source:   "apify/apify-mcp-server README.md; docker/mcp-registry servers/apify-mcp-server",
	},
	{
		host:   "mcp.asana.com",
		names:  []string{"npm:@asana/"},
		source: "developers.asana.com/docs/using-asanas-mcp-server",
	},
	{
		// Docker's mcp/atlassian is sooperset/mcp-atlassian, another server.
		host:   "mcp.atlassian.com",
		names:  []string{"npm:@atlassian/"},
		source: "atlassian/atlassian-mcp-server README.md; docker/mcp-registry servers/atlassian",
	},
	{
		host:     "mcp.brightdata.com",
		programs: []string{"npm:@brightdata/mcp"},
		names:    []string{"npm:@brightdata/"},
		source:   "brightdata/brightdata-mcp README.md, server.json",
	},
	{
		host:     "mcp.context7.com",
		programs: []string{"npm:@upstash/context7-mcp", "oci:docker.io/mcp/context7"},
		names:    []string{"npm:@upstash/"},
		source:   "upstash/context7 README.md; docker/mcp-registry servers/context7 at f151ad35",
	},
	{
		host:   "mcp.deepwiki.com",
		source: "docs.devin.ai/work-with-devin/deepwiki-mcp",
	},
	{
		host:     "mcp.exa.ai",
		programs: []string{"npm:exa-mcp-server", "oci:docker.io/mcp/exa"},
		source:   "exa-labs/exa-mcp-server README.md, server.json; docker/mcp-registry servers/exa",
	},
	{
		host:   "mcp.figma.com",
		names:  []string{"npm:@figma/"},
		source: "figma/mcp-server-guide README.md",
	},
	{
		host:     "mcp.firecrawl.dev",
		programs: []string{"npm:firecrawl-mcp", "oci:docker.io/mcp/firecrawl"},
		names:    []string{"npm:@mendable/"},
		source:   "firecrawl/firecrawl-mcp-server README.md, package.json; docker/mcp-registry servers/firecrawl",
	},
	{
		// @hubspot/mcp-server is HubSpot's and not this server: the one for who
		// builds apps, which HubSpot calls separate.
		host:   "mcp.hubspot.com",
		names:  []string{"npm:@hubspot/"},
		source: "developers.hubspot.com/mcp; developers.hubspot.com/docs/apps/developer-platform/build-apps/integrate-with-hubspot-mcp-server",
	},
	{
		host:   "mcp.linear.app",
		names:  []string{"npm:@linear/"},
		source: "anthropics/claude-plugins-official external_plugins/linear; docker/mcp-registry servers/linear",
	},
	{
		host:     "mcp.neon.tech",
		programs: []string{"npm:@neondatabase/mcp-server-neon", "oci:docker.io/mcp/neon"},
		names:    []string{"npm:@neondatabase/"},
		source:   "neondatabase/mcp-server-neon README.md; docker/mcp-registry servers/neon",
	},
	{
		host:     "mcp.notion.com",
		programs: []string{"npm:@notionhq/notion-mcp-server", "oci:docker.io/mcp/notion"},
		names:    []string{"npm:@notionhq/"},
		source:   "makenotion/notion-mcp-server README.md; docker/mcp-registry servers/notion, servers/notion-remote",
	},
	{
		// mcp-server-sentry on PyPI and Docker's mcp/sentry are the archived server of
		// the MCP project, which no page of Sentry's names.
		host:     "mcp.sentry.dev",
		programs: []string{"npm:@sentry/mcp-server"},
		names:    []string{"npm:@sentry/"},
		source:   "getsentry/sentry-mcp README.md; docker/mcp-registry servers/sentry",
	},
	{
		// @modelcontextprotocol/server-slack and Docker's mcp/slack are the archived
		// server of the MCP project, which Zencoder maintains and Slack never did.
		host:   "mcp.slack.com",
		names:  []string{"npm:@slack/"},
		source: "slackapi/slack-mcp-plugin README.md; modelcontextprotocol/servers README.md; docker/mcp-registry servers/slack",
	},
	{
		host:     "mcp.stripe.com",
		programs: []string{"npm:@stripe/mcp", "oci:docker.io/mcp/stripe"},
		names:    []string{"npm:@stripe/"},
		source:   "stripe/agent-toolkit README.md, tools/modelcontextprotocol; docker/mcp-registry servers/stripe",
	},
	{
		host:     "mcp.supabase.com",
		programs: []string{"npm:@supabase/mcp-server-supabase"},
		names:    []string{"npm:@supabase/"},
		source:   "supabase-community/supabase-mcp README.md, packages/mcp-server-supabase",
	},
	{
		host:     "mcp.tavily.com",
		programs: []string{"npm:tavily-mcp", "oci:docker.io/mcp/tavily"},
		names:    []string{"npm:@tavily/"},
		source:   "tavily-ai/tavily-mcp README.md; docker/mcp-registry servers/tavily",
	},
	{
		host:   "mcp.vercel.com",
		names:  []string{"npm:@vercel/"},
		source: "vercel/vercel-plugin .mcp.json",
	},
}

// vendorAt returns the vendor of a remote server, or nil.
func vendorAt(id *identity.Identity) *vendor {
	at, found := slices.BinarySearchFunc(vendors, id.Host(), func(v vendor, host string) int { return strings.Compare(v.host, host) })
	if !found {
		return nil
	}
	return &vendors[at]
}

// HasVendor reports whether the owner of a remote server is known.
func HasVendor(id *identity.Identity) bool { return vendorAt(id) != nil }

// sameVendor reports whether a is a program and b the remote server that is the same
// product.
func sameVendor(a, b *identity.Identity) bool {
	v := vendorAt(b)
	return v != nil && slices.Contains(v.programs, a.String())
}

// AreOfOneVendor reports whether one vendor publishes both packages as its server: one product in
// two registries.
func AreOfOneVendor(a, b *identity.Identity) bool {
	return slices.ContainsFunc(vendors, func(v vendor) bool { return v.publishes(a) && v.publishes(b) })
}

// publishes reports whether a package is the vendor's, as far as its name says it.
func (v *vendor) publishes(a *identity.Identity) bool {
	name := a.String()
	return slices.Contains(v.programs, name) || slices.ContainsFunc(v.names, func(own string) bool { return strings.HasPrefix(name, own) })
}

// IsForeign reports whether a is a package of a registry that publishes under its name alone, and
// b a vendor's remote server, if nothing shows that the vendor published the package.
func IsForeign(a, b *identity.Identity) bool {
	v := vendorAt(b)
	if v == nil || a.Kind != identity.NPM && a.Kind != identity.PyPI && a.Kind != identity.OCI {
		return false
	}
	return !v.publishes(a)
}
