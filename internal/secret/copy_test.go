package secret

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// weak is a password that anyone could guess.
const weak = "hunt" + "er2"

func TestMayCopy(t *testing.T) {
	for _, tt := range []struct{ name, value string }{
		{"DB_PASSWORD", weak}, {"PGPASSWORD", weak}, {"SSHPASS", weak}, {"MYSQL_PWD", "root"}, {"API_KEY", "test-key"}, {"ghtoken", "abc"},
		{"PASSPHRASE", "open sesame now"}, {"REDISCLI_AUTH", weak}, {"Authorization", "Bearer " + weak}, {"Authorization", "Bearer letmein"},
		{"Authorization", "Basic dXNlcjpwYXNzd29yZA=="}, {"GITHUB_TOKEN_2", "abc"}, {"API_KEY", "${API_KEY:-" + weak + "}"},
		{"", "--pgpassword=" + weak}, {"", "--password " + weak}, {"", "PGPASSWORD=" + weak + " psql-mcp"}, {"", "PGPASSWORD=" + weak},
		{"", "--env=DB_PASS=" + weak}, {"CONNECTION", "Server=db;User Id=sa;Password=" + weak + ";"}, {"", `{"password": "` + weak + `"}`},
		{"DATABASE_URL", "postgres://u:p%40ss@db/x"}, {"DATABASE_URL", "postgres://app:" + weak + "@localhost/app"}, {"U", "https://" + random(20) + "@a.dev/x"},
		{"url", "https://a.dev/mcp?api_key=abc"}, {"U", "https://discord.com/api/webhooks/1/abc"}, {"", "ghp_" + random(36)},
	} {
		assert.False(t, MayCopy(tt.name, tt.value), "%s: %s", tt.name, tt.value)
		assert.NotEmpty(t, Kept(tt.name, tt.value), "%s: %s", tt.name, tt.value)
	}
	for _, tt := range []struct{ name, value string }{
		{"DB_PASSWORD", ""}, {"DB_PASSWORD", "${DB_PASSWORD}"}, {"DB_PASSWORD", "YOUR_PASSWORD"}, {"API_KEY", "<key>"}, {"API_KEY", "op://vault/item/key"},
		{"TOKEN", "none"}, {"ALLOW_EMPTY_PASSWORD", "yes"}, {"USE_AUTH", "1"}, {"AUTH", "oauth"}, {"COOKIE", "session"}, {"API_KEY", "/run/secrets/api_key"},
		{"PRIVATE_KEY", "~/.ssh/id_rsa"}, {"STRIPE_KEY", "pk_test_abc"}, {"Authorization", "Bearer ${TOKEN}"}, {"", "--password"}, {"", "--token=${T}"},
		{"MAX_TOKEN", "4096"}, {"eos-token", "</s>"}, {"PWD", "/home/me"}, {"BYPASS", "1.2.3.4"}, {"TOKENIZER", "cl100k"}, {"", "@acme/secret-server@1.0.0"},
		{"", "https://a.dev/mcp?region=eu"}, {"url", "https://a.dev/mcp?token=${TOKEN}"}, {"DATABASE_URL", "postgres://u:${PW}@db/x"}, {"", "token-server"},
		{"", "X-Api-Key: <key>"}, {"", "--token={token}"}, {"AUTH_URL", "https://a.dev/oauth"}, {"KEY", "Authorization"},
	} {
		assert.True(t, MayCopy(tt.name, tt.value), "%s: %s", tt.name, tt.value)
	}
	// A program shows its Sentry key to everyone, a local database its password; but neither may be
	// published.
	for _, value := range []string{"https://0123456789abcdef0123456789abcdef@o1.ingest.sentry.io/1", "postgres://postgres:postgres@localhost:5432/app"} {
		assert.Empty(t, Kept("DATABASE_URL", value), value)
		assert.Empty(t, Literals("SENTRY_DSN", value), value)
	}
}
