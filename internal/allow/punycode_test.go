package allow

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestPunycode has the samples of RFC 3492 (7.1) and names that are registered.
func TestPunycode(t *testing.T) {
	for label, want := range map[string]string{
		"plain":     "plain",
		"bücher":    "xn--bcher-kva",
		"münchen":   "xn--mnchen-3ya",
		"他们为什么不说中文": "xn--ihqwcrb4cv8a8dqg056pqjye",
		"почемужеонинеговорятпорусски": "xn--b1abfaaepdrnnbgefbadotcwatmq2g4l",
		"3年b組金八先生":    "xn--3b-ww4c5e180e575a65lsy2b",
		"-> $1.00 <-": "-> $1.00 <-",
	} {
		assert.Equal(t, want, punycode(label), label)
	}
	for host, want := range map[string]string{
		"a.bücher。dev":                    "a.xn--bcher-kva.dev",
		"über.com":                        "xn--ber-goa.com", // the first letter is no other
		"ü.com":                           "xn--tda.com",
		"plain.dev":                       "plain.dev",
		"\x7f.dev":                        "\x7f.dev",
		strings.Repeat("ü", 127) + ".dev": strings.Repeat("ü", 127) + ".dev", // 254 bytes are no name
	} {
		assert.Equal(t, want, inASCII(host), host)
	}
	assert.True(t, strings.HasPrefix(inASCII(strings.Repeat("ü", 126)+".dev"), "xn--"), "252 bytes may be one")
}

// TestIsLikeIsBounded holds patterns that make others look again and again.
func TestIsLikeIsBounded(t *testing.T) {
	for range 100 {
		assert.False(t, isLike(strings.Repeat("*a", 10)+"b", strings.Repeat("a", 1<<20)))
	}
	assert.True(t, isLike("a*b*c", "abc"))
	assert.True(t, isLike("*", ""))
	assert.False(t, isLike("a*a", "a"))
	assert.True(t, isLike("a*ab", "aab"))
}
