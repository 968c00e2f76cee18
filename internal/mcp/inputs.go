package mcp

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
)

// InputNames finds the inputs that a file declares by the names of the variables that they
// are called like: githubToken and github-token are GITHUB_TOKEN.
type InputNames struct {
	// all and hidden have the ids of all inputs, and of those that show what is typed as
	// dots, by the variable; "" where several are called so.
	all, hidden map[string]string
}

// NameInputs returns the names of declared inputs; hidden has the ids of those that show what
// is typed as dots.
func NameInputs(ids []identity.Word, hidden map[string]bool) InputNames {
	if len(ids) == 0 {
		return InputNames{}
	}
	names := InputNames{map[string]string{}, map[string]string{}}
	add := func(to map[string]string, variable, id string) {
		if _, isThere := to[variable]; isThere {
			id = ""
		}
		to[variable] = id
	}
	for _, w := range ids {
		variable := identity.VariableInWords(w.Text)
		add(names.all, variable, w.Text)
		if hidden[w.Text] {
			add(names.hidden, variable, w.Text)
		}
	}
	return names
}

// Like returns the id of the only input with the name of a variable, "" if there is not exactly
// one. For a credential, only inputs that hide what is typed count.
func (n InputNames) Like(variable string, isCredential bool) string {
	if isCredential {
		return n.hidden[variable]
	}
	return n.all[variable]
}

// InputAnswer is what fills in an input before a person types: a command that the client runs, or a
// text that it proposes (code.visualstudio.com/docs/reference/variables-reference, November 2026).
type InputAnswer struct {
	ID string
	// Default is what the client proposes, zero where it proposes nothing.
	Default identity.Word
	// Command is the client's own command, zero where it asks a person; Args are the texts that
	// the command is given. Extensions bring commands that run them in a shell.
	Command identity.Word
	Args    []identity.Word
}

// isAskedBy reports whether a launch has the value of an input in it.
func (a *InputAnswer) isAskedBy(l *identity.Launch) bool {
	reference := "${input:" + a.ID + "}"
	has := func(w identity.Word) bool { return strings.Contains(w.Text, reference) }
	hasValue := func(p identity.Pair) bool { return has(p.Value) }
	return has(l.Command) || has(l.URL) || slices.ContainsFunc(l.Args, has) ||
		slices.ContainsFunc(l.Env, hasValue) || slices.ContainsFunc(l.Headers, hasValue)
}

// helpers returns what the client's own command runs, one for each of its texts.
func (a *InputAnswer) helpers() []Launch {
	name := "the input " + a.ID
	if len(a.Args) == 0 {
		return []Launch{{Kind: LaunchHelper, Name: name, Value: a.Command.Text}}
	}
	all := make([]Launch, 0, len(a.Args))
	for _, arg := range a.Args {
		helper := helperOf(name, arg)
		helper.Value = a.Command.Text + " " + arg.Text
		all = append(all, helper)
	}
	return all
}
