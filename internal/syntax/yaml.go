package syntax

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// ParseYAML parses YAML as yaml/v3 reads it: 1.2 with most of 1.1. A byte order
// mark is skipped and recorded.
//
// Root is the first document that is not empty, Rest are the others.
//
// Mappings are objects and sequences are arrays. The value of one in block
// style reaches from its first key, or its first dash, to the end of its last
// child; a block scalar's from its indicator to the end of its last line. An
// empty value is a null of no length behind the last indicator or key before
// it. Anchors and tags are in no span.
//
// Keys that are not strings are named by what is written. An alias is a null
// whose text is "*name", and a merge key a member called "<<", until the tree is
// asked to Expand them. What has an anchor is Shared if an alias names it.
// A scalar is a number, boolean or null if its tag says so, or its form in the
// core schema; anything else, a timestamp too, is a string.
//
// A question mark within a text in brackets is a part of it, as in js-yaml and
// libyaml; yaml/v3 has an error there.
//
// A file that is not such a document results in an *Error, one that exceeds a limit in a
// *LimitError, both without a tree.
func ParseYAML(f *File) (*Tree, error) {
	if err := checkSize(f); err != nil {
		return nil, err
	}
	if err := checkEncoding(f.Bytes); err != nil {
		return nil, err
	}
	return parseYAML(f, Span{bomEnd(f), len(f.Bytes)})
}

// parseYAML parses the part of a file that is YAML, and valid UTF-8.
//
// The parser recurses, but no deeper than 10,000 levels, where it gives up by
// itself (max_flow_level and max_indents in scannerc.go): a depth of more than
// MaxDepth is found while reading its nodes.
func parseYAML(f *File, part Span) (*Tree, error) {
	if err := checkYAMLBytes(f, part); err != nil {
		return nil, err
	}
	data := withVersion11(f.Bytes[part.Start:part.End])
	tree, err := decodeDocuments(f, part, data, "")
	if err != nil && stopsAtQuestionMark(f, err) {
		changed, standIn := withStandIns(data)
		return decodeDocuments(f, part, changed, standIn)
	}
	return tree, err
}

// decodeDocuments reads the part of a file from data, which differs from it by
// nothing but a stand-in for some question marks, if there is one.
func decodeDocuments(f *File, part Span, data []byte, standIn string) (*Tree, error) {
	r := newYAMLReader(f, part)
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var document yaml.Node
		err := decodeYAML(decoder, &document)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, r.syntaxError(decoder, err)
		}
		if standIn != "" {
			restore(&document, standIn)
		}
		if err := r.document(&document); err != nil {
			return nil, err
		}
	}
	r.skipTo(len(r.text))
	sortDuplicates(r.tree.Duplicates)
	return r.tree, nil
}

// withVersion11 returns the data with a directive for YAML 1.2 at its beginning
// changed to one for 1.1: the parser knows both, but refuses the name of the
// newer (yaml_parser_process_directives).
func withVersion11(data []byte) []byte {
	const directive = "%YAML 1.2"
	if !bytes.HasPrefix(data, []byte(directive)) {
		return data
	}
	data = bytes.Clone(data)
	data[len(directive)-1] = '1'
	return data
}

const panicMessage = "this cannot be parsed"

// decodeYAML reads a document. Into a yaml.Node, Decode copies the parser's
// root node; it decodes nothing. A panic, which the parser has in reserve for
// its own mistakes, is an error here.
func decodeYAML(decoder *yaml.Decoder, document *yaml.Node) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = errors.New(panicMessage)
		}
	}()
	return decoder.Decode(document)
}

// checkYAMLBytes says no to characters that YAML does not allow and to more
// values than the parser can hold in reasonable memory.
//
// Every value is introduced by one of the bytes counted: a dash, a question
// mark, a colon, a comma, an opening bracket, or the dots between documents.
// In plain text they count as well, which makes the limit a lower one.
func checkYAMLBytes(f *File, part Span) error {
	text := textOf(f)[:part.End]
	values := 0
	for i := part.Start; i < len(text); {
		switch c := text[i]; {
		case c == ':' || c == ',' || c == '[' || c == '{' || c == '?':
			values++
		case (c == '-' || c == '.') && (i+1 == len(text) || isYAMLSpace(text[i+1])):
			values++
		case c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0x7f:
			return forbiddenCharacter(text, i)
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(text[i:])
			if !isYAMLRune(r) || r == '\ufeff' && i == part.Start {
				return forbiddenCharacter(text, i)
			}
			i += size
			continue
		}
		i++
	}
	if values > MaxYAMLValues {
		return valuesError(MaxYAMLValues)
	}
	return nil
}

func isYAMLSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// isYAMLRune reports whether a character beyond ASCII may be in a document
// (YAML 1.2, "c-printable"; readerc.go).
func isYAMLRune(r rune) bool { return r == '\u0085' || r >= '\u00a0' && r != '\ufffe' && r != '\uffff' }

