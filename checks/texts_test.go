package checks_test

import (
	"cmp"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/linttest"
	"github.com/mcplumb/mcplumb/internal/rule"
)

// maxText is how long a message may be, in code points, with names of the length that people give.
const maxText = 160

// helpVerbs are the words that a help begins with.
var helpVerbs = strings.Fields("add allow approve ask check choose connect correct declare delete find give install keep let list lock make move pin record remove rename replace report restore review revoke run set start switch update use write")

var (
	// longName is a name, path or value of a fixture that is longer than those people give.
	longName = regexp.MustCompile(`[^\s"(),]{41,}`)
	// anyURL is a URL with a path; it belongs into See, unless it is what an entry connects to.
	anyURL = regexp.MustCompile(`https://(github\.com|securitylabs|osv\.dev|docs\.)\S+`)
)

// TestTexts checks that what every rule reports follows the anatomy in docs/style.md.
func TestTexts(t *testing.T) {
	for _, c := range checks.All() {
		paths, err := filepath.Glob(filepath.Join("..", "testdata", "checks", c.ID, "fires-*.txtar"))
		require.NoError(t, err)
		for _, path := range paths {
			archive, err := txtar.ParseFile(path)
			require.NoError(t, err)
			for _, f := range linttest.LintAll(t, filesIn(archive)) {
				if f.Rule == c {
					holdText(t, filepath.Base(path), &f)
				}
			}
		}
	}
}

// holdText holds the texts of a finding to the style.
func holdText(t *testing.T, fixture string, f *rule.Finding) {
	t.Helper()
	message := longName.ReplaceAllString(f.Message, strings.Repeat("n", 40))
	assert.LessOrEqual(t, utf8.RuneCountInString(message), maxText, "%s: message of %s is too long: %s", fixture, f.Rule.ID, f.Message)
	assert.False(t, strings.HasSuffix(f.Message, "."), "%s: final period: %s", fixture, f.Message)
	assert.NotContains(t, f.Message, ". ", "%s: two sentences: %s", fixture, f.Message)
	text := strings.NewReplacer(cmp.Or(f.Server, " "), " ", cmp.Or(strings.TrimPrefix(f.Identity, "url:"), " "), " ", "git:https://", "", "git+https://", "").Replace(f.Message + " " + f.Help) // which may be a URL themselves
	link := strings.TrimRight(anyURL.FindString(text), ",;")
	assert.True(t, strings.Contains(string(f.File.Bytes), link), "%s: a link belongs into See: %s", fixture, f.Text())
	if f.Help != "" {
		verb := strings.FieldsFunc(f.Help, func(r rune) bool { return !unicode.IsLetter(r) })[0]
		assert.True(t, strings.HasPrefix(f.Help, "did you mean ") || slices.Contains(helpVerbs, verb), "%s: a help begins with a verb: %s", fixture, f.Help)
		assert.False(t, strings.HasSuffix(f.Help, "."), "%s: final period: %s", fixture, f.Help)
	}
}
