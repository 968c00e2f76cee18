package secret

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
)

// shape is what tokens of one issuer look like: a prefix that is safe to
// show, and the rest, which is not.
type shape struct {
	prefix string
	// min is the shortest rest; extra are the characters allowed in it beside
	// letters and digits.
	min   int
	extra string
}

// shapes are the token forms that issuers document so that scanners can find
// them. Of two prefixes that begin alike, the longer stands first.
var shapes = [...]shape{
	{"AKIA", 16, ""}, {"ASIA", 16, ""}, // AWS access key ids
	{"AIza", 30, "-_"}, {"ya29.", 30, "-_"}, // Google
	{"ghp_", 30, ""}, {"gho_", 30, ""}, {"ghu_", 30, ""}, {"ghs_", 30, ""}, {"ghr_", 30, ""}, // GitHub
	{"github_pat_", 22, "_"},
	{"glpat-", 20, "-_."}, {"glptt-", 40, ""}, {"glrt-", 20, "-_."}, {"gldt-", 20, "-_"}, // GitLab
	{"ATATT3", 40, "-_="},                                                                  // Atlassian
	{"sk-ant-", 20, "-_"},                                                                  // Anthropic
	{"sk-proj-", 20, "-_"},                                                                 // OpenAI
	{"sk-or-", 20, "-_"},                                                                   // OpenRouter
	{"sk-", 20, "-_"},                                                                      // OpenAI and compatible
	{"sk_live_", 16, ""}, {"sk_test_", 16, ""}, {"rk_live_", 16, ""}, {"rk_test_", 16, ""}, // Stripe
	{"sk_", 40, ""},                                                                // ElevenLabs
	{"xoxb-", 16, "-"}, {"xoxp-", 16, "-"}, {"xoxa-", 16, "-"}, {"xoxs-", 16, "-"}, // Slack
	{"xoxc-", 16, "-"}, {"xoxe-", 16, "-."}, {"xapp-", 16, "-"},
	{"npm_", 30, ""},                                              // npm
	{"pypi-", 40, "-_"},                                           // PyPI
	{"rubygems_", 40, ""},                                         // RubyGems
	{"dckr_pat_", 24, "-_"},                                       // Docker Hub
	{"hf_", 30, ""},                                               // Hugging Face
	{"dop_v1_", 40, ""}, {"doo_v1_", 40, ""}, {"dor_v1_", 40, ""}, // DigitalOcean
	{"dp.st.", 30, "._"}, {"dp.pt.", 30, ""}, // Doppler
	{"hvs.", 24, "-_"}, {"hvb.", 60, "-_"}, // Vault
	{"ops_eyJ", 60, "+/="},                       // 1Password service accounts
	{"pul-", 40, ""},                             // Pulumi
	{"lin_api_", 30, ""}, {"lin_oauth_", 40, ""}, // Linear
	{"ntn_", 30, ""}, {"secret_", 40, ""}, // Notion
	{"figd_", 30, "-_"},                        // Figma
	{"sbp_", 30, ""}, {"sb_secret_", 20, "-_"}, // Supabase
	{"napi_", 30, ""},                                     // Neon
	{"pscale_tkn_", 30, "-_."}, {"pscale_pw_", 30, "-_."}, // PlanetScale
	{"shpat_", 30, ""}, {"shpca_", 30, ""}, {"shppa_", 30, ""}, {"shpss_", 30, ""}, // Shopify
	{"whsec_", 24, "+/="},                        // webhook signing secrets
	{"tvly-", 20, "-"},                           // Tavily
	{"fc-", 30, ""},                              // Firecrawl
	{"ctx7sk-", 20, "-"},                         // Context7
	{"pplx-", 30, ""},                            // Perplexity
	{"gsk_", 30, ""},                             // Groq
	{"xai-", 40, ""},                             // xAI
	{"jina_", 40, "-_"},                          // Jina
	{"lsv2_", 32, "_"},                           // LangSmith
	{"nvapi-", 40, "-_"},                         // NVIDIA
	{"r8_", 30, ""},                              // Replicate
	{"e2b_", 36, ""},                             // E2B
	{"bb_live_", 20, "-_"},                       // Browserbase
	{"pat", 79, "."},                             // Airtable
	{"apify_api_", 30, ""},                       // Apify
	{"phx_", 30, ""},                             // PostHog personal keys
	{"sntrys_", 30, "_=+/"}, {"sntryu_", 30, ""}, // Sentry
	{"glsa_", 30, "_"}, {"glc_", 32, "+/="}, // Grafana
	{"dt0c01.", 60, "."},        // Dynatrace
	{"NRAK-", 27, ""},           // New Relic
	{"dapi", 32, ""},            // Databricks
	{"SG.", 40, "-_."},          // SendGrid
	{"xkeysib-", 60, "-"},       // Brevo
	{"PMAK-", 40, "-"},          // Postman
	{"sgp_", 40, "_"},           // Sourcegraph
	{"BSA", 28, "-_"},           // Brave Search
	{"AGE-SECRET-KEY-", 40, ""}, // age
	{"eyJ", 40, "-_.="},         // JSON Web Tokens
}

// shortest is the length of the shortest token there is: an AWS access key id.
const shortest = 20

// judged is how much of a token's random part is looked at before it is
// believed, so that hostile text costs no more than its length.
const judged = 256

// tokenAt returns the length of the prefix and of the whole of a token that
// begins at i, which must be the start of a word.
func tokenAt(text string, i int) (prefix, length int, ok bool) {
	if len(text)-i < shortest {
		return 0, 0, false
	}
	for k := range shapes {
		s := &shapes[k]
		if s.prefix[0] != text[i] || !strings.HasPrefix(text[i:], s.prefix) {
			continue
		}
		start := i + len(s.prefix)
		end := s.run(text, start, min(start+judged, len(text)))
		if rest := text[start:end]; len(rest) >= s.min && looksIssued(rest) {
			return len(s.prefix), s.run(text, end, len(text)) - i, true
		}
	}
	return 0, 0, false
}

// cutTokenAt returns the length of the prefix of a token that begins at i and is
// cut off by the end of the text, as in a file that ends in the middle.
func cutTokenAt(text string, i int) (prefix int, ok bool) {
	if len(text)-i > judged {
		return 0, false
	}
	for k := range shapes {
		s := &shapes[k]
		if s.prefix[0] != text[i] || len(s.prefix) < 3 || !strings.HasPrefix(text[i:], s.prefix) {
			continue
		}
		start := i + len(s.prefix)
		if rest := text[start:]; len(rest) >= 8 && s.run(text, start, len(text)) == len(text) && hasRandomRun(rest) {
			return len(s.prefix), true
		}
	}
	return 0, false
}

// run returns the end of the characters of a token's random part from start
// on, and before limit.
func (s *shape) run(text string, start, limit int) int {
	for start < limit && (ascii.IsAlphanumeric(text[start]) || strings.IndexByte(s.extra, text[start]) >= 0) {
		start++
	}
	return start
}

// isUpperCase reports whether a text is of capitals alone, as the random part of
// an AWS key may be.
func isUpperCase(text string) bool {
	return strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// looksIssued tells a token's random part from words and fillers: it is of
// many characters, digits or a wild mix of letters among them, and says nothing.
func looksIssued(rest string) bool {
	digit := strings.ContainsAny(rest, "0123456789")
	return (digit || hasRandomRun(rest) || isUpperCase(rest)) && distinct(rest) >= 8 && !hasFillerRun(rest) && !saysPlaceholder(rest)
}
