package shape

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// field is the purpose of a member of an entry.
type field uint8

const (
	otherField field = iota
	commandField
	argsField
	envField
	cwdField
	urlField
	headersField
	typeField
	disabledField
	enabledField
	passEnvField    // names of variables that are handed through
	headerVarsField // headers by the variables that hold their values
	bearerVarField  // the variable that holds a bearer token
	targetField     // a command line or an address in one text
	requestField    // options of the requests, headers among them
)

// fieldOf returns the purpose of a member of an entry, in any client. An entry is read in the
// syntax of all clients: one that was copied from another client's file still means what its
// author meant.
func fieldOf(name string) field {
	switch name {
	case "command", "cmd", "executable":
		return commandField
	case "args", "arguments":
		return argsField
	case "env", "environment", "envs":
		return envField
	case "cwd", "working_directory", "workingDirectory", "workdir":
		return cwdField
	case "url", "serverUrl", "httpUrl", "uri", "baseUrl", "server_url", "base_url":
		return urlField
	case "headers", "http_headers", "httpHeaders", "static_headers":
		return headersField
	case "type", "transport", "transportType", "transport_type", "server_type":
		return typeField
	case "disabled":
		return disabledField
	case "enabled", "enable":
		return enabledField
	case "env_vars", "env_keys":
		return passEnvField
	case "env_http_headers":
		return headerVarsField
	case "bearer_token_env_var", "bearerTokenEnv", "bearer_token_env", "bearerTokenEnvVar":
		return bearerVarField
	case "target":
		return targetField
	case "requestOptions":
		return requestField
	}
	return otherField
}

// allURLs are the members that hold an address in any client, the one that says
// most first.
func allURLs() []mcp.URLField {
	return []mcp.URLField{
		{Name: "httpUrl", Transport: "http"},
		{Name: "url"},
		{Name: "serverUrl"},
		{Name: "uri"},
		{Name: "baseUrl"},
		{Name: "server_url"},
		{Name: "base_url"},
	}
}

// IsServer reports whether an entry of a file that is known to hold servers is a server: it names
// a program or an address, even a placeholder for one. An entry without either overrides another
// scope's.
func IsServer(n *syntax.Node) bool {
	if n == nil || n.Kind != syntax.Object {
		return false
	}
	for _, m := range n.Nodes {
		if f := fieldOf(m.Name); f == commandField || f == urlField || f == targetField {
			return true
		}
	}
	return false
}

// targetHolder returns the member of an entry that holds its command or URL, as Cline writes
// entries; nil if the entry holds them itself.
func targetHolder(entry *syntax.Node) *syntax.Node {
	if entry == nil || entry.Kind != syntax.Object || IsServer(entry) {
		return nil
	}
	if holder := entry.Get("transport"); IsServer(holder) {
		return holder
	}
	return nil
}

// flattened returns the entry with the contents of such a member next to its other members.
func flattened(entry *syntax.Node) *syntax.Node {
	holder := targetHolder(entry)
	if holder == nil {
		return entry
	}
	flat := *entry
	flat.Nodes = slices.Clone(holder.Nodes)
	for _, m := range entry.Nodes {
		if m != holder {
			flat.Nodes = append(flat.Nodes, m)
		}
	}
	return &flat
}

// looksLikeListedServer reports the same of an element of a list. Catalogs of web pages are also
// lists of names and addresses, so an address alone is not enough.
func looksLikeListedServer(n *syntax.Node) bool {
	return looksLikeServer(n) && (hasStructure(n) || n.Get("command") != nil)
}

// looksLikeServer reports whether an object can only be a server, wherever it is. It must not
// mistake translations for a server: there, "url" and "command" are words for people, and every
// value is a text.
func looksLikeServer(n *syntax.Node) bool {
	if n.Kind != syntax.Object {
		return false
	}
	if holder := targetHolder(n); holder != nil {
		n = holder
	}
	for _, m := range n.Nodes {
		switch fieldOf(m.Name) {
		case commandField:
			if looksLikeCommand(n, m) {
				return true
			}
		case urlField:
			if looksLikeURL(n, m) {
				return true
			}
		}
	}
	return false
}

// looksLikeCommand reports whether a member of an entry names a program: a list of words, or one
// word next to a member that only a server has.
func looksLikeCommand(entry, command *syntax.Node) bool {
	switch command.Kind {
	case syntax.Array:
		return len(command.Nodes) > 0 && command.Nodes[0].Kind == syntax.String
	case syntax.Object: // Zed's old {path, args, env}
		return command.Get("path").IsString()
	case syntax.String:
		return hasStructure(entry) || isProgram(command.Text) || isLoneCommand(entry, command.Text)
	}
	return false
}

