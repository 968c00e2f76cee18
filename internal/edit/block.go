package edit

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// blockItem is a member or element of a container in YAML's block style, with
// the lines that belong to it.
type blockItem struct {
	start int // of its key or dash
	end   int // of its last line, without the line break
	// lines extend from the first of the comments above it to the end of its last line break. Those
	// of a first member after a dash begin with the member.
	lines syntax.Span
}

// block is a container in block style, taken apart.
type block struct {
	node   *syntax.Node
	items  []blockItem
	indent string // of its lines
	// isBehindDash reports that the first member is on the line of the dash whose element the
	// container is.
	isBehindDash bool
	// isSpaced reports that there is a blank line between all items.
	isSpaced bool
}

// takeLines splits a container in block style into its items.
func (d *document) takeLines(n *syntax.Node) (*block, error) {
	if b := d.seen.blocks[n]; b != nil {
		return b, nil
	}
	b, err := d.splitBlock(n)
	if err != nil {
		return nil, err
	}
	b.isSpaced = d.areSpaced(b.items)
	return once(&d.seen.blocks, n, func() *block { return b }), nil
}

func (d *document) splitBlock(n *syntax.Node) (*block, error) {
	b := &block{node: n}
	for i, child := range n.Nodes {
		start, err := d.blockStart(b, child)
		if err != nil {
			return nil, err
		}
		before := d.between(d.lineStart(start), start)
		if i == 0 {
			b.indent = strings.Repeat(" ", len(before))
			b.isBehindDash = strings.Contains(before, "-")
			before = strings.ReplaceAll(before, "- ", "  ")
		}
		if before != b.indent {
			return nil, d.refuse(child.Value, positionReason)
		}
		end, ok := d.contentEnd(hull(child).End)
		if !ok {
			return nil, d.refuse(child.Value, positionReason)
		}
		it := blockItem{start: start, end: d.withDeeper(end, len(b.indent))}
		it.lines = syntax.Span{Start: d.withAbove(start, len(b.indent)), End: d.behindBreak(it.end)}
		if i == 0 && b.isBehindDash {
			it.lines.Start = start
		}
		b.items = append(b.items, it)
	}
	return b, nil
}

// blockStart returns where the next member or element of a container begins.
func (d *document) blockStart(b *block, child *syntax.Node) (int, error) {
	if b.node.Kind == syntax.Object {
		if child.Key.Start == child.Key.End || d.colonOf(child) < 0 {
			return 0, d.refuse(child.Value, keyReason)
		}
		return child.Key.Start, nil
	}
	i := b.node.Value.Start
	if len(b.items) > 0 {
		i = b.items[len(b.items)-1].end
	}
	for i < len(d.text) && d.text[i] != '-' {
		if comment := d.commentAt(i); !comment.IsZero() {
			i = comment.End
			continue
		}
		if strings.IndexByte(" \t\r\n", d.text[i]) < 0 {
			return 0, d.refuse(child.Value, positionReason)
		}
		i++
	}
	return i, nil
}

// colonOf returns the offset of the colon after a key, or -1 if it is not on the key's line.
func (d *document) colonOf(n *syntax.Node) int {
	i := n.Key.End
	for i < len(d.text) && (d.text[i] == ' ' || d.text[i] == '\t') {
		i++
	}
	if i < len(d.text) && d.text[i] == ':' {
		return i
	}
	return -1
}

// behindBreak returns the offset behind the line break at a line's end.
func (d *document) behindBreak(end int) int {
	end = d.lineEnd(end)
	return end + breakLength(d.text[end:])
}

// contentEnd returns where what ends at an offset ends with the comment on its
// line, and false if something else follows on it.
func (d *document) contentEnd(end int) (int, bool) {
	rest := d.between(end, d.lineEnd(end))
	comment := d.commentAt(end + len(rest) - len(strings.TrimLeft(rest, " \t")))
	if !comment.IsZero() {
		return comment.End, true
	}
	return end, isBlank(rest)
}

// lineBefore returns where the line before one that begins at an offset begins
// and ends.
func (d *document) lineBefore(start int) syntax.Span {
	end := len(strings.TrimSuffix(strings.TrimSuffix(d.text[:start], "\n"), "\r"))
	return syntax.Span{Start: max(d.lineStart(end), d.top), End: end}
}

// withDeeper returns where an item ends with the comments below it that are
// indented deeper than it.
func (d *document) withDeeper(end, indent int) int {
	for at := d.behindBreak(end); at < len(d.text); at = d.behindBreak(at) {
		first := at + len(d.indentAt(at))
		comment := d.commentAt(first)
		switch {
		case first == d.lineEnd(at):
		case !comment.IsZero() && first-at > indent:
			end = comment.End
		default:
			return end
		}
	}
	return end
}

// withAbove returns the start of the lines of what begins at an offset, including the comments
// directly above with the same indentation. A comment at the top of a file is the file's head and
// belongs to nothing.
func (d *document) withAbove(start, indent int) int {
	begin := d.lineStart(start)
	for at := begin; at > d.top; {
		at = d.lineBefore(at).Start
		first := at + len(d.indentAt(at))
		if first-at != indent || d.commentAt(first).IsZero() {
			return begin
		}
		if at <= d.top {
			return d.lineStart(start)
		}
		begin = at
	}
	return begin
}

