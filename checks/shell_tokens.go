package checks

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
)

// shellToken is a word of a command line, or an operator between words: | || &&
// & ; ( ) $( <(. A new line is ";", a back-quote "$(".
type shellToken struct {
	word     identity.Word
	operator string
}

// shellTokens splits the words of a command line. With quotes, what is quoted
// belongs to one word; without, quotes separate words, so that a line within a
// line is seen, too. Nothing is expanded.
func shellTokens(line []identity.Word, quotes bool) []shellToken {
	var tokens []shellToken
	for _, w := range line {
		l := shellLexer{word: w, quotes: quotes}
		l.run()
		tokens = append(tokens, l.tokens...)
	}
	return tokens
}

// shellLexer is the state of shellTokens in one word.
type shellLexer struct {
	word   identity.Word
	quotes bool
	tokens []shellToken
	start  int // of the word that is being read, -1 between words
}

func (l *shellLexer) run() {
	text := l.word.Text
	l.start = -1
	for i := 0; i < len(text); {
		operator := operatorAt(text[i:])
		switch {
		case l.quotes && (text[i] == '"' || text[i] == '\''):
			l.begin(i)
			i = quoteEnd(text, i)
			continue
		case isRedirection(text[i:]):
			l.begin(i)
			i += 2
			continue
		case operator != "":
			l.end(i)
			part := l.word.Part(i, i+len(operator))
			l.tokens = append(l.tokens, shellToken{part, operatorName(operator)})
			i += len(part.Text)
			continue
		case strings.IndexByte(" \t\r\"'", text[i]) >= 0:
			l.end(i)
		case !l.quotes && text[i] == '.' && i > 0 && text[i-1] == ')':
			l.end(i) // (New-Object Net.WebClient).DownloadString
			i++
			continue
		default:
			l.begin(i)
		}
		i++
	}
	l.end(len(text))
}

func (l *shellLexer) begin(i int) {
	if l.start < 0 {
		l.start = i
	}
}

func (l *shellLexer) end(i int) {
	if l.start >= 0 {
		l.tokens = append(l.tokens, shellToken{word: l.word.Part(l.start, i)})
	}
	l.start = -1
}

// quoteEnd returns the offset behind the quoted text that begins at i.
func quoteEnd(text string, i int) int {
	for j := i + 1; j < len(text); j++ {
		switch {
		case text[j] == '\\' && text[i] == '"':
			j++
		case text[j] == text[i]:
			return j + 1
		}
	}
	return len(text)
}

// isRedirection reports whether text begins with a redirection that has the
// letter of an operator: 2>&1, &>file.
func isRedirection(text string) bool {
	return strings.HasPrefix(text, ">&") || strings.HasPrefix(text, "&>") || strings.HasPrefix(text, "<&")
}

// operatorAt returns the operator that text begins with, or "".
func operatorAt(text string) string {
	for _, operator := range [...]string{"&&", "||", "$(", "<(", "|", "&", ";", "\n", "(", ")", "`"} {
		if strings.HasPrefix(text, operator) {
			return operator
		}
	}
	return ""
}

// operatorName returns the one spelling of operators that mean the same.
func operatorName(operator string) string {
	switch operator {
	case "\n":
		return ";"
	case "`":
		return "$("
	}
	return operator
}
