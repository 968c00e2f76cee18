package checks

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/dialect"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// unresolvedVariable finds a variable that reaches the server as it is written,
// because no client of the file expands it.
var unresolvedVariable = &Rule{
	ID:       "unresolved-variable",
	Title:    "a variable that the client does not expand",
	Severity: Warning,
	Fix:      Safe,
	Reads:    notTestData,
	Run:      runUnresolvedVariable,
}

func runUnresolvedVariable(p *Pass) {
	generated := map[string]bool{} // names that a generator copies to clients' files
	for _, doc := range p.Project.Documents {
		for _, s := range doc.Servers {
			if doc.Scope == mcp.ScopeGenerator {
				generated[s.Name] = true
			}
		}
	}
	for doc := range p.Documents() {
		loaders := doc.Loaders()
		if len(loaders) == 0 || doc.Sample {
			continue // what is to be filled in may be written like a variable
		}
		inputs, idle := inputsOf(doc), &idleInputs{doc: doc}
		words := dialect.For(loaders[0], doc.Format)
		for _, s := range doc.Servers {
			reportEmptyCredential(p, s)
			for _, v := range firstOfEach(variables(s, words, inputs)) {
				v.copied = generated[s.Name]
				f := judgeVariable(s, &v, loaders, inputs)
				if f.Fixes = fixVariable(s, &v, inputs, idle); f.Fixes == nil {
					f.NoFixReason = noFixForVariable(s, &v, idle)
				}
				p.Report(f)
			}
		}
	}
}

// reportEmptyCredential reports a header that has a scheme and nothing behind it:
// what became of "Bearer ${TOKEN}" where nobody had set the variable.
func reportEmptyCredential(p *Pass, s *mcp.Server) {
	if !s.IsStarted() || !inUse.has(s.Document) {
		return
	}
	for _, h := range s.Launch.Headers {
		scheme := strings.TrimSpace(h.Value.Text)
		if strings.EqualFold(h.Name.Text, "Authorization") && (strings.EqualFold(scheme, "Bearer") || strings.EqualFold(scheme, "Basic")) {
			f := at(s)
			if !h.Value.Span.IsZero() {
				f.Span = h.Value.Span
			}
			f.Message = say("the header %s of %q is %q and nothing else, so the credential is missing: add a reference to it", h.Name.Text, s.Name, scheme)
			p.Report(f)
		}
	}
}

// variable is a reference in a value of a server.
type variable struct {
	ref    secret.Ref
	word   identity.Word // the reference itself
	value  value         // what it is in
	reader *textReader   // of what it is in
	// again are the other places of the entry that have the same text.
	again []variable
	// copied reports that a generator wrote it, maybe from one source to the files
	// of several clients.
	copied bool
}

// isText reports whether a variable stands in text, wherever the entry has it.
func (v *variable) isText() bool {
	isCode := func(each variable) bool { return !v.reader.isText(each.value) }
	return v.reader.isText(v.value) && !slices.ContainsFunc(v.again, isCode)
}

// inputsOf returns the names of the inputs that a document declares.
func inputsOf(doc *mcp.Document) map[string]bool {
	if len(doc.Inputs) == 0 {
		return nil
	}
	names := make(map[string]bool, len(doc.Inputs))
	for _, w := range doc.Inputs {
		names[w.Text] = true
	}
	return names
}

// variables returns the references of a server that a client would have to
// expand and does not, by its words. Others do so for text that goes to a shell, and
// mcp-remote for its headers.
func variables(s *mcp.Server, words dialect.Dialect, inputs map[string]bool) []variable {
	return variablesThat(s, func(ref secret.Ref) bool { return words.Expansion(ref, inputs) == dialect.LeavesAsIs })
}

