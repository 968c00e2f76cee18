package instep

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/sameness"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// isSameServer reports whether two entries under different names are one server, and not
// two instances of it that are meant.
func isSameServer(a, b *mcp.Server) bool {
	return sameness.Compare(a.Resolved(), b.Resolved()) >= sameness.Superset
}

// differences returns what is known to differ between an entry and what it should be, none
// where nothing is. right is the entry that should is made from, or itself.
func differences(has, should, right *mcp.Server) []mcp.Difference {
	d := &differ{has: has, should: should, right: right}
	if isOff(has) != isOff(should) {
		d.note(mcp.FieldSwitch, presence(isOff(has), isOff(should)), has.NameSpan)
	}
	a, b := has.Resolved(), should.Resolved()
	if a.Kind == identity.None || b.Kind == identity.None {
		return d.found // a person must fill in which server it is
	}
	switch level := sameness.Compare(a, b); {
	case level < sameness.Reconfigured:
		d.program(level)
		return d.found
	case level < sameness.Equivalent:
		d.config(a.Config(), b.Config())
	}
	d.handedOn()
	d.versions()
	d.options()
	d.containerVariables()
	d.transport()
	return d.found
}

// isSameText reports whether two entries are written alike: then only one of their clients
// may fill in a variable, and neither is another server.
func isSameText(a, b *mcp.Server) bool {
	same := func(a, b identity.Word) bool { return a.Text == b.Text }
	x, y := &a.Launch, &b.Launch
	return same(x.URL, y.URL) && same(x.Command, y.Command) && slices.EqualFunc(x.Args, y.Args, same)
}

// differ finds differences.
type differ struct {
	has, should *mcp.Server
	right       *mcp.Server // the server that should is made from
	found       []mcp.Difference
}

// note notes a difference at a token, at the entry's name where nothing is written.
func (d *differ) note(field mcp.Field, kind mcp.DifferenceKind, at syntax.Span) {
	d.noteNamed(field, "", kind, at)
}

func (d *differ) noteNamed(field mcp.Field, name string, kind mcp.DifferenceKind, at syntax.Span) {
	if at.IsZero() {
		at = d.has.NameSpan
	}
	d.found = append(d.found, mcp.Difference{Field: field, Name: name, Kind: kind, Span: at})
}

// program notes that another server is run.
func (d *differ) program(level sameness.Level) {
	has, should := &d.has.Identity, &d.should.Identity
	l := &d.has.Launch
	switch {
	case isSameText(d.has, d.should) && l.Cwd.Text != d.should.Launch.Cwd.Text:
		d.note(mcp.FieldDirectory, d.directory(), l.Cwd.Span)
	case isSameText(d.has, d.should) && level == sameness.SameProgram:
		// One of the clients does not fill in a variable: unresolved-variable says so.
	case d.has.Launch.IsRemote() && d.should.Launch.IsRemote():
		d.note(mcp.FieldURL, mcp.IsOther, l.URL.Span)
		d.transport()
		d.allSettings()
	case d.has.Launch.IsRemote():
		d.note(mcp.FieldProgram, mcp.IsOther, l.URL.Span)
	case d.should.Launch.IsRemote():
		d.note(mcp.FieldProgram, mcp.IsOther, l.Command.Span)
	case has.String() == should.String():
		d.arguments(texts(l.Args), texts(d.should.Launch.Args), l.Args)
		d.allSettings()
	default:
		d.note(mcp.FieldProgram, mcp.IsOther, d.firstOther())
		d.allSettings()
	}
}

// config notes what is configured differently.
func (d *differ) config(a, b identity.Config) {
	kind := d.directory()
	if (a.Dir != b.Dir || d.has.Resolved().Dir() != d.should.Resolved().Dir()) && !d.isOwn(mcp.FieldDirectory, kind) {
		d.note(mcp.FieldDirectory, kind, d.has.Launch.Cwd.Span)
	}
	if !slices.EqualFunc(a.Args, b.Args, isSameButDefault) {
		d.arguments(a.Args, b.Args, d.has.Resolved().ConfigWords())
	}
	d.allSettings()
}

// allSettings notes variables, headers and files of variables that differ.
func (d *differ) allSettings() {
	a, b := d.has.Resolved().Config(), d.should.Resolved().Config()
	if !d.has.Launch.IsRemote() { // or the variables are those of a bridge, which is not started here
		d.settings(mcp.FieldVariable, a.Env, b.Env)
	}
	d.settings(mcp.FieldHeader, a.Headers, b.Headers)
	d.settings(mcp.FieldEnvFile, a.EnvFile, b.EnvFile)
}

