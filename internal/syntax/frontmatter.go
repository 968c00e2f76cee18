package syntax

import "strings"

// ParseFrontMatter parses the front matter of a Markdown file: the YAML between
// a line of three dashes, which is the first of the file, and the next line of
// three dashes or dots. Between lines of three pluses it is TOML, as Hugo has
// it. White space may follow the marks; a byte order mark is skipped.
//
// The spans of the tree are those of the whole file. A file without front
// matter has a tree without a root. The parser ignores what follows the front matter: it need not
// be UTF-8. Front matter in UTF-16 or UTF-32 is an error.
func ParseFrontMatter(f *File) (*Tree, error) {
	if err := checkSize(f); err != nil {
		return nil, err
	}
	if isWideFrontMatter(f.Bytes) {
		return nil, wideError(f.Bytes)
	}
	part, mark := frontMatter(f)
	if mark == "" {
		return &Tree{BOM: HasBOM(f.Bytes)}, nil
	}
	if err := checkEncoding(f.Bytes[:part.End]); err != nil {
		return nil, err
	}
	if mark == pluses {
		return parseTOML(f, part, nil)
	}
	return parseYAML(f, part)
}

// FrontMatter returns the part of a Markdown file that ParseFrontMatter parses,
// which is a span of no length at its start if there is none, and whether it is
// TOML.
func FrontMatter(f *File) (part Span, isTOML bool) {
	part, mark := frontMatter(f)
	return part, mark == pluses
}

const (
	dashes = "---"
	pluses = "+++"
)

// frontMatter returns what is between the marks, and the mark that opens it, or
// no mark if there is no front matter.
func frontMatter(f *File) (part Span, mark string) {
	text := textOf(f)
	line, start := nextLine(text, bomEnd(f))
	if line != dashes && line != pluses {
		return Span{}, ""
	}
	mark = line
	for i := start; i < len(text); {
		line, next := nextLine(text, i)
		if line == mark || line == "..." && mark == dashes {
			return Span{start, i}, mark
		}
		i = next
	}
	return Span{}, ""
}

// isWideFrontMatter reports whether a file in UTF-16 or UTF-32 would have front
// matter in UTF-8: it begins with a mark.
func isWideFrontMatter(content []byte) bool {
	const longest = (1 + len(dashes)) * 4 // of a mark behind a byte order mark
	if !IsWide(content) {
		return false
	}
	head := strings.ReplaceAll(string(content[:min(len(content), longest)]), "\x00", "")
	return strings.Contains(head, dashes) || strings.Contains(head, pluses)
}

// nextLine returns the line at an offset without the white space that ends it,
// and where the next one begins.
func nextLine(text string, i int) (line string, next int) {
	next = len(text)
	if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
		next = i + n + 1
	}
	return strings.TrimRight(text[i:next], " \t\r\n"), next
}
