package lsp

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/dialect"
	"github.com/mcplumb/mcplumb/internal/format"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/policy"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/writing"
)

// Kinds of what is completed, and the format of a text with places to fill in.
const (
	itemModule   = 9
	itemProperty = 10
	itemValue    = 12
	itemSnippet  = 15
	itemFile     = 17
	itemVariable = 6
	isSnippet    = 2
	isAsIs       = 1 // the text already has the indentation of its lines
)

// completer collects what may be written at a place.
type completer struct {
	*subject
	*cursor
	in     notation
	file   *syntax.File
	match  shape.Match
	client *mcp.Client
	items  []completionItem
}

// completion returns what may be written at a place: members of an entry as its client supports
// them, values of members, variables in the client's own syntax, servers of other files.
func completion(ctx context.Context, in *subject, p documentParams) (any, error) {
	file := in.file(ctx, in.path)
	if file == nil {
		return nil, nil
	}
	c := &completer{subject: in, file: file, items: []completionItem{}}
	text, at := file.Text(), in.offset(file, p.Position)
	if in.path == policy.SettingsName {
		c.in = inYAML
		if c.cursor = yamlCursor(text, at); c.cursor != nil {
			c.settings()
		}
		return completionList{Items: c.items}, nil
	}
	match, known := format.Known().Lookup(in.path)
	if !known || len(match.Readers()) == 0 {
		return nil, nil
	}
	var part syntax.Span
	var ok bool
	if c.in, part, ok = notationOf(file, match.Format); !ok || at < part.Start || at > part.End {
		return nil, nil
	}
	if c.cursor = c.in.cursor(text[part.Start:part.End], at-part.Start); c.cursor == nil {
		return nil, nil
	}
	c.move(part.Start)
	c.match, c.client = match, match.Readers()[0]
	reading := c.client.Reading(match.Format.Name)
	roots := slices.Clone(reading.Roots)
	if reading.Bare {
		roots = append(roots, "")
	}
	for _, root := range roots {
		keys := strings.Split(root, ".")
		switch {
		case root == "":
			keys = nil
		case reading.Flat:
			keys = []string{root}
		}
		if c.isBelow(keys, reading) {
			break
		}
	}
	return completionList{Items: c.items}, nil
}

// isBelow adds what may be written below a root key, or on the way to it, and reports whether the
// place is there.
func (c *completer) isBelow(root []string, reading *mcp.Reading) bool {
	list, isElement := c.list()
	inside, isIn := cutPrefix(c.keys, root)
	switch {
	case !isIn:
		if c.in == inTOML && c.isKey && len(c.items) == 0 { // a table may begin on any line
			c.entries(root, reading)
		}
		if _, isOnTheWay := cutPrefix(root, c.keys); isOnTheWay && c.isKey {
			c.root(root[len(c.keys)])
		}
		return false
	case len(inside) == 0 && c.isKey, isElement && slices.Equal(list, root):
		c.entries(root, reading)
	}
	if len(inside) > 0 {
		c.inEntry(inside[1:])
	}
	return true
}

// root adds a key on the way to the servers.
func (c *completer) root(key string) {
	if c.present[key] && c.header.IsZero() {
		return
	}
	c.addKey(key, "servers", mcp.Objects)
}

// cutPrefix returns the rest of a path after the keys that it begins with.
func cutPrefix(path, keys []string) (rest []string, ok bool) {
	if len(path) < len(keys) || !slices.Equal(path[:len(keys)], keys) {
		return nil, false
	}
	return path[len(keys):], true
}

// add adds a text that may replace the word: with places to fill in, or plain for a client that
// does not support them.
func (c *completer) add(label string, kind int, detail, text, snippet string) {
	item := completionItem{Label: label, Kind: kind, Detail: detail, TextEdit: &textEdit{Range: c.server.span(c.file, c.word), NewText: text}}
	if snippet != "" && c.server.can.TextDocument.Completion.CompletionItem.SnippetSupport {
		item.Format, item.TextEdit.NewText = isSnippet, snippet
	}
	if strings.Contains(item.TextEdit.NewText, "\n") && slices.Contains(c.server.can.TextDocument.Completion.CompletionItem.InsertTextModeSupport.ValueSet, isAsIs) {
		item.Mode = isAsIs
	}
	if word := c.file.Bytes[c.word.Start:c.word.End]; len(word) > 0 && (word[0] == '"' || word[0] == '\'') {
		item.FilterText = string(word[:1]) + label
	}
	c.items = append(c.items, item)
}

