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
// Windows without cmd, where another one of the file starts there alone.
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
		f.Message = wording.Say("on Windows, for which %q is written, %s wants cmd with /c in front of %s: write it so",
			shows.Name, doc.Clients[0].Title, identity.ProgramName(bare[0].Launch.Command.Text))
		if len(bare) > 1 {
			var others []string
			for _, s := range bare[1:] {
				others = append(others, s.Name)
			}
			f.Message += wording.Say(", also in %s", wording.JoinWords(wording.FirstFew(wording.InQuotes(others))))
		}
		f.Related = []rule.Related{{File: doc.File, Span: shows.NameSpan, Message: "starts on Windows alone"}}
		p.Report(f)
	}
}

// needsCmd reports whether a client starts a program on Windows through cmd alone.
func needsCmd(c *mcp.Client, command string) bool {
	return slices.ContainsFunc(c.NeedsCmd, func(name string) bool {
		return command == name || strings.HasSuffix(command, "/"+name) || strings.HasSuffix(command, `\`+name)
	})
}

// isOfWindows reports whether a launch starts on Windows alone: through cmd, or from a path with
// a drive.
func isOfWindows(l *identity.Launch) bool {
	isOfDrive := func(w identity.Word) bool { return identity.HasDrive(w.Text) }
	return identity.ProgramName(l.Command.Text) == "cmd" || isOfDrive(l.Command) || slices.ContainsFunc(l.Args, isOfDrive)
}
