package secret

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// random is token-shaped text that no issuer ever gave out.
func random(n int) string { return strings.Repeat("a1B2c3D4e5F6g7H8", 1+n/16)[:n] }

func TestReferences(t *testing.T) {
	tests := []struct {
		value string
		want  []Ref
	}{
		{"plain", nil},
		{"${TOKEN}", []Ref{{Name: "TOKEN", Syntax: Braced, Start: 0, End: 8}}},
		{"a ${ TOKEN } ${ }", []Ref{{Name: "TOKEN", Syntax: BracedBlanks, Start: 2, End: 12}}},
		{"${TOKEN:-none}", []Ref{{Name: "TOKEN", Syntax: BracedDefault, Default: "none", Operator: ":-", Start: 0, End: 14}}},
		{"${TOKEN:none}", []Ref{{Name: "TOKEN", Syntax: BracedColon, Default: "none", Operator: ":", Start: 0, End: 13}}},
		{"${A:-${B}}x", []Ref{{Name: "A", Syntax: BracedDefault, Default: "${B}", Operator: ":-", Start: 0, End: 10}}},
		{"${env:ZONE:-eu}", []Ref{{Name: "ZONE", Syntax: EnvColonDefault, Default: "eu", Start: 0, End: 15}}},
		{"${env:ProgramFiles(x86)}", []Ref{{Name: "ProgramFiles(x86)", Syntax: EnvColon, Start: 0, End: 24}}},
		{"Bearer ${env:TOKEN}", []Ref{{Name: "TOKEN", Syntax: EnvColon, Start: 7, End: 19}}},
		{"$TOKEN/x", []Ref{{Name: "TOKEN", Syntax: Bare, Start: 0, End: 6}}},
		{"{env:TOKEN}", []Ref{{Name: "TOKEN", Syntax: EnvBraces, Start: 0, End: 11}}},
		{"$env:TOKEN", []Ref{{Name: "TOKEN", Syntax: PowerShell, Start: 0, End: 10}}},
		{"%APPDATA%\\x", []Ref{{Name: "APPDATA", Syntax: Percent, Start: 0, End: 9}}},
		{"${{ secrets.TOKEN }}", []Ref{{Name: "TOKEN", Syntax: Secrets, Start: 0, End: 20}}},
		{"${{ vars.URL }}/mcp", []Ref{{Name: "URL", Syntax: Vars, Start: 0, End: 15}}},
		{"${{ inputs.URL }}", []Ref{{Name: "URL", Syntax: Inputs, Start: 0, End: 17}}},
		{"${{ env.URL }}", []Ref{{Name: "URL", Syntax: Expression, Start: 0, End: 14}}},
		{"${TOKEN?}", []Ref{{Name: "TOKEN", Syntax: BracedDefault, Operator: "?", Start: 0, End: 9}}},
		{"${file:./key}", []Ref{{Name: "./key", Syntax: FileColon, Start: 0, End: 13}}},
		{"{{TOKEN}}", []Ref{{Name: "TOKEN", Syntax: Mustache, Start: 0, End: 9}}},
		{"${input:github-token}", []Ref{{Name: "github-token", Syntax: Input, Start: 0, End: 21}}},
		{"${user_config.api_key}", []Ref{{Name: "api_key", Syntax: UserConfig, Start: 0, End: 22}}},
		{"{file:./key}", []Ref{{Name: "./key", Syntax: FileBraces, Start: 0, End: 12}}},
		{"$(gh auth token)", []Ref{{Name: "gh auth token", Syntax: Command, Start: 0, End: 16}}},
		{"${/}", []Ref{{Name: "/", Syntax: Other, Start: 0, End: 4}}},
		{"${A}${B}", []Ref{{Name: "A", Syntax: Braced, Start: 0, End: 4}, {Name: "B", Syntax: Braced, Start: 4, End: 8}}},
		{"pa$$WORD", nil},
		{"pa$word", nil},
		{"a%20b%2Fc", nil},
		{"${}", nil},
		{"${ unclosed", nil},
		{"costs $5", nil},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, references(tt.value), tt.value)
	}
}

// references returns every reference in a value, in order.
func references(v string) []Ref {
	var refs []Ref
	for ref, ok := NextReference(v, 0); ok; ref, ok = NextReference(v, ref.End) {
		refs = append(refs, ref)
	}
	return refs
}

