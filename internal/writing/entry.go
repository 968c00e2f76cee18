package writing

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/ascii"
	"github.com/mcplumb/mcplumb/internal/dialect"
	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/shape"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Entry is a server in the syntax of a client.
type Entry struct {
	Name string
	// Value is the entry; in a list of entries its name is among its members. It is null if the
	// server cannot be written.
	Value edit.Value
	// Below is the member of the root value that the entry goes into, "" in nearly every file.
	Below string
	// Inputs are the ids of the ${input:…} variables that the file has to declare.
	Inputs []string
	// Losses are the settings of the server that the entry does not express in the same way.
	// Without any, the entry read again is equal to the server (identity.Compare), with the same
	// name, and enabled or disabled as the server is.
	Losses []mcp.Loss
}

// Entry returns a server of any file as an entry of this one. A server that is read from a file
// has everything that Entry needs.
func (t Target) Entry(s *mcp.Server) Entry {
	w := newEntryWriter(t, s)
	switch {
	case s.Launch.IsRemote():
		w.address()
	case strings.TrimSpace(s.Launch.Command.Text) != "":
		w.program()
	default:
		w.RecordLoss(mcp.NoTarget, "", s.Span)
	}
	if len(w.Members) == 0 {
		return Entry{Name: s.Name, Losses: w.Losses}
	}
	w.name()
	w.off()
	if finish := t.Match.Format.Finish; finish != nil {
		w.Transport, w.IsSaid = w.transport()
		finish(&w.Draft)
	}
	e := Entry{Name: s.Name, Below: w.Below, Inputs: w.inputs, Losses: w.Losses}
	if len(w.Members) > 0 {
		e.Value = edit.Object(w.Members...)
	}
	return e
}

// entryWriter turns a launch into an entry.
type entryWriter struct {
	shape.Draft
	to     Target
	client *mcp.Client     // whose syntax is written
	takes  dialect.Dialect // what the client expands in such a file
	from   *mcp.Client     // whose syntax the server is written in; nil if that is unknown
	parts  identity.Parts
	// start and work are the directories that paths of the entry, and of the server's
	// process, start from: slash-separated, from the repository root, "." for the root
	// itself. work may be any path.
	start, work string

	inputs []string // of Entry
	// Of Target.Has and of the arguments, computed on first use.
	has map[secretPlace]credential
	nth map[syntax.Span]int
}

func newEntryWriter(t Target, s *mcp.Server) *entryWriter {
	w := &entryWriter{
		Draft: shape.Draft{Server: s},
		to:    t, client: t.Client, takes: dialect.For(t.Client, t.Match.Format.Name), from: writtenFor(s.Document), parts: s.Resolved().Parts(),
		start: path.Clean(t.dir(t.reading.Start)),
	}
	w.work = w.start
	return w
}

// writtenFor returns the client that a document is made for, nil if none
// is known.
func writtenFor(doc *mcp.Document) *mcp.Client {
	if loaders := doc.Loaders(); len(loaders) > 0 {
		return loaders[0]
	}
	if len(doc.Clients) > 0 {
		return doc.Clients[0]
	}
	return nil
}

// HasWord reports whether the client that a document is made for has a word for a working
// directory or a file of variables. An unknown one may.
func HasWord(doc *mcp.Document, f mcp.Field) bool {
	c := writtenFor(doc)
	switch {
	case c == nil:
		return true
	case f == mcp.FieldDirectory:
		return len(c.Fields.Cwd) > 0
	case f == mcp.FieldEnvFile:
		return c.Schema != nil && c.Schema.Member("envFile") != nil
	}
	return true
}

// dir returns the directory that a base means in the target.
func (t Target) dir(b mcp.Base) string {
	if b == mcp.DocumentDir {
		return mcp.Parent(t.Path)
	}
	return t.Match.Dir
}

// add adds a member under the client's first name for it. ok is false if it has none.
func (w *entryWriter) add(names []string, value edit.Value) (ok bool) {
	if len(names) == 0 {
		return false
	}
	w.Set(names[0], value)
	return true
}

// name checks the server's name, and says it where entries are in a list.
func (w *entryWriter) name() {
	name := w.Server.Name
	if !w.to.Takes(name) {
		w.RecordLoss(mcp.NoName, name, w.Server.NameSpan)
	}
	if secret.Hides(name) && (w.to.Has == nil || w.to.Has.Name != name) {
		w.RecordLoss(mcp.SecretName, "", w.Server.NameSpan)
	}
	if w.to.reading.Lists {
		w.Members = append([]edit.Member{{Name: "name", Value: edit.String(name)}}, w.Members...)
	}
}

