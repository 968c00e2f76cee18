package treediff_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/treediff"
)

// parse returns the tree of a file by the end of its name.
func parse(t *testing.T, file *syntax.File) *syntax.Node {
	t.Helper()
	var tree *syntax.Tree
	var err error
	switch {
	case strings.HasSuffix(file.Path, ".json"):
		tree, err = syntax.ParseJSON(file)
	case strings.HasSuffix(file.Path, ".yaml"):
		tree, err = syntax.ParseYAML(file)
	default:
		tree, err = syntax.ParseTOML(file)
	}
	require.NoError(t, err, "%s", file.Bytes)
	tree.Root.Value = syntax.Span{} // which names the root, where a table may have the same span
	return tree.Root
}

// applied returns the text of a file with changes.
func applied(t *testing.T, file *syntax.File, changes []edit.Change) string {
	t.Helper()
	if len(changes) == 0 {
		return string(file.Bytes)
	}
	edits, err := edit.Lower(changes)
	require.NoError(t, err, "%s", file.Bytes)
	return string(edit.Apply(file.Bytes, edits))
}

// words returns a policy of some words: names of members, and strings in lists.
func words(text string) treediff.Policy {
	counts := func(n *syntax.Node) bool {
		return slices.Contains(strings.Fields(text), n.Name+n.Text) || slices.Contains(strings.Fields(text), n.Name)
	}
	return treediff.Policy{Goes: counts, Comes: counts}
}

func TestObject(t *testing.T) {
	inHeaders := treediff.Policy{IsSameName: func(object, a, b string) bool { return object == "headers" && strings.EqualFold(a, b) }}
	for name, test := range map[string]struct {
		present, wanted, want string
		policy                treediff.Policy
	}{
		"the same":                   {`{"a": 1, "b": [1]}`, `{"b": [1], "a": 1}`, `{"a": 1, "b": [1]}`, treediff.Policy{}},
		"a value":                    {`{"a": 1, "b": 2}`, `{"a": 1, "b": 3}`, `{"a": 1, "b": 3}`, treediff.Policy{}},
		"a kind":                     {`{"a": 1}`, `{"a": {"b": 2}}`, `{"a": {"b": 2}}`, treediff.Policy{}},
		"one goes, one comes":        {`{"a": 1, "b": 2}`, `{"b": 2, "c": 3}`, `{"b": 2, "c": 3}`, treediff.Policy{}},
		"one in front":               {`{"b": 2, "c": 3}`, `{"a": 1, "b": 2, "c": 3}`, `{"a": 1, "b": 2, "c": 3}`, treediff.Policy{}},
		"two in front":               {`{"c": 3}`, `{"a": 1, "b": 2, "c": 3}`, `{"a": 1, "b": 2, "c": 3}`, treediff.Policy{}},
		"inside":                     {`{"a": {"b": 1, "c": 2}}`, `{"a": {"b": 1, "d": 2}}`, `{"a": {"b": 1, "d": 2}}`, treediff.Policy{}},
		"nothing left":               {`{"a": {"b": 1}, "c": ["x"]}`, `{"a": {}, "c": []}`, `{"a": {}, "c": []}`, treediff.Policy{}},
		"an element between":         {`{"a": ["x", "z"]}`, `{"a": ["x", "y", "z"]}`, `{"a": ["x", "y", "z"]}`, treediff.Policy{}},
		"an element in front":        {`{"a": ["y"]}`, `{"a": ["x", "y"]}`, `{"a": ["x", "y"]}`, treediff.Policy{}},
		"elements for others":        {`{"a": ["x", "b", "c", "z"]}`, `{"a": ["x", "y", "z"]}`, `{"a": ["x", "y", "z"]}`, treediff.Policy{}},
		"into an empty list":         {`{"a": []}`, `{"a": ["x", "y"]}`, `{"a": ["x", "y"]}`, treediff.Policy{}},
		"twice":                      {`{"a": 1, "a": 2}`, `{"a": 3}`, `{"a": 3}`, treediff.Policy{}},
		"a name in another case":     {`{"headers": {"x-a": "1"}}`, `{"headers": {"X-A": "2"}}`, `{"headers": {"x-a": "2"}}`, inHeaders},
		"but not elsewhere":          {`{"env": {"a": "1"}}`, `{"env": {"A": "2"}}`, `{"env": {"A": "2"}}`, inHeaders},
		"a foreign member":           {`{"a": 1, "own": true}`, `{"a": 2, "b": 3}`, `{"a": 2, "own": true, "b": 3}`, words("a b")},
		"one of two in an object":    {`{"env": {"A": "1", "B": "1"}}`, `{"env": {"A": "2", "B": "2"}}`, `{"env": {"A": "2", "B": "1"}}`, words("A")},
		"one of two that come":       {`{}`, `{"env": {"A": "2", "B": "2"}}`, `{"env": {"B": "2"}}`, words("B")},
		"what comes keeps its order": {`{}`, `{"env": {"B": "2", "C": "3", "A": "1"}}`, `{"env": {"B": "2", "A": "1"}}`, words("A B")},
		"the last of an object":      {`{"env": {"A": "1"}, "x": 1}`, `{"x": 1}`, `{"x": 1}`, words("A")},
		"one of two elements":        {`{"a": ["x", "y", "z"]}`, `{"a": ["v", "y", "w"]}`, `{"a": ["x", "y", "w"]}`, words("z w")},
		"an element that comes":      {`{"a": ["x"]}`, `{"a": ["x", "y", "z"]}`, `{"a": ["x", "y"]}`, words("y")},
		"elements that come":         {`{}`, `{"a": ["x", "y", "z"]}`, `{"a": ["x", "z"]}`, words("x z")},
		"the last element":           {`{"a": ["x"], "b": 1}`, `{"a": ["y"], "b": 1}`, `{"b": 1}`, words("x")},
	} {
		file := syntax.NewFile("a.json", []byte(test.present))
		wanted := syntax.NewFile("b.json", []byte(test.wanted))
		got := applied(t, file, treediff.Object(file, parse(t, file), parse(t, wanted), test.policy))
		assert.Equal(t, strings.Join(strings.Fields(test.want), ""), strings.Join(strings.Fields(got), ""), name)
	}
}