// looksLikeURL reports whether a member of an entry is an address, or a placeholder for one next
// to a member that only a server has.
func looksLikeURL(entry, url *syntax.Node) bool {
	if url.Kind != syntax.String {
		return false
	}
	return strings.Contains(url.Text, "://") || strings.HasPrefix(url.Text, "$") || hasStructure(entry)
}

// hasStructure reports whether an entry has a member that texts for people never have next to
// them: a list of arguments, a map of variables, a transport.
func hasStructure(entry *syntax.Node) bool {
	for _, m := range entry.Nodes {
		switch fieldOf(m.Name) {
		case argsField:
			if m.Kind == syntax.Array {
				return true
			}
		case envField, headersField:
			if m.Kind == syntax.Object {
				return true
			}
		case typeField:
			if m.Kind == syntax.String && TransportOf(m.Text) != "" {
				return true
			}
		case disabledField, enabledField:
			if m.Kind == syntax.Bool {
				return true
			}
		}
	}
	return false
}

// isProgram reports whether a text can only be a program: one word with
// something in it that a word for people does not have.
func isProgram(text string) bool {
	return strings.ContainsAny(text, `/\.-_$0123456789`) && !strings.ContainsAny(text, " \t\n")
}

// isLoneCommand reports whether an entry has only a program, in one small word.
func isLoneCommand(entry *syntax.Node, command string) bool {
	return len(entry.Nodes) == 1 && command != "" && strings.Trim(command, "abcdefghijklmnopqrstuvwxyz") == ""
}

// TransportOf returns the transport that a type means, "" if it means none for
// sure. "remote" only says that there is a URL (opencode tries streamable HTTP,
// then SSE).
func TransportOf(word string) string {
	switch strings.ToLower(word) {
	case "stdio", "local":
		return "stdio"
	case "http", "streamable-http", "streamablehttp", "streamable_http", "streamable", "http-stream", "httpstream":
		return "http"
	case "sse":
		return "sse"
	case "ws", "websocket":
		return "ws"
	}
	return ""
}

// listName returns the member that names an element of a list of servers, or
// nil. "id" is a mistake that real files make.
func listName(entry *syntax.Node) *syntax.Node {
	if name := entry.Get("name"); name.IsString() {
		return name
	}
	if id := entry.Get("id"); id.IsString() {
		return id
	}
	return nil
}

// named is an entry with its name.
type named struct {
	name  string
	span  syntax.Span
	entry *syntax.Node
}

// entries returns the servers of a map or named list. If a key is written twice, a map keeps the
// last one; a list keeps all.
func (in *Input) entries(value *syntax.Node) []named {
	list := make([]named, 0, len(value.Nodes))
	last := in.lastOfKeys(value)
	for i, n := range value.Nodes {
		n = flattened(n)
		if !IsServer(n) || in.skips(n) {
			continue
		}
		if value.Kind == syntax.Array {
			if name := listName(n); name != nil {
				list = append(list, named{name.Text, name.Value, n})
			}
			continue
		}
		if last == nil || last[n.Name] == i {
			list = append(list, named{n.Name, n.Key, n})
		}
	}
	return list
}

// skips reports whether the format says that an entry is not a server.
func (in *Input) skips(entry *syntax.Node) bool {
	return in.Match.Format.Skip != nil && in.Match.Format.Skip(entry)
}

// lastOfKeys returns the last place of each key of an object, nil if no key of the file is
// written twice.
func (in *Input) lastOfKeys(object *syntax.Node) map[string]int {
	if len(in.Tree.Duplicates) == 0 || object.Kind != syntax.Object {
		return nil
	}
	last := make(map[string]int, len(object.Nodes))
	for i, n := range object.Nodes {
		last[n.Name] = i
	}
	return last
}

// withoutRepeats returns an entry with only the last of its members of one name, as clients read
// it.
func (in *Input) withoutRepeats(entry *syntax.Node) *syntax.Node {
	last := in.lastOfKeys(entry)
	if last == nil || len(last) == len(entry.Nodes) {
		return entry
	}
	read := *entry
	read.Nodes = nil
	for i, m := range entry.Nodes {
		if last[m.Name] == i {
			read.Nodes = append(read.Nodes, m)
		}
	}
	return &read
}