func TestIsReference(t *testing.T) {
	for _, v := range []string{"${X}", "Bearer ${X}", "$GITHUB_TOKEN", "op://vault/item/field", "$(gh auth token)"} {
		assert.True(t, IsReference(v), v)
	}
	for _, v := range []string{"", "plain", "https://mcp.linear.app/sse", "100%", "{}"} {
		assert.False(t, IsReference(v), v)
	}
}

func TestIsPlaceholder(t *testing.T) {
	for _, v := range []string{
		"", " ", "YOUR_API_KEY", "your-token-here", "<token>", "<your-mcp-server>", "sk-<key>", "ghp_your_token", "xoxb-your-token",
		"xxx", "sk-xxxx", "api-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", "sk-...", "...", "…", "changeme", "CHANGE_ME", "REPLACE_ME",
		"replace-with-your-key", "INSERT_KEY_HERE", "API_KEY_HERE", "placeholder", "path/to/key.json", "/path/to/key", `C:\path\to\x`,
		"https://example.com/mcp", "[API key]", "{token}", "TODO", "REDACTED", "***", "000000", "123456", "GITHUB_TOKEN", "my-api-key",
		"YOURAPIKEY", "Bearer YOUR_TOKEN", "Enter your token", "__API_KEY__", "<<ApiKey>>", "Bearer @API_KEY@",
	} {
		assert.True(t, IsPlaceholder(v), v)
	}
	for _, v := range []string{
		"${YOUR_TOKEN}", "production", "https://mcp.linear.app", "true", "8080", "test-key", "Admin", "postgres", "us-east-1",
		"/usr/local/bin", "@scope/pkg", "ghp_" + random(36), "__A1__ghp_" + random(36), "__main__", "a@B@c", "LOG_LEVEL_DEBUG", "{}", "[]", `{"a":1}`, "1", "a<b",
	} {
		assert.False(t, IsPlaceholder(v), v)
	}
}

// TestHasBlank checks the blanks that templates leave in names.
func TestHasBlank(t *testing.T) {
	for _, text := range []string{"<<McpRepositoryName>>", "io.github.acme/{{name}}", "__SERVER_NAME__", "io.github.acme/@NAME@", "a <<b>> {{c}}"} {
		assert.True(t, HasBlank(text), text)
	}
	for _, text := range []string{"", "a<<b", "{{}}", "__init__", "__", "____", "@acme/server", "me@acme.dev", "@A@", "my__server__name", "MCP_DOCKER"} {
		assert.False(t, HasBlank(text), text)
	}
}

func TestIsSecretName(t *testing.T) {
	for _, name := range []string{
		"API_KEY", "GITHUB_TOKEN", "x-api-key", "Authorization", "password", "dbPassword", "DB_PASS", "AWS_SECRET_ACCESS_KEY", "GITHUB_PAT",
		"token", "access_token", "apiKey", "key", "CLIENT_SECRET", "SUPABASE_SERVICE_ROLE_KEY", "--api-key", "API_KEYS", "Ocp-Apim-Subscription-Key",
		"AUTH_HEADER", "OPENAI_KEY", "SESSION_COOKIE",
	} {
		assert.True(t, IsSecretName(name), name)
	}
	for _, name := range []string{
		"", "API_KEY_PATH", "TOKEN_FILE", "TOKEN_LIMIT", "MAX_TOKENS", "KEYBOARD", "PUBLIC_KEY", "KEY_ID", "TOKENIZER", "SECRET_NAME",
		"bearer_token_env_var", "project_key", "wrong-root-key", "duplicate-key", "CACHE_KEY", "MONKEY", "PASSAGE", "project_ref", "AUTH_TYPE",
	} {
		assert.False(t, IsSecretName(name), name)
	}
}

