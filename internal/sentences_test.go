package internal_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// longest is how many words a sentence of a page may have (docs/style.md).
const longest = 30

// pages are the pages whose sentences are counted.
var pages = []string{"*.md", "docs/*.md", "packaging/*.md", "packaging/npm/*.md", "editors/vscode/*.md", "checks/*.md"}

// uncounted are pages of those that are made from other files, which are counted instead.
var uncounted = map[string]string{
	"docs/checks.md": "made of checks/*.md",
}

// longer are the sentences that may be longer, by their page and their first words.
// There are at most ten.
var longer = map[string][]string{}

// TestSentences holds the sentences of pages to a length that is understood at one reading.
func TestSentences(t *testing.T) {
	exceptions, found := 0, map[string]bool{}
	for _, starts := range longer {
		exceptions += len(starts)
	}
	assert.LessOrEqual(t, exceptions, 10)
	for _, pattern := range pages {
		paths, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(pattern)))
		require.NoError(t, err)
		require.NotEmpty(t, paths, pattern)
		for _, path := range paths {
			page := filepath.ToSlash(strings.TrimPrefix(path, ".."+string(filepath.Separator)))
			if uncounted[page] != "" {
				continue
			}
			content, err := os.ReadFile(path)
			require.NoError(t, err)
			for _, sentence := range sentences(string(content)) {
				words := len(strings.Fields(sentence.text))
				if words <= longest {
					continue
				}
				start := exception(page, sentence.text)
				found[page+": "+start] = true
				assert.NotEmpty(t, start, "%s:%d: a sentence has %d words, and may have %d: %s", page, sentence.line, words, longest, sentence.text)
			}
		}
	}
	for page, starts := range longer {
		for _, start := range starts {
			assert.True(t, found[page+": "+start], "no longer needed: %s: %s", page, start)
		}
	}
}

// exception returns the first words of a sentence by which it may be long, "" if it may not.
func exception(page, text string) string {
	for _, start := range longer[page] {
		if strings.HasPrefix(text, start) {
			return start
		}
	}
	return ""
}

// sentence is a sentence of a page, without markup, and the line on which its paragraph begins.
type sentence struct {
	text string
	line int
}

var (
	listItem = regexp.MustCompile(`^\s*(?:[-*+]|\d+\.)\s+(?:\[[ x]\]\s+)?`)
	tableRow = regexp.MustCompile(`^\s*\|`)
	// notText are parts of a line that are not words: comments, tags, and the addresses of links.
	notText = regexp.MustCompile(`<!--.*?-->|</?[a-z][^>]*>|\]\([^)]*\)|\*+|\b_|_\b|!?\[`)
	// codeSpan is a name or a command, which counts as one word.
	codeSpan = regexp.MustCompile("``.+?``|`[^`]*`")
	// sentenceEnd ends a sentence where the next word begins one: with a capital, a digit, a name
	// or a link, and not behind "e.g." or in "1.2.3".
	sentenceEnd = regexp.MustCompile(`([.?!][)"”*_]*)\s+(["“(*_]*(?:[A-Z\d\x00\[]|mcplumb\b))`)
)

// sentences returns the sentences of a Markdown page: of paragraphs, list items, headings and
// cells of tables, each of which ends a sentence. Blocks of code have none.
func sentences(page string) []sentence {
	var all []sentence
	var paragraph strings.Builder
	started, fence, comment := 0, "", false
	end := func() {
		all = append(all, split(paragraph.String(), started)...)
		paragraph.Reset()
	}
	blank := true
	for i, line := range strings.Split(page, "\n") {
		trimmed := strings.TrimSpace(line)
		wasBlank := blank
		blank = trimmed == ""
		switch {
		case fence != "":
			if strings.HasPrefix(trimmed, fence) {
				fence = ""
			}
			continue
		case strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~"):
			end()
			fence = trimmed[:3]
			continue
		case comment || strings.HasPrefix(trimmed, "<!--"):
			comment = !strings.Contains(trimmed, "-->")
			continue
		case blank:
			end()
			continue
		case wasBlank && paragraph.Len() == 0 && strings.HasPrefix(line, "    ") && !listItem.MatchString(line):
			blank = true // code by indentation, to its last line
			continue
		case tableRow.MatchString(line):
			end()
			row := codeSpan.ReplaceAllStringFunc(strings.ReplaceAll(trimmed, `\|`, " "), func(code string) string { return strings.ReplaceAll(code, "|", " ") })
			for cell := range strings.SplitSeq(row, "|") {
				for part := range strings.SplitSeq(cell, "<br>") {
					all = append(all, split(part, i+1)...)
				}
			}
			continue
		case strings.HasPrefix(line, "#") || listItem.MatchString(line):
			end()
		}
		if paragraph.Len() == 0 {
			started = i + 1
		}
		paragraph.WriteString(listItem.ReplaceAllString(line, "") + " ")
		if strings.HasPrefix(line, "#") {
			end()
		}
	}
	end()
	return all
}

// split returns the sentences of a paragraph that begins on a line.
func split(paragraph string, line int) []sentence {
	var all []sentence
	text := codeSpan.ReplaceAllStringFunc(paragraph, func(code string) string { return "\x00" + strings.ReplaceAll(strings.Trim(code, "`"), " ", "\x01") })
	for _, part := range strings.Split(sentenceEnd.ReplaceAllString(text, "$1\n$2"), "\n") {
		part = notText.ReplaceAllString(part, "")
		part = strings.Join(strings.Fields(strings.NewReplacer("\x00", "", "\x01", "␣").Replace(part)), " ")
		if part != "" {
			all = append(all, sentence{part, line})
		}
	}
	return all
}

// TestSentencesOfAPage shows what one sentence is.
func TestSentencesOfAPage(t *testing.T) {
	const page = "# A title\n\nOne sentence\nof two lines, `with some code`. **Another.** [A link](https://x.y/a b) to 1.2.3.\n\n- an item\n- an item\n  of two lines. And a second one\n\n" +
		"| a cell | another. Two |\n|---|---|\n\n```sh\nno sentence\n```\n\n    no sentence\n    either\n\n<!-- none\nhere -->\nThe end: `a.b` it is."
	var texts []string
	for _, s := range sentences(page) {
		texts = append(texts, strings.ReplaceAll(s.text, "␣", "_"))
	}
	assert.Equal(t, []string{
		"# A title", "One sentence of two lines, with_some_code.", "Another.", "A link to 1.2.3.", "an item", "an item of two lines.", "And a second one",
		"a cell", "another.", "Two", "---", "---", "The end: a.b it is.",
	}, texts)
}