// Servers reads every entry of a map or named list. They share one allocation,
// and so do their words and their pairs.
func (in *Input) Servers(value *syntax.Node) []*mcp.Server {
	return in.read(in.entries(value))
}

// Entry reads an entry with a name, whose span is given.
func (in *Input) Entry(name string, span syntax.Span, entry *syntax.Node) *mcp.Server {
	return in.read([]named{{name, span, entry}})[0]
}

// read reads entries.
func (in *Input) read(list []named) []*mcp.Server {
	if len(list) == 0 {
		return nil
	}
	r := entryReader{urls: in.plan.urls, bearers: in.plan.bearers, gallery: in.plan.gallery, noCwd: in.noCwd}
	words, pairs := 0, 0
	for _, n := range list {
		w, p := count(n.entry)
		words, pairs = words+w, pairs+p
	}
	r.words, r.pairs = make([]identity.Word, words), make([]identity.Pair, pairs)

	all := make([]mcp.Server, len(list))
	servers := make([]*mcp.Server, len(list))
	for i, n := range list {
		s := &all[i]
		s.Name, s.NameSpan, s.Span, s.Shared = n.name, n.span, n.entry.Value, IsShared(n.entry)
		r.read(n.entry, s)
		servers[i] = s
	}
	return servers
}

// count returns how many words and pairs an entry may hold.
func count(entry *syntax.Node) (words, pairs int) {
	for _, m := range entry.Nodes {
		switch fieldOf(m.Name) {
		case argsField:
			words += len(m.Nodes)
		case commandField:
			if m.Kind == syntax.Object {
				w, p := count(m)
				words, pairs = words+w, pairs+p
				continue
			}
			words += len(m.Nodes)
		case envField, headersField, headerVarsField:
			pairs += len(m.Nodes)
		case passEnvField:
			words += len(m.Nodes)
		case requestField:
			if headers := m.Get("headers"); headers != nil {
				pairs += len(headers.Nodes)
			}
		}
	}
	return words, pairs
}

// entryReader turns entries into launches.
type entryReader struct {
	urls    []mcp.URLField
	bearers []string        // members that hold a bearer token
	gallery []string        // members that say from which registry an entry is
	noCwd   bool            // no working directory is read
	words   []identity.Word // unused rest of the document's words
	pairs   []identity.Pair // unused rest of the document's pairs
}

// isSwitchedOff reports whether a member has the value by which it switches its entry off.
func isSwitchedOff(m *syntax.Node, value bool) bool {
	return m != nil && m.Kind == syntax.Bool && strings.EqualFold(m.Text, strconv.FormatBool(value))
}

// switchOff notes a member that switches its entry off if it has a value.
func switchOff(s *mcp.Server, m *syntax.Node, value bool) {
	if isSwitchedOff(m, value) {
		s.SwitchOff(mcp.OffMember{Off: mcp.Off{Key: m.Name, Value: value}, Span: m.Key})
	}
}

