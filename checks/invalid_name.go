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

// invalidName finds names that a client rejects, or reserves for servers of its own.
var invalidName = &rule.Rule{
	ID:       "invalid-name",
	Title:    "a name that a client rejects or reserves",
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

// judgeName reports the most severe problem that a client which loads the file has with a
// server's name: it rejects the name, or accepts it and then confuses it. The first client is
// the one that the file is made for; what others do with its file is a note at most.
func judgeName(p *rule.Pass, s *mcp.Server, loaders []*mcp.Client) {
	if isCommentedOut(s.Name) && len(loaders) > 0 && reads.InUse.Has(s.Document) {
		if _, _, rejected := refusal.NameProblem(loaders[0], s); !rejected {
			f := rule.At(s)
			f.Message = wording.Say("the name %q looks like a comment, but does not disable the entry: %s loads it", s.Name, loaders[0].Title)
			f.Help = wording.Say("remove the entry, or disable it the way %s does", loaders[0].Title)
			p.Report(f)
			return
		}
	}
	var worst rule.Finding
	for i, c := range loaders {
		message, help, rejected := refusal.NameProblem(c, s)
		severity := rule.Note
		if rejected && i == 0 && !s.Document.IsSecondary {
			severity = rule.Warning
		}
		if message != "" && severity > worst.Severity {
			worst = rule.At(s)
			worst.Severity, worst.Message, worst.Help = severity, message, help
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

// nameWordings are the reasons for which a tool rejects a name.
var nameWordings = refusal.Wordings{
	mcp.NameCharacters: {Severity: rule.Error, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s: its name may have only letters, digits, and underscores", refusal.EntryRefused(r)), ""
	}},
	mcp.SchemaName: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s rejects the name %q: it accepts only letters, digits, hyphens, and underscores", r.Tool, r.Got), ""
	}},
	mcp.SchemaID: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s rejects the ID %q: it accepts only lowercase letters, digits, and hyphens", r.Tool, r.Got), ""
	}},
	mcp.PackageName: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s rejects the package name %q: it accepts only lowercase letters and digits, with single hyphens in between, and at most 64 characters", r.Tool, r.Got), ""
	}},
	mcp.ToolServerName: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("%s cannot name the tools of %q: its name must begin with a letter or underscore, and have only letters, digits, underscores, and hyphens", r.Tool, r.Got), ""
	}},
	mcp.ToolPattern: {Severity: rule.Warning, Text: func(r *mcp.Refusal) (message, help string) {
		return wording.Say("the pattern %q matches no tool", r.Got), "write the name of a tool, or * by itself or after a colon, such as fs:*"
	}},
}
