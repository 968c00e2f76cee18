package shape

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Refusals judges every entry of a map or a list of servers by the clients that load it. There is
// at most one refusal of an entry. An entry that only overrides another scope's has none, and
// neither has a disabled one, unless a client fails to start because of it.
func (in *Input) Refusals(value *syntax.Node, loaders []*mcp.Client) []mcp.Refusal {
	isList := value.Kind == syntax.Array
	if isList {
		loaders = in.listLoaders(loaders)
	}
	if len(loaders) == 0 || !IsContainer(value) {
		return nil
	}
	var refusals []mcp.Refusal
	last := in.lastOfKeys(value)
	for i, entry := range value.Nodes {
		if last != nil && last[entry.Name] != i {
			continue // the last one counts
		}
		if in.skips(entry) || HasAlias(entry) || in.leadsOn(value, entry) {
			continue
		}
		judges, isOff := loaders, isAside(entry.Name) || in.isOff(entry, value.Name, loaders)
		if isOff {
			judges = slices.DeleteFunc(slices.Clone(loaders), func(c *mcp.Client) bool { return !in.isFatalTo(c) })
		}
		if r := in.refusedBy(judges, in.withoutRepeats(entry)); r != nil && (r.Fatal || !isOff) {
			refusals = append(refusals, *r)
		}
	}
	return refusals
}

// listLoaders returns the clients that read a list of servers in this file.
func (in *Input) listLoaders(loaders []*mcp.Client) []*mcp.Client {
	var readers []*mcp.Client
	for _, c := range loaders {
		if c.Reading(in.Match.Format.Name).Lists {
			readers = append(readers, c)
		}
	}
	return readers
}

// refusesRoot checks the value of the root key for the clients that read an object of entries by
// name there; nil if it is one, or no client does. An empty value loses nothing, and a client
// without checks may number the entries.
func (in *Input) refusesRoot(r *Root, loaders []*mcp.Client) *mcp.Refusal {
	value := r.Value()
	if value.Kind == syntax.Object || r.Key == "" {
		return nil
	}
	refusal := &mcp.Refusal{
		Reason: mcp.RootKind, Span: value.Key, Member: r.Key, Kind: value.Kind, WantKind: syntax.Object,
		By: mcp.ByOthers, WholeFile: true,
	}
	for i, c := range loaders {
		if c.Reading(in.Match.Format.Name).Lists {
			continue
		}
		refusal.Fatal = refusal.Fatal || in.isFatalTo(c)
		refusal.GoesOn = refusal.GoesOn || c.Schema == nil || len(value.Nodes) == 0 && !in.isFatalTo(c)
		if i == 0 {
			refusal.By = mcp.ByOwner
		}
		refusal.Clients = append(refusal.Clients, c)
	}
	switch len(refusal.Clients) {
	case 0:
		return nil
	case len(loaders):
		refusal.By = mcp.ByAll
	}
	return refusal
}

// strayRoot refuses a second key next to the root key that no client of the file reads, with a
// server that the root key does not have, or not in that form; it returns nil if there is none.
func (in *Input) strayRoot(r *Root, loaders []*mcp.Client) *mcp.Refusal {
	m := in.secondRoot(r)
	if m == nil || len(loaders) == 0 {
		return nil
	}
	entries := ByName(r.Value())
	for _, entry := range m.Nodes {
		if read := entries[entry.Name]; looksLikeServer(entry) && (read == nil || !isSameTree(read, entry)) {
			return &mcp.Refusal{Reason: mcp.StrayRoot, Span: m.Key, Member: m.Name, Want: []string{r.Key}, Got: entry.Name, Clients: loaders}
		}
	}
	return nil
}

// secondRoot returns the first other root key next to the root key of a file that has one with
// servers and that no client of the file reads; nil if there is none.
func (in *Input) secondRoot(r *Root) *syntax.Node {
	if !in.Match.Format.Dedicated || len(r.Nodes) != 2 {
		return nil
	}
	for _, m := range r.Parent().Nodes {
		if m.Name != r.Key && m.Kind == syntax.Object && slices.Contains(in.plan.others, m.Name) && !slices.Contains(in.plan.roots, m.Name) && holdsServers(m) {
			return m
		}
	}
	return nil
}

