package format

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Align returns the changes by which an entry of the file of Within says what another one
// says, in the parts in which they differ; all else that is written stays. There are none
// where a part cannot be changed by itself.
func (t Target) Align(has *mcp.Server, e Entry, differing []mcp.Difference) []edit.Change {
	should := t.Again(e)
	if should == nil {
		return nil
	}
	a := &aligner{file: t.file, has: has, should: should}
	again, err := t.Match.Format.Parse(&syntax.Parser{}, should.Document.File)
	if err != nil {
		return nil
	}
	a.here, a.there = newLayout(t.top, has), newLayout(again.Root, should)
	if a.here.entry == nil || a.there.entry == nil {
		return nil
	}
	switch {
	case !a.isOtherForm(differing):
	case !should.Launch.IsRemote() && !isAnotherServer(differing):
		return a.headersOfBridge(differing)
	case !isAnotherServer(differing) && a.losesSupplied(), !a.target():
		return nil
	}
	for _, d := range differing {
		if !a.align(d) {
			return nil
		}
	}
	isKept := func(id string) bool { return !writes(a.changes, "${input:"+id+"}") }
	e.Inputs = slices.DeleteFunc(slices.Clone(e.Inputs), isKept)
	return append(a.changes, t.declare(e)...)
}

// writes reports whether a text comes in with changes.
func writes(changes []edit.Change, text string) bool {
	return slices.ContainsFunc(changes, func(c edit.Change) bool { return strings.Contains(c.Name, text) || holdsText(&c.Value, text) })
}

// holdsText reports whether a text stands in a value.
func holdsText(v *edit.Value, text string) bool {
	return strings.Contains(v.Text, text) ||
		slices.ContainsFunc(v.Elements, func(inner edit.Value) bool { return holdsText(&inner, text) }) ||
		slices.ContainsFunc(v.Members, func(m edit.Member) bool { return holdsText(&m.Value, text) })
}

// isOtherForm reports whether something differs between an address and a bridge to it, of
// which neither has the words of the other: they change as a whole.
func (a *aligner) isOtherForm(differing []mcp.Difference) bool {
	isOfLaunch := func(d mcp.Difference) bool { return d.Field != mcp.FieldSwitch }
	return a.has.Launch.IsRemote() != a.should.Launch.IsRemote() && slices.ContainsFunc(differing, isOfLaunch)
}

// isAnotherServer reports whether the entries run two servers.
func isAnotherServer(differing []mcp.Difference) bool {
	return slices.ContainsFunc(differing, func(d mcp.Difference) bool { return d.Field == mcp.FieldProgram })
}

// headersOfBridge returns the changes by which an address has the headers that a bridge to
// it adds. It stays an address, since no bridge is needed. There are none where more
// differs, where a header is not in both, or where it holds a variable, which the bridge
// expands in words of its own.
func (a *aligner) headersOfBridge(differing []mcp.Difference) []edit.Change {
	wanted := a.should.Resolved().Config().Headers
	var changes []edit.Change
	for _, d := range differing {
		isSame := func(name string) bool { return ascii.EqualFold(strings.TrimSpace(name), d.Name) }
		here := placesOf(a.has.Launch.Headers, nil, isSame)
		i := slices.IndexFunc(wanted, func(s identity.Setting) bool { return isSame(s.Name) })
		if d.Field != mcp.FieldHeader || i < 0 || len(here) != 1 || strings.ContainsAny(wanted[i].Value, "${%") {
			return nil
		}
		way := a.here.ways[here[0]]
		if len(way) != 2 || fieldOf(way[0].Name) != headersField {
			return nil
		}
		changes = append(changes, edit.Replace(a.file, way[1].Value, edit.String(wanted[i].Value)))
	}
	return changes
}

// losesSupplied reports whether an entry that changes as a whole would lose what a person
// supplies to it, of which nobody said that it differs.
func (a *aligner) losesSupplied() bool {
	here, there := a.has.Resolved().Config(), a.should.Resolved().Config()
	return isLost(here.Env, there.Env) || isLost(here.Headers, there.Headers)
}

