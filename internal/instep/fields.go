package instep

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// mark marks where a difference is written in both entries, and reports whether it can be
// changed there.
func (r *rewriter) mark(d mcp.Difference) bool {
	has, should := &r.has.server.Launch, &r.should.server.Launch
	switch d.Field {
	case mcp.FieldProgram:
		r.isOtherProgram = true
		r.has.words, r.should.words = r.has.line(), r.should.line()
		return r.has.nodes[has.Command.Span] != nil
	case mcp.FieldURL:
		return r.both(has.URL, should.URL)
	case mcp.FieldTransport: // by a type, or by the name of the address
		here, there := r.has.nodes[has.URL.Span], r.should.nodes[should.URL.Span]
		isSame := here != nil && there != nil && here.Name == there.Name
		return (isSame || r.both(has.URL, should.URL)) && r.both(r.has.server.Type, r.should.server.Type)
	case mcp.FieldVersion:
		return r.versions()
	case mcp.FieldArgument:
		return r.arguments()
	case mcp.FieldVariable, mcp.FieldHeader:
		return r.setting(d)
	case mcp.FieldEnvFile:
		return r.both(has.EnvFile, should.EnvFile)
	case mcp.FieldDirectory:
		return r.both(has.Cwd, should.Cwd)
	case mcp.FieldSwitch:
		return r.enabled()
	}
	return false
}

// both marks a part of both entries.
func (r *rewriter) both(here, there identity.Word) bool {
	return r.has.markAt(here.Span) && r.should.markAt(there.Span)
}

// pairsOf returns the variables or the headers of an entry, none for another field.
func pairsOf(s *mcp.Server, field mcp.Field) []identity.Pair {
	switch field {
	case mcp.FieldVariable:
		return s.Launch.Env
	case mcp.FieldHeader:
		return s.Launch.Headers
	}
	return nil
}

// isSameName reports whether a text is the name of a variable, or of a header, which has one
// in any case.
func isSameName(field mcp.Field, text, name string) bool {
	return text == name || field == mcp.FieldHeader && ascii.EqualFold(strings.TrimSpace(text), name)
}

// isNamed reports whether an argument is a variable or header with its value, as those of
// containers and bridges are.
func isNamed(field mcp.Field, w identity.Word, name string) bool {
	separator := "="
	if field == mcp.FieldHeader {
		separator = ":"
	}
	before, _, ok := strings.Cut(w.Text, separator)
	return ok && isSameName(field, before, name)
}

// settings returns where a variable or header is written as such.
func (s *side) settings(d mcp.Difference) (places []syntax.Span) {
	for _, p := range pairsOf(s.server, d.Field) {
		if isSameName(d.Field, p.Name.Text, d.Name) {
			places = append(places, p.Name.Span)
		}
	}
	for _, w := range s.server.Launch.PassEnv {
		if d.Field == mcp.FieldVariable && w.Text == d.Name {
			places = append(places, w.Span)
		}
	}
	return places
}

// setting marks a variable or header: as such, in an argument, or in an option of a
// container.
func (r *rewriter) setting(d mcp.Difference) bool {
	here, there := r.has.settings(d), r.should.settings(d)
	if d.Field == mcp.FieldVariable {
		one, other := r.has.server.Resolved().Parts().Container, r.should.server.Resolved().Parts().Container
		switch isContainer := one != nil && other != nil; {
		case isContainer && !r.containerVariable(one, other, identity.VariableOption+d.Name):
			return false
		case isContainer:
			return r.has.markAt(here...) && r.should.markAt(there...)
		case len(here) > 0 && len(there) == 0 && d.Kind == mcp.IsOther:
			return r.variableOfCommand(here[len(here)-1], d.Name)
		}
	}
	if len(here)+len(there) == 0 {
		return r.inArguments(d)
	}
	return r.has.markAt(here...) && r.should.markAt(there...)
}

// inArguments marks what follows a name and a separator in an argument, as with the headers of a
// bridge and the variables of a container, with the option before it. Only a bridge accepts an
// additional one.
func (r *rewriter) inArguments(d mcp.Difference) bool {
	here, there := r.has.named(d), r.should.named(d)
	switch {
	case r.isOtherProgram:
		return true
	case len(here) > 0 && len(there) > 0:
		return r.word(&here[len(here)-1], &there[len(there)-1])
	case len(here) != 2 && (len(there) != 2 || r.has.server.Identity.Bridge == nil):
		return false
	}
	r.has.words, r.should.words = append(r.has.words, here...), append(r.should.words, there...)
	return true
}

