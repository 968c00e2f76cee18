package policy

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/spelling"
)

// word is a part of a text and where it begins.
type word struct {
	text  string
	start int
}

// directive is an ignore as a comment says it.
type directive struct {
	rules []word
	// void says why it hides nothing, "" if nothing is wrong with it.
	void string
}

// directiveForm is how an ignore is written, without the comment's mark.
const directiveForm = "mcplumb: ignore[rule] reason"

// maxIgnored is how many rules one comment may name. There are fewer; a hostile
// list would be as long as the file.
const maxIgnored = 100

// readDirective reads an ignore out of a comment, its mark included:
//
//	// mcplumb: ignore[alias-drift] two accounts on purpose
//	# mcplumb: ignore[alias-drift, name-conflict] two accounts on purpose
//	/* mcplumb: ignore[alias-drift] two accounts on purpose */
//
// ok is false for any other comment. What was meant as an ignore and is none is
// void, with the words that are reported.
func readDirective(comment string) (d directive, ok bool) {
	text := strings.TrimSuffix(comment, "*/")
	mark := 0
	for _, m := range []string{"//", "/*", "#"} {
		if strings.HasPrefix(comment, m) {
			mark = len(m)
			break
		}
	}
	text = text[min(mark, len(text)):]
	rest, ok := strings.CutPrefix(strings.TrimLeft(text, " \t"), "mcplumb:")
	if !ok {
		return d, false
	}
	rest = strings.TrimLeft(rest, " \t")
	verb := rest[:len(rest)-len(strings.TrimLeft(rest, letters))]
	if verb != "ignore" && spelling.Nearest(verb, []string{"ignore"}) == "" {
		return d, false
	}
	at := mark + len(text) - len(rest)
	list, reason, closed := strings.Cut(rest[len(verb):], "]")
	list, opened := strings.CutPrefix(list, "[")
	isList := opened && closed && strings.TrimSpace(list) != "" && !strings.Contains(list, "\n") && strings.Count(list, ",") < maxIgnored
	if verb != "ignore" || !isList {
		return directive{rules: []word{{verb, at}}, void: "is not understood: write " + directiveForm}, true
	}
	at += len(verb) + len("[")
	for _, rule := range strings.Split(list, ",") {
		name := strings.TrimSpace(rule)
		d.rules = append(d.rules, word{name, at + strings.Index(rule, name)})
		at += len(rule) + len(",")
	}
	if strings.TrimSpace(reason) == "" {
		d.void = "has no reason, so it hides nothing: write the reason after the bracket"
	}
	return d, true
}

// letters are what the word after the colon is made of.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