// TestListKeeps shows lists with items that stay, have a key, or are parts of a text.
func TestListKeeps(t *testing.T) {
	const text = `["-y", "pkg@1", "sh x --level 2", "-q"]`
	file := syntax.NewFile("a.json", []byte(text))
	item := func(word string, counts bool) treediff.Item {
		at := strings.Index(text, word)
		span := syntax.Span{Start: at, End: at + len(word)}
		if text[at-1] == '"' {
			span = syntax.Span{Start: at - 1, End: at + len(word) + 1}
		}
		return treediff.Item{Span: span, Value: edit.String(word), Counts: counts}
	}
	wanted := func(word, key string) treediff.Item {
		return treediff.Item{Value: edit.String(word), Key: key, Counts: true}
	}
	yes, pkg, level, quiet := item("-y", true), item("pkg@1", true), item("2", true), item("-q", true)
	yes.Stays, pkg.Key = true, "pkg"
	level.Span = syntax.Span{Start: strings.Index(text, "2"), End: strings.Index(text, "2") + 1}

	for name, test := range map[string]struct {
		present, wanted []treediff.Item
		want            string
	}{
		"one that stays":       {[]treediff.Item{yes, pkg, quiet}, []treediff.Item{wanted("pkg@2", "pkg"), wanted("-q", "")}, text},
		"one key":              {[]treediff.Item{pkg, quiet}, []treediff.Item{wanted("pkg@2", "pkg")}, `["-y", "pkg@1", "sh x --level 2"]`},
		"a part of a text":     {[]treediff.Item{pkg, level}, []treediff.Item{wanted("pkg@2", "pkg"), wanted("3", "")}, `["-y", "pkg@1", "sh x --level 3", "-q"]`},
		"what does not count":  {[]treediff.Item{item("-y", false), quiet}, []treediff.Item{wanted("-y", "")}, `["-y", "pkg@1", "sh x --level 2", "-y"]`},
		"more behind the last": {[]treediff.Item{yes, pkg}, []treediff.Item{wanted("a", "pkg"), wanted("b", "")}, `["-y", "pkg@1", "b", "sh x --level 2", "-q"]`},
	} {
		list := &treediff.List{File: file, Present: test.present, Wanted: test.wanted}
		list.Insert = func(values []edit.Value, behind syntax.Span) bool {
			for i, v := range values {
				list.Changes = append(list.Changes, edit.Append(file, syntax.Span{}, v, edit.Where{Place: edit.After, Beside: behind, Rank: i}))
			}
			return true
		}
		require.True(t, list.Compare(), name)
		assert.Equal(t, test.want, applied(t, file, list.Changes), name)
	}

	many := make([]treediff.Item, 1001)
	assert.False(t, (&treediff.List{File: file, Present: many, Wanted: many}).Compare(), "that is too much to compare")
	cannot := &treediff.List{File: file, Wanted: []treediff.Item{wanted("a", "")}, Insert: func([]edit.Value, syntax.Span) bool { return false }}
	assert.False(t, cannot.Compare(), "there is no list to add to")
}

