// Package reads says which documents of a project a rule looks at.
package reads

import (
	"iter"
	"slices"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// Selection says which documents a rule looks at. The zero value are those in use,
// whatever they configure: a file that its path calls an example or the data of
// a test is compared with nothing.
type Selection struct {
	// Examples and Fixtures are files that their paths call examples or templates,
	// and the data of tests, which may be wrong on purpose.
	Examples, Fixtures bool
	// Aside are files that their paths say are kept and not used, such as backups: what is
	// wrong in them has no effect but for what anyone can read there.
	Aside bool
	// Unread are files from which their client is known to load no server, or which it
	// does not read because of another one: what is wrong with an entry there has no effect.
	Unread bool
	// Clients leaves out what no client is known to read.
	Clients bool
	// Shared leaves out what is one person's own.
	Shared bool
	// Without are the scopes whose files are left out.
	Without []mcp.Scope
}

// What most rules look at.
var (
	// InUse is what people work with.
	InUse = Selection{}
	// Present is the same with what no client loads.
	Present = Selection{Unread: true}
	// Kept is the same with what is put aside.
	Kept = Selection{Unread: true, Aside: true}
	// NotTestData is everything that somebody may copy or use.
	NotTestData = Selection{Examples: true}
	// started are the files whose servers somebody's client starts: manifests only
	// publish one.
	Launched = Selection{Examples: true, Without: []mcp.Scope{mcp.ScopeRegistry}}
	// Shared leaves out somebody's own settings: what they trust and where their files are
	// is their own business.
	Shared = Selection{Examples: true, Shared: true}
	// Everywhere is what should stand in no file of a repository, whichever client reads it.
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

// Used returns the documents of a project that are in use, beside those that a
// rule looks at: what others say of them.
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

// Brought are the files whose servers somebody starts. What only publishes a server
// starts none, and nor does an example.
var Brought = Selection{Without: []mcp.Scope{mcp.ScopeRegistry}}
