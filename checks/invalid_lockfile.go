package checks

import "github.com/mcplumb/mcplumb/internal/mcp"

// InvalidLockfile finds lockfiles that their own tool would refuse.
var InvalidLockfile = &Check{
	ID:       "invalid-lockfile",
	Title:    "the lockfile cannot be used",
	Severity: Error,
	Run:      runInvalidLockfile,
}

func runInvalidLockfile(p *Pass) {
	reportProblems(p, mcp.InvalidLock)
	reportDeclarers(p)
	reportInstalled(p)
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
			f.Severity = refusedSeverity(doc, problem.Refused)
			if problem.Minor && f.Severity == Error {
				f.Severity = Warning
			}
			p.Report(f)
		}
	}
}

// refusedSeverity weighs who refuses something: a client that reads another
// client's file, too, has files of its own. Which clients a plugin is meant for
// does not show in the one file.
func refusedSeverity(doc *mcp.Document, r mcp.Refused) Severity {
	switch {
	case r == mcp.ByAll:
		return Error
	case r == mcp.ByOwner && doc.Scope == mcp.ScopeProject:
		return Warning
	}
	return Note
}
