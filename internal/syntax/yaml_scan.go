package syntax

import (
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/mcplumb/mcplumb/internal/ascii"
)

// skipTo passes what is between nodes, up to the node at end, and records the
// comments in it.
func (r *yamlReader) skipTo(end int) {
	for r.pos < end {
		r.skipOne()
	}
}

// skipIndicator passes an indicator, if it is the next thing. In block style, a character without a
// blank after it is not an indicator but begins a plain scalar.
func (r *yamlReader) skipIndicator(c byte, inFlow bool) {
	at, comments := r.pos, len(r.tree.Comments)
	for r.pos < len(r.text) && r.isBlankAt(r.pos) {
		r.skipOne()
	}
	next := r.pos + 1
	if r.pos < len(r.text) && r.text[r.pos] == c && (inFlow || next == len(r.text) || yamlBlank(r.text[next:]) > 0) {
		r.pos = next
		return
	}
	r.pos, r.tree.Comments = at, r.tree.Comments[:comments]
}

// skipPast passes what is between nodes and then the closing bracket.
func (r *yamlReader) skipPast(bracket byte) int {
	for r.pos < len(r.text) && r.text[r.pos] != bracket {
		r.skipOne()
	}
	r.pos = min(r.pos+1, len(r.text))
	return r.pos
}

// skipOne passes a comment, anchor, tag, directive, indicator or white space.
func (r *yamlReader) skipOne() {
	if n := r.lineBreak(r.pos); n > 0 {
		r.pos += n
		return
	}
	switch r.text[r.pos] {
	case '#':
		// Between tokens, the parser takes any # for a comment, even without
		// the space before it that the specification asks for.
		r.comment()
	case '&', '!':
		r.pos = r.propertyEnd(r.pos)
	case '%': // a directive
		for r.pos < len(r.text) && r.text[r.pos] != '#' && r.lineBreak(r.pos) == 0 {
			r.pos++
		}
	default:
		_, size := utf8.DecodeRuneInString(r.text[r.pos:])
		r.pos += size
	}
}

// comment records the comment at pos.
func (r *yamlReader) comment() {
	end := r.lineEnd(r.pos)
	r.tree.Comments = append(r.tree.Comments, Span{r.pos, end})
	r.pos = end
}

// propertyEnd returns where the anchor or tag at an offset ends: an anchor
// behind its letters (yaml_parser_scan_anchor), a tag at white space
// (yaml_parser_scan_tag).
func (r *yamlReader) propertyEnd(i int) int {
	isAnchor := r.text[i] == '&'
	for i++; i < len(r.text) && !isYAMLSpace(r.text[i]) && r.lineBreak(i) == 0; i++ {
		if isAnchor && !isAnchorByte(r.text[i]) {
			break
		}
	}
	return i
}

func isAnchorByte(c byte) bool {
	return ascii.IsAlphanumeric(c) || c == '_' || c == '-'
}

// atProperty reports whether an anchor or tag is at an offset. Nothing else
// begins with these characters.
func (r *yamlReader) atProperty(i int) bool {
	return i < len(r.text) && (r.text[i] == '&' || r.text[i] == '!')
}

// collectionStart returns where a collection begins behind its anchor and tag,
// and in which column, from 0: at a bracket, a dash, a question mark or its
// first key.
func (r *yamlReader) collectionStart(y *yaml.Node) (begin, indent int) {
	start := r.offset(y.Line, y.Column)
	r.skipTo(start)
	isOfFirstKey := len(y.Content) > 0 && y.Content[0].Line == y.Line && y.Content[0].Column == y.Column
	if isOfFirstKey || !r.atProperty(start) {
		return start, y.Column - 1
	}
	child := len(r.text)
	if y.Style&yaml.FlowStyle == 0 && len(y.Content) > 0 {
		child = r.offset(y.Content[0].Line, y.Content[0].Column)
	}
	for r.pos < child && !r.atCollection(y) {
		r.skipOne()
	}
	return r.pos, r.column(r.pos)
}

// atCollection reports whether the character at pos begins a collection. The
// first key of a block mapping, which any other character may begin, is known
// by its place.
func (r *yamlReader) atCollection(y *yaml.Node) bool {
	switch c := r.text[r.pos]; {
	case y.Style&yaml.FlowStyle != 0:
		return c == '[' || c == '{'
	case y.Kind == yaml.SequenceNode:
		return c == '-'
	default:
		return c == '?'
	}
}

// column returns the column of an offset on a line where nothing but white
// space is before it.
func (r *yamlReader) column(i int) int {
	begin := i
	for begin > r.start && (r.text[begin-1] == ' ' || r.text[begin-1] == '\t') {
		begin--
	}
	return i - begin
}

// flowBracket returns the bracket that closes a flow collection, or 0 if none
// does. The mapping of a single pair in a sequence, [key: value], has no
// brackets of its own; it begins where its key begins.
func (r *yamlReader) flowBracket(y *yaml.Node, begin int) byte {
	if y.Style&yaml.FlowStyle == 0 || begin >= len(r.text) {
		return 0
	}
	switch {
	case y.Kind == yaml.SequenceNode:
		return ']'
	case r.text[begin] != '{':
		return 0
	case len(y.Content) > 0 && y.Content[0].Line == y.Line && y.Content[0].Column == y.Column:
		return 0
	}
	return '}'
}

