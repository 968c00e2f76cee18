package mcp

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Lock is what a lockfile says, for every tool that writes one (Document.Tool).
type Lock struct {
	// EntriesSpan is the span of the key that holds the entries, quotes included.
	EntriesSpan syntax.Span
	Entries     []*LockEntry
	// Packages are the packages that are installed, where the tool gets servers
	// from packages.
	Packages []Package
	// Files are the documents that the lockfile speaks of.
	Files []*Document
	// MergesByName has the entries by their names, of several the last.
	ByName map[string]*LockEntry
}

// Package is an installed package.
type Package struct {
	Name     string
	NameSpan syntax.Span
	Version  identity.Word
	// Settings are the names of the values that its installation asks for.
	Settings []string
	// Linked reports that it is a directory on one person's machine.
	Linked bool
	// Merged are servers that the tool has written from the package into client
	// files, without an entry of their own.
	Merged []Reference
}

// Installed returns the names of the packages that are installed.
func (l *Lock) Installed() map[string]bool {
	names := make(map[string]bool, len(l.Packages))
	for _, p := range l.Packages {
		names[p.Name] = true
	}
	return names
}

// LockEntry is one locked server, or one tool of a server (Tool.PerTool).
type LockEntry struct {
	// Name is the server's name in the lockfile; NameSpan its key.
	Name     string
	NameSpan syntax.Span
	Document *Document
	Target   Target
	Pin      Pin
	Place    Place
	Tools    LockedTools
	Claims   Claims
	// Servers are the configured servers that the entry is about.
	Servers []*Server
	// Repeats reports that an entry before it locks the same, so that no server is left for
	// this one.
	Repeats bool

	named map[string]bool // all names, for Named
}

// Target is what an entry locks. A value that is absent or null has an empty
// Text; then the span is that of null, or zero.
type Target struct {
	// Launch is the command or URL that was locked, Identity what it runs. The
	// package the lockfile names counts more than the command.
	Launch   identity.Launch
	Identity identity.Identity
	// Package is the package identifier as written, RegistryType the kind of registry that
	// it is of, in the lockfile's words; "" where the lockfile has none.
	Package      identity.Word
	RegistryType string
	// Variables are the names of those that the server was configured with.
	Variables []string
	// Origin is where a package manager says that the server is from.
	Origin Origin
	// Repository is the URL of the source repository, if the lockfile names it.
	Repository string
	// Joined reports that Launch was written as one text: where an argument
	// ends inside of it is a guess.
	Joined bool
}

// Origin is where a package manager says that a server is from: the text as
// written, and the two halves of it.
type Origin struct {
	identity.Word
	// Base is the text without the version: with it no two versions would ever be
	// one server.
	Base string
	// Version is the version in the text, in the form written there; of the kind NoVersion if the
	// text has none.
	Version identity.Version
}

// Pin is what holds a target to one content, as written; absent as in Target.
type Pin struct {
	Version, Integrity identity.Word
	// Artifact is a hash of what is fetched, where Integrity is one of the entry; Others
	// are further ones.
	Artifact identity.Word
	Others   []identity.Word
	// Files are the hashes of the files of a version that has several; Integrity is then
	// that of all of them.
	Files []identity.Word
	// Own is the hash of what is in the repository itself and needs no approval.
	Own identity.Word
	// Fetched is the time at which it was fetched or locked, as written.
	Fetched string
}

// Release returns the locked version as registries write it, "" if it is not a version:
// identity.Version.Release.
func (p *Pin) Release() string {
	v := identity.Version{Kind: identity.Exact, Text: p.Version.Text}
	return v.Release()
}

// Release returns the package that an entry locks at one version, or the image at one tag,
// false if no registry publishes a hash of what it locks: a digest or a commit is a hash already,
// "latest" was some version, and other registries do not know what a launch fetches from its own
// registry.
func (e *LockEntry) Release() (pkg identity.Fetched, ok bool) {
	id := &e.Target.Identity
	pkg = identity.Fetched{Kind: id.Kind, Name: id.Name, Version: id.Version}
	switch id.Kind {
	case identity.NPM, identity.PyPI, identity.NuGet:
		isElsewhere := func(s *Server) bool { return s.Identity.NamesSource }
		ok = id.Version.Kind == identity.Exact && id.Version.Release() != "" && !id.NamesSource && !slices.ContainsFunc(e.Servers, isElsewhere)
	case identity.OCI:
		ok = id.Version.Kind == identity.Tag && id.Version.Text != "latest" && !IsLocalImage(id.Name)
	}
	return pkg, ok && e.Document.Tool != nil && e.Document.Tool.Hashes == Digests
}

