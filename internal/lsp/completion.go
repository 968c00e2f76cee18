package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/checks"
	"github.com/mcplumb/mcplumb/internal/dialect"
	"github.com/mcplumb/mcplumb/internal/format"
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
)

// completer collects what may be written at a place.
type completer struct {
	*subject
	*cursor
	file  *syntax.File
	items []completionItem
}

// completion returns what may be written at a place: members of an entry as its client knows
// them, words of members, variables in the client's own syntax, servers of other files.
func completion(ctx context.Context, in *subject, p documentParams) (any, error) {
	file := in.file(ctx, in.path)
	if file == nil {
		return nil, nil
	}
	c := &completer{subject: in, file: file, items: []completionItem{}}
	text, at := file.Text(), in.offset(file, p.Position)
	if in.path == policy.SettingsName {
		if c.cursor = yamlCursor(text, at); c.cursor != nil {
			c.settings()
		}
		return completionList{Items: c.items}, nil
	}
	match, known := in.formats().Lookup(in.path)
	if !known || !isJSON(in.path) || len(match.Readers()) == 0 {
		return nil, nil
	}
	if c.cursor = jsonCursor(text, at); c.cursor == nil {
		return nil, nil
	}
	client := match.Readers()[0]
	reading := client.Reading(match.Format.Name)
	roots := slices.Clone(reading.Roots)
	if reading.Bare {
		roots = append(roots, "")
	}
	for _, root := range roots {
		keys := strings.Split(root, ".")
		if reading.Flat || root == "" {
			keys = []string{root}
		}
		if root == "" {
			keys = nil
		}
		inside, ok := cutPrefix(c.keys, keys)
		switch {
		case !ok:
			continue
		case len(inside) == 0 && c.isKey:
			c.entries(match, client)
		case len(inside) > 0:
			c.inEntry(client, match.Format.Name, inside[1:])
		}
		break
	}
	return completionList{Items: c.items}, nil
}

// isJSON reports whether a file is in JSON by its name.
func isJSON(name string) bool {
	return slices.Contains([]string{".json", ".jsonc", ".code-workspace"}, path.Ext(name)) || path.Ext(name) == ""
}

// cutPrefix returns what comes behind the keys of a path that it begins with.
func cutPrefix(path, keys []string) (rest []string, ok bool) {
	if len(path) < len(keys) || !slices.Equal(path[:len(keys)], keys) {
		return nil, false
	}
	return path[len(keys):], true
}

// formats returns the index of all formats.
func (f *folder) formats() *format.Index {
	if f.index == nil {
		f.index = format.NewIndex(format.All())
	}
	return f.index
}

// add adds a text that may stand in the place of the word, with places to fill in, or as it is
// where the client knows none.
func (c *completer) add(label string, kind int, detail, text, snippet string) {
	item := completionItem{Label: label, Kind: kind, Detail: detail, TextEdit: &textEdit{Range: c.server.span(c.file, c.word), NewText: text}}
	if snippet != "" && c.server.can.TextDocument.Completion.CompletionItem.SnippetSupport {
		item.Format, item.TextEdit.NewText = isSnippet, snippet
	}
	if word := c.file.Bytes[c.word.Start:c.word.End]; len(word) > 0 && (word[0] == '"' || word[0] == '\'') {
		item.FilterText = string(word[:1]) + label
	}
	c.items = append(c.items, item)
}

// addKey adds a key of JSON with a value to write.
func (c *completer) addKey(name, detail string, value string) {
	text := quoted(name)
	if c.isFollowed {
		c.add(name, itemProperty, detail, text, "")
		return
	}
	c.add(name, itemProperty, detail, text+": ", escapeSnippet(text)+": "+value)
}

// quoted returns a text in JSON.
func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		return `""`
	}
	return string(b)
}

