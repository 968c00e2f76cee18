package credential

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/dialect"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/repair"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// secretNames are the variables that the credentials of a project are given. One value
// has one variable, and another value another one: who sets it can set it to one thing.
type secretNames struct {
	// byValue are the names that were given, owners what they were given for.
	byValue map[namedValue]string
	owners  map[placeOfName]namedValue
	// numbered is the last number that was tried behind a name.
	numbered map[placeOfName]int
	// references are the entries that currently refer to the variables and inputs of the project,
	// and there the variables at their places.
	references map[placeOfName][]reference
	there      map[spot][]there
}

// namedValue is a credential that has one name.
type namedValue struct {
	space nameSpace
	text  string
	// base tells apart what may be equal by chance, "" for what may not.
	base string
}

// nameSpace is where a name has one meaning: the environment, the secrets of GitHub, or
// the inputs that a document declares.
type nameSpace struct {
	inputsOf  *mcp.Document
	isSecrets bool
	// prefix and reserved are how the names begin and do not begin that a client takes.
	prefix, reserved string
}

// placeOfName is the name of a variable, a secret, or the variable whose place an input
// takes.
type placeOfName struct {
	inputsOf  *mcp.Document
	isSecrets bool
	name      string
}

func (s nameSpace) at(name string) placeOfName { return placeOfName{s.inputsOf, s.isSecrets, name} }

// spaceOf returns where the variables of credentials in a document have their names.
func spaceOf(doc *mcp.Document) nameSpace {
	c := doc.Loaders()[0]
	if repair.AsksForInputs(doc) {
		return nameSpace{inputsOf: doc}
	}
	return nameSpace{isSecrets: strings.HasPrefix(dialect.For(c, doc.Format).Credential("NAME"), "${{"), prefix: c.EnvPrefix, reserved: c.Reserved}
}

// reference is one to a variable in a document.
type reference struct {
	spot
	doc   *mcp.Document
	isSet bool // by the server that it is of, under the same name
}

// spot is the place of a reference, or of the text that it will replace: in a value of the server
// of a name, with the rest of the value before and after it. The files of a group have a server
// under its name in the source, and a server with different names has the first.
type spot struct {
	server        string
	role          mcp.ValueKind
	name          string // of the value, in small letters
	nth           int    // of the arguments behind the option of the name
	before, after string
}

// there is the name of a variable of the environment in a document.
type there struct {
	doc  *mcp.Document
	name string
}

// spot returns that of a credential.
func (p *secretPlace) spot() spot {
	return spotIn(p.entry, p.search.set.called(p.entry), &p.value, p.start, p.end)
}

// maxOptions is how many arguments are searched for options of one name.
const maxOptions = 64

// spotIn returns a spot in a value of an entry, which is the server of a name.
func spotIn(s *mcp.Server, name string, v *mcp.Value, start, end int) spot {
	at := spot{server: name, role: v.Kind, name: strings.ToLower(v.Name), before: v.Word.Text[:start], after: v.Word.Text[end:]}
	for i := max(v.Index-maxOptions, 0); v.Kind == mcp.ArgumentValue && v.Name != "" && i < v.Index; i++ {
		if mcp.OptionBefore(s.Launch.Args, i) == v.Name {
			at.nth++
		}
	}
	return at
}

// maxReferences is how many references to one variable are compared.
const maxReferences = 4

// variable returns a name for the variable that holds a credential: that of the variable which the
// entry sets, otherwise one from the server's name and the name of the credential's value. A
// credential at several places has the name of the first, and no other credential has it: if it is
// taken, the server's name or a number distinguishes them. A client that passes on variables under
// their own names leaves no choice.
func (p *secretPlace) variable() string {
	doc := p.entry.Document
	asks := repair.AsksForInputs(doc)
	if p.own != "" || !asks && p.isPassedOn() && referenceIn(doc, p.ownVariable()) == "" {
		return p.ownName()
	}
	base := p.search.baseOf(p)
	if asks && p.search.isShown(inputIn(doc, base)) {
		return base
	}
	value := namedValue{space: spaceOf(doc), text: p.value.Word.Text[p.start:p.end]}
	if !secret.IsUnique(value.text) {
		value.base = base
	}
	name, known := p.search.set.names.byValue[value]
	if !known {
		name = p.search.set.give(p, value, base)
	}
	return name
}