// isLost reports whether one of some settings is supplied and not among others.
func isLost(settings, others []identity.Setting) bool {
	return slices.ContainsFunc(settings, func(s identity.Setting) bool {
		return s.Supplied && !slices.ContainsFunc(others, func(other identity.Setting) bool { return other.Name == s.Name })
	})
}

// aligner collects the changes of one entry.
type aligner struct {
	file        *syntax.File
	has, should *mcp.Server
	here, there layout
	changes     []edit.Change
	// What is written already: the target with all that belongs to it, and the arguments, of
	// which some may be left that have names of their own.
	isTargetDone, areArgumentsDone, areAllArgumentsDone bool
	// isOtherLauncher reports that another program starts the server, which asks nothing
	// that an argument would have to answer.
	isOtherLauncher bool
}

// layout is how an entry is written: its value, and of those in it the ways there.
type layout struct {
	entry *syntax.Node
	ways  map[syntax.Span][]*syntax.Node // from below the entry, by key and by value
}

// newLayout finds an entry in its file.
func newLayout(top *syntax.Node, s *mcp.Server) layout {
	w := layout{ways: map[syntax.Span][]*syntax.Node{}}
	if w.entry = entryIn(top, s); w.entry != nil {
		w.note(w.entry, nil)
	}
	return w
}

// entryIn returns the value of a server's entry, nil if it is not there: a member by its
// key, since a header of TOML may make several tables of one span, or an element of a list.
func entryIn(n *syntax.Node, s *mcp.Server) *syntax.Node {
	for _, inner := range n.Nodes {
		if !inner.Key.IsZero() && inner.Key == s.NameSpan || n.Kind == syntax.Array && inner.Value == s.Span {
			return inner
		}
		if found := entryIn(inner, s); found != nil {
			return found
		}
	}
	return nil
}

// launch returns what holds the program, its arguments and its variables: the entry, or the
// object that Zed's older form has under command.
func (w *layout) launch() *syntax.Node {
	if c := w.entry.Get("command"); c != nil && c.Kind == syntax.Object {
		return c
	}
	return w.entry
}

func (w *layout) note(n *syntax.Node, way []*syntax.Node) {
	for _, inner := range n.Nodes {
		there := append(slices.Clone(way), inner)
		if inner == w.launch() {
			there = way // what stands in it is a part of the entry
		}
		if !inner.Key.IsZero() {
			w.ways[inner.Key] = there
		}
		w.ways[inner.Value] = there
		w.note(inner, there)
	}
}

// align makes one difference none, and reports whether it could.
func (a *aligner) align(d mcp.Difference) bool {
	has, should := &a.has.Launch, &a.should.Launch
	if a.isTargetDone && has.IsRemote() != should.IsRemote() && d.Field != mcp.FieldSwitch {
		return true
	}
	switch d.Field {
	case mcp.FieldProgram:
		return a.target()
	case mcp.FieldURL:
		return a.part(has.URL.Span, should.URL.Span)
	case mcp.FieldTransport:
		return a.transport()
	case mcp.FieldVersion:
		return a.isTargetDone || a.version()
	case mcp.FieldArgument:
		return a.isTargetDone || a.arguments()
	case mcp.FieldVariable:
		isSame := func(name string) bool { return name == d.Name }
		here, there := placesOf(has.Env, has.PassEnv, isSame), placesOf(should.Env, should.PassEnv, isSame)
		if one, other := a.has.Resolved().Parts().Container, a.should.Resolved().Parts().Container; one != nil && other != nil {
			return a.containerVariable(one, other, identity.VariableOption+d.Name) && a.parts(here, there)
		}
		if len(here)+len(there) == 0 {
			return a.inArguments("=", isSame)
		}
		if len(there) == 0 && d.Kind == mcp.IsOther {
			return a.variableOfCommand(here, d.Name)
		}
		return a.parts(here, there)
	case mcp.FieldHeader:
		isSame := func(name string) bool { return ascii.EqualFold(strings.TrimSpace(name), d.Name) }
		here, there := placesOf(has.Headers, nil, isSame), placesOf(should.Headers, nil, isSame)
		if len(here)+len(there) == 0 {
			return a.inArguments(":", isSame)
		}
		return a.parts(here, there)
	case mcp.FieldEnvFile:
		return a.part(has.EnvFile.Span, should.EnvFile.Span)
	case mcp.FieldDirectory:
		return a.part(has.Cwd.Span, should.Cwd.Span)
	case mcp.FieldSwitch:
		return a.setEnabled()
	}
	return false
}

