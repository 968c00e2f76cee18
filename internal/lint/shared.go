package lint

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/edit"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
)

// withoutShared removes the fixes that change a file that clients open under several names:
// a rule that offers a fix has seen only one of them. It also removes fixes of a file
// embedded in another one: their edits are written in the syntax of the outer file.
func withoutShared(repo *mcp.Repo, findings []rule.Finding) []rule.Finding {
	if !slices.ContainsFunc(findings, func(f rule.Finding) bool { return len(f.Fixes) > 0 }) {
		return findings
	}
	shared := sharedFiles(repo)
	if len(shared) == 0 {
		return findings
	}
	kept := slices.Clone(findings)
	for i := range kept {
		f, reason := &kept[i], ""
		left := slices.DeleteFunc(slices.Clone(f.Fixes), func(fix rule.Fix) bool {
			at := slices.IndexFunc(fix.Edits, func(c edit.Change) bool { return shared[c.File.Path] != "" })
			if at >= 0 {
				reason = shared[fix.Edits[at].File.Path]
			}
			return at >= 0
		})
		if reason != "" {
			f.Fixes, f.NoFixReason = left, reason
		}
	}
	return kept
}

// sharedFiles returns why files must not be changed, by path: links make them several
// clients' files at once, or the text is not in a file of its own.
func sharedFiles(repo *mcp.Repo) map[string]string {
	type reading struct {
		project int
		format  string
	}
	first, shared := map[string]reading{}, map[string]string{}
	for i, p := range repo.Projects {
		for _, d := range p.Documents {
			if d.Embedded {
				shared[d.File.Path] = "the entry is not written there as it is read"
			}
			read := reading{i, d.Format}
			if known, ok := first[d.File.Path]; ok && known != read {
				shared[d.File.Path] = "clients open the file under several names, and what is right for one need not be for another"
			} else {
				first[d.File.Path] = read
			}
		}
	}
	return shared
}
