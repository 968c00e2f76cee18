package policy

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/spelling"
)

// word is a part of a text and where it begins.
type word struct {
	text  string
	start int
}

// directive is an ignore in a comment.
type directive struct {
	rules []word
	// void says why it hides nothing, "" if nothing is wrong with it, and help what to do; about
	// is the rule that a malformed one names, "" for none.
	void, help, about string
}

// directiveForm is how an ignore is written, without the comment's mark.
const directiveForm = "mcplumb: ignore[RULE] REASON"

// maxIgnored is how many rules one comment may name. There are fewer; a hostile
// list would be as long as the file.
const maxIgnored = 100

// readDirective reads an ignore out of a comment, its mark included:
//
//	// mcplumb: ignore[alias-drift] two accounts on purpose
//	# mcplumb: ignore[alias-drift, name-conflict] two accounts on purpose
//	/* mcplumb: ignore[alias-drift] two accounts on purpose */
//
// ok is false for any other comment. A comment that was meant as an ignore and is not one is void,
// with the texts to report.
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
	rest := strings.TrimLeft(text, " \t\r\n/#*")
	isFirst := strings.Trim(text[:len(text)-len(rest)], " \t") == ""
	if len(rest) < len(program) || !strings.EqualFold(rest[:len(program)], program) {
		return d, false
	}
	isProgram := strings.HasPrefix(rest, program+":")
	after := rest[len(program):]
	rest = strings.TrimLeft(after, " \t:-")
	verb := rest[:len(rest)-len(strings.TrimLeft(rest, letters))]
	isPlain := isFirst && isProgram && strings.Trim(after[:len(after)-len(rest)], " \t") == ":" && verb == "ignore"
	d.about = ruleIn(rest[len(verb):])
	if len(after) == len(rest) || !isPlain && !isMeant(verb, rest[len(verb):], isProgram, d.about) {
		return d, false
	}
	at := mark + len(text) - len(rest)
	list, reason, closed := strings.Cut(rest[len(verb):], "]")
	list, opened := strings.CutPrefix(list, "[")
	isList := opened && closed && strings.TrimSpace(list) != "" && !strings.Contains(list, "\n") && strings.Count(list, ",") < maxIgnored
	if !isPlain || !isList {
		return directive{rules: []word{{verb, at}}, void: "is malformed, so it hides nothing", help: "write " + directiveForm, about: d.about}, true
	}
	d.about = ""
	at += len(verb) + len("[")
	for _, rule := range strings.Split(list, ",") {
		name := strings.TrimSpace(rule)
		d.rules = append(d.rules, word{name, at + strings.Index(rule, name)})
		at += len(rule) + len(",")
	}
	if !IsReason(reason) {
		d.void, d.help = "has no reason, so it hides nothing", "write the reason after the bracket"
	}
	return d, true
}

// program is what a comment for mcplumb begins with.
const program = "mcplumb"

// isMeant reports whether a comment was meant as an ignore that is not written as one: by
// its brackets, by a word that is nearly the right one, or one with which other linters
// switch a rule off, and the name of a rule.
func isMeant(verb, rest string, isProgram bool, rule string) bool {
	isNear := verb == "ignore" || spelling.Nearest(verb, []string{"ignore"}) != ""
	isOther := slices.Contains([]string{"allow", "disable", "off", "skip", "suppress"}, strings.ToLower(verb))
	return verb != "" && strings.HasPrefix(rest, "[") || isNear && isProgram || (isNear || isOther) && rule != ""
}

// ruleIn returns the first rule that the first line of a text names, "" for none.
func ruleIn(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	isOther := func(r rune) bool { return r != '-' && (r < 'a' || r > 'z') }
	for _, word := range strings.FieldsFunc(text, isOther) {
		if word = strings.Trim(word, "-"); checks.ByID(word) != nil {
			return word
		}
	}
	return ""
}

// letters are what the word after the colon is made of.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