// baseOf returns the base of the name of a credential's variable: one for all of its places in an
// entry, the variable that is set to it if there is one, else the first place.
func (x *secretSearch) baseOf(p *secretPlace) string {
	if x.basing != p.entry {
		x.basing, x.based, x.whole = p.entry, map[string]string{}, map[string]mcp.Value{}
		mcp.EachValue(&p.entry.Launch, func(v mcp.Value) {
			if _, known := x.whole[v.Word.Text]; !known && v.Kind == mcp.VariableValue {
				x.whole[v.Word.Text] = v
			}
		})
	}
	text := p.value.Word.Text[p.start:p.end]
	if name := x.based[text]; name != "" {
		return name
	}
	named := p
	if v, ok := x.whole[text]; ok {
		in := newPlace(v, p.entry.Name, &p.entry.Identity)
		in.entry, in.search, in.first, in.end = p.entry, x, p.first, len(text)
		named = &in
	}
	x.based[text] = named.ownName()
	return x.based[text]
}

// give gives a credential the name of the variable that the same server has in its place
// in another file, else the first name that is free.
func (x *variablesSet) give(p *secretPlace, value namedValue, base string) string {
	names, c := &x.names, p.entry.Document.Loaders()[0]
	if names.byValue == nil {
		names.byValue, names.owners, names.numbered = map[namedValue]string{}, map[placeOfName]namedValue{}, map[placeOfName]int{}
	}
	if name := x.elsewhere(p); name != "" && !x.isTaken(p, value, name) {
		names.byValue[value], names.owners[value.space.at(name)] = name, value
		return name
	}
	name, at := base, value.space.at(base)
	if x.isTaken(p, value, name) {
		name = dialect.VariableName(c, withServer(p.entry, strings.TrimPrefix(base, c.EnvPrefix)))
	}
	for x.isTaken(p, value, name) {
		names.numbered[at] = max(names.numbered[at], 1) + 1
		name = base + "_" + strconv.Itoa(names.numbered[at])
	}
	names.byValue[value], names.owners[value.space.at(name)] = name, value
	return name
}

// elsewhere returns the name of the variable that the same server has instead of a credential in
// another file, "" for none.
func (x *variablesSet) elsewhere(p *secretPlace) string {
	if x.names.references == nil {
		x.names.references, x.names.there = x.referencesIn()
	}
	space := spaceOf(p.entry.Document)
	for _, t := range x.names.there[p.spot()] {
		if t.doc != p.entry.Document && len(t.doc.Loaders()) > 0 && spaceOf(t.doc).prefix == space.prefix {
			return t.name
		}
	}
	return ""
}

// isTaken reports whether a name is used for something other than a credential: another credential
// has it, an entry sets a variable of that name to something else, something refers to it, or its
// input is shown as a person types it. If the same server elsewhere has it in the same place, or
// gets the variable under its own name, it means the same there as it would here.
func (x *variablesSet) isTaken(p *secretPlace, value namedValue, name string) bool {
	at := value.space.at(name)
	if owner, isGiven := x.names.owners[at]; isGiven && (owner.text != value.text || owner.base != value.base) {
		return true
	}
	for _, r := range x.names.references[at] {
		isThere := r.doc != p.entry.Document && r.spot == p.spot()
		isSame := r.server == x.called(p.entry) && (isThere || r.isSet && p.isSetUnder(name))
		if !isSame || at.isSecrets {
			return true
		}
	}
	if at.inputsOf != nil || at.isSecrets {
		return at.inputsOf != nil && p.search.isShown(inputIn(p.entry.Document, name))
	}
	isThere := x.elsewhere(p) == name
	for _, text := range x.values(name, x.called(p.entry)) {
		if isThere && isAsked(text) {
			continue // in another file of the server's
		}
		if text != value.text && text != p.value.Word.Text && !p.refersLike(text, name) {
			return true
		}
	}
	return false
}

