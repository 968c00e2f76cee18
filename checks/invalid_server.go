package checks

import "github.com/mcplumb/mcplumb/internal/mcp"

// invalidServer finds entries that a client does not start as they are written.
var invalidServer = &Check{
	ID:       "invalid-server",
	Title:    "an entry that its client does not start",
	Severity: Error,
	Run:      func(p *Pass) { reportProblems(p, mcp.InvalidServer) },
}
