package checks

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/compare"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// widerApproval returns the finding for what happens without asking, but did not at the base. It
// is a warning if a server that already ran may use tools.
func widerApproval(w *compare.WiderApproval) rule.Finding {
	f := rule.Finding{File: w.Document.File, Span: w.Span, Server: w.Server}
	f.Message = wording.Say("%q %s without asking, which was not so at the base", w.Server, w.Words())
	f.Help = "check that this is intended"
	if isWide(w) {
		f.Severity = rule.Warning
	}
	for _, s := range w.Started {
		f.Identity = s.Identity.Shown()
		if s.Document != w.Document {
			f.Relate(rule.SeeAlso(s, "%q %s", s.Name, whatServes(s)))
		}
	}
	f.Group = rule.Group{Key: "wider\x00" + f.Severity.String() + "\x00" + f.Message, Message: "also here"}
	if w.Grant == mcp.StartServer { // one list names many
		f.Group = rule.Group{Key: "started\x00" + w.Document.File.Path, Message: wording.Say("%q is also started without asking", w.Server)}
	}
	f.Group = f.Group.Within(w.Document.Project.Dir)
	return f
}

// isWide reports whether a server that ran at the base may use tools.
func isWide(w *compare.WiderApproval) bool { return len(w.Started) > 0 && w.Grant == mcp.RunTools }

// isSaidToBeWider reports whether changed-server warns of an approval.
func isSaidToBeWider(p *rule.Pass, doc *mcp.Document, a mcp.Approval) bool {
	return p.Base != nil && slices.ContainsFunc(p.Base.Changes().Wider, func(w compare.WiderApproval) bool {
		return w.Document == doc && w.Span == a.Span && isWide(&w)
	})
}
