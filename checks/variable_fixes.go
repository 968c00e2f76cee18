package checks

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/dialect"
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/spelling"
)

// fixVariable writes a variable as all clients of its file expand it, wherever the entry
// has it. What a generator copies to the files of several clients is left alone, and a
// default that the client would not take.
func fixVariable(s *mcp.Server, v *variable, inputs map[string]bool, idle *idleInputs) []Fix {
	loaders := s.Document.Loaders()
	takes := dialect.For(loaders[0], s.Document.Format)
	if !isFixable(s) || v.copied || s.Document.IsSecondary {
		return nil
	}
	if v.ref.Syntax == secret.Input && takes.Expands(secret.Input) {
		if id := inputInOtherCase(s.Document, v.ref.Name); id != "" {
			return askForDeclared(s, v, inputs, "${input:"+id+"}")
		}
		return fixInput(s.Document, idle, v.ref.Name, holdsSecret(v))
	}
	if v.ref.Syntax == secret.BareInput && takes.Expands(secret.Input) {
		if !inputs[v.ref.Name] {
			return nil
		}
		return askForDeclared(s, v, inputs, "${input:"+v.ref.Name+"}")
	}
	isRespelled := takes.LacksHyphen(v.ref)
	if hasDefault(v.ref) && !isRespelled || isSetHere(s, v) || len(v.again) >= maxRenamed {
		return nil
	}
	if member, edits := passOn(s, v); edits != nil {
		return []Fix{{Title: say("name %s in %s", v.ref.Name, member), Safety: Safe, Edits: edits}}
	}
	text, isSame := expandedForm(s, v)
	if isRespelled {
		text, isSame = takes.WithDefault(v.ref.Name, v.ref.Default), false // nobody knows whether a default is meant
	}
	if text == "" || !isExpandedByAll(s.Document, inputs, text) {
		return nil
	}
	safety := Unsafe
	if isSame && isExpandedByNone(s.Document, inputs, v.ref) && v.isText() {
		safety = Safe
	}
	edits := replaceParts(s, text, append([]variable{*v}, v.again...))
	if edits == nil {
		return nil
	}
	return []Fix{{Title: say("write %s as %s", v.word.Text, text), Safety: safety, Edits: edits}}
}

// noFixForVariable says why a variable stays as it is, "" where nothing in particular
// keeps it.
func noFixForVariable(s *mcp.Server, v *variable, idle *idleInputs) string {
	owner := s.Document.Loaders()[0]
	takes := dialect.For(owner, s.Document.Format)
	switch reason := keptBecause(s); {
	case reason != "":
		return reason
	case v.copied:
		return "a generator copies it to the files of other clients, which may expand it"
	case v.ref.Syntax == secret.Input && takes.Expands(secret.Input):
		if idle.mayMean(v.ref.Name) {
			return "it may be one of the declared inputs that no server asks for"
		}
	case hasDefault(v.ref) && !takes.LacksHyphen(v.ref):
		return "the default would be lost, and only you can tell whether the server needs it"
	case len(v.again) >= maxRenamed:
		return "the entry has it at more places than a fix writes"
	case isSetHere(s, v):
		return say("the entry itself sets %s, and only you can tell which value is meant", v.ref.Name)
	case len(owner.EnvBy) > 0 && isRenamed(v):
		return say("%s passes variables on under their own names only, and this one would get another", owner.Title)
	}
	return ""
}

// hasDefault reports whether a variable is written with what stands for it where it is
// not set.
func hasDefault(ref secret.Ref) bool {
	return ref.Default != "" || ref.Syntax == secret.BracedDefault || ref.Syntax == secret.BracedColon
}

// isRenamed reports whether a variable of the server is set to another one, or to a text
// around one.
func isRenamed(v *variable) bool {
	return v.value.role == variableValue && v.value.name != "" && (v.value.name != v.ref.Name || v.value.word.Text != v.word.Text)
}

// replaceParts writes a text where variables stand, nil if one of them is not written
// as it is.
func replaceParts(s *mcp.Server, text string, variables []variable) []edit.Change {
	file := s.Document.File
	var edits []edit.Change
	for _, v := range variables {
		if string(file.Bytes[v.word.Span.Start:v.word.Span.End]) != v.word.Text {
			return nil
		}
		edits = append(edits, edit.Rename(file, v.word.Span, text))
	}
	return edits
}

