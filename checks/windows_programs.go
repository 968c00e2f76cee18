package checks

import (
	"slices"
	"strings"

	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// reportNoWindows reports the first server of a file whose program its client does not start on
// Windows without cmd, if another one in the file starts only there.
func reportNoWindows(p *rule.Pass) {
	for doc := range p.Documents() {
		if !reads.InUse.Has(doc) || doc.Sample || len(doc.Clients) == 0 {
			continue
		}
		var shows *mcp.Server
		var bare []*mcp.Server
		for _, s := range doc.Servers {
			if !s.MayBeStartedBy(doc.Clients[0]) {
				continue
			}
			if shows == nil && isOfWindows(&s.Launch) {
				shows = s
			}
			if needsCmd(doc.Clients[0], s.Launch.Command.Text) {
				bare = append(bare, s)
			}
		}
		if shows == nil || len(bare) == 0 {
			continue
		}
		f := rule.At(bare[0])
		f.Span, f.Severity = bare[0].Launch.Command.Span, rule.Note
		f.Message = wording.Say("%s does not start %s on Windows without cmd /c, and %q in this file starts only on Windows",
			doc.Clients[0].Title, identity.ProgramName(bare[0].Launch.Command.Text), shows.Name)
		f.Help = wording.Say(`write "command": "cmd", and /c and %s as its first arguments`, identity.ProgramName(bare[0].Launch.Command.Text))
		if len(bare) > 1 {
			var others []string
			for _, s := range bare[1:] {
				others = append(others, s.Name)
			}
			f.Help += wording.Say(", also in %s", wording.JoinWords(wording.FirstFew(wording.InQuotes(others))))
		}
		f.Related = []rule.Related{{File: doc.File, Span: shows.NameSpan, Message: "starts only on Windows"}}
		p.Report(f)
	}
}

// needsCmd reports whether a client starts a program on Windows only through cmd.
func needsCmd(c *mcp.Client, command string) bool {
	return slices.ContainsFunc(c.NeedsCmd, func(name string) bool {
		return command == name || strings.HasSuffix(command, "/"+name) || strings.HasSuffix(command, `\`+name)
	})
}

// isOfWindows reports whether a launch starts only on Windows: through cmd, or from a path with
// a drive.
func isOfWindows(l *identity.Launch) bool {
	isOfDrive := func(w identity.Word) bool { return identity.HasDrive(w.Text) }
	return identity.ProgramName(l.Command.Text) == "cmd" || isOfDrive(l.Command) || slices.ContainsFunc(l.Args, isOfDrive)
}
