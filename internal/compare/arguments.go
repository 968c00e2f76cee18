package compare

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// argument is an option with its value, or a word without an option.
type argument struct {
	option, value string
	// canonical is the value as it compares.
	canonical string
}

// maxArguments is how many arguments of one program are held against each other.
const maxArguments = 500

func (a argument) isWord() bool { return a.option == "" }

// changedArguments says in words which arguments a program gets that it did not get before, and
// which it no longer gets. What a launcher reads is not an argument of the program, and the order
// of options does not count.
func changedArguments(was, now *mcp.Server) []string {
	a, b := was.Resolved(), now.Resolved()
	if a.Kind != b.Kind || b.Kind == identity.URL || b.Kind == identity.Opaque {
		return nil
	}
	before, after := argumentsOf(a.Knowing(b)), argumentsOf(b.Knowing(a))
	if max(len(before), len(after)) > maxArguments {
		if slices.Equal(before, after) {
			return nil
		}
		return []string{"there are more than can be compared"}
	}
	gone, added := differing(before, after)
	return append(wordsOfOptions(gone, added), wordsOfWords(gone, added)...)
}

// argumentsOf returns the arguments of a program.
func argumentsOf(r identity.Resolved) []argument {
	written := r.ConfigWords()
	canonical := r.Config().Args
	canonical = canonical[len(canonical)-len(written):] // arguments for launchers come before them
	var all []argument
	if r.IsPackage() {
		for _, word := range r.Selector { // the first words, which may name a sub-command
			all = append(all, argument{"", word, word})
		}
	}
	isOver, isOpen := false, false // "--" ends the options; the last option may have a value
	for i, text := range canonical {
		as := written[i].Text
		isOption := len(as) > 1 && as[0] == '-' && !isOver
		switch option, value, hasValue := strings.Cut(as, "="); {
		case as == "": // says nothing
		case as == "--":
			isOver = true
		case isOption && hasValue:
			_, text, _ = strings.Cut(text, "=")
			all = append(all, argument{option, value, text})
		case isOption:
			all = append(all, argument{as, "", ""})
		case isOpen:
			all[len(all)-1].value, all[len(all)-1].canonical = as, text
		default:
			all = append(all, argument{"", as, text})
		}
		isOpen = isOption && !strings.Contains(as, "=")
	}
	return all
}

// differing returns the arguments that only one of two launches has.
func differing(was, now []argument) (gone, added []argument) {
	gone, added = without(was, now), without(now, was)
	if len(gone) == 0 && len(added) == 0 {
		return nil, nil
	}
	// A word behind an option that is a switch was taken for its value.
	added = split(added, gone)
	gone = split(gone, added)
	return without(gone, added), without(added, gone)
}

// without returns the arguments that others do not have, each of these for one.
func without(all, others []argument) []argument {
	others = slices.Clone(others)
	return slices.DeleteFunc(slices.Clone(all), func(a argument) bool {
		i := slices.IndexFunc(others, func(b argument) bool {
			return a.option == b.option && (a.canonical == b.canonical || here(a.value) == here(b.value))
		})
		if i >= 0 {
			others = slices.Delete(others, i, i+1)
		}
		return i >= 0
	})
}

// here returns a path as it is without the directory that it begins in.
func here(path string) string { return strings.TrimPrefix(path, "./") }

// split takes apart the options whose values others have as words, or which others have
// without a value.
func split(all, others []argument) (apart []argument) {
	for _, a := range all {
		isSwitch := func(b argument) bool {
			return b.isWord() && b.canonical == a.canonical || b.option == a.option && b.canonical == ""
		}
		isSecret := secret.IsSecretName(a.option) // alone, its value would be shown
		if a.isWord() || a.canonical == "" || isSecret || !slices.ContainsFunc(others, isSwitch) {
			apart = append(apart, a)
		} else {
			apart = append(apart, argument{a.option, "", ""}, argument{"", a.value, a.canonical})
		}
	}
	return apart
}

