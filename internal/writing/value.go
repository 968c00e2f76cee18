package writing

import (
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// valuePlace is the part of a launch that a value is of.
type valuePlace uint8

const (
	inCommand valuePlace = iota
	inArgument
	inVariable
	inDirectory
	inURL
	inHeader
)

// use is a reference in a value.
type use struct {
	secret.Ref
	text string // of the reference
	word identity.Word
	in   valuePlace
	// first reports that it begins the value, or what an option in it is set to, and
	// that a path goes on behind it or ends with it.
	first bool
}

// text returns a value with its variables and paths in the client's syntax.
func (w *entryWriter) text(word identity.Word, in valuePlace, name string) string {
	text := w.withoutSecrets(word, in, name)
	ref, ok := secret.NextReference(text, 0)
	if !ok {
		return text
	}
	var b strings.Builder
	last := 0
	for ; ok; ref, ok = secret.NextReference(text, last) {
		b.WriteString(text[last:ref.Start])
		b.WriteString(w.reference(use{
			Ref: ref, text: text[ref.Start:ref.End], word: word, in: in,
			first: beginsPath(text, ref, in) && goesOnAsPath(text[ref.End:]),
		}))
		last = ref.End
	}
	b.WriteString(text[last:])
	return b.String()
}

// beginsPath reports whether a reference begins a value that may be a path, or what
// an option is set to.
func beginsPath(text string, ref secret.Ref, in valuePlace) bool {
	switch in {
	case inURL, inHeader:
		return false
	case inArgument:
		return ref.Start == 0 || strings.HasPrefix(text, "-") && strings.IndexByte(text, '=')+1 == ref.Start
	}
	return ref.Start == 0
}

func goesOnAsPath(rest string) bool {
	return rest == "" || rest[0] == '/' || rest[0] == '\\' || strings.HasPrefix(rest, "${/}")
}

// reference returns a reference in the client's syntax.
func (w *entryWriter) reference(u use) string {
	doc := w.Server.Document
	work := w.Server.Launch.WorkDir(&doc.Context)
	dir, isPath := doc.Context.PathVariable(u.Ref, work)
	switch {
	case isPath && u.Syntax != secret.Command:
		return w.path(u, path.Clean(dir))
	case w.isExpandedLater(u):
		return u.text
	case (u.Syntax == secret.Braced || u.Syntax == secret.Other) && mcp.IsClientVariable(u.Name):
		return w.predefined(u)
	case w.isLiteral(u):
		if w.takes.Expands(u.Syntax) {
			w.RecordLoss(mcp.WouldExpand, u.text, u.word.Span)
		}
		return u.text
	}
	return w.meant(u)
}

// meant returns a reference that is one to the server's own client.
func (w *entryWriter) meant(u use) string {
	switch u.Syntax {
	case secret.Input:
		if w.takes.Expands(secret.Input) {
			if !slices.Contains(w.inputs, u.Name) {
				w.inputs = append(w.inputs, u.Name)
			}
			return u.text
		}
		fallthrough
	case secret.BareInput, secret.UserConfig:
		w.noteAsked(u.word)
		return w.variable(u, identity.VariableName(u.Name))
	case secret.FileColon, secret.FileBraces:
		return w.fileReference(u)
	case secret.Command, secret.Mustache, secret.Expression, secret.Other:
		if w.client != w.from {
			w.loseVariable(u.text, u)
		}
		return u.text
	}
	return w.variable(u, u.Name)
}

// isLiteral reports whether the server gets a reference as it is written, because the client that
// it is configured for is known not to expand it. A reference made from a member that names a
// variable is not literal.
func (w *entryWriter) isLiteral(u use) bool {
	doc := w.Server.Document
	if w.from == nil || u.Syntax == secret.Other || !strings.Contains(string(doc.File.Bytes[u.word.Span.Start:u.word.Span.End]), u.text) {
		return false
	}
	words := w.from.In(doc.Format)
	return words.Knows(u.Syntax) && !words.Expands(u.Syntax)
}

// isExpandedLater reports whether the started program expands a reference itself, with the
// variables that it gets: a shell in its line, mcp-remote in its headers, cmd.
func (w *entryWriter) isExpandedLater(u use) bool {
	if u.in != inArgument && u.in != inCommand {
		return false
	}
	isLine, isBridged := len(w.parts.Lines) > 0, w.Server.Identity.Bridge != nil
	switch u.Syntax.Family() {
	case secret.Braced:
		return isLine || isBridged
	case secret.Bare, secret.Command, secret.PowerShell:
		return isLine
	case secret.Percent:
		return isLine || w.parts.Expands
	}
	return false
}

// variable returns a variable of the environment in the client's syntax.
func (w *entryWriter) variable(u use, name string) string {
	if u.Default == "" && w.takes.Expands(secret.Input) {
		if id := w.to.inputs.Like(name, secret.IsSecretName(name)); id != "" {
			return "${input:" + id + "}"
		}
	}
	plain := w.takes.Credential(name)
	if plain == "" {
		w.loseVariable(name, u)
		return w.unknownVariable(u, name)
	}
	if u.Syntax != secret.BracedDefault && u.Syntax != secret.BracedColon && u.Default == "" {
		return plain
	}
	colon := strings.Index(u.text, name) + len(name)
	isCondition := strings.ContainsAny(strings.TrimPrefix(u.text[colon:], ":")[:1], "?+")
	switch {
	case slices.Contains(w.takes.Syntaxes, secret.BracedDefault) && u.Syntax == secret.BracedDefault:
		return u.text
	case slices.Contains(w.takes.Syntaxes, secret.BracedDefault),
		slices.Contains(w.takes.Syntaxes, secret.BracedColon) && !isCondition && strings.Trim(u.Default, "-=?+") == u.Default:
		return w.takes.WithDefault(name, u.Default)
	}
	w.RecordLoss(mcp.NoDefault, name, u.word.Span)
	return plain
}

// unknownVariable returns a variable if mcplumb cannot tell how the client expands it, or whether
// it does. It writes the form of most clients, because no other client accepts the syntax of the
// server's own.
func (w *entryWriter) unknownVariable(u use, name string) string {
	isAsked := u.Syntax == secret.Input || u.Syntax == secret.UserConfig
	isOthers := u.Syntax == secret.EnvBraces || u.Syntax == secret.EnvColon
	if isAsked || isOthers && u.Default == "" && !w.takes.Knows(secret.Braced) {
		return "${" + name + "}"
	}
	return u.text
}

// wholeVariable returns the variable of the environment that a value consists of, after a prefix.
func (w *entryWriter) wholeVariable(word identity.Word, in valuePlace, name, prefix string) (variable string, ok bool) {
	text, ok := strings.CutPrefix(w.withoutSecrets(word, in, name), prefix)
	ref, found := secret.WholeReference(text)
	isPlain := ref.Default == "" && ref.Syntax != secret.BracedDefault
	if !ok || !found || !isPlain && !hasDefault(text, ref) {
		return "", false
	}
	u := use{Ref: ref, text: text, word: word, in: in}
	if mcp.IsClientVariable(ref.Name) || ref.Name == "PWD" || w.isLiteral(u) {
		return "", false
	}
	switch family := ref.Syntax.Family(); {
	case family == secret.Input, family == secret.UserConfig:
		return identity.VariableName(ref.Name), true
	case ref.Syntax.IsOfEnvironment():
		return ref.Name, true
	case family == secret.Expression:
		return ref.Name, ref.Syntax != secret.Expression
	}
	return "", false
}

// hasDefault reports whether a reference is one with a default, ${NAME:-text}, and no other
// condition of a shell.
func hasDefault(text string, ref secret.Ref) bool {
	_, rest, _ := strings.Cut(text, ref.Name)
	return ref.Default != "" && strings.HasPrefix(strings.TrimPrefix(rest, ":"), "-")
}

// noteNamed notes what is lost where a value is a variable that is named: that a person is
// asked for it, or a default.
func (w *entryWriter) noteNamed(word identity.Word) {
	for ref, ok := secret.NextReference(word.Text, 0); ok; ref, ok = secret.NextReference(word.Text, ref.End) {
		if ref.Default != "" {
			w.RecordLoss(mcp.NoDefault, ref.Name, word.Span)
		}
	}
	w.noteAsked(word)
}

// noteAsked notes that the server's client asks a person for a value, and this one does not.
func (w *entryWriter) noteAsked(word identity.Word) {
	for ref, ok := secret.NextReference(word.Text, 0); ok; ref, ok = secret.NextReference(word.Text, ref.End) {
		if ref.Syntax == secret.Input || ref.Syntax == secret.UserConfig {
			w.RecordLoss(mcp.NotAsked, ref.Name, word.Span)
		}
	}
}

// loseVariable notes a variable that the client does not expand, or that it may not expand.
func (w *entryWriter) loseVariable(name string, u use) {
	reason := mcp.MayNotExpand
	if w.takes.Knows(secret.Braced) {
		reason = mcp.NotExpanded
	}
	w.RecordLoss(reason, name, u.word.Span)
}

// fileReference returns a reference to a file's content. One with a relative path
// starts from another directory in each client.
func (w *entryWriter) fileReference(u use) string {
	text := u.text
	switch {
	case w.takes.Expands(secret.FileColon):
		text = "${file:" + u.Name + "}"
	case w.takes.Expands(secret.FileBraces):
		text = "{file:" + u.Name + "}"
	default:
		w.loseVariable(u.text, u)
		return text
	}
	if w.client != w.from && !strings.HasPrefix(u.Name, "~") && !path.IsAbs(u.Name) {
		w.RecordLoss(mcp.NoPath, u.Name, u.word.Span)
	}
	return text
}

// predefined returns a name that the server's client fills in, if that is one.
func (w *entryWriter) predefined(u use) string {
	isKnown := w.from == nil || slices.Contains(w.from.Predefined, u.Name)
	home := w.takes.Variable("HOME")
	switch {
	case !isKnown:
	case slices.Contains(w.client.Predefined, u.Name):
		return u.text
	case u.Name == "userHome" && u.first && home != "":
		return home
	case (u.Name == "/" || u.Name == "pathSeparator") && isPathSoFar(u):
		return "/"
	}
	w.RecordLoss(mcp.NoPath, u.Name, u.word.Span)
	return u.text
}

// isPathSoFar reports whether a value begins as a path does.
func isPathSoFar(u use) bool {
	ref, ok := secret.NextReference(u.word.Text, 0)
	return ok && ref.Start == 0 && u.in != inURL && u.in != inHeader || strings.HasPrefix(u.word.Text, ".")
}

// path returns a path variable in the client's syntax: its own variable for the directory, or the
// way there from where the program is started.
func (w *entryWriter) path(u use, dir string) string {
	if w.isOwners() {
		w.RecordLoss(mcp.NoPath, u.Name, u.word.Span)
		return u.text
	}
	own, withDefault := w.directoryVariable(dir)
	if own != "" {
		return own
	}
	base := w.work
	if u.in == inDirectory {
		base = w.start
	}
	way, ok := relative(base, dir)
	switch {
	case ok && u.first:
		return way
	case withDefault != "":
		return withDefault
	case u.Name == "PWD" && dir == w.work && len(w.takes.Syntaxes) > 0 && w.takes.Expands(secret.Braced):
		return "${PWD}"
	}
	w.RecordLoss(mcp.NoPath, u.Name, u.word.Span)
	if ok {
		return way
	}
	return u.text
}

// directoryVariable returns the client's own variable for a directory. One that is a variable of
// the environment may not be set where the client reads the file: it is only of use with a
// default, the directory in which the program is started.
func (w *entryWriter) directoryVariable(dir string) (own, withDefault string) {
	for _, d := range w.to.reading.Dirs {
		switch isSet := slices.Contains(w.client.Predefined, d.Name); {
		case d.Name == "PWD" || path.Clean(w.to.dir(d.Base)) != dir:
		case !isSet:
			return "${" + d.Name + "}", ""
		case withDefault == "" && dir == w.work && slices.Contains(w.takes.Syntaxes, secret.BracedDefault):
			withDefault = "${" + d.Name + ":-.}"
		}
	}
	return "", withDefault
}

// isOwners reports whether the file is of a person's home directory, from which no path leads to
// a project.
func (w *entryWriter) isOwners() bool {
	return w.to.Match.Home || w.to.Match.Format.Scope == mcp.ScopeUser
}

// directory determines the directory in which the program is started: the one in its entry, or
// the default of its client, if it decides which program that is.
func (w *entryWriter) directory() {
	l, doc := &w.Server.Launch, w.Server.Document
	work := l.WorkDir(&doc.Context)
	switch {
	case work == w.start, l.Cwd.Text == "" && !w.dependsOnStart():
	case len(w.client.Fields.Cwd) > 0:
		w.work = work
	case l.Cwd.Text != "":
		w.RecordLoss(mcp.NoDirectory, "", l.Cwd.Span)
	}
}

// dependsOnStart reports whether a program without a working directory would be another one if it
// were started elsewhere in the repository.
func (w *entryWriter) dependsOnStart() bool {
	id := &w.Server.Identity
	return !w.isOwners() && (w.needsFiles() || !id.IsPackage() && !path.IsAbs(id.Name))
}

// cwd returns the working directory in the client's syntax.
func (w *entryWriter) cwd() string {
	l, doc := &w.Server.Launch, w.Server.Document
	if !secret.HasReference(l.Cwd.Text) && path.Clean(doc.Context.Dir) != w.start {
		if way, ok := relative(w.start, w.work); ok {
			return strings.TrimPrefix(way, "./")
		}
	}
	return w.text(l.Cwd, inDirectory, "")
}

// place notes how the place of the file affects a program: it is started in another directory, or
// in none of a project.
func (w *entryWriter) place() {
	l, doc := &w.Server.Launch, w.Server.Document
	needsFiles := w.needsFiles()
	switch {
	case w.isOwners() && doc.Scope != mcp.ScopeUser:
		if needsFiles {
			w.RecordLoss(mcp.NoProject, "", l.Command.Span)
		}
	case l.Cwd.Text == "" && l.WorkDir(&doc.Context) != w.work:
		if id := &w.Server.Identity; needsFiles || !id.IsPackage() && !path.IsAbs(id.Name) {
			w.RecordLoss(mcp.OtherStart, "", l.Command.Span)
		}
	}
}

// needsFiles reports whether a server is found by a path from a project, or is given
// one.
func (w *entryWriter) needsFiles() bool {
	id, l := &w.Server.Identity, &w.Server.Launch
	if id.Kind == identity.FileKind && !path.IsAbs(id.Name) && !strings.HasPrefix(id.Name, "~") && !strings.Contains(id.Name, ":") {
		return true
	}
	if dir := w.Server.Resolved().Dir(); dir != "" && !path.IsAbs(dir) && !strings.HasPrefix(dir, "~") {
		return true
	}
	words := strings.Fields(l.Command.Text) // some are whole command lines
	for _, arg := range l.Args {
		words = append(words, arg.Text)
	}
	for _, word := range words {
		slashed := strings.ReplaceAll(word, `\`, "/")
		if word == "." || strings.HasPrefix(slashed, "./") || strings.HasPrefix(slashed, "../") || w.namesDirectory(word) {
			return true
		}
	}
	return slices.ContainsFunc(l.Env, func(p identity.Pair) bool { return w.namesDirectory(p.Value.Text) })
}

// namesDirectory reports whether a value has a path variable in it.
func (w *entryWriter) namesDirectory(text string) bool {
	doc := w.Server.Document
	for ref, ok := secret.NextReference(text, 0); ok; ref, ok = secret.NextReference(text, ref.End) {
		if _, isPath := doc.Context.PathVariable(ref, ""); isPath {
			return true
		}
	}
	return false
}

// relative returns the way from one directory to another, both from the repository root; ok is
// false if one of them is outside of it.
func relative(from, to string) (way string, ok bool) {
	isBelow := func(dir string) bool {
		return dir != ".." && strings.TrimLeft(dir, "/~$%{") == dir && !strings.HasPrefix(dir, "../") && !strings.Contains(dir, ":")
	}
	if !isBelow(from) || !isBelow(to) {
		return "", false
	}
	up := 0
	for from != "." && from != to && !strings.HasPrefix(to, from+"/") {
		from, up = path.Dir(from), up+1
	}
	down := to
	switch {
	case from == to:
		down = ""
	case from != ".":
		down = to[len(from)+1:]
	}
	steps := append([]string{}, strings.Split(strings.Repeat("../", up), "/")[:up]...)
	if up == 0 {
		steps = append(steps, ".")
	}
	if down != "" {
		steps = append(steps, down)
	}
	return strings.Join(steps, "/"), true
}
