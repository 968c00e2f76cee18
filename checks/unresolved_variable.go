package checks

import (
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/dialect"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/repair"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// unresolvedVariable finds a variable that reaches the server as it is written, because no client
// of the file expands it.
var unresolvedVariable = &rule.Rule{
	ID:       "unresolved-variable",
	Title:    "a variable that the client does not expand",
	Severity: rule.Warning,
	Fix:      rule.Safe,
	Reads:    reads.NotTestData,
	Run:      runUnresolvedVariable,
}

func runUnresolvedVariable(p *rule.Pass) {
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
			continue // a placeholder may look like a variable
		}
		reportBeside(p, doc)
		reportOutside(p, doc, loaders[0])
		inputs, idle := repair.InputsOf(doc), &repair.IdleInputs{Doc: doc}
		words := dialect.For(loaders[0], doc.Format)
		for _, s := range doc.Servers {
			reportEmptyCredential(p, s)
			reportHome(p, s, loaders[0])
			for _, v := range repair.FirstOfEach(variables(s, words, inputs)) {
				v.Copied = generated[s.Name]
				f := judgeVariable(s, &v, loaders, inputs)
				if f.Fixes = repair.FixVariable(s, &v, inputs, idle); f.Fixes == nil {
					f.NoFixReason = repair.NoFixForVariable(s, &v, idle)
				}
				f.Group = groupOfEntry(s, &v, loaders[0], len(f.Fixes) > 0)
				p.Report(f)
			}
		}
	}
}

// groupOfEntry joins the variables of an entry that are written in one syntax and are no
// client's own: one cause, and fixed at each place, or at none.
func groupOfEntry(s *mcp.Server, v *repair.Variable, c *mcp.Client, isFixed bool) rule.Group {
	if mcp.IsClientVariable(v.Ref.Name) {
		return rule.Group{}
	}
	key := wording.Say("%s %d %s %t", s.Document.Format, s.NameSpan.Start, v.Ref.Syntax, isFixed)
	also := wording.Say("%s is not expanded either", v.Word.Text)
	if v.Ref.Syntax == secret.Input && c.In(s.Document.Format).Expands(secret.Input) {
		also = wording.Say("%s is not declared either", v.Word.Text)
	}
	if v.Ref.Syntax != secret.Input && !v.Copied {
		also += ": " + insteadOf(c, s, v)
	}
	return rule.Group{Key: key, Message: also, FixesEach: true}.Within(s.Document.File.Path)
}

// reportBeside reports the first variable of each entry that its own client expands, but not a
// client that also reads the file and has no file of its own with the server.
func reportBeside(p *rule.Pass, doc *mcp.Document) {
	own := dialect.For(doc.Loaders()[0], doc.Format)
	for _, c := range doc.Beside {
		words := dialect.For(c, doc.Format)
		isLost := func(ref secret.Ref) bool {
			return own.Expansion(ref, nil) == dialect.Expands && words.Expansion(ref, nil) == dialect.LeavesAsIs
		}
		for _, s := range doc.Servers {
			lost := repair.VariablesThat(s, isLost)
			if len(lost) == 0 || !s.IsStarted() || isInFileOf(p.Project, c, s.Name) {
				continue
			}
			f := rule.At(s)
			f.Span, f.Severity = lost[0].Word.Span, rule.Note
			f.Message = wording.Say("%s also reads this file, but does not expand %s in it", c.Title, lost[0].Word.Text)
			f.Help = wording.Say("add %q to a file of %s's own", s.Name, c.Title)
			p.Report(f)
		}
	}
}

// reportOutside reports the first reference of each entry to a file outside of the repository
// without which its client does not start at all: "bad file reference" of opencode 1.18.33,
// 2026-11-28.
func reportOutside(p *rule.Pass, doc *mcp.Document, c *mcp.Client) {
	words := dialect.For(c, doc.Format)
	if doc.Scope != mcp.ScopeProject || doc.IsPersonal || !reads.InUse.Has(doc) || !c.Reading(doc.Format).Fatal || !words.Expands(secret.FileBraces) {
		return
	}
	isOutside := func(ref secret.Ref) bool {
		return ref.Syntax == secret.FileBraces && (strings.HasPrefix(ref.Name, "~") || strings.HasPrefix(ref.Name, "/") || identity.HasDrive(ref.Name))
	}
	for _, s := range doc.Servers {
		if all := repair.VariablesThat(s, isOutside); len(all) > 0 {
			f := rule.At(s)
			f.Span, f.Severity = all[0].Word.Span, rule.Note
			f.Message = wording.Say("%s itself does not start on a machine without the file %s, which %q reads", c.Title, secret.Mask(all[0].Ref.Name), s.Name)
			f.Help = "write a variable instead, such as {env:NAME}"
			p.Report(f)
		}
	}
}

