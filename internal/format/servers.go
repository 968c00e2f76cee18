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
	doc.Answers = in.answers(r)
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

// inputs returns the variables declared beside the root key, and their defaults. The
// default of an input that is shown as dots stands under "password" unless its id says
// more.
func inputs(r *root) (ids []identity.Word, defaults []identity.Pair) {
	list := r.parent().Get(inputsKey)
	if list == nil {
		list = r.parent().Get(settingsInputsKey)
	}
	if list == nil || list.Kind != syntax.Array {
		return nil, nil
	}
	for _, n := range list.Nodes {
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

// answers returns what a client fills in for inputs by itself, nil for nothing
// (code.visualstudio.com/docs/reference/variables-reference, "Input variables").
func (in *Input) answers(r *root) map[string]mcp.Answer {
	list := r.parent().Get(inputsKey)
	if list == nil {
		list = r.parent().Get(settingsInputsKey)
	}
	var all map[string]mcp.Answer
	for _, n := range elements(list) {
		var answer mcp.Answer
		kind, hidden := word(n.Get("type")).Text, n.Get("password")
		answer.IsHidden = hidden != nil && hidden.Text == "true"
		if kind == "command" {
			answer.Command = word(n.Get("command")).Text
			if args := n.Get("args"); args != nil {
				answer.Command += " " + string(in.bytes(args.Value))
			}
		} else {
			answer.Default = word(n.Get("default")).Text
		}
		if id := word(n.Get("id")).Text; id != "" && answer.Default+answer.Command != "" {
			if all == nil {
				all = map[string]mcp.Answer{}
			}
			all[id] = answer
		}
	}
	return all
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