// placesOf returns where variables or headers of a name are written.
func placesOf(pairs []identity.Pair, passed []identity.Word, isSame func(string) bool) []syntax.Span {
	var places []syntax.Span
	for _, p := range pairs {
		if isSame(p.Name.Text) {
			places = append(places, p.Name.Span)
		}
	}
	for _, w := range passed {
		if isSame(w.Text) {
			places = append(places, w.Span)
		}
	}
	return places
}

// parts is part for what is written at several places, of which the last counts. What is
// written in an argument is not changed here.
func (a *aligner) parts(here, there []syntax.Span) bool {
	last := syntax.Span{}
	if len(there) > 0 {
		last = there[len(there)-1]
	}
	if len(here) == 0 {
		return a.part(syntax.Span{}, last)
	}
	for _, at := range here[:len(here)-1] {
		if a.here.ways[at] == nil {
			return false
		}
		a.changes = append(a.changes, edit.Drop(a.file, at))
	}
	return a.part(here[len(here)-1], last)
}

// inArguments is parts for what stands in an argument behind its name and a separator, as
// the headers of a bridge and the variables of a container do. Only a bridge takes another
// one behind all its arguments.
func (a *aligner) inArguments(separator string, isSame func(string) bool) bool {
	here, there := a.has.Launch.Args, a.should.Launch.Args
	i, isHere := namedArgument(here, separator, isSame)
	j, isThere := namedArgument(there, separator, isSame)
	isOption := func(args []identity.Word, i int) bool {
		return i > 0 && strings.HasPrefix(args[i-1].Text, "-") && !strings.HasPrefix(args[i].Text, "-")
	}
	switch {
	case a.areAllArgumentsDone, a.isTargetDone:
		return true
	case isHere && a.here.ways[here[i].Span] == nil:
		return false
	case isHere && isThere:
		a.changes = append(a.changes, edit.Rename(a.file, here[i].Span, there[j].Text))
		return true
	case isHere && isOption(here, i):
		a.changes = append(a.changes, edit.Drop(a.file, here[i-1].Span), edit.Drop(a.file, here[i].Span))
		return true
	case isThere && isOption(there, j) && a.has.Identity.Bridge != nil:
		list := a.argumentList()
		if list == nil {
			return false
		}
		for k := j - 1; k <= j; k++ {
			a.changes = append(a.changes, edit.Append(a.file, edit.Handle(list), edit.String(there[k].Text), edit.Where{Rank: k}))
		}
		return true
	}
	return false
}

// variableOfCommand gives a variable the value that a command in front of the other program
// sets: env NAME=value.
func (a *aligner) variableOfCommand(here []syntax.Span, name string) bool {
	way := a.here.ways[here[len(here)-1]]
	for _, p := range slices.Backward(a.should.Resolved().Parts().Env) {
		if p.Name.Text == name && way != nil && !way[len(way)-1].Key.IsZero() {
			a.changes = append(a.changes, edit.Replace(a.file, way[len(way)-1].Value, edit.String(p.Value.Text)))
			return true
		}
	}
	return false
}

