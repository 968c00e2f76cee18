package mcp

import (
	"path"
	"slices"

	"github.com/mcplumb/mcplumb/internal/allow"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// Client is what is known of one AI client: how it reads its files. Everything
// in it is data; the table of all clients is in client_table.go.
type Client struct {
	// ID is the stable short name ("claude-code"), Title the name people know
	// ("Claude Code").
	ID, Title string
	FileFacts
	EntryFacts
	SwitchFacts
	VariableFacts
	// Lists is by whose rules the client judges by managed lists of servers, "" where it
	// reads none, as far as is known.
	Lists allow.Client
	// Source is where these facts are from, except those that name a source themselves.
	Source Source
}

// Source is where facts are from, and as of when.
type Source struct {
	// From names pages, issues, files of repositories, or what was run.
	From string
	// Version is the release or the commit that was run or read; "" where pages, issues or files
	// of other tools were, so that nothing is verified since.
	Version string
	// Seen is the day of that, as YYYY-MM-DD, or the month.
	Seen string
}

// FileFacts are how a client finds and reads its files.
type FileFacts struct {
	// Source is where these facts are from, if not from the client's; so it is below.
	Source Source
	// Files are the formats the client reads, and how it reads each.
	Files []Reading
	// NotLoaded are files that look like the client's own and from which it loads no
	// server.
	NotLoaded []NotLoadedFiles
	// LoadedTogether are the formats the client loads at once when it opens one
	// project: its effective set. Empty where that is not known.
	LoadedTogether []string
	// MergesByName reports that the client merges those by name: of two entries it loads
	// the one in the file whose format stands first.
	MergesByName bool
	// Strict reports that the client's parser refuses comments and trailing commas,
	// RefusesBOM that it refuses a byte order mark. False also means that this is not known.
	Strict, RefusesBOM bool
	// Environment are the files of a project whose variables the client hands to every server
	// that it starts.
	Environment []EnvironmentFile
	// RefusesRepeats reports that the client refuses a file in which two entries
	// have one name, or are one server of the registry.
	RefusesRepeats bool
}

// EnvironmentFile is a file of variables by its path from the directory of the project: their
// names and values on lines or, with a key, in the object that a JSON file has under it.
type EnvironmentFile struct{ Path, Key string }

// EntryFacts are what a client reads in an entry, and what it refuses.
type EntryFacts struct {
	Source Source
	// Fields are the names of an entry's members that the client reads.
	Fields Fields
	// OwnWords reports that Fields have every name under which the client reads arguments,
	// variables and headers; a Schema also says so.
	OwnWords bool
	// Schema is what its schema says of all members; nil where it has none.
	Schema *Schema
	// Types are the words the client accepts as an entry's type; empty where
	// that is not known.
	Types []Type
	// SomeTypes are words that it is known to accept where not all of them are known,
	// the plainest first.
	SomeTypes []Type
	// NeedsType reports that the client refuses a URL that stands without a type.
	NeedsType bool
	// NeedsEveryType reports that it refuses a command without a type as well.
	NeedsEveryType bool
	// Binding are the words among those that say which sort of target an entry has: one
	// that has only the other sort is not started.
	Binding []string
	// NeedsTarget reports that the client passes over an entry which names neither a
	// program nor an address, even if it has other members: such an entry never overrides one of
	// another file.
	NeedsTarget bool
	// WritesType reports that no entry is written without its type: the client refuses
	// one, or takes it for something else.
	WritesType bool
	// NeedsArgs reports that the client refuses a command without a list of
	// arguments, were it empty.
	NeedsArgs bool
	// OneTarget reports that the client refuses an entry with both a command and
	// a URL.
	OneTarget bool
	// NoShell reports that the client hands the command to the system as the name
	// of one program: with arguments in it nothing is found.
	NoShell bool
	// NeedsCmd are the programs that the client starts on Windows through cmd /c alone.
	NeedsCmd []string
	// KeepsBlanks reports that the client is known to use texts with the blanks at their ends.
	KeepsBlanks bool
	// Native are the transports the client itself speaks to a remote server:
	// "http", "sse", "ws". Empty where a remote server needs a bridge, or where
	// that is not known.
	Native []string
}

// SwitchFacts are by which members a client leaves an entry alone, or trusts it.
type SwitchFacts struct {
	Source Source
	// Off is how one entry is switched off in the client's own files.
	Off Off
	// AlsoOff is another member that it takes for the same.
	AlsoOff Off
	// NoOff reports that the client is known to read no such member: it starts an entry
	// that another client's switch is in.
	NoOff bool
	// Offs are other ways, by the key right above the entries.
	Offs map[string]Off
	// AllTools is how an entry lets every tool of its server run without asking anyone.
	AllTools Trust
	// SomeTools is the member of an entry that lists the tools which run without asking, ""
	// for none; EachTool how the entry of a tool in "tools" says so.
	SomeTools string
	EachTool  Trust
}

// VariableFacts are which references to variables a client expands, and which names variables may have.
type VariableFacts struct {
	Source Source
	// Syntaxes are the kinds of variables the client expands.
	Syntaxes []secret.Syntax
	// NoOthers reports that Syntaxes are all it expands, as its source or its
	// documentation says: what is written otherwise reaches the server as it is.
	NoOthers bool
	// Literal are the kinds of variables that are known to reach the server as written, where
	// NoOthers is not known.
	Literal []secret.Syntax
	// PlainDefaults reports that a variable in braces is a name of letters, digits and
	// underscores, and a default behind ":-" alone, which ends at the first brace.
	PlainDefaults bool
	// KeepsTilde reports that it is known to start programs with a "~" as it is written.
	KeepsTilde bool
	// Predefined are the names without a prefix that the client itself fills in
	// ("userHome"), in addition to the path variables of Files.
	Predefined []string
	// EnvBy are the members of an entry that list names of variables for the
	// server, HeadersBy those that name the variable of a header, where the client
	// has such.
	EnvBy, HeadersBy []string
	// Reserved is what no variable's name may begin with that a person sets for the
	// client; "" allows all.
	Reserved string
	// EnvPrefix is what the name of a variable begins with that the client takes
	// from where it runs; "" takes all.
	EnvPrefix string
}

// Reading is how a client reads the files of one format.
type Reading struct {
	// Format is the name of the format.
	Format string
	// Roots are the root keys whose servers the client loads, as dotted paths.
	Roots []string
	// Flat reports that the first of them is one key with dots in it, not one key in
	// another.
	Flat bool
	// Bare reports that the client also loads a file without a root key, whose
	// members are the servers; BareInPlugin that it does so in plugins alone.
	Bare, BareInPlugin bool
	// Lists reports that the servers are a list of entries with names in these
	// files; otherwise they are an object of entries by name.
	Lists bool
	// Below are the members of the value under a root key that hold the servers,
	// where that value does not hold them itself.
	Below []string
	// Start is where the relative paths of an entry start from.
	Start Base
	// Dirs are the path variables the client expands in these files.
	Dirs []Dir
	// Unset are those of Dirs that the client sets for its servers and not for itself, so
	// that they need a default.
	Unset []string
	// NoCwd reports that the client reads no working directory of an entry in these
	// files: it starts all servers in the directory of the project.
	NoCwd bool
	// Others reports that the client may expand more in these files than
	// Client.Syntaxes say.
	Others bool
	// Dialect is what it accepts in these files if that differs from its other files; nil
	// otherwise.
	Dialect *Dialect
	// NoSwitch reports that nothing in an entry of these files switches it off.
	NoSwitch bool
	// Names are the names of servers that the client takes in these files.
	Names Naming
	// Fatal reports that the client does not start at all for one entry that it refuses,
	// switched off or not; elsewhere it goes on without the entry, as far as is known.
	Fatal bool
	// Unless is a path, from a file's own directory: where that file is, the client
	// reads it instead.
	Unless string
	// OnlyWith is the client's own directory, such as ".qwen": it reads these files of other
	// clients in addition to its own. How it reads them counts only in a project that has the
	// directory. At is the path, from the directory of the project, that it reads of those of the
	// format; "" for all.
	OnlyWith, At string
}

// NotLoaded are files from which a client loads no server.
type NotLoadedFiles struct {
	// Format is the name of their format.
	Format string
	// Instead is where the client looks for the servers of a project.
	Instead string
	// Home is where it reads such a file in a home directory, for which this one may be
	// meant; "" where it reads none. Successor is the client of a project's servers where
	// that is another one.
	Home, Successor string
	// Projects are formats that only a project has: the files are right in a home directory, and
	// wrong next to a file of those formats. Empty if they are wrong in both.
	Projects []string
	// Plugin is the format of a manifest; files called Name next to it are wrong unless the
	// manifest names them. It is "" if the place alone makes them wrong.
	Plugin, Name string
}

// IsIn reports whether the project has one of the files that make these wrong. In a repository of
// one person's settings every file may be one of a home directory.
func (f *NotLoadedFiles) IsIn(p *Project) bool {
	return slices.ContainsFunc(p.Documents, func(d *Document) bool {
		return d.Scope != ScopeUser && !d.IsPersonal && slices.Contains(f.Projects, d.Format)
	})
}

// Dir is a path variable: a bare name and its directory.
type Dir struct {
	Name string
	Base Base
}

// Reference returns the variable as a file of the project writes it. Claude Code sets its own for
// servers and not for itself, so that it needs a default: code.claude.com/docs/en/mcp.
func (d Dir) Reference() string {
	if d.Name == "CLAUDE_PROJECT_DIR" {
		return "${" + d.Name + ":-.}"
	}
	return "${" + d.Name + "}"
}

// Base is a directory that a file's place decides.
type Base uint8

// The bases.
const (
	ProjectDir  Base = iota // the directory the file configures
	DocumentDir             // the directory the file is in
)

// Fields are the names of an entry's members, the one that wins first.
type Fields struct {
	Command, Args, Env, Cwd, Headers, Type []string
	URL                                    []URLField
	// CommandKinds are the kinds of value the command may be, where no Schema says
	// it; zero means a string.
	CommandKinds Kinds
	// Bearer are members that hold a bearer token, sent as a header.
	Bearer []string
	// Within is the member in which the client looks for command, URL and what goes with
	// them before it looks in the entry; "" if it has none.
	Within string
	// Gallery is the member of an entry that was installed from a registry, in which the
	// client looks the server up by the entry's name; "" if it has none.
	Gallery string
}

// URLField is a member that holds a server's address. Transport is what its
// name says of the server; empty when the client tries what works.
type URLField struct{ Name, Transport string }

// Type is a word that says how a server is reached, and the transport it means:
// "stdio", "http", "sse" or "ws".
type Type struct{ Word, Transport string }

// Off is the member and value that switch an entry off; the zero value where
// the client has no such switch.
type Off struct {
	Key   string
	Value bool
}

// Trust is a member of an entry and the value that grants the trust: a boolean, a word, or an
// element of a list, as text. The zero value means none.
type Trust struct{ Key, Value string }

// OffUnder returns how an entry is switched off that stands right under a key in
// files of the format, the zero value for not at all; known is false where that is only
// not known.
func (c *Client) OffUnder(format, key string) (off Off, known bool) {
	if r := c.Reading(format); r != nil && r.NoSwitch {
		return Off{}, true
	}
	off, known = c.Offs[key]
	if !known {
		off = c.Off
	}
	return off, off.Key != "" || c.NoOff
}

// Speaks reports whether the client itself connects over the transport.
func (c *Client) Speaks(transport string) bool { return slices.Contains(c.Native, transport) }

// Dialect is what a client takes in the values of its entries, in files of one format: the
// fields are those of Client.
type Dialect struct {
	Types, SomeTypes []Type
	Syntaxes         []secret.Syntax
	NoOthers         bool
	Literal          []secret.Syntax
}

// In returns what the client takes in files of the format.
func (c *Client) In(format string) Dialect {
	r := c.Reading(format)
	if r != nil && r.Dialect != nil {
		return *r.Dialect
	}
	d := Dialect{c.Types, c.SomeTypes, c.Syntaxes, c.NoOthers, c.Literal}
	if r == nil || r.Others {
		d.NoOthers, d.Literal = false, nil
	}
	return d
}

// Expands reports whether variables of the syntax's family are expanded.
func (d Dialect) Expands(s secret.Syntax) bool {
	return slices.ContainsFunc(d.Syntaxes, func(known secret.Syntax) bool { return known.Family() == s.Family() })
}

// Knows reports whether it is known what becomes of variables of the syntax's family.
func (d Dialect) Knows(s secret.Syntax) bool {
	return d.NoOthers || slices.Contains(d.Literal, s.Family())
}

// Reading returns how the client reads files of the format, or nil if it does
// not read them.
func (c *Client) Reading(format string) *Reading {
	for i := range c.Files {
		if c.Files[i].Format == format {
			return &c.Files[i]
		}
	}
	return nil
}

// Reads reports whether the client loads the servers under a root key, as
// Document.RootKey names it, in files of the format. The empty key asks for a
// bare map.
func (c *Client) Reads(format, rootKey string) bool {
	r := c.Reading(format)
	if r == nil {
		return false
	}
	if rootKey == "" {
		return r.Bare
	}
	return slices.Contains(r.Roots, rootKey)
}

// Before returns the path of the file that the client reads, if it exists, instead of the file of a
// format at another path; "" if there is no such path.
func (c *Client) Before(format, file string) string {
	r := c.Reading(format)
	if r == nil || r.Unless == "" {
		return ""
	}
	return path.Join(path.Dir(file), r.Unless)
}

// IsClientVariable reports whether some client fills in a name by itself: a directory, or another
// variable of its own. PWD is the environment's.
func IsClientVariable(name string) bool { return clientVariables[name] }

// clientVariables are those names, as every variable is looked up.
var clientVariables = variablesOf(clients)

func variablesOf(clients []*Client) map[string]bool {
	names := map[string]bool{}
	for _, c := range clients {
		for _, name := range c.Predefined {
			names[name] = true
		}
		for i := range c.Files {
			for _, d := range c.Files[i].Dirs {
				names[d.Name] = true
			}
		}
	}
	delete(names, "PWD")
	return names
}

// Clients returns every known client, sorted by ID. Do not change them.
func Clients() []*Client { return slices.Clone(clients) }

// ClientByID returns the client of the ID, or nil.
func ClientByID(id string) *Client {
	for _, c := range clients {
		if c.ID == id {
			return c
		}
	}
	return nil
}

// IsNotLoaded reports whether a client is known to load no server from files of the
// format, in a project or a home directory.
func IsNotLoaded(format string) bool {
	return slices.ContainsFunc(clients, func(c *Client) bool {
		return slices.ContainsFunc(c.NotLoaded, func(u NotLoadedFiles) bool { return u.Format == format && len(u.Projects) == 0 && u.Plugin == "" })
	})
}

// Readers returns the clients that read files of the format, sorted by ID, wherever those are.
func Readers(format string) []*Client {
	return readers(func(r *Reading) bool { return r.OnlyWith == "" }, format)
}

// ReadersBeside returns the clients that read the format in addition to their own files.
func ReadersBeside(format string) []*Client {
	return readers(func(r *Reading) bool { return r.OnlyWith != "" }, format)
}

func readers(isWanted func(*Reading) bool, format string) []*Client {
	var readers []*Client
	for _, c := range clients {
		if r := c.Reading(format); r != nil && isWanted(r) {
			readers = append(readers, c)
		}
	}
	return readers
}