// scalar passes a scalar.
func (r *yamlReader) scalar(node *Node, y *yaml.Node, indent int) {
	r.skipTo(r.offset(y.Line, y.Column))
	for r.pos < len(r.text) && (r.atProperty(r.pos) || r.isBlankAt(r.pos)) {
		r.skipOne()
	}
	begin := r.pos
	switch {
	case y.Style&yaml.DoubleQuotedStyle != 0:
		r.pass(node, begin, doubleQuotedEnd(r.text, begin))
	case y.Style&yaml.SingleQuotedStyle != 0:
		r.pass(node, begin, singleQuotedEnd(r.text, begin))
	case y.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		r.blockScalar(node, begin, indent)
	default:
		r.pass(node, begin, r.plainEnd(begin, y.Value))
	}
}

// isBlankAt reports whether white space or a comment is at an offset.
func (r *yamlReader) isBlankAt(i int) bool {
	return isYAMLSpace(r.text[i]) || r.text[i] == '#' || r.lineBreak(i) > 0
}

// emptyScalar places a value that is not written: behind its own anchor and tag,
// or behind what comes before it. If it has neither, its line and column are
// not to be trusted: in [a: ] they are those of the token behind the bracket.
func (r *yamlReader) emptyScalar(node *Node, y *yaml.Node) {
	properties := 0
	if y.Anchor != "" {
		properties++
	}
	if y.Style&yaml.TaggedStyle != 0 {
		properties++
	}
	if properties > 0 {
		r.skipTo(r.offset(y.Line, y.Column))
	} else {
		r.skipIndicator('!', false) // a tag that the parser drops completely
	}
	behind := r.pos
	for i := r.pos; properties > 0 && r.atProperty(i); properties-- {
		behind = r.propertyEnd(i)
		for i = behind; i < len(r.text) && isYAMLSpace(r.text[i]); {
			i++
		}
	}
	r.pass(node, behind, behind)
}

// doubleQuotedEnd returns the offset behind the quote that closes the string
// at an offset.
func doubleQuotedEnd(text string, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// singleQuotedEnd returns the offset behind the quote that closes the string at
// an offset.
func singleQuotedEnd(text string, i int) int {
	for i++; i < len(text); i++ {
		if text[i] != '\'' {
			continue
		}
		if !strings.HasPrefix(text[i:], "''") {
			break
		}
		i++
	}
	return i + 1
}

// plainEnd returns where the plain scalar at an offset ends. It has no escapes:
// its value differs from what is written by white space alone, because lines
// are folded. So it ends where the last other character of the value has been
// found.
func (r *yamlReader) plainEnd(i int, value string) int {
	end := i
	for rest := value; rest != ""; {
		if n := yamlBlank(rest); n > 0 {
			rest = rest[n:]
			continue
		}
		for i < len(r.text) {
			n := yamlBlank(r.text[i:])
			if n == 0 {
				break
			}
			i += n
		}
		if i == len(r.text) || r.text[i] != rest[0] {
			return end
		}
		i, rest = i+1, rest[1:]
		end = i
	}
	return end
}

// yamlBlank returns the length of the white space or line break that begins a
// text, or 0.
func yamlBlank(text string) int {
	switch c := text[0]; {
	case isYAMLSpace(c):
		return 1
	case c == 0xc2 && strings.HasPrefix(text, "\u0085"):
		return len("\u0085")
	case c == 0xe2 && (strings.HasPrefix(text, "\u2028") || strings.HasPrefix(text, "\u2029")):
		return len("\u2028")
	}
	return 0
}

// blockScalar passes a literal or folded scalar, by the rules of
// yaml_parser_scan_block_scalar. Its value ends with its last line, without the line break; if it
// keeps that (|+), it also keeps the empty lines that follow.
func (r *yamlReader) blockScalar(node *Node, begin, indent int) {
	header := begin
	for header < len(r.text) && strings.IndexByte("|>+-0123456789", r.text[header]) >= 0 {
		header++
	}
	indicators := r.text[begin:header]
	r.pos = header
	for r.pos < len(r.text) && r.lineBreak(r.pos) == 0 {
		r.skipOne()
	}
	end := r.pos
	i := end
	if i < len(r.text) {
		i += r.lineBreak(i)
	}
	indent = r.contentIndent(indicators, i, indent)
	for i < len(r.text) {
		spaces := r.spaces(i, indent)
		content := i + spaces
		n := 0
		if content < len(r.text) {
			n = r.lineBreak(content)
		}
		switch {
		case content == len(r.text):
			i = content
		case n > 0: // an empty line
			if strings.Contains(indicators, "+") {
				end = content
			}
			i = content + n
		case spaces < indent:
			r.pass(node, begin, end)
			return
		default:
			end = r.lineEnd(content)
			i = end + r.lineBreak(end)
		}
	}
	r.pass(node, begin, end)
}

// contentIndent returns the indentation of a block scalar whose first line
// begins at an offset: as its indicator says, or that of its first line with
// content or the longest empty one before that.
func (r *yamlReader) contentIndent(indicators string, i, outer int) int {
	if digit := strings.IndexAny(indicators, "123456789"); digit >= 0 {
		return max(outer, 0) + int(indicators[digit]-'0')
	}
	indent := max(outer+1, 1)
	for i < len(r.text) {
		spaces := r.spaces(i, len(r.text))
		indent = max(indent, spaces)
		i += spaces
		n := 0
		if i < len(r.text) {
			n = r.lineBreak(i)
		}
		if n == 0 {
			break
		}
		i += n
	}
	return indent
}

// spaces counts the spaces at an offset, up to a limit.
func (r *yamlReader) spaces(i, limit int) int {
	n := 0
	for n < limit && i+n < len(r.text) && r.text[i+n] == ' ' {
		n++
	}
	return n
}
