package repair

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/dialect"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// IsMount reports whether a path is one that the server's container mounts.
func IsMount(s *mcp.Server, path identity.Word) bool {
	c := s.Resolved().Parts().Container
	return c != nil && slices.ContainsFunc(c.Mounts, func(m identity.Mount) bool { return m.Source.Span.Contains(path.Span) })
}

// Variable is a reference in a value of a server.
type Variable struct {
	Ref    secret.Ref
	Word   identity.Word // the reference itself
	Value  mcp.Value     // the value that contains it
	reader *textReader   // of that value
	// Again are the other places of the entry that have the same text.
	Again []Variable
	// Copied reports that a generator wrote it, maybe from one source to the files
	// of several clients.
	Copied bool
}

// isText reports whether a variable is in text, everywhere in the entry.
func (v *Variable) isText() bool {
	isCode := func(each Variable) bool { return !v.reader.isText(each.Value) }
	return v.reader.isText(v.Value) && !slices.ContainsFunc(v.Again, isCode)
}

// InputsOf returns the names of the inputs that a document declares.
func InputsOf(doc *mcp.Document) map[string]bool {
	if len(doc.Inputs) == 0 {
		return nil
	}
	names := make(map[string]bool, len(doc.Inputs))
	for _, w := range doc.Inputs {
		names[w.Text] = true
	}
	return names
}

// VariablesThat returns the references of a server for its client that are wanted.
func VariablesThat(s *mcp.Server, isWanted func(secret.Ref) bool) []Variable {
	var found []Variable
	var reader *textReader
	add := func(v mcp.Value) {
		ref, ok := secret.NextReference(v.Word.Text, 0)
		if !ok {
			return // as most values
		}
		isText := meansDollars(v)
		for ; ok; ref, ok = secret.NextReference(v.Word.Text, ref.End) {
			if !isWanted(ref) || ref.Syntax == secret.Bare && (isText || isInWord(v.Word.Text, &ref)) {
				continue
			}
			if reader == nil {
				reader = &textReader{server: s}
			}
			word := v.Word.Part(ref.Start, ref.End)
			// A reference that is not written comes from a member that names a variable.
			if !reader.isForOthers(v, ref) && isWritten(s, word) {
				found = append(found, Variable{Ref: ref, Word: word, Value: v, reader: reader})
			}
		}
	}
	mcp.EachValue(&s.Launch, add)
	add(mcp.Value{Kind: mcp.DirectoryValue, Word: s.Launch.Cwd})
	if readsEnvFile(s.Document) {
		add(mcp.Value{Kind: mcp.EnvFileValue, Word: s.Launch.EnvFile})
	}
	return found
}

// readsEnvFile reports whether the client that a file is made for reads a file of variables.
func readsEnvFile(doc *mcp.Document) bool {
	owner := doc.Owner()
	return owner != nil && owner.Schema != nil && owner.Schema.Member("envFile") != nil
}

// isInWord reports whether "$NAME" stands within a word, as in "S4$DEVICE", where it may as
// well be meant as it is: not in an address, nor behind an option of one letter.
func isInWord(text string, ref *secret.Ref) bool {
	if ref.Start == 0 || strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "http://") {
		return false
	}
	return ascii.IsAlphanumeric(text[ref.Start-1]) && !(ref.Start == 2 && text[0] == '-')
}

// meansDollars reports whether every other "$NAME" of a value may be meant as it is: as an
// item of a list, as in "Z*,$TMP", or among words.
func meansDollars(v mcp.Value) bool {
	text := v.Word.Text
	if !strings.Contains(text, "$") || strings.Contains(text, "://") || secret.IsSecretName(v.Name) {
		return false
	}
	isList := isListOfWords(text)
	isSentence := !strings.Contains(text, " -") && !strings.Contains(text, "${") && !strings.HasPrefix(text, "-")
	for ref, ok := secret.NextReference(text, 0); ok; ref, ok = secret.NextReference(text, ref.End) {
		if ref.Syntax != secret.Bare || isInWord(text, &ref) {
			continue
		}
		before, after := text[:ref.Start], text[ref.End:]
		left, right := strings.TrimRight(before, " "), strings.TrimLeft(after, " ")
		isItem := isList && (left == "" || strings.HasSuffix(left, ",")) && (right == "" || strings.HasPrefix(right, ","))
		amongWords := isSentence && left != "" && left != before && right != "" && right != after
		if secret.IsSecretName(ref.Name) || !isItem && !amongWords {
			return false
		}
	}
	return true
}

// isListOfWords reports whether a value is a list with commas, with an item that is neither a
// variable nor a path.
func isListOfWords(text string) bool {
	if !strings.Contains(text, ",") {
		return false
	}
	for item := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(item) != "" && !strings.ContainsAny(item, `$/\`) {
			return true
		}
	}
	return false
}

// isWritten reports whether the file has a word as it is. The words that are not written replace
// short names.
func isWritten(s *mcp.Server, w identity.Word) bool {
	const longest = 4096
	span := w.Span
	return span.End-span.Start > longest || strings.Contains(string(s.Document.File.Bytes[span.Start:span.End]), w.Text)
}

// OwnName returns the name under which a client takes the value of a variable from the environment:
// its own name, else that of the variable whose value it is, NAME=${input:x}.
func OwnName(c *mcp.Client, v *Variable) string {
	if v.Ref.Syntax.IsOfEnvironment() && dialect.IsIdentifier(v.Ref.Name) {
		return dialect.PassedName(c, v.Ref.Name)
	}
	before, _, _ := strings.Cut(v.Value.Word.Text, v.Word.Text)
	if name, isSet := strings.CutSuffix(before, "="); isSet && dialect.IsIdentifier(name) {
		return dialect.PassedName(c, name)
	}
	return dialect.VariableName(c, v.Ref.Name)
}

// FirstOfEach joins repetitions in an entry: a variable is fixed at all of its places or at
// none.
func FirstOfEach(all []Variable) []Variable {
	if len(all) < 2 {
		return all
	}
	first := make(map[string]int, len(all))
	var list []Variable
	for _, v := range all {
		if at, known := first[v.Word.Text]; known {
			list[at].Again = append(list[at].Again, v)
			continue
		}
		first[v.Word.Text] = len(list)
		list = append(list, v)
	}
	return list
}
