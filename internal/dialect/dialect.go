// Package dialect is the syntax of a client in the entries of its files: a variable of the
// environment, the directory of a project, a header by variable, an input. What a client accepts
// depends on the format of the file, so every answer depends on both. Findings, fixes and sync use
// this package, so that one reads what another writes.
package dialect

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// Dialect is what one client takes in files of one format.
type Dialect struct {
	mcp.Dialect
	client  *mcp.Client
	reading *mcp.Reading // nil where the client does not read the format
}

// For returns the dialect of a client in files of a format.
func For(c *mcp.Client, format string) Dialect {
	return Dialect{c.In(format), c, c.Reading(format)}
}

// forms are how a variable of the environment is written, the most common first.
var forms = []struct {
	syntax        secret.Syntax
	before, after string
}{
	{secret.Braced, "${", "}"},
	{secret.EnvColon, "${env:", "}"},
	{secret.EnvBraces, "{env:", "}"},
}

// Variable returns a variable of the environment as the client expands it; "" if it expands
// none, or the name is no variable's or means another thing to some client.
func (d Dialect) Variable(name string) string {
	if !IsIdentifier(name) || mcp.IsClientVariable(name) {
		return ""
	}
	for _, f := range forms {
		if d.Expands(f.syntax) {
			return f.before + name + f.after
		}
	}
	return ""
}

// Credential returns a variable that holds a credential as the client expands it: one of the
// environment, else a secret of GitHub; "" if it expands neither.
func (d Dialect) Credential(name string) string {
	if text := d.Variable(name); text != "" {
		return text
	}
	if d.Expands(secret.Secrets) && IsIdentifier(name) {
		return "${{ secrets." + name + " }}"
	}
	return ""
}

// WithDefault returns a variable with a default as the client takes it, "" if it takes none.
func (d Dialect) WithDefault(name, value string) string {
	switch {
	case slices.Contains(d.Syntaxes, secret.BracedDefault):
		return "${" + name + ":-" + value + "}"
	case slices.Contains(d.Syntaxes, secret.BracedColon):
		return "${" + name + ":" + value + "}"
	}
	return ""
}

// TakesDefaults reports whether a variable can have a default in any form.
func (d Dialect) TakesDefaults() bool { return d.WithDefault("NAME", "") != "" }

// ProjectDir returns the client's own variable for the directory of the project, as it is
// written, "" if it has none.
func (d Dialect) ProjectDir() string { return d.dir(mcp.ProjectDir) }

// OwnDir does so for the directory of the file itself: that of an extension.
func (d Dialect) OwnDir() string { return d.dir(mcp.DocumentDir) }

func (d Dialect) dir(base mcp.Base) string {
	if d.reading == nil {
		return ""
	}
	for _, dir := range d.reading.Dirs {
		if dir.Name != "PWD" && dir.Base == base {
			return dir.Reference()
		}
	}
	return ""
}

// Home returns how the client writes the home directory of a program's path where it is known
// to expand no "~"; "" where it has no way to. ok is false where it may expand that.
func (d Dialect) Home() (reference string, ok bool) { return d.Variable("HOME"), d.client.KeepsTilde }

// Fills reports whether the client itself fills in a name: a directory, or another one of
// its own.
func (d Dialect) Fills(name string) bool {
	isDir := func(dir mcp.Dir) bool { return dir.Name == name }
	return slices.Contains(d.client.Predefined, name) || d.reading != nil && slices.ContainsFunc(d.reading.Dirs, isDir)
}

// HeaderVariables returns the member that holds the names of variables by the names of the
// headers that they are the values of, "" if the client has none.
func HeaderVariables(c *mcp.Client) string { return headersBy(c, mcp.Objects) }

// BearerVariable returns the member that holds the name of the variable with the bearer
// token, "" if the client has none.
func BearerVariable(c *mcp.Client) string { return headersBy(c, mcp.Strings) }

func headersBy(c *mcp.Client, kind mcp.Kinds) string {
	for _, name := range c.HeadersBy {
		if c.Schema != nil && c.Schema.Member(name) != nil && c.Schema.Member(name).Kinds == kind {
			return name
		}
	}
	return ""
}

// VariableName returns a variable of the environment that the client passes on for what has
// a name elsewhere: an option, a header, an input.
func VariableName(c *mcp.Client, name string) string {
	return PassedName(c, identity.VariableName(name))
}

// PassedName returns the name under which the client passes a variable on: some take only
// those of a prefix, and none of another one.
func PassedName(c *mcp.Client, name string) string {
	switch {
	case !strings.HasPrefix(name, c.EnvPrefix):
		return c.EnvPrefix + name
	case c.Reserved != "" && strings.HasPrefix(name, c.Reserved):
		return "MCP_" + name
	}
	return name
}

// Input returns an input as a file declares it: the client asks a person for it when its server
// starts. It needs only a type, an id and a description (vscode-docs
// docs/copilot/reference/mcp-configuration.md, 2026). isHidden shows the typed text as dots.
func Input(id string, isHidden bool) edit.Value {
	input := edit.Object(
		edit.Member{Name: "type", Value: edit.String("promptString")},
		edit.Member{Name: "id", Value: edit.String(id)},
		edit.Member{Name: "description", Value: edit.String(identity.VariableInWords(id))},
	)
	if isHidden {
		input.Members = append(input.Members, edit.Member{Name: "password", Value: edit.Bool(true)})
	}
	return input
}

// IsIdentifier reports whether a text can be the name of a variable of the environment in
// every syntax.
func IsIdentifier(name string) bool {
	return name != "" && !ascii.IsDigit(name[0]) && ascii.All(name, func(c byte) bool { return ascii.IsAlphanumeric(c) || c == '_' })
}
