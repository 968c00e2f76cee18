package secret

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
)

// Syntax is a way to write a reference, shown as it is written.
type Syntax string

// The syntaxes of references that clients, shells and launchers know.
const (
	Braced        Syntax = "${VAR}"          // shells, Claude Code, Gemini CLI, Copilot
	BracedDefault Syntax = "${VAR:-default}" // the same, also with "-", "=", "?" or "+"
	BracedColon   Syntax = "${VAR:default}"  // fast-agent
	BracedBlanks  Syntax = "${ VAR }"        // no client: Braced with blanks in it
	Bare          Syntax = "$VAR"            // shells, Gemini CLI, Copilot
	EnvColon      Syntax = "${env:VAR}"      // Visual Studio Code, Cursor, Roo Code
	// EnvColonDefault is no client's: what one would write for EnvColon with a default.
	EnvColonDefault Syntax = "${env:VAR:-default}"
	EnvBraces       Syntax = "{env:VAR}"           // opencode
	PowerShell      Syntax = "$env:VAR"            // PowerShell, mcporter
	Percent         Syntax = "%VAR%"               // cmd.exe, Gemini CLI on Windows
	Secrets         Syntax = "${{ secrets.NAME }}" // GitHub Actions, Continue
	Vars            Syntax = "${{ vars.NAME }}"
	Inputs          Syntax = "${{ inputs.NAME }}"
	Expression      Syntax = "${{ EXPRESSION }}"  // any other of GitHub Actions
	Mustache        Syntax = "{{VAR}}"            // LibreChat and templates
	Input           Syntax = "${input:ID}"        // Visual Studio Code asks a person
	BareInput       Syntax = "$input:ID"          // no client: the same without its braces
	UserConfig      Syntax = "${user_config.KEY}" // Claude plugins and bundles: the client asks a person
	FileColon       Syntax = "${file:PATH}"       // Windsurf: a file's content
	FileBraces      Syntax = "{file:PATH}"        // opencode: a file's content
	Command         Syntax = "$(command)"         // shells: a command's output
	Other           Syntax = "${name:argument}"   // ${command:…}, ${config:…} and unknown ones
)

// Family returns the plainest syntax of those that are known together: who
// expands ${VAR:-x} expands ${VAR}, and all expressions are one language.
func (s Syntax) Family() Syntax {
	switch s {
	case BracedDefault, BracedColon:
		return Braced
	case EnvColonDefault:
		return EnvColon
	case Secrets, Vars, Inputs:
		return Expression
	}
	return s
}

// IsOfEnvironment reports whether a syntax names a variable of the environment, in the syntax of
// any client.
func (s Syntax) IsOfEnvironment() bool {
	switch s.Family() {
	case Braced, BracedBlanks, Bare, EnvColon, EnvBraces, PowerShell, Percent:
		return true
	}
	return false
}

// Ref is a reference within a value.
type Ref struct {
	// Name is the variable, the input's id, the path or the command.
	Name   string
	Syntax Syntax
	// Default is the text after ":-", or after another Operator, of a variable in braces.
	Default, Operator string
	// Start and End are the byte offsets of the reference in the value.
	Start, End int
}

// maxReference is the longest text read as one reference, so that a hostile
// value of open brackets costs no more than its length.
const maxReference = 512

// WholeReference returns the reference that a value consists of. It is not ok for any
// other value.
func WholeReference(v string) (ref Ref, ok bool) {
	if !strings.ContainsAny(v, "${%") {
		return Ref{}, false
	}
	ref, ok = NextReference(v, 0)
	return ref, ok && ref.Start == 0 && ref.End == len(v)
}

// NextReference returns the first reference at or after offset from.
func NextReference(v string, from int) (Ref, bool) {
	for i := from; i < len(v); i++ {
		switch v[i] {
		case '$', '{', '%': // what every reference begins with
			if ref, ok := referenceAt(v, i); ok {
				return ref, true
			}
		}
	}
	return Ref{}, false
}

// HasReference reports whether v holds a reference.
func HasReference(v string) bool {
	_, ok := NextReference(v, 0)
	return ok
}

// referenceAt returns the reference that begins at offset i.
func referenceAt(v string, i int) (Ref, bool) {
	switch v[i] {
	case '$':
		return dollarReference(v[:min(len(v), i+maxReference)], i)
	case '{':
		return bracesReference(v[:min(len(v), i+maxReference)], i)
	case '%':
		return percentReference(v, i)
	}
	return Ref{}, false
}

