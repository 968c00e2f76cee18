package internal_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// avoided is a family of words that docs/style.md has done away with, and what to write instead.
// A space in the pattern is any space, a line's end too.
type avoided struct{ pattern, instead string }

// anywhere are words that stand nowhere, not in comments and names either.
var anywhere = []avoided{
	{`\b(un)?mend(s|ed|ing)?\b`, "fix, fixed, not fixed"},
	{`\bcatalogues?\b|\borganisations?\b`, "catalog, organization"},
	{`\bheeds?\b`, "follow, respect"},
}

// inComments are words that are in no comment of a program.
var inComments = []avoided{
	{`\bnobody\b`, "no one, no client, no rule"},
	{`\btold\b`, "reports, gets"},
	{`\b(somebody|everybody|anybody)\b`, "someone, a person, everyone"},
	{`\bhears? of\b`, "sees"},
	{`\bhangs? on\b`, "depends on"},
}

// inTexts are words that are in nothing that people read.
var inTexts = []avoided{
	{`\b(is|are|be|was|were) told\b|\btold\b`, "reports, prints"},
	{`\b(is|are|was|were|be|been|and|not) said\b`, "mcplumb reports, warns"},
	{`\bnobody\b`, "mcplumb cannot tell; no one; without"},
	{`\b(whoever|whichever|whatever)\b`, "anyone who, any"},
	{`\b(somebody|everybody|anybody)\b`, "someone, everyone, anyone, you"},
	{`\b(he|him|his|himself)\b`, "they, their"},
	{`\bhears? of\b`, "sees"},
	{`\b(brings?|brought)\b`, "adds, causes"},
	{`\bstands? (in|for it|beside|behind|there|elsewhere)\b`, "is in, appears in"},
	{`\b(is|are) none\b`, "is not a"},
	{`\bin the place of\b|\bin place of\b`, "instead of"},
	{`\b(hang|hangs|hung) on\b`, "depends on"},
	{`\b(go|goes|went|going) by\b`, "uses, follows"},
	{`\bmakes? of\b`, "does with"},
	{`\b(hold|holds|held) (to|against)\b`, "compared with"},
	{`\bhas to be|\bhave to be|\bis to be\b|\bare to be\b|\bis to (follow|hold|have)\b|\bare to (follow|hold|have)\b`, "must"},
	{`\bwould have to\b`, "must"},
	{`\bnone the less\b|\ball the same\b`, "still"},
	{`\bbut for\b`, "except"},
	{`\bno more\b|\bany ?more\b`, "no longer; at most"},
	{`\bswitch(es|ed|ing)? (it |them |everything )?(on|off)\b`, "enable, disable"},
	{`\black(s|ed|ing)?\b`, "has no, is missing"},
	{`, too\b`, "also, before the verb"},
	{`\bbesides?\b`, "next to; along with"},
	{`\bgravest\b|\bmildest\b`, "most severe, least severe"},
	{`\b(in|out of) step\b[^ ]|\b(in|out of) step [^\d]`, "in sync, out of sync"},
	{`\badmit(s|ted|ting)?\b`, "allow"},
	{`\bagain and again\b`, "repeatedly"},
	{`\bknows? no\b`, "unknown"},
	{`\b(does|do) not go with\b`, "cannot be combined with"},
	{`\bwants (a|an|the|one|all|to)\b`, "needs"},
	{`\blook(s|ed)? into\b`, "reads; scanned"},
	{`\b(take|takes|took|taken) (out|back)\b`, "remove"},
	{`\bwords of (a|an|its|the|their|each|that) client\b`, "syntax of a client"},
	{`\bnot known (here|whether|which|what|how)\b`, "mcplumb cannot tell"},
	{`\bis there already\b`, "already exists"},
	{`\bis no (file|directory|number|name|such|list|object|version|URL|branch|hash|rule|setting|pattern|server|date|lockfile|baseline|git)\b`, "is not a"},
}

// area is a part of the repository whose texts are read, with the files of it that are not.
type area struct {
	path   string
	except []string
}

// areas are the parts whose texts are held to inTexts. Of a program its string literals count, of
// everything else the whole file.
var areas = []area{
	{"README.md", nil}, {"CHANGELOG.md", nil}, {"CONTRIBUTING.md", nil}, {"SECURITY.md", nil},
	{"action.yml", nil}, {"setup/action.yml", nil}, {"action", nil}, {"install.sh", nil}, {"templates", nil}, {".github/ISSUE_TEMPLATE", nil},
	{"docs", []string{"style.md", "settings.schema.json"}},
	{"cmd", nil}, {"checks", nil}, {"report", nil}, {"internal", nil}, {"packaging", nil}, {"site", []string{"dist", "public", "content", ".astro"}},
	{"editors", []string{"dist", "mcplumb.vsix", "test"}},
}

// exact are texts that a pattern finds and that stay: names, fields, and quotes of others.
var exact = []string{
	" th he in er ",               // common pairs of letters
	"Lack of Audit and Telemetry", // a risk of OWASP

	"## Files in step", // the pages of rules link to the heading
	"there is no",      // only "X is no Y" is avoided
}

// names are names in pages: of code, and of the cases of a test.
var names = regexp.MustCompile("`[^` ]*\\.Test\\w+` \\([^)]*\\)|`[^` ]*`")

