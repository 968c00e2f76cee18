package repair

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// textReader says what reads the values of a server: the client alone, or also a program after it
// for which "${NAME}" is code: a shell, an interpreter, make.
type textReader struct {
	server *mcp.Server
	// Of the launch, and of the last value, which may hold very many variables, computed on first
	// use.
	parts *identity.Parts
	last  identity.Word
	plain bool
	// blanks is from the first blank of the last command to the last one, -1 for none.
	command identity.Word
	blanks  [2]int
}

func (r *textReader) launch() *identity.Parts {
	if r.parts == nil {
		parts := r.server.Resolved().Parts()
		r.parts = &parts
	}
	return r.parts
}

// isPlain reports whether nothing around the variables of a value can be code.
func (r *textReader) isPlain(v mcp.Value) bool {
	if r.last != v.Word {
		r.last, r.plain = v.Word, isPlain(v.Word.Text)
	}
	return r.plain
}

// isForOthers reports whether a reference in a value is for what the client starts, which
// expands it: a shell, mcp-remote in its arguments, an interpreter in its code.
func (r *textReader) isForOthers(v mcp.Value, ref secret.Ref) bool {
	isLine := v.Kind == mcp.CommandValue && r.hasArguments(v.Word, ref)
	if v.Kind != mcp.ArgumentValue && !isLine || ref.Syntax == secret.Input {
		return false
	}
	isHeader := v.Kind == mcp.ArgumentValue && r.server.Identity.Bridge != nil && ref.Syntax.Family() == secret.Braced
	return isHeader || r.launch().Expands || len(r.launch().Lines) > 0 || r.isCode(v)
}

// hasArguments reports whether a command has a blank next to a reference in it.
func (r *textReader) hasArguments(command identity.Word, ref secret.Ref) bool {
	if r.command != command {
		r.command, r.blanks = command, [2]int{strings.IndexByte(command.Text, ' '), strings.LastIndexByte(command.Text, ' ')}
	}
	first, last := r.blanks[0], r.blanks[1]
	return first >= 0 && (first < ref.Start || last >= ref.End)
}

// isCode reports whether an argument is code: what an interpreter gets, or what an unknown program
// may get, as "su -c" and "concurrently" are.
func (r *textReader) isCode(v mcp.Value) bool {
	if v.Kind != mcp.ArgumentValue {
		return false
	}
	if r.isLaunched() {
		holds := func(code identity.Word) bool { return v.Word.Span.Contains(code.Span) }
		return slices.ContainsFunc(r.launch().Code, holds)
	}
	option, _, hasValue := strings.Cut(v.Word.Text, "=")
	if !hasValue || !strings.HasPrefix(option, "-") {
		option = v.Name
	}
	mayBe := slices.Contains(codeOptions, strings.TrimLeft(option, "-")) || option == "" && !r.isKnown()
	return mayBe && !r.isPlain(v)
}

// codeOptions are options that many programs have for code or a command line.
var codeOptions = []string{"c", "e", "p", "x", "command", "eval", "exec", "execute", "print", "run"}

// isLaunched reports whether a launcher or a bridge that mcplumb knows reads the arguments.
func (r *textReader) isLaunched() bool {
	return r.server.Identity.Launcher != "" || r.server.Identity.Bridge != nil
}

// isKnown reports whether it is known what reads the arguments, a program with a directory
// of its own included. One that is installed on the machine may read them in any way: jq, grep, su.
func (r *textReader) isKnown() bool {
	command := r.server.Launch.Command.Text
	hasDirectory := strings.ContainsAny(command, `/\`) && command[0] != '/' && !(len(command) > 1 && command[1] == ':')
	return hasDirectory || r.isLaunched()
}

// isText reports whether a value is surely text to the program that gets it in the end, so that
// what the client fills in is a part of that text and of no code: a variable by itself,
// in a path, an address or an option, behind the scheme of a header.
func (r *textReader) isText(v mcp.Value) bool {
	switch v.Kind {
	case mcp.HeaderValue, mcp.URLValue, mcp.DirectoryValue, mcp.EnvFileValue:
		return true
	case mcp.ArgumentValue:
		return r.isKnown() && len(r.launch().Code) == 0 && r.isPlain(v) && !r.hasEntrypoint()
	}
	return r.isPlain(v)
}

// hasEntrypoint reports whether a container runs a program other than that of its image, such as a
// shell: it is not known how that reads the arguments.
func (r *textReader) hasEntrypoint() bool {
	return slices.ContainsFunc(r.server.Launch.Args, func(arg identity.Word) bool {
		value, ok := strings.CutPrefix(arg.Text, "--entrypoint")
		return ok && (value == "" || value[0] == '=')
	})
}

// isPlain does so for a text.
func isPlain(text string) bool {
	text = withoutScheme(text)
	var around strings.Builder
	last := 0
	for ref, ok := secret.NextReference(text, 0); ok; ref, ok = secret.NextReference(text, ref.End) {
		if ref.Syntax == secret.Command {
			return false
		}
		around.WriteString(text[last:ref.Start])
		last = ref.End
	}
	around.WriteString(text[last:])
	return around.Len() == 0 || ascii.All(around.String(), isPlainByte)
}

// isPlainByte reports whether a byte may occur in paths, URLs and options.
func isPlainByte(c byte) bool {
	return c >= 0x80 || ascii.IsAlphanumeric(c) || strings.IndexByte(`-_./\:@=,+~%?&#`, c) >= 0
}

// withoutScheme returns a text without the part before a credential in a header: an option, the
// header's name, the scheme, as in "--header=Authorization: Bearer ".
func withoutScheme(text string) string {
	if name, value, ok := strings.Cut(text, ": "); ok && ascii.All(name, isPlainByte) {
		text = value
	}
	for _, scheme := range []string{"Basic", "Bearer", "Token"} {
		if ascii.HasPrefixFold(text, scheme+" ") {
			return text[len(scheme)+1:]
		}
	}
	return text
}
