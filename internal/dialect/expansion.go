package dialect

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// Expansion is what is known of a client and a reference.
type Expansion uint8

// What a client may do with a reference.
const (
	MayExpand Expansion = iota // that is not known
	Expands
	LeavesAsIs // the server gets the text as it is written
)

func verdict(expands, isKnown bool) Expansion {
	switch {
	case expands:
		return Expands
	case isKnown:
		return LeavesAsIs
	}
	return MayExpand
}

// Expansion returns what the client does with a reference. inputs are the ids of the inputs
// that the file declares.
func (d Dialect) Expansion(ref secret.Ref, inputs map[string]bool) Expansion {
	known := d.Knows(ref.Syntax) || ref.Syntax == secret.BareInput && d.reading != nil && !d.reading.Others
	if ref.Syntax == secret.Input && d.Expands(secret.Input) {
		return verdict(inputs[ref.Name], true)
	}
	if ref.Syntax.Family() == secret.Braced && d.reading != nil && slices.Contains(d.reading.Unset, ref.Name) {
		return verdict(ref.Syntax != secret.Braced, known)
	}
	if ref.Syntax.Family() == secret.Braced && mcp.IsClientVariable(ref.Name) {
		// Written with a default that the client takes, it is a variable of the environment that
		// may be set.
		return verdict(d.Fills(ref.Name), known && (ref.Default == "" || !d.Expands(ref.Syntax) || d.LacksDefault(ref)))
	}
	if !IsForClients(ref) {
		return MayExpand
	}
	if d.LacksDefault(ref) || d.LooksUpWhole(ref) || d.LacksForm(ref) {
		return verdict(false, known)
	}
	if isColonDefault(ref) && !d.Expands(secret.Command) { // to a shell it is a part of the value
		return verdict(slices.Contains(d.Syntaxes, secret.BracedColon), known)
	}
	return verdict(d.Expands(ref.Syntax), known)
}

// LacksDefault reports whether the client expands a variable, and not with the default that
// it is written with.
func (d Dialect) LacksDefault(ref secret.Ref) bool {
	switch ref.Syntax {
	case secret.EnvColonDefault:
		return d.Expands(secret.EnvColon)
	case secret.BracedDefault:
		return d.Expands(secret.Braced) && !d.TakesDefaults()
	}
	return false
}

// LooksUpWhole reports whether the client takes all behind ${env: for the name of a variable,
// and a colon in it is one that no system has in a name: ${env:local:TOKEN}.
func (d Dialect) LooksUpWhole(ref secret.Ref) bool {
	return ref.Syntax == secret.EnvColon && d.Expands(secret.EnvColon) && strings.Contains(ref.Name, ":")
}

// CutsDefault reports whether the client ends the default of a variable at the first brace,
// and it has a variable in it.
func (d Dialect) CutsDefault(ref secret.Ref) bool {
	return d.client.PlainDefaults && ref.Syntax == secret.BracedDefault && ref.Operator == ":-" && strings.Contains(ref.Default, "{")
}

// LacksOperator reports whether the client leaves a variable as it is because of the operator
// before its default, or before the message or the text instead of a default: ${VAR-x},
// ${VAR:?unset}.
func (d Dialect) LacksOperator(ref secret.Ref) bool {
	return d.client.PlainDefaults && ref.Syntax == secret.BracedDefault && ref.Operator != ":-"
}

// LacksForm reports whether the client takes variables in braces, and not in this form.
func (d Dialect) LacksForm(ref secret.Ref) bool {
	return d.CutsDefault(ref) || d.LacksOperator(ref) || d.client.PlainDefaults && isDotted(ref)
}

// isDotted reports whether a variable in braces has a name with a dot in it.
func isDotted(ref secret.Ref) bool {
	return ref.Syntax.Family() == secret.Braced && strings.Contains(ref.Name, ".")
}

// LacksHyphen reports whether the client takes a default as a shell does, ${VAR:-x}, and a variable
// has it after the colon alone, or in another client's syntax.
func (d Dialect) LacksHyphen(ref secret.Ref) bool {
	isMeant := isColonDefault(ref) || ref.Syntax == secret.EnvColonDefault ||
		d.LacksOperator(ref) && strings.IndexByte("-=", ref.Operator[len(ref.Operator)-1]) >= 0
	return isMeant && slices.Contains(d.Syntaxes, secret.BracedDefault)
}

// IsForClients reports whether a reference is one that clients expand; any other may be meant for
// another program.
func IsForClients(ref secret.Ref) bool {
	switch ref.Syntax.Family() {
	case secret.Braced, secret.BracedBlanks:
		isName := ref.Name == strings.ToUpper(ref.Name) || (ref.Syntax == secret.BracedDefault || isColonDefault(ref)) && strings.Contains(ref.Name, "_")
		return isName && len(ref.Name) >= 2 // else a template: ${title}
	case secret.Percent:
		return isWindowsVariable(ref.Name)
	case secret.Bare, secret.EnvColon, secret.EnvBraces, secret.FileColon, secret.PowerShell, secret.Expression, secret.Input, secret.BareInput, secret.UserConfig:
		return true
	}
	return false
}

// IsOddlyNamed reports whether a reference is to a variable of the environment that hardly
// any syntax can name: ${env:ProgramFiles(x86)}, ${env:local:TOKEN}.
func IsOddlyNamed(ref secret.Ref) bool {
	return ref.Syntax.IsOfEnvironment() && strings.ContainsAny(ref.Name, ":()")
}

// isColonDefault reports whether a variable has a default behind a colon alone, and nothing
// else that a template or a shell may mean: ${server.port:80}, ${HOME:0:1}.
func isColonDefault(ref secret.Ref) bool {
	isSlice := strings.Contains(ref.Default, ":") && strings.Trim(ref.Default, "0123456789:- ") == ""
	return ref.Syntax == secret.BracedColon && ref.Default != "" && !isSlice && IsIdentifier(ref.Name) && !mcp.IsClientVariable(ref.Name) &&
		!strings.ContainsAny(ref.Default, "${}") && !strings.Contains(ref.Default, ":-")
}

// isWindowsVariable reports whether Windows sets a variable of the name.
func isWindowsVariable(name string) bool {
	switch name {
	case "APPDATA", "LOCALAPPDATA", "USERPROFILE", "HOMEPATH", "PROGRAMFILES", "TEMP", "USERNAME":
		return true
	}
	return false
}
