package edit_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"github.com/stretchr/testify/require"
	"github.com/tailscale/hujson"
	"go.yaml.in/yaml/v3"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

var long = flag.Bool("long", false, "10,000 random documents of each syntax instead of 500")

// Random documents with comments are changed at random. The result, read by a third-party parser,
// says what was meant and nothing else. Every comment is there except those of removed items. No
// line ending, no white space at the end of a line and no trailing comma is new. An insertion that
// is removed again leaves no trace.
func TestRandomJSON(t *testing.T)  { checkRandom(t, "a.json", writeJSON, fromJSON) }
func TestRandomYAML(t *testing.T)  { checkRandom(t, "a.yaml", writeYAML, fromYAML) }
func TestRandomTOML(t *testing.T)  { checkRandom(t, "a.toml", writeTOML, fromTOML) }
func TestRandomFront(t *testing.T) { checkRandom(t, "a.md", writeFrontMatter, fromFrontMatter) }

func checkRandom(t *testing.T, name string, write func(*writer) *item, read func(string) (any, error)) {
	count := uint64(500)
	if *long {
		count = 10_000
	}
	for seed := range count {
		w := &writer{random: rand.New(rand.NewPCG(seed, 1)), newline: "\n"}
		if w.chance(4) {
			w.newline = "\r\n"
		}
		root := write(w)
		c := &changer{writer: w, t: t, read: read, file: syntax.NewFile(name, []byte(w.text.String())), root: root}
		c.check(seed)
		if t.Failed() {
			return
		}
	}
}

// item is a value of a random document, with its name and the comments that belong to it.
type item struct {
	kind     syntax.Kind
	name     string
	text     string
	children []*item
	// comments go with the item, inside are in it and belong to none of the items
	// that it holds.
	comments, inside []string
	// isBlock is a container of YAML in block style, isTable a table or list of
	// tables of TOML that is not inline, and hasHeader one with a header.
	isBlock, isTable, hasHeader bool
	isBlockScalar               bool
}

func (n *item) isContainer() bool { return n.kind == syntax.Object || n.kind == syntax.Array }

// writer writes a random document.
type writer struct {
	random   *rand.Rand
	text     strings.Builder
	newline  string
	names    int
	comments int
	isStrict bool
}

func (w *writer) put(texts ...string) {
	for _, text := range texts {
		w.text.WriteString(text)
	}
}

// one returns a random number below n; chance reports true once in n times.
func (w *writer) one(n int) int     { return w.random.IntN(n) }
func (w *writer) chance(n int) bool { return w.one(n) == 0 }

func (w *writer) pick(texts ...string) string { return texts[w.one(len(texts))] }

// name returns a word that no other call returns.
func (w *writer) name() string {
	w.names++
	return w.pick("k", "key-", "größe ", "名前", "a.b", "K_", "x: y #", "it's", `"q" \ `) + fmt.Sprint(w.names)
}

// scalar fills an item with a value that every syntax has.
func (w *writer) scalar(n *item) *item {
	switch w.one(6) {
	case 0:
		n.kind, n.text = syntax.Number, fmt.Sprint(w.one(100)-50)
	case 1:
		n.kind, n.text = syntax.Bool, w.pick("true", "false")
	default:
		n.kind = syntax.String
		n.text = w.pick("npx", "-y", "@acme/x@1.2.3", "https://h:80/p?q=${A}#f", "", "größe 名前 🔌", `a"b'c\d`, "a # b", "x: y", "{a}", "[b", "yes", "12", "a,b", "tab\tbed", "// no", "/* no */", "two\nlines")
	}
	return n
}

// newComment returns the text of a comment, and its mark, which no other one
// has.
func (w *writer) newComment() (text, mark string) {
	w.comments++
	mark = fmt.Sprintf("<%d>", w.comments)
	return w.pick("", " ", " a, b: ", ` "c: [ `, " it's {") + mark + w.pick("", " more", " größe"), mark
}

