package checks

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/effect"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// reportCode reports a server whose program is text in the entry that downloads or hides what it
// runs, or that connects a program to a peer.
func reportCode(p *rule.Pass, s *mcp.Server) bool {
	if len(s.Launch.Args) == 0 || s.Launch.IsRemote() || s.Identity.Kind != identity.Opaque && s.Identity.Kind != identity.Exec {
		return false
	}
	f := rule.At(s)
	parts := s.Resolved().Parts()
	texts, does := parts.Code, effect.DoesWithCode
	if s.Identity.Kind == identity.Exec { // of awk and the like any argument may be a program
		texts, does = s.Launch.Args, effect.DownloadsInArgument
	}
	i := slices.IndexFunc(texts, func(w identity.Word) bool { return does(w.Text) != "" })
	peer, isShell := effect.ProgramForPeer(s)
	if !isShell {
		peer, isShell = effect.ShellForPeer(parts.Lines)
	}
	switch {
	case len(parts.Encoded) > 0:
		f.Span = parts.Encoded[0].Span
		f.Message = wording.Say("%q runs code that is written in base64, which hides what it runs", s.Name)
		f.Help = "write the command in plain text"
	case isShell:
		f.Span = peer.Span
		f.Message = wording.Say("%q hands a program of this machine to anyone at the other end of a connection", s.Name)
		f.Help = "remove the entry"
	case i >= 0:
		f.Span = texts[i].Span
		f.Message = wording.Say("%q %s code in its text and runs it at every start, %s", s.Name, does(texts[i].Text), effectOf(does(texts[i].Text)))
		f.Help = "install a fixed version, or commit the script in plain text"
	default:
		return false
	}
	p.Report(f)
	return true
}

// effectOf says why it matters that code is downloaded or decoded.
func effectOf(does string) string {
	if does == "decodes" {
		return "which hides what it runs"
	}
	return "so what runs can change at any time"
}