func forbiddenCharacter(text string, i int) error {
	_, size := utf8.DecodeRuneInString(text[i:])
	return &Error{Span: Span{i, i + size}, message: says("unexpected character %s", quoted(text[i:i+size]))}
}

// yamlReader turns the parser's nodes into ours. The parser gives the line and column at which a
// node begins; the reader finds its end in the text.
//
// Nodes are read in the order of the document, so that the reader goes through
// the text once: everything before pos has been passed, and what is between
// nodes are white space, indicators, anchors, tags, directives and comments.
type yamlReader struct {
	file  *File
	text  string // the file's content up to the end of the part that is YAML
	start int    // where that part begins
	pos   int
	tree  *Tree
	at    yamlMark
	// anchors are the values of the document by their names, the last of each.
	anchors map[string]*Node
	// repeated are the values of the document that aliases refer to.
	repeated map[*yaml.Node]bool
}

// yamlMark is a character as the parser counts: lines and columns from 1,
// columns in code points.
type yamlMark struct{ offset, line, column int }

func newYAMLReader(f *File, part Span) *yamlReader {
	return &yamlReader{
		file:  f,
		text:  textOf(f)[:part.End],
		start: part.Start,
		pos:   part.Start,
		tree:  &Tree{BOM: HasBOM(f.Bytes), aliases: map[*Node]*Node{}},
		at:    yamlMark{part.Start, 1, 1},

		anchors:  map[string]*Node{},
		repeated: map[*yaml.Node]bool{},
	}
}

// document adds the root of a document to the tree, unless it is empty.
func (r *yamlReader) document(document *yaml.Node) error {
	root := document.Content[0]
	if isEmptyYAML(root) && root.Anchor == "" && root.Style&yaml.TaggedStyle == 0 {
		return nil
	}
	r.noteRepeated(root)
	node := &Node{}
	if err := r.value(node, root, yamlContext{indent: -1, depth: 1}); err != nil {
		return err
	}
	if r.tree.Root == nil {
		r.tree.Root = node
	} else {
		r.tree.Rest = append(r.tree.Rest, node)
	}
	return nil
}

// noteRepeated notes what the aliases in a value refer to.
func (r *yamlReader) noteRepeated(y *yaml.Node) {
	if y.Kind == yaml.AliasNode {
		r.repeated[y.Alias] = true
	}
	for _, child := range y.Content {
		r.noteRepeated(child)
	}
}

// isEmptyYAML reports whether nothing is written where a value could be.
func isEmptyYAML(y *yaml.Node) bool {
	const written = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	return y.Kind == yaml.ScalarNode && y.Value == "" && y.Style&written == 0
}

// yamlContext is what a value needs to know about its surroundings.
type yamlContext struct {
	indent int // column, from 0, of the innermost block collection; -1 at the root
	depth  int // of a collection in this place
	shared bool
}

// value reads a value into a node and passes it.
func (r *yamlReader) value(node *Node, y *yaml.Node, in yamlContext) error {
	in.shared = in.shared || r.repeated[y]
	node.Shared = in.shared
	if y.Anchor != "" {
		r.anchors[y.Anchor] = node
	}
	switch y.Kind {
	case yaml.MappingNode, yaml.SequenceNode:
		if in.depth > MaxDepth {
			return depthError(r.file, r.offset(y.Line, y.Column))
		}
		return r.collection(node, y, in)
	case yaml.AliasNode:
		start := r.offset(y.Line, y.Column)
		r.skipTo(start)
		node.Text = "*" + y.Value
		if target := r.anchors[y.Value]; target != nil {
			r.tree.aliases[node] = target
		}
		r.pass(node, start, start+len(node.Text))
	default:
		node.Kind, node.Text = yamlScalarKind(y), y.Value
		if isEmptyYAML(y) {
			r.emptyScalar(node, y)
		} else {
			r.scalar(node, y, in.indent)
		}
	}
	return nil
}

// yamlScalarKind returns the kind of a scalar's tag, which is written or found by the parser.
func yamlScalarKind(y *yaml.Node) Kind {
	switch y.ShortTag() {
	case "!!null":
		return Null
	case "!!bool":
		return Bool
	case "!!int", "!!float":
		return Number
	}
	return String
}

// pass sets a node's value and goes behind it.
func (r *yamlReader) pass(node *Node, start, end int) {
	end = min(max(end, start), len(r.text))
	node.Value = Span{start, end}
	r.pos = max(r.pos, end)
}

