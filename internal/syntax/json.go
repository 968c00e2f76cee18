package syntax

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"

	"github.com/mcplumb/mcplumb/internal/ascii"
)

// ParseJSON parses JSON as MCP clients write it: RFC 8259 with // and /* */
// comments, trailing commas and a byte order mark, all of which the tree
// records. Line comments end at LF, CR or the end of the file, as in VS Code.
//
// A file that is not such a document results in an *Error, one that exceeds a limit in a
// *LimitError, both without a tree. Errors of the encoding come before any other.
func ParseJSON(f *File) (*Tree, error) { return new(Parser).JSON(f) }

// jsonParser reads a document from front to back. It keeps its own stack of
// open containers, so that nesting costs no goroutine stack.
type jsonParser struct {
	memory *Parser // whose chunks are used up first
	file   *File
	text   string // the content; the tree's texts are substrings of it
	pos    int    // offset of the next byte to read
	tree   *Tree

	open    []container // containers not closed yet, outermost first
	pending []*Node     // children of the open containers, outermost first

	count int     // nodes so far
	nodes []Node  // unused rest of the newest chunk of nodes
	links []*Node // unused rest of the newest chunk of child lists
}

// container is an array or object whose closing bracket has not been read.
type container struct {
	node  *Node
	close byte // the bracket that closes it
	first int  // index in pending of its first child
}

// Nodes and child lists are allocated in chunks. A chunk is sized by what is
// left of the file, so that a small file does not pay for a big one.
const (
	bytesPerNode = 24 // in a typical configuration file
	minChunk     = 8
	maxChunk     = 1024
)

func newJSONParser(memory *Parser, f *File) *jsonParser {
	p := &jsonParser{
		memory: memory, file: f, text: textOf(f), tree: &Tree{JSON: true},
		nodes: memory.nodes, links: memory.links, open: memory.open, pending: memory.pending,
	}
	if p.open == nil {
		p.open, p.pending = make([]container, 0, 8), make([]*Node, 0, 32)
	}
	return p
}

// textOf returns the content as a string without copying it: a copy would live as long as the names
// and values cut from it, in addition to the bytes themselves. File.Bytes are never changed, which
// is what makes this safe.
func textOf(f *File) string { return unsafe.String(unsafe.SliceData(f.Bytes), len(f.Bytes)) }

// document reads the whole file.
func (p *jsonParser) document() (*Tree, error) {
	if p.tree.BOM = HasBOM(p.file.Bytes); p.tree.BOM {
		p.pos = len(bom)
	}
	if err := p.skip(); err != nil {
		return nil, err
	}
	p.tree.Root = p.newNode()
	for node := p.tree.Root; node != nil; {
		err := p.value(node)
		if err != nil {
			return nil, err
		}
		if node, err = p.next(); err != nil {
			return nil, err
		}
	}
	if p.pos < len(p.text) {
		return nil, p.unexpected(wantEnd)
	}
	sortDuplicates(p.tree.Duplicates)
	return p.tree, nil
}

// peek returns the byte at pos, or 0, which begins no token, at the end of the
// file.
func (p *jsonParser) peek() byte {
	if p.pos < len(p.text) {
		return p.text[p.pos]
	}
	return 0
}

// value reads the value at pos into node; of an array or object only the
// opening bracket.
func (p *jsonParser) value(node *Node) error {
	node.Value.Start = p.pos
	var err error
	switch c := p.peek(); c {
	case '"':
		node.Kind = String
		node.Text, err = p.string()
	case '{':
		return p.push(node, Object, '}')
	case '[':
		return p.push(node, Array, ']')
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		node.Kind = Number
		node.Text, err = p.number()
	case 't':
		node.Kind = Bool
		node.Text, err = p.literal("true")
	case 'f':
		node.Kind = Bool
		node.Text, err = p.literal("false")
	case 'n':
		node.Kind = Null
		node.Text, err = p.literal("null")
	default:
		err = p.unexpected(wantValue)
	}
	node.Value.End = p.pos
	return err
}

// push opens the array or object at pos.
func (p *jsonParser) push(node *Node, kind Kind, closer byte) error {
	if len(p.open) == MaxDepth {
		return depthError(p.file, p.pos)
	}
	node.Kind = kind
	p.open = append(p.open, container{node: node, close: closer, first: len(p.pending)})
	p.pos++
	return nil
}

