package secret

// form is what the tokens of one issuer look like: a prefix that is safe to show,
// and the rest, which is not.
type form struct {
	prefix string
	// alphabet is the characters of the rest.
	alphabet string
	// least is the length of the shortest rest that is believed to be of a token if
	// it looks like one, 0 if looks do not count.
	least int
	// min and max are the lengths that the issuer gives to the rest, 0 if it publishes none. A text
	// of such a length is a token, regardless of how it looks.
	min, max int
	issuer   string
	// source says what the form rests on: the rule of a scanner, "gitleaks:ID" of its
	// config/gitleaks.toml, "trufflehog:NAME" of its pkg/detectors, "kingfisher:NAME" of
	// its data/rules; else a page that shows the prefix; else publicExamples. Without a
	// rule the lengths are those of tokens in public, and a row with least takes others.
	source string
}

// The characters of the rests of tokens.
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

// publicExamples is the source of a form that no page and no rule of a scanner shows: public files
// have tokens of it, and the rules of other tools agree on it.
const publicExamples = "public examples"

// forms are the forms of tokens with a prefix that lets scanners find them, for the tokens that MCP
// servers get. Of two prefixes that begin alike, the longer comes first; of two rows with one
// prefix, the first that fits counts.
var forms = [...]form{
	{"AKIA", digits + uppers, 16, 16, 16, "AWS", "gitleaks:aws-access-token"},
	{"ASIA", digits + uppers, 16, 16, 16, "AWS", "gitleaks:aws-access-token"},
	{"ABSK", alnum + "+/=", 60, 109, 271, "Amazon Bedrock", "gitleaks:aws-amazon-bedrock-api-key-long-lived"},
	{"AIza", wordChar, 30, 35, 35, "Google", "gitleaks:gcp-api-key"},
	{"ya29.", wordChar, 30, 30, 2048, "Google", "trufflehog:googleoauth2"},
	{"AQ.", wordChar, 40, 50, 50, "Google", "https://ai.google.dev/gemini-api/docs/api-key"},
	{"GOCSPX-", wordChar, 20, 28, 28, "Google", "kingfisher:google"},

	{"ghp_", alnum, 30, 36, 255, "GitHub", "trufflehog:github"},
	{"gho_", alnum, 30, 36, 255, "GitHub", "trufflehog:github"},
	{"ghu_", alnum, 30, 36, 255, "GitHub", "trufflehog:github"},
	{"ghs_", alnum, 30, 36, 255, "GitHub", "trufflehog:github"},
	{"ghr_", alnum, 30, 36, 255, "GitHub", "trufflehog:github"},
	{"github_pat_", alnum + "_", 22, 82, 82, "GitHub", "gitleaks:github-fine-grained-pat"},
	{"glpat-", wordChar + ".", 0, 37, 310, "GitLab", "gitleaks:gitlab-pat-routable"},
	{"glpat-", wordChar, 20, 20, 20, "GitLab", "gitleaks:gitlab-pat"},
	{"glptt-", wordChar, 20, 40, 40, "GitLab", "gitleaks:gitlab-ptt"},
	{"glrt-", wordChar + ".", 0, 40, 313, "GitLab", "gitleaks:gitlab-runner-authentication-token-routable"},
	{"glrt-", wordChar, 20, 20, 23, "GitLab", "gitleaks:gitlab-runner-authentication-token"},
	{"gldt-", wordChar, 20, 20, 20, "GitLab", "gitleaks:gitlab-deploy-token"},
	{"glft-", wordChar, 20, 20, 20, "GitLab", "gitleaks:gitlab-feed-token"},
	{"glsoat-", wordChar, 20, 20, 20, "GitLab", "gitleaks:gitlab-scim-token"},
	{"glffct-", wordChar, 20, 20, 20, "GitLab", "gitleaks:gitlab-feature-flag-client-token"},
	{"glcbt-", wordChar, 20, 22, 26, "GitLab", "gitleaks:gitlab-cicd-job-token"},
	{"glimt-", wordChar, 20, 25, 25, "GitLab", "gitleaks:gitlab-incoming-mail-token"},
	{"glagent-", wordChar, 30, 50, 50, "GitLab", "gitleaks:gitlab-kubernetes-agent-token"},
	{"gloas-", wordChar, 30, 64, 64, "GitLab", "gitleaks:gitlab-oauth-app-secret"},
	{"ATATT3", wordChar + "=", 40, 186, 186, "Atlassian", "gitleaks:atlassian-api-token"},

	{"sk-ant-", wordChar, 20, 95, 120, "Anthropic", "gitleaks:anthropic-api-key"},
	{"sk-proj-", wordChar, 20, 48, 170, "OpenAI", "gitleaks:openai-api-key"},
	{"sk-svcacct-", wordChar, 20, 48, 170, "OpenAI", "gitleaks:openai-api-key"},
	{"sk-admin-", wordChar, 20, 48, 170, "OpenAI", "gitleaks:openai-api-key"},
	{"sk-or-v1-", hex, 20, 64, 64, "OpenRouter", "trufflehog:openrouter"},
	{"sk-or-", wordChar, 20, 0, 0, "OpenRouter", "trufflehog:openrouter"},
	{"sk-lf-", hex + "-", 20, 36, 36, "Langfuse", "trufflehog:langfuse"},
	{"sk-", alnum, 0, 48, 48, "OpenAI", "gitleaks:openai-api-key"},
	{"sk-", digits + lowers, 0, 32, 32, "DeepSeek", "trufflehog:deepseek"},
	{"sk-", wordChar, 20, 0, 0, "OpenAI and compatible", "gitleaks:openai-api-key"},
	{"sk_live_", alnum, 16, 20, 247, "Stripe", "trufflehog:stripe"},
	{"sk_test_", alnum, 16, 20, 99, "Stripe", "gitleaks:stripe-access-token"},
	{"rk_live_", alnum, 16, 20, 247, "Stripe", "trufflehog:stripe"},
	{"rk_test_", alnum, 16, 20, 99, "Stripe", "gitleaks:stripe-access-token"},
	{"whsec_", alnum + "+/=", 24, 32, 88, "Stripe, Standard Webhooks", "https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md"},
	{"sk_", hex, 0, 48, 48, "ElevenLabs", "trufflehog:elevenlabs"},
	{"sk_", alnum, 40, 0, 0, "ElevenLabs", "trufflehog:elevenlabs"},

	{"SK", hex, 0, 32, 32, "Twilio", "gitleaks:twilio-api-key"},

	{"xoxb-", alnum + "-", 16, 40, 60, "Slack", "gitleaks:slack-bot-token"},
	{"xoxp-", alnum + "-", 16, 61, 76, "Slack", "gitleaks:slack-user-token"},
	{"xoxa-", alnum + "-", 16, 0, 0, "Slack", "gitleaks:slack-legacy-workspace-token"},
	{"xoxr-", alnum + "-", 16, 0, 0, "Slack", "gitleaks:slack-legacy-workspace-token"},
	{"xoxs-", alnum + "-", 16, 0, 0, "Slack", "gitleaks:slack-legacy-token"},
	{"xoxc-", alnum + "-", 16, 90, 110, "Slack", "https://github.com/korotovsky/slack-mcp-server/blob/master/docs/01-authentication-setup.md"},
	{"xoxd-", wordChar + "%+/=", 30, 0, 0, "Slack", "https://github.com/korotovsky/slack-mcp-server/blob/master/docs/01-authentication-setup.md"},
	{"xoxe-", alnum + "-.", 16, 148, 148, "Slack", "gitleaks:slack-config-refresh-token"},
	{"xoxe.", alnum + "-", 30, 170, 173, "Slack", "gitleaks:slack-config-access-token"},
	{"xapp-", alnum + "-", 16, 80, 102, "Slack", "kingfisher:slack"},

	{"npm_", alnum, 30, 36, 36, "npm", "gitleaks:npm-access-token"},
	{"pypi-", wordChar, 40, 66, 300, "PyPI", "gitleaks:pypi-upload-token"},
	{"rubygems_", hex, 40, 48, 48, "RubyGems", "gitleaks:rubygems-api-token"},
	{"rubygems_", alnum, 40, 0, 0, "RubyGems", "gitleaks:rubygems-api-token"},
	{"dckr_pat_", wordChar, 24, 27, 27, "Docker Hub", "trufflehog:dockerhub"},
	{"dckr_oat_", wordChar, 24, 32, 32, "Docker Hub", "trufflehog:dockerhub"},
	{"hf_", alnum, 30, 34, 34, "Hugging Face", "trufflehog:huggingface"},
	{"api_org_", alnum, 30, 34, 34, "Hugging Face", "trufflehog:huggingface"},
	{"dop_v1_", alnum, 40, 64, 64, "DigitalOcean", "gitleaks:digitalocean-pat"},
	{"doo_v1_", alnum, 40, 64, 64, "DigitalOcean", "gitleaks:digitalocean-access-token"},
	{"dor_v1_", alnum, 40, 64, 64, "DigitalOcean", "gitleaks:digitalocean-refresh-token"},
	{"HRKU-AA", wordChar, 30, 58, 58, "Heroku", "gitleaks:heroku-api-key-v2"},
	{"dp.st.", wordChar + ".", 30, 40, 80, "Doppler", "trufflehog:doppler"},
	{"dp.pt.", alnum, 30, 40, 44, "Doppler", "trufflehog:doppler"},
	{"dp.ct.", alnum, 30, 40, 44, "Doppler", "trufflehog:doppler"},
	{"dp.sa.", alnum, 30, 40, 44, "Doppler", "trufflehog:doppler"},
	{"hvs.", wordChar, 24, 90, 120, "HashiCorp Vault", "gitleaks:vault-service-token"},
	{"hvb.", wordChar, 60, 138, 300, "HashiCorp Vault", "gitleaks:vault-batch-token"},
	{"ops_eyJ", alnum + "+/=", 60, 250, 2048, "1Password", "gitleaks:1password-service-account-token"},
	{"pul-", hex, 0, 40, 40, "Pulumi", "gitleaks:pulumi-api-token"},
	{"pul-", alnum, 40, 0, 0, "Pulumi", "gitleaks:pulumi-api-token"},
	{"lin_api_", alnum, 30, 40, 40, "Linear", "gitleaks:linear-api-key"},
	{"lin_oauth_", alnum, 40, 64, 64, "Linear", publicExamples},
	{"ntn_", alnum, 30, 46, 46, "Notion", "gitleaks:notion-api-token"},
	{"secret_", alnum, 40, 43, 43, "Notion", "trufflehog:notion"},
	{"figd_", wordChar, 30, 40, 40, "Figma", "trufflehog:figmapersonalaccesstoken"},
	{"sbp_", alnum, 30, 40, 40, "Supabase", "trufflehog:supabasetoken"},
	{"sb_secret_", wordChar, 20, 31, 31, "Supabase", "https://www.supabase.com/docs/guides/getting-started/api-keys"},
	{"napi_", alnum, 30, 64, 64, "Neon", publicExamples},
	{"pscale_tkn_", wordChar + ".", 30, 32, 64, "PlanetScale", "gitleaks:planetscale-api-token"},
	{"pscale_oauth_", wordChar + ".", 30, 32, 64, "PlanetScale", "gitleaks:planetscale-oauth-token"},
	{"pscale_pw_", wordChar + ".", 30, 32, 64, "PlanetScale", "gitleaks:planetscale-password"},
	{"shpat_", anyHex, 0, 32, 32, "Shopify", "gitleaks:shopify-access-token"},
	{"shpat_", alnum, 30, 0, 0, "Shopify", "gitleaks:shopify-access-token"},
	{"shpca_", alnum, 30, 32, 32, "Shopify", "gitleaks:shopify-custom-access-token"},
	{"shppa_", alnum, 30, 32, 32, "Shopify", "gitleaks:shopify-private-app-access-token"},
	{"shpss_", alnum, 30, 32, 32, "Shopify", "gitleaks:shopify-shared-secret"},
	{"tvly-dev-", alnum, 20, 32, 32, "Tavily", "https://docs.tavily.com/api-reference/introduction"},
	{"tvly-", alnum, 0, 32, 32, "Tavily", "https://docs.tavily.com/api-reference/introduction"},
	{"tvly-", alnum + "-", 20, 0, 0, "Tavily", "https://docs.tavily.com/api-reference/introduction"},
	{"fc-", hex, 0, 32, 32, "Firecrawl", "https://docs.firecrawl.dev/authentication"},
	{"fc-", alnum, 30, 0, 0, "Firecrawl", "https://docs.firecrawl.dev/authentication"},
	{"ctx7sk-", hex + "-", 20, 36, 36, "Context7", "https://context7.mintlify.dev/docs/howto/api-keys"},
	{"ctx7sk-", alnum + "-", 20, 0, 0, "Context7", "https://context7.mintlify.dev/docs/howto/api-keys"},
	{"pplx-", alnum, 30, 48, 48, "Perplexity", "gitleaks:perplexity-api-key"},
	{"gsk_", alnum, 30, 52, 52, "Groq", "trufflehog:groq"},
	{"xai-", alnum + "_", 40, 80, 80, "xAI", "trufflehog:xai"},
	{"jina_", wordChar, 40, 60, 60, "Jina", publicExamples},
	{"lsv2_", hex + "ptsk_", 32, 46, 46, "LangSmith", "trufflehog:langsmith"},
	{"lsv2_", alnum + "_", 32, 0, 0, "LangSmith", "trufflehog:langsmith"},
	{"nvapi-", wordChar, 40, 64, 64, "NVIDIA", "trufflehog:nvapi"},
	{"r8_", wordChar, 30, 37, 37, "Replicate", "trufflehog:replicate"},
	{"e2b_", alnum, 36, 40, 40, "E2B", publicExamples},
	{"bb_live_", wordChar, 20, 27, 27, "Browserbase", publicExamples},
	{"pat-na1-", alnum + "-", 30, 36, 36, "HubSpot", "trufflehog:hubspot_apikey"},
	{"pat-eu1-", alnum + "-", 30, 36, 36, "HubSpot", "trufflehog:hubspot_apikey"},
	{"pat", alnum + ".", 79, 79, 79, "Airtable", "gitleaks:airtable-personnal-access-token"},
	{"apify_api_", alnum, 30, 36, 36, "Apify", "trufflehog:apify"},
	{"phx_", alnum + "_", 30, 43, 48, "PostHog", "trufflehog:posthog"},
	{"sntrys_", alnum + "_=+/", 30, 89, 471, "Sentry", "gitleaks:sentry-org-token"},
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
	{"re_", alnum + "_", 33, 33, 33, "Resend", publicExamples},
	{"PMAK-", anyHex + "-", 40, 59, 59, "Postman", "gitleaks:postman-api-token"},
	{"PMAK-", alnum + "-", 40, 0, 0, "Postman", "gitleaks:postman-api-token"},
	{"sgp_", alnum + "_", 40, 40, 57, "Sourcegraph", "gitleaks:sourcegraph-access-token"},
	{"slk_", hex, 40, 64, 64, "Sourcegraph", "trufflehog:sourcegraphcody"},
	{"squ_", digits + lowers, 30, 40, 40, "SonarQube", "gitleaks:sonar-api-token"},
	{"sqp_", digits + lowers, 30, 40, 40, "SonarQube", "gitleaks:sonar-api-token"},
	{"sqa_", digits + lowers, 30, 40, 40, "SonarQube", "gitleaks:sonar-api-token"},
	{"sq0atp-", wordChar, 0, 22, 22, "Square", "gitleaks:square-access-token"},
	{"sq0csp-", wordChar, 30, 40, 50, "Square", "trufflehog:squareapp"},
	{"pcsk_", alnum + "_", 50, 69, 70, "Pinecone", "trufflehog:pinecone"},
	{"BSA", wordChar, 28, 28, 28, "Brave Search", publicExamples},
	{"nfp_", alnum + "_", 30, 36, 36, "Netlify", "trufflehog:netlify"},
	{"pk_", digits + uppers + "_", 0, 40, 42, "ClickUp", "trufflehog:clickuppersonaltoken"},
	{"AGE-SECRET-KEY-", digits + uppers, 40, 59, 59, "age", "kingfisher:age"},
	{"eyJ", wordChar + ".=", 40, 0, 0, "JSON Web Token", "https://www.rfc-editor.org/rfc/rfc7519"},
}
