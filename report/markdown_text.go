package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcplumb/mcplumb/internal/view"
)

// maxMarkdownText is how many UTF-16 code units of one text are shown.
const maxMarkdownText = 500

func markdownPath(path view.Path) string { return codeSpan(shorten(path.String(), maxMarkdownText)) }

// markdown returns a text of the view, as a log may hold it, as Markdown that shows just that.
// What is more than a plain word becomes code: there Markdown, HTML, mentions,
// issue numbers and addresses mean nothing, neither to the parser nor to what
// GitHub and GitLab do afterwards. A backslash would stop only the parser. Words
// that belong together are one piece of code.
func markdown(text string) string {
	words := strings.Split(shorten(text, maxMarkdownText), " ")
	var pieces []string
	for i := 0; i < len(words); {
		n := codeWords(words[i:])
		if n == 0 && i == 0 && beginsList(words[0]) {
			n = 1
		}
		if n == 0 {
			pieces = append(pieces, words[i])
			i++
			continue
		}
		before, core, after := trimPunctuation(strings.Join(words[i:i+n], " "))
		pieces = append(pieces, before+codeSpan(core)+after)
		i += n
	}
	return strings.Join(pieces, " ")
}

// codeWords returns how many of the first words are one piece of code, 0 if the first is a
// plain word. Code is text in quotes, text that brackets hold together, and adjacent pieces of
// code.
func codeWords(words []string) int {
	if n := quotedWords(words); n > 1 {
		return n
	}
	n := 0
	for n < len(words) {
		before, core, _ := trimPunctuation(words[n])
		if isPlainWord(core) || n > 0 && before != "" {
			break
		}
		n += bracketedWords(words[n:])
		if _, _, after := trimPunctuation(words[n-1]); after != "" {
			break // the end of a clause
		}
	}
	return n
}

// quotedWords returns how many of the first words are in double quotes together, 0 if the
// first does not begin a quote or if all of them are plain.
func quotedWords(words []string) int {
	before, _, _ := trimPunctuation(words[0])
	if !strings.HasSuffix(before, `"`) {
		return 0
	}
	hasCode := false
	for i, word := range words {
		_, core, after := trimPunctuation(word)
		hasCode = hasCode || !isPlainWord(core)
		if strings.HasPrefix(after, `"`) {
			if !hasCode {
				return 0
			}
			return i + 1
		}
	}
	return 0
}

// bracketedWords returns how many of the first words belong to the first because
// brackets in it are closed only there, 1 if they never are.
func bracketedWords(words []string) int {
	open := 0
	for i, word := range words {
		for _, r := range word {
			switch r {
			case '[', '{':
				open++
			case ']', '}':
				open--
			}
		}
		if open <= 0 {
			return i + 1
		}
	}
	return 1
}

// beginsList reports whether a word at the beginning of a text makes a list of it.
func beginsList(word string) bool {
	_, core, after := trimPunctuation(word)
	return isNumber(core) && after != ""
}

// markdownCell is markdown for the cell of a table.
func markdownCell(text string) string { return withoutBars(markdown(text)) }

// trimPunctuation splits a word from the marks of a sentence around it. What closes
// something within the word belongs to it.
func trimPunctuation(word string) (before, core, after string) {
	core = strings.TrimLeft(word, `"'(`)
	before = word[:len(word)-len(core)]
	trimmed := core
	for trimmed != "" {
		r, size := utf8.DecodeLastRuneInString(trimmed)
		closes := r == ')' && strings.Count(trimmed, "(") >= strings.Count(trimmed, ")") ||
			r == '"' && strings.Count(trimmed, `"`)%2 == 0 ||
			strings.HasSuffix(trimmed, "/…")
		if closes || !strings.ContainsRune(`"').,:;?…`, r) {
			break
		}
		trimmed = trimmed[:len(trimmed)-size]
	}
	return before, trimmed, core[len(trimmed):]
}

// isPlainWord reports whether a word means nothing to anyone but people: letters
// with hyphens between them, or a small number. GH-12 is an issue, and seven
// hexadecimal digits in a row may be a commit.
func isPlainWord(word string) bool {
	hexadecimal := 0
	for i, r := range word {
		if hexadecimal++; !('0' <= r && r <= '9' || 'a' <= r && r <= 'f') {
			hexadecimal = 0
		}
		if hexadecimal == 7 || !unicode.IsLetter(r) && (i == 0 || r != '-' && r != '\'') && !isNumber(word) {
			return false
		}
	}
	return true
}

func isNumber(word string) bool { return word != "" && strings.Trim(word, "0123456789") == "" }

// codeSpan returns text as code, "" for "". The fence is longer than any run of backticks
// within it (CommonMark, "Code spans").
func codeSpan(text string) string {
	if text == "" {
		return ""
	}
	fence := strings.Repeat("`", longestRun(text, '`')+1)
	// One space at both ends is not shown, and keeps backticks apart.
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") || strings.HasPrefix(text, " ") && strings.HasSuffix(text, " ") {
		text = " " + text + " "
	}
	return fence + text + fence
}

// codeCell returns text as a code span in a cell of a table, "" for none.
// Nothing in a code span is a link, a mention, a number of an issue or HTML.
func codeCell(text string) string {
	return codeSpan(withoutBars(text))
}

// markdownLink returns an address as it may follow a link's text in a cell of a table:
// characters that could end it are encoded.
func markdownLink(address string) string {
	var b strings.Builder
	for i := range len(address) {
		c := address[i]
		isPlain := c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || strings.IndexByte("-._~:/?#@!$&+,;=%", c) >= 0
		if isPlain {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// withoutBars escapes what divides the cells of a table, even in a code span.
// After a backslash the escaping itself would be read as an escaped backslash
// and a divider, so there the bar is spelled out.
func withoutBars(text string) string {
	if !strings.Contains(text, "|") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] != '|':
			b.WriteByte(text[i])
		case i > 0 && text[i-1] == '\\':
			b.WriteString(`\x7c`)
		default:
			b.WriteString(`\|`)
		}
	}
	return b.String()
}

// longestRun returns how often a character follows itself at most.
func longestRun(text string, c byte) int {
	longest, run := 0, 0
	for i := 0; i < len(text); i++ {
		if text[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
