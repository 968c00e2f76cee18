package credential

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/dialect"
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/repair"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// Why a credential stays where it is.
const (
	noClientReads = "no known client expands a variable here"
	writtenByTool = "the tool that wrote the entry would write it again"
	inComment     = "it is in a comment, which mcplumb does not edit"
	inName        = "it is in the name of a server, so rename the server"
	inDefault     = "it is the default of an input, so remove the default: each person is asked for the value"
	inPermission  = "it is part of an approved command, so remove the permission"
	inSecretsFile = "this file is for secrets, so remove it from the repository and let git ignore it"
)

// fixSecret replaces a credential with a reference that all clients of its file expand, and
// keeps the text around it; otherwise it returns why there is none. The fix is not safe: the user
// of the server must set the variable, or answer a question of the client. It does not store the
// credential anywhere.
func fixSecret(p *secretPlace, at syntax.Span) (fixes []rule.Fix, noFixReason string) {
	if reason := keepsSecret(p); reason != "" {
		return nil, reason
	}
	s, text := p.entry, p.value.Word.Text
	if member, edits := repair.NameVariable(s, p.value, text[:p.start], text[p.end:], p.variable()); edits != nil {
		return []rule.Fix{{Title: wording.Say("name %s in %s instead, and revoke the credential", p.variable(), member), Safety: rule.Unsafe, Edits: edits}}, ""
	}
	if member, edits := p.passOnToContainer(); edits != nil {
		return []rule.Fix{{Title: wording.Say("name %s in %s instead, and revoke the credential", p.handed, member), Safety: rule.Unsafe, Edits: edits}}, ""
	}
	if string(s.Document.File.Bytes[at.Start:at.End]) != text[p.start:p.end] {
		return nil, repair.NotAsWritten(s.Document.File, p.value.Word.Span)
	}
	reference := p.reference()
	switch owner := s.Document.Loaders()[0]; {
	case reference == "" && p.isPassedOn() && isSetOtherwise(p, p.ownVariable()):
		return nil, wording.Say("%s passes a variable on only under its own name, and another entry sets %s to something else", owner.Title, p.ownVariable())
	case reference == "" && owner.In(s.Document.Format).NoOthers:
		return nil, wording.Say("%s does not expand variables here", owner.Title)
	case reference == "":
		return nil, wording.Say("mcplumb cannot tell whether %s expands variables here", owner.Title)
	}
	edits := []edit.Change{edit.Rename(s.Document.File, at, reference)}
	inputs := p.search.declared()
	if repair.AsksForInputs(s.Document) {
		switch id := inputIn(s.Document, p.variable()); {
		case p.search.isShown(id):
			return nil, wording.Say("the input %q does not hide what you type", id)
		case !inputs[id]:
			edits = append(edits, repair.DeclareInput(s.Document, id, true))
		}
	} else if !repair.IsExpandedByAll(s.Document, inputs, reference) {
		return nil, wording.Say("mcplumb cannot tell whether every client of this file expands %s", reference)
	}
	return []rule.Fix{{Title: wording.Say("write %s instead, and revoke the credential", reference), Safety: rule.Unsafe, Edits: edits}}, ""
}

// keepsSecret returns why a place accepts no reference of any client; "" if it does.
func keepsSecret(p *secretPlace) string {
	s, text := p.entry, p.value.Word.Text
	switch {
	case s == nil || p.value.Kind == mcp.CommandValue:
		return cmp.Or(p.kept, noClientReads)
	case s.Extra().Template != nil:
		return writtenByTool
	case !repair.IsFixable(s):
		return repair.KeptBecause(s)
	case len(s.Document.Loaders()) == 0 || s.Document.IsSecondary:
		return "mcplumb does not know which client reads this file"
	case len(text) > maxSecretText:
		return "the value is too long"
	}
	for ref, ok := secret.NextReference(text, 0); ok; ref, ok = secret.NextReference(text, ref.End) {
		if ref.Start < p.start && p.start < ref.End {
			return "it is the default of a variable"
		}
	}
	return ""
}