// tree is a value of a random document: a string, a list of strings, or members by name.
type tree any

// random returns an object with up to four members.
func random(r *rand.Rand, depth int) map[string]tree {
	members := map[string]tree{}
	for range r.IntN(5) {
		name := string(rune('a' + r.IntN(7)))
		switch kind := r.IntN(4); {
		case kind == 0 && depth < 3:
			members[name] = random(r, depth+1)
		case kind == 1:
			list := []string{}
			for range r.IntN(5) {
				list = append(list, string(rune('p'+r.IntN(6))))
			}
			members[name] = list
		default:
			members[name] = string(rune('p' + r.IntN(6)))
		}
	}
	return members
}

// document writes members in an order of their own, with a comment behind each in JSON and
// YAML.
func document(r *rand.Rand, path string, members map[string]tree) string {
	b := &strings.Builder{}
	switch {
	case len(members) == 0 && strings.HasSuffix(path, ".toml"):
		return ""
	case strings.HasSuffix(path, ".json"):
		writeJSON(r, b, "", members, "")
		b.WriteString("\n")
	case strings.HasSuffix(path, ".yaml"):
		if len(members) == 0 {
			return "{}\n"
		}
		writeYAML(r, b, "", members, "")
	default:
		edits, err := edit.Lower([]edit.Change{edit.Create(path, valueOf(members))})
		if err != nil {
			panic(err)
		}
		return edits[0].New
	}
	return b.String()
}

// shuffled returns the names of members in some order.
func shuffled(r *rand.Rand, members map[string]tree) []string {
	names := slices.Sorted(maps.Keys(members))
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	return names
}

func writeJSON(r *rand.Rand, b *strings.Builder, way string, members map[string]tree, indent string) {
	b.WriteString("{\n")
	names := shuffled(r, members)
	for i, name := range names {
		fmt.Fprintf(b, "%s  %q: ", indent, name)
		switch v := members[name].(type) {
		case map[string]tree:
			writeJSON(r, b, way+"/"+name, v, indent+"  ")
		case []string:
			b.WriteString("[" + quoted(v) + "]")
		case string:
			b.WriteString(strconv.Quote(v))
		}
		if i < len(names)-1 {
			b.WriteString(",")
		}
		fmt.Fprintf(b, " // <%s/%s>\n", way, name)
	}
	b.WriteString(indent + "}")
}

func writeYAML(r *rand.Rand, b *strings.Builder, way string, members map[string]tree, indent string) {
	for _, name := range shuffled(r, members) {
		b.WriteString(indent + name + ":")
		mark := fmt.Sprintf(" # <%s/%s>\n", way, name)
		switch v := members[name].(type) {
		case map[string]tree:
			if len(v) == 0 {
				b.WriteString(" {}" + mark)
				continue
			}
			b.WriteString(mark)
			writeYAML(r, b, way+"/"+name, v, indent+"  ")
		case []string:
			b.WriteString(" [" + quoted(v) + "]" + mark)
		case string:
			b.WriteString(" " + v + mark)
		}
	}
}

func quoted(list []string) string {
	all := make([]string, len(list))
	for i, text := range list {
		all[i] = strconv.Quote(text)
	}
	return strings.Join(all, ", ")
}

func valueOf(v tree) edit.Value {
	switch v := v.(type) {
	case map[string]tree:
		object := edit.Object()
		for _, name := range slices.Sorted(maps.Keys(v)) {
			object.Members = append(object.Members, edit.Member{Name: name, Value: valueOf(v[name])})
		}
		return object
	case []string:
		return edit.Strings(v...)
	}
	return edit.String(v.(string))
}

// treeOf returns what a file says.
func treeOf(n *syntax.Node) tree {
	switch n.Kind {
	case syntax.Object:
		members := map[string]tree{}
		for _, m := range n.Nodes {
			members[m.Name] = treeOf(m)
		}
		return members
	case syntax.Array:
		list := []string{}
		for _, e := range n.Nodes {
			list = append(list, e.Text)
		}
		return list
	}
	return n.Text
}