// strayServers returns the servers that are next to the root key instead of under it: a brace
// that was closed too early leaves them there. Servers that the root key also has are not lost, a
// key with a sign at one of its ends is how people put an entry aside, and a value with an anchor
// is for others to use.
func (in *Input) strayServers(r *Root, loaders []*mcp.Client) []mcp.Refusal {
	if len(loaders) == 0 || len(r.Nodes) != 2 {
		return nil
	}
	var strays []mcp.Refusal
	entries := ByName(r.Value())
	for _, m := range r.Parent().Nodes {
		if isAside(m.Name) || strings.TrimFunc(m.Name, isSign) != m.Name || IsShared(m) || !in.isPlainServer(m) || entries[m.Name] != nil {
			continue
		}
		strays = append(strays, mcp.Refusal{Reason: mcp.StrayServer, Span: m.Key, Server: m.Name, Want: []string{r.Key}, Clients: loaders})
	}
	return strays
}

// isSign reports whether a character is neither a letter nor a digit.
func isSign(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }

// isPlainServer reports whether a member next to the root key can only be a server. In a file
// with other settings it needs more evidence, and keys with dots are the settings of extensions.
func (in *Input) isPlainServer(n *syntax.Node) bool {
	if in.Match.Format.Dedicated {
		return looksLikeListedServer(n)
	}
	return !strings.Contains(n.Name, ".") && saysHow(n)
}

// saysHow reports whether an object says how a server is started or reached: a program
// with its arguments, or a target and the transport to it.
func saysHow(n *syntax.Node) bool {
	if !looksLikeServer(n) {
		return false
	}
	return slices.ContainsFunc(n.Nodes, func(m *syntax.Node) bool {
		switch fieldOf(m.Name) {
		case argsField:
			return m.Kind == syntax.Array
		case typeField:
			return m.IsString() && TransportOf(m.Text) != ""
		}
		return false
	})
}

// leadsOn reports whether an entry is not a server but the next step to a root key that a client
// loads ("mcp.servers" next to "mcp").
func (in *Input) leadsOn(value, entry *syntax.Node) bool {
	for _, key := range in.plan.roots {
		if rest, ok := strings.CutSuffix(key, entry.Name); ok && strings.HasSuffix(rest, ".") && strings.HasSuffix(rest[:len(rest)-1], value.Name) {
			return true
		}
	}
	return false
}

// refusedBy asks every client and returns the reason of the first that refuses
// the entry, with all clients that have the same; nil if none refuses it. The
// first client is the one that the file is made for.
func (in *Input) refusedBy(loaders []*mcp.Client, entry *syntax.Node) *mcp.Refusal {
	var first *mcp.Refusal
	by := mcp.ByAll
	for i, c := range loaders {
		r := in.refuses(c, entry)
		switch {
		case r == nil && i == 0:
			by = mcp.ByOthers
		case r == nil && by == mcp.ByAll:
			by = mcp.ByOwner
		}
		if r == nil {
			continue
		}
		if first == nil {
			first = r
		}
		if r.Reason == first.Reason && r.Member == first.Member {
			first.Clients = append(first.Clients, c)
		}
	}
	if first == nil {
		return nil
	}
	first.By = by
	return OfEntry(entry, first)
}

// OfEntry sets the entry that a refusal is about.
func OfEntry(entry *syntax.Node, r *mcp.Refusal) *mcp.Refusal {
	r.Server, r.Object = entryName(entry).Text, entry.Value
	return r
}

// entryName returns the name of an entry of a map or a list. For an entry without one it is
// empty, at the place where the entry begins.
func entryName(entry *syntax.Node) identity.Word {
	if !entry.Key.IsZero() {
		return identity.Word{Text: entry.Name, Span: entry.Key}
	}
	if name := listName(entry); name != nil {
		return Literal(name)
	}
	return identity.Word{Span: Opening(entry)}
}

// isFatalTo reports whether a client does not start at all for an entry of this file that it
// refuses.
func (in *Input) isFatalTo(c *mcp.Client) bool {
	r := c.Reading(in.Match.Format.Name)
	return r != nil && r.Fatal
}

