// Package mcp is the model of a repository's MCP configuration: which files
// there are, which clients read them, which servers they hold. It knows the
// facts about every client and nothing about files on disk.
package mcp

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/allow"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Repo is everything found below the linted paths.
type Repo struct {
	// Projects are sorted by directory; their documents by path.
	Projects []*Project
	// Groups are the files that the settings want to hold the same servers, nil where they
	// name none.
	Groups []*Group
	// Registries are what registries say of its packages, nil where they were not asked.
	Registries *Registries
	// Policies are the managed lists of servers that clients follow in addition to the files of a
	// project.
	Policies []*allow.Policy
	// Approved is the catalog of the organization, nil where the settings name none and
	// where it was not asked.
	Approved *Approved
	// StaleBefore is the date, as 2006-01-02, before which what a lockfile holds was validated
	// too long ago; "" where that is not asked for.
	StaleBefore string
}

// Project is the directory that files configure: a/.vscode/mcp.json and
// a/.mcp.json both belong to a.
type Project struct {
	// Dir is slash-separated, from the repository root; "" is the root.
	Dir       string
	Documents []*Document
	// GovernedBy is the project whose lockfile governs this one, itself
	// included; Governs are the projects that this one's lockfile governs.
	GovernedBy *Project
	Governs    []*Project
	// Compared are the groups of documents that are compared with one another, two
	// or more each: what clients load when they open the project, with what it was
	// generated from, and what a plugin in that directory brings.
	Compared [][]*Document
	// Bundled are the parts of packages and bundles that can be installed side by side: those of
	// the project, and in the first project that has one those of the whole repository, for tools
	// that keep each bundle in its own directory.
	Bundled []*Document
	// References are the places that name a server without defining it, by that
	// name; nil where nothing does.
	References map[string][]Mention
	// InStep are its files in groups, those that are not there among them.
	InStep []*GroupFile
	// Facts are what is known of the servers from elsewhere.
	Facts Facts
}

// Instead returns the document in use that keeps all of some clients from reading a file
// of a format at a path, whether or not that is there; nil if one of them reads it.
func (p *Project) Instead(clients []*Client, format, file string) *Document {
	var first *Document
	for _, c := range clients {
		before := c.Before(format, file)
		if before == "" {
			return nil // nearly all clients, so the documents are not searched for them
		}
		i := slices.IndexFunc(p.Documents, func(d *Document) bool {
			return d.Role == InUse && d.File.Path == before && c.Reading(d.Format) != nil
		})
		if i < 0 {
			return nil
		}
		if first == nil {
			first = p.Documents[i]
		}
	}
	return first
}

// GoverningLock returns the first lockfile that speaks for all servers of the
// project, or nil.
func (p *Project) GoverningLock() *Document {
	if p.GovernedBy == nil {
		return nil
	}
	i := slices.IndexFunc(p.GovernedBy.Documents, (*Document).Governs)
	return p.GovernedBy.Documents[i]
}

// Governs reports whether the document is a lockfile that speaks for all servers
// of its project and of the directories below.
func (d *Document) Governs() bool { return d.Lock != nil && !d.Tool.Partial && !d.Tool.PerTool }

// ClientFiles returns the documents that clients load when they open the project.
func (p *Project) ClientFiles() []*Document {
	var files []*Document
	for _, d := range p.Documents {
		if d.IsClientFile() {
			files = append(files, d)
		}
	}
	return files
}

// Parent returns the directory of a slash-separated path, "" for the root.
func Parent(path string) string { return path[:max(strings.LastIndexByte(path, '/'), 0)] }

// Upwards yields a directory and all above it up to the root, "".
func Upwards(dir string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for yield(dir) && dir != "" {
			dir = Parent(dir)
		}
	}
}

// Scope is what a document configures.
type Scope string

// The scopes of documents.
const (
	ScopeProject   Scope = "project"   // what a client loads when it opens the project
	ScopePlugin    Scope = "plugin"    // what a plugin or extension brings
	ScopeAgent     Scope = "agent"     // one agent's or crew's own servers
	ScopeUser      Scope = "user"      // a sample or dotfile of one person's settings
	ScopeGeneric   Scope = "generic"   // a file known by its name and content alone
	ScopeGenerator Scope = "generator" // the source that other files are generated from
	ScopeRegistry  Scope = "registry"  // a registry or bundle manifest
	ScopeLock      Scope = "lock"      // a lockfile
	ScopeSettings  Scope = "settings"  // holds switches and references, no servers
)