// read fills in the values of an entry. It ignores a member of the wrong type; if one is written
// twice, the last counts, as in every client's parser.
func (r *entryReader) read(entry *syntax.Node, s *mcp.Server) {
	l := &s.Launch
	var rest []identity.Word // arguments that are in the command
	rank := len(r.urls)
	said := ""    // the transport that the name of the URL's member says
	more := false // whether there are headers elsewhere than among the headers
	for _, m := range entry.Nodes {
		switch fieldOf(m.Name) {
		case commandField:
			rest = r.command(m, l)
		case argsField:
			if m.Kind == syntax.Array {
				l.Args = r.list(m.Nodes)
			}
		case envField:
			switch m.Kind {
			case syntax.Object:
				l.Env = r.members(m)
			case syntax.Array:
				l.Env = r.assignments(m)
			}
		case headersField:
			if m.Kind == syntax.Object {
				l.Headers = r.members(m)
			}
		case cwdField:
			switch {
			case m.Kind != syntax.String:
			case r.noCwd:
				s.EnsureExtra().NoCwd = Literal(m)
			default:
				l.Cwd = Literal(m)
			}
		case urlField:
			if i := r.rank(m.Name); m.Kind == syntax.String && i <= rank {
				rank, l.URL, said = i, Literal(m), r.urls[i].Transport
			}
		case typeField:
			// "type" is the word of nearly all clients and wins over others'.
			if m.Kind == syntax.String && (m.Name == "type" || s.Type.Text == "" || entry.Get("type") == nil) {
				s.Type = Literal(m)
			}
		case disabledField:
			switchOff(s, m, true)
		case enabledField:
			switchOff(s, m, false)
		case passEnvField:
			l.PassEnv = r.variables(m)
		case targetField:
			readTarget(m, l)
		case headerVarsField, bearerVarField, requestField:
			more = true
		case otherField:
			if m.Name == "envFile" && m.Kind == syntax.String {
				l.EnvFile = Literal(m)
			}
			if slices.Contains(withholding, m.Name) {
				for _, tool := range Words(m) {
					s.EnsureExtra().Withheld = append(s.EnsureExtra().Withheld, m.Name+" "+tool.Text)
				}
			}
			if m.Name == "description" && m.Kind == syntax.String {
				s.EnsureExtra().Description = m.Text
			}
			if m.Name == "headersHelper" && m.Kind == syntax.String { // code.claude.com/docs/en/mcp
				s.EnsureExtra().HeadersHelper = Literal(m)
			}
			if slices.Contains(r.gallery, m.Name) && m.Text != "" && m.Text != "false" {
				s.EnsureExtra().InGallery = true
			}
			if extra := secretMembers(nil, m); extra != nil {
				s.EnsureExtra().SecretMembers = append(s.EnsureExtra().SecretMembers, extra...)
			}
		}
		more = more || slices.Contains(r.bearers, m.Name)
	}
	if len(rest) > 0 {
		l.Args = append(rest, l.Args...)
	}
	if more && l.URL.Text != "" {
		l.Headers = append(l.Headers, r.otherHeaders(entry)...)
	}
	if l.Transport = said; said == "" {
		l.Transport = TransportOf(s.Type.Text)
	}
}

// command reads a program: a word, a list of it and its arguments (opencode,
// MCPorter), or Zed's old object. It returns the arguments it found.
func (r *entryReader) command(m *syntax.Node, l *identity.Launch) []identity.Word {
	switch m.Kind {
	case syntax.String:
		l.Command = Literal(m)
	case syntax.Array:
		words := r.list(m.Nodes)
		if len(words) > 0 {
			l.Command = words[0]
			return words[1:]
		}
	case syntax.Object:
		if path := m.Get("path"); path.IsString() {
			l.Command = Literal(path)
		}
		if args := m.Get("args"); args != nil && args.Kind == syntax.Array {
			l.Args = r.list(args.Nodes)
		}
		if env := m.Get("env"); env != nil && env.Kind == syntax.Object {
			l.Env = r.members(env)
		}
	}
	return nil
}

// readTarget reads a whole launch in one text: fast-agent's target. Identity splits a command
// that has blanks if the entry has no arguments.
func readTarget(m *syntax.Node, l *identity.Launch) {
	switch {
	case m.Kind != syntax.String:
	case strings.HasPrefix(m.Text, "http://"), strings.HasPrefix(m.Text, "https://"):
		l.URL = Literal(m)
	default:
		l.Command = Literal(m)
	}
}

// variables returns the names in a list of variables that a client hands
// through: plain names, or Codex's {name, source}.
func (r *entryReader) variables(list *syntax.Node) []identity.Word {
	n := 0
	for _, node := range list.Nodes {
		if node.Kind == syntax.Object {
			node = node.Get("name")
		}
		if node.IsString() && list.Kind == syntax.Array && n < len(r.words) {
			r.words[n] = Literal(node)
			n++
		}
	}
	words := r.words[:n:n]
	r.words = r.words[n:]
	return words
}

// otherHeaders returns the headers that an entry has elsewhere than in its map
// of headers. Values that come from variables are written as references, with
// the span of the variable's name.
func (r *entryReader) otherHeaders(entry *syntax.Node) []identity.Pair {
	var headers []identity.Pair
	for _, m := range entry.Nodes {
		switch f := fieldOf(m.Name); {
		case f == headerVarsField && m.Kind == syntax.Object:
			for _, header := range r.members(m) {
				header.Value.Text = "${" + header.Value.Text + "}"
				headers = append(headers, header)
			}
		case f == bearerVarField && IsFilled(m):
			name := variableIn(m)
			headers = append(headers, bearer(m, identity.Word{Text: "${" + name.Text + "}", Span: name.Span}))
		case slices.Contains(r.bearers, m.Name) && IsFilled(m):
			headers = append(headers, bearer(m, Literal(m)))
		case f == requestField:
			if list := m.Get("headers"); list != nil && list.Kind == syntax.Object {
				headers = append(headers, r.members(list)...)
			}
		}
	}
	return headers
}

