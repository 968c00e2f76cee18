package repair

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/syntax"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// isOfCommand reports whether a refusal is about how a program and its arguments are
// written: in one text, or as a list where the client wants them apart, or the reverse.
func isOfCommand(r *mcp.Refusal) bool {
	c := r.Clients[0]
	isArgs := slices.Contains(c.Fields.Args, r.Member)
	switch r.Reason {
	case mcp.CommandLine:
		return true
	case mcp.MemberKind:
		return isArgs && r.Kind == syntax.String ||
			slices.Contains(c.Fields.Command, r.Member) && (r.Kind == syntax.Array || r.Kind == syntax.String)
	case mcp.LostMember: // next to a list that also has the program
		return r.Member == "args" && len(c.Fields.Args) == 0
	}
	return false
}

// fixCommand writes the program and the arguments of an entry as the clients of its file
// read them, every word as it is, or returns why it does not.
func fixCommand(s *mcp.Server, r *mcp.Refusal, entry *syntax.Node) (fixes []rule.Fix, noFixReason string) {
	c := r.Clients[0]
	isOther := func(other *mcp.Client) bool {
		return takesList(other) != takesList(c) || !slices.Equal(other.Fields.Command, c.Fields.Command) || !slices.Equal(other.Fields.Args, c.Fields.Args)
	}
	if entry == nil || slices.ContainsFunc(s.Document.Loaders(), isOther) {
		return nil, "the clients of the file may read the program and its arguments in different ways"
	}
	command, args := firstOf(entry, c.Fields.Command), firstOf(entry, append(slices.Clone(c.Fields.Args), "args"))
	program, ok := programWords(command)
	if !ok || len(program) > rule.MaxEdits {
		return nil, "mcplumb cannot tell where the program and each argument end"
	}
	words, ok := argumentWords(args)
	if ok {
		ok = args == nil || args.Kind != syntax.String || isSplitForSure(s, program, words)
	}
	if !ok {
		return nil, "mcplumb cannot tell where each argument ends"
	}
	if id := identityOf(s, append(slices.Clone(program), words...)); id.Kind == identity.Opaque || id.Kind == identity.None {
		return nil, "mcplumb cannot tell what the entry would run then"
	}
	return []rule.Fix{commandFix(s, takesList(c), command, args, program, words)}, ""
}

// commandFix writes the words where they go: all of them in the list, or the first as the
// program and the others in front of the arguments.
func commandFix(s *mcp.Server, isList bool, command, args *syntax.Node, program, words []string) rule.Fix {
	file := s.Document.File
	if isList {
		fix := rule.Fix{Title: "write the program and its arguments as one list", Safety: rule.Unsafe}
		fix.Edits = append(fix.Edits, edit.Replace(file, edit.Handle(command), edit.Strings(append(program, words...)...)))
		if args != nil {
			fix.Edits = append(fix.Edits, edit.Remove(file, edit.Handle(args)))
		}
		return fix
	}
	name := s.Document.Loaders()[0].Fields.Args[0]
	fix := rule.Fix{Title: wording.Say("move the arguments to %q", name), Safety: rule.Unsafe}
	if command.Kind != syntax.String || command.Text != program[0] {
		fix.Edits = append(fix.Edits, edit.Replace(file, edit.Handle(command), edit.String(program[0])))
	}
	switch all := edit.Strings(append(slices.Clone(program[1:]), words...)...); {
	case args == nil:
		fix.Edits = append(fix.Edits, edit.Insert(file, EntryOf(s), name, all, edit.Where{Place: edit.After, Beside: edit.Handle(command)}))
	case args.Kind == syntax.String || len(args.Nodes) == 0:
		fix.Edits = append(fix.Edits, edit.Replace(file, edit.Handle(args), all))
	default: // comments stay next to the existing arguments
		for _, word := range program[1:] {
			fix.Edits = append(fix.Edits, edit.Append(file, edit.Handle(args), edit.String(word),
				edit.Where{Place: edit.Before, Beside: edit.Handle(args.Nodes[0])}))
		}
	}
	return fix
}

// takesList reports whether a client has the program and its arguments in one list.
func takesList(c *mcp.Client) bool {
	kinds := c.Fields.CommandKinds
	if c.Schema != nil && len(c.Fields.Command) > 0 && c.Schema.Member(c.Fields.Command[0]) != nil {
		kinds = c.Schema.Member(c.Fields.Command[0]).Kinds
	}
	return kinds == mcp.Arrays
}

// firstOf returns the first of the members that an entry has, nil if it has none.
func firstOf(entry *syntax.Node, names []string) *syntax.Node {
	for _, name := range names {
		if m := entry.Get(name); m != nil {
			return m
		}
	}
	return nil
}

// programWords returns the words of a command: a program, one with its arguments in a
// list or in one text. A path may have a blank, so it must be clear where the program ends in a
// text: it is known to start others, or an option follows it.
func programWords(command *syntax.Node) (words []string, ok bool) {
	switch {
	case command == nil:
		return nil, false
	case command.Kind == syntax.Array:
		words, ok = stringsIn(command)
		return words, ok && len(words) > 0
	case command.Kind != syntax.String || isForShell(command.Text):
		return nil, false
	}
	words = strings.Fields(command.Text)
	switch {
	case len(words) == 0 || strings.Contains(words[0], "="):
		return nil, false
	case len(words) == 1:
		return []string{command.Text}, words[0] == command.Text
	}
	isLauncher := !strings.Contains(words[0], "/") && identity.IsLauncher(words[0])
	return words, isLauncher || isDashed(words[1])
}

// argumentWords returns the words of arguments in a list or in one text.
func argumentWords(args *syntax.Node) (words []string, ok bool) {
	switch {
	case args == nil || args.Kind == syntax.Null:
		return nil, args == nil
	case args.Kind == syntax.Array:
		return stringsIn(args)
	case args.Kind == syntax.String && !isForShell(args.Text):
		return strings.Fields(args.Text), true
	}
	return nil, false
}

// isSplitForSure reports whether arguments in one text are several: as one argument, the program
// would not accept them.
func isSplitForSure(s *mcp.Server, program, words []string) bool {
	if len(words) < 2 || isDashed(words[0]) || isDashed(words[1]) {
		return true
	}
	id := identityOf(s, append(slices.Clone(program), words...))
	return id.IsPackage()
}

// identityOf returns what an entry would run with other words.
func identityOf(s *mcp.Server, words []string) identity.Identity {
	l := s.Launch
	l.Command, l.Args = identity.Word{Text: words[0]}, nil
	for i, word := range words[1:] {
		l.Args = append(l.Args, identity.Word{Text: word, Span: syntax.Span{Start: i + 1, End: i + 2}})
	}
	return identity.Resolve(&l, &s.Document.Context)
}

// stringsIn returns the elements of a list of texts; ok is false if one of them is not a text.
func stringsIn(list *syntax.Node) (texts []string, ok bool) {
	for _, n := range list.Nodes {
		if n.Kind != syntax.String {
			return nil, false
		}
		texts = append(texts, n.Text)
	}
	return texts, true
}

// isForShell reports whether a text has something in it that only a shell, or what fills
// in variables, makes into words.
func isForShell(text string) bool { return strings.ContainsAny(text, "\"'`\\|&;<>()[]{}$%*?~#!^\n\r") }

// isDashed reports whether a word can only be an option.
func isDashed(word string) bool { return strings.HasPrefix(word, "-") && len(word) > 1 }
