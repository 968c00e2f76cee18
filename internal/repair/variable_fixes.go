package repair

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/dialect"
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/spelling"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// FixVariable writes a variable as all clients of its file expand it, at every place in the
// entry. It leaves a variable that a generator copies to the files of several clients, and a
// default that the client does not accept.
func FixVariable(s *mcp.Server, v *Variable, inputs map[string]bool, idle *IdleInputs) []rule.Fix {
	loaders := s.Document.Loaders()
	takes := dialect.For(loaders[0], s.Document.Format)
	if !IsFixable(s) || v.Copied || s.Document.IsSecondary {
		return nil
	}
	if v.Ref.Syntax == secret.Input && takes.Expands(secret.Input) {
		if id := InputInOtherCase(s.Document, v.Ref.Name); id != "" {
			return askForDeclared(s, v, inputs, "${input:"+id+"}")
		}
		return fixInput(s.Document, idle, v.Ref.Name, holdsSecret(v))
	}
	if v.Ref.Syntax == secret.BareInput && takes.Expands(secret.Input) {
		if !inputs[v.Ref.Name] {
			return nil
		}
		return askForDeclared(s, v, inputs, "${input:"+v.Ref.Name+"}")
	}
	isRespelled := takes.LacksHyphen(v.Ref)
	if HasDefault(v.Ref) && !isRespelled || v.Ref.Syntax == secret.FileColon || isSetHere(s, v) || len(v.Again) >= maxRenamed {
		return nil
	}
	if member, edits := passOn(s, v); edits != nil {
		return []rule.Fix{{Title: wording.Say("add %s to %q", v.Ref.Name, member), Safety: rule.Safe, Edits: edits}}
	}
	text, isSame := expandedForm(s, v)
	if isRespelled {
		text, isSame = takes.WithDefault(v.Ref.Name, v.Ref.Default), false // whether a default is meant is not known
	}
	if text == "" || !IsExpandedByAll(s.Document, inputs, text) {
		return nil
	}
	safety := rule.Unsafe
	if isSame && isExpandedByNone(s.Document, inputs, v.Ref) && v.isText() {
		safety = rule.Safe
	}
	edits := replaceParts(s, text, append([]Variable{*v}, v.Again...))
	if edits == nil {
		return nil
	}
	return []rule.Fix{{Title: wording.Say("write %s instead of %s", text, v.Word.Text), Safety: safety, Edits: edits}}
}

// NoFixForVariable returns why a variable is not changed, "" for no special reason.
func NoFixForVariable(s *mcp.Server, v *Variable, idle *IdleInputs) string {
	owner := s.Document.Loaders()[0]
	takes := dialect.For(owner, s.Document.Format)
	switch reason := KeptBecause(s); {
	case reason != "":
		return reason
	case v.Copied:
		return "a generator copies the variable to the files of other clients, which may expand it"
	case v.Ref.Syntax == secret.Input && takes.Expands(secret.Input):
		if idle.mayMean(v.Ref.Name) {
			return "it may be meant to be one of the declared inputs that no server uses"
		}
	case HasDefault(v.Ref) && !takes.LacksHyphen(v.Ref):
		return "the fix would drop the default value, and mcplumb cannot tell whether the server needs it"
	case len(v.Again) >= maxRenamed:
		return "the entry contains the variable at more places than a fix changes"
	case isSetHere(s, v):
		return wording.Say("the entry itself sets %s, and mcplumb cannot tell which value you want", v.Ref.Name)
	case len(owner.EnvBy) > 0 && IsRenamed(v):
		return wording.Say("%s passes variables on only under their own names, and this one would get another name", owner.Title)
	}
	return ""
}

// HasDefault reports whether a variable is written with a value to use if it is not set.
func HasDefault(ref secret.Ref) bool {
	return ref.Default != "" || ref.Syntax == secret.BracedDefault || ref.Syntax == secret.BracedColon
}

// IsRenamed reports whether a variable of the server is set to another one, or to a text
// around one.
func IsRenamed(v *Variable) bool {
	return v.Value.Kind == mcp.VariableValue && v.Value.Name != "" && (v.Value.Name != v.Ref.Name || v.Value.Word.Text != v.Word.Text)
}