// addKey adds a key with a value to write of a kind, or one of words.
func (c *completer) addKey(name, detail string, kinds mcp.Kinds, words ...string) {
	text := c.in.key(name)
	if c.isFollowed || !c.header.IsZero() {
		c.add(name, itemProperty, detail, text, "")
		return
	}
	value, assign := "$0", c.in.assign()
	switch {
	case len(words) > 0:
		value = c.in.quotes("${1|" + strings.Join(words, ",") + "|}")
	case kinds == mcp.Strings:
		value = c.in.quotes("$1")
	case kinds == mcp.Bools:
		value = "${1:true}"
	case kinds == mcp.Arrays:
		value = "[$1]"
	case kinds == mcp.Objects && c.in == inYAML && !c.inBrackets:
		value, assign = "\n"+strings.Repeat(" ", c.column()+len("  "))+"$1", ":"
	case kinds == mcp.Objects:
		value = c.in.object()
	}
	c.add(name, itemProperty, detail, text+c.in.assign(), escapeSnippet(text)+assign+value)
}

// column returns in which column the word begins.
func (c *completer) column() int {
	_, start := c.file.Line(c.file.LineAt(c.word.Start))
	return c.word.Start - start
}

// escapeSnippet returns a text as snippets have it.
func escapeSnippet(text string) string {
	return strings.NewReplacer(`\`, `\\`, "$", `\$`, "}", `\}`).Replace(text)
}

// entries adds the servers that the file has not, each with its whole entry in the client's own
// words: those of other files of its project, then of the repository, then of the catalog, where
// that was read.
func (c *completer) entries(root []string, reading *mcp.Reading) {
	const most = 100
	target, ok := writing.TargetOf(format.Known(), c.path, c.client)
	if !ok || c.isFollowed || c.inBrackets || c.in == inTOML && c.header.IsZero() && !c.isFirst() {
		return
	}
	known := map[string]bool{}
	for _, d := range c.documents(c.path) {
		for _, s := range d.Servers {
			known[s.Name] = reading.Lists
		}
	}
	for _, order := range []string{"0", "1"} {
		for _, p := range c.result.Whole.Projects {
			if (p.Dir == c.match.Dir) != (order == "0") {
				continue
			}
			for d := range reads.Used(p) {
				for _, s := range d.Servers {
					if c.present[s.Name] || known[s.Name] || d.File.Path == c.path || d.Lock != nil || s.Name == "" || len(c.items) >= most {
						continue
					}
					known[s.Name] = true
					c.entry(target, s, root, reading, order, fmt.Sprintf("%s, as in %s", s.Identity.Title(), d.File.Path))
				}
			}
		}
	}
	approved := c.result.Whole.Approved
	if approved == nil {
		return
	}
	for _, id := range slices.Sorted(maps.Keys(approved.Servers)) {
		for _, version := range approved.Servers[id] {
			name := path.Base(version.Name) // after the namespace
			if version.Launch == nil || c.present[name] || known[name] || len(c.items) >= most {
				continue
			}
			if s := format.Portable(name, version.Launch); s != nil && !c.isHidden(s) {
				known[name] = true
				c.entry(target, s, root, reading, "2", fmt.Sprintf("%s, from the catalog %s", s.Identity.Title(), approved.Source))
			}
		}
	}
}

// isHidden reports whether a server of a catalog has something that one would take and not see.
func (c *completer) isHidden(s *mcp.Server) bool {
	return slices.ContainsFunc(append([]identity.Word{{Text: s.Name}, s.Launch.Command, s.Launch.URL}, s.Launch.Args...), func(w identity.Word) bool {
		return c.said(w.Text) != w.Text
	})
}

// entry adds a server with its whole entry.
func (c *completer) entry(target writing.Target, s *mcp.Server, root []string, reading *mcp.Reading, order, detail string) {
	if !target.Takes(s.Name) {
		return
	}
	again, node := target.Alone(target.Entry(s))
	if again == nil || node == nil {
		return
	}
	file, start := again.Document.File, node.Value.Start
	if !node.Key.IsZero() {
		start = node.Key.Start
	}
	text, filter, word := "", s.Name, c.word
	switch {
	case c.in == inTOML: // whose key is a header
		text = strings.TrimRight(file.Text(), "\n")
		if !c.header.IsZero() {
			c.word, filter = c.header, "["+strings.Join(append(slices.Clone(root), s.Name), ".")
		}
	default:
		text = string(file.Bytes[start:node.Value.End])
		before, indent := "", indentAt(c.file, c.word.Start)
		if c.in == inYAML {
			indent = strings.Repeat(" ", c.column())
			if _, isElement := c.list(); reading.Lists && !isElement {
				before, indent = "- ", indent+"  "
			}
		}
		_, line := file.Line(file.LineAt(start))
		text = before + strings.ReplaceAll(text, "\n"+strings.Repeat(" ", start-line), "\n"+indent)
	}
	if c.view.Text(text).Plain() == text && c.view.Text(s.Name).Plain() == s.Name { // else it contains a credential
		c.add(c.said(s.Name), itemSnippet, c.said(detail), text, "")
		item := &c.items[len(c.items)-1]
		if item.SortText = order + s.Name; filter != s.Name {
			item.FilterText = filter
		}
	}
	c.word = word
}

// isFirst reports whether the word is the first one on its line.
func (c *completer) isFirst() bool {
	line, _ := c.file.Line(c.file.LineAt(c.word.Start))
	return strings.TrimSpace(string(line[:c.column()])) == ""
}

// indentAt returns the blanks that the line of a place begins with.
func indentAt(file *syntax.File, offset int) string {
	line, _ := file.Line(file.LineAt(offset))
	return string(line[:len(line)-len(strings.TrimLeft(string(line), " \t"))])
}

// inEntry adds what may be written in an entry, inside of the objects of some keys.
func (c *completer) inEntry(inside []string) {
	client, members := c.client, membersOf(c.client)
	var holder *mcp.Member
	for _, key := range inside {
		if key == "" {
			continue // an element
		}
		i := slices.IndexFunc(members, func(m mcp.Member) bool { return m.Name == key })
		if i < 0 {
			holder, members = &mcp.Member{Name: key}, nil
			continue
		}
		holder, members = &members[i], members[i].Members
		if holder.Each != nil && len(holder.Each.Members) > 0 {
			members = holder.Each.Members
		}
	}
	if c.isKey {
		c.members(members, len(inside) == 0)
		if !c.isElement || holder == nil {
			return
		}
	}
	i := slices.IndexFunc(members, func(m mcp.Member) bool { return m.Name == c.key })
	var member *mcp.Member
	if i >= 0 {
		member = &members[i]
	} else if holder != nil {
		member = holder.Each
	}
	if member != nil {
		for _, word := range member.Words {
			if c.key != "" || holder != nil {
				c.value(word, member.Kinds)
			}
		}
		if member.Kinds == mcp.Bools {
			c.value("true", mcp.Bools)
			c.value("false", mcp.Bools)
		}
	}
	if len(inside) == 0 && slices.Contains(client.Fields.Type, c.key) && (member == nil || len(member.Words) == 0) {
		for _, t := range append(slices.Clone(client.Types), client.SomeTypes...) {
			c.value(t.Word, mcp.Strings)
		}
	}
	c.variables(dialect.For(client, c.match.Format.Name))
}

// value adds a word that a member may be.
func (c *completer) value(word string, kinds mcp.Kinds) {
	text := c.in.text(word)
	if kinds == mcp.Bools {
		text = word
	}
	if !slices.ContainsFunc(c.items, func(i completionItem) bool { return i.Label == word }) {
		c.add(word, itemValue, "", text, "")
	}
}

// membersOf returns the members that a client supports in an entry: those of its schema, else those
// that it is known to read.
func membersOf(client *mcp.Client) []mcp.Member {
	if client.Schema != nil {
		return client.Schema.Members
	}
	f := &client.Fields
	var members []mcp.Member
	add := func(names []string, kinds mcp.Kinds, sort mcp.Sort) {
		for _, name := range names {
			members = append(members, mcp.Member{Name: name, Kinds: kinds, For: sort})
		}
	}
	add(f.Command, orText(f.CommandKinds), mcp.Programs)
	add(f.Args, mcp.Arrays, mcp.Programs)
	add(f.Env, mcp.Objects, mcp.Programs)
	add(f.Cwd, mcp.Strings, mcp.Programs)
	for _, u := range f.URL {
		add([]string{u.Name}, mcp.Strings, mcp.Addresses)
	}
	add(f.Headers, mcp.Objects, mcp.Addresses)
	add(f.Type, mcp.Strings, mcp.AnySort)
	if client.Off.Key != "" {
		add([]string{client.Off.Key}, mcp.Bools, mcp.AnySort)
	}
	return members
}

// orText returns kinds of values, a text for none.
func orText(k mcp.Kinds) mcp.Kinds {
	if k == 0 {
		return mcp.Strings
	}
	return k
}

// members adds the keys of an object that it has not, of an entry those for its sort of server.
func (c *completer) members(members []mcp.Member, isEntry bool) {
	isThere := func(name string) bool { return isEntry && c.present[name] }
	isProgram := slices.ContainsFunc(c.client.Fields.Command, isThere)
	isAddress := slices.ContainsFunc(c.client.Fields.URL, func(f mcp.URLField) bool { return isThere(f.Name) })
	for _, m := range members {
		if c.present[m.Name] || m.Instead != "" || isProgram && m.For == mcp.Addresses || isAddress && m.For == mcp.Programs {
			continue
		}
		if !c.header.IsZero() && !m.Kinds.Has(syntax.Object) {
			continue // it is no table
		}
		details := map[mcp.Kinds]string{mcp.Strings: "text", mcp.Numbers: "number", mcp.Bools: "true or false", mcp.Arrays: "list", mcp.Objects: "object"}
		words := m.Words
		if !m.Kinds.Has(syntax.String) || m.Kinds == mcp.Bools {
			words = nil
		}
		c.addKey(m.Name, cmp.Or(strings.Join(words, ", "), details[m.Kinds]), m.Kinds, words...)
	}
}

// variables adds references to the variables that the repository speaks of, as the client
// expands them.
func (c *completer) variables(d dialect.Dialect) {
	const most = 50
	names := []string{}
	if dialect.IsIdentifier(c.key) && strings.ToUpper(c.key) == c.key {
		names = append(names, c.key)
	}
	for _, p := range c.result.Whole.Projects {
		for doc := range reads.Used(p) {
			for _, s := range doc.Servers {
				for _, e := range s.Launch.Env {
					if len(names) < most && dialect.IsIdentifier(e.Name.Text) && !slices.Contains(names, e.Name.Text) {
						names = append(names, e.Name.Text)
					}
				}
			}
		}
	}
	for _, name := range names {
		if text := d.Variable(name); text != "" && c.view.Text(name).Plain() == name {
			c.add(text, itemVariable, "variable of the environment", c.in.text(text), "")
		}
	}
	if dir := d.ProjectDir(); dir != "" {
		c.add(dir, itemVariable, "directory of the project", c.in.text(dir), "")
	}
}

// settings adds what may be written in the settings of mcplumb.
func (c *completer) settings() {
	top := ""
	if len(c.keys) > 0 {
		top = c.keys[0]
	}
	plain := func(label string, kind int, detail, suffix string) {
		if c.isFollowed {
			suffix = ""
		}
		c.add(label, kind, detail, label+suffix, "")
	}
	switch {
	case top == "" && c.isKey:
		for _, key := range policy.Keys() {
			if !c.present[key] {
				plain(key, itemProperty, "", ":")
			}
		}
	case top == "rules" && c.isKey, c.under() == "rule":
		suffix := ""
		if c.isKey {
			suffix = ": "
		}
		for _, rule := range checks.All() {
			if !c.present[rule.ID] {
				plain(rule.ID, itemValue, rule.Title, suffix)
			}
		}
	case top == "rules", c.under() == "severity", c.under() == "fail-on":
		for _, word := range []string{"off", "note", "warning", "error"} {
			plain(word, itemValue, "", "")
		}
	case slices.Contains([]string{"server", "servers", "except"}, c.under()):
		for _, name := range c.serverNames() {
			c.add(c.said(name), itemModule, "", policy.InYAML(name), "")
		}
	case slices.Contains([]string{"path", "source", "files"}, c.under()) || top == "exclude":
		for _, p := range c.result.Whole.Projects {
			for _, d := range p.Documents {
				if file := d.File.Path; !slices.ContainsFunc(c.items, func(i completionItem) bool { return i.Label == c.said(file) }) {
					c.add(c.said(file), itemFile, "", policy.InYAML(file), "")
				}
			}
		}
	case top == "ignore" && c.isKey:
		for _, key := range policy.IgnoreKeys() {
			if !c.present[key] {
				plain(key, itemProperty, "", ": ")
			}
		}
	}
}

// serverNames returns the names of all servers, each once, except those with a credential.
func (a *analysis) serverNames() []string {
	var names []string
	for _, p := range a.result.Whole.Projects {
		for _, name := range namesOf(p) {
			if a.view.Text(name).Plain() == name {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