// maxSecretText is the longest value in which a credential is replaced, in bytes: it may
// hold very many, and is looked through for each.
const maxSecretText = 4096

// reference returns what to write instead of a credential, as the client that the file is
// made for expands it: an input where the client has inputs, "" if it expands nothing.
func (p *secretPlace) reference() string {
	if p.own != "" {
		doc := p.entry.Document
		return dialect.For(doc.Loaders()[0], doc.Format).Credential(p.variable())
	}
	return referenceIn(p.entry.Document, p.variable())
}

// referenceIn does so for a variable of a document.
func referenceIn(doc *mcp.Document, variable string) string {
	if repair.AsksForInputs(doc) {
		return "${input:" + inputIn(doc, variable) + "}"
	}
	return dialect.For(doc.Loaders()[0], doc.Format).Credential(variable)
}

// takesReference reports whether a fix can write a variable in a document.
func takesReference(doc *mcp.Document) bool {
	return doc.Scope != mcp.ScopeGenerator && len(doc.Loaders()) > 0 && referenceIn(doc, "NAME") != ""
}

// inputIn returns the id of the input of a document that takes the place of a variable: the
// one that is called like it and hides what is typed, else a new one.
func inputIn(doc *mcp.Document, variable string) string {
	if doc.InputsAt == nil {
		return inputFor(variable)
	}
	return cmp.Or(doc.InputsAt.Names.Like(variable, true), inputFor(variable))
}

// inputFor returns the id of the input that takes the place of a variable.
func inputFor(variable string) string {
	return strings.ToLower(strings.ReplaceAll(variable, "_", "-"))
}

// ownName is the base of the name that variable returns, for one place alone.
func (p *secretPlace) ownName() string {
	c, name := p.entry.Document.Loaders()[0], ""
	switch v := &p.value; {
	case p.own != "":
		name = p.own
	case p.first != "" && (v.Kind != mcp.VariableValue || referenceIn(p.entry.Document, p.first) != ""):
		return dialect.VariableName(c, p.first)
	case p.handed != "":
		name = p.handed
	case (v.Kind != mcp.VariableValue || p.under != v.Name) && isVariableName(p.under):
		name = p.under
	case v.Kind != mcp.VariableValue || p.under != v.Name:
		name = withServer(p.entry, p.kind())
	case secret.Hides(v.Name):
		name = v.Name
	case p.end-p.start < len(v.Word.Text) && !secret.IsSecretName(v.Name):
		name = identity.VariableName(v.Name) + "_" + p.kind()
	default:
		name = v.Name
	}
	if secret.Hides(name) { // in capitals it would not be recognised
		name = withServer(p.entry, "TOKEN")
	}
	if isWhole := p.value.Kind == mcp.VariableValue && p.under == p.value.Name || p.handed != ""; isWhole && p.own == "" && isSetOtherwise(p, name) {
		name = withServer(p.entry, name)
	}
	if repair.AsksForInputs(p.entry.Document) && p.search.isShown(inputIn(p.entry.Document, dialect.VariableName(c, name))) {
		name = withServer(p.entry, name)
	}
	return dialect.VariableName(c, name)
}

// isPassedOn reports whether the client can give a server the variable that contains a credential,
// only under its own name.
func (p *secretPlace) isPassedOn() bool {
	return (p.value.Kind == mcp.VariableValue || p.handed != "") && len(p.entry.Document.Loaders()[0].EnvBy) > 0
}

// ownVariable returns the variable that a credential is in, of the server or of its
// container, "" for none.
func (p *secretPlace) ownVariable() string {
	if p.value.Kind == mcp.VariableValue {
		return p.value.Name
	}
	return p.handed
}

