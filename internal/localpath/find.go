// Package localpath finds paths in the values of an entry that only one machine has.
package localpath

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/shell"
)

// GlobalPackage returns the npm package that a path is in, if the package is installed for all
// projects ("…/lib/node_modules/NAME/…"), "" for any other path.
func GlobalPackage(path string) string {
	_, below, _ := strings.Cut(strings.ReplaceAll(path, `\`, "/"), "/lib/node_modules/")
	name, rest, _ := strings.Cut(below, "/")
	if strings.HasPrefix(name, "@") {
		second, _, _ := strings.Cut(rest, "/")
		name += "/" + second
	}
	return name
}

// IsOfEditor reports whether a path is in a place where editors like VS Code keep the data of their
// extensions, or the extensions themselves.
func IsOfEditor(path string) bool {
	path = strings.ToLower(strings.ReplaceAll(path, `\`, "/"))
	for _, dir := range []string{"/user/workspacestorage/", "/user/globalstorage/"} {
		if strings.Contains(path, dir) {
			return true
		}
	}
	return false
}

// Of returns the paths of a machine in the values of a server, one of
// each value.
func Of(s *mcp.Server) []identity.Word {
	l := &s.Launch
	if !mayHoldMachinePath(l) {
		return nil
	}
	parts := s.Resolved().Parts()
	words := append([]identity.Word{l.Command}, parts.Local...)
	for _, line := range parts.Lines {
		words = inTokens(words, line)
	}
	for _, pair := range l.Env {
		words = append(words, pair.Value)
	}
	words = append(words, l.Cwd, l.EnvFile)
	if strings.HasPrefix(l.URL.Text, "file:") {
		words = append(words, l.URL)
	}
	var paths []identity.Word
	for _, w := range words {
		if start, end, ok := Find(w.Text); ok {
			paths = append(paths, w.Part(start, end))
		}
	}
	return paths
}

// mayHoldMachinePath reports whether any value contains such a path, for any purpose. Hardly any
// does.
func mayHoldMachinePath(l *identity.Launch) bool {
	holds := func(w identity.Word) bool {
		_, _, ok := Find(w.Text)
		return ok
	}
	isIn := func(p identity.Pair) bool { return holds(p.Value) }
	return holds(l.Command) || slices.ContainsFunc(l.Args, holds) || slices.ContainsFunc(l.Env, isIn) ||
		holds(l.URL) || slices.ContainsFunc(l.Headers, isIn) || holds(l.Cwd) || holds(l.EnvFile)
}

// inTokens returns words with those of a command line replaced by its tokens, as
// a blank in a line ends a path.
func inTokens(words []identity.Word, line shell.Line) []identity.Word {
	var out []identity.Word
	for _, w := range words {
		switch {
		case w == line.Words[0]:
			for _, t := range line.Tokens() {
				out = append(out, t.Word)
			}
		case !slices.Contains(line.Words, w):
			out = append(out, w)
		}
	}
	return out
}

// Find returns the place of the first path in a text that exists on one machine.
func Find(text string) (start, end int, ok bool) {
	for at := range len(text) {
		i := at
		switch text[at] {
		case '/':
		case ':': // after the letter of a drive
			i--
		default:
			continue
		}
		if i < 0 || !IsRooted(text[i:]) || !startsPath(text, i) {
			continue
		}
		path := text[i : i+pathLength(text[i:])]
		if compare.IsHomePath(path) || isDrivePath(path) {
			return i, i + len(path), true
		}
	}
	return 0, 0, false
}

// IsRooted reports whether a text begins with a slash or a drive's letter.
func IsRooted(text string) bool {
	return text[0] == '/' || len(text) > 2 && text[1] == ':' && (text[2] == '/' || text[2] == '\\')
}

// maxPath is the longest path that is examined; Windows has 260, Linux 4096.
const maxPath = 1024

// startsPath reports whether an absolute path may begin at a byte of a text: at its start, after a
// separator of values, or after file://.
func startsPath(text string, i int) bool {
	switch {
	case i == 0:
		return true
	case strings.HasSuffix(text[:i], "file://"), strings.HasSuffix(text[:i], "file:///") && isDrivePath(text[i:]):
		return true
	case text[i-1] == ':':
		return !strings.HasPrefix(text[i:], "//") // a list of directories
	}
	return strings.IndexByte("=,;\"'`( \t\n@|[{", text[i-1]) >= 0
}

// pathLength returns the length of the path that a text begins with: up to what
// separates values. A blank is part of a path as long as nothing else says that
// it is not, and so is a word in brackets.
func pathLength(text string) int {
	text = text[:min(len(text), maxPath)]
	end := min(2, len(text))
	for end < len(text) && strings.IndexByte(":;,\"'`)|[]{}\t\n", text[end]) < 0 {
		if text[end] == '(' {
			word := bracketed(text[end:])
			if word == 0 {
				break
			}
			end += word - 1
		}
		end++
	}
	text = text[:end]
	if end := strings.Index(text, " -"); end >= 0 {
		text = text[:end]
	}
	return len(strings.TrimRight(text, " "))
}

// bracketed returns the length of a word in brackets that a text begins with and that a
// path may have, as in "Files (x86)/a" or "Systems (GIS)"; 0 for anything else.
func bracketed(text string) int {
	end := strings.IndexByte(text, ')')
	if end < 2 || !ascii.All(text[1:end], func(c byte) bool { return ascii.IsAlphanumeric(c) || c == '-' || c == '_' || c == '.' }) {
		return 0
	}
	if end+1 < len(text) && text[end+1] != '/' && text[end+1] != '\\' {
		return 0
	}
	return end + 1
}

// isDrivePath reports whether a path is on a Windows disk and not one that
// every such machine has. Windows takes several backslashes for one.
func isDrivePath(path string) bool {
	if len(path) < 4 || path[1] != ':' || path[2] != '\\' && path[2] != '/' || path[2:4] == "//" || !ascii.IsLetter(path[0]) {
		return false
	}
	names := strings.FieldsFunc(path[3:], func(c rune) bool { return c == '/' || c == '\\' })
	if len(names) == 0 || isRepeatedClass(names[0]) {
		return false
	}
	rest := strings.Join(names, "/")
	return compare.IsOnDisk(path[0], rest) && !compare.IsTemplatePath(rest)
}

// isRepeatedClass reports whether what follows a backslash is a class of a regular expression with a
// repetition, as in d:\d+ or s:\s*.
func isRepeatedClass(name string) bool {
	return len(name) > 1 && strings.IndexByte("dDsSwW", name[0]) >= 0 && strings.IndexByte("+*?{", name[1]) >= 0
}