// named returns the one argument that is the name of a setting with a value, with the option
// in front of it; none where there are several.
func (s *side) named(d mcp.Difference) (words []identity.Word) {
	args := s.server.Launch.Args
	for i, w := range args {
		if !isNamed(d.Field, w, d.Name) {
			continue
		}
		if words != nil {
			return nil
		}
		words = args[i : i+1]
		if i > 0 && strings.HasPrefix(args[i-1].Text, "-") && !strings.HasPrefix(w.Text, "-") {
			words = args[i-1 : i+1]
		}
	}
	return words
}

// variableOfCommand gives a variable the value that a command in front of the other program
// sets: env NAME=value.
func (r *rewriter) variableOfCommand(at syntax.Span, name string) bool {
	n := r.has.nodes[at]
	for _, p := range slices.Backward(r.should.server.Resolved().Parts().Env) {
		if p.Name.Text == name && n != nil && !n.Key.IsZero() {
			r.changes = append(r.changes, edit.Replace(r.file, n.Value, edit.String(p.Value.Text)))
			return true
		}
	}
	return false
}

// containerVariable marks the option by which a container is given a variable.
func (r *rewriter) containerVariable(here, there *identity.ContainerOptions, key string) bool {
	was, now := here.Find(key), there.Find(key)
	switch {
	case was == nil && now == nil || r.isOtherProgram:
		return true
	case was == nil:
		r.should.words = append(r.should.words, now.Words...)
		return len(now.Words) > 0
	case now != nil:
		return len(was.Words) > 0 && was.Value.Span != was.Words[0].Span && r.word(&was.Value, &now.Value)
	}
	for _, g := range here.Given {
		if g.Key == key {
			r.has.words = append(r.has.words, g.Words...)
		}
	}
	return len(was.Words) > 0
}

// versions gives the words of packages the versions that they should have.
func (r *rewriter) versions() bool {
	if r.isOtherProgram {
		return true
	}
	here, there := &r.has.server.Identity, &r.should.server.Identity
	before := len(r.changes)
	if !r.word(r.has.wordAt(here.Span), r.should.wordAt(there.Span)) {
		return false
	}
	for _, f := range here.Fetched {
		i := slices.IndexFunc(there.Fetched, func(other identity.Fetched) bool { return other.String() == f.String() })
		if i >= 0 && !r.word(r.has.wordAt(f.Span), r.should.wordAt(there.Fetched[i].Span)) {
			return false
		}
	}
	return len(r.changes) > before
}

// wordAt returns the argument that a span is in, nil if it is not in one.
func (s *side) wordAt(at syntax.Span) *identity.Word {
	args := s.server.Launch.Args
	i := slices.IndexFunc(args, func(w identity.Word) bool { return !at.IsZero() && w.Span.Contains(at) })
	if i < 0 {
		return nil
	}
	return &args[i]
}

// word replaces a word with another, and reports whether it could.
func (r *rewriter) word(here, there *identity.Word) bool {
	if here == nil || there == nil || !r.has.isPart(here.Span) {
		return here == nil && there == nil
	}
	if here.Text != there.Text {
		r.changes = append(r.changes, edit.Rename(r.file, here.Span, there.Text))
	}
	return true
}

// arguments marks the arguments that are left when a launch is understood. Launchers with
// their options, and programs around them, stay, if it is not one of these options that
// differs.
func (r *rewriter) arguments() bool {
	has, should := r.has.server.Resolved(), r.should.server.Resolved()
	here, there := has.ConfigWords(), should.ConfigWords()
	args, wanted := has.Config().Args, should.Config().Args
	isOption := slices.Equal(args, wanted)
	switch {
	case r.isOtherProgram:
	case !isOption && len(args) == len(here) && len(wanted) == len(there) && has.Key() == should.Key():
		r.alike = map[string]string{}
		for i, w := range here {
			r.alike[w.Text] = args[i]
		}
		for i, w := range there {
			r.alike[w.Text] = wanted[i]
		}
		r.has.words, r.should.words = append(r.has.words, here...), append(r.should.words, there...)
	case r.has.server.Launch.Command.Text != r.should.server.Launch.Command.Text:
		return false
	default:
		r.has.words, r.should.words = r.has.server.Launch.Args, r.should.server.Launch.Args
	}
	return true
}

// enabled switches the entry on or off.
func (r *rewriter) enabled() bool {
	here, there := r.has.server.Extra().Off, r.should.server.Extra().Off
	for _, off := range here {
		m := r.has.entry.Get(off.Key)
		if m == nil {
			return false
		}
		r.changes = append(r.changes, edit.Replace(r.file, m.Value, edit.Bool(!off.Value)))
	}
	if len(here) > 0 {
		return true
	}
	for _, off := range there {
		r.should.markAt(edit.Handle(r.should.entry.Get(off.Key)))
	}
	return len(there) > 0
}
