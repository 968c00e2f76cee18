package format

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// readServers reads the shape that most formats have: a root key over a map of
// servers. It returns nil if there is none.
func readServers(in *Input) *mcp.Document {
	r := in.findRoot()
	if r == nil {
		return in.rootless()
	}
	return in.rooted(r)
}

// rootless returns the document of a file that is a client's own and cannot hold
// a root key, nil of every other: only an object has keys.
func (in *Input) rootless() *mcp.Document {
	top := in.Tree.Root
	if !in.Match.Format.Dedicated || len(in.plan.clients) == 0 || top.Kind == syntax.Object {
		return nil
	}
	doc := in.document()
	doc.Refusals = []mcp.Refusal{{
		Reason: mcp.TopKind, Span: syntax.Span{Start: top.Value.Start, End: top.Value.Start + 1}, Kind: top.Kind, WantKind: syntax.Object,
		Clients: in.plan.clients, WholeFile: true, GoesOn: len(top.Nodes) == 0,
	}}
	return doc
}

// rooted returns the document of a root value.
func (in *Input) rooted(r *root) *mcp.Document {
	doc := in.document()
	doc.RootKey = r.key
	if r.key != "" {
		doc.Root = r.value().Key
	}
	loaders := doc.Loaders()
	in.noCwd = len(loaders) > 0 && loaders[0].Reading(doc.Format).NoCwd
	doc.Servers = in.servers(r.value())
	doc.Duplicates = in.repeats(r)
	doc.Approvals = trustedEntries(r.value(), loaders)
	if refusal := in.refusesRoot(r, loaders); refusal != nil {
		doc.Refusals = append(doc.Refusals, *refusal)
	}
	if refusal := in.strayRoot(r, loaders); refusal != nil {
		doc.Refusals = append(doc.Refusals, *refusal)
		doc.SecretMembers = secretMembers(nil, in.secondRoot(r))
	}
	doc.Refusals = append(doc.Refusals, in.strayServers(r, loaders)...)
	doc.Refusals = append(doc.Refusals, in.refusals(r.value(), loaders)...)
	return doc
}

// readWithInputs reads a file of VS Code's shape, which declares its ${input:…}
// variables beside the servers.
func readWithInputs(in *Input) *mcp.Document {
	r := in.findRoot()
	if r == nil {
		return in.rootless()
	}
	return in.rootedWithInputs(r)
}

// rootedWithInputs returns the document of a root value beside which inputs may
// be declared.
func (in *Input) rootedWithInputs(r *root) *mcp.Document {
	doc := in.rooted(r)
	ids, defaults := inputs(r)
	doc.Inputs, doc.SecretMembers = ids, append(doc.SecretMembers, defaults...)
	doc.Answers = answers(declaredInputs(r))
	if list := inputList(r); len(r.nodes) > 1 {
		if there := r.parent().Get(list.Key); there == nil || there.Kind == syntax.Array {
			doc.InputsAt = list
			list.Hidden = hiddenInputs(there)
			list.Names = mcp.NameInputs(doc.Inputs, list.Hidden)
		}
	}
	return doc
}

// inputsKey is the member beside the servers that declares what a person is asked
// for, settingsInputsKey the same in settings, where it may be written as one key with
// a dot.
const (
	inputsKey         = "inputs"
	settingsInputsKey = "mcp." + inputsKey
)

// inputList returns where variables are declared beside the root key.
func inputList(r *root) *mcp.InputList {
	if strings.HasSuffix(r.value().Name, ".servers") {
		return &mcp.InputList{Object: r.parent().Value, Key: settingsInputsKey}
	}
	return &mcp.InputList{Object: r.parent().Value, Key: inputsKey}
}

// declaredInputs returns what declares variables beside the root key.
func declaredInputs(r *root) []*syntax.Node {
	list := r.parent().Get(inputsKey)
	if list == nil {
		list = r.parent().Get(settingsInputsKey)
	}
	if list == nil || list.Kind != syntax.Array {
		return nil
	}
	return list.Nodes
}

// answers returns what fills declared inputs in before anybody types.
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
			answer.Default = literal(value)
		}
		if kind, command := n.Get("type"), n.Get("command"); kind.IsString() && kind.Text == "command" && command.IsString() {
			answer.Command, answer.Args = literal(command), textsBelow(nil, n.Get("args"))
		}
		if answer.Default.Text != "" || answer.Command.Text != "" {
			all = append(all, answer)
		}
	}
	return all
}

// maxInputTexts is how many texts of a command's arguments are looked at: more than any takes.
const maxInputTexts = 20

// textsBelow appends the texts of a value, at whatever depth.
func textsBelow(words []identity.Word, n *syntax.Node) []identity.Word {
	switch {
	case n == nil || len(words) == maxInputTexts:
		return words
	case n.IsString():
		return append(words, literal(n))
	}
	for _, child := range n.Nodes {
		words = textsBelow(words, child)
	}
	return words
}

// inputs returns the variables declared beside the root key, and their defaults. The
// default of an input that is shown as dots stands under "password" unless its id says
// more.
func inputs(r *root) (ids []identity.Word, defaults []identity.Pair) {
	for _, n := range declaredInputs(r) {
		id := n.Get("id")
		if !id.IsString() {
			continue
		}
		ids = append(ids, literal(id))
		if value := n.Get("default"); value.IsString() {
			name := literal(id)
			if hidden := n.Get("password"); hidden != nil && hidden.Text == "true" && !secret.IsSecretName(name.Text) {
				name.Text = "password"
			}
			defaults = append(defaults, identity.Pair{Name: name, Value: literal(value)})
		}
	}
	return ids, defaults
}

// hiddenInputs returns the ids of the inputs of a list, which may be nil, that ask for a
// text and show it as dots.
func hiddenInputs(list *syntax.Node) map[string]bool {
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

// names returns the names in a list of servers, with the span of each inside
// its quotes.
func names(list *syntax.Node) []mcp.Reference {
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

// switches turns names into switches of a client.
func switches(c *mcp.Client, refs []mcp.Reference, only bool) []mcp.Switch {
	var list []mcp.Switch
	for _, ref := range refs {
		list = append(list, mcp.Switch{Client: c, Name: ref.Name, Span: ref.Span, Only: only})
	}
	return list
}