// directory says how the working directory differs. One that the entry should name although
// the other one does not is where the other's client starts programs without a word.
func (d *differ) directory() mcp.DifferenceKind {
	kind := presence(d.has.Launch.Cwd.Text != "", d.should.Launch.Cwd.Text != "")
	if kind == mcp.NotHere && d.right.Launch.Cwd.Text == "" {
		return mcp.IsOther
	}
	return kind
}

// presence says how a part differs that is here, and there.
func presence(here, there bool) mcp.DifferenceKind {
	switch {
	case !there:
		return mcp.OnlyHere
	case !here:
		return mcp.NotHere
	}
	return mcp.IsOther
}

// arguments notes the first argument that differs. words are the places of the last ones of a;
// those before them come from options.
func (d *differ) arguments(a, b []string, words []identity.Word) {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	rest := 0
	for rest < len(a)-i && rest < len(b)-i && a[len(a)-1-rest] == b[len(b)-1-rest] {
		rest++
	}
	here, there := len(a)-i-rest, len(b)-i-rest
	switch options := len(a) - len(words); {
	case here == 0:
		d.note(mcp.FieldArgument, mcp.NotHere, d.list())
	case i < options:
		d.note(mcp.FieldArgument, presence(true, there > 0), d.firstOther())
	default:
		d.note(mcp.FieldArgument, presence(true, there > 0), words[i-options].Span)
	}
}

// options notes the first option of the launcher that only one of the entries has, or has
// with another value, where no other argument differs.
func (d *differ) options() {
	isArgument := func(f mcp.Difference) bool { return f.Field == mcp.FieldArgument }
	if slices.ContainsFunc(d.found, isArgument) || d.has.Identity.Launcher != d.should.Identity.Launcher {
		return
	}
	here, there := d.has.Resolved().Parts().Options, d.should.Resolved().Parts().Options
	only := func(all, others []identity.Option) []identity.Option {
		return slices.DeleteFunc(slices.Clone(all), func(o identity.Option) bool {
			return slices.ContainsFunc(others, func(other identity.Option) bool { return other.Name == o.Name && isSameOption(o, other) })
		})
	}
	onlyHere, onlyThere := only(here, there), only(there, here)
	switch {
	case len(onlyHere) > 0:
		first := onlyHere[0]
		isThere := slices.ContainsFunc(onlyThere, func(o identity.Option) bool { return o.Name == first.Name })
		at := first.Span
		if isThere && !first.At.IsZero() {
			at = first.At
		}
		d.note(mcp.FieldArgument, presence(true, isThere), at)
	case len(onlyThere) > 0:
		d.note(mcp.FieldArgument, mcp.NotHere, d.list())
	}
}

// containerVariables notes the variables that only one of two containers gets. Without -e, Docker
// passes none of its own variables to a container, even if the entry sets them.
func (d *differ) containerVariables() {
	here, there := d.has.Resolved().Parts().Container, d.should.Resolved().Parts().Container
	if here != nil && there != nil {
		d.givenOnly(here, there, mcp.OnlyHere)
		d.givenOnly(there, here, mcp.NotHere)
	}
}

// givenOnly notes the variables that one container is given and another one is not.
func (d *differ) givenOnly(one, other *identity.ContainerOptions, kind mcp.DifferenceKind) {
	for _, g := range one.Given {
		name, isVariable := strings.CutPrefix(g.Key, identity.VariableOption)
		if !isVariable || other.Find(g.Key) != nil || d.isNoted(name) {
			continue
		}
		at := g.Value.Span
		if kind == mcp.NotHere {
			at = d.list()
		}
		d.noteNamed(mcp.FieldVariable, name, kind, at)
	}
}

// isSameOption reports whether two options of one name are not known to differ.
func isSameOption(a, b identity.Option) bool {
	return isSameButDefault(a.Value, b.Value) || identity.IsSupplied(a.Value) || identity.IsSupplied(b.Value)
}

// firstOther returns where the first word of the command line stands that is written
// otherwise: the command, else an argument.
func (d *differ) firstOther() syntax.Span {
	has, should := &d.has.Launch, &d.should.Launch
	if has.Command.Text != should.Command.Text {
		return has.Command.Span
	}
	for i, w := range has.Args {
		if i >= len(should.Args) || w.Text != should.Args[i].Text {
			return w.Span
		}
	}
	return d.list()
}

// list returns where the arguments stand, of an entry without any its command.
func (d *differ) list() syntax.Span {
	args := d.has.Launch.Args
	if len(args) == 0 {
		return d.has.Launch.Command.Span
	}
	all := args[0].Span
	for _, w := range args { // an alias of YAML may lead anywhere
		all = syntax.Span{Start: min(all.Start, w.Span.Start), End: max(all.End, w.Span.End)}
	}
	return all
}