// merged returns what becomes of members where only those of some names count.
func merged(present, wanted map[string]tree, counts func(string) bool) map[string]tree {
	all := map[string]tree{}
	for name, p := range present {
		w, isWanted := wanted[name]
		inner, isObject := p.(map[string]tree)
		innerWanted, isObjectWanted := w.(map[string]tree)
		switch {
		case counts(name) && isWanted:
			all[name] = w
		case counts(name):
		case isObject:
			if !isObjectWanted {
				innerWanted = nil
			}
			if left := merged(inner, innerWanted, counts); len(left) > 0 || len(inner) == 0 {
				all[name] = left
			}
		default:
			all[name] = p
		}
	}
	for name, w := range wanted {
		if _, isThere := present[name]; isThere {
			continue
		}
		if inner, isObject := w.(map[string]tree); counts(name) {
			all[name] = w
		} else if coming := merged(nil, inner, counts); isObject && len(coming) > 0 {
			all[name] = coming
		}
	}
	return all
}

// TestRandom checks, in every syntax, that the changes turn random objects into the wanted ones, as
// a whole or only in the members of some names, and that the comments of what stays are there
// afterwards.
func TestRandom(t *testing.T) {
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 33))
		present, wanted := random(r, 0), random(r, 0)
		names := string([]rune{rune('a' + r.IntN(7)), rune('a' + r.IntN(7)), rune('a' + r.IntN(7))})
		some := func(name string) bool { return name != "" && strings.Contains(names, name) }
		for _, path := range []string{"a.json", "a.yaml", "a.toml"} {
			file := syntax.NewFile(path, []byte(document(r, path, present)))
			other := syntax.NewFile("b.json", []byte(document(r, "b.json", wanted)))
			root, target := parse(t, file), parse(t, other)
			counts := func(n *syntax.Node) bool { return some(n.Name) }
			if whole, ok := changed(t, file, treediff.Object(file, root, target, treediff.Policy{})); ok {
				want, got := tree(wanted), read(t, path, whole)
				if path == "a.toml" { // the header of a table may go with the last one in it, or stay
					want, got = filled(want), filled(got)
				}
				require.Equal(t, want, got, "%d: %s\n=> %s", seed, file.Bytes, whole)
				if path != "a.toml" {
					requireComments(t, "", present, wanted, whole)
				}
			}
			if part, ok := changed(t, file, treediff.Object(file, root, target, treediff.Policy{Goes: counts, Comes: counts})); ok {
				// What held several things that go may stay.
				require.Equal(t, filled(tree(merged(present, wanted, some))), filled(read(t, path, part)), "%d, %s: %s\n+ %s\n=> %s", seed, names, file.Bytes, other.Bytes, part)
			}
		}
	}
}

// changed is applied for changes that may be none: no table of TOML with a header is replaced
// by a value.
func changed(t *testing.T, file *syntax.File, changes []edit.Change) (text string, ok bool) {
	t.Helper()
	_, err := edit.Lower(changes)
	if err != nil && strings.HasSuffix(file.Path, ".toml") {
		return "", false
	}
	return applied(t, file, changes), true
}

// filled returns a value without objects that hold nothing.
func filled(v tree) tree {
	members, ok := v.(map[string]tree)
	if !ok {
		return v
	}
	all := map[string]tree{}
	for name, inner := range members {
		if inner, ok := filled(inner).(map[string]tree); !ok || len(inner) > 0 {
			all[name] = filled(members[name])
		}
	}
	return all
}

// read returns what a text says.
func read(t *testing.T, path, text string) tree {
	t.Helper()
	if len(bytes.TrimSpace([]byte(text))) == 0 {
		return map[string]tree{}
	}
	return treeOf(parse(t, syntax.NewFile(path, []byte(text))))
}

// requireComments checks that the comment of each common member is there.
func requireComments(t *testing.T, way string, present, wanted map[string]tree, text string) {
	t.Helper()
	for name, p := range present {
		w, isWanted := wanted[name]
		if !isWanted {
			continue
		}
		require.Contains(t, text, "<"+way+"/"+name+">")
		if inner, ok := p.(map[string]tree); ok {
			if other, ok := w.(map[string]tree); ok {
				requireComments(t, way+"/"+name, inner, other, text)
			}
		}
	}
}