// isInFileOf reports whether a file of a client's own has a server of a name.
func isInFileOf(project *mcp.Project, c *mcp.Client, name string) bool {
	return slices.ContainsFunc(project.Documents, func(d *mcp.Document) bool {
		isName := func(s *mcp.Server) bool { return s.Name == name }
		return slices.Contains(d.Loaders(), c) && slices.ContainsFunc(d.Servers, isName)
	})
}

// reportHome reports the first path of a program, its script or its directory that begins with
// "~", if the client is known to start programs without a shell and to leave "~" as it is. A
// program may expand "~" in its own arguments.
func reportHome(p *rule.Pass, s *mcp.Server, c *mcp.Client) {
	home, isKept := dialect.For(c, s.Document.Format).Home()
	if !isKept || !s.IsStarted() || s.Launch.IsRemote() {
		return
	}
	for _, w := range startingPaths(s, c) {
		if !strings.HasPrefix(w.Text, "~/") || strings.Contains(w.Text, " ") {
			continue
		}
		instead := "write a program that is on PATH, or a path from the project"
		if home != "" {
			instead = "write " + home + secret.Mask(w.Text[1:])
		}
		f := rule.At(s)
		f.Span = w.Span
		f.Message = wording.Say("%s does not expand \"~\", so it does not find %s", c.Title, secret.Mask(w.Text))
		f.Help = instead
		p.Report(f)
		return
	}
}

// startingPaths returns the words of a launch that the client, or an interpreter that it
// starts, opens as they are.
func startingPaths(s *mcp.Server, c *mcp.Client) []identity.Word {
	l := &s.Launch
	words := []identity.Word{l.Command}
	if len(c.Fields.Cwd) > 0 {
		words = append(words, l.Cwd)
	}
	if s.Identity.Kind != identity.FileKind {
		return words
	}
	if parts := s.Resolved().Parts(); parts.Expands || len(parts.Lines) > 0 {
		return words
	}
	for _, arg := range l.Args {
		if arg.Span == s.Identity.Span {
			words = append(words, arg)
		}
	}
	return words
}

// reportEmptyCredential reports a header that has a scheme and nothing after it: what remained of
// "Bearer ${TOKEN}" when the variable was not set.
func reportEmptyCredential(p *rule.Pass, s *mcp.Server) {
	if !s.IsStarted() || !reads.InUse.Has(s.Document) {
		return
	}
	for _, h := range s.Launch.Headers {
		scheme := strings.TrimSpace(h.Value.Text)
		if strings.EqualFold(h.Name.Text, "Authorization") && (strings.EqualFold(scheme, "Bearer") || strings.EqualFold(scheme, "Basic")) {
			f := rule.At(s)
			if !h.Value.Span.IsZero() {
				f.Span = h.Value.Span
			}
			f.Message = wording.Say("the header %s of %q is only %q, so the credential is missing", h.Name.Text, s.Name, scheme)
			f.Help = "add a reference to the credential"
			p.Report(f)
		}
	}
}

// variables returns the references of a server that its client must expand and does not, by its
// syntax. A shell expands them in its own text, and mcp-remote in its headers.
func variables(s *mcp.Server, words dialect.Dialect, inputs map[string]bool) []repair.Variable {
	return repair.VariablesThat(s, func(ref secret.Ref) bool { return words.Expansion(ref, inputs) == dialect.LeavesAsIs })
}

// judgeVariable reports a variable that the client which a file is made for, the first that loads
// it, does not expand: the server fails in that client. The message names another client that
// does.
func judgeVariable(s *mcp.Server, v *repair.Variable, loaders []*mcp.Client, inputs map[string]bool) rule.Finding {
	owner := loaders[0]
	f := rule.At(s)
	f.Span = v.Word.Span
	unlike := ""
	for _, other := range loaders[1:] {
		if dialect.For(owner, s.Document.Format).LacksForm(v.Ref) {
			break // what others do with such a form was not tried
		}
		if dialect.For(other, s.Document.Format).Expansion(v.Ref, inputs) == dialect.Expands {
			unlike = wording.Say(" (%s does)", other.Title)
			break
		}
	}
	f.Message, f.Help = variableTexts(owner, s, v, unlike)
	if s.Document.IsSecondary {
		f.Severity = rule.Note
	}
	return f
}

