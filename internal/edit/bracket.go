package edit

import (
	"slices"
	"sort"
	"strings"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// bracketed is a container in brackets, taken apart: all of JSON, flow style in
// YAML, arrays and inline tables in TOML.
type bracketed struct {
	node  *syntax.Node
	items []item
	// gaps are what is between the items, and before the first and behind the
	// last: white space, and comments that belong to none of them.
	gaps []syntax.Span
	// trailing reports that a comma follows the last item.
	trailing bool
}

// item is a member or element with its comma and the comments that belong to
// it.
type item struct {
	syntax.Span
	end   int // of the member or element itself
	comma int // its offset, or -1
	// lead is the offset of the comma that begins its line, or -1.
	lead int
}

// takeApart splits a container into its items.
func (d *document) takeApart(n *syntax.Node) (*bracketed, error) {
	if b := d.seen.bracketed[n]; b != nil {
		return b, nil
	}
	b, err := d.splitBracketed(n)
	if err != nil {
		return nil, err
	}
	return once(&d.seen.bracketed, n, func() *bracketed { return b }), nil
}

func (d *document) splitBracketed(n *syntax.Node) (*bracketed, error) {
	b := &bracketed{node: n}
	at := n.Value.Start + 1
	for i, child := range n.Nodes {
		gap, err := d.readGap(at, hull(child).Start)
		if err != nil {
			return nil, err
		}
		if gap.comma >= 0 && i == 0 {
			return nil, d.refuse(n.Value, "this cannot be taken apart")
		}
		it := item{end: hull(child).End, comma: -1, lead: -1}
		if d.beginsLine(gap) {
			it.lead = gap.comma
			gap = gap.before()
		}
		next := hull(child).Start
		if it.lead >= 0 {
			next = it.lead
		}
		b.close(d, gap, next)
		it.Start = b.leading(d, gap, next)
		b.items = append(b.items, it)
		at = hull(child).End
	}
	gap, err := d.readGap(at, n.Value.End-1)
	if err != nil {
		return nil, err
	}
	b.trailing = gap.comma >= 0
	b.close(d, gap, n.Value.End-1)
	start := n.Value.Start + 1
	for _, it := range b.items {
		b.gaps = append(b.gaps, syntax.Span{Start: start, End: it.Start})
		start = it.End
	}
	b.gaps = append(b.gaps, syntax.Span{Start: start, End: n.Value.End - 1})
	return b, nil
}

// gap is what stands between two items.
type gap struct {
	start    int
	comments []syntax.Span
	comma    int // its offset, or -1
}

// readGap reads what is between two items.
func (d *document) readGap(start, end int) (gap, error) {
	g := gap{start: start, comma: -1}
	for i := start; i < end; {
		comment := d.commentAt(i)
		switch {
		case !comment.IsZero():
			g.comments = append(g.comments, comment)
			i = comment.End
			continue
		case d.text[i] == ',' && g.comma < 0:
			g.comma = i
		case strings.IndexByte(" \t\r\n", d.text[i]) < 0:
			return g, d.refuse(syntax.Span{Start: i, End: i + 1}, "an anchor, a tag or something else of YAML that cannot be edited safely stands here")
		}
		i++
	}
	return g, nil
}

// beginsLine reports whether the comma of a gap is the first thing on its line except for comments:
// then it belongs to what follows it.
func (d *document) beginsLine(g gap) bool {
	at := g.start
	for _, c := range g.before().comments {
		if d.hasBreak(at, c.Start) {
			return true
		}
		at = c.End
	}
	return g.comma >= 0 && d.hasBreak(at, g.comma)
}

// before returns the part of a gap that is before its comma.
func (g gap) before() gap {
	n := 0
	for n < len(g.comments) && g.comments[n].End <= g.comma {
		n++
	}
	return gap{start: g.start, comments: g.comments[:n], comma: -1}
}

// commentAt returns the comment that begins at an offset, or the zero span.
func (d *document) commentAt(offset int) syntax.Span {
	comments := d.tree.Comments
	i := sort.Search(len(comments), func(i int) bool { return comments[i].Start >= offset })
	if i < len(comments) && comments[i].Start == offset {
		return comments[i]
	}
	return syntax.Span{}
}

// close ends the last item: behind its comma and the comments on that line, if
// nothing else follows on it. The gap's other comments are left in it. What
// follows is at next.
func (b *bracketed) close(d *document, g gap, next int) {
	if len(b.items) == 0 {
		return
	}
	last := &b.items[len(b.items)-1]
	last.comma, last.Span.End = g.comma, max(last.end, g.comma+1)
	isClosing := next == b.node.Value.End-1
	for _, c := range g.comments {
		isBehind := c.End > g.comma
		if isBehind && (d.hasBreak(last.Span.End, c.Start) || !isClosing && !d.hasBreak(c.End, next)) {
			break
		}
		last.Span.End = max(last.Span.End, c.End)
	}
}

// leading returns where an item begins: at the first of the comments that stand
// directly above it, or before it on its line. A comment behind the opening
// bracket speaks of the container.
func (b *bracketed) leading(d *document, g gap, start int) int {
	from := g.start
	if len(b.items) > 0 {
		from = b.items[len(b.items)-1].Span.End
	}
	for i := len(g.comments) - 1; i >= 0 && g.comments[i].Start >= from; i-- {
		c := g.comments[i]
		isBehindBracket := len(b.items) == 0 && !d.hasBreak(from, c.Start) && d.hasBreak(c.End, start)
		if d.breaks(c.End, start) > 1 || isBehindBracket {
			break
		}
		start = c.Start
	}
	return start
}

// breaks counts the line breaks between two offsets.
func (d *document) breaks(start, end int) int { return breaks(d.between(start, end)) }

func breaks(text string) int {
	return strings.Count(text, "\n") + strings.Count(text, "\r") - strings.Count(text, "\r\n")
}

// pieces is a text that consists of parts of the document and of new ones.
type pieces []piece

// piece is a part of the document, or a new text.
type piece struct {
	span syntax.Span
	text string // of a new one
}

func (p *pieces) keep(start, end int) {
	if start < end {
		*p = append(*p, piece{span: syntax.Span{Start: start, End: end}})
	}
}

func (p *pieces) write(text string) { *p = append(*p, piece{text: text}) }

// splice records the edits that turn a part of the document into the pieces. Kept pieces stay in
// their order.
func (d *document) splice(at syntax.Span, all pieces) {
	start, text := at.Start, strings.Builder{}
	for _, p := range all {
		if p.span.IsZero() {
			text.WriteString(p.text)
			continue
		}
		d.put(start, p.span.Start, text.String())
		start = p.span.End
		text.Reset()
	}
	d.put(start, at.End, text.String())
}

// arranger writes a container in brackets anew.
type arranger struct {
	*bracketed
	d       *document
	entries []entry
	out     pieces
	// gap is what comes next, before another entry or the closing bracket: parts of the document
	// from an offset on, all of them kept if nothing is removed. settled is the text before it: the
	// comments that remain of removed items.
	gap, settled []syntax.Span
	from         int
	// separator comes next instead, behind what has come in before an item.
	separator string
	written   bool // an entry has been
	isFlat    bool // all of the container is on one line
}

// rearrangeFlow records the edits of what comes into a container in brackets
// and goes out.
func (d *document) rearrangeFlow(n *syntax.Node) error {
	b, err := d.takeApart(n)
	if err != nil {
		return err
	}
	a := &arranger{bracketed: b, d: d, entries: d.entries(n), isFlat: !d.hasBreak(n.Value.Start, n.Value.End)}
	a.setGap(b.gaps[0])
	if len(n.Nodes) == 0 {
		a.fill()
		return nil
	}
	item := 0
	for i := 0; i < len(a.entries); i++ {
		e := a.entries[i]
		switch takesPlace := i+1 < len(a.entries) && (e.isRemoved && a.entries[i+1].added != nil || e.added != nil && a.entries[i+1].isRemoved); {
		case takesPlace:
			a.replace(item, e, a.entries[i+1], i+1)
			item++
			i++
		case e.added != nil:
			a.insert(item, e.added, i)
		case e.isRemoved:
			a.drop(a.gaps[item+1], item+1 == len(a.items))
			item++
		default:
			a.keepItem(item, i)
			item++
		}
	}
	if a.written || a.hasComment() {
		a.flush()
	}
	a.splice()
	return nil
}

// splice records the edits.
func (a *arranger) splice() {
	a.d.splice(syntax.Span{Start: a.node.Value.Start + 1, End: a.node.Value.End - 1}, a.out)
}

func (a *arranger) hasComment() bool {
	return len(a.settled) > 0 || strings.Trim(a.d.textOf(a.gap), " \t\r\n") != ""
}

// setGap begins the gap that comes next.
func (a *arranger) setGap(s syntax.Span) { a.gap, a.settled, a.from = []syntax.Span{s}, nil, s.Start }

// flush writes the gap.
func (a *arranger) flush() {
	for _, s := range slices.Concat(a.settled, a.gap) {
		a.out.keep(s.Start, s.End)
	}
	if a.separator != "" {
		a.out.write(a.separator)
	}
	a.gap, a.settled, a.separator = nil, nil, ""
}

// needsComma reports whether a comma follows the i-th entry: something comes behind it
// that does not begin with one, or the last item has one.
func (a *arranger) needsComma(i int) bool {
	for _, e := range a.entries[i+1:] {
		if !e.isRemoved {
			return e.added != nil || a.items[e.index].lead < 0
		}
	}
	return a.trailing
}

// keepItem writes an item that stays.
func (a *arranger) keepItem(item, i int) {
	a.flush()
	it := a.items[item]
	start := a.keepLead(it)
	switch needs := a.needsComma(i); {
	case needs && it.comma < 0:
		a.out.keep(start, it.end)
		a.keepBehind(it.end, it.End)
	case needs && item+1 == len(a.items) && it.comma+1 < it.End:
		a.out.keep(start, it.comma)
		a.keepBehind(it.comma+1, it.End)
	case !needs && it.comma >= 0:
		a.out.keep(start, it.end+len(strings.TrimRight(a.d.between(it.end, it.comma), " \t\r\n")))
		a.out.keep(it.comma+1, it.End)
	default:
		a.out.keep(start, it.End)
	}
	a.setGap(a.gaps[item+1])
	a.written = true
}

// keepLead writes the text before the comma that begins an item, and returns where the rest begins.
// The comma is dropped if nothing is left before the item.
func (a *arranger) keepLead(it item) int {
	if it.lead < 0 || a.written {
		return it.Start
	}
	a.out.keep(it.Start, it.lead)
	behind := a.d.between(it.lead+1, it.end)
	return it.lead + 1 + len(behind) - len(strings.TrimLeft(behind, " \t"))
}

// keepBehind writes a comma and the comments behind the last item, before
// something else comes in. On its line they would become its own if the comma
// were not behind them.
func (a *arranger) keepBehind(start, end int) {
	if _, isOwnLine := a.lineFor(len(a.items)); isOwnLine {
		a.out.write(",")
		a.out.keep(start, end)
	} else {
		a.out.keep(start, end)
		a.out.write(",")
	}
}

// replace replaces an item.
func (a *arranger) replace(item int, one, other entry, i int) {
	added := one.added
	if added == nil {
		added = other.added
	}
	a.flush()
	a.writeNew(added, a.d.indentAt(a.items[item].Start), a.isFlat, i)
	a.setGap(a.gaps[item+1])
}

// insert writes what comes in before an item, or behind the last one.
func (a *arranger) insert(next int, added *addition, i int) {
	indent, isOwnLine := a.lineFor(next)
	separator := a.d.spacingIn(a.node).comma
	if isOwnLine {
		separator = a.d.style.newline + indent
	}
	if a.written && added.place != Before {
		a.out.write(separator)
		a.writeNew(added, indent, a.isFlat, i)
		return
	}
	a.flush()
	a.writeNew(added, indent, a.isFlat, i)
	if next < len(a.items) {
		a.separator = separator
	}
}

// lineFor returns the indentation of what is inserted before an item, or after the last one, and
// whether it gets its own line. It follows the item, if there is one, or else the last one.
func (a *arranger) lineFor(next int) (indent string, isOwnLine bool) {
	like := min(next, len(a.items)-1)
	before, it := a.gaps[like], a.items[like]
	isOwnLine = a.d.hasBreak(before.Start, before.End)
	if isOwnLine || next < len(a.items) || it.End <= max(it.end, it.comma+1) {
		return a.d.indentAt(it.Start), isOwnLine
	}
	// Behind a comment, a line is shared only if everything is on one.
	if a.isFlat {
		return a.d.indentAt(it.Start), false
	}
	if a.d.hasBreak(a.gaps[0].Start, a.gaps[0].End) {
		return a.d.indentAt(a.items[0].Start), true
	}
	return a.d.indentAt(a.node.Value.Start) + a.d.style.unit, true
}

// endsInLineComment reports whether a comment to the end of its line ends at an
// offset.
func (d *document) endsInLineComment(offset int) bool {
	comments := d.tree.Comments
	i := sort.Search(len(comments), func(i int) bool { return comments[i].End >= offset })
	return i < len(comments) && comments[i].End == offset && !strings.HasPrefix(d.text[comments[i].Start:], "/*")
}

// fill writes what comes into an empty container, behind the comments in it.
func (a *arranger) fill() {
	d, outer := a.d, a.d.indentAt(a.node.Value.Start)
	inside := a.gap[0]
	comments := inside.Start + len(strings.TrimRight(d.between(inside.Start, inside.End), " \t\r\n"))
	isFlat := comments == inside.Start && d.isFlatIn(a.node, a.entries)
	separator, end := d.padOf(a.node), d.padOf(a.node)
	if !isFlat {
		separator, end = d.style.newline+outer+d.style.unit, d.style.newline+outer
	}
	a.out.keep(inside.Start, comments)
	for i, e := range a.entries {
		if i > 0 && isFlat {
			separator = d.spacingIn(a.node).comma
		}
		a.out.write(separator)
		a.writeNew(e.added, outer+d.style.unit, isFlat, i)
	}
	a.out.write(end)
	a.splice()
}

// padOf returns the space inside of the brackets of a container on one line.
func (d *document) padOf(n *syntax.Node) string {
	if n.Kind == syntax.Object {
		return d.style.objectPad
	}
	return d.style.arrayPad
}

// isFlatIn reports whether an empty container that gets entries is written on
// one line.
func (d *document) isFlatIn(n *syntax.Node, entries []entry) bool {
	v := Value{Kind: n.Kind}
	for _, e := range entries {
		v.Elements = append(v.Elements, e.added.value)
	}
	return d.isFlat(v, n.Name, nil)
}

// writeNew writes the i-th entry, which comes in, and its comma.
func (a *arranger) writeNew(added *addition, indent string, isFlat bool, i int) {
	text := a.d.flowEntry(a.node, added, indent, isFlat)
	if a.needsComma(i) {
		text += ","
	}
	a.out.write(text)
	a.written = true
}

// drop removes an item: the gaps before and after it become one gap. If the item has its own lines,
// they are removed, and of the blank lines above and below, the larger number stays.
func (a *arranger) drop(after syntax.Span, isClosing bool) {
	d := a.d
	a.settle()
	text, behind := d.textOf(a.gap), d.between(after.Start, after.End)
	lead := blankLength(behind)
	above, below := breaks(text), breaks(behind[:lead])
	isFirst := !a.written && len(a.settled) == 0
	switch {
	case above > 0 && below > 0 && (isFirst || above > below) && !isClosing:
		a.gap, _ = divided(a.gap, behindLastBreak(text))
		after.Start += behindLastBreak(behind[:lead])
	case above > 0 && below > 0:
		a.gap, _ = divided(a.gap, behindFirstBreak(text))
		after.Start += behindFirstBreak(behind)
	case below == 0 && (!isClosing || above > 0 && d.endsInLineComment(a.settledEnd())):
		after.Start += lead
	default:
		a.gap = nil
	}
	a.gap = append(a.gap, after)
}

// settle moves all of the gap up to its last comment to what is settled, so that the gap
// is white space.
func (a *arranger) settle() {
	comments, space := divided(a.gap, len(strings.TrimRight(a.d.textOf(a.gap), " \t\r\n")))
	a.settled, a.gap = append(a.settled, comments...), space
}

// settledEnd returns the offset in the file behind what is settled.
func (a *arranger) settledEnd() int {
	if len(a.settled) == 0 {
		return a.from
	}
	return a.settled[len(a.settled)-1].End
}

// textOf returns the text of some spans.
func (d *document) textOf(spans []syntax.Span) string {
	var text strings.Builder
	for _, s := range spans {
		text.WriteString(d.between(s.Start, s.End))
	}
	return text.String()
}

// divided returns the first bytes of some spans, and the rest of them.
func divided(spans []syntax.Span, size int) (first, rest []syntax.Span) {
	for _, s := range spans {
		at := s.Start + min(size, s.End-s.Start)
		if s.Start < at {
			first = append(first, syntax.Span{Start: s.Start, End: at})
		}
		if at < s.End {
			rest = append(rest, syntax.Span{Start: at, End: s.End})
		}
		size -= at - s.Start
	}
	return first, rest
}

// behindFirstBreak returns the offset behind the first line break of a text that
// has one, behindLastBreak that behind the last.
func behindFirstBreak(text string) int {
	i := strings.IndexAny(text, "\r\n")
	return i + breakLength(text[i:])
}

func behindLastBreak(text string) int { return strings.LastIndexAny(text, "\r\n") + 1 }

// blankLength returns how much white space begins a text.
func blankLength(text string) int { return len(text) - len(strings.TrimLeft(text, " \t\r\n")) }
