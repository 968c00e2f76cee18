package shape

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// ReadServers reads the shape that most formats have: a root key with a map of servers. It
// returns nil if there is none.
func ReadServers(in *Input) *mcp.Document {
	r := in.FindRoot()
	if r == nil {
		return in.Rootless()
	}
	return in.Rooted(r)
}

// Rootless returns the document of a file that is a client's own and cannot hold
// a root key, nil of every other: only an object has keys.
func (in *Input) Rootless() *mcp.Document {
	top := in.Tree.Root
	if !in.Match.Format.Dedicated || len(in.plan.clients) == 0 || top.Kind == syntax.Object {
		return nil
	}
	doc := in.Document()
	doc.Refusals = []mcp.Refusal{{
		Reason: mcp.TopKind, Span: syntax.Span{Start: top.Value.Start, End: top.Value.Start + 1}, Kind: top.Kind, WantKind: syntax.Object,
		Clients: in.plan.clients, WholeFile: true, GoesOn: len(top.Nodes) == 0,
	}}
	return doc
}

// Rooted returns the document of a root value.
func (in *Input) Rooted(r *Root) *mcp.Document {
	doc := in.Document()
	doc.RootKey = r.Key
	if r.Key != "" {
		doc.Root = r.Value().Key
	}
	loaders := doc.Loaders()
	in.noCwd = len(loaders) > 0 && loaders[0].Reading(doc.Format).NoCwd
	doc.Servers = in.Servers(r.Value())
	doc.Duplicates = in.Repeats(r)
	doc.Approvals = trustedEntries(r.Value(), loaders)
	if refusal := in.refusesRoot(r, loaders); refusal != nil {
		doc.Refusals = append(doc.Refusals, *refusal)
	}
	if refusal := in.strayRoot(r, loaders); refusal != nil {
		doc.Refusals = append(doc.Refusals, *refusal)
		doc.SecretMembers = secretMembers(nil, in.secondRoot(r))
	}
	doc.Refusals = append(doc.Refusals, in.strayServers(r, loaders)...)
	doc.Refusals = append(doc.Refusals, in.Refusals(r.Value(), loaders)...)
	return doc
}

// ReadWithInputs reads a file of VS Code's shape, which declares its ${input:…} variables next to
// the servers.
func ReadWithInputs(in *Input) *mcp.Document {
	r := in.FindRoot()
	if r == nil {
		return in.Rootless()
	}
	return in.RootedWithInputs(r)
}

// RootedWithInputs returns the document of a root value that may have declarations of inputs next
// to it.
func (in *Input) RootedWithInputs(r *Root) *mcp.Document {
	doc := in.Rooted(r)
	ids, defaults := Inputs(r)
	doc.Inputs, doc.SecretMembers = ids, append(doc.SecretMembers, defaults...)
	doc.Answers = answers(declaredInputs(r))
	if list := InputList(r); len(r.Nodes) > 1 {
		if there := r.Parent().Get(list.Key); there == nil || there.Kind == syntax.Array {
			doc.InputsAt = list
			list.Hidden = HiddenInputs(there)
			list.Names = mcp.NameInputs(doc.Inputs, list.Hidden)
		}
	}
	return doc
}

// InputsKey is the member next to the servers that declares the values to ask a person for,
// settingsInputsKey the same in settings, where it may be written as one key with a dot.
const (
	InputsKey         = "inputs"
	settingsInputsKey = "mcp." + InputsKey
)

// InputList returns where variables are declared next to the root key.
func InputList(r *Root) *mcp.InputList {
	if strings.HasSuffix(r.Value().Name, ".servers") {
		return &mcp.InputList{Object: r.Parent().Value, Key: settingsInputsKey}
	}
	return &mcp.InputList{Object: r.Parent().Value, Key: InputsKey}
}

// declaredInputs returns the values that declare variables next to the root key.
func declaredInputs(r *Root) []*syntax.Node {
	list := r.Parent().Get(InputsKey)
	if list == nil {
		list = r.Parent().Get(settingsInputsKey)
	}
	if list == nil || list.Kind != syntax.Array {
		return nil
	}
	return list.Nodes
}

// answers returns the values that fill in declared inputs before a person is asked.
func answers(inputs []*syntax.Node) []mcp.InputAnswer {
	var all []mcp.InputAnswer
	for _, n := range inputs {
		id := n.Get("id")
		if !id.IsString() {
			continue
		}
		answer := mcp.InputAnswer{ID: id.Text}
		hidden := n.Get("password")
		if value := n.Get("default"); value.IsString() && (hidden == nil || hidden.Text != "true") {
			answer.Default = Literal(value)
		}
		if kind, command := n.Get("type"), n.Get("command"); kind.IsString() && kind.Text == "command" && command.IsString() {
			answer.Command, answer.Args = Literal(command), textsBelow(nil, n.Get("args"))
		}
		if answer.Default.Text != "" || answer.Command.Text != "" {
			all = append(all, answer)
		}
	}
	return all
}

// maxInputTexts limits how many texts of a command's arguments are read: no command uses more.
const maxInputTexts = 20

// textsBelow appends the texts of a value, at any depth.
func textsBelow(words []identity.Word, n *syntax.Node) []identity.Word {
	switch {
	case n == nil || len(words) == maxInputTexts:
		return words
	case n.IsString():
		return append(words, Literal(n))
	}
	for _, child := range n.Nodes {
		words = textsBelow(words, child)
	}
	return words
}

// Inputs returns the variables declared next to the root key, and their defaults. The default of
// an input that is shown as dots is under "password" unless its id says more.
func Inputs(r *Root) (ids []identity.Word, defaults []identity.Pair) {
	for _, n := range declaredInputs(r) {
		id := n.Get("id")
		if !id.IsString() {
			continue
		}
		ids = append(ids, Literal(id))
		if value := n.Get("default"); value.IsString() {
			name := Literal(id)
			if hidden := n.Get("password"); hidden != nil && hidden.Text == "true" && !secret.IsSecretName(name.Text) {
				name.Text = "password"
			}
			defaults = append(defaults, identity.Pair{Name: name, Value: Literal(value)})
		}
	}
	return ids, defaults
}

// HiddenInputs returns the ids of the inputs of a list, which may be nil, whose text is shown as
// dots.
func HiddenInputs(list *syntax.Node) map[string]bool {
	if list == nil {
		return nil
	}
	var ids map[string]bool
	for _, n := range list.Nodes {
		asks := n.Get("type").IsString() && n.Get("type").Text == "promptString"
		if hidden := n.Get("password"); asks && hidden != nil && hidden.Text == "true" && n.Get("id").IsString() {
			if ids == nil {
				ids = map[string]bool{}
			}
			ids[n.Get("id").Text] = true
		}
	}
	return ids
}

// Names returns the names in a list of servers, with the span of each inside
// its quotes.
func Names(list *syntax.Node) []mcp.Reference {
	if list == nil || list.Kind != syntax.Array {
		return nil
	}
	var refs []mcp.Reference
	for _, n := range list.Nodes {
		if n.Kind == syntax.String {
			refs = append(refs, mcp.Reference{Name: n.Text, Span: unquoted(n.Value)})
		}
	}
	return refs
}

// Switches turns names into switches of a client.
func Switches(c *mcp.Client, refs []mcp.Reference, only bool) []mcp.Switch {
	var list []mcp.Switch
	for _, ref := range refs {
		list = append(list, mcp.Switch{Client: c, Name: ref.Name, Span: ref.Span, Only: only})
	}
	return list
}
