package edit

import (
	"slices"
	"sort"
	"strings"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// tomlTables knows where the tables of a document are written.
type tomlTables struct {
	// lines are the statements that are not in an inline table, in order, each
	// with the header it stands below, or -1.
	lines []tomlLine
	// named are the places of a member's name.
	named map[*syntax.Node][]syntax.Span
	// hasHeader are the tables with a header of their own; isList are the arrays
	// made by headers in double brackets.
	hasHeader, isList map[*syntax.Node]bool
	// headers are the lines of the tables' own headers, leads those that lead to a table
	// or value, in order, ends the last lines below each header: of a line at the index
	// behind its own, and first those above all headers.
	headers map[*syntax.Node]int
	leads   map[*syntax.Node][]int
	ends    []int
}

// tomlLine is a header, or a key with its value, that has its own lines.
type tomlLine struct {
	syntax.Statement
	section int
}

func newTOMLTables(statements []syntax.Statement) *tomlTables {
	t := &tomlTables{
		named:     map[*syntax.Node][]syntax.Span{},
		hasHeader: map[*syntax.Node]bool{}, isList: map[*syntax.Node]bool{},
		headers: map[*syntax.Node]int{}, leads: map[*syntax.Node][]int{}, ends: []int{-1},
	}
	end, section := 0, -1
	for _, s := range statements {
		for _, p := range s.Parts {
			t.named[p.Node] = append(t.named[p.Node], p.Key)
			if p.Node != p.Table {
				t.isList[p.Node] = true
			}
		}
		if s.Span.Start < end {
			continue // within an inline table
		}
		end = s.Span.End
		if s.IsHeader {
			section = len(t.lines)
			t.noteHeader(s.Parts[len(s.Parts)-1].Table, section)
		}
		t.add(tomlLine{s, section})
	}
	return t
}

// noteHeader notes a table's own header, the first that there is.
func (t *tomlTables) noteHeader(table *syntax.Node, line int) {
	if !t.hasHeader[table] {
		t.hasHeader[table], t.headers[table] = true, line
	}
}

// add adds the next line.
func (t *tomlTables) add(l tomlLine) {
	own := len(t.lines)
	t.lines, t.ends = append(t.lines, l), append(t.ends, own)
	t.ends[l.section+1] = own
	for _, p := range l.Parts {
		for _, n := range []*syntax.Node{p.Node, p.Table} {
			if all := t.leads[n]; n != nil && (len(all) == 0 || all[len(all)-1] != own) {
				t.leads[n] = append(all, own)
			}
		}
	}
}

// leadsTo reports whether a statement is about a table or value, or about
// something in it.
func leadsTo(s syntax.Statement, n *syntax.Node) bool {
	return slices.ContainsFunc(s.Parts, func(p syntax.Part) bool { return p.Node == n || p.Table == n })
}

// isWithin reports whether a line says something of a table or value: it leads
// there, or stands below a header that does.
func (t *tomlTables) isWithin(i int, n *syntax.Node) bool {
	l := t.lines[i]
	return leadsTo(l.Statement, n) || l.section >= 0 && leadsTo(t.lines[l.section].Statement, n)
}

// header returns the line that is a table's own header, or -1.
func (t *tomlTables) header(table *syntax.Node) int {
	if line, ok := t.headers[table]; ok {
		return line
	}
	return -1
}

// sectionEnd returns the last line below a header, or -1 for those above all headers. It is at most
// the header itself if there is no line.
func (t *tomlTables) sectionEnd(header int) int { return t.ends[header+1] }

// lastWithin returns the last line that says something of a table, or -1.
func (t *tomlTables) lastWithin(table *syntax.Node) int {
	leads := t.leads[table]
	if len(leads) == 0 {
		return -1
	}
	last := leads[len(leads)-1]
	if section := t.lines[last].section; section >= 0 && leadsTo(t.lines[section].Statement, table) {
		return t.sectionEnd(section)
	}
	return last
}

// firstWithin returns the first one, or -1.
func (t *tomlTables) firstWithin(table *syntax.Node) int { return t.nextWithin(table, 0) }

// nextWithin returns the first one at a line or behind it, or -1. There is none before that line,
// or the line is the end of what removedLines has returned.
func (t *tomlTables) nextWithin(table *syntax.Node, line int) int {
	if line < len(t.lines) && t.isWithin(line, table) {
		return line
	}
	leads := t.leads[table]
	if i := sort.SearchInts(leads, line); i < len(leads) {
		return leads[i]
	}
	return -1
}

// The reasons for which TOML is not changed.
const (
	nullReason   = "TOML has no null"
	tableReason  = "a table that is written with a header cannot be replaced"
	dottedReason = "dotted keys in an inline table cannot be changed safely"
	listReason   = "only a table can be added to a list of tables"
)

// holdsNull reports whether a value is a null or holds one.
func holdsNull(v Value) bool {
	return v.Kind == syntax.Null || slices.ContainsFunc(v.Elements, holdsNull) ||
		slices.ContainsFunc(v.Members, func(m Member) bool { return holdsNull(m.Value) })
}

func (d *document) mayReplaceTOML(p *place, at syntax.Span) error {
	if d.language == tomlFile && !isScalar(p.node) && !d.isFlow(p.node) {
		return d.refuse(at, tableReason)
	}
	return nil
}

// mayArrangeTOML refuses to change inline tables with dotted keys: a table in
// them can be in several pieces.
func (d *document) mayArrangeTOML(p *place, at syntax.Span) error {
	if d.language != tomlFile {
		return nil
	}
	isDotted := func(n *syntax.Node) bool { return !isScalar(n) && !d.isFlow(n) }
	isInFlow := slices.ContainsFunc(p.above, d.isFlow)
	holdsDotted := func() bool { return slices.ContainsFunc(p.node.Nodes, isDotted) }
	if isInFlow && isDotted(p.node) || d.isFlow(p.node) && once(&d.seen.dotted, p.node, holdsDotted) {
		return d.refuse(at, dottedReason)
	}
	return nil
}

// isDotted reports whether a table is made by dotted keys: none of the headers
// leads to it.
func (d *document) isDotted(table *syntax.Node) bool {
	first := d.tables.firstWithin(table)
	return table != d.tree.Root && first >= 0 && !d.tables.lines[first].IsHeader
}

// linesOf returns the lines of a statement, with the comments directly above it
// and the one behind it.
func (d *document) linesOf(l tomlLine) syntax.Span {
	end, _ := d.contentEnd(l.Span.End)
	begin := d.lineStart(l.Span.Start)
	for at := begin; at > d.top; begin = at {
		at = d.lineBefore(at).Start
		if d.commentAt(at + len(d.indentAt(at))).IsZero() {
			break
		}
		if at <= d.top {
			begin = d.lineStart(l.Span.Start) // the head of the file
			break
		}
	}
	return syntax.Span{Start: begin, End: d.behindBreak(end)}
}

// withBelow returns the end of a section, including the comments directly below its last line,
// which belong to it if a blank line follows.
func (d *document) withBelow(end int) int {
	at := end
	for at < d.end && !d.commentAt(at+len(d.indentAt(at))).IsZero() {
		at = d.behindBreak(at)
	}
	if at == d.end || d.isBlankLine(at) {
		return at
	}
	return end
}

// rearrangeTables records the edits of what comes into a table, or a list of
// tables, that is not inline, and goes out.
func (d *document) rearrangeTables(n *syntax.Node) error {
	for _, child := range n.Nodes {
		if d.isRemoved(child) {
			d.removeTOML(child)
		}
	}
	var lines []string
	for _, e := range d.entries(n) {
		if e.added == nil {
			continue
		}
		line, err := d.insertTOML(n, e.added)
		if err != nil {
			return err
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	if len(lines) > 0 { // in a table of which only the tables in it have headers
		at, newline := d.linesOf(d.tables.lines[d.tables.firstWithin(n)]).Start, d.style.newline
		d.put(at, at, "["+d.pathOf(n)+"]"+newline+strings.Join(lines, newline)+newline+newline)
	}
	return nil
}

// removeTOML removes all lines of a table or value.
func (d *document) removeTOML(n *syntax.Node) {
	t := d.tables
	for i := t.firstWithin(n); i >= 0; i = t.nextWithin(n, i+1) {
		isFirst := i > 0 && t.lines[i-1].IsHeader && !t.lines[i].IsHeader
		var span syntax.Span
		span, i = d.removedLines(n, i)
		d.removeParagraph(span, d.top, isFirst)
	}
}

// removedLines returns the lines of a table or value from one that leads to it
// up to the last one before something else stands between, and the index of
// that.
func (d *document) removedLines(n *syntax.Node, i int) (syntax.Span, int) {
	t := d.tables
	span := d.linesOf(t.lines[i])
	for {
		if t.lines[i].IsHeader {
			i = t.sectionEnd(i)
			span.End = d.withBelow(d.linesOf(t.lines[i]).End)
		}
		if i+1 == len(t.lines) || !t.isWithin(i+1, n) {
			return span, i
		}
		next := d.linesOf(t.lines[i+1])
		if d.holdsComment(syntax.Span{Start: span.End, End: next.Start}) {
			return span, i
		}
		span.End, i = next.End, i+1
	}
}

// insertTOML writes what comes into a table, or a list of tables. It returns a
// key with its value for which the table has no place yet.
func (d *document) insertTOML(n *syntax.Node, a *addition) (line string, err error) {
	w := tomlWriter{flowWriter{d: d, near: n}}
	switch {
	case n.Kind == syntax.Array && a.value.Kind != syntax.Object:
		return "", d.refuse(a.at, listReason)
	case n.Kind == syntax.Array:
		d.insertSection(n, a, w.sections("[["+d.pathOf(n)+"]]", d.pathOf(n), a.value))
		return "", nil
	case w.isTable(n, a):
		path := join(d.pathOf(n), w.key(a.name))
		d.insertSection(n, a, w.sections("["+path+"]", path, a.value))
		return "", nil
	}
	text := w.keyValue(a.name, a.value)
	if n != d.tree.Root && !d.tables.hasHeader[n] && !d.isDotted(n) {
		return text, nil
	}
	d.insertLine(n, a, text)
	return "", nil
}

// pathOf returns the dotted name of a table as the first line that leads to it
// writes it in the end.
func (d *document) pathOf(table *syntax.Node) string {
	first := d.tables.firstWithin(table)
	if table == d.tree.Root || first < 0 {
		return ""
	}
	parts := d.tables.lines[first].Parts
	last := slices.IndexFunc(parts, func(p syntax.Part) bool { return p.Node == table || p.Table == table })
	return d.dottedName(parts[:last+1])
}

// dottedName returns the parts of a name as they are written in the end.
func (d *document) dottedName(parts []syntax.Part) string {
	name := ""
	for i, p := range parts {
		if i > 0 {
			name += d.between(parts[i-1].Key.End, p.Key.Start)
		}
		key, _ := d.newKey(p.Node, p.Key, false)
		name += key
	}
	return name
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// insertSection writes a table with its header among the others of a table, or
// of a list of tables: behind the last one, if no place is named.
func (d *document) insertSection(n *syntax.Node, a *addition, text string) {
	t, newline := d.tables, d.style.newline
	blank := ""
	if d.hasSpacedSections() {
		blank = newline
	}
	before := -1
	switch {
	case a.place == First && len(n.Nodes) > 0:
		before = t.firstHeader(n, true)
	case a.place == Before:
		before = t.firstHeader(a.beside, false)
	}
	if before >= 0 {
		at := d.linesOf(t.lines[before]).Start
		d.put(at, at, text+newline+blank)
		return
	}
	last := len(t.lines) - 1
	if n != d.tree.Root {
		last = t.lastWithin(n)
	}
	if a.place == After {
		last = max(t.lastWithin(a.beside), t.sectionEnd(t.header(n)))
	}
	d.insertBehind(last, blank, text, blank)
}

// firstHeader returns the first header that leads to a table, or to one in it, or -1.
func (t *tomlTables) firstHeader(table *syntax.Node, inIt bool) int {
	if inIt {
		first := -1
		for _, n := range table.Nodes {
			if line := t.firstHeader(n, false); line >= 0 && (first < 0 || line < first) {
				first = line
			}
		}
		return first
	}
	for _, line := range t.leads[table] {
		if t.lines[line].IsHeader {
			return line
		}
	}
	return -1
}

// hasSpacedSections reports whether there are blank lines between tables, or
// nothing that shows otherwise.
func (d *document) hasSpacedSections() bool {
	return once(&d.seen.spaced, d.tables, d.areSectionsSpaced)
}

func (d *document) areSectionsSpaced() bool {
	tables := 0
	for _, l := range d.tables.lines {
		if start := d.linesOf(l).Start; l.IsHeader && start > d.top {
			tables++
			if line := d.lineBefore(start); isBlank(d.between(line.Start, line.End)) {
				return true
			}
		}
	}
	return tables == 0
}

// insertBehind writes lines after a line of the document and the comments directly below it, or at
// the beginning if there is no line.
func (d *document) insertBehind(line int, blank, text, blankBelow string) {
	newline := d.style.newline
	if line < 0 {
		at := d.end
		if len(d.tables.lines) > 0 {
			at = d.linesOf(d.tables.lines[0]).Start
			d.put(at, at, text+newline+blankBelow)
			return
		}
		if at > d.top && d.text[at-1] != '\n' {
			text = newline + text
		}
		if head := strings.ReplaceAll(d.between(d.top, at), "\r", ""); blank != "" && strings.TrimSpace(head) != "" && !strings.HasSuffix(head, "\n\n") {
			text = newline + text // the head of the file is no table's comment
		}
		d.put(at, at, text+newline)
		return
	}
	at := d.linesOf(d.tables.lines[line]).End
	if blank != "" || d.tables.lines[line].IsHeader {
		at = d.withBelow(at)
	}
	if d.text[at-1] == '\n' {
		d.put(at, at, blank+text+newline)
	} else {
		d.put(at, at, newline+blank+text)
	}
}

// insertLine writes a key with its value among those of a table.
func (d *document) insertLine(n *syntax.Node, a *addition, text string) {
	header := d.tables.header(n)
	// Of all that comes in at one place it must be first: behind a header it would
	// be another table's.
	already := len(d.edits)
	if n != d.tree.Root && header < 0 {
		d.putDotted(n, text)
	} else {
		d.putLine(header, a, text)
	}
	d.early = append(d.early, d.edits[already:]...)
	d.edits = d.edits[:already]
}

// putLine writes a key with its value below a header, or above all of them for
// -1.
func (d *document) putLine(header int, a *addition, text string) {
	t, newline := d.tables, d.style.newline
	at := d.besideLine(a, header)
	switch {
	case at < 0:
		last := t.sectionEnd(header)
		d.insertBehind(last, "", d.indentOf(last)+text, newline)
	case a.place == After:
		d.insertBehind(at, "", d.indentOf(at)+text, "")
	default:
		start := d.linesOf(t.lines[at]).Start
		d.put(start, start, d.indentOf(at)+text+newline)
	}
}

// putDotted writes a key with its value into a table that dotted keys make.
func (d *document) putDotted(n *syntax.Node, text string) {
	last := d.tables.lastWithin(n)
	l := d.tables.lines[last]
	i := slices.IndexFunc(l.Parts, func(p syntax.Part) bool { return p.Node == n })
	prefix := d.dottedName(l.Parts[:i+1]) + "."
	d.insertBehind(last, "", d.indentOf(last)+prefix+text, "")
}

// indentOf returns the indentation of a line of the document, none for -1.
func (d *document) indentOf(line int) string {
	if line < 0 {
		return ""
	}
	return d.indentAt(d.tables.lines[line].Span.Start)
}

// besideLine returns the line before or after which a key with its value is put, or -1 if it goes
// after the last one.
func (d *document) besideLine(a *addition, header int) int {
	all := d.tables.leads[a.beside]
	if a.place == First {
		all = []int{header + 1}
	}
	for _, line := range all {
		if line < len(d.tables.lines) && d.tables.lines[line].section == header && !d.tables.lines[line].IsHeader {
			return line
		}
	}
	return -1
}

// tomlWriter writes tables and values.
type tomlWriter struct{ flowWriter }

func (w tomlWriter) keyValue(name string, v Value) string {
	return w.key(name) + w.spacing().assign + w.value(v, name, nil, "", false)
}

// isTable reports whether something is added to a table as a table with a header: as one of that
// name is written, or as its neighbors are. If there are none to follow, tables that contain others
// become tables with a header, as do those that are added where there are no keys.
func (w tomlWriter) isTable(n *syntax.Node, a *addition) bool {
	if a.value.Kind != syntax.Object || w.d.isDotted(n) {
		return false
	}
	like := w.d.example(exampleOf{name: a.name, kind: syntax.Object})
	if like == nil {
		like = w.d.lastLike(n, syntax.Object)
	}
	if like != nil {
		return !w.d.isFlow(like) && !w.d.isDotted(like)
	}
	return n == w.d.tree.Root || !w.d.tables.hasHeader[n] || !a.value.isFlat()
}

// sections returns a table with its header, and those of the tables in it that
// are not inline, without the last line break.
func (w tomlWriter) sections(header, path string, v Value) string {
	newline := w.d.style.newline
	var lines, tables []string
	if header != "" {
		lines = []string{header}
	}
	holdsTables := !slices.ContainsFunc(v.Members, func(m Member) bool { return m.Value.Kind != syntax.Object })
	for _, m := range v.Members {
		if key := join(path, w.key(m.Name)); m.Value.Kind == syntax.Object && (path == "" || holdsTables || w.hasHeader(m)) {
			tables = append(tables, w.sections("["+key+"]", key, m.Value))
			continue
		} else if path == "" && m.Value.isListOfTables() {
			for _, element := range m.Value.Elements {
				tables = append(tables, w.sections("[["+key+"]]", key, element))
			}
			continue
		}
		lines = append(lines, w.keyValue(m.Name, m.Value))
	}
	if header != "" && len(lines) == 1 && len(tables) > 0 && !strings.HasPrefix(header, "[[") {
		lines = nil
	}
	if len(lines) > 0 {
		tables = append([]string{strings.Join(lines, newline)}, tables...)
	}
	return strings.Join(tables, newline+newline)
}

// hasHeader reports whether an object in a new table gets its own header.
func (w tomlWriter) hasHeader(m Member) bool {
	like := w.d.example(exampleOf{name: m.Name, kind: syntax.Object})
	if like != nil {
		return !w.d.isFlow(like) && !w.d.isDotted(like)
	}
	return !m.Value.isFlat()
}

// newTOML returns a document.
func newTOML(object Value) (string, error) {
	d, err := parse(syntax.NewFile("new.toml", nil))
	if err == nil && holdsNull(object) {
		err = d.refuse(syntax.Span{}, nullReason)
	}
	if err != nil {
		return "", err
	}
	w := tomlWriter{flowWriter{d: d, near: d.tree.Root}}
	text := w.sections("", "", object) + "\n"
	p, err := parseFile(syntax.NewFile("new.toml", []byte(text)))
	if err != nil || !d.says(p.tree.Root, object) {
		return "", d.unforeseen()
	}
	return text, nil
}

// isBareKey reports whether a key needs no quotes.
func isBareKey(text string) bool {
	return text != "" && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") == ""
}