// off switches the entry off if the server is.
func (w *entryWriter) off() {
	if !w.Server.IsOff() {
		return
	}
	off, _ := w.client.OffUnder(w.to.reading.Format, w.to.root[strings.LastIndexByte(w.to.root, '.')+1:])
	if off.Key == "" {
		w.RecordLoss(mcp.NoSwitch, "", w.Server.NameSpan)
		return
	}
	w.Set(off.Key, edit.Bool(off.Value))
}

// types returns the client's names of transports.
func (w *entryWriter) types() []mcp.Type {
	if len(w.takes.Types) > 0 {
		return w.takes.Types
	}
	return w.takes.SomeTypes
}

// word returns the client's word for a transport.
func (w *entryWriter) word(transport string) (word string, ok bool) {
	if len(w.client.Fields.Type) == 0 {
		return "", false
	}
	for _, t := range w.types() {
		if t.Transport == transport {
			return t.Word, true
		}
	}
	return "", false
}

// hasWord reports whether the client has a word for a transport.
func (w *entryWriter) hasWord(transport string) bool {
	_, ok := w.word(transport)
	return ok
}

// program writes a server that is started. Its type goes without saying, unless the
// client demands it or the server has one which its own client does not demand.
func (w *entryWriter) program() {
	l := &w.Server.Launch
	isOwn := w.Server.Type.Text != "" && (w.from == nil || !w.from.WritesType)
	if word, ok := w.word("stdio"); ok && (w.client.WritesType || isOwn) {
		w.add(w.client.Fields.Type, edit.String(word))
	}
	w.directory()
	w.command()
	w.environment()
	w.environmentFile()
	if w.work != w.start {
		w.add(w.client.Fields.Cwd, edit.String(w.cwd()))
	}
	for _, h := range l.Headers {
		w.RecordLoss(mcp.NoMember, "headers", h.Name.Span)
	}
	w.place()
}

// command writes the program and its arguments, as one list if the client supports only that.
func (w *entryWriter) command() {
	command, args := w.words()
	list := make([]string, 0, len(args)+1)
	list = append(list, w.text(command, inCommand, ""))
	for i, arg := range args {
		before := ""
		if i > 0 {
			before = args[i-1].Text
		}
		list = append(list, w.text(arg, inArgument, option(before)))
	}
	if w.takesOnlyList() {
		w.add(w.client.Fields.Command, edit.Strings(list...))
		return
	}
	w.add(w.client.Fields.Command, edit.String(list[0]))
	if len(list) > 1 || w.client.NeedsArgs {
		w.add(w.client.Fields.Args, edit.Strings(list[1:]...))
	}
}

// option returns the name of an option that precedes a value, or "".
func option(word string) string {
	if strings.HasPrefix(word, "-") && !strings.Contains(word, "=") {
		return strings.TrimLeft(word, "-")
	}
	return ""
}

// takesOnlyList reports whether the client has the command and its arguments in one
// list.
func (w *entryWriter) takesOnlyList() bool {
	spec := shape.SpecOf(w.client, w.client.Fields.Command[0])
	return spec != nil && spec.Kinds.Has(syntax.Array) && !spec.Kinds.Has(syntax.String)
}

// words returns the program and its arguments. A command line in one text, which some clients
// split, becomes several words for those that do not.
func (w *entryWriter) words() (command identity.Word, args []identity.Word) {
	l := &w.Server.Launch
	command, args = l.Command, l.Args
	words := strings.Fields(command.Text)
	isLine := shape.IsCommandLine(command.Text) && !strings.ContainsAny(command.Text, "\"'`\\|&;<>()$") && !strings.Contains(words[0], "=")
	if !isLine || !w.client.NoShell && !w.takesOnlyList() {
		return command, args
	}
	var list []identity.Word
	end := 0
	for _, word := range words {
		at := end + strings.Index(command.Text[end:], word)
		end = at + len(word)
		list = append(list, command.Part(at, end))
	}
	return list[0], append(list[1:], args...)
}