// next goes from a finished value, or from an opening bracket, to where the
// next value begins, closing what is closed before it. It returns the node to
// fill, or nil at the end of the document.
func (p *jsonParser) next() (*Node, error) {
	for {
		if err := p.skip(); err != nil {
			return nil, err
		}
		if len(p.open) == 0 {
			return nil, nil
		}
		top := p.open[len(p.open)-1]
		switch c := p.peek(); {
		case c == top.close:
			p.pop(top)
			continue
		case p.atFirst(top):
			return p.child(top)
		case c != ',':
			return nil, p.unexpected(wantComma)
		}
		comma := Span{p.pos, p.pos + 1}
		p.pos++
		if err := p.skip(); err != nil {
			return nil, err
		}
		if p.peek() != top.close {
			return p.child(top)
		}
		p.tree.TrailingCommas = append(p.tree.TrailingCommas, comma)
		p.pop(top)
	}
}

// atFirst reports whether the container has no children yet.
func (p *jsonParser) atFirst(c container) bool { return len(p.pending) == c.first }

// child begins the member or element at pos, up to its value.
func (p *jsonParser) child(parent container) (*Node, error) {
	node := p.newNode()
	p.pending = append(p.pending, node)
	if p.count++; p.count > MaxJSONValues {
		return nil, valuesError(MaxJSONValues)
	}
	if parent.node.Kind == Array {
		return node, nil
	}
	return node, p.key(node)
}

// key reads a member's key, the colon and the space around it.
func (p *jsonParser) key(node *Node) error {
	if p.peek() != '"' {
		return p.unexpected(wantKey)
	}
	node.Key.Start = p.pos
	var err error
	if node.Name, err = p.string(); err != nil {
		return err
	}
	node.Key.End = p.pos
	if err := p.skip(); err != nil {
		return err
	}
	if p.peek() != ':' {
		return p.unexpected(wantColon)
	}
	p.pos++
	return p.skip()
}

// pop closes the innermost container at its closing bracket.
func (p *jsonParser) pop(top container) {
	p.pos++
	top.node.Value.End = p.pos
	top.node.Nodes = p.newLinks(p.pending[top.first:])
	p.pending = p.pending[:top.first]
	p.open = p.open[:len(p.open)-1]
	if top.node.Kind == Object {
		p.findDuplicates(top.node)
	}
}

// maxCompared is the number of keys up to which comparing each with each is
// faster than filling a map.
const maxCompared = 32

// findDuplicates records the repeated keys of an object.
func (p *jsonParser) findDuplicates(object *Node) {
	if len(object.Nodes) > maxCompared {
		p.findDuplicatesByMap(object)
		return
	}
	for i, again := range object.Nodes {
		for _, first := range object.Nodes[:i] {
			if first.Name == again.Name {
				p.addDuplicate(object, first, again)
				break
			}
		}
	}
}

func (p *jsonParser) findDuplicatesByMap(object *Node) {
	seen := make(map[string]*Node, len(object.Nodes))
	for _, again := range object.Nodes {
		if first, ok := seen[again.Name]; ok {
			p.addDuplicate(object, first, again)
			continue
		}
		seen[again.Name] = again
	}
}

func (p *jsonParser) addDuplicate(object, first, again *Node) {
	p.tree.Duplicates = append(p.tree.Duplicates, Duplicate{First: first, Again: again, Object: object.Value})
}

// skip passes white space and records the comments in it.
func (p *jsonParser) skip() error {
	for {
		p.pos = spaceEnd(p.text, p.pos)
		if p.peek() != '/' {
			return nil
		}
		end, err := p.comment()
		if err != nil {
			return err
		}
		p.tree.Comments = append(p.tree.Comments, Span{p.pos, end})
		p.pos = end
	}
}

func spaceEnd(text string, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\n' || text[i] == '\r' || text[i] == '\t') {
		i++
	}
	return i
}

// comment returns where the comment at pos ends.
func (p *jsonParser) comment() (end int, err error) {
	rest := p.text[p.pos:]
	switch {
	case strings.HasPrefix(rest, "//"):
		return p.lineEnd(p.pos), nil
	case strings.HasPrefix(rest, "/*"):
		if i := strings.Index(rest[len("/*"):], "*/"); i >= 0 {
			return p.pos + len("/*") + i + len("*/"), nil
		}
		return 0, p.errorTo(p.lineEnd(p.pos), `"/*" is never closed`)
	}
	return 0, p.badSlash()
}