// passOnToContainer returns the changes by which a container gets a variable that the
// only client of a file, which expands none, passes on: "-e NAME" takes the value from
// there. member is the one that names it.
func (p *secretPlace) passOnToContainer() (member string, edits []edit.Change) {
	s, loaders := p.entry, p.entry.Document.Loaders()
	sets := func(pair identity.Pair) bool { return pair.Name.Text == p.handed }
	if p.handed == "" || len(loaders) != 1 || len(loaders[0].EnvBy) == 0 || p.reference() != "" ||
		isSetOtherwise(p, p.handed) || slices.ContainsFunc(s.Launch.Env, sets) {
		return "", nil
	}
	file, word := s.Document.File, p.value.Word
	member = loaders[0].EnvBy[0]
	return member, []edit.Change{
		edit.Replace(file, word.Span, edit.String(p.withoutValue())),
		edit.Extend(file, repair.EntryOf(s), member, edit.Strings(p.handed), edit.Where{}),
	}
}

// withoutValue returns the argument that sets a container's variable without the value:
// "NAME" behind "-e", "--env=NAME".
func (p *secretPlace) withoutValue() string { return p.value.Word.Text[:p.start-len("=")] }

// declared returns the inputs that the document declares.
func (x *secretSearch) declared() map[string]bool {
	if x.inputs == nil {
		x.inputs = repair.InputsOf(x.doc)
	}
	return x.inputs
}

// isShown reports whether an input of an id is shown as a person types it, or is not typed at all:
// it is no place for a credential.
func (x *secretSearch) isShown(id string) bool {
	return x.declared()[id] && !x.doc.InputsAt.Hidden[id]
}

// kind returns, as the words of a variable's name, what a credential is by its place: a password in
// a URL, the name before it if that says more than how it is sent, else a token.
func (p *secretPlace) kind() string {
	inNames := func(c byte) bool { return ascii.IsAlphanumeric(c) || c == '_' || c == '-' }
	isName := p.under != "" && ascii.All(p.under, inNames) && ascii.IsLetter(p.under[0]) && !secret.Hides(p.under)
	switch strings.ToLower(p.under) {
	case "authorization", "proxy-authorization", "cookie":
		isName = false
	}
	switch {
	case strings.HasPrefix(p.value.Word.Text[p.end:], "@") && !secret.IsSecretName(p.under):
		return "PASSWORD" // what --url gives is all of the address
	case isName && p.under != p.value.Name || isName && p.value.Kind != mcp.VariableValue:
		return strings.TrimPrefix(identity.VariableName(p.under), "X_")
	}
	return "TOKEN"
}

// isVariableName reports whether a name is written as those of variables are.
func isVariableName(name string) bool {
	return strings.Contains(name, "_") && identity.VariableName(name) == name && ascii.IsLetter(name[0])
}

// withServer puts the name of a server before that of a variable, unless it is already there.
func withServer(s *mcp.Server, name string) string {
	server := strings.Trim(identity.VariableName(s.Name), "_")
	switch {
	case server == "" || secret.Hides(s.Name) || mayHoldToken(s.Name) || name == server || strings.HasPrefix(name, server+"_"):
		return name
	case ascii.IsDigit(server[0]):
		server = "MCP_" + server
	}
	return server + "_" + strings.TrimPrefix(name, "_")
}

// mayHoldToken reports whether a name has a long word of letters and digits in it: one that
// is put together from a credential would give that away in the name of a variable.
func mayHoldToken(name string) bool {
	const length = 20
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return r >= 0x80 || !ascii.IsAlphanumeric(byte(r)) }) {
		if len(word) >= length && strings.ContainsAny(word, "0123456789") {
			return true
		}
	}
	return false
}

