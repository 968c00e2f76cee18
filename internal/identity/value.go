package identity

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// canonical writes every reference of a value in one spelling, for all clients: ${NAME},
// ${NAME:-default}. Path variables become the path.
func (r *resolver) canonical(text string) string {
	ref, ok := secret.NextReference(text, 0)
	if !ok {
		return text
	}
	var b strings.Builder
	last := 0
	for ; ok; ref, ok = secret.NextReference(text, last) {
		b.WriteString(text[last:ref.Start])
		if dir, isPath := r.pathVariable(ref); isPath {
			if dir != "." && dir != "" && !IsAbsolute(dir) {
				b.WriteString("./")
			}
			b.WriteString(CleanDir(dir))
		} else {
			b.WriteString(canonicalReference(text, ref))
		}
		last = ref.End
	}
	b.WriteString(text[last:])
	return b.String()
}

// canonicalReference returns the one spelling of a reference.
func canonicalReference(text string, ref secret.Ref) string {
	switch ref.Syntax {
	case secret.Input, secret.BareInput, secret.UserConfig:
		return "${" + VariableName(ref.Name) + "}"
	case secret.FileColon, secret.FileBraces:
		return "${file:" + ref.Name + "}"
	case secret.Command, secret.Other:
		return text[ref.Start:ref.End]
	}
	if ref.Default != "" {
		return "${" + ref.Name + ":-" + ref.Default + "}"
	}
	if text := text[ref.Start:ref.End]; ref.Syntax == secret.Braced && len(text) == len(ref.Name)+3 {
		return text // canonical already
	}
	return "${" + ref.Name + "}"
}

// VariableName returns the name of a variable of the environment that says what an
// input's id says: "github-token" is GITHUB_TOKEN. To Compare they are the same.
func VariableName(id string) string {
	return strings.Map(func(c rune) rune {
		if c < utf8.RuneSelf && ascii.IsAlphanumeric(byte(c)) {
			return unicode.ToUpper(c)
		}
		return '_'
	}, id)
}

// VariableInWords returns VariableName of an id with its words apart: "githubToken" is also
// GITHUB_TOKEN.
func VariableInWords(id string) string {
	isUpper := func(i int) bool { return i < len(id) && id[i] >= 'A' && id[i] <= 'Z' }
	isLower := func(i int) bool { return i < len(id) && (id[i] >= 'a' && id[i] <= 'z' || ascii.IsDigit(id[i])) }
	var b strings.Builder
	for i := range len(id) {
		if i > 0 && isUpper(i) && (isLower(i-1) || isUpper(i-1) && isLower(i+1)) {
			b.WriteByte('_')
		}
		b.WriteByte(id[i])
	}
	return VariableName(b.String())
}

// argument returns an argument in canonical form: references in one spelling,
// paths of the repository resolved, everything else untouched.
func (r *resolver) argument(text string) string {
	if r.isPathWord(text) {
		return r.argumentPath(text)
	}
	if HasDrive(text) {
		return r.canonical(cleanAbsolute(slashes(text))) // Windows takes both slashes
	}
	if strings.HasPrefix(text, "-") {
		if equals := strings.IndexByte(text, '='); equals > 0 && r.isPathWord(text[equals+1:]) {
			return text[:equals+1] + r.argumentPath(text[equals+1:])
		}
	}
	return r.canonical(text)
}

// settings returns variables or headers in canonical form, sorted by name, the
// last of each name, and the names of variables that are only passed on.
func (r *resolver) settings(pairs []Pair, headers bool) (kept []Setting, passedOn []string) {
	if len(pairs) == 0 {
		return nil, nil
	}
	out := make([]Setting, 0, len(pairs))
	for _, p := range pairs {
		out = append(out, r.setting(p, headers))
	}
	slices.SortStableFunc(out, func(a, b Setting) int { return strings.Compare(a.Name, b.Name) })
	kept = out[:0]
	for i, s := range out {
		switch {
		case i+1 < len(out) && out[i+1].Name == s.Name: // a later one of the name counts
		case isPassThrough(s):
			passedOn = append(passedOn, s.Name)
		default:
			kept = append(kept, s)
		}
	}
	if len(kept) == 0 {
		kept = nil
	}
	return kept, passedOn
}

// isPassThrough reports whether a variable only passes on the variable of the same name, which
// happens anyway.
func isPassThrough(s Setting) bool {
	return len(s.Value) == len(s.Name)+3 && strings.HasPrefix(s.Value, "${") && s.Value[2:len(s.Value)-1] == s.Name && strings.HasSuffix(s.Value, "}")
}

// setting returns one variable or header in canonical form.
func (r *resolver) setting(p Pair, header bool) Setting {
	name, value := p.Name.Text, p.Value.Text
	if header {
		name, value = ascii.Lower(strings.TrimSpace(name)), strings.TrimSpace(value)
	}
	s := Setting{Name: name, Value: r.argument(value), Supplied: IsSupplied(value)}
	return s
}

// IsSupplied reports whether a person supplies the value: it prompts for input or is a placeholder.
func IsSupplied(value string) bool {
	ref, ok := secret.NextReference(value, 0)
	if !ok {
		return secret.IsPlaceholder(value)
	}
	for ; ok; ref, ok = secret.NextReference(value, ref.End) {
		switch ref.Syntax {
		case secret.Input, secret.BareInput, secret.UserConfig:
			return true
		}
	}
	return false
}
