package checks

import (
	"fmt"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/syntax"
)

// missingIntegrity finds locked packages without a hash that proves anything.
func missingIntegrity() *Check {
	return &Check{
		ID:       "missing-integrity",
		Title:    "a locked package has no hash that proves anything",
		Severity: Warning,
		Run:      runMissingIntegrity,
	}
}

func runMissingIntegrity(p *Pass) {
	for _, doc := range lockfiles(p.Project) {
		var fetched, without []*mcp.LockEntry
		for _, entry := range doc.Lock.Entries {
			if !entry.Identity.IsPackage() {
				continue
			}
			fetched = append(fetched, entry)
			if state, _ := judgeHash(entry.Integrity.Text); state == hashNone && !pinnedByContent(entry) {
				without = append(without, entry)
			}
		}
		reportWeakHashes(p, fetched)
		reportNoHashes(p, doc, fetched, without)
	}
}

// pinnedByContent reports whether the locked command itself names content: an
// image digest or a full commit.
func pinnedByContent(entry *mcp.LockEntry) bool {
	id := &entry.Identity
	return (id.Kind == identity.OCI || id.Kind == identity.Git) && id.Version.Kind == identity.Exact
}

func reportWeakHashes(p *Pass, entries []*mcp.LockEntry) {
	for _, entry := range entries {
		if state, why := judgeHash(entry.Integrity.Text); state == hashWeak {
			f := atEntry(entry)
			f.Span = entry.Integrity.Span
			f.Message = fmt.Sprintf("the integrity of %q is too weak to notice another package: %s", entry.Name, why)
			p.Report(f)
		}
	}
}

// reportNoHashes reports every entry without a hash, or the lockfile once when
// no entry has one: then the tool that wrote it knows none.
func reportNoHashes(p *Pass, doc *mcp.Document, fetched, without []*mcp.LockEntry) {
	if len(without) > 1 && len(without) == len(fetched) {
		p.Report(Finding{
			File: doc.File, Span: doc.Lock.EntriesSpan,
			Message: fmt.Sprintf("none of the %d packages in this lockfile has an integrity hash: a swapped package goes unnoticed", len(without)),
		})
		return
	}
	for _, entry := range without {
		f := atEntry(entry)
		if entry.Integrity.Span != (syntax.Span{}) {
			f.Span = entry.Integrity.Span
		}
		f.Message = fmt.Sprintf("%q has no integrity hash: a swapped package goes unnoticed", entry.Name)
		p.Report(f)
	}
}
