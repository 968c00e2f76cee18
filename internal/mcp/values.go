package mcp

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// ValueKind is what a value of an entry is for.
type ValueKind uint8

const (
	CommandValue ValueKind = iota
	ArgumentValue
	VariableValue
	HeaderValue
	URLValue
	DirectoryValue // not among those of EachValue
	EnvFileValue   // nor is this
)

// Value is a text that an entry carries.
type Value struct {
	Kind ValueKind
	// Index counts the values of the same kind.
	Index int
	// Name is what it stands under: a variable, a header, the option before an
	// argument; "" for nothing.
	Name string
	Word identity.Word
	// Key is the span of its key if it has one; zero otherwise.
	Key syntax.Span
}

// EachValue calls yield with everything that a launch carries and that may hold
// a value, in the order of the model.
func EachValue(l *identity.Launch, yield func(Value)) {
	yield(Value{Kind: CommandValue, Word: l.Command})
	for i, arg := range l.Args {
		yield(Value{Kind: ArgumentValue, Index: i, Name: OptionBefore(l.Args, i), Word: arg})
	}
	for i, p := range l.Env {
		yield(Value{VariableValue, i, p.Name.Text, p.Value, p.Name.Span})
	}
	yield(Value{Kind: URLValue, Word: l.URL})
	for i, p := range l.Headers {
		yield(Value{HeaderValue, i, p.Name.Text, p.Value, p.Name.Span})
	}
}

// OptionBefore returns the name of the option that an argument is the value of,
// without its dashes. Of "-H NAME VALUE" (mcp-proxy) it is the name of the
// header.
func OptionBefore(args []identity.Word, i int) string {
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

// PartOf returns the span of the bytes from..to of a decoded word: of the word
// as a whole, quotes left out, where it is written with escapes.
func PartOf(file *syntax.File, w identity.Word, from, to int) syntax.Span {
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

// TemplateOf returns what a tracked entry has where the server has a value.
func TemplateOf(v Value, entry *LockEntry) (template identity.Word, found bool) {
	EachValue(&entry.Target.Launch, func(t Value) {
		same := t.Name == v.Name
		if v.Kind == ArgumentValue {
			same = t.Index == v.Index
		}
		if t.Kind == v.Kind && same {
			template, found = t.Word, true
		}
	})
	return template, found
}
