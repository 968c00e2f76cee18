package secret

import (
	"flag"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// issuedForms are tokens as their issuers describe them, independent of the table: a class in
// brackets with its count, anything else literally.
var issuedForms = []string{
	"AKIA[2-7A-Z]{16}", "ASIA[2-7A-Z]{16}", "AIza[0-9A-Za-z_-]{35}", "ya29.[0-9A-Za-z_-]{180}", "GOCSPX-[0-9A-Za-z_-]{28}",
	"ghp_[0-9A-Za-z]{36}", "gho_[0-9A-Za-z]{36}", "ghu_[0-9A-Za-z]{36}", "ghs_[0-9A-Za-z]{36}", "ghr_[0-9A-Za-z]{76}",
	"github_pat_[0-9A-Za-z]{22}_[0-9A-Za-z]{59}", "glpat-[0-9A-Za-z_-]{20}", "glptt-[0-9a-f]{40}", "glrt-[0-9A-Za-z_-]{20}",
	"gldt-[0-9A-Za-z_-]{20}", "ATATT3[0-9A-Za-z_-]{177}=[0-9A-F]{8}",
	"sk-ant-api03-[0-9A-Za-z_-]{93}AA", "sk-ant-admin01-[0-9A-Za-z_-]{93}AA", "sk-[0-9A-Za-z]{20}T3BlbkFJ[0-9A-Za-z]{20}",
	"sk-proj-[0-9A-Za-z_-]{74}T3BlbkFJ[0-9A-Za-z_-]{74}", "sk-proj-[0-9A-Za-z_-]{58}T3BlbkFJ[0-9A-Za-z_-]{58}",
	"sk-svcacct-[0-9A-Za-z_-]{58}T3BlbkFJ[0-9A-Za-z_-]{58}", "sk-or-v1-[0-9a-f]{64}", "sk-[0-9a-f]{32}",
	"sk-lf-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "sk_[0-9a-f]{48}",
	"sk_live_[0-9A-Za-z]{24}", "sk_test_[0-9A-Za-z]{24}", "rk_live_[0-9A-Za-z]{24}", "sk_live_[0-9A-Za-z]{99}", "whsec_[0-9A-Za-z]{32}", "whsec_[0-9A-Za-z+/]{44}", "glc_[0-9A-Za-z+/]{120}",
	"xoxb-[0-9]{12}-[0-9]{13}-[0-9A-Za-z]{24}", "xoxp-[0-9]{12}-[0-9]{12}-[0-9]{13}-[0-9a-f]{32}", "xapp-1-A[0-9A-Z]{10}-[0-9]{13}-[0-9a-f]{64}",
	"npm_[0-9A-Za-z]{36}", "pypi-AgEIcHlwaS5vcmc[0-9A-Za-z_-]{140}", "rubygems_[0-9a-f]{48}", "dckr_pat_[0-9A-Za-z_-]{27}",
	"dckr_oat_[0-9A-Za-z_-]{32}", "hf_[A-Za-z]{34}", "api_org_[A-Za-z]{34}", "dop_v1_[0-9a-f]{64}", "dp.pt.[0-9A-Za-z]{43}",
	"hvs.[0-9A-Za-z_-]{95}", "hvb.[0-9A-Za-z_-]{150}", "pul-[0-9a-f]{40}", "lin_api_[0-9A-Za-z]{40}", "lin_oauth_[0-9a-f]{64}",
	"ntn_[0-9]{11}[0-9A-Za-z]{35}", "secret_[0-9A-Za-z]{43}", "figd_[0-9A-Za-z_-]{40}", "sbp_[0-9a-f]{40}",
	"sb_secret_[0-9A-Za-z_-]{22}_[0-9A-Za-z_-]{8}", "napi_[0-9a-z]{64}", "pscale_tkn_[0-9A-Za-z_-]{43}", "pscale_pw_[0-9A-Za-z_-]{43}",
	"shpat_[0-9a-f]{32}", "shpca_[0-9a-f]{32}", "shppa_[0-9a-f]{32}", "shpss_[0-9a-f]{32}", "tvly-[0-9A-Za-z]{32}", "tvly-dev-[0-9A-Za-z]{32}",
	"fc-[0-9a-f]{32}", "ctx7sk-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "pplx-[0-9A-Za-z]{48}", "gsk_[0-9A-Za-z]{52}",
	"xai-[0-9A-Za-z]{80}", "jina_[0-9a-f]{32}[0-9A-Za-z_-]{28}", "lsv2_pt_[0-9a-f]{32}_[0-9a-f]{10}", "lsv2_sk_[0-9a-f]{32}_[0-9a-f]{10}",
	"nvapi-[0-9A-Za-z_-]{64}", "r8_[0-9A-Za-z]{37}", "e2b_[0-9a-f]{40}", "bb_live_[0-9A-Za-z_-]{27}", "pat[0-9A-Za-z]{14}.[0-9a-f]{64}",
	"apify_api_[0-9A-Za-z]{36}", "phx_[0-9A-Za-z]{43}", "sntryu_[0-9a-f]{64}", "glsa_[0-9A-Za-z]{32}_[0-9a-f]{8}",
	"dt0c01.[0-9A-Z]{24}.[0-9A-Z]{64}", "NRAK-[0-9A-Z]{27}", "dapi[0-9a-f]{32}", "SG.[0-9A-Za-z_-]{22}.[0-9A-Za-z_-]{43}",
	"xkeysib-[0-9a-f]{64}-[0-9A-Za-z]{16}", "key-[0-9a-f]{32}", "re_[0-9A-Za-z]{8}_[0-9A-Za-z]{24}", "PMAK-[0-9a-f]{24}-[0-9a-f]{34}",
	"sgp_[0-9a-f]{40}", "pcsk_[0-9A-Za-z]{6}_[0-9A-Za-z]{63}", "BSA[0-9A-Za-z_-]{28}", "nfp_[0-9A-Za-z]{36}", "pk_[0-9]{8}_[0-9A-Z]{32}",
	"AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}",
	"glpat-[0-9A-Za-z_-]{27}.01.[0-9a-z]{7}", "glrt-t1_[0-9A-Za-z_-]{27}.01.[0-9a-z]{7}", "glrt-t1_[0-9A-Za-z_-]{20}",
	"glptt-[0-9a-f]{40}", "glsoat-[0-9A-Za-z_-]{20}", "glcbt-[0-9a-f]{2}_[0-9A-Za-z_-]{20}", "glimt-[0-9A-Za-z_-]{25}", "glagent-[0-9A-Za-z_-]{50}",
	"sk-[0-9a-z]{32}", "xoxc-[0-9]{12}-[0-9]{12}-[0-9]{13}-[0-9a-f]{64}", "xoxe-1-[0-9A-Z]{146}", "xoxe.xoxp-1-[0-9A-Z]{163}", "xoxe.xoxb-1-[0-9A-Z]{166}",
	"hf_[0-9A-Za-z]{34}", "dp.st.dev.[0-9A-Za-z]{43}", "dp.st.[0-9A-Za-z]{40}",
	"sntrys_eyJpYXQiO[0-9A-Za-z]{60}LCJyZWdpb25fdXJs[0-9A-Za-z]{60}_[0-9A-Za-z+/]{43}",
	"ABSK[0-9A-Za-z+/]{109}", "HRKU-AA[0-9A-Za-z_-]{58}", "pat-na1-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
	"AQ.Ab8RN6[0-9A-Za-z_-]{44}", "sq0atp-[0-9A-Za-z_-]{22}", "SK[0-9a-f]{32}", "1[0-9]{9}:AA[0-9A-Za-z_-]{33}", "8[0-9]{7}:AA[0-9A-Za-z_-]{33}",
	"[0-9A-Za-z]{14}.atlasv1.[0-9A-Za-z_-]{67}", "MTAwMDAwMDAwMDAwMDAwMDAw.G[0-9A-Za-z_-]{5}.[0-9A-Za-z_-]{38}", "MTIzNDAwMDAwMDAwMDAwMDAwMDA.X[0-9A-Za-z_-]{5}.[0-9A-Za-z_-]{27}",
	"slk_[0-9a-f]{64}", "squ_[0-9a-f]{40}", "sqp_[0-9a-f]{40}", "sq0csp-[0-9A-Za-z_-]{43}", "sgp_local_[0-9a-f]{40}", "sgp_[0-9a-f]{16}_[0-9a-f]{40}",
}

// tokensOfAForm is how many random tokens of each form are tried. A form that is not
// known by its length misses one of a hundred: 200 show that, 3,000 measure it.
var tokensOfAForm = flag.Int("tokens", 200, "random tokens to try of each form")

// part is a piece of a form: a text, or how many random characters of an alphabet.
type part struct {
	text  string
	count int
}

// parseForm returns the parts of a form of issuedForms.
func parseForm(form string) (parts []part) {
	for form != "" {
		text, rest, _ := strings.Cut(form, "[")
		class, rest, _ := strings.Cut(rest, "]{")
		count, rest, _ := strings.Cut(rest, "}")
		n, _ := strconv.Atoi(count)
		parts = append(parts, part{text: text}, part{expand(class), n})
		form = rest
	}
	return parts
}

// makeToken returns a random token of a form.
func makeToken(r *rand.Rand, form []part) string {
	token := make([]byte, 0, 256)
	for _, p := range form {
		if p.count == 0 {
			token = append(token, p.text...)
		}
		for range p.count {
			token = append(token, p.text[r.IntN(len(p.text))])
		}
	}
	return string(token)
}

// expand returns the characters of a class: "0-9a-f_".
func expand(class string) string {
	var all []byte
	for i := 0; i < len(class); i++ {
		if i+2 < len(class) && class[i+1] == '-' {
			for c := class[i]; c <= class[i+2]; c++ {
				all = append(all, c)
			}
			i += 2
			continue
		}
		all = append(all, class[i])
	}
	return string(all)
}

func pick(r *rand.Rand, alphabet string, n int) string {
	text := make([]byte, n)
	for i := range text {
		text[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(text)
}

// TestIssuedTokens makes tokens of each form as the issuers describe it, of
// letters alone as well as any others: all are reported, and nothing but their
// prefix is shown.
func TestIssuedTokens(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 13))
	for _, form := range issuedForms {
		missed, shown, parts := 0, 0, parseForm(form)
		for range *tokensOfAForm {
			token := makeToken(r, parts)
			if found := Tokens(token); len(found) != 1 || found[0].Start != 0 || found[0].End != len(token) {
				missed++
			}
			if masked := Mask(token); !strings.HasSuffix(masked, mask) || len(masked) > len("github_pat_")+len(mask)+8 {
				shown++
			}
		}
		assert.Zero(t, missed, "%s: not reported", form)
		assert.Zero(t, shown, "%s: shown", form)
	}
}

// TestForms makes tokens from the table itself, of the shortest and of the longest
// rest that their issuer gives.
func TestForms(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 15))
	for _, f := range forms {
		assert.NotEmpty(t, f.issuer, f.prefix)
		assert.Regexp(t, `^(https://\S+|(gitleaks|trufflehog|kingfisher):[a-z0-9_-]+|public examples)$`, f.source, f.prefix)
		assert.GreaterOrEqual(t, f.max, f.min, f.prefix)
		for _, c := range []byte(f.prefix + f.alphabet) {
			assert.True(t, tokenBytes[c], "%s: no run of %q is looked at", f.prefix, c)
		}
		if f.min == 0 {
			assert.NotZero(t, f.least, f.prefix)
			continue
		}
		for _, n := range []int{f.min, min(f.max, 300)} {
			for range 20 {
				token := f.prefix + pick(r, strings.Trim(f.alphabet, "+/=%"), n)
				assert.Equal(t, "a "+f.prefix+"*** b", Mask("a "+token+" b"), f.prefix)
				assert.Equal(t, "x="+f.prefix+"***", Mask("x="+token), f.prefix)
				assert.Len(t, Tokens(token), 1, f.prefix)
				if broken := inParts(token, len(f.prefix)); strings.Contains(f.alphabet, "/") {
					assert.Len(t, Tokens(broken), 1, f.prefix)
				}
			}
		}
		filler := f.prefix + strings.Repeat("x", f.min)
		assert.Equal(t, filler, Mask(filler))
		assert.False(t, IsSecret("TOKEN", filler), f.prefix)
	}
}

