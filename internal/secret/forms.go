package secret

// form is what the tokens of one issuer look like: a prefix that is safe to show,
// and the rest, which is not.
type form struct {
	prefix string
	// alphabet is what the rest is made of.
	alphabet string
	// least is the length of the shortest rest that is believed to be of a token if
	// it looks like one, 0 if looks do not count.
	least int
	// min and max are the lengths that the issuer gives to the rest, 0 if nobody
	// published one. What has such a length is a token whatever it looks like.
	min, max int
	issuer   string
	// source says where the form is published: a page of the issuer, else the rule
	// of a scanner, "gitleaks:ID" of its config/gitleaks.toml, "trufflehog:NAME" of its
	// pkg/detectors, "kingfisher:NAME" of its data/rules. Where a page shows the prefix
	// alone, the lengths are those of its examples.
	source string
}

// What the rests of tokens are made of.
const (
	digits   = "0123456789"
	lowers   = "abcdefghijklmnopqrstuvwxyz"
	uppers   = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	letters  = lowers + uppers
	alnum    = digits + letters
	hex      = digits + "abcdef"
	anyHex   = hex + "ABCDEF"
	wordChar = alnum + "_-"
)

// Where several forms are published.
const (
	githubTokens  = "https://github.blog/changelog/2021-03-31-authentication-token-format-updates-are-generally-available/"
	gitlabTokens  = "https://docs.gitlab.com/security/tokens/#token-prefixes"
	slackTokens   = "https://api.slack.com/concepts/token-types"
	shopifyTokens = "https://shopify.dev/changelog/length-of-the-shopify-access-token-is-increasing"
	stripeKeys    = "https://docs.stripe.com/keys"
)