// variablesThat returns the references of a server for its client that are wanted.
func variablesThat(s *mcp.Server, isWanted func(secret.Ref) bool) []variable {
	var found []variable
	var reader *textReader
	add := func(v value) {
		ref, ok := secret.NextReference(v.word.Text, 0)
		if !ok {
			return // as most values
		}
		isText := meansDollars(v)
		for ; ok; ref, ok = secret.NextReference(v.word.Text, ref.End) {
			if !isWanted(ref) || ref.Syntax == secret.Bare && (isText || isInWord(v.word.Text, &ref)) {
				continue
			}
			if reader == nil {
				reader = &textReader{server: s}
			}
			word := v.word.Part(ref.Start, ref.End)
			// A reference that nobody wrote comes from a member that names a variable.
			if !reader.isForOthers(v, ref) && isWritten(s, word) {
				found = append(found, variable{ref: ref, word: word, value: v, reader: reader})
			}
		}
	}
	eachValue(&s.Launch, add)
	add(value{role: directoryValue, word: s.Launch.Cwd})
	return found
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
func meansDollars(v value) bool {
	text := v.word.Text
	if !strings.Contains(text, "$") || strings.Contains(text, "://") || secret.IsSecretName(v.name) {
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

// isListOfWords reports whether a value is a list with commas of which an item is neither
// a variable nor a path.
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

// firstOfEach joins what an entry repeats: a variable that a client does not expand is
// mended everywhere in it or nowhere.
func firstOfEach(all []variable) []variable {
	if len(all) < 2 {
		return all
	}
	first := make(map[string]int, len(all))
	var list []variable
	for _, v := range all {
		if at, known := first[v.word.Text]; known {
			list[at].again = append(list[at].again, v)
			continue
		}
		first[v.word.Text] = len(list)
		list = append(list, v)
	}
	return list
}

// isWritten reports whether a word stands in the file as it is. The words that
// nobody wrote are in the place of short names.
func isWritten(s *mcp.Server, w identity.Word) bool {
	const longest = 4096
	span := w.Span
	return span.End-span.Start > longest || strings.Contains(string(s.Document.File.Bytes[span.Start:span.End]), w.Text)
}

// judgeVariable reports a variable that the client which a file is made for, the
// first that loads it, does not expand: there the server fails. Another one that
// does expand it is named.
func judgeVariable(s *mcp.Server, v *variable, loaders []*mcp.Client, inputs map[string]bool) Finding {
	owner := loaders[0]
	f := at(s)
	f.Span = v.word.Span
	unlike := ""
	for _, other := range loaders[1:] {
		if dialect.For(other, s.Document.Format).Expansion(v.ref, inputs) == dialect.Expands {
			unlike = say(" (%s does)", other.Title)
			break
		}
	}
	f.Message = variableMessage(owner, s, v, unlike)
	if s.Document.IsSecondary {
		f.Severity = Note
	}
	return f
}

// variableMessage says what is wrong and what to write; unlike names another client
// that expands the variable.
func variableMessage(c *mcp.Client, s *mcp.Server, v *variable, unlike string) string {
	if v.ref.Syntax == secret.Input && c.In(s.Document.Format).Expands(secret.Input) {
		if id := inputInOtherCase(s.Document, v.ref.Name); id != "" {
			return say("the input %q is not declared, so %s never asks for it: %q is, so write ${input:%s}", v.ref.Name, c.Title, id, id)
		}
		return say("the input %q is not declared, so %s never asks for it: add it to \"inputs\"", v.ref.Name, c.Title)
	}
	message := say("%s does not expand %s%s, so the server gets that text: ", c.Title, v.word.Text, unlike)
	if dialect.For(c, s.Document.Format).LacksDefault(v.ref) {
		message = say("%s takes no default in %s%s, so the server gets neither that nor the variable: ", c.Title, v.word.Text, unlike)
	}
	if v.copied {
		// What is right here is wrong where the generator copies it to.
		return message + "take it out here, and let everyone set it on their machine"
	}
	return message + insteadOf(c, s, v)
}

// insteadOf says what to write for a variable in a client's file.
func insteadOf(c *mcp.Client, s *mcp.Server, v *variable) string {
	if secret.Hides(v.ref.Name) { // what is made of it would show it
		return "write the value in a copy of the file that is not committed"
	}
	takes, name := dialect.For(c, s.Document.Format), ownName(c, v)
	switch reference := takes.Credential(name); {
	case v.ref.Syntax == secret.BareInput && takes.Expands(secret.Input):
		return "write ${input:" + v.ref.Name + "}"
	case takes.LacksHyphen(v.ref):
		return "write " + takes.WithDefault(v.ref.Name, v.ref.Default)
	case mcp.IsClientVariable(v.ref.Name):
		return insteadOfClients(c, s, v)
	case dialect.IsOddlyNamed(v.ref):
		return "take a variable whose name has letters, digits and underscores alone"
	case reference != "" && hasDefault(v.ref) && !takes.TakesDefaults():
		return say("write %s, which cannot have a default there", reference)
	case reference != "":
		return "write " + reference
	case len(c.HeadersBy) > 0 && v.value.role == headerValue:
		return "name it in " + strings.Join(c.HeadersBy, " or ")
	case len(c.EnvBy) > 0 && isRenamed(v):
		return say("write %s = [%q] and set %[2]s where %[3]s runs, which passes variables on under their own names only", c.EnvBy[0], v.value.name, c.Title)
	case len(c.EnvBy) > 0:
		return say("name it in %s = [%q] and let the server read it", c.EnvBy[0], name)
	}
	return "write the value in a copy of the file that is not committed"
}

// insteadOfClients does so for a variable that another client fills in.
func insteadOfClients(c *mcp.Client, s *mcp.Server, v *variable) string {
	takes := dialect.For(c, s.Document.Format)
	home := takes.Variable("HOME")
	switch dir := takes.ProjectDir(); {
	case v.ref.Name == "userHome" && home != "":
		return "write " + home
	case v.ref.Name == "pathSeparator":
		return "write /"
	case v.ref.Name == "execPath" || v.ref.Name == "workspaceFolderBasename":
		return "write what it stands for"
	case isMount(s, v.word) || strings.Contains(v.value.word.Text, "://"):
		return "write the path in a script of the project that starts it"
	case dir != "":
		return "write " + dir + " or a relative path"
	case !c.NoOthers:
		return "write the path in a copy of the file that is not committed" // nobody says where it starts a server
	}
	return "write a relative path"
}

// ownName returns the name by which a client takes what a variable stands for from the
// environment: its own, else that of the variable which it is the value of, NAME=${input:x}.
func ownName(c *mcp.Client, v *variable) string {
	if v.ref.Syntax.IsOfEnvironment() && dialect.IsIdentifier(v.ref.Name) {
		return dialect.PassedName(c, v.ref.Name)
	}
	before, _, _ := strings.Cut(v.value.word.Text, v.word.Text)
	if name, isSet := strings.CutSuffix(before, "="); isSet && dialect.IsIdentifier(name) {
		return dialect.PassedName(c, name)
	}
	return dialect.VariableName(c, v.ref.Name)
}
