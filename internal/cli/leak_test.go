package cli_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/lint"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/source"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/view"
	"github.com/mcplumb/mcplumb/report"
)

// secretBody is the secret part of every token that the tests plant: text that
// nothing else in any output looks like.
func secretBody() string {
	return strings.Join([]string{"Kq7ZxWv3", "Tj9RyNs5", "HgY2mLk8", "PrS4uXq6", "Aw1QoTk0", "VtM7yJz3", "Mr9GhKn5"}, "")
}

// leakTokens are tokens of the forms that issuers give them.
func leakTokens() []string {
	body := secretBody()
	tokens := []string{
		"AK" + "IA" + strings.ToUpper(body[:16]),
		"eyJhbGciOi" + "JIUzI1NiJ9." + "eyJzdWIiOiIxIn0." + body[:43],
	}
	for _, prefix := range []string{
		"AIza", "ya29.", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "glptt-", "gldt-", "ATATT3", "sk-ant-api03-",
		"sk-proj-", "sk-or-v1-", "sk-", "sk_live_", "sk_test_", "rk_live_", "xoxb-", "xoxp-", "xapp-", "npm_", "pypi-", "rubygems_",
		"dckr_pat_", "hf_", "dop_v1_", "dp.st.", "hvs.", "pul-", "lin_api_", "ntn_", "secret_", "figd_", "sbp_", "napi_", "shpat_",
		"whsec_", "tvly-", "fc-", "ctx7sk-", "pplx-", "gsk_", "xai-", "nvapi-", "r8_", "apify_api_", "phx_", "sntrys_", "glsa_", "dapi",
		"SG.", "PMAK-", "BSA", "glsoat-", "sk-svcacct-", "xoxd-", "dckr_oat_", "tvly-dev-", "sb_secret_", "nfp_", "lin_oauth_", "pscale_pw_",
	} {
		tokens = append(tokens, prefix+body)
	}
	// Of the length that the issuer gives them, and of letters alone.
	all, letters := body+body, lettersOf(body+body)
	return append(tokens, "pk_83749261_"+strings.ToUpper(body[:32]), "re_"+body[:8]+"_"+body[8:32], "pcsk_"+body[:6]+"_"+all[6:69],
		"GOCSPX-"+body[:28], "ghp_"+body[:36], "glpat-"+body[:20], "dckr_pat_"+body[:27],
		"hf_"+letters[:34], "api_org_"+letters[:34], "ghp_"+letters[:36], "glpat-"+letters[:20])
}

// lettersOf returns the letters of a text.
func lettersOf(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, text)
}

// TestNoOutputHoldsASecret plants tokens of every form into every sample of
// every format, one way after another, and looks for them in all that the
// program writes.
func TestNoOutputHoldsASecret(t *testing.T) {
	samples := leakSamples(t)
	require.Greater(t, len(samples), 100)
	tokens := leakTokens()
	require.Greater(t, len(tokens), 40)
	for _, way := range plantings() {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel() // what is written to disk is waited for
			dir := t.TempDir()
			planted := 0
			for i, s := range samples {
				p := planter{tokens: tokens, next: i, way: way, text: s.content}
				write(t, dir, "s"+strconv.Itoa(i)+"/"+s.path, p.plant(s))
				planted += p.count
			}
			require.Greater(t, planted, 50)
			searchOutputs(t, allOutputs(t, dir), tokens)
		})
	}
}