// changer changes a random document, and knows the expected result.
type changer struct {
	*writer
	t       *testing.T
	file    *syntax.File
	root    *item
	read    func(string) (any, error)
	changes []edit.Change
	done    []string // what was done, for people
	puts    bool     // something came in
	// planned are the items as they were, ever the comments that belonged to one.
	planned []spot
	ever    map[string]bool
	// busy are those that are removed or replaced, used those that something else happens to, and
	// beside those next to an insertion.
	busy, used, beside map[*item]bool
}

func (c *changer) check(seed uint64) {
	before := c.file.Text()
	marks := allMarks(before)
	says, err := c.read(before)
	require.NoError(c.t, err, "seed %d\n%s", seed, before)
	require.Equal(c.t, canonical(modelValue(c.root)), canonical(says), "seed %d: the writer is wrong\n%s", seed, before)
	c.busy, c.used, c.beside = map[*item]bool{}, map[*item]bool{}, map[*item]bool{}
	c.planned, c.ever = c.spots(), marksIn(c.root)
	for range 1 + c.one(4) {
		c.changeSomething()
	}
	kept := marksIn(c.root)
	gone := slices.DeleteFunc(slices.Clone(marks), func(m string) bool { return kept[m] || !c.ever[m] })
	about := fmt.Sprintf("seed %d: %s\n%s", seed, strings.Join(c.done, "; "), before)

	edits, err := edit.Lower(c.changes)
	require.NoError(c.t, err, about)
	after := string(edit.Apply(c.file.Bytes, edits))
	about += "\n=>\n" + after
	if !c.puts { // what comes in at one place comes in this order
		c.random.Shuffle(len(c.changes), func(i, j int) { c.changes[i], c.changes[j] = c.changes[j], c.changes[i] })
		again, err := edit.Lower(c.changes)
		require.NoError(c.t, err, about)
		require.Equal(c.t, edits, again, about)
	}
	says, err = c.read(after)
	require.NoError(c.t, err, about)
	require.Equal(c.t, canonical(modelValue(c.root)), canonical(says), about)
	want := slices.DeleteFunc(slices.Clone(marks), func(m string) bool { return slices.Contains(gone, m) })
	require.ElementsMatch(c.t, want, allMarks(after), about)
	c.checkSurface(before, after, about)
	c.checkTwice(after, about)
}

// checkSurface checks what no parser sees.
func (c *changer) checkSurface(before, after, about string) {
	if strings.Contains(before, "\r\n") {
		require.Equal(c.t, strings.Count(after, "\n"), strings.Count(after, "\r\n"), about)
	} else {
		require.NotContains(c.t, after, "\r", about)
	}
	require.Equal(c.t, strings.HasSuffix(before, "\n"), strings.HasSuffix(after, "\n") || strings.Trim(after, "\ufeff") == "", about)
	require.LessOrEqual(c.t, blankEnds(after), blankEnds(before), about)
	if !c.puts { // what comes in may bring a blank line to one that was left
		doubled := strings.Repeat(c.newline, 3)
		require.LessOrEqual(c.t, strings.Count(after, doubled), strings.Count(before, doubled), "no two blank lines\n%s", about)
	}
	if c.isStrict {
		require.True(c.t, json.Valid([]byte(after)), about)
	}
}

// blankEnds counts the lines that end with white space.
func blankEnds(text string) int {
	return len(regexp.MustCompile(`(?m)[ \t]\r?$`).FindAllString(text, -1))
}