// stores are the schemes of secret references that a tool resolves at start.
var stores = []string{"awssm", "bws", "doppler", "gcpsm", "infisical", "keychain", "keyring", "op", "pass", "secret", "vault"}

// IsReference reports whether v takes its value, or part of it, from somewhere
// else: it holds a variable or names an entry of a secret store.
func IsReference(v string) bool {
	if HasReference(v) {
		return true
	}
	scheme, _, ok := strings.Cut(strings.TrimSpace(v), "://")
	return ok && listed(stores, scheme)
}

// dollarReference reads a reference that begins with the "$" at i.
func dollarReference(v string, i int) (Ref, bool) {
	rest := v[i+1:]
	switch {
	case strings.HasPrefix(rest, "{{"):
		end := strings.Index(rest, "}}")
		if end < 0 {
			return Ref{}, false
		}
		inner := strings.TrimSpace(rest[2:end])
		return Ref{Name: lastPart(inner), Syntax: expressionOf(inner), Start: i, End: i + 1 + end + 2}, inner != ""
	case strings.HasPrefix(rest, "{"):
		end := closing(rest, '{', '}')
		if end < 0 {
			return Ref{}, false
		}
		ref, ok := braced(rest[1:end])
		ref.Start, ref.End = i, i+1+end+1
		return ref, ok
	case strings.HasPrefix(rest, "("):
		end := closing(rest, '(', ')')
		if end < 0 {
			return Ref{}, false
		}
		return Ref{Name: strings.TrimSpace(rest[1:end]), Syntax: Command, Start: i, End: i + 1 + end + 1}, true
	case len(rest) > 4 && strings.EqualFold(rest[:4], "env:"):
		n := nameLength(rest[4:])
		return Ref{Name: rest[4 : 4+n], Syntax: PowerShell, Start: i, End: i + 5 + n}, n > 0
	case strings.HasPrefix(rest, "input:"):
		n := idLength(rest[6:])
		return Ref{Name: rest[6 : 6+n], Syntax: BareInput, Start: i, End: i + 7 + n}, n > 0
	}
	// Bare variables are upper-case in practice; anything looser would read
	// passwords as variables.
	n := nameLength(rest)
	name := rest[:n]
	if n < 2 || name != strings.ToUpper(name) || ascii.IsDigit(name[0]) || i > 0 && v[i-1] == '$' {
		return Ref{}, false
	}
	return Ref{Name: name, Syntax: Bare, Start: i, End: i + 1 + n}, true
}

// braced reads what stands between "${" and "}".
func braced(inner string) (Ref, bool) {
	if inner == "/" {
		return Ref{Name: "/", Syntax: Other}, true // Gemini CLI: the path separator
	}
	if name := strings.TrimSpace(inner); name != inner {
		return Ref{Name: name, Syntax: BracedBlanks}, name != "" && nameLength(name) == len(name)
	}
	n := dottedLength(inner)
	name, rest := inner[:n], inner[n:]
	kind, argument, hasColon := strings.Cut(inner, ":")
	switch {
	case hasColon && kind == "input":
		return Ref{Name: argument, Syntax: Input}, argument != ""
	case hasColon && kind == "env":
		n := nameLength(argument)
		rest := argument[n:]
		if rest != "" && strings.IndexByte(":"+defaultOperators, rest[0]) < 0 || len(rest) > 1 && rest[0] == ':' && ascii.IsAlphanumeric(rest[1]) {
			n, rest = len(argument), "" // it is a part of the name: ${env:ProgramFiles(x86)}, ${env:local:TOKEN}
		}
		return Ref{Name: argument[:n], Default: defaultOf(rest), Syntax: envSyntax(rest)}, n > 0
	case hasColon && kind == "file":
		return Ref{Name: argument, Syntax: FileColon}, true
	case hasColon && (kind == "command" || kind == "config" || kind == "secret"):
		return Ref{Name: argument, Syntax: Other}, true
	case strings.HasPrefix(name, "user_config."):
		return Ref{Name: name[len("user_config."):], Syntax: UserConfig}, rest == ""
	case strings.HasPrefix(name, "env."):
		return Ref{Name: name[len("env."):], Default: defaultOf(rest), Syntax: envSyntax(rest)}, true
	case n == 0 || rest != "" && rest[0] != ':' && strings.IndexByte(defaultOperators, rest[0]) < 0:
		return Ref{}, false
	}
	def := defaultOf(rest)
	return Ref{Name: name, Default: def, Operator: rest[:len(rest)-len(def)], Syntax: bracedSyntax(rest)}, true
}