// TestNoSummaryHoldsASecret has a change bring tokens into the samples, put others in their place
// and take them away: what it brings says of none what it is.
func TestNoSummaryHoldsASecret(t *testing.T) {
	samples, tokens := leakSamples(t), leakTokens()
	for _, way := range plantings() {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			planted := func(shift int) map[string]string {
				files := map[string]string{}
				for i, s := range samples {
					p := planter{tokens: tokens, next: i + shift, way: way, text: s.content}
					files["s"+strconv.Itoa(i)+"/"+s.path] = p.plant(s)
				}
				return files
			}
			without := map[string]string{}
			for i, s := range samples {
				without["s"+strconv.Itoa(i)+"/"+s.path] = s.content
			}
			outputs := map[string]string{}
			for change, states := range map[string][2]map[string]string{
				"brought": {without, planted(0)}, "replaced": {planted(0), planted(7)}, "taken away": {planted(0), without},
			} {
				one := []*rule.Rule{checks.ByID("new-server")}
				result, err := lint.Run(t.Context(), lint.Options{Source: source.Memory(states[1]), Base: source.Memory(states[0]), Checks: one})
				require.NoError(t, err)
				v := view.New(view.Run{Findings: result.Findings, Repo: result.Repo, Whole: result.Whole, Change: result.Change, Before: result.Before})
				require.True(t, change == "replaced" || v.Brought().Len() > 0)
				for _, f := range report.All() {
					var b strings.Builder
					require.NoError(t, f.Write(&b, v, report.Options{}))
					outputs[change+" "+f.Name] = b.String()
				}
			}
			searchOutputs(t, outputs, tokens)
		})
	}
}

// TestNoOutputHoldsAPartOfASecret puts a token with dots where a name is taken apart at
// them.
func TestNoOutputHoldsAPartOfASecret(t *testing.T) {
	body := secretBody()
	token := "SG." + body[:22] + "." + (body + body)[13:56]
	dir := t.TempDir()
	for i, name := range []string{"https://user:" + token + "@h.acme.dev/mcp", "a.b." + token, token + ".read", "pml." + token + ".read"} {
		project := "s" + strconv.Itoa(i) + "/"
		write(t, dir, project+".pml/mcp.lock", `{"version": 1, "entries": {"pml.mcp.fs.read": {"fqdn": "`+name+`", "integrity": "tool:67c3", "type": "stdio", "approved": true}}}`)
		write(t, dir, project+".pml.json", `{"permissions": {"allow": ["fs:list"], "deny": [], "ask": []}, "mcpServers": {"fs": {"command": "x"}}}`)
	}
	searchOutputs(t, allOutputs(t, dir), []string{body[:22], (body + body)[13:56]})
}

// TestNoOutputHoldsASecretAgain repeats, where nothing else says that it is one, what is a
// credential by its name.
func TestNoOutputHoldsASecretAgain(t *testing.T) {
	value := strings.Join([]string{"7e2c1b3d", "5f4e", "4b6a", "9d7c", "1f0a9e2b4c3d"}, "-")
	dir := t.TempDir()
	write(t, dir, ".mcp.json", `{"mcpServers": {
  "srv-`+value+`": {"type": "http", "url": "http://mcp.acme.dev/x/`+value+`", "headers": {"X-Api-Key": "`+value+`", "B": "pre`+value+`"}},
  "b": {"command": "npx", "args": ["-y", "mcp-remote", "https://b.acme.dev/`+value+`"]}
}}`)
	write(t, dir, ".cursor/mcp.json", `{"mcpServers": {"c": {"command": "/opt/`+value+`/bin/x", "args": ["-`+value+`", "${C:-`+value+`}"]}}} // `+value)
	outputs := map[string]string{}
	for name, out := range allOutputs(t, dir) {
		if !strings.HasPrefix(name, "list") { // which judges nothing
			outputs[name] = out
		}
	}
	searchOutputs(t, outputs, []string{value})
}

// TestNoPanicHoldsASecret holds the message of a rule that fails to the same.
func TestNoPanicHoldsASecret(t *testing.T) {
	files := source.Memory(map[string]string{".mcp.json": `{"mcpServers": {"a": {"command": "a"}}}`})
	for _, token := range leakTokens() {
		failing := &rule.Rule{ID: "failing", Title: "fails", Severity: rule.Error, Run: func(*rule.Pass) { panic("index of " + token) }}
		result, err := lint.Run(t.Context(), lint.Options{Source: files, Checks: []*rule.Rule{failing}})
		require.NoError(t, err)
		require.Len(t, result.Errors, 1)
		v := view.New(view.Run{Failures: []view.Failure{view.Failure(result.Errors[0])}})
		outputs := map[string]string{}
		for _, f := range report.All() {
			var b strings.Builder
			require.NoError(t, f.Write(&b, v, report.Options{}))
			outputs[f.Name] = b.String()
		}
		searchOutputs(t, outputs, []string{token})
	}
}

