package edit

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Lower returns the edits of bytes that make the changes, sorted by path and
// place and without overlap. Duplicate changes are made once. The error is a *Refusal; there are no
// edits then.
func Lower(changes []Change) ([]syntax.Edit, error) { return new(Lowerer).Lower(changes) }

// Lowerer lowers changes of the same files many times and parses each file once.
// The zero value is ready to use. It is not for several goroutines at once.
type Lowerer struct {
	// parsed are the files as they were read, untouched.
	parsed map[*syntax.File]*document
}

// Lower is the function Lower.
func (l *Lowerer) Lower(changes []Change) ([]syntax.Edit, error) {
	var edits []syntax.Edit
	for _, group := range byFile(changes) {
		lower := l.lowered
		if group[0].Op == OpCreate {
			lower = created
		}
		some, err := lower(group)
		if err != nil {
			return nil, err
		}
		edits = append(edits, some...)
	}
	return edits, nil
}

// created returns the edit that writes a new file, or one that holds nothing.
func created(changes []Change) ([]syntax.Edit, error) {
	file, object := changes[0].File, changes[0].Value
	for _, c := range changes {
		if !isEqual(c, changes[0]) {
			return nil, &Refusal{File: file, Reason: "two changes exclude each other", Conflict: true}
		}
	}
	empty, ok := withObject(file)
	if object.Kind != syntax.Object || object.size() == 0 || !ok || path.Ext(file.Path) == ".md" {
		return nil, &Refusal{File: file, Reason: "a file cannot be created like this"}
	}
	all := syntax.Span{End: len(file.Bytes)}
	if languageOf(file.Path) == tomlFile {
		text, err := newTOML(object)
		return []syntax.Edit{{File: file, Span: all, New: text}}, err
	}
	var members []Change
	for _, m := range object.Members {
		members = append(members, Insert(empty, syntax.Span{}, m.Name, m.Value, Where{}))
	}
	edits, err := new(Lowerer).lowered(members)
	return []syntax.Edit{{File: file, Span: all, New: string(Apply(empty.Bytes, edits))}}, err
}

// IsEmpty reports whether a file holds nothing, so that Create may write it: white space,
// comments (which stay), an object without members or a null.
func IsEmpty(file *syntax.File) bool {
	_, ok := withObject(file)
	return ok
}

// withObject returns a file that holds nothing with an empty object in it. ok is false for
// any other, and for comments in TOML, which needs none.
func withObject(file *syntax.File) (empty *syntax.File, ok bool) {
	const blanks = "\uFEFF \t\r\n"
	language := languageOf(file.Path)
	switch text := string(bytes.Trim(file.Bytes, blanks)); {
	case text == "", language != tomlFile && (text == "{}" || text == "null"):
		return syntax.NewFile(file.Path, []byte("{}\n")), true
	case language == tomlFile:
		return nil, false
	}
	object := "\n{}\n"
	if bytes.Contains(file.Bytes, []byte("\r\n")) {
		object = "\r\n{}\r\n"
	}
	empty = syntax.NewFile(file.Path, append(bytes.TrimRight(bytes.Clone(file.Bytes), blanks), object...))
	p, err := parseFile(empty)
	return empty, err == nil && p.tree.Root != nil && p.tree.Root.Kind == syntax.Object && len(p.tree.Root.Nodes) == 0 && len(p.tree.Rest) == 0
}

// byFile groups changes by their files, in the order of the paths. Files of one
// path with different contents are two.
func byFile(changes []Change) [][]Change {
	var groups [][]Change
	known := map[string][]int{} // the groups of each path
	for _, c := range changes {
		same := known[c.File.Path]
		i := slices.IndexFunc(same, func(at int) bool { return isSame(groups[at][0].File, c.File) })
		if i < 0 {
			i, same = len(same), append(same, len(groups))
			known[c.File.Path], groups = same, append(groups, nil)
		}
		groups[same[i]] = append(groups[same[i]], c)
	}
	slices.SortStableFunc(groups, func(a, b []Change) int { return strings.Compare(a[0].File.Path, b[0].File.Path) })
	return groups
}

// Apply returns the content with the edits made, which are those of one file as
// Lower returns them.
func Apply(content []byte, edits []syntax.Edit) []byte {
	size := len(content)
	for _, e := range edits {
		size += len(e.New) - (e.Span.End - e.Span.Start)
	}
	out, at := make([]byte, 0, size), 0
	for _, e := range edits {
		out = append(append(out, content[at:e.Span.Start]...), e.New...)
		at = e.Span.End
	}
	return append(out, content[at:]...)
}

// language is the language of a file.
type language uint8

const (
	jsonFile language = iota
	yamlFile
	tomlFile
)

// document is a file that is being changed.
type document struct {
	file *syntax.File
	text string
	// top and end are where the first line begins and the last one ends of what is
	// parsed.
	top, end int
	language language
	tree     *syntax.Tree
	tables   *tomlTables // of TOML
	style    style
	seen     *seen
	// touched is what happens to nodes, and marks those that hold one to which
	// something happens.
	touched map[*syntax.Node]*touch
	edits   []syntax.Edit
	early   []syntax.Edit // those that come first of those at one place
	cuts    []syntax.Span // parts of comments that go
}

