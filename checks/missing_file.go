package checks

import (
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// missingFile finds a server that is a script of the repository which is not there.
var missingFile = &rule.Rule{
	ID:       "missing-file",
	Title:    "a script of the repository that is not in it",
	Severity: rule.Warning,
	Reads:    reads.InUse,
	Run:      runMissingFile,
}

func runMissingFile(p *rule.Pass) {
	for s := range p.Servers() {
		absent, is := p.Project.Facts.Absent[s]
		if !is || !s.IsStarted() {
			continue
		}
		f := rule.At(s)
		f.Span = s.Identity.Span
		f.Message = wording.Say("%q runs %s, which is not in the repository: the server cannot start", s.Name, absent.Path)
		if absent.Elsewhere != "" {
			f.Message += wording.Say("; is it %s?", absent.Elsewhere)
		}
		f.Group = rule.Group{Key: absent.Path, Message: wording.Say("%q runs it here, too", s.Name)}
		p.Report(f)
	}
}