// TestNoUsageErrorHoldsASecret gives tokens to the command line.
func TestNoUsageErrorHoldsASecret(t *testing.T) {
	dir := t.TempDir()
	token := leakTokens()[5]
	write(t, dir, "bad.yaml", "rules: {"+token+": off}\nexclude: "+token+"\n")
	write(t, dir, "broken.json", "{\"mcpServers\": {\"a\": "+token+"}}")
	outputs := map[string]string{}
	for i, args := range [][]string{
		{"check", token}, {"check", "--rule", token}, {"check", "--format", token}, {"check", "--" + token}, {token},
		{"check", "--config", "bad.yaml"}, {"check", "broken.json"}, {"list", "broken.json"}, {"explain", token},
	} {
		_, stdout, stderr := run(t, dir, args...)
		outputs[strconv.Itoa(i)] = stdout + stderr
	}
	for _, input := range []string{"WORKING_DIRECTORY", "PATHS", "SEVERITY", "FAIL_ON", "CONFIG", "BASELINE", "SARIF_FILE", "UPLOAD_SARIF", "ANNOTATIONS", "SUMMARY"} {
		_, outputs[input] = runAction(t, dir, map[string]string{"INPUT_" + input: token + "\nx"})
	}
	searchOutputs(t, outputs, []string{token})
}

// leakSample is a sample at a path where its format is read.
type leakSample struct {
	path, content string
	match         shape.Match
}

// leakSamples returns the samples of all formats and systems.
func leakSamples(t *testing.T) []leakSample {
	t.Helper()
	ix := format.Known()
	var samples []leakSample
	add := func(file, at string) {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		if match, ok := ix.Lookup(at); ok {
			samples = append(samples, leakSample{at, string(content), match})
		}
	}
	for _, f := range format.All() {
		files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "formats", f.Name, "*"))
		require.NoError(t, err)
		for _, file := range files {
			add(file, placeFor(f, filepath.Base(file)))
		}
	}
	systems := filepath.Join("..", "..", "testdata", "systems")
	require.NoError(t, filepath.WalkDir(systems, func(file string, entry os.DirEntry, err error) error {
		require.NoError(t, err)
		slashed := filepath.ToSlash(file)
		if _, at, ok := strings.Cut(slashed, "/sample/"); ok && !entry.IsDir() {
			add(file, at)
		}
		return nil
	}))
	return samples
}

// placeFor returns a path of a format, with the extension of the sample if one
// has it.
func placeFor(f *shape.Format, base string) string {
	place := f.Paths[0]
	for _, p := range f.Paths {
		if path.Ext(p) == path.Ext(base) {
			place = p
			break
		}
	}
	return strings.ReplaceAll(place, "*", "x")
}

// planting is one way to put tokens into a file.
type planting struct {
	name string
	// value returns what the i-th string becomes, "" to leave it; key the same
	// for a key.
	value, key func(i int, old, token string) string
	// named plants what has no issuer's form, and only under names of secrets.
	named bool
	// damage breaks the text that was planted.
	damage func(text string) string
}