// replaceParts writes a text where variables stand, nil if one of them is not written
// as it is.
func replaceParts(s *mcp.Server, text string, variables []Variable) []edit.Change {
	file := s.Document.File
	var edits []edit.Change
	for _, v := range variables {
		if string(file.Bytes[v.Word.Span.Start:v.Word.Span.End]) != v.Word.Text {
			return nil
		}
		edits = append(edits, edit.Rename(file, v.Word.Span, text))
	}
	return edits
}

// expandedForm returns a variable as the client that a file is made for expands it, or
// "". isSame reports that it has its value from where the other one would have it: the
// environment, under the same name, or the directory of the project.
func expandedForm(s *mcp.Server, v *Variable) (text string, isSame bool) {
	doc := s.Document
	owner := doc.Loaders()[0]
	if secret.Hides(v.Ref.Name) || dialect.IsOddlyNamed(v.Ref) {
		return "", false
	}
	takes := dialect.For(owner, doc.Format)
	if mcp.IsClientVariable(v.Ref.Name) {
		dir := takes.ProjectDir()
		if !isProjectVariable(v.Ref.Name) || dir == "" || IsMount(s, v.Word) || strings.Contains(v.Value.Word.Text, "://") || doc.Scope != mcp.ScopeProject {
			return "", false
		}
		return dir, true
	}
	name := OwnName(owner, v)
	text = takes.Variable(name)
	if text == "" {
		return takes.Credential(name), false
	}
	return text, name == v.Ref.Name && v.Ref.Syntax.IsOfEnvironment()
}

// isProjectVariable reports whether a name is some client's for the directory of the
// project.
func isProjectVariable(name string) bool {
	return slices.Contains([]string{"workspaceFolder", "workspaceRoot", "workspacePath", "CLAUDE_PROJECT_DIR"}, name)
}