// refuses returns why a client does not start an entry of this file, or nil. Only what is
// known of the client counts.
func (in *Input) refuses(c *mcp.Client, entry *syntax.Node) *mcp.Refusal {
	if r := in.refusesShape(c, entry); r != nil {
		r.Fatal = in.isFatalTo(c) && r.Reason != mcp.VariableName && r.Reason != mcp.NoVariable // clients check variables only on use
		return r
	}
	if targetHolder(entry) != nil {
		entry = flattened(entry)
	}
	if command, url := Member(entry, c.Fields.Command), addressOf(c, entry); command != nil || url != nil {
		r := in.refusesLaunch(c, entry, command, url)
		if r != nil {
			r.Fatal = in.isFatalTo(c) && isOfType(r) // of its schema
		}
		return r
	}
	return nil
}

// isOfType reports whether a refusal is of the word for the transport.
func isOfType(r *mcp.Refusal) bool {
	return r.Reason == mcp.MissingType || r.Reason == mcp.UnknownType || r.Reason == mcp.TypeContradicts
}

// refusesShape returns what a client finds wrong in an entry when it reads its file.
func (in *Input) refusesShape(c *mcp.Client, entry *syntax.Node) *mcp.Refusal {
	if entry.Kind != syntax.Object {
		return &mcp.Refusal{Reason: mcp.EntryKind, Span: entry.Value, Kind: entry.Kind}
	}
	if entry.Key.IsZero() && c.Schema != nil && entry.Get("name") == nil {
		return &mcp.Refusal{Reason: mcp.MissingMember, Span: Opening(entry), Member: "name"}
	}
	if holder := targetHolder(entry); holder != nil {
		if holder.Name != c.Fields.Within {
			return &mcp.Refusal{Reason: mcp.TargetWithin, Span: holder.Key, Member: holder.Name}
		}
		entry = flattened(entry)
	}
	command, url := Member(entry, c.Fields.Command), addressOf(c, entry)
	if command == nil && url == nil {
		if r := refusesWithoutTarget(c, entry); r != nil || !in.isFatalTo(c) {
			return r
		}
	}
	sort := sortOf(c, entry, command, url)
	values := &valueJudge{entry, in.scope() == mcp.ScopeProject}
	for _, m := range entry.Nodes {
		if r := refusesMember(c, values, m, sort, command, url); r != nil {
			return r
		}
	}
	if c.OneTarget && IsFilled(command) && IsFilled(url) {
		return &mcp.Refusal{Reason: mcp.TwoTargets, Span: url.Key, Member: url.Name, Other: command.Name}
	}
	return nil
}

// refusesLaunch returns why a client starts nothing for an entry that it reads, or not what
// is meant.
func (in *Input) refusesLaunch(c *mcp.Client, entry, command, url *syntax.Node) *mcp.Refusal {
	if r := refusesTarget(c, entry, command, url); r != nil {
		return r
	}
	takes := c.In(in.Match.Format.Name)
	if r := refusesType(c, takes.Types, entry, command, url); r != nil {
		return r
	}
	if r := refusesContradiction(c, takes, entry, command, url); r != nil {
		return r
	}
	if r := refusesBoth(c, entry, command, url); r != nil {
		return r
	}
	if r := losesMember(c, entry); r != nil {
		return r
	}
	if r := refusesSSE(c, command, url); r != nil {
		return r
	}
	if r := losesServer(entry); r != nil {
		return r
	}
	return keepsBlanks(c, entry)
}

// keepsBlanks finds the first text of a launch that has blanks at its ends, which the client
// keeps. A text of only blanks may be intended, and so may blanks around an argument of more than
// one word: it is code, or a text for people.
func keepsBlanks(c *mcp.Client, entry *syntax.Node) *mcp.Refusal {
	if !c.KeepsBlanks {
		return nil
	}
	for _, m := range entry.Nodes {
		f := fieldOf(m.Name)
		if !isWordOfClient(c, f, m.Name) {
			continue
		}
		if hasOuterBlanks(m, f) {
			return &mcp.Refusal{Reason: mcp.OuterBlanks, Span: m.Value, Member: m.Name}
		}
		for _, n := range m.Nodes {
			switch {
			case hasOuterBlanks(n, f):
				return &mcp.Refusal{Reason: mcp.OuterBlanks, Span: n.Value, Member: m.Name}
			case strings.TrimSpace(n.Name) != n.Name:
				return &mcp.Refusal{Reason: mcp.OuterBlanks, Span: n.Key, Member: m.Name}
			}
		}
	}
	return nil
}