// expandedForm returns a variable as the client that a file is made for expands it, or
// "". isSame reports that it has its value from where the other one would have it: the
// environment, under the same name, or the directory of the project.
func expandedForm(s *mcp.Server, v *variable) (text string, isSame bool) {
	doc := s.Document
	owner := doc.Loaders()[0]
	if secret.Hides(v.ref.Name) || dialect.IsOddlyNamed(v.ref) {
		return "", false
	}
	takes := dialect.For(owner, doc.Format)
	if mcp.IsClientVariable(v.ref.Name) {
		dir := takes.ProjectDir()
		if !isProjectVariable(v.ref.Name) || dir == "" || isMount(s, v.word) || strings.Contains(v.value.word.Text, "://") || doc.Scope != mcp.ScopeProject {
			return "", false
		}
		return dir, true
	}
	name := ownName(owner, v)
	text = takes.Variable(name)
	if text == "" {
		return takes.Credential(name), false
	}
	return text, name == v.ref.Name && v.ref.Syntax.IsOfEnvironment()
}

// isProjectVariable reports whether a name is some client's for the directory of the
// project.
func isProjectVariable(name string) bool {
	return slices.Contains([]string{"workspaceFolder", "workspaceRoot", "workspacePath", "CLAUDE_PROJECT_DIR"}, name)
}

// isExpandedByAll reports whether a text is a reference that all clients of a file
// expand.
func isExpandedByAll(doc *mcp.Document, inputs map[string]bool, text string) bool {
	ref, ok := secret.WholeReference(text)
	if !ok || ref.Name == "" || ascii.IsDigit(ref.Name[0]) {
		return false
	}
	return !slices.ContainsFunc(doc.Loaders(), func(c *mcp.Client) bool { return dialect.For(c, doc.Format).Expansion(ref, inputs) != dialect.Expands })
}

// isExpandedByNone reports whether it is known of all clients of a file that they do not
// expand a reference.
func isExpandedByNone(doc *mcp.Document, inputs map[string]bool, ref secret.Ref) bool {
	return !slices.ContainsFunc(doc.Loaders(), func(c *mcp.Client) bool {
		return dialect.For(c, doc.Format).Expansion(ref, inputs) != dialect.LeavesAsIs
	})
}

// isSetHere reports whether the entry gives its server a variable of the name with a
// value of its own: then that may be what is meant, and no client expands it from there.
func isSetHere(s *mcp.Server, v *variable) bool {
	return slices.ContainsFunc(s.Launch.Env, func(p identity.Pair) bool {
		return p.Name.Text == v.ref.Name && p.Value.Text != v.word.Text
	})
}

// idleInputs are the inputs of a document that no server of it asks for. They are
// collected once somebody asks.
type idleInputs struct {
	doc     *mcp.Document
	isKnown bool
	names   []string
}

// maxIdleInputs is how many of them are compared with a name.
const maxIdleInputs = 100

// mayMean reports whether an input that is not declared may be one of them.
func (i *idleInputs) mayMean(id string) bool {
	if !i.isKnown {
		i.isKnown = true
		asked := map[string]bool{}
		for _, s := range i.doc.Servers {
			eachValue(&s.Launch, func(v value) {
				for ref, ok := secret.NextReference(v.word.Text, 0); ok; ref, ok = secret.NextReference(v.word.Text, ref.End) {
					asked[ref.Name] = asked[ref.Name] || ref.Syntax == secret.Input
				}
			})
		}
		for _, w := range i.doc.Inputs {
			if !asked[w.Text] {
				i.names = append(i.names, w.Text)
			}
		}
	}
	return len(i.names) > maxIdleInputs || spelling.Nearest(id, i.names) != ""
}

// inputInOtherCase returns the only input of a document whose id differs from another
// one in upper and lower case alone, or "". VS Code compares ids as they are
// (configurationResolverService.ts). Of very many inputs none is compared.
func inputInOtherCase(doc *mcp.Document, id string) (declared string) {
	if len(doc.Inputs) > maxIdleInputs {
		return ""
	}
	for _, w := range doc.Inputs {
		switch {
		case !ascii.EqualFold(w.Text, id):
		case declared != "":
			return ""
		default:
			declared = w.Text
		}
	}
	return declared
}

