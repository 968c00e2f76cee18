package lint

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
)

// withoutShared takes from findings the fixes that change a file which clients open under
// several names: a rule that offers a fix has looked at one of them.
func withoutShared(repo *mcp.Repo, findings []rule.Finding) []rule.Finding {
	if !slices.ContainsFunc(findings, func(f rule.Finding) bool { return len(f.Fixes) > 0 }) {
		return findings
	}
	shared := sharedFiles(repo)
	if len(shared) == 0 {
		return findings
	}
	isShared := func(c edit.Change) bool { return shared[c.File.Path] }
	changes := func(fix rule.Fix) bool { return slices.ContainsFunc(fix.Edits, isShared) }
	kept := slices.Clone(findings)
	for i := range kept {
		if f := &kept[i]; slices.ContainsFunc(f.Fixes, changes) {
			f.Fixes = slices.DeleteFunc(slices.Clone(f.Fixes), changes)
			f.NoFixReason = "clients open the file under several names, and what is right for one need not be for another"
		}
	}
	return kept
}

// sharedFiles returns the paths of files that are several files of clients at once,
// through links.
func sharedFiles(repo *mcp.Repo) map[string]bool {
	type reading struct {
		project int
		format  string
	}
	first, shared := map[string]reading{}, map[string]bool{}
	for i, p := range repo.Projects {
		for _, d := range p.Documents {
			read := reading{i, d.Format}
			if known, ok := first[d.File.Path]; ok && known != read {
				shared[d.File.Path] = true
			} else {
				first[d.File.Path] = read
			}
		}
	}
	return shared
}