// document returns a file that nothing has happened to yet.
func (l *Lowerer) document(file *syntax.File) (*document, error) {
	parsed := l.parsed[file]
	if parsed == nil {
		var err error
		if parsed, err = parse(file); err != nil {
			return nil, err
		}
		if l.parsed == nil {
			l.parsed = map[*syntax.File]*document{}
		}
		l.parsed[file] = parsed
	}
	d := *parsed
	d.touched = map[*syntax.Node]*touch{}
	return &d, nil
}

// lowered returns the edits of one file.
func (l *Lowerer) lowered(changes []Change) ([]syntax.Edit, error) {
	d, err := l.planned(changes)
	if err != nil {
		return nil, err
	}
	return d.edits, d.verify()
}

// planned returns a file with the edits that the changes take, not yet verified.
func (l *Lowerer) planned(changes []Change) (*document, error) {
	d, err := l.document(changes[0].File)
	if err != nil {
		return nil, err
	}
	if err := d.plan(changes); err != nil {
		return nil, err
	}
	for _, root := range d.roots() {
		if err := d.change(root, false); err != nil {
			return nil, err
		}
	}
	d.edits = append(d.early, d.edits...)
	d.sortEdits()
	return d, nil
}

// RemovesComment reports whether the changes take a comment, or a part of one, out of a
// file. It is false for changes that cannot be made.
func (l *Lowerer) RemovesComment(changes []Change) bool {
	for _, group := range byFile(changes) {
		if group[0].Op == OpCreate || !mayHoldComment(group[0].File) {
			continue
		}
		if d, err := l.planned(group); err == nil && slices.ContainsFunc(d.tree.Comments, d.losesComment) {
			return true
		}
	}
	return false
}

// mayHoldComment reports whether a file has the marks that begin comments, without parsing it.
func mayHoldComment(file *syntax.File) bool {
	marks := []string{"#"}
	if languageOf(file.Path) == jsonFile {
		marks = []string{"//", "/*"}
	}
	return slices.ContainsFunc(marks, func(mark string) bool { return bytes.Contains(file.Bytes, []byte(mark)) })
}

// losesComment reports whether the edits touch a comment and none of them writes it again.
func (d *document) losesComment(comment syntax.Span) bool {
	text := d.text[comment.Start:comment.End]
	isTouched := false
	for _, e := range d.edits {
		if strings.Contains(e.New, text) {
			return false
		}
		isTouched = isTouched || e.Span.Start < comment.End && comment.Start < e.Span.End
	}
	return isTouched
}

// parse reads the file of a change.
func parse(file *syntax.File) (*document, error) {
	d := &document{file: file, text: string(file.Bytes), seen: &seen{}}
	p, err := parseFile(file)
	switch {
	case err != nil:
		return nil, d.refuse(syntax.Span{}, "the file does not parse")
	case p.tree.Root == nil:
		return nil, d.refuse(syntax.Span{}, "there is nothing in it to change")
	}
	d.language, d.tree = p.language, p.tree
	if d.top, d.end = p.part.Start, p.part.End; p.part.IsZero() {
		d.top, d.end = len(d.bom()), len(d.text)
	}
	switch {
	case d.language == tomlFile:
		d.tables = newTOMLTables(p.statements)
	case d.language == yamlFile && hasOtherBreaks(d.between(d.top, d.end)):
		return nil, d.refuse(syntax.Span{}, "its lines do not all end with LF or CRLF")
	}
	d.style = d.findStyle()
	return d, nil
}

// Parse returns what is written in a file, as Lower finds it there.
func Parse(file *syntax.File) (*syntax.Tree, error) {
	p, err := parseFile(file)
	return p.tree, err
}

// parsed is a file in its language.
type parsed struct {
	language   language
	part       syntax.Span // of a Markdown file that is parsed, otherwise zero
	tree       *syntax.Tree
	statements []syntax.Statement // of TOML
}

// languageOf returns the language that the end of a file's name says, JSON where
// it says none. Of Markdown it is that of most front matter.
func languageOf(name string) language {
	switch strings.ToLower(path.Ext(name)) {
	case ".yaml", ".yml", ".md":
		return yamlFile
	case ".toml":
		return tomlFile
	}
	return jsonFile
}

// parseFile parses a file.
func parseFile(file *syntax.File) (parsed, error) {
	p := parsed{language: languageOf(file.Path)}
	if strings.EqualFold(path.Ext(file.Path), ".md") {
		isTOML := false
		if p.part, isTOML = syntax.FrontMatter(file); isTOML {
			p.language = tomlFile
		}
	}
	var err error
	switch isMarkdown := !p.part.IsZero(); {
	case p.language == tomlFile:
		p.tree, p.statements, err = syntax.ParseTOMLStatements(file, p.part)
	case isMarkdown:
		p.tree, err = syntax.ParseFrontMatter(file)
	case p.language == yamlFile:
		p.tree, err = syntax.ParseYAML(file)
	default:
		p.tree, err = syntax.ParseJSON(file)
	}
	return p, err
}