// IsExpandedByAll reports whether a text is a reference that all clients of a file
// expand.
func IsExpandedByAll(doc *mcp.Document, inputs map[string]bool, text string) bool {
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

// isSetHere reports whether the entry gives its server a variable of that name with another value:
// then that one may be meant, and no client expands it from there.
func isSetHere(s *mcp.Server, v *Variable) bool {
	return slices.ContainsFunc(s.Launch.Env, func(p identity.Pair) bool {
		return p.Name.Text == v.Ref.Name && p.Value.Text != v.Word.Text
	})
}

// IdleInputs are the inputs of a document that no server of it uses. They are collected on
// first use.
type IdleInputs struct {
	Doc     *mcp.Document
	isKnown bool
	names   []string
}

// maxIdleInputs is how many of them are compared with a name.
const maxIdleInputs = 100

// mayMean reports whether an input that is not declared may be one of them.
func (i *IdleInputs) mayMean(id string) bool {
	if !i.isKnown {
		i.isKnown = true
		asked := map[string]bool{}
		for _, s := range i.Doc.Servers {
			mcp.EachValue(&s.Launch, func(v mcp.Value) {
				for ref, ok := secret.NextReference(v.Word.Text, 0); ok; ref, ok = secret.NextReference(v.Word.Text, ref.End) {
					asked[ref.Name] = asked[ref.Name] || ref.Syntax == secret.Input
				}
			})
		}
		for _, w := range i.Doc.Inputs {
			if !asked[w.Text] {
				i.names = append(i.names, w.Text)
			}
		}
	}
	return len(i.names) > maxIdleInputs || spelling.Nearest(id, i.names) != ""
}

// InputInOtherCase returns the only input of a document whose id differs from another
// one in upper and lower case alone, or "". VS Code compares ids as they are
// (configurationResolverService.ts). Of very many inputs none is compared.
func InputInOtherCase(doc *mcp.Document, id string) (declared string) {
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

// fixInput declares an input next to the servers, unless one with nearly the same name is declared
// and not used: then that one is meant. The client shows the input for a credential as dots.
func fixInput(doc *mcp.Document, idle *IdleInputs, id string, isHidden bool) []rule.Fix {
	if !AsksForInputs(doc) || idle.mayMean(id) {
		return nil
	}
	return []rule.Fix{{
		Title: wording.Say("declare the input %q", id), Safety: rule.Unsafe,
		Edits: []edit.Change{DeclareInput(doc, id, isHidden)},
	}}
}

// holdsSecret reports whether a variable is a credential by its own name, or by that of a value
// that contains it, anywhere in the entry.
func holdsSecret(v *Variable) bool {
	return secret.IsSecretName(v.Ref.Name) ||
		slices.ContainsFunc(append([]Variable{*v}, v.Again...), func(each Variable) bool { return secret.IsSecretName(each.Value.Name) })
}

// askForDeclared writes an input as it is declared, which is safe in a text: its id can mean
// nothing else, except for case.
func askForDeclared(s *mcp.Server, v *Variable, inputs map[string]bool, text string) []rule.Fix {
	edits := replaceParts(s, text, append([]Variable{*v}, v.Again...))
	if edits == nil || !IsExpandedByAll(s.Document, inputs, text) {
		return nil
	}
	safety := rule.Unsafe
	if v.Ref.Syntax == secret.Input || v.isText() {
		safety = rule.Safe
	}
	return []rule.Fix{{Title: wording.Say("write %s instead of %s", text, v.Word.Text), Safety: safety, Edits: edits}}
}

// DeclareInput declares an input in a document.
func DeclareInput(doc *mcp.Document, id string, isHidden bool) edit.Change {
	return edit.Extend(doc.File, doc.InputsAt.Object, doc.InputsAt.Key, edit.Array(dialect.Input(id, isHidden)), edit.Where{Place: edit.First})
}

// passOn returns the changes by which a variable is passed on under its own name, and the
// member that names it, for a client that expands none; nil if the client has no such member.
func passOn(s *mcp.Server, v *Variable) (member string, edits []edit.Change) {
	if !v.Ref.Syntax.IsOfEnvironment() {
		return "", nil
	}
	for _, each := range append([]Variable{*v}, v.Again...) {
		word := each.Value.Word.Text
		in, changes := NameVariable(s, each.Value, word[:each.Ref.Start], word[each.Ref.End:], v.Ref.Name)
		if changes == nil {
			return "", nil
		}
		member, edits = in, append(edits, changes...)
	}
	return member, edits
}

// NameVariable returns the changes that remove a value from an entry and name its variable in a
// member instead, for a file with one client that expands no variables; nil if the client has no
// member for that. The text of the value before and after the variable must be what the client adds
// by itself.
func NameVariable(s *mcp.Server, v mcp.Value, before, after, name string) (member string, edits []edit.Change) {
	loaders := s.Document.Loaders()
	if len(loaders) != 1 || after != "" || v.Key.IsZero() {
		return "", nil
	}
	c, file := loaders[0], s.Document.File
	var add edit.Change
	switch isWhole := before == ""; {
	case v.Kind == mcp.VariableValue && isWhole && v.Name == name && len(c.EnvBy) > 0:
		member = c.EnvBy[0]
		add = edit.Extend(file, EntryOf(s), member, edit.Strings(name), edit.Where{})
	case v.Kind == mcp.HeaderValue && isWhole && dialect.HeaderVariables(c) != "":
		member = dialect.HeaderVariables(c)
		add = edit.Extend(file, EntryOf(s), member, edit.Object(edit.Member{Name: v.Name, Value: edit.String(name)}), edit.Where{})
	case v.Kind == mcp.HeaderValue && before == "Bearer " && ascii.EqualFold(v.Name, "Authorization") && dialect.BearerVariable(c) != "":
		member = dialect.BearerVariable(c)
		add = edit.Insert(file, EntryOf(s), member, edit.String(name), edit.Where{Place: edit.After, Beside: s.Launch.URL.Span})
	default:
		return "", nil
	}
	return member, []edit.Change{edit.Drop(file, v.Key), add}
}

// AsksForInputs reports whether all clients of a file ask people for the inputs that it
// declares.
func AsksForInputs(doc *mcp.Document) bool {
	return doc.InputsAt != nil && !slices.ContainsFunc(doc.Loaders(), func(c *mcp.Client) bool { return !c.In(doc.Format).Expands(secret.Input) })
}
