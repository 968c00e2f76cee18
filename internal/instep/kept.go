package instep

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/writing"
)

// isOwn reports whether a part is only in this entry because the client of the compared one has no
// word for it: that entry could not express it.
func (d *differ) isOwn(field mcp.Field, kind mcp.DifferenceKind) bool {
	return kind == mcp.OnlyHere && !writing.HasWord(d.right.Document, field)
}

// isDefault reports whether the entry differs only in the default of a variable from what it is
// compared with: it has an additional one, or has as a literal what the client cannot express as a
// default.
func (d *differ) isDefault(field mcp.Field, s identity.Setting, kind mcp.DifferenceKind) bool {
	name, right := s.Name, valueOf(d.right, field, s.Name)
	isNamed := right != "" || slices.ContainsFunc(d.right.Launch.PassEnv, func(w identity.Word) bool { return w.Text == name })
	if !isNamed || kind == mcp.NotHere {
		return false
	}
	if kind == mcp.OnlyHere && withoutDefaults(s.Value) == "${"+name+"}" {
		return true
	}
	ref, isReference := secret.WholeReference(right)
	return isReference && ref.Default != "" && ref.Default == valueOf(d.has, field, name) &&
		withoutDefaults(valueOf(d.should, field, name)) == valueOf(d.should, field, name)
}

// isSameValue reports whether two values of a variable or header are one. The scheme of
// Authorization has one in any case (RFC 9110, 11.1).
func isSameValue(field mcp.Field, has, should identity.Setting) bool {
	a, b := has.Value, should.Value
	if field == mcp.FieldHeader && has.Name == "authorization" {
		x, restOfA, _ := strings.Cut(a, " ")
		y, restOfB, _ := strings.Cut(b, " ")
		if ascii.EqualFold(x, y) && restOfA != "" && restOfB != "" {
			a, b = restOfA, restOfB
		}
	}
	return isSameButDefault(a, b)
}

// isSameButDefault reports whether a canonical value is another one, or that with defaults
// of its variables.
func isSameButDefault(has, should string) bool {
	return has == should || withoutDefaults(has) == should
}

// withoutDefaults returns a text with its variables alone where those have defaults.
func withoutDefaults(text string) string {
	var b strings.Builder
	end := 0
	for ref, ok := secret.NextReference(text, 0); ok; ref, ok = secret.NextReference(text, ref.End) {
		if ref.Default != "" && ref.Syntax.IsOfEnvironment() {
			b.WriteString(text[end:ref.Start])
			b.WriteString("${" + ref.Name + "}")
			end = ref.End
		}
	}
	return b.String() + text[end:]
}