// isSetOtherwise reports whether another entry of the project sets the variable that contains a
// credential to something else: the environment has one variable of that name, which cannot hold
// both. If the client only passes on variables under their own names, other entries do not count,
// unless they are the same server elsewhere.
func isSetOtherwise(p *secretPlace, name string) bool {
	own := p.value.Word.Text
	passesOn := referenceIn(p.entry.Document, name) == "" && p.search.set.elsewhere(p) != name
	if p.handed != "" {
		own = own[p.start:]
	}
	return slices.ContainsFunc(p.search.set.values(cmp.Or(p.handed, p.value.Name), p.search.set.called(p.entry)), func(text string) bool {
		return text != own && (passesOn || !p.refersLike(text, name))
	})
}

// refersLike reports whether a text is a reference to a variable, or the value of a
// credential with one in its place.
func (p *secretPlace) refersLike(text, variable string) bool {
	within, begins := strings.CutPrefix(text, p.value.Word.Text[:p.start])
	within, ends := strings.CutSuffix(within, p.value.Word.Text[p.end:])
	return refersTo(text, variable) || begins && ends && refersTo(within, variable)
}

// isAsked reports whether the client asks a person for a text.
func isAsked(text string) bool {
	ref, ok := secret.WholeReference(text)
	return ok && (ref.Syntax == secret.Input || ref.Syntax == secret.BareInput)
}

// refersTo reports whether a text is a reference to a variable, or to the input that
// takes its place, and nothing else.
func refersTo(text, variable string) bool {
	ref, ok := secret.WholeReference(text)
	isInput := ref.Syntax == secret.Input || ref.Syntax == secret.BareInput
	return ok && (ref.Name == variable || isInput && identity.VariableInWords(ref.Name) == variable)
}

// variablesSet are the values that the entries of a project give to variables. They are
// collected on first use.
type variablesSet struct {
	project *mcp.Project
	byName  map[string][]setting
	names   secretNames
	// aliases are the names of servers that have several, collected on first use.
	aliases map[*mcp.Server]string
}

// maxValues is how many values of one variable are compared.
const maxValues = 4

// values returns those of a variable, each once for a server. A value that a person supplies to the
// same server elsewhere does not count: it says nothing about the environment.
func (x *variablesSet) values(name, server string) []string {
	if x.byName == nil {
		x.byName = map[string][]setting{}
		for doc := range reads.Used(x.project) {
			for _, s := range doc.Servers {
				for _, pair := range slices.Concat(s.Launch.Env, handedOn(s)) {
					x.note(pair.Name.Text, setting{x.called(s), pair.Value.Text})
				}
			}
		}
	}
	var texts []string
	for _, v := range x.byName[name] {
		if v.name != server || !identity.IsSupplied(v.value) {
			texts = append(texts, v.value)
		}
	}
	return texts
}

// note notes that a variable is set.
func (x *variablesSet) note(name string, to setting) {
	known := x.byName[name]
	for _, v := range known {
		if v == to {
			return
		}
	}
	if len(known) < maxValues {
		x.byName[name] = append(known, to)
	}
}

// handedOn returns the variables that an entry gives to the container which it starts.
func handedOn(s *mcp.Server) []identity.Pair {
	if s.Identity.Launcher == "" {
		return nil
	}
	if c := s.Resolved().Parts().Container; c != nil {
		return c.Env
	}
	return nil
}

// handedTo returns the variable of a container that an argument sets to a credential,
// which is all of its value: "-e NAME=value", "-eNAME=value", "--env=NAME=value".
func (x *secretSearch) handedTo(p *secretPlace) string {
	text := p.value.Word.Text
	if p.value.Kind != mcp.ArgumentValue || p.end != len(text) || p.start == 0 || text[p.start-1] != '=' {
		return ""
	}
	if x.handing != p.entry {
		x.handing, x.handed = p.entry, map[syntax.Span]string{}
		for _, pair := range handedOn(p.entry) {
			x.handed[pair.Value.Span] = pair.Name.Text
		}
	}
	return x.handed[mcp.PartOf(x.doc.File, p.value.Word, p.start, p.end)]
}
