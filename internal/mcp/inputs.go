package mcp

import "github.com/mcplumb/mcplumb/internal/identity"

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

// Like returns the id of the only input that is called like a variable, "" if there is none.
// For a credential only those count that hide what is typed.
func (n InputNames) Like(variable string, isCredential bool) string {
	if isCredential {
		return n.hidden[variable]
	}
	return n.all[variable]
}