// roots returns the values that no other one holds.
func (d *document) roots() []*syntax.Node {
	return append([]*syntax.Node{d.tree.Root}, d.tree.Rest...)
}

// refuse says why a change is not made.
func (d *document) refuse(span syntax.Span, reason string) error {
	return &Refusal{File: d.file, Span: span, Reason: reason}
}

// conflict says that changes exclude each other.
func (d *document) conflict(span syntax.Span) error {
	return &Refusal{File: d.file, Span: span, Reason: "two changes exclude each other", Conflict: true}
}

// put records an edit, if it is one.
func (d *document) put(start, end int, text string) {
	if d.between(start, end) != text {
		d.edits = append(d.edits, syntax.Edit{File: d.file, Span: syntax.Span{Start: start, End: end}, New: text})
	}
}

// change records the edits of what happens to a node and to all that it holds.
// What is within comes first, so that of two insertions at one place the inner
// one does.
func (d *document) change(n *syntax.Node, inFlow bool) error {
	t := d.touched[n]
	if t == nil {
		return nil
	}
	if t.hasNewName() {
		if err := d.rename(n, inFlow); err != nil {
			return err
		}
	}
	if t.value != nil || len(t.parts) > 0 {
		return d.replace(n, t, inFlow)
	}
	for _, child := range n.Nodes {
		if touch := d.touched[child]; touch != nil && !touch.removed {
			if err := d.change(child, inFlow || d.isFlow(n)); err != nil {
				return err
			}
		}
	}
	if d.isRearranged(n) {
		return d.rearrange(n, inFlow)
	}
	return nil
}

// isRearranged reports whether something comes into a container or goes out.
func (d *document) isRearranged(n *syntax.Node) bool {
	return len(d.touched[n].added) > 0 || slices.ContainsFunc(n.Nodes, d.isRemoved)
}

func (d *document) isRemoved(n *syntax.Node) bool { return d.touched[n] != nil && d.touched[n].removed }

// sortEdits sorts the edits and joins those that touch, and removals that
// overlap.
func (d *document) sortEdits() {
	slices.SortStableFunc(d.edits, func(x, y syntax.Edit) int {
		a, b := x.Span, y.Span
		if a.Start != b.Start || a.Start == a.End || b.Start == b.End {
			return compareSpans(a, b)
		}
		return b.End - a.End // all that goes before a part of it
	})
	var joined []syntax.Edit
	var texts []string // of the last one
	gone := 0          // up to where all goes
	end := func() {
		if len(joined) > 0 {
			joined[len(joined)-1].New = strings.Join(texts, "")
		}
	}
	for _, e := range d.edits {
		switch isRemoval := e.New == ""; {
		case isRemoval:
			gone = max(gone, e.Span.End)
		case e.Span.Start < e.Span.End && e.Span.End <= gone:
			continue // a header gets a new name, and its lines go
		}
		if len(joined) == 0 || joined[len(joined)-1].Span.End < e.Span.Start {
			end()
			joined, texts = append(joined, e), []string{e.New}
			continue
		}
		last := &joined[len(joined)-1]
		last.Span.End = max(last.Span.End, e.Span.End)
		texts = append(texts, e.New)
	}
	end()
	d.edits = joined
	if d.language != jsonFile {
		d.joinBlankLines()
	}
}

// moveBlankLine puts the blank line that a paragraph brings behind it where it takes the
// place of another, the one above which has stayed.
func (d *document) moveBlankLine(e *syntax.Edit) {
	newline := d.style.newline
	above := d.lineBefore(e.Span.Start)
	isInPlace := e.Span.Start < e.Span.End && e.Span.Start == d.lineStart(e.Span.Start) && e.Span.Start > d.top && d.text[e.Span.End-1] == '\n'
	if !isInPlace || !strings.HasPrefix(e.New, newline) || !isBlank(d.between(above.Start, above.End)) {
		return
	}
	e.New = strings.TrimPrefix(e.New, newline)
	if e.Span.End < d.end && !d.isBlankLine(e.Span.End) {
		e.New += newline
	}
}

// joinBlankLines removes the blank lines below lines that go if there are some
// above them: what goes from two containers leaves those of both.
func (d *document) joinBlankLines() {
	for i := range d.edits {
		e := &d.edits[i]
		d.moveBlankLine(e)
		isLines := e.New == "" && e.Span.Start == d.lineStart(e.Span.Start) && e.Span.Start > d.top && d.text[e.Span.End-1] == '\n'
		if above := d.lineBefore(e.Span.Start); !isLines || !isBlank(d.between(above.Start, above.End)) {
			continue
		}
		limit := d.end
		if i+1 < len(d.edits) {
			limit = d.edits[i+1].Span.Start
		}
		for d.isBlankLine(e.Span.End) && d.behindBreak(e.Span.End) <= limit {
			e.Span.End = d.behindBreak(e.Span.End)
		}
	}
}
