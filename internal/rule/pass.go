package rule

import (
	"iter"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
)

// Pass is what a rule sees: one project of the repository, and where to report.
type Pass struct {
	Repo *mcp.Repo
	// Base is what the repository is compared with, nil if there is no comparison, or for a project
	// that no change concerns.
	Base    *compare.Base
	Project *mcp.Project
	Report  func(Finding)

	// Rule is the one that runs.
	Rule *Rule
}

// Documents returns the documents of the project that the rule reads.
func (p *Pass) Documents() iter.Seq[*mcp.Document] { return reads.Documents(p.Project, &p.Rule.Reads) }

// Servers returns the servers of the documents that the rule reads.
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
		for doc := range reads.Used(p.Project) {
			if doc.Lock != nil && !yield(doc) {
				return
			}
		}
	}
}

// EffectiveSets returns the documents that the rule reads, in groups of those whose servers one
// client starts together, most of them alone.
func (p *Pass) EffectiveSets() iter.Seq[[]*mcp.Document] {
	return func(yield func([]*mcp.Document) bool) {
		for i, doc := range p.Project.Documents {
			set := doc.LoadedWith
			if set == nil {
				set = p.Project.Documents[i : i+1]
			}
			if set[0] == doc && p.Rule.Reads.Has(doc) && !yield(set) {
				return
			}
		}
	}
}
