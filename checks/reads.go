package checks

import (
	"iter"
	"slices"

	"github.com/mcplumb/mcplumb/internal/mcp"
)

// Reads says which documents a rule looks at. The zero value are those in use,
// whatever they configure: a file that its path calls an example or the data of
// a test is compared with nothing.
type Reads struct {
	// Examples and Fixtures are files that their paths call examples or templates,
	// and the data of tests, which may be wrong on purpose.
	Examples, Fixtures bool
	// Unread are files from which their client is known to load no server: what is
	// wrong with an entry there happens to nobody.
	Unread bool
	// Clients leaves out what no client is known to read.
	Clients bool
	// Without are the scopes whose files are left out.
	Without []mcp.Scope
}

// What most rules look at.
var (
	// inUse is what people work with.
	inUse = Reads{}
	// present is the same with what nobody loads.
	present = Reads{Unread: true}
	// notTestData is everything that somebody may copy or use.
	notTestData = Reads{Examples: true}
	// started are the files whose servers somebody's client starts: manifests only
	// publish one.
	launched = Reads{Examples: true, Without: []mcp.Scope{mcp.ScopeRegistry}}
	// shared leaves out copies of somebody's own settings: what they trust and
	// where their files are is their own business.
	shared = Reads{Examples: true, Without: []mcp.Scope{mcp.ScopeUser}}
	// everywhere is what should stand in no file of a repository, whoever reads it.
	everywhere = Reads{Examples: true, Fixtures: true, Unread: true}
)

// has reports whether a document is one of those.
func (r *Reads) has(doc *mcp.Document) bool {
	switch {
	case doc.Role == mcp.Fixture && !r.Fixtures, doc.Role == mcp.Example && !r.Examples:
		return false
	case doc.NotLoaded && !r.Unread, r.Clients && len(doc.Clients) == 0:
		return false
	}
	return !slices.Contains(r.Without, doc.Scope)
}

// Documents returns the documents of the project that the rule looks at.
func (p *Pass) Documents() iter.Seq[*mcp.Document] { return documents(p.Project, &p.Rule.Reads) }

// Servers returns the servers of the documents that the rule looks at.
func (p *Pass) Servers() iter.Seq[*mcp.Server] {
	return func(yield func(*mcp.Server) bool) {
		for doc := range p.Documents() {
			for _, s := range doc.Servers {
				if !yield(s) {
					return
				}
			}
		}
	}
}

// Lockfiles returns the lockfiles of the project that are in use.
func (p *Pass) Lockfiles() iter.Seq[*mcp.Document] {
	return func(yield func(*mcp.Document) bool) {
		for doc := range used(p.Project) {
			if doc.Lock != nil && !yield(doc) {
				return
			}
		}
	}
}

// EffectiveSets returns the documents that the rule looks at in groups of those
// whose servers one client starts together, most of them alone.
func (p *Pass) EffectiveSets() iter.Seq[[]*mcp.Document] {
	return func(yield func([]*mcp.Document) bool) {
		for i, doc := range p.Project.Documents {
			set := doc.LoadedWith
			if set == nil {
				set = p.Project.Documents[i : i+1]
			}
			if set[0] == doc && p.Rule.Reads.has(doc) && !yield(set) {
				return
			}
		}
	}
}

// used returns the documents of a project that are in use, beside those that a
// rule looks at: what others say of them.
func used(project *mcp.Project) iter.Seq[*mcp.Document] {
	return documents(project, &present)
}

func documents(project *mcp.Project, reads *Reads) iter.Seq[*mcp.Document] {
	return func(yield func(*mcp.Document) bool) {
		for _, doc := range project.Documents {
			if reads.has(doc) && !yield(doc) {
				return
			}
		}
	}
}