// fixInput declares an input beside the servers, unless one of nearly the same name is
// declared and nobody asks for it: then that is what is meant. What is asked for under
// the name of a credential is shown as dots.
func fixInput(doc *mcp.Document, idle *idleInputs, id string, isHidden bool) []Fix {
	if !asksForInputs(doc) || idle.mayMean(id) {
		return nil
	}
	return []Fix{{
		Title: say("declare the input %q", id), Safety: Unsafe,
		Edits: []edit.Change{declareInput(doc, id, isHidden)},
	}}
}

// holdsSecret reports whether a variable is a credential by its own name, or by that of
// a value that it stands in, wherever the entry has it.
func holdsSecret(v *variable) bool {
	return secret.IsSecretName(v.ref.Name) ||
		slices.ContainsFunc(append([]variable{*v}, v.again...), func(each variable) bool { return secret.IsSecretName(each.value.name) })
}

// askForDeclared writes an input as it is declared, which is safe in a text: there is
// nothing else that its id, but for upper and lower case, can mean.
func askForDeclared(s *mcp.Server, v *variable, inputs map[string]bool, text string) []Fix {
	edits := replaceParts(s, text, append([]variable{*v}, v.again...))
	if edits == nil || !isExpandedByAll(s.Document, inputs, text) {
		return nil
	}
	safety := Unsafe
	if v.ref.Syntax == secret.Input || v.isText() {
		safety = Safe
	}
	return []Fix{{Title: say("write %s as %s", v.word.Text, text), Safety: safety, Edits: edits}}
}

// declareInput declares an input in a document.
func declareInput(doc *mcp.Document, id string, isHidden bool) edit.Change {
	return edit.Extend(doc.File, doc.InputsAt.Object, doc.InputsAt.Key, edit.Array(dialect.Input(id, isHidden)), edit.Where{Place: edit.First})
}

// passOn returns the changes by which a variable is passed on under its own name, and the
// member that names it, for a client that expands none; nil if that cannot be said so.
func passOn(s *mcp.Server, v *variable) (member string, edits []edit.Change) {
	if !v.ref.Syntax.IsOfEnvironment() {
		return "", nil
	}
	for _, each := range append([]variable{*v}, v.again...) {
		word := each.value.word.Text
		in, changes := nameVariable(s, each.value, word[:each.ref.Start], word[each.ref.End:], v.ref.Name)
		if changes == nil {
			return "", nil
		}
		member, edits = in, append(edits, changes...)
	}
	return member, edits
}

// nameVariable returns the changes that take a value out of an entry and name the
// variable that holds it in a member instead, for the only client of a file, which
// expands none; nil where it has no member for that. What stands in the value before
// and behind the variable has to be what the client adds by itself.
func nameVariable(s *mcp.Server, v value, before, after, name string) (member string, edits []edit.Change) {
	loaders := s.Document.Loaders()
	if len(loaders) != 1 || after != "" || v.key.IsZero() {
		return "", nil
	}
	c, file := loaders[0], s.Document.File
	var add edit.Change
	switch isWhole := before == ""; {
	case v.role == variableValue && isWhole && v.name == name && len(c.EnvBy) > 0:
		member = c.EnvBy[0]
		add = edit.Extend(file, entryOf(s), member, edit.Strings(name), edit.Where{})
	case v.role == headerValue && isWhole && dialect.HeaderVariables(c) != "":
		member = dialect.HeaderVariables(c)
		add = edit.Extend(file, entryOf(s), member, edit.Object(edit.Member{Name: v.name, Value: edit.String(name)}), edit.Where{})
	case v.role == headerValue && before == "Bearer " && ascii.EqualFold(v.name, "Authorization") && dialect.BearerVariable(c) != "":
		member = dialect.BearerVariable(c)
		add = edit.Insert(file, entryOf(s), member, edit.String(name), edit.Where{Place: edit.After, Beside: s.Launch.URL.Span})
	default:
		return "", nil
	}
	return member, []edit.Change{edit.Drop(file, v.key), add}
}
