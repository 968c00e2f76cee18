package writing

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// withoutSecrets returns a value with a variable instead of each credential that would be copied.
func (w *entryWriter) withoutSecrets(word identity.Word, in valuePlace, name string) string {
	if own, isThere := w.own(word, in, name); isThere {
		return own
	}
	text := word.Text
	for _, c := range slices.Backward(w.credentials(word, in, name)) {
		text = text[:c.start] + c.reference + text[c.end:]
		w.RecordLoss(mcp.SecretLeftOut, c.variable, word.Span)
	}
	return text
}

// credential is one in a value, and the text to write instead.
type credential struct {
	start, end          int
	variable, reference string
}

// credentials returns those in a value, in their order. The variable of each is the one that is
// known to hold it, else the one that the entry already has there, else one that is named after
// the place.
func (w *entryWriter) credentials(word identity.Word, in valuePlace, name string) []credential {
	var all []credential
	for _, c := range w.to.Secrets[word.Span] {
		if c.End <= len(word.Text) {
			all = append(all, credential{c.Start, c.End, c.Name, "${" + c.Name + "}"})
		}
	}
	for _, c := range secret.Kept(name, word.Text) {
		if slices.ContainsFunc(all, func(known credential) bool { return known.start < c.End && c.Start < known.end }) {
			continue
		}
		held := w.held(word, secretPlace{in: in, name: strings.ToLower(name), before: word.Text[:c.Start], after: word.Text[c.End:]})
		if held.variable == "" {
			held.variable = w.secretVariable(in, name, c.Name)
			held.reference = "${" + held.variable + "}"
		}
		held.start, held.end = c.Start, c.End
		all = append(all, held)
	}
	slices.SortFunc(all, func(a, b credential) int { return a.start - b.start })
	return all
}

// own returns the value that Target.Has has instead and that stays there: the same value, or a
// credential of its own under the name. Then nothing is copied, and a working entry continues to
// work.
func (w *entryWriter) own(word identity.Word, in valuePlace, name string) (own string, isThere bool) {
	if w.to.Has == nil {
		return "", false
	}
	l := &w.to.Has.Launch
	switch in {
	case inArgument:
		return word.Text, slices.ContainsFunc(l.Args, func(w identity.Word) bool { return w.Text == word.Text })
	case inVariable:
		return ownUnder(l.Env, word, name)
	case inHeader:
		return ownUnder(l.Headers, word, name)
	case inURL:
		return word.Text, l.URL.Text == word.Text
	}
	return "", false
}

func ownUnder(pairs []identity.Pair, word identity.Word, name string) (own string, isThere bool) {
	for _, p := range pairs {
		if p.Name.Text == name && (p.Value.Text == word.Text || len(secret.Kept(name, p.Value.Text)) > 0 && len(secret.Kept(name, word.Text)) > 0) {
			return p.Value.Text, true
		}
	}
	return "", false
}

// secretPlace is the place of a credential: in a part of the launch, under a name in small
// letters, between the rest of the value. For arguments after options of one name, nth counts
// them.
type secretPlace struct {
	in                  valuePlace
	name, before, after string
	nth                 int
}

// maxOptions is how many arguments are compared for options of one name.
const maxOptions = 64

// nthOf returns how many of the previous arguments follow the same option as the one at i does.
func nthOf(args []identity.Word, i int) (nth int) {
	for j := max(i-maxOptions, 1); j < i; j++ {
		if name := option(args[j-1].Text); name != "" && name == option(args[i-1].Text) {
			nth++
		}
	}
	return nth
}

// held returns what Target.Has has at the place of a credential in a word, the zero value if that
// is not a variable.
func (w *entryWriter) held(word identity.Word, at secretPlace) credential {
	if w.to.Has == nil {
		return credential{}
	}
	if w.has == nil {
		w.has, w.nth = referencesOf(&w.to.Has.Launch), map[syntax.Span]int{}
		for i, arg := range w.Server.Launch.Args {
			w.nth[arg.Span] = nthOf(w.Server.Launch.Args, i)
		}
	}
	if at.in == inArgument {
		at.nth = w.nth[word.Span]
	}
	return w.has[at]
}

// referencesOf returns the references in a launch by their places.
func referencesOf(l *identity.Launch) map[secretPlace]credential {
	all := map[secretPlace]credential{}
	note := func(in valuePlace, name, text string, nth int) {
		for ref, ok := secret.NextReference(text, 0); ok; ref, ok = secret.NextReference(text, ref.End) {
			at := secretPlace{in, strings.ToLower(name), text[:ref.Start], text[ref.End:], nth}
			switch {
			case ref.Syntax.IsOfEnvironment(), ref.Syntax == secret.Input:
				all[at] = credential{variable: ref.Name, reference: text[ref.Start:ref.End]}
			case ref.Syntax == secret.Secrets:
				variable := strings.TrimPrefix(ref.Name, "secrets.")
				all[at] = credential{variable: variable, reference: "${" + variable + "}"}
			}
		}
	}
	for i, arg := range l.Args {
		before := ""
		if i > 0 {
			before = option(l.Args[i-1].Text)
		}
		note(inArgument, before, arg.Text, nthOf(l.Args, i))
	}
	for _, pair := range l.Env {
		note(inVariable, pair.Name.Text, pair.Value.Text, 0)
	}
	note(inURL, "", l.URL.Text, 0)
	for _, pair := range l.Headers {
		note(inHeader, pair.Name.Text, pair.Value.Text, 0)
	}
	return all
}

// secretVariable returns a name for the variable that holds a credential, after the name that it
// is under if that says more than how it is sent, else after the server.
func (w *entryWriter) secretVariable(in valuePlace, name, within string) string {
	if in == inVariable && within == "" && !secret.Hides(name) {
		return name
	}
	if within != "" {
		name = within
	}
	if in == inHeader && (ascii.EqualFold(name, "Authorization") || ascii.EqualFold(name, "Cookie")) {
		name = ""
	}
	variable := identity.VariableName(name)
	switch isOther := name == "" || ascii.IsDigit(variable[0]) || secret.Hides(name); {
	case isOther && secret.Hides(w.Server.Name):
		return "MCP_TOKEN"
	case isOther:
		return "MCP_" + identity.VariableName(w.Server.Name) + "_TOKEN"
	}
	return variable
}