// environment writes the variables of a program.
func (w *entryWriter) environment() {
	l := &w.Server.Launch
	var set []edit.Member
	var passed []string
	pass := func(name identity.Word) {
		switch reference := w.takes.Credential(name.Text); {
		case len(w.client.EnvBy) > 0:
			if !slices.Contains(passed, name.Text) {
				passed = append(passed, name.Text)
			}
		case reference != "":
			set = append(set, edit.Member{Name: name.Text, Value: edit.String(reference)})
		default:
			w.loseVariable(name.Text, use{word: name})
		}
	}
	for _, name := range l.PassEnv {
		if !hasPair(l.Env, name.Text) {
			pass(name)
		}
	}
	for i, pair := range l.Env {
		if hasPair(l.Env[i+1:], pair.Name.Text) {
			continue // the last one counts
		}
		if name, ok := w.wholeVariable(pair.Value, inVariable, pair.Name.Text, ""); ok && name == pair.Name.Text && w.takes.Credential(name) == "" {
			w.noteNamed(pair.Value)
			pass(identity.Word{Text: name, Span: pair.Value.Span})
			continue
		}
		set = append(set, edit.Member{Name: pair.Name.Text, Value: edit.String(w.text(pair.Value, inVariable, pair.Name.Text))})
	}
	if len(set) > 0 && !w.add(w.client.Fields.Env, edit.Object(set...)) {
		w.RecordLoss(mcp.NoMember, "env", l.Env[0].Name.Span)
	}
	if len(passed) > 0 {
		w.add(w.client.EnvBy, edit.Strings(passed...))
	}
}

// environmentFile writes the file of variables, for a client that is known to read one. All such
// clients call it envFile.
func (w *entryWriter) environmentFile() {
	file := w.Server.Launch.EnvFile
	isRead := w.client == w.from || w.client.Schema != nil && w.client.Schema.Member("envFile") != nil
	switch {
	case file.Text == "":
	case isRead:
		w.Set("envFile", edit.String(w.text(file, inDirectory, "")))
		if w.leadsElsewhere(file.Text) {
			w.RecordLoss(mcp.OtherStart, "", file.Span)
		}
	default:
		w.RecordLoss(mcp.NoMember, "envFile", file.Span)
	}
}

// leadsElsewhere reports whether a path is relative to the place of its entry, and the entry is
// written into another directory.
func (w *entryWriter) leadsElsewhere(file string) bool {
	doc := w.Server.Document
	isMoved := path.Clean(doc.Context.Dir) != w.start || w.isOwners() && doc.Scope != mcp.ScopeUser
	return isMoved && !path.IsAbs(file) && !strings.HasPrefix(file, "~") && !secret.HasReference(file)
}

// hasPair reports whether a name is among variables.
func hasPair(pairs []identity.Pair, name string) bool {
	return slices.ContainsFunc(pairs, func(p identity.Pair) bool { return p.Name.Text == name })
}

// address writes a server that is connected to.
func (w *entryWriter) address() {
	l := &w.Server.Launch
	transport, isSaid := w.transport()
	field := w.urlField("")
	if isSaid || field == nil {
		field = w.urlField(transport)
	}
	if field == nil {
		w.RecordLoss(mcp.NoAddress, "", l.URL.Span)
		return
	}
	end, _ := identity.TransportAtEnd(l.URL.Text)
	if !w.transportWord(field, transport, isSaid) {
		w.RecordLoss(mcp.NotSpoken, cmp.Or(transport, end), w.Server.Type.Span)
		return
	}
	w.Set(field.Name, edit.String(w.text(l.URL, inURL, "")))
	w.headers()
	w.headersHelper()
	if len(l.Env) > 0 {
		w.RecordLoss(mcp.NoMember, "env", l.Env[0].Name.Span)
	}
	transport = cmp.Or(transport, end)
	if len(w.client.Native) > 0 && !w.client.Speaks(transport) {
		w.RecordLoss(mcp.NotSpoken, transport, w.Server.Type.Span)
	}
}

// headersHelper writes the command that is run for headers, for a client that does so.
func (w *entryWriter) headersHelper() {
	switch helper := w.Server.Extra().HeadersHelper; {
	case helper.Text == "":
	case w.client == w.from || w.client.RunsHeadersHelper():
		w.Set("headersHelper", edit.String(helper.Text))
	default:
		w.RecordLoss(mcp.NoMember, "headersHelper", helper.Span)
	}
}

// transport returns how the server is reached, as its entry says, or as the only
// transport of its client does.
func (w *entryWriter) transport() (transport string, isSaid bool) {
	if said := w.Server.Launch.Transport; said != "" && said != "stdio" {
		return said, true
	}
	if w.from == nil || len(w.from.Native) != 1 {
		return "", false
	}
	end, isSure := identity.TransportAtEnd(w.Server.Launch.URL.Text)
	if isSure && end != w.from.Native[0] && !slices.Equal(w.from.Native, w.client.Native) {
		return "", false // it does not work there, and may do so here
	}
	return w.from.Native[0], false
}

