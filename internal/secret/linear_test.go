package secret

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// hostileShapes are texts that, repeated, once cost the square of their length, or
// seem likely to.
var hostileShapes = []string{
	"token=your-", "KEY=$", "token=${A:-", "-----BEGIN ", "-", "a:", "a=", "sk-", "eyJa.", "pypi-a1-", "glpat-", "xoxb-1-",
	"token='", `token="`, `token=\"`, `token=\\\"x`, `"auth: `, `auth: "`, "password: ", "    ", "--token ", "--token", "--a---", `"token" "`, "'token' '",
	"bearer ", "Bearer your-", "https://", "https://a:b/", "u:p/@", "://hooks.slack.com/services/", "$(", "${", "{{", "%AAA", "<<", "__A", "@A", "&key=",
	"curl -u ", "-u a:", "-u", `\`, `\\"`, "token=<", "Basic ", "{env:", "key=[", "A_TOKEN=${B_TOKEN:-your", "token: x ", "API_KEY ", "\"key\"",
}

// TestLinear doubles hostile texts and expects the work to double at most.
func TestLinear(t *testing.T) {
	const size = 1 << 12
	work := map[string]func(text string) int{
		"Find": func(text string) int {
			f := finder{line: text}
			f.walk()
			return f.steps
		},
		"Literals": func(text string) int {
			s := scanner{text: text, outer: "API_KEY", name: "API_KEY"}
			s.walk()
			return s.steps
		},
	}
	for name, steps := range work {
		for _, shape := range hostileShapes {
			for _, lead := range []string{"", strings.Repeat(" ", size), `token="`} {
				once := steps(lead + strings.Repeat(shape, size/len(shape)))
				twice := steps(lead + strings.Repeat(shape, 2*size/len(shape)))
				assert.LessOrEqual(t, twice, 2*once+once/4, "%s: %q after %.8q", name, shape, lead)
			}
		}
	}
}

// TestLinearForLongTexts goes to 128 KB with what once took minutes there. What grows
// faster than its text fails at a size that still takes no time.
func TestLinearForLongTexts(t *testing.T) {
	for _, shape := range []string{"token=your-", "KEY=$", "token=${A:-", "-----BEGIN ", "-", "a:", "sk-", "eyJa."} {
		before := 0
		for _, size := range []int{1 << 12, 1 << 15, 1 << 16, 1 << 17} {
			f := finder{line: strings.Repeat(shape, size/len(shape))}
			f.walk()
			s := scanner{text: f.line, outer: "API_KEY", name: "API_KEY"}
			s.walk()
			if !assert.Less(t, f.steps+s.steps, 200*size, "%q", shape) {
				break
			}
			if size > 1<<15 && !assert.LessOrEqual(t, f.steps+s.steps, 2*before+before/4, "%q", shape) {
				break
			}
			before = f.steps + s.steps
		}
	}
}