// plantings are the ways. Those that leave every other string keep most files
// what they are.
func plantings() []planting {
	forms := []func(old, token string) string{
		func(_, token string) string { return token },
		func(_, token string) string { return "Bearer " + token },
		func(_, token string) string { return "--api-key=" + token },
		func(_, token string) string {
			return "https://user:" + token + "@h.acme.dev/x/mcp?api_key=" + token + "&a=1"
		},
		func(_, token string) string { return "https://" + token + ".acme.dev/" + token + "/mcp" },
		func(_, token string) string { return "TOKEN=" + token },
		func(old, token string) string { return old + " --token " + token },
		func(old, token string) string { return old + "/" + token },
		func(old, token string) string { return old + "@" + token },
		func(_, token string) string { return `{"Authorization": "Bearer ` + token + `"}` },
	}
	every := func(i int, old, token string) string { return token }
	half := func(shift int) func(i int, old, token string) string {
		return func(i int, old, token string) string {
			if (i+shift)%2 == 0 {
				return ""
			}
			return forms[(i/2+5*shift)%len(forms)](old, token)
		}
	}
	cut := func(text string) string { return text[:len(text)*2/3] }
	bare := func(text string) string {
		at := strings.LastIndex(text, secretBody()[:8])
		start := strings.LastIndexByte(text[:max(at, 0)], '"')
		if start < 0 {
			return text
		}
		return text[:start] + text[start+1:] // without its opening quote
	}
	return []planting{
		{name: "every value", value: every},
		{name: "secret by their names", value: every, named: true},
		{name: "half the values", value: half(0)},
		{name: "the other half", value: half(1)},
		{name: "other forms", value: half(2)},
		{name: "keys", key: func(i int, old, token string) string {
			if i%2 == 0 {
				return ""
			}
			return token
		}},
		{name: "parts of keys", key: func(i int, old, token string) string {
			if i%3 != 0 {
				return ""
			}
			return old + "-" + token
		}},
		{name: "keys with logins and blocks", key: func(i int, old, token string) string {
			body := secretBody()
			return []string{
				"", "postgres://u:" + body + "@db.acme.dev/x", "", "https://hooks.slack.com/services/T0/B0/" + body, "", "Basic " + body[:48], "",
				"-----BEGIN " + "PRIVATE KEY-----" + body + body + "-----END " + "PRIVATE KEY-----", "acme/" + "https://u:" + body[:20] + "@h.acme.dev",
			}[i%9]
		}},
		{name: "cut off", value: half(0), damage: cut},
		{name: "without a quote", value: half(1), damage: bare},
	}
}

// planter plants tokens into one sample.
type planter struct {
	tokens []string
	next   int // the token that is planted next
	way    planting
	text   string
	edits  []syntax.Edit
	values int
	keys   int
	count  int
}

func (p *planter) plant(s leakSample) string {
	file := syntax.NewFile(s.path, []byte(s.content))
	tree, err := s.match.Format.Parse(new(syntax.Parser), file)
	if err != nil || tree.Root == nil {
		return s.content
	}
	p.visit(tree.Root, 0)
	slices.SortFunc(p.edits, func(a, b syntax.Edit) int { return b.Span.Start - a.Span.Start })
	text, from := s.content, len(s.content)+1
	for _, e := range p.edits {
		if e.Span.End >= from {
			continue
		}
		text, from = text[:e.Span.Start]+e.New+text[e.Span.End:], e.Span.Start
		p.count++
	}
	if p.way.damage != nil {
		text = p.way.damage(text)
	}
	return text
}

// visit plants into a value and what is in it. Keys near the root say what a
// file is, and stay.
func (p *planter) visit(n *syntax.Node, depth int) {
	if p.way.named {
		p.name(n)
	}
	if n.Kind == syntax.String && p.way.value != nil && (!p.way.named || secret.IsSecretName(n.Name)) {
		p.edit(n.Value, p.way.value(p.values, n.Text, p.token()))
		p.values++
	}
	if depth > 1 && !n.Key.IsZero() && p.way.key != nil {
		p.edit(n.Key, p.way.key(p.keys, n.Name, p.token()))
		p.keys++
	}
	for _, child := range n.Nodes {
		p.visit(child, depth+1)
	}
}

