package edit

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// style is how a document is written, as the first place shows it where it is
// seen.
type style struct {
	newline string
	unit    string // a level of indentation
	spacing
	// objectPad and arrayPad are the spaces inside of brackets on one line.
	objectPad, arrayPad string
	quote               quoting // single or double
	// blockUnit and listUnit are how many columns an object and a list in block
	// style are indented below their keys.
	blockUnit, listUnit int
	oneLine             bool // there is no line break in the document
}

// spacing is the white space between parts of one line.
type spacing struct {
	assign string // between a key and its value
	comma  string // the space behind a comma
}

// spacingIn returns the spacing of the members or elements of a container, or that of the
// document where they have none or not all the same, as where values are aligned.
func (d *document) spacingIn(n *syntax.Node) spacing {
	return once(&d.seen.spacings, n, func() spacing {
		s := d.style.spacing
		var assigns, commas []string
		for i, child := range n.Nodes {
			if gap, ok := d.assignment(n, child); ok {
				assigns = append(assigns, gap)
			}
			if gap, ok := d.commaBefore(n, i); ok {
				commas = append(commas, gap)
			}
		}
		if all := slices.Compact(assigns); len(all) == 1 {
			s.assign = all[0]
		}
		if all := slices.Compact(commas); len(all) == 1 {
			s.comma = all[0]
		}
		return s
	})
}

// assignment returns what is between a member's key and its value, false if that is not a
// sign on their line.
func (d *document) assignment(parent, child *syntax.Node) (string, bool) {
	if parent.Kind != syntax.Object || child.Key.End > child.Value.Start || d.language == yamlFile {
		return "", false
	}
	gap := d.between(child.Key.End, child.Value.Start)
	sign := strings.Trim(gap, " \t")
	return gap, sign == ":" || sign == "="
}

// commaBefore returns the space behind the comma before the i-th child of a container in
// brackets, false if there is none or more than space.
func (d *document) commaBefore(n *syntax.Node, i int) (string, bool) {
	if i == 0 || !d.isFlow(n) {
		return "", false
	}
	gap, ok := strings.CutPrefix(d.between(hull(n.Nodes[i-1]).End, hull(n.Nodes[i]).Start), ",")
	return gap, ok && isBlank(gap)
}

// findStyle looks through the document for its style.
func (d *document) findStyle() style {
	s := style{newline: "\n", quote: double, blockUnit: -1, listUnit: -1}
	if i := strings.IndexByte(d.text, '\n'); i > 0 && d.text[i-1] == '\r' {
		s.newline = "\r\n"
	}
	looks := styleFinder{d: d, style: &s}
	for _, root := range d.roots() {
		s.oneLine = len(root.Nodes) > 0 && !d.hasBreak(root.Value.Start, root.Value.End)
		looks.at(root)
	}
	if s.blockUnit < 0 {
		s.blockUnit = 2
	}
	if s.listUnit < 0 {
		s.listUnit = s.blockUnit
	}
	if !looks.unit {
		s.unit = spaces(s.blockUnit)
	}
	if !looks.assign {
		s.assign = map[language]string{jsonFile: ": ", yamlFile: ": ", tomlFile: " = "}[d.language]
	}
	if !looks.comma {
		s.comma = " "
	}
	if !looks.objectPad && d.language == tomlFile {
		s.objectPad = " "
	}
	return s
}

func (d *document) between(start, end int) string { return d.text[start:end] }

// styleFinder remembers what has been seen.
type styleFinder struct {
	d                                               *document
	style                                           *style
	unit, assign, comma, objectPad, arrayPad, quote bool
}

// at reads the style of a node and its content.
func (f *styleFinder) at(n *syntax.Node) {
	if n.Kind == syntax.String && !f.quote {
		if q, _ := f.d.quotingOf(n.Value); q == double || q == single {
			f.style.quote, f.quote = q, true
		}
	}
	isFlow := f.d.isFlow(n)
	if f.d.language == yamlFile && !isFlow {
		f.block(n)
	}
	for i, child := range n.Nodes {
		f.assigned(n, child)
		if isFlow && i == 0 {
			f.opening(n, child)
		}
		if gap, ok := f.d.commaBefore(n, i); ok && !f.comma {
			f.comma, f.style.comma = true, gap
		}
		f.at(child)
	}
}