// Role is what a file's path says it is for.
type Role uint8

// The roles of files.
const (
	InUse   Role = iota // nothing special: it is used
	Example             // an example or template: no cross-file findings
	Fixture             // data of a test: may be broken on purpose, no cross-file findings
	Aside               // put aside, an archive or a backup: no client reads it and no one copies it
)

// Document is one file that was read.
type Document struct {
	File *syntax.File
	// Format is the name of the format that read it.
	Format string
	// Clients read this file at this place; empty when no client is known to.
	Clients []*Client
	// Beside are the clients that read it in addition to their own files, which the project has.
	// Whether an entry is right depends on Clients alone.
	Beside []*Client
	// Tool is the program whose own file it is: a lockfile, a package, a manifest;
	// nil for files of clients.
	Tool    *Tool
	Scope   Scope
	Role    Role
	Project *Project
	// Sample reports that the file is, by its name, meant to be copied and filled in before a
	// client reads it: config.toml.example.
	Sample bool
	// IsPersonal reports that it belongs to one person: a sample or dotfile of their settings, or
	// any file of a repository of dotfiles.
	IsPersonal bool
	// NotLoaded reports that the client whose own file it looks like is known to load
	// none of its servers (Client.NotLoadedFiles), wherever the file is.
	NotLoaded bool
	// Embedded reports that the file does not hold the entries as they are read: they are text in a
	// file of another language, or assembled from more than an entry of a client consists of.
	// mcplumb changes none of them.
	Embedded bool
	// Unparsed are the places of a file that hold servers, or may, and are not read.
	Unparsed []Unparsed
	// Template reports that the file named is generated from this one, so that no entry can be
	// written into this one.
	Template bool
	// Stray names the client whose own directory has the file, if the client does not read it; nil
	// for every other file.
	Stray *Stray
	// IsSecondary reports that the file is another client's first: a manifest names it
	// for this document's clients, too, and what they do not take may be right there.
	IsSecondary bool
	// Root is the span of the root key's own key, zero for a bare map.
	Root syntax.Span
	// Context is what the file's place says to its servers' launches.
	Context identity.Context
	// RootKey is the root key as a dotted path ("mcpServers", "mcp.servers"),
	// "" for a bare map.
	RootKey string
	Servers []*Server
	// Duplicates are keys repeated where MCP clients look.
	Duplicates []Repeat
	// Inputs are the declared ${input:…} variables, Answers what fills in some of them before a
	// person types.
	Inputs  []identity.Word
	Answers []InputAnswer
	// InputsAt is where they are declared, or would be; nil where no client of such
	// files asks for any, and where something else is there.
	InputsAt *InputList
	// SecretMembers are values under names that credentials have, anywhere in a lockfile, all texts
	// in a file of secrets, the defaults of inputs by the input's id, and rules for tools without a
	// name.
	SecretMembers []identity.Pair
	// Links are files that this one names as part of its configuration.
	Links []Link
	// Switches turn servers of this client's other files off.
	Switches []Switch
	// References name a server elsewhere than where it is defined. The names of
	// Switches are among them.
	References []Reference
	// Approvals are settings by which the user is not asked before a server starts or a
	// tool runs.
	Approvals []Approval
	// Policy are the lists of servers that the project allows and denies, nil if there are none or
	// if one of them has a mistake.
	Policy *allow.Policy
	// Lock is what a lockfile says; nil for everything else.
	Lock *Lock
	// Hashed are what a lockfile has a hash of, apart from the servers in Lock.
	Hashed []Hashed
	// Tracked are the entries of another file that a tool says it wrote, each as
	// it was before its variables were filled in; nil where the tool does not keep it.
	Tracked []*LockEntry
	// Taken are names that servers of this file must not have, because something
	// else in it has them.
	Taken []identity.Word
	// Permissions say which locked tools may run; nil if the file does not say.
	Permissions *Permissions
	// Cloud is the address that the document's own tool talks to; empty where
	// nothing says.
	Cloud identity.Word
	// Installs are the packages that the file has its tool install, as the lockfile of that
	// calls them.
	Installs []identity.Word
	// Bundle is the package or bundle that the document is a part of; nil for every
	// other file.
	Bundle *Bundle
	// Publishes reports that the file is the manifest with which its server is
	// published in the MCP registry.
	Publishes bool
	// Manifest is what the file says of the server, plugin or bundle that it describes;
	// nil where it describes none.
	Manifest *Manifest
	// Refusals are what a client or a tool of the file does not take.
	Refusals []Refusal
	// LoadedWith are the documents that a client loads together with this one,
	// itself included, in the order of the project; nil where it is alone.
	LoadedWith []*Document
	// ReadInstead is the document that the clients of this one read in its place;
	// nil where they read this one.
	ReadInstead *Document
	// JSONExtensions is what strict JSON does not allow in the file.
	Extensions JSONExtensions
}