// variableTexts returns what is wrong and what to write; unlike names another client that expands
// the variable.
func variableTexts(c *mcp.Client, s *mcp.Server, v *repair.Variable, unlike string) (message, help string) {
	if v.Ref.Syntax == secret.Input && c.In(s.Document.Format).Expands(secret.Input) {
		if id := repair.InputInOtherCase(s.Document, v.Ref.Name); id != "" {
			return wording.Say("%s never asks for the input %q, because \"inputs\" declares %q", c.Title, v.Ref.Name, id), wording.Say("write ${input:%s}", id)
		}
		return wording.Say("%s never asks for the input %q, because \"inputs\" does not declare it", c.Title, v.Ref.Name), wording.Say("add %q to \"inputs\"", v.Ref.Name)
	}
	effect := "those characters instead of a value"
	if v.Value.Kind == mcp.EnvFileValue {
		effect = "nothing from that file"
	}
	message = wording.Say("%s does not expand %s%s, so the server receives %s", c.Title, v.Word.Text, unlike, effect)
	if dialect.For(c, s.Document.Format).LacksDefault(v.Ref) {
		message = wording.Say("%s does not support the default in %s%s, so the server receives neither it nor the variable", c.Title, v.Word.Text, unlike)
	}
	if dialect.For(c, s.Document.Format).LooksUpWhole(v.Ref) {
		message = wording.Say("%s looks up a variable with the name %q%s, so the server receives nothing", c.Title, v.Ref.Name, unlike)
	}
	if dialect.For(c, s.Document.Format).CutsDefault(v.Ref) {
		message = wording.Say("%s ends the default in %s at its first brace%s, so the rest follows as text", c.Title, v.Word.Text, unlike)
	}
	if v.Copied {
		// What is right here is wrong where the generator copies it to.
		return message, "remove the variable here, and let everyone set it on their machine"
	}
	return message, insteadOf(c, s, v)
}

// insteadOf says what to write for a variable in a client's file.
func insteadOf(c *mcp.Client, s *mcp.Server, v *repair.Variable) string {
	if secret.Hides(v.Ref.Name) { // text made of such a name would show its secret
		return "write the value in a copy of the file that is not committed"
	}
	takes, name := dialect.For(c, s.Document.Format), repair.OwnName(c, v)
	switch reference := takes.Credential(name); {
	case v.Ref.Syntax == secret.BareInput && takes.Expands(secret.Input):
		return "write ${input:" + v.Ref.Name + "}"
	case takes.CutsDefault(v.Ref):
		return "write a default without a variable, or none"
	case v.Ref.Syntax == secret.FileColon:
		return "let the server read the file, or write a variable with its contents"
	case takes.LacksHyphen(v.Ref):
		return "write " + takes.WithDefault(v.Ref.Name, v.Ref.Default)
	case mcp.IsClientVariable(v.Ref.Name):
		return insteadOfClients(c, s, v)
	case dialect.IsOddlyNamed(v.Ref):
		return "use a variable whose name has only letters, digits, and underscores"
	case reference != "" && repair.HasDefault(v.Ref) && !takes.TakesDefaults():
		return wording.Say("write %s, which cannot have a default", reference)
	case reference != "":
		return "write " + reference
	case len(c.HeadersBy) > 0 && v.Value.Kind == mcp.HeaderValue:
		return "add the variable to " + wording.JoinWith(wording.InQuotes(c.HeadersBy), "or") + ofItsOwn(c, s)
	case s.Launch.IsRemote(): // no program is started that could read it
	case len(c.EnvBy) > 0 && repair.IsRenamed(v):
		return wording.Say("write %s, and set %s where %s runs, which passes variables on only under their own names", handedOn(c, s, v.Value.Name), v.Value.Name, c.Title)
	case len(c.EnvBy) > 0:
		return wording.Say("write %s, and let the server read the variable", handedOn(c, s, name))
	}
	return "write the value in a copy of the file that is not committed"
}

// handedOn writes a variable into the list of those that a client passes on, in the syntax of the
// file.
func handedOn(c *mcp.Client, s *mcp.Server, name string) string {
	switch own := ofItsOwn(c, s); {
	case own != "":
		return wording.Say("%q: [%q]%s", c.EnvBy[0], name, own)
	case path.Ext(s.Document.File.Path) == ".json":
		return wording.Say("%q: [%q]", c.EnvBy[0], name)
	}
	return wording.Say("%s = [%q]", c.EnvBy[0], name)
}

// ofItsOwn says that a client needs a file of its own if others read this one: they do not know
// its syntax.
func ofItsOwn(c *mcp.Client, s *mcp.Server) string {
	if !s.Document.IsSecondary {
		return ""
	}
	return wording.Say(" in a file of %s's own", c.Title)
}

// insteadOfClients does so for a variable that another client fills in.
func insteadOfClients(c *mcp.Client, s *mcp.Server, v *repair.Variable) string {
	takes := dialect.For(c, s.Document.Format)
	home := takes.Variable("HOME")
	switch dir := takes.ProjectDir(); {
	case v.Ref.Name == "userHome" && home != "":
		return "write " + home
	case v.Ref.Name == "pathSeparator":
		return "write /"
	case v.Ref.Name == "execPath" || v.Ref.Name == "workspaceFolderBasename":
		return "write the value itself"
	case repair.IsMount(s, v.Word) || strings.Contains(v.Value.Word.Text, "://"):
		return "start the server from a script of the project, and write the path in that"
	case dir != "":
		return "write " + dir + " or a relative path"
	case !c.NoOthers:
		return "write the path in a copy of the file that is not committed" // where it starts a server is not known
	}
	return "write a relative path"
}