// TestWords holds what people read to the words of docs/style.md.
func TestWords(t *testing.T) {
	everywhere := compiled(anywhere)
	for _, top := range []string{"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "action.yml", "docs", "checks", "cmd", "internal", "packaging", "report", "scripts", "templates", "testdata/cli", ".github"} {
		visit(t, area{top, []string{"style.md", "words_test.go", "read_test.go"}}, func(path string, content []byte) {
			report(t, anywhere, everywhere, path, 1, string(content))
		})
	}
	comments := compiled(inComments)
	for _, top := range []string{"checks", "cmd", "internal", "packaging", "report", "test"} {
		visit(t, area{top, []string{"words_test.go"}}, func(path string, content []byte) {
			if filepath.Ext(path) != ".go" {
				return
			}
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, path, content, parser.ParseComments|parser.SkipObjectResolution)
			require.NoError(t, err)
			for _, c := range file.Comments {
				report(t, inComments, comments, path, set.Position(c.Pos()).Line, string(content[set.Position(c.Pos()).Offset:set.Position(c.End()).Offset]))
			}
		})
	}
	texts := compiled(inTexts)
	used := map[string]bool{}
	for _, a := range areas {
		visit(t, a, func(path string, content []byte) {
			switch filepath.Ext(path) {
			case ".go":
				if strings.HasSuffix(path, "_test.go") {
					return
				}
				for _, text := range literals(t, path, content) {
					report(t, inTexts, texts, path, text.line, without(text.text, used))
				}
			case ".md", ".tsv":
				report(t, inTexts, texts, path, 1, without(names.ReplaceAllString(string(content), "``"), used))
			case ".yml", ".yaml", ".html", ".js", ".json", ".sh", "":
				report(t, inTexts, texts, path, 1, without(string(content), used))
			}
		})
	}
	for _, text := range exact {
		assert.True(t, used[text], "no longer needed: %s", text)
	}
}

// without returns a text with the exact ones left out, but for their lines.
func without(text string, used map[string]bool) string {
	for _, e := range exact {
		if strings.Contains(text, e) {
			used[e] = true
			text = strings.ReplaceAll(text, e, strings.Repeat("\n", strings.Count(e, "\n")))
		}
	}
	return text
}

// compiled returns the pattern of all words, and that of each.
func compiled(words []avoided) []*regexp.Regexp {
	patterns := make([]*regexp.Regexp, 1, len(words)+1)
	var all []string
	for _, w := range words {
		pattern := strings.ReplaceAll(strings.ToLower(w.pattern), " ", `\s+`)
		all = append(all, pattern)
		patterns = append(patterns, regexp.MustCompile(`^(`+pattern+`)`))
	}
	patterns[0] = regexp.MustCompile(strings.Join(all, "|"))
	return patterns
}

// report fails for each of some words in a text that begins on a line of a file.
func report(t *testing.T, words []avoided, patterns []*regexp.Regexp, path string, line int, text string) {
	t.Helper()
	text = strings.ToLower(text)
	for _, at := range patterns[0].FindAllStringIndex(text, -1) {
		i := slices.IndexFunc(patterns[1:], func(p *regexp.Regexp) bool { return p.MatchString(text[at[0]:at[1]]) })
		t.Errorf("%s:%d: %q: write %s", strings.TrimPrefix(filepath.ToSlash(path), "../"), line+strings.Count(text[:at[0]], "\n"), text[at[0]:at[1]], words[i].instead)
	}
}

// visit calls a function for every file of an area.
func visit(t *testing.T, a area, see func(path string, content []byte)) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(filepath.Join("..", filepath.FromSlash(a.path)), func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && slices.Contains(append(a.except, "node_modules"), entry.Name()) {
			return fs.SkipDir
		}
		if err != nil || entry.IsDir() || slices.Contains(a.except, entry.Name()) {
			return err
		}
		content, err := os.ReadFile(path)
		if err == nil {
			see(path, content)
		}
		return err
	}))
}

// literal is a string of a program, joined where it is put together from several, and its line.
type literal struct {
	text string
	line int
}

// literals returns the strings of a program that are sentences or parts of one.
func literals(t *testing.T, path string, content []byte) []literal {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, content, parser.SkipObjectResolution)
	require.NoError(t, err)
	var all []literal
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.BinaryExpr:
			if text, ok := joined(n); ok {
				all = append(all, literal{text, set.Position(n.Pos()).Line})
				return false
			}
		case *ast.BasicLit:
			if text, ok := joined(n); ok {
				all = append(all, literal{text, set.Position(n.Pos()).Line})
			}
		}
		return true
	})
	return slices.DeleteFunc(all, func(l literal) bool { return !strings.Contains(strings.TrimSpace(l.text), " ") })
}

// joined returns the text of a string, or of several that are added up; what is no string among
// them is left out.
func joined(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, err := strconv.Unquote(e.Value)
			return text, err == nil
		}
	case *ast.BinaryExpr:
		left, first := joined(e.X)
		right, second := joined(e.Y)
		return left + right, e.Op == token.ADD && (first || second)
	}
	return "", false
}

// TestWordsAreFound shows where words are found in a program: in strings, also in those that are
// put together, and not in comments and names.
func TestWordsAreFound(t *testing.T) {
	const program = "package p\n\n// nobody\nvar nobody = \"no\" +\n\t\"body knows\"\n\nvar b = \"it is \" + f() + \"told\"\n"
	assert.Equal(t, []literal{{"nobody knows", 4}, {"it is told", 7}}, literals(t, "p.go", []byte(program)))
}
