package checks

import (
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// missingFile finds a server that is a script of the repository which does not exist.
var missingFile = &rule.Rule{
	ID:       "missing-file",
	Title:    "a script that is not in the repository",
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
		f.Message = wording.Say("%q runs %s, which is not in the repository, so the server cannot start", s.Name, absent.Path)
		f.Help = "correct the path, add the file, or remove the entry"
		if absent.Elsewhere != "" {
			f.Help = wording.Say("did you mean %s?", absent.Elsewhere)
		}
		f.Group = rule.Group{Key: absent.Path, Message: wording.Say("%q also runs it here", s.Name)}
		p.Report(f)
	}
}