// name plants into a map of variables or headers, and into arguments, with the
// name that makes a secret of each value.
func (p *planter) name(n *syntax.Node) {
	for i, child := range n.Nodes {
		switch n.Name {
		case "env", "environment", "envs", "headers", "http_headers":
			if !child.Key.IsZero() {
				p.edit(child.Key, "K"+strconv.Itoa(i)+"_TOKEN")
				p.edit(child.Value, p.token())
			}
		case "args":
			if i == len(n.Nodes)-1 && i > 0 && p.text[n.Value.Start] == '[' { // behind what runs
				text := strings.Join([]string{strconv.Quote(child.Text), `"--api-key"`, strconv.Quote(p.token())}, ",\n")
				p.edits = append(p.edits, syntax.Edit{Span: child.Value, New: text})
			}
		}
	}
}

func (p *planter) token() string {
	if p.way.named {
		return secretBody()[:32]
	}
	p.next++
	return p.tokens[p.next%len(p.tokens)]
}

func (p *planter) edit(span syntax.Span, text string) {
	if text != "" {
		p.edits = append(p.edits, syntax.Edit{Span: span, New: strconv.Quote(text)})
	}
}

// allOutputs runs check and list in every format and returns what they write.
func allOutputs(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := t.TempDir()
	outputs := map[string]string{}
	args := []string{"check", "--severity", "note"}
	for _, f := range report.All() {
		args = append(args, "--format", f.Name+"="+filepath.Join(out, "check-"+f.Name))
	}
	_, stdout, stderr := run(t, dir, args...)
	outputs["check"], outputs["check, stderr"] = stdout, stderr
	args = []string{"list"}
	for _, f := range report.ListFormats() {
		args = append(args, "--format", f.Name+"="+filepath.Join(out, "list-"+f.Name))
	}
	_, stdout, stderr = run(t, dir, args...)
	outputs["list"], outputs["list, stderr"] = stdout, stderr
	_, outputs["action"] = runAction(t, dir, map[string]string{
		"INPUT_SEVERITY": "note", "GITHUB_STEP_SUMMARY": filepath.Join(out, "summary"),
		"GITHUB_OUTPUT": filepath.Join(out, "output"), "RUNNER_TEMP": out,
	})
	_, stdout, stderr = run(t, dir, "check", "--fix=unsafe", "--diff")
	outputs["fixes"], outputs["fixes, stderr"] = stdout, stderr
	files, err := os.ReadDir(out)
	require.NoError(t, err)
	require.Len(t, files, len(report.All())+len(report.ListFormats())+3)
	for _, file := range files {
		content, err := os.ReadFile(filepath.Join(out, file.Name()))
		require.NoError(t, err)
		outputs[file.Name()] = string(content)
	}
	return outputs
}

// searchOutputs looks for tokens, for parts of eight characters of their secret
// part, for their base64 and for their hash.
func searchOutputs(t *testing.T, outputs map[string]string, tokens []string) {
	t.Helper()
	needles := map[string]string{}
	for i := 0; i+8 <= len(secretBody()); i++ {
		needles[strings.ToLower(secretBody()[i:i+8])] = "part of a token"
	}
	letters := lettersOf(secretBody())
	for i := 0; i+8 <= len(letters); i++ {
		needles[strings.ToLower(letters[i:i+8])] = "part of a token of letters"
	}
	for _, token := range tokens {
		encoded := base64.StdEncoding.EncodeToString([]byte(token))
		needles[strings.ToLower(encoded[len(encoded)/2:len(encoded)/2+12])] = "base64 of a token"
		for _, text := range []string{token, `"` + token + `"`} {
			sum := sha256.Sum256([]byte(text))
			needles[hex.EncodeToString(sum[:])[:16]] = "hash of a token"
		}
	}
	for name, output := range outputs {
		folded := strings.ToLower(output)
		for needle, what := range needles {
			if at := strings.Index(folded, needle); at >= 0 {
				assert.Fail(t, what, "%s: …%s…", name, output[max(0, at-200):min(len(output), at+60)])
				break
			}
		}
	}
}
