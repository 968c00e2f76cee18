package edit

import (
	"fmt"
	"strings"

	"github.com/mcplumb/mcplumb/internal/syntax"
)

// quoting is how a key or string is written.
type quoting uint8

const (
	plain quoting = iota
	double
	single
	multiline // quotes of three, or a block scalar
)

// quotingOf returns how a key or string is written, and the span of what is
// between its quotes.
func (d *document) quotingOf(written syntax.Span) (quoting, syntax.Span) {
	text := d.text[written.Start:written.End]
	inner := func(n int) syntax.Span { return syntax.Span{Start: written.Start + n, End: written.End - n} }
	switch {
	case d.language == tomlFile && (strings.HasPrefix(text, `"""`) || strings.HasPrefix(text, "'''")):
		return multiline, inner(len(`"""`))
	case strings.HasPrefix(text, `"`):
		return double, inner(1)
	case strings.HasPrefix(text, "'"):
		return single, inner(1)
	case d.language == yamlFile && strings.HasPrefix(text, "|"), d.language == yamlFile && strings.HasPrefix(text, ">"):
		return multiline, written
	}
	return plain, written
}

// replaced returns a key or string as written, with parts of it replaced, and false if a part does
// not consist of whole characters or cannot be separated from the rest.
func (d *document) replaced(written syntax.Span, decoded string, parts []part, in context) (string, bool) {
	whole, ok := d.withParts(written, decoded, parts)
	if !ok {
		return "", false
	}
	q, _ := d.quotingOf(written)
	if q == multiline {
		return "", false
	}
	var b strings.Builder
	at := written.Start
	for _, p := range parts {
		text, ok := d.inQuotes(p.text, q)
		if !ok || q == plain && d.quoteFor(whole, plain, in) != plain {
			return d.quote(whole, d.otherQuoting(q), in), true
		}
		b.WriteString(d.text[at:p.span.Start])
		b.WriteString(text)
		at = p.span.End
	}
	b.WriteString(d.text[at:written.End])
	return b.String(), true
}

// decodedPart returns what a part of a key or string means; the quotes at its
// ends mean nothing. It is false if that depends on the text around it.
func (d *document) decodedPart(written, part syntax.Span) (string, bool) {
	q, inner := d.quotingOf(written)
	part.Start, part.End = max(part.Start, inner.Start), min(part.End, inner.End)
	if part.Start > part.End {
		return "", false // a quote is not a part of the text
	}
	raw := d.text[part.Start:part.End]
	switch {
	case strings.ContainsAny(d.text[inner.Start:inner.End], "\r\n"), q == multiline:
		return "", false
	case q == single && d.language == yamlFile:
		return strings.ReplaceAll(raw, "''", "'"), strings.Count(raw, "'")%2 == 0
	case q == double && strings.Contains(raw, `\`):
		return d.unescape(raw)
	}
	return raw, true
}

// unescape returns what the inside of a string in double quotes means.
func (d *document) unescape(raw string) (string, bool) {
	name, before := "a.json", ""
	switch d.language {
	case yamlFile:
		name = "a.yaml"
	case tomlFile:
		name, before = "a.toml", "a = "
	}
	p, err := parseFile(syntax.NewFile(name, []byte(before+`"`+raw+`"`)))
	if err != nil || p.tree.Root == nil {
		return "", false
	}
	n := p.tree.Root
	if len(n.Nodes) == 1 {
		n = n.Nodes[0]
	}
	return n.Text, n.Kind == syntax.String
}

// context is where a key or string is written, which matters to YAML and TOML.
type context struct {
	isKey  bool
	inFlow bool // within brackets
}

// quoteFor returns how a text can be written if it may be written in a way:
// that one, or another one.
func (d *document) quoteFor(text string, wanted quoting, in context) quoting {
	if wanted == plain && !d.canBePlain(text, in) {
		wanted = d.style.quote
	}
	if _, ok := d.inQuotes(text, wanted); !ok {
		return double
	}
	return wanted
}

// Text returns a text as a key or a value of a file that is called so, on one line. In YAML it can
// stand within brackets, too.
func Text(file, text string, isKey bool) string {
	d := document{language: languageOf(file), style: style{quote: double}}
	return d.quote(text, plain, context{isKey: isKey, inFlow: true})
}

// otherQuoting returns what to write in quotes if a way will not do.
func (d *document) otherQuoting(q quoting) quoting {
	if q == plain {
		return d.style.quote
	}
	return double
}

// quote writes a key or string.
func (d *document) quote(text string, wanted quoting, in context) string {
	q := d.quoteFor(text, wanted, in)
	text, _ = d.inQuotes(text, q)
	switch q {
	case double:
		return `"` + text + `"`
	case single:
		return "'" + text + "'"
	}
	return text
}

// canBePlain reports whether a text needs no quotes.
func (d *document) canBePlain(text string, in context) bool {
	switch d.language {
	case yamlFile:
		return isPlainYAML(text, in.inFlow)
	case tomlFile:
		return in.isKey && isBareKey(text)
	}
	return false
}

// inQuotes returns a text as it is written between quotes, and whether these
// can hold it.
func (d *document) inQuotes(text string, q quoting) (string, bool) {
	switch q {
	case double:
		return d.escape(text), true
	case single:
		isFit := strings.IndexFunc(text, func(r rune) bool { return r != '\t' && mustEscape(r) }) < 0
		if d.language == yamlFile {
			return strings.ReplaceAll(text, "'", "''"), isFit
		}
		return text, isFit && !strings.Contains(text, "'")
	}
	return text, q == plain
}

// mustEscape reports whether a character needs an escape in a string of some syntax.
func mustEscape(r rune) bool {
	return r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' || r == '\ufeff' || r == '\ufffe' || r == '\uffff'
}

// escape returns a text as it is written between double quotes. The escapes are
// those that JSON, TOML and YAML have in common, except that all of them also write characters
// beyond \u00ff as \u and four digits.
func (d *document) escape(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case mustEscape(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
