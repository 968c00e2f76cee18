package fleet

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"golang.org/x/net/publicsuffix"

	"github.com/mcplumb/mcplumb/internal/identity"
)

// TestSharedDomains holds the domains against the Public Suffix List.
func TestSharedDomains(t *testing.T) {
	unlisted := "alpic.live apify.actor app.github.dev azurecontainerapps.io devtunnels.ms fastmcp.app gradio.live koyeb.app modal.run run.tools"
	for _, list := range []string{sharedBy1, sharedBy2, sharedBy3} {
		for _, domain := range strings.Fields(list) {
			if strings.Contains(unlisted, domain) {
				continue
			}
			// Below some there is a region or a service before the names of others.
			found := false
			for _, between := range []string{"", "x.", "us-east-1.", "execute-api.us-east-1.", "lambda-url.us-east-1."} {
				suffix, isOfRegistry := publicsuffix.PublicSuffix("a." + between + domain)
				found = found || !isOfRegistry && suffix == between+domain
			}
			assert.True(t, found, domain)
		}
	}
	// A label that is one country's is taken for one of all: there are few names like that.
	for _, second := range strings.Fields(secondLevels) {
		n := 0
		for a := 'a'; a <= 'z'; a++ {
			for b := 'a'; b <= 'z'; b++ {
				domain := second + "." + string(a) + string(b)
				if suffix, _ := publicsuffix.PublicSuffix("x." + domain); suffix == domain {
					n++
				}
			}
		}
		assert.GreaterOrEqual(t, n, 9, second)
	}
}

// TestOwners holds which addresses are those of two owners.
func TestOwners(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"https://crm-mcp.vercel.app/mcp", "https://crm.vercel.app/mcp", true},
		{"https://crm.acme.workers.dev/sse", "https://crm-staging.acme.workers.dev/sse", false}, // one account
		{"https://crm.acme.workers.dev/sse", "https://crm.evil.workers.dev/sse", true},
		{"https://acme.github.io/mcp", "https://evil.github.io/mcp", true},
		{"https://crm.netlify.app/mcp", "https://deploy-preview-7--crm.netlify.app/mcp", false},
		{"https://crm.netlify.app/mcp", "https://crm-mcp.netlify.app/mcp", true},
		{"https://a1b2.ngrok-free.app/mcp", "https://c3d4.ngrok-free.app/mcp", true},
		{"https://crm.azurewebsites.net/mcp", "https://crn.azurewebsites.net/mcp", true},
		{"https://crm-aaaa.canadacentral-01.azurewebsites.net/", "https://crm-bbbb.canadacentral-01.azurewebsites.net/", true},
		{"https://crm.proudbeach-52a90183.centralus.azurecontainerapps.io/mcp", "https://docs.proudbeach-52a90183.centralus.azurecontainerapps.io/mcp", false}, // one environment
		{"https://crm.proudbeach-52a90183.centralus.azurecontainerapps.io/mcp", "https://crm.calmwave-11a90183.centralus.azurecontainerapps.io/mcp", true},
		{"https://crm-74afyau24q-uc.a.run.app/mcp", "https://crm-staging-74afyau24q-uc.a.run.app/mcp", false}, // one project
		{"https://crm-74afyau24q-uc.a.run.app/mcp", "https://crm-2uts5km5aq-uc.a.run.app/mcp", true},
		{"https://crm-1234567.us-central1.run.app/mcp", "https://crm-1234567.europe-west1.run.app/mcp", false},
		{"https://crm-1234567.us-central1.run.app/mcp", "https://crm-7654321.us-central1.run.app/mcp", true},
		{"https://crm-74afyau24q-uc.a.run.app/mcp", "https://crm-1234567.us-central1.run.app/mcp", false}, // two names of one service
		{"https://crm.fly.dev/mcp", "https://crm-acme.fly.dev/mcp", true},
		{"https://crm.onrender.com/mcp", "https://crm-x.onrender.com/mcp", true},
		{"https://crm.herokuapp.com/mcp", "https://crm-x.herokuapp.com/mcp", true},
		{"https://abc123.crm.pages.dev/mcp", "https://crm.pages.dev/mcp", false},
		{"https://aa11.execute-api.us-east-1.amazonaws.com/mcp", "https://bb22.execute-api.us-east-1.amazonaws.com/mcp", true},
		{"https://aa11.lambda-url.us-east-1.on.aws/", "https://bb22.lambda-url.us-east-1.on.aws/", true},
		{"https://acme-crm.hf.space/gradio_api/mcp", "https://evil-crm.hf.space/gradio_api/mcp", true},
		{"https://acme--crm.modal.run/mcp", "https://acme--crm-dev.modal.run/mcp", false},
		{"https://acme--crm.modal.run/mcp", "https://evil--crm.modal.run/mcp", true},
		{"https://crm-production.up.railway.app/mcp", "https://crm-production-1a2b.up.railway.app/mcp", true},
		{"https://mcp.acme.co.uk/mcp", "https://mcp.other.co.uk/mcp", true},
		{"https://mcp.acme.co.uk/mcp", "https://crm.acme.co.uk/mcp", false},
		{"https://mcp.acme.com.br/mcp", "https://mcp.outra.com.br/mcp", true},
		{"https://mcp.acme.dev/mcp", "https://staging.acme.dev/mcp", false},
		{"https://co.uk/mcp", "https://acme.co.uk/mcp", true},
		{"https://hf.co/mcp", "https://huggingface.co/mcp", false},
		{"https://8.8.4.4/mcp", "https://1.1.4.4/mcp", true},
		{"https://bigquery.googleapis.com/mcp", "https://gmailmcp.googleapis.com/mcp", false},
		{"https://server.smithery.ai/@a/x/mcp", "https://server.smithery.ai/@b/y/mcp", true},
		{"https://server.smithery.ai/@a/x/mcp", "https://server.smithery.ai/@b/x", true},
		{"https://server.smithery.ai/@a/x/mcp", "https://server.smithery.ai/@a/x", false},
		{"https://server.smithery.ai/exa/mcp", "https://server.smithery.ai/@evil/brave/mcp", true},
		{"https://server.smithery.ai/exa/mcp", "https://server.smithery.ai/@exa-labs/exa/mcp", false}, // may be one
		{"https://server.smithery.ai/${SERVER}/mcp", "https://server.smithery.ai/exa/mcp", false},
		{"https://gitmcp.io/acme/docs", "https://gitmcp.io/other/docs", true},
		{"https://gitmcp.io/docs", "https://gitmcp.io/other/docs", false}, // any repository, or that one
		{"https://mcp.host.dev/@acme/crm", "https://mcp.host.dev/@evil/crm", true},
		{"https://mcp.acme.dev/@1.0/crm", "https://mcp.acme.dev/@2.0/crm", false},
		{"https://mcp.acme.dev/v1/mcp", "https://mcp.acme.dev/v2/mcp", false},
	} {
		a, b := &identity.Identity{Kind: identity.URL, Name: c.a}, &identity.Identity{Kind: identity.URL, Name: c.b}
		assert.Equal(t, c.want, areOfOthers(a, b), "%s and %s", c.a, c.b)
		assert.Equal(t, c.want, areOfOthers(b, a), "%s and %s", c.b, c.a)
	}
}
