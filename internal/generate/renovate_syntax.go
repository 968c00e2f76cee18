package main

import "strings"

// language is the syntax of a kind of file, for the patterns of the Renovate preset. Each
// field is a regular expression in the syntax that RE2 and JavaScript share, without
// lookahead and lookbehind. The text between two matches is read as whole tokens, none of
// which can be read as another, so nothing in a comment ever matches.
type language struct {
	name string
	// endings are the endings of such files' names.
	endings []string
	// first is the beginning of a file in which only the part after it is read.
	first string
	// token is one token of anything, comments among them.
	token string
	// open and shut enclose a word, stop shows that a last word is complete.
	open, shut, stop string
	// any is the text of any word.
	any string
	// gap separates two words of a list, item precedes the first of them that matters.
	gap, item string
	// before and behind stand around the name of a key; blank is between that and a
	// word, list between that and the first word of a list.
	before, behind, blank, list string
	// rest is the remainder of a list, up to its end; members are other members of an
	// entry.
	rest, members string
	// A command line that is one word begins with quote, lead may precede the launcher in
	// it, and tail may follow the pin, up to the end of the token.
	quote, lead, tail string
}

const (
	jsonString  = `"(?:[^"\\]|\\.)*"`
	jsonComment = `//[^\n]*\n|/\*(?:[^*]|\*+[^*/])*\*+/`
	jsonBlank   = `(?:\s|` + jsonComment + `)*`
	jsonInner   = `[^"/{}[\]]|` + jsonString + `|` + jsonComment
	jsonNested  = `[{[](?:` + jsonInner + `|[{[](?:` + jsonInner + `)*[}\]])*[}\]]`
)

// inJSON is JSON with comments and trailing commas.
var inJSON = language{
	name:    "JSON",
	token:   `[^"/]|` + jsonString + `|` + jsonComment,
	open:    `"`,
	shut:    `"`,
	stop:    `"`,
	any:     `(?:[^"\\]|\\.)*`,
	gap:     jsonBlank + `,` + jsonBlank,
	before:  `"`,
	behind:  `"\s*:\s*`,
	list:    `\[` + jsonBlank,
	rest:    `(?:[^"/{}[\]]|` + jsonString + `|` + jsonComment + `)*\]`,
	members: `\s*,(?:` + jsonInner + `|` + jsonNested + `)*?`,
	quote:   `"`,
	lead:    `[^"\\]*[\s;&|(]`,
	tail:    `(?:"|(?:[\s';&|)]|\\.)(?:[^"\\]|\\.)*")`,
}

const (
	tomlString  = `"""(?:[^"\\]|\\[\s\S]|"[^"]|""[^"])*"""|'''(?:[^']|'[^']|''[^'])*'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'`
	tomlComment = `#[^\n]*\n`
	tomlBlank   = `(?:\s|` + tomlComment + `)*`
)

// inTOML is TOML 1.0. A table ends where another begins.
var inTOML = language{
	name:    "TOML",
	endings: []string{".toml"},
	token:   `[^"'#]|` + tomlString + `|` + tomlComment,
	open:    `["']`,
	shut:    `["']`,
	stop:    `["']`,
	any:     `[^"'\n]*`,
	gap:     tomlBlank + `,` + tomlBlank,
	before:  `(?:[\s{,]|` + tomlComment + `)`,
	behind:  `[ \t]*=[ \t]*`,
	list:    `\[` + tomlBlank,
	rest:    `(?:[^"'#[\]]|` + tomlString + `|` + tomlComment + `)*\]`,
	members: `(?:[^"'#[\]=]|=[ \t]*(?:\[(?:[^"'#[\]]|` + tomlString + `|` + tomlComment + `)*\])?|` + tomlString + `|` + tomlComment + `)*?`,
	quote:   `"`,
	lead:    `[^"\\\n]*[\s;&|(]`,
	tail:    `(?:"|(?:[\s';&|)]|\\.)(?:[^"\\\n]|\\.)*")`,
}

