package edit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Value is a value to write, in no syntax.
type Value struct {
	Kind syntax.Kind
	// Text is the content of a string, or a number or boolean as JSON writes it.
	Text string
	// Members are those of an object, Elements those of an array, in order.
	Members  []Member
	Elements []Value
}

// Member is a key of an object with its value.
type Member struct {
	Name  string
	Value Value
}

// String returns a string.
func String(text string) Value { return Value{Kind: syntax.String, Text: text} }

// Bool returns a boolean.
func Bool(b bool) Value { return Value{Kind: syntax.Bool, Text: fmt.Sprint(b)} }

// Array returns an array.
func Array(elements ...Value) Value { return Value{Kind: syntax.Array, Elements: elements} }

// Strings returns an array of strings.
func Strings(texts ...string) Value {
	v := Array()
	for _, text := range texts {
		v.Elements = append(v.Elements, String(text))
	}
	return v
}

// Object returns an object.
func Object(members ...Member) Value { return Value{Kind: syntax.Object, Members: members} }

// isContainer reports whether the value holds others.
func (v Value) isContainer() bool { return v.Kind == syntax.Array || v.Kind == syntax.Object }

// size returns how many values it holds.
func (v Value) size() int { return len(v.Elements) + len(v.Members) }

// all returns what it holds, elements without names.
func (v Value) all() []Member {
	all := slices.Clone(v.Members)
	for _, element := range v.Elements {
		all = append(all, Member{Value: element})
	}
	return all
}

// valueOfAll returns a list or an object with the members.
func valueOfAll(kind syntax.Kind, all ...Member) Value {
	if kind == syntax.Object {
		return Object(all...)
	}
	v := Array()
	for _, m := range all {
		v.Elements = append(v.Elements, m.Value)
	}
	return v
}

// holds reports whether the value contains a text.
func (v Value) holds(text string) bool {
	return strings.Contains(v.Text, text) || slices.ContainsFunc(v.all(), func(m Member) bool { return m.Value.holds(text) })
}

// isFlat reports whether none of the values it holds is a container.
func (v Value) isFlat() bool {
	return !slices.ContainsFunc(v.Elements, Value.isContainer) &&
		!slices.ContainsFunc(v.Members, func(m Member) bool { return m.Value.isContainer() })
}

// isListOfTables reports whether it is an array of objects alone, which holds some.
func (v Value) isListOfTables() bool {
	isOther := func(element Value) bool { return element.Kind != syntax.Object }
	return len(v.Elements) > 0 && !slices.ContainsFunc(v.Elements, isOther)
}

// Key returns a text that tells the value from every other one.
func (v Value) Key() string { return string(v.appendKey(nil)) }

func (v Value) appendKey(key []byte) []byte {
	key = strconv.AppendQuote(append(key, byte('0'+v.Kind)), v.Text)
	for _, m := range v.Members {
		key = m.Value.appendKey(strconv.AppendQuote(append(key, ','), m.Name))
	}
	for _, element := range v.Elements {
		key = element.appendKey(append(key, ','))
	}
	return append(key, ';')
}

// problem says what is wrong with a value in every syntax, or "".
func (v Value) problem() string {
	switch {
	case v.Kind == syntax.Number && !isJSONNumber(v.Text):
		return "the number to write is not one of JSON's"
	case v.Kind == syntax.Bool && v.Text != "true" && v.Text != "false":
		return "the boolean to write is neither true nor false"
	case !utf8.ValidString(v.Text):
		return "the text to write is not valid UTF-8"
	}
	seen := map[string]bool{}
	for _, m := range v.Members {
		if seen[m.Name] {
			return "the value to write has a key twice"
		}
		seen[m.Name] = true
		if !utf8.ValidString(m.Name) {
			return "the key to write is not valid UTF-8"
		}
		if problem := m.Value.problem(); problem != "" {
			return problem
		}
	}
	for _, element := range v.Elements {
		if problem := element.problem(); problem != "" {
			return problem
		}
	}
	return ""
}

// isJSONNumber reports whether JSON has such a number.
func isJSONNumber(text string) bool {
	tree, err := syntax.ParseJSON(syntax.NewFile("", []byte(text)))
	return err == nil && tree.Root.Kind == syntax.Number && tree.Root.Text == text
}