// urlField returns the member for an address that is reached so, nil if there is
// none.
func (w *entryWriter) urlField(transport string) *mcp.URLField {
	for i := range w.client.Fields.URL {
		if f := &w.client.Fields.URL[i]; f.Transport == "" || f.Transport == transport {
			return f
		}
	}
	return nil
}

// transportWord writes the type for a transport if the name of the address's member does not
// imply it. If the client requires a type and the server has none, the end of the address
// decides. ok is false if the client requires a type and has none for the transport.
func (w *entryWriter) transportWord(field *mcp.URLField, transport string, isSaid bool) (ok bool) {
	demands := w.client.NeedsType || w.client.WritesType
	if field.Transport != "" && isSaid || !isSaid && !demands {
		return true
	}
	anyWord, leavesOpen := w.word("") // opencode's word for every address
	if !isSaid && !leavesOpen && transport == "" {
		if end, isSure := identity.TransportAtEnd(w.Server.Launch.URL.Text); isSure && len(w.takes.Types) > 0 && !w.hasWord(end) {
			return false
		}
		transport = w.likelyTransport()
	}
	switch word, known := w.word(transport); {
	case known:
		w.add(w.client.Fields.Type, edit.String(word))
		if !isSaid && transport != "" {
			w.RecordLoss(mcp.Chosen, word, w.Server.Launch.URL.Span)
		}
		return true
	case leavesOpen:
		w.add(w.client.Fields.Type, edit.String(anyWord))
	case demands:
		return false
	}
	if isSaid {
		w.RecordLoss(mcp.NotSaid, transport, w.Server.Type.Span)
	}
	return true
}

// likelyTransport returns the transport that the end of the address tells, if the
// client has a word for it and speaks it, else streamable HTTP.
func (w *entryWriter) likelyTransport() string {
	transport, _ := identity.TransportAtEnd(w.Server.Launch.URL.Text)
	_, isKnown := w.word(transport)
	if !isKnown || len(w.client.Native) > 0 && !w.client.Speaks(transport) {
		return "http"
	}
	return transport
}

// headers writes the headers of an address: as a map, or in the members that name variables if
// the client expands none.
func (w *entryWriter) headers() {
	var set, named []edit.Member
	pairs := w.Server.Launch.Headers
	for i, h := range pairs {
		same := func(later identity.Pair) bool { return ascii.EqualFold(later.Name.Text, h.Name.Text) }
		if slices.ContainsFunc(pairs[i+1:], same) {
			continue // the last one counts
		}
		if w.namesVariable(h, &named) {
			continue
		}
		set = append(set, edit.Member{Name: h.Name.Text, Value: edit.String(w.text(h.Value, inHeader, h.Name.Text))})
	}
	if len(named) > 0 {
		w.Set(dialect.HeaderVariables(w.client), edit.Object(named...))
	}
	if len(set) == 0 || w.add(w.client.Fields.Headers, edit.Object(set...)) {
		return
	}
	if options := shape.RequestMember(w.client); options != "" {
		w.Set(options, edit.Object(edit.Member{Name: "headers", Value: edit.Object(set...)}))
		return
	}
	for _, m := range set {
		if !w.isBearer(m) {
			w.RecordLoss(mcp.NoHeaders, m.Name, w.Server.Launch.URL.Span)
		}
	}
}

// namesVariable writes a header whose value is a variable, or a bearer token that
// is one, in the members that the client has for that. It reports whether it did.
func (w *entryWriter) namesVariable(h identity.Pair, named *[]edit.Member) bool {
	if member := dialect.BearerVariable(w.client); member != "" && ascii.EqualFold(h.Name.Text, "Authorization") {
		if name, ok := w.wholeVariable(h.Value, inHeader, h.Name.Text, "Bearer "); ok {
			w.noteNamed(h.Value)
			w.Set(member, edit.String(name))
			return true
		}
	}
	if name, ok := w.wholeVariable(h.Value, inHeader, h.Name.Text, ""); ok && dialect.HeaderVariables(w.client) != "" {
		w.noteNamed(h.Value)
		*named = append(*named, edit.Member{Name: h.Name.Text, Value: edit.String(name)})
		return true
	}
	return false
}

// isBearer writes a header in the member for a bearer token, and reports whether
// it could.
func (w *entryWriter) isBearer(header edit.Member) bool {
	token, ok := strings.CutPrefix(header.Value.Text, "Bearer ")
	if !ok || header.Name != "Authorization" || len(w.client.Fields.Bearer) == 0 {
		return false
	}
	w.Set(w.client.Fields.Bearer[0], edit.String(token))
	return true
}