// isSetUnder reports whether the entry gives its server the credential in a variable of a
// name.
func (p *secretPlace) isSetUnder(name string) bool {
	x := p.search
	if x.setsOf != p.entry {
		x.setsOf, x.sets = p.entry, map[setting]bool{}
		for _, pair := range slices.Concat(p.entry.Launch.Env, handedOn(p.entry)) {
			x.sets[setting{pair.Name.Text, pair.Value.Text}] = true
		}
	}
	return x.sets[setting{name, p.value.Word.Text}] || x.sets[setting{name, p.value.Word.Text[p.start:p.end]}]
}

// setting is a variable that an entry sets, or the server that it is of, and to what.
type setting struct{ name, value string }

// called returns the name of an entry's server. Where files of the project call it by
// different names, that is the first.
func (x *variablesSet) called(s *mcp.Server) string {
	if x.aliases == nil {
		x.aliases = map[*mcp.Server]string{}
		for _, files := range x.project.Compared {
			for one := range compare.Aliases(files) {
				for _, s := range one {
					x.aliases[s] = one[0].Name
				}
			}
		}
	}
	return cmp.Or(x.aliases[s], s.Name)
}

// referencesIn returns the entries that refer to the variables and inputs of a project, and the
// variables in each place.
func (x *variablesSet) referencesIn() (all map[placeOfName][]reference, places map[spot][]there) {
	all, places = map[placeOfName][]reference{}, map[spot][]there{}
	add := func(s *mcp.Server, at placeOfName, r reference) {
		if len(all[at]) < maxReferences && !slices.Contains(all[at], r) {
			all[at] = append(all[at], r)
		}
		// Of two documents one is another one.
		if known := places[r.spot]; at.inputsOf == nil && (len(known) == 0 || len(known) == 1 && known[0].doc != s.Document) {
			places[r.spot] = append(known, there{s.Document, at.name})
		}
	}
	names, others := x.heldTo()
	for _, doc := range x.project.Documents {
		for _, s := range doc.Servers {
			eachReference(s, cmp.Or(names[s], x.called(s)), add)
		}
	}
	for _, s := range others {
		eachReference(s, names[s], add)
	}
	return all, places
}

// heldTo returns, by the entries of a project in the files of groups, the names of the entries that
// they are compared with, and those of them in other projects.
func (x *variablesSet) heldTo() (names map[*mcp.Server]string, others []*mcp.Server) {
	names = map[*mcp.Server]string{}
	for _, file := range x.project.InStep {
		for _, cell := range file.Cells {
			if cell.Server == nil || cell.Server != cell.Row.Server {
				continue
			}
			for _, other := range cell.Row.Cells {
				if s := other.Server; s != nil && s != cell.Server && names[s] == "" {
					names[s] = x.called(cell.Server)
					if s.Document.Project != x.project {
						others = append(others, s)
					}
				}
			}
		}
	}
	return names, others
}

// eachReference calls yield with every reference of an entry, as one of the server of a
// name.
func eachReference(s *mcp.Server, name string, yield func(*mcp.Server, placeOfName, reference)) {
	set := variablesOf(s)
	mcp.EachValue(&s.Launch, func(v mcp.Value) {
		text := v.Word.Text
		for ref, ok := secret.NextReference(text, 0); ok; ref, ok = secret.NextReference(text, ref.End) {
			at := namedBy(s.Document, ref)
			yield(s, at, reference{spotIn(s, name, &v, ref.Start, ref.End), s.Document, set[at.name]})
		}
	})
	for _, w := range s.Launch.PassEnv {
		yield(s, placeOfName{name: w.Text}, reference{spot{server: name, role: mcp.VariableValue, name: strings.ToLower(w.Text)}, s.Document, true})
	}
}

// variablesOf returns the names of the variables that an entry gives its server.
func variablesOf(s *mcp.Server) map[string]bool {
	names := make(map[string]bool, len(s.Launch.Env))
	for _, pair := range s.Launch.Env {
		names[pair.Name.Text] = true
	}
	return names
}

// namedBy returns what a reference in a document names.
func namedBy(doc *mcp.Document, ref secret.Ref) placeOfName {
	switch ref.Syntax.Family() {
	case secret.Input, secret.BareInput:
		return placeOfName{inputsOf: doc, name: identity.VariableInWords(ref.Name)}
	case secret.Expression:
		return placeOfName{isSecrets: true, name: strings.TrimPrefix(ref.Name, "secrets.")}
	}
	return placeOfName{name: ref.Name}
}