// escapeSnippet returns a text as snippets have it.
func escapeSnippet(text string) string {
	return strings.NewReplacer(`\`, `\\`, "$", `\$`, "}", `\}`).Replace(text)
}

// entries adds the servers of other files of the repository that the file has not, each with its
// whole entry in the client's own words; those of its project come first.
func (c *completer) entries(match shape.Match, client *mcp.Client) {
	const most = 100
	known := map[string]bool{}
	add := func(s *mcp.Server, order string) {
		if c.present[s.Name] || known[s.Name] || s.Document.File.Path == c.path || s.Document.Lock != nil || s.Name == "" || len(c.items) >= most {
			return
		}
		known[s.Name] = true
		target, ok := writing.TargetOf(c.formats(), c.path, client)
		if !ok || !target.Takes(s.Name) || c.isFollowed {
			return
		}
		again, node := target.Alone(target.Entry(s))
		if again == nil || node == nil {
			return
		}
		text := string(again.Document.File.Bytes[node.Value.Start:node.Value.End])
		if c.view.Text(text).Plain() != text || c.view.Text(s.Name).Plain() != s.Name {
			return // a credential stands in it
		}
		text = strings.ReplaceAll(text, "\n"+indentAt(again.Document.File, node.Key.Start), "\n"+indentAt(c.file, c.word.Start))
		text = quoted(s.Name) + ": " + text
		c.add(c.said(s.Name), itemSnippet, c.said(fmt.Sprintf("%s, as in %s", s.Identity.Title(), s.Document.File.Path)), text, "")
		c.items[len(c.items)-1].SortText = order + s.Name
	}
	for _, order := range []string{"0", "1"} {
		for _, p := range c.result.Whole.Projects {
			if (p.Dir == match.Dir) != (order == "0") {
				continue
			}
			for d := range reads.Used(p) {
				for _, s := range d.Servers {
					add(s, order)
				}
			}
		}
	}
}

// indentAt returns the blanks that the line of a place begins with.
func indentAt(file *syntax.File, offset int) string {
	line, _ := file.Line(file.LineAt(offset))
	return string(line[:len(line)-len(strings.TrimLeft(string(line), " \t"))])
}

// inEntry adds what may be written in an entry, inside of the objects of some keys.
func (c *completer) inEntry(client *mcp.Client, format string, inside []string) {
	members := membersOf(client)
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
		return
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
	c.variables(dialect.For(client, format))
}

// value adds a word that a member may be.
func (c *completer) value(word string, kinds mcp.Kinds) {
	text := quoted(word)
	if kinds == mcp.Bools {
		text = word
	}
	if !slices.ContainsFunc(c.items, func(i completionItem) bool { return i.Label == word }) {
		c.add(word, itemValue, "", text, "")
	}
}

// membersOf returns the members that a client knows of an entry: those of its schema, else those
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
	has := func(sort mcp.Sort) bool {
		return isEntry && slices.ContainsFunc(members, func(m mcp.Member) bool {
			return m.For == sort && c.present[m.Name] && (m.Name == "command" || m.Name == "url" || m.Name == "httpUrl" || m.Name == "serverUrl")
		})
	}
	isProgram, isAddress := has(mcp.Programs), has(mcp.Addresses)
	for _, m := range members {
		if c.present[m.Name] || m.Instead != "" || isProgram && m.For == mcp.Addresses || isAddress && m.For == mcp.Programs {
			continue
		}
		value, detail := "$0", ""
		switch m.Kinds {
		case mcp.Strings:
			value, detail = `"$1"`, "text"
		case mcp.Numbers:
			detail = "number"
		case mcp.Bools:
			value, detail = "${1:true}", "true or false"
		case mcp.Arrays:
			value, detail = `[$1]`, "list"
		case mcp.Objects:
			value, detail = `{$1}`, "object"
		}
		if len(m.Words) > 0 && m.Kinds.Has(syntax.String) && m.Kinds != mcp.Bools {
			value, detail = `"${1|`+strings.Join(m.Words, ",")+`|}"`, strings.Join(m.Words, ", ")
		}
		c.addKey(m.Name, detail, value)
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
			c.add(text, itemVariable, "variable of the environment", quoted(text), "")
		}
	}
	if dir := d.ProjectDir(); dir != "" {
		c.add(dir, itemVariable, "directory of the project", quoted(dir), "")
	}
}

// settings adds what may stand in the settings of mcplumb.
func (c *completer) settings() {
	top := ""
	if len(c.keys) > 0 {
		top = c.keys[0]
	}
	plain := func(label string, kind int, detail, behind string) {
		if c.isFollowed {
			behind = ""
		}
		c.add(label, kind, detail, label+behind, "")
	}
	switch {
	case top == "" && c.isKey:
		for _, key := range policy.Keys() {
			if !c.present[key] {
				plain(key, itemProperty, "", ":")
			}
		}
	case top == "rules" && c.isKey, c.key == "rule":
		behind := ""
		if c.isKey {
			behind = ": "
		}
		for _, rule := range checks.All() {
			if !c.present[rule.ID] {
				plain(rule.ID, itemValue, rule.Title, behind)
			}
		}
	case top == "rules", c.key == "severity", c.key == "fail-on":
		for _, word := range []string{"off", "note", "warning", "error"} {
			plain(word, itemValue, "", "")
		}
	case c.key == "server" || c.key == "servers" || c.key == "except":
		for _, name := range c.serverNames() {
			c.add(c.said(name), itemModule, "", policy.InYAML(name), "")
		}
	case c.key == "path" || c.key == "source" || c.key == "files" || top == "exclude":
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

// serverNames returns the names of all servers, each once, but for those with a credential.
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
