package checks

import (
	"strings"

	"github.com/mcplumb/mcplumb/internal/mcp"
	"github.com/mcplumb/mcplumb/internal/secret"
)

// invalidName finds names that a client refuses, or keeps for servers of its
// own.
var invalidName = &Rule{
	ID:       "invalid-name",
	Title:    "a name that is refused or reserved",
	Severity: Warning,
	Reads:    notTestData,
	Run:      runInvalidName,
}

func runInvalidName(p *Pass) {
	reportRefusals(p, &nameWordings)
	for doc := range p.Documents() {
		loaders := doc.Loaders()
		for _, s := range doc.Servers {
			if isRunning(s) && !isUnnamed(s) && s.Extra().NamedBy == nil {
				judgeName(p, s, loaders)
			}
		}
		if doc.Publishes && len(doc.Servers) > 0 && !isUnnamed(doc.Servers[0]) {
			s := doc.Servers[0]
			judgeRegistryName(p, at(s), s.Name)
		}
	}
}

// judgeName reports the gravest thing that a client which loads the file has against
// a server's name: it refuses the name, or takes it and is not fit for it. The
// first client is the one that the file is made for; a file that others read,
// too, is theirs to change no more than a note's worth.
func judgeName(p *Pass, s *mcp.Server, loaders []*mcp.Client) {
	var worst Finding
	for i, c := range loaders {
		why, refused := nameProblem(c, s)
		severity := Note
		if refused && i == 0 && !s.Document.IsSecondary {
			severity = Warning
		}
		if why != "" && severity > worst.Severity {
			worst = at(s)
			worst.Severity, worst.Message = severity, why
		}
	}
	if worst.Message != "" {
		p.Report(worst)
	}
}

// nameProblem says what a client has against a server's name, and whether it
// does not start the server for it.
func nameProblem(c *mcp.Client, s *mcp.Server) (why string, refused bool) {
	names := &c.Reading(s.Document.Format).Names
	switch {
	case names.IsReserved(s.Name):
		return say("%s keeps the name %q for a server of its own and skips this one: choose another name", c.Title, s.Name), true
	case !names.Takes(s.Name):
		why := say("%s refuses the name %q: it takes only letters, digits, hyphens and underscores", c.Title, s.Name)
		if other := names.Suggest(s.Name); other != "" && !secret.Hides(s.Name) {
			why += say(", such as %q", other)
		}
		return why, true
	case names.Splits != 0 && strings.ContainsRune(s.Name, names.Splits):
		return say("policies of %s take the tools of %q for those of another server, because they end a server's name at the first %q: write a hyphen in its place",
			c.Title, s.Name, names.Splits), false
	}
	return "", false
}

// judgeRegistryName holds the name in a manifest against the registry's schema
// (server.schema.json 2025-12-11): a namespace, one slash and a name. The schema
// asks for a domain turned round and its pattern does not: another registry may
// go without.
func judgeRegistryName(p *Pass, f Finding, full string) {
	switch namespace, name, _ := strings.Cut(full, "/"); {
	case len(full) < 3 || len(full) > 200:
		f.Message = say("the MCP registry refuses the name %q: write from 3 to 200 characters", full)
	case !isRegistryPart(namespace, ".-") || !isRegistryPart(name, "._-"):
		f.Message = say("the MCP registry refuses the name %q: write a namespace, one slash and a name, such as io.github.acme/weather", full)
	case !strings.Contains(namespace, "."):
		f.Severity = Note
		f.Message = say("the MCP registry gives out only namespaces that are a domain in reverse, unlike that of %q: write one such as io.github.acme", full)
	default:
		return
	}
	p.Report(f)
}

// isRegistryPart reports whether a part of a registry name has only ASCII
// letters, digits and the given others.
func isRegistryPart(part, others string) bool {
	return (&mcp.Naming{Others: others}).Takes(part)
}

// nameWordings are the reasons for which a tool refuses a name.
var nameWordings = wordings{
	mcp.NameCharacters: {Error, func(r *mcp.Refusal) string {
		return say("%s: its name must have only letters, digits and underscores", entryRefused(r))
	}},
	mcp.SchemaName: {Warning, func(r *mcp.Refusal) string {
		return say("%s refuses the name %q: it takes only letters, digits, hyphens and underscores", r.Tool, r.Got)
	}},
	mcp.SchemaID: {Warning, func(r *mcp.Refusal) string {
		return say("%s refuses the id %q: it takes only lower-case letters, digits and hyphens", r.Tool, r.Got)
	}},
	mcp.PackageName: {Warning, func(r *mcp.Refusal) string {
		return say("%s refuses the package name %q: it takes only lower-case letters and digits with single hyphens in between, 64 characters at most", r.Tool, r.Got)
	}},
	mcp.ToolServerName: {Warning, func(r *mcp.Refusal) string {
		return say("%s cannot name the tools of %q: begin the server's name with a letter or underscore, and use only letters, digits, underscores and hyphens", r.Tool, r.Got)
	}},
	mcp.ToolPattern: {Warning, func(r *mcp.Refusal) string {
		return say("the pattern %q matches no tool: write a tool's name, or a star alone or after a colon, as in fs:*", r.Got)
	}},
}