// forms are the forms of tokens that issuers publish so that scanners can find
// them, of what MCP servers are given. Of two prefixes that begin alike, the longer
// stands first; of two rows with one prefix, the first that fits counts.
var forms = [...]form{
	{"AKIA", digits + uppers, 16, 16, 16, "AWS", "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids"},
	{"ASIA", digits + uppers, 16, 16, 16, "AWS", "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids"},
	{"AIza", wordChar, 30, 35, 35, "Google", "gitleaks:gcp-api-key"},
	{"ya29.", wordChar, 30, 30, 2048, "Google", "trufflehog:googleoauth2"},
	{"GOCSPX-", wordChar, 20, 28, 28, "Google", "kingfisher:google"},

	{"ghp_", alnum, 30, 36, 251, "GitHub", githubTokens},
	{"gho_", alnum, 30, 36, 251, "GitHub", githubTokens},
	{"ghu_", alnum, 30, 36, 251, "GitHub", githubTokens},
	{"ghs_", alnum, 30, 36, 251, "GitHub", githubTokens},
	{"ghr_", alnum, 30, 36, 251, "GitHub", githubTokens},
	{"github_pat_", alnum + "_", 22, 82, 82, "GitHub", "gitleaks:github-fine-grained-pat"},
	{"glpat-", wordChar + ".", 20, 20, 20, "GitLab", gitlabTokens},
	{"glptt-", wordChar, 20, 40, 40, "GitLab", gitlabTokens},
	{"glrt-", wordChar + ".", 20, 20, 23, "GitLab", gitlabTokens},
	{"gldt-", wordChar, 20, 20, 20, "GitLab", gitlabTokens},
	{"glft-", wordChar, 20, 20, 20, "GitLab", gitlabTokens},
	{"glsoat-", wordChar, 20, 20, 20, "GitLab", gitlabTokens},
	{"glffct-", wordChar, 20, 20, 20, "GitLab", gitlabTokens},
	{"glcbt-", wordChar, 20, 22, 26, "GitLab", gitlabTokens},
	{"glimt-", wordChar, 20, 25, 25, "GitLab", gitlabTokens},
	{"glagent-", wordChar, 30, 50, 50, "GitLab", gitlabTokens},
	{"gloas-", wordChar, 30, 64, 64, "GitLab", gitlabTokens},
	{"ATATT3", wordChar + "=", 40, 186, 186, "Atlassian", "gitleaks:atlassian-api-token"},

	{"sk-ant-", wordChar, 20, 95, 120, "Anthropic", "gitleaks:anthropic-api-key"},
	{"sk-proj-", wordChar, 20, 48, 170, "OpenAI", "gitleaks:openai-api-key"},
	{"sk-svcacct-", wordChar, 20, 48, 170, "OpenAI", "gitleaks:openai-api-key"},
	{"sk-admin-", wordChar, 20, 48, 170, "OpenAI", "gitleaks:openai-api-key"},
	{"sk-or-v1-", hex, 20, 64, 64, "OpenRouter", "trufflehog:openrouter"},
	{"sk-or-", wordChar, 20, 0, 0, "OpenRouter", "trufflehog:openrouter"},
	{"sk-lf-", hex + "-", 20, 36, 36, "Langfuse", "https://langfuse.com/docs/api-and-data-platform/features/public-api"},
	{"sk-", alnum, 0, 48, 48, "OpenAI", "gitleaks:openai-api-key"},
	{"sk-", hex, 0, 32, 32, "DeepSeek", "trufflehog:deepseek"},
	{"sk-", wordChar, 20, 0, 0, "OpenAI and compatible", "gitleaks:openai-api-key"},
	{"sk_live_", alnum, 16, 20, 247, "Stripe", stripeKeys},
	{"sk_test_", alnum, 16, 20, 247, "Stripe", stripeKeys},
	{"rk_live_", alnum, 16, 20, 247, "Stripe", stripeKeys},
	{"rk_test_", alnum, 16, 20, 247, "Stripe", stripeKeys},
	{"whsec_", alnum + "+/=", 24, 32, 88, "Stripe, Standard Webhooks", "https://docs.stripe.com/webhooks"},
	{"sk_", hex, 0, 48, 48, "ElevenLabs", "trufflehog:elevenlabs"},
	{"sk_", alnum, 40, 0, 0, "ElevenLabs", "trufflehog:elevenlabs"},

	{"xoxb-", alnum + "-", 16, 40, 60, "Slack", slackTokens},
	{"xoxp-", alnum + "-", 16, 60, 80, "Slack", slackTokens},
	{"xoxa-", alnum + "-", 16, 0, 0, "Slack", slackTokens},
	{"xoxr-", alnum + "-", 16, 0, 0, "Slack", slackTokens},
	{"xoxs-", alnum + "-", 16, 0, 0, "Slack", slackTokens},
	{"xoxc-", alnum + "-", 16, 90, 110, "Slack", "https://github.com/korotovsky/slack-mcp-server/blob/master/docs/01-authentication-setup.md"},
	{"xoxd-", wordChar + "%+/=", 30, 0, 0, "Slack", "https://github.com/korotovsky/slack-mcp-server/blob/master/docs/01-authentication-setup.md"},
	{"xoxe-", alnum + "-.", 16, 148, 168, "Slack", slackTokens},
	{"xoxe.", alnum + "-", 30, 0, 0, "Slack", slackTokens},
	{"xapp-", alnum + "-", 16, 80, 110, "Slack", slackTokens},

	{"npm_", alnum, 30, 36, 36, "npm", "https://github.blog/changelog/2021-09-23-npm-has-a-new-access-token-format/"},
	{"pypi-", wordChar, 40, 64, 300, "PyPI", "https://pypi.org/help/#apitoken"},
	{"rubygems_", hex, 40, 48, 48, "RubyGems", "gitleaks:rubygems-api-token"},
	{"rubygems_", alnum, 40, 0, 0, "RubyGems", "gitleaks:rubygems-api-token"},
	{"dckr_pat_", wordChar, 24, 27, 27, "Docker Hub", "trufflehog:dockerhub"},
	{"dckr_oat_", wordChar, 24, 32, 32, "Docker Hub", "trufflehog:dockerhub"},
	{"hf_", letters, 30, 34, 34, "Hugging Face", "gitleaks:huggingface-access-token"},
	{"hf_", alnum, 30, 0, 0, "Hugging Face", "https://huggingface.co/docs/hub/security-tokens"},
	{"api_org_", letters, 30, 34, 34, "Hugging Face", "gitleaks:huggingface-organization-api-token"},
	{"dop_v1_", alnum, 40, 64, 64, "DigitalOcean", "gitleaks:digitalocean-pat"},
	{"doo_v1_", alnum, 40, 64, 64, "DigitalOcean", "gitleaks:digitalocean-access-token"},
	{"dor_v1_", alnum, 40, 64, 64, "DigitalOcean", "gitleaks:digitalocean-refresh-token"},
	{"dp.st.", wordChar + ".", 30, 0, 0, "Doppler", "trufflehog:doppler"},
	{"dp.pt.", alnum, 30, 40, 44, "Doppler", "trufflehog:doppler"},
	{"dp.ct.", alnum, 30, 40, 44, "Doppler", "trufflehog:doppler"},
	{"dp.sa.", alnum, 30, 40, 44, "Doppler", "trufflehog:doppler"},
	{"hvs.", wordChar, 24, 90, 120, "HashiCorp Vault", "gitleaks:vault-service-token"},
	{"hvb.", wordChar, 60, 138, 300, "HashiCorp Vault", "gitleaks:vault-batch-token"},
	{"ops_eyJ", alnum + "+/=", 60, 250, 2048, "1Password", "gitleaks:1password-service-account-token"},
	{"pul-", hex, 0, 40, 40, "Pulumi", "gitleaks:pulumi-api-token"},
	{"pul-", alnum, 40, 0, 0, "Pulumi", "gitleaks:pulumi-api-token"},
	{"lin_api_", alnum, 30, 40, 40, "Linear", "gitleaks:linear-api-key"},
	{"lin_oauth_", alnum, 40, 64, 64, "Linear", "https://linear.app/developers/oauth-2-0-authentication"},
	{"ntn_", alnum, 30, 46, 46, "Notion", "gitleaks:notion-api-token"},
	{"secret_", alnum, 40, 43, 43, "Notion", "trufflehog:notion"},
	{"figd_", wordChar, 30, 40, 40, "Figma", "trufflehog:figmapersonalaccesstoken"},
	{"sbp_", alnum, 30, 40, 40, "Supabase", "trufflehog:supabasetoken"},
	{"sb_secret_", wordChar, 20, 31, 31, "Supabase", "https://supabase.com/docs/guides/api/api-keys"},
	{"napi_", alnum, 30, 64, 64, "Neon", "https://neon.com/docs/manage/api-keys"},
	{"pscale_tkn_", wordChar + ".", 30, 32, 64, "PlanetScale", "gitleaks:planetscale-api-token"},
	{"pscale_oauth_", wordChar + ".", 30, 32, 64, "PlanetScale", "gitleaks:planetscale-oauth-token"},
	{"pscale_pw_", wordChar + ".", 30, 32, 64, "PlanetScale", "gitleaks:planetscale-password"},
	{"shpat_", anyHex, 0, 32, 32, "Shopify", shopifyTokens},
	{"shpat_", alnum, 30, 0, 0, "Shopify", shopifyTokens},
	{"shpca_", alnum, 30, 32, 32, "Shopify", shopifyTokens},
	{"shppa_", alnum, 30, 32, 32, "Shopify", shopifyTokens},
	{"shpss_", alnum, 30, 32, 32, "Shopify", shopifyTokens},
	{"tvly-dev-", alnum, 20, 32, 32, "Tavily", "https://docs.tavily.com/documentation/api-reference/introduction"},
	{"tvly-", alnum, 0, 32, 32, "Tavily", "https://docs.tavily.com/documentation/api-reference/introduction"},
	{"tvly-", alnum + "-", 20, 0, 0, "Tavily", "https://docs.tavily.com/documentation/api-reference/introduction"},
	{"fc-", hex, 0, 32, 32, "Firecrawl", "https://docs.firecrawl.dev/api-reference/introduction"},
	{"fc-", alnum, 30, 0, 0, "Firecrawl", "https://docs.firecrawl.dev/api-reference/introduction"},
	{"ctx7sk-", hex + "-", 20, 36, 36, "Context7", "https://context7.com/docs/howto/api-keys"},
	{"ctx7sk-", alnum + "-", 20, 0, 0, "Context7", "https://context7.com/docs/howto/api-keys"},
	{"pplx-", alnum, 30, 48, 56, "Perplexity", "gitleaks:perplexity-api-key"},
	{"gsk_", alnum, 30, 52, 52, "Groq", "trufflehog:groq"},
	{"xai-", alnum + "_", 40, 80, 80, "xAI", "trufflehog:xai"},
	{"jina_", wordChar, 40, 60, 60, "Jina", "https://jina.ai/reader/"},
	{"lsv2_", hex + "ptsk_", 32, 46, 46, "LangSmith", "trufflehog:langsmith"},
	{"lsv2_", alnum + "_", 32, 0, 0, "LangSmith", "trufflehog:langsmith"},
	{"nvapi-", wordChar, 40, 64, 64, "NVIDIA", "trufflehog:nvapi"},
	{"r8_", wordChar, 30, 37, 37, "Replicate", "trufflehog:replicate"},
	{"e2b_", alnum, 36, 40, 40, "E2B", "https://e2b.dev/docs/api-key"},
	{"bb_live_", wordChar, 20, 27, 27, "Browserbase", "https://docs.browserbase.com/reference/introduction"},
	{"pat", alnum + ".", 79, 79, 79, "Airtable", "gitleaks:airtable-personnal-access-token"},
	{"apify_api_", alnum, 30, 36, 36, "Apify", "trufflehog:apify"},
	{"phx_", alnum + "_", 30, 43, 48, "PostHog", "trufflehog:posthog"},
	{"sntrys_", alnum + "_=+/", 30, 197, 250, "Sentry", "trufflehog:sentryorgtoken"},
	{"sntryu_", alnum, 30, 64, 64, "Sentry", "gitleaks:sentry-user-token"},
	{"glsa_", alnum + "_", 30, 41, 41, "Grafana", "gitleaks:grafana-service-account-token"},
	{"glc_", alnum + "+/=", 32, 32, 400, "Grafana", "gitleaks:grafana-cloud-api-token"},
	{"dt0c01.", alnum + ".", 60, 89, 89, "Dynatrace", "gitleaks:dynatrace-api-token"},
	{"NRAK-", alnum, 27, 27, 27, "New Relic", "gitleaks:new-relic-user-api-key"},
	{"dapi", hex, 0, 32, 32, "Databricks", "gitleaks:databricks-api-token"},
	{"dapi", alnum, 32, 0, 0, "Databricks", "gitleaks:databricks-api-token"},
	{"SG.", wordChar + ".", 40, 66, 66, "SendGrid", "gitleaks:sendgrid-api-token"},
	{"xkeysib-", alnum + "-", 60, 81, 81, "Brevo", "gitleaks:sendinblue-api-token"},
	{"key-", hex, 0, 32, 32, "Mailgun", "gitleaks:mailgun-private-api-token"},
	{"re_", alnum + "_", 0, 33, 33, "Resend", "https://resend.com/docs/dashboard/api-keys/introduction"},
	{"PMAK-", anyHex + "-", 40, 59, 59, "Postman", "gitleaks:postman-api-token"},
	{"PMAK-", alnum + "-", 40, 0, 0, "Postman", "gitleaks:postman-api-token"},
	{"sgp_", alnum + "_", 40, 40, 61, "Sourcegraph", "gitleaks:sourcegraph-access-token"},
	{"pcsk_", alnum + "_", 50, 68, 76, "Pinecone", "https://docs.pinecone.io/guides/projects/manage-api-keys"},
	{"BSA", wordChar, 28, 28, 28, "Brave Search", "https://api-dashboard.search.brave.com/documentation/guides/authentication"},
	{"nfp_", alnum + "_", 30, 36, 36, "Netlify", "trufflehog:netlify"},
	{"pk_", digits + uppers + "_", 0, 40, 42, "ClickUp", "trufflehog:clickuppersonaltoken"},
	{"AGE-SECRET-KEY-", digits + uppers, 40, 59, 59, "age", "https://github.com/C2SP/C2SP/blob/main/age.md"},
	{"eyJ", wordChar + ".=", 40, 0, 0, "JSON Web Token", "https://www.rfc-editor.org/rfc/rfc7519"},
}