// lineEnd returns the offset of the line ending after an offset.
func (p *jsonParser) lineEnd(offset int) int {
	if i := strings.IndexAny(p.text[offset:], "\r\n"); i >= 0 {
		return offset + i
	}
	return len(p.text)
}

// literal reads the word want, which is null, true or false.
func (p *jsonParser) literal(want string) (string, error) {
	end := p.pos + len(want)
	if !strings.HasPrefix(p.text[p.pos:], want) || end < len(p.text) && isWordByte(p.text[end]) {
		return "", p.unexpected(wantValue)
	}
	text := p.text[p.pos:end]
	p.pos = end
	return text, nil
}

// number reads a number.
func (p *jsonParser) number() (string, error) {
	end, ok := scanNumber(p.text, p.pos)
	if !ok {
		return "", p.badNumber()
	}
	text := p.text[p.pos:end]
	p.pos = end
	return text, nil
}

// scanNumber returns where the number at i ends, and whether it is one.
func scanNumber(text string, i int) (end int, ok bool) {
	if text[i] == '-' {
		i++
	}
	whole := skipDigits(text, i)
	if whole == i || text[i] == '0' && whole > i+1 {
		return i, false
	}
	if i = whole; i < len(text) && text[i] == '.' {
		fraction := skipDigits(text, i+1)
		if fraction == i+1 {
			return i, false
		}
		i = fraction
	}
	if i < len(text) && (text[i] == 'e' || text[i] == 'E') {
		if i++; i < len(text) && (text[i] == '+' || text[i] == '-') {
			i++
		}
		exponent := skipDigits(text, i)
		if exponent == i {
			return i, false
		}
		i = exponent
	}
	return i, i == len(text) || !isWordByte(text[i])
}

func skipDigits(text string, i int) int {
	for i < len(text) && ascii.IsDigit(text[i]) {
		i++
	}
	return i
}

// isWordByte reports whether c would belong to the number or literal before it,
// had JSON such numbers and literals.
func isWordByte(c byte) bool {
	return ascii.IsAlphanumeric(c) ||
		c == '_' || c == '$' || c == '.' || c == '+' || c == '-'
}

// string reads the string at pos and decodes it.
func (p *jsonParser) string() (string, error) {
	start := p.pos + len(`"`)
	end := plainEnd(p.text, start)
	if end < len(p.text) && p.text[end] == '"' {
		p.pos = end + len(`"`)
		return p.text[start:end], nil
	}
	return p.escapedString(start, end)
}

// plainEnd returns the offset of the first byte from i on that is not just
// content of a string: a quote, a backslash, a control character or the end.
func plainEnd(text string, i int) int {
	for i < len(text) && text[i] != '"' && text[i] != '\\' && text[i] >= ' ' {
		i++
	}
	return i
}

// escapedString reads the string whose content begins at start and is plain up
// to i.
func (p *jsonParser) escapedString(start, i int) (string, error) {
	var decoded []byte
	for {
		decoded = append(decoded, p.text[start:i]...)
		switch {
		case i == len(p.text), p.text[i] == '\n', p.text[i] == '\r':
			return "", p.errorTo(p.lineEnd(p.pos), "this string is never closed")
		case p.text[i] == '"':
			p.pos = i + len(`"`)
			return string(decoded), nil
		case p.text[i] != '\\':
			return "", rawControl(p.text, i)
		}
		r, next, err := p.escape(i)
		if err != nil {
			return "", err
		}
		decoded = utf8.AppendRune(decoded, r)
		start, i = next, plainEnd(p.text, next)
	}
}

// escape decodes the escape sequence whose backslash is at i.
func (p *jsonParser) escape(i int) (r rune, next int, err error) {
	if i+1 == len(p.text) {
		return 0, 0, p.errorTo(p.lineEnd(p.pos), "this string is never closed")
	}
	switch c := p.text[i+1]; c {
	case '"', '\\', '/':
		return rune(c), i + 2, nil
	case 'b':
		return '\b', i + 2, nil
	case 'f':
		return '\f', i + 2, nil
	case 'n':
		return '\n', i + 2, nil
	case 'r':
		return '\r', i + 2, nil
	case 't':
		return '\t', i + 2, nil
	case 'u':
		return unicodeEscape(p.text, i)
	case '\n', '\r':
		return 0, 0, p.errorTo(p.lineEnd(p.pos), "this string is never closed")
	}
	return 0, 0, badEscape(p.text, i)
}

