package wording

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/mcplumb/mcplumb/internal/secret"
)

// The most that a message shows of one text of the repository, in code points: of
// what it quotes, and of anything else. A name may be megabytes, and thousands of
// findings may name it.
const (
	MaxQuoted   = 200
	MaxUnquoted = 1000
)

// Say writes a message as fmt.Sprintf does, with only the beginning of every text that it inserts.
func Say(format string, args ...any) string {
	for i, arg := range args {
		if text, ok := arg.(fmt.Stringer); ok {
			arg = text.String()
			args[i] = arg
		}
		if text, ok := arg.(string); ok && len(text) > MaxQuoted {
			args[i] = excerpt(text)
		}
	}
	return fmt.Sprintf(format, args...)
}

// excerpt is a text whose beginning a message shows.
type excerpt string

// Format writes the beginning of the text, as the verb asks for it.
func (e excerpt) Format(state fmt.State, verb rune) {
	most := MaxUnquoted
	if verb == 'q' {
		most = MaxQuoted
	}
	fmt.Fprintf(state, fmt.FormatString(state, verb), Beginning(string(e), most))
}

// Beginning returns a text of at most most code points as it is, and of a longer
// one the beginning, marked as such and with its secrets masked: half of one would
// no longer look like one. It takes no longer for a longer text.
func Beginning(text string, most int) string {
	if len(text) <= most {
		return text
	}
	// Enough of it to tell a secret that goes on behind the cut.
	if window := 2 * utf8.UTFMax * most; len(text) > window {
		text = strings.ToValidUTF8(text[:window], "")
	} else if utf8.RuneCountInString(text) <= most {
		return text
	}
	text = secret.Mask(text)
	count := 0
	for at := range text {
		if count == most {
			text = text[:at]
			break
		}
		count++
	}
	return text + "…"
}
