package mcp

import (
	"path"
	"slices"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// Lock is what a lockfile says, whichever tool wrote it.
type Lock struct {
	// Tool is the program the lockfile belongs to, as people call it.
	Tool string
	// EntriesSpan is the span of the key that holds the entries, quotes included.
	EntriesSpan syntax.Span
	Entries     []*LockEntry
}

// LockEntry is one locked server.
type LockEntry struct {
	// Name is the server's name in the lockfile; NameSpan its key.
	Name     string
	NameSpan syntax.Span
	Document *Document
	// Launch is the command or URL that was locked, Identity what it runs. The
	// package the lockfile names counts more than the command.
	Launch   identity.Launch
	Identity identity.Identity
	// Package is the package identifier as written, with the span of its
	// value; Version and Integrity likewise. A value that is absent or null has
	// an empty Text; then the span is that of null, or zero.
	Package, Version, Integrity identity.Word
	// Repository is the URL of the source repository, if the lockfile names it.
	Repository string
	// Tools are the names of the tools that were locked; ToolsHash is the hash
	// over them.
	Tools     []string
	ToolsHash identity.Word
}

// Problem is something a reader could not accept, at its place.
type Problem struct {
	Kind    ProblemKind
	Server  string // the entry it is in, if any
	Span    syntax.Span
	Message string
	// Refused says which of the file's clients refuse it.
	Refused Refused
}

// Refused says which clients of a file refuse something.
type Refused uint8

// Who refuses it.
const (
	ByAll    Refused = iota // every client that reads the file
	ByOwner                 // the client that the file is made for, others do not
	ByOthers                // clients that read the file, too, not its own
)

// ProblemKind says which rule a problem belongs to.
type ProblemKind uint8

// The kinds of problems.
const (
	InvalidLock   ProblemKind = iota // the lockfile as a whole, or an entry of it
	InvalidServer                    // a server entry
)

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
	return slices.ContainsFunc(p.Documents, func(d *Document) bool { return d.Lock != nil })
}

// Locks returns the lockfiles that govern the project.
func (p *Project) Locks() []*Document {
	if p.GovernedBy == nil {
		return nil
	}
	var locks []*Document
	for _, doc := range p.GovernedBy.Documents {
		if doc.Lock != nil {
			locks = append(locks, doc)
		}
	}
	return locks
}