const escapeLength = len(`\u0000`)

// unicodeEscape decodes the \u escape, or the surrogate pair of two, whose
// backslash is at i. JSON.parse, Python's json and encoding/json all accept half of a pair; it
// represents no character.
func unicodeEscape(text string, i int) (r rune, next int, err error) {
	r, ok := hexEscape(text, i)
	if !ok {
		return 0, 0, badUnicodeEscape(text, i)
	}
	next = i + escapeLength
	if !utf16.IsSurrogate(r) {
		return r, next, nil
	}
	low, _ := hexEscape(text, next)
	if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
		return r, next, nil
	}
	return r, next + escapeLength, nil
}

// hexEscape returns the code unit of the \u escape at i, if there is one.
func hexEscape(text string, i int) (unit rune, ok bool) {
	if !strings.HasPrefix(text[i:], `\u`) || len(text) < i+escapeLength {
		return 0, false
	}
	for _, c := range []byte(text[i+len(`\u`) : i+escapeLength]) {
		switch {
		case ascii.IsDigit(c):
			unit = unit<<4 + rune(c-'0')
		case 'a' <= c && c <= 'f':
			unit = unit<<4 + rune(c-'a'+10)
		case 'A' <= c && c <= 'F':
			unit = unit<<4 + rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	return unit, true
}

// newNode returns an empty node from the arena.
func (p *jsonParser) newNode() *Node {
	if len(p.nodes) == 0 {
		p.nodes = make([]Node, p.chunkSize())
		keep(&p.memory.nodes, p.nodes)
	}
	node := &p.nodes[0]
	p.nodes = p.nodes[1:]
	*node = Node{} // lent memory holds an earlier tree
	return node
}

// newLinks returns a copy of the children from the arena. Its capacity is its
// length, so that appending to it cannot reach a neighbour.
func (p *jsonParser) newLinks(children []*Node) []*Node {
	n := len(children)
	if n == 0 {
		return nil
	}
	if n > len(p.links) {
		p.links = make([]*Node, max(n, p.chunkSize()))
		keep(&p.memory.links, p.links)
	}
	links := p.links[:n:n]
	p.links = p.links[n:]
	copy(links, children)
	return links
}

func (p *jsonParser) chunkSize() int {
	return min(max((len(p.text)-p.pos)/bytesPerNode, minChunk), maxChunk)
}

// checkSize says no to a file that is too big to be read.
func checkSize(f *File) error {
	if len(f.Bytes) <= MaxBytes {
		return nil
	}
	// Rounded up, so that no file reads as if it were within the limit.
	const tenth = 100_000
	megabytes := float64((len(f.Bytes)+tenth-1)/tenth) / 10
	return &LimitError{fmt.Sprintf("file is %.1f MB, over the limit of %d MB", megabytes, MaxBytes/1_000_000)}
}

// depthError says that the bracket at offset is nested too deep.
func depthError(f *File, offset int) error {
	at := f.Position(offset, CodePoints)
	return &LimitError{fmt.Sprintf("nested deeper than %d,%03d levels at line %d, column %d",
		MaxDepth/1_000, MaxDepth%1_000, at.Line, at.Column)}
}

// checkEncoding says no to content that is not UTF-8.
func checkEncoding(content []byte) error {
	if IsWide(content) {
		return wideError(content)
	}
	if utf8.Valid(content) {
		return nil
	}
	start := skipRunes(content, 0, true)
	return &Error{Span: Span{start, skipRunes(content, start, false)}, message: says("invalid UTF-8")}
}

// skipRunes passes characters that are valid UTF-8, or bytes that are not.
func skipRunes(content []byte, i int, valid bool) int {
	for i < len(content) {
		r, size := utf8.DecodeRune(content[i:])
		if (r != utf8.RuneError || size > 1) != valid {
			break
		}
		i += size
	}
	return i
}
