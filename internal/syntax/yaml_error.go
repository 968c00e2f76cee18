package syntax

import (
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// yamlProblem is what the parser knows of an error.
type yamlProblem struct {
	message string
	context int // offset of what the parser was in the midst of
	at      int // offset of what stopped it
}

// syntaxError words an error of the parser.
func (r *yamlReader) syntaxError(decoder *yaml.Decoder, err error) error {
	p := r.problem(decoder, err)
	if strings.HasPrefix(p.message, "exceeded max depth") {
		return depthError(r.file, p.at)
	}
	if err := r.conflict(p); err != nil {
		return err
	}
	if err := r.wellKnown(p); err != nil {
		return err
	}
	if p.at == len(r.text) || yamlBlank(r.text[p.at:]) > 0 {
		return r.errorAt(p.context, "%s", p.message)
	}
	return r.errorAt(p.at, "%s", p.message)
}

// conflict says that a merge has left a marker at the place of an error. What
// comes after a marker may be read as a continuation of it, so that a marker
// before the error is blamed as well; of a whole conflict it is where it begins.
func (r *yamlReader) conflict(p yamlProblem) error {
	for _, at := range []int{r.beginOfLine(p.context), r.beginOfLine(p.at), r.ours(p.at)} {
		span := conflictMarker(r.text, at)
		if span.IsZero() {
			continue
		}
		if begin := conflictMarker(r.text, r.ours(at)); !begin.IsZero() && r.text[at] != '<' {
			span = begin
		}
		return &Error{Span: span, message: says("unresolved merge conflict marker"), Conflict: true}
	}
	return nil
}

// ours returns where the last line before an offset begins that opens a
// conflict, or the start of the text.
func (r *yamlReader) ours(before int) int {
	return r.start + strings.LastIndex(r.text[r.start:before], "\n<<<<<<< ") + 1
}

// beginOfLine returns where the line of an offset begins.
func (r *yamlReader) beginOfLine(at int) int {
	return r.start + strings.LastIndexAny(r.text[r.start:at], "\r\n") + 1
}

// problem returns what the parser knows about an error. Its message, "yaml: line 3: did not find
// expected key", has the line of the context if there is one, and except for the scanner's errors
// it has the line before (fail in decode.go). The right places are in unexported fields of the
// decoder. problem reads those if they exist, and otherwise uses the line in the message. yaml/v4
// says them (LoadError.Mark), but 4.0.0 does not read every document as clients do
// (TestParseYAMLAsClientsDo).
func (r *yamlReader) problem(decoder *yaml.Decoder, err error) yamlProblem {
	line, message := 1, strings.TrimPrefix(err.Error(), "yaml: ")
	if match := regexp.MustCompile(`^line (\d+): `).FindStringSubmatch(message); match != nil {
		line, _ = strconv.Atoi(match[1])
		message = message[len(match[0]):]
	}
	p := yamlProblem{message: message, at: r.lineStart(line)}
	p.context = p.at
	internal := reflect.ValueOf(decoder).Elem().FieldByName("parser")
	if internal.Kind() != reflect.Pointer {
		return p
	}
	internal = internal.Elem()
	switch {
	case strings.HasPrefix(message, "unknown anchor"):
		// The parser has read the alias, and says nothing of its place.
		p.at = r.mark(p.at, internal, "event", "start_mark")
		p.context = p.at
	case message == panicMessage:
		p.at = r.mark(p.at, internal, "parser", "mark")
		p.context = p.at
	default:
		p.at = r.mark(p.at, internal, "parser", "problem_mark")
		p.context = r.mark(p.context, internal, "parser", "context_mark")
		if p.context > p.at {
			p.context = p.at
		}
	}
	return p
}

// mark returns the offset of a mark that the parser holds in nested fields, or
// the one given if it does not.
func (r *yamlReader) mark(otherwise int, v reflect.Value, fields ...string) int {
	for _, name := range fields {
		if v.Kind() != reflect.Struct {
			return otherwise
		}
		v = v.FieldByName(name)
	}
	if v.Kind() != reflect.Struct {
		return otherwise
	}
	line, column := v.FieldByName("line"), v.FieldByName("column")
	if !line.IsValid() || !column.IsValid() || !line.CanInt() || !column.CanInt() {
		return otherwise
	}
	r.at = yamlMark{r.start, 1, 1}
	return r.offset(int(line.Int())+1, int(column.Int())+1)
}

// lineStart returns the offset at which a line begins.
func (r *yamlReader) lineStart(line int) int {
	r.at = yamlMark{r.start, 1, 1}
	return r.offset(line, 1)
}

// inQuotes is what to do with a value that begins with a character of YAML's own.
const inQuotes = "write the value in quotes"

// wellKnown words the errors that people make, or returns nil for others.
func (r *yamlReader) wellKnown(p yamlProblem) error {
	found := found(r.text, tokenSpan(r.text, r.start, p.at), p.at)
	switch p.message {
	case "found character that cannot start any token":
		if strings.HasPrefix(r.text[p.at:], "\t") {
			return r.errorAt(p.at, "YAML is indented by spaces, not tabs")
		}
		return helped(r.errorAt(p.at, "a value cannot begin with %s", quoted(r.character(p.at))), inQuotes)
	case "found a tab character where an indentation space is expected", "found a tab character that violates indentation":
		return r.errorAt(p.at, "YAML is indented by spaces, not tabs")
	case "mapping values are not allowed in this context":
		return helped(r.errorAt(p.at, "unexpected %q after a value", ":"), "write the value in quotes, or correct the indentation")
	case "block sequence entries are not allowed in this context":
		return helped(r.errorAt(p.at, "unexpected %q", "-"), "start the list on a line of its own")
	case "could not find expected ':'":
		return r.errorToLineEnd(p.context, "expected a colon after this key")
	case "found unexpected end of stream", "found unexpected document indicator":
		return r.errorToLineEnd(p.context, "this string is never closed")
	case "did not find expected alphabetic or numeric character":
		return helped(r.errorAt(p.context, "a value cannot begin with %s", quoted(r.character(p.context))), inQuotes)
	case "found unknown escape character":
		if strings.HasPrefix(r.text[p.at:], `\`) {
			return badEscape(r.text, p.at)
		}
	case "did not find expected hexdecimal number":
		return r.errorAt(p.at, `invalid escape: \x needs two hexadecimal digits, \u four and \U eight, and a backslash is written as \\`)
	case "did not find expected key":
		return helped(r.errorAt(p.at, "expected a key, found %s", found), "correct the indentation, or write the value before it in quotes")
	case "did not find expected '-' indicator":
		return helped(r.errorAt(p.at, "expected %q, found %s", "-", found), "correct the indentation")
	case "did not find expected ',' or ']'", "did not find expected ',' or '}'":
		return r.noComma(p, found)
	case "did not find expected node content":
		return r.errorAt(p.at, "expected a value, found %s", found)
	case "did not find expected <document start>":
		return r.errorAt(p.at, "unexpected %s after the end of the document", found)
	}
	if name, ok := strings.CutPrefix(p.message, "unknown anchor '"); ok {
		name = strings.TrimSuffix(name, "' referenced")
		return &Error{Span: Span{p.at, min(p.at+len("*")+len(name), len(r.text))}, message: says("nothing is called &%s before this alias", unquoted(name))}
	}
	return nil
}

// noComma says what is wrong behind a value in brackets: if the file ends, the
// closing one is missing.
func (r *yamlReader) noComma(p yamlProblem, found any) error {
	closer := p.message[len(p.message)-len("]'") : len(p.message)-len("'")]
	bracket := r.character(p.context)
	if bracket != "" && strings.TrimRight(r.text[p.at:], " \t\r\n") == "" {
		return &Error{Span: Span{p.context, p.context + len(bracket)}, message: says("%s is never closed", quoted(bracket))}
	}
	return r.errorAt(p.at, "expected a comma or %q, found %s", closer, found)
}

// character returns the character at an offset, or nothing at the end.
func (r *yamlReader) character(at int) string {
	_, size := utf8.DecodeRuneInString(r.text[at:])
	return r.text[at : at+size]
}

// errorAt returns an error at the token at an offset.
func (r *yamlReader) errorAt(at int, format string, args ...any) error {
	return &Error{Span: tokenSpan(r.text, r.start, at), message: says(format, args...)}
}

// errorToLineEnd returns an error from an offset to the end of its line.
func (r *yamlReader) errorToLineEnd(at int, message string) error {
	end := at + len(strings.TrimRight(r.text[at:r.lineEnd(at)], " \t"))
	if end == at {
		return r.errorAt(at, "%s", message)
	}
	return &Error{Span: Span{at, end}, message: says("%s", message)}
}