// bracedSyntax returns the syntax of "${NAME" + rest + "}".
func bracedSyntax(rest string) Syntax {
	switch {
	case rest == "":
		return Braced
	case rest[0] != ':' || len(rest) > 1 && strings.IndexByte(defaultOperators, rest[1]) >= 0:
		return BracedDefault
	}
	return BracedColon
}

// envSyntax returns the syntax of "${env:NAME" + rest + "}".
func envSyntax(rest string) Syntax {
	if strings.HasPrefix(rest, ":-") {
		return EnvColonDefault
	}
	return EnvColon
}

// expressionOf returns the syntax of what stands between "${{" and "}}".
func expressionOf(inner string) Syntax {
	context, _, _ := strings.Cut(inner, ".")
	switch context {
	case "secrets":
		return Secrets
	case "vars":
		return Vars
	case "inputs":
		return Inputs
	}
	return Expression
}

// defaultOperators precede the text that a shell uses for a variable that is not set, after a colon
// or without.
const defaultOperators = "-=?+"

// defaultOf strips the operator from ":-default", "-default" or ":default".
func defaultOf(rest string) string {
	rest = strings.TrimPrefix(rest, ":")
	if rest != "" && strings.IndexByte(defaultOperators, rest[0]) >= 0 {
		rest = rest[1:]
	}
	return rest
}

// bracesReference reads {env:VAR}, {file:path} and {{VAR}} at i.
func bracesReference(v string, i int) (Ref, bool) {
	rest := v[i:]
	if strings.HasPrefix(rest, "{{") {
		end := strings.Index(rest, "}}")
		if end < 0 {
			return Ref{}, false
		}
		inner := strings.TrimSpace(rest[2:end])
		return Ref{Name: lastPart(inner), Syntax: Mustache, Start: i, End: i + end + 2},
			inner != "" && dottedLength(inner) == len(inner)
	}
	end := strings.IndexByte(rest, '}')
	if end < 0 {
		return Ref{}, false
	}
	inner := rest[1:end]
	if name, ok := strings.CutPrefix(inner, "env:"); ok {
		return Ref{Name: name, Syntax: EnvBraces, Start: i, End: i + end + 1}, name != ""
	}
	if name, ok := strings.CutPrefix(inner, "file:"); ok {
		return Ref{Name: name, Syntax: FileBraces, Start: i, End: i + end + 1}, name != ""
	}
	return Ref{}, false
}

// percentReference reads %VAR% at i. Names shorter than three letters are
// percent-encoded bytes of a URL.
func percentReference(v string, i int) (Ref, bool) {
	n := nameLength(v[i+1:])
	end := i + 1 + n
	if n < 3 || ascii.IsDigit(v[i+1]) || end >= len(v) || v[end] != '%' {
		return Ref{}, false
	}
	return Ref{Name: v[i+1 : end], Syntax: Percent, Start: i, End: end + 1}, true
}

// closing returns the offset of the bracket that closes the one at the start
// of text, or -1.
func closing(text string, open, shut byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case open:
			depth++
		case shut:
			depth--
			if depth == 0 {
				return i
			}
		}
	}
	return -1
}

// lastPart returns what follows the last "." ("secrets.TOKEN" is TOKEN).
func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// nameLength counts the leading letters, digits and underscores.
func nameLength(text string) int {
	n := 0
	for n < len(text) && (ascii.IsAlphanumeric(text[n]) || text[n] == '_') {
		n++
	}
	return n
}

// idLength counts the leading characters that may occur in ids of inputs.
func idLength(text string) int {
	n := dottedLength(text)
	for n < len(text) && text[n] == '-' {
		n += 1 + dottedLength(text[n+1:])
	}
	return n
}

// dottedLength counts the leading letters, digits, underscores and dots.
func dottedLength(text string) int {
	n := 0
	for n < len(text) && (ascii.IsAlphanumeric(text[n]) || text[n] == '_' || text[n] == '.') {
		n++
	}
	return n
}