// variableIn returns the name of the variable that a member names, also if it is written as a
// reference, which the client does not accept.
func variableIn(m *syntax.Node) identity.Word {
	name := Literal(m)
	if variable, ok := namedInstead(name.Text); ok {
		start := strings.Index(name.Text, variable)
		return name.Part(start, start+len(variable))
	}
	return name
}

// bearer returns the header that a client sends for a member with a token.
func bearer(m *syntax.Node, token identity.Word) identity.Pair {
	return identity.Pair{
		Name:  identity.Word{Text: "Authorization", Span: m.Key},
		Value: identity.Word{Text: "Bearer " + token.Text, Span: token.Span},
	}
}

// rank returns the place of a member among those that hold an address.
func (r *entryReader) rank(name string) int {
	for i := range r.urls {
		if r.urls[i].Name == name {
			return i
		}
	}
	return len(r.urls) - 1
}

// list returns the scalar elements of a list as words.
func (r *entryReader) list(nodes []*syntax.Node) []identity.Word {
	n := 0
	for _, node := range nodes {
		if IsScalar(node) && n < len(r.words) {
			r.words[n] = Literal(node)
			n++
		}
	}
	words := r.words[:n:n]
	r.words = r.words[n:]
	return words
}

// members returns the scalar members of an object as pairs.
func (r *entryReader) members(object *syntax.Node) []identity.Pair {
	n := 0
	for _, m := range object.Nodes {
		if IsScalar(m) && n < len(r.pairs) {
			r.pairs[n] = identity.Pair{Name: identity.Word{Text: m.Name, Span: m.Key}, Value: Literal(m)}
			n++
		}
	}
	pairs := r.pairs[:n:n]
	r.pairs = r.pairs[n:]
	return pairs
}

// assignments returns the variables of a list: "NAME=value", as Compose files
// have them, and {"name": …, "value": …}.
func (r *entryReader) assignments(list *syntax.Node) []identity.Pair {
	n := 0
	for _, m := range list.Nodes {
		if pair, ok := assignment(m); ok && n < len(r.pairs) {
			r.pairs[n] = pair
			n++
		}
	}
	pairs := r.pairs[:n:n]
	r.pairs = r.pairs[n:]
	return pairs
}

func assignment(m *syntax.Node) (identity.Pair, bool) {
	if name, v := m.Get("name"), m.Get("value"); name.IsString() && v != nil && IsScalar(v) {
		return identity.Pair{Name: Literal(name), Value: Literal(v)}, true
	}
	name, v, ok := strings.Cut(m.Text, "=")
	if m.Kind != syntax.String || !ok {
		return identity.Pair{}, false
	}
	pair := identity.Pair{Name: identity.Word{Text: name, Span: m.Value}, Value: identity.Word{Text: v, Span: m.Value}}
	quotes := 0
	if m.Value.End-m.Value.Start == len(m.Text)+2 {
		quotes = 1
	}
	if m.Value.End-m.Value.Start == len(m.Text)+2*quotes { // written without escapes
		start := m.Value.Start + quotes
		pair.Name.Span = syntax.Span{Start: start, End: start + len(name)}
		pair.Value.Span = syntax.Span{Start: start + len(name) + 1, End: start + len(m.Text)}
	}
	return pair, true
}

// secretMembers appends the texts within m that are under a name that credentials have.
func secretMembers(list []identity.Pair, m *syntax.Node) []identity.Pair {
	return TextMembers(list, m, secret.IsSecretName)
}

// TextMembers appends the texts within m that are under a name that is wanted.
func TextMembers(list []identity.Pair, m *syntax.Node, wants func(name string) bool) []identity.Pair {
	if m.Kind == syntax.String && m.Name != "" && wants(m.Name) {
		list = append(list, identity.Pair{Name: identity.Word{Text: m.Name, Span: m.Key}, Value: Literal(m)})
	}
	for _, n := range m.Nodes {
		list = TextMembers(list, n, wants)
	}
	return list
}

// withholding are the members by which entries keep tools from a client: Gemini CLI and Qwen Code
// (excludeTools), Codex and Crush (disabled_tools), Roo Code, Kiro and Windsurf (disabledTools).
var withholding = []string{"disabledTools", "disabled_tools", "excludeTools"}