// containerVariable gives a container a variable by the option that the other one has for
// it, or takes the option away.
func (a *aligner) containerVariable(here, there *identity.ContainerOptions, key string) bool {
	was, now := here.Find(key), there.Find(key)
	switch {
	case a.areAllArgumentsDone || a.isTargetDone || was == nil && now == nil:
		return true
	case was == nil:
		return a.insertOption(here, there, now)
	case now != nil:
		if was.Value.Text != now.Value.Text {
			a.changes = append(a.changes, edit.Rename(a.file, was.Value.Span, now.Value.Text))
		}
		return len(was.Words) > 0 && was.Value.Span != was.Words[0].Span && a.isPart(was.Value.Span)
	}
	for _, g := range here.Given {
		if g.Key != key {
			continue
		}
		for _, w := range g.Words {
			if a.here.ways[w.Span] == nil {
				return false
			}
			a.changes = append(a.changes, edit.Drop(a.file, w.Span))
		}
	}
	return len(was.Words) > 0
}

// insertOption writes an option of a container into another one, behind the nearest before
// it that this one has too, else behind all.
func (a *aligner) insertOption(here, there *identity.ContainerOptions, option *identity.Given) bool {
	where := edit.Where{Place: edit.Before, Beside: here.Program.Span}
	for i, g := range there.Given {
		if g == option {
			where.Rank = 2 * i
			break
		}
		if same := here.Find(g.Key); same != nil && len(same.Words) > 0 {
			where = edit.Where{Place: edit.After, Beside: same.Words[len(same.Words)-1].Span}
		}
	}
	way := a.here.ways[where.Beside]
	if len(way) < 2 || way[len(way)-2].Kind != syntax.Array {
		return false
	}
	for _, w := range option.Words {
		a.changes = append(a.changes, edit.Append(a.file, edit.Handle(way[len(way)-2]), edit.String(w.Text), where))
		where.Rank++
	}
	return len(option.Words) > 0
}

// namedArgument returns the one argument that is a name with a value.
func namedArgument(args []identity.Word, separator string, isSame func(string) bool) (at int, ok bool) {
	for i, w := range args {
		name, _, found := strings.Cut(w.Text, separator)
		if found && isSame(name) {
			if ok {
				return 0, false
			}
			at, ok = i, true
		}
	}
	return at, ok
}

// part gives a part of the entry the value that it has in the other entry, takes it away
// where that has none, and writes it where this one has none.
func (a *aligner) part(here, there syntax.Span) bool {
	from, to := a.here.ways[here], a.there.ways[there]
	switch {
	case !here.IsZero() && from == nil, !there.IsZero() && to == nil:
		return false
	case from == nil && to == nil:
		return true
	case from != nil && to != nil && isSameWay(from, to):
		was, now := edit.ValueOf(from[len(from)-1]), edit.ValueOf(to[len(to)-1])
		if was.Kind != now.Kind || was.Text != now.Text {
			a.changes = append(a.changes, edit.Replace(a.file, from[len(from)-1].Value, now))
		}
		return true
	}
	if from != nil {
		a.changes = append(a.changes, edit.Drop(a.file, edit.Handle(from[len(from)-1])))
	}
	if to != nil {
		a.put(to)
	}
	return true
}

// isSameWay reports whether two ways go by the same names. A header has one in any case.
func isSameWay(a, b []*syntax.Node) bool {
	isIn := func(way []*syntax.Node, i int) bool {
		return i > 0 && (fieldOf(way[i-1].Name) == headersField || fieldOf(way[i-1].Name) == headerVarsField)
	}
	if len(a) != len(b) {
		return false
	}
	for i, n := range a {
		isSame := n.Name == b[i].Name || isIn(a, i) && ascii.EqualFold(n.Name, b[i].Name)
		if !isSame || n.Key.IsZero() || b[i].Key.IsZero() {
			return false
		}
	}
	return true
}