func texts(words []identity.Word) []string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = w.Text
	}
	return all
}

// settings notes variables, headers or files of variables that differ, the missing ones in the
// order in which to write them. A value that a person supplies is not known to differ.
func (d *differ) settings(field mcp.Field, has, should []identity.Setting) {
	before := len(d.found)
	defer func() { d.orderMissing(d.found[before:]) }()
	for len(has) > 0 || len(should) > 0 {
		switch {
		case len(should) == 0 || len(has) > 0 && has[0].Name < should[0].Name:
			d.setting(field, has[0], mcp.OnlyHere, !has[0].Supplied)
			has = has[1:]
		case len(has) == 0 || should[0].Name < has[0].Name:
			d.setting(field, should[0], mcp.NotHere, !should[0].Supplied)
			should = should[1:]
		default:
			d.setting(field, has[0], mcp.IsOther, !isSameValue(field, has[0], should[0]) && !has[0].Supplied && !should[0].Supplied)
			has, should = has[1:], should[1:]
		}
	}
}

// orderMissing puts the differences of variables or headers that are not there in the order
// of the entry that has them; all others stay where they are.
func (d *differ) orderMissing(found []mcp.Difference) {
	var at []int
	var missing []mcp.Difference
	for i, f := range found {
		if f.Kind == mcp.NotHere {
			at, missing = append(at, i), append(missing, f)
		}
	}
	order := map[string]int{}
	for i, p := range slices.Concat(d.right.Launch.Env, d.right.Launch.Headers) {
		order[ascii.Lower(strings.TrimSpace(p.Name.Text))] = i
	}
	slices.SortStableFunc(missing, func(a, b mcp.Difference) int {
		return cmp.Compare(order[ascii.Lower(a.Name)], order[ascii.Lower(b.Name)])
	})
	for i, f := range missing {
		found[at[i]] = f
	}
}

// setting notes one of them, if it is one that differs. If both entries set it, one of them may
// only pass on the variable of the same name.
func (d *differ) setting(field mcp.Field, s identity.Setting, kind mcp.DifferenceKind, isKnown bool) {
	if !isKnown || d.isOwn(field, kind) || d.isDefault(field, s, kind) {
		return
	}
	if field == mcp.FieldEnvFile {
		d.note(field, kind, d.has.Launch.EnvFile.Span)
		return
	}
	if isSet(d.has, field, s.Name) && isSet(d.should, field, s.Name) {
		kind = mcp.IsOther
	}
	if kind == mcp.IsOther && (d.isHidden(field, s.Name) || d.isUndecided(field, s.Name)) {
		return
	}
	name, at := d.place(field, s.Name)
	d.noteNamed(field, name, kind, at)
}

// isUndecided reports whether it is not known that two values differ: a person supplies one of
// them, or they are the same except for a default, which not every client supports.
func (d *differ) isUndecided(field mcp.Field, name string) bool {
	has, should := valueOf(d.has, field, name), valueOf(d.right, field, name)
	if has == "" || should == "" {
		return false // it is written elsewhere, or empty
	}
	if identity.IsSupplied(has) || identity.IsSupplied(should) {
		return true
	}
	a, isA := secret.WholeReference(has)
	b, isB := secret.WholeReference(should)
	switch {
	case isA && isB:
		return a.Name == b.Name && (a.Default == "") != (b.Default == "")
	case isA:
		return a.Default != "" && a.Default == should
	case isB:
		return b.Default != "" && b.Default == has
	}
	return false
}

// isOver reports whether a server is reached at an address, if need be over a bridge.
func isOver(s *mcp.Server) bool { return s.Launch.IsRemote() || s.Identity.Bridge != nil }

// handedOn notes the variables that only hand on those of the same name, where the entry
// says nothing of them: few clients give a server all of their own variables.
func (d *differ) handedOn() {
	if isOver(d.has) || isOver(d.should) || d.has.Launch.EnvFile.Text != "" || d.should.Launch.EnvFile.Text != "" {
		return
	}
	names := texts(d.should.Launch.PassEnv)
	for _, pair := range d.should.Launch.Env {
		if ref, ok := secret.WholeReference(pair.Value.Text); ok && ref.Name == pair.Name.Text && !identity.IsSupplied(pair.Value.Text) {
			names = append(names, ref.Name)
		}
	}
	for _, name := range names {
		if d.isNoted(name) || withoutDefaults(valueOf(d.right, mcp.FieldVariable, name)) != valueOf(d.right, mcp.FieldVariable, name) {
			continue // or without its default it may be empty
		}
		if _, at := d.place(mcp.FieldVariable, name); at.IsZero() {
			d.noteNamed(mcp.FieldVariable, name, mcp.NotHere, at)
		}
	}
}