// hasOuterBlanks reports whether a value for a field has such blanks.
func hasOuterBlanks(n *syntax.Node, f field) bool {
	inner := strings.TrimSpace(n.Text)
	return n.IsString() && inner != n.Text && inner != "" && (f != argsField || strings.IndexFunc(inner, unicode.IsSpace) < 0)
}

// losesServer finds a server within another one, where no client searches for one: a brace that
// was closed too late puts it there.
func losesServer(entry *syntax.Node) *mcp.Refusal {
	for _, m := range entry.Nodes {
		if fieldOf(m.Name) == otherField && saysHow(m) && !isKnown(m.Name) {
			return &mcp.Refusal{Reason: mcp.NestedServer, Span: m.Key, Member: m.Name}
		}
	}
	return nil
}

// refusesSSE refuses an address whose end means SSE, for a client whose only transport for
// addresses is streamable HTTP.
func refusesSSE(c *mcp.Client, command, url *syntax.Node) *mcp.Refusal {
	if command != nil || !IsFilled(url) || len(c.Native) != 1 || c.Native[0] != "http" {
		return nil
	}
	if end, _ := identity.TransportAtEnd(url.Text); end != "sse" {
		return nil
	}
	return &mcp.Refusal{Reason: mcp.OnlySSE, Span: url.Value, Member: url.Name, Got: url.Text}
}

// refusesTarget checks the command and the address. It ignores the parts that a person or a
// variable must fill in.
func refusesTarget(c *mcp.Client, _, command, url *syntax.Node) *mcp.Refusal {
	switch {
	case !IsFilled(url) && command.IsString() && strings.TrimSpace(command.Text) == "":
		return &mcp.Refusal{Reason: mcp.EmptyCommand, Span: command.Value, Member: command.Name}
	case command == nil && url.IsString() && strings.TrimSpace(url.Text) == "":
		return &mcp.Refusal{Reason: mcp.EmptyURL, Span: url.Value, Member: url.Name}
	case !IsFilled(url) && IsFilled(command) && identity.IsHTTP(command.Text):
		return &mcp.Refusal{Reason: mcp.CommandURL, Span: command.Value, Member: command.Name, Got: command.Text, Want: urlNames(c)}
	case c.NoShell && IsFilled(command) && isShellText(command.Text):
		return &mcp.Refusal{Reason: mcp.ShellLine, Span: command.Value, Member: command.Name}
	case c.NoShell && IsFilled(command) && IsCommandLine(command.Text):
		return &mcp.Refusal{Reason: mcp.CommandLine, Span: command.Value, Member: command.Name, Other: "args", Got: command.Text}
	case command == nil && IsFilled(url) && lacksScheme(url.Text):
		return &mcp.Refusal{Reason: mcp.URLScheme, Span: url.Value, Member: url.Name, Got: url.Text, Want: []string{"https://", "http://"}}
	}
	return nil
}

