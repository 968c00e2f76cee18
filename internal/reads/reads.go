// Package reads says which documents of a project a rule reads.
package reads

import (
	"iter"
	"slices"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// Selection says which documents a rule reads. The zero value means those in use, of every kind: a
// file that is an example or test data by its path is compared with nothing.
type Selection struct {
	// Examples and Fixtures are files that their paths call examples or templates,
	// and the data of tests, which may be wrong on purpose.
	Examples, Fixtures bool
	// Aside are files that their paths say are kept and not used, such as backups: an error in them
	// has no effect, but anyone can read what they contain.
	Aside bool
	// Unread are files from which their client is known to load no server, or which it does not
	// read because of another one: an error in an entry there has no effect.
	Unread bool
	// Clients omits what no client is known to read.
	Clients bool
	// Shared leaves out what is one person's own.
	Shared bool
	// Without are the scopes whose files are left out.
	Without []mcp.Scope
}

// What most rules read.
var (
	// InUse is what people work with.
	InUse = Selection{}
	// Present is the same with what no client loads.
	Present = Selection{Unread: true}
	// Kept is the same with what is put aside.
	Kept = Selection{Unread: true, Aside: true}
	// NotTestData is everything that a person may copy or use.
	NotTestData = Selection{Examples: true}
	// Launched are the files whose servers a client starts: manifests only publish one.
	Launched = Selection{Examples: true, Without: []mcp.Scope{mcp.ScopeRegistry}}
	// Shared omits the settings of one person: what that person trusts and where their files are
	// does not concern others.
	Shared = Selection{Examples: true, Shared: true}
	// Everywhere is for what should be in no file of a repository, regardless of the client that reads it.
	Everywhere = Selection{Examples: true, Fixtures: true, Aside: true, Unread: true}
)

// Has reports whether a document is one of those.
func (r *Selection) Has(doc *mcp.Document) bool {
	switch {
	case doc.Role == mcp.Fixture && !r.Fixtures, doc.Role == mcp.Example && !r.Examples, doc.Role == mcp.Aside && !r.Aside:
		return false
	case (doc.NotLoaded || doc.ReadInstead != nil) && !r.Unread, r.Clients && len(doc.Clients) == 0, r.Shared && doc.IsPersonal:
		return false
	}
	return !slices.Contains(r.Without, doc.Scope)
}

// Used returns the documents of a project that are in use, for what they say about those that a
// rule reads.
func Used(project *mcp.Project) iter.Seq[*mcp.Document] {
	return Documents(project, &Present)
}

func Documents(project *mcp.Project, reads *Selection) iter.Seq[*mcp.Document] {
	return func(yield func(*mcp.Document) bool) {
		for _, doc := range project.Documents {
			if reads.Has(doc) && !yield(doc) {
				return
			}
		}
	}
}

// Brought are the files whose servers a person starts. A file that only publishes a server starts
// none, nor does an example.
var Brought = Selection{Without: []mcp.Scope{mcp.ScopeRegistry}}