// put writes a part of the other entry into this one, with what holds it there.
func (a *aligner) put(way []*syntax.Node) {
	holder := a.here.entry
	if f := fieldOf(way[0].Name); (f == argsField || f == envField) && holder.Get(way[0].Name) == nil {
		holder = a.here.launch()
	}
	for len(way) > 1 {
		next := holder.Get(way[0].Name)
		if next == nil || next.Kind != way[0].Kind {
			break
		}
		holder, way = next, way[1:]
	}
	value := edit.ValueOf(way[len(way)-1])
	switch {
	case len(way) == 1 && holder.Kind == syntax.Array:
		a.changes = append(a.changes, edit.Append(a.file, edit.Handle(holder), value, edit.Where{}))
	case len(way) == 1:
		a.changes = append(a.changes, edit.Insert(a.file, edit.Handle(holder), way[0].Name, value, a.beside(way[0])))
	default:
		for i := len(way) - 1; i > 0; i-- {
			if way[i-1].Kind == syntax.Array {
				value = edit.Array(value)
			} else {
				value = edit.Object(edit.Member{Name: way[i].Name, Value: value})
			}
		}
		a.changes = append(a.changes, edit.Extend(a.file, edit.Handle(holder), way[0].Name, value, edit.Where{Rank: len(a.changes)}))
	}
}

// beside returns the place of a member of the entry that comes in: a type stands in front
// of what it is the type of, all else behind.
func (a *aligner) beside(n *syntax.Node) edit.Where {
	if fieldOf(n.Name) == typeField {
		for _, m := range a.here.entry.Nodes {
			if f := fieldOf(m.Name); f == urlField || f == commandField {
				return edit.Where{Place: edit.Before, Beside: edit.Handle(m)}
			}
		}
	}
	return edit.Where{}
}

// transport writes how an address is reached: in a type, or by the name of the address.
func (a *aligner) transport() bool {
	from, to := a.here.ways[a.has.Launch.URL.Span], a.there.ways[a.should.Launch.URL.Span]
	if !isSameWay(from, to) && !a.part(a.has.Launch.URL.Span, a.should.Launch.URL.Span) {
		return false
	}
	return a.part(a.has.Type.Span, a.should.Type.Span)
}

// target writes another server in the place of one: another program, or a program in the
// place of an address and the other way round.
func (a *aligner) target() bool {
	a.isTargetDone = true
	if !a.has.Launch.IsRemote() && !a.should.Launch.IsRemote() {
		return a.program()
	}
	for _, m := range a.here.entry.Nodes {
		if !isOfLaunch(m.Name) {
			continue
		}
		if now := a.there.entry.Get(m.Name); now == nil {
			a.changes = append(a.changes, edit.Remove(a.file, edit.Handle(m)))
		} else if now.Kind != m.Kind || now.Text != m.Text || len(now.Nodes)+len(m.Nodes) > 0 {
			a.changes = append(a.changes, edit.Replace(a.file, edit.Handle(m), edit.ValueOf(now)))
		}
	}
	for _, m := range a.there.entry.Nodes {
		if isOfLaunch(m.Name) && a.here.entry.Get(m.Name) == nil {
			a.changes = append(a.changes, edit.Insert(a.file, edit.Handle(a.here.entry), m.Name, edit.ValueOf(m), edit.Where{}))
		}
	}
	return true
}

// isOfLaunch reports whether a member of an entry says what is started or connected to.
func isOfLaunch(name string) bool {
	switch fieldOf(name) {
	case otherField, disabledField, enabledField:
		return name == "envFile"
	}
	return true
}

// program writes another program with its arguments.
func (a *aligner) program() bool {
	has, should := &a.has.Launch, &a.should.Launch
	all := func(l *identity.Launch) []identity.Word { return append([]identity.Word{l.Command}, l.Args...) }
	command, want := a.here.ways[has.Command.Span], a.there.ways[should.Command.Span]
	if command == nil || want == nil {
		return false
	}
	if isInList := command[len(command)-1].Key.IsZero(); isInList {
		a.isOtherLauncher = has.Command.Text != should.Command.Text
		return a.list(all(has), all(should), plainWord)
	}
	if has.Command.Text != should.Command.Text {
		a.changes = append(a.changes, edit.Rename(a.file, has.Command.Span, should.Command.Text))
		a.isOtherLauncher = true
	}
	return a.list(has.Args, should.Args, plainWord)
}