// rearrangeBlock records the edits of what comes into a container in block style
// and goes out.
func (d *document) rearrangeBlock(n *syntax.Node) error {
	b, err := d.takeLines(n)
	if err != nil {
		return err
	}
	entries := d.entries(n)
	first := slices.IndexFunc(entries, func(e entry) bool { return !e.isRemoved })
	if first < 0 {
		return d.emptyBlock(b)
	}
	if b.isBehindDash && d.isRemoved(n.Nodes[0]) {
		entries = d.putBehindDash(b, entries, first)
	}
	next := len(n.Nodes) - len(entries) + countAdded(entries)
	for i := 0; i < len(entries); i++ {
		switch e := entries[i]; {
		case e.added != nil:
			d.insertLines(b, next, e.added)
			continue
		case e.isRemoved:
			last := next
			for i+1 < len(entries) && entries[i+1].isRemoved && !d.holdsComment(b.between(last)) {
				i, last = i+1, last+1
			}
			d.removeLines(b, next, last)
			next = last
		}
		next++
	}
	return nil
}

// between returns what stands between an item and the next.
func (b *block) between(i int) syntax.Span {
	return syntax.Span{Start: b.items[i].lines.End, End: b.items[i+1].lines.Start}
}

func countAdded(entries []entry) int {
	n := 0
	for _, e := range entries {
		if e.added != nil {
			n++
		}
	}
	return n
}

// emptyBlock takes everything out of a container and writes it as an empty one,
// since nothing at all would be a null.
func (d *document) emptyBlock(b *block) error {
	items := b.items
	if b.node.Key.IsZero() {
		first := items[0]
		d.put(first.lines.Start, max(d.lineStart(first.start), first.lines.Start), "")
		d.put(first.start, first.end, brackets(b.node.Kind))
		items = items[1:]
	} else if err := d.putBehindColon(b.node, " "+brackets(b.node.Kind)); err != nil {
		return err
	}
	for _, it := range items {
		d.removeSpan(it.lines)
	}
	return nil
}

// putBehindColon writes something behind the colon of a member.
func (d *document) putBehindColon(n *syntax.Node, text string) error {
	colon := d.colonOf(n)
	if colon < 0 {
		return d.refuse(n.Key, keyReason)
	}
	d.put(colon+1, colon+1, text)
	return nil
}

// putBehindDash replaces a removed first member on the line of a dash with the first entry that is
// left. It returns the entries that remain to be written.
func (d *document) putBehindDash(b *block, entries []entry, first int) []entry {
	gone := b.items[0]
	if added := entries[first].added; added != nil {
		d.put(gone.start, gone.end, d.blockEntry(b.node, added, len(b.indent)))
		rest := slices.Delete(slices.Clone(entries), first, first+1)
		return rest[slices.IndexFunc(rest, func(e entry) bool { return e.node == b.node.Nodes[0] })+1:]
	}
	left := b.items[slices.Index(b.node.Nodes, entries[first].node)]
	if !d.holdsComment(syntax.Span{Start: gone.end, End: left.start}) {
		d.put(gone.start, left.start, "")
		return entries[first:]
	}
	start := gone.start - (len(d.text[:gone.start]) - len(strings.TrimRight(d.text[:gone.start], " ")))
	d.put(start, gone.end, "")
	return entries[1:]
}

// insertLines writes what comes in before an item, or behind the last one.
func (d *document) insertLines(b *block, next int, added *addition) {
	text := d.blockEntry(b.node, added, len(b.indent))
	newline := d.style.newline
	switch {
	case next == 0 && b.isBehindDash:
		at := b.items[0].start
		d.put(at, at, text+newline+b.indent)
		return
	case next == 0, added.place == Before:
		at := b.items[next].lines.Start
		d.put(at, at, b.indent+text+newline)
		return
	}
	blank := ""
	if b.isSpaced {
		blank = newline
	}
	if at := b.items[next-1].lines.End; breakLength(d.text[d.lineEnd(at-1):]) > 0 {
		d.put(at, at, blank+b.indent+text+newline)
	} else {
		d.put(at, at, newline+blank+b.indent+text)
	}
}

// areSpaced reports whether there is a blank line between all items.
func (d *document) areSpaced(items []blockItem) bool {
	for i := 1; i < len(items); i++ {
		if !d.isBlankLine(items[i-1].lines.End) {
			return false
		}
	}
	return len(items) > 1
}

// isBlankLine reports whether a line that begins at an offset has nothing on
// it.
func (d *document) isBlankLine(start int) bool {
	return start < len(d.text) && isBlank(d.between(start, d.lineEnd(start)))
}

// removeLines takes out the lines from one item to another.
func (d *document) removeLines(b *block, first, last int) {
	floor := d.top
	if first > 0 {
		floor = b.items[first-1].lines.End
	}
	span := syntax.Span{Start: b.items[first].lines.Start, End: b.items[last].lines.End}
	d.removeParagraph(span, floor, first == 0)
}

// removeParagraph removes whole lines. Of the blank lines around them, those
// above stay; those below go if there are any above, down to a floor, or if
// nothing was before them.
func (d *document) removeParagraph(span syntax.Span, floor int, isFirst bool) {
	above := span.Start
	for above > floor {
		line := d.lineBefore(above)
		if !isBlank(d.between(line.Start, line.End)) {
			break
		}
		above = line.Start
	}
	below := span.End
	for d.isBlankLine(below) {
		below = d.behindBreak(below)
	}
	if above < span.Start || isFirst || span.Start == d.top {
		span.End = below
	}
	if below == d.end && !isFirst {
		span.Start = above
	}
	d.removeSpan(span)
}

// removeSpan removes whole lines. If the last of them has no line break, the one
// before it loses its own.
func (d *document) removeSpan(span syntax.Span) {
	if span.End == len(d.text) && !strings.HasSuffix(d.text, "\n") && span.Start > d.top {
		span.Start = d.lineBefore(span.Start).End
	}
	d.put(span.Start, span.End, "")
}
