package checks

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/refusal"
	"github.com/mcplumb/mcplumb/internal/repair"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// invalidName finds names that a client refuses, or keeps for servers of its
// own.
var invalidName = &rule.Rule{
	ID:       "invalid-name",
	Title:    "a name that is refused or reserved",
	Severity: rule.Warning,
	Reads:    reads.NotTestData,
	Run:      runInvalidName,
}

func runInvalidName(p *rule.Pass) {
	repair.ReportRefusals(p, &nameWordings)
	for doc := range p.Documents() {
		loaders := doc.Loaders()
		for _, s := range doc.Servers {
			if compare.IsRunning(s) && !compare.IsUnnamed(s) && s.Extra().NamedBy == nil {
				judgeName(p, s, loaders)
			}
		}
		if doc.Publishes && len(doc.Servers) > 0 && !compare.IsUnnamed(doc.Servers[0]) {
			s := doc.Servers[0]
			refusal.JudgeRegistryName(p, rule.At(s), s.Name)
		}
	}
}

// judgeName reports the gravest thing that a client which loads the file has against
// a server's name: it refuses the name, or takes it and is not fit for it. The
// first client is the one that the file is made for; a file that others read,
// too, is theirs to change no more than a note's worth.
func judgeName(p *rule.Pass, s *mcp.Server, loaders []*mcp.Client) {
	if isCommentedOut(s.Name) && len(loaders) > 0 && reads.InUse.Has(s.Document) {
		if _, refused := refusal.NameProblem(loaders[0], s); !refused {
			f := rule.At(s)
			f.Message = wording.Say("%q is not switched off by its name, and %s loads it: remove the entry, or switch it off as the client does", s.Name, loaders[0].Title)
			p.Report(f)
			return
		}
	}
	var worst rule.Finding
	for i, c := range loaders {
		why, refused := refusal.NameProblem(c, s)
		severity := rule.Note
		if refused && i == 0 && !s.Document.IsSecondary {
			severity = rule.Warning
		}
		if why != "" && severity > worst.Severity {
			worst = rule.At(s)
			worst.Severity, worst.Message = severity, why
		}
	}
	if worst.Message != "" {
		p.Report(worst)
	}
}

// isCommentedOut reports whether a name is written as if that made a comment of its entry.
func isCommentedOut(name string) bool {
	for _, mark := range []string{"//", "#", "_comment", "_disabled"} {
		if strings.HasPrefix(name, mark) {
			return true
		}
	}
	return false
}

// nameWordings are the reasons for which a tool refuses a name.
var nameWordings = refusal.Wordings{
	mcp.NameCharacters: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: its name must have only letters, digits and underscores", refusal.EntryRefused(r)), ""
	}},
	mcp.SchemaName: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s refuses the name %q: it takes only letters, digits, hyphens and underscores", r.Tool, r.Got), ""
	}},
	mcp.SchemaID: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s refuses the id %q: it takes only lower-case letters, digits and hyphens", r.Tool, r.Got), ""
	}},
	mcp.PackageName: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s refuses the package name %q: it takes only lower-case letters and digits with single hyphens in between, 64 characters at most", r.Tool, r.Got), ""
	}},
	mcp.ToolServerName: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s cannot name the tools of %q: begin the server's name with a letter or underscore, and use only letters, digits, underscores and hyphens", r.Tool, r.Got), ""
	}},
	mcp.ToolPattern: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("the pattern %q matches no tool: write a tool's name, or a star alone or after a colon, as in fs:*", r.Got), ""
	}},
}
