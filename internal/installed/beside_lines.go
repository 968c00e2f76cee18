package installed

import (
	"iter"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// fileLine is a line of a file, or what it says, with its place.
type fileLine struct {
	name, value string
	span        syntax.Span
}

// maxSides is how many deciding settings of one file are kept: no real file has more, and each of
// the first is reported.
const maxSides = 100

// linesOf yields the lines of a file that are not empty, without what ends them.
func linesOf(file *syntax.File) iter.Seq[fileLine] {
	return func(yield func(fileLine) bool) {
		if file == nil {
			return
		}
		at := 0
		for line := range strings.Lines(file.Text()) {
			text := strings.TrimRight(line, "\r\n")
			if strings.TrimSpace(text) != "" && !yield(fileLine{value: text, span: syntax.Span{Start: at, End: at + len(text)}}) {
				return
			}
			at += len(line)
		}
	}
}

// iniLines returns the settings of a file as npm reads it (the package ini): name = value, or a
// name alone for true. Comments begin with ; or #. A line in a section is not a setting.
func iniLines(file *syntax.File) iter.Seq[fileLine] {
	return func(yield func(fileLine) bool) {
		for line := range linesOf(file) {
			text := strings.TrimSpace(strings.TrimPrefix(line.value, "\ufeff"))
			switch {
			case text == "", text[0] == ';', text[0] == '#':
				continue
			case text[0] == '[' && strings.HasSuffix(text, "]"):
				return
			}
			name, value, isSet := strings.Cut(text, "=")
			line.name, line.value = iniValue(name), iniValue(value)
			if !isSet {
				line.value = "true"
			}
			if !yield(line) {
				return
			}
		}
	}
}

// iniValue returns a name or value without its quotes, or without the comment behind it.
func iniValue(text string) string {
	text = strings.TrimSpace(text)
	if len(text) > 1 && (text[0] == '"' || text[0] == '\'') && text[len(text)-1] == text[0] {
		return text[1 : len(text)-1]
	}
	for i := 1; i < len(text); i++ {
		if (text[i] == ';' || text[i] == '#') && text[i-1] != '\\' {
			return strings.TrimSpace(text[:i])
		}
	}
	return text
}

// variablesIn returns the variables of an environment file that decide which code runs: NAME=value
// with or without quotes and "export" before it. A comment begins with #, and the last value of a
// name counts. References in a value are not expanded.
func variablesIn(file *syntax.File) []mcp.Side {
	var sides []mcp.Side
	for line := range linesOf(file) {
		text := strings.TrimPrefix(strings.TrimSpace(strings.TrimPrefix(line.value, "\ufeff")), "export ")
		name, value, isSet := strings.Cut(text, "=")
		if name = strings.TrimSpace(name); !isSet || strings.HasPrefix(name, "#") {
			continue
		}
		value = envValue(value)
		if !identity.DecidesCode(name, value) || len(sides) == maxSides {
			continue
		}
		side := setting(file, name, value, line.span)
		side.Kind = mcp.SideVariable
		sides = slices.DeleteFunc(sides, func(other mcp.Side) bool { return other.Name == name })
		sides = append(sides, side)
	}
	return sides
}

// variablesUnder returns those of an object in a JSON file.
func variablesUnder(p parsed, key string) []mcp.Side {
	var sides []mcp.Side
	for _, n := range membersOf(p.root.Get(key)) {
		value := textOf(n)
		if !identity.DecidesCode(n.Name, value) || len(sides) == maxSides {
			continue
		}
		side := setting(p.file, n.Name, value, keyOf(n))
		side.Kind = mcp.SideVariable
		sides = append(sides, side)
	}
	return sides
}

// envValue returns the value of a variable without its quotes and the comment behind it.
func envValue(text string) string {
	text = strings.TrimSpace(text)
	if text != "" && strings.IndexByte("\"'`", text[0]) >= 0 {
		if end := strings.IndexByte(text[1:], text[0]); end >= 0 {
			return text[1 : 1+end]
		}
		return text[1:]
	}
	if comment := strings.Index(text, " #"); comment >= 0 {
		text = strings.TrimSpace(text[:comment])
	}
	return text
}