const (
	yamlQuoted = `"(?:[^"\\\n]|\\.)*"|'[^'\n]*'`
	yamlEnd    = `[ \t]*(?:[ \t]#[^\n]*)?\r?\n(?:[ \t]*(?:#[^\n]*)?\r?\n)*` // the end of a line, and lines that say nothing
	yamlItem   = `[ \t]*-[ \t]+`
	yamlGap    = `(?:[ \t]*,\s*|` + yamlEnd + yamlItem + `)`
	yamlWord   = `(?:` + yamlQuoted + `|[^"'#,{}[\]\s:][^#,{}[\]\n]*)`
	// A member of an entry is on one line, or is a map or a list with a known name
	// (yamlMaps). An entry may end where any other member begins.
	yamlMember = `[ \t]*["']?(?:[\w.-]+["']?:[ \t]+[^\s#|>][^\n]*|(?:` + yamlMaps + `)["']?:[ \t]*(?:#[^\n]*)?)\r?\n` +
		`|[ \t]+-[ \t]+["']?[\w.${}-]+["']?[ \t]*\r?\n|[ \t]*(?:#[^\n]*)?\r?\n`
)

// yamlMaps is the placeholder in a pattern for the names of members that are maps or lists,
// which come from the table of clients.
const yamlMaps = "MAPS"

// inYAML is YAML as people write it: no anchors, no documents in one another.
var inYAML = language{
	name:    "YAML",
	endings: []string{".yaml", ".yml"},
	token:   `[^\n]*\n`,
	open:    `["']?`,
	shut:    `["']?`,
	stop:    `(?:["'\s,\]}]|$)`,
	any:     `(?:[^"'\s,[\]{}#][^"'\n,[\]{}]*)?`,
	gap:     yamlGap,
	item:    `(?:(?:[ \t]*-[ \t]+)+|[^\n#]*[[,][ \t]*)`,
	before:  `(?:(?:[ \t]*-[ \t]+)*[ \t]*|[^\n#]*[{,][ \t]*)["']?`,
	behind:  `["']?[ \t]*:`,
	blank:   `[ \t]+`,
	list:    `(?:\s*\[\s*|` + yamlEnd + yamlItem + `)`,
	rest:    `(?:` + yamlGap + yamlWord + `)*[ \t]*(?:,?\s*\])?`,
	members: `(?:[ \t]*,\s*|` + yamlEnd + `(?:` + yamlMember + `)*?)`,
	quote:   `["']?`,
	lead:    `[^"'\n]*[\s;&|(]`,
	tail:    `(?:[\s"'\\;&|)]|$)`,
}

// inFrontMatter is YAML between two lines of dashes at the head of a text.
var inFrontMatter = frontMatter(inYAML)

func frontMatter(l language) language {
	l.name, l.endings = "front matter", []string{".md"}
	l.first = `^---[ \t]*\r?\n`
	l.token = `(?:[^-\n][^\n]*|-(?:[^-\n][^\n]*)?|--(?:[^-\n][^\n]*)?)?\n`
	return l
}

// languages are all of them; a file whose name has the ending of none is JSON.
var languages = []language{inJSON, inTOML, inYAML, inFrontMatter}

// languageOf returns the language of the files that a pattern of paths names.
func languageOf(path string) string {
	for _, l := range languages {
		for _, ending := range l.endings {
			if strings.HasSuffix(path, ending) || strings.Contains(path, ending+".") {
				return l.name
			}
		}
	}
	return inJSON.name
}

// inLine returns how a whole command line is written within one word of a language:
// words are apart by blanks, and may be in quotes of the shell.
func (l language) inLine() language {
	return language{
		open: `(?:\\?["'])?`, shut: `(?:\\?["'])?`, stop: l.tail,
		any: `[^\s"'\\]*`, gap: `[ \t]+`,
	}
}

// knowing returns the language with the names of members that are maps or lists.
func (l language) knowing(maps []string) language {
	l.members = strings.ReplaceAll(l.members, yamlMaps, strings.Join(maps, "|"))
	return l
}

// word writes one whole word.
func (l language) word(text string) string { return l.open + `(?:` + text + `)` + l.shut }

// key writes a key with one of some names, up to its value.
func (l language) key(names []string) string {
	return l.before + `(?:` + strings.Join(names, "|") + `)` + l.behind
}
