package checks

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// role is what a value of an entry is for.
type role uint8

const (
	commandValue role = iota
	argumentValue
	variableValue
	headerValue
	urlValue
	directoryValue // not among those of eachValue
)

// value is a text that an entry carries.
type value struct {
	role role
	// index counts the values of the same role.
	index int
	// name is what it stands under: a variable, a header, the option before an
	// argument; "" for nothing.
	name string
	word identity.Word
	// key is what it stands under where that is a key of its own; zero elsewhere.
	key syntax.Span
}

// eachValue calls yield with everything that a launch carries and that may hold
// a value, in the order of the model.
func eachValue(l *identity.Launch, yield func(value)) {
	yield(value{role: commandValue, word: l.Command})
	for i, arg := range l.Args {
		yield(value{role: argumentValue, index: i, name: optionBefore(l.Args, i), word: arg})
	}
	for i, p := range l.Env {
		yield(value{variableValue, i, p.Name.Text, p.Value, p.Name.Span})
	}
	yield(value{role: urlValue, word: l.URL})
	for i, p := range l.Headers {
		yield(value{headerValue, i, p.Name.Text, p.Value, p.Name.Span})
	}
}

// optionBefore returns the name of the option that an argument is the value of,
// without its dashes. Of "-H NAME VALUE" (mcp-proxy) it is the name of the
// header.
func optionBefore(args []identity.Word, i int) string {
	if i == 0 || strings.HasPrefix(args[i].Text, "-") {
		return ""
	}
	if i > 1 && (args[i-2].Text == "-H" || args[i-2].Text == "--headers") {
		return args[i-1].Text
	}
	if name := args[i-1].Text; strings.HasPrefix(name, "-") && !strings.Contains(name, "=") {
		return strings.TrimLeft(name, "-")
	}
	return ""
}

// partOf returns the span of the bytes from..to of a decoded word: of the word
// as a whole, quotes left out, where it is written with escapes.
func partOf(file *syntax.File, w identity.Word, from, to int) syntax.Span {
	s := w.Span
	written := file.Bytes[s.Start:s.End]
	switch {
	case string(written) == w.Text:
		return syntax.Span{Start: s.Start + from, End: s.Start + to}
	case len(written) == len(w.Text)+2 && string(written[1:len(written)-1]) == w.Text:
		return syntax.Span{Start: s.Start + 1 + from, End: s.Start + 1 + to}
	}
	return s
}

// templateOf returns what a tracked entry has in the place of a value.
func templateOf(v value, entry *mcp.LockEntry) (template identity.Word, found bool) {
	eachValue(&entry.Target.Launch, func(t value) {
		same := t.name == v.name
		if v.role == argumentValue {
			same = t.index == v.index
		}
		if t.role == v.role && same {
			template, found = t.word, true
		}
	})
	return template, found
}