// Place is where the server must be, and under which names.
type Place struct {
	// Format is that of the client file which the tool wrote the server into, ""
	// if that may be any.
	Format string
	// OtherNames are further names under which the tool may have written the
	// server into client files.
	OtherNames []string
	// Files are those that had the server when it was locked, nil if the tool does not say.
	Files []string
	// MayBeExternal reports that the server may be declared outside of the repository,
	// so that it proves nothing if no file here does.
	MayBeExternal bool
	// Apart reports that every package keeps a separate server, so that two entries of one server
	// are intended.
	Apart bool
}

// LockedTools is what an entry says about the tools of a server, or about the one tool that it
// locks.
type LockedTools struct {
	// Names are the tools that were locked; Hash is the hash over them.
	Names []string
	Hash  identity.Word
	// Emptied is the list of tools where a check that failed has left none in it;
	// zero otherwise.
	Emptied syntax.Span
	// Server is the server that a locked tool belongs to, and Permission what
	// permissions call the tool ("filesystem:read_file"); both are empty if there is none.
	// KeyPermission is what they call the tool in the entry's key, which differs if one of the two
	// names is wrong. NameHash is the hash at the end of the tool's full name, with the span of
	// that name.
	Server, Permission, KeyPermission string
	// Remote is the server of a tool that is reached at a URL, "" for any other: the lock has a
	// hash of that.
	Remote string
	// Validated is when a locked tool was last held against its registry, as written.
	Validated identity.Word
	// Type is what a locked tool is, and Routing where its code runs, as written.
	Type, Routing identity.Word
	// FullName is the name of a locked tool without the hash at its end.
	FullName string
	NameHash identity.Word
}

// Hashed is something other than a server that a lockfile has a hash of: a package, a bundle or a
// file of one.
type Hashed struct {
	// Name is what people call it, and NameSpan where that is written. ID tells it
	// from all else in lockfiles of the tool.
	Name     string
	NameSpan syntax.Span
	ID       string
	// Of is what contains it, "" for nothing.
	Of  string
	Pin Pin
}

// Claims say who brought the server.
type Claims struct {
	// DeclaredBy are the packages that add the server, with the span of the list, zero if there is
	// none. Active is the one that it is taken from.
	DeclaredBy     []identity.Word
	DeclaredBySpan syntax.Span
	Active         identity.Word
	// Bundle is the bundle of a tool that brought the server, if one did.
	Bundle string
}

// IndexNames makes Named as fast for many names as for few. It is called once all are there.
func (e *LockEntry) IndexNames() {
	e.named = make(map[string]bool, 1+len(e.Place.OtherNames))
	e.named[e.Name] = true
	for _, name := range e.Place.OtherNames {
		e.named[name] = true
	}
}

// Named reports whether the tool calls the server by that name.
func (e *LockEntry) Named(name string) bool {
	if e.named != nil {
		return e.named[name]
	}
	return e.Name == name || slices.Contains(e.Place.OtherNames, name)
}

// MentionedIn is mcp-tap's own test: the package is the command of a server, or a
// whole argument. It finds packages behind unknown launchers.
func (e *LockEntry) MentionedIn(s *Server) bool {
	return e.Target.Package.Text != "" && slices.Contains(s.CommandWords(), e.Target.Package.Text)
}

// CommandWords returns the command and arguments of a server whose package is
// not known otherwise.
func (s *Server) CommandWords() []string {
	if s.Identity.Kind == identity.URL || s.Identity.IsPackage() {
		return nil
	}
	words := []string{s.Launch.Command.Text}
	for _, w := range s.Launch.Args {
		words = append(words, w.Text)
	}
	return words
}

// Permissions say which tools may run, in patterns.
type Permissions struct {
	Allow, Deny, Ask []identity.Word
}

// Declaration is a server as a package's template declares it.
type Declaration struct {
	Name     string
	NameSpan syntax.Span
	// Origin is written as the lockfile writes it: that of a command is put together
	// and has no span.
	Origin Origin
	// Version is the version that the template gives in addition to the origin, else the one in the
	// origin. If there is none, the version is not known: a bundle or a registry may have it.
	Version identity.Version
	// Checksum is the hash of what is fetched from the origin.
	Checksum identity.Word
}

// JSONExtensions is what a file's text shows that strict JSON does not allow. To TOML
// and YAML it is nothing odd; JSON tells them apart.
type JSONExtensions struct {
	JSON                     bool
	Comments, TrailingCommas []syntax.Span
	BOM                      bool
}