// version writes other versions into the words that have them.
func (a *aligner) version() bool {
	here, there := &a.has.Identity, &a.should.Identity
	before := len(a.changes)
	if !a.word(wordAt(&a.has.Launch, here.Span), wordAt(&a.should.Launch, there.Span)) {
		return false
	}
	for _, f := range here.Fetched {
		i := slices.IndexFunc(there.Fetched, func(other identity.Fetched) bool { return other.String() == f.String() })
		if i >= 0 && !a.word(wordAt(&a.has.Launch, f.Span), wordAt(&a.should.Launch, there.Fetched[i].Span)) {
			return false
		}
	}
	return len(a.changes) > before
}

// wordAt returns the word of a launch that a span is in, nil if that is none.
func wordAt(l *identity.Launch, at syntax.Span) *identity.Word {
	for i := range l.Args {
		if !at.IsZero() && l.Args[i].Span.Contains(at) {
			return &l.Args[i]
		}
	}
	return nil
}

// word writes another word in the place of one, and reports whether it could.
func (a *aligner) word(here, there *identity.Word) bool {
	if here == nil || there == nil || a.here.ways[here.Span] == nil {
		return here == nil && there == nil
	}
	if here.Text != there.Text {
		a.changes = append(a.changes, edit.Rename(a.file, here.Span, there.Text))
	}
	return true
}

// arguments writes the arguments that are left when a launch is understood as the other
// entry has them. Launchers with their options, and programs around them, stay, if it is
// not one of these options that differs.
func (a *aligner) arguments() bool {
	if a.areArgumentsDone {
		return true
	}
	a.areArgumentsDone = true
	has, should := a.has.Resolved(), a.should.Resolved()
	here, there := has.ConfigWords(), should.ConfigWords()
	args, wanted := has.Config().Args, should.Config().Args
	isOption := slices.Equal(args, wanted)
	if !isOption && len(args) == len(here) && len(wanted) == len(there) && has.Key() == should.Key() {
		same := map[string]string{}
		for i, w := range here {
			same[w.Text] = args[i]
		}
		for i, w := range there {
			same[w.Text] = wanted[i]
		}
		return a.list(here, there, func(w identity.Word) string { return same[w.Text] })
	}
	if a.has.Launch.Command.Text != a.should.Launch.Command.Text {
		return false
	}
	a.areAllArgumentsDone = true
	return a.list(a.has.Launch.Args, a.should.Launch.Args, plainWord)
}

func plainWord(w identity.Word) string { return w.Text }

// maxMoves is how many words are held against how many: the product of both.
const maxMoves = 1_000_000

// list makes one list of words another, word by word: those that both have stay. What
// answers a launcher's question stays as well.
func (a *aligner) list(here, there []identity.Word, key func(identity.Word) string) bool {
	if len(here)*len(there) > maxMoves {
		return false
	}
	kept := common(here, there, key)
	var gone []identity.Word // since the last that is kept
	var come []string
	last := syntax.Span{} // the word behind which something comes
	i, j := 0, 0
	flush := func() bool {
		for len(gone) > 0 && len(come) > 0 {
			if a.here.ways[gone[0].Span] == nil && !a.isPart(gone[0].Span) {
				return false
			}
			a.changes = append(a.changes, edit.Rename(a.file, gone[0].Span, come[0]))
			last, gone, come = gone[0].Span, gone[1:], come[1:]
		}
		for _, w := range gone {
			if a.here.ways[w.Span] == nil {
				return false
			}
			a.changes = append(a.changes, edit.Drop(a.file, w.Span))
		}
		ok := a.insert(come, last, here)
		gone, come = nil, nil
		return ok
	}
	for _, k := range append(kept, [2]int{len(here), len(there)}) {
		for ; i < k[0]; i++ {
			if isYes := here[i].Text == "-y" || here[i].Text == "--yes"; isYes && !a.isOtherLauncher {
				last = here[i].Span
				continue
			}
			gone = append(gone, here[i])
		}
		for ; j < k[1]; j++ {
			come = append(come, there[j].Text)
		}
		if !flush() {
			return false
		}
		if k[0] < len(here) {
			last = here[k[0]].Span
		}
		i, j = k[0]+1, k[1]+1
	}
	return true
}