// collection reads a mapping or sequence.
func (r *yamlReader) collection(node *Node, y *yaml.Node, in yamlContext) error {
	node.Kind = Object
	if y.Kind == yaml.SequenceNode {
		node.Kind = Array
	}
	begin, indent := r.collectionStart(y)
	in.depth++
	if y.Style&yaml.FlowStyle == 0 {
		in.indent = indent
	}
	bracket := r.flowBracket(y, begin)
	if bracket != 0 {
		r.pos = begin + 1
	}
	var err error
	if node.Kind == Object {
		err = r.members(node, y, in)
	} else {
		err = r.elements(node, y, in)
	}
	switch {
	case err != nil:
		return err
	case bracket != 0:
		r.pass(node, begin, r.skipPast(bracket))
	case node.Kind == Object && len(node.Nodes) > 0:
		r.pass(node, node.Nodes[0].Key.Start, r.pos)
	default:
		r.pass(node, begin, r.pos)
	}
	if node.Kind == Object {
		r.tree.Duplicates = appendDuplicates(r.tree.Duplicates, node)
	}
	return nil
}

func (r *yamlReader) members(node *Node, y *yaml.Node, in yamlContext) error {
	node.Nodes = make([]*Node, 0, len(y.Content)/2)
	members := make([]Node, len(y.Content)/2)
	inFlow := y.Style&yaml.FlowStyle != 0
	for i := range members {
		if isEmptyYAML(y.Content[2*i]) {
			r.skipIndicator(',', inFlow)
			r.skipIndicator('?', inFlow)
		}
		var key Node
		duplicates := len(r.tree.Duplicates)
		if err := r.value(&key, y.Content[2*i], in); err != nil {
			return err
		}
		r.tree.Duplicates = r.tree.Duplicates[:duplicates] // the content of a key is not in the tree
		member := &members[i]
		member.Key, member.Name = key.Value, key.Text
		if key.Kind == Object || key.Kind == Array {
			member.Name = r.text[key.Value.Start:key.Value.End]
		}
		r.tree.merges = r.tree.merges || member.Name == mergeKey
		node.Nodes = append(node.Nodes, member)
		r.skipIndicator(':', inFlow)
		if err := r.value(member, y.Content[2*i+1], in); err != nil {
			return err
		}
	}
	return nil
}

func (r *yamlReader) elements(node *Node, y *yaml.Node, in yamlContext) error {
	node.Nodes = make([]*Node, 0, len(y.Content))
	elements := make([]Node, len(y.Content))
	for i := range elements {
		if isEmptyYAML(y.Content[i]) {
			r.skipIndicator('-', false)
		}
		node.Nodes = append(node.Nodes, &elements[i])
		if err := r.value(&elements[i], y.Content[i], in); err != nil {
			return err
		}
	}
	return nil
}

// appendDuplicates adds the repeated keys of an object. Merge keys may repeat.
func appendDuplicates(duplicates []Duplicate, object *Node) []Duplicate {
	first := firstByName(object)
	for i, again := range object.Nodes {
		if earlier := first(i); earlier != nil && again.Name != "<<" {
			duplicates = append(duplicates, Duplicate{First: earlier, Again: again, Object: object.Value})
		}
	}
	return duplicates
}

// firstByName returns a function that finds the first member before the i-th
// that has its name, if it is called for every i in turn.
func firstByName(object *Node) func(i int) *Node {
	if len(object.Nodes) <= maxCompared {
		return func(i int) *Node {
			for _, member := range object.Nodes[:i] {
				if member.Name == object.Nodes[i].Name {
					return member
				}
			}
			return nil
		}
	}
	seen := make(map[string]*Node, len(object.Nodes))
	return func(i int) *Node {
		member := object.Nodes[i]
		if first, ok := seen[member.Name]; ok {
			return first
		}
		seen[member.Name] = member
		return nil
	}
}

// lineBreak returns the length of the line break at an offset, or 0. YAML 1.1,
// and the parser, also break lines at NEL, LS and PS.
func (r *yamlReader) lineBreak(i int) int {
	rest := r.text[i:]
	switch {
	case rest == "" || rest[0] > '\r' && rest[0] < utf8.RuneSelf:
		return 0
	case rest[0] == '\n':
		return 1
	case strings.HasPrefix(rest, "\r\n"):
		return 2
	case rest[0] == '\r':
		return 1
	case strings.HasPrefix(rest, "\u0085"):
		return len("\u0085")
	case strings.HasPrefix(rest, "\u2028"), strings.HasPrefix(rest, "\u2029"):
		return len("\u2028")
	}
	return 0
}

// lineEnd returns the offset of the line break after an offset.
func (r *yamlReader) lineEnd(i int) int {
	for i < len(r.text) && r.lineBreak(i) == 0 {
		i++
	}
	return i
}

// offset returns where a line and column of the parser are in the file. It
// only goes forward: marks follow each other, and if one ever did not, staying
// put keeps the time linear.
func (r *yamlReader) offset(line, column int) int {
	at := r.at
	for at.offset < len(r.text) && (at.line < line || at.line == line && at.column < column) {
		if n := r.lineBreak(at.offset); n > 0 {
			if at.line == line {
				break // the parser's columns do not go beyond a line
			}
			at = yamlMark{at.offset + n, at.line + 1, 1}
			continue
		}
		_, size := utf8.DecodeRuneInString(r.text[at.offset:])
		at.offset += size
		at.column++
	}
	r.at = at
	return at.offset
}