func TestIsSecret(t *testing.T) {
	secrets := []struct{ name, value string }{
		{"ANYTHING", "ghp_" + random(36)},
		{"", "sk-ant-" + random(40)},
		{"Authorization", "Bearer " + random(32)},
		{"API_KEY", random(32)},
		{"API_KEY", "6f1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d"},
		{"DB_PASSWORD", "hunter22!"},
		{"DATABASE_URL", "postgres://app:" + random(16) + "@db.internal/app"},
		{"", "https://a.blob.dev/x.tgz?sp=r&sig=" + random(43) + "%3D"},
		{"url", "https://a.azurewebsites.net/runtime/webhooks/mcp/sse?code=" + random(54) + "=="},
	}
	for _, tt := range secrets {
		assert.True(t, IsSecret(tt.name, tt.value), "%s of %d bytes", tt.name, len(tt.value))
	}
	harmless := []struct{ name, value string }{
		{"API_KEY", ""}, {"API_KEY", "YOUR_API_KEY"}, {"API_KEY", "${API_KEY}"}, {"API_KEY", "test-key"}, {"API_KEY", "op://vault/item/key"},
		{"API_KEY", "/run/secrets/api_key"}, {"PRIVATE_KEY", "~/.ssh/id_rsa"}, {"PASSWORD", "Admin"}, {"TOKEN", "none"},
		{"API_KEY", "https://mcp.linear.app/oauth/authorize"}, {"API_KEY_PATH", random(32)}, {"NAME", random(32)},
		{"DATABASE_URL", "postgresql://postgres:postgres@localhost:5432/app"}, {"DATABASE_URL", "postgresql://user:password@localhost/app"},
		{"TOKEN", "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}, {"TOKEN", "ghp_your_personal_access_token_goes_in_here1"},
		{"", "https://a.dev/mcp?code=${CODE}"}, {"", "https://a.dev/mcp?code=my-country-code"}, {"signature", random(43)},
		{"Authorization", "Bearer ${TOKEN}"}, {"key", "my-local-development-key"},
	}
	for _, tt := range harmless {
		assert.False(t, IsSecret(tt.name, tt.value), "%s=%s", tt.name, tt.value)
	}
}

func TestMask(t *testing.T) {
	value := random(24)
	gh := "ghp_" + random(36)
	tests := []struct{ line, want string }{
		{`      "API_KEY": "` + value + `",`, `      "API_KEY": "***",`},
		{`"GITHUB_TOKEN": "` + gh + `"`, `"GITHUB_TOKEN": "ghp_***"`},
		// What is damaged may touch a token: no issuer gives hf_ so many letters.
		{`"time"hf_` + strings.Repeat("jvASWDSPOzyYsIczp", 2) + `true: "x"`, `"time"hf_***: "x"`},
		{`"a": ` + gh + gh + `// one day`, `"a": ghp_***// one day`},
		{`api_key = "` + value + `"`, `api_key = "***"`},
		{`"https://hooks.slack.com/services/T0/B0/` + value + `"`, `"https://hooks.slack.com/services/***"`},
		{`"https://hooks.slack.com/workflows/T0/A0/1/` + value + `?a=b"`, `"https://hooks.slack.com/workflows/***?a=b"`},
		{`"https://discord.com/api/webhooks/123456/` + value + `"`, `"https://discord.com/api/webhooks/***"`},
		{`api_key: ` + value, `api_key: ***`},
		{`password: hunter`, `password: ***`},
		// An input of VS Code that is typed without being shown.
		{`      "password": true` + "\n", `      "password": true` + "\n"},
		{`{"id": "api_key", "password": true, "description": "API key"}`, `{"id": "api_key", "password": true, "description": "API key"}`},
		{`"password": true     }   ],   "servers": {`, `"password": true     }   ],   "servers": {`},
		{`"password": true story`, `"password": ***`},
		{`"X-Token: true, and more"`, `"X-Token: ***"`},
		{`"password": 12345678, "x": 1`, `"password": ***"x": 1`},
		{`- token: '` + value + `'`, `- token: '***'`},
		{`"Authorization": "Bearer ` + value + `"`, `"Authorization": "Bearer ***"`},
		{`"--header", "Authorization: Bearer ` + value + `"`, `"--header", "Authorization: Bearer ***"`},
		{`"--header", "Authorization:Bearer ` + value + `"`, `"--header", "Authorization:Bearer ***"`},
		{`"--header", "X-Api-Key: ` + value + `"`, `"--header", "X-Api-Key: ***"`},
		{`"--header=X-Api-Key:` + value + `"`, `"--header=X-Api-Key:***"`},
		{`"-e", "API_TOKEN=` + value + `"`, `"-e", "API_TOKEN=***"`},
		{`docker run -e API_TOKEN=` + value + ` img`, `docker run -e API_TOKEN=*** img`},
		{`"--api-key", "` + value + `"`, `"--api-key", "***"`},
		{`x --api-key ` + value + ` --y`, `x --api-key *** --y`},
		{`"--api-key=` + value + `"`, `"--api-key=***"`},
		{`https://u:` + value + `@host/x`, `https://u:***@host/x`},
		{`https://` + value + `@host/x`, `https://***@host/x`},
		{`"url": "https://host/mcp?api_key=` + value + `&x=1"`, `"url": "https://host/mcp?api_key=***&x=1"`},
		{`https://a.blob.dev/x.tgz?sp=r&sig=` + value + `%3D&se=2030"`, `https://a.blob.dev/x.tgz?sp=r&sig=***&se=2030"`},
		{`"https://a.dev/x?a=b\u0026X-Amz-Signature=` + value + `"`, `"https://a.dev/x?a=b\u0026X-Amz-Signature=***"`},
		{`https://a.azurewebsites.net/runtime/webhooks/mcp?code=` + value + `==`, `https://a.azurewebsites.net/runtime/webhooks/mcp?code=***`},
		{`https://mcp.zapier.com/api/mcp/s/` + value + `/mcp`, `https://mcp.zapier.com/api/mcp/s/***`},
		{`"{\"client_secret\":\"` + value + `\",\"a\":1}"`, `"{\"client_secret\":\"***\",\"a\":1}"`},
		{`-----BEGIN PRIVATE KEY-----\n` + value + `"`, `-----BEGIN PRIVATE KEY-----***"`},
		{`sent Bearer ` + value + ` to it`, `sent Bearer *** to it`},
		{`{"API_KEY" "` + value + `"}`, `{"API_KEY" "***"}`},
		{`{'API_KEY'  '` + value + `'}`, `{'API_KEY'  '***'}`},
		{`git+https://u:pa/ss#w%^rd@github.com/o/r`, `git+https://u:***@github.com/o/r`},
		{`git+https://u:pa%^ss@github.com/o/r`, `git+https://u:***@github.com/o/r`},
		{`sh -c "curl -u user:pass&word https://a.dev"`, `sh -c "curl -u user:*** https://a.dev"`},
		{`["curl", "--user", "user:pass&word"]`, `["curl", "--user", "user:***"]`},
		{`sh -c "x --api-key qwpokdmcnvbqzl"`, `sh -c "x --api-key ***"`},

		{`"API_KEY": "${API_KEY}"`, ""}, {`"API_KEY": "YOUR_API_KEY"`, ""}, {`"API_KEY": ""`, ""},
		{`"Authorization": "Bearer ${TOKEN}"`, ""}, {`"--header", "Authorization:Bearer ${TOKEN}"`, ""},
		{`"--api-key", "${KEY}"`, ""}, {`"--api-key", "--other"`, ""}, {`"-e", "TOKEN", "img"`, ""},
		{`"url": "https://host/mcp?api_key=${KEY}&x=1"`, ""}, {`"auth": "oauth"`, ""}, {`"token": {`, ""},
		{`https://a.dev/cb?code=200&x=1`, ""}, {`https://a.dev/?sig=${SIG}`, ""}, {`"signature": "` + value + `"`, ""}, {`code=` + value, ""},
		{`the key: servers`, ""}, {`wrong-root-key: nothing is loaded`, ""}, {`bearer_token_env_var = "TOKEN"`, ""},
		{`"url": "https://mcp.linear.app/sse"`, ""}, {`"command": "npx"`, ""}, {`uses: actions/checkout@v4`, ""},
		{`unexpected token: wanted a comma`, ""}, {`"github:o/r#0123456789abcdef0123456789abcdef01234567"`, ""},
		{`"API_KEY" "${API_KEY}"`, ""}, {`"token" "YOUR_TOKEN"`, ""}, {`docker run -u user:group img`, ""}, {`http://db:5432/x@a.dev`, ""},
		{`https://h.dev:8080/@scope/pkg@1.0`, ""}, {`http://${HOST}:${PORT}/a@b.dev`, ""}, {`unknown key "github.com"`, ""},
		{`  id-token: write`, ""}, {`password: ${DB_PASSWORD}`, ""}, {`"key": "Authorization"`, ""}, {`token = "{env:TOKEN}"`, ""},
	}
	for _, tt := range tests {
		want := tt.want
		if want == "" {
			want = tt.line
		}
		assert.Equal(t, want, Mask(tt.line))
		assert.Equal(t, want, Mask(Mask(tt.line)), "masking twice")
	}
}

func TestLiterals(t *testing.T) {
	value := random(20)
	tests := []struct{ name, value, want string }{
		{"", "run --token " + value + " --limit 20", "token=" + value},
		{"", "--env=A_TOKEN=" + value, "A_TOKEN=" + value},
		{"H", `{"Authorization": "Bearer ` + value + `", "Version": "2022-06-28"}`, "Authorization=" + value},
		{"A_TOKEN", "${A_TOKEN:-" + value + "}", "=" + value},
		{"A_TOKEN", "${A_TOKEN}", ""},
		{"A_TOKEN", "prefix-${A_TOKEN}", ""},
		{"CONNECTION", "Server=db.acme.dev;User Id=sa;Password=hunter22!;", "Password=hunter22!"},
		{"CONNECTION", "Server=localhost;User Id=sa;Password=P@ssw0rd!;", ""},
		{"U", "postgres://app:hunter22@db.acme.dev/app", "=hunter22"},
		{"U", "postgres://app:hunter22@localhost/app", ""},
		{"U", "postgres://app:hunter22@db:5432/app", ""},
		{"U", "postgres://app:" + value + "@localhost/app", "=" + value},
		{"U", "postgres://app:${PW}@db.acme.dev/app", ""},
		{"U", "postgresql://admin:S3cr3tPassw0rd@db.prod.acme.io:5432/app", "=S3cr3tPassw0rd"},
		{"U", "postgresql://admin:Welcome1!@db.prod.acme.io/app", "=Welcome1!"},
		{"U", "postgresql://admin:Welcome1!@localhost/app", ""},
		{"U", "postgresql://admin:Welcome1!@db:5432/app", ""},
		{"U", "postgresql://admin:Welcome1!@db.internal/app", ""},
		{"U", "postgresql://admin:Welcome1!@db.example.com/app", ""},
		{"U", "postgresql://admin:Welcome1!@host.com/app", ""},
		{"U", "postgresql://postgres:postgres@db.acme.io/app", ""},
		{"U", "postgresql://user:password@db.acme.io/app", ""},
		{"U", "postgresql://admin1:admin1@db.acme.io/app", ""},
		{"U", "https://u:" + value[:8] + "/" + value[8:] + "@git.acme.dev/o/r", "=" + value[:8] + "/" + value[8:]},
		{"A_KEY", "qpwovmzkcjxnbfhgqtwpdlzxkvbjmnqp", "=qpwovmzkcjxnbfhgqtwpdlzxkvbjmnqp"},
		{"A_KEY", "85203917462850391746285039174028", "=85203917462850391746285039174028"},
		{"A_KEY", "1763789423", ""},
		{"A_KEY", "internationalizationproductionkey", ""},
		{"DB_PASSWORD", "qXvPzkWmBtJf", "=qXvPzkWmBtJf"},
		{"DB_PASSWORD", "correcthorsebattery", ""},
		{"U", "store://api_key:api_secret@eu.acme.dev", ""},
		{"U", "https://a.acme.dev/mcp?key=" + value + "&region=eu", "key=" + value},
		{"U", "https://a.acme.dev/mcp?key=${KEY}&region=" + value, ""},
		{"U", "https://hooks.slack.com/services/T0/B0/" + value, "=T0/B0/" + value},
		{"U", "https://hooks.slack.com/triggers/T0/123/" + value, "=T0/123/" + value},
		{"Authorization", "Basic dXNlcjpwYXNzd29yZA==", ""},                      // user:password
		{"Authorization", "Basic YXBwOmh1bnRlcjIyIQ==", "=YXBwOmh1bnRlcjIyIQ=="}, // app:hunter22!
		{"A_TOKEN", "a1b2c3d4-${X}", ""},
		{"", "-H X-Api-Key: " + value, "X-Api-Key=" + value},
	}
	for _, tt := range tests {
		var got []string
		for _, c := range Literals(tt.name, tt.value) {
			got = append(got, c.Name+"="+tt.value[c.Start:c.End])
		}
		assert.Equal(t, tt.want, strings.Join(got, " "), "%s: %s", tt.name, tt.value)
	}
}

// TestTokensBehindEscapes checks that a token is one behind a character that is
// written as its number, as messages and files write what cannot be seen.
func TestTokensBehindEscapes(t *testing.T) {
	token := "gho_" + "qFLwkHRiSMazGmT4bJuxdjG9VpgCjQfMRXTz"
	for _, before := range []string{"\n", "\r\t", "\x1b", "\x00", "\xff", "\u202e", "\U000e0041", "\a", "é", "_", " "} {
		quoted := fmt.Sprintf("%q", before+token)
		assert.NotContains(t, Mask(quoted), token[4:], quoted)
		assert.True(t, hasToken(quoted) && len(Tokens(quoted)) == 1, quoted)
	}
	for _, before := range []string{"a", "7", `\d`, `\\server`, `u202e`} {
		assert.Empty(t, Tokens(before+token), before)
	}
}

func FuzzFind(f *testing.F) {
	f.Add(`"API_KEY": "value", https://a:b@c/?token=x --api-key y ${A:-${B}} %20 \"`)
	f.Fuzz(func(t *testing.T, line string) {
		last := 0
		for _, r := range Find(line) {
			if r.Start < last || r.End <= r.Start || r.End > len(line) {
				t.Fatalf("range %v after %d in %d bytes", r, last, len(line))
			}
			last = r.End
		}
		for _, found := range [][]Credential{Literals("API_KEY", line), Literals("", line), Tokens(line)} {
			for _, c := range found {
				if c.Start < 0 || c.Start >= c.End || c.End > len(line) {
					t.Fatalf("credential %d-%d in %d bytes", c.Start, c.End, len(line))
				}
			}
		}
		hasToken(line)
		IsPlaceholder(line)
		for _, ref := range references(line) {
			if ref.Start < 0 || ref.End > len(line) || ref.Start >= ref.End {
				t.Fatalf("reference %d-%d in %d bytes", ref.Start, ref.End, len(line))
			}
		}
	})
}

func BenchmarkFind(b *testing.B) {
	line := `      "args": ["-y", "@upstash/context7-mcp@1.0.0", "--api-key", "${CONTEXT7_API_KEY}"], "url": "https://mcp.context7.com/mcp"`
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		Find(line)
	}
}