// IsCommandLine reports whether a command is a program with arguments after it: a known launcher,
// or one with an option, which no name of a program has. A path with blanks is not one; what a
// template engine turns a command into is unknown.
func IsCommandLine(command string) bool {
	if strings.IndexFunc(command, unicode.IsSpace) < 0 {
		return false // as nearly every command
	}
	words := strings.Fields(command)
	if len(words) < 2 || strings.Contains(command, "{{") {
		return false
	}
	isPath := strings.ContainsAny(words[0], `/\`)
	return !isPath && identity.IsLauncher(words[0]) || slices.ContainsFunc(words[1:], isOption)
}

// isShellText reports whether a command joins several; a quoted part may be for another program,
// and what a template engine turns a command into is unknown.
func isShellText(command string) bool {
	return !strings.ContainsAny(command, "'\"`") && !strings.Contains(command, "{{") && slices.ContainsFunc(strings.Fields(command), isOperator)
}

// isOperator reports whether a word joins two commands of a shell.
func isOperator(word string) bool { return word == "&&" || word == "||" || word == "|" || word == ";" }

// isOption reports whether a word can only be an option: -y, --stdio, --port=80.
func isOption(word string) bool {
	name, isLong := strings.CutPrefix(word, "--")
	if !isLong {
		name = strings.TrimPrefix(word, "-")
		return len(name) == 1 && len(word) == 2 && unicode.IsLetter(rune(name[0]))
	}
	return name != "" && unicode.IsLetter(rune(name[0]))
}

// lacksScheme reports whether an address begins with a host, or with a typing error before the
// host.
func lacksScheme(url string) bool {
	if strings.HasPrefix(url, "https://") || strings.HasPrefix(url, "http://") {
		return false // as nearly every address does
	}
	if secret.IsPlaceholder(url) || strings.ContainsAny(url, "${}<>%[]* \t\n\\") {
		return false
	}
	if scheme, _, found := strings.Cut(url, "://"); found {
		scheme = strings.ToLower(scheme)
		return scheme != "http" && scheme != "https" && (isOneOff(scheme, "http") || isOneOff(scheme, "https"))
	}
	host, _, _ := strings.Cut(url, "/")
	name, port, hasPort := strings.Cut(host, ":")
	for _, c := range []byte(name) {
		if !isHostByte(c) {
			return false
		}
	}
	isPort := port != "" && strings.Trim(port, "0123456789") == ""
	return name != "" && name[0] != '.' && (hasPort && isPort || !hasPort && strings.Contains(name, "."))
}

func isHostByte(c byte) bool {
	return c == '.' || c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// refusesBoth judges an entry with a command and an address, in which nothing says which one is
// meant: one of the two is lost. A bridge to the same address is intended for clients that have
// no remote servers.
func refusesBoth(c *mcp.Client, entry, command, url *syntax.Node) *mcp.Refusal {
	if !IsFilled(command) || !IsFilled(url) || Member(entry, c.Fields.Type) != nil || entry.Get("type") != nil {
		return nil
	}
	if args := Member(entry, c.Fields.Args); args != nil {
		for _, arg := range args.Nodes {
			if strings.Contains(arg.Text, "://") {
				return nil
			}
		}
	}
	return &mcp.Refusal{Reason: mcp.EitherTarget, Span: url.Key, Member: url.Name, Other: command.Name}
}

// OfKind refuses a member whose kind differs from the required one.
func OfKind(m *syntax.Node, span syntax.Span, want syntax.Kind) *mcp.Refusal {
	return &mcp.Refusal{Reason: mcp.MemberKind, Span: span, Member: m.Name, Kind: m.Kind, WantKind: want}
}

// UnlessOneOf refuses a member whose value is not one of the wanted texts.
func UnlessOneOf(m *syntax.Node, span syntax.Span, reason mcp.Reason, want ...string) *mcp.Refusal {
	if m.IsString() && slices.Contains(want, m.Text) {
		return nil
	}
	return &mcp.Refusal{Reason: reason, Span: span, Member: m.Name, Kind: m.Kind, Got: m.Text, Want: want}
}

// sortOf returns the sort of server that a client assumes for an entry: that of its target. If it
// has two targets, the type decides, and without a type it is the program.
func sortOf(c *mcp.Client, entry, command, url *syntax.Node) mcp.Sort {
	word := typeWord(c, entry)
	isRemote := word != "" && TransportOf(word) != "stdio"
	if c.Schema == nil || !c.Schema.SortByType {
		isRemote = IsGiven(url) && (isRemote || !IsGiven(command))
	}
	if isRemote {
		return mcp.Addresses
	}
	return mcp.Programs
}

// refusesMember judges one member by itself, and together with the target. The sort is that of
// the entry: unless a client keeps the two apart, it ignores a member for the other sort, of any
// kind.
func refusesMember(c *mcp.Client, values *valueJudge, m *syntax.Node, sort mcp.Sort, command, url *syntax.Node) *mcp.Refusal {
	spec := SpecOf(c, m.Name)
	switch {
	case spec == nil || m.Kind == syntax.Null && (c.Schema == nil || !c.Schema.TakesNoNull):
		return nil
	case spec.For != mcp.AnySort && spec.For != sort && !c.Schema.Apart:
		return nil
	case len(spec.Transports) > 0 && !slices.Contains(spec.Transports, TransportOf(typeWord(c, values.entry))):
		return nil
	case spec.Instead != "":
		return &mcp.Refusal{Reason: mcp.Withdrawn, Span: m.Key, Member: m.Name, Want: []string{spec.Instead}}
	}
	if r := values.refuses(spec, m.Name, m, values.entry); r != nil {
		if spec == &anyCwd {
			r.Reason = mcp.LostKind
		}
		return r
	}
	if name, ok := namedInstead(m.Text); ok && spec.IsName {
		return &mcp.Refusal{Reason: mcp.VariableName, Span: m.Value, Member: m.Name, Got: m.Text, Want: []string{name}}
	}
	if spec.IsName && strings.ContainsAny(m.Text, " \t\r\n=$:/{}") {
		return &mcp.Refusal{Reason: mcp.NoVariable, Span: m.Value, Member: m.Name} // it may be the credential: not shown
	}
	if c.Schema == nil || !c.Schema.Apart {
		return nil
	}
	switch {
	case spec.For == mcp.Programs && command == nil && url != nil:
		return &mcp.Refusal{Reason: mcp.Misplaced, Span: m.Key, Member: m.Name, Other: url.Name}
	case spec.For == mcp.Addresses && url == nil && command != nil:
		return &mcp.Refusal{Reason: mcp.Misplaced, Span: m.Key, Member: m.Name, Other: command.Name}
	}
	return nil
}

// typeWord returns the word for the transport in an entry, "" if there is none.
func typeWord(c *mcp.Client, entry *syntax.Node) string {
	if word := Member(entry, c.Fields.Type); word.IsString() {
		return word.Text
	}
	return ""
}

// namedInstead returns the name of the variable that a text refers to, if a client needs only the
// name; ok is false for any other text.
func namedInstead(text string) (name string, ok bool) {
	ref, ok := secret.WholeReference(text)
	return ref.Name, ok && (ref.Syntax.IsOfEnvironment() || ref.Syntax == secret.Secrets)
}

// refusesWithoutTarget checks an entry in which the client finds neither a command nor a URL. If
// it also has nothing else, it is an override.
func refusesWithoutTarget(c *mcp.Client, entry *syntax.Node) *mcp.Refusal {
	if m := nestedServer(entry); m != nil {
		return &mcp.Refusal{Reason: mcp.NestedServers, Span: entryName(entry).Span, Member: m.Name}
	}
	for _, m := range entry.Nodes {
		switch {
		case fieldOf(m.Name) == targetField:
			return nil
		case fieldOf(m.Name) == urlField && len(c.Fields.URL) == 0:
			return &mcp.Refusal{Reason: mcp.NoRemotes, Span: m.Key, Member: m.Name}
		case fieldOf(m.Name) == urlField:
			return &mcp.Refusal{Reason: mcp.OtherMember, Span: m.Key, Member: m.Name, Want: urlNames(c)}
		case fieldOf(m.Name) == commandField:
			return &mcp.Refusal{Reason: mcp.OtherMember, Span: m.Key, Member: m.Name, Want: c.Fields.Command}
		}
	}
	if r := misspelledTarget(c, entry); r != nil {
		return r
	}
	needed := c.NeedsTarget || c.Schema != nil && c.Schema.NeedsTarget
	if needed || !isOverride(entry) && hasStructure(entry) {
		return &mcp.Refusal{Reason: mcp.MissingTarget, Span: entryName(entry).Span}
	}
	return nil
}

// nestedServer returns the first server in an entry that is not a server itself: a whole
// configuration was pasted into another one, or servers were grouped.
func nestedServer(entry *syntax.Node) *syntax.Node {
	var first *syntax.Node
	for _, m := range entry.Nodes {
		if fieldOf(m.Name) != otherField {
			return nil
		}
		inner := m
		if slices.Contains(KnownRoots(), m.Name) && holdsServers(m) {
			inner = m.Nodes[0]
		}
		if first == nil && looksLikeServer(inner) {
			first = inner
		}
	}
	return first
}

// isOverride reports whether an entry says only whether a server of another
// scope is on (Grok Build, opencode).
func isOverride(entry *syntax.Node) bool {
	for _, m := range entry.Nodes {
		if f := fieldOf(m.Name); f != enabledField && f != disabledField {
			return false
		}
	}
	return true
}

// refusesType compares the word for the transport with those that a client accepts.
func refusesType(c *mcp.Client, types []mcp.Type, entry, command, url *syntax.Node) *mcp.Refusal {
	if len(types) == 0 {
		return nil
	}
	word := Member(entry, c.Fields.Type)
	switch {
	case word == nil || word.Kind == syntax.Null:
		switch {
		case c.NeedsType && !IsGiven(command) && IsFilled(url):
			return &mcp.Refusal{Reason: mcp.MissingType, Span: url.Key, Member: url.Name, Want: remoteWords(types, transportAtEnd(c, url.Text))}
		case c.NeedsEveryType && url == nil && IsGiven(command):
			return &mcp.Refusal{Reason: mcp.MissingType, Span: command.Key, Member: command.Name, Want: programWords(types)}
		}
	case word.Kind != syntax.String:
		return OfKind(word, word.Value, syntax.String)
	case !slices.ContainsFunc(types, func(t mcp.Type) bool { return t.Word == word.Text }):
		return &mcp.Refusal{Reason: mcp.UnknownType, Span: word.Value, Member: word.Name, Got: word.Text, Want: typeWords(types)}
	}
	return nil
}

// refusesContradiction refuses a type for the other sort of target than the entry has.
func refusesContradiction(c *mcp.Client, takes mcp.Dialect, entry, command, url *syntax.Node) *mcp.Refusal {
	if len(c.Binding) == 0 {
		return nil
	}
	word := entry.Get(c.Fields.Type[0])
	if !word.IsString() || !slices.Contains(c.Binding, word.Text) {
		return nil
	}
	isForPrograms := TransportOf(word.Text) == "stdio"
	isRemote := isForPrograms && command == nil && IsFilled(url)
	if !isRemote && (isForPrograms || url != nil || !IsGiven(command)) {
		return nil
	}
	types := slices.Concat(takes.Types, takes.SomeTypes)
	r := &mcp.Refusal{Reason: mcp.TypeContradicts, Span: word.Value, Member: word.Name, Got: word.Text}
	if isRemote {
		r.Other, r.Want = url.Name, remoteWords(types, transportAtEnd(c, url.Text))
	} else {
		r.Other, r.Want = command.Name, programWords(types)
	}
	return r
}

// transportAtEnd returns the transport that the end of an address says, if the client
// speaks it.
func transportAtEnd(c *mcp.Client, address string) string {
	end, _ := identity.TransportAtEnd(address)
	if len(c.Native) > 0 && !c.Speaks(end) {
		return c.Native[0]
	}
	return end
}

// programWords returns the types of a server that is started.
func programWords(types []mcp.Type) []string {
	var words []string
	for _, t := range types {
		if t.Transport == "stdio" {
			words = append(words, t.Word)
		}
	}
	return words
}

// remoteWords returns the types of a remote server, first those for a transport and those that
// leave it open.
func remoteWords(types []mcp.Type, transport string) []string {
	var words, others []string
	for _, t := range types {
		switch t.Transport {
		case "stdio":
		case transport, "":
			words = append(words, t.Word)
		default:
			others = append(others, t.Word)
		}
	}
	return append(words, others...)
}

func urlNames(c *mcp.Client) []string {
	names := make([]string, len(c.Fields.URL))
	for i, u := range c.Fields.URL {
		names[i] = u.Name
	}
	return names
}

func typeWords(types []mcp.Type) []string {
	words := make([]string, len(types))
	for i, t := range types {
		words[i] = t.Word
	}
	return words
}

// isOff reports whether an entry under a root key is disabled and no client is known to start it
// anyway: see mcp.Server.IsStarted.
func (in *Input) isOff(entry *syntax.Node, key string, loaders []*mcp.Client) bool {
	isSwitch := func(off mcp.Off) bool { return isSwitchedOff(entry.Get(off.Key), off.Value) }
	if !isSwitch(mcp.Off{Key: "disabled", Value: true}) && !isSwitch(mcp.Off{Key: "enabled", Value: false}) {
		return false
	}
	for _, tool := range in.plan.namers {
		if _, made := tool.Names.Bundle(entry.Name); made && isSwitch(tool.Off) {
			return true
		}
	}
	return !slices.ContainsFunc(loaders, func(c *mcp.Client) bool {
		off, known := c.OffUnder(in.Match.Format.Name, key[strings.LastIndexByte(key, '.')+1:])
		return known && !isSwitch(off)
	})
}

// addressOf returns the member in which the client looks for a URL.
func addressOf(c *mcp.Client, entry *syntax.Node) *syntax.Node {
	for _, f := range c.Fields.URL {
		if m := entry.Get(f.Name); m != nil {
			return m
		}
	}
	return nil
}