// isPart reports whether a span is in a text of the entry.
func (a *aligner) isPart(at syntax.Span) bool {
	for span := range a.here.ways {
		if span.Contains(at) {
			return true
		}
	}
	return false
}

// insert writes words behind another one; without one in front of the first of some, or
// behind all arguments.
func (a *aligner) insert(words []string, behind syntax.Span, others []identity.Word) bool {
	if len(words) == 0 {
		return true
	}
	where := edit.Where{Place: edit.After, Beside: behind}
	if behind.IsZero() && len(others) > 0 {
		where = edit.Where{Place: edit.Before, Beside: others[0].Span}
	}
	way := a.here.ways[where.Beside]
	var list *syntax.Node
	if len(way) > 1 && way[len(way)-2].Kind == syntax.Array {
		list = way[len(way)-2]
	} else if len(others) == 0 || !behind.IsZero() {
		where = edit.Where{}
		list = a.argumentList()
	}
	if list == nil {
		return len(others) == 0 && a.newArguments(words)
	}
	for i, text := range words {
		where.Rank = i
		a.changes = append(a.changes, edit.Append(a.file, edit.Handle(list), edit.String(text), where))
	}
	return true
}

// argumentList returns the list that arguments stand in, nil if there is none.
func (a *aligner) argumentList() *syntax.Node {
	way := a.here.ways[a.has.Launch.Command.Span]
	if len(way) > 1 && way[len(way)-2].Kind == syntax.Array {
		return way[len(way)-2]
	}
	i := slices.IndexFunc(a.here.launch().Nodes, func(m *syntax.Node) bool { return fieldOf(m.Name) == argsField && m.Kind == syntax.Array })
	if i < 0 {
		return nil
	}
	return a.here.launch().Nodes[i]
}

// newArguments writes a list of arguments behind the command.
func (a *aligner) newArguments(words []string) bool {
	command := a.here.ways[a.has.Launch.Command.Span]
	list := a.there.ways[a.should.Launch.Command.Span]
	if len(command) != 1 || len(list) != 1 || command[0].Key.IsZero() {
		return false
	}
	for _, m := range a.there.entry.Nodes {
		if fieldOf(m.Name) == argsField {
			where := edit.Where{Place: edit.After, Beside: edit.Handle(command[0])}
			a.changes = append(a.changes, edit.Insert(a.file, edit.Handle(a.here.launch()), m.Name, edit.Strings(words...), where))
			return true
		}
	}
	return false
}

// common returns the longest list of words that both lists have in one order, as pairs of
// their indexes.
func common(a, b []identity.Word, key func(identity.Word) string) [][2]int {
	longest := make([][]int, len(a)+1) // of what is behind each pair
	for i := range longest {
		longest[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if longest[i][j] = max(longest[i+1][j], longest[i][j+1]); key(a[i]) == key(b[j]) {
				longest[i][j] = longest[i+1][j+1] + 1
			}
		}
	}
	var pairs [][2]int
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case key(a[i]) == key(b[j]):
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		case longest[i+1][j] >= longest[i][j+1]:
			i++
		default:
			j++
		}
	}
	return pairs
}

// setEnabled switches the entry on or off.
func (a *aligner) setEnabled() bool {
	for _, off := range a.has.Extra().Off {
		m := a.here.entry.Get(off.Key)
		if m == nil {
			return false
		}
		a.changes = append(a.changes, edit.Replace(a.file, m.Value, edit.Bool(!off.Value)))
	}
	if len(a.has.Extra().Off) > 0 {
		return true
	}
	for _, off := range a.should.Extra().Off {
		if m := a.here.entry.Get(off.Key); m != nil {
			a.changes = append(a.changes, edit.Replace(a.file, m.Value, edit.Bool(off.Value)))
		} else {
			a.changes = append(a.changes, edit.Insert(a.file, edit.Handle(a.here.entry), off.Key, edit.Bool(off.Value), edit.Where{}))
		}
	}
	return len(a.should.Extra().Off) > 0
}