// Stray names where a client reads the servers of a project, for a file of another name in the
// client's own directory.
type Stray struct {
	Client *Client
	// Instead is the file that it reads, Under the root key in it, where that file has
	// more than servers.
	Instead, Under string
}

// Loaders returns the clients that load the document's servers: those that read
// its root key.
func (d *Document) Loaders() []*Client {
	isOther := func(c *Client) bool { return !c.Reads(d.Format, d.RootKey) }
	if !slices.ContainsFunc(d.Clients, isOther) {
		return d.Clients[:len(d.Clients):len(d.Clients)]
	}
	var loaders []*Client
	for _, c := range d.Clients {
		if c.Reads(d.Format, d.RootKey) {
			loaders = append(loaders, c)
		}
	}
	return loaders
}

// Owner returns the first of the clients that load the document's servers, the one that the file is
// made for; nil where there is none.
func (d *Document) Owner() *Client {
	for _, c := range d.Clients {
		if c.Reads(d.Format, d.RootKey) {
			return c
		}
	}
	return nil
}

// InputList is the list in which a file declares what the client asks a person for.
type InputList struct {
	// Object is the object that holds it, or would; Key is its key there.
	Object syntax.Span
	Key    string
	// Hidden are the ids of those that ask for a text and show it as dots.
	Hidden map[string]bool
	Names  InputNames
}

// Bundle is the package or bundle that a document is a part of.
type Bundle struct {
	// Name is empty where the file does not say.
	Name string
	// Declares are the servers that the package's template brings.
	Declares []Declaration
	// Manifest is what the package says of itself; nil in every other file.
	Manifest *Package
}

// IsClientFile reports whether clients load the document when they open the
// project.
func (d *Document) IsClientFile() bool {
	return d.Lock == nil && d.Scope == ScopeProject && d.Role == InUse && len(d.Clients) > 0
}

// BundleName returns the name of the package or bundle that the document is a
// part of, or "".
func (d *Document) BundleName() string {
	if d.Bundle == nil {
		return ""
	}
	return d.Bundle.Name
}

// Server is one entry.
type Server struct {
	// Name is the decoded name; NameSpan is the key (or name value) it was
	// written in, quotes included.
	Name     string
	NameSpan syntax.Span
	// Span is the entry's whole value.
	Span     syntax.Span
	Document *Document
	Launch   identity.Launch
	Identity identity.Identity
	// Type is the word the entry calls its transport, as written; its Text is
	// empty when there is none. Launch.Transport is what it means.
	Type identity.Word
	// off says what disables the entry: started.go.
	off switched
	// Shared reports that an anchor, an alias or a merge key of YAML makes the entry
	// a part of others, or others a part of it: it must not be changed by itself.
	Shared bool
	// Locked is the entry that the server is locked as, nil where no lockfile
	// speaks of it: the governing lockfile's before that of a tool which locks only
	// what it installed itself.
	Locked *LockEntry
	// extra is what hardly any entry says; nil where it says nothing of it. A
	// repository may have hundreds of thousands of entries.
	extra *Extra
}

// Required is a variable or header that a server does not work without.
type Required struct {
	Name     identity.Word
	IsHeader bool
}