// triesOfAName is how many secrets without a form are tried: of some kinds one of a
// hundred is missed.
const triesOfAName = 1000

// TestNamedSecrets makes what generators make and puts it under the name of a key:
// hardly any is missed.
func TestNamedSecrets(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 17))
	for _, tt := range []struct {
		name, form string
		limit      int // of triesOfAName
	}{
		{"API_KEY", "[A-Za-z]{32}", 20}, {"API_KEY", "[a-z]{32}", 20}, {"API_KEY", "[0-9]{32}", 1}, {"API_KEY", "[0-9A-Z]{27}", 50},
		{"API_KEY", "[0-9a-z]{32}", 20}, {"API_KEY", "[0-9a-f]{32}", 10}, {"API_KEY", "[0-9A-Za-z]{32}", 5},
		{"X-Api-Key", "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab]{1}[0-9a-f]{3}-[0-9a-f]{12}", 1}, {"DB_PASSWORD", "[0-9A-Za-z]{12}", 20},
	} {
		missed, parts := 0, parseForm(tt.form)
		for range triesOfAName {
			if !IsSecret(tt.name, makeToken(r, parts)) {
				missed++
			}
		}
		t.Logf("%s=%s: %d of %d missed", tt.name, tt.form, missed, triesOfAName)
		assert.LessOrEqual(t, missed, tt.limit, "%s=%s", tt.name, tt.form)
	}
}

// TestKeyWithItsEnd checks that a private key is a credential up to its last line, so that
// nothing of it stays where a variable is written in its place.
func TestKeyWithItsEnd(t *testing.T) {
	text := "-----BEGIN PRIVATE KEY-----\n" + strings.Repeat("MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", 3) + "\n-----END PRIVATE" + " KEY-----\n"
	found := Literals("PRIVATE_TOKEN", text)
	if !assert.Len(t, found, 1) {
		return
	}
	assert.Equal(t, text, text[found[0].Start:found[0].End])
}