// inParts returns a token with a slash at every tenth character from a place on, as
// base64 may have them.
func inParts(token string, from int) string {
	parts := []byte(token)
	for i := from + 9; i < len(parts); i += 10 {
		parts[i] = '/'
	}
	return string(parts)
}

// TestFormsOfExamples checks that a form whose lengths no scanner publishes takes
// tokens of other lengths too: the examples may be old.
func TestFormsOfExamples(t *testing.T) {
	for _, f := range forms {
		ofScanner := strings.Contains(strings.TrimPrefix(f.source, "https://"), ":")
		isLenient := func(other form) bool { return other.prefix == f.prefix && other.least > 0 }
		assert.True(t, ofScanner || slices.ContainsFunc(forms[:], isLenient), f.prefix)
	}
}

// TestStandIns checks texts that have the form of a token and evidently are not tokens.
func TestStandIns(t *testing.T) {
	for _, rest := range []string{
		strings.Repeat("x", 36), "1234567890" + "1234567890" + "1234567890123456", "abcdefghijklmnopqrstuvwxyz0123456789", "1234abcd5678efgh9012ijkl3456mnop7890",
		"AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEfGhIj", "EXAMPLEq7Zx3Wv9Tj1Rb5Nd8Hg2Ym4Lk6Pqb", "yourgithubtokengoesinherewithoutfail", "0000000000000000000000000000000000ab",
		"testq7Zx3Wv9Tj1Rb5Nd8Hg2Ym4Lk6PqWs2D",
	} {
		assert.Len(t, rest, 36)
		assert.Empty(t, Tokens("ghp_"+rest), rest)
	}
	for _, rest := range []string{"my-gitlab-token-2024", "your-gitlab-token-ab", "MY_GITLAB_TOKEN_HERE"} {
		assert.Len(t, rest, 20)
		assert.Empty(t, Tokens("glpat-"+rest), rest)
	}
	assert.Empty(t, Tokens("sb_secret_"+localSupabaseKey), "the key of every local stack")
	assert.Len(t, Tokens("npm_"+"3cliTBd9q7Zx3Wv9ToDoj1Rb5Nd8Hg2Ym4Lk"), 1, "TBd within a token says nothing")
}