// Extra is what hardly any entry says.
type Extra struct {
	// Registry is the server's name in the MCP registry.
	Registry identity.Word
	// Repository is the URL of the source repository, Description the text for people about the
	// server.
	Repository, Description string
	// Requires is what every entry for the server must set, according to a manifest.
	Requires []Required
	// DuplicateOf is the entry that this one repeats according to a tool, with the span of the
	// description that says so.
	DuplicateOf identity.Word
	// SecretMembers are values under names that credentials have, in members of the
	// entry that no launch holds.
	SecretMembers []identity.Pair
	// Off are the members by which the entry switches itself off ("disabled": true,
	// "enabled": false), whether or not its client reads them.
	Off []OffMember
	// NoCwd is the working directory that the entry names and the client does not read.
	NoCwd identity.Word
	// Withheld are the tools that the entry keeps from the client, each behind the member that says
	// so: "excludeTools delete".
	Withheld []string
	// HeadersHelper is the command that a client runs for the headers of a request.
	HeadersHelper identity.Word
	// NamedBy is the tool that made the entry's name, which people are then not to
	// change; Bundle is the bundle that brought the entry, as the name says.
	NamedBy *Tool
	Bundle  string
	// InGallery reports that the client looks the server up in a registry by the
	// entry's name: for its description and for updates.
	InGallery bool
	// WrittenAs are other names under which a generator writes the server into the
	// files of clients.
	WrittenAs []string
	// CopyOf is the entry that a generator wrote this one from.
	CopyOf *Server
	// Template is the entry as it was before its tool filled in the variables,
	// where the tool keeps track of what it wrote.
	Template *LockEntry
	// Apart reports that a tool keeps the server apart for every package that
	// brings it, so that the same one twice is meant.
	Apart bool
	// Overridden is what the client loads instead of the entry.
	Overridden *Override
}

// Override is what the client loads before an entry of the same name in another file.
type Override struct {
	Document *Document
	Span     syntax.Span // of the name, or of what has the name
	// ByHand reports that it is no server of the registry.
	ByHand bool
}

// BundleName returns the name of the package or bundle that an entry is from, ""
// if none is known.
func (s *Server) BundleName() string {
	if s.extra != nil && s.extra.Bundle != "" {
		return s.extra.Bundle
	}
	return s.Document.BundleName()
}

// Resolved returns the server's identity with its launch.
func (s *Server) Resolved() identity.Resolved {
	return identity.Resolved{Identity: &s.Identity, Launch: &s.Launch, Context: &s.Document.Context}
}

// Extra returns what hardly any entry says, empty where it says nothing.
func (s *Server) Extra() Extra {
	if s.extra == nil {
		return Extra{}
	}
	return *s.extra
}

// EnsureExtra returns where a reader writes down what hardly any entry says.
func (s *Server) EnsureExtra() *Extra {
	if s.extra == nil {
		s.extra = &Extra{}
	}
	return s.extra
}

// Repeat is a key written twice in one object, both spans with quotes.
type Repeat struct {
	Name         string
	First, Again syntax.Span
	// Equal reports that both values say the same.
	Equal bool
	// FirstValue and AgainValue are the values, where they are known.
	FirstValue, AgainValue syntax.Span
}

// Link is a file named by another: "mcpServers": "./servers.json".
type Link struct {
	// Path is slash-separated, from the repository root.
	Path string
	Span syntax.Span
}

// Switch says which servers of a client are started.
type Switch struct {
	Client *Client
	// Name is a server; Only reports that it belongs to the list of the only
	// ones that are started, otherwise it is one that is not.
	Name string
	Span syntax.Span // of the name itself
	Only bool
}

// Approval is a setting by which a client does not ask.
type Approval struct {
	Client *Client
	// Grant is what happens without asking.
	Grant Grant
	// Server is whom it holds for: a name, a pattern of names in a list, or ""
	// for every server.
	Server string
	// Tool is the one tool that runs, or a pattern of such; "" is for every tool.
	Tool string
	// ByName reports that the server is named in a list of what may start or run;
	// otherwise a switch or a wildcard in its own entry says so.
	ByName bool
	// Until is the month since which releases of the client do not listen to it, as
	// people write it; "" where all do.
	Until string
	Span  syntax.Span // of the words that grant it
}

// Grant is what an approval allows.
type Grant uint8

// The grants.
const (
	StartServer Grant = iota // the server is started
	RunTools                 // tools of the server run
)

// Reference is a place that names a server without defining it.
type Reference struct {
	Name string
	Span syntax.Span // of the name itself
	// Permits reports that something of the server may run without asking because of
	// it.
	Permits bool
	// Withholds is what it keeps a tool from, "ask mcp__docs__delete"; "" for nothing.
	Withholds string
}

// Mention is a reference in one of the documents of a project.
type Mention struct {
	Document  *Document
	Span      syntax.Span
	Permits   bool
	Withholds string
}

// Unparsed is a place with servers that is not read.
type Unparsed struct {
	// What names, in words, the form it is written in.
	What string
	// At is where it begins, zero where that is not known.
	At syntax.Span
}