// block reads how deep a container in block style is indented below its key.
func (f *styleFinder) block(n *syntax.Node) {
	if n.Key.IsZero() || len(n.Nodes) == 0 || !f.d.hasBreak(n.Key.End, n.Value.Start) {
		return
	}
	unit := len(f.d.indentAt(n.Value.Start)) - (n.Key.Start - f.d.lineStart(n.Key.Start))
	if n.Kind == syntax.Object && f.style.blockUnit < 0 && unit > 0 {
		f.style.blockUnit = unit
	}
	if n.Kind == syntax.Array && f.style.listUnit < 0 && unit >= 0 {
		f.style.listUnit = unit
	}
}

// assigned reads the text between a key and its value.
func (f *styleFinder) assigned(parent, child *syntax.Node) {
	if gap, ok := f.d.assignment(parent, child); ok && !f.assign {
		f.assign, f.style.assign = true, gap
	}
}

// opening reads the text between an opening bracket and what follows.
func (f *styleFinder) opening(n, child *syntax.Node) {
	gap := f.d.between(n.Value.Start+1, hull(child).Start)
	switch i := strings.LastIndexAny(gap, "\r\n"); {
	case i >= 0 && !f.unit:
		outer := f.d.indentAt(n.Value.Start)
		if unit, ok := strings.CutPrefix(gap[i+1:], outer); ok && unit != "" && isBlank(unit) {
			f.unit, f.style.unit = true, unit
		}
	case i >= 0 || !isBlank(gap):
	case n.Kind == syntax.Object && !f.objectPad:
		f.objectPad, f.style.objectPad = true, gap
	case n.Kind == syntax.Array && !f.arrayPad:
		f.arrayPad, f.style.arrayPad = true, gap
	}
}

// isBlank reports whether a text is nothing but spaces and tabs.
func isBlank(text string) bool { return strings.Trim(text, " \t") == "" }

// indentAt returns the white space that begins the line of an offset.
func (d *document) indentAt(offset int) string {
	start := d.lineStart(offset)
	end := start
	for end < len(d.text) && (d.text[end] == ' ' || d.text[end] == '\t') {
		end++
	}
	return d.text[start:end]
}

// bom returns the byte order mark, if there is one.
func (d *document) bom() string {
	if d.tree.BOM {
		return "\ufeff"
	}
	return ""
}

// isSpread reports whether a container in brackets begins a line for what it
// holds.
func (d *document) isSpread(n *syntax.Node) bool {
	return len(n.Nodes) > 0 && d.hasBreak(n.Value.Start+1, hull(n.Nodes[0]).Start)
}

// exampleOf says what an example is for: a container of a kind under a key.
type exampleOf struct {
	name string
	kind syntax.Kind
	or   otherExample
}

// otherExample is what will do where nothing stands under a key.
type otherExample uint8

const (
	noOther  otherExample = iota
	flowList              // a list of scalars in brackets
	anyList               // a list of scalars
)

// orIf returns what will do for a value: a list if it is one of scalars.
func (v Value) orIf(list otherExample) otherExample {
	if v.Kind == syntax.Array && v.isFlat() {
		return list
	}
	return noOther
}

// example returns a container that is not empty, to write another one like it: the first
// one under the same key if there is one, else the first other one that will do, or nil.
func (d *document) example(of exampleOf) *syntax.Node {
	if d.seen.examples == nil {
		d.seen.examples = map[exampleOf]*syntax.Node{}
		for _, s := range d.nodes().slots {
			d.noteExample(s.node)
		}
	}
	if of.name != "" {
		if n := d.seen.examples[exampleOf{name: of.name, kind: of.kind}]; n != nil {
			return n
		}
	}
	if of.or == noOther {
		return nil
	}
	return d.seen.examples[exampleOf{kind: of.kind, or: of.or}]
}

// noteExample notes a node as an example if it is the first that is one.
func (d *document) noteExample(n *syntax.Node) {
	if isScalar(n) || len(n.Nodes) == 0 {
		return
	}
	all := []exampleOf{{name: n.Name, kind: n.Kind}}
	if n.Kind == syntax.Array && hasOnlyScalars(n) {
		all = append(all, exampleOf{kind: n.Kind, or: anyList})
		if d.isFlow(n) {
			all = append(all, exampleOf{kind: n.Kind, or: flowList})
		}
	}
	for _, of := range all {
		if d.seen.examples[of] == nil {
			d.seen.examples[of] = n
		}
	}
}
