package lsp

import (
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// notation is the syntax that a file is written in. It alone decides where a person writes, and how
// a chosen item is written.
type notation uint8

const (
	inJSON notation = iota
	inTOML
	inYAML
)

// notationOf returns the syntax of a file, and the part of it that is written in it; ok is false
// for any other syntax.
func notationOf(file *syntax.File, f *shape.Format) (n notation, part syntax.Span, ok bool) {
	part.End = len(file.Bytes)
	if f.Markdown {
		isTOML := false
		if part, isTOML = syntax.FrontMatter(file); isTOML {
			return inTOML, part, true
		}
		return inYAML, part, !part.IsZero()
	}
	switch ext := strings.ToLower(path.Ext(file.Path)); {
	case ext == ".toml":
		return inTOML, part, true
	case ext == ".yaml" || ext == ".yml":
		return inYAML, part, true
	default:
		return inJSON, part, slices.Contains([]string{".json", ".jsonc", ".code-workspace", ""}, ext)
	}
}

// cursor finds the cursor at a place in a text, nil if nothing can be offered there.
func (n notation) cursor(text string, offset int) *cursor {
	switch n {
	case inTOML:
		return tomlCursor(text, offset)
	case inYAML:
		return yamlCursor(text, offset)
	}
	return jsonCursor(text, offset)
}

// colon is what sets a key apart from its value.
func (n notation) colon() string {
	if n == inTOML {
		return "="
	}
	return ":"
}

// isColonAt reports whether a colon is at a place: in YAML one before a blank, or after quotes.
func (n notation) isColonAt(text string, i int) bool {
	if text[i] != n.colon()[0] {
		return false
	}
	return n != inYAML || i+1 == len(text) || strings.ContainsRune(" \t\r\n,[]{}", rune(text[i+1])) || i > 0 && strings.ContainsRune(`"'`, rune(text[i-1]))
}

// text returns a text as a value of the syntax.
func (n notation) text(text string) string { return edit.Text(n.file(), text, false) }

// key returns a text as a key of it.
func (n notation) key(text string) string { return edit.Text(n.file(), text, true) }

// file is the name of a file in the syntax.
func (n notation) file() string { return [...]string{"a.json", "a.toml", "a.yaml"}[n] }

// assign is written between a key and its value.
func (n notation) assign() string {
	if n == inTOML {
		return " = "
	}
	return ": "
}

// object returns an object to write members into, on the same line.
func (n notation) object() string {
	if n == inTOML {
		return "{ $1 }"
	}
	return "{$1}"
}

// quotes returns a text with places to fill in, in quotes where the syntax demands these.
func (n notation) quotes(text string) string {
	if n == inYAML {
		return text
	}
	return `"` + text + `"`
}