// checkTwice checks that saying again what the document says changes nothing, and
// that a member which comes in and goes out leaves no trace.
func (c *changer) checkTwice(text, about string) {
	file := syntax.NewFile(c.file.Path, []byte(text))
	tree, err := parse(file)
	require.NoError(c.t, err)
	var same []edit.Change
	for _, n := range tree.Root.Nodes {
		if !n.Key.IsZero() {
			same = append(same, edit.Rename(file, n.Key, n.Name))
		}
		if n.Kind == syntax.Number {
			same = append(same, edit.Replace(file, n.Value, number(n.Text)))
		}
	}
	edits, err := edit.Lower(same)
	require.NoError(c.t, err, about)
	require.Empty(c.t, edits, about)
	if tree.Root.Kind != syntax.Object || len(tree.Root.Nodes) == 0 {
		return
	}
	more, err := apply(file, []edit.Change{edit.Insert(file, syntax.Span{}, "new", edit.String("x"), edit.Where{Place: edit.Place(c.one(2))})})
	require.NoError(c.t, err, about)
	with := syntax.NewFile(file.Path, []byte(more))
	tree, err = parse(with)
	require.NoError(c.t, err)
	back, err := apply(with, []edit.Change{edit.Remove(with, tree.Root.Get("new").Key)})
	require.NoError(c.t, err, about)
	require.Equal(c.t, withoutBlankLines(text), withoutBlankLines(back), "in and out again:\n%s", more)
}

func withoutBlankLines(text string) string {
	return regexp.MustCompile(`(?m)^\r?\n`).ReplaceAllString(text, "")
}

var markPattern = regexp.MustCompile(`<\d+>`)

func allMarks(text string) []string { return markPattern.FindAllString(text, -1) }

// marksIn returns the marks of the comments in an item.
func marksIn(n *item) map[string]bool {
	marks := map[string]bool{}
	for _, m := range slices.Concat(n.comments, n.inside) {
		marks[m] = true
	}
	for _, child := range n.children {
		maps.Copy(marks, marksIn(child))
	}
	return marks
}

// fromJSON and the others read documents by the parsers of others.
func fromJSON(text string) (value any, err error) {
	standard, err := hujson.Standardize([]byte(strings.TrimPrefix(text, "\ufeff")))
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(strings.NewReader(string(standard)))
	decoder.UseNumber()
	err = decoder.Decode(&value)
	return value, err
}

func fromYAML(text string) (value any, err error) {
	err = yaml.Unmarshal([]byte(text), &value)
	return value, err
}

func fromTOML(text string) (any, error) {
	value := map[string]any{}
	err := toml.Unmarshal([]byte(strings.TrimPrefix(text, "\ufeff")), &value)
	return value, err
}

func fromFrontMatter(text string) (any, error) {
	marks := regexp.MustCompile(`(?m)^(---|\+\+\+)\r?\n`).FindAllStringIndex(text, 2)
	inner := text[marks[0][1]:marks[1][0]]
	if strings.HasPrefix(text, "+++") {
		return fromTOML(inner)
	}
	return fromYAML(inner)
}

// modelValue returns what an item says.
func modelValue(n *item) any {
	switch n.kind {
	case syntax.Object:
		value := map[string]any{}
		for _, child := range n.children {
			value[child.name] = modelValue(child)
		}
		return value
	case syntax.Array:
		value := []any{}
		for _, child := range n.children {
			value = append(value, modelValue(child))
		}
		return value
	case syntax.Number:
		return json.Number(n.text)
	case syntax.Bool:
		return n.text == "true"
	case syntax.Null:
		return nil
	}
	return n.text
}

// canonical writes a value of any parser in one way.
func canonical(value any) string {
	switch v := value.(type) {
	case map[string]any:
		var b strings.Builder
		for _, key := range slices.Sorted(maps.Keys(v)) {
			fmt.Fprintf(&b, "%q: %s\n", key, strings.ReplaceAll(canonical(v[key]), "\n", "\n  "))
		}
		return "{\n" + b.String() + "}"
	case []any:
		var b strings.Builder
		for _, element := range v {
			b.WriteString("- " + strings.ReplaceAll(canonical(element), "\n", "\n  ") + "\n")
		}
		return "[\n" + b.String() + "]"
	case string:
		return fmt.Sprintf("%q", v)
	}
	return fmt.Sprint(value)
}
