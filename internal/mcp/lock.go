package mcp

import (
	"path"
	"slices"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Lock is what a lockfile says, whichever tool wrote it (Document.Tool).
type Lock struct {
	// EntriesSpan is the span of the key that holds the entries, quotes included.
	EntriesSpan syntax.Span
	Entries     []*LockEntry
	// Packages are the packages that are installed, where the tool gets servers
	// from packages.
	Packages []Package
}

// Package is an installed package.
type Package struct {
	Name     string
	NameSpan syntax.Span
	Version  identity.Word
	// Linked reports that it is a directory of somebody's machine.
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
}

// Target is what an entry locks. A value that is absent or null has an empty
// Text; then the span is that of null, or zero.
type Target struct {
	// Launch is the command or URL that was locked, Identity what it runs. The
	// package the lockfile names counts more than the command.
	Launch   identity.Launch
	Identity identity.Identity
	// Package is the package identifier as written; Origin is where a package
	// manager says the server is from, as written.
	Package, Origin identity.Word
	// Repository is the URL of the source repository, if the lockfile names it.
	Repository string
	// Joined reports that Launch was written as one text: where an argument
	// ends inside of it is a guess.
	Joined bool
}

// Pin is what holds a target to one content, as written; absent as in Target.
type Pin struct {
	Version, Integrity identity.Word
}

// Place is where the server has to stand, and under which names.
type Place struct {
	// Format is that of the client file which the tool wrote the server into, ""
	// if that may be any.
	Format string
	// OtherNames are further names under which the tool may have written the
	// server into client files.
	OtherNames []string
	// Elsewhere reports that the server may be declared outside of the repository,
	// so that it proves nothing if no file here does.
	Elsewhere bool
	// Apart reports that every package keeps a server of its own, so that the
	// same one twice is meant.
	Apart bool
}

// LockedTools is what an entry says of the tools of a server, or of the one that
// it stands for.
type LockedTools struct {
	// Names are the tools that were locked; Hash is the hash over them.
	Names []string
	Hash  identity.Word
	// Server is the server that a locked tool belongs to, and Permission what
	// permissions call the tool ("filesystem:read_file"); both are empty where
	// there is none. NameHash is the hash at the end of the tool's full name,
	// with the span of that name.
	Server, Permission string
	NameHash           identity.Word
}

// Claims say who brought the server.
type Claims struct {
	// DeclaredBy are the packages that bring the server, with the span of the
	// list, zero where there is none. Active is the one it is taken from.
	DeclaredBy     []identity.Word
	DeclaredBySpan syntax.Span
	Active         identity.Word
	// Bundle is the bundle of a tool that brought the server, if one did.
	Bundle string
}

// Named reports whether the tool calls the server by that name.
func (e *LockEntry) Named(name string) bool {
	return e.Name == name || slices.Contains(e.Place.OtherNames, name)
}

// Permissions say which tools may run, in patterns.
type Permissions struct {
	Allow, Deny, Ask []identity.Word
}

// Declaration is a server as a package's template declares it.
type Declaration struct {
	Name     string
	NameSpan syntax.Span
	// Origin is written as the lockfile writes it; Version is empty if the
	// template has none.
	Origin, Version string
}

// Surface is what a file's text shows that strict JSON does not allow.
type Surface struct {
	Comments, TrailingCommas []syntax.Span
	BOM                      bool
}

// Govern links every project to the lockfile that governs it: its own, or that
// of the nearest directory above which has one.
func (r *Repo) Govern() {
	byDir := make(map[string]*Project, len(r.Projects))
	for _, p := range r.Projects {
		if p.hasLock() {
			byDir[p.Dir] = p
		}
	}
	if len(byDir) == 0 {
		return
	}
	for _, p := range r.Projects {
		for dir := p.Dir; ; dir = parent(dir) {
			if locked := byDir[dir]; locked != nil {
				locked.Governs = append(locked.Governs, p)
				p.GovernedBy = locked
				break
			}
			if dir == "" {
				break
			}
		}
	}
}

// parent returns the directory above dir; that of the root's children is "".
func parent(dir string) string {
	if up := path.Dir(dir); up != "." {
		return up
	}
	return ""
}

func (p *Project) hasLock() bool {
	return slices.ContainsFunc(p.Documents, func(d *Document) bool { return d.governs() })
}

// Locks returns the lockfiles that say something of the project's servers:
// those that govern it, then its own partial ones. Lockfiles that speak of other
// files than those of clients are none of them.
func (p *Project) Locks() []*Document {
	var locks []*Document
	if p.GovernedBy != nil {
		for _, doc := range p.GovernedBy.Documents {
			if doc.governs() {
				locks = append(locks, doc)
			}
		}
	}
	for _, doc := range p.Documents {
		if doc.Lock != nil && doc.Tool.Partial && !doc.Tool.PerTool && doc.Tool.Of == "" {
			locks = append(locks, doc)
		}
	}
	return locks
}

// governs reports whether a document is a lockfile that speaks for all servers
// of a project and of those below.
func (d *Document) governs() bool { return d.Lock != nil && !d.Tool.Partial && !d.Tool.PerTool }
