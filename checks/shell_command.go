package checks

import (
	"slices"

	"github.com/mcplumb/mcplumb/internal/effect"
	"github.com/mcplumb/mcplumb/internal/identity"
	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/reads"
	"github.com/mcplumb/mcplumb/internal/rule"
	"github.com/mcplumb/mcplumb/internal/shell"
	"github.com/mcplumb/mcplumb/internal/wording"
)

// shellCommand finds a server that is started by shell text which downloads
// and runs something, or which runs several commands.
var shellCommand = &rule.Rule{
	ID:       "shell-command",
	Title:    "shell text that runs downloaded code, or several commands",
	Severity: rule.Warning,
	Reads:    reads.NotTestData,
	Run:      runShellCommand,
}

// runShellCommand reports one finding for each server. Chains are a note: being hard to review is
// not wrong yet.
func runShellCommand(p *rule.Pass) {
	for s := range p.Servers() {
		if reportFetch(p, s) || reportCode(p, s) {
			continue
		}
		if !mayChain(&s.Launch) && len(s.Helpers()) == 0 {
			continue
		}
		for _, l := range s.Launches() {
			if l.Kind == mcp.LaunchLine && reportShell(p, s, l.Line) || l.Kind == mcp.LaunchHelper && reportHelper(p, s, &l) {
				break
			}
		}
	}
}

// reportFetch reports a command line that only sends a request or downloads a file: it is not a
// server, and runs at every start of the client.
func reportFetch(p *rule.Pass, s *mcp.Server) bool {
	program := s.Identity.Name
	if s.Identity.Kind != identity.Exec || !effect.IsFetcher(identity.ProgramName(program)) || !s.IsStarted() {
		return false
	}
	f := rule.At(s)
	f.Span = s.Identity.Span
	f.Message = wording.Say("%q is not a server: it only runs %s at every start of the client", s.Name, program)
	f.Help = "remove the entry, or write the address of a server as its URL"
	p.Report(f)
	return true
}

// mayChain reports whether any word contains a character that separates the commands of a line.
// Hardly any does.
func mayChain(l *identity.Launch) bool {
	return effect.Chains(l.Command) || slices.ContainsFunc(l.Args, effect.Chains)
}

// reportShell checks one command line of a server and reports whether it has a finding.
func reportShell(p *rule.Pass, s *mcp.Server, line shell.Line) bool {
	f := rule.At(s)
	if source, ok := effect.RunsDownload(line.Tokens()); ok {
		program := identity.ProgramName(source.Text)
		f.Span = source.Span
		f.Message = wording.Say("%q downloads code with %s and runs it at every start, so what runs can change at any time", s.Name, program)
		f.Help = "install a fixed version, or commit the script and run that"
		if effect.IsDecoder(program) {
			f.Message = wording.Say("%q decodes code with %s and runs it at every start, which hides what it runs", s.Name, program)
			f.Help = "write the command in plain text"
		}
		p.Report(f)
		return true
	}
	operator, commands := effect.Chain(line)
	if len(commands) < 2 {
		return false
	}
	f.Severity, f.Span = rule.Note, operator.Span
	f.Message = wording.Say("%q runs %d commands in a shell (%s), which hides which of them is the server", s.Name, len(commands), wording.JoinWords(commands))
	f.Help = "move them into a script, and run that"
	p.Report(f)
	return true
}

// reportHelper checks the command that a client runs before it connects. Several commands in it
// are not a finding: unlike an entry, a helper is expected to be a script.
func reportHelper(p *rule.Pass, s *mcp.Server, helper *mcp.Launch) bool {
	source, ok := effect.RunsDownload(helper.Line.Tokens())
	if !ok {
		return false
	}
	f := rule.At(s)
	f.Span = source.Span
	program, does := identity.ProgramName(source.Text), "downloads"
	if effect.IsDecoder(program) {
		does = "decodes"
	}
	f.Message = wording.Say("%s of %q %s code with %s, and the client runs it at every connection", helper.Name, s.Name, does, program)
	f.Help = "move the script into the repository, in plain text"
	p.Report(f)
	return true
}
