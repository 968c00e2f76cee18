package policy

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// said is a value of the settings, and the file that says it. Credentials in it are masked.
type said struct {
	kind       syntax.Kind
	name, text string // the name in a mapping, the text of what has no parts
	from       string
	parts      []*said
	byName     map[string]*said // of a mapping
}

// Effective prints the settings as they count: as settings that extend nothing.
type Effective struct {
	files []string
	root  said
}

// Effective returns what the settings come to, with all that they extend.
func (s *Settings) Effective() *Effective {
	e := &Effective{root: said{kind: syntax.Object}}
	layers := s.layers
	if layers == nil && s.name != "" {
		layers = []*Settings{s}
	}
	for _, layer := range layers {
		from := secret.Mask(layer.name)
		e.files = append(e.files, from)
		e.root.add(layer.tree, from)
	}
	e.root.parts = slices.DeleteFunc(e.root.parts, func(part *said) bool { return part.name == "extends" })
	slices.SortFunc(e.root.parts, func(a, b *said) int { return strings.Compare(a.name, b.name) })
	return e
}

// add adds the contents of a file: members by their names, elements after the existing ones;
// anything else replaces the old value.
func (v *said) add(n *syntax.Node, from string) {
	if isNull(n) {
		return
	}
	v.kind, v.text, v.from = n.Kind, secret.Mask(n.Text), from
	for _, child := range n.Nodes {
		part := v.byName[child.Name]
		if part == nil {
			part = &said{name: child.Name}
			v.parts = append(v.parts, part)
			if n.Kind == syntax.Object {
				if v.byName == nil {
					v.byName = map[string]*said{}
				}
				v.byName[child.Name] = part
			}
		}
		part.add(child, from)
	}
	v.parts = slices.DeleteFunc(v.parts, func(part *said) bool { return part.from == "" }) // no file sets these
}

// YAML returns the settings as .mcplumb.yaml has them, with the file that says each of them in a
// comment.
func (e *Effective) YAML() []byte {
	var b strings.Builder
	for i, file := range e.files {
		title := "# the settings of"
		if i > 0 {
			title = "# which count less than those of"
		}
		fmt.Fprintf(&b, "%s %s\n", title, inComment(file))
	}
	if len(e.root.parts) == 0 {
		b.WriteString("# nothing is set\n")
	}
	e.root.writeMembers(&b, "")
	return []byte(b.String())
}

// writeMembers writes the members of a mapping, or the elements of a list, a line or more for
// each.
func (v *said) writeMembers(b *strings.Builder, indent string) {
	for _, part := range v.parts {
		if v.kind == syntax.Array {
			b.WriteString(indent + "- " + part.asElement(indent+"  ", " # "+inComment(part.from)) + "\n")
			continue
		}
		b.WriteString(indent + scalar(secret.Mask(part.name)) + ":")
		if len(part.parts) > 0 {
			b.WriteString("\n")
			part.writeMembers(b, indent+"  ")
			continue
		}
		b.WriteString(" " + part.inline() + " # " + inComment(part.from) + "\n")
	}
}

// asElement writes an element of a list, with a comment at the end of its first line.
func (v *said) asElement(indent, comment string) string {
	if v.kind != syntax.Object || len(v.parts) == 0 {
		return v.inline() + comment
	}
	lines := make([]string, len(v.parts))
	for i, part := range v.parts {
		lines[i] = scalar(secret.Mask(part.name)) + ": " + part.inline()
	}
	lines[0] += comment
	return strings.Join(lines, "\n"+indent)
}

// inline writes a value on one line.
func (v *said) inline() string {
	if v.kind == syntax.String {
		return scalar(v.text)
	}
	text, brackets := v.text, ""
	parts := make([]string, len(v.parts))
	for i, part := range v.parts {
		if parts[i] = part.inline(); v.kind == syntax.Object {
			parts[i] = scalar(secret.Mask(part.name)) + ": " + parts[i]
		}
	}
	switch v.kind {
	case syntax.Array:
		brackets = "[]"
	case syntax.Object:
		brackets = "{}"
	default:
		return text
	}
	return brackets[:1] + strings.Join(parts, ", ") + brackets[1:]
}

// plainScalar are texts that YAML has without quotes, also between brackets. Words of YAML 1.1
// for true and false are among them: severities are such.
var plainScalar = regexp.MustCompile(`^(\.?[A-Za-z_/][A-Za-z0-9_./-]*( [A-Za-z0-9_./-]+)*)$`)

// scalar writes a text: with quotes where YAML would have something else.
func scalar(text string) string {
	switch strings.ToLower(text) {
	case "true", "false", "null", ".inf", ".nan":
		return strconv.Quote(text)
	}
	if plainScalar.MatchString(text) {
		return text
	}
	return strconv.Quote(text)
}

// inComment returns a name of a file as a comment may hold it.
func inComment(name string) string {
	if quoted := strconv.Quote(name); quoted != `"`+name+`"` {
		return quoted
	}
	return name
}

// JSON returns the settings as JSON: the files that they come from, those first that count less,
// the settings, and by the JSON Pointer (RFC 6901) of each value that is no mapping and no list
// of the settings themselves the file that says it.
func (e *Effective) JSON() ([]byte, error) {
	from := map[string]string{}
	for _, part := range e.root.parts {
		part.sources(from, "/"+pointer(part.name))
	}
	return json.MarshalIndent(struct {
		Files    []string          `json:"files"`
		Settings any               `json:"settings"`
		From     map[string]string `json:"from"`
	}{append([]string{}, e.files...), e.root.value(), from}, "", "  ")
}

// sources collects the files that say what is at a pointer.
func (v *said) sources(from map[string]string, at string) {
	if len(v.parts) == 0 {
		from[at] = v.from
	}
	for i, part := range v.parts {
		if v.kind == syntax.Array {
			from[at+"/"+strconv.Itoa(i)] = part.from
		} else {
			part.sources(from, at+"/"+pointer(part.name))
		}
	}
}

func pointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(secret.Mask(name))
}

// value returns what is encoded as JSON.
func (v *said) value() any {
	switch v.kind {
	case syntax.Object:
		object := map[string]any{}
		for _, part := range v.parts {
			object[secret.Mask(part.name)] = part.value()
		}
		return object
	case syntax.Array:
		array := make([]any, len(v.parts))
		for i, part := range v.parts {
			array[i] = part.value()
		}
		return array
	case syntax.Bool:
		return v.text == "true"
	case syntax.Number:
		if n, err := strconv.Atoi(v.text); err == nil {
			return n
		}
	}
	return v.text
}
