package checks

import "github.com/mcplumb/mcplumb/internal/mcp"

// invalidLockfile finds lockfiles that their own tool would refuse.
func invalidLockfile() *Check {
	return &Check{
		ID:       "invalid-lockfile",
		Title:    "the lockfile cannot be used",
		Severity: Error,
		Run:      func(p *Pass) { reportProblems(p, mcp.InvalidLock) },
	}
}

// reportProblems reports what the readers could not accept, of one kind. Test
// data may be wrong on purpose.
func reportProblems(p *Pass, kind mcp.ProblemKind) {
	for _, doc := range p.Project.Documents {
		if doc.Role == mcp.Fixture {
			continue
		}
		for _, problem := range doc.Problems {
			if problem.Kind != kind {
				continue
			}
			f := Finding{File: doc.File, Span: problem.Span, Server: problem.Server, Message: problem.Message}
			f.Severity = refusedSeverity(problem.Refused)
			p.Report(f)
		}
	}
}

// refusedSeverity weighs who refuses something: a client that reads another
// client's file, too, has files of its own.
func refusedSeverity(r mcp.Refused) Severity {
	switch r {
	case mcp.ByOwner:
		return Warning
	case mcp.ByOthers:
		return Note
	}
	return Error
}