// wordsOfOptions says which options have other values.
func wordsOfOptions(gone, added []argument) []string {
	was, now := deciding{values: map[string][]string{}}, deciding{values: map[string][]string{}}
	for _, a := range gone {
		if !a.isWord() {
			was.add(a.option, a.value)
		}
	}
	for _, a := range added {
		if !a.isWord() {
			now.add(a.option, a.value)
		}
	}
	var words []string
	for _, name := range now.names {
		if before, after := shownArguments(name, was.values[name]), shownArguments(name, now.values[name]); before != after {
			words = append(words, wording.Say("%s is now %s (it was %s)", name, after, before))
		}
	}
	for _, name := range was.names {
		if now.values[name] == nil {
			words = append(words, wording.Say("%s is no longer set (it was %s)", name, shownArguments(name, was.values[name])))
		}
	}
	return words
}

// wordsOfWords says which words are others.
func wordsOfWords(gone, added []argument) []string {
	show := func(all []argument) (shown []string) {
		for _, a := range all {
			if a.isWord() {
				shown = append(shown, shownArguments("", []string{a.value}))
			}
		}
		return shown
	}
	before, after := show(gone), show(added)
	var words []string
	if len(before) == len(after) {
		for i := range before {
			if before[i] != after[i] {
				words = append(words, wording.Say("%s is %s now", before[i], after[i]))
			}
		}
		return words
	}
	for _, text := range after {
		words = append(words, wording.Say("%s is new", text))
	}
	for _, text := range before {
		words = append(words, wording.Say("%s is gone", text))
	}
	return words
}

// shownArguments shows the values of an option. One that is a credential by its name is not shown,
// regardless of its form.
func shownArguments(option string, values []string) string {
	hidden := make([]string, len(values))
	for i, value := range values {
		_, isReference := secret.WholeReference(value)
		if hidden[i] = value; !isReference && (secret.IsSecretName(option) || secret.Hides(option+" "+value)) {
			hidden[i] = "***"
		}
	}
	return shownValues(option, hidden)
}

// changedVariables returns the names of the variables that a program gets today and did not
// get at the base, and of those that it no longer gets.
func changedVariables(was, now *mcp.Server) (given, taken []string) {
	if now.Launch.IsRemote() || was.Launch.IsRemote() {
		return nil, nil
	}
	before, after := variablesOf(was), variablesOf(now)
	return missingIn(before, after), missingIn(after, before)
}

// missingIn returns the names that others do not have.
func missingIn(others, names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(others, name) })
}

// lowered says in words that a package runs in a lower version than at the base: vulnerabilities
// fixed since then are open again.
func lowered(was, now *identity.Identity) []string {
	if !now.IsPackage() || was.Kind != now.Kind || !IsOneVersion(was.Version) || !IsOneVersion(now.Version) {
		return nil
	}
	before, err := was.Kind.System().Parse(was.Version.Text)
	if err != nil {
		return nil
	}
	if after, err := now.Kind.System().Parse(now.Version.Text); err != nil || after.Compare(before) >= 0 {
		return nil
	}
	return []string{wording.Say("at version %s, lower than %s at the base", now.Version.Text, was.Version.Text)}
}

// variablesOf returns the names of the variables that a program is given, sorted.
func variablesOf(s *mcp.Server) []string {
	config := s.Resolved().Config()
	names := slices.Clone(config.PassedOn)
	if container := s.Resolved().Parts().Container; container != nil {
		for _, word := range container.Handed {
			names = append(names, word.Text)
		}
	}
	for _, setting := range config.Env {
		names = append(names, setting.Name)
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		return name == "" || identity.SpeaksToLauncher(name) || identity.SaysHowToPrint(name) // arguments for launchers are compared separately
	})
	slices.Sort(names)
	return slices.Compact(names)
}