// isNoted reports whether a variable is known to differ.
func (d *differ) isNoted(name string) bool {
	return slices.ContainsFunc(d.found, func(f mcp.Difference) bool { return f.Field == mcp.FieldVariable && f.Name == name })
}

// isHidden reports whether there is a credential where the entry has a variable: it is not known
// whether the variable holds it.
func (d *differ) isHidden(field mcp.Field, name string) bool {
	has, should := valueOf(d.has, field, name), valueOf(d.right, field, name)
	return len(secret.Kept(name, should)) > 0 && secret.HasReference(has) && len(secret.Kept(name, has)) == 0
}

// valueOf returns the value of a variable or header, "" where it has none.
func valueOf(s *mcp.Server, field mcp.Field, name string) string {
	p, _ := pairOf(s, field, name)
	return p.Value.Text
}

// isSet reports whether an entry has a pair for a variable or header.
func isSet(s *mcp.Server, field mcp.Field, name string) bool {
	_, ok := pairOf(s, field, name)
	return ok
}

// pairOf returns the last pair of a variable or header.
func pairOf(s *mcp.Server, field mcp.Field, name string) (identity.Pair, bool) {
	for _, p := range slices.Backward(pairsOf(s, field)) {
		if isSameName(field, p.Name.Text, name) {
			return p, true
		}
	}
	return identity.Pair{}, false
}

// place returns a variable's or header's name as it is written, and where: as the name of
// a pair, or in an argument.
func (d *differ) place(field mcp.Field, name string) (string, syntax.Span) {
	if pair, ok := pairOf(d.has, field, name); ok {
		return pair.Name.Text, pair.Name.Span
	}
	for _, w := range slices.Concat(d.has.Launch.PassEnv, d.has.Launch.Args) {
		if isSameName(field, w.Text, name) || isNamed(field, w, name) {
			return name, w.Span
		}
	}
	if pair, ok := pairOf(d.should, field, name); ok && field == mcp.FieldHeader {
		return pair.Name.Text, syntax.Span{}
	}
	return name, syntax.Span{}
}

// versions notes packages that are launched at another version. All spellings of the newest version
// are the same.
func (d *differ) versions() {
	has, should := d.has.Identity, d.should.Identity
	if versionOf(has.Version) != versionOf(should.Version) {
		at := has.Version.Span
		if at.IsZero() {
			at = has.Span
		}
		d.note(mcp.FieldVersion, mcp.IsOther, at)
	}
	wanted := map[string]identity.Fetched{}
	for _, f := range should.Fetched {
		wanted[f.String()] = f
	}
	for _, f := range has.Fetched {
		other, isThere := wanted[f.String()]
		switch {
		case isThere && versionOf(other.Version) != versionOf(f.Version):
			d.note(mcp.FieldVersion, mcp.IsOther, f.Span)
		case !isThere && f.Beside:
			d.note(mcp.FieldArgument, mcp.OnlyHere, f.Span)
		}
		delete(wanted, f.String())
	}
	for _, f := range should.Fetched {
		if _, isLeft := wanted[f.String()]; isLeft && f.Beside {
			d.note(mcp.FieldArgument, mcp.NotHere, d.list())
		}
	}
}

// versionOf returns a version as it is compared.
func versionOf(v identity.Version) string {
	switch {
	case v.Kind == identity.NoVersion, v.Text == "latest":
		return ""
	case v.Kind == identity.Exact:
		if release := v.Release(); release != "" {
			return release
		}
	}
	return v.Text
}

// transportOf returns the transport of a URL: what the entry says, or the only one of its client;
// "" if neither decides it.
func transportOf(s *mcp.Server) string {
	if said := s.Identity.Transport; said != "" || !s.Launch.IsRemote() {
		return said
	}
	if loaders := s.Document.Loaders(); len(loaders) > 0 && len(loaders[0].Native) == 1 {
		return loaders[0].Native[0]
	}
	return ""
}

// transport notes that an address is reached in another way than it should be, where both
// entries say how. A bridge speaks for itself.
func (d *differ) transport() {
	has, should := &d.has.Identity, &d.should.Identity
	if has.Bridge != nil || should.Bridge != nil {
		return
	}
	if has.Plain != should.Plain {
		d.note(mcp.FieldURL, mcp.IsOther, d.has.Launch.URL.Span)
	}
	if a, b := transportOf(d.has), transportOf(d.should); a != b && a != "" && b != "" {
		at := d.has.Type.Span
		if at.IsZero() {
			at = d.has.Launch.URL.Span
		}
		d.note(mcp.FieldTransport, mcp.IsOther, at)
	}
}
